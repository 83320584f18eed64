"""Ways over the grid of a table: how far it is to a marker from anywhere, and what lies on a straight line."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.geometry.arrays import Cube, Floats, Ints, Matrix
from shieldwall.geometry.ground import length_of

STEP = 1.5  # inches between points of the grid
TIGHT = 6.0  # what an inch costs where it is too near to something impassable for so wide a unit
RING = 24  # directions in which a way round is looked for
EDGE = 1.0  # inches from the edge of the table that a way round keeps


class Grid(NamedTuple):
    """Inches of open ground from every point to every marker (marker, row, column), and what an inch costs there."""

    far: Cube
    slow: Matrix


def units_near(circles: Matrix, me: int, reach: float, near: Ints) -> int:
    """The rows of all units whose circle comes so near to that of unit `me`; how many there are."""
    count = 0
    for row in range(circles.shape[0]):
        bound = circles[me, 2] + circles[row, 2] + reach
        dx, dy = circles[row, 0] - circles[me, 0], circles[row, 1] - circles[me, 1]
        if row != me and dx * dx + dy * dy <= bound * bound:
            near[count] = row
            count += 1
    return count


def way_to(grid: Grid, marker: int, x: float, y: float) -> float:
    """Inches of open ground from a point to a marker, by the four nearest points of the grid."""
    column = min(max(x / STEP, 0.0), grid.slow.shape[1] - 1.001)
    row = min(max(y / STEP, 0.0), grid.slow.shape[0] - 1.001)
    left, low = int(column), int(row)
    right, high = column - left, row - low
    far = grid.far
    near = far[marker, low, left] * (1 - right) + far[marker, low, left + 1] * right
    beyond = far[marker, low + 1, left] * (1 - right) + far[marker, low + 1, left + 1] * right
    return float(near * (1 - high) + beyond * high)


def nearest_ways(grid: Grid, markers: Ints, crowds: Floats, spots: Matrix, ways: Floats) -> None:
    """For each spot, the least of the ways to some markers with what friends bound for each add to it."""
    for spot in range(spots.shape[0]):
        least = math.inf
        for k in range(markers.shape[0]):
            least = min(least, way_to(grid, markers[k], spots[spot, 0], spots[spot, 1]) + crowds[k])
        ways[spot] = least


def is_free(grid: Grid, x: float, y: float, to_x: float, to_y: float) -> bool:
    """Whether the straight line between two points keeps clear of what a unit of this width cannot cross."""
    steps = max(1, int(length_of(to_x - x, to_y - y)))
    rows, columns = grid.slow.shape[0], grid.slow.shape[1]
    for step in range(1, steps + 1):
        share = step / steps
        row = min(rows - 1, max(0, round((y + (to_y - y) * share) / STEP)))
        column = min(columns - 1, max(0, round((x + (to_x - x) * share) / STEP)))
        if grid.slow[row, column] >= TIGHT:
            return False
    return True


def way_round(grid: Grid, marker: int, x: float, y: float, length: float) -> tuple[bool, float, float]:
    """The best point so far away on the way round to a marker; whether there is one that leads nearer."""
    least = way_to(grid, marker, x, y)
    best_x, best_y = x, y
    found = False
    wide, deep = (grid.slow.shape[1] - 2) * STEP, (grid.slow.shape[0] - 2) * STEP
    for half in range(2):
        reach = length / 2 if half == 1 else length
        for at in range(RING):
            angle = 2 * math.pi * at / RING
            to_x, to_y = x + math.sin(angle) * reach, y + math.cos(angle) * reach
            if not (EDGE < to_x < wide and EDGE < to_y < deep):
                continue
            way = way_to(grid, marker, to_x, to_y)
            if way < least and is_free(grid, x, y, to_x, to_y):
                found = True
                least = way
                best_x, best_y = to_x, to_y
    return found, best_x, best_y
