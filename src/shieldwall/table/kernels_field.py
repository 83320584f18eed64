"""Compiled upkeep of the field: sets of footprints put together and taken apart, and circles round them."""

from __future__ import annotations

import math

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COLUMNS, FIRST, REACH, Floats, Ints, X, Y, point_gap, put_together
from shieldwall.table.lean import lean


@lean
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


@lean
def put_unit(
    points: Floats, rows: Floats, circles: Floats, unit: int, first: int, new_points: Floats, new_rows: Floats
) -> None:
    """Write as many footprints as a unit had before in the place of its old ones, and the circle round it."""
    first_point = int(rows[first, FIRST])
    for k in range(new_points.shape[0]):
        points[first_point + k, 0] = new_points[k, 0]
        points[first_point + k, 1] = new_points[k, 1]
    for i in range(new_rows.shape[0]):
        for column in range(COLUMNS):
            rows[first + i, column] = new_rows[i, column]
        rows[first + i, FIRST] += first_point
    circles[unit, 0], circles[unit, 1], circles[unit, 2] = enclosing_circle(new_rows, 0, new_rows.shape[0])


@lean
def put_block(
    points: Floats, rows: Floats, circles: Floats, unit: int, first: int, local: Floats, form: Floats,
    x: float, y: float, heading: float, z: float,
) -> None:  # fmt: skip
    """Put a block down in the place of its old footprints, which were as many, and a circle round it."""
    first_point = int(rows[first, FIRST])
    stop = first + form.shape[0]
    put_together(
        local, form, x, y, heading, z, points[first_point : first_point + local.shape[0]], rows[first:stop]
    )
    for i in range(first, stop):
        rows[i, FIRST] += first_point
    circles[unit, 0], circles[unit, 1], circles[unit, 2] = enclosing_circle(rows, first, stop)


@lean
def is_enemy_near(circles: Floats, sides: Ints, unit: int, reach: float) -> bool:
    """A glance at the circles round the units: whether an enemy may be within reach. False is certain."""
    for other in range(sides.shape[0]):
        if sides[other] != sides[unit]:
            dx, dy = circles[other, 0] - circles[unit, 0], circles[other, 1] - circles[unit, 1]
            bound = reach + circles[unit, 2] + circles[other, 2]
            if dx * dx + dy * dy <= bound * bound:
                return True
    return False


@lean
def note_near(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, x: float, y: float, z: float, heights: bool,
    limit: float, answer: Ints,
) -> int:  # fmt: skip
    """Which units have a base at most `limit` from a point; how many there are."""
    found = 0
    for unit in range(bounds.shape[0]):
        dx, dy = circles[unit, 0] - x, circles[unit, 1] - y
        bound = limit + circles[unit, 2]
        if dx * dx + dy * dy > bound * bound:
            continue
        if point_gap(points, rows, bounds[unit, 0], bounds[unit, 1], x, y, z, heights)[0] <= limit:
            answer[found] = unit
            found += 1
    return found


@kernel
def splice(
    points: Floats, rows: Floats, first: int, stop: int, new_points: Floats, new_rows: Floats,
    joined_points: Floats, joined_rows: Floats,
) -> None:  # fmt: skip
    """A set whose footprints first..stop are replaced by another set's, which may be more or fewer."""
    count = rows.shape[0]
    p0 = int(rows[first, FIRST]) if first < count else points.shape[0]
    p1 = int(rows[stop, FIRST]) if stop < count else points.shape[0]
    grown = new_rows.shape[0] - (stop - first)
    p_grown = new_points.shape[0] - (p1 - p0)
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
