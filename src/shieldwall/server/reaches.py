"""Where a unit can get: outlines that are drawn as a soft band; the previews judge each single spot."""

from __future__ import annotations

import numpy as np

from shieldwall.core.answers import Leg
from shieldwall.core.state import CENTI, MILLI, State, Unit
from shieldwall.geometry.march_search import longest_leg
from shieldwall.server.geometry import base_circles, hull, ring
from shieldwall.server.views import Point
from shieldwall.table.block_board import MarchLimits, board_of, mover_of, numbers_of
from shieldwall.table.block_legs import read_legs
from shieldwall.table.formations import block_pose, heading_vector
from shieldwall.table.loose_party import WalkLimits

TURN_STEP = 15 * CENTI

Outlines = tuple[tuple[Point, ...], ...]


def block_reach(state: State, unit: Unit, limits: MarchLimits) -> Outlines:
    """The spots a block's centre reaches by one turn and then straight ahead, obstacles respected."""
    if not limits.allowance or "forward" not in limits.kinds:
        return ()
    pose = block_pose(unit)
    points: list[Point] = [(pose.x, pose.y)]
    most = min(limits.pivot_limit, 9000) if "pivot" in limits.kinds else 0
    for turn in range(-most, most + 1, TURN_STEP) if most else (0,):
        legs = np.concatenate(
            [read_legs((Leg("pivot", turn),) if turn else (), False).flat, np.zeros(3, dtype=np.int64)]
        )
        run = longest_leg(
            board_of(state, limits.climb_max), mover_of(state, unit), numbers_of(limits),
            limits.allowance / MILLI, limits.half_allowance / MILLI, limits.difficult_cap / MILLI,
            pose.x, pose.y, pose.heading, legs, 0,
        )  # fmt: skip
        sine, cosine = heading_vector(pose.heading + turn)
        points.append((round(pose.x + run * sine), round(pose.y + run * cosine)))
    return (tuple(points),)


def loose_reach(state: State, unit: Unit, limits: WalkLimits) -> Outlines:
    """Everything the bases of a loose unit could cover with nothing in the way."""
    far = round(max(limits.allowance) * MILLI)
    if not far or unit.place != "table":
        return ()
    return (ring(state, unit, far),) if base_circles(state, unit) else (hull([]),)
