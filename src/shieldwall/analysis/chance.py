"""The chance to win from a position: the prediction of quick playouts, calibrated on finished games.

The coefficients below were fitted by `python3 dev.py bench chance`, which also measures them on games that they
were not fitted to (docs/analysis.md).
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.analysis.facts import BATTLES, PositionFacts, facts_of
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset

# What each part of a position adds to the log-odds of winning; the names are those of `parts_of`.
WEIGHTS = {
    "foreseen": 0.387,
    "foreseen early": 0.082,
    "markers": 2.532,
    "markers early": -2.304,
    "points": 1.941,
    "points early": 1.359,
}
# The covariance of those weights between samples of games, in the same order.
COVARIANCE = (
    (0.0015, -0.0023, -0.0033, 0.0038, 0.0001, 0.0074),
    (-0.0023, 0.0089, 0.0106, -0.0143, -0.0049, -0.0132),
    (-0.0033, 0.0106, 0.1391, -0.1873, -0.0485, 0.0095),
    (0.0038, -0.0143, -0.1873, 0.4097, 0.0595, 0.0606),
    (0.0001, -0.0049, -0.0485, 0.0595, 0.3915, -0.7394),
    (0.0074, -0.0132, 0.0095, 0.0606, -0.7394, 2.9490),
)
Z_95 = 1.96


class WinChance(Struct, frozen=True):
    """The chance of side 0 to win, a draw counted as half a win, with its interval."""

    chance: float
    low: float
    high: float


def chance_to_win(rules: Ruleset, state: State, side: int, battles: int = BATTLES) -> WinChance:
    """The chance of side 0 in a position in which a unit of `side` is to be activated.

    Fewer `battles` are quicker, for means of many chances.
    """
    return by_facts(facts_of(rules, state, side, battles))


def chance_before(rules: Ruleset, state: State, decision: Decision, battles: int = BATTLES) -> WinChance:
    """The chance of side 0 before the first decision of an activation: which unit, or what the last one does."""
    acting = decision.about
    if (
        decision.kind == "action" and state.units[acting].activated
    ):  # it counts as activated, but is about to act
        units = state.units
        waiting = replace(units[acting], activated=False)
        state = replace(state, units=(*units[:acting], waiting, *units[acting + 1 :]))
    return chance_to_win(rules, state, state.seats[decision.seat].side, battles)


def by_facts(facts: PositionFacts) -> WinChance:
    """The chance that follows from the facts of a position."""
    parts = parts_of(facts)
    odds = sum(weight * part for weight, part in zip(WEIGHTS.values(), parts, strict=True))
    variance = sum(
        parts[row] * parts[column] * COVARIANCE[row][column]
        for row in range(len(parts))
        for column in range(len(parts))
    )
    margin = Z_95 * math.sqrt(max(0.0, variance))
    return WinChance(_share(odds), _share(odds - margin), _share(odds + margin))


def parts_of(facts: PositionFacts) -> tuple[float, ...]:
    """The parts of a position that count. All change sign with the sides, so neither side is favoured."""
    foreseen, markers, points, left = facts
    return foreseen, foreseen * left, markers, markers * left, points, points * left


def _share(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
