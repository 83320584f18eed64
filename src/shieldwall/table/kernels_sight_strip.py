"""Compiled outlines of bases and of the strips between two of them.

A strip is what makes two bases one convex hull: the four-sided piece between the two lines that touch both
from outside. An oval stops lines as a polygon within EPS of it.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import COUNT, RADIUS, Floats, X, Y
from shieldwall.table.kernels import FIRST as FIRST_CORNER
from shieldwall.table.lean import lean

ARC_STEPS = 4  # tangents on each rounded corner of an oval
MOST_STEPS = 24  # more than enough: each brings the touching line several times closer
SAME_DIRECTION = 1e-12


@lean
def corners_needed(row: Floats) -> int:
    """How many corners `ring_of` makes of a footprint; a disc needs none."""
    count = int(row[COUNT])
    if count == 1:
        return 0
    return count if row[RADIUS] == 0.0 else count * (ARC_STEPS + 1)


@lean
def ring_of(points: Floats, row: Floats, ring: Floats) -> int:
    """Corners of a polygon that stands for one footprint with corners; how many there are."""
    first = int(row[FIRST_CORNER])
    count = int(row[COUNT])
    radius = row[RADIUS]
    if radius == 0.0:
        for k in range(count):
            ring[k, 0] = points[first + k, 0]
            ring[k, 1] = points[first + k, 1]
        return count
    made = 0
    for k in range(count):
        here = first + k
        before = first + (k - 1) % count
        after = first + (k + 1) % count
        start = math.atan2(points[before, 0] - points[here, 0], points[here, 1] - points[before, 1])
        turn = math.atan2(points[here, 0] - points[after, 0], points[after, 1] - points[here, 1]) - start
        turn -= 2.0 * math.pi * math.floor(turn / (2.0 * math.pi))
        for step in range(ARC_STEPS + 1):
            angle = start + turn * step / ARC_STEPS
            ring[made, 0] = points[here, 0] + radius * math.cos(angle)
            ring[made, 1] = points[here, 1] + radius * math.sin(angle)
            made += 1
    return made


@lean
def outermost(points: Floats, row: Floats, out_x: float, out_y: float) -> tuple[float, float]:
    """The point of a footprint that lies farthest in a direction of length 1."""
    first = int(row[FIRST_CORNER])
    best = first
    for k in range(first + 1, first + int(row[COUNT])):
        if (points[k, 0] - points[best, 0]) * out_x + (points[k, 1] - points[best, 1]) * out_y > 0.0:
            best = k
    return points[best, 0] + row[RADIUS] * out_x, points[best, 1] + row[RADIUS] * out_y


@lean
def touching_line(
    points: Floats, a: Floats, b: Floats, side: float
) -> tuple[float, float, float, float, bool]:
    """Where the line that has both on its left (side 1) or right (-1) touches a and b, and if there is one.

    Starts with the direction of the centres and turns until the line between the outermost points is it.
    """
    along_x = b[X] - a[X]
    along_y = b[Y] - a[Y]
    ax, ay, bx, by = 0.0, 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        length = math.sqrt(along_x * along_x + along_y * along_y)
        if length == 0.0:
            return 0.0, 0.0, 0.0, 0.0, False
        out_x = side * along_y / length
        out_y = -side * along_x / length
        ax, ay = outermost(points, a, out_x, out_y)
        bx, by = outermost(points, b, out_x, out_y)
        if abs((bx - ax) * out_x + (by - ay) * out_y) <= SAME_DIRECTION * length:
            break
        along_x = bx - ax
        along_y = by - ay
    ahead = (bx - ax) * (b[X] - a[X]) + (by - ay) * (b[Y] - a[Y])
    return ax, ay, bx, by, ahead > 0.0


@lean
def strip_of(points: Floats, a: Floats, b: Floats, strip: Floats) -> bool:
    """The four corners, counter-clockwise, of the strip between two footprints; False when they need none."""
    for k in range(2):
        ax, ay, bx, by, is_there = touching_line(points, a, b, 1.0 - 2.0 * k)
        if not is_there:
            return False
        strip[3 * k, 0] = ax
        strip[3 * k, 1] = ay
        strip[1 + k, 0] = bx
        strip[1 + k, 1] = by
    return True
