"""Compiled walk of a whole unit in one call: its models in the owner's order, then the unit they end up
as.
"""

from __future__ import annotations

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import HIGH, LOW, REACH, Floats, Ints, place_each
from shieldwall.table.kernels_close import (
    BAD_STAND,
    ENDS_CLOSE,
    LEAST,
    ON_MATE,
    TOO_FAR,
    TOO_FAR_SLOWED,
    UNIT,
    coherency_faults,
    fault,
    mark_units,
    mates_overlap,
    sweep_units,
    unit_faults,
    unit_gap,
)
from shieldwall.table.kernels_ground import DIFFICULT, FLAGS, STANDS, TOP, stand_code, touches_piece
from shieldwall.table.kernels_loose import (
    BRIEF,
    CAP,
    CHAIN,
    FAULTS,
    IGNORES_DIFFICULT,
    IGNORES_TERRAIN,
    IGNORES_UNITS,
    LINK,
    SLOWED_BY,
    SPACING,
    SPREAD,
    Found,
    Ground,
    Mates,
    Movers,
    Trail,
    World,
    follow,
    measured,
    pieces_near,
    trail_for,
)
from shieldwall.table.kernels_sweep import lift, place_one, stand
from shieldwall.table.kernels_walk import note_entries, slopes, touched_pieces
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS


@lean
def stand_on_track(movers: Movers, i: int, k: int, trail: Trail) -> float:
    """Put the base into the scratch where it stands at point k of its way; how tall the model is."""
    track = trail.track
    stand(movers.local, movers.mould, i, track[k, 0], track[k, 1], track[k, 2], trail.core, trail.form)
    lift(trail.form, track[k, 3], track[k, 3])
    return float(movers.mould[i, HIGH] - movers.mould[i, LOW])


@lean
def end_faults(
    movers: Movers, i: int, size: int, marked: int, world: World, trail: Trail, found: Found
) -> None:
    """Faults of the place where one model ends."""
    tall = stand_on_track(movers, i, size - 1, trail)
    code, piece = stand_code(world.ground.points, world.ground.rows, trail.core, trail.form)
    made = found.counts[FAULTS]
    if code != STANDS:
        made = fault(found.faults, made, BAD_STAND, i, piece, code, trail.track[size - 1, 3])
    if movers.abilities[i] & IGNORES_UNITS:
        sweep_units(world.others, trail.marks, marked, trail.core, trail.form, tall)
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        keep = 0.0 if u == world.exempt else world.rule[SPACING]
        if trail.marks[k, LEAST] < keep - EPS:
            apart, _ = unit_gap(world.others, u, trail.core, trail.form, tall)
            if apart < keep - EPS:
                made = fault(found.faults, made, ENDS_CLOSE, i, u, apart, keep)
    found.counts[FAULTS] = made


@lean
def stays(trail: Trail, size: int) -> bool:
    """Whether a way leads nowhere: not even a turn."""
    for k in range(1, size):
        for column in range(4):
            if trail.track[k, column] != trail.track[0, column]:
                return False
    return True


