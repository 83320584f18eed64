"""Front, flanks and rear: four quadrants between lines at 45 degrees outward from the corners.

The corners are those of a model's base, or of a block's enclosing rectangle. A point exactly on a front line
is in front, one exactly on a rear line is on the flank. Nothing here asks whether something can be seen.
"""

from __future__ import annotations

from typing import Literal

from shieldwall.core.state import CENTI, MILLI, Pose, Profile, Unit
from shieldwall.table.formations import enclosing_rect, figure_poses, heading_vector
from shieldwall.table.tolerance import EPS

Arc = Literal["front", "left", "right", "rear"]
ARCS: tuple[Arc, ...] = ("front", "left", "right", "rear")
MM_PER_INCH = 25.4


def arc_of(unit: Unit, profiles: tuple[Profile, ...], x: float, y: float) -> Arc:
    """The arc of a unit in which a point (inches) lies; a loose unit must be a single model."""
    if unit.block is None:
        if len(unit.models) != 1:
            raise ValueError(f"unit {unit.id} ({unit.name}) is a loose group: ask for one of its models")
        return arc_of_model(unit, profiles, 0, x, y)
    rect = enclosing_rect(unit, profiles)
    return arc_of_rect(rect.centre, rect.half_width, rect.half_depth, x, y)


def arc_of_model(unit: Unit, profiles: tuple[Profile, ...], index: int, x: float, y: float) -> Arc:
    """The arc of one model's base in which a point (inches) lies."""
    pose = unit.poses[index] if unit.block is None else figure_poses(unit, profiles)[index]
    base = profiles[unit.models[index].profile].base
    return arc_of_rect(pose, base.width / 2 / MM_PER_INCH, base.depth / 2 / MM_PER_INCH, x, y)


def arc_of_rect(centre: Pose, half_width: float, half_depth: float, x: float, y: float) -> Arc:
    """The arc of a rectangle; a point inside it belongs to the nearest side."""
    sine, cosine = heading_vector(centre.heading)
    dx, dy = x - centre.x / MILLI, y - centre.y / MILLI
    right, ahead = dx * cosine - dy * sine, dx * sine + dy * cosine
    beside, beyond = abs(right) - half_width, abs(ahead) - half_depth
    if ahead >= 0 and beyond >= beside - EPS:
        return "front"
    if ahead < 0 and beyond > beside + EPS:
        return "rear"
    return "right" if right >= 0 else "left"


def heading_of(unit: Unit) -> float:
    """The one heading of a block or single model, in degrees."""
    pose = unit.block if unit.block is not None else unit.poses[0]
    return pose.heading / CENTI
