"""Exact odds against 100,000 games played with fair dice, for every special rule that changes numbers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "odds"))

from army_scenes import Trait, Where, told, traits
from played_rules import SITUATIONS, fights, too_far_off
from played_scenes import SCENES, Scene, wrong_in

from shieldwall.editions import EDITIONS

MODELS, GAMES, WATCHED = 10, 100_000, 50
ARMY_MODELS = 5
# Rules whose numbers show elsewhere: moves and deployment, spells, transport; the rout of a whole army in Skirmish, and
# shots at targets out of sight in Age of Fantasy 1.6.
# Those of morale and magic have their own scenes below; the others are in tests/rules.
MOVING = {"Ambush", "Fast", "Flying", "Immobile", "Move", "Pace", "Scout", "Slow", "Strider", "Vanguard"}
ELSEWHERE = MOVING | {"Caster", "Wizard", "Transport", "Hero", "Musician", "Limited"}
IN_SOME = {"skirmish-3.2": {"Banner", "Fearless", "To Morale"}, "aof-1.6": {"Indirect"}}


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_that_change_numbers_come_out_as_played(edition: str, situation: str) -> None:
    """Ten models against ten, wherever the rule matters; some of the games are also played alone."""
    wrong = {}
    names = set()
    for number, fight in enumerate(fights(edition, MODELS)):
        if fight.situation == situation and fight.changes_numbers(edition):
            names.add(fight.name)
            found = too_far_off(fight.fought(edition), GAMES, number, WATCHED)
            if found:
                wrong[fight] = found
    print(f"{edition}, {situation}: {len(names)} rules with {GAMES:,} games each")
    assert not wrong
    assert names


@pytest.mark.parametrize("written", SCENES, ids=lambda written: written.name)
def test_scenes_come_out_as_played(written: Scene) -> None:
    """Routs of whole armies, spells with tokens or wizards against them, dangerous ground on the way."""
    assert wrong_in(written, GAMES, 1, WATCHED) == []


@pytest.mark.parametrize(("name", "trait", "where", "edition"), traits(tuple(EDITIONS)))
def test_army_rules_come_out_as_played(name: str, trait: Trait, where: Where, edition: str) -> None:
    """Every building block that changes dice, in a charge or at range, read from a text."""
    assert wrong_in(told(name, trait, where, edition, ARMY_MODELS), GAMES, 1, WATCHED) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_other_rule_is_about_something_else(edition: str) -> None:
    """No rule escapes the comparison just because no situation triggers it."""
    silent = {fight.name for fight in fights(edition, 1)} - ELSEWHERE - IN_SOME.get(edition, set())
    for fight in fights(edition, MODELS):
        if fight.name in silent and fight.changes_numbers(edition):
            silent.remove(fight.name)
    assert not silent
