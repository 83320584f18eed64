"""The decisions of a recorded game: each activation before its unit was chosen, and what its player did.

A side with a single unit left is not asked which one acts; there the choice of the action is the decision.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress, begin
from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Choice, Decision, Pending
from shieldwall.core.state import State
from shieldwall.replay.format import Log, LoggedAnswer, LoggedRoll
from shieldwall.replay.player import play_record
from shieldwall.rules.ruleset import Ruleset

ACTIVATE, ACTION = "activate", "action"


class Moment(NamedTuple):
    """A player is about to choose a unit, or the action of the last one; `answers` are that seat's answers until the
    activation was over.

    `step` counts the answers and rolls of the game before this moment, as replays do.
    """

    number: int
    step: int
    state: State
    decision: Decision
    answers: tuple[tuple[str, AnyAnswer], ...]
    events: tuple[AnyEvent, ...]

    @property
    def side(self) -> int:
        """The side that decides."""
        return self.state.seats[self.decision.seat].side

    @property
    def unit(self) -> int:
        """The unit that was chosen; -1 if the log ends before."""
        return chosen_unit(self.decision, self.answers[0][1]) if self.answers else -1

    @property
    def units(self) -> tuple[int, ...]:
        """The units that could be chosen."""
        if self.decision.kind == ACTION:
            return (self.decision.about,)
        assert isinstance(self.decision, Choice)
        return tuple(option.unit for option in self.decision.options if option.unit >= 0)


class RecordedGame(NamedTuple):
    """A game as a sequence of moments, and how it ended."""

    moments: tuple[Moment, ...]
    end: State
    events: tuple[AnyEvent, ...]
    steps: int


def recorded_game(rules: Ruleset, log: Log) -> RecordedGame:
    """Replay a log and cut it at every choice of a unit."""
    found: list[Moment] = []
    everything: list[AnyEvent] = []
    start: tuple[int, State, Decision] | None = None
    answers: list[tuple[str, AnyAnswer]] = []
    events: list[AnyEvent] = []
    end, step = log.header.setup, 0
    for step, (record, progress) in enumerate(_steps(rules, log)):
        if isinstance(record, LoggedAnswer) and start is not None and record.seat == start[2].seat:
            answers.append((record.kind, record.answer))
        events += progress.events
        everything += progress.events
        end = progress.state
        waits = progress.pending
        acting = chosen_unit(start[2], answers[0][1]) if start is not None and answers else -1
        if waits is None or begins_activation(waits, acting):
            assert waits is None or isinstance(waits, Decision)
            if start is not None:
                found.append(Moment(len(found), *start, tuple(answers), tuple(events)))
            start = None if waits is None else (step, progress.state, waits)
            answers, events = [], []
    return RecordedGame(tuple(found), end, tuple(everything), step)


def begins_activation(waits: Pending, acting: int) -> bool:
    """Whether a unit other than the acting one is about to be chosen, or to act without a choice."""
    if not isinstance(waits, Decision):
        return False
    return waits.kind == ACTIVATE or (waits.kind == ACTION and waits.about != acting)


def chosen_unit(decision: Decision, answer: AnyAnswer) -> int:
    """The unit chosen by an answer to the first question of an activation; -1 for none."""
    if decision.kind == ACTION:
        return decision.about
    assert isinstance(decision, Choice)
    picked = getattr(answer, "option", "")
    return next((option.unit for option in decision.options if option.key == picked), -1)


def _steps(rules: Ruleset, log: Log) -> Iterator[tuple[LoggedRoll | LoggedAnswer | None, Progress]]:
    progress = begin(rules, log.header.setup)
    yield None, progress
    for line, record in enumerate(log.records, start=2):
        if isinstance(record, LoggedRoll | LoggedAnswer):
            progress = play_record(rules, progress, record, line)
            yield record, progress
