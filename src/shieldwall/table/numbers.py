"""A small source of repeatable numbers for making tables. Never for dice: those belong to the drivers."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15  # 2**64 divided by the golden ratio: SplitMix64's step


class TableNumbers:
    """SplitMix64: the same seed gives the same numbers on every machine and in every version."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + _STEP) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def share(self) -> float:
        """A number from 0 up to but not including 1."""
        return (self.bits() >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * ((self.bits() >> 11) / (1 << 53))

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, all equally likely."""
        spare = _MASK - (_MASK + 1) % limit
        while (drawn := self.bits()) > spare:
            pass
        return drawn % limit

    def pick(self, things: Sequence[Thing]) -> Thing:
        return things[self.below(len(things))]

    def shuffle(self, things: MutableSequence[Thing]) -> None:
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]
