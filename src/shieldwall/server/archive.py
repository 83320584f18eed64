"""Stored games as results, replays, files to share, and proof of their dice.

Everything follows from the stored commands; the functions here are pure and run in a worker.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import Progress, begin, submit_checked
from shieldwall.core.events import AnyEvent, Rolled
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.replay import Log, LoggedAnswer, LoggedRoll, Recorder, Revealed, changed, encode_log, replay
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.dice_key import Throw
from shieldwall.server.live import command_again, has_recorded_effects, rules_version
from shieldwall.server.log_lines import lines_of, rolls_of
from shieldwall.server.match import (
    COMMANDS,
    THROWS,
    Answered,
    Began,
    CarriedOut,
    DriftError,
    RecordedCommand,
    TookBack,
    stamp_of,
)
from shieldwall.server.messages import StepView
from shieldwall.server.present import board_view
from shieldwall.server.storage import CommandRow, GameRow, SeatRow
from shieldwall.story import Story

OTHER_RULES = 0  # in a file: several versions of the rules, or one this program does not have


class PlayedCommand(NamedTuple):
    """A command that was not taken back, with its effects."""

    row: CommandRow
    command: Began | Answered
    before: State
    carried: CarriedOut


def counted(rows: Iterable[CommandRow]) -> list[CommandRow]:
    """The commands that were not taken back, in order, without resignations and claims on time."""
    kept: list[CommandRow] = []
    length: dict[int, int] = {0: 0}  # the number of counted commands after each command
    for row in rows:
        command = COMMANDS.decode(row.payload)
        if isinstance(command, TookBack):
            if command.to not in length:
                raise DriftError(f"command {row.seq} goes back to {command.to}, which is not there", row.seq)
            del kept[length[command.to] :]
        elif isinstance(command, Began | Answered):
            kept.append(row)
        length[row.seq] = len(kept)
    return kept


def _again(rules: Ruleset, state: State, row: CommandRow) -> CarriedOut:
    try:
        return command_again(rules, rules_version(rules), state, row)
    except DriftError as error:
        raise DriftError(f"command {row.seq}: {error}", row.seq) from error
    except msgspec.DecodeError as error:
        raise DriftError(f"command {row.seq} cannot be read: {error}", row.seq) from error


def play_again(game: GameRow, rows: Iterable[CommandRow]) -> list[PlayedCommand]:
    """Replay a whole game; raises `DriftError` if a command has a different result."""
    rules, state = ruleset(game.edition), decode_state(game.setup)
    played = []
    for row in counted(rows):
        command = COMMANDS.decode(row.payload)
        assert isinstance(command, Began | Answered)
        carried = _again(rules, state, row)
        if stamp_of(carried.state, carried.throws) != row.state_hash:
            raise DriftError(f"command {row.seq} does not match what was stored", row.seq)
        played.append(PlayedCommand(row, command, state, carried))
        state = carried.state
    return played


def steps_of(game: GameRow, seats: list[SeatRow], played: list[PlayedCommand]) -> tuple[StepView, ...]:
    """Every command as a step; the first one has the whole board."""
    rules, story = ruleset(game.edition), Story(decode_state(game.setup), dice=False, owners=False)
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
    """All dice of the commands that count."""
    return [throw for row in counted(rows) for throw in THROWS.decode(row.dice)]


# --- files ---


def file_of(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> bytes:
    """The game as a log that any Shieldwall can open."""
    return encode_log(log_of(game, seats, rows))


def log_of(game: GameRow, seats: list[SeatRow], rows: list[CommandRow]) -> Log:
    """The game as a log."""
    rules, setup = ruleset(game.edition), decode_state(game.setup)
    names = [seat.name for seat in seats]
    if any(has_recorded_effects(row, rules_version(rules)) for row in rows):
        recorder = Recorder(rules, setup, names, game.commitment, OTHER_RULES)
        _write_recorded(recorder, game, rows)
    else:
        recorder = Recorder(rules, setup, names, game.commitment)
        _write_as_played(recorder, rules, setup, rows)
    if game.status == "over" and game.commitment:
        recorder.reveal(game.secret, [seat.nonce for seat in seats])
    return recorder.log()


def _write_as_played(recorder: Recorder, rules: Ruleset, setup: State, rows: list[CommandRow]) -> None:
    progress = begin(rules, setup)
    recorder.began(progress)
    for row in counted(rows):
        command = COMMANDS.decode(row.payload)
        throws = list(THROWS.decode(row.dice))
        if isinstance(command, Answered):
            progress = _recorded(recorder, rules, progress, command.answer)
        while isinstance(progress.pending, Roll):
            progress = _recorded(recorder, rules, progress, Faces(throws.pop(0).faces))


def _write_recorded(recorder: Recorder, game: GameRow, rows: list[CommandRow]) -> None:
    """A game played wholly or partly with other rules: every answer and roll with its recorded effects."""
    for played in play_again(game, rows):
        state = played.before
        records: list[LoggedRoll | LoggedAnswer] = []
        if isinstance(played.command, Answered):
            records.append(LoggedAnswer(played.row.actor, played.command.kind, played.command.answer))
        records += [LoggedRoll(throw.purpose, throw.faces) for throw in played.carried.throws]
        parts = _parts(played.carried.events)
        if isinstance(played.command, Began):
            recorder.began(Progress(changed(state, parts[0]), parts[0], None))
            state = changed(state, parts.pop(0))
        for record, events in zip(records, parts, strict=True):
            after = Progress(changed(state, events), events, None)
            recorder.wrote(state, record, after)
            state = after.state


def _parts(events: tuple[AnyEvent, ...]) -> list[tuple[AnyEvent, ...]]:
    """The events of a command, split before each roll; those of the answer come first."""
    parts: list[list[AnyEvent]] = [[]]
    for event in events:
        if isinstance(event, Rolled):
            parts.append([])
        parts[-1].append(event)
    return [tuple(part) for part in parts]


def _recorded(recorder: Recorder, rules: Ruleset, progress: Progress, answer: AnyAnswer) -> Progress:
    before, pending = progress.state, progress.pending
    assert pending is not None
    after = submit_checked(rules, before, pending, answer)
    recorder.went(before, pending, answer, after)
    return after


class FileCommand(NamedTuple):
    """A command read from a file, as it is stored."""

    actor: int
    payload: bytes
    dice: bytes
    state_hash: str
    told: bytes


class FromFile(NamedTuple):
    """A game read from a file: its set-up and commands, as they are stored."""

    setup: State
    players: tuple[str, ...]
    commands: list[FileCommand]
    version: str  # the rules it was played with, as stored
    finished: bool
    winner: int | None
    commitment: str
    revealed: Revealed | None


def from_log(log: Log) -> FromFile:
    """A log as commands: each answer with the dice up to the next question, and their effects."""
    header, footer = log.header, log.footer
    version = f"{header.engine}+{header.rules_hash}+{header.rules}"
    commands: list[FileCommand] = []
    actor: int = -1
    command: Began | Answered = Began()
    throws: list[Throw] = []
    events: list[AnyEvent] = []
    state = header.setup
    given = (record for record in log.records if isinstance(record, LoggedRoll | LoggedAnswer))
    for progress, record in zip_longest(replay(log), given):
        events += progress.events
        if isinstance(record, LoggedRoll):
            throws.append(Throw(progress.state.rolls_made, record.purpose, record.faces))
        else:
            told = RecordedCommand(tuple(events), progress.state.stack)
            dice = tuple(throws)
            commands.append(
                FileCommand(
                    actor, encode(command), encode(dice), stamp_of(progress.state, dice), encode(told)
                )
            )
            throws, events = [], []
            if record is not None:
                actor, command = record.seat, Answered(record.kind, record.answer)
    ended = (footer.finished, footer.winner)
    return FromFile(state, header.players, commands, version, *ended, header.commitment, log.revealed)
