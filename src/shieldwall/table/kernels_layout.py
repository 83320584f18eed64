"""Compiled kernels for laying out a table: distances between outlines, and boxes pushed apart.

Outlines lie in one array of vertices, in inches; outline i owns points[start[i]:start[i + 1]]. They are
simple polygons and need not be convex.
"""

from __future__ import annotations

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import Floats, Ints
from shieldwall.table.kernels_polygon import border_distance, point_in_polygon
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS


@lean
def outlines_apart(points: Floats, a: int, a_end: int, b: int, b_end: int) -> float:
    """Distance of two outlines; 0 when they touch, -1 when they share ground."""
    best = np.inf
    for i in range(a, a_end):
        best = min(best, border_distance(points, b, b_end, points[i, 0], points[i, 1]))
    for i in range(b, b_end):
        best = min(best, border_distance(points, a, a_end, points[i, 0], points[i, 1]))
    # Ground is shared where a stretch of one border runs inside the other outline, or where both are equal.
    if _border_enters(points, a, a_end, b, b_end) or _border_enters(points, b, b_end, a, a_end):
        return -1.0
    if best <= EPS and (
        _middle_shared(points, a, a_end, b, b_end) or _middle_shared(points, b, b_end, a, a_end)
    ):
        return -1.0
    return best


@kernel
def _border_enters(points: Floats, a: int, a_end: int, b: int, b_end: int) -> bool:
    """Whether some stretch of the border of outline a lies inside outline b, by more than the tolerance."""
    cuts = np.empty(2 * (b_end - b) + 2)
    j = a_end - 1
    for i in range(a, a_end):
        count = _cut_edge(points, j, i, b, b_end, cuts)
        cuts[:count].sort()
        for k in range(1, count):
            t = (cuts[k - 1] + cuts[k]) / 2.0
            x = points[j, 0] + t * (points[i, 0] - points[j, 0])
            y = points[j, 1] + t * (points[i, 1] - points[j, 1])
            if point_in_polygon(points, b, b_end, x, y) and border_distance(points, b, b_end, x, y) > EPS:
                return True
        j = i
    return False


@lean
def _cut_edge(points: Floats, j: int, i: int, b: int, b_end: int, cuts: Floats) -> int:
    """Where outline b may cut the edge from vertex j to vertex i, as shares of its length, ends included."""
    cuts[0] = 0.0
    cuts[1] = 1.0
    count = 2
    ex = points[i, 0] - points[j, 0]
    ey = points[i, 1] - points[j, 1]
    long = ex * ex + ey * ey
    m = b_end - 1
    for k in range(b, b_end):
        # The foot of a vertex of b cuts edges that run along each other, the crossing of lines all others.
        foot = ((points[k, 0] - points[j, 0]) * ex + (points[k, 1] - points[j, 1]) * ey) / max(long, 1e-12)
        if 0.0 < foot < 1.0:
            cuts[count] = foot
            count += 1
        fx = points[k, 0] - points[m, 0]
        fy = points[k, 1] - points[m, 1]
        slant = ex * fy - ey * fx
        if abs(slant) > 1e-12:
            t = ((points[m, 0] - points[j, 0]) * fy - (points[m, 1] - points[j, 1]) * fx) / slant
            if 0.0 < t < 1.0:
                cuts[count] = t
                count += 1
        m = k
    return count


@lean
def _middle_shared(points: Floats, a: int, a_end: int, b: int, b_end: int) -> bool:
    """Whether a point well inside outline a, is well inside outline b; finds outlines that are equal."""
    for i in range(a + 2, a_end):
        x = (points[a, 0] + points[i - 1, 0] + points[i, 0]) / 3.0
        y = (points[a, 1] + points[i - 1, 1] + points[i, 1]) / 3.0
        if (
            point_in_polygon(points, a, a_end, x, y)
            and point_in_polygon(points, b, b_end, x, y)
            and border_distance(points, a, a_end, x, y) > EPS
            and border_distance(points, b, b_end, x, y) > EPS
        ):
            return True
    return False