@lean
def walk_model(
    movers: Movers, i: int, path: Floats, span: Ints, world: World, mates: Mates, trail: Trail, found: Found
) -> bool:
    """Judge the way of one model and put it down at its end; whether it moved at all.

    Its points are path[span[0]:span[1]]. (An array, because a constant would be compiled as a case of
    its own.)
    """
    size = span[1] - span[0]
    x, y, half = measured(path, span[0], span[1], trail.track)
    if stays(trail, size):
        return False
    reach = half + movers.mould[i, REACH]
    tall = stand_on_track(movers, i, 0, trail)
    marked = mark_units(
        world.others, world.me, world.exempt, world.rule[SPACING], x, y, reach,
        trail.core, trail.form, tall, trail.marks,
    )  # fmt: skip
    for j in range(mates.rows.shape[0]):
        mates.before[j] = mates_overlap(mates.points, mates.rows, i, j) if j != i else 0.0
    pieces, solids = pieces_near(world.ground, x, y, reach, trail)
    levels, cost, leapt, slope = slopes(movers, i, size, solids, world, trail, found)
    used = follow(movers, i, size, marked, pieces, levels, world, mates, trail, found)
    extra = 0.0
    if pieces > 0 and not movers.abilities[i] & IGNORES_TERRAIN:
        extra, slowed = touched_pieces(movers, i, pieces, levels, world, trail, found)
        slowed = max(slowed, slope)
        if slowed >= 0 and not movers.abilities[i] & IGNORES_DIFFICULT:
            found.counts[SLOWED_BY] = slowed
        note_entries(movers, i, size, world.ground, trail, pieces, levels, found)
    end_faults(movers, i, size, marked, world, trail, found)
    found.counts[FAULTS] = unit_faults(trail.marks, marked, i, found.faults, found.counts[FAULTS])
    found.used[i] = used + cost + extra - leapt
    last = trail.track[size - 1]
    place_one(movers.local, movers.mould, i, last[0], last[1], last[2], last[3], mates.points, mates.rows)
    return True


@lean
def slowed_standing(movers: Movers, i: int, ground: Ground, trail: Trail) -> int:
    """The difficult piece in which a model that does not move stands, -1 for none."""
    if movers.abilities[i] & (IGNORES_TERRAIN | IGNORES_DIFFICULT):
        return -1
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    stand(movers.local, movers.mould, i, x, y, movers.start[i, 2], trail.core, trail.form)
    for q in range(ground.rows.shape[0]):
        slows = int(ground.rows[q, FLAGS]) & DIFFICULT and z <= ground.rows[q, TOP] + EPS
        if slows and touches_piece(ground.points, ground.rows, q, trail.core, trail.form):
            return q
    return -1


@lean
def far_faults(movers: Movers, moved: Ints, ground: Ground, rule: Floats, trail: Trail, found: Found) -> None:
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


@kernel
def mates_at_start(movers: Movers) -> Mates:
    """The unit's models where they stand."""
    points, rows = place_each(movers.local, movers.mould, movers.start)
    return Mates(points, rows, np.zeros(rows.shape[0]), np.zeros(rows.shape[0], dtype=np.int64))


@kernel
def clear_found(movers: Movers, found: Found) -> None:
    """Forget what an earlier walk found."""
    found.counts[:] = 0
    found.counts[SLOWED_BY] = -1
    found.used[:] = 0.0
    found.ends[:] = movers.start


@kernel
def walk(movers: Movers, order: Ints, cuts: Ints, path: Floats, world: World, found: Found) -> None:
    """Walk a unit: model order[m] goes along path[cuts[m]:cuts[m + 1]], which begins where it stands."""
    longest = 2
    for m in range(order.shape[0]):
        longest = max(longest, cuts[m + 1] - cuts[m])
    walk_with(
        movers, order, cuts, path, world, mates_at_start(movers), trail_for(movers, world, longest), found
    )


@lean
def walk_with(
    movers: Movers,
    order: Ints,
    cuts: Ints,
    path: Floats,
    world: World,
    mates: Mates,
    trail: Trail,
    found: Found,
) -> None:
    """The same with scratch that was used before."""
    size = mates.rows.shape[0]
    for i in range(size):
        x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
        place_one(movers.local, movers.mould, i, x, y, movers.start[i, 2], z, mates.points, mates.rows)
    moved = mates.moved
    for i in range(size):
        moved[i] = 0
    clear_found(movers, found)
    rule = world.rule
    for m in range(order.shape[0]):
        i = order[m]
        if walk_model(movers, i, path, cuts[m : m + 2], world, mates, trail, found):
            moved[i] = 1
            last = cuts[m + 1] - 1
            for column in range(4):
                found.ends[i, column] = path[last, column]
        if rule[BRIEF] != 0.0 and found.counts[FAULTS] > 0:
            return
    far_faults(movers, moved, world.ground, rule, trail, found)
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
