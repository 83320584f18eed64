"""Moving a whole unit at once: shifting it as it stands, following a drag, and putting it down."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.geometry.distance import (
    COUNT,
    HIGH,
    LOW,
    REACH,
    Span,
    enclosing_circle,
    overhang,
    set_gap,
    snap,
)
from shieldwall.geometry.ground import level_under, may_rest, note_stands
from shieldwall.geometry.paths import copy_points, fits_mates
from shieldwall.geometry.scene import Bodies, FlatScene
from shieldwall.geometry.sweep import (
    CODE,
    ENDS_CLOSE,
    FAULT_COLUMNS,
    Movers,
    coherency_faults,
    lift,
    mates_overlap,
    outside_table,
    place_one,
    stand,
    unit_gap,
)
from shieldwall.geometry.tolerance import EPS, GLANCE, GRID
from shieldwall.geometry.walk import (
    FAULTS,
    LEAPS,
    Found,
    WalkState,
    World,
    trial_state,
    walk_state,
    walk_with,
)

FULLY, PARTLY, NOT_AT_ALL = 1, 2, 0
FIRST_STEPS, FINER_STEPS = 4, 4  # shares tried from far to near, then halvings between the best and the next
TURNS_TRIED, TURN_STEP = 5, math.radians(15)


def front_first(movers: Movers, dx: float, dy: float, order: Ints) -> None:
    """Sort the models so that those farthest ahead go first and nobody runs into a mate still to go."""
    for m in range(order.shape[0]):
        ahead = movers.start[m, 0] * dx + movers.start[m, 1] * dy
        k = m
        while k > 0 and movers.start[order[k - 1], 0] * dx + movers.start[order[k - 1], 1] * dy < ahead:
            order[k] = order[k - 1]
            k -= 1
        order[k] = m


class Shift(NamedTuple):
    """Scratch of a unit that moves as it stands: order of its models, where their ways begin, the ways."""

    order: Ints
    cuts: Ints
    path: Matrix


def walk_shift(walk: WalkState, dx: float, dy: float, heading: float, shift: Shift) -> None:
    """Write the ways of a unit that moves as it stands, by whole steps of the grid, and walk them.

    Round bases end with the heading, if it is not negative; others keep theirs.
    """
    movers, world, trail = walk.movers, walk.world, walk.trail
    order, path = shift.order, shift.path
    front_first(movers, dx, dy, order)
    for m in range(order.shape[0]):
        i = order[m]
        copy_points(movers.start, i, path, 2 * m, 1)
        copy_points(movers.start, i, path, 2 * m + 1, 1)
        end = path[2 * m + 1]
        end[0] += dx
        end[1] += dy
        if heading >= 0.0 and int(movers.mould[i, COUNT]) == 1:
            end[2] = heading
        if world.scene.terrain.rows.shape[0] > 0:
            x, y = end[0] / 1000.0, end[1] / 1000.0
            stand(movers, i, x, y, end[2], trail.core, trail.form)
            level = level_under(world.scene.terrain, trail.core, trail.form)
            end[3] = snap(level * GRID)
    walk_with(walk, order, shift.cuts, path)


def shift_is_legal(walk: WalkState, dx: float, dy: float, heading: float, shift: Shift) -> bool:
    """Whether a unit may move as it stands, without a leap; its ways are left in `shift`."""
    walk_shift(walk, dx, dy, heading, shift)
    return bool(walk.found.counts[FAULTS] == 0 and walk.found.counts[LEAPS] == 0)


def shift_is_refused(movers: Movers, dx: float, dy: float, world: World) -> bool:
    """Whether a unit that moves as it stands, with any leaps, certainly breaks a rule."""
    walk = trial_state(movers, world, 2)
    count, found = movers.mould.shape[0], walk.found
    shift = Shift(
        np.empty(count, dtype=np.int64), np.empty(count + 1, dtype=np.int64), np.empty((2 * count, 4))
    )
    for m in range(count + 1):
        shift.cuts[m] = 2 * m
    walk_shift(walk, dx, dy, -1.0, shift)
    return bool(found.counts[FAULTS] > 0 and found.faults[0, CODE] != ENDS_CLOSE)


def turned(dx: float, dy: float, turn: float, share: float) -> tuple[float, float]:
    """A share of a shift in another direction, in whole steps of the grid and never longer."""
    sine, cosine = math.sin(turn), math.cos(turn)
    return float(int((dx * cosine - dy * sine) * share)), float(int((dx * sine + dy * cosine) * share))


def straight_share(walk: WalkState, dx: float, dy: float, heading: float, shift: Shift) -> float:
    """How much of a shift that is too much is legal: a share found from far to near, then made finer."""
    low = 0.0
    high = 1.0
    for step in range(FIRST_STEPS + FINER_STEPS):
        share = 1.0 - (step + 1) / (FIRST_STEPS + 1) if step < FIRST_STEPS else (low + high) / 2.0
        if step < FIRST_STEPS and low > 0.0:
            continue
        x, y = turned(dx, dy, 0.0, share)
        if shift_is_legal(walk, x, y, heading, shift):
            low = share
        else:
            high = share
    return low


def drag_unit(
    movers: Movers,
    dx: float,
    dy: float,
    heading: float,
    exactly: bool,
    shift: Shift,
    world: World,
    found: Found,
) -> int:
    """Shift a unit by (dx, dy) or as nearly so as it may: FULLY, PARTLY or NOT_AT_ALL.

    First ever shorter in the wanted direction, then, where somebody cares to get `exactly` there, aside, as
    long as that ends nearer to the wish. The ways are left in `shift`, what they met in `found`.
    """
    walk = walk_state(movers, world, found, 2)
    x, y = turned(dx, dy, 0.0, 1.0)
    if shift_is_legal(walk, x, y, heading, shift):
        return FULLY
    none = np.empty((0, 1))  # of ways that are only tried nobody asks where they came into which piece
    tried = Found(found.ends, found.used, found.faults, none, found.leaps, found.counts)
    trial = WalkState(movers, world, walk.mates, walk.trail, tried)
    share = straight_share(trial, dx, dy, heading, shift)
    best_turn = 0.0
    for k in range(2 * TURNS_TRIED if exactly else 0):
        turn = (k // 2 + 1) * TURN_STEP * (1.0 if k % 2 == 0 else -1.0)
        if abs(math.sin(turn)) >= 1.0 - share or best_turn != 0.0:
            break
        x, y = turned(dx, dy, turn, math.cos(turn))
        if shift_is_legal(trial, x, y, heading, shift):
            best_turn, share = turn, math.cos(turn)
    x, y = turned(dx, dy, best_turn, share)
    if x == 0.0 and y == 0.0:
        return NOT_AT_ALL
    shift_is_legal(walk, x, y, heading, shift)
    return PARTLY


def lies_inside(core: Matrix, form: Matrix, zones: Matrix) -> bool:
    """Whether a base lies wholly inside one of some rectangles; no rectangles mean anywhere."""
    for k in range(zones.shape[0]):
        if overhang(core, form, 0, 1, zones[k, 0], zones[k, 1], zones[k, 2], zones[k, 3]) <= EPS:
            return True
    return bool(zones.shape[0] == 0)


class PlacementTerms(NamedTuple):
    """What footprints that are put down have to keep to: who they are, zones to lie in, distances and coherency.

    They stay at least `spacing` from everybody and more than `over[u]` from unit u, where that is above 0.
    """

    me: int
    zones: Matrix
    spacing: float
    over: Floats
    link: float
    spread: float
    chain: bool


def may_be_put_down(scene: FlatScene, points: Matrix, rows: Matrix, terms: PlacementTerms) -> bool:
    """Whether footprints may be put down like this: all that is asked of a loose unit, in one look."""
    count = rows.shape[0]
    if overhang(points, rows, 0, count, 0.0, 0.0, scene.width, scene.depth) > EPS:
        return False
    fits = False
    for k in range(terms.zones.shape[0]):
        left, near, right, far = terms.zones[k, 0], terms.zones[k, 1], terms.zones[k, 2], terms.zones[k, 3]
        fits = fits or overhang(points, rows, 0, count, left, near, right, far) <= EPS
    if not fits or not keeps_apart(scene.bodies, points, rows, terms):
        return False
    for i in range(count):
        for j in range(i):
            if mates_overlap(points, rows, i, j) < -EPS:
                return False
    codes = np.empty((count, 2), dtype=np.int64)
    if not note_stands(scene.terrain, points, rows, codes):
        return False
    faults = np.empty((1, FAULT_COLUMNS))
    return coherency_faults(points, rows, terms.link, terms.spread, terms.chain, faults, 0) == 0


def keeps_apart(others: Bodies, points: Matrix, rows: Matrix, terms: PlacementTerms) -> bool:
    """Whether footprints keep their distance, measured in space, from all units but their own."""
    x, y, reach = enclosing_circle(rows, 0, rows.shape[0])
    for u in range(others.bounds.shape[0]):
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = max(terms.spacing, terms.over[u]) + reach + others.circles[u, 2] + GLANCE
        if u == terms.me or dx * dx + dy * dy > bound * bound:
            continue
        theirs = Span(others.points, others.rows, others.bounds[u, 0], others.bounds[u, 1])
        apart = max(set_gap(Span(points, rows, 0, rows.shape[0]), theirs, math.inf, True)[0], 0.0)
        if apart < terms.spacing - EPS or (terms.over[u] > 0.0 and apart <= terms.over[u] + EPS):
            return False
    return True


class SpreadPlan(NamedTuple):
    """How a unit is put down: places to try in order, the heading, the distance from each unit, zones to lie in."""

    spots: Matrix
    heading: float
    needs: Floats
    zones: Matrix


def stands_free(
    walk: WalkState, i: int, x: float, y: float, spread: SpreadPlan, placed: Ints
) -> tuple[bool, float]:
    """Whether model i may be put down at a place, and on which level."""
    movers, world, trail, needs = walk.movers, walk.world, walk.trail, spread.needs
    stand(movers, i, x, y, spread.heading, trail.core, trail.form)
    if outside_table(trail.core, trail.form, world.scene) > EPS or not lies_inside(
        trail.core, trail.form, spread.zones
    ):
        return False, 0.0
    z = level_under(world.scene.terrain, trail.core, trail.form)
    lift(trail.form, z, z)
    if not may_rest(world.scene.terrain, trail.core, trail.form):
        return False, z
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    others = world.scene.bodies
    for u in range(others.bounds.shape[0]):
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + trail.form[0, REACH] + needs[u]
        if u != world.me and dx * dx + dy * dy < bound * bound:
            apart, deep = unit_gap(others, u, trail.core, trail.form, tall)
            if deep < -EPS or apart < needs[u] - EPS:
                return False, z
    return fits_mates(walk, i, tall, placed), z


def spread_unit(
    movers: Movers, order: Ints, spread: SpreadPlan, world: World, placed: Ints, ends: Matrix
) -> int:
    """Put models down one after the other on the first of some spots that is free; the first without one,
    or -1.

    All but the first must be linked to a mate that is down already.
    """
    walk, spots, heading = trial_state(movers, world, 2), spread.spots, spread.heading
    mates = walk.mates
    for m in range(order.shape[0]):
        i = order[m]
        for k in range(spots.shape[0]):
            x, y = spots[k, 0], spots[k, 1]
            free, z = stands_free(walk, i, x, y, spread, placed)
            if free:
                ends[i, 0], ends[i, 1] = snap(x * GRID), snap(y * GRID)
                ends[i, 2], ends[i, 3] = heading, snap(z * GRID)
                place_one(movers, i, x, y, heading, z, mates.points, mates.rows)
                placed[i] = 1
                break
        if placed[i] == 0:
            return int(i)
    return -1
