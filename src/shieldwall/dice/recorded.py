"""Dice read back from a record, checked against what the game asks for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Roll
from shieldwall.dice.words import asked, count


class RecordedRoll(NamedTuple):
    """One roll of a record."""

    purpose: str
    faces: tuple[int, ...]


class RecordEndedError(ShieldwallError):
    """The game continues after the last recorded roll."""


class RecordMismatchError(ShieldwallError):
    """The game asks for a different roll than the one recorded."""


class RecordedDice:
    """The rolls of a played game by number, in any order."""

    __slots__ = ("_first", "_throws")

    def __init__(self, throws: Iterable[RecordedRoll], first: int = 0) -> None:
        self._throws = tuple(throws)
        self._first = first

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The recorded faces of roll `number`, which must be a roll of the same purpose and size."""
        index = number - self._first
        if not 0 <= index < len(self._throws):
            raise RecordEndedError(
                f"the record has {count(len(self._throws), 'roll')}; "
                f"roll {number} is not among them ({asked(roll)})"
            )
        throw = self._throws[index]
        if throw.purpose != roll.purpose or len(throw.faces) != roll.dice:
            raise RecordMismatchError(
                f"roll {number} is recorded as {throw.purpose} with "
                f"{count(len(throw.faces), 'die', 'dice')}; the game asks for {asked(roll)}"
            )
        return throw.faces
