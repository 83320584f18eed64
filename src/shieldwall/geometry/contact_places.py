"""Where a model's base would touch a unit, or stand near it, and whether it may."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Ints, Matrix
from shieldwall.geometry.cast import Stretch
from shieldwall.geometry.distance import (
    COUNT,
    FIRST,
    HIGH,
    LOW,
    RADIUS,
    REACH,
    X,
    Y,
    gap,
    shortest_way,
    snap,
)
from shieldwall.geometry.ground import length_of
from shieldwall.geometry.paths import (
    LONGEST,
    Nodes,
    can_stand,
    copy_points,
    keeps_away,
    nodes_for,
    put_point,
    try_way,
)
from shieldwall.geometry.sweep import Movers, lift, stand, unit_gap
from shieldwall.geometry.tolerance import EPS, GRID
from shieldwall.geometry.walk import Trail, WalkState, World, run_to_footprint

# Places are ranked first and worked out only when it is their turn: most of them never are.

ANGLES = 24  # contact places tried round a base
STRAIGHT_ON = 99.0  # in the place of an angle: where the model touches by the shortest way
MOST_SPOTS = 512
MOST_GOALS = 32
LEAST_KEPT = 0.01  # inches kept from units that are no target where more is not possible
SPOT_X, SPOT_Y, SPOT_RANK = range(3)
SPOT_FOOT, SPOT_ANGLE = 0, 1  # what the first columns hold as long as the place is not worked out


class ContactGoal(NamedTuple):
    """What the models of a unit are sent to do.

    They want to touch the unit in row `target` of the others or, where that is -1, to stand at their
    `aims`. `keep` is the distance to end from everybody else. `slow` models go through anything, others
    set no foot on ground that would slow them. Where `touch` is set nothing is worth doing unless somebody
    gets into contact. `placed` marks mates that are in place and to which the next must be linked.
    """

    target: int
    keep: float
    slow: bool
    touch: bool
    placed: Ints
    aims: Matrix


class ContactScratch(NamedTuple):
    """Scratch of one decision: places with their rank, goals good and tight, a way to try, the best.

    `turns` lines the places up by their rank (`line_up`); its last number says how many still wait.
    """

    spots: Matrix
    turns: Ints
    goals: Matrix
    tight: Matrix
    path: Matrix
    best: Matrix
    nodes: Nodes


class ContactSearch(NamedTuple):
    """Everybody and everything a decision looks at."""

    walk: WalkState
    scratch: ContactScratch


def scratch_for_contact() -> ContactScratch:
    """Room for the decisions of a unit, used again for each model."""
    return ContactScratch(
        np.empty((MOST_SPOTS, 3)),
        np.zeros(MOST_SPOTS + 1, dtype=np.int64),
        np.empty((MOST_GOALS, 3)),
        np.empty((MOST_GOALS, 3)),
        np.empty((LONGEST, 4)),
        np.empty((LONGEST, 4)),
        nodes_for(),
    )


def nearest_touch(movers: Movers, i: int, j: int, world: World, trail: Trail) -> tuple[float, float, bool]:
    """Where on the grid model i touches footprint j by the shortest way; whether there is such a place."""
    points, rows = world.scene.bodies.points, world.scene.bodies.rows
    start_x, start_y = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID
    stand(movers, i, start_x, start_y, movers.start[i, 2], trail.core, trail.form)
    first, count = int(rows[j, FIRST]), int(trail.form[0, COUNT])
    dx, dy = shortest_way(trail.core, 0, count, points, first, first + int(rows[j, COUNT]))
    apart = math.sqrt(dx * dx + dy * dy)
    left = max(apart - trail.form[0, RADIUS] - rows[j, RADIUS], 0.0)
    share = left / apart if apart > 0.0 else 0.0
    return touch_on_grid(movers, i, j, start_x - dx * share, start_y - dy * share, True, world, trail)


def touch_point(
    movers: Movers, i: int, j: int, angle: float, world: World, trail: Trail
) -> tuple[float, float, bool]:
    """Where on the grid model i touches footprint j, coming in along an angle; whether there is such a
    place.
    """
    if angle == STRAIGHT_ON:
        return nearest_touch(movers, i, j, world, trail)
    rows = world.scene.bodies.rows
    along_x, along_y = math.cos(angle), math.sin(angle)
    out = rows[j, REACH] + movers.mould[i, REACH]
    if rows[j, COUNT] > 1.0 or movers.mould[i, COUNT] > 1.0:
        x, y = rows[j, X] + along_x * out, rows[j, Y] + along_y * out
        stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
        run = run_to_footprint(trail, Stretch(x, y, -along_x, -along_y, 0.0, out), world.scene.bodies, j, 0.0)
        out -= min(run, out)
    x, y = rows[j, X] + along_x * out, rows[j, Y] + along_y * out
    return touch_on_grid(movers, i, j, x, y, False, world, trail)


def touch_on_grid(
    movers: Movers, i: int, j: int, x: float, y: float, soonest: bool, world: World, trail: Trail
) -> tuple[float, float, bool]:
    """The step of the grid next to a place where model i touches footprint j best, or soonest; whether there is one."""
    points, rows, heading = world.scene.bodies.points, world.scene.bodies.rows, movers.start[i, 2]
    start_x, start_y = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID
    best = math.inf
    touches = False
    column, line = snap(x * GRID), snap(y * GRID)
    for step in range(9):
        spot_x, spot_y = (column + step % 3 - 1) / GRID, (line + step // 3 - 1) / GRID
        stand(movers, i, spot_x, spot_y, heading, trail.core, trail.form)
        left = abs(gap(trail.core, trail.form, 0, points, rows, j))
        rank = length_of(spot_x - start_x, spot_y - start_y) if soonest else left
        if rank < best and (left <= EPS or not soonest):
            best = rank
            touches = left <= EPS
            x, y = spot_x, spot_y
    return x, y, touches


def contact_spots(movers: Movers, i: int, target: int, limit: float, world: World, spots: Matrix) -> int:
    """Where model i might touch the target: footprints and angles, ranked by the straight way there.

    The exact place is worked out only for those that get their turn (`touch_point`).
    """
    if target < 0:
        return 0
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    made = 0
    rows = world.scene.bodies.rows
    for j in range(world.scene.bodies.bounds[target, 0], world.scene.bodies.bounds[target, 1]):
        dx, dy = start_x - rows[j, X], start_y - rows[j, Y]
        out = rows[j, REACH] + movers.mould[i, REACH]
        if length_of(dx, dy) - out > limit + EPS:
            continue
        if (rows[j, COUNT] > 1.0 or movers.mould[i, COUNT] > 1.0) and made < spots.shape[0]:
            spots[made, SPOT_FOOT] = j
            spots[made, SPOT_ANGLE] = STRAIGHT_ON
            spots[made, SPOT_RANK] = max(length_of(dx, dy) - out, 0.0)
            made += 1
        towards = math.atan2(dy, dx)
        for k in range(ANGLES):
            side = -1.0 if k % 2 else 1.0
            angle = towards + side * ((k + 1) // 2) * (2.0 * math.pi / ANGLES)
            away = length_of(dx - out * math.cos(angle), dy - out * math.sin(angle))
            if away <= limit + EPS and made < spots.shape[0]:
                spots[made, SPOT_FOOT] = j
                spots[made, SPOT_ANGLE] = angle
                spots[made, SPOT_RANK] = away
                made += 1
    return made


def line_up(scratch: ContactScratch, made: int) -> None:
    """Line up the first `made` places by their rank, on a tie the earlier one first (a heap)."""
    turns = scratch.turns
    turns[MOST_SPOTS] = made
    for k in range(made):
        turns[k] = k
    for root in range(made // 2 - 1, -1, -1):
        sink(scratch.spots, turns, root, made)


def sink(spots: Matrix, turns: Ints, root: int, count: int) -> None:
    """Let a place sink below all that come before it."""
    mine = turns[root]
    rank = spots[mine, SPOT_RANK]
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count:
            left, right = spots[turns[child], SPOT_RANK], spots[turns[child + 1], SPOT_RANK]
            if right < left or (right == left and turns[child + 1] < turns[child]):
                child += 1
        other = spots[turns[child], SPOT_RANK]
        if rank < other or (rank == other and mine < turns[child]):
            break
        turns[root] = turns[child]
        root = child
    turns[root] = mine


def next_spot(scratch: ContactScratch) -> int:
    """The place with the best rank that was not yet looked at, -1 when all were; it will not come again."""
    turns = scratch.turns
    left = turns[MOST_SPOTS] - 1
    if left < 0:
        return -1
    best = turns[0]
    turns[0] = turns[left]
    turns[MOST_SPOTS] = left
    sink(scratch.spots, turns, 0, left)
    return int(best)


def unit_apart(
    movers: Movers, i: int, x: float, y: float, z: float, target: int, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would be from a unit, in space."""
    stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    apart, _ = unit_gap(world.scene.bodies, target, trail.core, trail.form, tall)
    return apart


