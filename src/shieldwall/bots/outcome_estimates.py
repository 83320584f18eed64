"""Estimates of what a number of wounds does to a unit: destroyed, down for its next activation, or neither."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.bots.board_summary import UnitSummary
from shieldwall.bots.expected_damage import chance
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset, at_half

FIRST_DOWN = (
    1 / 3
)  # where wounds are looked up in a table, the share of hit lone models that are lost at once
LEAST, STEEP = (
    0.4,
    1.4,
)  # a unit dies when it suffers its wounds one and a half times over, never below a third


STEEPNESS = 1.0  # how sharply a lead decides who loses a melee


class OutcomeEstimate(NamedTuple):
    """The chances that a unit is gone, and that it is still there but down (broken or stunned)."""

    gone: float
    down: float


NO_HARM = OutcomeEstimate(0.0, 0.0)


def is_down(rules: Ruleset, unit: Unit) -> bool:
    """Whether a unit is broken or stunned: it holds nothing and spends its next activation recovering."""
    return unit.broken or rules.policies.idles(unit)


def by_shots(rules: Ruleset, state: State, unit: Unit, card: UnitSummary, wounds: float) -> OutcomeEstimate:
    """The estimated outcome for a unit that is shot at."""
    if wounds <= 0:
        return NO_HARM
    if rules.last_model_stands:
        return _looked_up(rules, unit, card, wounds)
    gone = _killed(card, wounds)
    down = 0.0
    if not unit.broken:
        weak = 1.0 if at_half(state, unit) else min(1.0, max(0.0, 2.2 * wounds / card.wounds - 0.6))
        down = (1 - gone) * weak * min(1.0, 2 * wounds) * _fails(rules, state, unit)
    return OutcomeEstimate(gone, down)


def by_blows(
    rules: Ruleset, state: State, unit: Unit, card: UnitSummary, suffered: float, behind: float
) -> OutcomeEstimate:
    """The estimated outcome for a unit in a melee, given the wounds it suffers and the points it ends behind."""
    if rules.last_model_stands:
        return _looked_up(rules, unit, card, suffered)
    gone = _killed(card, suffered)
    loses = 1 / (1 + math.exp(-STEEPNESS * behind))
    fails = (1 - gone) * loses * (1.0 if unit.broken else _fails(rules, state, unit))
    weak = 1.0 if at_half(state, unit) else min(1.0, max(0.0, 2.2 * suffered / card.wounds - 0.6))
    return OutcomeEstimate(gone + fails * weak, fails * (1 - weak))


def footing(card: UnitSummary, suffered: float) -> float:
    """What counts for a unit in the melee result besides wounds, after it has suffered some."""
    return card.footing * (1 - 0.6 * min(1.0, suffered / card.wounds))


def _killed(card: UnitSummary, wounds: float) -> float:
    return min(1.0, max(0.0, STEEP * wounds / card.wounds - LEAST))


def _fails(rules: Ruleset, state: State, unit: Unit) -> float:
    return 1 - chance(rules.policies.test_quality(state, unit))


def _looked_up(rules: Ruleset, unit: Unit, card: UnitSummary, wounds: float) -> OutcomeEstimate:
    """The outcome where a lone model's wounds are looked up in a table and any hit kills stunned models."""
    if rules.policies.idles(unit):
        return OutcomeEstimate(1 - math.exp(-3 * wounds), 0.0)
    hit = 1 - math.exp(-wounds / card.wounds)
    marks = unit.models[0].wounds if len(unit.models) == 1 else 0
    falls = min(1.0, FIRST_DOWN + marks / 6)
    return OutcomeEstimate(hit * falls, hit * (1 - falls))
