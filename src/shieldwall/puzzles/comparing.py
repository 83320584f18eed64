"""Ideas against each other: battles played on from each with the same dice, until one is clearly best or none is.

What is compared is the score of the side that decides: 1 won, a half drawn, 0 lost.
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

SURE = 3.0  # standard errors at any look: with all looks together less than 1 of 100 is wrong
PEEK = 3  # battles of each idea, after which a position is left where all ideas come to about the same
SPREAD = 0.3  # of the score, between the best and the worst idea after that
GLANCE = 10  # battles of each idea before two that are near to each other end it
BATCH = 20
TOO_NEAR = 0.1  # of the score: two ideas that come out so near to each other are not told apart in time


class Lead(NamedTuple):
    """How much one idea is ahead of another, dice for dice, and the standard error of that."""

    mean: float
    error: float

    @property
    def low(self) -> float:
        """What it is ahead by at least."""
        return self.mean - SURE * self.error


class Tried(NamedTuple):
    """An idea with the ends of its battles; battles of one number met the same dice."""

    idea: PuzzleIdea
    ends: list[BattleEnd]

    @property
    def chance(self) -> float:
        """The share of battles won."""
        return sum(end.score for end in self.ends) / max(1, len(self.ends))


def lead_of(one: Sequence[BattleEnd], other: Sequence[BattleEnd]) -> Lead:
    """How much `one` is ahead, by the battles that both have played."""
    gains = [mine.score - theirs.score for mine, theirs in zip(one, other, strict=False)]
    count = len(gains)
    if count < 2:
        return Lead(0.0, 1.0)
    mean = sum(gains) / count
    variance = sum((gain - mean) ** 2 for gain in gains) / (count - 1)
    return Lead(mean, math.sqrt((variance + 1 / count) / count))  # never quite nothing


class Contest(NamedTuple):
    """A position whose ideas are compared. `others` plays on for both sides once an idea is carried out."""

    rules: Ruleset
    moment: Moment
    seed: str
    others: Callable[[], Policy] = TacticianBot

    def play(self, tried: Tried, until: int) -> None:
        """Play on until an idea has so many battles."""
        for number in range(len(tried.ends), until):
            first = tried.idea.starter(self.others())
            seed = f"{self.seed} {number}"
            tried.ends.append(play_on(self.rules, self.moment, first, seed, self.others))


class Settled(NamedTuple):
    """The ideas of a position, the best first, and how far it is ahead of the second."""

    order: list[Tried]
    lead: Lead


def settle(contest: Contest, ideas: Sequence[PuzzleIdea], margin: float, most: int) -> Settled | None:
    """Play on until the best idea is ahead of every other by `margin`, surely; None where it is not.

    It ends early where two ideas come out too near to each other. At most `most` battles are played with each idea.
    """
    field = [Tried(idea, []) for idea in ideas]
    if len(field) < 2:
        return None
    for tried in field:
        contest.play(tried, PEEK)
    chances = sorted(tried.chance for tried in field)
    if chances[-1] - chances[0] < SPREAD:
        return None
    for tried in field:
        contest.play(tried, GLANCE)
    played = GLANCE
    while True:
        order = sorted(field, key=lambda tried: -tried.chance)
        best = order[0]
        rivals = [tried for tried in order[1:] if lead_of(best.ends, tried.ends).low < margin]
        if not rivals:
            return Settled(order, lead_of(best.ends, order[1].ends))
        nearest = lead_of(best.ends, rivals[0].ends)
        hopeless = nearest.mean + 1.5 * nearest.error < margin or nearest.mean < margin / 2
        if played >= most or (played > GLANCE and hopeless) or nearest.mean < TOO_NEAR:
            return None
        played = min(most, played + BATCH)
        for tried in (best, *rivals):
            contest.play(tried, played)
