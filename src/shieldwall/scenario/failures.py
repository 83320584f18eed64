"""Differences from what a scenario expects, and what stops it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from shieldwall.core.pending import Decision, Pending, Refusal
from shieldwall.core.state import State
from shieldwall.scenario.check import Path
from shieldwall.scenario.roster import side_name


class Failure(Struct, frozen=True):
    """Something that is not as expected: where, what was expected, what was found."""

    path: Path
    what: str
    expected: str
    found: str


class StopError(Exception):
    """Play cannot go on. The failure says why; if rules forbid it, `reasons` lists them with their rows."""

    def __init__(self, failure: Failure, reasons: tuple[str, ...] = ()) -> None:
        self.failure = failure
        self.reasons = reasons
        super().__init__(failure.what)


class UnaskedError(StopError):
    """The game does not ask what a step answers."""


def cited(refusals: Iterable[Refusal | tuple[str, str]]) -> tuple[str, ...]:
    """Reasons in words, each with the row behind it."""
    pairs = ((one.reason, one.cite) if isinstance(one, Refusal) else one for one in refusals)
    return tuple(f"{reason} ({cite})" if cite else reason for reason, cite in pairs)


def waiting_words(state: State, pending: Pending | None) -> str:
    """What the game waits for, and from which side."""
    if pending is None:
        return "the game is over"
    side = side_name(state.seats[pending.seat].side)
    if not isinstance(pending, Decision):
        return f"the game waits for the dice for {pending.purpose} of {side}"
    rule = str(getattr(pending, "rule", ""))
    return f"the game waits for {pending.kind} of {side}" + (
        f" about {rule}, which no step answers" if rule else ""
    )
