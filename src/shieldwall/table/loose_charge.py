"""Charges of loose units: who can be reached, how a unit closes in, and how the charged unit reacts.

A plan is found model by model, the nearest first, and always follows the same rules as any other move. The check
compares an answer with what each model could have done when its turn came.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import ModelPath
from shieldwall.core.grammar import unit_does
from shieldwall.core.state import Pose, State, Unit
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.contact import ALL_FOUND, NONE_TOUCHES, ContactPlan, close_in
from shieldwall.geometry.contact_places import ContactGoal
from shieldwall.geometry.distance import set_gap
from shieldwall.geometry.paths import LONGEST
from shieldwall.geometry.short_moves import enemies_near, gaps_to_unit, starts_slowed
from shieldwall.geometry.tolerance import over, told, touching, within
from shieldwall.geometry.walk import CAP
from shieldwall.table.coherency import how_far_apart
from shieldwall.table.loose_moves import WalkResult, check_walk, judged, path_arrays, poses_from, run_walk
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import memory_while_standing, scene_of
from shieldwall.table.walk_context import (
    Memory,
    WalkContext,
    WalkLimits,
    context_of,
    memory_of,
    model_names,
    shapes_at,
)

NEAR_GRACE = 0.25  # inches by which a model that cannot touch may stop short of the nearest place we find
ORDERS_TRIED = 4
NO_AIMS = np.zeros((0, 2))


class ChargePlan(Struct, frozen=True):
    """A way to close in: paths in the order in which the models go, and the ids of those that end in contact.

    `reasons` say why there is none. `walk` is the judged move, with the pieces entered on the way.
    """

    paths: tuple[ModelPath, ...]
    contacts: tuple[int, ...]
    reasons: tuple[TableReason, ...]
    walk: WalkResult
    leapers: tuple[int, ...] = ()
    """The ids of models that leap between ledges where they could climb down and up."""

    @property
    def is_legal(self) -> bool:
        """Whether the plan can be carried out."""
        return not self.reasons

    @property
    def poses(self) -> tuple[Pose, ...]:
        """Where the models end, in the order of the unit."""
        return self.walk.poses


class LooseChargeOption(Struct, frozen=True):
    """A unit that can be charged, the longest way any model goes, how many make contact, and the plan."""

    target: int
    used: float
    contacts: int
    plan: ChargePlan


def charge_reach(state: State, unit_id: int, limits: WalkLimits) -> tuple[LooseChargeOption, ...]:
    """Every enemy unit the unit can charge, in the order of the state's units. Sight does not matter."""
    options = []
    for target in units_perhaps_in_reach(state, unit_id, max(limits.allowance)):
        plan = solve_charge(state, unit_id, target, limits)
        if plan.is_legal:
            options.append(LooseChargeOption(target, max(plan.walk.used), len(plan.contacts), plan))
    return tuple(options)


def units_perhaps_in_reach(state: State, unit_id: int, reach: float) -> list[int]:
    """Enemies on the table that a quick test cannot rule out as farther away than `reach` inches, in order."""
    scene = scene_of(state)
    near = np.empty(len(scene.units), dtype=np.int64)
    found = enemies_near(scene.circles, scene.sides, scene.row_of[unit_id], reach, near)
    return [scene.unit_ids[row] for row in near[:found].tolist()]


def solve_charge(state: State, unit_id: int, target_id: int, limits: WalkLimits) -> ChargePlan:
    """The unit's charge at a target, or why it cannot charge; cached until a unit moves.

    Every model moves into contact if it can do so in coherency, else as near as it can.
    """
    known: dict[tuple[int, int, Memory], ChargePlan] = memory_while_standing(state, unit_id).setdefault(
        "charges", {}
    )
    if limits.close_to == target_id and limits.spacing == 0.0:
        limits = replace(limits, close_to=-1)  # redundant here, and would miss the cached plan
    key = (unit_id, target_id, memory_of(limits))
    if key not in known:
        known[key] = _solve_charge(state, unit_id, target_id, limits)
    return known[key]


