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
from shieldwall.table.loose_party import Party, WalkLimits, model_names, party_of, room_for_trials, shapes_at
from shieldwall.table.reasons import TableReason


def crowding(
    state: State, unit_id: int, target_id: int, ends: tuple[Pose, ...], limits: WalkLimits
) -> tuple[TableReason, ...]:
    """Models that touch the target too close to a third unit, though they could touch it elsewhere.

    Each is held against the places where its mates end. What the engine itself finds is as good as it gets.
    """
    plan = solve_charge(state, unit_id, target_id, limits)
    if not plan.is_legal or plan.walk.poses == ends:
        return ()
    party = party_of(state, state.units[unit_id], limits)
    row = party.scene.row_of[target_id]
    finals = np.array([(pose.x, pose.y, pose.heading, pose.z) for pose in ends], dtype=np.float64)
    touched = _gaps(party, finals, row)
    names = model_names(state, party.unit)
    reasons = []
    for index, (near, other) in enumerate(zip(*_nearest_others(party, finals, row), strict=True)):
        is_crowding = touching(float(touched[index])) and over(limits.end_spacing, near)
        if is_crowding and _could_keep_apart(party, finals, index, row):
            third, target = party.scene.units[other].name, party.scene.units[row].name
            text = f"{names[index]} would end {near:.2f} inches from {third}"
            text += f"; it could touch {target} and stay {limits.end_spacing:g} inches away"
            reasons.append(TableReason(text, "charge.apart"))
    return tuple(reasons)


def _gaps(party: Party, places: Floats, row: int) -> Floats:
    """How far models at these places are from a unit."""
    return gaps_from(party._replace(movers=party.movers._replace(start=places)), row)


def _nearest_others(party: Party, places: Floats, row: int) -> tuple[list[float], list[int]]:
    """For each model how near the nearest unit is that is neither its own nor the target, and its row."""
    others = [other for other in range(len(party.scene.units)) if other not in (row, party.me)]
    if not others:
        return [], []
    gaps = np.array([_gaps(party, places, other) for other in others])
    first = np.argmin(gaps, axis=0)
    return gaps.min(axis=0).tolist(), [others[which] for which in first.tolist()]


def _could_keep_apart(party: Party, finals: Floats, index: int, row: int) -> bool:
    """Whether a model finds a way to touch the target, linked to its mates and clear of everybody else."""
    start = finals.copy()
    start[index] = party.movers.start[index]
    here = party._replace(movers=party.movers._replace(start=start))
    placed = np.ones(len(finals), dtype=np.int64)
    placed[index] = 0
    keep, slow = party.limits.end_spacing, bool(starts_slowed(party.movers, party.world))
    plan = empty_plan(len(finals))
    goal = ContactGoal(row, keep, slow, True, placed, NO_AIMS)
    trials = room_for_trials(len(finals))
    found = close_in(here.movers, np.array([index]), goal, here.world, trials, plan)
    if found != ALL_FOUND:
        return False
    start[index] = plan.paths[index, plan.sizes[index] - 1]
    near = _nearest_others(party, start, row)[0][index]
    shapes = shapes_at(party.unit, party.state.profiles, poses_from(start))
    is_linked = how_far_apart(shapes, party.limits.coherency) == 0.0
    return is_linked and touching(float(_gaps(party, start, row)[index])) and not over(keep, near)
