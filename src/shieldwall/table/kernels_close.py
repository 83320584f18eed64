"""Compiled closeness: how near a moving base comes to other units and unit mates, and whether a unit holds
together.

A fault is a row (code, model, subject, value, limit). The subject is a row of the field for another
unit, an index into the unit for a mate, an index into the ground for a piece.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import HIGH, LOW, REACH, Floats, Ints, X, Y, gap
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

FLATTEST = 0.25  # inches of air above a model into which no base fits, so that models without a height count
FAULT_COLUMNS = 5
CODE, WHO, SUBJECT, VALUE, LIMIT = range(5)
(
    TOO_FAR,
    TOO_FAR_SLOWED,
    TOO_CLOSE,
    THROUGH_UNIT,
    ENDS_CLOSE,
    THROUGH_MATE,
    ON_MATE,
    OFF_TABLE,
    INTO_IMPASSABLE,
    TOO_TALL,
    TOO_WIDE,
    TOO_DEEP,
    BAD_STAND,
    UNLINKED,
    SPLIT,
    SPREAD_OUT,
) = range(16)

# Columns of a mark: a unit near the path, the distance to keep from it, the nearest the path came, the
# depth of
# overlap at the start and the deepest on the way.
UNIT, LEAST, WORST, DEPTH_BEFORE, DEEPEST = range(5)
MARK_COLUMNS = 5


class Others(NamedTuple):
    """Everybody on the table: footprints of all models, which of them are whose, a circle round each unit."""

    points: Floats
    rows: Floats
    bounds: Ints
    circles: Floats


@lean
def fault(faults: Floats, made: int, code: int, who: int, subject: int, value: float, limit: float) -> int:
    """Append one fault; those beyond the room are dropped, the first ones say enough."""
    if made < faults.shape[0]:
        faults[made, CODE] = code
        faults[made, WHO] = who
        faults[made, SUBJECT] = subject
        faults[made, VALUE] = value
        faults[made, LIMIT] = limit
        made += 1
    return made


@lean
def in_space(
    core: Floats, form: Floats, tall: float, points: Floats, rows: Floats, j: int
) -> tuple[float, float]:
    """Distance in space of a moving footprint and a standing one, and how deep they overlap (below 0).

    The ruler goes from base to base; bodies overlap where they meet in height as well.
    """
    flat = gap(core, form, 0, points, rows, j)
    other_low = rows[j, LOW]
    rise = max(0.0, other_low - (form[0, HIGH] - tall), form[0, LOW] - other_low)
    apart = max(flat, 0.0)
    if rise > 0.0:
        apart = math.sqrt(apart * apart + rise * rise)
    meets = form[0, LOW] < rows[j, HIGH] + FLATTEST and other_low < form[0, HIGH] + FLATTEST
    return apart, min(flat, 0.0) if meets else 0.0


@lean
def unit_gap(others: Others, u: int, core: Floats, form: Floats, tall: float) -> tuple[float, float]:
    """Distance in space between a footprint and a unit, and its deepest overlap with a body of it (0:
    none).
    """
    nearest = math.inf
    deepest = 0.0
    rows = others.rows
    for j in range(others.bounds[u, 0], others.bounds[u, 1]):
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        bound = nearest + rows[j, REACH] + form[0, REACH] + EPS
        if dx * dx + dy * dy > bound * bound:
            continue
        apart, deep = in_space(core, form, tall, others.points, rows, j)
        nearest = min(nearest, apart)
        deepest = min(deepest, deep)
    return nearest, deepest


@lean
def mark_units(
    others: Others, me: int, exempt: int, spacing: float, x: float, y: float, reach: float,
    core: Floats, form: Floats, tall: float, marks: Floats,
) -> int:  # fmt: skip
    """The units that a path inside a circle could come too close to, with the distance it has to keep.

    Who starts closer than the spacing only has to come no nearer. The scratch holds the base where it starts.
    """
    made = 0
    for u in range(others.bounds.shape[0]):
        if u == me:
            continue
        keep = 0.0 if u == exempt else spacing
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + reach + keep
        if dx * dx + dy * dy > bound * bound:
            continue
        apart, deep = unit_gap(others, u, core, form, tall)
        marks[made, UNIT] = u
        marks[made, LEAST] = apart if apart < keep - EPS else keep
        marks[made, WORST] = math.inf
        marks[made, DEPTH_BEFORE] = deep
        marks[made, DEEPEST] = 0.0
        made += 1
    return made


@lean
def sweep_units(others: Others, marks: Floats, marked: int, core: Floats, form: Floats, tall: float) -> None:
    """Note how near one sweep comes to each marked unit."""
    for k in range(marked):
        u = int(marks[k, UNIT])
        for j in range(others.bounds[u, 0], others.bounds[u, 1]):
            dx, dy = others.rows[j, X] - form[0, X], others.rows[j, Y] - form[0, Y]
            bound = others.rows[j, REACH] + form[0, REACH] + marks[k, LEAST]
            if dx * dx + dy * dy > bound * bound:
                continue
            apart, deep = in_space(core, form, tall, others.points, others.rows, j)
            marks[k, WORST] = min(marks[k, WORST], apart)
            marks[k, DEEPEST] = min(marks[k, DEEPEST], deep)


@lean
def unit_faults(marks: Floats, marked: int, who: int, faults: Floats, made: int) -> int:
    """Faults of one model against the units it came near."""
    for k in range(marked):
        u = int(marks[k, UNIT])
        if marks[k, DEEPEST] < marks[k, DEPTH_BEFORE] - EPS:
            made = fault(faults, made, THROUGH_UNIT, who, u, -marks[k, DEEPEST], 0.0)
        elif marks[k, WORST] < marks[k, LEAST] - EPS:
            made = fault(faults, made, TOO_CLOSE, who, u, marks[k, WORST], marks[k, LEAST])
    return made


@lean
def sweep_mates(
    points: Floats, rows: Floats, i: int, before: Floats, core: Floats, form: Floats, tall: float
) -> int:
    """The first unit mate that a sweep runs into, -1 for none; `before` is how deep each overlapped at the
    start.
    """
    for j in range(rows.shape[0]):
        if j == i:
            continue
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        bound = rows[j, REACH] + form[0, REACH]
        if dx * dx + dy * dy < bound * bound:
            _, deep = in_space(core, form, tall, points, rows, j)
            if deep < before[j] - EPS:
                return j
    return -1


@lean
def mates_overlap(points: Floats, rows: Floats, i: int, j: int) -> float:
    """How deep two bases of a unit overlap (below 0), 0 where they do not."""
    dx, dy = rows[j, X] - rows[i, X], rows[j, Y] - rows[i, Y]
    bound = rows[j, REACH] + rows[i, REACH]
    if dx * dx + dy * dy >= bound * bound:
        return 0.0
    if rows[i, LOW] >= rows[j, HIGH] + FLATTEST or rows[j, LOW] >= rows[i, HIGH] + FLATTEST:
        return 0.0
    return min(gap(points, rows, i, points, rows, j), 0.0)


@kernel
def mate_distances(points: Floats, rows: Floats) -> Floats:
    """Distances in space between all models of a unit."""
    size = rows.shape[0]
    apart = np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            flat = max(gap(points, rows, i, points, rows, j), 0.0)
            rise = rows[i, LOW] - rows[j, LOW]
            apart[i, j] = flat if rise == 0.0 else math.sqrt(flat * flat + rise * rise)
            apart[j, i] = apart[i, j]
    return apart


@kernel
def coherency_faults(
    points: Floats, rows: Floats, link: float, spread: float, chain: bool, faults: Floats, made: int
) -> int:
    """What is wrong with the places of a unit's models among themselves; one model is always coherent."""
    size = rows.shape[0]
    if size < 2:
        return made
    apart = mate_distances(points, rows)
    linked = True
    far_i = 0
    far_j = 0
    for i in range(size):
        nearest = math.inf
        mate = -1
        for j in range(size):
            if j != i and apart[i, j] < nearest:
                nearest = apart[i, j]
                mate = j
            if apart[i, j] > apart[far_i, far_j]:
                far_i = i
                far_j = j
        if nearest > link + EPS:
            linked = False
            made = fault(faults, made, UNLINKED, i, mate, nearest, link)
    if linked and chain:
        rest, bridge = split_off(apart, link)
        if rest > 0:
            made = fault(faults, made, SPLIT, 0, rest, bridge, link)
    if apart[far_i, far_j] > spread + EPS:
        made = fault(faults, made, SPREAD_OUT, far_i, far_j, apart[far_i, far_j], spread)
    return made


