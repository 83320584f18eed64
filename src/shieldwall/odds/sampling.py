"""Odds by sampling: where there are too many results to list, play many times with dice of its own.

These dice have nothing to do with those of any game.
"""

from __future__ import annotations

import time
from bisect import bisect
from collections import Counter
from fractions import Fraction
from itertools import accumulate
from random import Random

from msgspec import Struct

from shieldwall.core.pending import Roll
from shieldwall.core.values import FACES, count_labels
from shieldwall.odds.walk import REPORT_EVERY, Progress, Walker

FEWEST = 100  # games that are played however long they take


class Sampling(Struct, frozen=True):
    """How often to play, from which seed, why, and for how many seconds at most (0: as long as it takes)."""

    samples: int
    seed: int
    why: str
    seconds: float = 0.0


def sampled(
    walker: Walker, wanted: Sampling, progress: Progress | None = None
) -> tuple[dict[int, Fraction], int]:
    """The nodes at which play ended with the share of the games that ended there, and how many games were played."""
    walker.lift_limits()
    playing = _Playing(walker, wanted.seed)
    found: Counter[int] = Counter()
    deadline = time.monotonic() + wanted.seconds if wanted.seconds else 0.0
    played = 0
    while played < wanted.samples:
        if progress is not None and played % REPORT_EVERY == 0:
            progress(played / wanted.samples, played, wanted.why)
        found[playing.played()] += 1
        played += 1
        if deadline and played >= FEWEST and time.monotonic() > deadline:
            break
    return {number: Fraction(count, played) for number, count in sorted(found.items())}, played


class _Playing:
    """Plays the same situation again and again; the walk remembers every state it has been to."""

    def __init__(self, walker: Walker, seed: int) -> None:
        self.walker = walker
        self.numbers = Random(seed)
        self._ladders: dict[int, list[int]] = {}

    def played(self) -> int:
        """The node at which play ends this time."""
        number = 0
        while self.walker.pending[number] is not None:
            number = self._next(number)
        return number

    def _next(self, number: int) -> int:
        walker = self.walker
        if walker.is_wide(number):
            pending = walker.pending[number]
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
