"""Loose models that close in on an enemy, are pushed back or move apart."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Cube, Floats, Ints, Matrix
from shieldwall.geometry.distance import COUNT, HIGH, LOW, REACH, X, Y, gap
from shieldwall.geometry.ground import length_of
from shieldwall.geometry.paths import (
    LONGEST,
    TIMID,
    Nodes,
    can_stand,
    copy_points,
    detour,
    is_clear,
    mark_blockers,
    nodes_for,
    put_point,
    try_way,
)
from shieldwall.geometry.sweep import in_space, lift, place_one, scratch_for, stand, unit_gap
from shieldwall.geometry.tolerance import EPS
from shieldwall.geometry.walk import (
    CAP,
    LINK,
    Found,
    Mates,
    Movers,
    Trail,
    World,
    clear_found,
    mates_at_start,
    slowed_standing,
    trail_for,
)

# ----------------------------------------------------------------------------------------------------
# Compiled contact: where a model's base would touch a unit, and how the model gets there.
#
# Places are tried in the order of their distance, straight first; what blocks all straight ways is gone round.

ANGLES = 24  # contact places tried round a base
STRAIGHT_ON = 99.0  # in the place of an angle: where the model touches by the shortest way
NUDGE = 1e-4  # inches to either side by which the direction of the shortest way is felt out
MOST_SPOTS = 512
MOST_GOALS = 32
STRAIGHT_TRIES = 10
GRID = 1000.0
ROUND_PAYS = (
    0.25  # inches that a way round must save before it is taken where a straight one leads into contact
)
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
    aims: Matrix


class Desk(NamedTuple):
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


class Stage(NamedTuple):
    """Everybody and everything a decision looks at."""

    movers: Movers
    world: World
    mates: Mates
    trail: Trail
    found: Found
    desk: Desk


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


def contact_spots(movers: Movers, i: int, target: int, limit: float, world: World, spots: Matrix) -> int:
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


def line_up(desk: Desk, made: int) -> None:
    """Line up the first `made` places by their rank, on a tie the earlier one first (a heap)."""
    turns = desk.turns
    turns[MOST_SPOTS] = made
    for k in range(made):
        turns[k] = k
    for root in range(made // 2 - 1, -1, -1):
        sink(desk.spots, turns, root, made)


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


def unit_apart(
    movers: Movers, i: int, x: float, y: float, z: float, target: int, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would be from a unit, in space."""
    stand(movers.local, movers.mould, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    apart, _ = unit_gap(world.others, target, trail.core, trail.form, tall)
    return apart


def left_to_go(
    movers: Movers, i: int, x: float, y: float, z: float, quest: Quest, world: World, trail: Trail
) -> float:
    """How far model i standing at a place would still be from what it wants."""
    if quest.target < 0:
        return length_of(quest.aims[i, 0] - x, quest.aims[i, 1] - y)
    return unit_apart(movers, i, x, y, z, quest.target, world, trail)


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


def walk_for_trial(stage: Stage, i: int, path: Matrix, size: int, limit: float, slow: bool) -> float:
    """How much a way uses; infinite where it cannot be gone, is too long, or is slowed and must not be."""
    used, slowed = try_way(
        stage.movers, i, path, size, stage.world, stage.mates, stage.trail, stage.found, stage.desk.nodes
    )
    return math.inf if used > limit + EPS or (slowed and not slow) else used


def straight_to(stage: Stage, i: int, x: float, y: float, z: float, limit: float, slow: bool) -> float:
    """How much the straight way to a place uses; the way is left in `desk.best`."""
    best = stage.desk.best
    copy_points(stage.movers.start, i, best, 0, 1)
    put_point(best, 1, x, y, stage.movers.start[i, 2], z)
    return walk_for_trial(stage, i, best, 2, limit, slow)


def way_round(
    stage: Stage, i: int, goals: Matrix, number: int, limit: float, quest: Quest, path: Matrix
) -> float:
    """The shortest way round to one of some goals: what it uses, infinite where there is none.

    Its size is left in the span of the desk's nodes. First it goes as the pace wants it, then the other
    way: over what has to be climbed, or round it. A way that is only a little too long is drawn tight.
    """
    nodes, slow = stage.desk.nodes, quest.slow
    for other in range(2):
        if other == 1 and nodes.notes[TIMID] == 0:
            break
        shy = slow == (other == 1)
        size = detour(
            stage.movers, i, goals, number, limit + TOO_LONG, shy, stage.world, stage.mates, stage.trail, nodes, path
        )  # fmt: skip
        if size > 0:
            if way_length(path, size) > limit + EPS:
                size = draw_tight(stage, i, path, size, limit, shy, quest)
            used = walk_for_trial(stage, i, path, size, limit, slow)
            if used < math.inf:
                return used
    return math.inf


# ----------------------------------------------------------------------------------------------------
# Compiled tightening of a way: what a search finds leads over points a little outside the corners it goes round.

TOO_LONG = 0.25  # inches by which the way that a search finds may be too long before it is drawn tight
TIGHTENINGS = 4  # rounds, each of which cuts every corner once
HALVINGS = 10  # of how far a corner is cut
TURNS_BESIDE = 8  # halvings of the angle between a place that works and one that does not
TURNS_IN = 4  # ends of a way tried, each half as far from the old one as the one before


def way_length(path: Matrix, size: int) -> float:
    """The length of a way, seen from above."""
    length = 0.0
    for k in range(1, size):
        length += length_of(path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1]) / GRID
    return length