def _solve_charge(state: State, unit_id: int, target_id: int, limits: WalkLimits) -> ChargePlan:
    unit, target = state.units[unit_id], state.units[target_id]
    context = context_of(state, unit, limits)
    row = context.scene.row_of.get(target_id, -1)
    if row < 0:
        return _no_plan(context, TableReason(f"{unit_does(target, 'are')} not on the table", "charge.target"))
    gaps = gaps_from(context, row)
    nearest, longest = _flat_gap(context, row), float(context.movers.allowance.max())
    if over(nearest, longest):
        away = f"{unit_does(target, 'are')} {told(nearest, longest)} inches away"
        text = f"{away}; {unit_does(unit, 'charge')} {longest:g}"
        return _no_plan(context, TableReason(text, "charge.distance"))
    best: ChargePlan | None = None
    for slow in _paces(context, nearest):
        plan = _try_orders(context, row, gaps, slow)
        if best is None or _worth(plan) > _worth(best):
            best = plan
        if best.is_legal and len(best.contacts) == len(unit.models):
            break
    assert best is not None
    return best


def _worth(plan: ChargePlan) -> tuple[bool, int]:
    return plan.is_legal, len(plan.contacts)


def _paces(context: WalkContext, nearest: float) -> tuple[bool, ...]:
    """Whether to try avoiding difficult ground (False), crossing it slowly (True), or both."""
    if not context.scene.ground.slows:
        return (False,)
    if starts_slowed(context.movers, context.world):
        return (True,)
    return (False, True) if within(nearest, float(context.world.rule[CAP])) else (False,)


def gaps_from(context: WalkContext, row: int) -> Floats:
    """Distance of each model to a unit of the scene, in inches."""
    gaps = np.empty(len(context.unit.models))
    gaps_to_unit(context.movers, row, context.world, gaps)
    return gaps


def _flat_gap(context: WalkContext, row: int) -> float:
    """The distance to a unit of the scene, ignoring heights."""
    mine, theirs = shapes_at(context.unit, context.state.profiles, context.unit.poses), context.scene.outline
    first, stop = context.scene.outline_spans[row]
    gap = set_gap(mine.span(), theirs.span(first, stop), math.inf, False)
    return max(float(gap[0]), 0.0)


def _try_orders(context: WalkContext, row: int, gaps: Floats, slow: bool) -> ChargePlan:
    """Move the nearest models first; a model that found no place goes first on the next attempt."""
    order = [int(index) for index in np.argsort(gaps, kind="stable")]
    first: ChargePlan | None = None
    for _ in range(min(ORDERS_TRIED, len(order))):
        placed = np.zeros(len(order), dtype=np.int64)
        plan, lost = run_close_in(context, order, placed, row, context.limits.end_spacing, slow, True)
        if plan.is_legal:
            return plan
        first = first or plan
        if lost < 0 or order[0] == lost:
            break
        order.remove(lost)
        order.insert(0, lost)
    assert first is not None
    return first


def run_close_in(
    context: WalkContext,
    order: Sequence[int],
    placed: Ints,
    row: int,
    keep: float,
    slow: bool,
    must_touch: bool,
) -> tuple[ChargePlan, int]:
    """One run of the kernel as a judged plan, and the model that found no place (below 0: none)."""
    plan = empty_plan(len(context.unit.models))
    numbers = np.array(order, dtype=np.int64)
    goal = ContactGoal(row, keep, slow, must_touch, placed, NO_AIMS)
    lost = close_in(context.movers, numbers, goal, context.world, plan)
    unit, name = context.unit, context.scene.units[row].name
    if lost == NONE_TOUCHES:
        text = f"no model of {unit.name} can make contact with {name}"
        return _no_plan(context, TableReason(text, "charge.contact")), lost
    if lost >= 0:
        who = model_names(context.state, unit)[lost]
        text = f"{unit.name} cannot reach {name} and stay in coherency: there is no place for {who}"
        return _no_plan(context, TableReason(text, "charge.coherency")), lost
    paths = tuple([path_of(context, index, plan) for index in order])
    walked = run_walk(context, *path_arrays(unit, paths))
    result = judged(context, paths, walked, regroups=False)
    touch = in_contact(context, walked.ends, row)
    reasons = result.reasons
    if not touch:
        missed = TableReason(f"no model of {unit.name} can make contact with {name}", "charge.contact")
        reasons = (*reasons, missed)
    return ChargePlan(paths, touch, reasons, result), -1


