"""What a single base sweeps while it moves or turns, and whom it comes too close to."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.geometry.distance import (
    COLUMNS,
    COUNT,
    FIRST,
    FULL_TURN,
    HIGH,
    LOW,
    RADIUS,
    REACH,
    Outlines,
    Span,
    X,
    Y,
    direction,
    gap,
    overhang,
)
from shieldwall.geometry.scene import Bodies, FlatScene
from shieldwall.geometry.tolerance import EPS

# ----------------------------------------------------------------------------------------------------
# Compiled sweeps: the ground a base covers while it turns on the spot or goes straight, as one convex
# footprint.
#
# A swept footprint is a set of one: its vertices go into the scratch `core`, its line into `form`, as in
# distance.py. A turn is swept in small steps, so that a corner's arc leaves the hull of a step by less than
# the tolerance.

TURN_STEP = 300.0  # hundredths of a degree swept as one hull


class Movers(NamedTuple):
    """The unit that walks: moulds of its bases, where it stands, how far and how freely each model goes."""

    local: Matrix
    mould: Matrix
    start: Matrix
    allowance: Floats
    abilities: Ints


def scratch_for(rows: Matrix) -> Outlines:
    """Room for the sweep of any of these bases: vertices, twice as many as a sweep has, and a line."""
    most = 1
    for i in range(rows.shape[0]):
        most = max(most, int(rows[i, COUNT]))
    return Outlines(np.empty((4 * most + 4, 2)), np.zeros((1, COLUMNS)))


def turn_between(before: float, after: float) -> float:
    """The shorter turn from one heading to another, -18000 to 18000, clockwise positive."""
    turn = (after - before) % FULL_TURN
    return turn - FULL_TURN if turn > FULL_TURN / 2.0 else turn


def turn_cost(rows: Matrix, i: int, turn: float) -> float:
    """How far a turn on the spot carries the farthest point of a base: the arc; nothing for round bases."""
    if int(rows[i, COUNT]) == 1:
        return 0.0
    return float(rows[i, REACH] * abs(turn) * (math.pi / 18000.0))


def stand(movers: Movers, i: int, x: float, y: float, heading: float, core: Matrix, form: Matrix) -> None:
    """The footprint of model i standing at a place on the table's level."""
    local, rows = movers.local, movers.mould
    first = int(rows[i, FIRST])
    count = int(rows[i, COUNT])
    if count == 1 and local[first, 0] == 0.0 and local[first, 1] == 0.0:  # round: it has no direction
        core[0, 0] = x
        core[0, 1] = y
    else:
        sine, cosine = direction(heading)
        for k in range(count):
            right, ahead = local[first + k, 0], local[first + k, 1]
            core[k, 0] = x + (right * cosine + ahead * sine)
            core[k, 1] = y + (ahead * cosine - right * sine)
    form[0, X] = x
    form[0, Y] = y
    form[0, REACH] = rows[i, REACH]
    form[0, RADIUS] = rows[i, RADIUS]
    form[0, LOW] = 0.0
    form[0, HIGH] = rows[i, HIGH] - rows[i, LOW]
    form[0, FIRST] = 0.0
    form[0, COUNT] = count


def lift(form: Matrix, low: float, high: float) -> None:
    """Say between which levels the footprint in the scratch moves."""
    tall = form[0, HIGH] - form[0, LOW]
    form[0, LOW] = low
    form[0, HIGH] = high + tall


def sweep_straight(core: Matrix, form: Matrix, dx: float, dy: float) -> None:
    """Stretch the standing footprint in the scratch along a straight way."""
    if dx == 0.0 and dy == 0.0:
        return
    form[0, X] += dx / 2.0
    form[0, Y] += dy / 2.0
    form[0, REACH] += math.sqrt(dx * dx + dy * dy) / 2.0
    count = int(form[0, COUNT])
    if count == 1:
        core[1, 0] = core[0, 0] + dx
        core[1, 1] = core[0, 1] + dy
        form[0, COUNT] = 2
        return
    still = 2 * count + 2  # the standing base is kept beyond all that is written below
    for k in range(count):
        core[still + k, 0], core[still + k, 1] = core[k, 0], core[k, 1]
    made = 0
    x, y, last = core[still, 0], core[still, 1], still + count - 1
    leads = (y - core[last, 1]) * dx - (x - core[last, 0]) * dy > 0.0
    for k in range(count):
        after = still + (k + 1 if k + 1 < count else 0)
        x, y = core[still + k, 0], core[still + k, 1]
        # An edge leads when it looks the way the base goes; a corner between the two kinds is needed twice.
        will_lead = (core[after, 1] - y) * dx - (core[after, 0] - x) * dy > 0.0
        if leads and not will_lead:
            made = append(core, made, x + dx, y + dy)
        if not (leads and will_lead):
            made = append(core, made, x, y)
        if will_lead:
            made = append(core, made, x + dx, y + dy)
        leads = will_lead
    form[0, COUNT] = made


