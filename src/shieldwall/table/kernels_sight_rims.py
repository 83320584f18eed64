"""Compiled search for a line from rim to rim of two volumes, where none between their middles is free.

Whatever stands on the ground is passed best between the tops. Who looks down over a wall looks best from the rim
that is nearest to it to the far rim of the other, and the other way round: moving the higher end closer and the lower
end away lifts the line everywhere. So a line is known by how it runs seen from above, and those form a square again:
where it crosses the breadth of either base, or the line of that breadth beyond its ends. The lines worth trying are
those that touch two things (as in kernels_sight_slits, the bases being things as well) and those that clear the tops
best, which are looked for step by step.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import HIGH, LOW, Floats, Ints, X, Y
from shieldwall.table.kernels_chord import chord
from shieldwall.table.kernels_sight import OFFSETS, PART_HIGH, PART_LOW, Pair, crosses, rim, span_in
from shieldwall.table.kernels_sight_slits import HAIR, MOST, STILL, TURNS, beside, share_across
from shieldwall.table.kernels_sight_strip import touching_line
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

BACK = 100.0  # inches behind a base from where its chord is looked for
FIRST_STEP = 0.25  # of a breadth
LAST_STEP = 0.001
FAN = 17  # directions in which a line is laid along a thing
GRID, BETWEEN, ALONG = range(3)  # kinds of lines that are tried


@lean
def chord_hides(figures: Floats, i: int, j: int, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether both bases lie on different sides of the line from a to b, clear of it."""
    out_x = ay - by
    out_y = bx - ax
    length = math.sqrt(out_x * out_x + out_y * out_y)
    if length == 0.0:
        return False
    out_x /= length
    out_y /= length
    if (figures[j, X] - figures[i, X]) * out_x + (figures[j, Y] - figures[i, Y]) * out_y < 0.0:
        out_x, out_y = -out_x, -out_y
    x, y = rim(figures, i, out_x, out_y)
    to_x, to_y = rim(figures, j, -out_x, -out_y)
    before = (figures[i, X] + x - ax) * out_x + (figures[i, Y] + y - ay) * out_y
    behind = (figures[j, X] + to_x - ax) * out_x + (figures[j, Y] + to_y - ay) * out_y
    return bool(before < 0.0 < behind)


@lean
def wall_hides(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int
) -> bool:
    """Whether one part, as tall as both volumes, cuts the space between them right across."""
    ax, ay, bx, by, has_left = touching_line(figures, i, j, 1.0)
    cx, cy, dx, dy, has_right = touching_line(figures, i, j, -1.0)
    if not (has_left and has_right):
        return False
    low = min(figures[i, LOW], figures[j, LOW])
    high = max(figures[i, HIGH], figures[j, HIGH])
    for k in range(count):
        part = near[k]
        if parts[part, PART_LOW] > low or parts[part, PART_HIGH] < high:
            continue
        if not crosses(parts, corners, part, ax, ay, bx - ax, by - ay):
            continue
        if not crosses(parts, corners, part, cx, cy, dx - cx, dy - cy):
            continue
        enters, leaves = span_in(parts, corners, part, ax, ay, bx - ax, by - ay)
        at = (enters + leaves) / 2.0
        enters, leaves = span_in(parts, corners, part, cx, cy, dx - cx, dy - cy)
        to = (enters + leaves) / 2.0
        if chord_hides(
            figures, i, j, ax + at * (bx - ax), ay + at * (by - ay), cx + to * (dx - cx), cy + to * (dy - cy)
        ):
            return True
    return False


@lean
def blocked_by(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    x: float, y: float, dx: float, dy: float,
) -> float:  # fmt: skip
    """How far the best line over a line on the table, of length 1, runs below some top; below 0 it is free.

    Endless where the line on the table does not lead from one base to the other.
    """
    x -= BACK * dx
    y -= BACK * dy
    start, leaves = chord(figures, i, x, y, dx, dy)
    enters, end = chord(figures, j, x, y, dx, dy)
    if start >= leaves or enters >= end or leaves > enters:
        return math.inf
    z = figures[i, HIGH]
    rise = figures[j, HIGH] - z
    if rise <= 0.0:
        start = leaves
    if rise >= 0.0:
        end = enters
    x += start * dx
    y += start * dy
    dx *= end - start
    dy *= end - start
    worst = -math.inf
    for k in range(count):
        part = near[k]
        low = parts[part, PART_LOW] - EPS
        high = parts[part, PART_HIGH] + EPS
        if (z < low and z + rise < low) or (z > high and z + rise > high):
            continue
        if not crosses(parts, corners, part, x, y, dx, dy):
            continue
        enters, leaves = span_in(parts, corners, part, x, y, dx, dy)
        over = high - min(z + rise * enters, z + rise * leaves)
        under = max(z + rise * enters, z + rise * leaves) - low
        worst = max(worst, min(over, under))
    return worst


@lean
def blocked_at(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    pair: Pair, s: float, t: float,
) -> float:  # fmt: skip
    """`blocked_by` of the line through these points of both breadths, -1 to 1 or a little beyond."""
    x = pair.x + s * pair.across_x
    y = pair.y + s * pair.across_y
    dx = pair.to_x + t * pair.to_across_x - x
    dy = pair.to_y + t * pair.to_across_y - y
    length = math.sqrt(dx * dx + dy * dy)
    if length < HAIR:
        return math.inf
    return blocked_by(figures, i, j, parts, corners, near, count, x, y, dx / length, dy / length)


