"""The walk of a loose unit: every model along its own path, against everything on the table."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, Matrix
from shieldwall.geometry.cast import FRONT_COLUMNS, Stretch, cast, fronts_on_way
from shieldwall.geometry.distance import COUNT, FIRST, HIGH, LOW, RADIUS, REACH, place_each
from shieldwall.geometry.ground import (
    BAD,
    CLIMB_MAX,
    CROSSING,
    END,
    FALL,
    FEATURE_COLUMNS,
    FROM,
    JUMP,
    KIND,
    LEVEL,
    MAKER,
    MAX_FEATURES,
    MAX_STRETCHES,
    PIECE,
    RISE,
    RISING,
    STANDS,
    TO,
    WIDTH,
    features_along,
    length_of,
    levels_between,
    point_along,
    stand_code,
    stretches_of,
    touches_piece,
    vertical_cost,
)
from shieldwall.geometry.polygons import polygon_distance
from shieldwall.geometry.scene import (
    DIFFICULT,
    FLAGS,
    GAP,
    GENTLE,
    IMPASSABLE,
    LISTED,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SOLID,
    TOP,
    UPHILL,
    Bodies,
    FlatScene,
    FlatTerrain,
)
from shieldwall.geometry.sweep import (
    BAD_STAND,
    DEEPEST,
    DEPTH_BEFORE,
    ENDS_CLOSE,
    FAULT_COLUMNS,
    INTO_IMPASSABLE,
    LEAST,
    MARK_COLUMNS,
    OFF_TABLE,
    ON_MATE,
    THROUGH_MATE,
    TOO_DEEP,
    TOO_FAR,
    TOO_FAR_SLOWED,
    TOO_TALL,
    TOO_WIDE,
    TURN_STEP,
    UNIT,
    WORST,
    Movers,
    coherency_faults,
    fault,
    lift,
    mates_overlap,
    outside_table,
    place_one,
    scratch_for,
    stand,
    sweep_mates,
    sweep_straight,
    sweep_turn,
    sweep_units,
    turn_between,
    turn_cost,
    unit_faults,
    unit_gap,
)
from shieldwall.geometry.tolerance import EPS

# ----------------------------------------------------------------------------------------------------
# Compiled walk of a loose unit: every model along its own path, in order, against everything on the table.
#
# Nothing is decided here in words: what is wrong is written as rows of `faults` (sweep.py) and
# loose_moves.py turns them into reasons. Lengths are inches, poses arrive as stored.

# Columns of the rule of a walk; BRIEF stops at the first fault.
(
    SPACING,
    CAP,
    MATES_OBSTRUCT,
    FREE_JUMPS,
    LINK,
    SPREAD,
    CHAIN,
    TURNS_FREE,
    BRIEF,
) = range(9)
RULE_COLUMNS = 9

# What a single model may disregard.
IGNORES_UNITS, IGNORES_TERRAIN, IGNORES_DIFFICULT = 1, 2, 4
LEAPS_LOW_GROUND = 8  # and does not climb down and up

# Columns of an entry (a piece a model came into) and of a leap.
ENTRY_COLUMNS = 6  # model, piece, way, x, y, level
LEAP_COLUMNS = 11  # model, kind, way, from x, y, level, to x, y, level, width, fall
ROOM = 64


class World(NamedTuple):
    """Everything round a unit on the move and the rules it moves by; `me`, `exempt`: rows of the bodies."""

    me: int
    exempt: int
    scene: FlatScene
    rule: Floats
    climb: Floats


class Mates(NamedTuple):
    """The unit's own models where they are now, how deep each overlapped with the one about to go, who moved."""

    points: Matrix
    rows: Matrix
    before: Floats
    moved: Ints


class Found(NamedTuple):
    """What a walk writes: last poses as stored, way used by each model, faults, entries, leaps and their
    numbers.
    """

    ends: Matrix
    used: Floats
    faults: Matrix
    entries: Matrix
    leaps: Matrix
    counts: Ints


