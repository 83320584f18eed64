"""What did not come out as written, and what stops a scenario."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.scenario.check import Path
from shieldwall.scenario.roster import side_name


class Failure(Struct, frozen=True):
    """Something that did not come out as written: where, what was expected, what was found."""

    path: Path
    what: str
    expected: str
    found: str


class StopError(Exception):
    """Play cannot go on; the failure says why."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.what)


class UnaskedError(StopError):
    """The game does not ask what a step answers."""


def waiting_words(state: State, pending: Pending | None) -> str:
    """What a game waits for, and of whom."""
    if pending is None:
        return "the game is over"
    what = pending.kind if isinstance(pending, Decision) else f"the dice of {pending.purpose}"
    return f"the game waits for {what} of {side_name(state.seats[pending.seat].side)}"
