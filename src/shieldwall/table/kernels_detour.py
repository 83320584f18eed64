"""Compiled detours: the shortest way round what blocks the straight line.

A detour goes over points round the corners of what is in the way and stays on the level it starts from: only
straight ways climb. What it finds is walked like any other way afterwards, so it need not be exact, only good.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import HIGH, LOW, RADIUS, REACH, Floats, X, Y, point_to_segment
from shieldwall.table.kernels_close import (
    DEPTH_BEFORE,
    FLATTEST,
    LEAST,
    UNIT,
    in_space,
    mark_units,
    mates_overlap,
)
from shieldwall.table.kernels_ground import (
    CLIMB_MAX,
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
    length_of,
    touches_piece,
)
from shieldwall.table.kernels_loose import (
    IGNORES_TERRAIN,
    IGNORES_UNITS,
    MATES_OBSTRUCT,
    SPACING,
    Mates,
    Movers,
    Trail,
    World,
    outside_table,
    pieces_near,
)
from shieldwall.table.kernels_sweep import lift, stand, sweep_straight
from shieldwall.table.kernels_way import LOOKS, MOST_NODES, TIMID, Flags, Nodes, copy_points, put_point
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

CLEARANCE = 0.01  # inches a detour keeps beyond what is asked, so that rounding to the grid cannot spoil it
RING = 12  # points round a base
GRID = 1000.0
MOST_LOOKS = 4000  # straight lines a search looks along before it gives up
TIGHT = (
    0.15  # inches to spare in a gap between two bases up to which no place round either of them may lie in it
)


@lean
def mark_blockers(
    movers: Movers, i: int, limit: float, shy: bool, world: World, mates: Mates, trail: Trail, nodes: Nodes
) -> tuple[int, int]:
    """Note what may block the ways of model i: units (marks) and pieces (`touched` 1); their numbers.

    A shy walker goes round everything that would slow it or has to be climbed; how many pieces that
    concerns is left in the notes.
    """
    x, y, z = movers.start[i, 0] / 1000.0, movers.start[i, 1] / 1000.0, movers.start[i, 3] / 1000.0
    stand(movers.local, movers.mould, i, x, y, movers.start[i, 2], trail.core, trail.form)
    lift(trail.form, z, z)
    reach = limit + movers.mould[i, REACH]
    tall = movers.mould[i, HIGH] - movers.mould[i, LOW]
    marked = mark_units(
        world.others, world.me, world.exempt, world.rule[SPACING], x, y, reach,
        trail.core, trail.form, tall, trail.marks,
    )  # fmt: skip
    for j in range(mates.rows.shape[0]):
        mates.before[j] = mates_overlap(mates.points, mates.rows, i, j) if j != i else 0.0
    pieces, _ = pieces_near(world.ground, x, y, reach, trail)
    rows = world.ground.rows
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
        free = blocks and touches_piece(world.ground.points, rows, q, trail.core, trail.form)
        trail.touched[k] = 1.0 if blocks and not free else 0.0
    return marked, pieces


@lean
def is_too_near(
    trail: Trail, tall: float, points: Floats, rows: Floats, j: int, away: float, least: float, before: float
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


@lean
def is_clear(
    movers: Movers, i: int, x: float, y: float, far_x: float, far_y: float, marked: int, pieces: int,
    world: World, mates: Mates, trail: Trail,
) -> bool:  # fmt: skip
    """Whether model i gets straight from one place to another past everything that was marked."""
    heading, z = movers.start[i, 2], movers.start[i, 3] / 1000.0
    stand(movers.local, movers.mould, i, x, y, heading, trail.core, trail.form)
    sweep_straight(trail.core, trail.form, far_x - x, far_y - y)
    lift(trail.form, z, z)
    if outside_table(trail.core, trail.form, world.rule) > EPS:
        return False
    tall, reach = movers.mould[i, HIGH] - movers.mould[i, LOW], movers.mould[i, REACH]
    rows = world.others.rows
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        least = trail.marks[k, LEAST]
        for j in range(world.others.bounds[u, 0], world.others.bounds[u, 1]):
            bound = rows[j, REACH] + reach + least
            away = point_to_segment(rows[j, X], rows[j, Y], x, y, far_x, far_y)
            if away < bound * bound and is_too_near(
                trail, tall, world.others.points, rows, j, away, least, trail.marks[k, DEPTH_BEFORE]
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
    ground = world.ground
    for k in range(pieces):
        q = int(trail.near[k])
        bound = ground.rows[q, PIECE_REACH] + reach
        away = point_to_segment(ground.rows[q, PIECE_X], ground.rows[q, PIECE_Y], x, y, far_x, far_y)
        if trail.touched[k] == 0.0 or away >= bound * bound:
            continue
        if touches_piece(ground.points, ground.rows, q, trail.core, trail.form):
            return False
    return True


@lean
def add_node(x: float, y: float, limit: float, goals: int, count: int, nodes: Nodes) -> int:
    """Add a place to the search if a way over it to some goal could be short enough; goals are nodes 1 to
    `goals`.

    Places lie on the stored grid, so that a way found clear here is the very way that is walked afterwards.
    """
    if count >= MOST_NODES:
        return count
    x, y = math.floor(x * GRID + 0.5) / GRID, math.floor(y * GRID + 0.5) / GRID
    rest = math.inf
    for g in range(1, goals + 1):
        rest = min(rest, length_of(nodes.x[g] - x, nodes.y[g] - y))
    if length_of(nodes.x[0] - x, nodes.y[0] - y) + rest > limit:
        return count
    nodes.x[count] = x
    nodes.y[count] = y
    nodes.rest[count] = rest
    return count + 1


@lean
def add_ring(x: float, y: float, radius: float, limit: float, goals: int, count: int, nodes: Nodes) -> int:
    """Add places round a circle, far enough out that going from one to the next does not cut it."""
    out = radius / math.cos(math.pi / RING)
    for k in range(RING):
        angle = 2.0 * math.pi * k / RING
        count = add_node(x + out * math.cos(angle), y + out * math.sin(angle), limit, goals, count, nodes)
    return count


@lean
def add_corners(
    ground_points: Floats, first: int, stop: int, reach: float, limit: float,
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


@lean
def add_gap(
    rows: Floats, j: int, k: int, reach: float, limit: float, goals: int, count: int, nodes: Nodes
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
    for step in (0.0, along, -along):
        count = add_node(x - step * dy, y + step * dx, limit, goals, count, nodes)
    return count


@lean
def gather_gaps(
    movers: Movers, i: int, limit: float, goals: int, marked: int, world: World, trail: Trail, count: int,
    nodes: Nodes,
) -> int:  # fmt: skip
    """Places in the tight gaps between bases of any two units that are near, or of one."""
    reach = movers.mould[i, REACH]
    bounds, circles = world.others.bounds, world.others.circles
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
                    count = add_gap(world.others.rows, j, k, need, limit, goals, count, nodes)
    return count


@lean
def gather_nodes(
    movers: Movers, i: int, limit: float, goals: int, marked: int, pieces: int, world: World, mates: Mates,
    trail: Trail, nodes: Nodes,
) -> int:  # fmt: skip
    """All places worth going over on the way to the goals; their number, start and goals included."""
    count = gather_gaps(movers, i, limit, goals, marked, world, trail, goals + 1, nodes)
    reach = movers.mould[i, REACH] + CLEARANCE
    rows = world.others.rows
    for k in range(marked):
        u = int(trail.marks[k, UNIT])
        for j in range(world.others.bounds[u, 0], world.others.bounds[u, 1]):
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
            first = int(world.ground.rows[q, PIECE_FIRST])
            stop = first + int(world.ground.rows[q, PIECE_COUNT])
            count = add_corners(world.ground.points, first, stop, reach, limit, goals, count, nodes)
    return count


@lean
def detour(
    movers: Movers, i: int, goals: Floats, number: int, limit: float, shy: bool,
    world: World, mates: Mates, trail: Trail, nodes: Nodes, path: Floats,
) -> int:  # fmt: skip
    """The shortest way round to one of some goals (rows x, y, level): points written, 0 where there is none.

    Straight lines are looked at only when it is their turn: most of them never are.
    """
    if movers.abilities[i] & IGNORES_UNITS and movers.abilities[i] & IGNORES_TERRAIN:
        return 0  # nothing is in its way: a detour never helps
    count, marked, pieces = open_search(movers, i, goals, number, limit, shy, world, mates, trail, nodes)
    shut = nodes.shut
    for k in range(count):
        for other in range(count):
            shut[k, other] = False
    nodes.done[0] = 1
    spread_from(0, count, limit, nodes)
    while True:
        here = -1
        for k in range(1, count):
            if nodes.done[k] != 0 or nodes.way[k] == math.inf:
                continue
            if here < 0 or nodes.way[k] + nodes.rest[k] < nodes.way[here] + nodes.rest[here]:
                here = k
        if here < 0 or nodes.notes[LOOKS] >= MOST_LOOKS:
            return 0
        nodes.notes[LOOKS] += 1
        last = nodes.parent[here]
        x, y, far_x, far_y = nodes.x[last], nodes.y[last], nodes.x[here], nodes.y[here]
        if not is_clear(movers, i, x, y, far_x, far_y, marked, pieces, world, mates, trail):
            shut[last, here] = True
            reach_again(here, count, limit, shut, nodes)
        elif here <= number:
            return write_way(movers, i, goals, here, nodes, path)
        else:
            nodes.done[here] = 1
            spread_from(here, count, limit, nodes)


@lean
def open_search(
    movers: Movers, i: int, goals: Floats, number: int, limit: float, shy: bool,
    world: World, mates: Mates, trail: Trail, nodes: Nodes,
) -> tuple[int, int, int]:  # fmt: skip
    """Lay out a search: the number of nodes, of marked units and of near pieces."""
    nodes.x[0] = movers.start[i, 0] / 1000.0
    nodes.y[0] = movers.start[i, 1] / 1000.0
    for g in range(number):
        nodes.x[g + 1] = goals[g, 0]
        nodes.y[g + 1] = goals[g, 1]
        nodes.rest[g + 1] = 0.0
    nodes.rest[0] = 0.0
    marked, pieces = mark_blockers(movers, i, limit, shy, world, mates, trail, nodes)
    count = gather_nodes(movers, i, limit, number, marked, pieces, world, mates, trail, nodes)
    nodes.notes[LOOKS] = 0
    kept = 0
    for k in range(count):
        x, y = nodes.x[k], nodes.y[k]
        if k <= number or is_clear(movers, i, x, y, x, y, marked, pieces, world, mates, trail):
            nodes.x[kept], nodes.y[kept], nodes.rest[kept] = x, y, nodes.rest[k]
            nodes.way[kept] = math.inf
            nodes.parent[kept] = -1
            nodes.done[kept] = 0
            kept += 1
    nodes.way[0] = 0.0
    return kept, marked, pieces


@lean
def spread_from(here: int, count: int, limit: float, nodes: Nodes) -> None:
    """Propose the straight ways from a node that was reached to all that would be reached sooner by them."""
    for k in range(1, count):
        if nodes.done[k] == 0:
            way = nodes.way[here] + length_of(nodes.x[k] - nodes.x[here], nodes.y[k] - nodes.y[here])
            if way < nodes.way[k] and way + nodes.rest[k] <= limit + EPS:
                nodes.way[k] = way
                nodes.parent[k] = here


@lean
def reach_again(here: int, count: int, limit: float, shut: Flags, nodes: Nodes) -> None:
    """A straight way to a node turned out to be shut: take the next best one that may still be open."""
    nodes.way[here] = math.inf
    nodes.parent[here] = -1
    for k in range(count):
        if nodes.done[k] != 0 and not shut[k, here]:
            way = nodes.way[k] + length_of(nodes.x[k] - nodes.x[here], nodes.y[k] - nodes.y[here])
            if way < nodes.way[here] and way + nodes.rest[here] <= limit + EPS:
                nodes.way[here] = way
                nodes.parent[here] = k


@lean
def write_way(movers: Movers, i: int, goals: Floats, last: int, nodes: Nodes, path: Floats) -> int:
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