def in_contact(context: WalkContext, ends: Floats, row: int) -> tuple[int, ...]:
    """The ids of the models that would touch a unit of the scene from these places."""
    there = context._replace(movers=context.movers._replace(start=ends))
    gaps = gaps_from(there, row).tolist()
    return tuple(
        [model.id for model, apart in zip(context.unit.models, gaps, strict=True) if touching(apart)]
    )


def empty_plan(count: int) -> ContactPlan:
    """Room for the decisions of so many models."""
    return ContactPlan(
        np.empty((count, LONGEST, 4)),
        np.zeros(count, dtype=np.int64),
        np.zeros(count),
        np.full(count, np.inf),
    )


def path_of(context: WalkContext, index: int, plan: ContactPlan) -> ModelPath:
    """A path of the kernel as an answer, without points that do not move the model."""
    points = plan.paths[index, : int(plan.sizes[index])].tolist()
    poses = [Pose(int(x), int(y), int(heading), int(z)) for x, y, heading, z in points]
    moving = tuple(pose for before, pose in pairwise(poses) if pose != before)
    return ModelPath(context.unit.models[index].id, moving)


def _no_plan(context: WalkContext, reason: TableReason) -> ChargePlan:
    unit = context.unit
    stay = WalkResult((), unit.poses, (), (0.0,) * len(unit.models), -1, context.state.pieces, [], [])
    return ChargePlan((), (), (reason,), stay)


def check_charge(
    state: State, unit_id: int, target_id: int, paths: Sequence[ModelPath], limits: WalkLimits
) -> WalkResult:
    """Judge a charge move: a legal walk, some contact, and every model getting as near as it can in its turn."""
    best = solve_charge(state, unit_id, target_id, limits)
    given = tuple(paths)
    if best.is_legal and best.paths == given:
        return best.walk
    result = check_walk(state, unit_id, given, limits, regroups=False)
    context = context_of(state, state.units[unit_id], limits)
    row = context.scene.row_of.get(target_id, -1)
    if row < 0:
        return with_reasons(result, (*best.reasons, *result.reasons))
    if not in_contact(context, ends_of(result), row):
        text = f"no model of {context.unit.name} can make contact with {state.units[target_id].name}"
        return with_reasons(result, (*result.reasons, TableReason(text, "charge.contact")))
    if result.reasons:
        return result
    placed = np.zeros(len(context.unit.models), dtype=np.int64)
    order = [*order_of(context.unit, given), *unnamed(context.unit, given)]
    slow = result.slowed_by >= 0 or starts_slowed(context.movers, context.world)
    reasons = models_avoiding_contact(context, row, order, placed, ends_of(result), limits.end_spacing, slow)
    if not reasons and result.has_leaps:  # what they could have done is searched on foot, from the start
        reasons = stopped_short(context, row, result, limits.end_spacing, slow)
    return with_reasons(result, reasons)


def with_reasons(result: WalkResult, reasons: tuple[TableReason, ...]) -> WalkResult:
    """The same move with other reasons."""
    if not reasons and not result.reasons:
        return result
    return result.with_reasons(reasons)


def ends_of(result: WalkResult) -> Floats:
    """The poses of a result as numbers."""
    return np.array([(p.x, p.y, p.heading, p.z) for p in result.poses], dtype=np.float64)


def order_of(unit: Unit, paths: Sequence[ModelPath]) -> list[int]:
    """Indexes of the models that have a path, in its order."""
    index = {model.id: place for place, model in enumerate(unit.models)}
    return [index[path.model] for path in paths]


