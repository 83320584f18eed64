"""Ranked blocks: which figure stands where, what strikes, how many rows count, where the block ends up.

Everything is derived from the order of a unit's models, its width, who joined it and its one pose; see
`ranks` for how the places are filled. Nothing here knows the table: no terrain, no other units.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from shieldwall.core.state import CENTI, MILLI, Model, Pose, Profile, Unit
from shieldwall.table.ranks import Figure, Floats, Formation, fits_ranks, form_up, front_width, row_width

__all__ = ["Figure", "Formation", "fits_ranks", "front_width", "row_width"]

CACHE_LIMIT = 4096

_formations: dict[tuple[int, int, int, int, int], tuple[object, object, Formation]] = {}


def formation_of(unit: Unit, profiles: tuple[Profile, ...]) -> Formation:
    """The formation of a ranked unit; cheap to ask again, also after the unit moved."""
    key = (id(unit.models), id(profiles), unit.attached, unit.slot, unit.width)
    known = _formations.get(key)
    if known is not None:  # the entry keeps both tuples alive, so their ids cannot have been reused
        return known[2]
    if len(_formations) >= CACHE_LIMIT:
        _formations.clear()
    formation = form_up(unit, profiles)
    _formations[key] = (unit.models, profiles, formation)
    return formation


def heading_vector(heading: int) -> tuple[float, float]:
    """Sine and cosine of a heading in hundredths of a degree, exact for the four main directions."""
    heading %= 360 * CENTI
    known = _vectors.get(heading)
    if known is None:
        angle = math.radians(heading / CENTI)
        known = _vectors[heading] = (math.sin(angle), math.cos(angle))
    return known


_MAIN = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))
_vectors: dict[int, tuple[float, float]] = {9000 * turn: vector for turn, vector in enumerate(_MAIN)}


def shifted(pose: Pose, right: float, forward: float) -> Pose:
    """The pose moved by inches in its own frame, rounded to the grid."""
    sine, cosine = heading_vector(pose.heading)
    x = pose.x + (right * cosine + forward * sine) * MILLI
    y = pose.y + (forward * cosine - right * sine) * MILLI
    return Pose(round(x), round(y), pose.heading, pose.z)


def block_pose(unit: Unit) -> Pose:
    """The centre and heading of a ranked unit; asking a loose or absent unit is a programming error."""
    if unit.block is None:
        raise ValueError(f"unit {unit.id} ({unit.name}) has no block pose: it is loose or was never placed")
    return unit.block


def figure_centres(unit: Unit, profiles: tuple[Profile, ...]) -> Floats:
    """Exact centre of every model in inches, [models, 2]; use it where half a grid step would matter."""
    pose = block_pose(unit)
    sine, cosine = heading_vector(pose.heading)
    bases = formation_of(unit, profiles).bases
    right = (bases[:, 0] + bases[:, 2]) / 2
    forward = (bases[:, 1] + bases[:, 3]) / 2
    centres = np.empty((len(bases), 2))
    centres[:, 0] = pose.x / MILLI + right * cosine + forward * sine
    centres[:, 1] = pose.y / MILLI + forward * cosine - right * sine
    return centres


def figure_poses(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Pose, ...]:
    """Pose of every model of a ranked unit, rounded to the grid; all face as the block does (R35-FORM-07)."""
    pose = block_pose(unit)
    return tuple(shifted(pose, figure.x, figure.y) for figure in formation_of(unit, profiles).figures)


class EnclosingRect(NamedTuple):
    """The smallest rectangle round all bases, aligned with the facing (R35-MOVE-21); lengths in inches."""

    centre: Pose
    half_width: float
    half_depth: float


def enclosing_rect(unit: Unit, profiles: tuple[Profile, ...]) -> EnclosingRect:
    """The rectangle about which a block pivots and from whose corners its arcs run."""
    formation = formation_of(unit, profiles)
    return EnclosingRect(block_pose(unit), formation.half_width, formation.half_depth)


def striking_models(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[int, ...]:
    """Indexes of the models in the first two rows and beside the block (R35-FORM-11, R35-MELEE-10)."""
    figures = formation_of(unit, profiles).figures
    return tuple(index for index, figure in enumerate(figures) if figure.row <= 1)


def front_row(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[int, ...]:
    """Indexes of the models of the first rank from the left, without those beside the block."""
    return tuple(dict.fromkeys(formation_of(unit, profiles).rows[0]))


def row_models(unit: Unit, profiles: tuple[Profile, ...]) -> int:
    """Models that count for full rows: places covered; figures beside only once one row is left."""
    formation = formation_of(unit, profiles)
    places = sum(len(row) for row in formation.rows)
    return places + (len(formation.beside) if len(formation.rows) <= 1 else 0)


def full_rows(unit: Unit, profiles: tuple[Profile, ...]) -> int:
    """Full rows for the melee result (R35-RESOLVE-03); a unit that began as one model always has one (07)."""
    if unit.start_models == 1:
        return 1
    return row_models(unit, profiles) // front_width(unit)


def pose_after_loss(unit: Unit, new_models: tuple[Model, ...], profiles: tuple[Profile, ...]) -> Pose:
    """Where the block stands when only `new_models` are left: the front keeps its place, the rear shrinks.

    The front left corner of the ranks stays; when nobody of the ranks is left, the first survivor stays.
    """
    pose = block_pose(unit)
    before = formation_of(unit, profiles)
    after = form_up(replace(unit, models=new_models), profiles)
    left = {model.id for model in new_models}
    ranked = any(unit.models[index].id in left for row in before.rows for index in row)
    corner = before.origin
    if not ranked:
        stays = next(index for index, model in enumerate(unit.models) if model.id in left)
        corner = (float(before.bases[stays][0]), float(before.bases[stays][3]))
    return shifted(pose, corner[0] - after.origin[0], corner[1] - after.origin[1])
