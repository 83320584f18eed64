"""Rules explained by a book's texts: parsed, brought into a game with the army, and counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shieldwall.armies.army_rules import standing_of, standings
from shieldwall.armies.book import Book, RuleText
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.coverage import books_in, cover_book, together
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.muster import fresh_state
from shieldwall.armies.recruit import recruit, rules_played, unplayed_rules
from shieldwall.cli.main import main
from shieldwall.core.blocks import Gets, RuleRef, When
from shieldwall.core.state import State
from shieldwall.editions import ruleset

EDITION = "regiments-3.5"
BOOK = """
format: shieldwall-book/1
id: oaths
name: Oath Keepers
version: "1"
system: regiments-3.5
units:
  - {id: sworn, name: Sworn, cost: 100, size: 5, quality: 4, defense: 4,
     equipment: ["Spear (A1, Keen)"], rules: "Oathbound, Choir"}
  - {id: plain, name: Plain, cost: 80, size: 5, quality: 4, defense: 4, equipment: ["Spear (A1)"], rules: "Oathbound"}
spells:
  - {name: Grave Wind, cost: 2, text: 'Choose an enemy unit within 15", and it suffers 3 hits with AP(1) and Keen.'}
  - {name: Riddle, cost: 1, text: "Nobody knows what happens."}
rules:
  Oathbound: "When charging, this model gets AP(+1)."
  Keen: {text: "Ignores cover, and on natural 6s to hit, those hits get AP(+2).", of: weapon}
  Choir: "This model sings."
