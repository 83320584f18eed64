"""What is known about a position without playing on: which side leads, by how much, and how many rounds are left."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.bots.board_summary import BoardSummary, card_of
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.playouts import Playouts
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset

BATTLES = 256  # quick playouts from each position
FEWEST = 0.5  # battles added to both sides, so that no chance is certain


class PositionFacts(NamedTuple):
    """Numbers about one position, all from the viewpoint of side 0.

    `foreseen` is the log-odds of winning in quick playouts; `markers` and `points` are leads
    as shares of the total; `left` is the share of the game still to come.
    """

    foreseen: float
    markers: float
    points: float
    left: float


def facts_of(rules: Ruleset, state: State, side: int, battles: int = BATTLES) -> PositionFacts:
    """The facts of a position in which a unit of `side` is to be activated."""
    sketch = BoardSummary(rules, state, side)
    sign = 1 if side == 0 else -1
    return PositionFacts(
        sign * _foreseen(sketch, battles),
        _marker_lead(state),
        _point_lead(rules, state),
        _share_left(rules, state),
    )


def _foreseen(sketch: BoardSummary, battles: int) -> float:
    if not sketch.seen:
        return 0.0
    leads = Playouts(sketch, numbers_for("analysis", 0)).leads(battles)
    won, lost = float((leads > 0).sum()), float((leads < 0).sum())
    drawn = battles - won - lost
    return math.log((won + drawn / 2 + FEWEST) / (lost + drawn / 2 + FEWEST))


def _marker_lead(state: State) -> float:
    held = [sum(marker.holder == side for marker in state.markers) for side in (0, 1)]
    return (held[0] - held[1]) / max(1, len(state.markers))


def _point_lead(rules: Ruleset, state: State) -> float:
    worth = [0.0, 0.0]
    for unit in state.units:
        if unit.models and unit.side < 2:
            worth[unit.side] += card_of(rules, state, unit).value
    return (worth[0] - worth[1]) / max(1.0, worth[0] + worth[1])


def _share_left(rules: Ruleset, state: State) -> float:
    rounds = max(1, rules.constants.rounds)
    waiting = sum(bool(unit.models) and not unit.activated for unit in state.units)
    alive = max(1, sum(bool(unit.models) for unit in state.units))
    return max(0.0, (rounds - state.round + waiting / alive) / rounds)
