"""Learning on a phone, in both themes and without a line: what was read stays, and what needs the server says so."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.lessons import Pupil
from tests.browser.test_access import COMING, FOLLOW, look_at, narrow

PAGES = ("/learn/winning", "/learn/edition-skirmish-3.2", "/campaign")  # those that no bar leads to


def test_the_second_guided_battle_by_touch_with_a_wrong_turn_at_every_task(visit: OpenPage) -> None:
    table = visit("/learn", phone=True)
    pupil = Pupil(table, touch=True)
    pupil.press(table.find("lesson-first-loose"))
    table.battle.wait_for()
    pupil.play_with_wrong_turns("first-loose", most=1)
    expect(table.find("coach")).to_contain_text("Two markers to one")
    expect(table.find("moment")).to_contain_text("Victory")
    pupil.press(table.find("lesson-done"))
    expect(table.find("lesson-first-loose")).to_contain_text("again")


def test_what_teaches_is_open_to_everybody(visit: OpenPage) -> None:
    table = visit("/learn")
    page = table.page
    complaints: list[str] = []
    for path in PAGES:
        page.evaluate(FOLLOW, path)
        page.locator("main h1").first.wait_for()
        expect(page.locator(COMING), path).to_have_count(0)
        look_at(page, complaints)
        narrow(page, complaints)
    page.evaluate(FOLLOW, "/learn")
    table.find("lesson-first-regiments").click()
    table.wait_for_my_turn()
    table.until_resting()
    expect(table.find("coach")).to_be_visible()
    look_at(page, complaints)
    narrow(page, complaints)
    assert not complaints, "\n".join(complaints)


def test_what_was_read_can_be_read_again_without_a_line(visit: OpenPage, server: str) -> None:
    table = visit("/learn", phone=True, troubled=True)
    page = table.page
    elsewhere: list[str] = []
    page.on("request", lambda asked: None if server in asked.url else elsewhere.append(asked.url))
    page.evaluate("() => navigator.serviceWorker.ready")
    page.reload()  # from here on the worker keeps what is read
    table.find("topic-winning").tap()
    expect(page.get_by_role("heading", name="How to win")).to_be_visible()
    page.get_by_role("button", name="R35-OBJ-07").first.tap()
    expect(table.find("rule-card")).to_contain_text("within 3 inches")
    page.context.set_offline(True)
    page.goto("/learn")
    table.find("topic-winning").tap()
    expect(page.get_by_role("heading", name="How to win")).to_be_visible()
    table.find("scene-next").first.tap()
    expect(table.find("scene").first).to_have_attribute("data-at", "1")
    page.get_by_role("button", name="R35-OBJ-07").first.tap()
    expect(table.find("rule-card")).to_contain_text("within 3 inches")
    page.goto("/learn")
    table.find("lesson-first-loose").tap()  # a battle needs the server, and says so
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    page.context.set_offline(False)
    table.find("lesson-first-loose").tap()
    table.battle.wait_for()
    assert elsewhere == [], "nothing is asked of anybody else"
