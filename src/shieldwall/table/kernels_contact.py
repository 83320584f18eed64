"""Compiled contact: where a model's base would touch a unit, and how the model gets there.

Places are tried in the order of their distance, straight first; what blocks all straight ways is gone round.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.glue import glue
from shieldwall.table.kernels import COUNT, HIGH, LOW, REACH, Floats, Ints, X, Y, gap
from shieldwall.table.kernels_close import unit_gap
from shieldwall.table.kernels_detour import detour
from shieldwall.table.kernels_ground import length_of
from shieldwall.table.kernels_loose import Found, Mates, Movers, Trail, World
from shieldwall.table.kernels_sweep import lift, stand
from shieldwall.table.kernels_way import (
    LONGEST,
    TIMID,
    Nodes,
    can_stand,
    copy_points,
    nodes_for,
    put_point,
    try_way,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

ANGLES = 24  # contact places tried round a base
STRAIGHT_ON = 99.0  # in the place of an angle: where the model touches by the shortest way
NUDGE = 1e-4  # inches to either side by which the direction of the shortest way is felt out
MOST_SPOTS = 512
MOST_GOALS = 32
STRAIGHT_TRIES = 10
GRID = 1000.0
BARELY = 0.01  # inches kept from units that are no target where more is not possible

SPOT_X, SPOT_Y, SPOT_RANK = range(3)
SPOT_FOOT, SPOT_ANGLE = 0, 1  # what the first columns hold as long as the place is not worked out


class Quest(NamedTuple):
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
    aims: Floats


class Desk(NamedTuple):
    """Scratch of one decision: places with their rank, goals good and tight, a way to try, the best.

    `turns` lines the places up by their rank (`line_up`); its last number says how many still wait.
    """

    spots: Floats
    turns: Ints
    goals: Floats
    tight: Floats
    path: Floats
    best: Floats
    nodes: Nodes


class Stage(NamedTuple):
    """Everybody and everything a decision looks at."""

    movers: Movers
    world: World
    mates: Mates
    trail: Trail
    found: Found
    desk: Desk


@kernel
def desk_for() -> Desk:
    """Room for the decisions of a unit, used again for each model."""
    return Desk(
        np.empty((MOST_SPOTS, 3)),
        np.zeros(MOST_SPOTS + 1, dtype=np.int64),
        np.empty((MOST_GOALS, 3)),
        np.empty((MOST_GOALS, 3)),
        np.empty((LONGEST, 4)),
        np.empty((LONGEST, 4)),
        nodes_for(),
    )


@lean
def nearest_touch(movers: Movers, i: int, j: int, world: World, trail: Trail) -> tuple[float, float, bool]:
    """Where on the grid model i touches footprint j by the shortest way; whether there is such a place."""
    points, rows = world.others.points, world.others.rows
    heading = movers.start[i, 2]
    start_x, start_y = movers.start[i, 0] / GRID, movers.start[i, 1] / GRID
    x, y = start_x, start_y
    for _ in range(8):
        stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
        left = gap(trail.core, trail.form, 0, points, rows, j)
        if left < 1e-6:
            break
        stand(movers.local, movers.mould, i, x + NUDGE, y, heading, trail.core, trail.form)
        grow_x = gap(trail.core, trail.form, 0, points, rows, j) - left
        stand(movers.local, movers.mould, i, x, y + NUDGE, heading, trail.core, trail.form)
        grow_y = gap(trail.core, trail.form, 0, points, rows, j) - left
        steep = max(length_of(grow_x, grow_y), 1e-12)
        x -= grow_x / steep * left
        y -= grow_y / steep * left
    best = math.inf
    column, line = math.floor(x * GRID + 0.5), math.floor(y * GRID + 0.5)
    for step in range(9):
        spot_x, spot_y = (column + step % 3 - 1) / GRID, (line + step // 3 - 1) / GRID
        stand(movers.local, movers.mould, i, spot_x, spot_y, heading, trail.core, trail.form)
        away = length_of(spot_x - start_x, spot_y - start_y)
        if abs(gap(trail.core, trail.form, 0, points, rows, j)) <= EPS and away < best:
            best = away
            x, y = spot_x, spot_y
    return x, y, best < math.inf


@lean
def touch_point(
    movers: Movers, i: int, j: int, angle: float, world: World, trail: Trail
) -> tuple[float, float, bool]:
    """Where on the grid model i touches footprint j, coming in along an angle; whether there is such a
    place.
    """
    if angle == STRAIGHT_ON:
        return nearest_touch(movers, i, j, world, trail)
    points, rows = world.others.points, world.others.rows
    heading = movers.start[i, 2]
    along_x, along_y = math.cos(angle), math.sin(angle)
    out = rows[j, REACH] + movers.mould[i, REACH]
    x, y = rows[j, X] + along_x * out, rows[j, Y] + along_y * out
    is_round = rows[j, COUNT] == 1.0 and movers.mould[i, COUNT] == 1.0
    left = 0.0 if is_round else 1.0
    for _ in range(60):
        if left < 1e-5:
            break
        stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
        left = gap(trail.core, trail.form, 0, points, rows, j)
        out -= left
        x, y = rows[j, X] + along_x * out, rows[j, Y] + along_y * out
    best = math.inf
    column, line = math.floor(x * GRID + 0.5), math.floor(y * GRID + 0.5)
    for step in range(9):
        spot_x, spot_y = (column + step % 3 - 1) / GRID, (line + step // 3 - 1) / GRID
        stand(movers.local, movers.mould, i, spot_x, spot_y, heading, trail.core, trail.form)
        left = abs(gap(trail.core, trail.form, 0, points, rows, j))
        if left < best:
            best = left
            x, y = spot_x, spot_y
    return x, y, best <= EPS


@lean
def contact_spots(movers: Movers, i: int, target: int, limit: float, world: World, spots: Floats) -> int:
    """Where model i might touch the target: footprints and angles, ranked by the straight way there.

    The exact place is worked out only for those that get their turn (`touch_point`).
    """
    if target < 0:
        return 0
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    made = 0
    rows = world.others.rows
    for j in range(world.others.bounds[target, 0], world.others.bounds[target, 1]):
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


@lean
def line_up(desk: Desk, made: int) -> None:
    """Line up the first `made` places by their rank, on a tie the earlier one first (a heap)."""
    turns = desk.turns
    turns[MOST_SPOTS] = made
    for k in range(made):
        turns[k] = k
    for root in range(made // 2 - 1, -1, -1):
        sink(desk.spots, turns, root, made)


@lean
def sink(spots: Floats, turns: Ints, root: int, count: int) -> None:
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


@lean
def next_spot(desk: Desk) -> int:
    """The place with the best rank that was not yet looked at, -1 when all were; it will not come again."""
    turns = desk.turns
    left = turns[MOST_SPOTS] - 1
    if left < 0:
        return -1
    best = turns[0]
    turns[0] = turns[left]
    turns[MOST_SPOTS] = left
    sink(desk.spots, turns, 0, left)
    return int(best)


@lean
def unit_apart(
    movers: Movers, i: int, x: float, y: float, z: float, target: int, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would be from a unit, in space."""
    stand(movers.local, movers.mould, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    apart, _ = unit_gap(world.others, target, trail.core, trail.form, tall)
    return apart


@lean
def left_to_go(
    movers: Movers, i: int, x: float, y: float, z: float, quest: Quest, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would still be from what it wants."""
    if quest.target < 0:
        return length_of(quest.aims[i, 0] - x, quest.aims[i, 1] - y)
    return unit_apart(movers, i, x, y, z, quest.target, world, trail)


@lean
def fits_at(stage: Stage, i: int, x: float, y: float, keep: float, quest: Quest) -> tuple[bool, float]:
    """Whether model i may end at a place as the quest wants it, and on which level."""
    heading = stage.movers.start[i, 2]
    return can_stand(
        stage.movers,
        i,
        x,
        y,
        heading,
        quest.target,
        keep,
        quest.placed,
        stage.world,
        stage.mates,
        stage.trail,
    )


@glue
def walk_for_trial(stage: Stage, i: int, path: Floats, size: int, limit: float, slow: bool) -> float:
    """How much a way uses; infinite where it cannot be gone, is too long, or is slowed and must not be."""
    used, slowed = try_way(
        stage.movers, i, path, size, stage.world, stage.mates, stage.trail, stage.found, stage.desk.nodes
    )
    return math.inf if used > limit + EPS or (slowed and not slow) else used


@glue
def straight_to(stage: Stage, i: int, x: float, y: float, z: float, limit: float, slow: bool) -> float:
    """How much the straight way to a place uses; the way is left in `desk.best`."""
    best = stage.desk.best
    copy_points(stage.movers.start, i, best, 0, 1)
    put_point(best, 1, x, y, stage.movers.start[i, 2], z)
    return walk_for_trial(stage, i, best, 2, limit, slow)


@glue
def way_round(
    stage: Stage, i: int, goals: Floats, number: int, limit: float, slow: bool, path: Floats
) -> float:
    """The shortest way round to one of some goals: what it uses, infinite where there is none.

    Its size is left in the span of the desk's nodes. First it goes as the pace wants it, then the other
    way: over what has to be climbed, or round it.
    """
    nodes = stage.desk.nodes
    for other in range(2):
        if other == 1 and nodes.notes[TIMID] == 0:
            break
        shy = slow == (other == 1)
        size = detour(
            stage.movers, i, goals, number, limit, shy, stage.world, stage.mates, stage.trail, nodes, path
        )
        if size > 0:
            used = walk_for_trial(stage, i, path, size, limit, slow)
            if used < math.inf:
                return used
    return math.inf


@lean
def sort_spot(stage: Stage, i: int, k: int, quest: Quest) -> tuple[float, float, float, int]:
    """A contact place worked out: x, y, level, and 1 if it keeps its distance to others, 2 if barely, else
    0.
    """
    movers, world, trail, spots = stage.movers, stage.world, stage.trail, stage.desk.spots
    x, y, touches = touch_point(movers, i, int(spots[k, SPOT_FOOT]), spots[k, SPOT_ANGLE], world, trail)
    if not touches:
        return x, y, 0.0, 0
    fits, z = fits_at(stage, i, x, y, min(quest.keep, BARELY), quest)
    if not fits or left_to_go(movers, i, x, y, z, quest, world, trail) > EPS:
        return x, y, z, 0
    if quest.keep <= BARELY:
        return x, y, z, 1
    fits, _ = fits_at(stage, i, x, y, quest.keep, quest)
    return x, y, z, 1 if fits else 2


@lean
def note_goal(goals: Floats, number: int, x: float, y: float, z: float) -> int:
    """Keep a place as a goal of a way round; how many there are."""
    if number < goals.shape[0]:
        goals[number, 0], goals[number, 1], goals[number, 2] = x, y, z
        number += 1
    return number


@glue
def touch_target(stage: Stage, i: int, limit: float, quest: Quest) -> tuple[int, float]:
    """The way of model i into contact: number of points in `desk.best` (0: none) and the way used."""
    desk = stage.desk
    made = contact_spots(stage.movers, i, quest.target, limit, stage.world, desk.spots)
    line_up(desk, made)
    good = min(made, 0)  # 0, but not as a constant: the compiler would make a case of its own of that
    tight = min(made, 0)
    while good < MOST_GOALS:
        k = next_spot(desk)
        if k < 0:
            break
        x, y, z, rank = sort_spot(stage, i, k, quest)
        if rank == 1:
            if good < STRAIGHT_TRIES:
                used = straight_to(stage, i, x, y, z, limit, quest.slow)
                if used < math.inf:
                    return 2, used
            good = note_goal(desk.goals, good, x, y, z)
        elif rank == 2:
            tight = note_goal(desk.tight, tight, x, y, z)
    for squeezed in range(2):  # a way round to a good place is better than a straight one to a tight place
        goals = desk.tight if squeezed == 1 else desk.goals
        number = tight if squeezed == 1 else good
        for g in range(min(number, STRAIGHT_TRIES * squeezed)):
            used = straight_to(stage, i, goals[g, 0], goals[g, 1], goals[g, 2], limit, quest.slow)
            if used < math.inf:
                return 2, used
        if number > 0:
            used = way_round(stage, i, goals, number, limit, quest.slow, desk.best)
            if used < math.inf:
                return int(desk.nodes.span[1]), used
    return 0, 0.0