@lean
def touched(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    thing: int, side: float, dx: float, dy: float,
) -> tuple[float, float]:  # fmt: skip
    """Where a line touches a thing on its left (`side` 1) or right (-1): a part or, after them, a base.

    It keeps a hair away from a part, and runs a hair inside a base.
    """
    if thing < count:
        return beside(parts, corners, near[thing], side, dx, dy)
    figure = i if thing == count else j
    out_x = side * dy
    out_y = -side * dx
    x, y = rim(figures, figure, out_x, out_y)
    return figures[figure, X] + x - HAIR * out_x, figures[figure, Y] + y - HAIR * out_y


@lean
def line_between(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    pair: Pair, one: int, side: float, other: int, other_side: float,
) -> tuple[float, float]:  # fmt: skip
    """The line that touches two things, each on its left (1) or right (-1), by where it crosses both breadths."""
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    length = math.sqrt(far_x * far_x + far_y * far_y)
    dx = far_x / length
    dy = far_y / length
    x = y = 0.0
    for _ in range(TURNS):
        x, y = touched(figures, i, j, parts, corners, near, count, one, side, dx, dy)
        to_x, to_y = touched(figures, i, j, parts, corners, near, count, other, other_side, dx, dy)
        way_x = to_x - x
        way_y = to_y - y
        length = math.sqrt(way_x * way_x + way_y * way_y)
        if length < HAIR:
            return math.inf, math.inf
        if way_x * far_x + way_y * far_y < 0.0:
            length = -length
        turn = way_x / length * dy - way_y / length * dx
        dx = way_x / length
        dy = way_y / length
        if turn * turn < STILL:
            break
    return (
        share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y),
        share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y),
    )


@lean
def climbs_free(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    pair: Pair, s: float, t: float, blocked: float,
) -> bool:  # fmt: skip
    """Whether turning a line step by step to where it is blocked less sets it free."""
    step = FIRST_STEP
    while step > LAST_STEP and blocked >= 0.0:
        best_s, best_t, least = s, t, blocked
        for turn in range(9):
            try_s = s + step * (turn // 3 - 1)
            try_t = t + step * (turn % 3 - 1)
            found = blocked_at(figures, i, j, parts, corners, near, count, pair, try_s, try_t)
            if found < least:
                best_s, best_t, least = try_s, try_t, found
        if least < blocked:
            s, t, blocked = best_s, best_t, least
        else:
            step /= 2.0
    return blocked < 0.0


@lean
def line_along(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    pair: Pair, thing: int, side: float, turn: float,
) -> tuple[float, float]:  # fmt: skip
    """The line that touches a thing on one side, turned from the middle line by a share of what the bases allow."""
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    aside_x = pair.across_x + pair.to_across_x
    aside_y = pair.across_y + pair.to_across_y
    dx = far_x + turn * aside_x
    dy = far_y + turn * aside_y
    length = math.sqrt(dx * dx + dy * dy)
    dx /= length
    dy /= length
    x, y = touched(figures, i, j, parts, corners, near, count, thing, side, dx, dy)
    return (
        share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y),
        share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y),
    )


@lean
def candidate(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int,
    pair: Pair, kind: int, number: int,
) -> tuple[float, float]:  # fmt: skip
    """One of the lines worth trying: of a grid, between two things, or along one thing."""
    things = count + 2
    if kind == GRID:
        return OFFSETS[number // 5], OFFSETS[number % 5]
    if kind == BETWEEN:
        one = number // 4 // things
        other = number // 4 % things
        side = 1.0 - 2.0 * (number // 2 % 2)
        other_side = 1.0 - 2.0 * (number % 2)
        if one >= other or (side == other_side and other < count):
            return math.inf, math.inf
        return line_between(figures, i, j, parts, corners, near, count, pair, one, side, other, other_side)
    thing = number // (2 * FAN)
    side = 1.0 - 2.0 * (number // FAN % 2)
    turn = 2.0 * (number % FAN) / (FAN - 1) - 1.0
    return line_along(figures, i, j, parts, corners, near, count, pair, thing, side, turn)


@lean
def sees_between_rims(
    figures: Floats, i: int, j: int, parts: Floats, corners: Floats, near: Ints, count: int, pair: Pair
) -> bool:
    """Whether any line between the tops of two volumes is free, from whichever points of their rims."""
    if count > MOST or (pair.x == pair.to_x and pair.y == pair.to_y):
        return False
    if wall_hides(figures, i, j, parts, corners, near, count):
        return False
    for kind in range(3):
        if kind == ALONG and pair.high == pair.to_high:
            break
        number = 25
        if kind == BETWEEN:
            number = 4 * (count + 2) * (count + 2)
        elif kind == ALONG:
            number = 2 * FAN * (count + 2)
        best_s, best_t, least = 0.0, 0.0, math.inf
        for line in range(number):
            s, t = candidate(figures, i, j, parts, corners, near, count, pair, kind, line)
            if not (abs(s) < BACK and abs(t) < BACK):
                continue
            found = blocked_at(figures, i, j, parts, corners, near, count, pair, s, t)
            if found < 0.0:
                return True
            if found < least:
                best_s, best_t, least = s, t, found
        if (
            least < math.inf
            and pair.high != pair.to_high
            and climbs_free(figures, i, j, parts, corners, near, count, pair, best_s, best_t, least)
        ):
            return True
    return False
