"""Compiled shares of area: how much of a footprint lies inside an outline of terrain.

The area of an overlap is put together from triangles about the middle of the footprint, one for each edge of
the outline, with the sign of the side on which the middle lies. Every triangle's share changes continuously
with the vertices, so edges that lie on each other, as they often do on a table, need no special care.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, RADIUS, REACH, Floats, X, Y
from shieldwall.table.kernels_polygon import border_distance, clipped, middle, point_in_polygon
from shieldwall.table.lean import lean

ARC_STEP = 0.05  # radians between the vertices that stand for a rounded corner
FULL_TURN = 2.0 * math.pi


@lean
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


@lean
def circle_sector(ux: float, uy: float, vx: float, vy: float, radius: float) -> float:
    """The signed area of a circle about the origin between two directions."""
    return 0.5 * radius * radius * math.atan2(ux * vy - uy * vx, ux * vx + uy * vy)


@lean
def convex_sector(
    points: Floats, a0: int, a1: int, x: float, y: float, ux: float, uy: float, vx: float, vy: float
) -> float:
    """The area of a convex polygon between two directions seen from (x, y) inside; v lies left of u."""
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


@lean
def convex_part(
    points: Floats, a0: int, a1: int, x: float, y: float, px: float, py: float, qx: float, qy: float
) -> float:
    """The area that a convex polygon shares with the triangle (x, y), p, q, running left."""
    start, end = clipped(points, a0, a1, px, py, qx, qy, 0.0)
    ux = px - x
    uy = py - y
    vx = qx - x
    vy = qy - y
    if start >= end:
        return convex_sector(points, a0, a1, x, y, ux, uy, vx, vy)
    area = 0.5 * (ux * vy - uy * vx) * (end - start)
    if start > 0.0:
        sx = ux + start * (vx - ux)
        sy = uy + start * (vy - uy)
        area += convex_sector(points, a0, a1, x, y, ux, uy, sx, sy)
    if end < 1.0:
        ex = ux + end * (vx - ux)
        ey = uy + end * (vy - uy)
        area += convex_sector(points, a0, a1, x, y, ex, ey, vx, vy)
    return area


@lean
def convex_area(points: Floats, a0: int, a1: int) -> float:
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


@lean
def convex_share(points: Floats, a0: int, a1: int, poly: Floats, p0: int, p1: int) -> float:
    """The share of a convex polygon's area that lies inside a simple polygon."""
    x, y = middle(points, a0, a1)
    total = 0.0
    last = p1 - 1
    for k in range(p0, p1):
        px, py, qx, qy = poly[last, 0], poly[last, 1], poly[k, 0], poly[k, 1]
        last = k
        turn = (px - x) * (qy - y) - (py - y) * (qx - x)
        if turn > 0.0:
            total += convex_part(points, a0, a1, x, y, px, py, qx, qy)
        elif turn < 0.0:
            total -= convex_part(points, a0, a1, x, y, qx, qy, px, py)
    return min(abs(total) / convex_area(points, a0, a1), 1.0)


@lean
def circle_share(x: float, y: float, radius: float, poly: Floats, p0: int, p1: int) -> float:
    """The share of a circle's area that lies inside a simple polygon."""
    total = 0.0
    last = p1 - 1
    for k in range(p0, p1):
        total += circle_part(poly[last, 0] - x, poly[last, 1] - y, poly[k, 0] - x, poly[k, 1] - y, radius)
        last = k
    return min(abs(total) / (math.pi * radius * radius), 1.0)


@kernel
def rounded_core(points: Floats, a0: int, a1: int, radius: float) -> Floats:
    """The vertices of a fine polygon for a core of two or more vertices with its rounding."""
    found = np.empty((2 * (a1 - a0) + int(FULL_TURN / ARC_STEP) + 2, 2))
    count = 0
    for i in range(a0, a1):
        before = a1 - 1 if i == a0 else i - 1
        after = a0 if i == a1 - 1 else i + 1
        x = points[i, 0]
        y = points[i, 1]
        start = math.atan2(points[before, 0] - x, y - points[before, 1])
        turn = (math.atan2(x - points[after, 0], points[after, 1] - y) - start) % FULL_TURN
        if turn > FULL_TURN - 1e-9:  # a straight corner that turned back by a rounding error
            turn = 0.0
        steps = int(turn / ARC_STEP) + 1
        for step in range(steps + (turn > 0.0)):
            angle = start + turn * step / steps
            found[count, 0] = x + radius * math.cos(angle)
            found[count, 1] = y + radius * math.sin(angle)
            count += 1
    return found[:count]


@kernel
def polygon_share(points: Floats, rows: Floats, i: int, poly: Floats, p0: int, p1: int) -> float:
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


@lean
def overhang(
    points: Floats, rows: Floats, first: int, stop: int, left: float, near: float, right: float, far: float
) -> float:
    """How far footprints first..stop stick out of an upright rectangle; below 0: the room that is left."""
    most = -math.inf
    for i in range(first, stop):
        radius = rows[i, RADIUS]
        a0 = int(rows[i, FIRST])
        for k in range(a0, a0 + int(rows[i, COUNT])):
            x = points[k, 0]
            y = points[k, 1]
            most = max(most, left - x + radius, x - right + radius, near - y + radius, y - far + radius)
    return most


@lean
def line_span(
    points: Floats, rows: Floats, first: int, stop: int, x: float, y: float, along_x: float, along_y: float
) -> tuple[float, float]:
    """The nearest and the farthest part of footprints first..stop from (x, y) along a unit vector."""
    nearest = math.inf
    farthest = -math.inf
    for i in range(first, stop):
        radius = rows[i, RADIUS]
        a0 = int(rows[i, FIRST])
        for k in range(a0, a0 + int(rows[i, COUNT])):
            away = (points[k, 0] - x) * along_x + (points[k, 1] - y) * along_y
            nearest = min(nearest, away - radius)
            farthest = max(farthest, away + radius)
    return nearest, farthest


@lean
def farthest_point(points: Floats, rows: Floats, first: int, stop: int, x: float, y: float) -> float:
    """The distance of a point and the farthest part of footprints first..stop."""
    farthest = 0.0
    for i in range(first, stop):
        a0 = int(rows[i, FIRST])
        for k in range(a0, a0 + int(rows[i, COUNT])):
            dx = points[k, 0] - x
            dy = points[k, 1] - y
            farthest = max(farthest, math.sqrt(dx * dx + dy * dy) + rows[i, RADIUS])
    return farthest
