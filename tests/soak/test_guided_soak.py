"""A guided battle with a finger on a phone, every task by hand where a finger reaches it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, browser, built_page, server, visit  # noqa: F401
from tests.browser.lessons import Pupil


def test_a_guided_battle_is_played_with_a_finger(visit: OpenPage) -> None:  # noqa: F811
    table = visit("/learn", phone=True)
    table.find("lesson-first-regiments").tap()
    table.battle.wait_for()
    pupil = Pupil(table, touch=True)
    for task in range(6):
        pupil.wait_for_task(task)
        pupil.read_on()
        if task == 0:
            table.find("go").tap()
            expect(table.find("coach-reply")).to_contain_text("Shoot first")
        pupil.be_shown()
    expect(table.find("coach")).to_contain_text("Two markers to one")
    table.find("lesson-done").tap()
    expect(table.find("lesson-first-regiments")).to_contain_text("again")
