"""One game moved on by commands, with no clock, socket or database: what the room stores and shows.

A command is one answer and all dice up to the next question. `carry_out` works on values: the state that goes in is
untouched, so a refusal changes nothing.
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
    """The game was set going from its set-up."""


class Answered(Struct, frozen=True, tag_field="command", tag="answer"):
    """A question was answered; `kind` is the question's, `why` a bot's reason."""

    kind: str
    answer: AnyAnswer
    why: str = ""


class TookBack(Struct, frozen=True, tag_field="command", tag="undo"):
    """The game went back to how it was after an earlier command; the seat `agreed` was asked, where one had to be."""

    to: int
    agreed: int = -1


class RanOut(Struct, frozen=True, tag_field="command", tag="time"):
    """A side had no time left on its clock, and the other side claimed the game."""

    side: int


class Resigned(Struct, frozen=True, tag_field="command", tag="resign"):
    """A side gave up."""

    side: int


Command = Began | Answered | TookBack | Resigned | RanOut
COMMANDS: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
THROWS: msgspec.json.Decoder[tuple[Throw, ...]] = msgspec.json.Decoder(tuple[Throw, ...])


class ToldCommand(Struct, frozen=True, array_like=True):
    """What came of a command, for programs whose rules would make something else of it.

    The events alone change the table; with the stack the state is whole again. `asked` and `seat` are the question that
    followed, so that the game can go on where the same is asked today.
    """

    events: tuple[AnyEvent, ...]
    stack: tuple[AnyFrame, ...] = ()
    asked: str = ""
    seat: int = -1


TOLD: msgspec.json.Decoder[ToldCommand] = msgspec.json.Decoder(ToldCommand)


class CarriedOut(NamedTuple):
    """What came of a command: the new state, all facts, the dice thrown, and the question now asked."""

    state: State
    events: tuple[AnyEvent, ...]
    throws: tuple[Throw, ...]
    pending: Decision | None


def stamp_of(state: State, throws: tuple[Throw, ...]) -> str:
    """What a stored command is known by: the table that it left, and its dice.

    Not the question that is asked next: a step or a field added to the rules later spoils no stored game.
    """
    return hashlib.sha256(table_hash(state).encode() + encode(throws)).hexdigest()[:HASH_LENGTH]


class DriftError(DamagedError):
    """A stored command does not play as it was stored: it is damaged, or of rules that this program does not have.

    `seq` is the command, -1 where it is not known; up to the one before everything is sound.
    """

    def __init__(self, words: str, seq: int = -1, other_rules: bool = False) -> None:
        super().__init__(words)
        self.seq, self.other_rules = seq, other_rules


def carry_out(rules: Ruleset, state: State, command: Began | Answered, throw: Thrower) -> CarriedOut:
    """Submit an answer and throw what it calls for. An illegal answer raises `RefusedError`."""
    if isinstance(command, Began):
        return _rolled_on(rules, begin(rules, state), throw)
    return _rolled_on(rules, submit(rules, state, command.answer), throw)


def carried_again(
    rules: Ruleset, state: State, command: Began | Answered, throws: tuple[Throw, ...]
) -> CarriedOut:
    """A stored command played again with its dice; the caller compares the hash.

    That it is legal was found out when it was stored: to look into it again would cost more than all the rest.
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


def told_again(state: State, told: ToldCommand, throws: tuple[Throw, ...]) -> CarriedOut:
    """A stored command as recorded, without any rules; the caller compares the hash."""
    try:
        after = replace(changed(state, told.events), stack=told.stack)
    except ReplayError as error:
        raise DriftError(error.why) from error
    return CarriedOut(after, told.events, throws, None)


def same_rules(one: str, other: str) -> bool:
    """Whether two versions, as they are stored, play alike: the program in front of them does not matter."""
    return _rules_in(one) == _rules_in(other)


def _rules_in(version: str) -> tuple[str, str]:
    """The fingerprint of the numbers and the version in what is stored; no version is the first."""
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
    """The dice of a stored command, in order; asking for others means that the game has drifted."""
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
