"""Models that close in on an enemy or a place, one after the other."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.geometry.arrays import Cube, Floats, Ints, Matrix
from shieldwall.geometry.contact_places import (
    ANGLES,
    LEAST_KEPT,
    MOST_GOALS,
    SPOT_ANGLE,
    SPOT_FOOT,
    SPOT_RANK,
    SPOT_X,
    SPOT_Y,
    STRAIGHT_ON,
    ContactGoal,
    ContactSearch,
    contact_spots,
    fits_at,
    left_to_go,
    line_up,
    next_spot,
    note_goal,
    scratch_for_contact,
    sort_spot,
    straight_to,
    touch_point,
    walk_for_trial,
)
from shieldwall.geometry.distance import REACH, X, Y, snap
from shieldwall.geometry.ground import length_of
from shieldwall.geometry.paths import LONGEST, copy_points, detour, put_point
from shieldwall.geometry.sweep import Movers, place_one
from shieldwall.geometry.tighten import TOO_LONG, way_round
from shieldwall.geometry.tolerance import EPS, GRID
from shieldwall.geometry.walk import CAP, LINK, World, trial_state

# Each takes the contact it reaches soonest, straight or round what is in its way, and must stay linked to the mates
# placed before it; who cannot get there takes the nearest place it finds.

STRAIGHT_TRIES = 10
ROUND_PAYS = (
    0.25  # inches that a way round must save before it is taken where a straight one leads into contact
)
TURNS_BESIDE = 8  # halvings of the angle between a place that works and one that does not
FURTHER = 1.5  # how many times its own way a model looks ahead for the way round
WORTH_GOING_ROUND = 1.0  # inches left to go from which that may pay
CUTS = 8  # ends tried along a way that is too long
ALL_FOUND, NONE_TOUCHES = -1, -2
COSINES = tuple(math.cos(2.0 * math.pi * k / ANGLES) for k in range(ANGLES))
SINES = tuple(math.sin(2.0 * math.pi * k / ANGLES) for k in range(ANGLES))
NEAREST_STEP = 0.004  # inches below which coming nearer no longer matters


def touch_target(search: ContactSearch, i: int, limit: float, goal: ContactGoal) -> tuple[int, float]:
    """The way of model i into contact: number of points in `scratch.best` (0: none) and the way used."""
    scratch = search.scratch
    made = contact_spots(search.walk.movers, i, goal.target, limit, search.walk.world, scratch.spots)
    line_up(scratch, made)
    good = min(made, 0)  # 0, but not as a constant: the compiler would make a case of its own of that
    tight = min(made, 0)
    while good < MOST_GOALS:
        k = next_spot(scratch)
        if k < 0:
            break
        x, y, z, rank = sort_spot(
            search, i, int(scratch.spots[k, SPOT_FOOT]), scratch.spots[k, SPOT_ANGLE], goal
        )
        if rank == 1:
            if good < STRAIGHT_TRIES:
                used = straight_to(search, i, x, y, z, limit, goal.slow)
                if used < math.inf:
                    return straight_or_round(search, i, used, scratch.goals, good, goal)
            good = note_goal(scratch.goals, good, x, y, z)
        elif rank == 2:
            tight = note_goal(scratch.tight, tight, x, y, z)
    for squeezed in range(2):  # a way round to a good place is better than a straight one to a tight place
        goals = scratch.tight if squeezed == 1 else scratch.goals
        number = tight if squeezed == 1 else good
        for g in range(min(number, STRAIGHT_TRIES * squeezed)):
            used = straight_to(search, i, goals[g, 0], goals[g, 1], goals[g, 2], limit, goal.slow)
            if used < math.inf:
                return straight_or_round(search, i, used, goals, g, goal)
        if number > 0:
            used = way_round(search, i, goals, number, limit, goal, scratch.best)
            if used < math.inf:
                return int(scratch.nodes.span[1]), used
    return beside_others(search, i, limit, goal)


def straight_or_round(
    search: ContactSearch, i: int, used: float, nearer: Matrix, number: int, goal: ContactGoal
) -> tuple[int, float]:
    """The straight way in `scratch.best`, or a way round to one of the nearer places where that is clearly shorter.

    Points in `scratch.best` and the way used; the nearer places are not reached straight.
    """
    start, path, best = search.walk.movers.start, search.scratch.path, search.scratch.best
    enough = used - ROUND_PAYS
    for g in range(number):
        if length_of(nearer[g, 0] - start[i, 0] / GRID, nearer[g, 1] - start[i, 1] / GRID) < enough:
            shorter = way_round(search, i, nearer, number, enough, goal, path)
            if shorter == math.inf:
                break
            size = int(search.scratch.nodes.span[1])
            copy_points(path, 0, best, 0, size)
            return size, shorter
    return 2, used


def beside_others(search: ContactSearch, i: int, limit: float, goal: ContactGoal) -> tuple[int, float]:
    """A straight way into contact that ends between two of the places that are tried round a base.

    Where others stand in the way of the shortest one, the best place lies right beside them. It is looked for next to
    places that are only a little too far away: points in `scratch.best` (0: none) and the way used.
    """
    movers, scratch, rows = search.walk.movers, search.scratch, search.walk.world.scene.bodies.rows
    far = limit + TOO_LONG
    line_up(scratch, contact_spots(movers, i, goal.target, far, search.walk.world, scratch.spots))
    for _ in range(STRAIGHT_TRIES):
        k = next_spot(scratch)
        if k < 0:
            break
        foot, works = int(scratch.spots[k, SPOT_FOOT]), scratch.spots[k, SPOT_ANGLE]
        if works == STRAIGHT_ON or straight_used(search, i, foot, works, far, goal) == math.inf:
            continue
        dx, dy = movers.start[i, 0] / GRID - rows[foot, X], movers.start[i, 1] / GRID - rows[foot, Y]
        turn = (math.atan2(dy, dx) - works + math.pi) % (2.0 * math.pi) - math.pi
        step = 2.0 * math.pi / ANGLES
        turn = min(max(turn, -step), step)
        for _ in range(TURNS_BESIDE):
            turn /= 2.0
            used = straight_used(search, i, foot, works + turn, far, goal)
            if used <= limit + EPS:
                return 2, used
            if used < math.inf:
                works += turn
    return 0, 0.0


def straight_used(
    search: ContactSearch, i: int, foot: int, angle: float, limit: float, goal: ContactGoal
) -> float:
    """How much the straight way into contact at an angle uses, infinite where there is none; it is left in
    `scratch.best`.
    """
    x, y, z, rank = sort_spot(search, i, foot, angle, goal)
    return straight_to(search, i, x, y, z, limit, goal.slow) if rank != 0 else math.inf


class ContactPlan(NamedTuple):
    """What models decided: ways as stored numbers, their sizes (0: none), way used, distance left to go."""

    paths: Cube
    sizes: Ints
    used: Floats
    apart: Floats


def near_spots(search: ContactSearch, i: int, limit: float, goal: ContactGoal) -> int:
    """Places on the way to what model i wants and round the mates in place, ranked by what is left to go."""
    movers, world, mates = search.walk.movers, search.walk.world, search.walk.mates
    start_x, start_y = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0
    made = rank_spot(search, i, start_x, start_y, limit, goal, 0)
    if goal.target < 0:
        x, y = goal.aims[i, 0], goal.aims[i, 1]
        made = add_line(search, i, x, y, length_of(x - start_x, y - start_y), limit, goal, made)
        for ring in range(1, 5):
            made = add_circle(search, i, x, y, 0.5 * ring, limit, goal, made)
    else:
        rows = world.scene.bodies.rows
        for j in range(world.scene.bodies.bounds[goal.target, 0], world.scene.bodies.bounds[goal.target, 1]):
            x, y = rows[j, X], rows[j, Y]
            free = length_of(x - start_x, y - start_y) - rows[j, REACH] - movers.mould[i, REACH]
            made = add_line(search, i, x, y, free, limit, goal, made)
    link = world.rule[LINK]
    for j in range(mates.rows.shape[0]):
        if j != i and goal.placed[j] != 0:
            out = mates.rows[j, REACH] + movers.mould[i, REACH]
            for ring in range(3):
                beyond = 0.002 if ring == 0 else (0.5 * link if ring == 1 else link - 0.002)
                made = add_circle(
                    search, i, mates.rows[j, X], mates.rows[j, Y], out + beyond, limit, goal, made
                )
    return made


def add_line(
    search: ContactSearch, i: int, x: float, y: float, free: float, limit: float, goal: ContactGoal, made: int
) -> int:
    """Note places on the straight way towards a point, as far as it is free and within the limit."""
    start_x, start_y = search.walk.movers.start[i, 0] / 1000.0, search.walk.movers.start[i, 1] / 1000.0
    length = length_of(x - start_x, y - start_y)
    way = min(limit, free)
    for k in range(1, CUTS + 1):
        if length > 0.0 and way > 0.0:
            share = way / length * k / CUTS
            made = rank_spot(
                search, i, start_x + (x - start_x) * share, start_y + (y - start_y) * share, limit, goal, made
            )
    return made


def add_circle(
    search: ContactSearch,
    i: int,
    x: float,
    y: float,
    radius: float,
    limit: float,
    goal: ContactGoal,
    made: int,
) -> int:
    """Note places round a point."""
    for k in range(ANGLES):
        spot_x, spot_y = x + radius * COSINES[k], y + radius * SINES[k]
        made = rank_spot(search, i, spot_x, spot_y, limit, goal, made)
    return made


def rank_spot(
    search: ContactSearch, i: int, x: float, y: float, limit: float, goal: ContactGoal, made: int
) -> int:
    """Note a place if the model could get there in a straight line; how many are noted."""
    movers, spots = search.walk.movers, search.scratch.spots
    x, y = snap(x * GRID) / GRID, snap(y * GRID) / GRID
    away = length_of(x - movers.start[i, 0] / 1000.0, y - movers.start[i, 1] / 1000.0)
    if away > limit + EPS or made >= spots.shape[0]:
        return made
    spots[made, SPOT_X] = x
    spots[made, SPOT_Y] = y
    # A longer way to an equally good place is worse, but never as much as a step of the grid.
    spots[made, SPOT_RANK] = (
        left_to_go(movers, i, x, y, 0.0, goal, search.walk.world, search.walk.trail) + away * 1e-5
    )
    return made + 1


def near_target(
    search: ContactSearch, i: int, keep: float, limit: float, goal: ContactGoal
) -> tuple[int, float]:
    """The straight way of model i as near as it finds: points in `scratch.best` (0: none), distance left."""
    spots = search.scratch.spots
    line_up(search.scratch, near_spots(search, i, limit, goal))
    while True:
        k = next_spot(search.scratch)
        if k < 0:
            return 0, math.inf
        x, y = spots[k, SPOT_X], spots[k, SPOT_Y]
        fits, z = fits_at(search, i, x, y, keep, goal)
        if fits and straight_to(search, i, x, y, z, limit, goal.slow) < math.inf:
            return 2, left_to_go(search.walk.movers, i, x, y, z, goal, search.walk.world, search.walk.trail)


def far_goals(search: ContactSearch, i: int, far: float, goal: ContactGoal) -> int:
    """Put what model i wants onto the scratch as goals of a long way round; their number."""
    movers, scratch = search.walk.movers, search.scratch
    if goal.target < 0:
        scratch.goals[0, 0], scratch.goals[0, 1], scratch.goals[0, 2] = goal.aims[i, 0], goal.aims[i, 1], 0.0
        return 1
    made = contact_spots(movers, i, goal.target, far, search.walk.world, scratch.spots)
    line_up(scratch, made)
    goals = min(made, MOST_GOALS)
    for g in range(goals):
        k = next_spot(scratch)
        foot, angle = int(scratch.spots[k, SPOT_FOOT]), scratch.spots[k, SPOT_ANGLE]
        x, y, _ = touch_point(movers, i, foot, angle, search.walk.world, search.walk.trail)
        scratch.goals[g, 0], scratch.goals[g, 1], scratch.goals[g, 2] = x, y, 0.0
    return goals


def way_ahead(
    search: ContactSearch, i: int, keep: float, limit: float, goal: ContactGoal
) -> tuple[int, float]:
    """The beginning of a long way round, as far as model i gets: points in `scratch.path` (0: none), what is
    left.
    """
    movers, scratch = search.walk.movers, search.scratch
    heading = movers.start[i, 2]
    far = limit * FURTHER
    goals = far_goals(search, i, far, goal)
    size = 0
    if goals > 0:
        size = detour(search.walk, i, scratch.goals, goals, far, not goal.slow, scratch.nodes, scratch.path)
    for share in range(CUTS, 0, -1):
        if size == 0:
            break
        size = cut_way(scratch.path, size, limit * share / CUTS, heading, scratch.goals)
        x, y = scratch.goals[0, 0], scratch.goals[0, 1]
        fits, z = fits_at(search, i, x, y, keep, goal)
        if fits:
            put_point(scratch.path, size - 1, x, y, heading, z)
            if walk_for_trial(search, i, scratch.path, size, limit, goal.slow) < math.inf:
                return size, left_to_go(movers, i, x, y, z, goal, search.walk.world, search.walk.trail)
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


def wanted_point(search: ContactSearch, i: int, x: float, y: float, goal: ContactGoal) -> tuple[float, float]:
    """The middle of what lies nearest of what model i wants."""
    if goal.target < 0:
        return goal.aims[i, 0], goal.aims[i, 1]
    rows = search.walk.world.scene.bodies.rows
    shortest = math.inf
    to_x, to_y = x, y
    for j in range(
        search.walk.world.scene.bodies.bounds[goal.target, 0],
        search.walk.world.scene.bodies.bounds[goal.target, 1],
    ):
        length = length_of(rows[j, X] - x, rows[j, Y] - y) - rows[j, REACH]
        if length < shortest:
            shortest = length
            to_x, to_y = rows[j, X], rows[j, Y]
    return to_x, to_y


def push_nearer(
    search: ContactSearch, i: int, size: int, apart: float, keep: float, limit: float, goal: ContactGoal
) -> tuple[float, float]:
    """Move the end of the way in `scratch.best` straight on in ever smaller steps: way used, distance left."""
    movers, scratch = search.walk.movers, search.scratch
    used = walk_for_trial(search, i, scratch.best, size, limit, goal.slow)
    heading = movers.start[i, 2]
    step = 1.0
    while step > NEAREST_STEP and apart > EPS:
        x, y = scratch.best[size - 1, 0] / GRID, scratch.best[size - 1, 1] / GRID
        to_x, to_y = wanted_point(search, i, x, y, goal)
        go = min(step, apart) / max(length_of(to_x - x, to_y - y), 1e-9)
        new_x = snap((x + (to_x - x) * go) * GRID) / GRID
        new_y = snap((y + (to_y - y) * go) * GRID) / GRID
        step /= 2.0
        fits, z = fits_at(search, i, new_x, new_y, keep, goal)
        rest = left_to_go(movers, i, new_x, new_y, z, goal, search.walk.world, search.walk.trail)
        if fits and rest < apart - EPS:
            copy_points(scratch.best, 0, scratch.path, 0, size)
            put_point(scratch.path, size - 1, new_x, new_y, heading, z)
            way = walk_for_trial(search, i, scratch.path, size, limit, goal.slow)
            if way < math.inf:
                copy_points(scratch.path, 0, scratch.best, 0, size)
                used = way
                apart = rest
                step *= 2.0
    return used, apart


def come_near(search: ContactSearch, i: int, limit: float, goal: ContactGoal) -> tuple[int, float, float]:
    """Send model i as near as it gets: points in `scratch.best` (0: none), way used, distance left."""
    scratch = search.scratch
    for tight in range(2):
        keep = goal.keep if tight == 0 else min(goal.keep, LEAST_KEPT)
        size, apart = near_target(search, i, keep, limit, goal)
        if apart > WORTH_GOING_ROUND:
            round_size, round_apart = way_ahead(search, i, keep, limit, goal)
            if round_apart < apart:
                size, apart = round_size, round_apart
                copy_points(scratch.path, 0, scratch.best, 0, size)
        if size > 0:
            used, apart = push_nearer(search, i, size, apart, keep, limit, goal)
            return size, used, apart
    return 0, 0.0, math.inf


def settle(
    search: ContactSearch, i: int, size: int, used: float, apart: float, goal: ContactGoal, plan: ContactPlan
) -> None:
    """Write down what model i decided and put it there."""
    plan.sizes[i] = size
    plan.used[i] = used
    plan.apart[i] = apart
    copy_points(search.scratch.best, 0, plan.paths[i], 0, size)
    last = search.scratch.best[size - 1]
    x, y, z = last[0] / GRID, last[1] / GRID, last[3] / GRID
    mates = search.walk.mates
    place_one(search.walk.movers, i, x, y, last[2], z, mates.points, mates.rows)
    goal.placed[i] = 1


def close_in(movers: Movers, order: Ints, goal: ContactGoal, world: World, plan: ContactPlan) -> int:
    """Send models one after the other on a goal; the first that finds no place at all, or ALL_FOUND.

    Where somebody has to touch and nobody can, NONE_TOUCHES comes back and nothing else was looked for.
    `goal.placed` ends up marking all models. A slow unit goes no farther than the cap.
    """
    search = ContactSearch(trial_state(movers, world, LONGEST), scratch_for_contact())
    return send_all(search, order, goal, plan)


def send_all(search: ContactSearch, order: Ints, goal: ContactGoal, plan: ContactPlan) -> int:
    """`close_in` once its room is made."""
    movers, world = search.walk.movers, search.walk.world
    probing = goal.touch
    m = 0
    while m < order.shape[0]:
        i = order[m]
        limit = min(movers.allowance[i], world.rule[CAP]) if goal.slow else movers.allowance[i]
        apart = 0.0
        size, used = touch_target(search, i, limit, goal)
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
            size, used, apart = come_near(search, i, limit, goal)
        if size == 0:
            return int(i)
        settle(search, i, size, used, apart, goal, plan)
        m += 1
    return ALL_FOUND