def on_grid(number: float) -> float:
    """Thousandths as they are stored."""
    return math.floor(number + 0.5)


def is_leg_clear(
    stage: Stage, i: int, x: float, y: float, far_x: float, far_y: float, marked: int, pieces: int
) -> bool:
    """Whether model i gets straight from one stored place to another."""
    return is_clear(
        stage.movers, i, x / GRID, y / GRID, far_x / GRID, far_y / GRID, marked, pieces,
        stage.world, stage.mates, stage.trail,
    )  # fmt: skip


def slide_corner(stage: Stage, i: int, path: Matrix, k: int, to: int, marked: int, pieces: int) -> None:
    """Move corner k of a way along the leg to its neighbour `to`, as far as the leg to the other one stays clear."""
    other = 2 * k - to
    x, y, far_x, far_y = path[k, 0], path[k, 1], path[other, 0], path[other, 1]
    along_x, along_y = path[to, 0] - x, path[to, 1] - y
    low, step = 0.0, 1.0
    for _ in range(HALVINGS):
        share = low + step
        near_x, near_y = on_grid(x + share * along_x), on_grid(y + share * along_y)
        if is_leg_clear(stage, i, far_x, far_y, near_x, near_y, marked, pieces) and is_leg_clear(
            stage, i, near_x, near_y, path[to, 0], path[to, 1], marked, pieces
        ):
            low = share
            path[k, 0], path[k, 1] = near_x, near_y
        if low == 1.0:
            break
        step /= 2.0


def cut_corner(stage: Stage, i: int, path: Matrix, size: int, k: int, marked: int, pieces: int) -> int:
    """Put two corners in the place of corner k, where a shorter leg between them is clear; the new number of points."""
    x, y = path[k, 0], path[k, 1]
    back_x, back_y, on_x, on_y = (
        path[k - 1, 0] - x,
        path[k - 1, 1] - y,
        path[k + 1, 0] - x,
        path[k + 1, 1] - y,
    )
    back, on = length_of(back_x, back_y), length_of(on_x, on_y)
    longest = min(back, on) / 2.0
    if size == path.shape[0] or longest < 1.0:
        return size
    low, step = 0.0, longest
    one_x = one_y = two_x = two_y = 0.0
    for _ in range(HALVINGS):
        cut = low + step
        ax, ay = on_grid(x + back_x / back * cut), on_grid(y + back_y / back * cut)
        bx, by = on_grid(x + on_x / on * cut), on_grid(y + on_y / on * cut)
        if (
            is_leg_clear(stage, i, path[k - 1, 0], path[k - 1, 1], ax, ay, marked, pieces)
            and is_leg_clear(stage, i, ax, ay, bx, by, marked, pieces)
            and is_leg_clear(stage, i, bx, by, path[k + 1, 0], path[k + 1, 1], marked, pieces)
        ):
            low = cut
            one_x, one_y, two_x, two_y = ax, ay, bx, by
        if low == longest:
            break
        step /= 2.0
    if low < 1.0:
        return size
    for place in range(size, k + 1, -1):
        copy_points(path, place - 1, path, place, 1)
    copy_points(path, k, path, k + 1, 1)
    path[k, 0], path[k, 1] = one_x, one_y
    path[k + 1, 0], path[k + 1, 1] = two_x, two_y
    return size + 1


def drop_corners(stage: Stage, i: int, path: Matrix, size: int, marked: int, pieces: int) -> int:
    """Leave out corners between whose neighbours the way is clear; the new number of points."""
    k = 1
    while k < size - 1:
        if is_leg_clear(
            stage, i, path[k - 1, 0], path[k - 1, 1], path[k + 1, 0], path[k + 1, 1], marked, pieces
        ):
            for place in range(k, size - 1):
                copy_points(path, place + 1, path, place, 1)
            size -= 1
        else:
            k += 1
    return size


