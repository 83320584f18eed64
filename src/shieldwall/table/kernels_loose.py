"""Compiled walk of a loose unit: every model along its own path, in order, against everything on the table.

Nothing is decided here in words: what is wrong is written as rows of `faults` (kernels_close.py) and
loose_moves.py turns them into reasons. Lengths are inches, poses arrive as stored.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, HIGH, LOW, RADIUS, Floats, Ints
from shieldwall.table.kernels_close import (
    MARK_COLUMNS,
    OFF_TABLE,
    THROUGH_MATE,
    Others,
    fault,
    sweep_mates,
    sweep_units,
)
from shieldwall.table.kernels_ground import (
    FEATURE_COLUMNS,
    FLAGS,
    GAP,
    LISTED,
    MAX_FEATURES,
    MAX_STRETCHES,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SOLID,
    TOP,
    length_of,
    touches_piece,
)
from shieldwall.table.kernels_profile import levels_between
from shieldwall.table.kernels_sweep import (
    TURN_STEP,
    lift,
    scratch_for,
    stand,
    sweep_straight,
    sweep_turn,
    turn_between,
    turn_cost,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

# Columns of the rule of a walk; BRIEF stops at the first fault.
(
    SPACING,
    CAP,
    MATES_OBSTRUCT,
    FREE_JUMPS,
    TABLE_WIDTH,
    TABLE_DEPTH,
    LINK,
    SPREAD,
    CHAIN,
    TURNS_FREE,
    BRIEF,
) = range(11)
RULE_COLUMNS = 11

# What a single model may disregard.
IGNORES_UNITS, IGNORES_TERRAIN, IGNORES_DIFFICULT = 1, 2, 4
LEAPS_LOW_GROUND = 8  # and does not climb down and up

# Columns of an entry (a piece a model came into) and of a leap.
ENTRY_COLUMNS = 6  # model, piece, way, x, y, level
LEAP_COLUMNS = 11  # model, kind, way, from x, y, level, to x, y, level, width, fall
ROOM = 64


class Movers(NamedTuple):
    """The unit that walks: moulds of its bases, where it stands, how far and how freely each model goes."""

    local: Floats
    mould: Floats
    start: Floats
    allowance: Floats
    abilities: Ints


class Ground(NamedTuple):
    """All pieces; see kernels_ground.py."""

    points: Floats
    rows: Floats


class World(NamedTuple):
    """Everything round a unit on the move and the rules it moves by; `me`, `exempt`: rows of the others."""

    me: int
    exempt: int
    others: Others
    ground: Ground
    rule: Floats
    climb: Floats


class Mates(NamedTuple):
    """The unit's own models where they are now, how deep each overlapped with the one about to go, who moved."""

    points: Floats
    rows: Floats
    before: Floats
    moved: Ints


class Found(NamedTuple):
    """What a walk writes: last poses as stored, way used by each model, faults, entries, leaps and their
    numbers.
    """

    ends: Floats
    used: Floats
    faults: Floats
    entries: Floats
    leaps: Floats
    counts: Ints


FAULTS, ENTRIES, LEAPS, SLOWED_BY = range(4)  # places in `Found.counts`


class Trail(NamedTuple):
    """Scratch for the way of one model."""

    core: Floats
    form: Floats
    marks: Floats
    track: Floats
    near: Floats  # pieces near the way
    touched: Floats  # for each of them: the leg that first touched it, -1 for none
    grazed: Floats  # and how far it stands above a base that touched it without climbing it
    solids: Floats  # pieces near the way that change the level
    stretches: Floats
    features: Floats


@kernel
def trail_for(movers: Movers, world: World, longest: int) -> Trail:
    """Room for the longest way of any model."""
    core, form = scratch_for(movers.mould)
    pieces = world.ground.rows.shape[0]
    return Trail(
        core,
        form,
        np.empty((world.others.bounds.shape[0], MARK_COLUMNS)),
        np.empty((longest, 4)),
        np.empty(pieces),
        np.empty(pieces),
        np.empty(pieces),
        np.empty(pieces),
        np.empty((MAX_STRETCHES, 3)),
        np.empty((MAX_FEATURES, FEATURE_COLUMNS)),
    )


@lean
def measured(path: Floats, first: int, stop: int, track: Floats) -> tuple[float, float, float]:
    """Copy a path into inches; the middle of the box round it and how far its points lie from there."""
    left = near = math.inf
    right = far = -math.inf
    for k in range(stop - first):
        x, y = path[first + k, 0] / 1000.0, path[first + k, 1] / 1000.0
        track[k, 0] = x
        track[k, 1] = y
        track[k, 2] = path[first + k, 2]
        track[k, 3] = path[first + k, 3] / 1000.0
        left, right, near, far = min(left, x), max(right, x), min(near, y), max(far, y)
    return (left + right) / 2.0, (near + far) / 2.0, length_of(right - left, far - near) / 2.0


