"""Whole battles by mouse, by touch and by keyboard alone: two small armies on a bare table, always the same dice."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.small import small_battle
from tests.browser.table import MOST_CLICKS

PATROL = ("salt-rangers", "harbour-pikes")


def test_a_whole_battle_by_mouse(visit: OpenPage) -> None:
    """Every unit is dragged, every answer is the big button."""
    table = visit()
    small_battle(table, "skirmish-3.2", PATROL)
    dragged = 0
    for _ in range(MOST_CLICKS):
        if not table.wait_for_my_turn():
            break
        if table.kind == "activate":
            table.activate_by_hand(up=50)
            dragged += 1
        table.go()
    assert dragged >= 4, "one for each round at least"
    expect(table.find("moment")).to_be_visible()
    table.see_result()


def test_a_whole_battle_by_touch(visit: OpenPage) -> None:
    """Units and the big button are tapped; nothing hovers."""
    table = visit(phone=True)
    small_battle(table, "skirmish-3.2", PATROL)
    for _ in range(MOST_CLICKS):
        if not table.wait_for_my_turn():
            break
        if table.kind == "activate":
            table.tap(table.find(f"unit-{table.at_hand()[0]}"))
            table.until_judged()
        table.find("go").tap()
    moment = table.find("moment")
    expect(moment).to_be_in_viewport()
    moment.get_by_role("link", name="See how it went").tap()
    expect(table.find("verdict")).to_be_visible()


def test_a_whole_battle_by_keyboard(visit: OpenPage) -> None:
    """From unit to unit with N, a few steps ahead with the arrows, Enter; the page after it with Tab and Enter."""
    table = visit()
    small_battle(table, "skirmish-3.2", PATROL)
    keys = table.page.keyboard
    for _ in range(MOST_CLICKS):
        if not table.wait_for_my_turn():
            break
        if table.kind == "activate":
            keys.press("n")
            for _ in range(4):
                keys.press("ArrowUp")
            table.until_judged()
        keys.press("Enter")
    link = table.find("moment").get_by_role("link", name="See how it went")
    link.focus()
    keys.press("Enter")
    expect(table.find("verdict")).to_be_visible()


# How a reason begins, where not with the word on the button.
SAME_AS = {"Stay": "Stay|Hold", "Turn": "Stay|Hold", "Shoot": "Shoot|Advance and shoot"}


def test_a_battle_of_enter_alone_is_a_sensible_one(visit: OpenPage) -> None:
    """Every answer is the suggestion, with its reason in a sentence: most units go somewhere, and markers are won."""
    table = visit()
    small_battle(table, "skirmish-3.2", PATROL)
    done, reasons = [], []
    for _ in range(MOST_CLICKS):
        if not table.wait_for_my_turn():
            break
        table.until_resting()  # which includes the suggestion
        if table.kind in ("activate", "action"):
            done.append(table.find("go").inner_text())
            reasons.append(table.find("said").inner_text())
        table.page.keyboard.press("Enter")
    moved = [words for words in done if "Stay here" not in words]
    assert len(done) >= 4
    assert len(moved) > len(done) / 2, done
    for words, reason in zip(done, reasons, strict=True):
        assert re.match(SAME_AS.get(words.split()[0], words.split()[0]), reason), f"{words}: {reason}"
        assert re.search(r"^[A-Z][^.]{12,}\.", reason), reason
        assert not re.search(r"\d+ (battles|games)|points of", reason), reason
    table.see_result()
    expect(table.find("verdict")).to_contain_text(
        re.compile("Victory|A draw")
    )  # against a bot that plays anything
