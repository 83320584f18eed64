"""Compiled search for narrow gaps: a free line between two bases that the sampled ones miss.

All lines between two bases form a square: where each one starts, where it pair. What stops some of them cuts pieces
out of it. If anything is left, that has a corner, and the line of a corner touches two things: one on its left and
one on its right, or one of them and an end of a base. So it is enough to try those lines, a hair beside what they
touch.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import Floats, Ints, X, Y
from shieldwall.table.kernels_sight import (
    CORNER,
    CORNERS,
    PART_COSINE,
    PART_SINE,
    PER_DEPTH,
    PER_WIDTH,
    Pair,
    stops,
)
from shieldwall.table.lean import lean

HAIR = 1e-5  # inches that a tried line keeps away from what it passes
TURNS = 12  # times that a line is laid anew against both things before it is taken as it is
STILL = 1e-12  # a line that turned by no more (squared) lies where it should
MOST = 40  # things near a pair beyond which only the sampled lines count


@lean
def farthest(parts: Floats, corners: Floats, part: int, out_x: float, out_y: float) -> tuple[float, float]:
    """The point of a part that lies farthest in a direction."""
    first = int(parts[part, CORNER])
    stop = first + int(parts[part, CORNERS])
    if first == stop:
        sine = parts[part, PART_SINE]
        cosine = parts[part, PART_COSINE]
        aside = (out_x * cosine - out_y * sine) / parts[part, PER_WIDTH]
        ahead = (out_x * sine + out_y * cosine) / parts[part, PER_DEPTH]
        length = math.sqrt(aside * aside + ahead * ahead)
        aside /= length * parts[part, PER_WIDTH]
        ahead /= length * parts[part, PER_DEPTH]
        return parts[part, X] + aside * cosine + ahead * sine, parts[part, Y] + ahead * cosine - aside * sine
    best = first
    for k in range(first + 1, stop):
        if (corners[k, 0] - corners[best, 0]) * out_x + (corners[k, 1] - corners[best, 1]) * out_y > 0.0:
            best = k
    return corners[best, 0], corners[best, 1]


@lean
def beside(
    parts: Floats, corners: Floats, part: int, side: float, dx: float, dy: float
) -> tuple[float, float]:
    """Where a line in a direction passes a part that lies on its left (`side` 1) or right (-1)."""
    out_x = side * dy
    out_y = -side * dx
    x, y = farthest(parts, corners, part, out_x, out_y)
    return x + HAIR * out_x, y + HAIR * out_y


@lean
def share_across(
    x: float, y: float, dx: float, dy: float, mid_x: float, mid_y: float, across_x: float, across_y: float
) -> float:
    """Where a line crosses a breadth, -1 to 1; beyond that where it passes it by."""
    turn = across_x * dy - across_y * dx
    off = (x - mid_x) * dy - (y - mid_y) * dx
    if abs(turn) < 1e-12:
        return 0.0 if abs(off) < 1e-9 else math.inf
    return off / turn


@lean
def is_free(
    parts: Floats, corners: Floats, near: Ints, count: int, in_space: bool, pair: Pair,
    z: float, to_z: float, x: float, y: float, dx: float, dy: float,
) -> bool:  # fmt: skip
    """Whether the line through a point joins both bases and passes by everything near."""
    start = share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y)
    if not abs(start) <= 1.0 + 1e-9:
        return False
    end = share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y)
    if not pair.right - 1e-9 <= end <= pair.left + 1e-9:
        return False
    x = pair.x + start * pair.across_x
    y = pair.y + start * pair.across_y
    dx = pair.to_x + end * pair.to_across_x - x
    dy = pair.to_y + end * pair.to_across_y - y
    for k in range(count):  # noqa: SIM110 (numba knows no generators)
        if stops(parts, corners, near[k], in_space, x, y, z, dx, dy, to_z - z):
            return False
    return True


@lean
def end_of(pair: Pair, number: int) -> tuple[float, float]:
    """One of the four ends of the two breadths."""
    if number < 2:
        share = 1.0 - 2.0 * number
        return pair.x + share * pair.across_x, pair.y + share * pair.across_y
    share = pair.left if number == 2 else pair.right
    return pair.to_x + share * pair.to_across_x, pair.to_y + share * pair.to_across_y


@lean
def touching(
    parts: Floats, corners: Floats, near: Ints, count: int, pair: Pair, thing: int, side: float, dx: float, dy: float
) -> tuple[float, float]:  # fmt: skip
    """Where a line touches a thing on its left (`side` 1) or right (-1): a part or, after them, an end."""
    if thing < count:
        return beside(parts, corners, near[thing], side, dx, dy)
    return end_of(pair, thing - count)


@lean
def passes_between(
    parts: Floats, corners: Floats, near: Ints, count: int, in_space: bool, pair: Pair,
    z: float, to_z: float, left: int, right: int,
) -> bool:  # fmt: skip
    """Whether the line that touches one thing on its left and another on its right is free."""
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    length = math.sqrt(far_x * far_x + far_y * far_y)
    dx = far_x / length
    dy = far_y / length
    x = y = 0.0
    for _ in range(TURNS):
        x, y = touching(parts, corners, near, count, pair, left, 1.0, dx, dy)
        to_x, to_y = touching(parts, corners, near, count, pair, right, -1.0, dx, dy)
        way_x = to_x - x
        way_y = to_y - y
        length = math.sqrt(way_x * way_x + way_y * way_y)
        if length < HAIR:
            return False
        if way_x * far_x + way_y * far_y < 0.0:
            length = -length
        turn = way_x / length * dy - way_y / length * dx
        dx = way_x / length
        dy = way_y / length
        if turn * turn < STILL:
            break
    return is_free(parts, corners, near, count, in_space, pair, z, to_z, x, y, dx, dy)


@lean
def has_slit(
    parts: Floats, corners: Floats, near: Ints, count: int, in_space: bool, pair: Pair, z: float, to_z: float
) -> bool:
    """Whether any line at these heights joins the bases, ends in the arc and passes by all parts in `near`."""
    if count > MOST or (pair.x == pair.to_x and pair.y == pair.to_y):
        return False
    for left in range(count + 4):
        for right in range(count + 4):
            if left == right or (left >= count and right >= count):
                continue
            if passes_between(parts, corners, near, count, in_space, pair, z, to_z, left, right):
                return True
    return False
