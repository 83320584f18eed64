"""How a charged unit reacts: its models close up to the chargers; and which models are near enough to strike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import Pose, State
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.tolerance import touching, within
from shieldwall.table.coherency import Coherency, how_far_apart
from shieldwall.table.loose_charge import (
    ChargePlan,
    ends_of,
    gaps_from,
    in_contact,
    models_avoiding_contact,
    order_of,
    run_close_in,
    unnamed,
    with_reasons,
)
from shieldwall.table.loose_moves import WalkResult, check_walk, judged, path_arrays, poses_from, run_walk
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import memory_while_standing
from shieldwall.table.walk_context import (
    Memory,
    WalkContext,
    WalkLimits,
    context_of,
    memory_of,
    model_names,
    shapes_at,
)


def models_in_reach(state: State, unit_id: int, enemy_id: int, reach: float = 2.0) -> tuple[int, ...]:
    """The ids of the models of a unit that touch a model of the enemy unit or are within reach of one."""
    context = context_of(state, state.units[unit_id], _MEASURING)
    gaps = gaps_from(context, context.scene.row_of[enemy_id]).tolist()
    return tuple(
        [model.id for model, apart in zip(context.unit.models, gaps, strict=True) if within(apart, reach)]
    )


_MEASURING = WalkLimits((0.0,))
ANYWHERE = Coherency(link=1000.0, spread=1000.0)


def solve_react(state: State, unit_id: int, charger_id: int, limits: WalkLimits) -> ChargePlan:
    """Move models that no charger touches into contact, or as near as they can get, keeping the unit together.

    The limits are those of the short move (allowance 0 for models that must stay); the usual spacing applies to
    everybody but the chargers. There is always an answer, if necessary that no model moves. It is cached until some
    unit moves.
    """
    known: dict[tuple[int, int, Memory], ChargePlan] = memory_while_standing(state, unit_id).setdefault(
        "reacts", {}
    )
    key = (unit_id, charger_id, memory_of(limits))
    if key not in known:
        known[key] = _solve_react(state, unit_id, charger_id, limits)
    return known[key]


def _solve_react(state: State, unit_id: int, charger_id: int, limits: WalkLimits) -> ChargePlan:
    context = context_of(state, state.units[unit_id], _towards(limits, charger_id))
    row = context.scene.row_of[charger_id]
    order, placed = _who_moves(context, row)
    if order:
        plan, _ = run_close_in(context, order, placed.copy(), row, limits.spacing, True, False)
        if not _objections(plan.reasons):
            return replace(plan, reasons=())
    return _one_by_one(context, row, order)


def _towards(limits: WalkLimits, charger_id: int) -> WalkLimits:
    """The same limits without spacing from the chargers; cached."""
    if limits.close_to == charger_id:
        return limits
    known = memory_of(limits).related
    key = ("towards", float(charger_id))
    if key not in known:
        known[key] = replace(limits, close_to=charger_id)
    return known[key]


def _who_moves(context: WalkContext, row: int) -> tuple[list[int], Ints]:
    """Models that have to move, the nearest first, and a mark for those that stay in place."""
    gaps = gaps_from(context, row)
    allowed = context.movers.allowance
    order = [
        int(index)
        for index in np.argsort(gaps, kind="stable")
        if not touching(float(gaps[index])) and allowed[index] > 0.0
    ]
    placed = np.ones(len(gaps), dtype=np.int64)
    placed[order] = 0
    return order, placed


def _objections(reasons: tuple[TableReason, ...]) -> list[TableReason]:
    """The reasons that matter to a unit that need not make contact."""
    return [reason for reason in reasons if reason.cite != "charge.contact"]


def _one_by_one(context: WalkContext, row: int, order: Sequence[int]) -> ChargePlan:
    """Move each model only if the unit is then coherent, or no farther from coherency than before."""
    now: Floats = context.movers.start.copy()
    apart = _apart(context, poses_from(now))
    paths: list[ModelPath] = []
    for index in order:
        path = _alone(context, row, index, now)
        if path is None and apart > 0.0:
            path = _alone(_on_its_own(context), row, index, now)
        if path is None or not path.points:
            continue
        end = path.points[-1]
        tried = now.copy()
        tried[index] = (end.x, end.y, end.heading, end.z)
        after = _apart(context, poses_from(tried))
        if within(after, apart):
            now, apart = tried, after
            paths.append(path)
    return _carried_out(context, row, tuple(paths))


def _alone(context: WalkContext, row: int, index: int, now: Floats) -> ModelPath | None:
    """How one model closes up while all others stay; None if it finds no place."""
    here = context._replace(movers=context.movers._replace(start=now.copy()))
    placed = np.ones(len(context.unit.models), dtype=np.int64)
    placed[index] = 0
    plan, lost = run_close_in(here, [index], placed, row, context.limits.spacing, True, False)
    return plan.paths[0] if lost < 0 else None


def _on_its_own(context: WalkContext) -> WalkContext:
    """The same unit with coherency ignored, because it is lost already."""
    return context_of(context.state, context.unit, replace(context.limits, coherency=ANYWHERE))


def _apart(context: WalkContext, poses: tuple[Pose, ...]) -> float:
    """How far a unit at these poses is from being coherent."""
    if len(poses) == 1:
        return 0.0
    return how_far_apart(shapes_at(context.unit, context.state.profiles, poses), context.limits.coherency)


def _reasons_against(context: WalkContext, result: WalkResult) -> tuple[TableReason, ...]:
    """The reasons against a move; a unit that was not coherent may stay so if it gets no worse."""
    before = _apart(context, context.unit.poses)
    if not result.reasons or before == 0.0 or not within(_apart(context, result.poses), before):
        return result.reasons
    return tuple(reason for reason in result.reasons if not reason.cite.startswith("coherency."))


def _carried_out(context: WalkContext, row: int, paths: tuple[ModelPath, ...]) -> ChargePlan:
    """Paths as a plan; an empty plan if they are not legal together."""
    walked = run_walk(context, *path_arrays(context.unit, paths))
    result = judged(context, paths, walked, regroups=False)
    if paths and _reasons_against(context, result):
        return _carried_out(context, row, ())
    return ChargePlan(paths, in_contact(context, walked.ends, row), (), with_reasons(result, ()))


def check_react(
    state: State, unit_id: int, charger_id: int, paths: Sequence[ModelPath], limits: WalkLimits
) -> WalkResult:
    """Judge the short move of a charged unit: models in contact stay, all others get as close as they can.

    A plan that the engine itself finds is always accepted, even where the models crowd each other out.
    """
    unit, given = state.units[unit_id], tuple(paths)
    solved = solve_react(state, unit_id, charger_id, limits)
    if given == solved.paths:
        return with_reasons(solved.walk, ())
    toward = _towards(limits, charger_id)
    result = check_walk(state, unit_id, paths, toward, regroups=False)
    context = context_of(state, unit, toward)
    result = with_reasons(result, _reasons_against(context, result))
    row = context.scene.row_of[charger_id]
    order, placed = _who_moves(context, row)
    names = model_names(state, unit)
    moved = [index for index in order_of(unit, paths) if result.poses[index] != unit.poses[index]]
    held = [
        TableReason(f"{names[index]} is already in contact, or cannot move, and must stay", "react.stays")
        for index in moved
        if placed[index]
    ]
    if held or result.reasons:
        return with_reasons(result, (*result.reasons, *held))
    turns = [index for index in (*order_of(unit, paths), *unnamed(unit, paths)) if index in order]
    if _apart(context, result.poses) > 0.0:
        context = _on_its_own(context)
    return with_reasons(
        result, models_avoiding_contact(context, row, turns, placed, ends_of(result), limits.spacing, True)
    )
