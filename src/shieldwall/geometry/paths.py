"""Ways round obstacles, and a unit that follows a dragging hand."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Ints, MarkMatrix, Matrix
from shieldwall.geometry.distance import (
    HIGH,
    LOW,
    RADIUS,
    REACH,
    X,
    Y,
    point_to_segment,
    segments_cross,
    snap,
    square,
)
from shieldwall.geometry.ground import (
    CLIMB_MAX,
    length_of,
    level_under,
    may_rest,
    touches_piece,
)
from shieldwall.geometry.scene import (
    DIFFICULT,
    FLAGS,
    GAP,
    IMPASSABLE,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SOLID,
    TOP,
    FlatTerrain,
)
from shieldwall.geometry.sweep import (
    DEPTH_BEFORE,
    FLATTEST,
    LEAST,
    UNIT,
    Movers,
    in_space,
    lift,
    mates_overlap,
    outside_table,
    place_one,
    stand,
    sweep_straight,
    unit_gap,
)
from shieldwall.geometry.tolerance import EPS, GRID
from shieldwall.geometry.walk import (
    ENTRIES,
    FAULTS,
    IGNORES_TERRAIN,
    IGNORES_UNITS,
    LEAPS,
    LINK,
    MATES_OBSTRUCT,
    SLOWED_BY,
    SPREAD,
    Trail,
    WalkState,
    mark_units,
    pieces_near,
    walk_model,
)

# ----------------------------------------------------------------------------------------------------
# Compiled trial: whether a model may stand somewhere, and what a way there would use.

MOST_NODES = 320
LONGEST = 40  # points of a way, its start included

TIMID, LOOKS = 0, 1  # places in the notes of a search
DONE, BARRED = 1, 2  # nodes that were reached, and those where the base cannot stand


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
    free: Ints  # whether it was tested that the base may stand there
    span: Ints
    notes: Ints
    shut: MarkMatrix


def nodes_for() -> Nodes:
    """Room for one search."""
    return Nodes(
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES),
        np.empty(MOST_NODES, dtype=np.int64),
        np.empty(MOST_NODES, dtype=np.int64),
        np.empty(MOST_NODES, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.empty((MOST_NODES, MOST_NODES), dtype=np.uint8),
    )


def can_stand(
    walk: WalkState, i: int, x: float, y: float, heading: float, target: int, keep: float, placed: Ints
) -> tuple[bool, float]:
    """Whether model i may end at a place, and on which level.

    It keeps `keep` from all units but the target, overlaps nobody and is linked to the mates already placed.
    """
    movers, world, trail = walk.movers, walk.world, walk.trail
    stand(movers, i, x, y, heading, trail.core, trail.form)
    if outside_table(trail.core, trail.form, world.scene) > EPS:
        return False, 0.0
    z = level_under(world.scene.terrain, trail.core, trail.form)
    lift(trail.form, z, z)
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    if not fits_mates(walk, i, tall, placed):
        return False, z
    if not keeps_away(walk, i, x, y, target, keep):
        return False, z
    return may_rest(world.scene.terrain, trail.core, trail.form), z


def keeps_away(walk: WalkState, i: int, x: float, y: float, target: int, keep: float) -> bool:
    """Whether the base in the scratch, of model i at a place, keeps so far from all units but the target."""
    movers, world, trail = walk.movers, walk.world, walk.trail
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    others = world.scene.bodies
    for u in range(others.bounds.shape[0]):
        free = u == target or u == world.exempt  # noqa: PLR1714 (a tuple costs the kernel time)
        need = 0.0 if free else keep
        dx, dy = others.circles[u, 0] - x, others.circles[u, 1] - y
        bound = others.circles[u, 2] + trail.form[0, REACH] + need
        if u != world.me and dx * dx + dy * dy < bound * bound:
            apart, deep = unit_gap(others, u, trail.core, trail.form, tall)
            if deep < -EPS or apart < need - EPS:
                return False
    return True


def fits_mates(walk: WalkState, i: int, tall: float, placed: Ints) -> bool:
    """Whether the base in the scratch overlaps no mate and is linked to those that are placed.

    Circles tell of most mates that they are neither in the way nor the link that is still missing.
    """
    world, mates, trail = walk.world, walk.mates, walk.trail
    alone = True
    linked = False
    obstruct = world.rule[MATES_OBSTRUCT] != 0.0
    rows, form = mates.rows, trail.form
    for j in range(rows.shape[0]):
        if j == i or (placed[j] == 0 and not obstruct):
            continue
        dx, dy = rows[j, X] - form[0, X], rows[j, Y] - form[0, Y]
        away = dx * dx + dy * dy
        bound = rows[j, REACH] + form[0, REACH] + EPS
        if placed[j] == 0 and away > bound * bound:
            continue
        if placed[j] != 0:
            far = bound + EPS + (0.0 if linked else world.rule[LINK])
            rise = abs(rows[j, LOW] - form[0, LOW])
            if away > far * far and away + rise * rise < square(world.rule[SPREAD]):
                alone = False
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


def put_point(path: Matrix, k: int, x: float, y: float, heading: float, z: float) -> None:
    """Write a point of a way as stored numbers."""
    path[k, 0] = snap(x * GRID)
    path[k, 1] = snap(y * GRID)
    path[k, 2] = heading
    path[k, 3] = snap(z * GRID)


def copy_points(source: Matrix, first: int, path: Matrix, place: int, count: int) -> None:
    """Copy points of one way into another."""
    for k in range(count):
        for column in range(4):
            path[place + k, column] = source[first + k, column]


def try_way(walk: WalkState, i: int, path: Matrix, size: int, nodes: Nodes) -> tuple[float, bool]:
    """Walk a way for trial: how much it uses (inf where it is not legal or takes a leap), and whether it
    slows.
    """
    movers, mates, found = walk.movers, walk.mates, walk.found
    found.counts[FAULTS] = 0
    found.counts[ENTRIES] = 0
    found.counts[LEAPS] = 0
    found.counts[SLOWED_BY] = -1
    found.used[i] = 0.0
    nodes.span[0] = 0
    nodes.span[1] = size
    walk_model(walk, i, path, nodes.span)
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    place_one(movers, i, x, y, movers.start[i, 2], z, mates.points, mates.rows)
    if found.counts[FAULTS] > 0 or found.counts[LEAPS] > 0:
        return math.inf, False
    return found.used[i], found.counts[SLOWED_BY] >= 0


# ----------------------------------------------------------------------------------------------------
# Compiled detours: the shortest way round what blocks the straight line.
#
# A detour goes over points round the corners of what is in the way and stays on the level it starts from: only
# straight ways climb. What it finds is walked like any other way afterwards, so it need not be exact, only good.

CLEARANCE = 0.01  # inches a detour keeps beyond what is asked, so that rounding to the grid cannot spoil it
RING = 12  # points round a base
MOST_LOOKS = 4000  # straight lines a search looks along before it gives up
TIGHT = (
    0.15  # inches to spare in a gap between two bases up to which no place round either of them may lie in it
)


def mark_blockers(walk: WalkState, i: int, limit: float, shy: bool, nodes: Nodes) -> tuple[int, int]:
    """Note what may block the ways of model i: units (marks) and pieces (`touched` 1); their numbers.

    A shy walker goes round everything that would slow it or has to be climbed; how many pieces that
    concerns is left in the notes.
    """
    movers, world, mates, trail = walk.movers, walk.world, walk.mates, walk.trail
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    stand(movers, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    reach = limit + movers.mould[i, REACH]
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    marked = mark_units(world, x, y, reach, tall, trail)
    for j in range(mates.rows.shape[0]):
        mates.before[j] = mates_overlap(mates.points, mates.rows, i, j) if j != i else 0.0
    pieces, _ = pieces_near(world.scene.terrain, x, y, reach, trail)
    rows = world.scene.terrain.rows
    nodes.notes[TIMID] = 0
    for k in range(pieces):
        q = int(trail.near[k])
        flags = int(rows[q, FLAGS])
        rise = rows[q, TOP] - z if flags & SOLID else 0.0
        blocks = flags & GAP != 0 or (flags & IMPASSABLE != 0 and (not flags & SOLID or rise > EPS))
        blocks = blocks or rise > world.climb[CLIMB_MAX] + EPS
        if not blocks and (rise > EPS or flags & DIFFICULT):
            nodes.notes[TIMID] += 1
            blocks = shy
        free = blocks and touches_piece(world.scene.terrain, q, trail.core, trail.form)
        trail.touched[k] = 1.0 if blocks and not free else 0.0
    return marked, pieces


def is_too_near(
    trail: Trail, tall: float, points: Matrix, rows: Matrix, j: int, away: float, least: float, before: float
) -> bool:
    """Whether the sweep in the scratch comes nearer to a base than `least`, or overlaps it deeper than `before`.

    `away` is the squared distance at which it passes the middle. A base holds a circle of its rounding round its
    middle: most overlaps are found out by that, without the costly distance of two outlines.
    """
    form = trail.form
    flat = math.sqrt(away) - form[0, RADIUS] - rows[j, RADIUS]
    meets = form[0, LOW] < rows[j, HIGH] + FLATTEST and rows[j, LOW] < form[0, HIGH] + FLATTEST
    if meets and flat < before - 2.0 * EPS:
        return True
    apart, deep = in_space(trail.core, form, tall, points, rows, j)
    return apart < least - EPS or deep < before - EPS


def crosses_piece(terrain: FlatTerrain, q: int, x: float, y: float, far_x: float, far_y: float) -> bool:
    """Whether a straight line crosses the border of a piece."""
    rows, points = terrain.rows, terrain.points
    reach = rows[q, PIECE_REACH]
    if point_to_segment(rows[q, PIECE_X], rows[q, PIECE_Y], x, y, far_x, far_y) > reach * reach:
        return False
    first = int(rows[q, PIECE_FIRST])
    stop = first + int(rows[q, PIECE_COUNT])
    last = stop - 1
    for k in range(first, stop):
        if segments_cross(points[last, 0], points[last, 1], points[k, 0], points[k, 1], x, y, far_x, far_y):
            return True
        last = k
    return False


def is_clear(
    walk: WalkState, i: int, x: float, y: float, far_x: float, far_y: float, marked: int, pieces: int
) -> bool:
    """Whether model i gets straight from one place to another past everything that was marked."""
    movers, world, mates, trail = walk.movers, walk.world, walk.mates, walk.trail
    for k in range(pieces):
        if trail.touched[k] != 0.0 and crosses_piece(
            world.scene.terrain, int(trail.near[k]), x, y, far_x, far_y
        ):
            return False  # the quick answer: even its middle comes in
    heading, z = movers.start[i, 2], movers.start[i, 3] / 1000.0
    stand(movers, i, x, y, heading, trail.core, trail.form)
    sweep_straight(trail.core, trail.form, far_x - x, far_y - y)
    lift(trail.form, z, z)
    if outside_table(trail.core, trail.form, world.scene) > EPS:
        return False
    tall, reach = movers.mould[i, HIGH] - movers.mould[i, LOW], movers.mould[i, REACH]
    rows = world.scene.bodies.rows
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        least = trail.marks[k, LEAST]
        for j in range(world.scene.bodies.bounds[u, 0], world.scene.bodies.bounds[u, 1]):
            bound = rows[j, REACH] + reach + least
            away = point_to_segment(rows[j, X], rows[j, Y], x, y, far_x, far_y)
            if away < bound * bound and is_too_near(
                trail, tall, world.scene.bodies.points, rows, j, away, least, trail.marks[k, DEPTH_BEFORE]
            ):
                return False
    if world.rule[MATES_OBSTRUCT] != 0.0:
        for j in range(mates.rows.shape[0]):
            bound = mates.rows[j, REACH] + reach
            away = point_to_segment(mates.rows[j, X], mates.rows[j, Y], x, y, far_x, far_y)
            if (
                j != i
                and away < bound * bound
                and is_too_near(trail, tall, mates.points, mates.rows, j, away, 0.0, mates.before[j])
            ):
                return False
    ground = world.scene.terrain
    for k in range(pieces):
        q = int(trail.near[k])
        bound = ground.rows[q, PIECE_REACH] + reach
        away = point_to_segment(ground.rows[q, PIECE_X], ground.rows[q, PIECE_Y], x, y, far_x, far_y)
        if trail.touched[k] == 0.0 or away >= bound * bound:
            continue
        if touches_piece(ground, q, trail.core, trail.form):
            return False
    return True


def add_node(x: float, y: float, limit: float, goals: int, count: int, nodes: Nodes) -> int:
    """Add a place to the search if a way over it to some goal could be short enough; goals are nodes 1 to
    `goals`.

    Places lie on the stored grid, so that a way found clear here is the very way that is walked afterwards.
    """
    if count >= MOST_NODES:
        return count
    x, y = snap(x * GRID) / GRID, snap(y * GRID) / GRID
    rest = math.inf
    for g in range(1, goals + 1):
        rest = min(rest, length_of(nodes.x[g] - x, nodes.y[g] - y))
    if length_of(nodes.x[0] - x, nodes.y[0] - y) + rest > limit:
        return count
    nodes.x[count] = x
    nodes.y[count] = y
    nodes.rest[count] = rest
    return count + 1


def add_ring(x: float, y: float, radius: float, limit: float, goals: int, count: int, nodes: Nodes) -> int:
    """Add places round a circle, far enough out that going from one to the next does not cut it."""
    out = radius / math.cos(math.pi / RING)
    for k in range(RING):
        angle = 2.0 * math.pi * k / RING
        count = add_node(x + out * math.cos(angle), y + out * math.sin(angle), limit, goals, count, nodes)
    return count


def add_corners(
    ground_points: Matrix, first: int, stop: int, reach: float, limit: float,
    goals: int, count: int, nodes: Nodes,
) -> int:  # fmt: skip
    """Add places round the corners of an outline that stick out."""
    for k in range(first, stop):
        before = k - 1 if k > first else stop - 1
        after = k + 1 if k + 1 < stop else first
        x, y = ground_points[k, 0], ground_points[k, 1]
        in_x, in_y = x - ground_points[before, 0], y - ground_points[before, 1]
        out_x, out_y = ground_points[after, 0] - x, ground_points[after, 1] - y
        if in_x * out_y - in_y * out_x <= 0.0:
            continue  # the outline runs counter-clockwise: this corner points inwards
        start = math.atan2(-in_x, in_y)
        turn = (math.atan2(-out_x, out_y) - start) % (2.0 * math.pi)
        steps = 1 + int(turn / (math.pi / 4.0))
        out = reach / math.cos(turn / steps / 2.0)
        for step in range(steps + 1):
            angle = start + turn * step / steps
            count = add_node(x + out * math.cos(angle), y + out * math.sin(angle), limit, goals, count, nodes)
    return count


def add_gap(
    rows: Matrix, j: int, k: int, reach: float, limit: float, goals: int, count: int, nodes: Nodes
) -> int:
    """Add places in, before and behind a gap between two bases that a base which reaches so far just fits through."""
    dx, dy = rows[k, X] - rows[j, X], rows[k, Y] - rows[j, Y]
    apart = math.sqrt(dx * dx + dy * dy)
    room = apart - rows[j, REACH] - rows[k, REACH] - 2.0 * reach
    if not -EPS <= room <= TIGHT:
        return count
    dx, dy = dx / apart, dy / apart
    middle = rows[j, REACH] + reach + room / 2.0
    x, y = rows[j, X] + middle * dx, rows[j, Y] + middle * dy
    along = max(rows[j, REACH], rows[k, REACH]) + reach
    count = add_node(x, y, limit, goals, count, nodes)
    count = add_node(x - along * dy, y + along * dx, limit, goals, count, nodes)
    return add_node(x + along * dy, y - along * dx, limit, goals, count, nodes)


def gather_gaps(
    walk: WalkState, i: int, limit: float, goals: int, marked: int, count: int, nodes: Nodes
) -> int:
    """Places in the tight gaps between bases of any two units that are near, or of one."""
    movers, world, trail = walk.movers, walk.world, walk.trail
    reach = movers.mould[i, REACH]
    bounds, circles = world.scene.bodies.bounds, world.scene.bodies.circles
    for a in range(marked):
        for b in range(a, marked):
            need = reach + (trail.marks[a, LEAST] + trail.marks[b, LEAST]) / 2.0
            one, other = int(trail.marks[a, UNIT]), int(trail.marks[b, UNIT])
            dx, dy = circles[one, 0] - circles[other, 0], circles[one, 1] - circles[other, 1]
            bound = circles[one, 2] + circles[other, 2] + 2.0 * need + TIGHT
            if dx * dx + dy * dy > bound * bound:
                continue
            for j in range(bounds[one, 0], bounds[one, 1]):
                for k in range(bounds[other, 0] if one != other else j + 1, bounds[other, 1]):
                    count = add_gap(world.scene.bodies.rows, j, k, need, limit, goals, count, nodes)
    return count


def gather_nodes(
    walk: WalkState, i: int, limit: float, goals: int, marked: int, pieces: int, nodes: Nodes
) -> int:
    """All places worth going over on the way to the goals; their number, start and goals included."""
    movers, world, mates, trail = walk.movers, walk.world, walk.mates, walk.trail
    count = gather_gaps(walk, i, limit, goals, marked, goals + 1, nodes)
    reach = movers.mould[i, REACH] + CLEARANCE
    rows = world.scene.bodies.rows
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        for j in range(world.scene.bodies.bounds[u, 0], world.scene.bodies.bounds[u, 1]):
            around = rows[j, REACH] + reach + trail.marks[k, LEAST]
            count = add_ring(rows[j, X], rows[j, Y], around, limit, goals, count, nodes)
    if world.rule[MATES_OBSTRUCT] != 0.0:
        for j in range(mates.rows.shape[0]):
            if j != i:
                around = mates.rows[j, REACH] + reach
                count = add_ring(mates.rows[j, X], mates.rows[j, Y], around, limit, goals, count, nodes)
    for k in range(pieces):
        if trail.touched[k] != 0.0:
            q = int(trail.near[k])
            first = int(world.scene.terrain.rows[q, PIECE_FIRST])
            stop = first + int(world.scene.terrain.rows[q, PIECE_COUNT])
            count = add_corners(world.scene.terrain.points, first, stop, reach, limit, goals, count, nodes)
    return count


def detour(
    walk: WalkState, i: int, goals: Matrix, number: int, limit: float, shy: bool, nodes: Nodes, path: Matrix
) -> int:
    """The shortest way round to one of some goals (rows x, y, level): points written, 0 where there is none.

    Places and straight lines are looked at only when it is their turn: most of them never are.
    """
    movers = walk.movers
    if movers.abilities[i] & IGNORES_UNITS and movers.abilities[i] & IGNORES_TERRAIN:
        return 0  # nothing is in its way: a detour never helps
    count, marked, pieces = open_search(walk, i, goals, number, limit, shy, nodes)
    reach(0, count, limit, nodes)
    left = number  # goals where the base may stand, as far as is known: without any there is no way
    while left > 0:
        here = -1
        for k in range(1, count):
            if nodes.done[k] != 0 or nodes.way[k] == math.inf:
                continue
            if here < 0 or nodes.way[k] + nodes.rest[k] < nodes.way[here] + nodes.rest[here]:
                here = k
        if here < 0 or nodes.notes[LOOKS] >= MOST_LOOKS:
            return 0
        last = nodes.parent[here]
        x, y, far_x, far_y = nodes.x[last], nodes.y[last], nodes.x[here], nodes.y[here]
        if nodes.free[here] == 0:  # its turn for the first time
            nodes.free[here] = 1
            if not is_clear(walk, i, far_x, far_y, far_x, far_y, marked, pieces):
                nodes.done[here] = BARRED
                left -= 1 if here <= number else 0
                continue
        nodes.notes[LOOKS] += 1
        if not is_clear(walk, i, x, y, far_x, far_y, marked, pieces):
            nodes.shut[last, here] = True
            reach_again(here, count, limit, nodes)
        elif here <= number:
            return write_way(movers, i, goals, here, nodes, path)
        else:
            reach(here, count, limit, nodes)
    return 0


def open_search(
    walk: WalkState, i: int, goals: Matrix, number: int, limit: float, shy: bool, nodes: Nodes
) -> tuple[int, int, int]:
    """Lay out a search: the number of nodes, of marked units and of near pieces."""
    movers = walk.movers
    nodes.x[0] = movers.start[i, 0] / 1000.0
    nodes.y[0] = movers.start[i, 1] / 1000.0
    for g in range(number):
        nodes.x[g + 1] = goals[g, 0]
        nodes.y[g + 1] = goals[g, 1]
        nodes.rest[g + 1] = 0.0
    nodes.rest[0] = 0.0
    marked, pieces = mark_blockers(walk, i, limit, shy, nodes)
    count = gather_nodes(walk, i, limit, number, marked, pieces, nodes)
    nodes.notes[LOOKS] = 0
    for k in range(count):
        nodes.way[k] = math.inf
        nodes.parent[k] = -1
        nodes.done[k] = 0
        nodes.free[k] = 0
    nodes.way[0] = 0.0
    return count, marked, pieces


def reach(here: int, count: int, limit: float, nodes: Nodes) -> None:
    """A node was reached: propose the straight ways from there to all that would be reached sooner by them."""
    nodes.done[here] = DONE
    for k in range(count):
        nodes.shut[here, k] = False
    for k in range(1, count):
        if nodes.done[k] == 0:
            way = nodes.way[here] + length_of(nodes.x[k] - nodes.x[here], nodes.y[k] - nodes.y[here])
            if way < nodes.way[k] and way + nodes.rest[k] <= limit + EPS:
                nodes.way[k] = way
                nodes.parent[k] = here


def reach_again(here: int, count: int, limit: float, nodes: Nodes) -> None:
    """A straight way to a node turned out to be shut: take the next best one that may still be open."""
    nodes.way[here] = math.inf
    nodes.parent[here] = -1
    for k in range(count):
        if nodes.done[k] == DONE and not nodes.shut[k, here]:
            way = nodes.way[k] + length_of(nodes.x[k] - nodes.x[here], nodes.y[k] - nodes.y[here])
            if way < nodes.way[here] and way + nodes.rest[here] <= limit + EPS:
                nodes.way[here] = way
                nodes.parent[here] = k


def write_way(movers: Movers, i: int, goals: Matrix, last: int, nodes: Nodes, path: Matrix) -> int:
    """Write the way to a node that was reached, start included; 0 where it has too many points."""
    size = 1
    k = last
    while k > 0:
        size += 1
        k = nodes.parent[k]
    if size > path.shape[0]:
        return 0
    k = last
    for place in range(size - 1, 0, -1):
        put_point(path, place, nodes.x[k], nodes.y[k], movers.start[i, 2], goals[last - 1, 2])
        k = nodes.parent[k]
    copy_points(movers.start, i, path, 0, 1)
    return size