@kernel
def split_off(apart: Floats, link: float) -> tuple[int, float]:
    """How many models no chain of links joins to the first one, and the smallest gap to them."""
    size = apart.shape[0]
    reached = np.zeros(size, dtype=np.bool_)
    waiting = np.empty(size, dtype=np.int64)
    reached[0] = True
    waiting[0] = 0
    count = 1
    done = 0
    while done < count:
        i = waiting[done]
        done += 1
        for j in range(size):
            if not reached[j] and apart[i, j] <= link + EPS:
                reached[j] = True
                waiting[count] = j
                count += 1
    bridge = math.inf
    for i in range(size):
        for j in range(size):
            if reached[i] and not reached[j]:
                bridge = min(bridge, apart[i, j])
    return size - count, bridge


@kernel
def regroup_need(points: Floats, rows: Floats, link: float, spread: float, chain: bool) -> float:
    """How far a unit is from being coherent: the longest missing link plus the excess of the spread; 0 is
    coherent.
    """
    size = rows.shape[0]
    if size < 2:
        return 0.0
    apart = mate_distances(points, rows)
    missing = 0.0
    widest = 0.0
    inside = np.zeros(size, dtype=np.bool_)
    nearest = np.full(size, math.inf)
    nearest[0] = 0.0
    for _ in range(size):  # the smallest tree that joins all models
        pick = -1
        for i in range(size):
            if not inside[i] and (pick < 0 or nearest[i] < nearest[pick]):
                pick = i
        inside[pick] = True
        if chain:
            missing = max(missing, nearest[pick] - link)
        alone = math.inf
        for j in range(size):
            widest = max(widest, apart[pick, j])
            if j != pick:
                alone = min(alone, apart[pick, j])
            nearest[j] = min(nearest[j], apart[pick, j])
        missing = max(missing, alone - link)
    need = max(missing, 0.0) + max(widest - spread, 0.0)
    return need if need > EPS else 0.0
