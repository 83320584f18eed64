"""Compiled checks of a block's move: swept outlines against the table edge, other units and terrain.

A block is a few rectangles about one centre. A straight leg sweeps each of them into a convex hexagon, a
pivot is judged by its end alone. Poses come in and go out as whole thousandths and hundredths, distances
are inches. What is wrong is written into `found`, one row for each (what, with whom): code, index, a
number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar, cast

from shieldwall.table.compiled import IS_COMPILED
from shieldwall.table.kernels import COUNT, FIRST, RADIUS, Floats, Ints, core_gap, point_to_segment
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

Given = ParamSpec("Given")
Answer = TypeVar("Answer")

# Two blocks put against each other keep a gap or an overlap of up to one and a half grid steps.
SLACK = 4 * EPS
CREEP = 7 * EPS  # who goes past a unit may come this much nearer than it should, but no nearer step by step

# Columns of a piece: bounding circle, flags, height on which models stand, first vertex, number of vertices.
PIECE_X, PIECE_Y, PIECE_REACH, FLAGS, HEIGHT, PIECE_FIRST, PIECE_COUNT = range(7)
PIECE_COLUMNS = 7
IMPASSABLE, DIFFICULT, UPHILL, GAP, SLOPE = 1, 2, 4, 8, 16

# What a move may do, as numbers: see MarchLimits.
SPACING, CLIMB_FREE, PASSES_UNITS, PASSES_TERRAIN, PASSES_DIFFICULT = range(5)
NUMBERS = 5

# What can be wrong with a move; of the faults with one and the same unit the first is the worst.
EDGE, THROUGH, TOO_CLOSE, CLOSER, CONTACT, BARRED, OVERHANG = range(1, 8)
CODE, WHO, VALUE = range(3)
MOST_FOUND = 64

APART, PARTLY, INSIDE = 0, 1, 2
CROSSED, WENT_UP = 1, 2  # bits of `crossed`


def part(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """A part of a kernel: written out wherever it is called instead of being compiled by itself.

    For the upper floors of a search only: a kernel that calls kernels compiles all of them once more, so a
    tall tower of them takes a minute. Nobody calls a part from Python where it is compiled.
    """
    if not IS_COMPILED:
        return function
    import numba

    return cast("Callable[Given, Answer]", numba.njit(inline="always")(function))


class Board(NamedTuple):
    """Everything a block can meet: outlines of all units on the table, and the pieces that act."""

    points: Floats
    rows: Floats
    bounds: Ints
    circles: Floats
    ground: Floats
    pieces: Floats
    width: float
    depth: float


class Mover(NamedTuple):
    """The block that moves: its outline and its bases in its own frame, its row on the board, its reach."""

    rects: Floats
    bases: Floats
    row: int
    reach: float


class Stretch(NamedTuple):
    """A straight way of the block's centre: where it begins, the heading, how far it goes in that frame."""

    x: float
    y: float
    sine: float
    cosine: float
    right: float
    ahead: float


@lean
def nearest_allowed(before: float, least: float) -> float:
    """How near a unit may come to another that is already closer than `least`.

    Who passes at the least distance is led by the grid and not quite by its heading: that is given once, not again
    with every move.
    """
    return least - CREEP if before >= least - CREEP else before - EPS


@lean
def standing(x: float, y: float, sine: float, cosine: float) -> Stretch:
    """The way of a block that stands still."""
    return Stretch(x, y, sine, cosine, 0.0, 0.0)


@lean
def snap(value: float) -> float:
    """The nearest whole number, halves upwards: the grid on which poses are stored."""
    return math.floor(value + 0.5)


@lean
def sweep(rects: Floats, i: int, shrink: float, way: Stretch, out: Floats) -> None:
    """The hexagon that a rectangle sweeps on its way, counter-clockwise into `out`."""
    right, ahead = way.right, way.ahead
    x0, y0 = rects[i, 0] + shrink, rects[i, 1] + shrink
    x1, y1 = rects[i, 2] - shrink, rects[i, 3] - shrink
    if right * ahead >= 0.0:
        low_x, low_y, high_x, high_y = min(right, 0.0), min(ahead, 0.0), max(right, 0.0), max(ahead, 0.0)
        out[0, 0], out[0, 1] = x0 + low_x, y0 + low_y
        out[1, 0], out[1, 1] = x1 + low_x, y0 + low_y
        out[2, 0], out[2, 1] = x1 + high_x, y0 + high_y
        out[3, 0], out[3, 1] = x1 + high_x, y1 + high_y
        out[4, 0], out[4, 1] = x0 + high_x, y1 + high_y
        out[5, 0], out[5, 1] = x0 + low_x, y1 + low_y
    else:
        low_x, low_y, high_x, high_y = min(right, 0.0), max(ahead, 0.0), max(right, 0.0), min(ahead, 0.0)
        out[0, 0], out[0, 1] = x0 + low_x, y0 + low_y
        out[1, 0], out[1, 1] = x0 + high_x, y0 + high_y
        out[2, 0], out[2, 1] = x1 + high_x, y0 + high_y
        out[3, 0], out[3, 1] = x1 + high_x, y1 + high_y
        out[4, 0], out[4, 1] = x1 + low_x, y1 + low_y
        out[5, 0], out[5, 1] = x0 + low_x, y1 + low_y
    for k in range(6):
        across, along = out[k, 0], out[k, 1]
        out[k, 0] = way.x + (across * way.cosine + along * way.sine)
        out[k, 1] = way.y + (along * way.cosine - across * way.sine)