def draw_tight(stage: Stage, i: int, path: Matrix, size: int, limit: float, shy: bool, quest: Quest) -> int:
    """Draw a way round corners tight, like a string, until it is short enough; the new number of points."""
    marked, pieces = mark_blockers(
        stage.movers, i, limit + TOO_LONG, shy, stage.world, stage.mates, stage.trail, stage.desk.nodes
    )
    for _ in range(TIGHTENINGS):
        size = drop_corners(stage, i, path, size, marked, pieces)
        for k in range(1, size - 1):
            slide_corner(stage, i, path, k, k - 1, marked, pieces)
            slide_corner(stage, i, path, k, k + 1, marked, pieces)
        turn_in(stage, i, path, size, marked, pieces, quest)
        if way_length(path, size) <= limit:
            break
        for k in range(size - 2, 0, -1):
            size = cut_corner(stage, i, path, size, k, marked, pieces)
    return size


def turn_in(stage: Stage, i: int, path: Matrix, size: int, marked: int, pieces: int, quest: Quest) -> None:
    """Let a way into contact end where its last leg meets the target soonest, or nearer to that."""
    if quest.target < 0 or size < 3:
        return
    movers, world, last = stage.movers, stage.world, size - 1
    rows = world.others.rows
    for j in range(world.others.bounds[quest.target, 0], world.others.bounds[quest.target, 1]):
        x, y = path[last - 1, 0] / GRID, path[last - 1, 1] / GRID
        shortest = length_of(path[last, 0] / GRID - x, path[last, 1] / GRID - y)
        dx, dy = x - rows[j, X], y - rows[j, Y]
        if length_of(dx, dy) - rows[j, REACH] - movers.mould[i, REACH] >= shortest:
            continue
        ends = math.atan2(path[last, 1] / GRID - rows[j, Y], path[last, 0] / GRID - rows[j, X])
        turn = (math.atan2(dy, dx) - ends + math.pi) % (2.0 * math.pi) - math.pi
        for _ in range(TURNS_IN):
            to_x, to_y, touches = touch_point(movers, i, j, ends + turn, world, stage.trail)
            turn /= 2.0
            away = length_of(to_x - x, to_y - y)
            if not touches or away >= shortest:
                continue
            fits, z = fits_at(stage, i, to_x, to_y, quest.keep, quest)
            if (
                fits
                and left_to_go(movers, i, to_x, to_y, z, quest, world, stage.trail) <= EPS
                and is_leg_clear(stage, i, x * GRID, y * GRID, to_x * GRID, to_y * GRID, marked, pieces)
            ):
                put_point(path, last, to_x, to_y, movers.start[i, 2], z)
                break


def sort_spot(stage: Stage, i: int, foot: int, angle: float, quest: Quest) -> tuple[float, float, float, int]:
    """A contact place worked out: x, y, level, and 1 if it keeps its distance to others, 2 if barely, else
    0.
    """
    movers, world, trail = stage.movers, stage.world, stage.trail
    x, y, touches = touch_point(movers, i, foot, angle, world, trail)
    if not touches:
        return x, y, 0.0, 0
    fits, z = fits_at(stage, i, x, y, min(quest.keep, BARELY), quest)
    if not fits or left_to_go(movers, i, x, y, z, quest, world, trail) > EPS:
        return x, y, z, 0
    if quest.keep <= BARELY:
        return x, y, z, 1
    fits, _ = fits_at(stage, i, x, y, quest.keep, quest)
    return x, y, z, 1 if fits else 2


def note_goal(goals: Matrix, number: int, x: float, y: float, z: float) -> int:
    """Keep a place as a goal of a way round; how many there are."""
    if number < goals.shape[0]:
        goals[number, 0], goals[number, 1], goals[number, 2] = x, y, z
        number += 1
    return number


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
        x, y, z, rank = sort_spot(stage, i, int(desk.spots[k, SPOT_FOOT]), desk.spots[k, SPOT_ANGLE], quest)
        if rank == 1:
            if good < STRAIGHT_TRIES:
                used = straight_to(stage, i, x, y, z, limit, quest.slow)
                if used < math.inf:
                    return straight_or_round(stage, i, used, desk.goals, good, quest)
            good = note_goal(desk.goals, good, x, y, z)
        elif rank == 2:
            tight = note_goal(desk.tight, tight, x, y, z)
    for squeezed in range(2):  # a way round to a good place is better than a straight one to a tight place
        goals = desk.tight if squeezed == 1 else desk.goals
        number = tight if squeezed == 1 else good
        for g in range(min(number, STRAIGHT_TRIES * squeezed)):
            used = straight_to(stage, i, goals[g, 0], goals[g, 1], goals[g, 2], limit, quest.slow)
            if used < math.inf:
                return straight_or_round(stage, i, used, goals, g, quest)
        if number > 0:
            used = way_round(stage, i, goals, number, limit, quest, desk.best)
            if used < math.inf:
                return int(desk.nodes.span[1]), used
    return beside_others(stage, i, limit, quest)


