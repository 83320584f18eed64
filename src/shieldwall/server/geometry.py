"""Outlines for overlays: fans in front of a block, rings round a unit, where sight is stopped."""

from __future__ import annotations

import math

from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.server.views import Point
from shieldwall.table.field import field_of
from shieldwall.table.formations import enclosing_rect, shifted
from shieldwall.table.shapes import MM_PER_INCH

ARC_STEP = 7.5  # degrees between two points of a drawn arc
QUARTER = 90.0


def centre_of(unit: Unit) -> Point:
    """The middle of a unit on the table."""
    if unit.block is not None:
        return unit.block.x, unit.block.y
    count = max(1, len(unit.poses))
    return sum(p.x for p in unit.poses) // count, sum(p.y for p in unit.poses) // count


def arc(x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
    """Points of a circle between two headings in degrees, clockwise."""
    steps = max(2, math.ceil(abs(end - start) / ARC_STEP) + 1)
    turns = (math.radians(start + (end - start) * step / (steps - 1)) for step in range(steps))
    return [(round(x + radius * math.sin(turn)), round(y + radius * math.cos(turn))) for turn in turns]


def front_fan(state: State, unit: Unit, radius: int, inner: int = 0) -> tuple[Point, ...]:
    """The front arc of a block up to a distance: rays at 45 degrees from the front corners."""
    centre, half_width, half_depth = enclosing_rect(unit, state.profiles)
    left, right = (shifted(centre, side * half_width, half_depth) for side in (-1, 1))
    heading = centre.heading / 100
    outer = [
        *arc(left.x, left.y, radius, heading - 45, heading),
        *arc(right.x, right.y, radius, heading, heading + 45),
    ]
    if not inner:
        return (*outer, (right.x, right.y), (left.x, left.y))
    back = [
        *arc(left.x, left.y, inner, heading - 45, heading),
        *arc(right.x, right.y, inner, heading, heading + 45),
    ]
    return (*outer, *reversed(back))


def ring(state: State, unit: Unit, radius: int) -> tuple[Point, ...]:
    """Everything within a distance of a unit, drawn round the hull of its bases."""
    spots: list[tuple[float, float]] = []
    for x, y, reach in base_circles(state, unit):
        spots += [(float(px), float(py)) for px, py in arc(x, y, reach + radius, 0, 345)]
    return hull(spots)


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


def hull(points: list[tuple[float, float]]) -> tuple[Point, ...]:
    """The convex hull, counter-clockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple((round(x), round(y)) for x, y in ordered)

    def half(spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for spot in spots:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], spot) <= 0:
                chain.pop()
            chain.append(spot)
        return chain[:-1]

    return tuple((round(x), round(y)) for x, y in half(ordered) + half(ordered[::-1]))


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def first_crossing(start: Point, end: Point, outline: tuple[Point, ...]) -> Point | None:
    """Where a line first meets an outline."""
    best: float | None = None
    dx, dy = end[0] - start[0], end[1] - start[1]
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        ex, ey = bx - ax, by - ay
        scale = dx * ey - dy * ex
        if not scale:
            continue
        along = ((ax - start[0]) * ey - (ay - start[1]) * ex) / scale
        across = ((ax - start[0]) * dy - (ay - start[1]) * dx) / scale
        if 0 <= along <= 1 and 0 <= across <= 1 and (best is None or along < best):
            best = along
    return None if best is None else (round(start[0] + dx * best), round(start[1] + dy * best))


def moved_to(unit: Unit, wanted: Pose) -> tuple[Pose, ...]:
    """The poses of a loose unit shifted as a whole so that its middle comes to a spot."""
    x, y = centre_of(unit)
    return tuple(Pose(p.x + wanted.x - x, p.y + wanted.y - y, p.heading, p.z) for p in unit.poses)


def near_units(state: State, unit: Unit, spacing: float) -> tuple[int, ...]:
    """Units that a unit stands closer to than allowed."""
    from shieldwall.table.measure import units_apart

    field = field_of(state)
    if unit.id not in field.row_of:
        return ()
    return tuple(
        other
        for other in field.unit_ids
        if other != unit.id and units_apart(state, unit.id, other) < spacing - 0.001
    )