FAULTS, ENTRIES, LEAPS, SLOWED_BY = range(4)  # places in `Found.counts`


class Trail(NamedTuple):
    """Scratch for the way of one model."""

    core: Matrix
    form: Matrix
    fronts: Matrix
    marks: Matrix
    track: Matrix
    near: Floats  # pieces near the way
    touched: Floats  # for each of them: the leg that first touched it, -1 for none
    grazed: Floats  # and how far it stands above a base that touched it without climbing it
    solids: Floats  # pieces near the way that change the level
    stretches: Matrix
    features: Matrix


class WalkState(NamedTuple):
    """A unit on the move, everything round it, and room to work in: all that stays the same while ways are tried."""

    movers: Movers
    world: World
    mates: Mates
    trail: Trail
    found: Found


def trail_for(movers: Movers, world: World, longest: int) -> Trail:
    """Room for the longest way of any model."""
    swept = scratch_for(movers.mould)
    pieces = world.scene.terrain.rows.shape[0]
    return Trail(
        swept.points,
        swept.rows,
        np.empty((swept.points.shape[0], FRONT_COLUMNS)),
        np.empty((world.scene.bodies.bounds.shape[0], MARK_COLUMNS)),
        np.empty((longest, 4)),
        np.empty(pieces),
        np.empty(pieces),
        np.empty(pieces),
        np.empty(pieces),
        np.empty((MAX_STRETCHES, 3)),
        np.empty((MAX_FEATURES, FEATURE_COLUMNS)),
    )


def mark_units(world: World, x: float, y: float, reach: float, tall: float, trail: Trail) -> int:
    """The units that a path inside a circle could come too close to, with the distance it has to keep.

    Who starts closer than the spacing only has to come no nearer. The scratch holds the base where it starts.
    """
    others, marks = world.scene.bodies, trail.marks
    made = 0
    for u in range(others.bounds.shape[0]):
        if u == world.me:
            continue
        keep = 0.0 if u == world.exempt else world.rule[SPACING]
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + reach + keep
        if dx * dx + dy * dy > bound * bound:
            continue
        apart, deep = unit_gap(others, u, trail.core, trail.form, tall)
        marks[made, UNIT] = u
        marks[made, LEAST] = apart if apart < keep - EPS else keep
        marks[made, WORST] = math.inf
        marks[made, DEPTH_BEFORE] = deep
        marks[made, DEEPEST] = 0.0
        made += 1
    return made


def measured(path: Matrix, first: int, stop: int, track: Matrix) -> tuple[float, float, float]:
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


def pieces_near(ground: FlatTerrain, x: float, y: float, reach: float, trail: Trail) -> tuple[int, int]:
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


def sweep_ground(ground: FlatTerrain, trail: Trail, count: int, leg: int, level: float) -> None:
    """Note which pieces one sweep touches, and how far the solid ones stand above the level of the base."""
    for k in range(count):
        q = int(trail.near[k])
        top = ground.rows[q, TOP]
        solid = int(ground.rows[q, FLAGS]) & SOLID != 0
        if level > top + EPS or (trail.touched[k] >= 0.0 and not solid):
            continue
        if touches_piece(ground, q, trail.core, trail.form):
            if trail.touched[k] < 0.0:
                trail.touched[k] = leg
            if solid:
                trail.grazed[k] = max(trail.grazed[k], top - level)


def sweep_leg(movers: Movers, i: int, leg: int, part: int, parts: int, trail: Trail) -> None:
    """Put one part of a leg into the scratch: the parts before the last are steps of the turn at its
    beginning.
    """
    track = trail.track
    x, y = track[leg - 1, 0], track[leg - 1, 1]
    if part < parts:
        turn = turn_between(track[leg - 1, 2], track[leg, 2]) / parts
        before = track[leg - 1, 2] + turn * part
        sweep_turn(movers, i, x, y, before, turn, trail.core, trail.form)
    else:
        stand(movers, i, x, y, track[leg, 2], trail.core, trail.form)
        sweep_straight(trail.core, trail.form, track[leg, 0] - x, track[leg, 1] - y)


