"""Games looked at afterwards: the result and how it came about, replays, files to share, proof of the dice.

Everything follows from the stored commands; the functions here are pure and run in a worker.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import Progress, begin, submit_checked
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.replay import Log, LoggedActivation, LoggedAnswer, LoggedRoll, Recorder, Revealed, encode_log
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.dice_key import Throw
from shieldwall.server.live import THROWS
from shieldwall.server.log_lines import lines_of, rolls_of
from shieldwall.server.match import (
    COMMANDS,
    Answered,
    Began,
    CarriedOut,
    DriftError,
    TookBack,
    carried_again,
    stamp_of,
)
from shieldwall.server.messages import StepView
from shieldwall.server.present import board_view
from shieldwall.server.storage import CommandRow, GameRow, SeatRow
from shieldwall.story import Story


class PlayedCommand(NamedTuple):
    """One command of a game that counted, with what came of it."""

    row: CommandRow
    command: Began | Answered
    before: State
    carried: CarriedOut


def counted(rows: Iterable[CommandRow]) -> list[CommandRow]:
    """The commands that were not taken back, in order; giving up or running out of time is no move and is left out."""
    kept: list[CommandRow] = []
    length: dict[int, int] = {0: 0}  # how many commands counted after each number
    for row in rows:
        command = COMMANDS.decode(row.payload)
        if isinstance(command, TookBack):
            del kept[length[command.to] :]
        elif isinstance(command, Began | Answered):
            kept.append(row)
        length[row.seq] = len(kept)
    return kept


def _again(rules: Ruleset, state: State, command: Began | Answered, row: CommandRow) -> CarriedOut:
    try:
        return carried_again(rules, state, command, THROWS.decode(row.dice))
    except DriftError as error:
        raise DriftError(f"command {row.seq}: {error}", row.seq) from error
    except msgspec.DecodeError as error:
        raise DriftError(f"command {row.seq} cannot be read: {error}", row.seq) from error


def play_again(game: GameRow, rows: Iterable[CommandRow]) -> list[PlayedCommand]:
    """The whole game once more; a command that comes out differently raises `DriftError`."""
    rules, state = ruleset(game.edition), decode_state(game.setup)
    played = []
    for row in counted(rows):
        command = COMMANDS.decode(row.payload)
        assert isinstance(command, Began | Answered)
        carried = _again(rules, state, command, row)
        if stamp_of(carried.state, carried.throws) != row.state_hash:
            raise DriftError(f"command {row.seq} comes out differently than it was stored", row.seq)
        played.append(PlayedCommand(row, command, state, carried))
        state = carried.state
    return played


def steps_of(game: GameRow, seats: list[SeatRow], played: list[PlayedCommand]) -> tuple[StepView, ...]:
    """Every command as a step; the first one holds the whole board."""
    rules, story = ruleset(game.edition), Story(decode_state(game.setup), dice=False)
    who = {seat.seat: seat.who for seat in seats}
    steps = []
    for number, one in enumerate(played):
        story = copy.copy(story)
        carried = one.carried
        steps.append(
            StepView(
                seq=one.row.seq,
                hash=one.row.state_hash,
                seat=one.row.actor,
                actor="bot"
                if who.get(one.row.actor) == "bot"
                else "person"
                if one.row.actor >= 0
                else "server",
                events=carried.events,
                lines=lines_of(story, one.before, carried.events),
                rolls=rolls_of(carried.state, carried.events),
                board=board_view(rules, carried.state, one.before if number else None),
                why=one.command.why if isinstance(one.command, Answered) else "",
                at=one.row.at,
            )
        )
    return tuple(steps)


def throws_of(rows: Iterable[CommandRow]) -> list[Throw]:
    """All dice of a game that counted."""
    return [throw for row in counted(rows) for throw in THROWS.decode(row.dice)]


# --- files ---


def file_of(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> bytes:
    """The game as a log that any Shieldwall opens."""
    return encode_log(log_of(game, seats, rows))


def log_of(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> Log:
    """The game as a log."""
    rules, setup = ruleset(game.edition), decode_state(game.setup)
    recorder = Recorder(rules, setup, [seat.name for seat in seats], game.commitment)
    progress = begin(rules, setup)
    recorder.began(progress)
    for row in counted(rows):
        command = COMMANDS.decode(row.payload)
        throws = list(THROWS.decode(row.dice))
        if isinstance(command, Answered):
            progress = _recorded(recorder, rules, progress, command.answer)
        while isinstance(progress.pending, Roll):
            progress = _recorded(recorder, rules, progress, Faces(throws.pop(0).faces))
    if game.status == "over" and game.commitment:
        recorder.reveal(game.secret, [seat.nonce for seat in seats])
    return recorder.log()


def _recorded(recorder: Recorder, rules: Ruleset, progress: Progress, answer: AnyAnswer) -> Progress:
    before, pending = progress.state, progress.pending
    assert pending is not None
    after = submit_checked(rules, before, pending, answer)
    recorder.went(before, pending, answer, after)
    return after


class FromFile(NamedTuple):
    """A game out of a file: its set-up and its commands, as they are stored."""

    setup: State
    players: tuple[str, ...]
    commands: list[tuple[int, bytes, bytes, str]]  # actor, command and dice encoded, hash
    finished: bool
    winner: int | None
    commitment: str
    revealed: Revealed | None


def _stored(
    actor: int, command: Began | Answered, throws: tuple[Throw, ...], state: State
) -> tuple[int, bytes, bytes, str]:
    return actor, encode(command), encode(throws), stamp_of(state, throws)


def from_log(log: Log) -> FromFile:
    """A log as commands: each answer with the dice up to the next question."""
    rules, state = ruleset(log.header.ruleset), log.header.setup
    progress = begin(rules, state)
    commands: list[tuple[int, bytes, bytes, str]] = []
    actor: int = -1
    command: Began | Answered = Began()
    throws: list[Throw] = []
    for record in log.records:
        if isinstance(record, LoggedActivation):
            continue
        pending = progress.pending
        assert pending is not None
        if isinstance(record, LoggedRoll):
            throws.append(Throw(progress.state.rolls_made, record.purpose, record.faces))
            progress = submit_checked(rules, progress.state, pending, Faces(record.faces))
            continue
        assert isinstance(record, LoggedAnswer)
        assert isinstance(pending, Decision)
        commands.append(_stored(actor, command, tuple(throws), progress.state))
        actor, command, throws = record.seat, Answered(record.kind, record.answer), []
        progress = submit_checked(rules, progress.state, pending, record.answer)
    commands.append(_stored(actor, command, tuple(throws), progress.state))
    footer = log.footer
    ended = (footer.finished, footer.winner)
    return FromFile(state, log.header.players, commands, *ended, log.header.commitment, log.revealed)
