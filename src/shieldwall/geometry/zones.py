"""Where things may be put: pieces of terrain on a table, bases inside a zone."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.geometry.distance import COLUMNS, COUNT, FIRST, RADIUS, REACH, X, Y, gap, overhang
from shieldwall.geometry.ground import sort_up
from shieldwall.geometry.polygons import border_distance, point_in_polygon, polygon_overlaps
from shieldwall.geometry.scene import (
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    Bodies,
    FlatScene,
    FlatTerrain,
)
from shieldwall.geometry.tolerance import EPS, GRID

# ----------------------------------------------------------------------------------------------------
# Compiled kernels for laying out a table: distances between outlines, and boxes pushed apart.
#
# Outlines lie in one array of vertices, in inches; outline i owns points[start[i]:start[i + 1]]. They are
# simple polygons and need not be convex.


def outlines_apart(points: Matrix, a: int, a_end: int, b: int, b_end: int) -> float:
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


def _border_enters(points: Matrix, a: int, a_end: int, b: int, b_end: int) -> bool:
    """Whether some stretch of the border of outline a lies inside outline b, by more than the tolerance."""
    cuts = np.empty(2 * (b_end - b) + 2)
    j = a_end - 1
    for i in range(a, a_end):
        count = _cut_edge(points, j, i, b, b_end, cuts)
        sort_up(cuts, count)
        for k in range(1, count):
            t = (cuts[k - 1] + cuts[k]) / 2.0
            x = points[j, 0] + t * (points[i, 0] - points[j, 0])
            y = points[j, 1] + t * (points[i, 1] - points[j, 1])
            if point_in_polygon(points, b, b_end, x, y) and border_distance(points, b, b_end, x, y) > EPS:
                return True
        j = i
    return False


def _cut_edge(points: Matrix, j: int, i: int, b: int, b_end: int, cuts: Floats) -> int:
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


def _middle_shared(points: Matrix, a: int, a_end: int, b: int, b_end: int) -> bool:
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


def apart_table(points: Matrix, start: Ints) -> Matrix:
    """Distances of all outlines to each other, as `outlines_apart`; the diagonal is infinite."""
    count = start.shape[0] - 1
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


def push_out(
    boxes: Matrix, i: int, j: int, dx: float, dy: float, margin: float
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
        for second in range(2):
            other = j if second else i
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


def _shift(boxes: Matrix, i: int, dx: float, dy: float) -> None:
    boxes[i, BOX_X] = min(boxes[i, HIGH_X], max(boxes[i, LOW_X], boxes[i, BOX_X] + dx))
    boxes[i, BOX_Y] = min(boxes[i, HIGH_Y], max(boxes[i, LOW_Y], boxes[i, BOX_Y] + dy))


def push_apart(
    boxes: Matrix, width: float, depth: float, gap: float, solid_gap: float, sweeps: int, slack: float
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


# ----------------------------------------------------------------------------------------------------
# Compiled kernels for putting things down: how far footprints reach, where they fit, where markers go.

FINEST = 0.25  # inches between places tried near a marker


def extent_of(points: Matrix, rows: Matrix) -> tuple[float, float, float, float]:
    """Left, near, right and far end of a set of footprints."""
    left = math.inf
    near = math.inf
    right = -math.inf
    far = -math.inf
    for i in range(rows.shape[0]):
        first = int(rows[i, FIRST])
        radius = rows[i, RADIUS]
        for k in range(first, first + int(rows[i, COUNT])):
            left = min(left, points[k, 0] - radius)
            near = min(near, points[k, 1] - radius)
            right = max(right, points[k, 0] + radius)
            far = max(far, points[k, 1] + radius)
    return left, near, right, far


def first_overlap(points: Matrix, rows: Matrix, terrain: FlatTerrain, avoid: Ints) -> int:
    """The first piece among those to avoid on which some footprint lies, or -1."""
    for q in range(avoid.shape[0]):
        if avoid[q] == 0:
            continue
        first = int(terrain.rows[q, PIECE_FIRST])
        stop = first + int(terrain.rows[q, PIECE_COUNT])
        for i in range(rows.shape[0]):
            dx = terrain.rows[q, PIECE_X] - rows[i, X]
            dy = terrain.rows[q, PIECE_Y] - rows[i, Y]
            bound = terrain.rows[q, PIECE_REACH] + rows[i, REACH]
            if dx * dx + dy * dy <= bound * bound and polygon_overlaps(
                points, rows, i, terrain.points, first, stop
            ):
                return q
    return -1


def keeps_clear(points: Matrix, rows: Matrix, others: Bodies, least: Floats) -> bool:
    """Whether footprint 0 keeps at least `least[j]` from every footprint j of the others."""
    for j in range(others.rows.shape[0]):
        dx = others.rows[j, X] - rows[0, X]
        dy = others.rows[j, Y] - rows[0, Y]
        bound = least[j] + rows[0, REACH] + others.rows[j, REACH]
        if (
            dx * dx + dy * dy < bound * bound
            and gap(points, rows, 0, others.points, others.rows, j) < least[j]
        ):
            return False
    return True


def grid_sizes(rects: Matrix, size: Floats, step: float, grid: Matrix) -> int:
    """How a footprint fits each rectangle: free width and depth, columns and lines of even steps; cells in all.

    `size` is how far it reaches to the left, near, right and far of its centre.
    """
    cells = 0
    for r in range(rects.shape[0]):
        grid[r, 0] = rects[r, 2] - rects[r, 0] - size[0] - size[2]
        grid[r, 1] = rects[r, 3] - rects[r, 1] - size[1] - size[3]
        grid[r, 2] = 0.0
        if grid[r, 0] >= -EPS and grid[r, 1] >= -EPS:
            grid[r, 2] = math.ceil(max(grid[r, 0], 0.0) / step) + 1
            grid[r, 3] = math.ceil(max(grid[r, 1], 0.0) / step) + 1
            cells += int(grid[r, 2] * grid[r, 3])
    return cells


def cell_centre(rects: Matrix, size: Floats, grid: Matrix, cell: int) -> tuple[float, float]:
    """Where the footprint's centre lies in a cell, on the stored grid; cells go line by line."""
    r = 0
    while cell >= int(grid[r, 2] * grid[r, 3]) or grid[r, 2] == 0.0:
        cell -= int(grid[r, 2] * grid[r, 3])
        r += 1
    columns, lines = int(grid[r, 2]), int(grid[r, 3])
    line, column = cell // columns, cell % columns
    x = rects[r, 0] + size[0] + grid[r, 0] * column / max(columns - 1, 1)
    y = rects[r, 1] + size[1] + grid[r, 1] * line / max(lines - 1, 1)
    return round(x * GRID) / GRID, round(y * GRID) / GRID


