"""Whole battles from the first page to the result, with the hand on the mouse."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.table import PORTRAIT


@pytest.mark.parametrize("edition", ["regiments-3.5", "skirmish-3.2", "aof-2"])
def test_a_battle_against_a_bot_is_played_from_the_first_page_to_the_result(
    visit: OpenPage, edition: str
) -> None:
    """To the bitter end in the edition with the shortest battles; in the others one side gives up on the way."""
    table = visit()
    table.start(edition, bot="random")  # the quickest to answer, so that the battle is short
    table.answer_until("activate")
    name = table.at_hand()[0]
    unit = table.find(f"unit-{name}")
    before = unit.get_attribute("data-y")
    table.activate_by_hand(unit=name, up=30)
    verdict = table.find("verdict")
    expect(verdict).to_be_visible()
    is_legal = verdict.get_attribute("data-legal") == "true"
    if not is_legal:  # something stands in the way on this table: the panel says what
        expect(verdict).to_contain_text(re.compile("[0-9]"))
    # where the way is barred, the unit may only stay
    goes_somewhere = verdict.get_attribute("data-used") != "0"
    table.go()
    if is_legal and goes_somewhere:
        expect(unit).not_to_have_attribute("data-y", before or "")
    if edition == "skirmish-3.2":
        table.play_out()
    else:
        table.answer_until("activate")
        table.resign()
    table.see_result()
    expect(table.find("caption")).not_to_be_empty()


def test_every_question_of_the_setup_can_be_answered_by_hand_or_left_to_the_computer(visit: OpenPage) -> None:
    table = visit()
    table.start("regiments-3.5", setup="by_hand")
    assert table.wait_for_my_turn()
    expect(table.battle).to_have_attribute("data-phase", "setup")
    table.answer_until("deploy")
    table.go()
    table.answer_until("deploy_place")
    ghost = table.find("ghost")
    ghost.wait_for()
    verdict = table.find("verdict")
    table.drag(ghost, 60, 4)
    expect(verdict).to_be_visible()
    table.go()
    table.wait_for_my_turn()
    table.find("do-setup").click()
    table.answer_until("activate")
    expect(table.battle).to_have_attribute("data-phase", "battle")


def test_two_at_one_screen_take_turns(visit: OpenPage) -> None:
    table = visit()
    table.start("skirmish-3.2", opponent="seat")
    seen = set()
    for _ in range(12):
        table.answer_until("activate")
        seen.add(table.page.locator(".turn").inner_text())
        if len(seen) == 2:
            return
        table.find("do-activation").click()
    raise AssertionError(f"only one side was ever asked: {seen}")


def test_an_answer_is_undone_until_dice_are_rolled(visit: OpenPage) -> None:
    """A whole planned activation goes back in one step."""
    table = visit()
    table.start("regiments-3.5", opponent="seat")
    table.answer_until("activate")
    turn = table.page.locator(".turn")
    whose = turn.inner_text()
    number = table.activate_by_hand(up=60)
    expect(table.find("verdict")).to_be_visible()
    unit = table.find(f"unit-{number}")
    before = unit.get_attribute("data-y")
    table.find("action-rush").click()
    expect(table.find("action-rush")).to_have_attribute("aria-pressed", "true")
    table.go()
    expect(turn).not_to_have_text(whose)
    table.page.keyboard.press("Escape")
    expect(turn).to_have_text(whose)
    expect(table.find("question")).to_have_attribute("data-kind", "activate")
    expect(unit).to_have_attribute("data-y", before or "")


def test_a_whole_activation_is_played_by_keyboard_alone(visit: OpenPage) -> None:
    table = visit()
    table.start("regiments-3.5", opponent="seat")
    table.answer_until("activate")
    turn = table.page.locator(".turn")
    whose = turn.inner_text()
    keys = table.page.keyboard
    table.page.locator("body").press("n")
    keys.press("r")
    expect(table.find("action-rush")).to_have_attribute("aria-pressed", "true")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    expect(table.find("verdict")).to_be_visible()
    keys.press("Enter")
    expect(turn).not_to_have_text(whose)


def test_on_a_phone_a_tap_proposes_and_the_button_confirms(visit: OpenPage) -> None:
    table = visit(phone=True)
    table.start("skirmish-3.2")
    table.answer_until("activate")
    number = next(number for number in table.at_hand() if "sel" not in table.classes_of(number))
    table.tap(table.find(f"unit-{number}"))
    expect(table.page.locator(".unit.sel")).to_have_attribute("data-unit", number)
    expect(table.find("question")).to_have_attribute("data-kind", "activate")
    said = table.find("log").inner_text()
    table.find("go").tap()
    expect(table.find("log")).not_to_have_text(said)  # the unit acted
    table.find("grip").tap()
    width = table.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing may stick out sideways"


def test_on_a_phone_dice_log_hint_and_question_are_read(visit: OpenPage) -> None:
    table = visit(phone=True)
    table.start("regiments-3.5")
    table.answer_until("activate")
    tray = table.find("dice")
    if tray.locator(".pool:not(.past)").count():  # dice of an earlier activation give way to the table
        expect(tray.locator(".die").last).to_be_in_viewport()  # the newest of them
        expect(tray.get_by_role("button", name="R35-").first).to_be_visible()
    else:
        expect(tray).to_be_hidden()
    lines = table.find("log").locator("p")
    expect(lines).to_have_count(1)
    table.page.get_by_role("button", name="Open the whole log").tap()
    expect(lines.nth(-2)).to_be_visible()
    assert lines.count() > 5
    table.page.keyboard.press("Escape")
    expect(lines).to_have_count(1)
    table.page.keyboard.press("?")
    expect(table.find("said")).to_be_in_viewport()
    table.page.set_viewport_size({"width": 1280, "height": 720})
    expect(table.find("said").get_by_role("button", name="R35-")).to_be_visible()
    table.page.set_viewport_size(PORTRAIT)
    # a new question is read from its top
    scroll = table.page.locator(".right .scroll")
    table.find("grip").tap()
    table.until_resting()
    scroll.evaluate("element => (element.scrollTop = 80)")
    table.find("do-activation").tap()
    assert table.wait_for_my_turn()
    table.find("grip").tap()
    table.until_resting()
    assert scroll.evaluate("element => element.scrollTop") == 0


def test_a_spell_shows_its_chance_before_it_is_cast_and_is_chosen_by_keys(visit: OpenPage) -> None:
    table = visit()
    table.find("edition").select_option("regiments-3.5")
    table.find("army-ready:glasswood-covenant-750").click()
    table.find("start").click()
    table.battle.wait_for()
    for _ in range(40):
        assert table.wait_for_my_turn()
        table.until_resting()
        if table.kind == "cast":
            break
        if table.kind == "activate":
            caster = table.page.locator(".left .ucard.candidate", has_text="Witch").or_(
                table.page.locator(".left .ucard.candidate")
            )
            caster.first.click()
            table.until_judged()
        cast = table.find("action-cast")
        if cast.count():
            expect(cast).to_contain_text("% to work")
            cast.click()
            expect(cast).to_have_attribute("aria-pressed", "true")
        table.go()
    expect(table.find("cast-chance")).to_contain_text("50 % to work")
    expect(table.find("cast-chance")).to_contain_text("4+ on 1 die")
    expect(table.find("go")).to_contain_text(
        re.compile(r"^\s*Cast .+ on .+")
    )  # a spell and its target by name
    pressed = "all => all.map((one) => one.getAttribute('aria-pressed')).join()"
    chosen = table.page.locator("[data-testid^=spell-][aria-pressed]")
    table.until_resting()
    before = chosen.evaluate_all(pressed)
    table.page.keyboard.press("n")
    assert chosen.evaluate_all(pressed) != before, "the next target or spell"
