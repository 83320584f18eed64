"""Forced short moves: stepping back after a melee, being pushed, landing after a fall."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Base, Piece, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import set_gap
from shieldwall.geometry.polygons import polygon_distance
from shieldwall.geometry.short_moves import BACK_TRIES, go_straight, way_back
from shieldwall.geometry.tolerance import EPS, closer_than, over
from shieldwall.table.coherency import is_coherent
from shieldwall.table.ground import Climb, check_stand, gap_under, profile_along, standing_level, to_pose
from shieldwall.table.loose_charge import gaps_from
from shieldwall.table.loose_moves import WalkResult, judged, path_arrays, poses_from, run_walk
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import Shapes, polygon_of, shapes_of
from shieldwall.table.terrain import gap_width, standing_height
from shieldwall.table.walk_context import (
    WalkContext,
    WalkLimits,
    context_of,
    memory_of,
    model_names,
    shapes_at,
)

HARD_FALL = 2.0  # inches from which a landing place is chosen at the foot of the drop
_POINT = Base("round", 0.01, 0.01)  # a base so small that only its position matters
RINGS, SPOKES = 12, 24  # landing places tried round the foot of the drop
ABOUT = 2.0  # inches within which other enemies affect the direction of a retreat
SHIFT_SPOKES = 72  # directions in which a whole unit may go back

# A push ignores spacing and difficult ground; it may go down anywhere but never up.
PUSHED_GROUND = Climb(climb_max=0.0, drop_max=math.inf, gap_max=1.0, jump_max=math.inf, counts=False)


class PushResult(Struct, frozen=True):
    """A judged push: where the model ends, how far it falls, and from which piece. After a fall of two inches or more
    it is placed again (`fall_spots`). `walk` says which ground it entered.
    """

    pose: Pose
    fall: float
    piece: int
    reasons: tuple[TableReason, ...]
    walk: WalkResult

    @property
    def is_legal(self) -> bool:
        """Whether the push is legal."""
        return not self.reasons


def step_back(
    state: State, unit_id: int, enemy_id: int, limits: WalkLimits, apart: float = 1.0
) -> WalkResult:
    """Move every model closer than `apart` to the enemy straight away from the nearest enemy model until it is not.

    It moves no more than `apart`, and as far as it can where terrain, a model or the table edge is in the way. A
    model surrounded by enemies goes where it gets farthest from all of them. The models farthest from the enemy go
    first to make room; models that had no room try again after all others. If mates that are far enough away stand
    in the way, the whole unit goes back; if moving one by one would break coherency, it goes back as one, if it can.
    """
    free = WalkLimits((apart,), "step back", 0.0, climb=limits.climb, coherency=limits.coherency)
    context = context_of(state, state.units[unit_id], free)
    known: dict[tuple[object, ...], WalkResult] = context.scene.memory.setdefault("steps_back", {})
    key = (unit_id, enemy_id, free)
    if key not in known:  # units at the same positions step back alike, whatever else differs
        known[key] = _stepped_back(context, context.scene.row_of[enemy_id], apart)
    return known[key]


def _stepped_back(context: WalkContext, row: int, apart: float) -> WalkResult:
    start = context.movers.start
    first = np.argsort(-gaps_from(context, row), kind="stable").tolist()
    now, gaps = _retreat(context, row, apart, first)
    for order, all_go in ((first[::-1], False), (first, True)):  # others going first may leave more room
        if len(first) == 1 or not _is_held_up(start, now, gaps, apart):
            break
        then, left = _retreat(context, row, apart, order, all_go)
        if np.minimum(left, apart).sum() > np.minimum(gaps, apart).sum() + EPS:
            now, gaps = then, left
    if _breaks_coherency(context, now):
        together = _back_as_one(context, row, apart)
        if together is not None:
            return together
    paths = [
        ModelPath(model.id, (Pose(*(int(value) for value in place)),))
        for model, place, before in zip(context.unit.models, now.tolist(), start.tolist(), strict=True)
        if place != before
    ]
    result = judged(
        context, tuple(paths), run_walk(context, *path_arrays(context.unit, paths)), regroups=False
    )
    result.reasons = ()  # a separation goes as far as it can; lost coherency is restored later
    return result


def _breaks_coherency(context: WalkContext, now: Floats) -> bool:
    """Whether a unit that was coherent would no longer be."""
    unit, profiles, rule = context.unit, context.state.profiles, context.limits.coherency
    there = replace(unit, poses=poses_from(now))
    return is_coherent(unit, profiles, rule) and not is_coherent(there, profiles, rule)


def _back_as_one(context: WalkContext, row: int, apart: float) -> WalkResult | None:
    """The whole unit moved back by one vector, which keeps it together; None if that gains no distance.

    Of all directions in which no model comes nearer to the enemy, the one that leads farthest away is best.
    """
    start, before = context.movers.start, gaps_from(context, row)
    ways: list[tuple[float, float]] = []
    for spoke in range(SHIFT_SPOKES):
        angle = 2 * math.pi * spoke / SHIFT_SPOKES
        moved = context._replace(movers=context.movers._replace(start=_shifted(start, angle, apart)))
        gaps = gaps_from(moved, row)
        if np.all(gaps >= np.minimum(before, apart) - EPS) and gaps.sum() > before.sum() + EPS:
            ways.append((float(np.minimum(gaps, apart).sum()), angle))
    for _, angle in sorted(ways, reverse=True)[:BACK_TRIES]:
        there = _shifted(start, angle, apart)
        ahead = start[:, 0] * math.sin(angle) + start[:, 1] * math.cos(angle)
        paths = [
            ModelPath(context.unit.models[index].id, (poses_from(there[index : index + 1])[0],))
            for index in np.argsort(-ahead, kind="stable").tolist()
        ]
        result = judged(
            context, tuple(paths), run_walk(context, *path_arrays(context.unit, paths)), regroups=False
        )
        if result.is_legal:
            return result
    return None


def _shifted(start: Floats, angle: float, way: float) -> Floats:
    """Poses moved in one direction, rounded to the grid, by no more than this many inches."""
    there = start.copy()
    there[:, 0] += math.trunc(way * MILLI * math.sin(angle))
    there[:, 1] += math.trunc(way * MILLI * math.cos(angle))
    return there


def _is_held_up(start: Floats, now: Floats, gaps: Floats, apart: float) -> bool:
    """Whether a model that is still too close was stopped early."""
    went = np.hypot(now[:, 0] - start[:, 0], now[:, 1] - start[:, 1]) / MILLI
    return any(
        closer_than(float(gap), apart) and closer_than(float(way) + 2 * EPS, apart)  # ends lie on the grid
        for gap, way in zip(gaps, went, strict=True)
    )


def _retreat(
    context: WalkContext, row: int, apart: float, order: list[int], all_go: bool = False
) -> tuple[Floats, Floats]:
    """Where the models stand, and how far from the enemy, after moving one by one, in two passes.

    Only those that are too close move, unless `all_go`.
    """
    gaps, start = gaps_from(context, row), context.movers.start
    now = start.copy()
    path = np.empty((2, 4))
    for index in (*order, *order) if len(order) > 1 else order:
        is_close = closer_than(float(gaps[index]), apart)
        if not is_close and not all_go:
            continue
        others = now.copy()
        others[index] = start[index]
        movers = context.movers._replace(start=others)
        swerves = is_close and not _faces_one(context, index, row)
        goal = apart if is_close else float(gaps[index]) + apart
        reached = float(way_back(movers, index, row, goal, swerves, context.world, path))
        if reached > gaps[index] + EPS:
            now[index], gaps[index] = path[1], reached
    return now, gaps


def _faces_one(context: WalkContext, index: int, row: int) -> bool:
    """Whether a model has a single enemy model near it, so that it goes straight back, whatever is behind it."""
    first, stop = context.scene.outline_spans[row]
    mine, theirs = shapes_at(context.unit, context.state.profiles, context.unit.poses), context.scene.outline
    near = 0
    for other in range(first, stop):
        gap = set_gap(mine.span(index, index + 1), theirs.span(other, other + 1), math.inf, True)[0]
        near += not over(float(gap), ABOUT)
    return near <= 1


def _push_limits(limits: WalkLimits, most: float) -> WalkLimits:
    known = memory_of(limits).related
    key = ("push", most)
    if key not in known:
        known[key] = WalkLimits(
            (most,),
            "push",
            0.0,
            difficult_cap=math.inf,
            climb=PUSHED_GROUND,
            coherency=limits.coherency,
            free_turning=True,
        )
    return known[key]


def check_push(
    state: State, unit_id: int, model_id: int, goal: Pose, limits: WalkLimits, most: float = 2.0
) -> PushResult:
    """Judge a push in a straight line. The z of the goal does not matter: the ground decides where it ends.

    Nobody is pushed through or onto models, impassable or solid ground, or off the table.
    """
    unit = state.units[unit_id]
    index = _index(unit, model_id)
    base = state.profiles[unit.models[index].profile].base
    context = context_of(state, unit, _push_limits(limits, most))
    level = standing_level(state, goal, base)
    end = Pose(goal.x, goal.y, goal.heading, level)
    fall, piece = _fall_along(state, unit.poses[index], end)
    hole = gap_under(state, end, base)
    if hole is not None and fall == 0.0:
        fall, piece = hole.depth / MILLI or gap_width(hole), hole.id
    paths = (ModelPath(model_id, (end,)),)
    walked = judged(context, paths, run_walk(context, *path_arrays(unit, paths)), regroups=False)
    reasons = [reason for reason in walked.reasons if not reason.cite.startswith("coherency.")]
    if fall > 0.0:  # the fall decides where it lands
        reasons = [
            reason for reason in reasons if reason.cite not in ("climb.halfway", "climb.gap", "climb.support")
        ]
    return PushResult(end, fall, piece, tuple(reasons), walked)


def _index(unit: Unit, model_id: int) -> int:
    for index, model in enumerate(unit.models):
        if model.id == model_id:
            return index
    raise ValueError(f"model {model_id} is not one of {unit.name}")


def _fall_along(state: State, start: Pose, end: Pose) -> tuple[float, int]:
    """The deepest drop or wide gap on a straight way, and the piece it goes down from or into."""
    deepest, piece = 0.0, -1
    for feature in profile_along(state, start, end, PUSHED_GROUND):
        depth = feature.fall if feature.jump or feature.kind == "drop" else 0.0
        if feature.kind == "gap" and feature.jump and depth < 0.01:
            depth = feature.width  # a gap of no stated depth is as deep as it is wide
        if depth > deepest:  # a gap between two heights is no piece of its own
            deepest, piece = depth, feature.piece if feature.piece >= 0 else _standing_on(state, feature.at)
    return deepest, piece


def _standing_on(state: State, at: Pose) -> int:
    """The solid piece with this height whose border runs through a point, the nearest one."""
    best, found = math.inf, -1
    spot = shapes_of((Pose(at.x, at.y),), (_POINT,), (0,))
    for piece in state.pieces:
        if piece.height == at.z:
            away = _to_piece(spot, piece)
            if away < best:
                best, found = away, piece.id
    return found


def solve_push(
    state: State, unit_id: int, model_id: int, towards: int, limits: WalkLimits, most: float = 2.0
) -> PushResult:
    """Push a model as far as it goes in the direction of a heading (hundredths of a degree)."""
    unit = state.units[unit_id]
    index = _index(unit, model_id)
    context = context_of(state, unit, _push_limits(limits, most))
    pose = unit.poses[index]
    angle = math.radians(towards / 100)
    goal = to_pose(
        pose.x / MILLI + math.sin(angle) * most, pose.y / MILLI + math.cos(angle) * most, pose.heading, 0.0
    )
    far = check_push(state, unit_id, model_id, goal, limits, most)
    if far.is_legal:
        return far
    path = np.empty((2, 4))
    go_straight(
        context.movers,
        index,
        math.sin(angle),
        math.cos(angle),
        most,
        context.world,
        path,
    )
    x, y, heading, z = path[1].tolist()
    near = check_push(state, unit_id, model_id, Pose(int(x), int(y), int(heading), int(z)), limits, most)
    return near if near.is_legal else check_push(state, unit_id, model_id, pose, limits, most)


def check_fall_spot(
    state: State, unit_id: int, model_id: int, pose: Pose, piece_id: int, reach: float = HARD_FALL
) -> tuple[TableReason, ...]:
    """Why a fallen model may not be put down here: too far from the foot (measured in space), not lower than it was,
    on other models, or on ground it cannot stand on.
    """
    unit = state.units[unit_id]
    index = _index(unit, model_id)
    base = state.profiles[unit.models[index].profile].base
    who = model_names(state, unit)[index]
    reasons = list(check_stand(state, pose, base, who))
    away = math.hypot(_from_piece(state, pose, index, unit, piece_id), pose.z / MILLI)
    top = next(standing_height(piece) for piece in state.pieces if piece.id == piece_id)
    if over(away, reach):
        text = f"{who} would be placed {away:.2f} inches from the foot of the drop; the maximum is {reach:g}"
        reasons.append(TableReason(text, "fall.foot"))
    elif 0 < top <= pose.z:
        reasons.append(TableReason(f"{who} fell and must be placed lower than it was", "fall.foot"))
    context = context_of(state, unit, _FALLING)
    path = (ModelPath(model_id, (pose,)),)
    walked = judged(context, path, run_walk(context, *path_arrays(unit, path)), regroups=False)
    reasons += [
        reason for reason in walked.reasons if reason.cite in ("move.through", "move.mates", "move.table")
    ]
    return tuple(dict.fromkeys(reasons))


def _from_piece(state: State, pose: Pose, index: int, unit: Unit, piece_id: int) -> float:
    """How far a model put down here is from the outline of a piece."""
    profile = state.profiles[unit.models[index].profile]
    shapes = shapes_of((pose,), (profile.base,), (profile.height,))
    return _to_piece(shapes, next(piece for piece in state.pieces if piece.id == piece_id))


def _to_piece(shapes: Shapes, piece: Piece) -> float:
    """How far the first of some footprints is from the outline of a piece."""
    polygon = polygon_of(piece)
    return float(polygon_distance(shapes.points, shapes.rows, 0, polygon, 0, len(polygon)))


def fall_spots(
    state: State,
    unit_id: int,
    model_id: int,
    piece_id: int,
    edge: Pose,
    reach: float = HARD_FALL,
    count: int = 8,
) -> tuple[Pose, ...]:
    """Legal places for a model that fell off (or into) a piece at a point of its edge, the nearest first."""
    unit = state.units[unit_id]
    index = _index(unit, model_id)
    base = state.profiles[unit.models[index].profile].base
    wide = max(base.width, base.depth) / 25.4
    spots: list[Pose] = []
    for ring in range(RINGS + 1):
        for spoke in range(SPOKES if ring else 1):
            out, angle = (reach + wide) * ring / RINGS, 2 * math.pi * spoke / SPOKES
            x, y = edge.x / MILLI + out * math.cos(angle), edge.y / MILLI + out * math.sin(angle)
            flat = to_pose(x, y, unit.poses[index].heading, 0.0)
            level = standing_level(state, flat, base)
            spot = Pose(flat.x, flat.y, flat.heading, level)
            lower = level < edge.z or edge.z == 0
            if lower and not check_fall_spot(state, unit_id, model_id, spot, piece_id, reach):
                spots.append(spot)
            if len(spots) == count:
                return tuple(spots)
    return tuple(spots)


# Landing places do not depend on a path: the model passes over everything.
_FALLING = WalkLimits(
    (math.inf,),
    "fall",
    0.0,
    ignores_units=(True,),
    ignores_terrain=(True,),
    difficult_cap=math.inf,
    mates_obstruct=False,
    free_turning=True,
)