def straight_or_round(
    stage: Stage, i: int, used: float, nearer: Matrix, number: int, quest: Quest
) -> tuple[int, float]:
    """The straight way in `desk.best`, or a way round to one of the nearer places that are not reached straight, where
    that is clearly shorter: number of points in `desk.best` and the way used.
    """
    start, path, best = stage.movers.start, stage.desk.path, stage.desk.best
    enough = used - ROUND_PAYS
    for g in range(number):
        if length_of(nearer[g, 0] - start[i, 0] / GRID, nearer[g, 1] - start[i, 1] / GRID) < enough:
            shorter = way_round(stage, i, nearer, number, enough, quest, path)
            if shorter == math.inf:
                break
            size = int(stage.desk.nodes.span[1])
            copy_points(path, 0, best, 0, size)
            return size, shorter
    return 2, used


def beside_others(stage: Stage, i: int, limit: float, quest: Quest) -> tuple[int, float]:
    """A straight way into contact that ends between two of the places that are tried round a base.

    Where others stand in the way of the shortest one, the best place lies right beside them. It is looked for next to
    places that are only a little too far away: points in `desk.best` (0: none) and the way used.
    """
    movers, desk, rows = stage.movers, stage.desk, stage.world.others.rows
    far = limit + TOO_LONG
    line_up(desk, contact_spots(movers, i, quest.target, far, stage.world, desk.spots))
    for _ in range(STRAIGHT_TRIES):
        k = next_spot(desk)
        if k < 0:
            break
        foot, works = int(desk.spots[k, SPOT_FOOT]), desk.spots[k, SPOT_ANGLE]
        if works == STRAIGHT_ON or straight_used(stage, i, foot, works, far, quest) == math.inf:
            continue
        dx, dy = movers.start[i, 0] / GRID - rows[foot, X], movers.start[i, 1] / GRID - rows[foot, Y]
        turn = (math.atan2(dy, dx) - works + math.pi) % (2.0 * math.pi) - math.pi
        step = 2.0 * math.pi / ANGLES
        turn = min(max(turn, -step), step)
        for _ in range(TURNS_BESIDE):
            turn /= 2.0
            used = straight_used(stage, i, foot, works + turn, far, quest)
            if used <= limit + EPS:
                return 2, used
            if used < math.inf:
                works += turn
    return 0, 0.0


def straight_used(stage: Stage, i: int, foot: int, angle: float, limit: float, quest: Quest) -> float:
    """How much the straight way into contact at an angle uses, infinite where there is none; it is left in
    `desk.best`.
    """
    x, y, z, rank = sort_spot(stage, i, foot, angle, quest)
    return straight_to(stage, i, x, y, z, limit, quest.slow) if rank != 0 else math.inf


# ----------------------------------------------------------------------------------------------------
# Compiled short moves: distances of single models to a unit, and how far a model gets in one direction.

FEEL = 1e-4  # inches to either side by which the direction away from a base is felt out


def enemies_near(circles: Matrix, sides: Ints, me: int, longest: float, near: Ints) -> int:
    """Rows of the enemy units that a way of this length might reach, going by circles; their number."""
    made = 0
    for u in range(circles.shape[0]):
        dx, dy = circles[u, 0] - circles[me, 0], circles[u, 1] - circles[me, 1]
        bound = circles[u, 2] + circles[me, 2] + longest + EPS
        if sides[u] != sides[me] and dx * dx + dy * dy <= bound * bound:
            near[made] = u
            made += 1
    return made


def gaps_to_unit(movers: Movers, target: int, world: World, answer: Floats) -> None:
    """The distance in space of each model, where it stands, to a unit."""
    core, form = scratch_for(movers.mould)
    others = world.others
    for i in range(movers.mould.shape[0]):
        x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
        stand(movers.local, movers.mould, i, x, y, movers.start[i, 2], core, form)
        lift(form, z, z)
        nearest = math.inf
        tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
        for j in range(others.bounds[target, 0], others.bounds[target, 1]):
            reach = (
                length_of(others.rows[j, X] - x, others.rows[j, Y] - y)
                - others.rows[j, REACH]
                - form[0, REACH]
            )
            if reach < nearest:
                apart, _ = in_space(core, form, tall, others.points, others.rows, j)
                nearest = min(nearest, apart)
        answer[i] = nearest


