"""The ground that loose models walk on: levels, climbs, drops and gaps.

A piece with a standing height is solid: models stand on top of it, never inside. Every model stands
either on the table or on top of such a piece, with at least half of its base carried; its level is the
`z` of its pose. What a rise, drop or gap means for a walker arrives as plain numbers (`Climb`); nothing
here knows an edition.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

import numpy as np
from msgspec import Struct

from shieldwall.core.state import MILLI, Base, Piece, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import RADIUS, REACH
from shieldwall.geometry.ground import (
    FEATURE_COLUMNS,
    IN_IMPASSABLE,
    MAX_FEATURES,
    MAX_STRETCHES,
    MID_CLIMB,
    OVER_GAP,
    STANDS,
    UNSUPPORTED,
    features_along,
    level_under,
    pieces_touched,
    point_along,
    stand_code,
    stretches_of,
)
from shieldwall.geometry.polygons import polygon_share
from shieldwall.geometry.scene import FLAGS, GAP, SOLID
from shieldwall.geometry.tolerance import AREA_EPS, EPS
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.outlines import is_inside
from shieldwall.table.pieces import ground_of
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import base_form, placed, polygon_of

HALF = 0.5

FeatureKind = Literal["rise", "drop", "gap"]


class Climb(Struct, frozen=True):
    """What walking may do without a roll, in inches. Heights below `free_below` cost no movement.

    `climb_max` is the tallest single rise, `drop_max` the deepest step down, `gap_max` the widest gap that can be
    walked over; beyond the last two a model leaps, up to `jump_max`. If `counts` is false, climbing is free.
    """

    free_below: float = 0.0
    climb_max: float = 3.0
    drop_max: float = 3.0
    gap_max: float = 1.0
    jump_max: float = 6.0
    counts: bool = True


class Feature(Struct, frozen=True):
    """Something about the ground that a path meets, in the order of the path; inches.

    `rise` is negative going down. A gap has a width and a depth, `fall`; `jump` says that it takes a leap, `possible`
    that a walker can get past it at all.
    """

    kind: FeatureKind
    way: float
    rise: float
    width: float
    fall: float
    piece: int
    jump: bool
    possible: bool
    at: Pose
    to: Pose


_arrays: dict[Climb, Floats] = {}


def climb_array(climb: Climb) -> Floats:
    """The climbing limits as an array; shared and read-only."""
    known = _arrays.get(climb)
    if known is None:
        values = (
            climb.free_below,
            climb.climb_max,
            climb.drop_max,
            climb.gap_max,
            climb.jump_max,
            climb.counts,
        )
        known = _arrays[climb] = np.array(values, dtype=np.float64)
    return known


def profile_along(state: State, start: Pose, end: Pose, climb: Climb | None = None) -> tuple[Feature, ...]:
    """The ground under the straight path of a model's centre; the z of the poses are its first and last level."""
    ground = ground_of(state.pieces).flat()
    path = np.array([_inches(start), _inches(end)])
    solids = np.flatnonzero((ground.rows[:, FLAGS].astype(np.int64) & (SOLID | GAP)) != 0).astype(np.float64)
    stretches, features = np.empty((MAX_STRETCHES, 3)), np.empty((MAX_FEATURES, FEATURE_COLUMNS))
    size = stretches_of(ground, solids, len(solids), path, 0, 2, stretches)
    made = features_along(ground, stretches, size, climb_array(climb or Climb()), False, features)[0]
    level = float(stretches[0, 1])
    found: list[Feature] = []
    for row in features[:made].tolist():
        found.append(_feature(state, path, level, row))
        if not (row[0] == 3.0 and row[7] == 0.0):  # a gap that is walked over is followed by its own step
            level += row[3] if row[0] != 3.0 else min(row[3], 0.0)
    return tuple(found)


def _feature(state: State, path: Floats, level: float, row: list[float]) -> Feature:
    kind, way, end, rise, width, fall, piece, jump, bad = row
    at, to = point_along(path, 0, 2, way), point_along(path, 0, 2, end)
    kinds: tuple[FeatureKind, ...] = ("rise", "drop", "gap")
    return Feature(
        kinds[int(kind) - 1],
        way,
        rise,
        width,
        fall,
        state.pieces[int(piece)].id if piece >= 0 else -1,
        jump != 0.0,
        bad == 0.0,
        to_pose(at[0], at[1], 0, level),
        to_pose(to[0], to[1], 0, level + rise),
    )


