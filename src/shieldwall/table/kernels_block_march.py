"""Compiled judgement of a whole march: leg after leg, what is wrong with it and which ground it crosses."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import Floats, Ints, direction
from shieldwall.table.kernels_block import (
    APART,
    BARRED,
    CLIMB_FREE,
    CLOSER,
    CODE,
    CONTACT,
    CROSSED,
    DIFFICULT,
    EDGE,
    FLAGS,
    GAP,
    HEIGHT,
    IMPASSABLE,
    OVERHANG,
    PARTLY,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SLACK,
    SLOPE,
    SPACING,
    THROUGH,
    TOO_CLOSE,
    UPHILL,
    VALUE,
    WENT_UP,
    WHO,
    Board,
    Mover,
    Stretch,
    beyond_edge,
    ground_height,
    is_near,
    nearest_allowed,
    note,
    piece_relation,
    snap,
    standing,
    unit_gap,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

QUARTER = 9000
FULL_TURN = 4 * QUARTER


@lean
def gap_fault(gap: float, before: float, spacing: float, is_pivot_only: bool) -> int:
    """The fault in a gap to another unit, 0 for none; `before` was the gap when the move began
    (R35-MOVE-03).
    """
    if gap < -SLACK and gap < nearest_allowed(before, 0.0):
        return THROUGH
    if spacing <= 0.0 or gap >= spacing - EPS:
        return 0
    if is_pivot_only:  # a mere turn may end close to another unit, only not in contact with it (R35-MOVE-22)
        return CONTACT if gap <= EPS < before else 0
    if before >= spacing - EPS:
        return TOO_CLOSE
    return CLOSER if gap < nearest_allowed(before, spacing) else 0


@lean
def note_unit(found: Floats, count: int, fault: int, unit: int, gap: float) -> int:
    """Write down a fault with another unit; who goes through it need not hear that it also came too close."""
    for k in range(count):
        if THROUGH <= found[k, CODE] <= CONTACT and found[k, WHO] == unit:
            found[k, CODE] = min(found[k, CODE], fault)
            found[k, VALUE] = min(found[k, VALUE], gap)
            return count
    return note(found, count, fault, unit, gap)


@lean
def judge_units(
    board: Board, mover: Mover, numbers: Floats, start: Stretch, way: Stretch, is_pivot_only: bool,
    out: Floats, found: Floats, count: int,
) -> int:  # fmt: skip
    """Faults with other units on one stretch."""
    spacing = numbers[SPACING]
    for unit in range(board.bounds.shape[0]):
        if unit == mover.row:
            continue
        x, y, reach = board.circles[unit, 0], board.circles[unit, 1], board.circles[unit, 2]
        if not is_near(way, mover.reach, x, y, reach + spacing):
            continue
        gap = unit_gap(board, mover, unit, way, out)
        if gap < max(spacing - EPS, -SLACK) or gap < -SLACK:
            before = unit_gap(board, mover, unit, start, out)
            fault = gap_fault(gap, before, spacing, is_pivot_only)
            if fault:
                count = note_unit(found, count, fault, unit, gap)
    return count


@lean
def judge_base(
    board: Board, mover: Mover, numbers: Floats, piece: int, way: Stretch, end: Stretch,
    out: Floats, climbs: Floats, crossed: Ints,
) -> None:  # fmt: skip
    """Which models cross a piece on one stretch, and what each of them climbs."""
    flags = int(board.pieces[piece, FLAGS])
    height = board.pieces[piece, HEIGHT]
    is_raised = height > numbers[CLIMB_FREE] + EPS
    begin = standing(way.x, way.y, way.sine, way.cosine)
    for model in range(mover.bases.shape[0]):
        base = mover.bases[model : model + 1]
        if piece_relation(board, base, piece, way, out) == APART:
            continue
        crossed[piece, model] |= CROSSED
        if not (is_raised or flags & UPHILL):
            continue
        if piece_relation(board, base, piece, begin, out) == APART:
            crossed[piece, model] |= WENT_UP
            if is_raised:
                climbs[model] += height
        if is_raised and piece_relation(board, base, piece, end, out) == APART:
            climbs[model] += height


@lean
def judge_ground(
    board: Board, mover: Mover, numbers: Floats, way: Stretch, end: Stretch,
    out: Floats, climbs: Floats, crossed: Ints, found: Floats, count: int,
) -> int:  # fmt: skip
    """Impassable ground on one stretch; what else is crossed goes into `crossed` and `climbs`."""
    for piece in range(board.pieces.shape[0]):
        x, y, reach = (
            board.pieces[piece, PIECE_X],
            board.pieces[piece, PIECE_Y],
            board.pieces[piece, PIECE_REACH],
        )
        if not is_near(way, mover.reach, x, y, reach):
            continue
        if piece_relation(board, mover.rects, piece, way, out) == APART:
            continue
        if int(board.pieces[piece, FLAGS]) & IMPASSABLE:
            count = note(found, count, BARRED, piece, 0.0)
        else:
            judge_base(board, mover, numbers, piece, way, end, out, climbs, crossed)
    return count


@lean
def judge_end(
    board: Board, mover: Mover, numbers: Floats, end: Stretch, out: Floats, found: Floats, count: int
) -> int:
    """Where the block may not finish: in impassable ground, over a gap, hanging over a ledge."""
    for piece in range(board.pieces.shape[0]):
        flags = int(board.pieces[piece, FLAGS])
        is_ledge = board.pieces[piece, HEIGHT] > numbers[CLIMB_FREE] + EPS and not flags & SLOPE
        if not (flags & (IMPASSABLE | GAP) or is_ledge):
            continue
        x, y, reach = (
            board.pieces[piece, PIECE_X],
            board.pieces[piece, PIECE_Y],
            board.pieces[piece, PIECE_REACH],
        )
        if not is_near(end, mover.reach, x, y, reach):
            continue
        if piece_relation(board, mover.rects, piece, end, out) == APART:
            continue
        if flags & IMPASSABLE:
            count = note(found, count, BARRED, piece, 0.0)
        elif flags & GAP:
            count = note(found, count, OVERHANG, piece, 0.0)
        else:
            for model in range(mover.bases.shape[0]):
                if piece_relation(board, mover.bases[model : model + 1], piece, end, out) == PARTLY:
                    count = note(found, count, OVERHANG, piece, 0.0)
    return count


@lean
def is_slowed(board: Board, numbers: Floats, crossed: Ints) -> bool:
    """Whether any model was in ground that slows the whole unit."""
    if numbers[PASSES_TERRAIN] > 0.0 or numbers[PASSES_DIFFICULT] > 0.0:
        return False
    for piece in range(crossed.shape[0]):
        flags = int(board.pieces[piece, FLAGS])
        if flags & (DIFFICULT | UPHILL):
            for model in range(crossed.shape[1]):
                if crossed[piece, model] and (flags & DIFFICULT or crossed[piece, model] & WENT_UP):
                    return True
    return False


@lean
def leg_end(
    x: float, y: float, sine: float, cosine: float, right: float, ahead: float
) -> tuple[float, float]:
    """Where a leg of thousandths ends on the grid."""
    return snap(x + (right * cosine + ahead * sine)), snap(y + (ahead * cosine - right * sine))


@lean
def stretch_between(x: float, y: float, end_x: float, end_y: float, sine: float, cosine: float) -> Stretch:
    """The stretch between two grid points, in inches and in the frame of the heading."""
    dx, dy = (end_x - x) / 1000.0, (end_y - y) / 1000.0
    return Stretch(x / 1000.0, y / 1000.0, sine, cosine, dx * cosine - dy * sine, dx * sine + dy * cosine)


@lean
def judge_edge(board: Board, mover: Mover, here: Stretch, found: Floats, count: int) -> int:
    """The fault of standing out over the table's edge; its number is minus how far."""
    beyond = beyond_edge(board, mover.rects, here)
    return note(found, count, EDGE, -1, -beyond) if beyond > SLACK else count


