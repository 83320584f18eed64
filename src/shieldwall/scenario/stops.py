"""What did not come out as written, and what stops a scenario."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.scenario.check import Path


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
