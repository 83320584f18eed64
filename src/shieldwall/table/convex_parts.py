"""Outlines of terrain cut into convex parts, for lines of sight and for bases that touch or go round them.

All decisions about the cuts are made on the stored whole numbers, so they are exact.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np

from shieldwall.core.state import MILLI
from shieldwall.geometry.distance import COLUMNS, COUNT, FIRST, HIGH, REACH, X, Y
from shieldwall.table.outlines import Outline, Point, doubled_area
from shieldwall.table.shapes import Shapes

Spot = tuple[float, float]
Part = tuple[Spot, ...]

LONGEST = 4.0  # inches: parts of a footprint are cut until none is longer, so that places to touch lie close together
MOST_PARTS = 20
PARTS_KEPT = 1024  # outlines: sight and footprints ask for the same ones


@lru_cache(maxsize=PARTS_KEPT)
def convex_parts(outline: Outline) -> tuple[Outline, ...]:
    """Convex polygons, counter-clockwise, whose union is the outline; one where it is convex already."""
    corners = list(outline) if doubled_area(outline) > 0 else list(outline[::-1])
    return tuple(tuple(part) for part in _merged(_triangles(_without_straight_corners(corners))))


def _turn(a: Point, b: Point, c: Point) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _without_straight_corners(corners: list[Point]) -> list[Point]:
    """The same polygon without corners on straight edges."""
    kept = list(corners)
    k = 0
    while k < len(kept) and len(kept) > 3:
        if _turn(kept[k - 1], kept[k], kept[(k + 1) % len(kept)]) == 0:
            kept.pop(k)
            k = max(k - 1, 0)
        else:
            k += 1
    return kept


def _triangles(corners: list[Point]) -> list[list[Point]]:
    """Cut off ears until nothing is left; a convex polygon stays whole."""
    if _is_convex(corners):
        return [list(corners)]
    left = list(corners)
    triangles = []
    while len(left) > 3:
        ear = next((k for k in range(len(left)) if _is_ear(left, k)), None)
        if ear is None:
            raise ValueError("the outline crosses or touches itself, so it cannot be cut into convex parts")
        triangles.append([left[ear - 1], left[ear], left[(ear + 1) % len(left)]])
        left.pop(ear)
        if _is_convex(left):
            break
    return [*triangles, left]


def _is_convex(corners: list[Point]) -> bool:
    return all(_turn(corners[k - 2], corners[k - 1], corners[k]) > 0 for k in range(len(corners)))


def _is_ear(left: list[Point], k: int) -> bool:
    """Whether corner k can be cut off: it points outward and no other corner lies in its triangle."""
    a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
    if _turn(a, b, c) <= 0:
        return False
    return not any(
        _turn(a, b, point) >= 0 and _turn(b, c, point) >= 0 and _turn(c, a, point) >= 0
        for point in left
        if point not in (a, b, c)
    )


def _merged(parts: list[list[Point]]) -> list[list[Point]]:
    """Join neighbours across a common edge as long as the result is convex; first come, first served."""
    joined = list(parts)
    k = 0
    while k < len(joined):
        for other in range(k + 1, len(joined)):
            both = _joined(joined[k], joined[other])
            if both is not None:
                joined[k] = both
                joined.pop(other)
                break
        else:
            k += 1
    return joined


def _joined(one: list[Point], other: list[Point]) -> list[Point] | None:
    """Two polygons that share an edge as one, None where they share none or the result is not convex."""
    for k in range(len(one)):
        start, end = one[k], one[(k + 1) % len(one)]
        if start in other and end in other:
            m = other.index(end)
            if other[(m + 1) % len(other)] != start:
                continue
            around = [other[(m + 2 + step) % len(other)] for step in range(len(other) - 2)]
            both = one[: k + 1] + around + one[k + 1 :]
            return both if _is_convex(both) else None
    return None


def footprints(outline: Outline, height: int) -> Shapes:
    """A counter-clockwise outline as convex footprints that cover it exactly; lengths as stored."""
    parts = cut_across([tuple((x / MILLI, y / MILLI) for x, y in part) for part in convex_parts(outline)])
    rows = np.zeros((len(parts), COLUMNS))
    first = 0
    for row, part in zip(rows, parts, strict=True):
        middle = tuple(sum(values) / len(part) for values in zip(*part, strict=True))
        row[X], row[Y] = middle
        row[REACH] = max(math.dist(middle, corner) for corner in part)
        row[HIGH] = height / MILLI
        row[FIRST], row[COUNT] = first, len(part)
        first += len(part)
    return Shapes(np.array([corner for part in parts for corner in part]), rows)


def cut_across(parts: list[Part]) -> list[Part]:
    """The same parts, the longest halved until all are short or there are many."""
    parts = list(parts)
    while len(parts) < MOST_PARTS:
        longest = max(parts, key=length_of)
        if length_of(longest) <= LONGEST:
            break
        parts.remove(longest)
        parts += halves(longest)
    return parts


def longest_edge(part: Part) -> tuple[float, float]:
    """The direction of the longest edge, of length 1."""
    a, b = max(pairwise((*part, part[0])), key=lambda edge: math.dist(*edge))
    length = math.dist(a, b)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def length_of(part: Part) -> float:
    """How far a part reaches along its longest edge."""
    x, y = longest_edge(part)
    along = [corner[0] * x + corner[1] * y for corner in part]
    return max(along) - min(along)


def halves(part: Part) -> tuple[Part, Part]:
    """A convex part cut in half at right angles to its longest edge."""
    x, y = longest_edge(part)
    along = [corner[0] * x + corner[1] * y for corner in part]
    middle = (max(along) + min(along)) / 2
    return clipped(part, x, y, middle), clipped(part, -x, -y, -middle)


def clipped(part: Part, x: float, y: float, limit: float) -> Part:
    """The part of a convex polygon within a limit in one direction."""
    found: list[Spot] = []
    for a, b in pairwise((*part, part[0])):
        here, there = a[0] * x + a[1] * y - limit, b[0] * x + b[1] * y - limit
        if here <= 0.0:
            found.append(a)
        if here * there < 0.0:
            share = here / (here - there)
            found.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
    return tuple(found)