def append(core: Matrix, made: int, x: float, y: float) -> int:
    """Write one more vertex."""
    core[made, 0] = x
    core[made, 1] = y
    return made + 1


def sweep_turn(
    movers: Movers, i: int, x: float, y: float, heading: float, turn: float, core: Matrix, form: Matrix
) -> None:
    """The hull of a base before and after a small turn on the spot."""
    stand(movers, i, x, y, heading, core, form)
    count = int(form[0, COUNT])
    both = np.empty((2 * count, 2))
    both[:count] = core[:count]
    stand(movers, i, x, y, heading + turn, core, form)
    both[count:] = core[:count]
    form[0, COUNT] = hull_into(both, core)


def hull_into(points: Matrix, core: Matrix) -> int:
    """The convex hull of a few points, counter-clockwise, into the scratch; the number of vertices."""
    size = points.shape[0]
    for k in range(1, size):
        x, y = points[k, 0], points[k, 1]
        j = k - 1
        while j >= 0 and (points[j, 0] > x or (points[j, 0] == x and points[j, 1] > y)):
            points[j + 1, 0] = points[j, 0]
            points[j + 1, 1] = points[j, 1]
            j -= 1
        points[j + 1, 0] = x
        points[j + 1, 1] = y
    made = 0
    floor = 1
    for step in range(2 * size - 1):  # along the lower side and back along the upper one
        k = step if step < size else 2 * size - 2 - step
        if step == size:
            floor = made
        while made > floor and turns_right(core, made, points[k, 0], points[k, 1]):
            made -= 1
        made = append(core, made, points[k, 0], points[k, 1])
    return made - 1  # the first point came again at the end


def turns_right(core: Matrix, made: int, x: float, y: float) -> bool:
    """Whether going on to a point from the last two vertices is no left turn."""
    ax, ay = core[made - 2, 0], core[made - 2, 1]
    return bool((core[made - 1, 0] - ax) * (y - ay) - (core[made - 1, 1] - ay) * (x - ax) <= 0.0)


def passes_through(before: Span, after: Span, others: Span) -> bool:
    """Whether footprints that go straight from one stand to the next, each by itself, pass through others."""
    swept = scratch_for(before.rows)
    core, form = swept.points, swept.rows
    for i in range(before.rows.shape[0]):
        first, count = int(before.rows[i, FIRST]), int(before.rows[i, COUNT])
        both = np.empty((2 * count, 2))
        both[:count] = before.points[first : first + count]
        both[count:] = after.points[first : first + count]
        form[0, :] = before.rows[i, :]
        form[0, FIRST] = 0.0
        form[0, COUNT] = hull_into(both, core)
        for j in range(others.first, others.stop):
            if gap(core, form, 0, others.points, others.rows, j) < -EPS:
                return True
    return False


def place_one(
    movers: Movers, i: int, x: float, y: float, heading: float, z: float, points: Matrix, rows: Matrix
) -> None:
    """Write model i at a place into a set of footprints that has the layout of its mould."""
    local, mould = movers.local, movers.mould
    first = int(mould[i, FIRST])
    sine, cosine = direction(heading)
    for k in range(first, first + int(mould[i, COUNT])):
        right, ahead = local[k, 0], local[k, 1]
        points[k, 0] = x + (right * cosine + ahead * sine)
        points[k, 1] = y + (ahead * cosine - right * sine)
    rows[i, X] = x
    rows[i, Y] = y
    rows[i, LOW] = mould[i, LOW] + z
    rows[i, HIGH] = mould[i, HIGH] + z


# ----------------------------------------------------------------------------------------------------
# Compiled closeness: how near a moving base comes to other units and unit mates, and whether a unit holds
# together.
#
# A fault is a row (code, model, subject, value, limit). The subject is a row of the field for another
# unit, an index into the unit for a mate, an index into the ground for a piece.

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


