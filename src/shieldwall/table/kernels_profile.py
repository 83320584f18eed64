"""Compiled profile of a path: where the ground rises, drops or gapes under a model's centre, and what that
costs.

A path is cut into stretches of one level. A stretch lower than what comes before and after it is a gap:
narrow ones are walked over, wide ones leapt; a dip between raised ground that is not deep is simply
walked through.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import Floats
from shieldwall.table.kernels_ground import (
    BAD,
    CLIMB_MAX,
    CROSSING,
    DROP_WALK,
    DROPPING,
    FALL,
    FLAGS,
    FREE_BELOW,
    FROM,
    GAP,
    GAP_WALK,
    IMPASSABLE,
    JUMP,
    JUMP_MAX,
    KIND,
    MAX_STRETCHES,
    PIECE,
    RISE,
    RISING,
    TO,
    VERTICAL_COUNTS,
    WIDTH,
    crossings,
    ground_at,
    length_of,
    maker_of,
    point_along,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

END, LEVEL, MAKER = range(
    3
)  # columns of a stretch: how far along it ends, its level, the piece that makes it


@kernel
def stretches_of(
    points: Floats,
    rows: Floats,
    near: Floats,
    count: int,
    path: Floats,
    first: int,
    stop: int,
    stretches: Floats,
) -> int:
    """Cut a path into stretches of one level; the z of its first and last point make stretches without
    length.
    """
    cuts = np.empty(MAX_STRETCHES - 4)
    made = crossings(points, rows, near, count, path, first, stop, cuts)
    total = 0.0
    for leg in range(first + 1, stop):
        total += length_of(path[leg, 0] - path[leg - 1, 0], path[leg, 1] - path[leg - 1, 1])
    start_level, start_maker = ground_at(points, rows, near, count, path[first, 0], path[first, 1])
    stretches[0, END] = 0.0
    stretches[0, LEVEL] = max(path[first, 3], start_level)  # nobody stands inside solid ground
    stretches[0, MAKER] = start_maker if start_level >= path[first, 3] - EPS else -1
    size = 1
    before = 0.0
    for k in range(made + 1):
        end = cuts[k] if k < made else total
        if end - before <= 1e-9:
            continue
        x, y = point_along(path, first, stop, (before + end) / 2.0)
        level, maker = ground_at(points, rows, near, count, x, y)
        stretches[size, END] = end
        stretches[size, LEVEL] = level
        stretches[size, MAKER] = maker
        size += 1
        before = end
    stretches[size, END] = total
    stretches[size, LEVEL] = path[stop - 1, 3]
    last_x, last_y, last_z = path[stop - 1, 0], path[stop - 1, 1], path[stop - 1, 3]
    if size > 1 and abs(stretches[size - 1, LEVEL] - last_z) <= EPS:
        stretches[size, MAKER] = stretches[size - 1, MAKER]
    else:
        stretches[size, MAKER] = maker_of(points, rows, near, count, last_x, last_y, last_z)
    return size + 1


@lean
def run_of_low_ground(rows: Floats, stretches: Floats, size: int, start: int) -> tuple[int, float, bool]:
    """From a stretch that lies lower than the last: where the ground rises again, how low it got, any true
    gap.
    """
    low = stretches[start, LEVEL]
    gaping = False
    k = start
    while k < size and stretches[k, LEVEL] <= low + EPS:
        low = min(low, stretches[k, LEVEL])
        maker = int(stretches[k, MAKER])
        if maker >= 0 and int(rows[maker, FLAGS]) & GAP and stretches[k, LEVEL] < 0.0:
            gaping = True
        k += 1
    return k, low, gaping


@lean
def vertical_cost(climb: Floats, height: float) -> float:
    """How much of an allowance a rise or a drop of this height uses up."""
    if climb[VERTICAL_COUNTS] == 0.0 or height < climb[FREE_BELOW] - EPS:
        return 0.0
    return height


@lean
def write_feature(
    features: Floats, made: int, kind: float, start: float, end: float, rise: float, width: float,
    fall: float, piece: float, jump: bool, bad: bool,
) -> int:  # fmt: skip
    """Append one feature; those beyond the room of the table are dropped (no real path has so many)."""
    if made >= features.shape[0]:
        return made
    features[made, KIND] = kind
    features[made, FROM] = start
    features[made, TO] = end
    features[made, RISE] = rise
    features[made, WIDTH] = width
    features[made, FALL] = fall
    features[made, PIECE] = piece
    features[made, JUMP] = 1.0 if jump else 0.0
    features[made, BAD] = 1.0 if bad else 0.0
    return made + 1


@lean
def step_to(
    rows: Floats, climb: Floats, features: Floats, made: int, way: float, level: float, stretch: Floats
) -> tuple[int, float]:
    """One rise or drop from a level to that of a stretch: features written so far and the cost."""
    rise = stretch[LEVEL] - level
    maker = stretch[MAKER]
    if abs(rise) <= EPS:
        return made, 0.0
    if rise > 0.0:
        walled = maker >= 0.0 and int(rows[int(maker), FLAGS]) & IMPASSABLE != 0
        bad = walled or rise > climb[CLIMB_MAX] + EPS
        made = write_feature(features, made, RISING, way, way, rise, 0.0, 0.0, maker, False, bad)
        return made, 0.0 if bad else vertical_cost(climb, rise)
    drop = -rise
    jump = drop > climb[DROP_WALK] + EPS
    bad = jump and drop > climb[JUMP_MAX] + EPS
    made = write_feature(features, made, DROPPING, way, way, rise, 0.0, drop, maker, jump, bad)
    return made, 0.0 if jump else vertical_cost(climb, drop)


@lean
def levels_between(stretches: Floats, size: int, start: float, end: float) -> tuple[float, float]:
    """The lowest and highest level of a part of the way; gaps count as the level from which they are
    crossed.
    """
    low = math.inf
    high = -math.inf
    before = 0.0
    for k in range(size):
        stop = stretches[k, END]
        bare = stop - before <= 1e-9  # only the very first and last stretch have no length
        reached = start - 1e-6 <= stop <= end + 1e-6 if bare else before < end - 1e-6 and stop > start + 1e-6
        if reached and stretches[k, LEVEL] >= 0.0:
            low = min(low, stretches[k, LEVEL])
            high = max(high, stretches[k, LEVEL])
        before = stop
    return (low, high) if low <= high else (0.0, 0.0)


@lean
def crosses_as_gap(climb: Floats, drop: float, width: float, gaping: bool, leaps: bool) -> bool:
    """Whether low ground is passed from edge to edge instead of being walked through; `leaps`: wherever it can be."""
    if gaping or width <= climb[GAP_WALK] + EPS:
        return True
    return bool((leaps or drop > climb[DROP_WALK] + EPS) and width <= climb[JUMP_MAX] + EPS)


@lean
def features_along(
    rows: Floats, stretches: Floats, size: int, climb: Floats, leaps: bool, features: Floats
) -> tuple[int, float, float]:
    """What a walker meets on its stretches: number of features, vertical cost, distance leapt."""
    level = stretches[0, LEVEL]
    made = 0
    cost = 0.0
    leapt = 0.0
    k = 1
    while k < size:
        way = stretches[k - 1, END]
        if stretches[k, LEVEL] < level - EPS:
            after, low, gaping = run_of_low_ground(rows, stretches, size, k)
            end = stretches[after - 1, END]
            drop = max(level - stretches[after, LEVEL], 0.0) if after < size else 0.0
            if after < size and crosses_as_gap(climb, level - stretches[k, LEVEL], end - way, gaping, leaps):
                jump = end - way > climb[GAP_WALK] + EPS
                bad = jump and max(end - way, drop) > climb[JUMP_MAX] + EPS
                made = write_feature(
                    features, made, CROSSING, way, end, stretches[after, LEVEL] - level, end - way,
                    level - low, stretches[k, MAKER], jump, bad,
                )  # fmt: skip
                if jump:
                    leapt += end - way
                    level -= drop  # the landing may lie lower: one leap takes both
                way = end
                k = after
        made, added = step_to(rows, climb, features, made, way, level, stretches[k])
        cost += added
        level = stretches[k, LEVEL]
        k += 1
    return made, cost, leapt
