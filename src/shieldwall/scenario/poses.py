"""Positions of a scenario in the engine's numbers, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from shieldwall.core.state import Base, Model, Pose, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.table.formations import FULL_TURN, formation_of, shifted
from shieldwall.table.ground import ground_height, standing_level
from shieldwall.table.shapes import MM_PER_INCH


def is_position(at: object) -> bool:
    """Whether something is [x, y], [x, y, heading] or [x, y, heading, z]."""
    return (
        isinstance(at, (list, tuple))
        and 2 <= len(at) <= 4
        and all(type(number) in (int, float) for number in at)
    )


def read_pose(state: State, at: Sequence[float], heading: int = 0, base: Base | None = None) -> Pose:
    """A pose. Without a heading it faces the given way; without a height it stands on the ground there.

    That is the highest ground under half of its base, or the ground under its centre if no base is given.
    """
    x, y = round(at[0] * MILLI), round(at[1] * MILLI)
    turned = round(at[2] * CENTI) % FULL_TURN if len(at) > 2 else heading
    if len(at) > 3:
        return Pose(x, y, turned, round(at[3] * MILLI))
    flat = Pose(x, y, turned)
    level = ground_height(state, x, y) if base is None else standing_level(state, flat, base)
    return replace(flat, z=level)


def block_by_front(state: State, unit: Unit, at: Sequence[float], heading: int = 0) -> Pose:
    """The pose of a block from the middle of its front edge; without a height it stands on the ground there."""
    front = read_pose(state, at, heading)
    half = formation_of(replace(unit, block=front), state.profiles).half_depth
    centre = shifted(front, 0.0, -half)
    return centre if len(at) > 3 else replace(centre, z=ground_height(state, centre.x, centre.y))


def base_of(state: State, model: Model) -> Base:
    """The base of a model."""
    return state.profiles[model.profile].base


def poses_for(state: State, unit: Unit, at: Any, heading: int = 0) -> tuple[Pose, ...]:
    """A block's single pose; or one pose per model, as listed or side by side in a row about one position."""
    if unit.width:
        return (read_pose(state, at if is_position(at) else at[0], heading),)
    if not is_position(at):
        return tuple(
            read_pose(state, spot, heading, base_of(state, model))
            for spot, model in zip(at, unit.models, strict=False)
        )
    return row_of(state, unit, at, heading)


def row_of(state: State, unit: Unit, at: Sequence[float], heading: int) -> tuple[Pose, ...]:
    """Models side by side, bases touching, about one position."""
    facing = round(at[2] * CENTI) % FULL_TURN if len(at) > 2 else heading
    centre = Pose(round(at[0] * MILLI), round(at[1] * MILLI), facing)
    bases = [base_of(state, model) for model in unit.models]
    widths = [base.width / MM_PER_INCH for base in bases]
    right = -sum(widths) / 2
    poses: list[Pose] = []
    for width, base in zip(widths, bases, strict=True):
        spot = shifted(centre, right + width / 2, 0.0)
        right += width
        poses.append(read_pose(state, [spot.x / MILLI, spot.y / MILLI, facing / CENTI, *at[3:]], base=base))
    return tuple(poses)
