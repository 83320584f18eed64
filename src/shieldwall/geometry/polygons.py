"""Convex polygons: clipping, areas, and how much of a base lies inside an outline."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Matrix
from shieldwall.geometry.distance import COUNT, FIRST, RADIUS, REACH, X, Y, point_to_segment, segments_cross
from shieldwall.geometry.tolerance import AREA_EPS, EPS

# ----------------------------------------------------------------------------------------------------
# Compiled questions about outlines of terrain: simple polygons, convex or not, as vertices p0..p1 of `poly`.
#
# Footprints are given as in distance.py, by `points`, `rows` and an index. Where a question has a yes or a no,
# both sides give way by EPS: a base that only touches an outline does not overlap it and may lie wholly inside.


def point_in_polygon(poly: Matrix, p0: int, p1: int, x: float, y: float) -> bool:
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


def border_distance(poly: Matrix, p0: int, p1: int, x: float, y: float) -> float:
    """The distance of a point and the border, from either side of it."""
    nearest = math.inf
    last = p1 - 1
    for i in range(p0, p1):
        found = point_to_segment(x, y, poly[last, 0], poly[last, 1], poly[i, 0], poly[i, 1])
        nearest = min(nearest, found)
        last = i
    return math.sqrt(nearest)


def clipped(
    points: Matrix, a0: int, a1: int, px: float, py: float, qx: float, qy: float, depth: float
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


FEW_VERTICES = 8  # of a core, up to which its exact distance costs no more than a quick look


def core_to_segment(points: Matrix, a0: int, a1: int, px: float, py: float, qx: float, qy: float) -> float:
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


def border_gap(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int, limit: float) -> float:
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
        if point_to_segment(rows[i, X], rows[i, Y], px, py, qx, qy) > bound * bound:
            continue
        if a1 - a0 <= FEW_VERTICES or not is_surely_beyond(points, a0, a1, px, py, qx, qy, best):
            best = min(best, math.sqrt(core_to_segment(points, a0, a1, px, py, qx, qy)))
    return best


def is_surely_beyond(
    points: Matrix, a0: int, a1: int, px: float, py: float, qx: float, qy: float, limit: float
) -> bool:
    """A quick look at a convex core of many vertices: whether a segment is certainly farther away than `limit`.

    It is if all of the core lies that far behind the line which crosses the shortest way from the middle of the core
    to the segment.
    """
    x, y = middle(points, a0, a1)
    along_x, along_y = qx - px, qy - py
    length2 = along_x * along_x + along_y * along_y
    share = 0.0
    if length2 > 0.0:
        share = min(max(((x - px) * along_x + (y - py) * along_y) / length2, 0.0), 1.0)
    out_x, out_y = px + share * along_x - x, py + share * along_y - y
    apart = math.sqrt(out_x * out_x + out_y * out_y)
    if apart <= limit:
        return False
    farthest = (apart - limit - 1e-9) * apart
    for k in range(a0, a1):
        if (points[k, 0] - x) * out_x + (points[k, 1] - y) * out_y >= farthest:
            return False
    return True


def middle(points: Matrix, a0: int, a1: int) -> tuple[float, float]:
    """A point inside a convex core: the mean of its vertices."""
    x = 0.0
    y = 0.0
    for i in range(a0, a1):
        x += points[i, 0]
        y += points[i, 1]
    return x / (a1 - a0), y / (a1 - a0)


def starts_inside(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> bool:
    """Whether the middle of a footprint lies inside a polygon."""
    first = int(rows[i, FIRST])
    x, y = middle(points, first, first + int(rows[i, COUNT]))
    return point_in_polygon(poly, p0, p1, x, y)


def polygon_distance(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> float:
    """The distance of a footprint and a polygon, 0 where they overlap."""
    if starts_inside(points, rows, i, poly, p0, p1):
        return 0.0
    radius: float = rows[i, RADIUS]
    return max(0.0, border_gap(points, rows, i, poly, p0, p1, math.inf) - radius)


def border_enters(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> bool:
    """Whether the border of a polygon runs deeper than EPS inside a footprint."""
    radius: float = rows[i, RADIUS]
    a0 = int(rows[i, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    reach = rows[i, REACH]
    last = p1 - 1
    for k in range(p0, p1):
        px, py, qx, qy = poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1]
        last = k
        if point_to_segment(rows[i, X], rows[i, Y], px, py, qx, qy) > reach * reach:
            continue
        if radius > EPS:
            if is_nearer(points, a0, a1, px, py, qx, qy, radius - EPS):
                return True
        else:
            start, end = clipped(points, a0, a1, px, py, qx, qy, EPS)
            if start < end:
                return True
    return False


def is_nearer(
    points: Matrix, a0: int, a1: int, px: float, py: float, qx: float, qy: float, limit: float
) -> bool:
    """Whether a segment comes nearer to a convex core than `limit`."""
    if a1 - a0 > FEW_VERTICES and is_surely_beyond(points, a0, a1, px, py, qx, qy, limit):
        return False
    return math.sqrt(core_to_segment(points, a0, a1, px, py, qx, qy)) < limit


def polygon_overlaps(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> bool:
    """Whether a footprint lies on a polygon with any part deeper than EPS."""
    if border_enters(points, rows, i, poly, p0, p1):
        return True
    return starts_inside(points, rows, i, poly, p0, p1)


def polygon_contains(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> bool:
    """Whether no part of a footprint stands out of a polygon by more than EPS."""
    if border_enters(points, rows, i, poly, p0, p1):
        return False
    return starts_inside(points, rows, i, poly, p0, p1)


# ----------------------------------------------------------------------------------------------------
# Compiled shares of area: how much of a footprint lies inside an outline of terrain.
#
# The area of an overlap is put together from triangles about the middle of the footprint, one for each edge of
# the outline, with the sign of the side on which the middle lies. Every triangle's share changes continuously
# with the vertices, so edges that lie on each other, as they often do on a table, need no special care.

ARC_STEP = 0.05  # radians between the vertices that stand for a rounded corner
FULL_CIRCLE = 2.0 * math.pi
SAME = 1e-6  # inches that opposite corners of a base may differ by


def circle_part(px: float, py: float, qx: float, qy: float, radius: float) -> float:
    """The signed area that a circle about the origin shares with the triangle origin, p, q."""
    along_x = qx - px
    along_y = qy - py
    length2 = along_x * along_x + along_y * along_y
    if length2 == 0.0:
        return 0.0
    ahead = -(px * along_x + py * along_y) / length2
    half2 = ahead * ahead - (px * px + py * py - radius * radius) / length2
    if half2 <= 0.0:
        return circle_sector(px, py, qx, qy, radius)
    half = math.sqrt(half2)
    start = max(ahead - half, 0.0)
    end = min(ahead + half, 1.0)
    if start >= end:
        return circle_sector(px, py, qx, qy, radius)
    sx = px + start * along_x
    sy = py + start * along_y
    ex = px + end * along_x
    ey = py + end * along_y
    area = 0.5 * (sx * ey - sy * ex)
    if start > 0.0:
        area += circle_sector(px, py, sx, sy, radius)
    if end < 1.0:
        area += circle_sector(ex, ey, qx, qy, radius)
    return area


def circle_sector(ux: float, uy: float, vx: float, vy: float, radius: float) -> float:
    """The signed area of a circle about the origin between two directions."""
    return 0.5 * radius * radius * math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)


class Wedge(NamedTuple):
    """A point inside a convex polygon and two directions, or two corners, seen from there: v lies left of u."""

    x: float
    y: float
    ux: float
    uy: float
    vx: float
    vy: float


def convex_sector(points: Matrix, a0: int, a1: int, wedge: Wedge) -> float:
    """The area of a convex polygon between the directions of a wedge."""
    x, y, ux, uy, vx, vy = wedge.x, wedge.y, wedge.ux, wedge.uy, wedge.vx, wedge.vy
    area = 0.0
    ax = points[a1 - 1, 0] - x
    ay = points[a1 - 1, 1] - y
    for i in range(a0, a1):
        bx = points[i, 0] - x
        by = points[i, 1] - y
        start = 0.0
        end = 1.0
        u_a = ux * ay - uy * ax
        u_b = ux * by - uy * bx
        v_a = ax * vy - ay * vx
        v_b = bx * vy - by * vx
        if (u_a < 0.0 and u_b < 0.0) or (v_a < 0.0 and v_b < 0.0):
            end = 0.0
        if u_a < 0.0 <= u_b:
            start = u_a / (u_a - u_b)
        elif u_b < 0.0 <= u_a:
            end = min(end, u_a / (u_a - u_b))
        if v_a < 0.0 <= v_b:
            start = max(start, v_a / (v_a - v_b))
        elif v_b < 0.0 <= v_a:
            end = min(end, v_a / (v_a - v_b))
        if start < end:
            area += 0.5 * (ax * by - ay * bx) * (end - start)
        ax = bx
        ay = by
    return area


def convex_part(points: Matrix, a0: int, a1: int, triangle: Wedge) -> float:
    """The area that a convex polygon shares with a triangle: a point and the corners u and v, running left."""
    x, y = triangle.x, triangle.y
    start, end = clipped(points, a0, a1, triangle.ux, triangle.uy, triangle.vx, triangle.vy, 0.0)
    ux, uy, vx, vy = triangle.ux - x, triangle.uy - y, triangle.vx - x, triangle.vy - y
    wedge = Wedge(x, y, ux, uy, vx, vy)
    if start >= end:
        return convex_sector(points, a0, a1, wedge)
    area = 0.5 * (ux * vy - uy * vx) * (end - start)
    if start > 0.0:
        first = Wedge(x, y, ux, uy, ux + start * (vx - ux), uy + start * (vy - uy))
        area += convex_sector(points, a0, a1, first)
    if end < 1.0:
        last = Wedge(x, y, ux + end * (vx - ux), uy + end * (vy - uy), vx, vy)
        area += convex_sector(points, a0, a1, last)
    return area


def convex_area(points: Matrix, a0: int, a1: int) -> float:
    """The area of a polygon whose vertices run counter-clockwise."""
    total = 0.0
    last = a1 - 1
    for i in range(a0, a1):
        # About the first vertex, so that a far corner of the table costs no digits.
        x = points[last, 0] - points[a0, 0]
        y = points[last, 1] - points[a0, 1]
        total += x * (points[i, 1] - points[a0, 1]) - y * (points[i, 0] - points[a0, 0])
        last = i
    return 0.5 * total


def convex_share(points: Matrix, a0: int, a1: int, poly: Matrix, p0: int, p1: int) -> float:
    """The share of a convex polygon's area that lies inside a simple polygon."""
    x, y = middle(points, a0, a1)
    total = 0.0
    last = p1 - 1
    for k in range(p0, p1):
        px, py, qx, qy = poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1]
        last = k
        turn = (px - x) * (qy - y) - (py - y) * (qx - x)
        if turn > 0.0:
            total += convex_part(points, a0, a1, Wedge(x, y, px, py, qx, qy))
        elif turn < 0.0:
            total -= convex_part(points, a0, a1, Wedge(x, y, qx, qy, px, py))
    return min(abs(total) / convex_area(points, a0, a1), 1.0)


