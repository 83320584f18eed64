"""Whole battles by mouse, by touch and by keyboard alone: two small armies on a bare table, always the same dice."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.table import MOST_CLICKS, TURN, Table

PATROL = """
format: shieldwall-list/1
name: {name}
edition: skirmish-3.2
points: 60
books: [{{id: lantern-coast, name: Lantern Coast, version: '1'}}]
units:
- {{id: u1, unit: salt-rangers}}
- {{id: u2, unit: harbour-pikes}}
"""


def small_battle(table: Table) -> None:
    """Two units a side, nothing on the table but them and the markers."""
    keys = []
    for name in ("Day Watch", "Night Watch"):
        answer = table.page.request.post(
            "/api/armies/import", data={"text": PATROL.format(name=name)}, timeout=TURN
        )
        assert answer.ok, answer.text()
        keys.append(answer.json()["id"])
    seats = [{"who": "me", "army": keys[0]}, {"who": "bot", "bot": "random", "army": keys[1]}]
    order = {
        "edition": "skirmish-3.2",
        "seats": seats,
        "nonce": "ab" * 16,
        "table": {"kind": "empty"},
        "setup": "at_once",
    }
    answer = table.page.request.post("/api/games", data=order, timeout=TURN)
    assert answer.ok, answer.text()
    table.page.goto(f"/game/{answer.json()['game']}")
    table.battle.wait_for()


def test_a_whole_battle_by_mouse(visit: OpenPage) -> None:
    """Every unit is dragged, every answer is the big button."""
    table = visit()
    small_battle(table)
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
    small_battle(table)
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
    small_battle(table)
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
