"""Scores with their intervals. A pair of games is one observation: the same table and dice, seats swapped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from shieldwall.lab.games import GameOutcome

SURE = 1.96  # standard errors of a 95 % interval
LOGIT = 400 / math.log(10)
EDGE = 0.001  # scores nearer to 0 or 1 have no meaningful Elo


class ScoreTally(NamedTuple):
    """Games counted from the first bot's side; `pairs` are the mean scores of complete pairs."""

    won: int
    drawn: int
    lost: int
    pairs: tuple[float, ...]

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Points per game, 0 to 1; a draw is half a point."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5


def tally(outcomes: Iterable[GameOutcome]) -> ScoreTally:
    """Count outcomes, and group them into pairs by seed, lists and edition."""
    won = drawn = lost = 0
    halves: dict[tuple[object, ...], list[float]] = {}
    for outcome in outcomes:
        won += outcome.score == 1.0
        drawn += outcome.score == 0.5
        lost += outcome.score == 0.0
        key = (outcome.edition, outcome.lists, outcome.seed, outcome.number // 2)
        halves.setdefault(key, []).append(outcome.score)
    whole = tuple(sum(both) / 2 for _, both in sorted(halves.items(), key=repr) if len(both) == 2)
    return ScoreTally(won, drawn, lost, whole)


def interval(found: ScoreTally) -> tuple[float, float]:
    """The 95 % interval of the score.

    With few or one-sided pairs the plain interval is too narrow, so one lost and one won pair are added.
    """
    count = len(found.pairs)
    if count < 2:
        return 0.0, 1.0
    padded = [*found.pairs, 0.0, 1.0]
    mean = sum(padded) / len(padded)
    spread = sum((pair - mean) ** 2 for pair in padded) / (len(padded) - 1)
    half = SURE * math.sqrt(spread / len(padded))
    return max(0.0, min(mean - half, found.score)), min(1.0, max(mean + half, found.score))


def student_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t distribution: the standard errors of a 95 % interval from few values.

    One and two degrees of freedom have closed forms; the series for the others is off by less than 1 %.
    """
    if degrees == 1:
        return math.tan(math.pi * 0.475)
    if degrees == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = SURE
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    )


def elo(score: float) -> float:
    """The difference in Elo points that a score amounts to."""
    score = min(max(score, EDGE), 1 - EDGE)
    return LOGIT * math.log(score / (1 - score))


def elo_interval(found: ScoreTally) -> tuple[float, float]:
    """The 95 % interval of the Elo difference."""
    low, high = interval(found)
    return elo(low), elo(high)


class Sprt(NamedTuple):
    """A sequential test that stops as soon as it is decided: is the score at most `low`, or at least `high`?

    `error` is the chance of a wrong verdict either way.
    """

    low: float = 0.5
    high: float = 0.55
    error: float = 0.05

    def verdict(self, found: ScoreTally) -> str:
        """ "higher", "lower", or "" while undecided; by pairs, with their own spread."""
        count = len(found.pairs)
        if count < 10:
            return ""
        mean = sum(found.pairs) / count
        spread = max(sum((pair - mean) ** 2 for pair in found.pairs) / count, 0.01)
        ratio = count * (self.high - self.low) * (2 * mean - self.low - self.high) / (2 * spread)
        limit = math.log((1 - self.error) / self.error)
        return "higher" if ratio >= limit else "lower" if ratio <= -limit else ""
