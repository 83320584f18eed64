"""Compiled upkeep of the field: sets of footprints put together and taken apart, and circles round them."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COLUMNS, FIRST, REACH, Floats, X, Y


@kernel
def overwritten(points: Floats, first: int, new_points: Floats) -> Floats:
    """A copy of vertices, some of them replaced."""
    copied = points.copy()
    for i in range(new_points.shape[0]):
        copied[first + i, 0] = new_points[i, 0]
        copied[first + i, 1] = new_points[i, 1]
    return copied


@kernel
def overwritten_rows(rows: Floats, first: int, new_rows: Floats, first_point: int) -> Floats:
    """A copy of rows, some of them replaced by others whose vertices begin at `first_point`."""
    copied = rows.copy()
    for i in range(new_rows.shape[0]):
        for column in range(COLUMNS):
            copied[first + i, column] = new_rows[i, column]
        copied[first + i, FIRST] += first_point
    return copied


@kernel
def splice(
    points: Floats, rows: Floats, first: int, stop: int, new_points: Floats, new_rows: Floats
) -> tuple[Floats, Floats]:
    """A set whose footprints first..stop are replaced by another set's, which may be more or fewer."""
    count = rows.shape[0]
    p0 = int(rows[first, FIRST]) if first < count else points.shape[0]
    p1 = int(rows[stop, FIRST]) if stop < count else points.shape[0]
    grown = new_rows.shape[0] - (stop - first)
    p_grown = new_points.shape[0] - (p1 - p0)
    if grown == 0 and p_grown == 0:
        return overwritten(points, p0, new_points), overwritten_rows(rows, first, new_rows, p0)
    joined_points = np.empty((points.shape[0] + p_grown, 2))
    joined_rows = np.empty((count + grown, COLUMNS))
    joined_points[:p0] = points[:p0]
    joined_points[p0 : p1 + p_grown] = new_points
    joined_points[p1 + p_grown :] = points[p1:]
    joined_rows[:first] = rows[:first]
    joined_rows[first : stop + grown] = new_rows
    joined_rows[stop + grown :] = rows[stop:]
    for i in range(first, stop + grown):
        joined_rows[i, FIRST] += p0
    for i in range(stop + grown, count + grown):
        joined_rows[i, FIRST] += p_grown
    return joined_points, joined_rows


@kernel
def enclosing_circle(rows: Floats, first: int, stop: int) -> tuple[float, float, float]:
    """A circle that holds footprints first..stop, about the middle of their box; not the smallest."""
    left = near = math.inf
    right = far = -math.inf
    for i in range(first, stop):
        left = min(left, rows[i, X] - rows[i, REACH])
        right = max(right, rows[i, X] + rows[i, REACH])
        near = min(near, rows[i, Y] - rows[i, REACH])
        far = max(far, rows[i, Y] + rows[i, REACH])
    x = (left + right) / 2.0
    y = (near + far) / 2.0
    reach = 0.0
    for i in range(first, stop):
        dx = rows[i, X] - x
        dy = rows[i, Y] - y
        reach = max(reach, math.sqrt(dx * dx + dy * dy) + rows[i, REACH])
    return x, y, reach