def fault(faults: Matrix, made: int, code: int, who: int, subject: int, value: float, limit: float) -> int:
    """Append one fault; those beyond the room are dropped, the first ones say enough."""
    if made < faults.shape[0]:
        faults[made, CODE] = code
        faults[made, WHO] = who
        faults[made, SUBJECT] = subject
        faults[made, VALUE] = value
        faults[made, LIMIT] = limit
        made += 1
    return made


def in_space(
    core: Matrix, form: Matrix, tall: float, points: Matrix, rows: Matrix, j: int
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


def unit_gap(others: Bodies, u: int, core: Matrix, form: Matrix, tall: float) -> tuple[float, float]:
    """Distance in space between a footprint and a unit, and its deepest overlap with a body of it (0:
    none).

    The body whose middle is nearest is measured first: it rules out most of the others by their circles.
    """
    rows, first = others.rows, -1
    shortest = math.inf
    for j in range(others.bounds[u, 0], others.bounds[u, 1]):
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        if dx * dx + dy * dy < shortest:
            first, shortest = j, dx * dx + dy * dy
    if first < 0:
        return math.inf, 0.0
    nearest, deepest = in_space(core, form, tall, others.points, rows, first)
    deepest = min(deepest, 0.0)
    for j in range(others.bounds[u, 0], others.bounds[u, 1]):
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        bound = nearest + rows[j, REACH] + form[0, REACH] + EPS
        if j == first or dx * dx + dy * dy > bound * bound:
            continue
        apart, deep = in_space(core, form, tall, others.points, rows, j)
        nearest = min(nearest, apart)
        deepest = min(deepest, deep)
    return nearest, deepest


def outside_table(core: Matrix, form: Matrix, scene: FlatScene) -> float:
    """How far a footprint sticks out over the edge of the table; 0 or less when it does not."""
    return overhang(core, form, 0, 1, 0.0, 0.0, scene.width, scene.depth)


def sweep_units(others: Bodies, marks: Matrix, marked: int, core: Matrix, form: Matrix, tall: float) -> None:
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


def unit_faults(marks: Matrix, marked: int, who: int, faults: Matrix, made: int) -> int:
    """Faults of one model against the units it came near."""
    for k in range(marked):
        u = int(marks[k, UNIT])
        if marks[k, DEEPEST] < marks[k, DEPTH_BEFORE] - EPS:
            made = fault(faults, made, THROUGH_UNIT, who, u, -marks[k, DEEPEST], 0.0)
        elif marks[k, WORST] < marks[k, LEAST] - EPS:
            made = fault(faults, made, TOO_CLOSE, who, u, marks[k, WORST], marks[k, LEAST])
    return made


def sweep_mates(
    points: Matrix, rows: Matrix, i: int, before: Floats, core: Matrix, form: Matrix, tall: float
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


def mates_overlap(points: Matrix, rows: Matrix, i: int, j: int) -> float:
    """How deep two bases of a unit overlap (below 0), 0 where they do not."""
    dx, dy = rows[j, X] - rows[i, X], rows[j, Y] - rows[i, Y]
    bound = rows[j, REACH] + rows[i, REACH]
    if dx * dx + dy * dy >= bound * bound:
        return 0.0
    if rows[i, LOW] >= rows[j, HIGH] + FLATTEST or rows[j, LOW] >= rows[i, HIGH] + FLATTEST:
        return 0.0
    return min(gap(points, rows, i, points, rows, j), 0.0)


def mate_distances(points: Matrix, rows: Matrix) -> Matrix:
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


def coherency_faults(
    points: Matrix, rows: Matrix, link: float, spread: float, chain: bool, faults: Matrix, made: int
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


def split_off(apart: Matrix, link: float) -> tuple[int, float]:
    """How many models no chain of links joins to the first one, and the smallest gap to them."""
    size = apart.shape[0]
    reached = np.zeros(size, dtype=np.uint8)
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


def regroup_need(points: Matrix, rows: Matrix, link: float, spread: float, chain: bool) -> float:
    """How far a unit is from being coherent: the longest missing link plus the excess of the spread; 0 is
    coherent.
    """
    size = rows.shape[0]
    if size < 2:
        return 0.0
    apart = mate_distances(points, rows)
    missing = 0.0
    widest = 0.0
    inside = np.zeros(size, dtype=np.uint8)
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
