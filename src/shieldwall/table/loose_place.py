"""Putting a loose unit down outside its move: deployment, arrival, getting out.

`spread_at` finds a compact legal formation round a point; `check_placement` judges any formation.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import COUNT, RADIUS, REACH, set_gap
from shieldwall.geometry.ground import note_overlaps, note_stands
from shieldwall.geometry.tolerance import EPS, GLANCE, closer_than, over, told
from shieldwall.geometry.unit_moves import PlacementTerms, SpreadPlan, may_be_put_down, spread_unit
from shieldwall.table.coherency import check_coherency, honeycomb, spread_limit
from shieldwall.table.ground import stand_reasons
from shieldwall.table.loose_moves import poses_from
from shieldwall.table.pieces import ground_of
from shieldwall.table.placing import EnemyOver, enemy_distance
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import scene_of
from shieldwall.table.shapes import Shapes
from shieldwall.table.walk_context import (
    WalkContext,
    WalkLimits,
    context_of,
    memory_of,
    model_names,
    mould_of,
    shapes_at,
)
from shieldwall.table.zones import Region, check_place, open_zones, table_region, zone_array

MODEL_GAP = 0.1  # inches left between bases that are put down together
SPOTS_PER_MODEL = 6
SPARE_SPOTS = 60
GRIDS_KEPT = 256
FINE_SPOTS = 600
SAME_SIZE = 0.05  # inches of reach by which bases may differ and still share a honeycomb


class Placement(Struct, frozen=True):
    """Poses in the order of the unit, or the reasons why none were found."""

    poses: tuple[Pose, ...]
    reasons: tuple[TableReason, ...]

    @property
    def is_legal(self) -> bool:
        """Whether the unit may be put down so."""
        return not self.reasons


def spread_at(
    state: State,
    unit: Unit,
    centre: Pose,
    limits: WalkLimits,
    inside: Region | None = None,
    enemy_over: EnemyOver = 0.0,
) -> Placement:
    """A compact formation of the unit about a point; models whose place is taken stand a little farther out.

    The unit need not be on the table yet. If there is no room, the reasons are those against the plain formation.
    """
    context = context_of(state, unit, limits)
    world = context_of(state, unit, _without_mates(limits)).world
    needs, zones, count = distances_kept(context, enemy_over), _zones(inside), len(unit.models)
    middle = np.array([centre.x, centre.y])
    plain: Placement | None = None
    for order, grid in _layouts(mould_of(unit, state.profiles).rows):
        spots = np.round(grid * MILLI + middle) / MILLI
        placed, ends = np.zeros(count, dtype=np.int64), np.zeros((count, 4))
        heading = float(centre.heading)
        lost = spread_unit(
            context.movers, order, SpreadPlan(spots, heading, needs, zones), world, placed, ends
        )
        if lost < 0:
            poses = poses_from(ends)
            found = Placement(poses, check_placement(state, unit, poses, limits, inside, enemy_over))
            if found.is_legal:
                return found
            plain = plain or found
        elif plain is None:
            for rank, index in enumerate(order.tolist()):
                spot = spots[min(rank, len(spots) - 1)] * MILLI
                ends[index] = (round(spot[0]), round(spot[1]), centre.heading, 0)
            reasons = check_placement(state, unit, poses_from(ends), limits, inside, enemy_over)
            full = TableReason(f"there is no room for {unit.name} at this spot", "place.room")
            plain = Placement((), reasons or (full,))
    assert plain is not None, "a unit has at least one layout"
    return plain


def _without_mates(limits: WalkLimits) -> WalkLimits:
    """The same limits for a search of places in which models do not block each other."""
    related = memory_of(limits).related
    key = ("places", 0.0)
    known = related.get(key)
    if known is None:
        known = related[key] = replace(limits, mates_obstruct=False)
    return known


Layout = tuple[Ints, Floats]


def _layouts(mould: Floats) -> list[Layout]:
    """Ways to fill a formation: the order in which models are put down, and spots about its middle.

    Bases of one size form a honeycomb. With several sizes, the widest stands in the middle with the others close
    round it, or the narrow ones stand together with the widest beside them.
    """
    reaches = mould[:, REACH]
    widest, narrowest, count = float(reaches.max()), float(reaches.min()), len(reaches)
    order = np.argsort(-reaches, kind="stable").astype(np.int64)
    if widest - narrowest <= SAME_SIZE:
        return [
            (order, _grid(count * SPOTS_PER_MODEL + SPARE_SPOTS if count > 1 else 1, 2 * widest + MODEL_GAP))
        ]
    step = 2 * narrowest + MODEL_GAP
    room = float(np.sum((2 * reaches + MODEL_GAP) ** 2))  # the area of squares round all bases
    reach = math.sqrt(room) + 2 * widest
    fine = _grid(min(FINE_SPOTS, math.ceil(4 * (reach / step) ** 2)), step)
    outside = np.hypot(fine[:, 0], fine[:, 1]) >= _inner_reach(mould, int(order[0])) + narrowest / 2
    return [(order, np.concatenate([np.zeros((1, 2)), fine[outside]])), (order[::-1].copy(), fine)]


def _inner_reach(mould: Floats, index: int) -> float:
    """The smallest distance in inches from the middle of a base to that of any other base."""
    return float(mould[index, RADIUS]) if mould[index, COUNT] == 1 else float(mould[index, REACH]) / 2


@lru_cache(maxsize=GRIDS_KEPT)
def _grid(count: int, step: float) -> Floats:
    """A honeycomb as an array; shared and read-only."""
    return np.array(honeycomb(count, step))


def distances_kept(context: WalkContext, enemy_over: EnemyOver) -> Floats:
    """The distance to keep from each unit of the scene; more than `enemy_over` from enemies."""
    needs = np.full(len(context.scene.units), context.limits.spacing)
    for row, other in enumerate(context.scene.units) if enemy_over else ():
        from_enemy = enemy_distance(enemy_over, other) if other.side != context.unit.side else 0.0
        if from_enemy > 0.0:
            needs[row] = from_enemy + 2 * EPS
    return needs


def _zones(inside: Region | None) -> Floats:
    if inside is None:
        return np.zeros((0, 4))
    return zone_array(inside.zones)


def check_placement(
    state: State,
    unit: Unit,
    poses: tuple[Pose, ...],
    limits: WalkLimits,
    inside: Region | None = None,
    enemy_over: EnemyOver = 0.0,
) -> tuple[TableReason, ...]:
    """Every reason against putting a unit down at these poses.

    It must be wholly on the table and inside the region, clear of units and mates, on ground that carries it, and
    coherent. It must stay farther than `enemy_over` from every enemy.
    """
    if len(poses) != len(unit.models):
        return (
            TableReason(
                f"{unit.name} has {len(unit.models)} models but was given {len(poses)} positions",
                "place.models",
            ),
        )
    shapes = shapes_at(unit, state.profiles, poses)
    region = inside if inside is not None else table_region(state.width, state.depth)
    scene, terms = scene_of(state), _terms(state, unit, shapes, region, limits, enemy_over)
    if may_be_put_down(scene.flat(), shapes.points, shapes.rows, terms):
        return ()
    names = model_names(state, unit)
    reasons = list(check_place(unit.name, shapes, region, state.width, state.depth))
    reasons += _unit_reasons(state, unit, shapes, limits.spacing, enemy_over)
    reasons += _ground_reasons(state, shapes, poses, names)
    reasons += _mate_reasons(shapes, names)
    reasons += check_coherency(shapes, limits.coherency, names, unit.name)
    return tuple(dict.fromkeys(reasons))


def _terms(
    state: State, unit: Unit, shapes: Shapes, region: Region, limits: WalkLimits, enemy_over: EnemyOver
) -> PlacementTerms:
    """What a placement has to observe, as one argument for the compiled check."""
    scene, rule = scene_of(state), limits.coherency
    over = np.zeros(len(scene.units))
    for row, other in enumerate(scene.units) if enemy_over else ():
        if other.side != unit.side:
            over[row] = enemy_distance(enemy_over, other)
    zones = zone_array(open_zones(region.zones, state.width, state.depth))
    me, spread = scene.row_of.get(unit.id, -1), spread_limit(shapes, rule)
    return PlacementTerms(me, zones, limits.spacing, over, rule.link, spread, rule.shape == "chain")


def _ground_reasons(
    state: State, shapes: Shapes, poses: tuple[Pose, ...], names: list[str]
) -> list[TableReason]:
    """Models that would stand where no model can."""
    codes = np.empty((len(shapes), 2), dtype=np.int64)
    if note_stands(ground_of(state.pieces).flat(), shapes.points, shapes.rows, codes):
        return []
    reasons: list[TableReason] = []
    for (code, piece), pose, name in zip(codes.tolist(), poses, names, strict=True):
        reasons += stand_reasons(state, code, piece, pose.z / MILLI, name)
    return reasons


def _mate_reasons(shapes: Shapes, names: list[str]) -> list[TableReason]:
    """Models that would stand on a mate."""
    count = len(shapes)
    pairs = np.empty((count * (count - 1) // 2, 2), dtype=np.int64)
    found = note_overlaps(shapes.points, shapes.rows, pairs)
    texts = [f"{names[i]} would stand on {names[j]}" for i, j in pairs[:found].tolist()]
    return [TableReason(text, "move.mates") for text in texts]


def _unit_reasons(
    state: State, unit: Unit, shapes: Shapes, spacing: float, enemy_over: EnemyOver
) -> list[TableReason]:
    scene = scene_of(state)
    reasons = []
    x, y, reach = shapes.surround
    farthest = reach + GLANCE
    rows = zip(scene.units, scene.outline_spans, scene.circles.tolist(), strict=True)
    for other, (first, stop), (other_x, other_y, other_reach) in rows:
        from_enemy = enemy_distance(enemy_over, other) if other.side != unit.side else 0.0
        limit = max(spacing, from_enemy) + farthest
        is_far = math.hypot(other_x - x, other_y - y) > limit + other_reach  # a glance spares the ruler
        if is_far or other.id == unit.id:
            continue
        apart = _apart(shapes, scene.outline, first, stop)
        if from_enemy and not over(apart, from_enemy):
            text = f"{unit.name} would stand {apart:.2f} inches from {other.name}"
            reasons.append(
                TableReason(f"{text}; it must be over {from_enemy:g} inches away", "place.enemies")
            )
        elif closer_than(apart, spacing):
            text = f"{unit.name} would stand {told(apart, spacing)} inches from {other.name}"
            reasons.append(TableReason(f"{text}; {spacing:g} inch must stay free", "move.spacing"))
    return reasons


def _apart(shapes: Shapes, others: Shapes, first: int, stop: int) -> float:
    """Distance in space between footprints and a unit of the scene."""
    found = set_gap(shapes.span(), others.span(first, stop), math.inf, True)
    return max(float(found[0]), 0.0)