def starts_slowed(movers: Movers, world: World) -> bool:
    """Whether some model that minds stands in difficult ground."""
    trail = trail_for(movers, world, 2)
    slowed = -1
    for i in range(movers.mould.shape[0]):
        slowed = max(slowed, slowed_standing(movers, i, world.ground, trail))
    return slowed >= 0


def go_straight(
    movers: Movers,
    i: int,
    along_x: float,
    along_y: float,
    most: float,
    world: World,
    found: Found,
    path: Matrix,
) -> float:
    """How far model i gets in a direction, at most `most`; the place goes into the second row of `path`."""
    mates = mates_at_start(movers)
    trail = trail_for(movers, world, 2)
    nodes = nodes_for()
    clear_found(movers, found)
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    z = movers.start[i, 3] / 1000.0
    low = 0.0
    high = most
    best = 0.0
    path[0] = movers.start[i]
    for attempt in range(14):
        way = most if attempt == 0 else (low + high) / 2.0
        put_point(path, 1, start_x + along_x * way, start_y + along_y * way, movers.start[i, 2], z)
        used, _ = try_way(movers, i, path, 2, world, mates, trail, found, nodes)
        if used <= movers.allowance[i] + EPS:
            best = low = way
            if attempt == 0:
                break
        else:
            high = way
    put_point(path, 1, start_x + along_x * best, start_y + along_y * best, movers.start[i, 2], z)
    return best


def away_from(movers: Movers, i: int, target: int, world: World, trail: Trail) -> tuple[float, float]:
    """The direction that leads model i straight away from the nearest footprint of the target."""
    points, rows = world.others.points, world.others.rows
    x, y, heading = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 2]
    stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
    nearest, best = -1, math.inf
    for j in range(world.others.bounds[target, 0], world.others.bounds[target, 1]):
        left = gap(trail.core, trail.form, 0, points, rows, j)
        if left < best:
            nearest, best = j, left
    if movers.mould[i, COUNT] == 1.0 and rows[nearest, COUNT] == 1.0:
        away_x, away_y = x - rows[nearest, X], y - rows[nearest, Y]
    else:  # how the gap grows to either side points straight away, whatever the shapes
        stand(movers.local, movers.mould, i, x + FEEL, y, heading, trail.core, trail.form)
        away_x = gap(trail.core, trail.form, 0, points, rows, nearest)
        stand(movers.local, movers.mould, i, x - FEEL, y, heading, trail.core, trail.form)
        away_x -= gap(trail.core, trail.form, 0, points, rows, nearest)
        stand(movers.local, movers.mould, i, x, y + FEEL, heading, trail.core, trail.form)
        away_y = gap(trail.core, trail.form, 0, points, rows, nearest)
        stand(movers.local, movers.mould, i, x, y - FEEL, heading, trail.core, trail.form)
        away_y -= gap(trail.core, trail.form, 0, points, rows, nearest)
    length = max(length_of(away_x, away_y), 1e-12)
    return away_x / length, away_y / length


def back_from(
    movers: Movers, i: int, target: int, apart: float, most: float, world: World, found: Found, path: Matrix
) -> bool:
    """Move model i straight away from its nearest enemy until it is `apart` from the target; whether it
    moved.

    It goes no farther than `most`, and as far as it can where something is in the way.
    """
    x, y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    trail = trail_for(movers, world, 2)
    away_x, away_y = away_from(movers, i, target, world, trail)
    z = movers.start[i, 3] / 1000.0
    low = 0.0
    high = most
    if unit_apart(movers, i, x + away_x * most, y + away_y * most, z, target, world, trail) >= apart:
        for _ in range(30):
            way = (low + high) / 2.0
            if unit_apart(movers, i, x + away_x * way, y + away_y * way, z, target, world, trail) >= apart:
                high = way
            else:
                low = way
    went = go_straight(movers, i, away_x, away_y, high, world, found, path)
    if went >= high - 1e-9:
        settle_apart(movers, i, target, apart, world, found, path)
    return bool(path[1, 0] != path[0, 0] or path[1, 1] != path[0, 1])


