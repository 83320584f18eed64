"""Compiled judgement of a walk: what the sweeps of kernels_loose.py met, what it costs and what is wrong
with it.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import Floats
from shieldwall.table.kernels_close import INTO_IMPASSABLE, TOO_DEEP, TOO_TALL, TOO_WIDE, fault
from shieldwall.table.kernels_ground import (
    BAD,
    CLIMB_MAX,
    CROSSING,
    DIFFICULT,
    FALL,
    FLAGS,
    FROM,
    GAP,
    GENTLE,
    IMPASSABLE,
    JUMP,
    KIND,
    PIECE,
    PIECE_COUNT,
    PIECE_FIRST,
    RISE,
    RISING,
    SOLID,
    TO,
    UPHILL,
    WIDTH,
    length_of,
    point_along,
    touches_piece,
)
from shieldwall.table.kernels_loose import (
    ENTRIES,
    FAULTS,
    FREE_JUMPS,
    IGNORES_TERRAIN,
    LEAPS,
    LEAPS_LOW_GROUND,
    Found,
    Ground,
    Movers,
    Trail,
    World,
)
from shieldwall.table.kernels_polygon import polygon_distance
from shieldwall.table.kernels_profile import END, LEVEL, MAKER, features_along, stretches_of, vertical_cost
from shieldwall.table.kernels_sweep import stand
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS


@lean
def level_at(trail: Trail, levels: int, way: float) -> float:
    """The level of the ground after a horizontal distance; over a gap the level it was left from."""
    level = float(trail.track[0, 3])
    for k in range(levels):
        if trail.stretches[k, LEVEL] >= 0.0:
            level = float(trail.stretches[k, LEVEL])
        if trail.stretches[k, END] >= way - 1e-9 and k > 0:
            break
    return level


@lean
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


@lean
def profile_faults(trail: Trail, features: int, climb: Floats, who: int, faults: Floats, made: int) -> int:
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


@lean
def climbed(trail: Trail, levels: int, q: int) -> bool:
    """Whether the middle of the base was on top of a piece somewhere on the way."""
    found = False
    for k in range(levels):
        found = found or int(trail.stretches[k, MAKER]) == q
    return found


@lean
def touched_pieces(
    movers: Movers, i: int, pieces: int, levels: int, world: World, trail: Trail, found: Found
) -> tuple[float, int]:
    """What the touched pieces add to the way, and the piece that slows the unit (-1: none); writes faults."""
    ground, climb = world.ground, world.climb
    extra = 0.0
    slowed = -1
    x, y, heading = trail.track[0, 0], trail.track[0, 1], trail.track[0, 2]
    stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
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
            if touches_piece(ground.points, ground.rows, q, trail.core, trail.form):
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


@lean
def note_entries(
    movers: Movers, i: int, size: int, ground: Ground, trail: Trail, pieces: int, levels: int, found: Found
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


@lean
def entry_along(movers: Movers, i: int, leg: int, ground: Ground, q: int, trail: Trail) -> float:
    """How far along a leg the base first meets a piece: it goes on by the distance that is surely free."""
    x, y = trail.track[leg - 1, 0], trail.track[leg - 1, 1]
    dx, dy = trail.track[leg, 0] - x, trail.track[leg, 1] - y
    length = math.sqrt(dx * dx + dy * dy)
    first = int(ground.rows[q, PIECE_FIRST])
    stop = first + int(ground.rows[q, PIECE_COUNT])
    way = 0.0
    for _ in range(100):
        share = way / length if length > 0.0 else 0.0
        place_x, place_y = x + dx * share, y + dy * share
        stand(movers.local, movers.mould, i, place_x, place_y, trail.track[leg, 2], trail.core, trail.form)
        free = polygon_distance(trail.core, trail.form, 0, ground.points, first, stop)
        if free <= EPS or way >= length:
            break
        way = min(way + free, length)
    return way


@lean
def slopes(
    movers: Movers, i: int, size: int, solids: int, world: World, trail: Trail, found: Found
) -> tuple[int, float, float, int]:
    """The ground under one way: stretches, vertical cost, distance leapt, and a slope that slows or -1."""
    if solids == 0 and trail.track[0, 3] == 0.0 and trail.track[size - 1, 3] == 0.0:
        return 0, 0.0, 0.0, -1
    points, rows, climb = world.ground.points, world.ground.rows, world.climb
    levels = stretches_of(points, rows, trail.solids, solids, trail.track, 0, size, trail.stretches)
    leaps = movers.abilities[i] & LEAPS_LOW_GROUND != 0
    features, cost, leapt = features_along(rows, trail.stretches, levels, climb, leaps, trail.features)
    if movers.abilities[i] & IGNORES_TERRAIN:
        return levels, 0.0, flown(trail, features) if world.rule[FREE_JUMPS] != 0.0 else 0.0, -1
    found.counts[FAULTS] = profile_faults(trail, features, climb, i, found.faults, found.counts[FAULTS])
    note_leaps(trail, size, features, i, found)
    slowed = -1
    for k in range(features):
        piece = int(trail.features[k, PIECE])
        if trail.features[k, KIND] == RISING and piece >= 0 and int(rows[piece, FLAGS]) & UPHILL:
            slowed = piece
    return levels, cost, leapt, slowed


@lean
def flown(trail: Trail, features: int) -> float:
    """The width of all gaps that could have been leapt."""
    leapt = 0.0
    for k in range(features):
        if trail.features[k, JUMP] != 0.0 and trail.features[k, BAD] == 0.0:
            leapt += trail.features[k, WIDTH]
    return leapt
