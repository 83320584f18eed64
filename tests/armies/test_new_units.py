"""Rules that name a new unit: found in the book, mustered with the army, kept out of the game until they come."""

from __future__ import annotations

import pytest

from shieldwall.armies.army_rules import standing_of
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.coverage import cover_book
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.muster import Mustered, MusteredArmy, UnitSpec, fresh_state, muster, unknown_rules
from shieldwall.armies.new_units import NamedUnit, named_unit
from shieldwall.armies.parse import parse_rule
from shieldwall.armies.recruit import recruit, rules_played
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef
from shieldwall.editions import EDITIONS, ruleset

BOOK = """
format: shieldwall-book/1
id: packs
name: Packs
version: "1"
system: regiments-3.5
units:
  - {id: mother, name: Mother, cost: 90, size: 1, quality: 4, defense: 4, equipment: ["Claw (A2)"],
     rules: "Hero, Tough(3), Howl(Pups [3])"}
  - {id: pups, name: Pups, cost: 60, size: 5, quality: 5, defense: 5, equipment: ["Teeth (A1)"]}
  - {id: blobs, name: Blobs, cost: 80, size: 3, quality: 5, defense: 5, equipment: ["Slime (A1)"],
     rules: "Burst(Bits [4])"}
  - {id: bits, name: Bits, cost: 50, size: 4, quality: 6, defense: 6, equipment: ["Slime (A1)"],
     rules: "Burst(Pups [5])"}
  - {id: rats, name: Rats, cost: 70, size: 5, quality: 5, defense: 5, equipment: ["Teeth (A1)"], rules: Horde}
  - {id: lost, name: Lost, cost: 70, size: 2, quality: 5, defense: 5, equipment: ["Teeth (A1)"],
     rules: "Howl(Ghosts [3])"}
  - {id: snake, name: Snake, cost: 70, size: 1, quality: 5, defense: 5, equipment: ["Teeth (A1)"],
     rules: "Burst(Snake [1])"}
rules:
  Howl: 'Once per game, when activated, this model may bring on a new unit of X within 6".'
  Burst: 'When this unit is destroyed, a new unit of X may be placed within 6" of where it stood.'
  Horde: 'When this unit is shaken or destroyed, you may remove it, and a new copy arrives within 12" of a table edge
    in the next round.'
"""
EDITION = "regiments-3.5"


def packs() -> Book:
    return read_book(BOOK.encode())


def the_army(*units: str, edition: str = EDITION) -> MusteredArmy:
    entries = tuple(Entry(f"u{number}", unit) for number, unit in enumerate(units))
    army = ArmyList("Packs", edition, 500, entries, (BookRef("packs", "Packs", "1"),))
    return recruit(army, (packs(),))


def mustered(*units: str) -> Mustered:
    return muster(ruleset(EDITION), [the_army(*units)])


def test_a_rule_may_name_a_unit_with_its_size() -> None:
    assert named_unit("Howl(Pups [3])") == NamedUnit("Howl", "Pups", 3)
    assert named_unit("Tough(3)") is None
    assert named_unit("Howl(Pups [0])") is None
    assert parse_rule("Howl( Pups [3] )") == RuleRef("Howl(Pups [3])")
    with pytest.raises(MalformedError, match="not a whole number"):
        parse_rule("Howl(Pups)")


def test_a_book_file_with_such_rules_is_read_and_written_again() -> None:
    assert read_book(write_book(packs()).encode()) == packs()


def test_a_rule_is_played_if_its_book_has_the_unit() -> None:
    book = packs()
    assert standing_of(book, EDITION, "Howl(Pups [3])").is_played
    assert not standing_of(book, EDITION, "Howl(Ghosts [3])").is_played
    assert not standing_of(book, EDITION, "Burst(Snake [1])").is_played  # there would be no end to snakes
    assert list(cover_book(book, EDITION).unplayed) == ["Burst(Snake [1])", "Howl(Ghosts [3])"]


def test_a_list_says_that_a_unit_is_missing() -> None:
    army = ArmyList("Packs", EDITION, 500, (Entry("a", "lost"),), (BookRef("packs", "Packs", "1"),))
    assert rules_played(army, (packs(),)).unplayed == ("Howl(Ghosts [3])",)


def test_new_units_are_mustered_after_all_others_and_cost_nothing() -> None:
    found = mustered("mother", "blobs", "rats")
    later = [unit for unit in found.units if unit.later is not None]
    assert [unit.name for unit in found.units[:3]] == ["Mother", "Blobs", "Rats"]
    assert [(unit.name, unit.start_models) for unit in later] == [
        ("Pups", 3), ("Bits", 4), ("Rats (copy)", 5), ("Pups", 5),
    ]  # fmt: skip
    assert all(unit.place == "later" and not unit.models and not unit.cost for unit in later)
    assert found.unknown == ()


def test_each_is_tied_to_the_model_or_the_unit_that_brings_it_on() -> None:
    found = mustered("mother", "blobs")
    mother, blobs, pups, bits, _ = found.units
    assert pups.later is not None
    assert bits.later is not None
    assert (pups.later.unit, pups.later.model) == (mother.id, mother.models[0].id)
    assert (bits.later.unit, bits.later.model) == (blobs.id, -1)


def test_a_copy_lacks_the_rule_that_copies() -> None:
    found = mustered("rats")
    rats, copy = found.units
    assert copy.later is not None
    kinds = {model.profile for model in copy.later.models}
    assert all(rule.name != "Horde" for kind in kinds for rule in found.profiles[kind].rules)
    assert len(copy.later.models) == len(rats.models)


def test_a_unit_that_no_list_brings_along_is_reported() -> None:
    army = the_army("mother")
    lone = MusteredArmy(army.name, army.units, rules=army.rules)
    found = muster(ruleset(EDITION), [lone])
    assert [unknown.rule for unknown in found.unknown] == ["Howl(Pups [3])"]


def test_units_given_as_text_may_come_later_too() -> None:
    pups = UnitSpec("Pups [3]", "Q5+ D5+", equipment="Teeth (A1)")
    mother = UnitSpec("Mother", "Q4+ D4+", equipment="Claw (A2)", rules="Howl(Pups [3])")
    rules = the_army("mother").rules
    found = muster(
        ruleset(EDITION), [MusteredArmy("Packs", (mother,), rules=rules, new_units=(("Pups [3]", pups),))]
    )
    assert [(unit.name, unit.place) for unit in found.units] == [("Mother", "waiting"), ("Pups", "later")]


@pytest.mark.parametrize("edition", EDITIONS)
def test_they_do_not_count_as_units_a_side_starts_with(edition: str) -> None:
    army = the_army("mother", "blobs", "rats", edition=edition)
    state = fresh_state(ruleset(edition), 72_000, 48_000, (), (army, army))
    assert [side.start_units for side in state.sides] == [3, 3]
    assert unknown_rules(ruleset(edition).specials, state.profiles, state.units) == ()
    assert decode_state(encode(state)) == state