def free_spots(
    scene: FlatScene,
    rects: Matrix,
    local: Matrix,
    step: float,
    least: Floats,
    avoid: Ints,
    number: int,
    answer: Matrix,
) -> int:
    """Centres, at even steps, where a footprint lies wholly in a rectangle and keeps clear of everything.

    `local` are its corners about its centre; it keeps `least` from each body and off the pieces to avoid. Spots lie on
    the stored grid. The search begins at a cell chosen by `number` and goes once round. Returns how many were found, at
    most as many as `answer` holds.
    """
    points = np.empty((local.shape[0], 2))
    rows = np.zeros((1, COLUMNS))
    rows[0, COUNT] = local.shape[0]
    size = np.full(4, -math.inf)  # how far it reaches to the left, down, right and up
    for k in range(local.shape[0]):
        size[0], size[1] = max(size[0], -local[k, 0]), max(size[1], -local[k, 1])
        size[2], size[3] = max(size[2], local[k, 0]), max(size[3], local[k, 1])
    for k in range(local.shape[0]):
        rows[0, REACH] = max(rows[0, REACH], math.sqrt(local[k, 0] * local[k, 0] + local[k, 1] * local[k, 1]))
    grid = np.zeros((rects.shape[0], 4))
    cells = grid_sizes(rects, size, step, grid)
    found = 0
    for i in range(cells):
        x, y = cell_centre(rects, size, grid, (number + i) % cells)
        rows[0, X] = x
        rows[0, Y] = y
        for k in range(local.shape[0]):
            points[k, 0] = x + local[k, 0]
            points[k, 1] = y + local[k, 1]
        if not keeps_clear(points, rows, scene.bodies, least):
            continue
        if first_overlap(points, rows, scene.terrain, avoid) >= 0:
            continue
        answer[found, 0] = x
        answer[found, 1] = y
        found += 1
        if found == answer.shape[0]:
            break
    return found


