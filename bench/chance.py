"""How well the chance to win holds: games of bots, the chance before every activation, and how each game ended.

`fit` prints the numbers that stand in `shieldwall.analysis.chance`; `check` judges them by games that they were not
fitted to. Both keep what they played in a file and go on behind it next time.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shieldwall.analysis.chance import WEIGHTS, by_facts, parts_of
from shieldwall.analysis.facts import PositionFacts, facts_of
from shieldwall.armies import ready_lists
from shieldwall.bots import play_game, policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.lab.games import setup_of
from shieldwall.rules.ruleset import Ruleset

EDITIONS = ("regiments-3.5", "aof-2", "skirmish-3.2", "regiments-3.4", "aof-1.6")
BOTS = (
    ("tactician", "tactician"), ("solo", "tactician"), ("tactician", "solo"), ("solo", "solo"),
    ("greedy", "tactician"), ("tactician", "greedy"),
)  # fmt: skip
FITTED_TO, HELD_OUT = 0, 100_000  # the first seeds of the games that were fitted to, and of the others
MARKERS_AND_POINTS = slice(2, 6)  # the columns that somebody who only counts would look at
BINS = 10


class PlayedGame(NamedTuple):
    """The facts before every activation, and the score of side 0."""

    seed: int
    edition: str
    score: float
    facts: tuple[PositionFacts, ...]


class FactWatcher:
    """Notes the facts of every position in which a unit is chosen."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.facts: list[PositionFacts] = []

    def began(self, progress: Progress) -> None:
        """Look at the first position."""
        self._look(progress)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Look at the position that an answer led to."""
        self._look(progress)

    def _look(self, progress: Progress) -> None:
        waits, state = progress.pending, progress.state
        if isinstance(waits, Decision) and waits.kind == "activate":
            self.facts.append(facts_of(self.rules, state, state.seats[waits.seat].side))


def play(seed: int) -> PlayedGame:
    """The game of a seed: editions, bots and ready-made lists of one size take turns."""
    edition = EDITIONS[seed % len(EDITIONS)]
    bots = BOTS[seed // len(EDITIONS) % len(BOTS)]
    by_points: dict[int, list[str]] = {}
    for ready in ready_lists(ruleset(edition).like):
        by_points.setdefault(ready.points, []).append(ready.id)
    pools = [names for names in by_points.values() if len(names) > 1]
    matches = list(itertools.permutations(pools[seed // 30 % len(pools)], 2))
    rules = ruleset(edition)
    watcher = FactWatcher(rules)
    seats = [policy(name, seed) for name in bots]
    setup = setup_of(edition, matches[seed * 7 % len(matches)], seed)
    result = play_game(rules, setup, seats, SeededDice.from_seed(seed), seed=seed, watchers=[watcher])
    score = 0.5 if result.winner < 0 else float(result.winner == 0)
    return PlayedGame(seed, edition, score, tuple(watcher.facts))


def games(first: int, count: int, file: Path) -> list[PlayedGame]:
    """The games of some seeds; those that the file holds are not played again."""
    known = {game.seed: game for game in _read(file)} if file.is_file() else {}
    with file.open("a", encoding="utf-8") as out:
        for seed in range(first, first + count):
            if seed not in known:
                known[seed] = play(seed)
                out.write(json.dumps(known[seed]) + "\n")
                out.flush()
    return [known[seed] for seed in range(first, first + count)]


def _read(file: Path) -> Iterator[PlayedGame]:
    for line in file.read_text(encoding="utf-8").splitlines():
        seed, edition, score, facts = json.loads(line)
        yield PlayedGame(seed, edition, score, tuple(PositionFacts(*row) for row in facts))


Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """All positions of some games; every game weighs the same, however long it was."""

    parts: Floats
    scores: Floats
    weights: Floats
    game: NDArray[np.int64]


def sample_of(played: list[PlayedGame]) -> Sample:
    """The positions of games as arrays."""
    rows = [(parts_of(facts), game, at) for at, game in enumerate(played) for facts in game.facts]
    return Sample(
        np.array([parts for parts, _, _ in rows]),
        np.array([game.score for _, game, _ in rows]),
        np.array([1 / len(game.facts) for _, game, _ in rows]),
        np.array([at for _, _, at in rows]),
    )


def fitted(sample: Sample, columns: slice = slice(None), ridge: float = 1e-3) -> Floats:
    """The weights that make the scores most likely (logistic regression by Newton's method)."""
    parts, weights = sample.parts[:, columns], sample.weights
    found: Floats = np.zeros(parts.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-parts @ found))
        bend = (parts * (weights * chance * (1 - chance))[:, None]).T @ parts
        slope = parts.T @ (weights * (sample.scores - chance)) - ridge * found
        found = found + np.linalg.solve(bend + ridge * np.eye(len(found)), slope)
    return found


def covariance(sample: Sample, draws: int = 200) -> Floats:
    """How much the weights change from one sample of games to the next: games drawn again and again."""
    rng = np.random.default_rng(1)
    count = int(sample.game.max()) + 1
    found = []
    for _ in range(draws):
        often = np.bincount(rng.integers(0, count, count), minlength=count)
        found.append(fitted(sample._replace(weights=sample.weights * often[sample.game])))
    return np.cov(np.array(found).T)


def brier(sample: Sample, chances: Floats) -> float:
    """The mean squared error of chances; 0.25 is that of always saying one half where there are no draws."""
    return float((sample.weights * (chances - sample.scores) ** 2).sum() / sample.weights.sum())


def run(count: int, keep: Path) -> None:
    """Fit the weights to this many games, then test the weights in use on as many other games."""
    keep.mkdir(parents=True, exist_ok=True)
    fit(count, keep / "fitted-to.jsonl")
    check(count, keep / "held-out.jsonl", keep / "fitted-to.jsonl")


def fit(count: int, file: Path) -> None:
    """Print the numbers that stand in the analysis."""
    sample = sample_of(games(FITTED_TO, count, file))
    weights, spread = fitted(sample), covariance(sample)
    print("WEIGHTS = {")
    for name, weight in zip(WEIGHTS, weights, strict=True):
        print(f'    "{name}": {weight:.3f},')
    print("}\nCOVARIANCE = (")
    for row in spread:
        print("    (" + ", ".join(f"{value:.4f}" for value in row) + "),")
    print(")")


def check(count: int, file: Path, fitted_to: Path) -> None:
    """Judge the numbers of the analysis by games that they were not fitted to."""
    played = games(HELD_OUT, count, file)
    sample = sample_of(played)
    chances = np.array([by_facts(facts).chance for game in played for facts in game.facts])
    counted = fitted(sample_of(list(_read(fitted_to))), MARKERS_AND_POINTS)
    baseline = 1 / (1 + np.exp(-sample.parts[:, MARKERS_AND_POINTS] @ counted))
    print(f"{count} games that were not fitted to, {len(chances)} positions")
    print(f"Brier score {brier(sample, chances):.3f}; by markers and points {brier(sample, baseline):.3f}; "
          f"always one half {brier(sample, np.full(len(chances), 0.5)):.3f}")  # fmt: skip
    print("said       positions  said on average  came true")
    for at in range(BINS):
        inside = (chances >= at / BINS) & (chances < (at + 1) / BINS)
        if inside.any():
            said, came = chances[inside].mean(), sample.scores[inside].mean()
            print(f"{at * 10:>3} to {at * 10 + 10:>3} % {inside.sum():>9} {said:>15.0%} {came:>11.0%}")
