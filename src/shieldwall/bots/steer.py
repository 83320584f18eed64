"""From a wish (there, facing that way) to a legal move: the same movers that people drag with, in few calls."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.core.answers import Leg, March, Walk
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.block_moves import MarchLimits, check_march, furthest_forward
from shieldwall.table.drag import solve_drag, unit_centre
from shieldwall.table.formations import block_pose, heading_vector
from shieldwall.table.loose_party import WalkLimits

FULL_TURN = 360 * CENTI
DETOURS = (0, 2500, -2500, 5000, -5000)  # turns aside that are tried where the straight way is blocked
CLOSE_ENOUGH = 750  # thousandths short of a wish that are not worth another try
STRAIGHT = 1000  # a goal within ten degrees of straight ahead is marched at without turning first


class Wish(NamedTuple):
    """A place in inches, and where to look once there: a heading, or None for wherever the way leads."""

    x: float
    y: float
    facing: int | None = None


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


def route(rules: Ruleset, state: State, unit: Unit, action: str, wish: Wish) -> Route:
    """The legal move of an action that ends near a wish; staying where nothing is better."""
    if unit.block is not None:
        return march_route(state, unit, march_limits(rules, state, unit, action), wish)
    return walk_route(state, unit, walk_limits(rules, state, unit, action), wish)


def walk_route(state: State, unit: Unit, limits: WalkLimits, wish: Wish) -> Route:
    """A loose unit dragged to its wish: as a whole if that will do, else model by model."""
    wanted = Pose(round(wish.x * MILLI), round(wish.y * MILLI), unit.poses[0].heading)
    found = solve_drag(state, unit.id, limits, wanted, roughly=True)
    x, y = unit_centre(found.poses)
    start = unit_centre(unit.poses)
    most = min(limits.allowance) * MILLI
    hoped = max(0.0, math.hypot(wanted.x - start[0], wanted.y - start[1]) - most)
    if math.hypot(wanted.x - x, wanted.y - y) > hoped + 2 * CLOSE_ENOUGH:
        found = solve_drag(state, unit.id, limits, wanted)
        x, y = unit_centre(found.poses)
    moved = math.hypot(x - start[0], y - start[1]) > 1
    return Route(Walk(found.paths), x / MILLI, y / MILLI, unit.poses[0].heading, moved)


def march_route(state: State, unit: Unit, limits: MarchLimits, wish: Wish) -> Route:
    """A block that turns towards its wish and marches, round what is in the way if need be."""
    pose = block_pose(unit)
    tried = sorted(_marches(state, unit, limits, wish), key=lambda found: found[0])
    for careful in (True, False):
        for _, legs in tried:
            result = check_march(state, unit.id, legs, limits)
            if result.is_legal and not (careful and any(one.dangerous for one in result.crossed)):
                end = result.pose
                return Route(March(legs), end.x / MILLI, end.y / MILLI, end.heading, bool(result.used))
    return Route(March(), pose.x / MILLI, pose.y / MILLI, pose.heading, False)


def _marches(
    state: State, unit: Unit, limits: MarchLimits, wish: Wish
) -> list[tuple[float, tuple[Leg, ...]]]:
    """Marches towards a wish with how far each misses it; the straight way alone where that is free."""
    pose = block_pose(unit)
    dx, dy = wish.x * MILLI - pose.x, wish.y * MILLI - pose.y
    far = math.hypot(dx, dy)
    if limits.pivot_or_move or "forward" not in limits.kinds or not limits.allowance or far < CLOSE_ENOUGH:
        return [(0.0, _facing(pose.heading, wish, limits))]
    bearing = turn_between(pose.heading, heading_to(pose.x, pose.y, pose.x + dx, pose.y + dy))
    ahead = abs(bearing) <= STRAIGHT and "pivot" in limits.kinds
    found: list[tuple[float, tuple[Leg, ...]]] = []
    for aside in DETOURS:
        turn = (
            0 if ahead and not aside else min(max(bearing + aside, -limits.pivot_limit), limits.pivot_limit)
        )
        heading = (pose.heading + turn) % FULL_TURN
        sine, cosine = heading_vector(heading)
        along = min(dx * sine + dy * cosine, limits.allowance)
        if along <= 0:
            continue
        run = min(furthest_forward(state, unit.id, Pose(pose.x, pose.y, heading, pose.z), limits), along)
        miss = math.hypot(dx - run * sine, dy - run * cosine)
        legs = [Leg("pivot", turn)] if turn else []
        legs += [Leg("forward", math.floor(run))] if run >= 1 else []
        if not turn:
            legs += _facing(heading, wish, limits)
        found.append((miss, tuple(legs)))
        if not aside and run >= along - CLOSE_ENOUGH:
            break
    if "back" in limits.kinds and abs(bearing) > FULL_TURN // 4:
        found += _backwards(state, unit, limits, wish)
    found.append((far, _facing(pose.heading, wish, limits)))
    return found


def _facing(heading: int, wish: Wish, limits: MarchLimits) -> tuple[Leg, ...]:
    """The turn to the wanted heading, as far as it goes."""
    if wish.facing is None or "pivot" not in limits.kinds:
        return ()
    turn = turn_between(heading, wish.facing)
    turn = min(max(turn, -limits.pivot_limit), limits.pivot_limit)
    return (Leg("pivot", turn),) if abs(turn) >= CENTI else ()


def _backwards(
    state: State, unit: Unit, limits: MarchLimits, wish: Wish
) -> list[tuple[float, tuple[Leg, ...]]]:
    """Stepping back with the face to the enemy."""
    pose = block_pose(unit)
    sine, cosine = heading_vector(pose.heading)
    dx, dy = wish.x * MILLI - pose.x, wish.y * MILLI - pose.y
    run = min(
        furthest_forward(state, unit.id, pose, limits, "back"),
        limits.half_allowance,
        max(0.0, -(dx * sine + dy * cosine)),
    )
    if run < 1:
        return []
    miss = math.hypot(dx + run * sine, dy + run * cosine)
    return [(miss, (Leg("back", math.floor(run)), *_facing(pose.heading, wish, limits)))]