@lean
def note(found: Floats, count: int, code: int, who: int, value: float) -> int:
    """Write down one fault; the same fault with the same other keeps its smallest number."""
    for k in range(count):
        if found[k, CODE] == code and found[k, WHO] == who:
            found[k, VALUE] = min(found[k, VALUE], value)
            return count
    if count < found.shape[0]:
        found[count, CODE] = code
        found[count, WHO] = who
        found[count, VALUE] = value
        count += 1
    return count


@lean
def unit_gap(board: Board, mover: Mover, unit: int, way: Stretch, out: Floats) -> float:
    """The smallest gap between the swept outline and another unit; below 0 by how deep they overlap."""
    best = math.inf
    for i in range(mover.rects.shape[0]):
        sweep(mover.rects, i, 0.0, way, out)
        for j in range(board.bounds[unit, 0], board.bounds[unit, 1]):
            first = int(board.rows[j, FIRST])
            stop = first + int(board.rows[j, COUNT])
            best = min(best, core_gap(out, 0, 6, board.points, first, stop) - board.rows[j, RADIUS])
    return best


@lean
def is_near(way: Stretch, reach: float, x: float, y: float, other: float) -> bool:
    """Whether a circle of radius `reach` on its way comes near the circle at (x, y)."""
    limit = reach + other
    end_x = way.x + (way.right * way.cosine + way.ahead * way.sine)
    end_y = way.y + (way.ahead * way.cosine - way.right * way.sine)
    return limit > 0.0 and point_to_segment(x, y, way.x, way.y, end_x, end_y) <= limit * limit


@lean
def holds_point(ground: Floats, first: int, stop: int, x: float, y: float) -> bool:
    """Whether a point lies inside an outline; on the border either answer may come."""
    inside = False
    ax, ay = ground[stop - 1, 0], ground[stop - 1, 1]
    for k in range(first, stop):
        bx, by = ground[k, 0], ground[k, 1]
        if (by > y) != (ay > y) and x < (ax - bx) * (y - by) / (ay - by) + bx:
            inside = not inside
        ax, ay = bx, by
    return inside


@lean
def relation(out: Floats, ground: Floats, first: int, stop: int) -> int:
    """How a convex hexagon lies to a piece: apart, partly over it, or wholly inside."""
    ax, ay = ground[stop - 1, 0], ground[stop - 1, 1]
    for k in range(first, stop):
        bx, by = ground[k, 0], ground[k, 1]
        enters, leaves = 0.0, 1.0
        x, y = out[5, 0], out[5, 1]
        for i in range(6):
            along_x, along_y = out[i, 0] - x, out[i, 1] - y
            side = (ax - x) * along_y - (ay - y) * along_x  # above 0: outside this side of the hexagon
            slope = (bx - ax) * along_y - (by - ay) * along_x
            if slope == 0.0:
                if side > 0.0 or (side == 0.0 and along_x * along_x + along_y * along_y > 0.0):
                    leaves = -1.0
            elif slope < 0.0:
                enters = max(enters, -side / slope)
            else:
                leaves = min(leaves, -side / slope)
            x, y = out[i, 0], out[i, 1]
        if enters < leaves:
            return PARTLY
        ax, ay = bx, by
    return INSIDE if holds_point(ground, first, stop, out[0, 0], out[0, 1]) else APART


@lean
def piece_relation(board: Board, rects: Floats, piece: int, way: Stretch, out: Floats) -> int:
    """How swept rectangles lie to a piece: the strongest answer of any. The border is not inside."""
    first = int(board.pieces[piece, PIECE_FIRST])
    stop = first + int(board.pieces[piece, PIECE_COUNT])
    answer = APART
    for i in range(rects.shape[0]):
        sweep(rects, i, EPS, way, out)
        answer = max(answer, relation(out, board.ground, first, stop))
    return answer


@lean
def beyond_edge(board: Board, rects: Floats, way: Stretch) -> float:
    """How far the block stands out over the table's edge where the way begins; at most 0 when it does not."""
    worst = -math.inf
    for i in range(rects.shape[0]):
        for k in range(4):
            across = rects[i, 0 if k % 2 == 0 else 2]
            along = rects[i, 1 if k < 2 else 3]
            px = way.x + (across * way.cosine + along * way.sine)
            py = way.y + (along * way.cosine - across * way.sine)
            worst = max(worst, -px, -py, px - board.width, py - board.depth)
    return worst


@lean
def ground_height(board: Board, x: float, y: float) -> float:
    """The highest ground on which a model at this point would stand."""
    highest = 0.0
    for piece in range(board.pieces.shape[0]):
        height = board.pieces[piece, HEIGHT]
        dx, dy = board.pieces[piece, PIECE_X] - x, board.pieces[piece, PIECE_Y] - y
        reach = board.pieces[piece, PIECE_REACH]
        if height > highest and dx * dx + dy * dy <= reach * reach:
            first = int(board.pieces[piece, PIECE_FIRST])
            stop = first + int(board.pieces[piece, PIECE_COUNT])
            if holds_point(board.ground, first, stop, x, y):
                highest = height
    return highest


@lean
def wipe(crossed: Ints) -> None:
    """Forget what was crossed."""
    for k in range(crossed.shape[0]):
        for base in range(crossed.shape[1]):
            crossed[k, base] = 0
