"""Restoring the coherency of a unit whose models stand too far apart.

One model, the one nearest to all others, is the anchor; the others close up to it one after the other, the nearest
first, each only as far as it must to be linked. A model that cannot get that far goes as near as it can. If the unit
becomes coherent only when the anchor moves to meet the farthest model, it does.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Pose, State
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.contact import close_in
from shieldwall.geometry.contact_places import ContactGoal
from shieldwall.geometry.short_moves import go_straight
from shieldwall.table.coherency import how_far_apart
from shieldwall.table.loose_charge import empty_plan, path_of
from shieldwall.table.loose_moves import WalkResult, judged, path_arrays, poses_from, run_walk
from shieldwall.table.walk_context import WalkContext, WalkLimits, context_of, shapes_at

CROWD = 8  # models of a unit beyond which a longer search would take too long


def solve_regroup(state: State, unit_id: int, limits: WalkLimits, wanted: Pose | None = None) -> WalkResult:
    """The unit's move back into coherency, or as close to it as we find; legal either way.

    With `wanted`, the model nearest to it is the anchor instead, unless that leaves the unit farther from coherency,
    by which the move is judged. Reasons are left out, because no better move is known.
    """
    unit = state.units[unit_id]
    context = context_of(state, unit, limits)
    best, need = _best_of(context, _anchors(context, wanted))
    if wanted is not None and need > 0.0:
        plain, plain_need = _best_of(context, _anchors(context, None))
        best = plain if plain_need < need else best
    if best is None:
        return WalkResult((), unit.poses, (), (0.0,) * len(unit.models), -1, state.pieces, [], [])
    best.reasons = ()
    return best


def _best_of(context: WalkContext, anchors: list[int]) -> tuple[WalkResult | None, float]:
    """The move round one of these anchors that comes closest to coherency, and how much is still missing."""
    state, unit, limits = context.state, context.unit, context.limits
    best: WalkResult | None = None
    best_need = math.inf
    meetings = (False, True) if len(unit.models) <= CROWD else (False,)
    for anchor, meets in [(anchor, meets) for meets in meetings for anchor in anchors]:
        paths = _gather(context, anchor, meets)
        result = judged(context, paths, run_walk(context, *path_arrays(unit, paths)), regroups=False)
        if any(not reason.cite.startswith("coherency.") for reason in result.reasons):
            continue
        need = how_far_apart(shapes_at(unit, state.profiles, result.poses), limits.coherency)
        if need < best_need and (need == 0.0 or not meets):  # models that stay too far away need not be met
            best, best_need = result, need
        if need == 0.0:
            break
    return best, best_need


def _anchors(context: WalkContext, wanted: Pose | None) -> list[int]:
    """Models sorted by how good an anchor they are: near the wanted spot, else near the farthest of the others."""
    spots = context.movers.start[:, :2]
    if wanted is not None:
        rank = np.hypot(spots[:, 0] - wanted.x, spots[:, 1] - wanted.y)
    else:
        rank = np.max(
            np.hypot(spots[:, None, 0] - spots[None, :, 0], spots[:, None, 1] - spots[None, :, 1]), axis=1
        )
    return [int(index) for index in np.argsort(rank, kind="stable")][:3]


def _gather(context: WalkContext, anchor: int, meets: bool) -> tuple[ModelPath, ...]:
    """Paths of all models towards the anchor, in the order of their distance to it.

    The anchor stays, or moves first and `meets` the farthest of them.
    """
    now: Floats = context.movers.start.copy()
    count = len(context.unit.models)
    placed = np.zeros(count, dtype=np.int64)
    placed[anchor] = 1
    away = np.hypot(now[:, 0] - now[anchor, 0], now[:, 1] - now[anchor, 1])
    paths: list[ModelPath] = []
    order = [int(index) for index in np.argsort(away, kind="stable") if index != anchor]
    for index in [anchor, *order] if meets else order:
        path = (
            _towards(context, anchor, now, [order[-1]])
            if index == anchor
            else _join(context, index, now, placed)
        )
        if path.points:
            end = path.points[-1]
            now[index] = (end.x, end.y, end.heading, end.z)
            paths.append(path)
        placed[index] = 1
    return tuple(paths)


def _join(context: WalkContext, index: int, now: Floats, placed: Ints) -> ModelPath:
    """The path of one model to a place that links it to the mates in place; none if it is linked already."""
    movers = context.movers._replace(start=now.copy())
    count = len(now)
    plan = empty_plan(count)
    aims = now[:, :2] / MILLI
    goal = ContactGoal(-1, context.limits.spacing, True, False, placed.copy(), aims)
    here = context._replace(movers=movers)
    if close_in(here.movers, np.array([index]), goal, here.world, plan) < 0:
        return path_of(here, index, plan)
    others = [mate for mate in range(count) if placed[mate] and mate != index]
    return _towards(here, index, now, others)


def _towards(context: WalkContext, index: int, now: Floats, others: list[int]) -> ModelPath:
    """As far as a model gets straight towards the nearest of some mates."""
    away = [math.hypot(now[mate, 0] - now[index, 0], now[mate, 1] - now[index, 1]) for mate in others]
    nearest = others[int(np.argmin(away))]
    dx, dy = now[nearest, 0] - now[index, 0], now[nearest, 1] - now[index, 1]
    length = max(math.hypot(dx, dy), 1.0)  # a file may put two models on one spot
    path = np.empty((2, 4))
    most = min(float(context.movers.allowance[index]), length / MILLI)
    go_straight(context.movers, index, dx / length, dy / length, most, context.world, path)
    poses = poses_from(path)
    return ModelPath(context.unit.models[index].id, poses[1:] if poses[1] != poses[0] else ())