def turn_parts(movers: Movers, i: int, turn: float) -> int:
    """In how many steps a turn is swept; round bases need none."""
    if int(movers.mould[i, COUNT]) == 1 or turn == 0.0:
        return 0
    return math.ceil(abs(turn) / TURN_STEP)


def sweep_everything(
    movers: Movers, i: int, leg: int, marked: int, pieces: int, world: World, mates: Mates, trail: Trail
) -> int:
    """Hold the footprint in the scratch against units, mates and ground; the mate it runs into, or -1."""
    hit = -1
    if not movers.abilities[i] & IGNORES_UNITS:
        tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
        sweep_units(world.scene.bodies, trail.marks, marked, trail.core, trail.form, tall)
        if world.rule[MATES_OBSTRUCT] != 0.0:
            hit = sweep_mates(mates.points, mates.rows, i, mates.before, trail.core, trail.form, tall)
    if not movers.abilities[i] & IGNORES_TERRAIN:
        sweep_ground(world.scene.terrain, trail, pieces, leg, trail.form[0, LOW])
    return hit


def follow(walk: WalkState, i: int, size: int, marked: int, pieces: int, levels: int) -> float:
    """Sweep every leg of one model's way and write its faults; the horizontal distance used."""
    movers, world, mates, trail, found = walk.movers, walk.world, walk.mates, walk.trail, walk.found
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
            off = max(off, outside_table(trail.core, trail.form, world.scene))
            hit = max(hit, sweep_everything(movers, i, leg, marked, pieces, world, mates, trail))
    made = found.counts[FAULTS]
    if off > EPS:
        made = fault(found.faults, made, OFF_TABLE, i, -1, off, 0.0)
    if hit >= 0:
        made = fault(found.faults, made, THROUGH_MATE, i, hit, 0.0, 0.0)
    found.counts[FAULTS] = made
    return used


# ----------------------------------------------------------------------------------------------------
# Compiled judgement of a walk: what the sweeps above met, what it costs and what is wrong
# with it.


def level_at(trail: Trail, levels: int, way: float) -> float:
    """The level of the ground after a horizontal distance; over a gap the level it was left from."""
    level = float(trail.track[0, 3])
    for k in range(levels):
        if trail.stretches[k, LEVEL] >= 0.0:
            level = float(trail.stretches[k, LEVEL])
        if trail.stretches[k, END] >= way - 1e-9 and k > 0:
            break
    return level


def note_leaps(trail: Trail, size: int, features: int, who: int, found: Found) -> None:
    """Write the leaps of one way: where it takes off, where it lands, how far and how deep."""
    level = trail.stretches[0, LEVEL]
    for k in range(features):
        leaps, rise = trail.features[k, JUMP] != 0.0, trail.features[k, RISE]
        made = found.counts[LEAPS]
        if leaps and trail.features[k, BAD] == 0.0 and made < found.leaps.shape[0]:
            start, end = trail.features[k, FROM], trail.features[k, TO]
            x, y = point_along(trail.track, 0, size, start)
            far_x, far_y = point_along(trail.track, 0, size, end)
            row = found.leaps[made]
            row[0], row[1], row[2] = who, trail.features[k, KIND], start
            row[3], row[4], row[5] = x, y, level
            row[6], row[7], row[8] = far_x, far_y, level + rise
            row[9], row[10] = trail.features[k, WIDTH], trail.features[k, FALL]
            found.counts[LEAPS] += 1
        if trail.features[k, KIND] != CROSSING:
            level += rise
        elif leaps:  # a gap that is walked over, or a higher landing, is followed by a step of its own
            level += min(rise, 0.0)


