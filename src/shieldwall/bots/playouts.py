"""Many quick playouts after each of a bot's ideas, with the same random numbers.

What units do to each other are the means of exact odds; everything else is a rough model (`simulation`), good only
for comparing ideas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shieldwall.bots.board_summary import BoardSummary, SeenUnit
from shieldwall.bots.distance_field import ways_of
from shieldwall.bots.evaluation import SMALLEST
from shieldwall.bots.expected_damage import chance
from shieldwall.bots.matchups import pair_of
from shieldwall.bots.outcome_estimates import is_down
from shieldwall.bots.plan import ExpectedHarm
from shieldwall.bots.simulation.battle import (
    NOBODY,
    STATS,
    BattleTerms,
    Deed,
    Habits,
    SimulatedForces,
    Standing,
    foresee,
    measure,
)
from shieldwall.bots.simulation.ways import STEP
from shieldwall.core.pending import Numbers
from shieldwall.core.state import MILLI
from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.rules.steps.arrival import is_awaited

LUCK: Floats = np.random.default_rng(11).random(
    65521
)  # a prime, so that no two playouts start at the same number
USUAL_SHOT = 12.0  # the typical distance of shots in inches

# The weights for units of several models, fitted to recorded battles of the tactician.
UNIT_HABITS = Habits(
    crowded=0.523, left=0.221, kept=1.632, later=0.51, whim=0.946,
    caution=0.3, drive=0.521, bother=0.044, fire=1.554, tarry=0.048,
    sees=0.566, lunge=0.749, hopes=1.2, answers=0.807, hits=1.5, gets=0.6,
)  # fmt: skip
# Lone models, whose wounds are looked up: set by hand, because fitted weights predicted their battles no better.
LONE_HABITS = Habits(
    crowded=0.15, left=0.45, kept=1.0, later=0.6, whim=0.35,
    caution=1.0, drive=0.25, bother=0.01, fire=1.0, tarry=0.02,
    sees=0.7, lunge=1.0, hopes=0.92, answers=1.0, hits=1.0, gets=0.95,
)  # fmt: skip


class EndPositions(NamedTuple):
    """The worth of the end of a battle, as shares of an army: winning, each marker of a lead, the points left."""

    win: float = 0.6
    lead: float = 0.1
    points: float = 0.1


ENDS = EndPositions()


class Playouts:
    """One position, ready for playouts."""

    def __init__(self, sketch: BoardSummary, numbers: Numbers) -> None:
        self.habits = LONE_HABITS if sketch.rules.last_model_stands else UNIT_HABITS
        everybody = list(sketch.seen.values())
        self._index = {seen.unit.id: at for at, seen in enumerate(everybody)}
        self.army = max(SMALLEST, sum(seen.card.value for seen in everybody) / 2)
        self._forces = _forces(sketch, everybody)
        self._terms = _terms(sketch, self.army)
        self._start = _standing(sketch, everybody, numbers.below(len(LUCK)))
        self._now = _standing(sketch, everybody, 0)
        for at in range(len(everybody)):
            measure(self._forces, self._start, at)

    def value(
        self, unit: int, x: float, y: float, harms: Sequence[ExpectedHarm], first: int, count: int
    ) -> float:
        """The worth, in points, of a unit doing this harm and ending there: the mean of some playouts.

        Playouts of the same number start with the same random numbers. `unit` -1: no unit has acted yet.
        """
        known = [harm for harm in harms if harm.unit in self._index]
        struck = np.array([self._index[harm.unit] for harm in known], dtype=np.int64)
        fates = np.array([harm[1:] for harm in known], dtype=np.float64).reshape(len(known), 3)
        deed = Deed(self._index.get(unit, NOBODY), x, y, struck, fates)
        found = self._foreseen(deed, first, count)
        lead, points = found[:, 0], found[:, 1]
        worth = (
            ENDS.win * np.sign(lead).mean()
            + ENDS.lead * lead.mean()
            + ENDS.points * points.mean() / self.army
        )
        return float(worth) * self.army

    def leads(self, count: int) -> Floats:
        """Our lead in markers at the end of each of some playouts from here, with our side to act."""
        nothing = Deed(NOBODY, 0.0, 0.0, np.empty(0, dtype=np.int64), np.empty((0, 3)))
        return self._foreseen(nothing, 0, count)[:, 0]

    def _foreseen(self, deed: Deed, first: int, count: int) -> Matrix:
        found = np.empty((count, 2))
        foresee(self._forces, self._terms, self.habits, self._start, self._now, deed, first, found)
        return found


def _forces(sketch: BoardSummary, everybody: list[SeenUnit]) -> SimulatedForces:
    count = len(everybody)
    stats = np.empty((STATS, count))
    shots, charges, blows = np.zeros((count, count)), np.zeros((count, count)), np.zeros((count, count))
    rules, state = sketch.rules, sketch.state
    far_over = rules.constants.long_range_over / MILLI
    for at, seen in enumerate(everybody):
        stats[:, at] = _stats(sketch, seen)
        for other, foe in enumerate(everybody):
            if foe.unit.side != seen.unit.side:
                pair = pair_of(rules, state, seen.unit, foe.unit)
                charges[at, other], blows[at, other] = pair.charge, pair.blow
                if seen.card.shots:
                    shots[at, other] = pair.shooting(min(USUAL_SHOT, seen.card.reach), far_over)
    sides = np.array([int(seen.unit.side != sketch.side) for seen in everybody], dtype=np.int64)
    spots = sketch.spot_array.T.copy()
    return SimulatedForces(sides, stats, shots, charges, blows, spots, _ways(sketch))


def _stats(sketch: BoardSummary, seen: SeenUnit) -> tuple[float, ...]:
    """A unit's column of `SimulatedForces.stats`."""
    unit, card, rules, state = seen.unit, seen.card, sketch.rules, sketch.state
    whole = max(1, unit.start_models) * state.profiles[unit.models[0].profile].wounds
    holds = (
        is_down(rules, unit)
        or unit.arrived == state.round
        or rules.policies.may_hold_markers(rules, state, unit)
    )
    fails = 1 - chance(rules.policies.test_quality(state, unit))
    return (
        card.radius, card.advance, card.rush, card.charge, card.reach, card.per_wound, fails, whole / 2,
        float(holds), float(card.flies), float(card.blows > 0), card.wounds, card.footing,
        float(len(unit.models)) if rules.last_model_stands else 0.0,
    )  # fmt: skip


