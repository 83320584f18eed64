"""Analyses in a worker: a piece at a time, so that several games take turns and each shows its progress."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.analysis import Analysis, growing_analysis
from shieldwall.core.codec import encode
from shieldwall.core.engine import pending_of
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.server.archive import counted, log_of, play_again
from shieldwall.server.match import COMMANDS, THROWS, Answered
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import CommandRow, GameRow, SeatRow

VERSION = 1  # version of the analysis: stored results of another version are recomputed
PIECE_SECONDS = 0.7  # of processor time, after which others get their turn
ANALYSES_KEPT = 8


class _Running(NamedTuple):
    steps: Iterator[Analysis]
    seqs: dict[int, int]


_running: OrderedDict[str, _Running] = OrderedDict()


def next_piece(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> Analysis:
    """Run the next piece of a game's analysis; from the start if this worker does not know it."""
    running = _running.get(game.id)
    is_new = running is None
    if running is None:
        running = _running[game.id] = _Running(growing_analysis(log_of(game, seats, rows)), _seqs_of(rows))
        while len(_running) > ANALYSES_KEPT:
            _running.popitem(last=False)
    try:
        found = _piece(running.steps, PIECE_SECONDS if not is_new else 0.0)  # the curve is shown at once
    except BaseException:
        del _running[game.id]
        raise
    if found.done >= 1:
        del _running[game.id]
    return _by_commands(found, running.seqs)


def _piece(steps: Iterator[Analysis], seconds: float) -> Analysis:
    """Continue for a while, or until another decision is found."""
    began, found = time.process_time(), next(steps)
    told = len(found.decisions)
    while time.process_time() - began < seconds and len(found.decisions) == told and found.done < 1:
        found = next(steps)
    return found


def _seqs_of(rows: list[CommandRow]) -> dict[int, int]:
    """The command that leads to each step of the log: an answer with all dice up to the next question."""
    found, step = dict[int, int](), 0
    for row in counted(rows):
        step += isinstance(COMMANDS.decode(row.payload), Answered) + len(THROWS.decode(row.dice))
        found[step] = row.seq
    return found


def _by_commands(found: Analysis, seqs: dict[int, int]) -> Analysis:
    """The same with command numbers in place of steps."""

    return replace(
        found,
        curve=tuple(replace(point, step=seqs.get(point.step, 0)) for point in found.curve),
        decisions=tuple(replace(one, step=seqs.get(one.step, 0)) for one in found.decisions),
        rolls=tuple(replace(roll, step=seqs.get(roll.step, 0)) for roll in found.rolls),
    )


class BranchPoint(NamedTuple):
    """A position to continue from."""

    state: bytes
    round: int


def branch_at(game: GameRow, rows: list[CommandRow], seq: int, names: tuple[str, ...]) -> BranchPoint:
    """The state after a command of a game, with new names for its seats."""
    played = [one for one in play_again(game, rows) if one.row.seq <= seq]
    if not played:
        raise NotNowError("malformed", f"there is no step {seq} in this game; choose one from its replay")
    state = played[-1].carried.state
    if pending_of(ruleset(game.edition), state) is None:
        raise NotNowError("over", "the battle is over at this step; choose an earlier one")
    return BranchPoint(encode(renamed(state, names)), state.round)


def renamed(state: State, names: tuple[str, ...]) -> State:
    """A state with new names for its seats, each answering its own questions."""
    seats = (replace(seat, name=name, auto=()) for seat, name in zip(state.seats, names, strict=True))
    return replace(state, seats=tuple(seats))
