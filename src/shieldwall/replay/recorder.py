"""Records a game while it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Raw

from shieldwall import __version__
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import encode
from shieldwall.core.engine import Progress, Rules
from shieldwall.core.events import ActivationEnded, AnyEvent, RoundBegan
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import State
from shieldwall.replay.fingerprint import answers_hash, facts_hash, rules_hash, table_hash
from shieldwall.replay.format import (
    FORMAT,
    Log,
    LogFooter,
    LoggedActivation,
    LoggedAnswer,
    LoggedFacts,
    LoggedRoll,
    LogHeader,
    Record,
    Revealed,
)
from shieldwall.replay.rules_versions import rules_version_of


class Recorder:
    """Collects every answer of one game; `log()` may be called at any time, even in the middle of a game.

    It is a watcher of `play_game`; other drivers call `went` after each submit.
    """

    def __init__(
        self,
        rules: Rules,
        setup: State,
        players: Sequence[str] = (),
        commitment: str = "",
        version: int | None = None,  # of the rules, if not the current one
    ) -> None:
        self.header = LogHeader(
            format=FORMAT,
            engine=__version__,
            ruleset=setup.ruleset,
            rules_hash=rules_hash(rules),
            setup=setup,
            players=tuple(players),
            commitment=commitment,
            rules=rules_version_of(rules).number if version is None else version,
        )
        self._records: list[Record] = []
        self._stretch: list[LoggedRoll | LoggedAnswer] = []  # answers since the last checkpoint
        self._facts: list[bytes] = []  # what came of them
        self._given = 0
        self._ended = 0
        self._state = setup
        self._revealed: Revealed | None = None

    def reveal(self, secret: bytes, nonces: Sequence[str] = ()) -> None:
        """Reveal the key of the dice, so that readers of the log can check them. Only when the game is over."""
        self._revealed = Revealed(secret.hex(), tuple(nonces))

    def began(self, progress: Progress) -> None:
        """The game has started from the setup."""
        self._state = progress.state
        self._write_facts(progress.events)

    def _write_facts(self, events: Sequence[AnyEvent]) -> None:
        data = encode(tuple(events))
        self._records.append(LoggedFacts(Raw(data)))
        self._facts.append(data)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Record an answer, and a checkpoint if it ended an activation."""
        self.wrote(before, record_of(pending, answer), progress)

    def wrote(self, before: State, record: LoggedRoll | LoggedAnswer, progress: Progress) -> None:
        """The same for an answer whose question is no longer known."""
        self._records.append(record)
        self._stretch.append(record)
        self._given += 1
        self._state = progress.state
        self._write_facts(progress.events)
        ended, round, unit = activations_ended(progress, before.round)
        if ended:
            self._ended += ended
            table = table_hash(progress.state)
            self._records.append(
                LoggedActivation(
                    self._ended, round, unit, table, answers_hash(self._stretch), facts_hash(self._facts)
                )
            )
            self._stretch.clear()
            self._facts.clear()

    def log(self) -> Log:
        """The game so far."""
        state = self._state
        footer = LogFooter(
            finished=state.finished,
            winner=state.winner,
            round=state.round,
            activations=self._ended,
            answers_given=self._given,
            table=table_hash(state),
            answers=answers_hash(self._stretch),
            facts=facts_hash(self._facts),
        )
        return Log(self.header, tuple(self._records), footer, self._revealed)


def record_of(pending: Pending, answer: AnyAnswer) -> LoggedRoll | LoggedAnswer:
    """An answer as a record."""
    if isinstance(pending, Roll):
        assert isinstance(answer, Faces)
        return LoggedRoll(pending.purpose, answer.faces)
    return LoggedAnswer(pending.seat, pending.kind, answer)


class Ended(NamedTuple):
    """Activations that one submit ended: how many, and round and unit of the last."""

    how_many: int
    round: int
    unit: int


def activations_ended(progress: Progress, round: int) -> Ended:
    """The activations that ended in this step of a game, which began in `round`."""
    count, at, unit = 0, round, -1
    for event in progress.events:
        if type(event) is RoundBegan:
            round = event.round
        elif type(event) is ActivationEnded:
            count, at, unit = count + 1, round, event.unit
    return Ended(count, at, unit)
