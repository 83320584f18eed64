"""Casters whom only the texts of a book make casters, and rules that a book names without explaining."""

from __future__ import annotations

import pytest

from shieldwall.armies import recruit
from shieldwall.armies.army_rules import standing_of
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.muster import fresh_state
from shieldwall.editions import ruleset
from shieldwall.rules.features.token_helpers import group_caster
from shieldwall.rules.features.tokens_legal import casters_of

BOOK = """
format: shieldwall-book/1
id: reeds
name: Reed Folk
version: "3.5.1"
system: aofs
units:
  - {id: choir, name: Choir, cost: 90, size: 5, quality: 4, defense: 4, equipment: ["Staff (A1)"], rules: "Singers"}
  - {id: novice, name: Novice, cost: 60, size: 1, quality: 4, defense: 4, equipment: ["Staff (A1)"], rules: "Lore"}
  - {id: guard, name: Guard, cost: 60, size: 1, quality: 4, defense: 4, equipment: ["Spear (A1)"],
     rules: "Drums, Mire"}
spells:
  - {name: Marsh Light, cost: 1, text: 'Choose an enemy unit within 18", and it suffers 3 hits.'}
rules:
  Singers: "One model of the unit casts with as many tokens as there are models with this rule."
  Lore: "This model counts as having Caster(1)."
  Drums: "This model and up to 3 friends picked before the game get Hit & Run Fighter."
  Mire: "This model and up to 3 friends picked before the game get Bog Walk."
"""


def the_book() -> Book:
    return read_book(BOOK.encode())


@pytest.mark.parametrize("edition", ["regiments-3.4", "regiments-3.5", "skirmish-3.2"])
def test_those_whom_a_text_makes_casters_know_the_spells_of_their_book(edition: str) -> None:
    entries = tuple(Entry(name, name) for name in ("choir", "novice", "guard"))
    army = recruit(ArmyList("Reeds", edition, 500, entries, (BookRef("reeds"),)), [the_book()])
    rules = ruleset(edition)
    state = fresh_state(rules, 48_000, 48_000, (), [army, army])
    choir, novice, guard = state.units[:3]
    assert [state.profiles[unit.models[0].profile].spells for unit in (choir, novice, guard)] == [
        ("Marsh Light",),
        ("Marsh Light",),
        (),
    ]
    assert [casters_of(rules, state, unit) for unit in (choir, novice, guard)] == [(0,), (0,), ()]
    assert group_caster(rules, state, choir) == choir.models[0]
    assert group_caster(rules, state, novice) is None


def test_a_rule_that_many_books_explain_alike_is_played_where_a_book_only_names_it() -> None:
    assert standing_of(the_book(), "skirmish-3.2", "Drums").is_played
    assert not standing_of(the_book(), "skirmish-3.2", "Mire").is_played
