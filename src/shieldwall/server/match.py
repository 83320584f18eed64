"""One game advanced by commands, without clock, socket or database: what the room stores and shows.

A command is one answer and all dice up to the next question. `carry_out` works on values: the state passed in is
unchanged, so a refusal changes nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import HASH_LENGTH, encode
from shieldwall.core.engine import Progress, begin, pending_of, submit, submit_checked
from shieldwall.core.events import AnyEvent
from shieldwall.core.frames import AnyFrame
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.replay import ReplayError, changed
from shieldwall.replay.fingerprint import table_hash
from shieldwall.replay.rules_versions import FIRST
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.dice_key import Throw
from shieldwall.server.storage.errors import DamagedError

Thrower = Callable[[Roll, int], tuple[int, ...]]


class Began(Struct, frozen=True, tag_field="command", tag="begin"):
    """The game started from its set-up."""


class Answered(Struct, frozen=True, tag_field="command", tag="answer"):
    """A question was answered; `kind` is the question's, `why` a bot's reason."""

    kind: str
    answer: AnyAnswer
    why: str = ""


class TookBack(Struct, frozen=True, tag_field="command", tag="undo"):
    """The game returned to the state after an earlier command; the seat `agreed` consented, if that was necessary."""

    to: int
    agreed: int = -1


class RanOut(Struct, frozen=True, tag_field="command", tag="time"):
    """A side ran out of time, and the other side claimed the game."""

    side: int


class Resigned(Struct, frozen=True, tag_field="command", tag="resign"):
    """A side resigned."""

    side: int


Command = Began | Answered | TookBack | Resigned | RanOut
COMMANDS: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
THROWS: msgspec.json.Decoder[tuple[Throw, ...]] = msgspec.json.Decoder(tuple[Throw, ...])


class RecordedCommand(Struct, frozen=True, array_like=True):
    """The recorded effects of a command, for programs whose rules would have different ones.

    The events alone change the table; with the stack, the state is complete. `asked` and `seat` are the question that
    followed, so the game can continue if the current rules ask the same.
    """

    events: tuple[AnyEvent, ...]
    stack: tuple[AnyFrame, ...] = ()
    asked: str = ""
    seat: int = -1


RECORDED_COMMAND: msgspec.json.Decoder[RecordedCommand] = msgspec.json.Decoder(RecordedCommand)


class CarriedOut(NamedTuple):
    """The effects of a command: the new state, all events, the dice rolled, and the next question."""

    state: State
    events: tuple[AnyEvent, ...]
    throws: tuple[Throw, ...]
    pending: Decision | None


def stamp_of(state: State, throws: tuple[Throw, ...]) -> str:
    """The fingerprint of a stored command: the table it left, and its dice.

    The next question is not included, so adding a step or a field to the rules later does not invalidate stored games.
    """
    return hashlib.sha256(table_hash(state).encode() + encode(throws)).hexdigest()[:HASH_LENGTH]


class DriftError(DamagedError):
    """A stored command does not replay as stored: it is damaged, or uses rules this program does not have.

    `seq` is the command, -1 if unknown; everything before it is sound.
    """

    def __init__(self, words: str, seq: int = -1, other_rules: bool = False) -> None:
        super().__init__(words)
        self.seq, self.other_rules = seq, other_rules


def carry_out(rules: Ruleset, state: State, command: Began | Answered, throw: Thrower) -> CarriedOut:
    """Submit an answer and roll the dice it calls for. An illegal answer raises `RefusedError`."""
    if isinstance(command, Began):
        return _rolled_on(rules, begin(rules, state), throw)
    return _rolled_on(rules, submit(rules, state, command.answer), throw)


def carried_again(
    rules: Ruleset, state: State, command: Began | Answered, throws: tuple[Throw, ...]
) -> CarriedOut:
    """Replay a stored command with its dice; the caller compares the hash.

    Legality was checked when it was stored; checking it again would cost more than everything else.
    """
    throw = recorded(throws)
    if isinstance(command, Began):
        return _rolled_on(rules, begin(rules, state), throw)
    pending = pending_of(rules, state)
    if not isinstance(pending, Decision) or pending.kind != command.kind:
        raise DriftError(f"the game does not ask for {command.kind!r}, which is stored as answered")
    try:
        return _rolled_on(rules, submit_checked(rules, state, pending, command.answer), throw)
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DriftError(f"the answer to {command.kind!r} does not fit the game any more") from error


def replay_recorded(state: State, told: RecordedCommand, throws: tuple[Throw, ...]) -> CarriedOut:
    """A stored command as recorded, without any rules; the caller compares the hash."""
    try:
        after = replace(changed(state, told.events), stack=told.stack)
    except ReplayError as error:
        raise DriftError(error.why) from error
    return CarriedOut(after, told.events, throws, None)


def same_rules(one: str, other: str) -> bool:
    """Whether two stored versions play by the same rules; the program version in front does not matter."""
    return _rules_in(one) == _rules_in(other)


def _rules_in(version: str) -> tuple[str, str]:
    """The constants' fingerprint and the rules version in a stored version; without a version it is the first."""
    _, numbers, number, *_ = (*version.split("+"), "", "")
    return numbers, number or str(FIRST)


def _rolled_on(rules: Ruleset, progress: Progress, throw: Thrower) -> CarriedOut:
    events: list[AnyEvent] = list(progress.events)
    throws: list[Throw] = []
    state, _, pending = progress
    while isinstance(pending, Roll):
        faces = throw(pending, state.rolls_made)
        throws.append(Throw(state.rolls_made, pending.purpose, faces))
        state, more, pending = submit_checked(rules, state, pending, Faces(faces))
        events += more
    return CarriedOut(state, tuple(events), tuple(throws), _decision(pending))


def _decision(pending: Pending | None) -> Decision | None:
    assert pending is None or isinstance(pending, Decision)
    return pending


def recorded(throws: tuple[Throw, ...]) -> Thrower:
    """The dice of a stored command, in order; asking for different ones means that the game has drifted."""
    left = list(throws)

    def throw(roll: Roll, number: int) -> tuple[int, ...]:
        if not left:
            raise DriftError(f"the game asks for {roll.purpose}, no more dice are stored")
        found = left.pop(0)
        if (found.number, found.purpose, len(found.faces)) != (number, roll.purpose, roll.dice):
            raise DriftError(
                f"roll {number} asks {roll.dice} dice for {roll.purpose}; stored is {found.purpose} "
                f"number {found.number} with {len(found.faces)} dice"
            )
        return found.faces

    return throw
