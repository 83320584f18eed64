"""Compiled closing in: models that have to get into contact with a unit or to a place, or as near as they
can.

Models go one after the other. Each takes the contact it reaches soonest, straight or round what is in
its way, and must stay linked to the mates placed before it; who cannot get there takes the nearest place
it finds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.compiled import kernel
from shieldwall.table.glue import glue
from shieldwall.table.kernels import REACH, Floats, Ints, X, Y
from shieldwall.table.kernels_contact import (
    ANGLES,
    BARELY,
    GRID,
    MOST_GOALS,
    SPOT_ANGLE,
    SPOT_FOOT,
    SPOT_RANK,
    SPOT_X,
    SPOT_Y,
    Quest,
    Stage,
    contact_spots,
    desk_for,
    fits_at,
    left_to_go,
    line_up,
    next_spot,
    straight_to,
    touch_point,
    touch_target,
    walk_for_trial,
)
from shieldwall.table.kernels_detour import detour
from shieldwall.table.kernels_ground import length_of
from shieldwall.table.kernels_loose import CAP, LINK, Found, Movers, World, trail_for
from shieldwall.table.kernels_sweep import place_one
from shieldwall.table.kernels_unit import clear_found, mates_at_start
from shieldwall.table.kernels_way import LONGEST, copy_points, put_point
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

FURTHER = 1.5  # how many times its own way a model looks ahead for the way round
WORTH_GOING_ROUND = 1.0  # inches left to go from which that may pay
CUTS = 8  # ends tried along a way that is too long
ALL_FOUND, NONE_TOUCHES = -1, -2
NEAREST_STEP = 0.004  # inches below which coming nearer no longer matters


class Plan(NamedTuple):
    """What models decided: ways as stored numbers, their sizes (0: none), way used, distance left to go."""

    paths: Floats
    sizes: Ints
    used: Floats
    apart: Floats


@lean
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


@lean
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


@lean
def add_circle(
    stage: Stage, i: int, x: float, y: float, radius: float, limit: float, quest: Quest, made: int
) -> int:
    """Note places round a point."""
    for k in range(ANGLES):
        angle = 2.0 * math.pi * k / ANGLES
        spot_x, spot_y = x + radius * math.cos(angle), y + radius * math.sin(angle)
        made = rank_spot(stage, i, spot_x, spot_y, limit, quest, made)
    return made


@lean
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


@glue
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


@lean
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


@glue
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


@lean
def cut_way(path: Floats, size: int, length: float, heading: float, end: Floats) -> int:
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


@lean
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


@glue
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


@glue
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


@lean
def settle(stage: Stage, i: int, size: int, used: float, apart: float, quest: Quest, plan: Plan) -> None:
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


@kernel
def close_in(movers: Movers, order: Ints, quest: Quest, world: World, found: Found, plan: Plan) -> int:
    """Send models one after the other on a quest; the first that finds no place at all, or ALL_FOUND.

    Where somebody has to touch and nobody can, NONE_TOUCHES comes back and nothing else was looked for.
    `quest.placed` ends up marking all models. A slow unit goes no farther than the cap.
    """
    trail = trail_for(movers, world, LONGEST)
    stage = Stage(movers, world, mates_at_start(movers), trail, found, desk_for())
    clear_found(movers, found)
    return send_all(stage, order, quest, plan)


@lean
def send_all(stage: Stage, order: Ints, quest: Quest, plan: Plan) -> int:
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
