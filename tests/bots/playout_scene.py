"""Small hand-made battles for playouts: two sides, markers, an open table."""

from __future__ import annotations

import numpy as np

from shieldwall.bots.playouts import LUCK, UNIT_HABITS
from shieldwall.bots.simulation.battle import (
    ADVANCE,
    CHARGE,
    HALF,
    HOLDS,
    MODELS,
    NOBODY,
    PER_WOUND,
    RADIUS,
    REACH,
    RUSH,
    STATS,
    STRIKES,
    WHOLE,
    BattleTerms,
    Deed,
    SimulatedForces,
    Standing,
    foresee,
    measure,
)
from shieldwall.geometry.arrays import Floats

NOTHING = Deed(NOBODY, 0.0, 0.0, np.zeros(0, dtype=np.int64), np.zeros((0, 3)))
WOUNDS_EACH = 10.0


def battle(
    units: list[tuple[int, float, float]], spots: list[tuple[float, float]], strikes: float = 0.0
) -> tuple[SimulatedForces, Standing]:
    """Units by side and position, all alike (6" and 12", ten wounds), and markers that nobody holds."""
    count = len(units)
    stats = np.zeros((STATS, count))
    usual = {RADIUS: 1.0, ADVANCE: 6.0, RUSH: 12.0, CHARGE: 12.0, REACH: 0.0, PER_WOUND: 10.0}
    usual |= {HALF: WOUNDS_EACH / 2, HOLDS: 1.0, STRIKES: float(strikes > 0), WHOLE: WOUNDS_EACH}
    for row, value in usual.items():
        stats[row] = value
    sides = np.array([side for side, _, _ in units], dtype=np.int64)
    blows = np.where(sides[:, None] != sides[None, :], strikes, 0.0)
    far = np.zeros((len(spots), 40, 40))  # no terrain: the straight line is never shorter than the path
    forces = SimulatedForces(
        sides, stats, np.zeros((count, count)), blows, blows, np.array(spots).T.copy(), far
    )
    bodies = np.array([(x, y, WOUNDS_EACH, 0.0) for _, x, y in units]).T.copy()
    marks = np.array([(1, 0, 0)] * count, dtype=np.int64).T.copy()
    holders = np.full(len(spots), NOBODY, dtype=np.int64)
    start = Standing(bodies, np.zeros((count, len(spots))), marks, holders, LUCK, np.zeros(2, dtype=np.int64))
    for unit in range(count):
        measure(forces, start, unit)
    return forces, start


def ends(
    forces: SimulatedForces,
    start: Standing,
    deed: Deed = NOTHING,
    rounds_left: int = 1,
    lasts: bool = True,
    many: int = 40,
    halves: tuple[float, float] | None = None,
) -> Floats:
    """Leads in markers and points of some battles; with `halves`, wounds are looked up in the table."""
    bodies, gaps, marks, holders, luck, at = start
    now = Standing(bodies.copy(), gaps.copy(), marks.copy(), holders.copy(), luck, at.copy())
    ours, theirs = halves or (0.0, 0.0)
    terms = BattleTerms(rounds_left, 3.0, 1.5, 500.0, lasts, halves is not None, ours, theirs, 0)
    found = np.empty((many, 2))
    foresee(forces, terms, UNIT_HABITS, start, now, deed, 0, found)
    return found


def fingerprint() -> list[list[float]]:
    """Everything a playout with all features returns, to the last digit."""
    units = [
        (0, 10.0, 6.0),
        (0, 20.0, 6.0),
        (0, 30.0, 8.0),
        (1, 12.0, 40.0),
        (1, 22.0, 30.0),
        (1, 34.0, 38.0),
    ]
    forces, start = battle(units, [(12.0, 24.0), (24.0, 24.0), (36.0, 20.0)], strikes=3.0)
    forces.stats[REACH] = 24.0
    forces.shots[:] = forces.blows / 3
    struck, fates = np.array([4], dtype=np.int64), np.array([[0.1, 0.2, 1.5]])
    deed = Deed(1, 20.0, 14.0, struck, fates)
    taken_off = ends(forces, start, deed, rounds_left=3, many=12)
    forces.stats[MODELS] = 3.0
    looked_up = ends(forces, start, deed, rounds_left=3, many=12, halves=(1.5, 1.5))
    return [list(map(float, row)) for row in (*taken_off, *looked_up)]
