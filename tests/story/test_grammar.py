"""Verbs agree with the names in front of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.core.grammar import counted, does, is_many, unit_does
from shieldwall.story import Names


@pytest.mark.parametrize(
    "name", ["Stone Golems", "Wolves 2", "Kilnfolk", "Children of the Sap", "Horse Thieves"]
)
def test_names_of_many(name: str) -> None:
    assert is_many(name)


@pytest.mark.parametrize(
    "name", ["Slag Troll", "Harbour Watch", "Hail of Thorns", "Colossus 2", "Empress", "Cyclops"]
)
def test_names_of_one(name: str) -> None:
    assert not is_many(name)


@pytest.mark.parametrize(
    ("verb", "one"),
    [
        ("rush", "rushes"),
        ("hold and shoot", "holds and shoots"),
        ("rally", "rallies"),
        ("have", "has"),
        ("are", "is"),
    ],
)
def test_a_verb_agrees_with_its_name(verb: str, one: str) -> None:
    assert does("Golems", verb) == f"Golems {verb}"
    assert does("Troll", verb) == f"Troll {one}"


def test_a_single_model_is_singular_even_with_an_s_at_the_end() -> None:
    state = demo_setup("regiments-3.5", 3)
    lone = next(unit for unit in state.units if len(unit.models) == 1)
    crowd = next(unit for unit in state.units if len(unit.models) > 1)
    assert unit_does(replace(lone, name="Bram Bellows"), "charge") == "Bram Bellows charges"
    assert unit_does(replace(crowd, name="Bram Bellows"), "charge") == "Bram Bellows charge"


def test_one_player_is_singular_and_two_allies_are_plural() -> None:
    state = demo_setup("regiments-3.5", 3)
    ann, bob = (replace(seat, name=name) for seat, name in zip(state.seats, ("James", "Bob"), strict=True))
    assert Names(replace(state, seats=(ann, bob))).side_does(0, "have") == "James has"
    shared = Names(replace(state, seats=(ann, replace(bob, side=0), bob)))
    assert shared.side_does(0, "have") == "James and Bob have"


def test_a_number_agrees_with_what_is_counted() -> None:
    assert [counted(count, "hero", "heroes") for count in (0, 1, 2)] == ["0 heroes", "1 hero", "2 heroes"]
    assert counted(3, "unit") == "3 units"
