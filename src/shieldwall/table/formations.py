"""Ranked blocks: which figure stands where, what strikes, how many rows count, where the block ends up.

Everything is derived from the order of a unit's models, its width, who joined it and its one pose; see
`ranks` for how the places are filled. Nothing here knows the table: no terrain, no other units.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from shieldwall.core.state import CENTI, MILLI, Base, Model, Pose, Profile, Unit, shared_facts
from shieldwall.geometry.distance import direction
from shieldwall.geometry.tolerance import SLACK, over
from shieldwall.table.ranks import (
    RIGHT,
    Figure,
    Floats,
    Formation,
    common_base,
    fits_ranks,
    form_up,
    front_width,
    row_width,
)
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import MM_PER_INCH

__all__ = ["Figure", "Formation", "fits_ranks", "front_width", "row_width"]

FULL_TURN = 360 * CENTI
SIZE_SLACK = 0.05  # inches by which a base may differ from the places it covers, see MULTIPLE_SLACK

MakeUp = tuple[tuple[int, ...], int, int, int, int]


def formation_of(unit: Unit, profiles: tuple[Profile, ...]) -> Formation:
    """The formation of a ranked unit, cached on its card. Blocks with the same make-up share one."""
    known: tuple[object, Formation] | None = unit.card.get("formation")
    if known is None or known[0] is not profiles:
        formations: dict[MakeUp, Formation] = shared_facts(profiles).setdefault("formations", {})
        key = _make_up(unit)
        if key not in formations:
            formations[key] = form_up(unit, profiles)
        known = unit.card["formation"] = (profiles, formations[key])
    return known[1]


def _make_up(unit: Unit) -> MakeUp:
    """Everything that determines a block's formation: the profiles of its models in order, who joined it and where,
    its width and the profile of its ranks.
    """
    joined = -1
    if unit.attached >= 0:
        joined = next((place for place, model in enumerate(unit.models) if model.id == unit.attached), -1)
    kinds = tuple([model.profile for model in unit.models])
    return kinds, joined, unit.slot, front_width(unit), unit.ranks


def heading_vector(heading: int) -> tuple[float, float]:
    """Sine and cosine of a heading in hundredths of a degree, exact for the four main directions."""
    heading %= FULL_TURN
    known = _vectors.get(heading)
    if known is None:
        known = _vectors[heading] = direction(heading)
    return known


_vectors: dict[int, tuple[float, float]] = {}


def shifted(pose: Pose, right: float, forward: float) -> Pose:
    """The pose moved by inches in its own frame, rounded to the grid."""
    across, along = on_grid(pose.heading, right, forward)
    return Pose(pose.x + across, pose.y + along, pose.heading, pose.z)


def on_grid(heading: int, right: float, forward: float) -> tuple[int, int]:
    """Inches to the right and forward of a heading as whole steps of the grid."""
    sine, cosine = heading_vector(heading)
    x = (right * cosine + forward * sine) * MILLI
    y = (forward * cosine - right * sine) * MILLI
    return math.floor(x + 0.5), math.floor(y + 0.5)


def block_pose(unit: Unit) -> Pose:
    """The centre and heading of a ranked unit; asking a loose or absent unit is a programming error."""
    if unit.block is None:
        raise ValueError(f"unit {unit.id} ({unit.name}) has no block pose: it is loose or was never placed")
    return unit.block


def centre_of(unit: Unit) -> tuple[int, int]:
    """The middle of a unit on the table."""
    if unit.block is not None:
        return unit.block.x, unit.block.y
    count = max(1, len(unit.poses))
    return sum(p.x for p in unit.poses) // count, sum(p.y for p in unit.poses) // count


def moved_to(unit: Unit, wanted: Pose) -> tuple[Pose, ...]:
    """The poses of a loose unit shifted as a whole so that its middle comes to a spot."""
    x, y = centre_of(unit)
    return tuple(Pose(p.x + wanted.x - x, p.y + wanted.y - y, p.heading, p.z) for p in unit.poses)


def figure_centres(unit: Unit, profiles: tuple[Profile, ...]) -> Floats:
    """The exact centre of every model in inches, [models, 2], for uses where half a grid step matters."""
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
    """Where the block stands when only `new_models` are left: the front stays in place, the rear shrinks. The front
    left corner of the ranks stays. If the last row shrinks away from a figure on its right, the right corner stays
    instead, so that the figure does not move. If the ranks are gone, the first survivor stays.
    """
    pose = block_pose(unit)
    before = formation_of(unit, profiles)
    after = formation_of(replace(unit, models=new_models), profiles)
    left = {model.id for model in new_models}
    ranked = any(unit.models[index].id in left for row in before.rows for index in row)
    corner, corner_after = before.origin, after.origin
    if not ranked:
        stays = next(index for index, model in enumerate(unit.models) if model.id in left)
        corner = (float(before.bases[stays][0]), float(before.bases[stays][3]))
    elif after.rows and any(after.figures[index].column == RIGHT for index in after.beside):
        place = common_base(unit, profiles).width / MM_PER_INCH
        corner = (corner[0] + len(before.rows[0]) * place, corner[1])
        corner_after = (corner_after[0] + len(after.rows[0]) * place, corner_after[1])
    # Each offset between a centre and the corner is rounded separately, so that errors do not add up over losses.
    to_corner = on_grid(pose.heading, *corner)
    from_corner = on_grid(pose.heading, *corner_after)
    x, y = pose.x + to_corner[0] - from_corner[0], pose.y + to_corner[1] - from_corner[1]
    return Pose(x, y, pose.heading, pose.z)


def pose_after_return(unit: Unit, models: tuple[Model, ...], profiles: tuple[Profile, ...]) -> Pose | None:
    """Where the block stands once it has `models`, some of which came back: the front stays in place, the rear grows.
    None if it has no ranks left that they could join.
    """
    return pose_after_loss(unit, models, profiles) if formation_of(unit, profiles).rows else None


def check_formation(
    unit: Unit, poses: tuple[Pose, ...], profiles: tuple[Profile, ...], level_gap: int = 3000
) -> tuple[TableReason, ...]:
    """Every reason why figures standing at `poses` do not form a proper block of this unit.

    On ground of several heights each level must be a block of its own, and the levels may lie up to
    `level_gap` apart, the difference of height included (R35-TERRAIN-27).
    """
    reasons: list[TableReason] = []
    if len({pose.heading for pose in poses}) > 1:
        reasons.append(TableReason(f"all models of {unit.name} must face the same way", "formation.facing"))
    figures = _standing(unit, poses, profiles)
    levels = [[f for f, pose in zip(figures, poses, strict=True) if pose.z == z] for z in _heights(poses)]
    if any(not _is_one_block(level) for level in levels) or not _are_levels_near(figures, poses, level_gap):
        reasons.append(TableReason(f"every model of {unit.name} must touch its unit", "formation.contact"))
    if any(not _is_in_files(level, common_base(unit, profiles)) for level in levels):
        text = f"the bases of {unit.name} must stand in straight rows and files"
        reasons.append(TableReason(text, "formation.alignment"))
    if not reasons and len(levels) == 1 and not _is_same_block(figures, formation_of(unit, profiles).figures):
        rows = ", ".join(str(len(row)) for row in formation_of(unit, profiles).rows)
        text = f"{unit.name} must stand in rows of {rows}, the last one filled from the left"
        reasons.append(TableReason(text, "formation.rows"))
    return tuple(reasons)


def _heights(poses: tuple[Pose, ...]) -> list[int]:
    return sorted({pose.z for pose in poses})


def _standing(unit: Unit, poses: tuple[Pose, ...], profiles: tuple[Profile, ...]) -> list[Figure]:
    """Figures at their poses, in the frame of the first one."""
    sine, cosine = heading_vector(poses[0].heading)
    figures: list[Figure] = []
    for model, pose in zip(unit.models, poses, strict=True):
        dx, dy = (pose.x - poses[0].x) / MILLI, (pose.y - poses[0].y) / MILLI
        base = profiles[model.profile].base
        wide, deep = base.width / MM_PER_INCH, base.depth / MM_PER_INCH
        figures.append(Figure(dx * cosine - dy * sine, dx * sine + dy * cosine, wide, deep, 0, 0))
    return figures


def _apart(one: Figure, other: Figure) -> float:
    """The distance between two bases that face the same way."""
    across = max(abs(one.x - other.x) - (one.width + other.width) / 2, 0.0)
    return math.hypot(across, max(abs(one.y - other.y) - (one.depth + other.depth) / 2, 0.0))


def _is_one_block(figures: list[Figure]) -> bool:
    """Whether the figures touch and form one connected block."""
    met, waiting = [figures[0]], list(figures[1:])
    for one in met:
        touching = [other for other in waiting if _apart(one, other) <= SLACK]
        met += touching
        waiting = [other for other in waiting if other not in touching]
    return not waiting


def _are_levels_near(figures: list[Figure], poses: tuple[Pose, ...], level_gap: int) -> bool:
    """Whether each level is near enough to the next one."""
    stands = list(zip(figures, poses, strict=True))
    heights = _heights(poses)
    for low, high in pairwise(heights):
        below = [figure for figure, pose in stands if pose.z == low]
        above = [figure for figure, pose in stands if pose.z == high]
        flat = min(_apart(one, other) for one in below for other in above)
        if over(math.hypot(flat, (high - low) / MILLI), level_gap / MILLI):
            return False
    return True


def _is_in_files(figures: list[Figure], common: Base) -> bool:
    """Whether the left edges and front edges of all bases that fit the ranks lie on one grid."""
    wide, deep = common.width / MM_PER_INCH, common.depth / MM_PER_INCH
    ranked = [
        f for f in figures if (round(f.width, 3), round(f.depth, 3)) == (round(wide, 3), round(deep, 3))
    ]
    for figure in ranked:
        files, rows = (figure.x - ranked[0].x) / wide, (figure.y - ranked[0].y) / deep
        if abs(files - round(files)) * wide > SLACK or abs(rows - round(rows)) * deep > SLACK:
            return False
    return True


def _is_same_block(figures: list[Figure], expected: tuple[Figure, ...]) -> bool:
    """Whether the figures fill the expected places; figures of equal size are interchangeable."""
    left = min(f.x - f.width / 2 for f in figures) - min(f.x - f.width / 2 for f in expected)
    front = max(f.y + f.depth / 2 for f in figures) - max(f.y + f.depth / 2 for f in expected)
    free = list(expected)
    for figure in figures:
        at = Figure(figure.x - left, figure.y - front, figure.width, figure.depth, 0, 0)
        place = next((one for one in free if _is_same_place(one, at)), None)
        if place is None:
            return False
        free.remove(place)
    return True


def _is_same_place(one: Figure, other: Figure) -> bool:
    offs = (one.x - other.x, one.y - other.y, one.width - other.width, one.depth - other.depth)
    return all(abs(off) <= SIZE_SLACK for off in offs)
