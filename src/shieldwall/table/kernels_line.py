"""Compiled shortest lines from base to base."""

from __future__ import annotations

import math

from shieldwall.table.kernels import COUNT, FIRST, RADIUS, Floats, shortest_way
from shieldwall.table.lean import lean

LEVEL = 1e-7  # inches: corners that lie equally far out; the stored grid makes no smaller differences


@lean
def facing_side(points: Floats, first: int, stop: int, x: float, y: float) -> tuple[float, float, float]:
    """How far a polygon reaches in a direction of length 1, and where its outermost side starts and ends across it."""
    farthest = -math.inf
    for k in range(first, stop):
        farthest = max(farthest, points[k, 0] * x + points[k, 1] * y)
    start = math.inf
    end = -math.inf
    for k in range(first, stop):
        if points[k, 0] * x + points[k, 1] * y >= farthest - LEVEL:
            across = points[k, 1] * x - points[k, 0] * y
            start = min(start, across)
            end = max(end, across)
    return farthest, start, end


@lean
def shortest_line(points: Floats, rows: Floats, i: int, j: int) -> tuple[float, float, float, float]:
    """The shortest line from footprint i to j, as its two ends; both the same where they touch or overlap.

    Sides that face each other squarely leave many lines that are equally short: the middle one is taken.
    """
    a0 = int(rows[i, FIRST])
    b0 = int(rows[j, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    b1 = b0 + int(rows[j, COUNT])
    x, y = shortest_way(points, b0, b1, points, a0, a1)
    length = math.sqrt(x * x + y * y)
    if length <= rows[i, RADIUS] + rows[j, RADIUS]:
        return points[a0, 0], points[a0, 1], points[a0, 0], points[a0, 1]
    x /= length
    y /= length
    out, start, end = facing_side(points, a0, a1, x, y)
    back, other_start, other_end = facing_side(points, b0, b1, -x, -y)
    across = (max(start, -other_end) + min(end, -other_start)) / 2.0
    out += rows[i, RADIUS]
    back = -back - rows[j, RADIUS]
    return out * x - across * y, out * y + across * x, back * x - across * y, back * y + across * x
