"""A whole loose unit dragged to a spot, solved into legal moves of its models.

The unit first tries to move in formation, straight towards the wanted spot; then less far or a little to one side. If
that leaves it well short, its models move one by one, round what is in the way. The answer is always a legal move,
if necessary none at all.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Pose, State
from shieldwall.geometry.contact import close_in
from shieldwall.geometry.contact_places import ContactGoal
from shieldwall.geometry.short_moves import starts_slowed
from shieldwall.geometry.unit_moves import FULLY, NOT_AT_ALL, drag_unit
from shieldwall.table.coherency import is_coherent
from shieldwall.table.loose_charge import empty_plan, path_of
from shieldwall.table.loose_moves import (
    WalkResult,
    judged,
    path_arrays,
    poses_from,
    remember,
    room_for_shift,
    run_walk,
)
from shieldwall.table.regroup import solve_regroup
from shieldwall.table.walk_context import (
    WalkContext,
    WalkLimits,
    context_of,
    mould_of,
    room_for,
)

WORTH_SOLVING = 500.0  # thousandths short of the wanted spot from which moving models one by one may pay off
MOST_SINGLE = 12  # models in the largest unit that is moved one by one


def unit_centre(poses: tuple[Pose, ...]) -> tuple[float, float]:
    """The middle of a unit in thousandths: the mean position of its models."""
    return sum(pose.x for pose in poses) / len(poses), sum(pose.y for pose in poses) / len(poses)


def solve_drag(
    state: State, unit_id: int, limits: WalkLimits, wanted: Pose, turn: bool = False, roughly: bool = False
) -> WalkResult:
    """Move the unit so that its middle comes as near as possible to the wanted pose.

    `turn` gives round bases the wanted heading; other bases keep theirs, since turning costs them movement.
    `roughly` accepts the first legal move of the unit as a whole, for callers that need no exact spot.
    """
    result = _solve_drag(state, unit_id, limits, wanted, turn, roughly)
    remember(state, unit_id, limits, result)
    return result


def _solve_drag(
    state: State, unit_id: int, limits: WalkLimits, wanted: Pose, turn: bool, roughly: bool
) -> WalkResult:
    unit = state.units[unit_id]
    if not is_coherent(unit, state.profiles, limits.coherency):
        return solve_regroup(state, unit_id, limits, wanted)
    context = context_of(state, unit, limits, brief=True)
    dx, dy = _wish(context, wanted)
    heading = float(wanted.heading) if turn else -1.0
    count = len(unit.models)
    shift, found = room_for_shift(count), room_for(count)
    got = NOT_AT_ALL
    if math.hypot(dx, dy) >= 1.0:
        got = drag_unit(context.movers, dx, dy, heading, not roughly, shift, context.world, found)
    if got == NOT_AT_ALL:
        stay = WalkResult((), unit.poses, (), (0.0,) * count, -1, state.pieces, [], [])
        return stay if roughly or math.hypot(dx, dy) <= WORTH_SOLVING else _one_by_one(context, dx, dy, stay)
    ends = poses_from(shift.path[1::2])
    order = shift.order.tolist()
    paths = tuple([ModelPath(unit.models[i].id, (end,)) for i, end in zip(order, ends, strict=True)])
    whole = judged(context, paths, found, regroups=False)
    if roughly or got == FULLY or _miss(context, dx, dy, whole) <= WORTH_SOLVING:
        return whole
    return _one_by_one(context, dx, dy, whole)


def _wish(context: WalkContext, wanted: Pose) -> tuple[float, float]:
    """The wanted shift in thousandths, kept on the table and cut to what the slowest model may go."""
    x, y = unit_centre(context.unit.poses)
    dx, dy = _on_table(context, wanted.x - x, wanted.y - y)
    most = min(context.limits.allowance, default=0.0)
    cap = context.limits.difficult_cap
    if most > cap and context.scene.ground.slows:
        most = cap if starts_slowed(context.movers, context.world) else most
    near = float(round(dx)), float(round(dy))
    if math.hypot(*near) <= most * MILLI:
        return near
    share = most * MILLI / math.hypot(dx, dy)
    return dx * share, dy * share


def _on_table(context: WalkContext, dx: float, dy: float) -> tuple[float, float]:
    """A shift cut short where a circle round some base would cross the edge of the table."""
    state, poses = context.state, context.unit.poses
    reach = math.ceil(mould_of(context.unit, state.profiles).widest * MILLI)
    across, along = [pose.x for pose in poses], [pose.y for pose in poses]
    left, right = min(across) - reach, state.width - reach - max(across)
    near, far = min(along) - reach, state.depth - reach - max(along)
    return max(min(dx, max(right, 0)), -max(left, 0)), max(min(dy, max(far, 0)), -max(near, 0))


def _miss(context: WalkContext, dx: float, dy: float, result: WalkResult) -> float:
    """How far, in thousandths, the models end from their wanted places, on average."""
    ways = [
        math.hypot(end.x - start.x - dx, end.y - start.y - dy)
        for start, end in zip(context.unit.poses, result.poses, strict=True)
    ]
    return sum(ways) / len(ways)


def _one_by_one(context: WalkContext, dx: float, dy: float, whole: WalkResult) -> WalkResult:
    """Move the models one by one to their wanted places; the better of that and the move as a whole."""
    count = len(context.unit.models)
    if count > MOST_SINGLE:
        return whole
    best = whole
    aims = (context.movers.start[:, :2] + (dx, dy)) / MILLI
    ahead = context.movers.start[:, 0] * dx + context.movers.start[:, 1] * dy
    order = np.argsort(-ahead, kind="stable").astype(np.int64)
    for slow in (False, True) if context.scene.ground.slows else (False,):
        plan = empty_plan(count)
        goal = ContactGoal(-1, context.limits.spacing, slow, False, np.zeros(count, dtype=np.int64), aims)
        if close_in(context.movers, order, goal, context.world, plan) >= 0:
            continue
        paths = tuple([path_of(context, index, plan) for index in order.tolist()])
        walked = run_walk(context, *path_arrays(context.unit, paths))
        result = judged(context, paths, walked, regroups=False)
        if result.is_legal and _miss(context, dx, dy, result) < _miss(context, dx, dy, best):
            best = result
    return best