def settle_apart(
    movers: Movers, i: int, target: int, apart: float, world: World, found: Found, path: Matrix
) -> None:
    """Of the places of the grid round the end of a short way take the one whose distance is nearest to
    `apart`.
    """
    mates = mates_at_start(movers)
    trail = trail_for(movers, world, 2)
    nodes = nodes_for()
    column, line = path[1, 0], path[1, 1]
    best = math.inf
    best_x, best_y = column, line
    for step in range(9):
        path[1, 0] = column + step % 3 - 1
        path[1, 1] = line + step // 3 - 1
        here = unit_apart(
            movers, i, path[1, 0] / GRID, path[1, 1] / GRID, path[1, 3] / GRID, target, world, trail
        )
        miss = abs(here - apart) + (1.0 if here < apart - EPS else 0.0)
        if (
            miss < best
            and try_way(movers, i, path, 2, world, mates, trail, found, nodes)[0] <= movers.allowance[i] + EPS
        ):
            best = miss
            best_x, best_y = path[1, 0], path[1, 1]
    path[1, 0] = best_x
    path[1, 1] = best_y


# ----------------------------------------------------------------------------------------------------
# Compiled closing in: models that have to get into contact with a unit or to a place, or as near as they
# can.
#
# Models go one after the other. Each takes the contact it reaches soonest, straight or round what is in
# its way, and must stay linked to the mates placed before it; who cannot get there takes the nearest place
# it finds.

FURTHER = 1.5  # how many times its own way a model looks ahead for the way round
WORTH_GOING_ROUND = 1.0  # inches left to go from which that may pay
CUTS = 8  # ends tried along a way that is too long
ALL_FOUND, NONE_TOUCHES = -1, -2
NEAREST_STEP = 0.004  # inches below which coming nearer no longer matters


class ContactPlan(NamedTuple):
    """What models decided: ways as stored numbers, their sizes (0: none), way used, distance left to go."""

    paths: Cube
    sizes: Ints
    used: Floats
    apart: Floats


def near_spots(stage: Stage, i: int, limit: float, quest: Quest) -> int:
    """Places on the way to what model i wants and round the mates in place, ranked by what is left to go."""
    movers, world, mates = stage.movers, stage.world, stage.mates
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    made = rank_spot(stage, i, start_x, start_y, limit, quest, 0)
    if quest.target < 0:
        x, y = quest.aims[i, 0], quest.aims[i, 1]
        made = add_line(stage, i, x, y, length_of(x - start_x, y - start_y), limit, quest, made)
        for ring in range(1, 5):
            made = add_circle(stage, i, x, y, 0.5 * ring, limit, quest, made)
    else:
        rows = world.others.rows
        for j in range(world.others.bounds[quest.target, 0], world.others.bounds[quest.target, 1]):
            x, y = rows[j, X], rows[j, Y]
            free = length_of(x - start_x, y - start_y) - rows[j, REACH] - movers.mould[i, REACH]
            made = add_line(stage, i, x, y, free, limit, quest, made)
    link = world.rule[LINK]
    for j in range(mates.rows.shape[0]):
        if j != i and quest.placed[j] != 0:
            out = mates.rows[j, REACH] + movers.mould[i, REACH]
            for ring in range(3):
                beyond = 0.002 if ring == 0 else (0.5 * link if ring == 1 else link - 0.002)
                made = add_circle(
                    stage, i, mates.rows[j, X], mates.rows[j, Y], out + beyond, limit, quest, made
                )
    return made


def add_line(
    stage: Stage, i: int, x: float, y: float, free: float, limit: float, quest: Quest, made: int
) -> int:
    """Note places on the straight way towards a point, as far as it is free and within the limit."""
    start_x, start_y = stage.movers.start[i, 0] / 1000.0, stage.movers.start[i, 1] / 1000.0
    length = length_of(x - start_x, y - start_y)
    way = min(limit, free)
    for k in range(1, CUTS + 1):
        if length > 0.0 and way > 0.0:
            share = way / length * k / CUTS
            made = rank_spot(
                stage, i, start_x + (x - start_x) * share, start_y + (y - start_y) * share, limit, quest, made
            )
    return made


def add_circle(
    stage: Stage, i: int, x: float, y: float, radius: float, limit: float, quest: Quest, made: int
) -> int:
    """Note places round a point."""
    for k in range(ANGLES):
        angle = 2.0 * math.pi * k / ANGLES
        spot_x, spot_y = x + radius * math.cos(angle), y + radius * math.sin(angle)
        made = rank_spot(stage, i, spot_x, spot_y, limit, quest, made)
    return made


def rank_spot(stage: Stage, i: int, x: float, y: float, limit: float, quest: Quest, made: int) -> int:
    """Note a place if the model could get there in a straight line; how many are noted."""
    movers, spots = stage.movers, stage.desk.spots
    x, y = math.floor(x * GRID + 0.5) / GRID, math.floor(y * GRID + 0.5) / GRID
    away = length_of(x - movers.start[i, 0] / 1000.0, y - movers.start[i, 1] / 1000.0)
    if away > limit + EPS or made >= spots.shape[0]:
        return made
    spots[made, SPOT_X] = x
    spots[made, SPOT_Y] = y
    # A longer way to an equally good place is worse, but never as much as a step of the grid.
    spots[made, SPOT_RANK] = left_to_go(movers, i, x, y, 0.0, quest, stage.world, stage.trail) + away * 1e-5
    return made + 1


