"""Both guided battles by mouse and by touch on a phone, with every task and every mistake."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, browser, built_page, server, visit  # noqa: F401
from tests.browser.lessons import Pupil


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
@pytest.mark.parametrize("name", ["first-regiments", "first-loose"])
def test_a_guided_battle_with_every_wrong_turn(visit: OpenPage, name: str, touch: bool) -> None:  # noqa: F811
    table = visit("/learn", phone=touch)
    pupil = Pupil(table, touch=touch)
    pupil.press(table.find(f"lesson-{name}"))
    table.battle.wait_for()
    pupil.play_with_wrong_turns(name)
    expect(table.find("coach")).to_contain_text("Two markers to one")
    pupil.press(table.find("lesson-done"))
    expect(table.find(f"lesson-{name}")).to_contain_text("again")
