"""Ways between where loose models stand and something one can be inside of: the same going in and coming out."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.editions.aof_1_6.building_as_unit import as_unit, gap_to, piece_of
from shieldwall.geometry.tolerance import over as is_over
from shieldwall.rules.features.loose import entered_on_foot, flies, hazards_on
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.loose_moves import WalkResult, check_walk
from shieldwall.table.shapes import Shapes

CLOSE = 0.02  # inches: as near as bases that touch


class Shelter(Struct, frozen=True, eq=False):
    """Something one can be inside of. `number` is how a move names it: a unit, or a piece counting down from -2."""

    number: int
    name: str
    room: int
    hull: Shapes


class Ways(Struct, frozen=True):
    """How the models of a unit come to a shelter, and how far the longest way is.

    `risks` are models with dangerous ground on their way, `entered` pieces they come into on foot, `crossed` those
    they stood in before as well, and `neared` markers with a secret.
    """

    risks: tuple[tuple[int, int], ...]
    used: int
    entered: tuple[int, ...]
    crossed: tuple[int, ...]
    neared: tuple[int, ...]


def ways_in(
    rules: Ruleset, state: State, unit: Unit, action: str, shelter: Shelter, straight: bool = False
) -> Ways | None:
    """The ways of all models to a shelter, straight or round what is between; None where one cannot get there.

    `straight` looks for straight ways only, which is quick.
    """
    shapes = unit_shapes(unit, state.profiles)
    reaches = [length / MILLI for length in rules.allowances(state, unit, action)]
    gaps = [gap_to(shapes, at, shelter.hull) for at in range(len(unit.models))]
    if any(is_over(gap, reach) for gap, reach in zip(gaps, reaches, strict=True)):
        return None
    found: list[tuple[Ways, bool]] = []
    for dry in (False, True):
        table = without_mud(state) if dry else state
        for at in range(len(unit.models)):
            if dry and not found[at][1]:
                continue
            way = _way_of_one(rules, table, unit, at, action, shelter, gaps[at], straight)
            if way is None:
                return None
            found[at:] = [way, *found[at + 1 :]]
        if not _too_far_for_mud(rules, state, unit, action, found):
            return _together([way for way, _ in found])
    return None


def _way_of_one(
    rules: Ruleset,
    state: State,
    unit: Unit,
    at: int,
    action: str,
    shelter: Shelter,
    gap: float,
    straight: bool,
) -> tuple[Ways, bool] | None:
    """The way of one model, and whether difficult ground slows it."""
    model = unit.models[at]
    lone = replace(unit, models=(model,), poses=(unit.poses[at],), start_models=1)
    there = replace(state, units=tuple(lone if one.id == unit.id else one for one in state.units))
    limits = walk_limits(rules, there, lone, action, shelter.number if shelter.number >= 0 else -1)
    end = touching(unit.poses[at], gap, shelter.hull)
    result = check_walk(there, unit.id, (ModelPath(model.id, (end,)),), limits)
    if not result.is_legal and not straight:
        result = way_round(rules, there, lone, action, shelter)
    if not result.is_legal:
        return None
    hazards = hazards_on(there, lone, result, limits)
    way = Ways(
        tuple((hazard.model, hazard.piece) for hazard in hazards if hazard.kind == "danger"),
        result.longest,
        entered_on_foot(result, limits),
        () if flies(limits, 0) else tuple(sorted(result.pieces_entered)),
        rules.policies.markers_neared(there, lone, result),
    )
    return way, result.slowed_by >= 0


def _too_far_for_mud(
    rules: Ruleset, state: State, unit: Unit, action: str, found: list[tuple[Ways, bool]]
) -> bool:
    """Whether difficult ground that slows one model holds back others of its unit that go farther."""
    cap = walk_limits(rules, state, unit, action).difficult_cap
    return any(slowed for _, slowed in found) and is_over(max(way.used for way, _ in found) / MILLI, cap)


def without_mud(state: State) -> State:
    """The same table with difficult ground made impassable, to find ways around it."""
    pieces = tuple(
        replace(piece, types=(*piece.types, "impassable")) if "difficult" in piece.types else piece
        for piece in state.pieces
    )
    return replace(state, pieces=pieces)


def _together(ways: list[Ways]) -> Ways:
    return Ways(
        tuple(risk for one in ways for risk in one.risks),
        max(one.used for one in ways),
        tuple(dict.fromkeys(piece for one in ways for piece in one.entered)),
        tuple(dict.fromkeys(piece for one in ways for piece in one.crossed)),
        tuple(dict.fromkeys(marker for one in ways for marker in one.neared)),
    )


def way_round(rules: Ruleset, state: State, lone: Unit, action: str, shelter: Shelter) -> WalkResult:
    """The way of one model into contact with a shelter round what stands between, found as for a charge."""
    target = shelter.number
    if target < 0:
        state, target = as_unit(state, piece_of(state, -2 - shelter.number), lone.side)
    plan = solve_charge(state, lone.id, target, walk_limits(rules, state, lone, action, target))
    return plan.walk if plan.is_legal else plan.walk.with_reasons(plan.reasons)


def touching(pose: Pose, gap: float, hull: Shapes) -> Pose:
    """Where a model ends that walks straight at the nearest point of a hull until it touches it."""
    x, y = pose.x / MILLI, pose.y / MILLI
    near = nearest_point(hull, x, y)
    away = math.dist((x, y), near)
    step = max(0.0, gap - CLOSE / 2)
    if away < 1e-6 or step <= 0.0:
        return pose
    return Pose(
        round((x + (near[0] - x) * step / away) * MILLI),
        round((y + (near[1] - y) * step / away) * MILLI),
        pose.heading,
        pose.z,
    )


def nearest_point(hull: Shapes, x: float, y: float) -> tuple[float, float]:
    """The point of a hull nearest to a place outside it; round hulls are taken by their middle."""
    best, found = math.inf, (x, y)
    for first, stop in zip(hull.start[:-1].tolist(), hull.start[1:].tolist(), strict=True):
        corners = hull.points[first:stop].tolist()
        for at, (ax, ay) in enumerate(corners):
            bx, by = corners[(at + 1) % len(corners)]
            length = (bx - ax) ** 2 + (by - ay) ** 2
            share = (
                0.0
                if length == 0
                else min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
            )
            point = (ax + share * (bx - ax), ay + share * (by - ay))
            if math.dist((x, y), point) < best:
                best, found = math.dist((x, y), point), point
    return found