def _inches(pose: Pose) -> tuple[float, float, float, float]:
    return pose.x / MILLI, pose.y / MILLI, float(pose.heading), pose.z / MILLI


def to_pose(x: float, y: float, heading: int, z: float) -> Pose:
    """A pose in inches, rounded to the grid."""
    return Pose(round(x * MILLI), round(y * MILLI), heading, round(z * MILLI))


def standing_level(state: State, pose: Pose, base: Base) -> int:
    """The z, in thousandths, at which a base put here stands: the highest top that carries half of it."""
    ground = ground_of(state.pieces).flat()
    shapes = placed(base_form(base), (Pose(pose.x, pose.y, pose.heading),))
    return round(level_under(ground, shapes.points, shapes.rows) * MILLI)


def check_stand(state: State, pose: Pose, base: Base, who: str = "The model") -> tuple[TableReason, ...]:
    """Why a model may not stand here: halfway up a climb, over a gap, in impassable terrain, in the air."""
    ground = ground_of(state.pieces).flat()
    shapes = placed(base_form(base), (pose,))
    code, piece = stand_code(ground, shapes.points, shapes.rows)
    return stand_reasons(state, code, piece, pose.z / MILLI, who)


def gap_under(state: State, pose: Pose, base: Base) -> Piece | None:
    """The gap over which a base put here would hang with more than half of it."""
    ground = ground_of(state.pieces).flat()
    shapes = placed(base_form(base), (pose,))
    code, piece = stand_code(ground, shapes.points, shapes.rows)
    return state.pieces[piece] if code == OVER_GAP else None


def stand_reasons(state: State, code: int, piece: int, z: float, who: str) -> tuple[TableReason, ...]:
    """The reason for a kernel code in words; empty if there is no fault."""
    if code == STANDS:
        return ()
    name = f"the {state.pieces[piece].name}" if piece >= 0 else "anything"
    texts = {
        MID_CLIMB: f"{who} would stop halfway up {name}; it must end on top of it or clear of it",
        UNSUPPORTED: f"{who} would stand {z:g} inches up with half of its base or more in the air",
        OVER_GAP: f"{who} would stand with more than half of its base over {name}",
        IN_IMPASSABLE: f"{who} would end in {name}, which is impassable",
    }
    keys = {MID_CLIMB: "climb.halfway", UNSUPPORTED: "climb.support", OVER_GAP: "climb.gap"}
    return (TableReason(texts[code], keys.get(code, "terrain.impassable")),)


def pieces_under(state: State, unit: Unit) -> tuple[tuple[int, ...], ...]:
    """For each model the ids of the pieces its base stands in or on, in the order of the table."""
    ground = ground_of(state.pieces).flat()
    shapes = unit_shapes(unit, state.profiles)
    found = np.zeros((len(shapes), len(state.pieces)), dtype=np.uint8)
    if not pieces_touched(shapes.points, shapes.rows, ground, found):
        return ((),) * len(shapes)
    pieces = state.pieces
    return tuple([tuple([pieces[q].id for q in np.flatnonzero(row).tolist()]) for row in found])


def models_near_terrain(state: State, unit: Unit, reach: float) -> int:
    """How many models of a unit are within so many inches of a piece of terrain, or in one."""
    ground = ground_of(state.pieces).flat()
    shapes = unit_shapes(unit, state.profiles)
    grown = shapes.rows.copy()
    grown[:, RADIUS] += reach + 2 * EPS  # merely touching a piece is not being in it
    grown[:, REACH] += reach + 2 * EPS
    found = np.zeros((len(shapes), len(state.pieces)), dtype=np.uint8)
    pieces_touched(shapes.points, grown, ground, found)
    return int(found.any(axis=1).sum()) if len(state.pieces) else 0


def models_inside(state: State, unit: Unit, pieces: Container[int]) -> int:
    """How many models of a unit have at least half of their base in one of these pieces."""
    shapes = unit_shapes(unit, state.profiles)
    borders = [polygon_of(piece) for piece in state.pieces if piece.id in pieces]
    return sum(
        any(
            polygon_share(shapes.points, shapes.rows, at, border, 0, len(border)) >= HALF - AREA_EPS
            for border in borders
        )
        for at in range(len(shapes))
    )


def ground_height(state: State, x: int, y: int) -> int:
    """The height above the table at a point: that of the tallest piece that carries models there."""
    for height, box, outline in ground_of(state.pieces).carriers:
        if box.left < x < box.right and box.near < y < box.far and is_inside(outline, x, y):
            return height
    return 0
