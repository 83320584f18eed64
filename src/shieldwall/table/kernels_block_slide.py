"""Compiled room for the closing slide: how far a block can shift sideways along its target.

The block is seen in its own frame, x to its right. Every edge of an obstacle that lies in the height of one
of its rectangles bars a span of shifts; what is left is where it may stand.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, RADIUS, Floats, Ints, direction
from shieldwall.table.kernels_block import (
    FLAGS,
    IMPASSABLE,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SLACK,
    Board,
    Stretch,
    holds_point,
    standing,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

MOST_SPANS = 512


@lean
def bar_edge(
    rects: Floats,
    radius: float,
    slack: float,
    beside: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    spans: Floats,
    count: int,
) -> int:
    """Add the shifts at which some rectangle would overlap a segment, thickened by `radius`.

    It may lie in the segment's height by `slack`, and come nearer from the side by `beside`.
    """
    for i in range(rects.shape[0]):
        low, high = rects[i, 1] + slack - radius, rects[i, 3] - slack + radius
        if max(ay, by) <= low or min(ay, by) >= high or count >= spans.shape[0]:
            continue
        first, second = 0.0, 1.0
        if abs(by - ay) > 1e-12:
            one, other = (low - ay) / (by - ay), (high - ay) / (by - ay)
            first, second = max(min(one, other), 0.0), min(max(one, other), 1.0)
        x0, x1 = ax + (bx - ax) * first, ax + (bx - ax) * second
        spans[count, 0] = min(x0, x1) - radius - rects[i, 2] + beside
        spans[count, 1] = max(x0, x1) + radius - rects[i, 0] - beside
        count += 1
    return count


@lean
def bar_shape(
    points: Floats,
    first: int,
    stop: int,
    radius: float,
    slack: float,
    beside: float,
    rects: Floats,
    here: Stretch,
    spans: Floats,
    count: int,
) -> int:
    """Add the shifts that the edges of one polygon bar."""
    dx, dy = points[stop - 1, 0] - here.x, points[stop - 1, 1] - here.y
    ax, ay = dx * here.cosine - dy * here.sine, dx * here.sine + dy * here.cosine
    for k in range(first, stop):
        dx, dy = points[k, 0] - here.x, points[k, 1] - here.y
        bx, by = dx * here.cosine - dy * here.sine, dx * here.sine + dy * here.cosine
        count = bar_edge(rects, radius, slack, beside, ax, ay, bx, by, spans, count)
        ax, ay = bx, by
    return count


@lean
def edge_room(
    rects: Floats, here: Stretch, width: float, depth: float, low: float, high: float
) -> tuple[float, float]:
    """The part of the shifts low..high at which no corner leaves the table."""
    step_x, step_y = here.cosine, -here.sine
    for i in range(rects.shape[0]):
        for k in range(4):
            across, along = rects[i, 0 if k % 2 == 0 else 2], rects[i, 1 if k < 2 else 3]
            for axis in range(2):
                if axis == 0:
                    at, step, size = here.x + (across * here.cosine + along * here.sine), step_x, width
                else:
                    at, step, size = here.y + (along * here.cosine - across * here.sine), step_y, depth
                if abs(step) < 1e-12:
                    if at < -SLACK or at > size + SLACK:
                        return math.inf, -math.inf
                    continue
                one, other = (-EPS - at) / step, (size + EPS - at) / step
                low, high = max(low, min(one, other)), min(high, max(one, other))
    return low, high


@lean
def is_free(
    board: Board, rects: Floats, here: Stretch, shift: float, one: int, other: int, spans: Floats, count: int
) -> bool:
    """Whether the block may stand at a shift: in no barred span, not inside impassable ground or a third unit.

    Spans come from edges: where a rectangle is all inside something wider and deeper, no edge tells.
    """
    for k in range(count):
        if spans[k, 0] + 1e-9 < shift < spans[k, 1] - 1e-9:
            return False
    for piece in range(board.pieces.shape[0]):
        if int(board.pieces[piece, FLAGS]) & IMPASSABLE:
            first = int(board.pieces[piece, PIECE_FIRST])
            stop = first + int(board.pieces[piece, PIECE_COUNT])
            for i in range(rects.shape[0]):
                across, along = (rects[i, 0] + rects[i, 2]) / 2 + shift, (rects[i, 1] + rects[i, 3]) / 2
                x = here.x + (across * here.cosine + along * here.sine)
                y = here.y + (along * here.cosine - across * here.sine)
                if holds_point(board.ground, first, stop, x, y):
                    return False
    for unit in range(board.bounds.shape[0]):
        if unit in (one, other):
            continue
        for i in range(rects.shape[0]):
            across, along = (rects[i, 0] + rects[i, 2]) / 2 + shift, (rects[i, 1] + rects[i, 3]) / 2
            x = here.x + (across * here.cosine + along * here.sine)
            y = here.y + (along * here.cosine - across * here.sine)
            dx, dy = board.circles[unit, 0] - x, board.circles[unit, 1] - y
            if dx * dx + dy * dy > board.circles[unit, 2] * board.circles[unit, 2]:
                continue
            for j in range(board.bounds[unit, 0], board.bounds[unit, 1]):
                first = int(board.rows[j, FIRST])
                if holds_point(board.points, first, first + int(board.rows[j, COUNT]), x, y):
                    return False
    return True


@lean
def open_part(spans: Floats, count: int, met: float) -> tuple[float, float]:
    """From where to where a block that stands at a shift comes without sliding through anything.

    Where the turn itself would end in something, it may leave that on either side.
    """
    left, right = met, met
    for _ in range(count):
        for k in range(count):
            holds = spans[k, 0] < met < spans[k, 1]
            if holds or (spans[k, 0] < right - 1e-9 and spans[k, 1] > left + 1e-9):
                left, right = min(left, spans[k, 0]), max(right, spans[k, 1])
    low, high = -math.inf, math.inf
    for k in range(count):
        if spans[k, 0] >= right - 1e-9:
            high = min(high, spans[k, 0])
        elif spans[k, 1] <= left + 1e-9:
            low = max(low, spans[k, 1])
    return low, high


@lean
def gather_spans(
    board: Board, rects: Floats, here: Stretch, far: float, one: int, other: int, spans: Floats
) -> int:
    """All barred spans from units other than the two that fight, and from impassable ground."""
    count = 0
    for unit in range(board.bounds.shape[0]):
        dx, dy = board.circles[unit, 0] - here.x, board.circles[unit, 1] - here.y
        bound = far + board.circles[unit, 2]
        if unit in (one, other) or dx * dx + dy * dy > bound * bound:
            continue
        for j in range(board.bounds[unit, 0], board.bounds[unit, 1]):
            first = int(board.rows[j, FIRST])
            stop = first + int(board.rows[j, COUNT])
            radius = board.rows[j, RADIUS]
            count = bar_shape(board.points, first, stop, radius, SLACK, SLACK, rects, here, spans, count)
    for piece in range(board.pieces.shape[0]):
        dx, dy = board.pieces[piece, PIECE_X] - here.x, board.pieces[piece, PIECE_Y] - here.y
        bound = far + max(board.pieces[piece, PIECE_REACH], 0.0)
        if int(board.pieces[piece, FLAGS]) & IMPASSABLE and dx * dx + dy * dy <= bound * bound:
            first = int(board.pieces[piece, PIECE_FIRST])
            stop = first + int(board.pieces[piece, PIECE_COUNT])
            # A grid step beside it is kept free, because rounding may take it: nobody ends where no march begins.
            count = bar_shape(board.ground, first, stop, 0.0, EPS, -2 * EPS, rects, here, spans, count)
    return count


@kernel
def free_shifts(
    board: Board, rects: Floats, here: Stretch, one: int, other: int, low: float, high: float, wanted: float
) -> tuple[bool, float, float, float]:
    """Where a block put `here` may stand when shifted by low..high to its right.

    Whether anywhere at all, the free shift nearest to `wanted` (left before right), and how far it may slide
    from there in both directions.
    """
    reach = 0.0
    for i in range(rects.shape[0]):
        for k in range(4):
            across, along = rects[i, 0 if k % 2 == 0 else 2], rects[i, 1 if k < 2 else 3]
            reach = max(reach, math.sqrt(across * across + along * along))
    spans = np.empty((MOST_SPANS, 2))
    far = reach + max(abs(low), abs(high))
    count = gather_spans(board, rects, here, far, one, other, spans)
    first, last = open_part(spans, count, wanted)
    low, high = edge_room(rects, here, board.width, board.depth, max(low, first), min(high, last))
    if low > high:
        return False, 0.0, 0.0, 0.0
    start, away = 0.0, math.inf
    for k in range(2 * count + 3):
        shift = spans[k // 2, k % 2] if k < 2 * count else low if k == 2 * count else high
        shift = min(max(wanted, low), high) if k == 2 * count + 2 else shift
        off = abs(shift - wanted)
        is_nearer = off < away - 1e-9 or (off < away + 1e-9 and shift < start)
        if (
            low <= shift <= high
            and is_nearer
            and is_free(board, rects, here, shift, one, other, spans, count)
        ):
            start, away = shift, off
    for k in range(count):
        if spans[k, 1] <= start + 1e-9:
            low = max(low, spans[k, 1])
        elif spans[k, 0] >= start - 1e-9:
            high = min(high, spans[k, 0])
    return away < math.inf, start, min(low, start), max(high, start)


@lean
def slide_room(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, x: float, y: float, heading: float,
    one: int, other: int, low: float, high: float, wanted: float,
) -> tuple[bool, float, float, float]:  # fmt: skip
    """`free_shifts` for a caller outside the kernels."""
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    sine, cosine = direction(heading)
    return free_shifts(board, rects, standing(x, y, sine, cosine), one, other, low, high, wanted)
