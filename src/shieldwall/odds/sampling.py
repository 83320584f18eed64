"""Odds by playing: where there are too many ways to list, the line is played many times with dice of its own.

These dice have nothing to do with those of any game.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from fractions import Fraction
from itertools import accumulate
from random import Random

from shieldwall.core.pending import Roll
from shieldwall.core.values import FACES, count_labels
from shieldwall.odds.walk import Walker


def sampled(walker: Walker, samples: int, seed: int) -> dict[int, Fraction]:
    """Spots the line ends at, with the share of samples that ended there."""
    walker.lift_budget()
    playing = _Playing(walker, seed)
    found = Counter(playing.played() for _ in range(samples))
    return {number: Fraction(count, samples) for number, count in sorted(found.items())}


class _Playing:
    """A line being played again and again; ways once gone are remembered by the walk."""

    def __init__(self, walker: Walker, seed: int) -> None:
        self.walker = walker
        self.numbers = Random(seed)
        self._ladders: dict[int, list[int]] = {}

    def played(self) -> int:
        """The spot at which the line ends this time."""
        number = 0
        while self.walker.pending(number) is not None:
            number = self._next(number)
        return number

    def _next(self, number: int) -> int:
        walker = self.walker
        if walker.is_wide(number):
            pending = walker.pending(number)
            assert isinstance(pending, Roll)
            counts = tuple(
                count_labels(pool, tuple(self.numbers.choices(FACES, k=pool.dice))) for pool in pending.pools
            )
            return walker.reach_by(number, counts)
        fan = walker.fan(number)
        if len(fan.makers) == 1:
            return walker.reach(number, 0)
        ladder = self._ladders.get(number)
        if ladder is None:
            ladder = self._ladders[number] = list(accumulate(fan.weights))
        return walker.reach(number, bisect(ladder, self.numbers.randrange(fan.total)))