def profile_faults(trail: Trail, features: int, climb: Floats, who: int, faults: Matrix, made: int) -> int:
    """Faults of the ground under one way: rises, drops and gaps that are too much for a walker."""
    for k in range(features):
        row = trail.features[k]
        if row[BAD] == 0.0:
            continue
        piece = int(row[PIECE])
        if row[KIND] == RISING and row[RISE] <= climb[CLIMB_MAX] + EPS:
            made = fault(faults, made, INTO_IMPASSABLE, who, piece, 0.0, 0.0)
        elif row[KIND] == RISING:
            made = fault(faults, made, TOO_TALL, who, piece, row[RISE], climb[CLIMB_MAX])
        elif row[KIND] == CROSSING:
            made = fault(faults, made, TOO_WIDE, who, piece, max(row[WIDTH], -row[RISE]), 0.0)
        else:
            made = fault(faults, made, TOO_DEEP, who, piece, row[FALL], 0.0)
    return made


def climbed(trail: Trail, levels: int, q: int) -> bool:
    """Whether the middle of the base was on top of a piece somewhere on the way."""
    found = False
    for k in range(levels):
        found = found or int(trail.stretches[k, MAKER]) == q
    return found


def touched_pieces(
    movers: Movers, i: int, pieces: int, levels: int, world: World, trail: Trail, found: Found
) -> tuple[float, int]:
    """What the touched pieces add to the way, and the piece that slows the unit (-1: none); writes faults."""
    ground, climb = world.scene.terrain, world.climb
    extra = 0.0
    slowed = -1
    x, y, heading = trail.track[0, 0], trail.track[0, 1], trail.track[0, 2]
    stand(movers, i, x, y, heading, trail.core, trail.form)
    for k in range(pieces):
        if trail.touched[k] < 0.0:
            continue
        q = int(trail.near[k])
        flags = int(ground.rows[q, FLAGS])
        if flags & DIFFICULT:
            slowed = q
        made = found.counts[FAULTS]
        if flags & SOLID:
            height = trail.grazed[k]
            if height <= EPS or flags & GENTLE or climbed(trail, levels, q):
                continue
            if touches_piece(ground, q, trail.core, trail.form):
                continue  # it stood against the piece already
            if flags & IMPASSABLE:
                found.counts[FAULTS] = fault(found.faults, made, INTO_IMPASSABLE, i, q, 0.0, 0.0)
            elif height > climb[CLIMB_MAX] + EPS:
                found.counts[FAULTS] = fault(found.faults, made, TOO_TALL, i, q, height, climb[CLIMB_MAX])
            else:
                extra += 2.0 * vertical_cost(climb, height)
        elif flags & IMPASSABLE and not flags & GAP:
            found.counts[FAULTS] = fault(found.faults, made, INTO_IMPASSABLE, i, q, 0.0, 0.0)
    return extra, slowed


def note_entries(
    movers: Movers,
    i: int,
    size: int,
    ground: FlatTerrain,
    trail: Trail,
    pieces: int,
    levels: int,
    found: Found,
) -> None:
    """Write where a model first came into each piece it touched."""
    for k in range(pieces):
        made = found.counts[ENTRIES]
        if trail.touched[k] < 0.0 or made >= found.entries.shape[0]:
            continue
        q = int(trail.near[k])
        leg = int(trail.touched[k])
        walked = 0.0
        for before in range(1, leg):
            dx = trail.track[before, 0] - trail.track[before - 1, 0]
            walked += length_of(dx, trail.track[before, 1] - trail.track[before - 1, 1])
        part = entry_along(movers, i, leg, ground, q, trail)
        row = found.entries[made]
        row[0], row[1], row[2] = i, q, walked + part
        x, y = point_along(trail.track, 0, size, walked + part)
        row[3], row[4], row[5] = x, y, level_at(trail, levels, walked + part)
        found.counts[ENTRIES] += 1