@lean
def pieces_near(ground: Ground, x: float, y: float, reach: float, trail: Trail) -> tuple[int, int]:
    """Note the pieces that a circle may touch, and those among them that change the level."""
    count = 0
    solid = 0
    rows = ground.rows
    for q in range(rows.shape[0]):
        dx, dy = rows[q, PIECE_X] - x, rows[q, PIECE_Y] - y
        bound = rows[q, PIECE_REACH] + reach
        if int(rows[q, FLAGS]) & LISTED and dx * dx + dy * dy < bound * bound:
            trail.near[count] = q
            trail.touched[count] = -1.0
            trail.grazed[count] = 0.0
            count += 1
            if int(rows[q, FLAGS]) & (SOLID | GAP):
                trail.solids[solid] = q
                solid += 1
    return count, solid


@lean
def sweep_ground(ground: Ground, trail: Trail, count: int, leg: int, level: float) -> None:
    """Note which pieces one sweep touches, and how far the solid ones stand above the level of the base."""
    for k in range(count):
        q = int(trail.near[k])
        top = ground.rows[q, TOP]
        solid = int(ground.rows[q, FLAGS]) & SOLID != 0
        if level > top + EPS or (trail.touched[k] >= 0.0 and not solid):
            continue
        if touches_piece(ground.points, ground.rows, q, trail.core, trail.form):
            if trail.touched[k] < 0.0:
                trail.touched[k] = leg
            if solid:
                trail.grazed[k] = max(trail.grazed[k], top - level)


@lean
def outside_table(core: Floats, form: Floats, rule: Floats) -> float:
    """How far a footprint sticks out over the edge of the table; 0 or less when it does not."""
    most = -math.inf
    radius = form[0, RADIUS]
    for k in range(int(form[0, COUNT])):
        x, y = core[k, 0], core[k, 1]
        most = max(
            most, radius - x, x + radius - rule[TABLE_WIDTH], radius - y, y + radius - rule[TABLE_DEPTH]
        )
    return most


@lean
def sweep_leg(movers: Movers, i: int, leg: int, part: int, parts: int, trail: Trail) -> None:
    """Put one part of a leg into the scratch: the parts before the last are steps of the turn at its
    beginning.
    """
    track = trail.track
    x, y = track[leg - 1, 0], track[leg - 1, 1]
    if part < parts:
        turn = turn_between(track[leg - 1, 2], track[leg, 2]) / parts
        before = track[leg - 1, 2] + turn * part
        sweep_turn(movers.local, movers.mould, i, x, y, before, turn, trail.core, trail.form)
    else:
        stand(movers.local, movers.mould, i, x, y, track[leg, 2], trail.core, trail.form)
        sweep_straight(trail.core, trail.form, track[leg, 0] - x, track[leg, 1] - y)


@lean
def turn_parts(movers: Movers, i: int, turn: float) -> int:
    """In how many steps a turn is swept; round bases need none."""
    if int(movers.mould[i, COUNT]) == 1 or turn == 0.0:
        return 0
    return math.ceil(abs(turn) / TURN_STEP)


@lean
def sweep_everything(
    movers: Movers, i: int, leg: int, marked: int, pieces: int, world: World, mates: Mates, trail: Trail
) -> int:
    """Hold the footprint in the scratch against units, mates and ground; the mate it runs into, or -1."""
    hit = -1
    if not movers.abilities[i] & IGNORES_UNITS:
        tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
        sweep_units(world.others, trail.marks, marked, trail.core, trail.form, tall)
        if world.rule[MATES_OBSTRUCT] != 0.0:
            hit = sweep_mates(mates.points, mates.rows, i, mates.before, trail.core, trail.form, tall)
    if not movers.abilities[i] & IGNORES_TERRAIN:
        sweep_ground(world.ground, trail, pieces, leg, trail.form[0, LOW])
    return hit


@lean
def follow(
    movers: Movers, i: int, size: int, marked: int, pieces: int, levels: int,
    world: World, mates: Mates, trail: Trail, found: Found,
) -> float:  # fmt: skip
    """Sweep every leg of one model's way and write its faults; the horizontal distance used."""
    used = 0.0
    walked = 0.0
    off = 0.0
    hit = -1
    track = trail.track
    for leg in range(1, size):
        turn = turn_between(track[leg - 1, 2], track[leg, 2])
        length = length_of(track[leg, 0] - track[leg - 1, 0], track[leg, 1] - track[leg - 1, 1])
        used += length
        if world.rule[TURNS_FREE] == 0.0:
            used += turn_cost(movers.mould, i, turn)
        low = high = track[0, 3]
        if levels > 0:
            low, high = levels_between(trail.stretches, levels, walked, walked + length)
        walked += length
        parts = turn_parts(movers, i, turn)
        for part in range(parts + 1):
            sweep_leg(movers, i, leg, part, parts, trail)
            lift(trail.form, low, high)
            off = max(off, outside_table(trail.core, trail.form, world.rule))
            hit = max(hit, sweep_everything(movers, i, leg, marked, pieces, world, mates, trail))
    made = found.counts[FAULTS]
    if off > EPS:
        made = fault(found.faults, made, OFF_TABLE, i, -1, off, 0.0)
    if hit >= 0:
        made = fault(found.faults, made, THROUGH_MATE, i, hit, 0.0, 0.0)
    found.counts[FAULTS] = made
    return used
