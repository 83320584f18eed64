"""Compiled search for charges: forward, one turn, forward, until the front meets the target.

The target is met by the front alone: a corner that swings against it in the turn is no charge
(R35-MELEE-15). Ways are tried in a fixed order, straight ahead first, then aimed turns, then a grid that is
refined where it came close; the first way that meets the proper side wins, otherwise the shortest one
found.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, RADIUS, Floats, Ints, direction
from shieldwall.table.kernels_block import (
    DIFFICULT,
    FLAGS,
    IMPASSABLE,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SLACK,
    Board,
    Mover,
    Stretch,
    is_near,
    part,
    standing,
    unit_gap,
)
from shieldwall.table.kernels_block_furthest import Notes, Purse, Walk, cost, furthest, make_notes
from shieldwall.table.kernels_block_march import FULL_TURN, leg_end
from shieldwall.table.kernels_block_run import FORWARD, fronts_of, run_to_shape, run_to_unit
from shieldwall.table.kernels_block_target import (
    FRONT,
    LEFT,
    REAR,
    RIGHT,
    SIDES,
    Target,
    has_room,
    proper_side,
    sides_met,
    target_of,
)
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

OPTION = 7  # columns of an option: row of the target, side, first leg, turn, second leg, proper side, used

STEP = 1000  # thousandths between the points of the first leg at which turns are tried
SHORT_STEP, SHORT_UP_TO = 250, 2000  # finer at the beginning: who stands beside a target turns soon or never
TURN_STEP = 750  # hundredths between the turns tried there
REFINEMENTS = 5
TRIES = 60  # legality checks spent on one target before it counts as out of reach
NEAR_MISS = 1.5  # inches by which a way may fall short to be worth refining


class Hunt(NamedTuple):
    """One search: who charges whom, how far away, and what is tried with it."""

    walk: Walk
    target: Target
    away: float
    fronts: Floats
    legs: Ints
    out: Floats
    best: Floats  # for each side: used, first leg, turn, second leg
    close: Floats  # the nearest miss: by how much, first leg, turn; then the tries that are left


MISSED, BLOCKED = 1e6, 0.5


@lean
def is_barred(board: Board, hunt: Hunt, way: Stretch, has_turned: bool, is_long: bool) -> bool:
    """A quick look at the last leg: whether somebody or something is met before the target is.

    A long way is also barred by ground that slows.
    """
    walk = hunt.walk
    mover, numbers = walk.mover, walk.numbers
    here = standing(way.x, way.y, way.sine, way.cosine)
    if numbers[PASSES_UNITS] <= 0.0:
        for unit in range(board.bounds.shape[0]):
            x, y, reach = board.circles[unit, 0], board.circles[unit, 1], board.circles[unit, 2]
            if unit == mover.row or not is_near(way, mover.reach, x, y, reach):
                continue
            if unit != hunt.target.row and run_to_unit(board, unit, way, hunt.fronts, -EPS) < way.ahead - EPS:
                return True
            if has_turned and unit_gap(board, mover, unit, here, hunt.out) < -SLACK:
                return True
    if numbers[PASSES_TERRAIN] <= 0.0:
        bars = IMPASSABLE | DIFFICULT if is_long and numbers[PASSES_DIFFICULT] <= 0.0 else IMPASSABLE
        for piece in range(board.pieces.shape[0]):
            row = board.pieces[piece]
            if not int(row[FLAGS]) & bars:
                continue
            if is_near(way, mover.reach, row[PIECE_X], row[PIECE_Y], row[PIECE_REACH]):
                first = int(row[PIECE_FIRST])
                stop = first + int(row[PIECE_COUNT])
                if run_to_shape(board.ground, first, stop, way, hunt.fronts, -EPS) < way.ahead - EPS:
                    return True
    return False


@lean
def try_way(board: Board, hunt: Hunt, first: int, turn: int, notes: Notes) -> float:
    """Try one way and remember it where it works; otherwise by how many inches it falls short."""
    walk, target = hunt.walk, hunt.target
    sine, cosine = direction(walk.heading)
    x, y = leg_end(walk.x, walk.y, sine, cosine, 0.0, float(first))
    sine, cosine = direction((walk.heading + turn) % FULL_TURN)
    way = standing(x / 1000.0, y / 1000.0, sine, cosine)
    run = run_to_unit(board, target.row, way, hunt.fronts, -EPS) - EPS
    if run == math.inf:
        return MISSED
    short = first / 1000.0 + run - walk.purse.allowance
    if short > EPS:
        return short
    second = max(math.floor(run * 1000.0 + 1e-6), 0)
    way = Stretch(way.x, way.y, sine, cosine, 0.0, max(run, 0.0))
    is_long = max(first / 1000.0 + run, hunt.away) > walk.purse.cap + EPS
    if (turn != 0 and second == 0) or is_barred(board, hunt, way, turn != 0, is_long):
        return BLOCKED
    hunt.close[3] -= 1.0
    if hunt.close[3] < 0.0:
        return MISSED
    hunt.legs[2], hunt.legs[3], hunt.legs[8] = first, turn, second
    used, is_slowed = cost(board, walk, hunt.legs, walk.purse.allowance, notes)
    if used < 0.0 or (is_slowed and hunt.away > walk.purse.cap + EPS):
        return BLOCKED  # a swinging corner gives no more reach than the ruler did (R35-TERRAIN-19)
    x, y = leg_end(x, y, sine, cosine, 0.0, float(second))
    end = standing(x / 1000.0, y / 1000.0, sine, cosine)
    if unit_gap(board, walk.mover, target.row, end, hunt.out) > SLACK:
        return BLOCKED
    met = sides_met(board, target, walk.mover, end)
    for side in range(SIDES):
        if (
            met >> side & 1
            and used < hunt.best[side, 0]
            and has_room(board, walk.mover, target, side, end.x, end.y)
        ):
            hunt.best[side, 0], hunt.best[side, 1] = used, first
            hunt.best[side, 2], hunt.best[side, 3] = turn, second
    return 0.0


@part
def attempt(board: Board, hunt: Hunt, first: int, turn: int, notes: Notes) -> None:
    """Try one way and keep it in mind where it is the nearest miss so far."""
    short = try_way(board, hunt, first, turn, notes)
    if short < hunt.close[0]:
        hunt.close[0], hunt.close[1], hunt.close[2] = short, first, turn


@part
def aim(walk: Walk, x: float, y: float, limit: int) -> int:
    """The turn that looks at a point, as far as it is allowed."""
    sine, cosine = direction(walk.heading)
    dx, dy = x - walk.x / 1000.0, y - walk.y / 1000.0
    turn = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine) * (18000.0 / math.pi)
    return int(min(max(math.floor(turn + 0.5), -limit), limit))


@part
def side_middle(target: Target, side: int) -> tuple[float, float]:
    """The middle of one side of the target."""
    across = target.half_width if side == RIGHT else -target.half_width if side == LEFT else 0.0
    along = target.half_depth if side == FRONT else -target.half_depth if side == REAR else 0.0
    x = target.x + (across * target.cosine + along * target.sine)
    y = target.y + (along * target.cosine - across * target.sine)
    return x, y


@lean
def bearings(board: Board, hunt: Hunt, first: int) -> tuple[float, float, float]:
    """Turns, in hundredths, that can meet the target after a first leg: about which one, from and to."""
    walk, target = hunt.walk, hunt.target
    sine, cosine = direction(walk.heading)
    x, y = walk.x / 1000.0 + first / 1000.0 * sine, walk.y / 1000.0 + first / 1000.0 * cosine
    dx, dy = target.x - x, target.y - y
    middle = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine)
    low, high, nearest = 0.0, 0.0, math.inf
    half = (hunt.fronts[0, 1] - hunt.fronts[0, 0]) / 2
    for j in range(board.bounds[target.row, 0], board.bounds[target.row, 1]):
        begin = int(board.rows[j, FIRST])
        for k in range(begin, begin + int(board.rows[j, COUNT])):
            dx, dy = board.points[k, 0] - x, board.points[k, 1] - y
            away = math.sqrt(dx * dx + dy * dy) - board.rows[j, RADIUS]
            nearest = min(nearest, away)
            spread = math.asin(half / away) if away > half else math.pi
            bearing = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine) - middle
            bearing = (bearing + 3.0 * math.pi) % (2.0 * math.pi) - math.pi
            low, high = min(low, bearing - spread), max(high, bearing + spread)
    scale = 18000.0 / math.pi
    return middle * scale, low * scale, high * scale


@part
def search_grid(board: Board, hunt: Hunt, wanted: int, first_run: int, limit: int, notes: Notes) -> None:
    """Try turns after every step of the first leg until the wanted side is met."""
    first = 0
    while hunt.best[wanted, 0] == math.inf and hunt.close[3] >= 0.0:
        middle, low, high = bearings(board, hunt, first)
        for k in range(limit // TURN_STEP * 2 + 1):
            turn = (k + 1) // 2 * TURN_STEP * (1 if k % 2 else -1)
            off = (turn - middle + 3 * FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2
            if low <= off <= high and hunt.best[wanted, 0] == math.inf:
                attempt(board, hunt, first, turn, notes)
        if first >= first_run:
            break
        first = min(first + (SHORT_STEP if first < SHORT_UP_TO else STEP), first_run)


@part
def refine(board: Board, hunt: Hunt, first_run: int, limit: int, notes: Notes) -> None:
    """Search round the nearest miss with ever smaller steps until some way works."""
    step, turn_step = STEP // 2, TURN_STEP // 2
    for _ in range(REFINEMENTS):
        first, turn = int(hunt.close[1]), int(hunt.close[2])
        for i in range(-1, 2):
            for k in range(-1, 2):
                if (i != 0 or k != 0) and hunt.best[:, 0].min() == math.inf:
                    near = min(max(first + i * step, 0), first_run)
                    attempt(board, hunt, near, min(max(turn + k * turn_step, -limit), limit), notes)
        step, turn_step = step // 2, turn_step // 2


@part
def hunt_down(board: Board, hunt: Hunt, wanted: int, first_run: int, limit: int, notes: Notes) -> None:
    """Fill `hunt.best` until the wanted side is met or everything was tried."""
    attempt(board, hunt, 0, 0, notes)
    if limit > 0 and hunt.best[wanted, 0] == math.inf:
        x, y = side_middle(hunt.target, wanted)
        attempt(board, hunt, 0, aim(hunt.walk, x, y, limit), notes)
    if limit > 0 and hunt.best[wanted, 0] == math.inf:
        search_grid(board, hunt, wanted, first_run, limit, notes)
        if hunt.best[:, 0].min() == math.inf and hunt.close[0] < NEAR_MISS:
            refine(board, hunt, first_run, limit, notes)


@part
def nearest_side(best: Floats, wanted: int) -> int:
    """The wanted side where it was met, else the one met on the shortest way, front before flank before
    rear.
    """
    if best[wanted, 0] < math.inf:
        return wanted
    chosen = -1
    for side in range(SIDES):
        if best[side, 0] < math.inf and (chosen < 0 or best[side, 0] < best[chosen, 0]):
            chosen = side
    return chosen


@part
def charge_one(
    board: Board, walk: Walk, row: int, wanted: int, leaders: Floats, first_run: int, limit: int,
    notes: Notes, answer: Ints,
) -> bool:  # fmt: skip
    """Look for a charge on one unit; `wanted` -1 stands for the proper side."""
    target = target_of(board, row)
    sine, cosine = direction(walk.heading)
    here = standing(walk.x / 1000.0, walk.y / 1000.0, sine, cosine)
    fronts = fronts_of(walk.mover.rects, FORWARD)
    side = wanted if wanted >= 0 else proper_side(target, here, leaders, fronts[0, 2])
    close = np.array([math.inf, 0.0, 0.0, TRIES])
    best = np.full((SIDES, 4), math.inf)
    away = unit_gap(board, walk.mover, row, here, np.empty((6, 2)))
    hunt = Hunt(walk, target, away, fronts, np.zeros(9, dtype=np.int64), np.empty((6, 2)), best, close)
    hunt_down(board, hunt, side, first_run, limit, notes)
    met = nearest_side(best, side) if wanted < 0 else side if best[side, 0] < math.inf else -1
    answer[0], answer[1], answer[5] = row, met, side
    if met >= 0:
        answer[2], answer[3], answer[4] = int(best[met, 1]), int(best[met, 2]), int(best[met, 3])
        answer[6] = math.floor(best[met, 0] * 1000.0 + 0.5)
    return met >= 0


@kernel
def find_charges(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    numbers: Floats, allowance: float, cap: float, x: float, y: float, heading: float,
    leaders: Floats, sides: Ints, only: int, wanted: int, limit: int, answers: Ints,
) -> int:  # fmt: skip
    """Every enemy unit that can be charged, or `only` one of them, into `answers`; how many there are."""
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    mover = Mover(rects, bases, row, reach)
    walk = Walk(mover, numbers, Purse(allowance, 0.0, cap), x, y, heading)
    sine, cosine = direction(heading)
    here = standing(x / 1000.0, y / 1000.0, sine, cosine)
    out = np.empty((6, 2))
    notes = make_notes(board, mover)
    count = 0
    first_run = -1
    for other in range(bounds.shape[0]):
        if sides[other] == sides[row] or (only >= 0 and other != only):
            continue
        dx, dy = circles[other, 0] - here.x, circles[other, 1] - here.y
        bound = allowance + reach + circles[other, 2] + EPS
        if dx * dx + dy * dy > bound * bound or unit_gap(board, mover, other, here, out) > allowance + EPS:
            continue
        if first_run < 0:
            first_run = math.floor(allowance * 1000.0 + 0.5)  # who flies may turn above anything
            if numbers[PASSES_UNITS] <= 0.0 and numbers[PASSES_TERRAIN] <= 0.0:
                first_run = furthest(board, walk, np.zeros(3, dtype=np.int64), FORWARD, notes)
        if charge_one(board, walk, other, wanted, leaders, first_run, limit, notes, answers[count]):
            count += 1
    return count