def run_to_footprint(trail: Trail, way: Stretch, others: Bodies, j: int, margin: float) -> float:
    """How far the base in the scratch goes along a way before it comes nearer than `margin` to footprint j."""
    made = fronts_on_way(trail.core, trail.form, 0, way, trail.fronts)
    first = int(others.rows[j, FIRST])
    stop = first + int(others.rows[j, COUNT])
    return cast(trail.fronts[:made], way, others.points, first, stop, margin + others.rows[j, RADIUS])


def entry_along(movers: Movers, i: int, leg: int, ground: FlatTerrain, q: int, trail: Trail) -> float:
    """How far along a leg the base first meets a piece."""
    x, y = trail.track[leg - 1, 0], trail.track[leg - 1, 1]
    dx, dy = trail.track[leg, 0] - x, trail.track[leg, 1] - y
    length = math.sqrt(dx * dx + dy * dy)
    first = int(ground.rows[q, PIECE_FIRST])
    stop = first + int(ground.rows[q, PIECE_COUNT])
    stand(movers, i, x, y, trail.track[leg, 2], trail.core, trail.form)
    if length == 0.0 or polygon_distance(trail.core, trail.form, 0, ground.points, first, stop) <= EPS:
        return 0.0
    way = Stretch(x, y, dx / length, dy / length, 0.0, length)
    made = fronts_on_way(trail.core, trail.form, 0, way, trail.fronts)
    return min(cast(trail.fronts[:made], way, ground.points, first, stop, 0.0), length)


def slopes(
    movers: Movers, i: int, size: int, solids: int, world: World, trail: Trail, found: Found
) -> tuple[int, float, float, int]:
    """The ground under one way: stretches, vertical cost, distance leapt, and a slope that slows or -1."""
    if solids == 0 and trail.track[0, 3] == 0.0 and trail.track[size - 1, 3] == 0.0:
        return 0, 0.0, 0.0, -1
    terrain, climb = world.scene.terrain, world.climb
    levels = stretches_of(terrain, trail.solids, solids, trail.track, 0, size, trail.stretches)
    leaps = movers.abilities[i] & LEAPS_LOW_GROUND != 0
    features, cost, leapt = features_along(terrain, trail.stretches, levels, climb, leaps, trail.features)
    if movers.abilities[i] & IGNORES_TERRAIN:
        return levels, 0.0, flown(trail, features) if world.rule[FREE_JUMPS] != 0.0 else 0.0, -1
    found.counts[FAULTS] = profile_faults(trail, features, climb, i, found.faults, found.counts[FAULTS])
    note_leaps(trail, size, features, i, found)
    slowed = -1
    for k in range(features):
        piece = int(trail.features[k, PIECE])
        if trail.features[k, KIND] == RISING and piece >= 0 and int(terrain.rows[piece, FLAGS]) & UPHILL:
            slowed = piece
    return levels, cost, leapt, slowed


def flown(trail: Trail, features: int) -> float:
    """The width of all gaps that could have been leapt."""
    leapt = 0.0
    for k in range(features):
        if trail.features[k, JUMP] != 0.0 and trail.features[k, BAD] == 0.0:
            leapt += trail.features[k, WIDTH]
    return leapt


# ----------------------------------------------------------------------------------------------------
# Compiled walk of a whole unit in one call: its models in the owner's order, then the unit they end up
# as.


def stand_on_track(movers: Movers, i: int, k: int, trail: Trail) -> float:
    """Put the base into the scratch where it stands at point k of its way; how tall the model is."""
    track = trail.track
    stand(movers, i, track[k, 0], track[k, 1], track[k, 2], trail.core, trail.form)
    lift(trail.form, track[k, 3], track[k, 3])
    return float(movers.mould[i, HIGH] - movers.mould[i, LOW])


