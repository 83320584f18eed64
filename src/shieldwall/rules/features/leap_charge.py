"""Charges that take a leap: the whole unit goes straight at the enemy, over gaps and off ledges in between.

The table's own search finds paths on foot. A leap may fail, so it is tried only for enemies out of reach on foot: all
the way into contact, or across and then closing in on foot, and finally from the edge of a roof. Between low ledges
models could climb down and up; they leap there only if nothing else brings them into contact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Base, Pose, State, Unit
from shieldwall.geometry.tolerance import over
from shieldwall.table.ground import standing_level
from shieldwall.table.loose_charge import (
    ChargePlan,
    LooseChargeOption,
    check_charge,
    solve_charge,
    units_perhaps_in_reach,
)
from shieldwall.table.loose_moves import check_walk, is_shift_refused
from shieldwall.table.measure import nearest_models, units_apart
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.terrain import GAP, standing_height
from shieldwall.table.walk_context import WalkLimits

Each = TypeVar("Each")
Box = tuple[int, int, int, int]  # left, near, right and far edge in thousandths of an inch
WAYS_TRIED = (0, 30, -30)  # degrees off the straight line in which models leap before they close in
EDGES_TRIED = 12  # places at the edge of a roof from which a leap is tried
EDGE_STEPS = 6  # parts into which an edge is divided
EDGE_ROOM = 2  # thousandths of an inch that a base keeps inside an edge
SIDES_TRIED = (0, 30, -30, 60, -60)  # degrees off the straight line at which the enemy's base may be touched


def leaping_charges(state: State, unit: Unit, limits: WalkLimits, known: set[int]) -> list[LooseChargeOption]:
    """Enemies beyond those `known` to be in reach that a straight charge with leaps gets into contact with."""
    low = replace(limits, leaps=(True,) * len(unit.models))
    ways = [(limits, leapt_over(state, limits)), (low, low_ledges(state, unit, limits))]
    if not any(ledges for _, ledges in ways):
        return []
    found = []
    for target in units_perhaps_in_reach(state, unit.id, farthest(limits)):
        plans = (
            leaping_charge(state, unit, state.units[target], each, ledges)
            for each, ledges in ways
            if ledges and target not in known
        )
        plan = next((plan for plan in plans if plan is not None), None)
        if plan is not None:
            found.append(LooseChargeOption(target, max(plan.walk.used), len(plan.contacts), plan))
    return found


def low_ledges(state: State, unit: Unit, limits: WalkLimits) -> list[Box]:
    """Boxes round the ledges that models could leap to from a ledge, though they could also climb there."""
    if limits.climb.jump_max <= limits.climb.gap_max or not any(pose.z > 0 for pose in unit.poses):
        return []
    boxes = [box_round(piece.outline) for piece in state.pieces if standing_height(piece) > 0]
    return [box for box in boxes if not all(_is_over(pose, box) for pose in unit.poses)]


def _is_over(pose: Pose, box: Box) -> bool:
    return box[0] <= pose.x <= box[2] and box[1] <= pose.y <= box[3]


def farthest(limits: WalkLimits) -> float:
    """How far away, in inches, the farthest enemy is that leaps could reach."""
    return max(limits.allowance) + 2 * limits.climb.jump_max


def leapt_over(state: State, limits: WalkLimits) -> list[Box]:
    """Boxes round everything on the table that models leap over or off."""
    climb = limits.climb
    if climb.jump_max <= climb.gap_max:
        return []
    high = climb.drop_max * MILLI
    return [
        box_round(piece.outline)
        for piece in state.pieces
        if GAP in piece.conditions or standing_height(piece) > high
    ]


def box_round(points: Iterable[tuple[int, int]]) -> Box:
    """The smallest upright box round some points."""
    across, along = zip(*points, strict=True)
    return min(across), min(along), max(across), max(along)


def has_ledge(unit: Unit, dx: int, dy: int, room: int, ledges: list[Box]) -> bool:
    """Whether models that all make the same straight move may come to something to leap over or off.

    Otherwise the charge is on foot, and the table's own search has found it.
    """
    left, near, right, far = box_round([(pose.x, pose.y) for pose in unit.poses])
    left, right = min(left, left + dx) - room, max(right, right + dx) + room
    near, far = min(near, near + dy) - room, max(far, far + dy) + room
    return any(box[0] <= right and left <= box[2] and box[1] <= far and near <= box[3] for box in ledges)


def leaping_charge(
    state: State, unit: Unit, enemy: Unit, limits: WalkLimits, ledges: list[Box]
) -> ChargePlan | None:
    """Move all models as the nearest one has to move to make contact, then close up, if that is legal."""
    if over(units_apart(state, unit.id, enemy.id), farthest(limits)):
        return None
    pair = nearest_models(state, unit.id, enemy.id)
    start, goal = unit.poses[pair.model], enemy.poses[pair.other_model]
    reach = radius(state, unit, pair.model) + radius(state, enemy, pair.other_model)
    line = math.atan2(start.y - goal.y, start.x - goal.x)
    if limits.leaps and not has_ledge(unit, goal.x - start.x, goal.y - start.y, reach, ledges):
        return None
    for degrees in SIDES_TRIED:
        angle = line + math.radians(degrees)
        dx = goal.x + round(reach * math.cos(angle)) - start.x
        dy = goal.y + round(reach * math.sin(angle)) - start.y
        if not has_ledge(unit, dx, dy, reach, ledges) or is_shift_refused(state, unit, dx, dy, limits):
            continue
        paths = shifted(state, unit, dx, dy)
        if check_walk(state, unit.id, paths, limits, regroups=False).reasons:
            continue  # most are no legal walk; only the others are checked as charges
        plan = closed_up(state, unit, enemy, paths, limits)
        if plan is not None:
            return plan
        walk = check_charge(state, unit.id, enemy.id, paths, limits)
        if not walk.reasons:
            return ChargePlan(paths, (unit.models[pair.model].id,), (), walk, leapers(unit, limits))
    if may_leap_off(state, unit, limits) and (goal.z > 0 or not limits.leaps):
        for degrees in WAYS_TRIED:
            paths = landings(state, unit, line + math.pi + math.radians(degrees), limits, goal.z)
            plan = closed_up(state, unit, enemy, paths, limits) if paths else None
            if plan is not None:
                return plan
        return leap_from_edge(state, unit, enemy, limits)
    return None


def leap_from_edge(state: State, unit: Unit, enemy: Unit, limits: WalkLimits) -> ChargePlan | None:
    """Move all models to the edge of what they stand on, then straight on, as in `leaping_charge`."""
    pair = nearest_models(state, unit.id, enemy.id)
    start, goal = unit.poses[pair.model], enemy.poses[pair.other_model]
    size = radius(state, unit, pair.model)
    reach = size + radius(state, enemy, pair.other_model)
    for edge_x, edge_y in edge_places(state, start, goal, size)[:EDGES_TRIED]:
        if is_shift_refused(state, unit, edge_x - start.x, edge_y - start.y, limits):
            continue
        walked = shifted(state, unit, edge_x - start.x, edge_y - start.y)
        begun = check_walk(state, unit.id, walked, limits, regroups=False)
        if begun.reasons or begun.has_leaps:
            continue
        ends = {path.model: path.points[-1] for path in walked}
        moved = replace(unit, poses=tuple(ends[model.id] for model in unit.models))
        line = math.atan2(edge_y - goal.y, edge_x - goal.x)
        for degrees in SIDES_TRIED:
            angle = line + math.radians(degrees)
            dx = goal.x + round(reach * math.cos(angle)) - edge_x
            dy = goal.y + round(reach * math.sin(angle)) - edge_y
            onward = {path.model: path.points for path in shifted(state, moved, dx, dy)}
            whole = tuple(ModelPath(path.model, path.points + onward[path.model]) for path in walked)
            if check_walk(state, unit.id, whole, limits, regroups=False).reasons:
                continue
            plan = closed_up(state, unit, enemy, whole, limits)
            if plan is not None:
                return plan
            walk = check_charge(state, unit.id, enemy.id, whole, limits)
            if not walk.reasons:
                return ChargePlan(whole, (unit.models[pair.model].id,), (), walk, leapers(unit, limits))
    return None


def edge_places(state: State, start: Pose, goal: Pose, size: int) -> list[tuple[int, int]]:
    """Places along the edges of what a model stands on, half a base inside; those on the shortest path first."""
    found: list[tuple[float, int, int]] = []
    for piece in state.pieces:
        left, near, right, far = box_round(piece.outline)
        if standing_height(piece) != start.z or not (left <= start.x <= right and near <= start.y <= far):
            continue
        corners = piece.outline
        mid_x, mid_y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
            length = math.dist((ax, ay), (bx, by)) or 1.0
            in_x, in_y = (ay - by) / length, (bx - ax) / length
            if (mid_x - ax) * in_x + (mid_y - ay) * in_y < 0:
                in_x, in_y = -in_x, -in_y
            for step in range(EDGE_STEPS + 1):
                along = (size + (length - 2 * size) * step / EDGE_STEPS) / length
                x = round(ax + (bx - ax) * along + in_x * (size + EDGE_ROOM))
                y = round(ay + (by - ay) * along + in_y * (size + EDGE_ROOM))
                way = math.dist((start.x, start.y), (x, y)) + math.dist((x, y), (goal.x, goal.y))
                found.append((way, x, y))
    return [(x, y) for _, x, y in sorted(found)]


def may_leap_off(state: State, unit: Unit, limits: WalkLimits) -> bool:
    """Whether any model stands high enough to leap, or there are gaps to leap from the ground."""
    least = 0 if limits.leaps else limits.climb.drop_max * MILLI
    return any(pose.z > least for pose in unit.poses) or any(
        GAP in piece.conditions for piece in state.pieces
    )


def landings(state: State, unit: Unit, angle: float, limits: WalkLimits, level: int) -> tuple[ModelPath, ...]:
    """Move every model straight ahead until it has leapt and stands clear of those that landed before; () if one
    cannot.

    They land where they can climb to the enemy's `level`.
    """
    lowest = level - round(limits.climb.climb_max * MILLI)
    along = (math.cos(angle), math.sin(angle))
    order = sorted(
        range(len(unit.poses)), key=lambda i: -(unit.poses[i].x * along[0] + unit.poses[i].y * along[1])
    )
    taken: list[tuple[Pose, int]] = []
    paths = []
    for index in order:
        landed = landing(state, unit, index, along, limits, lowest, taken)
        if landed is None:
            return ()
        taken.append((landed, radius(state, unit, index)))
        paths.append(ModelPath(unit.models[index].id, (landed,)))
    return tuple(paths)


def landing(
    state: State,
    unit: Unit,
    index: int,
    along: tuple[float, float],
    limits: WalkLimits,
    lowest: int,
    taken: list[tuple[Pose, int]],
) -> Pose | None:
    """The first place in a direction, tried inch by inch, where one model has made a leap and has room."""
    pose, size = unit.poses[index], radius(state, unit, index)
    alone = replace(unit, models=(unit.models[index],), poses=(pose,))
    lone = replace(state, units=tuple(alone if one.id == unit.id else one for one in state.units))
    for step in range(1, int(limits.climb.jump_max) * 2 + 1):
        x, y = pose.x + round(step * MILLI * along[0]), pose.y + round(step * MILLI * along[1])
        if any(math.hypot(x - other.x, y - other.y) < size + room for other, room in taken):
            continue
        flat = Pose(x, y, pose.heading)
        there = Pose(x, y, pose.heading, standing_level(state, flat, base_of(state, unit, index)))
        if there.z < lowest:
            continue
        walk = check_walk(lone, unit.id, (ModelPath(alone.models[0].id, (there,)),), of_one(limits, index))
        if walk.has_leaps and not walk.reasons:
            return there
    return None


def of_one(limits: WalkLimits, index: int) -> WalkLimits:
    """The limits of a single model of the unit."""
    return replace(
        limits,
        allowance=one_of(limits.allowance, index),
        ignores_units=one_of(limits.ignores_units, index),
        ignores_terrain=one_of(limits.ignores_terrain, index),
        ignores_difficult=one_of(limits.ignores_difficult, index),
        leaps=one_of(limits.leaps, index),
    )


def one_of(marks: tuple[Each, ...], index: int) -> tuple[Each, ...]:
    """The value for one model, given one value for all or one for each."""
    return marks[index : index + 1] if len(marks) > 1 else marks


def closed_up(
    state: State, unit: Unit, enemy: Unit, paths: tuple[ModelPath, ...], limits: WalkLimits
) -> ChargePlan | None:
    """The same leaps, after which all models use the movement they have left to close in; None if not legal."""
    leapt = check_walk(state, unit.id, paths, limits, regroups=False)
    ends = {path.model: path.points[-1] for path in paths}
    landed = replace(unit, poses=tuple(ends[model.id] for model in unit.models))
    there = replace(state, units=tuple(landed if one.id == unit.id else one for one in state.units))
    each = limits.allowance if len(limits.allowance) > 1 else limits.allowance * len(unit.models)
    left = tuple(max(0.0, way - used) for way, used in zip(each, leapt.used, strict=True))
    onward = solve_charge(there, unit.id, enemy.id, replace(limits, allowance=left, leaps=()))
    if not onward.is_legal:
        return None
    begun = {path.model: path.points for path in paths}
    whole = tuple(ModelPath(path.model, begun[path.model] + path.points) for path in onward.paths)
    walk = check_charge(state, unit.id, enemy.id, whole, limits)
    return None if walk.reasons else ChargePlan(whole, onward.contacts, (), walk, leapers(unit, limits))


def leapers(unit: Unit, limits: WalkLimits) -> tuple[int, ...]:
    """The ids of models that leap where they could climb."""
    return tuple(model.id for model in unit.models) if limits.leaps else ()


def shifted(state: State, unit: Unit, dx: int, dy: int) -> tuple[ModelPath, ...]:
    """Every model moved straight ahead by the same vector, those in front first."""
    order = sorted(range(len(unit.poses)), key=lambda i: (-unit.poses[i].x * dx - unit.poses[i].y * dy, i))
    paths = []
    for index in order:
        pose = unit.poses[index]
        flat = Pose(pose.x + dx, pose.y + dy, pose.heading)
        level = standing_level(state, flat, base_of(state, unit, index))
        paths.append(ModelPath(unit.models[index].id, (Pose(flat.x, flat.y, flat.heading, level),)))
    return tuple(paths)


def base_of(state: State, unit: Unit, index: int) -> Base:
    """The base of one of a unit's models."""
    return state.profiles[unit.models[index].profile].base


def radius(state: State, unit: Unit, index: int) -> int:
    """Half of a model's base across, in thousandths of an inch; exact for round ones."""
    base = base_of(state, unit, index)
    return round((base.width + base.depth) / 4 / MM_PER_INCH * MILLI)
