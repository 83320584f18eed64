"""Compiled sweeps: the ground a base covers while it turns on the spot or goes straight, as one convex
footprint.

A swept footprint is a set of one: its vertices go into the scratch `core`, its line into `form`, as in
kernels.py. A turn is swept in small steps, so that a corner's arc leaves the hull of a step by less than
the tolerance.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COLUMNS, COUNT, FIRST, HIGH, LOW, RADIUS, REACH, Floats, X, Y, direction
from shieldwall.table.lean import lean

TURN_STEP = 300.0  # hundredths of a degree swept as one hull
FULL_TURN = 36000.0


@kernel
def scratch_for(rows: Floats) -> tuple[Floats, Floats]:
    """Room for the sweep of any of these bases: vertices and a line."""
    most = 1
    for i in range(rows.shape[0]):
        most = max(most, int(rows[i, COUNT]))
    return np.empty((4 * most + 4, 2)), np.zeros((1, COLUMNS))


@lean
def turn_between(before: float, after: float) -> float:
    """The shorter turn from one heading to another, -18000 to 18000, clockwise positive."""
    turn = (after - before) % FULL_TURN
    return turn - FULL_TURN if turn > FULL_TURN / 2.0 else turn


@lean
def turn_cost(rows: Floats, i: int, turn: float) -> float:
    """How far a turn on the spot carries the farthest point of a base: the arc; nothing for round bases."""
    if int(rows[i, COUNT]) == 1:
        return 0.0
    return float(rows[i, REACH] * abs(turn) * (math.pi / 18000.0))


@lean
def stand(
    local: Floats, rows: Floats, i: int, x: float, y: float, heading: float, core: Floats, form: Floats
) -> None:
    """The footprint of model i standing at a place on the table's level; `local` and `rows` are its mould."""
    first = int(rows[i, FIRST])
    count = int(rows[i, COUNT])
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


@lean
def lift(form: Floats, low: float, high: float) -> None:
    """Say between which levels the footprint in the scratch moves."""
    tall = form[0, HIGH] - form[0, LOW]
    form[0, LOW] = low
    form[0, HIGH] = high + tall


@kernel
def sweep_straight(core: Floats, form: Floats, dx: float, dy: float) -> None:
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
    still = core[:count].copy()
    made = 0
    leads = (still[0, 1] - still[count - 1, 1]) * dx - (still[0, 0] - still[count - 1, 0]) * dy > 0.0
    for k in range(count):
        after = k + 1 if k + 1 < count else 0
        # An edge leads when it looks the way the base goes; a corner between the two kinds is needed twice.
        will_lead = (still[after, 1] - still[k, 1]) * dx - (still[after, 0] - still[k, 0]) * dy > 0.0
        if leads and not will_lead:
            made = append(core, made, still[k, 0] + dx, still[k, 1] + dy)
        if not (leads and will_lead):
            made = append(core, made, still[k, 0], still[k, 1])
        if will_lead:
            made = append(core, made, still[k, 0] + dx, still[k, 1] + dy)
        leads = will_lead
    form[0, COUNT] = made


@lean
def append(core: Floats, made: int, x: float, y: float) -> int:
    """Write one more vertex."""
    core[made, 0] = x
    core[made, 1] = y
    return made + 1


@kernel
def sweep_turn(
    local: Floats,
    rows: Floats,
    i: int,
    x: float,
    y: float,
    heading: float,
    turn: float,
    core: Floats,
    form: Floats,
) -> None:
    """The hull of a base before and after a small turn on the spot."""
    stand(local, rows, i, x, y, heading, core, form)
    count = int(form[0, COUNT])
    both = np.empty((2 * count, 2))
    both[:count] = core[:count]
    stand(local, rows, i, x, y, heading + turn, core, form)
    both[count:] = core[:count]
    form[0, COUNT] = hull_into(both, core)


@lean
def hull_into(points: Floats, core: Floats) -> int:
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


@lean
def turns_right(core: Floats, made: int, x: float, y: float) -> bool:
    """Whether going on to a point from the last two vertices is no left turn."""
    ax, ay = core[made - 2, 0], core[made - 2, 1]
    return bool((core[made - 1, 0] - ax) * (y - ay) - (core[made - 1, 1] - ay) * (x - ax) <= 0.0)


@lean
def place_one(
    local: Floats,
    mould: Floats,
    i: int,
    x: float,
    y: float,
    heading: float,
    z: float,
    points: Floats,
    rows: Floats,
) -> None:
    """Write model i at a place into a set of footprints that has the layout of its mould."""
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
