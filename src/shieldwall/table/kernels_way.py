"""Compiled trial: whether a model may stand somewhere, and what a way there would use."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shieldwall.table.compiled import kernel
from shieldwall.table.glue import glue
from shieldwall.table.kernels import HIGH, LOW, REACH, Floats, Ints, X, Y
from shieldwall.table.kernels_close import in_space, unit_gap
from shieldwall.table.kernels_ground import STANDS, level_under, stand_code
from shieldwall.table.kernels_loose import (
    ENTRIES,
    FAULTS,
    LEAPS,
    LINK,
    MATES_OBSTRUCT,
    SLOWED_BY,
    SPREAD,
    Found,
    Mates,
    Movers,
    Trail,
    World,
    outside_table,
)
from shieldwall.table.kernels_sweep import lift, place_one, stand
from shieldwall.table.kernels_unit import walk_model
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

Flags = npt.NDArray[np.bool_]

MOST_NODES = 320
LONGEST = 24  # points of a way, its start included

TIMID, LOOKS = 0, 1  # places in the notes of a search


class Nodes(NamedTuple):
    """Scratch of the search: places, ways there so far, least ways still to go, where each was reached
    from, which straight ways are known to be shut.
    """

    x: Floats
    y: Floats
    way: Floats
    rest: Floats
    parent: Ints
    done: Ints
    span: Ints
    notes: Ints
    shut: Flags


@kernel
def nodes_for() -> Nodes:
    """Room for one search."""
    return Nodes(
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES, dtype=np.int64),
        np.empty(MOST_NODES, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.empty((MOST_NODES, MOST_NODES), dtype=np.bool_),
    )


@lean
def can_stand(
    movers: Movers, i: int, x: float, y: float, heading: float, target: int, keep: float, placed: Ints,
    world: World, mates: Mates, trail: Trail,
) -> tuple[bool, float]:  # fmt: skip
    """Whether model i may end at a place, and on which level.

    It keeps `keep` from all units but the target, overlaps nobody and is linked to the mates already placed.
    """
    stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
    if outside_table(trail.core, trail.form, world.rule) > EPS:
        return False, 0.0
    z = level_under(world.ground.points, world.ground.rows, trail.core, trail.form)
    lift(trail.form, z, z)
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    if not fits_mates(i, tall, placed, world, mates, trail):
        return False, z
    others = world.others
    for u in range(others.bounds.shape[0]):
        free = u == target or u == world.exempt  # noqa: PLR1714 (a tuple costs the kernel time)
        need = 0.0 if free else keep
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + trail.form[0, REACH] + need
        if u != world.me and dx * dx + dy * dy < bound * bound:
            apart, deep = unit_gap(others, u, trail.core, trail.form, tall)
            if deep < -EPS or apart < need - EPS:
                return False, z
    code, _ = stand_code(world.ground.points, world.ground.rows, trail.core, trail.form)
    return code == STANDS, z


@lean
def fits_mates(i: int, tall: float, placed: Ints, world: World, mates: Mates, trail: Trail) -> bool:
    """Whether the base in the scratch overlaps no mate and is linked to those that are placed."""
    alone = True
    linked = False
    obstruct = world.rule[MATES_OBSTRUCT] != 0.0
    rows, form = mates.rows, trail.form
    for j in range(rows.shape[0]):
        if j == i or (placed[j] == 0 and not obstruct):
            continue
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        bound = rows[j, REACH] + form[0, REACH] + EPS
        if placed[j] == 0 and dx * dx + dy * dy > bound * bound:
            continue
        apart, deep = in_space(trail.core, trail.form, tall, mates.points, mates.rows, j)
        if deep < -EPS:
            return False
        if placed[j] != 0:
            alone = False
            linked = linked or apart <= world.rule[LINK] + EPS
            if apart > world.rule[SPREAD] + EPS:
                return False
    return alone or linked


@lean
def put_point(path: Floats, k: int, x: float, y: float, heading: float, z: float) -> None:
    """Write a point of a way as stored numbers."""
    path[k, 0] = math.floor(x * 1000.0 + 0.5)
    path[k, 1] = math.floor(y * 1000.0 + 0.5)
    path[k, 2] = heading
    path[k, 3] = math.floor(z * 1000.0 + 0.5)


@lean
def copy_points(source: Floats, first: int, path: Floats, place: int, count: int) -> None:
    """Copy points of one way into another."""
    for k in range(count):
        for column in range(4):
            path[place + k, column] = source[first + k, column]


@glue
def try_way(
    movers: Movers, i: int, path: Floats, size: int,
    world: World, mates: Mates, trail: Trail, found: Found, nodes: Nodes,
) -> tuple[float, bool]:  # fmt: skip
    """Walk a way for trial: how much it uses (inf where it is not legal or takes a leap), and whether it
    slows.
    """
    found.counts[FAULTS] = 0
    found.counts[ENTRIES] = 0
    found.counts[LEAPS] = 0
    found.counts[SLOWED_BY] = -1
    found.used[i] = 0.0
    nodes.span[0] = 0
    nodes.span[1] = size
    walk_model(movers, i, path, nodes.span, world, mates, trail, found)
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    place_one(movers.local, movers.mould, i, x, y, movers.start[i, 2], z, mates.points, mates.rows)
    if found.counts[FAULTS] > 0 or found.counts[LEAPS] > 0:
        return math.inf, False
    return found.used[i], found.counts[SLOWED_BY] >= 0
