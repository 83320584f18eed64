"""Where a charge ends too close to units it does not charge, though it need not."""

from __future__ import annotations

import numpy as np

from shieldwall.core.state import Pose, State
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.contact import ALL_FOUND, close_in
from shieldwall.geometry.contact_places import ContactGoal
from shieldwall.geometry.short_moves import starts_slowed
from shieldwall.geometry.tolerance import over, touching
from shieldwall.table.coherency import how_far_apart
from shieldwall.table.loose_charge import NO_AIMS, empty_plan, gaps_from, solve_charge
from shieldwall.table.loose_moves import poses_from
from shieldwall.table.reasons import TableReason
from shieldwall.table.walk_context import (
    WalkContext,
    WalkLimits,
    context_of,
    model_names,
    room_for_trials,
    shapes_at,
)


def crowding(
    state: State, unit_id: int, target_id: int, ends: tuple[Pose, ...], limits: WalkLimits
) -> tuple[TableReason, ...]:
    """Models that touch the target too close to a third unit, though they could touch it elsewhere.

    Each is held against the places where its mates end. What the engine itself finds is as good as it gets.
    """
    plan = solve_charge(state, unit_id, target_id, limits)
    if not plan.is_legal or plan.walk.poses == ends:
        return ()
    context = context_of(state, state.units[unit_id], limits)
    row = context.scene.row_of[target_id]
    finals = np.array([(pose.x, pose.y, pose.heading, pose.z) for pose in ends], dtype=np.float64)
    touched = _gaps(context, finals, row)
    names = model_names(state, context.unit)
    reasons = []
    for index, (near, other) in enumerate(zip(*_nearest_others(context, finals, row), strict=True)):
        is_crowding = touching(float(touched[index])) and over(limits.end_spacing, near)
        if is_crowding and _could_keep_apart(context, finals, index, row):
            third, target = context.scene.units[other].name, context.scene.units[row].name
            text = f"{names[index]} would end {near:.2f} inches from {third}"
            text += f"; it could touch {target} and stay {limits.end_spacing:g} inches away"
            reasons.append(TableReason(text, "charge.apart"))
    return tuple(reasons)


def _gaps(context: WalkContext, places: Floats, row: int) -> Floats:
    """How far models at these places are from a unit."""
    return gaps_from(context._replace(movers=context.movers._replace(start=places)), row)


def _nearest_others(context: WalkContext, places: Floats, row: int) -> tuple[list[float], list[int]]:
    """For each model how near the nearest unit is that is neither its own nor the target, and its row."""
    others = [other for other in range(len(context.scene.units)) if other not in (row, context.me)]
    if not others:
        return [], []
    gaps = np.array([_gaps(context, places, other) for other in others])
    first = np.argmin(gaps, axis=0)
    return gaps.min(axis=0).tolist(), [others[which] for which in first.tolist()]


def _could_keep_apart(context: WalkContext, finals: Floats, index: int, row: int) -> bool:
    """Whether a model can touch the target, in coherency with its unit and clear of all others."""
    start = finals.copy()
    start[index] = context.movers.start[index]
    here = context._replace(movers=context.movers._replace(start=start))
    placed = np.ones(len(finals), dtype=np.int64)
    placed[index] = 0
    keep, slow = context.limits.end_spacing, bool(starts_slowed(context.movers, context.world))
    plan = empty_plan(len(finals))
    goal = ContactGoal(row, keep, slow, True, placed, NO_AIMS)
    trials = room_for_trials(len(finals))
    found = close_in(here.movers, np.array([index]), goal, here.world, trials, plan)
    if found != ALL_FOUND:
        return False
    start[index] = plan.paths[index, plan.sizes[index] - 1]
    near = _nearest_others(context, start, row)[0][index]
    shapes = shapes_at(context.unit, context.state.profiles, poses_from(start))
    is_linked = how_far_apart(shapes, context.limits.coherency) == 0.0
    return is_linked and touching(float(_gaps(context, start, row)[index])) and not over(keep, near)
