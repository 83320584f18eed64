"""Outlines for overlays: the fan in front of a block, and where a line of sight is stopped."""

from __future__ import annotations

from shieldwall.core.state import State, Unit
from shieldwall.server.views import Point
from shieldwall.table.formations import enclosing_rect, shifted
from shieldwall.table.reach import arc


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