def circle_share(x: float, y: float, radius: float, poly: Matrix, p0: int, p1: int) -> float:
    """The share of a circle's area that lies inside a simple polygon."""
    total = 0.0
    last = p1 - 1
    for k in range(p0, p1):
        total += circle_part(poly[last, 0] - x, poly[last, 1] - y, poly[k, 0] - x, poly[k, 1] - y, radius)
        last = k
    return min(abs(total) / (math.pi * radius * radius), 1.0)


def rounded_core(points: Matrix, a0: int, a1: int, radius: float) -> Matrix:
    """The vertices of a fine polygon for a core of two or more vertices with its rounding."""
    found = np.empty((2 * (a1 - a0) + int(FULL_CIRCLE / ARC_STEP) + 2, 2))
    count = 0
    for i in range(a0, a1):
        before = a1 - 1 if i == a0 else i - 1
        after = a0 if i == a1 - 1 else i + 1
        x = points[i, 0]
        y = points[i, 1]
        start = math.atan2(points[before, 0] - x, y - points[before, 1])
        turn = (math.atan2(x - points[after, 0], points[after, 1] - y) - start) % FULL_CIRCLE
        if turn > FULL_CIRCLE - 1e-9:  # a straight corner that turned back by a rounding error
            turn = 0.0
        steps = int(turn / ARC_STEP) + 1
        for step in range(steps + (turn > 0.0)):
            angle = start + turn * step / steps
            found[count, 0] = x + radius * math.cos(angle)
            found[count, 1] = y + radius * math.sin(angle)
            count += 1
    return found[:count]


