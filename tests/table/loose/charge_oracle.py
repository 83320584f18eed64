"""Charges computed another way: the shortest path of a round base by plain geometry, on random tables.

Each maker gives a state in which unit 0, one model on a one-inch base, charges unit 1, another one; and the shortest
way into contact in inches, rounded up to the grid.
"""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from loose_scene import group, table
from shapely import affinity
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box

from shieldwall.core.state import State
from shieldwall.table.terrain import piece

Spot = tuple[float, float]
ON_GRID = 0.004  # inches that places on the grid may cost


class Charge(NamedTuple):
    """A table and the length of the shortest charge on it."""

    state: State
    way: float


def way_past(start: Spot, end: Spot, body: Polygon) -> float | None:
    """The shortest path between two places around a convex body between them; None if it is not between them."""
    if not LineString([start, end]).crosses(body):
        return None
    hull = body.union(MultiPoint([start, end]).buffer(0.0005, quad_segs=4)).convex_hull
    ring = list(hull.exterior.coords)[:-1]
    first, last = (min(range(len(ring)), key=lambda k, at=at: math.dist(ring[k], at)) for at in (start, end))
    if math.dist(ring[first], start) > 0.01 or math.dist(ring[last], end) > 0.01:
        return None
    there = _along(ring, first, last)
    back = _along(ring, last, first)
    return min(there, back)


def _along(ring: list[Spot], first: int, last: int) -> float:
    length, at = 0.0, first
    while at != last:
        after = (at + 1) % len(ring)
        length += math.dist(ring[at], ring[after])
        at = after
    return length


def round_a_wall(rng: Random) -> Charge:
    """A wall to go around, at any angle."""
    while True:
        width, depth = rng.uniform(1, 7), rng.uniform(0.3, 2)
        wall = affinity.rotate(
            box(24 - width / 2, 24 - depth / 2, 24 + width / 2, 24 + depth / 2), rng.uniform(0, 90)
        )
        corners = [(round(x, 3), round(y, 3)) for x, y in list(wall.exterior.coords)[:-1]]
        found = _past(rng, Polygon(corners).buffer(0.5, quad_segs=256))
        if found is not None:
            solid = piece(0, "wall", outline=corners, types=("impassable",), height=5)
            start, end, way = found
            return Charge(table(group(0, 0, start), group(1, 1, end), pieces=(solid,)), way)


def round_a_friend(rng: Random) -> Charge:
    """A friend on a big round base to go around."""
    while True:
        middle = (round(24 + rng.uniform(-1, 1), 3), 24.0)
        found = _past(rng, Point(middle).buffer(1.5, quad_segs=512))
        if found is not None:
            start, end, way = found
            friend = group(2, 0, middle, kind="big")
            return Charge(table(group(0, 0, start), group(1, 1, end), friend), way)


def _past(rng: Random, body: Polygon) -> tuple[Spot, Spot, float] | None:
    start = (round(24 + rng.uniform(-4, 4), 3), round(24 - rng.uniform(2, 6), 3))
    end = (round(24 + rng.uniform(-4, 4), 3), round(24 + rng.uniform(2, 6), 3))
    if Point(start).distance(body) < 0.02 or Point(end).distance(body) < 1.0:
        return None
    way = way_past(start, end, body)
    return None if way is None else (start, end, way - 1.0 + ON_GRID)


def between_others(rng: Random) -> Charge:
    """Others stand close around the target; the shortest straight path into contact ends beside them."""
    while True:
        others: list[Spot] = []
        for _ in range(rng.choice((2, 3, 4))):
            others.append(_round_about(rng, 1.02, 2.6))
        if any(math.dist(one, two) < 1.02 for k, one in enumerate(others) for two in others[:k]):
            continue
        start = _round_about(rng, 4, 8)
        ways = [math.dist(start, end) for end in _contacts(start, others)]
        if ways:
            units = [group(2 + k, k % 2, spot) for k, spot in enumerate(others)]
            return Charge(table(group(0, 0, start), group(1, 1, (24, 24)), *units), min(ways) + ON_GRID)


def _round_about(rng: Random, near: float, far: float) -> Spot:
    angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(near, far)
    return round(24 + away * math.cos(angle), 3), round(24 + away * math.sin(angle), 3)


def _contacts(start: Spot, others: list[Spot]) -> list[Spot]:
    """Places in contact with the target that are clear of others and reached straight."""
    found = []
    for step in range(1440):
        angle = step * math.pi / 720
        end = (24 + math.cos(angle), 24 + math.sin(angle))
        line = LineString([start, end])
        if (
            all(math.dist(end, spot) >= 1.012 for spot in others)
            and all(line.distance(Point(spot)) >= 1.002 for spot in others)
            and line.distance(Point(24, 24)) >= 1.0 - 1e-6
        ):
            found.append(end)
    return found


MAKERS = {maker.__name__: maker for maker in (round_a_wall, round_a_friend, between_others)}