def left_to_go(
    movers: Movers, i: int, x: float, y: float, z: float, goal: ContactGoal, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would still be from what it wants."""
    if goal.target < 0:
        return length_of(goal.aims[i, 0] - x, goal.aims[i, 1] - y)
    return unit_apart(movers, i, x, y, z, goal.target, world, trail)


def fits_at(
    search: ContactSearch, i: int, x: float, y: float, keep: float, goal: ContactGoal
) -> tuple[bool, float]:
    """Whether model i may end at a place as the goal wants it, and on which level."""
    heading = search.walk.movers.start[i, 2]
    return can_stand(search.walk, i, x, y, heading, goal.target, keep, goal.placed)


def walk_for_trial(search: ContactSearch, i: int, path: Matrix, size: int, limit: float, slow: bool) -> float:
    """How much a way uses; infinite where it cannot be gone, is too long, or is slowed and must not be."""
    used, slowed = try_way(search.walk, i, path, size, search.scratch.nodes)
    return math.inf if used > limit + EPS or (slowed and not slow) else used


def straight_to(
    search: ContactSearch, i: int, x: float, y: float, z: float, limit: float, slow: bool
) -> float:
    """How much the straight way to a place uses; the way is left in `scratch.best`."""
    best = search.scratch.best
    copy_points(search.walk.movers.start, i, best, 0, 1)
    put_point(best, 1, x, y, search.walk.movers.start[i, 2], z)
    return walk_for_trial(search, i, best, 2, limit, slow)


def sort_spot(
    search: ContactSearch, i: int, foot: int, angle: float, goal: ContactGoal
) -> tuple[float, float, float, int]:
    """A contact place worked out: x, y, level, and 1 if it keeps its distance to others, 2 if barely, else
    0.
    """
    movers, world, trail = search.walk.movers, search.walk.world, search.walk.trail
    x, y, touches = touch_point(movers, i, foot, angle, world, trail)
    if not touches:
        return x, y, 0.0, 0
    fits, z = fits_at(search, i, x, y, min(goal.keep, LEAST_KEPT), goal)
    if not fits or left_to_go(movers, i, x, y, z, goal, world, trail) > EPS:
        return x, y, z, 0
    if goal.keep <= LEAST_KEPT:
        return x, y, z, 1
    stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    return x, y, z, 1 if keeps_away(search.walk, i, x, y, goal.target, goal.keep) else 2


def note_goal(goals: Matrix, number: int, x: float, y: float, z: float) -> int:
    """Keep a place as a goal of a way round; how many there are."""
    if number < goals.shape[0]:
        goals[number, 0], goals[number, 1], goals[number, 2] = x, y, z
        number += 1
    return number