def _standing(sketch: BoardSummary, everybody: list[SeenUnit], luck: int) -> Standing:
    bodies = np.array([(seen.x, seen.y, _life(sketch, seen), 0.0) for seen in everybody], dtype=np.float64)
    down = [(1, int(seen.unit.activated), int(is_down(sketch.rules, seen.unit))) for seen in everybody]
    marks: Ints = np.array(down, dtype=np.int64)
    holders = [
        NOBODY if marker.holder < 0 else int(marker.holder != sketch.side) for marker in sketch.markers
    ]
    at = np.array([0, luck], dtype=np.int64)
    gaps = np.zeros((len(everybody), len(holders)))
    return Standing(bodies.T.copy(), gaps, marks.T.copy(), np.array(holders, dtype=np.int64), LUCK, at)


def _life(sketch: BoardSummary, seen: SeenUnit) -> float:
    """Wounds that a unit can take; below 1 if those of its last model are looked up at once."""
    if not sketch.rules.last_model_stands:
        return seen.card.wounds
    profiles = sketch.state.profiles
    return sum(profiles[model.profile].wounds - model.wounds for model in seen.unit.models)


def _terms(sketch: BoardSummary, army: float) -> BattleTerms:
    rules, state = sketch.rules, sketch.state
    halves = [0.0, 0.0]
    for at, side in enumerate(state.sides):
        waiting = sum(
            unit.place not in ("table", "gone") and bool(unit.models) and not is_awaited(unit)
            for unit in state.units
            if unit.side == at
        )
        halves[int(at != sketch.side)] = side.start_units / 2 - waiting
    return BattleTerms(
        sketch.rounds_left,
        sketch.seize,
        STEP,
        army,
        rules.policies.control_lasts(rules, state),
        rules.last_model_stands,
        halves[0],
        halves[1],
        sketch.carried(),
    )


def _ways(sketch: BoardSummary) -> Floats:
    """The distance field of the markers on the ground, for narrow units: accurate enough for all units here."""
    ways = ways_of(sketch.state)
    grids = ways.grid.far
    rows = [ways.index[marker.id] for marker in sketch.markers]
    return grids if rows == list(range(len(grids))) else grids[rows]
