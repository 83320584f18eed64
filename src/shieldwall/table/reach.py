"""Outlines of where a unit can get, for drawing as a soft band; the move itself decides about each spot."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.core.answers import Leg
from shieldwall.core.state import CENTI, MILLI, State, Unit
from shieldwall.geometry.march_search import longest_leg
from shieldwall.table.block_moves import MarchLimits, march_from, read_legs
from shieldwall.table.formations import block_pose, enclosing_rect, heading_vector, shifted
from shieldwall.table.outlines import Point, hull
from shieldwall.table.scene import scene_of
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.walk_context import WalkLimits

TURN_STEP = 15 * CENTI
ARC_STEP = 7.5  # degrees between two points of a drawn arc

Outlines = tuple[tuple[Point, ...], ...]


def block_reach(state: State, unit: Unit, limits: MarchLimits) -> Outlines:
    """The spots a block's centre reaches by one turn and then straight ahead, up to obstacles."""
    if not limits.allowance or "forward" not in limits.kinds:
        return ()
    pose = block_pose(unit)
    scene = scene_of(state)
    march = march_from(scene, unit, pose, limits)
    points: list[Point] = [(pose.x, pose.y)]
    most = min(limits.pivot_limit, 9000) if "pivot" in limits.kinds else 0
    for turn in range(-most, most + 1, TURN_STEP) if most else (0,):
        legs = np.concatenate(
            [read_legs((Leg("pivot", turn),) if turn else (), False).flat, np.zeros(3, dtype=np.int64)]
        )
        run = longest_leg(scene.flat(limits.climb_max), march, legs, 0)
        sine, cosine = heading_vector(pose.heading + turn)
        points.append((round(pose.x + run * sine), round(pose.y + run * cosine)))
    return (tuple(points),)


def loose_reach(state: State, unit: Unit, limits: WalkLimits) -> Outlines:
    """Everything the bases of a loose unit could cover with nothing in the way."""
    far = round(max(limits.allowance) * MILLI)
    if not far or unit.place != "table":
        return ()
    return (ring(state, unit, far),) if base_circles(state, unit) else ((),)


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points of a circle between two headings in degrees, clockwise."""
    steps = max(2, math.ceil(abs(end - start) / ARC_STEP) + 1)
    turns = (math.radians(start + (end - start) * step / (steps - 1)) for step in range(steps))
    return [(round(x + radius * math.sin(turn)), round(y + radius * math.cos(turn))) for turn in turns]


def ring(state: State, unit: Unit, radius: int) -> tuple[Point, ...]:
    """The outline of everything within a distance of a unit, drawn round the hull of its bases."""
    circles = base_circles(state, unit)
    return hull(tuple(spot for x, y, reach in circles for spot in arc(x, y, reach + radius, 0, 345)))


def base_circles(state: State, unit: Unit) -> list[tuple[float, float, float]]:
    """A circle round each base, or, for a block, its corners."""
    if unit.block is not None:
        centre, half_width, half_depth = enclosing_rect(unit, state.profiles)
        corners = [
            shifted(centre, right * half_width, ahead * half_depth)
            for right, ahead in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        return [(float(corner.x), float(corner.y), 0.0) for corner in corners]
    circles: list[tuple[float, float, float]] = []
    for model, pose in zip(unit.models, unit.poses, strict=True):
        base = state.profiles[model.profile].base
        circles.append((pose.x, pose.y, max(base.width, base.depth) / 2 / MM_PER_INCH * MILLI))
    return circles
