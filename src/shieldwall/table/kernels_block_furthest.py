"""Compiled search for the longest legal leg, and for marches that a bot may pick from."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import Floats, Ints, direction
from shieldwall.table.kernels_block import (
    MOST_FOUND,
    PASSES_TERRAIN,
    PASSES_UNITS,
    Board,
    Mover,
    Stretch,
    ground_height,
    part,
    snap,
    standing,
    wipe,
)
from shieldwall.table.kernels_block_march import QUARTER, march
from shieldwall.table.kernels_block_run import (
    BACKWARD,
    FORWARD,
    LEFTWARD,
    RIGHTWARD,
    fronts_of,
    run_over_ground,
    run_to_edge,
    run_to_units,
)
from shieldwall.table.tolerance import EPS

STRIDE = 250  # thousandths: how finely a run over heights and gaps is tried

# What a bot's number stands for: which kind of march, which of 25 turns, which ninths of each straight leg.
KINDS, TURNS, SHARES = 8, 25, 9
# Columns of a proposed march: first leg, turn, second leg, quarter of the first; x, y, heading, z where it ends;
# inches that its legs and its climbs use, whether it is slowed, whether it crosses any ground.
PROPOSAL = 12


class Purse(NamedTuple):
    """What a march may spend, in inches: in all, sideways or backwards, and once slowed."""

    allowance: float
    half: float
    cap: float


class Walk(NamedTuple):
    """Who marches, from where, and what the rules allow: all that stays the same while legs are tried."""

    mover: Mover
    numbers: Floats
    purse: Purse
    x: float
    y: float
    heading: float


class Notes(NamedTuple):
    """Room for the faults and crossings of a trial that nobody will read."""

    found: Floats
    crossed: Ints


@part
def make_notes(board: Board, mover: Mover) -> Notes:
    crossed = np.zeros((board.pieces.shape[0], mover.bases.shape[0]), dtype=np.int64)
    return Notes(np.empty((MOST_FOUND, 3)), crossed)


@part
def cost(board: Board, walk: Walk, legs: Ints, allowance: float, notes: Notes) -> tuple[float, bool]:
    """The inches that a march uses with climbing, below 0 where it is not legal; whether it is slowed."""
    wipe(notes.crossed)
    end = march(
        board, walk.mover, walk.numbers, walk.x, walk.y, walk.heading, legs, notes.found, notes.crossed
    )
    limit = min(allowance, walk.purse.cap) if end[5] else allowance
    is_good = end[6] == 0 and end[3] + end[4] <= limit + EPS
    return end[3] + end[4] if is_good else -1.0, end[5]


@part
def is_legal(board: Board, walk: Walk, legs: Ints, allowance: float, notes: Notes) -> bool:
    """Whether a march has no fault and does not go too far."""
    return cost(board, walk, legs, allowance, notes)[0] >= 0.0


@part
def set_last(legs: Ints, quarter: int, amount: int) -> None:
    """Write the last leg: an amount in one of the four directions."""
    last = legs.shape[0] - 3
    legs[last] = 0
    legs[last + 1] = amount if quarter == RIGHTWARD else -amount if quarter == LEFTWARD else 0
    legs[last + 2] = amount if quarter == FORWARD else -amount if quarter == BACKWARD else 0


@part
def step_up(
    board: Board, walk: Walk, legs: Ints, quarter: int, amount: int, allowance: float, notes: Notes
) -> int:
    """The longest last leg, at most `amount`, up to which every shorter one tried was legal too."""
    good, bad = 0, -1
    while bad < 0 and good < amount:
        tried = min(good + STRIDE, amount)
        set_last(legs, quarter, tried)
        if is_legal(board, walk, legs, allowance, notes):
            good = tried
        else:
            bad = tried
    while bad - good > 1:
        tried = (good + bad) // 2
        set_last(legs, quarter, tried)
        if is_legal(board, walk, legs, allowance, notes):
            good = tried
        else:
            bad = tried
    set_last(legs, quarter, good)
    return good


@part
def step_down(
    board: Board, walk: Walk, legs: Ints, quarter: int, amount: int, allowance: float, notes: Notes
) -> int:
    """The longest legal last leg on a grid of strides below `amount`: for those who pass over everything."""
    while amount > 0:
        set_last(legs, quarter, amount)
        if is_legal(board, walk, legs, allowance, notes):
            return amount
        amount = max(amount - STRIDE, 0)
    set_last(legs, quarter, 0)
    return 0


@kernel
def furthest(board: Board, walk: Walk, legs: Ints, quarter: int, notes: Notes) -> int:
    """The longest legal last leg of a march whose other legs are given; the leg is written into `legs`.

    Those who pass over units and terrain get the longest leg with a free end, all others the longest before
    anything stands in the way. 0 also where the other legs alone are illegal.
    """
    mover, numbers, purse = walk.mover, walk.numbers, walk.purse
    allowance = purse.allowance if quarter == FORWARD else purse.half
    last = legs.shape[0] - 3
    x, y, heading, straight, climb, is_slowed, _ = march(
        board, mover, numbers, walk.x, walk.y, walk.heading, legs[:last], notes.found, notes.crossed
    )
    wipe(notes.crossed)
    spent = straight + climb
    limit = (min(allowance, purse.cap) if is_slowed else allowance) - spent
    set_last(legs, quarter, 0)
    if limit <= 0.0:
        return 0
    out = np.empty((6, 2))
    sine, cosine = direction(walk.heading)
    start = standing(walk.x / 1000.0, walk.y / 1000.0, sine, cosine)
    sine, cosine = direction(heading)
    facing = standing(x / 1000.0, y / 1000.0, sine, cosine)
    sine, cosine = direction((heading + quarter * QUARTER) % (4 * QUARTER))
    way = Stretch(facing.x, facing.y, sine, cosine, 0.0, limit)
    fronts = fronts_of(mover.rects, quarter)
    barred, slow, is_tricky = run_over_ground(board, mover, numbers, facing, way, fronts, out)
    run = min(barred, run_to_edge(board, mover, facing, way))
    is_flier = numbers[PASSES_UNITS] > 0.0 or numbers[PASSES_TERRAIN] > 0.0
    if numbers[PASSES_UNITS] <= 0.0:
        run = min(run, run_to_units(board, mover, numbers, start, way, fronts, out))
    if slow < run:
        run = min(run, max(slow, purse.cap - spent))
    return settle(board, walk, legs, quarter, math.floor(run * 1000.0 + 1e-6), is_tricky, is_flier, notes)


@part
def settle(
    board: Board, walk: Walk, legs: Ints, quarter: int, amount: int, is_tricky: bool, is_flier: bool,
    notes: Notes,
) -> int:  # fmt: skip
    """Bring a computed run onto the grid so that the march as a whole is legal."""
    allowance = walk.purse.allowance if quarter == FORWARD else walk.purse.half
    if not is_tricky:
        for tried in range(amount, max(amount - 4, -1), -1):
            set_last(legs, quarter, tried)
            if is_legal(board, walk, legs, allowance, notes):
                return tried
    if is_flier:
        return step_down(board, walk, legs, quarter, amount, allowance, notes)
    return step_up(board, walk, legs, quarter, amount, allowance, notes)


@kernel
def longest_leg(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    numbers: Floats, allowance: float, half: float, cap: float, x: float, y: float, heading: float,
    legs: Ints, quarter: int,
) -> int:  # fmt: skip
    """`furthest` for a caller outside the kernels."""
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    mover = Mover(rects, bases, row, reach)
    walk = Walk(mover, numbers, Purse(allowance, half, cap), x, y, heading)
    return furthest(board, walk, legs, quarter, make_notes(board, mover))


@part
def note_end(board: Board, walk: Walk, legs: Ints, allowance: float, notes: Notes, answer: Floats) -> bool:
    """Write what legs come to into a proposal and say whether they are legal; what they cross stays in the notes."""
    wipe(notes.crossed)
    x, y, heading, straight, climb, is_slowed, faults = march(
        board, walk.mover, walk.numbers, walk.x, walk.y, walk.heading, legs, notes.found, notes.crossed
    )
    answer[4], answer[5], answer[6] = x, y, heading
    answer[7] = snap(ground_height(board, x / 1000.0, y / 1000.0) * 1000.0)
    answer[8], answer[9], answer[10], answer[11] = straight, climb, is_slowed, notes.crossed.any()
    limit = min(allowance, walk.purse.cap) if is_slowed else allowance
    return faults == 0 and straight + climb <= limit + EPS


@kernel
def propose(
    points: Floats, rows: Floats, bounds: Ints, circles: Floats, ground: Floats, pieces: Floats,
    width: float, depth: float, rects: Floats, bases: Floats, row: int, reach: float,
    numbers: Floats, allowance: float, half: float, cap: float, x: float, y: float, heading: float,
    pivot_limit: int, picks: Ints, answers: Floats, crossed: Ints,
) -> None:  # fmt: skip
    """One legal march for each of a bot's numbers; standing still where the number leads nowhere.

    `crossed` tells afterwards which models cross which piece on the last of them.
    """
    board = Board(points, rows, bounds, circles, ground, pieces, width, depth)
    mover = Mover(rects, bases, row, reach)
    walk = Walk(mover, numbers, Purse(allowance, half, cap), x, y, heading)
    notes = Notes(np.empty((MOST_FOUND, 3)), crossed)
    ahead = np.zeros(3, dtype=np.int64)
    runs = np.full(4, -1, dtype=np.int64)
    for i in range(picks.shape[0]):
        pick = picks[i]
        kind, pick = pick % KINDS, pick // KINDS
        turn = int(snap((pick % TURNS - TURNS // 2) * pivot_limit / (TURNS // 2)))
        pick //= TURNS
        quarter = kind - 4 if kind > 4 and half > 0.0 else FORWARD
        if runs[quarter] < 0:
            runs[quarter] = furthest(board, walk, ahead, quarter, notes)
        set_last(ahead, quarter, int(snap(pick % SHARES / (SHARES - 1) * runs[quarter])))
        if quarter == FORWARD and kind < 4:
            propose_turn(
                board, walk, ahead[2], turn, pick // SHARES % SHARES / (SHARES - 1), notes, answers[i]
            )
        else:
            propose_straight(board, walk, ahead, quarter, notes, answers[i])


@part
def propose_turn(
    board: Board, walk: Walk, first: int, turn: int, share: float, notes: Notes, answer: Floats
) -> None:
    """Forward, a turn and a share of the run behind it; without the turn where that does not work."""
    legs = np.zeros(9, dtype=np.int64)
    legs[2], legs[3] = first, turn
    run = furthest(board, walk, legs, FORWARD, notes)
    set_last(legs, FORWARD, int(snap(share * run)))
    if turn == 0:  # one leg, as whoever checks it will read it: rounding once or twice is not the same
        legs[2] = first + legs[8]
        propose_straight(board, walk, legs[:3], FORWARD, notes, answer)
        return
    if note_end(board, walk, legs, walk.purse.allowance, notes, answer):
        answer[0], answer[1], answer[2], answer[3] = first, turn, legs[8], FORWARD
    else:
        propose_straight(board, walk, legs[:3], FORWARD, notes, answer)


@part
def propose_straight(board: Board, walk: Walk, leg: Ints, quarter: int, notes: Notes, answer: Floats) -> None:
    """A single leg, or none where a part of a legal run is not legal itself."""
    allowance = walk.purse.allowance if quarter == FORWARD else walk.purse.half
    answer[0], answer[1], answer[2], answer[3] = abs(leg[1]) + abs(leg[2]), 0, 0, quarter
    if not note_end(board, walk, leg, allowance, notes, answer):
        answer[0] = 0
        note_end(board, walk, np.zeros(3, dtype=np.int64), allowance, notes, answer)
