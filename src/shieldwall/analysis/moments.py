"""The decisions of a recorded game: each activation as it was about to be chosen, and what its player then did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress, begin
from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.replay.format import Log, LoggedActivation, LoggedAnswer, LoggedRoll
from shieldwall.replay.player import play_record
from shieldwall.rules.ruleset import Ruleset

ACTIVATE = "activate"


class Moment(NamedTuple):
    """A player is about to choose a unit; `answers` are what that seat answered until its activation was over.

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
        """The side whose decision it is."""
        return self.state.seats[self.decision.seat].side


class RecordedGame(NamedTuple):
    """A game in its moments, and how it ended."""

    moments: tuple[Moment, ...]
    end: State
    events: tuple[AnyEvent, ...]
    steps: int


def recorded_game(rules: Ruleset, log: Log) -> RecordedGame:
    """Play a log back and cut it at every choice of a unit."""
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
        if waits is None or (isinstance(waits, Decision) and waits.kind == ACTIVATE):
            if start is not None:
                found.append(Moment(len(found), *start, tuple(answers), tuple(events)))
            start = None if waits is None else (step, progress.state, waits)
            answers, events = [], []
    return RecordedGame(tuple(found), end, tuple(everything), step)


def _steps(rules: Ruleset, log: Log) -> Iterator[tuple[LoggedRoll | LoggedAnswer | None, Progress]]:
    progress = begin(rules, log.header.setup)
    yield None, progress
    for line, record in enumerate(log.records, start=2):
        if not isinstance(record, LoggedActivation):
            progress = play_record(rules, progress, record, line)
            yield record, progress
