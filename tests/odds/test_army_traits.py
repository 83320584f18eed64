"""Exact odds agree with games played by fair dice, for every building block of army rules that changes dice."""

from __future__ import annotations

import pytest
from army_scenes import TRAITS, Trait, told, traits
from played_scenes import boldly, wrong_in
from scenes import scene
from slow_odds import by_fate

from shieldwall import odds
from shieldwall.odds.api import Budget
from shieldwall.rules.army.coverage import PLAYED_KINDS
from shieldwall.rules.reading import read

MODELS, GAMES, WATCHED = 3, 60, 1
# Blocks that change no dice of an attack: moves, ranges, deployment, picks, spells and what follows a test.
NO_DICE = {
    "Avenged",
    "BeFatigued",
    "Crosses",
    "Grows",
    "Heal",
    "Hides",
    "InTerrain",
    "Inches",
    "KeepsAway",
    "Lend",
    "ListRule",
    "MayMove",
    "MayPlace",
    "MoveThem",
    "Picks",
    "PrecisionStrike",
    "PutMarkers",
    "QualityIs",
    "Range",
    "Recovers",
    "ShootsAfter",
    "TakeHits",
    "TakeTest",
}


def exactly(name: str, trait: Trait, where: str, edition: str, mute: bool) -> object:
    """The chance of every end of the scene of a trait."""
    rules, state, _ = scene(told(name, trait, where, edition, MODELS, mute).text)  # type: ignore[arg-type]
    return by_fate(odds.of_line(rules, state, boldly, budget=Budget(states=10**9)))


@pytest.mark.parametrize("name", TRAITS)
def test_a_trait_comes_out_as_played_and_otherwise_without_it(name: str) -> None:
    for number, (one, trait, where, edition) in enumerate(traits()):
        if one == name:
            found = wrong_in(told(name, trait, where, edition, MODELS), GAMES, number, WATCHED)
            assert found == [], (where, edition)
            plain = exactly(name, trait, where, edition, mute=True)
            assert exactly(name, trait, where, edition, mute=False) != plain, (where, edition)


def test_every_block_that_changes_dice_is_tried() -> None:
    names = {trait.text: {**trait.others, "Rending": ""} for trait in TRAITS.values()}
    seen: set[str] = set()
    for text, others in names.items():
        for one in (text, *filter(None, others.values())):
            seen |= set(repr(read("Trait", one, others).blocks).replace("(", " ").split())
    assert PLAYED_KINDS - NO_DICE - {"Known"} <= seen