def end_faults(
    movers: Movers, i: int, size: int, marked: int, world: World, trail: Trail, found: Found
) -> None:
    """Faults of the place where one model ends."""
    tall = stand_on_track(movers, i, size - 1, trail)
    code, piece = stand_code(world.scene.terrain, trail.core, trail.form)
    made = found.counts[FAULTS]
    if code != STANDS:
        made = fault(found.faults, made, BAD_STAND, i, piece, code, trail.track[size - 1, 3])
    if movers.abilities[i] & IGNORES_UNITS:
        sweep_units(world.scene.bodies, trail.marks, marked, trail.core, trail.form, tall)
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        keep = 0.0 if u == world.exempt else world.rule[SPACING]
        if trail.marks[k, LEAST] < keep - EPS:
            apart, _ = unit_gap(world.scene.bodies, u, trail.core, trail.form, tall)
            if apart < keep - EPS:
                made = fault(found.faults, made, ENDS_CLOSE, i, u, apart, keep)
    found.counts[FAULTS] = made


def stays(trail: Trail, size: int) -> bool:
    """Whether a way leads nowhere: not even a turn."""
    for k in range(1, size):
        for column in range(4):
            if trail.track[k, column] != trail.track[0, column]:
                return False
    return True


def walk_model(walk: WalkState, i: int, path: Matrix, span: Ints) -> bool:
    """Judge the way of one model and put it down at its end; whether it moved at all.

    Its points are path[span[0]:span[1]]. (An array, because a constant would be compiled as a case of
    its own.)
    """
    movers, world, mates, trail, found = walk.movers, walk.world, walk.mates, walk.trail, walk.found
    size = span[1] - span[0]
    x, y, half = measured(path, span[0], span[1], trail.track)
    if stays(trail, size):
        return False
    reach = half + movers.mould[i, REACH]
    tall = stand_on_track(movers, i, 0, trail)
    marked = mark_units(world, x, y, reach, tall, trail)
    for j in range(mates.rows.shape[0]):
        mates.before[j] = mates_overlap(mates.points, mates.rows, i, j) if j != i else 0.0
    pieces, solids = pieces_near(world.scene.terrain, x, y, reach, trail)
    levels, cost, leapt, slope = slopes(movers, i, size, solids, world, trail, found)
    used = follow(walk, i, size, marked, pieces, levels)
    extra = 0.0
    if pieces > 0 and not movers.abilities[i] & IGNORES_TERRAIN:
        extra, slowed = touched_pieces(movers, i, pieces, levels, world, trail, found)
        slowed = max(slowed, slope)
        if slowed >= 0 and not movers.abilities[i] & IGNORES_DIFFICULT:
            found.counts[SLOWED_BY] = slowed
    end_faults(movers, i, size, marked, world, trail, found)
    found.counts[FAULTS] = unit_faults(trail.marks, marked, i, found.faults, found.counts[FAULTS])
    if not movers.abilities[i] & IGNORES_TERRAIN and (world.rule[BRIEF] == 0.0 or found.counts[FAULTS] == 0):
        note_entries(movers, i, size, world.scene.terrain, trail, pieces, levels, found)
    found.used[i] = used + cost + extra - leapt
    last = trail.track[size - 1]
    place_one(movers, i, last[0], last[1], last[2], last[3], mates.points, mates.rows)
    return True


def slowed_standing(movers: Movers, i: int, ground: FlatTerrain, trail: Trail) -> int:
    """The difficult piece in which a model that does not move stands, -1 for none."""
    if movers.abilities[i] & (IGNORES_TERRAIN | IGNORES_DIFFICULT):
        return -1
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
    for q in range(ground.rows.shape[0]):
        slows = int(ground.rows[q, FLAGS]) & DIFFICULT and z <= ground.rows[q, TOP] + EPS
        if slows and touches_piece(ground, q, trail.core, trail.form):
            return q
    return -1