class MarkerSearch(NamedTuple):
    """Where markers may lie: between which lines, on a table of which size, and how near a square base
    must find room. `barred` pieces carry no base, `shut` ones no marker.
    """

    left: float
    near: float
    right: float
    far: float
    width: float
    depth: float
    reach: float
    base: float
    barred: Ints
    shut: Ints


def base_fits_near(x: float, y: float, search: MarkerSearch, terrain: FlatTerrain) -> bool:
    """Whether a square base, straight or turned by 45 degrees, can stand within reach of a point."""
    half, reach = search.base / 2.0, search.reach
    points = np.empty((4, 2))
    rows = np.zeros((1, COLUMNS))
    rows[0, COUNT] = 4
    rows[0, REACH] = half * math.sqrt(2.0)
    steps = math.ceil((reach + rows[0, REACH]) / FINEST)
    for ring in range(steps + 1):
        for i in range(-ring, ring + 1):
            for j in range(-ring, ring + 1):
                if max(abs(i), abs(j)) != ring:
                    continue
                for turned in range(2):
                    dx = i * FINEST
                    dy = j * FINEST
                    if turned == 0:
                        a, b = half, half
                        out = math.hypot(max(abs(dx) - half, 0.0), max(abs(dy) - half, 0.0))
                    else:
                        a, b = 0.0, half * math.sqrt(2.0)
                        along = abs(dx + dy) / math.sqrt(2.0) - half
                        across = abs(dx - dy) / math.sqrt(2.0) - half
                        out = math.hypot(max(along, 0.0), max(across, 0.0))
                    if out > reach + EPS:
                        continue
                    _put_square(points, x + dx, y + dy, a, b)
                    if overhang(points, rows, 0, 1, 0.0, 0.0, search.width, search.depth) > EPS:
                        continue
                    rows[0, X] = x + dx
                    rows[0, Y] = y + dy
                    if first_overlap(points, rows, terrain, search.barred) < 0:
                        return True
    return False


def _put_square(points: Matrix, x: float, y: float, a: float, b: float) -> None:
    """Four corners counter-clockwise: a = b for a straight square, a = 0 for one that stands on its tip."""
    points[0, 0], points[0, 1] = x - b, y - a
    points[1, 0], points[1, 1] = x + a, y - b
    points[2, 0], points[2, 1] = x + b, y + a
    points[3, 0], points[3, 1] = x - a, y + b


def marker_spots(xs: Floats, ys: Floats, search: MarkerSearch, terrain: FlatTerrain, answer: Matrix) -> int:
    """Which points of a grid may take a first marker; returns how many were written."""
    found = 0
    for i in range(xs.shape[0]):
        x = xs[i]
        if x <= search.left or x >= search.right:
            continue
        for j in range(ys.shape[0]):
            y = ys[j]
            if y <= search.near or y >= search.far:
                continue
            fits = True
            for q in range(search.shut.shape[0]):
                first = int(terrain.rows[q, PIECE_FIRST])
                stop = first + int(terrain.rows[q, PIECE_COUNT])
                if fits and search.shut[q] and point_in_polygon(terrain.points, first, stop, x, y):
                    fits = False
            if fits and base_fits_near(x, y, search, terrain):
                answer[found, 0] = x
                answer[found, 1] = y
                found += 1
    return found


def farthest_first(spots: Matrix, taken: Matrix, chosen: Ints) -> int:
    """Indexes of spots into `chosen`, each time the one farthest from those taken and chosen so far; how many."""
    total = spots.shape[0]
    far = np.full(total, np.inf)
    for i in range(total):
        for k in range(taken.shape[0]):
            dx, dy = taken[k, 0] - spots[i, 0], taken[k, 1] - spots[i, 1]
            far[i] = min(far[i], dx * dx + dy * dy)
    count = int(min(chosen.shape[0], total))
    for pick in range(count):
        best = 0
        for i in range(1, total):
            if far[i] > far[best]:
                best = i
        chosen[pick] = best
        for i in range(total):
            dx, dy = spots[best, 0] - spots[i, 0], spots[best, 1] - spots[i, 1]
            far[i] = min(far[i], dx * dx + dy * dy)
        far[best] = -1.0
    return count
