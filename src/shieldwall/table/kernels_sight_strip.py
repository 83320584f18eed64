"""Compiled outlines of bases and of the strips between two of them.
A strip is what makes two bases one convex hull. Between two discs it lies between their common tangents;
between other bases it is the hull of polygons that stand for them, within a few thousandths of an inch.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import COUNT, RADIUS, Floats, X, Y
from shieldwall.table.kernels import FIRST as FIRST_CORNER
from shieldwall.table.lean import lean

ARC_STEPS = 4  # tangents on each rounded corner of an oval
DISC_CORNERS = 48  # of the polygon that stands for a disc in a strip between unlike bases


@lean
def ring_of(points: Floats, row: Floats, ring: Floats) -> int:
    """Corners of a polygon that stands for one footprint; how many there are."""
    first = int(row[FIRST_CORNER])
    count = int(row[COUNT])
    radius = row[RADIUS]
    if count == 1:
        for k in range(DISC_CORNERS):
            angle = 2.0 * math.pi * k / DISC_CORNERS
            ring[k, 0] = row[X] + radius * math.cos(angle)
            ring[k, 1] = row[Y] + radius * math.sin(angle)
        return DISC_CORNERS
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
def hull_of(ring: Floats, count: int, hull: Floats) -> int:
    """The convex hull, counter-clockwise, by walking round it; how many corners it has."""
    start = 0
    for k in range(1, count):
        if ring[k, 0] < ring[start, 0] or (ring[k, 0] == ring[start, 0] and ring[k, 1] < ring[start, 1]):
            start = k
    here = start
    made = 0
    while made < count:
        hull[made, 0] = ring[here, 0]
        hull[made, 1] = ring[here, 1]
        made += 1
        after = -1
        for k in range(count):
            to_x = ring[k, 0] - ring[here, 0]
            to_y = ring[k, 1] - ring[here, 1]
            length2 = to_x * to_x + to_y * to_y
            if length2 == 0.0:
                continue
            if after < 0:
                after = k
                continue
            old_x = ring[after, 0] - ring[here, 0]
            old_y = ring[after, 1] - ring[here, 1]
            turn = old_x * to_y - old_y * to_x
            if turn < 0.0 or (turn == 0.0 and length2 > old_x * old_x + old_y * old_y):
                after = k
        if after < 0 or after == start:
            return made
        here = after
    return made


@lean
def strip_of(points: Floats, a: Floats, b: Floats, ring: Floats, hull: Floats) -> int:
    """Corners of the strip that makes two footprints one hull; 0 of them when one holds the other."""
    if a[COUNT] > 1.0 or b[COUNT] > 1.0:
        count = ring_of(points, a, ring)
        count += ring_of(points, b, ring[count:])
        return hull_of(ring, count, hull)
    dx = b[X] - a[X]
    dy = b[Y] - a[Y]
    apart = math.sqrt(dx * dx + dy * dy)
    narrowing = a[RADIUS] - b[RADIUS]
    if apart <= abs(narrowing):
        return 0
    sine = narrowing / apart  # of the angle by which the common tangents turn towards the smaller disc
    cosine = math.sqrt(1.0 - sine * sine)
    along_x = dx / apart
    along_y = dy / apart
    for k in range(4):
        side = -1.0 if k < 2 else 1.0
        disc = a if k in (0, 3) else b
        out_x = along_x * sine - side * along_y * cosine
        out_y = along_y * sine + side * along_x * cosine
        hull[k, 0] = disc[X] + disc[RADIUS] * out_x
        hull[k, 1] = disc[Y] + disc[RADIUS] * out_y
    return 4
