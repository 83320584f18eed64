"""Odds by sampling: where there are too many results to list, play many times with dice of its own.

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
from shieldwall.odds.walk import REPORT_EVERY, Progress, Walker


def sampled(walker: Walker, samples: int, seed: int, progress: Progress | None = None) -> dict[int, Fraction]:
    """The nodes at which play ended, with the share of samples that ended there."""
    walker.lift_limits()
    playing = _Playing(walker, seed)
    found: Counter[int] = Counter()
    for number in range(samples):
        found[playing.played()] += 1
        if progress is not None and number % REPORT_EVERY == 0:
            progress(number / samples, number)
    return {number: Fraction(count, samples) for number, count in sorted(found.items())}


class _Playing:
    """Plays the same situation again and again; the walk remembers every state it has been to."""

    def __init__(self, walker: Walker, seed: int) -> None:
        self.walker = walker
        self.numbers = Random(seed)
        self._ladders: dict[int, list[int]] = {}

    def played(self) -> int:
        """The node at which play ends this time."""
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
        outcomes = walker.outcomes_of(number)
        if len(outcomes.continuations) == 1:
            return walker.reach(number, 0)
        ladder = self._ladders.get(number)
        if ladder is None:
            ladder = self._ladders[number] = list(accumulate(outcomes.weights))
        return walker.reach(number, bisect(ladder, self.numbers.randrange(outcomes.total)))
