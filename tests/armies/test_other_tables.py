"""Books of one edition played in another: which meaning of a rule counts, and what is reported."""

from __future__ import annotations

import json

import pytest

from shieldwall.armies import recruit
from shieldwall.armies.army_rules import means_its_text, standing_of
from shieldwall.armies.book import Book
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.coverage import best_edition
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.list_file import write_list
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.muster import fresh_state
from shieldwall.armies.overlay import as_played
from shieldwall.core.blocks import Known
from shieldwall.core.state import Profile, State
from shieldwall.editions import ruleset

BOOK = """
format: shieldwall-book/1
id: reeds
name: Reed Folk
version: "3.5.1"
system: aof
units:
  - {id: guard, name: Guard, cost: 90, size: 5, quality: 4, defense: 4,
     equipment: ["Spear (A1, Counter, Rending)"], rules: "Fearless, Ford"}
  - {id: seer, name: Seer, cost: 60, size: 1, quality: 4, defense: 4, equipment: ["Staff (A1)"],
     rules: "Hero, Tough(3), Caster(2)"}
spells:
  - {name: Marsh Light, cost: 1, text: 'Choose an enemy unit within 18", and it suffers 3 hits.'}
rules:
  Ford: "When charging, this model gets AP(+1)."
"""


def the_book() -> Book:
    return read_book(BOOK.encode())


def the_list(edition: str) -> ArmyList:
    entries = (Entry("u0", "guard"), Entry("u1", "seer"))
    return ArmyList("Reeds", edition, 500, entries, (BookRef("reeds", "Reed Folk", "3.5.1"),))


def game(edition: str, **options: str) -> State:
    armies = [recruit(the_list(edition), [the_book()]) for _ in range(2)]
    return fresh_state(ruleset(edition), 48_000, 48_000, (), armies, options=dict(options))


def profile(state: State, unit: int) -> Profile:
    return state.profiles[state.units[unit].models[0].profile]


def imported(edition: str = "") -> Imported:
    return read_any(write_list(the_list(edition)).encode(), books=[the_book()], edition=edition)


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6", "regiments-3.4", "regiments-3.5"])
def test_rules_of_a_later_book_mean_their_own_text_in_any_edition(edition: str) -> None:
    spear = profile(game(edition), 0).weapons[0]
    rending = next(rule for rule in spear.rules if rule.name == "Rending")
    assert rending.blocks == (Known("Rending", "aof"),)
    ford = next(rule for rule in profile(game(edition), 0).rules if rule.name == "Ford")
    assert ford.blocks


@pytest.mark.parametrize("edition", ["aof-2", "regiments-3.5"])
def test_a_switch_keeps_the_reading_of_the_edition(edition: str) -> None:
    """A2-STAT-07, R35-STAT-18: rules that only the book has still mean what the book says."""
    state = game(edition, **{"army-rules": "edition"})
    assert dict(state.options)["army-rules"] == "edition"
    guard = profile(state, 0)
    rending = next(rule for rule in guard.weapons[0].rules if rule.name == "Rending")
    assert rending.blocks is None
    assert next(rule for rule in guard.rules if rule.name == "Ford").blocks


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6"])
def test_casters_of_a_later_book_cast_by_the_magic_of_the_edition(edition: str) -> None:
    """There are no spell tokens there, so a rule that only gives tokens would leave casters unable to cast."""
    seer = profile(game(edition), 1)
    assert [(rule.value, rule.blocks) for rule in seer.rules if rule.name == "Wizard"] == [(2, None)]
    hooks = ruleset(edition).hooks.of_profile(seer)
    assert "casts_with" in hooks


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6", "regiments-3.4", "regiments-3.5"])
def test_morale_rules_of_a_later_book_mean_their_own_text_too(edition: str) -> None:
    source = as_played(the_book(), edition)
    assert standing_of(source, edition, "Fearless").blocks == (Known("Fearless", "aof"),)
    assert means_its_text(source, edition, "Fearless")


def test_the_report_never_takes_a_different_rule_for_the_same_one() -> None:
    told = [remark.text for remark in imported("aof-2").remarks if remark.kind == "changed"]
    assert "Caster is played as Wizard, the nearest rule in aof-2, which is not the same" in told
    own = ("Rending", "Ford", "Hero", "Fearless")
    assert not [text for text in told if "calls it" in text or text.startswith(own)]


def test_the_report_names_rules_without_a_text_that_another_edition_has_under_the_same_name() -> None:
    older = read_book(BOOK.replace('"3.5.1"', '"2.50"').encode())
    found = read_any(write_list(the_list("regiments-3.5")).encode(), books=[older])
    told = [remark.text for remark in found.remarks if remark.kind == "changed"]
    assert "Fearless is played as in regiments-3.5, which differs from the book's own game" in told


def test_a_later_book_is_read_for_the_edition_that_plays_most_of_it_as_written() -> None:
    assert best_edition(the_book()) == "regiments-3.5"
    alone = read_any(write_book(the_book()).encode())
    assert [remark.text for remark in alone.remarks if remark.kind == "played"] == [
        "7 of 7 rules, 1 of 1 spells are played in regiments-3.5"
    ]


def test_a_list_that_is_played_in_another_edition_than_the_nearest_says_why() -> None:
    army, source = the_list("aof-2"), the_book()
    foreign = json.loads(export_file(army, {source.id: source}))
    del foreign["shieldwall"]  # as another program would write it: without our edition
    found = read_any(json.dumps(foreign).encode(), books=[source])
    assert [remark.text for remark in found.remarks if remark.text.startswith("made for AOF")] == [
        "made for AOF; played with the rules of regiments-3.5, which play more of it as printed than aof-2; "
        "you can choose aof-2 instead"
    ]
    chosen = read_any(json.dumps(foreign).encode(), books=[source], edition="aof-1.6")
    assert [remark.text for remark in chosen.remarks if remark.text.startswith("made for AOF")] == [
        "made for AOF; played with the rules of aof-1.6"
    ]
