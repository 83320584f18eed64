"""Compiled straight runs: how far a block can go before something stands in its way.

Everything is seen in the frame of the run: the block goes along +y. `fronts` are the lines it pushes ahead,
one (left, right, front) for each; going forward that is a single line, because figures beside the block
stand flush with its front row.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, RADIUS, Floats
from shieldwall.table.kernels_block import (
    APART,
    CLIMB_FREE,
    DIFFICULT,
    FLAGS,
    GAP,
    HEIGHT,
    IMPASSABLE,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SPACING,
    UPHILL,
    Board,
    Mover,
    Stretch,
    is_near,
    nearest_allowed,
    piece_relation,
    unit_gap,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

FORWARD, RIGHTWARD, BACKWARD, LEFTWARD = range(4)  # quarter turns from the heading to the direction of a run


@kernel
def fronts_of(rects: Floats, quarter: int) -> Floats:
    """The lines (left, right, front) that a block pushes ahead when it goes in one of the four directions."""
    count = rects.shape[0]
    fronts = np.empty((count, 3))
    for i in range(count):
        x0, y0, x1, y1 = rects[i, 0], rects[i, 1], rects[i, 2], rects[i, 3]
        if quarter == RIGHTWARD:
            fronts[i, 0], fronts[i, 1], fronts[i, 2] = -y1, -y0, x1
        elif quarter == BACKWARD:
            fronts[i, 0], fronts[i, 1], fronts[i, 2] = -x1, -x0, -y0
        elif quarter == LEFTWARD:
            fronts[i, 0], fronts[i, 1], fronts[i, 2] = y0, y1, -x0
        else:
            fronts[i, 0], fronts[i, 1], fronts[i, 2] = x0, x1, y1
            fronts[0, 0], fronts[0, 1] = min(fronts[0, 0], x0), max(fronts[0, 1], x1)
    return fronts[:1] if quarter == FORWARD else fronts


@lean
def flat_run(left: float, right: float, top: float, ax: float, ay: float, bx: float, by: float) -> float:
    """How far the line from (left, top) to (right, top) goes upwards before it meets a segment; inf for
    never.
    """
    if ax > bx:
        ax, ay, bx, by = bx, by, ax, ay
    low, high = max(ax, left), min(bx, right)
    if bx <= left or ax >= right or low > high:
        return math.inf
    if bx - ax < 1e-9:
        first, second = ay - top, by - top
    else:
        slope = (by - ay) / (bx - ax)
        first, second = ay + (low - ax) * slope - top, ay + (high - ax) * slope - top
    if first < 0.0 and second < 0.0:
        return math.inf  # it lies behind
    return max(min(first, second), 0.0)


@lean
def arc_run(x: float, y: float, radius: float, ax: float, ay: float, bx: float, by: float) -> float:
    """How far the upper half of a circle goes upwards before it meets a segment; inf for never."""
    if ax > bx:
        ax, ay, bx, by = bx, by, ax, ay
    low, high = max(ax, x - radius), min(bx, x + radius)
    if low > high:
        return math.inf
    if bx - ax < 1e-9:
        top = y + math.sqrt(max(radius * radius - (ax - x) ** 2, 0.0))
        first, second = ay - top, by - top
        least = min(first, second)
    else:
        slope = (by - ay) / (bx - ax)
        first = ay + (low - ax) * slope - y - math.sqrt(max(radius * radius - (low - x) ** 2, 0.0))
        second = ay + (high - ax) * slope - y - math.sqrt(max(radius * radius - (high - x) ** 2, 0.0))
        least = min(first, second)
        touch = x - slope * radius / math.sqrt(1.0 + slope * slope)
        if low < touch < high:
            least = min(least, ay + (touch - ax) * slope - y - math.sqrt(radius * radius - (touch - x) ** 2))
    if first < 0.0 and second < 0.0:
        return math.inf
    return max(least, 0.0)


@lean
def front_run(
    left: float, right: float, front: float, margin: float, ax: float, ay: float, bx: float, by: float
) -> float:
    """How far a front goes before it comes nearer than `margin` to a segment; a negative margin lets it
    graze.
    """
    if margin <= 0.0:
        return flat_run(left - margin, right + margin, front + margin, ax, ay, bx, by)
    best = flat_run(left, right, front + margin, ax, ay, bx, by)
    best = min(best, arc_run(left, front, margin, ax, ay, bx, by))
    return min(best, arc_run(right, front, margin, ax, ay, bx, by))


@lean
def run_to_shape(points: Floats, first: int, stop: int, way: Stretch, fronts: Floats, margin: float) -> float:
    """How far the fronts go before they come nearer than `margin` to a polygon, convex or not; inf for
    never.
    """
    best = math.inf
    dx, dy = points[stop - 1, 0] - way.x, points[stop - 1, 1] - way.y
    ax, ay = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
    for k in range(first, stop):
        dx, dy = points[k, 0] - way.x, points[k, 1] - way.y
        bx, by = dx * way.cosine - dy * way.sine, dx * way.sine + dy * way.cosine
        for i in range(fronts.shape[0]):
            best = min(best, front_run(fronts[i, 0], fronts[i, 1], fronts[i, 2], margin, ax, ay, bx, by))
        ax, ay = bx, by
    return best


@lean
def run_to_unit(board: Board, unit: int, way: Stretch, fronts: Floats, margin: float) -> float:
    """How far the fronts go before they come nearer than `margin` to a unit."""
    best = math.inf
    for j in range(board.bounds[unit, 0], board.bounds[unit, 1]):
        first = int(board.rows[j, FIRST])
        stop = first + int(board.rows[j, COUNT])
        best = min(best, run_to_shape(board.points, first, stop, way, fronts, margin + board.rows[j, RADIUS]))
    return best


@lean
def run_to_units(
    board: Board, mover: Mover, numbers: Floats, start: Stretch, way: Stretch, fronts: Floats, out: Floats
) -> float:
    """How far the run keeps its distance from all other units; those already too close are only not
    approached.
    """
    limit = way.ahead
    spacing = numbers[SPACING]
    margin = spacing - EPS / 2 if spacing > 0.0 else -EPS
    for unit in range(board.bounds.shape[0]):
        x, y, reach = board.circles[unit, 0], board.circles[unit, 1], board.circles[unit, 2]
        if unit == mover.row or not is_near(way, mover.reach, x, y, reach + spacing):
            continue
        run = run_to_unit(board, unit, way, fronts, margin)
        if spacing > 0.0:
            before = unit_gap(board, mover, unit, start, out)
            if before < spacing - EPS:
                run = run_to_unit(
                    board, unit, way, fronts, min(nearest_allowed(before, spacing) + EPS / 2, margin)
                )
        limit = min(limit, run)
    return limit


@lean
def run_to_edge(board: Board, mover: Mover, facing: Stretch, way: Stretch) -> float:
    """How far the block goes before a corner leaves the table."""
    limit = way.ahead
    for i in range(mover.rects.shape[0]):
        for k in range(4):
            across = mover.rects[i, 0 if k % 2 == 0 else 2]
            along = mover.rects[i, 1 if k < 2 else 3]
            x = facing.x + (across * facing.cosine + along * facing.sine)
            y = facing.y + (along * facing.cosine - across * facing.sine)
            if way.sine > 1e-12:
                limit = min(limit, max((board.width + EPS - x) / way.sine, 0.0))
            elif way.sine < -1e-12:
                limit = min(limit, max((x + EPS) / -way.sine, 0.0))
            if way.cosine > 1e-12:
                limit = min(limit, max((board.depth + EPS - y) / way.cosine, 0.0))
            elif way.cosine < -1e-12:
                limit = min(limit, max((y + EPS) / -way.cosine, 0.0))
    return limit


@lean
def run_over_ground(
    board: Board, mover: Mover, numbers: Floats, facing: Stretch, way: Stretch, fronts: Floats, out: Floats
) -> tuple[float, float, bool]:
    """How far to impassable ground, how far to ground that slows, and whether heights or gaps lie on the
    way.
    """
    barred, slow = way.ahead, math.inf
    is_tricky = False
    if numbers[PASSES_TERRAIN] > 0.0:
        return barred, slow, is_tricky
    for piece in range(board.pieces.shape[0]):
        x, y, reach = (
            board.pieces[piece, PIECE_X],
            board.pieces[piece, PIECE_Y],
            board.pieces[piece, PIECE_REACH],
        )
        if not is_near(way, mover.reach, x, y, reach):
            continue
        flags = int(board.pieces[piece, FLAGS])
        first = int(board.pieces[piece, PIECE_FIRST])
        stop = first + int(board.pieces[piece, PIECE_COUNT])
        is_met = piece_relation(board, mover.rects, piece, facing, out) != APART
        run = 0.0 if is_met else run_to_shape(board.ground, first, stop, way, fronts, -EPS / 2)
        if flags & IMPASSABLE:
            barred = min(barred, run)
        elif run < way.ahead:
            if flags & DIFFICULT:
                slow = min(slow, run)
            if flags & (UPHILL | GAP) or board.pieces[piece, HEIGHT] > numbers[CLIMB_FREE] + EPS:
                is_tricky = True
    if numbers[PASSES_DIFFICULT] > 0.0:
        slow = math.inf
    return barred, slow, is_tricky
