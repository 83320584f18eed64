"""A ladder: every bot against every other, over editions, sizes and factions, and the Elo that follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Literal

from msgspec import Struct

from shieldwall.armies import ready_lists
from shieldwall.bots import policy
from shieldwall.bots.numbers import SplitMix
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lab.duel import with_journal, write_results
from shieldwall.lab.games import GameOutcome, Task, pairs
from shieldwall.lab.series import Runner
from shieldwall.lab.stats import LOGIT, ScoreTally, tally

RESAMPLED = 200  # ladders resampled from the pairs to find the intervals
ROUNDS = 200  # steps of the fit; it converges much earlier
PRIOR = 0.5  # virtual points for every bot against every other, so that no rating is infinite


class LadderError(ShieldwallError):
    """A ladder that cannot be played as requested."""


class Ladder(Struct, frozen=True):
    """What to play: every pair of bots meets `pairs` times in each edition, size and pair of factions."""

    bots: tuple[str, ...]
    editions: tuple[str, ...] = EDITIONS
    sizes: tuple[int, ...] = ()
    matchups: int = 2
    pairs: int = 1
    seed: int = 1

    @property
    def what(self) -> str:
        """The ladder in words."""
        return f"ladder of {', '.join(self.bots)} over {', '.join(self.editions)} from seed {self.seed}"

    def tasks(self) -> list[Task]:
        """Every game; everything wrong with the order is reported before any is played."""
        if len(set(self.bots)) != len(self.bots) or len(self.bots) < 2:
            raise LadderError(f"a ladder needs two or more different bots, not {', '.join(self.bots)}")
        for name in self.bots:
            policy(name, self.seed)
        found: list[Task] = []
        seed = self.seed
        for edition in self.editions:
            ruleset(edition)
            for lists in self.lists_of(edition):
                for bots in combinations(self.bots, 2):
                    seeds = range(seed, seed + self.pairs)
                    found += pairs(Task(len(found), edition, lists, bots, seed), seeds)
                seed += self.pairs
        return found

    def lists_of(self, edition: str) -> list[tuple[str, str]]:
        """The pairs of lists of an edition: factions that meet, size by size, in both seats."""
        ready = ready_lists(edition)
        sizes = sorted({one.points for one in ready if not self.sizes or one.points in self.sizes})
        if not sizes:
            there = ", ".join(str(size) for size in sorted({one.points for one in ready}))
            asked = ", ".join(str(size) for size in self.sizes)
            raise LadderError(f"no ready-made lists of {asked} points for {edition}; there are: {there}")
        found: list[tuple[str, str]] = []
        for size in sizes:
            names = [one.id for one in ready if one.points == size]
            meetings = [(a, b) for a in names for b in names if a != b] or [(names[0], names[0])]
            step = max(1, len(meetings) // self.matchups)
            found += meetings[::step][: self.matchups]
        return found


class Rated(Struct, frozen=True):
    """A bot on the ladder: Elo with its 95 % interval, games and score."""

    bot: str
    elo: float
    low: float
    high: float
    games: int
    score: float


def run_ladder(ladder: Ladder, runner: Runner) -> list[GameOutcome]:
    """Play a ladder; it is saved and continued like a duel."""
    found = with_journal(runner).play(ladder.tasks(), ladder.what)
    if runner.out is not None:
        write_results(found, runner.out)
    return found


def rate(outcomes: list[GameOutcome], seed: int = 1, by: Literal["bots", "lists"] = "bots") -> list[Rated]:
    """Elo of every bot, or of every list, the best first. The bot `random`, where it plays, is 0; else the mean is."""

    def who(outcome: GameOutcome) -> tuple[str, str]:
        return outcome.bots if by == "bots" else outcome.lists

    bots = sorted({name for outcome in outcomes for name in who(outcome)})
    games = _pairs_of(outcomes, who)
    middle = _fit(bots, games)
    numbers = SplitMix(seed)
    drawn = [
        _fit(bots, [games[numbers.below(len(games))] for _ in games])
        for _ in range(RESAMPLED if games else 0)
    ]
    rated = []
    for bot in bots:
        spread = sorted(fit[bot] for fit in drawn) or [middle[bot]]
        mine = [o for o in outcomes if bot in who(o)]
        points = sum(o.score if who(o)[0] == bot else 1 - o.score for o in mine)
        low, high = spread[int(0.025 * len(spread))], spread[min(len(spread) - 1, int(0.975 * len(spread)))]
        rated.append(Rated(bot, middle[bot], low, high, len(mine), points / max(1, len(mine))))
    return sorted(rated, key=lambda one: (-one.elo, one.bot))


Meeting = tuple[str, str, float, int]


def _pairs_of(outcomes: list[GameOutcome], who: Callable[[GameOutcome], tuple[str, str]]) -> list[Meeting]:
    """Pairs of games as (first contender, second contender, points of the first, games)."""
    halves: dict[tuple[int, tuple[str, str]], list[float]] = {}
    for outcome in outcomes:
        halves.setdefault((outcome.number // 2, who(outcome)), []).append(outcome.score)
    return [(bots[0], bots[1], sum(scores), len(scores)) for (_, bots), scores in sorted(halves.items())]


def _fit(bots: list[str], games: list[Meeting]) -> dict[str, float]:
    """Bradley and Terry's strengths by Hunter's steps, as Elo; draws are half a win for each."""
    points = {(a, b): PRIOR for a in bots for b in bots if a != b}
    for first, second, score, count in games:
        points[first, second] += score
        points[second, first] += count - score
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        for bot in bots:
            others = [other for other in bots if other != bot]
            won = sum(points[bot, other] for other in others)
            met = sum(
                (points[bot, other] + points[other, bot]) / (strength[bot] + strength[other])
                for other in others
            )
            strength[bot] = won / met if met else 1.0
    elos = {bot: LOGIT * math.log(strength[bot]) for bot in bots}
    zero = elos["random"] if "random" in elos else sum(elos.values()) / len(elos)
    return {bot: value - zero for bot, value in elos.items()}


def crosses(outcomes: list[GameOutcome]) -> dict[tuple[str, str, str], ScoreTally]:
    """The tally of every edition and pair of bots."""
    grouped: dict[tuple[str, str, str], list[GameOutcome]] = {}
    for outcome in outcomes:
        grouped.setdefault((outcome.edition, *outcome.bots), []).append(outcome)
    return {key: tally(found) for key, found in sorted(grouped.items())}
