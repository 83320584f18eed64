"""Positions of a scenario in the engine's numbers, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shieldwall.core.state import Pose, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.table.formations import shifted
from shieldwall.table.ground import ground_height
from shieldwall.table.shapes import MM_PER_INCH

FULL_TURN = 360 * CENTI


def is_position(at: object) -> bool:
    """Whether something is [x, y], [x, y, heading] or [x, y, heading, z]."""
    return (
        isinstance(at, (list, tuple))
        and 2 <= len(at) <= 4
        and all(type(number) in (int, float) for number in at)
    )


def read_pose(state: State, at: Sequence[float], heading: int = 0) -> Pose:
    """A pose. Without a height it stands on whatever ground is there, without a heading it looks as given."""
    x, y = round(at[0] * MILLI), round(at[1] * MILLI)
    turned = round(at[2] * CENTI) % FULL_TURN if len(at) > 2 else heading
    height = round(at[3] * MILLI) if len(at) > 3 else ground_height(state, x, y)
    return Pose(x, y, turned, height)


def poses_for(state: State, unit: Unit, at: Any, heading: int = 0) -> tuple[Pose, ...]:
    """A block's single pose; or one pose per model, as listed or side by side in a row about one position."""
    if unit.width:
        return (read_pose(state, at if is_position(at) else at[0], heading),)
    if not is_position(at):
        return tuple(read_pose(state, spot, heading) for spot in at)
    return row_of(state, unit, at, heading)


def row_of(state: State, unit: Unit, at: Sequence[float], heading: int) -> tuple[Pose, ...]:
    """Models side by side, bases touching, about one position."""
    facing = round(at[2] * CENTI) % FULL_TURN if len(at) > 2 else heading
    centre = Pose(round(at[0] * MILLI), round(at[1] * MILLI), facing)
    widths = [state.profiles[model.profile].base.width / MM_PER_INCH for model in unit.models]
    right = -sum(widths) / 2
    poses: list[Pose] = []
    for width in widths:
        spot = shifted(centre, right + width / 2, 0.0)
        right += width
        poses.append(read_pose(state, [spot.x / MILLI, spot.y / MILLI, facing / CENTI, *at[3:]]))
    return tuple(poses)
