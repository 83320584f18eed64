"""Outlines of terrain: simple polygons over whole thousandths of an inch, with exact integer answers.

Everything here is plain arithmetic on the stored vertices. Distances, overlaps and sight live in the kernels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.core.state import MILLI
from shieldwall.geometry.sweep import hull_into

Point = tuple[int, int]
Outline = tuple[Point, ...]


class Box(NamedTuple):
    """An axis-aligned rectangle in thousandths of an inch, borders included."""

    left: int
    near: int
    right: int
    far: int


def thousandths(inches: float) -> int:
    """Inches on the stored grid; halves round to the even neighbour, the same everywhere."""
    return round(inches * MILLI)


def doubled_area(outline: Outline) -> int:
    """Twice the signed area in square thousandths; positive when the vertices run counter-clockwise."""
    total = 0
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        total += x0 * y1 - x1 * y0
        x0, y0 = x1, y1
    return total


def area(outline: Outline) -> float:
    """The footprint in square inches, whichever way the vertices run."""
    return abs(doubled_area(outline)) / (2 * MILLI * MILLI)


def box_of(outline: Outline) -> Box:
    xs = [x for x, _ in outline]
    ys = [y for _, y in outline]
    return Box(min(xs), min(ys), max(xs), max(ys))


def half_turn(outline: Outline, width: int, depth: int) -> Outline:
    """The outline turned by 180 degrees about the middle of the table; exact, and its own inverse."""
    return tuple((width - x, depth - y) for x, y in outline)


def is_inside(outline: Outline, x: int, y: int) -> bool:
    """Whether a point lies strictly inside, not on the border. Exact."""
    inside = False
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        if side == 0 and min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1):
            return False
        if (y0 > y) != (y1 > y) and (side > 0) == (y1 > y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def rectangle(at: tuple[float, float], size: tuple[float, float], angle: float = 0.0) -> Outline:
    """A rectangle by its centre and sides in inches, turned clockwise by degrees."""
    (x, y), (width, depth) = at, size
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(
        (
            thousandths(x + cos * right * width / 2 + sin * ahead * depth / 2),
            thousandths(y - sin * right * width / 2 + cos * ahead * depth / 2),
        )
        for right, ahead in corners
    )


def hull(outline: Outline) -> Outline:
    """The convex hull, counter-clockwise, without vertices on straight edges."""
    points = sorted(set(outline))
    if len(points) < 3:
        return tuple(points)
    made = np.empty((2 * len(points) + 1, 2))
    count = hull_into(np.array(points, dtype=np.float64), made)
    return tuple([(int(x), int(y)) for x, y in made[:count].tolist()])


def sides(outline: Outline) -> tuple[float, float]:
    """The shorter and the longer side, in inches, of the smallest rectangle, turned freely, around it."""
    best = (math.inf, 0.0, 0.0)
    for along, across in _calipers(hull(outline)):
        best = min(best, (along * across, min(along, across), max(along, across)))
    return best[1] / MILLI, best[2] / MILLI


def narrowest(outline: Outline) -> float:
    """The width, in inches, of the narrowest strip between parallel lines around it: how wide a gap is."""
    return min(across for _, across in _calipers(hull(outline))) / MILLI


def outline_problems(outline: Outline) -> list[str]:
    """Everything that keeps the vertices from being a simple polygon; empty when it is one."""
    problems = []
    if len(outline) < 3:
        return [f"an outline needs at least 3 corners, this one has {len(outline)}"]
    if len(set(outline)) < len(outline):
        problems.append("the outline has a corner twice")
    if doubled_area(outline) == 0:
        problems.append("the outline encloses no area")
    count = len(outline)
    for first in range(count):
        for second in range(first + 2, count):
            is_closing_pair = first == 0 and second == count - 1
            if not is_closing_pair and _edges_meet(outline, first, second):
                problems.append(f"edges {first + 1} and {second + 1} of the outline cross or touch")
    return problems


def _calipers(convex: Outline) -> list[tuple[float, float]]:
    """Length and breadth of the hull along each of its edges, in thousandths."""
    found = []
    x0, y0 = convex[-1]
    for x1, y1 in convex:
        dx, dy = x1 - x0, y1 - y0
        length = math.hypot(dx, dy)
        along = [x * dx + y * dy for x, y in convex]
        across = [x * dy - y * dx for x, y in convex]
        found.append(((max(along) - min(along)) / length, (max(across) - min(across)) / length))
        x0, y0 = x1, y1
    return found


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _edges_meet(outline: Outline, first: int, second: int) -> bool:
    """Whether two edges that share no corner meet anywhere. Exact."""
    count = len(outline)
    a, b = outline[first], outline[(first + 1) % count]
    c, d = outline[second], outline[(second + 1) % count]
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return _turn(a, b, c) * _turn(a, b, d) <= 0 and _turn(c, d, a) * _turn(c, d, b) <= 0