def near_target(stage: Stage, i: int, keep: float, limit: float, quest: Quest) -> tuple[int, float]:
    """The straight way of model i as near as it finds: points in `desk.best` (0: none), distance left."""
    spots = stage.desk.spots
    line_up(stage.desk, near_spots(stage, i, limit, quest))
    while True:
        k = next_spot(stage.desk)
        if k < 0:
            return 0, math.inf
        x, y = spots[k, SPOT_X], spots[k, SPOT_Y]
        fits, z = fits_at(stage, i, x, y, keep, quest)
        if fits and straight_to(stage, i, x, y, z, limit, quest.slow) < math.inf:
            return 2, left_to_go(stage.movers, i, x, y, z, quest, stage.world, stage.trail)


def far_goals(stage: Stage, i: int, far: float, quest: Quest) -> int:
    """Put what model i wants onto the desk as goals of a long way round; their number."""
    movers, desk = stage.movers, stage.desk
    if quest.target < 0:
        desk.goals[0, 0], desk.goals[0, 1], desk.goals[0, 2] = quest.aims[i, 0], quest.aims[i, 1], 0.0
        return 1
    made = contact_spots(movers, i, quest.target, far, stage.world, desk.spots)
    line_up(desk, made)
    goals = min(made, MOST_GOALS)
    for g in range(goals):
        k = next_spot(desk)
        foot, angle = int(desk.spots[k, SPOT_FOOT]), desk.spots[k, SPOT_ANGLE]
        x, y, _ = touch_point(movers, i, foot, angle, stage.world, stage.trail)
        desk.goals[g, 0], desk.goals[g, 1], desk.goals[g, 2] = x, y, 0.0
    return goals


def way_ahead(stage: Stage, i: int, keep: float, limit: float, quest: Quest) -> tuple[int, float]:
    """The beginning of a long way round, as far as model i gets: points in `desk.path` (0: none), what is
    left.
    """
    movers, desk = stage.movers, stage.desk
    heading = movers.start[i, 2]
    far = limit * FURTHER
    goals = far_goals(stage, i, far, quest)
    size = 0
    if goals > 0:
        size = detour(
            movers, i, desk.goals, goals, far, not quest.slow, stage.world, stage.mates, stage.trail,
            desk.nodes, desk.path,
        )  # fmt: skip
    for share in range(CUTS, 0, -1):
        if size == 0:
            break
        size = cut_way(desk.path, size, limit * share / CUTS, heading, desk.goals)
        x, y = desk.goals[0, 0], desk.goals[0, 1]
        fits, z = fits_at(stage, i, x, y, keep, quest)
        if fits:
            put_point(desk.path, size - 1, x, y, heading, z)
            if walk_for_trial(stage, i, desk.path, size, limit, quest.slow) < math.inf:
                return size, left_to_go(movers, i, x, y, z, quest, stage.world, stage.trail)
    return 0, math.inf


def cut_way(path: Matrix, size: int, length: float, heading: float, end: Matrix) -> int:
    """Cut a way after a length: its new end goes into the first row of `end`, the number of points comes
    back.
    """
    left = length
    for k in range(1, size):
        dx, dy = path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1]
        leg = length_of(dx, dy) / GRID
        if leg >= left or k == size - 1:
            share = min(left / leg, 1.0) if leg > 0.0 else 0.0
            # int() goes towards the last point, so that rounding never makes the way longer.
            end[0, 0] = (path[k - 1, 0] + int(dx * share)) / GRID
            end[0, 1] = (path[k - 1, 1] + int(dy * share)) / GRID
            put_point(path, k, end[0, 0], end[0, 1], heading, 0.0)
            return k + 1
        left -= leg
    return size


def wanted_point(stage: Stage, i: int, x: float, y: float, quest: Quest) -> tuple[float, float]:
    """The middle of what lies nearest of what model i wants."""
    if quest.target < 0:
        return quest.aims[i, 0], quest.aims[i, 1]
    rows = stage.world.others.rows
    shortest = math.inf
    to_x, to_y = x, y
    for j in range(stage.world.others.bounds[quest.target, 0], stage.world.others.bounds[quest.target, 1]):
        length = length_of(rows[j, X] - x, rows[j, Y] - y) - rows[j, REACH]
        if length < shortest:
            shortest = length
            to_x, to_y = rows[j, X], rows[j, Y]
    return to_x, to_y


