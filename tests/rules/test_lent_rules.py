"""Modifiers that spells grant to units: alone, added up, and gone without their rule."""

from __future__ import annotations

import pytest
from casting_scene import FIVE, RANKED, SKIRMISH, TROOPER, Scene, Stand

from shieldwall.core.frames import Attack, AttackKind, HitGroup, Morale, Source, Volley
from shieldwall.core.state import Effect, RuleRef
from shieldwall.core.values import Target
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.special.granted_by_spells import LENT

BOTH = pytest.mark.parametrize("rules", [RANKED, SKIRMISH], ids=lambda rules: rules.id)
SWORD, BOW = 0, 1


def under(*lent: tuple[str, int]) -> tuple[Effect, ...]:
    """One spell for each rule."""
    return tuple(Effect(f"Spell {i}", 0, "round", (RuleRef(*rule),)) for i, rule in enumerate(lent))


def hitting(
    rules: Ruleset,
    kind: AttackKind,
    attacker: tuple[Effect, ...] = (),
    target: tuple[Effect, ...] = (),
) -> Target:
    """What a unit under some spells needs to hit one under others."""
    stands = [Stand(0, 30, 10, FIVE, effects=attacker), Stand(1, 30, 20, FIVE, effects=target)]
    weapon = BOW if kind == "shoot" else SWORD
    volley = Volley("weapon", 1, (Source(TROOPER, weapon, (0, 1), 4),), target_models=5)
    scene = Scene(rules, stands).start(Attack("attack", kind=kind, unit=0, volley=volley))
    return needed(scene, "roll to_hit")


def blocking(rules: Ruleset, kind: AttackKind, effects: tuple[Effect, ...]) -> Target:
    """What a unit under some spells needs to block a hit."""
    stands = [Stand(0, 30, 10, FIVE), Stand(1, 30, 20, FIVE, effects=effects)]
    hits = (HitGroup(1, 1),)
    scene = Scene(rules, stands).start(Attack("attack", kind=kind, unit=0, hits=hits))
    return needed(scene, "roll block")


def keeping_nerve(rules: Ruleset, effects: tuple[Effect, ...]) -> Target:
    """What a unit under some spells needs to pass a morale test."""
    scene = Scene(rules, [Stand(0, 30, 10, FIVE, effects=effects)])
    return needed(scene.start(Morale("morale", unit=0, cause="wounds")), "roll morale")


def needed(scene: Scene, kind: str) -> Target:
    assert scene.kind == kind
    target = scene.roll.pools[0].target
    assert target is not None
    return target


def moving(rules: Ruleset, *effects: Effect) -> tuple[int, int, int]:
    """How far a unit under some spells advances, rushes and charges, in inches."""
    state = Scene(rules, [Stand(0, 30, 10, FIVE, effects=effects)]).state
    far = [rules.allowance(state, state.units[0], action) for action in ("advance", "rush", "charge")]
    return far[0] // 1000, far[1] // 1000, far[2] // 1000


@BOTH
@pytest.mark.parametrize(
    ("name", "kind", "amounts"),
    [
        ("To Hit", "shoot", [-1]),
        ("To Hit", "strike", [-1]),
        ("To Shoot", "shoot", [-1]),
        ("To Shoot", "strike", []),
        ("To Strike", "shoot", []),
        ("To Strike", "strike", [-1]),
    ],
)
def test_rolls_to_hit_of_the_unit_change(
    rules: Ruleset, name: str, kind: AttackKind, amounts: list[int]
) -> None:
    """R35-DICE-21, SK32-DICE-17."""
    target = hitting(rules, kind, attacker=under((name, -1)))
    assert [mod.amount for mod in target.mods] == amounts
    assert hitting(rules.without(name), kind, attacker=under((name, -1))).mods == ()


@BOTH
@pytest.mark.parametrize("kind", ["shoot", "strike"])
def test_rolls_to_hit_the_unit_change(rules: Ruleset, kind: AttackKind) -> None:
    """R35-DICE-21, SK32-DICE-17."""
    assert hitting(rules, kind, target=under(("To Be Hit", 1))).needed == 3
    assert hitting(rules.without("To Be Hit"), kind, target=under(("To Be Hit", 1))).needed == 4


@BOTH
@pytest.mark.parametrize("kind", ["shoot", "strike", "spell"])
def test_defense_rolls_of_the_unit_change(rules: Ruleset, kind: AttackKind) -> None:
    """R35-DICE-21, SK32-DICE-17."""
    assert blocking(rules, kind, under(("To Block", -1))).needed == 5
    assert blocking(rules, kind, under(("To Block", 1))).needed == 3
    assert blocking(rules.without("To Block"), kind, under(("To Block", 1))).needed == 4


@BOTH
def test_morale_tests_of_the_unit_change(rules: Ruleset) -> None:
    """R35-DICE-21, SK32-DICE-17."""
    assert keeping_nerve(rules, under(("To Morale", -1))).needed == 5
    assert keeping_nerve(rules.without("To Morale"), under(("To Morale", -1))).needed == 4


@BOTH
def test_moves_of_the_unit_change(rules: Ruleset) -> None:
    """R35-DICE-21, SK32-DICE-17: a modifier counts for what it is printed for."""
    assert moving(rules) == (6, 12, 12)
    assert moving(rules, *under(("Move", 1))) == (7, 13, 13)
    assert moving(rules, *under(("Move", -1))) == (5, 11, 11)
    assert moving(rules, *under(("Pace", 2))) == (8, 16, 16)
    assert moving(rules, *under(("Pace", -2))) == (4, 8, 8)
    assert moving(rules.without("Move"), *under(("Move", 1))) == (6, 12, 12)
    assert moving(rules.without("Pace"), *under(("Pace", 2))) == (6, 12, 12)


@BOTH
def test_spells_of_different_names_add_up_and_may_cancel_out(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-05, SK32-SR-GENERAL-03."""
    assert hitting(rules, "shoot", attacker=under(("To Hit", -1), ("To Hit", -1))).needed == 6
    assert hitting(rules, "shoot", attacker=under(("To Hit", 1), ("To Hit", -1))).needed == 4
    assert blocking(rules, "shoot", under(("To Block", 1), ("To Block", 1))).needed == 2


@BOTH
def test_a_spell_cast_twice_counts_once(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-04, SK32-SR-GENERAL-02."""
    twice = under(("To Hit", -1)) * 2
    assert hitting(rules, "shoot", attacker=twice).needed == 5
    assert moving(rules, *under(("Pace", 2)) * 2) == (8, 16, 16)


@BOTH
def test_printed_rules_can_be_granted_as_well(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-05, SK32-SR-GENERAL-03."""
    assert moving(rules, *under(("Fast", 0))) == (8, 16, 16)


@BOTH
def test_the_reason_of_a_lent_modifier_names_size_and_sign(rules: Ruleset) -> None:
    """R35-DICE-21, SK32-DICE-17."""
    target = hitting(rules, "shoot", attacker=under(("To Hit", -1)))
    assert [mod.why for mod in target.mods] == ["To Hit -1"]


def test_every_granted_rule_is_played_by_both_rulesets() -> None:
    """R35-DICE-21, SK32-DICE-17."""
    for rules in (RANKED, SKIRMISH):
        assert all(rules.specials.knows(name) for name in LENT)