def unnamed(unit: Unit, paths: Sequence[ModelPath]) -> list[int]:
    """Indexes of the models without a path."""
    named = {path.model for path in paths}
    return [place for place, model in enumerate(unit.models) if model.id not in named]


def models_avoiding_contact(
    context: WalkContext, row: int, order: Sequence[int], placed: Ints, ends: Floats, keep: float, slow: bool
) -> tuple[TableReason, ...]:
    """Models that could have touched the target, or come clearly nearer, when their turn came.

    Each is judged with the models before it in place and those after it at their starts; a model is excused if
    closing in would leave the rest no coherent move.
    """
    final = gaps_from(context._replace(movers=context.movers._replace(start=ends)), row)
    now = context.movers.start.copy()
    names = model_names(context.state, context.unit)
    target = context.scene.units[row].name
    reasons = []
    for turn, index in enumerate(order):
        left = float(final[index])
        if not touching(left):
            here = context._replace(movers=context.movers._replace(start=now.copy()))
            best = _best_for(here, order[turn:], placed.copy(), row, keep, slow)
            if best is not None and over(left, best + (0.0 if touching(best) else NEAR_GRACE)):
                could = "could make contact" if touching(best) else f"could get to {best:.2f}"
                text = f"{names[index]} would stay {left:.2f} inches from {target}; it {could}"
                reasons.append(TableReason(text, "charge.duty"))
        now[index] = ends[index]
        placed[index] = 1
    return tuple(reasons)


def stopped_short(
    context: WalkContext, row: int, result: WalkResult, keep: float, slow: bool
) -> tuple[TableReason, ...]:
    """Models that could have touched the target from where they ended with the movement they had left."""
    movers = context.movers
    left = np.maximum(0.0, movers.allowance - np.array(result.used))
    there = context._replace(movers=movers._replace(start=ends_of(result), allowance=left))
    reasons = []
    for index, apart in enumerate(gaps_from(there, row).tolist()):
        if touching(apart):
            continue
        placed = np.ones(len(left), dtype=np.int64)
        placed[index] = 0
        best = _best_for(there, [index], placed, row, keep, slow)
        if best is not None and touching(best):
            who = model_names(context.state, context.unit)[index]
            target = context.scene.units[row].name
            text = f"{who} would stay {apart:.2f} inches from {target}; it could make contact"
            reasons.append(TableReason(text, "charge.duty"))
    return tuple(reasons)


def _best_for(
    context: WalkContext, order: Sequence[int], placed: Ints, row: int, keep: float, slow: bool
) -> float | None:
    """How near the first model of an order gets; None if the rest then finds no coherent move."""
    plan = empty_plan(len(context.unit.models))
    numbers = np.array(order, dtype=np.int64)
    goal = ContactGoal(row, keep, slow, False, placed, NO_AIMS)
    if close_in(context.movers, numbers, goal, context.world, plan) >= 0:
        return None
    ends = context.movers.start.copy()
    for index in order:
        ends[index] = plan.paths[index, plan.sizes[index] - 1]
    shapes = shapes_at(context.unit, context.state.profiles, poses_from(ends))
    return float(plan.apart[order[0]]) if how_far_apart(shapes, context.limits.coherency) == 0.0 else None


def crowding(
    state: State, unit_id: int, target_id: int, ends: tuple[Pose, ...], limits: WalkLimits
) -> tuple[TableReason, ...]:
    """Models that touch the target too close to a third unit, though they could touch it elsewhere.

    Each is judged with its mates where they end. A plan that the engine itself finds is always accepted.
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
    """For each model the distance and row of the nearest unit other than its own and the target."""
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
    if close_in(here.movers, np.array([index]), goal, here.world, plan) != ALL_FOUND:
        return False
    start[index] = plan.paths[index, plan.sizes[index] - 1]
    near = _nearest_others(context, start, row)[0][index]
    shapes = shapes_at(context.unit, context.state.profiles, poses_from(start))
    is_linked = how_far_apart(shapes, context.limits.coherency) == 0.0
    return is_linked and touching(float(_gaps(context, start, row)[index])) and not over(keep, near)
