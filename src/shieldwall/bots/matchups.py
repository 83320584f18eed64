"""The expected damage between two units, cached until either changes."""

from __future__ import annotations

from operator import is_
from typing import NamedTuple

from shieldwall.bots.expected_damage import BLOW, CHARGE, SHOT, group_wounds, melee_wounds
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import groups_of


class Matchup(NamedTuple):
    """Mean wounds of one unit on another: charging, striking, and shooting.

    `shots` holds, for every weapon, its range in inches and the wounds of all its bearers near, far, and near and
    far if the unit has not moved.
    """

    charge: float
    blow: float
    shots: tuple[tuple[float, float, float, float, float], ...]

    def shooting(self, distance: float, far_over: float, held: bool = False) -> float:
        """Mean wounds of all weapons with this range."""
        at = (1 if distance <= far_over else 2) + (2 if held else 0)
        return sum(shot[at] for shot in self.shots if shot[0] >= distance)


def pair_of(rules: Ruleset, state: State, unit: Unit, target: Unit) -> Matchup:
    """What a unit can do to another; cached by both units' models and condition."""
    makeup, key = unit.makeup, ("matchup", target.id, unit.tired, unit.broken, target.tired)
    terms = (rules, target.models, target.effects)
    known: tuple[tuple[object, ...], Matchup] | None = makeup.get(key)
    if known is None or not all(map(is_, known[0], terms)):
        known = makeup[key] = (terms, _pair(rules, state, unit, target))
    return known[1]


def _pair(rules: Ruleset, state: State, unit: Unit, target: Unit) -> Matchup:
    shots = []
    moved, still = SHOT._replace(moved=True), SHOT._replace(held=True)
    for group in groups_of(state, unit, ranged=True):
        dice = [
            group_wounds(rules, state, unit, target, group, len(group.bearers), way._replace(far=far))
            for way in (moved, still)
            for far in (False, True)
        ]
        shots.append((group.weapon.reach / MILLI, *dice))
    return Matchup(
        melee_wounds(rules, state, unit, target, CHARGE),
        melee_wounds(rules, state, unit, target, BLOW),
        tuple((reach, near, far, near_still, far_still) for reach, near, far, near_still, far_still in shots),
    )
