"""From a wish (a place and a facing) to a legal move, with the same movers that players drag units with."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shieldwall.bots.board_summary import standing
from shieldwall.bots.distance_field import DistanceField, ways_of
from shieldwall.bots.simulation.ways import units_near
from shieldwall.core.answers import Leg, March, Walk
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.geometry.contact import FURTHER
from shieldwall.geometry.march_search import KINDS, SHARES, TURNS
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.block_moves import (
    MarchLimits,
    check_march,
    end_of,
    furthest_forward,
    proposed_marches,
)
from shieldwall.table.drag import solve_drag, unit_centre
from shieldwall.table.formations import FULL_TURN, block_pose, formation_of, heading_vector
from shieldwall.table.loose_moves import WalkResult
from shieldwall.table.scene import scene_of
from shieldwall.table.walk_context import WalkLimits

CLOSE_ENOUGH = 0.75  # inches short of a wish at which no further attempt is made
STRAIGHT = 1000  # a block marches at a goal within ten degrees of straight ahead without turning first
ASIDE = (0, 30, -30, 60, -60, 90, -90)  # degrees off the straight line that loose units try
DANGER_WORTH = 4.0  # inches added to a path through danger
FACING_WORTH = 1 / 90  # inches per degree of wrong facing, if a facing is wanted
SLACK = 1.0  # a safety margin, in inches, beyond everything that a move can come near

# A fan of marches for one call of the table: turns about the straight line, at the start or half way.
FAN_AT_ONCE = (-8, -6, -4, -2, 0, 2, 4, 6, 8)
FAN_HALF_WAY = (-8, -4, 4, 8)
HALF_TURNS = TURNS // 2


class MoveWish(NamedTuple):
    """A place in inches, and the heading once there, None for any.

    `marker` names the marker that is meant, so that its distance field can be used.
    """

    x: float
    y: float
    facing: int | None = None
    marker: int = -1


class Route(NamedTuple):
    """A legal move and where it ends: the middle of the unit in inches, and its heading."""

    answer: March | Walk
    x: float
    y: float
    heading: int
    moved: bool


def heading_to(x: float, y: float, to_x: float, to_y: float) -> int:
    """The heading from one point to another."""
    return round(math.degrees(math.atan2(to_x - x, to_y - y)) * CENTI) % FULL_TURN


def turn_between(heading: int, wanted: int) -> int:
    """The shorter turn from one heading to another, clockwise positive."""
    return (wanted - heading + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2


def route(rules: Ruleset, state: State, unit: Unit, action: str, wish: MoveWish) -> Route:
    """The legal move of an action that ends nearest to a wish; no move if none is better.

    Cached as long as nobody near the unit moves.
    """
    if unit.block is not None:
        march = march_limits(rules, state, unit, action)
        reach = (march.allowance + march.spacing) / MILLI + SLACK
        return _remembered(state, unit, march, wish, reach, lambda: march_route(state, unit, march, wish))
    if action == "hold":
        x, y = _inches(unit_centre(unit.poses))
        return Route(Walk(), x, y, unit.poses[0].heading, False)
    walk = walk_limits(rules, state, unit, action)
    wish = wish._replace(facing=None)  # loose units look all round
    reach = FURTHER * max(walk.allowance) + walk.spacing + SLACK
    return _remembered(state, unit, walk, wish, reach, lambda: walk_route(state, unit, walk, wish))


class KnownRoute(NamedTuple):
    """A route with everything it depends on: the limits of the move, the distance field, and the units nearby, by
    their position tokens.
    """

    limits: MarchLimits | WalkLimits
    ways: DistanceField
    near: list[object]
    route: Route


def _remembered(
    state: State,
    unit: Unit,
    limits: MarchLimits | WalkLimits,
    wish: MoveWish,
    reach: float,
    find: Callable[[], Route],
) -> Route:
    """A cached route, if all units within reach stand where they did when it was found."""
    scene, ways = scene_of(state), ways_of(state)
    if unit.id not in scene.row_of:
        return find()
    rows = np.empty(len(scene.units), dtype=np.int64)
    count = units_near(scene.circles, scene.row_of[unit.id], reach, rows)
    near = [standing(scene.units[row]) for row in rows[:count].tolist()]
    routes: dict[MoveWish, KnownRoute] = unit.memory.setdefault("routes", {})
    known = routes.get(wish)
    is_same = known is not None and known.limits is limits and known.ways is ways and known.near == near
    if known is None or not is_same:
        known = routes[wish] = KnownRoute(limits, ways, near, find())
    return known.route


Miss = Callable[[float, float], float]


def missing(state: State, wish: MoveWish, flies: bool, half_width: float) -> Miss:
    """How far a point is from the wish: round the terrain to a marker, otherwise in a straight line."""
    if wish.marker < 0 or flies:
        return lambda x, y: math.hypot(wish.x - x, wish.y - y)
    ways = ways_of(state, half_width)
    return lambda x, y: ways.distance(wish.marker, x, y)


def first_leg(state: State, wish: MoveWish, x: float, y: float, length: float, half_width: float) -> MoveWish:
    """Where to go first on the way to a marker: straight there, or round obstacles."""
    if wish.marker < 0:
        return wish
    ways = ways_of(state, half_width)
    if ways.is_free(x, y, wish.x, wish.y):
        return wish
    point = ways.towards(wish.marker, x, y, length)
    return wish if point is None else MoveWish(point[0], point[1], None, wish.marker)


# --- loose units ---


def walk_route(state: State, unit: Unit, limits: WalkLimits, wish: MoveWish) -> Route:
    """Move a loose unit towards its wish as a whole, sideways if that is shorter; model by model if necessary."""
    start = _inches(unit_centre(unit.poses))
    flies, most = all(limits.ignores_terrain) and bool(limits.ignores_terrain), min(limits.allowance)
    miss = missing(state, wish, flies, 0.0)
    if not flies:
        wish = first_leg(state, wish, *start, most, 0.0)
    far = math.hypot(wish.x - start[0], wish.y - start[1])
    way = min(far, most)
    bearing = math.atan2(wish.x - start[0], wish.y - start[1])
    aims = [(wish.x, wish.y)] if far <= most else []
    for degrees in ASIDE:
        angle = bearing + math.radians(degrees)
        aims.append((start[0] + math.sin(angle) * way, start[1] + math.cos(angle) * way))
    aims.sort(key=lambda aim: miss(*aim))
    best = unit_end(unit, None, miss)
    tried: set[Pose] = set()  # for a wish in reach, the straight line ends at it too
    for aim in aims[:3]:
        wanted = _pose_at(unit, aim)
        if wanted in tried:
            continue
        tried.add(wanted)
        found = unit_end(unit, solve_drag(state, unit.id, limits, wanted, roughly=True), miss)
        best = min(best, found, key=lambda one: one[0])
        if best[0] <= miss(*aim) + CLOSE_ENOUGH:
            break
    else:
        exact = solve_drag(state, unit.id, limits, _pose_at(unit, aims[0]))
        best = min(best, unit_end(unit, exact, miss), key=lambda one: one[0])
    _, walk, (x, y) = best
    moved = math.hypot(x - start[0], y - start[1]) > 0.01
    return Route(walk, x, y, unit.poses[0].heading, moved)


def unit_end(unit: Unit, result: WalkResult | None, miss: Miss) -> tuple[float, Walk, tuple[float, float]]:
    """How far a walk ends from the wish, the walk, and where its middle is."""
    x, y = _inches(unit_centre(unit.poses if result is None else result.poses))
    return miss(x, y), Walk() if result is None else Walk(result.paths), (x, y)


def _pose_at(unit: Unit, aim: tuple[float, float]) -> Pose:
    return Pose(round(aim[0] * MILLI), round(aim[1] * MILLI), unit.poses[0].heading)


def _inches(centre: tuple[float, float]) -> tuple[float, float]:
    return centre[0] / MILLI, centre[1] / MILLI


# --- blocks ---


def march_route(state: State, unit: Unit, limits: MarchLimits, wish: MoveWish) -> Route:
    """Turn a block towards its wish and march; if that falls short, take the best of a fan of marches."""
    pose = block_pose(unit)
    half_width = formation_of(unit, state.profiles).half_width
    miss = missing(state, wish, limits.ignores_terrain, half_width)
    moving = "forward" in limits.kinds and limits.allowance and not limits.pivot_or_move
    far = math.hypot(wish.x * MILLI - pose.x, wish.y * MILLI - pose.y) / MILLI
    if not moving or far < CLOSE_ENOUGH:
        return _first_legal(state, unit, limits, [(0.0, _facing(pose.heading, wish, limits)), (1.0, ())])
    if not limits.ignores_terrain:
        length = limits.allowance / MILLI
        wish = first_leg(state, wish, pose.x / MILLI, pose.y / MILLI, length, half_width)
    straight = _straight(state, unit, limits, wish)
    tried = [straight]
    goal = max(0.0, miss(pose.x / MILLI, pose.y / MILLI) - limits.allowance / MILLI)
    falls_short = _badness(pose, straight, wish, miss) > goal + 2 * CLOSE_ENOUGH
    if falls_short or not check_march(state, unit.id, straight, limits).is_legal:
        tried += proposed_marches(state, unit.id, limits, _fan(pose, limits, wish))
        tried += _backwards(state, unit, limits, wish)
    tried += [_facing(pose.heading, wish, limits), ()]
    ranked = sorted(((_badness(pose, legs, wish, miss), legs) for legs in tried), key=lambda one: one[0])
    return _first_legal(state, unit, limits, ranked)


def _fan(pose: Pose, limits: MarchLimits, wish: MoveWish) -> list[int]:
    """Numbers that make the table propose marches about the straight line to a wish, each as long as possible."""
    if "pivot" not in limits.kinds or not limits.pivot_limit:
        return [KINDS * (HALF_TURNS + TURNS * SHARES * (SHARES - 1))]
    bearing = turn_between(pose.heading, heading_to(pose.x / MILLI, pose.y / MILLI, wish.x, wish.y))
    middle = round(bearing / limits.pivot_limit * HALF_TURNS)
    found: dict[int, None] = {}
    for first, turns in ((0, FAN_AT_ONCE), (SHARES // 2, FAN_HALF_WAY)):
        for turn in turns:
            at = min(max(middle + turn, -HALF_TURNS), HALF_TURNS) + HALF_TURNS
            found[KINDS * (at + TURNS * (first + SHARES * (SHARES - 1)))] = None
    return list(found)


def _first_legal(
    state: State, unit: Unit, limits: MarchLimits, marches: list[tuple[float, tuple[Leg, ...]]]
) -> Route:
    """The best legal march; a march through danger counts as if it ended some inches farther away."""
    pose = block_pose(unit)
    best = (math.inf, Route(March(), pose.x / MILLI, pose.y / MILLI, pose.heading, False))
    for badness, legs in marches:
        if badness >= best[0]:
            break
        result = check_march(state, unit.id, legs, limits)
        if result.is_legal:
            cost = badness + (DANGER_WORTH if any(one.dangerous for one in result.crossed) else 0.0)
            end = result.pose
            found = Route(March(legs), end.x / MILLI, end.y / MILLI, end.heading, bool(result.used))
            best = min(best, (cost, found), key=lambda one: one[0])
    return best[1]


def _badness(pose: Pose, legs: tuple[Leg, ...], wish: MoveWish, miss: Miss) -> float:
    """How far the end of a march is from the wish, including a wrong facing."""
    end = end_of(pose, legs)
    wrong = abs(turn_between(end.heading, wish.facing)) / CENTI if wish.facing is not None else 0.0
    return miss(end.x / MILLI, end.y / MILLI) + wrong * FACING_WORTH


def _straight(state: State, unit: Unit, limits: MarchLimits, wish: MoveWish) -> tuple[Leg, ...]:
    """Turn to the wish and march up to it, or as far as the way is free."""
    pose = block_pose(unit)
    dx, dy = wish.x * MILLI - pose.x, wish.y * MILLI - pose.y
    bearing = turn_between(pose.heading, heading_to(0, 0, dx, dy))
    turn = min(max(bearing, -limits.pivot_limit), limits.pivot_limit) if "pivot" in limits.kinds else 0
    if abs(turn) <= STRAIGHT:
        turn = 0
    heading = (pose.heading + turn) % FULL_TURN
    sine, cosine = heading_vector(heading)
    along = min(dx * sine + dy * cosine, limits.allowance)
    run = min(furthest_forward(state, unit.id, Pose(pose.x, pose.y, heading, pose.z), limits), along)
    legs = [Leg("pivot", turn)] if turn else []
    legs += [Leg("forward", math.floor(run))] if run >= 1 else []
    return tuple(legs) if turn else (*legs, *_facing(heading, wish, limits))


def _facing(heading: int, wish: MoveWish, limits: MarchLimits) -> tuple[Leg, ...]:
    """The turn to the wanted heading, as far as it goes."""
    if wish.facing is None or "pivot" not in limits.kinds:
        return ()
    turn = turn_between(heading, wish.facing)
    turn = min(max(turn, -limits.pivot_limit), limits.pivot_limit)
    return (Leg("pivot", turn),) if abs(turn) >= CENTI else ()


def _backwards(state: State, unit: Unit, limits: MarchLimits, wish: MoveWish) -> list[tuple[Leg, ...]]:
    """Marches that step back without turning, if the wish lies behind."""
    pose = block_pose(unit)
    sine, cosine = heading_vector(pose.heading)
    behind = -((wish.x * MILLI - pose.x) * sine + (wish.y * MILLI - pose.y) * cosine)
    if "back" not in limits.kinds or behind <= 0:
        return []
    run = min(furthest_forward(state, unit.id, pose, limits, "back"), limits.half_allowance, behind)
    return [(Leg("back", math.floor(run)), *_facing(pose.heading, wish, limits))] if run >= 1 else []