def push_nearer(
    stage: Stage, i: int, size: int, apart: float, keep: float, limit: float, quest: Quest
) -> tuple[float, float]:
    """Move the end of the way in `desk.best` straight on in ever smaller steps: way used, distance left."""
    movers, desk = stage.movers, stage.desk
    used = walk_for_trial(stage, i, desk.best, size, limit, quest.slow)
    heading = movers.start[i, 2]
    step = 1.0
    while step > NEAREST_STEP and apart > EPS:
        x, y = desk.best[size - 1, 0] / GRID, desk.best[size - 1, 1] / GRID
        to_x, to_y = wanted_point(stage, i, x, y, quest)
        go = min(step, apart) / max(length_of(to_x - x, to_y - y), 1e-9)
        new_x = math.floor((x + (to_x - x) * go) * GRID + 0.5) / GRID
        new_y = math.floor((y + (to_y - y) * go) * GRID + 0.5) / GRID
        step /= 2.0
        fits, z = fits_at(stage, i, new_x, new_y, keep, quest)
        rest = left_to_go(movers, i, new_x, new_y, z, quest, stage.world, stage.trail)
        if fits and rest < apart - EPS:
            copy_points(desk.best, 0, desk.path, 0, size)
            put_point(desk.path, size - 1, new_x, new_y, heading, z)
            way = walk_for_trial(stage, i, desk.path, size, limit, quest.slow)
            if way < math.inf:
                copy_points(desk.path, 0, desk.best, 0, size)
                used = way
                apart = rest
                step *= 2.0
    return used, apart


def come_near(stage: Stage, i: int, limit: float, quest: Quest) -> tuple[int, float, float]:
    """Send model i as near as it gets: points in `desk.best` (0: none), way used, distance left."""
    desk = stage.desk
    for tight in range(2):
        keep = quest.keep if tight == 0 else min(quest.keep, BARELY)
        size, apart = near_target(stage, i, keep, limit, quest)
        if apart > WORTH_GOING_ROUND:
            round_size, round_apart = way_ahead(stage, i, keep, limit, quest)
            if round_apart < apart:
                size, apart = round_size, round_apart
                copy_points(desk.path, 0, desk.best, 0, size)
        if size > 0:
            used, apart = push_nearer(stage, i, size, apart, keep, limit, quest)
            return size, used, apart
    return 0, 0.0, math.inf


def settle(
    stage: Stage, i: int, size: int, used: float, apart: float, quest: Quest, plan: ContactPlan
) -> None:
    """Write down what model i decided and put it there."""
    plan.sizes[i] = size
    plan.used[i] = used
    plan.apart[i] = apart
    copy_points(stage.desk.best, 0, plan.paths[i], 0, size)
    last = stage.desk.best[size - 1]
    x, y, z = last[0] / GRID, last[1] / GRID, last[3] / GRID
    mates = stage.mates
    place_one(stage.movers.local, stage.movers.mould, i, x, y, last[2], z, mates.points, mates.rows)
    quest.placed[i] = 1


def close_in(movers: Movers, order: Ints, quest: Quest, world: World, found: Found, plan: ContactPlan) -> int:
    """Send models one after the other on a quest; the first that finds no place at all, or ALL_FOUND.

    Where somebody has to touch and nobody can, NONE_TOUCHES comes back and nothing else was looked for.
    `quest.placed` ends up marking all models. A slow unit goes no farther than the cap.
    """
    trail = trail_for(movers, world, LONGEST)
    stage = Stage(movers, world, mates_at_start(movers), trail, found, desk_for())
    clear_found(movers, found)
    return send_all(stage, order, quest, plan)


def send_all(stage: Stage, order: Ints, quest: Quest, plan: ContactPlan) -> int:
    """`close_in` once its room is made."""
    movers, world = stage.movers, stage.world
    probing = quest.touch
    m = 0
    while m < order.shape[0]:
        i = order[m]
        limit = min(movers.allowance[i], world.rule[CAP]) if quest.slow else movers.allowance[i]
        apart = 0.0
        size, used = touch_target(stage, i, limit, quest)
        if probing:
            if size == 0:
                m += 1
                if m == order.shape[0]:
                    return NONE_TOUCHES
                continue
            probing = False
            if m > 0:  # somebody can: begin again with the first
                m = 0
                continue
        if size == 0:
            size, used, apart = come_near(stage, i, limit, quest)
        if size == 0:
            return int(i)
        settle(stage, i, size, used, apart, quest, plan)
        m += 1
    return ALL_FOUND