@kernel
def apart_table(points: Floats, start: Ints) -> Floats:
    """Distances of all outlines to each other, as `outlines_apart`; the diagonal is infinite."""
    count = len(start) - 1
    found = np.full((count, count), np.inf)
    for a in range(count):
        for b in range(a + 1, count):
            far = outlines_apart(points, start[a], start[a + 1], start[b], start[b + 1])
            found[a, b] = far
            found[b, a] = far
    return found


# Columns of a box that `push_apart` moves: centre, half sides, where its width points, where the centre may
# go, whether it is solid, whether it is the middle piece that stays and has no partner.
BOX_X, BOX_Y, HALF_W, HALF_D, COS, SIN, LOW_X, HIGH_X, LOW_Y, HIGH_Y, SOLID, FIXED = range(12)
BOX_COLUMNS = 12


@lean
def push_out(
    boxes: Floats, i: int, j: int, dx: float, dy: float, margin: float
) -> tuple[float, float, float]:
    """How deep box j, seen (dx, dy) from box i, is within the margin, and its way out; depth 0 if not."""
    best = np.inf
    out_x = 0.0
    out_y = 0.0
    for turn in range(4):
        box = i if turn < 2 else j
        ux = boxes[box, COS]
        uy = boxes[box, SIN]
        if turn % 2 == 1:
            ux, uy = -uy, ux
        reach = margin
        for other in (i, j):
            along = abs(ux * boxes[other, COS] + uy * boxes[other, SIN])
            across = abs(uy * boxes[other, COS] - ux * boxes[other, SIN])
            reach += boxes[other, HALF_W] * along + boxes[other, HALF_D] * across
        far = dx * ux + dy * uy
        deep = reach - abs(far)
        if deep <= 0.0:
            return 0.0, 0.0, 0.0
        if deep < best:
            best = deep
            side = 1.0 if far >= 0.0 else -1.0
            out_x = ux * side
            out_y = uy * side
    return best, out_x, out_y


@lean
def _shift(boxes: Floats, i: int, dx: float, dy: float) -> None:
    boxes[i, BOX_X] = min(boxes[i, HIGH_X], max(boxes[i, LOW_X], boxes[i, BOX_X] + dx))
    boxes[i, BOX_Y] = min(boxes[i, HIGH_Y], max(boxes[i, LOW_Y], boxes[i, BOX_Y] + dy))


@lean
def push_apart(
    boxes: Floats, width: float, depth: float, gap: float, solid_gap: float, sweeps: int, slack: float
) -> float:
    """Move boxes until they and their partners, turned half about the table's middle, keep their gaps.

    Returns how much the worst pair still lacks: at most `slack` when it worked, more when the sweeps ran out.
    """
    worst = np.inf
    for _ in range(sweeps):
        worst = 0.0
        for i in range(boxes.shape[0]):
            for j in range(i, boxes.shape[0]):
                margin = solid_gap if boxes[i, SOLID] > 0.0 and boxes[j, SOLID] > 0.0 else gap
                for turned in range(2):
                    if turned == 0 and i == j:
                        continue
                    if turned == 1 and (boxes[i, FIXED] > 0.0 or boxes[j, FIXED] > 0.0):
                        continue
                    x = width - boxes[j, BOX_X] if turned == 1 else boxes[j, BOX_X]
                    y = depth - boxes[j, BOX_Y] if turned == 1 else boxes[j, BOX_Y]
                    deep, ux, uy = push_out(boxes, i, j, x - boxes[i, BOX_X], y - boxes[i, BOX_Y], margin)
                    worst = max(worst, deep)
                    if deep <= 0.0:
                        continue
                    step = deep if boxes[i, FIXED] > 0.0 or boxes[j, FIXED] > 0.0 else deep / 2
                    back = -step if turned == 1 else step
                    if boxes[i, FIXED] == 0.0:
                        _shift(boxes, i, -ux * step, -uy * step)
                    if boxes[j, FIXED] == 0.0 and i != j:
                        _shift(boxes, j, ux * back, uy * back)
        if worst <= slack:
            break
    return worst
