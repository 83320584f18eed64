"""Exact odds agree with games played with fair dice, for every building block of army rules that changes dice."""

from __future__ import annotations

import pytest
import yaml
from army_scenes import TRAITS, Trait, told, traits
from played_scenes import Scene, boldly, wrong_in
from scenes import scene
from slow_odds import by_fate

from shieldwall import odds
from shieldwall.odds.api import Budget
from shieldwall.rules.army.coverage import PLAYED_KINDS
from shieldwall.rules.reading import read

MODELS, GAMES, WATCHED = 3, 60, 1
# Blocks that change no dice of an attack: moves, ranges, deployment and what follows a test.
NO_DICE = {
    "Avenged",
    "BeFatigued",
    "CasterGroup",
    "Consolidates",
    "Coordinates",
    "Crosses",
    "Grows",
    "Heal",
    "Hides",
    "InTerrain",
    "Inches",
    "KeepsAway",
    "ListRule",
    "LongerReach",
    "MayMove",
    "MayPass",
    "MayPlace",
    "MoveThem",
    "NewCopy",
    "NewUnit",
    "PrecisionStrike",
    "PutMarkers",
    "Rally",
    "Range",
    "Recovers",
    "Redeploys",
    "Returns",
    "Restores",
    "ShootsAfter",
    "TakeTest",
    "Tokens",
    "Untiring",
}
IN_CASTING = {"Conduit"}  # tested below
IN_SOME_EDITIONS = {"Rescued"}  # those that know a second chance in a morale test; scenes try it there


SPELLS = {
    "hits": 'Choose an enemy unit within 18", and it suffers 3 hits with AP(1).',
    "hits with a rule of 6s": 'Choose an enemy unit within 18", and it suffers 2 hits with Keen.',
    "a model singled out": 'Choose an enemy model within 18", and it suffers 2 hits with AP(2).',
}
CASTERS = {
    "regiments-3.5": ("Caster(2)", "front"),
    "skirmish-3.2": ("Caster(2)", "at"),
    "aof-2": ("Wizard(2)", "at"),
    "aof-1.6": ("Wizard(2)", "at"),
}


def cast(text: str, edition: str) -> Scene:
    """The scene of a spell that a caster tries on three foes."""
    rule, spot = CASTERS[edition]
    mage = {"side": "A", "rules": rule, "spells": ["Bolt"], spot: [24, 10]}
    if rule.startswith("Caster"):
        mage["tokens"] = 2
    foe = {"side": "B", "models": 3, "rules": "Tough(2)", spot: [24, 20], "facing": 180}
    told = {
        "scenario": "A spell by its text",
        "edition": edition,
        "army_rules": {"Keen": "On natural 6s to hit, those hits get AP(+2)."},
        "spells": {"Bolt": {"cost": 1, "text": text}},
        "units": {"Mage": mage, "Foe": foe},
    }
    return Scene(f"{text}, {edition}", yaml.safe_dump(told))


def exactly(name: str, trait: Trait, where: str, edition: str, mute: bool) -> object:
    """The chance of every outcome of a trait's scene."""
    rules, state, _ = scene(told(name, trait, where, edition, MODELS, mute).text)  # type: ignore[arg-type]
    return by_fate(odds.of_line(rules, state, boldly, budget=Budget(states=10**9)))


@pytest.mark.parametrize("name", TRAITS)
def test_odds_of_a_trait_match_played_games_and_change_without_it(name: str) -> None:
    for number, (one, trait, where, edition) in enumerate(traits()):
        if one == name:
            found = wrong_in(told(name, trait, where, edition, MODELS), GAMES, number, WATCHED)
            assert found == [], (where, edition)
            plain = exactly(name, trait, where, edition, mute=True)
            assert exactly(name, trait, where, edition, mute=False) != plain, (where, edition)


@pytest.mark.parametrize("name", SPELLS)
@pytest.mark.parametrize("edition", CASTERS)
def test_odds_of_a_parsed_spell_match_played_games(name: str, edition: str) -> None:
    assert wrong_in(cast(SPELLS[name], edition), GAMES, len(name), WATCHED) == []


@pytest.mark.parametrize("edition", ["regiments-3.5", "skirmish-3.2"])
def test_odds_of_a_spell_cast_from_a_friend_match_played_games(edition: str) -> None:
    scene_of_cast = yaml.safe_load(
        cast('Choose an enemy unit within 12", and it suffers 2 hits.', edition).text
    )
    spot = CASTERS[edition][1]
    scene_of_cast["army_rules"] = {
        "Lens": 'Friendly casters within 12" may cast from where this model stands, with +1 to the casting roll.'
    }
    scene_of_cast["units"]["Novice"] = {"side": "A", "rules": "Lens", spot: [24, 19], "activated": True}
    scene_of_cast["units"]["Foe"][spot] = [24, 29]
    found = Scene(f"from a friend's place, {edition}", yaml.safe_dump(scene_of_cast))
    assert wrong_in(found, GAMES, 5, WATCHED) == []


def test_every_block_that_changes_dice_is_tried() -> None:
    names = {trait.text: {**trait.others, "Rending": ""} for trait in TRAITS.values()}
    seen: set[str] = set()
    for text, others in names.items():
        for one in (text, *filter(None, others.values())):
            seen |= set(repr(read("Trait", one, others).blocks).replace("(", " ").split())
    assert PLAYED_KINDS - NO_DICE - IN_CASTING - IN_SOME_EDITIONS - {"Known"} <= seen
