"""How far a body goes in a straight line before it meets something: the one answer for blocks and single bases.

A body is a set of rounded convex footprints with one pose. What it pushes ahead of it are its fronts: the edges, with
their rounding, that look the way it goes. Everything is seen in the frame of the way, which runs along +y. Answers are
exact: every edge and every rounded corner has its own formula, nothing is tried step by step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.geometry.arrays import Matrix
from shieldwall.geometry.distance import COUNT, FIRST, RADIUS, square
from shieldwall.geometry.tolerance import ROUNDOFF

# Columns of a front: its left and its right end in the frame of the way, and the rounding of the footprint.
LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y, ROUNDING = range(5)
FRONT_COLUMNS = 5


class Stretch(NamedTuple):
    """A straight way: where it begins, the direction that is ahead, how far it goes to the right and ahead."""

    x: float
    y: float
    sine: float
    cosine: float
    right: float
    ahead: float


def fronts_on_way(points: Matrix, rows: Matrix, i: int, way: Stretch, fronts: Matrix) -> int:
    """Write what footprint i, standing where the way begins, pushes ahead on it; the number of fronts.

    There is room for them if `fronts` has as many rows as the footprint has vertices.
    """
    first = int(rows[i, FIRST])
    stop = first + int(rows[i, COUNT])
    dx, dy = points[first, 0] - way.x, points[first, 1] - way.y
    x, y = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
    top_x, top_y = x, y
    made = 0
    for k in range(first, stop):
        after = k + 1 if k + 1 < stop else first
        dx, dy = points[after, 0] - way.x, points[after, 1] - way.y
        next_x, next_y = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
        if next_y > top_y:
            top_x, top_y = next_x, next_y
        if x - next_x > ROUNDOFF:  # counter-clockwise outlines have their far side from right to left
            made = write_front(fronts, made, next_x, next_y, x, y, rows[i, RADIUS])
        x, y = next_x, next_y
    return made if made > 0 else write_front(fronts, 0, top_x, top_y, top_x, top_y, rows[i, RADIUS])


def write_front(
    fronts: Matrix, made: int, left_x: float, left_y: float, right_x: float, right_y: float, rounding: float
) -> int:
    """Append one front; how many there are."""
    fronts[made, LEFT_X], fronts[made, LEFT_Y] = left_x, left_y
    fronts[made, RIGHT_X], fronts[made, RIGHT_Y] = right_x, right_y
    fronts[made, ROUNDING] = rounding
    return made + 1


def edge_run(
    left: float, low: float, right: float, tilt: float, ax: float, ay: float, bx: float, by: float
) -> float:
    """How far an edge goes ahead before it meets another, from a to b; infinite for never.

    It begins at (left, low) and rises by `tilt` for every inch up to `right`.
    """
    if ax > bx:
        ax, ay, bx, by = bx, by, ax, ay
    start, end = max(ax, left), min(bx, right)
    if bx <= left or ax >= right or start > end:
        return math.inf
    if bx - ax < ROUNDOFF:
        top = low + (start - left) * tilt
        first, second = ay - top, by - top
    else:
        slope = (by - ay) / (bx - ax)
        first = ay + (start - ax) * slope - (low + (start - left) * tilt)
        second = ay + (end - ax) * slope - (low + (end - left) * tilt)
    if first < 0.0 and second < 0.0:
        return math.inf  # it lies behind
    return max(min(first, second), 0.0)


def corner_run(x: float, y: float, radius: float, ax: float, ay: float, bx: float, by: float) -> float:
    """How far the far half of a circle goes ahead before it meets an edge; infinite for never."""
    if ax > bx:
        ax, ay, bx, by = bx, by, ax, ay
    low, high = max(ax, x - radius), min(bx, x + radius)
    if low > high:
        return math.inf
    if bx - ax < ROUNDOFF:
        top = y + math.sqrt(max(radius * radius - square(ax - x), 0.0))
        first, second = ay - top, by - top
        least = min(first, second)
    else:
        slope = (by - ay) / (bx - ax)
        first = ay + (low - ax) * slope - y - math.sqrt(max(radius * radius - square(low - x), 0.0))
        second = ay + (high - ax) * slope - y - math.sqrt(max(radius * radius - square(high - x), 0.0))
        least = min(first, second)
        touch = x - slope * radius / math.sqrt(1.0 + slope * slope)
        if low < touch < high:
            least = min(least, ay + (touch - ax) * slope - y - math.sqrt(radius * radius - square(touch - x)))
    if first < 0.0 and second < 0.0:
        return math.inf
    return max(least, 0.0)


def front_run(
    fronts: Matrix, i: int, way: Stretch, points: Matrix, first: int, stop: int, margin: float
) -> float:
    """How far one front goes before it comes nearer than `margin` to an outline; infinite for never."""
    thick = margin + fronts[i, ROUNDING]
    left_x, left_y = fronts[i, LEFT_X], fronts[i, LEFT_Y]
    right_x, right_y = fronts[i, RIGHT_X], fronts[i, RIGHT_Y]
    wide, rise = right_x - left_x, right_y - left_y
    tilt = rise / wide if rise != 0.0 else 0.0
    left, low, right = left_x - thick, left_y + thick, right_x + thick
    if thick > 0.0 and wide > 0.0:
        length = math.sqrt(wide * wide + rise * rise)
        aside = -rise / length * thick
        left, low, right = left_x + aside, left_y + wide / length * thick, right_x + aside
    is_shared = wide == 0.0 or (
        i > 0 and fronts[i - 1, LEFT_X] == right_x and fronts[i - 1, LEFT_Y] == right_y
    )
    outer_left, outer_right = left_x - abs(thick), right_x + abs(thick)
    top = max(left_y, right_y) + abs(thick)
    best = math.inf
    dx, dy = points[stop - 1, 0] - way.x, points[stop - 1, 1] - way.y
    ax, ay = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
    for k in range(first, stop):
        dx, dy = points[k, 0] - way.x, points[k, 1] - way.y
        bx, by = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
        is_beside = max(ax, bx) < outer_left or min(ax, bx) > outer_right
        if not is_beside and min(ay, by) - top < best:
            if wide > 0.0:
                best = min(best, edge_run(left, low, right, tilt, ax, ay, bx, by))
            if thick > 0.0:
                best = min(best, corner_run(left_x, left_y, thick, ax, ay, bx, by))
                if not is_shared:  # a corner between two fronts is looked at once
                    best = min(best, corner_run(right_x, right_y, thick, ax, ay, bx, by))
        ax, ay = bx, by
    return best


def cast(fronts: Matrix, way: Stretch, points: Matrix, first: int, stop: int, margin: float) -> float:
    """How far fronts go along a way before they come nearer than `margin` to an outline, convex or not.

    Infinite for never, and for what lies behind. The outline is points[first:stop], counter-clockwise; its own rounding
    is part of the margin. A margin below 0 lets fronts that lie square to the way graze by so much.
    """
    best = math.inf
    for i in range(fronts.shape[0]):
        best = min(best, front_run(fronts, i, way, points, first, stop, margin))
    return best
