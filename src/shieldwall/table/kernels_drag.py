"""Compiled help for moving a whole unit at once: shifting it as it stands, and putting it down round a
point.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, HIGH, LOW, RADIUS, REACH, Floats, Ints
from shieldwall.table.kernels_close import unit_gap
from shieldwall.table.kernels_ground import STANDS, level_under, stand_code
from shieldwall.table.kernels_loose import (
    FAULTS,
    LEAPS,
    Found,
    Mates,
    Movers,
    Trail,
    World,
    outside_table,
    trail_for,
)
from shieldwall.table.kernels_sweep import lift, place_one, stand
from shieldwall.table.kernels_unit import mates_at_start, walk_with
from shieldwall.table.kernels_way import copy_points, fits_mates
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

FULLY, PARTLY, NOT_AT_ALL = 1, 2, 0
FIRST_STEPS, FINER_STEPS = 4, 4  # shares tried from far to near, then halvings between the best and the next
TURNS_TRIED, TURN_STEP = 5, math.radians(15)


@lean
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
    path: Floats


@lean
def shift_is_legal(
    movers: Movers, dx: float, dy: float, heading: float, shift: Shift,
    world: World, mates: Mates, trail: Trail, found: Found,
) -> bool:  # fmt: skip
    """Write the ways of a unit that moves as it stands, by whole steps of the grid, and walk them.

    Round bases end with the heading, if it is not negative; others keep theirs.
    """
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
        if world.ground.rows.shape[0] > 0:
            x, y = end[0] / 1000.0, end[1] / 1000.0
            stand(movers.local, movers.mould, i, x, y, end[2], trail.core, trail.form)
            level = level_under(world.ground.points, world.ground.rows, trail.core, trail.form)
            end[3] = math.floor(level * 1000.0 + 0.5)
    walk_with(movers, order, shift.cuts, path, world, mates, trail, found)
    return bool(found.counts[FAULTS] == 0 and found.counts[LEAPS] == 0)


@lean
def turned(dx: float, dy: float, turn: float, share: float) -> tuple[float, float]:
    """A share of a shift in another direction, in whole steps of the grid and never longer."""
    sine, cosine = math.sin(turn), math.cos(turn)
    return float(int((dx * cosine - dy * sine) * share)), float(int((dx * sine + dy * cosine) * share))


@lean
def straight_share(
    movers: Movers, dx: float, dy: float, heading: float, shift: Shift,
    world: World, mates: Mates, trail: Trail, found: Found,
) -> float:  # fmt: skip
    """How much of a shift that is too much is legal: a share found from far to near, then made finer."""
    low = 0.0
    high = 1.0
    for step in range(FIRST_STEPS + FINER_STEPS):
        share = 1.0 - (step + 1) / (FIRST_STEPS + 1) if step < FIRST_STEPS else (low + high) / 2.0
        if step < FIRST_STEPS and low > 0.0:
            continue
        x, y = turned(dx, dy, 0.0, share)
        if shift_is_legal(movers, x, y, heading, shift, world, mates, trail, found):
            low = share
        else:
            high = share
    return low


@kernel
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
    mates = mates_at_start(movers)
    trail = trail_for(movers, world, 2)
    x, y = turned(dx, dy, 0.0, 1.0)
    if shift_is_legal(movers, x, y, heading, shift, world, mates, trail, found):
        return FULLY
    share = straight_share(movers, dx, dy, heading, shift, world, mates, trail, found)
    best_turn = 0.0
    for k in range(2 * TURNS_TRIED if exactly else 0):
        turn = (k // 2 + 1) * TURN_STEP * (1.0 if k % 2 == 0 else -1.0)
        if abs(math.sin(turn)) >= 1.0 - share or best_turn != 0.0:
            break
        x, y = turned(dx, dy, turn, math.cos(turn))
        if shift_is_legal(movers, x, y, heading, shift, world, mates, trail, found):
            best_turn, share = turn, math.cos(turn)
    x, y = turned(dx, dy, best_turn, share)
    if x == 0.0 and y == 0.0:
        return NOT_AT_ALL
    shift_is_legal(movers, x, y, heading, shift, world, mates, trail, found)
    return PARTLY


@lean
def lies_inside(core: Floats, form: Floats, zones: Floats) -> bool:
    """Whether a base lies wholly inside one of some rectangles; no rectangles mean anywhere."""
    radius = form[0, RADIUS]
    for k in range(zones.shape[0]):
        out = -math.inf
        for v in range(int(form[0, COUNT])):
            x, y = core[v, 0], core[v, 1]
            out = max(out, zones[k, 0] - x, zones[k, 1] - y, x - zones[k, 2], y - zones[k, 3])
        if out + radius <= EPS:
            return True
    return bool(zones.shape[0] == 0)


@lean
def stands_free(
    movers: Movers, i: int, x: float, y: float, heading: float, needs: Floats, placed: Ints, zones: Floats,
    world: World, mates: Mates, trail: Trail,
) -> tuple[bool, float]:  # fmt: skip
    """Whether model i may be put down at a place, and on which level; `needs` is the distance from each
    unit.
    """
    stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
    if outside_table(trail.core, trail.form, world.rule) > EPS or not lies_inside(
        trail.core, trail.form, zones
    ):
        return False, 0.0
    z = level_under(world.ground.points, world.ground.rows, trail.core, trail.form)
    lift(trail.form, z, z)
    if stand_code(world.ground.points, world.ground.rows, trail.core, trail.form)[0] != STANDS:
        return False, z
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    others = world.others
    for u in range(others.bounds.shape[0]):
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + trail.form[0, REACH] + needs[u]
        if u != world.me and dx * dx + dy * dy < bound * bound:
            apart, deep = unit_gap(others, u, trail.core, trail.form, tall)
            if deep < -EPS or apart < needs[u] - EPS:
                return False, z
    return fits_mates(i, tall, placed, world, mates, trail), z


@kernel
def spread_unit(
    movers: Movers, order: Ints, spots: Floats, heading: float, needs: Floats, zones: Floats, world: World,
    placed: Ints, ends: Floats,
) -> int:  # fmt: skip
    """Put models down one after the other on the first of some spots that is free; the first without one,
    or -1.

    All but the first must be linked to a mate that is down already.
    """
    mates = mates_at_start(movers)
    trail = trail_for(movers, world, 2)
    for m in range(order.shape[0]):
        i = order[m]
        for k in range(spots.shape[0]):
            x, y = spots[k, 0], spots[k, 1]
            free, z = stands_free(movers, i, x, y, heading, needs, placed, zones, world, mates, trail)
            if free:
                ends[i, 0], ends[i, 1] = math.floor(x * 1000.0 + 0.5), math.floor(y * 1000.0 + 0.5)
                ends[i, 2], ends[i, 3] = heading, math.floor(z * 1000.0 + 0.5)
                place_one(movers.local, movers.mould, i, x, y, heading, z, mates.points, mates.rows)
                placed[i] = 1
                break
        if placed[i] == 0:
            return int(i)
    return -1
