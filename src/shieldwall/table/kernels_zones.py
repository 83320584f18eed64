"""Compiled kernels for putting things down: how far footprints reach, where they fit, where markers go."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COLUMNS, COUNT, FIRST, RADIUS, REACH, Floats, Ints, X, Y, gap
from shieldwall.table.kernels_polygon import point_in_polygon, polygon_overlaps
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

ROUND_TO = 1000.0  # steps of the stored grid in an inch
FINEST = 0.25  # inches between places tried near a marker


@lean
def extent_of(points: Floats, rows: Floats) -> tuple[float, float, float, float]:
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


@lean
def first_overlap(
    points: Floats, rows: Floats, pieces: Floats, start: Ints, circles: Floats, avoid: Ints
) -> int:
    """The first piece among those to avoid on which some footprint lies, or -1."""
    for q in range(avoid.shape[0]):
        if avoid[q] == 0:
            continue
        for i in range(rows.shape[0]):
            dx = circles[q, 0] - rows[i, X]
            dy = circles[q, 1] - rows[i, Y]
            bound = circles[q, 2] + rows[i, REACH]
            if dx * dx + dy * dy <= bound * bound and polygon_overlaps(
                points, rows, i, pieces, start[q], start[q + 1]
            ):
                return q
    return -1


@lean
def is_clear(points: Floats, rows: Floats, others: Floats, other_rows: Floats, least: Floats) -> bool:
    """Whether footprint 0 keeps at least `least[j]` from every footprint j of the others."""
    for j in range(other_rows.shape[0]):
        dx = other_rows[j, X] - rows[0, X]
        dy = other_rows[j, Y] - rows[0, Y]
        bound = least[j] + rows[0, REACH] + other_rows[j, REACH]
        if dx * dx + dy * dy < bound * bound and gap(points, rows, 0, others, other_rows, j) < least[j]:
            return False
    return True


@lean
def grid_sizes(rects: Floats, size: Floats, step: float, grid: Floats) -> int:
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


@lean
def cell_centre(rects: Floats, size: Floats, grid: Floats, cell: int) -> tuple[float, float]:
    """Where the footprint's centre lies in a cell, on the stored grid; cells go line by line."""
    r = 0
    while cell >= int(grid[r, 2] * grid[r, 3]) or grid[r, 2] == 0.0:
        cell -= int(grid[r, 2] * grid[r, 3])
        r += 1
    columns, lines = int(grid[r, 2]), int(grid[r, 3])
    line, column = cell // columns, cell % columns
    x = rects[r, 0] + size[0] + grid[r, 0] * column / max(columns - 1, 1)
    y = rects[r, 1] + size[1] + grid[r, 1] * line / max(lines - 1, 1)
    return round(x * ROUND_TO) / ROUND_TO, round(y * ROUND_TO) / ROUND_TO


@kernel
def free_spots(
    rects: Floats, local: Floats, step: float,
    others: Floats, other_rows: Floats, least: Floats,
    pieces: Floats, start: Ints, circles: Floats, avoid: Ints,
    number: int, answer: Floats,
) -> int:  # fmt: skip
    """Centres, at even steps, where a footprint lies wholly in a rectangle and keeps clear of everything.

    `local` are its corners about its centre; spots lie on the stored grid. The search begins at a cell chosen by
    `number` and goes once round. Returns how many were found, at most as many as `answer` holds.
    """
    points = np.empty_like(local)
    rows = np.zeros((1, COLUMNS))
    rows[0, COUNT] = local.shape[0]
    size = np.array([-local[:, 0].min(), -local[:, 1].min(), local[:, 0].max(), local[:, 1].max()])
    for k in range(local.shape[0]):
        rows[0, REACH] = max(rows[0, REACH], math.sqrt(local[k, 0] ** 2 + local[k, 1] ** 2))
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
        if not is_clear(points, rows, others, other_rows, least):
            continue
        if first_overlap(points, rows, pieces, start, circles, avoid) >= 0:
            continue
        answer[found, 0] = x
        answer[found, 1] = y
        found += 1
        if found == answer.shape[0]:
            break
    return found


@kernel
def base_fits_near(
    x: float, y: float, reach: float, side: float, width: float, depth: float,
    pieces: Floats, start: Ints, circles: Floats, avoid: Ints,
) -> bool:  # fmt: skip
    """Whether a square base, straight or turned by 45 degrees, can stand within reach of a point."""
    half = side / 2.0
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
                    if (
                        points[:, 0].min() < -EPS
                        or points[:, 0].max() > width + EPS
                        or points[:, 1].min() < -EPS
                        or points[:, 1].max() > depth + EPS
                    ):
                        continue
                    rows[0, X] = x + dx
                    rows[0, Y] = y + dy
                    if first_overlap(points, rows, pieces, start, circles, avoid) < 0:
                        return True
    return False


@lean
def _put_square(points: Floats, x: float, y: float, a: float, b: float) -> None:
    """Four corners counter-clockwise: a = b for a straight square, a = 0 for one that stands on its tip."""
    points[0, 0], points[0, 1] = x - b, y - a
    points[1, 0], points[1, 1] = x + a, y - b
    points[2, 0], points[2, 1] = x + b, y + a
    points[3, 0], points[3, 1] = x - a, y + b


@lean
def marker_spots(
    xs: Floats, ys: Floats, strips: Floats, taken: Floats, apart: float, reach: float, base: float,
    pieces: Floats, start: Ints, circles: Floats, solid: Ints, shut: Ints, answer: Floats,
) -> int:  # fmt: skip
    """Which points of a grid may take a marker; returns how many were written.

    `strips`: x and y the spot must be over, x and y it must be under, width and depth of the table. `solid`
    pieces carry no base, `shut` ones no marker.
    """
    width = strips[4]
    depth = strips[5]
    found = 0
    for i in range(xs.shape[0]):
        x = xs[i]
        if x <= strips[0] or x >= strips[2]:
            continue
        for j in range(ys.shape[0]):
            y = ys[j]
            if y <= strips[1] or y >= strips[3]:
                continue
            fits = True
            for k in range(taken.shape[0]):
                if math.hypot(taken[k, 0] - x, taken[k, 1] - y) <= apart + EPS:
                    fits = False
            for q in range(shut.shape[0]):
                if fits and shut[q] and point_in_polygon(pieces, start[q], start[q + 1], x, y):
                    fits = False
            if fits and base_fits_near(x, y, reach, base, width, depth, pieces, start, circles, solid):
                answer[found, 0] = x
                answer[found, 1] = y
                found += 1
    return found


@kernel
def farthest_first(spots: Floats, taken: Floats, chosen: Ints) -> int:
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
