"""A unit that a rule brings on, as a player meets it on the page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.small import ME, small_battle
from tests.browser.table import TURN

PACKS = """format: shieldwall-book/1
id: packs
name: Packs
version: "1"
system: aof-2
rules:
  Howl: 'Once per game, when activated, this model may bring on a new unit of X within 6".'
units:
  - {id: mother, name: Mother, size: 1, quality: 4, defense: 4, cost: 90, equipment: Claw (A2), rules: "Howl(Pups [3])"}
  - {id: hunters, name: Hunters, size: 3, quality: 4, defense: 4, cost: 90, equipment: Spear (A1)}
  - {id: pups, name: Pups, size: 3, quality: 5, defense: 5, cost: 40, equipment: Teeth (A1)}
"""


def test_a_unit_that_is_brought_on_joins_the_list_and_acts(visit: OpenPage) -> None:
    table = visit()
    table.find("start").wait_for()
    assert table.page.request.post("/api/books", data=PACKS, timeout=TURN).ok
    small_battle(table, "aof-2", ("mother", "hunters"), (ME, ME), book=("packs", "Packs"))
    table.answer_until("activate")
    units = table.page.locator("aside.left")
    expect(units).to_contain_text("Mother")
    expect(units).not_to_contain_text("Pups")
    table.go()
    table.answer_until("rule_use")
    expect(table.find("rule-asked")).to_contain_text("bring on a new unit")
    table.go()
    table.answer_until("rule_place")
    table.go()
    expect(units).to_contain_text("Pups")
    table.answer_until("activate")
    expect(units).to_contain_text("3 of 3")  # in the next round it acts like any other
