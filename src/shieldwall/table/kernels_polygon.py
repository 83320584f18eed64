"""Compiled questions about outlines of terrain: simple polygons, convex or not, as vertices p0..p1 of `poly`.

Footprints are given as in kernels.py, by `points`, `rows` and an index. Where a question has a yes or a no,
both sides give way by EPS: a base that only touches an outline does not overlap it and may lie wholly inside.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import (
    COUNT,
    FIRST,
    RADIUS,
    REACH,
    Floats,
    X,
    Y,
    point_to_segment,
    segments_cross,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS


@lean
def point_in_polygon(poly: Floats, p0: int, p1: int, x: float, y: float) -> bool:
    """Whether a point lies inside; on the border either answer may come."""
    inside = False
    ax = poly[p1 - 1, 0]
    ay = poly[p1 - 1, 1]
    for i in range(p0, p1):
        bx = poly[i, 0]
        by = poly[i, 1]
        if (ay > y) != (by > y):
            side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if (side > 0.0) == (by > ay):
                inside = not inside
        ax = bx
        ay = by
    return inside


@lean
def border_distance(poly: Floats, p0: int, p1: int, x: float, y: float) -> float:
    """The distance of a point and the border, from either side of it."""
    nearest = math.inf
    last = p1 - 1
    for i in range(p0, p1):
        found = point_to_segment(x, y, poly[last, 0], poly[last, 1], poly[i, 0], poly[i, 1])
        nearest = min(nearest, found)
        last = i
    return math.sqrt(nearest)


@lean
def length_beside(
    poly: Floats, p0: int, p1: int, ax: float, ay: float, bx: float, by: float, aside: float
) -> float:
    """The length inside the polygon of the segment moved to its left by `aside`.

    Every edge that crosses the line adds or takes away the rest of the segment beyond the crossing, so
    nothing has to be sorted. A vertex exactly on the line counts as left of it.
    """
    along_x = bx - ax
    along_y = by - ay
    length2 = along_x * along_x + along_y * along_y
    length = math.sqrt(length2)
    if length == 0.0:
        return 0.0
    shift = aside * length
    total = 0.0
    x = poly[p1 - 1, 0] - ax
    y = poly[p1 - 1, 1] - ay
    left = along_x * y - along_y * x - shift
    for i in range(p0, p1):
        next_x = poly[i, 0] - ax
        next_y = poly[i, 1] - ay
        next_left = along_x * next_y - along_y * next_x - shift
        if (left >= 0.0) != (next_left >= 0.0):
            share = left / (left - next_left)
            crossing = (x + share * (next_x - x)) * along_x + (y + share * (next_y - y)) * along_y
            rest = min(max(1.0 - crossing / length2, 0.0), 1.0)
            if left >= 0.0:
                total += rest
            else:
                total -= rest
        x = next_x
        y = next_y
        left = next_left
    return abs(total) * length


@lean
def segment_crosses_polygon(
    poly: Floats, p0: int, p1: int, ax: float, ay: float, bx: float, by: float
) -> bool:
    """Whether a segment runs through the open inside; gliding along the border or over a corner does not.

    The segment is tried a tolerance to its left and to its right: only inside both ways is inside.
    """
    if length_beside(poly, p0, p1, ax, ay, bx, by, EPS) <= EPS:
        return False
    return length_beside(poly, p0, p1, ax, ay, bx, by, -EPS) > EPS


@lean
def clipped(
    points: Floats, a0: int, a1: int, px: float, py: float, qx: float, qy: float, depth: float
) -> tuple[float, float]:
    """The part of a segment, as shares of its length, that lies `depth` or more inside a convex polygon.

    The start is behind the end where there is no such part.
    """
    start = 0.0
    end = 1.0
    x = points[a1 - 1, 0]
    y = points[a1 - 1, 1]
    for i in range(a0, a1):
        along_x = points[i, 0] - x
        along_y = points[i, 1] - y
        slack = 0.0
        if depth != 0.0:
            slack = depth * math.sqrt(along_x * along_x + along_y * along_y)
        out_p = (px - x) * along_y - (py - y) * along_x + slack
        out_q = (qx - x) * along_y - (qy - y) * along_x + slack
        if out_p > 0.0 and out_q > 0.0:
            return 1.0, 0.0
        if out_p > 0.0:
            start = max(start, out_p / (out_p - out_q))
        elif out_q > 0.0:
            end = min(end, out_p / (out_p - out_q))
        x = points[i, 0]
        y = points[i, 1]
    return start, end


@lean
def core_to_segment(points: Floats, a0: int, a1: int, px: float, py: float, qx: float, qy: float) -> float:
    """The squared distance of a convex core and a segment, 0 where they meet."""
    if a1 - a0 > 2:
        start, end = clipped(points, a0, a1, px, py, qx, qy, 0.0)
        if start <= end:
            return 0.0
    nearest = math.inf
    x = points[a1 - 1, 0]
    y = points[a1 - 1, 1]
    for i in range(a0, a1):
        next_x = points[i, 0]
        next_y = points[i, 1]
        nearest = min(nearest, point_to_segment(next_x, next_y, px, py, qx, qy))
        if a1 - a0 > 1:
            nearest = min(nearest, point_to_segment(px, py, x, y, next_x, next_y))
            nearest = min(nearest, point_to_segment(qx, qy, x, y, next_x, next_y))
        x = next_x
        y = next_y
    if a1 - a0 == 2 and segments_cross(points[a0, 0], points[a0, 1], x, y, px, py, qx, qy):
        return 0.0
    return nearest


@lean
def border_gap(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int, limit: float) -> float:
    """The distance of a footprint's core and the border of a polygon, `limit` where it is no less."""
    a0 = int(rows[i, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    core_reach = rows[i, REACH] - rows[i, RADIUS]
    best = limit
    last = p1 - 1
    for k in range(p0, p1):
        px, py, qx, qy = poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1]
        last = k
        bound = best + core_reach
        if point_to_segment(rows[i, X], rows[i, Y], px, py, qx, qy) <= bound * bound:
            best = min(best, math.sqrt(core_to_segment(points, a0, a1, px, py, qx, qy)))
    return best


@lean
def middle(points: Floats, a0: int, a1: int) -> tuple[float, float]:
    """A point inside a convex core: the mean of its vertices."""
    x = 0.0
    y = 0.0
    for i in range(a0, a1):
        x += points[i, 0]
        y += points[i, 1]
    return x / (a1 - a0), y / (a1 - a0)


@lean
def starts_inside(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> bool:
    """Whether the middle of a footprint lies inside a polygon."""
    first = int(rows[i, FIRST])
    x, y = middle(points, first, first + int(rows[i, COUNT]))
    return point_in_polygon(poly, p0, p1, x, y)


@lean
def polygon_distance(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> float:
    """The distance of a footprint and a polygon, 0 where they overlap."""
    if starts_inside(points, rows, i, poly, p0, p1):
        return 0.0
    radius: float = rows[i, RADIUS]
    return max(0.0, border_gap(points, rows, i, poly, p0, p1, math.inf) - radius)


@lean
def border_enters(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> bool:
    """Whether the border of a polygon runs deeper than EPS inside a footprint."""
    radius: float = rows[i, RADIUS]
    if radius > EPS:
        limit = radius - EPS
        return border_gap(points, rows, i, poly, p0, p1, limit) < limit
    a0 = int(rows[i, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    reach = rows[i, REACH]
    last = p1 - 1
    for k in range(p0, p1):
        px, py, qx, qy = poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1]
        last = k
        if point_to_segment(rows[i, X], rows[i, Y], px, py, qx, qy) <= reach * reach:
            start, end = clipped(points, a0, a1, px, py, qx, qy, EPS)
            if start < end:
                return True
    return False


@lean
def polygon_overlaps(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> bool:
    """Whether a footprint lies on a polygon with any part deeper than EPS."""
    if border_enters(points, rows, i, poly, p0, p1):
        return True
    return starts_inside(points, rows, i, poly, p0, p1)


@lean
def polygon_contains(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> bool:
    """Whether no part of a footprint stands out of a polygon by more than EPS."""
    if border_enters(points, rows, i, poly, p0, p1):
        return False
    return starts_inside(points, rows, i, poly, p0, p1)