"""
CHARGE = When(attack="melee", charging=True)


def the_list(*units: str) -> ArmyList:
    entries = tuple(Entry(f"u{number}", unit) for number, unit in enumerate(units))
    return ArmyList("Oaths", EDITION, 500, entries, (BookRef("oaths", "Oath Keepers", "1"),))


def test_home_made_rules_of_a_book_file_are_read_and_written_again() -> None:
    book = read_book(BOOK.encode())
    assert book.rules[1] == RuleText(
        "Keen", "Ignores cover, and on natural 6s to hit, those hits get AP(+2).", "weapon"
    )
    assert read_book(write_book(book).encode()) == book


def test_a_rule_is_played_only_where_all_of_its_text_is_understood() -> None:
    book = read_book(BOOK.encode())
    found = standings(book, EDITION)
    assert found["Oathbound"].how == "pattern"
    assert found["Oathbound"].blocks == (Gets(RuleRef("AP", 1, True), when=(CHARGE,)),)
    assert found["Choir"].how == "not understood"
    assert standing_of(book, EDITION, "AP").how == "rulebook"
    assert standing_of(book, EDITION, "No Such Rule").how == "not understood"


def test_printed_rules_are_played_as_their_text_says() -> None:
    book = read_book(BOOK.encode())
    armies = [recruit(the_list("sworn"), [book]), recruit(the_list("plain"), [book])]
    state = fresh_state(ruleset(EDITION), 72_000, 48_000, (), armies)
    sworn = state.profiles[state.units[0].models[0].profile]
    oath = next(rule for rule in sworn.rules if rule.name == "Oathbound")
    assert oath.blocks == (Gets(RuleRef("AP", 1, True), when=(CHARGE,)),)
    assert next(rule for rule in sworn.rules if rule.name == "Choir").blocks is None
    assert any(rule.name == "Keen" and rule.blocks for rule in sworn.weapons[0].rules)
    assert {told.name for told in state.army_rules} == {"Oathbound", "Keen", "Choir"}
    wind = next(spell for spell in state.spells if spell.name == "Grave Wind")
    assert (wind.hits, wind.reach) == (3, 15_000)
    assert [rule.name for rule in wind.rules] == ["AP", "Keen"]
    assert wind.rules[1].blocks
    assert "Riddle" not in {spell.name for spell in state.spells}


def test_a_list_reports_how_many_of_its_rules_are_played() -> None:
    book = read_book(BOOK.encode())
    said = rules_played(the_list("sworn"), [book])
    assert (said.played, said.of, said.unplayed) == (2, 3, ("Choir",))
    assert said.words == "2 of 3 rules are played; not played: Choir (Sworn)"
    assert unplayed_rules(the_list("plain"), {"oaths": book}) == {}


def test_coverage_counts_instances_names_units_and_spells() -> None:
    one = cover_book(read_book(BOOK.encode()), EDITION)
    assert (one.instances.of, one.instances.played) == (4, 3)
    assert (one.names.of, one.names.played) == (3, 2)
    assert (one.units.of, one.units.played) == (2, 1)
    assert (one.spells.of, one.spells.played) == (2, 1)
    assert one.unplayed == {"Choir": 1}
    both = together([one, one])
    assert (both.instances.of, both.names.of) == (8, 3)


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    return capsys.readouterr().out


def test_the_coverage_command_prints_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "oaths.yaml").write_text(BOOK)
    (tmp_path / "broken.json").write_text("{")
    books, passed = books_in(tmp_path)
    assert [book.name for book in books] == ["Oath Keepers"]
    assert len(passed) == 1
    page = json.loads(run(capsys, "army", "coverage", str(tmp_path), "--json"))
    assert page["all"]["instances"] == {"of": 4, "played": 3, "percent": 75.0}
    assert "Choir (1)" in run(capsys, "army", "coverage", str(tmp_path))
    run(capsys, "army", "coverage", str(tmp_path / "nowhere"), code=2)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("When charging, this model gets AP(+1).", 0, "has AP(+1), on a charge"),
        ("This model sings.", 1, "stopped at: sings"),
        ("This model sings.", 1, 'unknown here: "sings"'),
        ("This model gets AP(+1) this unit.", 1, "not in this order"),
        ("In melee, this model gets Regeneration.", 0, "has Regeneration, in melee"),
        ('Enemies within 6" move 2" less.', 0, 'Understood: Enemies within 6" move 2" less'),
        ("This model gets Strider while charging.", 1, "understood, but not played yet"),
        ("", 1, "nothing to read"),
    ],
)
def test_rules_read_shows_what_was_understood_or_where_it_stopped(
    text: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in run(capsys, "rules", "read", text, code=code)


def other_book(book_id: str, name: str, spell: str, oath: str) -> Book:
    """Another book whose units, spells and rules have the same names as those of `BOOK`."""
    text = BOOK.replace("id: oaths", f"id: {book_id}").replace("name: Oath Keepers", f"name: {name}")
    text = text.replace("it suffers 3 hits with AP(1) and Keen", spell).replace(
        "Oathbound, Choir", "Caster(2)"
    )
    return read_book(text.replace("When charging, this model gets AP(+1).", oath).encode())


def casters_of(state: State, side: int) -> set[str]:
    numbers = {model.profile for unit in state.units if unit.side == side for model in unit.models}
    return {name for number in numbers for name in state.profiles[number].spells}


def test_each_side_casts_its_own_spell_if_two_books_share_a_name() -> None:
    strong = other_book("ash", "Ash Court", "it suffers 6 hits", "When charging, this model gets AP(+1).")
    weak = other_book("dew", "Dew Court", "it suffers 1 hit", "When charging, this model gets AP(+1).")
    lists = [
        ArmyList(book.name, EDITION, 500, (Entry("u0", "sworn"),), (BookRef(book.id, book.name, "1"),))
        for book in (strong, weak, weak)
    ]
    armies = [recruit(army, [strong, weak]) for army in lists]
    state = fresh_state(ruleset(EDITION), 72_000, 48_000, (), armies, sides=(0, 1, 1))
    hits = {spell.name: spell.hits for spell in state.spells}
    assert hits == {"Grave Wind (Ash Court)": 6, "Grave Wind (Dew Court)": 1}
    assert casters_of(state, 0) == {"Grave Wind (Ash Court)"}
    assert casters_of(state, 1) == {"Grave Wind (Dew Court)"}


def test_the_same_spell_in_two_armies_keeps_its_plain_name() -> None:
    armies = [recruit(the_list("sworn"), [read_book(BOOK.encode())]) for _ in range(2)]
    state = fresh_state(ruleset(EDITION), 72_000, 48_000, (), armies)
    assert [spell.name for spell in state.spells] == ["Grave Wind"]


def test_units_of_a_two_book_list_use_the_rules_and_spells_of_their_own_book() -> None:
    ash = other_book("ash", "Ash Court", "it suffers 6 hits", "When charging, this model gets AP(+2).")
    dew = other_book("dew", "Dew Court", "it suffers 1 hit", "When charging, this model gets AP(+1).")
    entries = tuple(
        Entry(f"{unit}-{book}", unit, book=book) for book in ("ash", "dew") for unit in ("sworn", "plain")
    )
    refs = (BookRef("ash", "Ash Court", "1"), BookRef("dew", "Dew Court", "1"))
    army = recruit(ArmyList("Both", EDITION, 500, entries, refs), [ash, dew])
    state = fresh_state(ruleset(EDITION), 72_000, 48_000, (), [army, army])
    first, second, third, fourth = (state.profiles[unit.models[0].profile] for unit in state.units[:4])
    assert first.spells == ("Grave Wind (Ash Court)",)
    assert third.spells == ("Grave Wind (Dew Court)",)
    assert {spell.name: spell.hits for spell in state.spells} == {first.spells[0]: 6, third.spells[0]: 1}
    gained = [
        rule.blocks for profile in (second, fourth) for rule in profile.rules if rule.name == "Oathbound"
    ]
    assert gained == [
        (Gets(RuleRef("AP", 2, True), when=(CHARGE,)),),
        (Gets(RuleRef("AP", 1, True), when=(CHARGE,)),),
    ]