def polygon_share(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> float:
    """The share, 0 to 1, of a footprint's area that lies inside a polygon. Exact but for rounded polygons."""
    x = rows[i, X]
    y = rows[i, Y]
    if border_distance(poly, p0, p1, x, y) >= rows[i, REACH]:
        return 1.0 if point_in_polygon(poly, p0, p1, x, y) else 0.0
    a0 = int(rows[i, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    radius = rows[i, RADIUS]
    if a1 - a0 == 1:
        return circle_share(points[a0, 0], points[a0, 1], radius, poly, p0, p1)
    if radius > 0.0:
        outline = rounded_core(points, a0, a1, radius)
        return convex_share(outline, 0, outline.shape[0], poly, p0, p1)
    return convex_share(points, a0, a1, poly, p0, p1)


def half_inside(points: Matrix, rows: Matrix, i: int, poly: Matrix, p0: int, p1: int) -> int:
    """Whether clearly more (1) or less (-1) than half of a base lies inside a polygon; 0 where that needs measuring.

    A straight line leaves more than half of a base on the side of its middle. So it is more than half if the middle
    lies inside and only one edge is near, and less if the middle lies outside and the whole polygon behind a line.
    Either way the middle must be far enough from that edge or line.
    """
    x, y, reach = rows[i, X], rows[i, Y], rows[i, REACH]
    nearest = math.inf
    near = 0
    edge = p0
    for k in range(p0, p1):
        last = k - 1 if k > p0 else p1 - 1
        found = point_to_segment(x, y, poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1])
        if found < nearest:
            nearest, edge = found, k
        if found < reach * reach:
            near += 1
    inside = point_in_polygon(poly, p0, p1, x, y)
    if near == 0:
        return 1 if inside else -1
    if (inside and near > 1) or not shows_beside(points, rows, i, math.sqrt(nearest)):
        return 0
    if inside:
        return 1
    return -1 if lies_behind(poly, p0, p1, edge, x, y) else 0


def lies_behind(poly: Matrix, p0: int, p1: int, edge: int, x: float, y: float) -> bool:
    """Whether a point sees all of a polygon behind the line through the nearest point of it, which is on an edge."""
    last = edge - 1 if edge > p0 else p1 - 1
    along_x, along_y = poly[edge, 0] - poly[last, 0], poly[edge, 1] - poly[last, 1]
    length2 = along_x * along_x + along_y * along_y
    share = 0.0
    if length2 > 0.0:
        share = ((x - poly[last, 0]) * along_x + (y - poly[last, 1]) * along_y) / length2
        share = min(max(share, 0.0), 1.0)
    out_x, out_y = poly[last, 0] + share * along_x - x, poly[last, 1] + share * along_y - y
    apart2 = out_x * out_x + out_y * out_y
    for k in range(p0, p1):
        if (poly[k, 0] - x) * out_x + (poly[k, 1] - y) * out_y < apart2 - SAME:
            return False
    return True


def shows_beside(points: Matrix, rows: Matrix, i: int, apart: float) -> bool:
    """Whether a line at this distance from the middle of a base leaves clearly more than half of it on one side.

    It does if the base is the same on both sides of its middle: the strip between the middle and the line
    is at least as wide as a circle that fits into the base.
    """
    x, y, reach = rows[i, X], rows[i, Y], rows[i, REACH]
    a0 = int(rows[i, FIRST])
    half = int(rows[i, COUNT]) // 2
    if half > 0 and int(rows[i, COUNT]) % 2 == 1:
        return False
    inner = math.inf if half > 1 else 0.0
    for k in range(a0, a0 + max(half, 1)):
        across_x, across_y = points[k, 0] + points[k + half, 0], points[k, 1] + points[k + half, 1]
        if abs(across_x - 2.0 * x) > SAME or abs(across_y - 2.0 * y) > SAME:
            return False
        if half > 1:
            after = k + 1
            found = point_to_segment(x, y, points[k, 0], points[k, 1], points[after, 0], points[after, 1])
            inner = min(inner, found)
    inner = math.sqrt(inner) + rows[i, RADIUS]
    return bool(min(apart, inner) * inner > 2.0 * AREA_EPS * math.pi * reach * reach)
