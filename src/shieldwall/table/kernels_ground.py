"""Compiled look at the ground: what a base stands on, and how the ground rises and falls along a path.

Pieces are two arrays: `points`, the outlines one after the other, and `rows`, one line of eight numbers
for each (the columns are named below). A footprint under test is a set of one: its vertices `core` and
its line `form`, as in kernels.py.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from shieldwall.table.kernels import LOW, REACH, Floats, X, Y
from shieldwall.table.kernels_area import polygon_share
from shieldwall.table.kernels_polygon import border_distance, point_in_polygon, polygon_overlaps
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import AREA_EPS, EPS

Flags = npt.NDArray[np.bool_]

# Columns of a ground row: bounding circle, top above the table, depth of a gap, flags, first vertex,
# vertices.
PIECE_X, PIECE_Y, PIECE_REACH, TOP, DEPTH, FLAGS, PIECE_FIRST, PIECE_COUNT = range(8)
GROUND_COLUMNS = 8

SOLID = 1  # models stand on top of it, never inside
GAP = 2
IMPASSABLE = 4
DIFFICULT = 8
UPHILL = 16  # difficult for those who walk up onto it
GENTLE = 32  # a slope: a base may stand partly on it
LISTED = 64  # everything that is not mere decoration

# Columns of the limits of a climb: what walking may do without a roll.
FREE_BELOW, CLIMB_MAX, DROP_WALK, GAP_WALK, JUMP_MAX, VERTICAL_COUNTS = range(6)

# Columns of a feature of the ground along a path.
KIND, FROM, TO, RISE, WIDTH, FALL, PIECE, JUMP, BAD = range(9)
FEATURE_COLUMNS = 9
RISING, DROPPING, CROSSING = 1.0, 2.0, 3.0
MAX_FEATURES = 48
MAX_STRETCHES = 96

STANDS, MID_CLIMB, UNSUPPORTED, OVER_GAP, IN_IMPASSABLE = range(5)


@lean
def length_of(dx: float, dy: float) -> float:
    """The length of a step. (math.hypot rounds otherwise in Python than it does compiled.)"""
    return math.sqrt(dx * dx + dy * dy)


@lean
def sort_up(numbers: Floats, count: int) -> None:
    """Sort the first few numbers in place, the smallest first."""
    for k in range(1, count):
        number = numbers[k]
        place = k
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


@lean
def touches_piece(points: Floats, rows: Floats, q: int, core: Floats, form: Floats) -> bool:
    """Whether a footprint reaches into a piece by more than the tolerance; a circle round it is looked at
    first.
    """
    dx, dy = rows[q, PIECE_X] - form[0, X], rows[q, PIECE_Y] - form[0, Y]
    bound = rows[q, PIECE_REACH] + form[0, REACH]
    if dx * dx + dy * dy >= bound * bound:
        return False
    first = int(rows[q, PIECE_FIRST])
    return polygon_overlaps(core, form, 0, points, first, first + int(rows[q, PIECE_COUNT]))


@lean
def pieces_touched(bases: Floats, forms: Floats, points: Floats, rows: Floats, found: Flags) -> bool:
    """Mark for each base the pieces it reaches into, those far below it aside; whether there are any."""
    any_found = False
    for i in range(forms.shape[0]):
        for q in range(rows.shape[0]):
            dx, dy = rows[q, PIECE_X] - forms[i, X], rows[q, PIECE_Y] - forms[i, Y]
            bound = rows[q, PIECE_REACH] + forms[i, REACH]
            if not int(rows[q, FLAGS]) & LISTED or dx * dx + dy * dy >= bound * bound:
                continue
            first = int(rows[q, PIECE_FIRST])
            stop = first + int(rows[q, PIECE_COUNT])
            if forms[i, LOW] <= rows[q, TOP] + EPS and polygon_overlaps(bases, forms, i, points, first, stop):
                found[i, q] = True
                any_found = True
    return any_found


@lean
def share_on(points: Floats, rows: Floats, q: int, core: Floats, form: Floats) -> float:
    """The share of a standing footprint that lies on a piece."""
    first = int(rows[q, PIECE_FIRST])
    return polygon_share(core, form, 0, points, first, first + int(rows[q, PIECE_COUNT]))


@lean
def stand_code(points: Floats, rows: Floats, core: Floats, form: Floats) -> tuple[int, int]:
    """Whether a base may end a move here: a code and the piece that speaks against it, or (STANDS, -1).

    It must rest on its level with at least half of its area, and keep out of steep and impassable pieces.
    """
    z = form[0, LOW]
    held = 0.0
    hollow = 0.0
    over_gap = -1
    for q in range(rows.shape[0]):
        flags = int(rows[q, FLAGS])
        if flags & (SOLID | GAP | IMPASSABLE) == 0 or not touches_piece(points, rows, q, core, form):
            continue
        below = flags & SOLID != 0 and rows[q, TOP] <= z + EPS
        if flags & GAP:
            hollow += share_on(points, rows, q, core, form)
            over_gap = q
        elif below:
            if rows[q, TOP] >= z - EPS:
                held += share_on(points, rows, q, core, form)
        elif flags & IMPASSABLE:
            return IN_IMPASSABLE, q
        elif not flags & GENTLE or share_on(points, rows, q, core, form) > 0.5 + AREA_EPS:
            return MID_CLIMB, q
    if z > EPS:
        return (STANDS, -1) if held >= 0.5 - AREA_EPS else (UNSUPPORTED, -1)
    return (OVER_GAP, over_gap) if hollow > 0.5 + AREA_EPS else (STANDS, -1)


@lean
def level_under(points: Floats, rows: Floats, core: Floats, form: Floats) -> float:
    """The height on which a base put here would stand: the highest top that carries half of it, else the
    table.
    """
    level = 0.0
    for q in range(rows.shape[0]):
        if not int(rows[q, FLAGS]) & SOLID or rows[q, TOP] <= level:
            continue
        if (
            touches_piece(points, rows, q, core, form)
            and share_on(points, rows, q, core, form) >= 0.5 - AREA_EPS
        ):
            level = rows[q, TOP]
    return level


@lean
def ground_at(
    points: Floats, rows: Floats, near: Floats, count: int, x: float, y: float
) -> tuple[float, int]:
    """Level of the bare ground at a point and the piece that makes it (-1: the table); gaps go below 0."""
    level = 0.0
    made_by = -1
    for k in range(count):
        q = int(near[k])
        first = int(rows[q, PIECE_FIRST])
        if not point_in_polygon(points, first, first + int(rows[q, PIECE_COUNT]), x, y):
            continue
        if int(rows[q, FLAGS]) & GAP:
            if level <= 0.0 and made_by < 0:
                level = -max(rows[q, DEPTH], 2.0 * EPS)
                made_by = q
        elif rows[q, TOP] > level:
            level = rows[q, TOP]
            made_by = q
    return level, made_by


@lean
def maker_of(points: Floats, rows: Floats, near: Floats, count: int, x: float, y: float, z: float) -> int:
    """The piece on whose top a model with its centre here stands, -1 for the table.

    The centre may lie on the border of the piece, or beyond it in a nook: half of the base is carried all the same.
    """
    if z <= EPS:
        return -1
    found = -1
    nearest = math.inf
    for k in range(count):
        q = int(near[k])
        if int(rows[q, FLAGS]) & GAP or abs(rows[q, TOP] - z) > EPS:
            continue
        first = int(rows[q, PIECE_FIRST])
        stop = first + int(rows[q, PIECE_COUNT])
        apart = 0.0
        if not point_in_polygon(points, first, stop, x, y):
            apart = border_distance(points, first, stop, x, y)
        if apart < nearest:
            found, nearest = q, apart
    return found


@lean
def crossings(
    points: Floats, rows: Floats, near: Floats, count: int, path: Floats, first: int, stop: int, cuts: Floats
) -> int:
    """How far along a path its centre line crosses outlines, in order; the number of cuts written."""
    made = 0
    walked = 0.0
    for leg in range(first + 1, stop):
        ax, ay = path[leg - 1, 0], path[leg - 1, 1]
        along_x, along_y = path[leg, 0] - ax, path[leg, 1] - ay
        length = math.sqrt(along_x * along_x + along_y * along_y)
        for k in range(count):
            q = int(near[k])
            start = int(rows[q, PIECE_FIRST])
            end = start + int(rows[q, PIECE_COUNT])
            px, py = points[end - 1, 0] - ax, points[end - 1, 1] - ay
            for v in range(start, end):
                qx, qy = points[v, 0] - ax, points[v, 1] - ay
                side_p = along_x * py - along_y * px
                side_q = along_x * qy - along_y * qx
                if (side_p > 0.0) != (side_q > 0.0) and made < cuts.shape[0]:
                    part = side_p / (side_p - side_q)
                    hit = (px + part * (qx - px)) * along_x + (py + part * (qy - py)) * along_y
                    if 0.0 <= hit <= length * length:
                        cuts[made] = walked + hit / length
                        made += 1
                px, py = qx, qy
        walked += length
    sort_up(cuts, made)
    return made


@lean
def point_along(path: Floats, first: int, stop: int, way: float) -> tuple[float, float]:
    """The point of a path after a horizontal distance."""
    for leg in range(first + 1, stop):
        dx, dy = path[leg, 0] - path[leg - 1, 0], path[leg, 1] - path[leg - 1, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if way <= length and length > 0.0:
            return path[leg - 1, 0] + dx * way / length, path[leg - 1, 1] + dy * way / length
        way -= length
    return path[stop - 1, 0], path[stop - 1, 1]
