"""Front, flanks and rear: four quadrants between lines at 45 degrees outward from the corners.

The corners are those of a model's base, or of a block's enclosing rectangle. A point exactly on a front line
is in front, one exactly on a rear line is on the flank. Nothing here asks whether something can be seen.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from shieldwall.core.state import CENTI, MILLI, Pose, Profile, Unit
from shieldwall.geometry.march_search import ChargeGoal, arc_at
from shieldwall.table.formations import enclosing_rect, formation_of, heading_vector, shifted
from shieldwall.table.shapes import MM_PER_INCH

Arc = Literal["front", "left", "right", "rear"]
ARCS: tuple[Arc, ...] = ("front", "left", "right", "rear")


def arc_of(unit: Unit, profiles: tuple[Profile, ...], x: float, y: float) -> Arc:
    """The arc of a unit in which a point (inches) lies; a loose unit must be a single model."""
    return arc_of_rect(*_unit_rect(unit, profiles), x, y)


def arc_of_model(unit: Unit, profiles: tuple[Profile, ...], index: int, x: float, y: float) -> Arc:
    """The arc of one model's base in which a point (inches) lies."""
    return arc_of_rect(*_base_rect(unit, profiles, index), x, y)


def arc_of_rect(centre: Pose, half_width: float, half_depth: float, x: float, y: float) -> Arc:
    """The arc of a rectangle; a point inside it belongs to the nearest side."""
    sine, cosine = heading_vector(centre.heading)
    rect = ChargeGoal(-1, centre.x / MILLI, centre.y / MILLI, sine, cosine, half_width, half_depth)
    return ARCS[arc_at(rect, x, y)]


class ArcLine(NamedTuple):
    """A border between two arcs: it starts at a corner and runs outwards along a unit vector; inches."""

    x: float
    y: float
    dx: float
    dy: float


class Facing(NamedTuple):
    """Which way a unit or model faces, in degrees, and the lines that separate its four arcs."""

    heading: float
    front_left: ArcLine
    front_right: ArcLine
    rear_left: ArcLine
    rear_right: ArcLine


def facing_of(unit: Unit, profiles: tuple[Profile, ...]) -> Facing:
    """The facing of a block, or of a loose unit of a single model."""
    centre, half_width, half_depth = _unit_rect(unit, profiles)
    sine, cosine = heading_vector(centre.heading)

    def line(right: int, ahead: int) -> ArcLine:
        across, along = right * half_width, ahead * half_depth
        x = centre.x / MILLI + across * cosine + along * sine
        y = centre.y / MILLI + along * cosine - across * sine
        diagonal = math.sqrt(0.5)
        return ArcLine(
            x, y, (right * cosine + ahead * sine) * diagonal, (ahead * cosine - right * sine) * diagonal
        )

    return Facing(centre.heading / CENTI, line(-1, 1), line(1, 1), line(-1, -1), line(1, -1))


def _unit_rect(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Pose, float, float]:
    """Centre, half width and half depth of the rectangle from whose corners the arcs run."""
    if unit.block is not None:
        rect = enclosing_rect(unit, profiles)
        return rect.centre, rect.half_width, rect.half_depth
    if len(unit.models) != 1:
        raise ValueError(f"unit {unit.id} ({unit.name}) is a loose unit: give one of its models")
    return _base_rect(unit, profiles, 0)


def _base_rect(unit: Unit, profiles: tuple[Profile, ...], index: int) -> tuple[Pose, float, float]:
    """Centre, half width and half depth of one model's base."""
    if unit.block is not None:
        figure = formation_of(unit, profiles).figures[index]
        return shifted(unit.block, figure.x, figure.y), figure.width / 2, figure.depth / 2
    base = profiles[unit.models[index].profile].base
    return unit.poses[index], base.width / 2 / MM_PER_INCH, base.depth / 2 / MM_PER_INCH
