"""Compares ideas: battles played on from each with the same dice, until one is clearly best or none is.

The measure is the score of the side that decides: 1 won, a half drawn, 0 lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shieldwall.analysis.moments import Moment
from shieldwall.analysis.what_if import BattleEnd, play_on
from shieldwall.bots.policy import Policy
from shieldwall.bots.tactician import TacticianBot
from shieldwall.puzzles.ideas import PuzzleIdea
from shieldwall.rules.ruleset import Ruleset

SURE = 3.0  # standard errors at any look: over all looks, fewer than 1 in 100 verdicts are wrong
OUT_OF_IT = 0.5  # of the score: ideas this far behind the best after the first look are suspended
TOO_NEAR = 0.15  # of the score: two ideas this close cannot be separated in time
BATCH = 20


class Screening(NamedTuple):
    """When to give up on a position: without this lead after this many battles of each idea, if the worst idea is not
    `spread` behind the best, and after `most` battles.
    """

    looks: tuple[tuple[int, float], ...]
    spread: float
    most: int


MOVES = Screening(((2, 0.25), (6, 0.25), (12, 0.2)), 0.3, 150)
# only some casting rolls make a difference, so the lead shows late
SPELLS = Screening(((10, 0.1), (40, 0.12)), 0.1, 300)


class Lead(NamedTuple):
    """How far one idea is ahead of another, over battles with the same dice, and the standard error."""

    mean: float
    error: float

    @property
    def low(self) -> float:
        """The lower bound of the lead."""
        return self.mean - SURE * self.error


class Tried(NamedTuple):
    """An idea with the ends of its battles; battles with the same number had the same dice."""

    idea: PuzzleIdea
    ends: list[BattleEnd]

    @property
    def chance(self) -> float:
        """The share of battles won."""
        return sum(end.score for end in self.ends) / max(1, len(self.ends))


def lead_of(one: Sequence[BattleEnd], other: Sequence[BattleEnd]) -> Lead:
    """How far `one` is ahead, over the battles that both have played."""
    gains = [mine.score - theirs.score for mine, theirs in zip(one, other, strict=False)]
    count = len(gains)
    if count < 2:
        return Lead(0.0, 1.0)
    mean = sum(gains) / count
    variance = sum((gain - mean) ** 2 for gain in gains) / (count - 1)
    return Lead(mean, math.sqrt((variance + 1 / count) / count))  # never quite zero


class Contest(NamedTuple):
    """A position whose ideas are compared. `others` plays on for both sides after an idea is carried out."""

    rules: Ruleset
    moment: Moment
    seed: str
    others: Callable[[], Policy] = TacticianBot

    def play(self, tried: Tried, until: int) -> None:
        """Play on until an idea has this many battles."""
        for number in range(len(tried.ends), until):
            first = tried.idea.starter(self.others())
            seed = f"{self.seed} {number}"
            tried.ends.append(play_on(self.rules, self.moment, first, seed, self.others))


class Settled(NamedTuple):
    """The ideas of a position, best first, and the lead of the first over the second."""

    order: list[Tried]
    lead: Lead


def settle(
    contest: Contest,
    ideas: Sequence[PuzzleIdea],
    margin: float,
    screening: Screening = MOVES,
    is_wanted: Callable[[Tried, Tried], bool] = lambda best, second: True,
) -> Settled | None:
    """Play until the best idea is reliably ahead of every other by `margin`; None if it is not.

    It ends early if two ideas are too close to each other, or if the two best do not make a puzzle that `is_wanted`.
    """
    order = _looked_at(contest, ideas, screening)
    if order is None or not is_wanted(order[0], order[1]):
        return None
    played = screening.looks[-1][0]
    while True:
        order.sort(key=lambda tried: -tried.chance)
        best = order[0]
        rivals = [tried for tried in order[1:] if lead_of(best.ends, tried.ends).low < margin]
        if not rivals:
            return Settled(order, lead_of(best.ends, order[1].ends))
        nearest = lead_of(best.ends, rivals[0].ends)
        if played >= screening.most or nearest.mean < TOO_NEAR:
            return None
        played = min(screening.most, played + BATCH)
        for tried in (best, *rivals):
            contest.play(tried, played)


def _looked_at(contest: Contest, ideas: Sequence[PuzzleIdea], screening: Screening) -> list[Tried] | None:
    """The ideas after a few battles each, best first; None if no idea stands out."""
    order = [Tried(idea, []) for idea in ideas]
    if len(order) < 2 or not _ends_differ(contest, order, screening):
        return None
    for battles, ahead in screening.looks:
        for tried in order:
            if tried.chance + OUT_OF_IT >= order[0].chance:
                contest.play(tried, battles)
        order.sort(key=lambda tried: -tried.chance)
        is_flat = order[0].chance - order[-1].chance < screening.spread
        if is_flat or lead_of(order[0].ends, order[1].ends).mean < ahead:
            return None
    return order


def _ends_differ(contest: Contest, order: Sequence[Tried], screening: Screening) -> bool:
    """Whether the first and the last idea differ at the first look; ideas come in the order of their promise."""
    first, last = order[0], order[-1]
    for tried in (first, last):
        contest.play(tried, screening.looks[0][0])
    return abs(first.chance - last.chance) >= screening.spread
