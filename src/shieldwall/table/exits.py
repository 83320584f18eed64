"""Getting out of a carrier: wholly within some inches of its footprint, whether it still stands or not.

"Wholly within" is measured to the farthest part of any base. Who may get out, and when, is decided elsewhere.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Pose, Profile, State, Unit
from shieldwall.geometry.distance import QUARTER_TURN, point_gap, set_gap
from shieldwall.geometry.tolerance import SLACK, over
from shieldwall.geometry.zones import extent_of
from shieldwall.table.footprints import unit_outline
from shieldwall.table.formations import formation_of
from shieldwall.table.placing import placement_spots
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import Shapes
from shieldwall.table.zones import Region, Zone

EVERYWHERE = 2000  # spots taken from a search before those too far away are dropped


class Exit(Struct, frozen=True, eq=False):
    """Where passengers get out: `within` thousandths of `around`, the footprint of their carrier.

    `heading` is that of the carrier. Nobody may stand where a carrier that has left the table stood.
    """

    around: Shapes
    within: int
    heading: int
    is_wreck: bool = False

    @property
    def cite(self) -> str:
        """The neutral key behind every refusal."""
        return "wreck.place" if self.is_wreck else "carry.exit"


def farthest_from(shapes: Shapes, around: Shapes) -> float:
    """Inches from one set of footprints to the farthest corner or rim of another."""
    farthest = 0.0
    for i, radius in enumerate(shapes.radius.tolist()):
        for x, y in shapes.points[shapes.start[i] : shapes.start[i + 1]].tolist():
            apart = point_gap(around.span(), x, y, 0.0, False)[0]
            farthest = max(farthest, apart + radius)
    return farthest


def check_exit(name: str, shapes: Shapes, way_out: Exit) -> tuple[TableReason, ...]:
    """Every reason against getting out here."""
    reasons = []
    limit = way_out.within / MILLI
    farthest = farthest_from(shapes, way_out.around)
    if over(farthest, limit):
        text = f"{name} must stand fully within {limit:g} inches of its carrier"
        text += f"; its far end is {farthest:.2f} away"
        reasons.append(TableReason(text, way_out.cite))
    return (*reasons, *check_wreck(name, shapes, way_out))


def check_wreck(name: str, shapes: Shapes, way_out: Exit) -> tuple[TableReason, ...]:
    """A destroyed carrier is removed only when all passengers are out, so units cannot stand on it."""
    if not way_out.is_wreck or not _overlap(shapes, way_out.around):
        return ()
    return (TableReason(f"{name} would stand on the wreck", way_out.cite),)


def _overlap(shapes: Shapes, other: Shapes) -> bool:
    gap = set_gap(shapes.span(), other.span(), 1.0, False)[0]
    return bool(gap < -SLACK)


def exit_spots(
    state: State, unit: Unit, way_out: Exit, spacing: float, step: float, count: int
) -> tuple[Pose, ...]:
    """Poses at which a block may get out: facing as its carrier does first, then by quarter turns."""
    formation = formation_of(unit, state.profiles)
    size = (formation.half_width * 2, formation.half_depth * 2)
    region = exit_region(state, way_out)
    found: list[Pose] = []
    for turn in range(4):
        heading = (way_out.heading + turn * QUARTER_TURN) % (4 * QUARTER_TURN)
        spots = placement_spots(
            state, unit, region, size, heading, spacing=spacing, step=step, count=EVERYWHERE
        )
        found += [pose for pose in spots if not check_exit("", standing(unit, pose, state.profiles), way_out)]
        if len(found) >= count:
            break
    return tuple(found[:count])


def exit_region(state: State, way_out: Exit) -> Region:
    """The rectangle of the table that contains every possible exit."""
    left, near, right, far = extent_of(way_out.around.points, way_out.around.rows)
    reach = way_out.within
    zone = Zone(
        max(0, math.floor(left * MILLI) - reach),
        max(0, math.floor(near * MILLI) - reach),
        min(state.width, math.ceil(right * MILLI) + reach),
        min(state.depth, math.ceil(far * MILLI) + reach),
    )
    return Region((zone,), f"within {reach / MILLI:g} inches of its carrier", way_out.cite)


def standing(unit: Unit, pose: Pose, profiles: tuple[Profile, ...]) -> Shapes:
    """The footprint of a block put at a pose."""
    return unit_outline(replace(unit, block=pose, poses=()), profiles)
