"""Guided battles in a real browser: from the first page to the last marker, with wrong turns on the way."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.lessons import Pupil


def test_a_newcomer_is_offered_a_guided_battle_and_plays_it_to_its_end(visit: OpenPage) -> None:
    table = visit("/")
    expect(table.find("first-battle")).to_be_visible()
    table.find("first-regiments").click()
    table.battle.wait_for()
    pupil = Pupil(table)
    pupil.read_on()
    expect(table.find("coach")).to_have_attribute("data-until", "select")

    # the unit at hand is the wrong one: that is answered kindly, and nothing has happened
    table.go()
    expect(table.find("coach-reply")).to_contain_text("Shoot first")
    expect(table.find("refusal")).to_have_count(0)
    pupil.choose("Quay Crossbows")
    expect(table.find("coach")).to_have_attribute("data-until", "aim")
    pupil.choose("Ember Slings")
    table.go()
    expect(table.find("coach-reply")).to_contain_text("Aim at the Ash Axes")
    pupil.choose("Ash Axes")
    expect(table.find("coach")).to_have_attribute("data-until", "task")
    expect(table.find("odds-card")).to_be_visible()
    table.go()

    # left in the middle, taken up again from the first page
    pupil.wait_for_task(1)
    pupil.read_on()
    step = table.find("coach").get_attribute("data-step") or ""
    table.page.goto("/")
    table.page.get_by_role("link", name="Continue").first.click()
    expect(table.find("coach")).to_have_attribute("data-step", step)

    pupil.choose("Heron Knights")
    table.find("action-advance").click()
    table.until_judged()
    table.go()
    expect(table.find("coach-reply")).to_contain_text("Only a Charge goes in")
    table.find("action-charge").click()
    table.until_judged()
    pupil.choose("Ash Axes")
    table.go()

    pupil.wait_for_task(2)
    pupil.read_on()  # the last unit is at hand already
    pupil.drag_by(0, 4)
    table.go()
    expect(table.find("coach-reply")).to_contain_text("Drag them farther")
    pupil.drag_by(0, 4)
    table.go()

    for task in range(3, 6):
        pupil.wait_for_task(task)
        pupil.read_on()
        pupil.be_shown()
    expect(table.find("coach")).to_contain_text("Two markers to one")
    expect(table.find("moment")).to_contain_text("Victory")
    table.find("lesson-done").click()
    expect(table.page).to_have_url(re.compile("/learn$"))
    expect(table.find("lesson-first-regiments")).to_contain_text("again")


def test_a_question_leads_to_a_page_with_a_table_and_a_second_guided_battle_is_won(visit: OpenPage) -> None:
    table = visit("/rules")
    table.find("rules-search").fill("how do I win")
    table.find("learn-found").get_by_role("link", name="How to win").click()
    expect(table.page.get_by_role("heading", name="How to win")).to_be_visible()
    table.page.get_by_role("button", name="R35-OBJ-07").first.click()
    expect(table.find("rule-card")).to_contain_text("within 3 inches")
    table.page.keyboard.press("Escape")
    for _ in range(3):
        table.find("scene-next").click()
    expect(table.find("scene")).to_contain_text("took marker 1")
    table.find("learn-edition").select_option("aof-2")
    expect(table.page.get_by_role("button", name="A2-OBJ-06")).to_be_visible()

    table.page.get_by_role("navigation", name="Main").get_by_role("link", name="Learn").click()
    table.find("lesson-first-loose").click()
    table.battle.wait_for()
    pupil = Pupil(table)
    pupil.read_on()
    pupil.choose("Glade Archers")
    pupil.choose("Bow Riders")
    table.go()
    expect(table.find("coach-reply")).to_contain_text("The trees would stop")
    pupil.choose("Runners")
    table.go()
    for task in range(1, 6):
        pupil.wait_for_task(task)
        pupil.read_on()
        pupil.be_shown()
    expect(table.find("coach")).to_contain_text("Two markers to one")


def test_a_battle_of_a_shared_campaign_is_won_and_opens_the_next(visit: OpenPage) -> None:
    table = visit("/campaign")
    expect(table.find("battle-horse-thieves")).to_have_attribute("data-open", "true")
    expect(table.find("battle-the-mountain-walks")).to_have_attribute("data-open", "false")
    table.page.get_by_role("link", name="Two Short Fights").click()
    expect(table.find("battle-the-morning-after")).to_have_attribute("data-open", "false")
    table.find("begin-last-stand").click()
    expect(table.find("story")).to_contain_text("One round is left")
    table.find("story-close").click()
    # the coach is wanted: whoever leaves the ford hears a word, and may do it all the same
    table.wait_for_my_turn()
    expect(table.battle).to_have_attribute("data-advised", "true")
    table.find("menu").click()
    table.find("coach-on").check()
    table.page.keyboard.press("Escape")
    Pupil(table).drag_by(7, 5)
    expect(table.find("second-thought")).to_contain_text("This looks like a mistake")
    expect(table.find("go")).to_be_enabled()
    table.find("undo").click()
    expect(table.find("second-thought")).to_have_text("")
    table.play_out()
    expect(table.find("story")).to_have_attribute("data-won", "true")
    expect(table.find("story")).to_contain_text("That was that")
    table.find("to-campaign").click()
    expect(table.find("battle-the-morning-after")).to_have_attribute("data-open", "true")
