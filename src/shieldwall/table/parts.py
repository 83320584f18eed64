"""Outlines of any shape as convex footprints: what the kernels can touch, measure to and go round.

A simple polygon falls into triangles where it is not convex, and long parts are cut across, so that the places round
each of them where a base can touch it lie close together.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from shieldwall.core.state import MILLI
from shieldwall.geometry.distance import COLUMNS, COUNT, FIRST, HIGH, REACH, X, Y
from shieldwall.table.outlines import Outline
from shieldwall.table.shapes import Shapes

Spot = tuple[float, float]
Part = tuple[Spot, ...]

LONGEST = 4.0  # inches: parts are cut until none is longer
MOST_PARTS = 20


def footprints(outline: Outline, height: int) -> Shapes:
    """A counter-clockwise outline as convex footprints that cover it exactly; lengths as stored."""
    parts = cut_across(convex_parts(tuple((x / MILLI, y / MILLI) for x, y in outline)))
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


def convex_parts(corners: Part) -> list[Part]:
    """A simple counter-clockwise polygon as convex ones; itself where it is convex."""
    rest = without_straights(corners)
    found: list[Part] = []
    while not is_convex(rest):
        ear = next(at for at in range(len(rest)) if is_ear(rest, at))
        found.append((rest[ear - 1], rest[ear], rest[(ear + 1) % len(rest)]))
        rest = without_straights(rest[:ear] + rest[ear + 1 :])
    return [*found, rest]


def turn(a: Spot, b: Spot, c: Spot) -> float:
    """Above 0 where the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def without_straights(corners: Part) -> Part:
    """The same polygon without corners that lie on the line of their neighbours."""
    kept = [
        corner
        for at, corner in enumerate(corners)
        if abs(turn(corners[at - 1], corner, corners[(at + 1) % len(corners)])) > 1e-9
    ]
    return tuple(kept) if len(kept) >= 3 else corners


def is_convex(corners: Part) -> bool:
    """Whether no corner points inwards."""
    around = (*corners[-1:], *corners, corners[0])
    return all(turn(a, b, c) >= 0.0 for (a, b), (_, c) in pairwise(pairwise(around)))


def is_ear(corners: Part, at: int) -> bool:
    """Whether the triangle at a corner can be cut off: it points outwards and holds no other corner."""
    a, b, c = corners[at - 1], corners[at], corners[(at + 1) % len(corners)]
    if turn(a, b, c) <= 0.0:
        return False
    others = (one for one in corners if one not in (a, b, c))
    return not any(min(turn(a, b, p), turn(b, c, p), turn(c, a, p)) >= 0.0 for p in others)


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
    """A convex part cut square across the middle of its longest edge's direction."""
    x, y = longest_edge(part)
    along = [corner[0] * x + corner[1] * y for corner in part]
    middle = (max(along) + min(along)) / 2
    return clipped(part, x, y, middle), clipped(part, -x, -y, -middle)


def clipped(part: Part, x: float, y: float, limit: float) -> Part:
    """What of a convex part lies no farther than a limit in a direction."""
    found: list[Spot] = []
    for a, b in pairwise((*part, part[0])):
        here, there = a[0] * x + a[1] * y - limit, b[0] * x + b[1] * y - limit
        if here <= 0.0:
            found.append(a)
        if here * there < 0.0:
            share = here / (here - there)
            found.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
    return tuple(found)
