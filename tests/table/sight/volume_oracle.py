"""Sight between volumes by brute force: thousands of lines from rim to rim of two bases, top to top."""

from __future__ import annotations

import math
import random

import numpy as np
from shapely.geometry import MultiPoint, Polygon
from sight_makers import PROFILES, loose, table

from shieldwall.core.state import State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import RADIUS
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.sight_methods import volume_height
from shieldwall.table.terrain import piece

BETWEEN_CORNERS = np.linspace(0.0, 1.0, 17)


def walls_between(seed: int) -> State:
    """Two models of any kind, one of them raised at times, and one to three walls of any height between them."""
    rng = random.Random(seed)
    kinds = [rng.randrange(len(PROFILES)) for _ in range(2)]
    apart, angle = rng.uniform(3, 9), rng.uniform(0, 2 * math.pi)
    x, y = 10 + apart * math.cos(angle), 10 + apart * math.sin(angle)
    z = rng.choice([0, 0, 0, rng.uniform(0.5, 3)])
    walls = []
    for number in range(rng.choice((1, 1, 2, 3))):
        share = rng.uniform(0.25, 0.75)
        at = (10 + share * (x - 10) + rng.uniform(-1, 1), 10 + share * (y - 10) + rng.uniform(-1, 1))
        size, turn = (rng.uniform(0.2, 4), rng.uniform(0.1, 1.0)), rng.uniform(0, 180)
        walls.append(
            piece(number, "wall", at=at, size=size, angle=turn, height=round(rng.uniform(0.3, 4), 3))
        )
    one = loose(0, (10, 10, rng.uniform(0, 360), z), kind=kinds[0])
    other = loose(1, (x, y, rng.uniform(0, 360)), side=1, kind=kinds[1])
    return table(one, other, pieces=tuple(walls), profiles=PROFILES)


def stands_at_a_wall(state: State) -> bool:
    """Whether a base touches a wall: it then looks from where the wall ends, which no point of its rim may be."""
    rims = [MultiPoint(rim_points(state, unit, 72)).convex_hull for unit in state.units]
    return any(
        rim.distance(Polygon(np.array(wall.outline) / 1000)) < 0.01 for rim in rims for wall in state.pieces
    )


def rim_points(state: State, unit: Unit, count: int) -> Floats:
    """Points all round a base, along straight sides as well."""
    shapes = unit_shapes(unit, state.profiles)
    radius = float(shapes.rows[0, RADIUS])
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    out = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = [shapes.points[(out @ shapes.points.T).argmax(axis=1)] + radius * out]
    for a, b in zip(shapes.points, np.roll(shapes.points, -1, axis=0), strict=True):
        along = b - a
        length = math.hypot(*along)
        if length > 0:
            aside = np.array([along[1], -along[0]]) / length * radius
            points.append(a + BETWEEN_CORNERS[:, None] * along + aside)
    return np.concatenate(points)


def sees_by_brute_force(state: State, count: int, margin: float) -> bool:
    """Whether one of the lines keeps more than a margin away from every wall."""
    one, other = state.units
    start = rim_points(state, one, count)[:, None, :]
    way = rim_points(state, other, count)[None, :, :] - start
    tops = [
        unit.poses[0].z / 1000 + volume_height(state.profiles[unit.models[0].profile]) for unit in state.units
    ]
    free = np.ones(way.shape[:2], dtype=bool)
    for wall in state.pieces:
        corners = np.array(wall.outline) / 1000
        enters, leaves = np.zeros(free.shape), np.ones(free.shape)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            inward = np.array([a[1] - b[1], b[0] - a[0]]) / math.hypot(*(b - a))
            depth, deeper = np.broadcast_to((start - a) @ inward + margin, free.shape), way @ inward
            with np.errstate(divide="ignore", invalid="ignore"):
                cut = -depth / deeper
            enters = np.where(deeper > 0, np.maximum(enters, cut), enters)
            leaves = np.where(deeper < 0, np.minimum(leaves, cut), leaves)
            leaves = np.where((deeper == 0) & (depth < 0), -1.0, leaves)
        lowest = np.minimum(*(tops[0] + (tops[1] - tops[0]) * share for share in (enters, leaves)))
        free &= ~((enters <= leaves) & (lowest <= wall.height / 1000 + margin))
    return bool(free.any())