@lean
def judge_turn(
    board: Board, mover: Mover, numbers: Floats, start: Stretch, here: Stretch, is_still: bool,
    out: Floats, found: Floats, count: int,
) -> int:  # fmt: skip
    """A pivot ignores what its sweep crosses; only where it ends must be free (R35-MOVE-22)."""
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(board, mover, numbers, start, here, is_still, out, found, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        for piece in range(board.pieces.shape[0]):
            x, y = board.pieces[piece, PIECE_X], board.pieces[piece, PIECE_Y]
            if int(board.pieces[piece, FLAGS]) & IMPASSABLE and (
                is_near(here, mover.reach, x, y, board.pieces[piece, PIECE_REACH])
                and piece_relation(board, mover.rects, piece, here, out) != APART
            ):
                count = note(found, count, BARRED, piece, 0.0)
    return judge_edge(board, mover, here, found, count)


@lean
def judge_straight(
    board: Board, mover: Mover, numbers: Floats, start: Stretch, way: Stretch, end: Stretch,
    out: Floats, climbs: Floats, crossed: Ints, found: Floats, count: int,
) -> int:  # fmt: skip
    """A straight leg: nothing may be touched on the whole way."""
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(board, mover, numbers, start, way, False, out, found, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        count = judge_ground(board, mover, numbers, way, end, out, climbs, crossed, found, count)
    return judge_edge(board, mover, end, found, count)


@kernel
def march(
    board: Board, mover: Mover, numbers: Floats, x: float, y: float, heading: float,
    legs: Ints, found: Floats, crossed: Ints,
) -> tuple[float, float, float, float, float, bool, int]:  # fmt: skip
    """Walk all legs: end pose, straight distance, climbing, whether slowed, and how many faults were found.

    `legs` has three numbers for each leg: turn, right, ahead.
    """
    out = np.empty((6, 2))
    climbs = np.zeros(mover.bases.shape[0])
    sine, cosine = direction(heading)
    start = standing(x / 1000.0, y / 1000.0, sine, cosine)
    end = start
    is_still = True
    for k in range(0, legs.shape[0], 3):
        is_still = is_still and legs[k + 1] == 0 and legs[k + 2] == 0
    straight = 0.0
    count = 0
    for k in range(0, legs.shape[0], 3):
        if legs[k] != 0:
            heading = (heading + legs[k]) % FULL_TURN
            sine, cosine = direction(heading)
            end = standing(x / 1000.0, y / 1000.0, sine, cosine)
            count = judge_turn(board, mover, numbers, start, end, is_still, out, found, count)
        elif legs[k + 1] != 0 or legs[k + 2] != 0:
            next_x, next_y = leg_end(x, y, sine, cosine, legs[k + 1], legs[k + 2])
            way = stretch_between(x, y, next_x, next_y, sine, cosine)
            x, y = next_x, next_y
            end = standing(x / 1000.0, y / 1000.0, sine, cosine)
            straight += math.sqrt(float(legs[k + 1]) ** 2 + float(legs[k + 2]) ** 2) / 1000.0
            count = judge_straight(board, mover, numbers, start, way, end, out, climbs, crossed, found, count)
    if legs.shape[0] > 0:
        if numbers[PASSES_UNITS] > 0.0:
            count = judge_units(board, mover, numbers, start, end, is_still, out, found, count)
        count = judge_end(board, mover, numbers, end, out, found, count)
    climb = climbs.max() if climbs.shape[0] else 0.0
    return x, y, heading, straight, climb, is_slowed(board, numbers, crossed), count


# What Python calls takes Board and Mover field by field: handing over named tuples costs a microsecond.


@lean
def check_legs(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    numbers: Floats, x: float, y: float, heading: float, legs: Ints, found: Floats, crossed: Ints,
) -> tuple[float, float, float, float, float, float, bool, bool, int]:  # fmt: skip
    """`march` for a caller outside the kernels: x, y, heading, z; straight, climbing; slowed, crossed;
    faults.
    """
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    mover = Mover(rects, bases, row, reach)
    end = march(board, mover, numbers, x, y, heading, legs, found, crossed)
    z = snap(ground_height(board, end[0] / 1000.0, end[1] / 1000.0) * 1000.0)
    has_crossed = False
    for piece in range(crossed.shape[0]):
        for model in range(crossed.shape[1]):
            has_crossed = has_crossed or crossed[piece, model] != 0
    return end[0], end[1], end[2], z, end[3], end[4], end[5], has_crossed, end[6]


@kernel
def gap_at(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    unit: int, x: float, y: float, heading: float,
) -> float:  # fmt: skip
    """The gap between a block put at a pose and another unit."""
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    mover = Mover(rects, bases, row, reach)
    sine, cosine = direction(heading)
    return unit_gap(board, mover, unit, standing(x / 1000.0, y / 1000.0, sine, cosine), np.empty((6, 2)))


@kernel
def stand(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    x: float, y: float, heading: float, crossed: Ints,
) -> None:  # fmt: skip
    """Which models of a block stand in which pieces, their border left out."""
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    sine, cosine = direction(heading)
    here = standing(x / 1000.0, y / 1000.0, sine, cosine)
    out = np.empty((6, 2))
    for piece in range(pieces.shape[0]):
        if is_near(here, reach, pieces[piece, PIECE_X], pieces[piece, PIECE_Y], pieces[piece, PIECE_REACH]):
            for model in range(bases.shape[0]):
                if piece_relation(board, bases[model : model + 1], piece, here, out) != APART:
                    crossed[piece, model] |= CROSSED