def far_faults(
    movers: Movers, moved: Ints, ground: FlatTerrain, rule: Floats, trail: Trail, found: Found
) -> None:
    """Faults of models that went too far; one model in difficult ground slows the whole unit."""
    over_cap = False
    for i in range(moved.shape[0]):
        over_cap = over_cap or found.used[i] > rule[CAP] + EPS
    if over_cap:
        for i in range(moved.shape[0]):
            if moved[i] == 0 and found.counts[SLOWED_BY] < 0:
                found.counts[SLOWED_BY] = slowed_standing(movers, i, ground, trail)
    piece = found.counts[SLOWED_BY]
    made = found.counts[FAULTS]
    for i in range(moved.shape[0]):
        used = found.used[i]
        if used > movers.allowance[i] + EPS:
            made = fault(found.faults, made, TOO_FAR, i, -1, used, movers.allowance[i])
        elif piece >= 0 and used > rule[CAP] + EPS:
            made = fault(found.faults, made, TOO_FAR_SLOWED, i, piece, used, rule[CAP])
    found.counts[FAULTS] = made


def mates_at_start(movers: Movers) -> Mates:
    """The unit's models where they stand."""
    placed = place_each(movers.local, movers.mould, movers.start)
    count = placed.rows.shape[0]
    return Mates(placed.points, placed.rows, np.zeros(count), np.zeros(count, dtype=np.int64))


def walk_state(movers: Movers, world: World, found: Found, longest: int) -> WalkState:
    """Room for ways of so many points, with the models where they stand."""
    return WalkState(movers, world, mates_at_start(movers), trail_for(movers, world, longest), found)


def trial_state(movers: Movers, world: World, longest: int) -> WalkState:
    """The same for ways that are only tried, of which nobody asks where they come into which piece."""
    count = movers.mould.shape[0]
    found = Found(
        np.empty((count, 4)),
        np.empty(count),
        np.empty((ROOM, FAULT_COLUMNS)),
        np.empty((0, ENTRY_COLUMNS)),
        np.empty((ROOM, LEAP_COLUMNS)),
        np.zeros(4, dtype=np.int64),
    )
    clear_found(movers, found)
    return walk_state(movers, world, found, longest)


def clear_found(movers: Movers, found: Found) -> None:
    """Forget what an earlier walk found."""
    found.counts[:] = 0
    found.counts[SLOWED_BY] = -1
    found.used[:] = 0.0
    found.ends[:] = movers.start


def walk_unit(movers: Movers, order: Ints, cuts: Ints, path: Matrix, world: World, found: Found) -> None:
    """Walk a unit: model order[m] goes along path[cuts[m]:cuts[m + 1]], which begins where it stands."""
    longest = 2
    for m in range(order.shape[0]):
        longest = max(longest, cuts[m + 1] - cuts[m])
    walk_with(walk_state(movers, world, found, longest), order, cuts, path)


def walk_with(walk: WalkState, order: Ints, cuts: Ints, path: Matrix) -> None:
    """The same with scratch that was used before."""
    movers, world, mates, trail, found = walk.movers, walk.world, walk.mates, walk.trail, walk.found
    size = mates.rows.shape[0]
    for i in range(size):
        x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
        place_one(movers, i, x, y, movers.start[i, 2], z, mates.points, mates.rows)
    moved = mates.moved
    for i in range(size):
        moved[i] = 0
    clear_found(movers, found)
    rule = world.rule
    for m in range(order.shape[0]):
        i = order[m]
        if walk_model(walk, i, path, cuts[m : m + 2]):
            moved[i] = 1
            last = cuts[m + 1] - 1
            for column in range(4):
                found.ends[i, column] = path[last, column]
        if rule[BRIEF] != 0.0 and found.counts[FAULTS] > 0:
            return
    far_faults(movers, moved, world.scene.terrain, rule, trail, found)
    for i in range(size):
        for j in range(i):
            if moved[i] + moved[j] > 0 and mates_overlap(mates.points, mates.rows, i, j) < -EPS:
                made = found.counts[FAULTS]
                found.counts[FAULTS] = fault(found.faults, made, ON_MATE, i, j, 0.0, 0.0)
    chain = rule[CHAIN] != 0.0
    made = coherency_faults(
        mates.points, mates.rows, rule[LINK], rule[SPREAD], chain, found.faults, found.counts[FAULTS]
    )
    found.counts[FAULTS] = made
