"""How accurate the chance to win is: games of bots, the chance before every activation, and how each game ended.

`fit` prints the coefficients for `shieldwall.analysis.chance`; `check` evaluates them on games they were not
fitted to, and draws how often each chance came true. Both keep the games they played and continue after them next time.
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
    ("greedy", "tactician"), ("tactician", "greedy"), ("random", "solo"), ("solo", "random"), ("greedy", "greedy"),
)  # fmt: skip
FITTED_TO, HELD_OUT = range(540), range(540, 840)  # seeds of the games for fitting, and of the others
MARKERS_AND_POINTS = slice(2, 6)  # what a simple count would use
BINS = 10


class PlayedGame(NamedTuple):
    """The facts before every activation, and the score of side 0."""

    seed: int
    edition: str
    score: float
    facts: tuple[PositionFacts, ...]


class FactWatcher:
    """Records the facts of every position in which a unit is chosen."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.facts: list[PositionFacts] = []

    def began(self, progress: Progress) -> None:
        """Record the first position."""
        self._look(progress)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Record the position that an answer led to."""
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
    matches = list(itertools.permutations(pools[seed // 45 % len(pools)], 2))
    rules = ruleset(edition)
    watcher = FactWatcher(rules)
    seats = [policy(name, seed) for name in bots]
    setup = setup_of(edition, matches[seed * 7 % len(matches)], seed)
    result = play_game(rules, setup, seats, SeededDice.from_seed(seed), seed=seed, watchers=[watcher])
    score = 0.5 if result.winner < 0 else float(result.winner == 0)
    return PlayedGame(seed, edition, score, tuple(watcher.facts))


def games(seeds: range, file: Path) -> list[PlayedGame]:
    """The games of some seeds; those already in the file are not played again."""
    known = {game.seed: game for game in _read(file)} if file.is_file() else {}
    with file.open("a", encoding="utf-8") as out:
        for seed in seeds:
            if seed not in known:
                known[seed] = play(seed)
                out.write(json.dumps(known[seed]) + "\n")
                out.flush()
    return [known[seed] for seed in seeds]


def _read(file: Path) -> Iterator[PlayedGame]:
    for line in file.read_text(encoding="utf-8").splitlines():
        seed, edition, score, facts = json.loads(line)
        yield PlayedGame(seed, edition, score, tuple(PositionFacts(*row) for row in facts))


Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """All positions of some games; every game has the same weight, however long it was."""

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
    """How much the weights change from one sample of games to the next, by resampling games."""
    rng = np.random.default_rng(1)
    count = int(sample.game.max()) + 1
    found = []
    for _ in range(draws):
        often = np.bincount(rng.integers(0, count, count), minlength=count)
        found.append(fitted(sample._replace(weights=sample.weights * often[sample.game])))
    return np.cov(np.array(found).T)


def brier(sample: Sample, chances: Floats) -> float:
    """The mean squared error of chances; always predicting one half gives 0.25 if there are no draws."""
    return float((sample.weights * (chances - sample.scores) ** 2).sum() / sample.weights.sum())


def run(keep: Path, picture: Path) -> None:
    """Fit the weights to some games, then test the weights in use on others, and draw the chart."""
    keep.mkdir(parents=True, exist_ok=True)
    fit(keep / "fitted-to.jsonl")
    check(keep / "held-out.jsonl", keep / "fitted-to.jsonl", picture)


def fit(file: Path) -> None:
    """Print the coefficients for the analysis."""
    sample = sample_of(games(FITTED_TO, file))
    weights, spread = fitted(sample), covariance(sample)
    print("WEIGHTS = {")
    for name, weight in zip(WEIGHTS, weights, strict=True):
        print(f'    "{name}": {weight:.3f},')
    print("}\nCOVARIANCE = (")
    for row in spread:
        print("    (" + ", ".join(f"{value:.4f}" for value in row) + "),")
    print(")")


def check(file: Path, fitted_to: Path, picture: Path) -> None:
    """Evaluate the coefficients of the analysis on games they were not fitted to."""
    played = games(HELD_OUT, file)
    sample = sample_of(played)
    chances = np.array([by_facts(facts).chance for game in played for facts in game.facts])
    counted = fitted(sample_of(list(_read(fitted_to))), MARKERS_AND_POINTS)
    baseline = 1 / (1 + np.exp(-sample.parts[:, MARKERS_AND_POINTS] @ counted))
    half = np.full(len(chances), 0.5)
    print(f"{len(played)} games that were not fitted to, {len(chances)} positions")
    for name, said in (
        ("the analysis", chances),
        ("markers and points", baseline),
        ("always one half", half),
    ):
        low, high = _interval(sample, said)
        print(f"Brier score of {name}: {brier(sample, said):.3f} ({low:.3f} to {high:.3f})")
    low, high = _interval(sample, chances, baseline)
    print(f"less than that of markers and points by {low:.3f} to {high:.3f}")
    bins = _bins(sample, chances)
    print("predicted  positions  mean prediction  share won")
    for one in bins:
        at = f"{one.at * 10:>3} to {one.at * 10 + 10:>3} %"
        print(f"{at} {one.count:>9} {one.said:>15.0%} {one.came:>11.0%}  ({one.low:.0%} to {one.high:.0%})")
    picture.write_text(drawn(bins), encoding="utf-8")


class ReliabilityBin(NamedTuple):
    """Positions with about the same predicted chance, how often it came true, and its interval."""

    at: int
    count: int
    said: float
    came: float
    low: float
    high: float


def _drawn_again(sample: Sample, draws: int = 400) -> Iterator[Floats]:
    """Weights as if other games had been played, by resampling games."""
    rng = np.random.default_rng(2)
    count = int(sample.game.max()) + 1
    for _ in range(draws):
        yield sample.weights * np.bincount(rng.integers(0, count, count), minlength=count)[sample.game]


def _interval(sample: Sample, said: Floats, less_than: Floats | None = None) -> tuple[float, float]:
    """The 95 % interval of the Brier score, or of its difference from that of other chances."""
    found = []
    for weights in _drawn_again(sample):
        again = sample._replace(weights=weights)
        score = brier(again, said)
        found.append(brier(again, less_than) - score if less_than is not None else score)
    return float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975))


def _bins(sample: Sample, chances: Floats) -> list[ReliabilityBin]:
    found = []
    weights = list(_drawn_again(sample, 200))
    for at in range(BINS):
        inside = (chances >= at / BINS) & (chances < (at + 1) / BINS + (at == BINS - 1))
        if not inside.any():
            continue
        again = [
            float((one[inside] * sample.scores[inside]).sum() / one[inside].sum())
            for one in weights
            if one[inside].sum() > 0
        ]
        mine = sample.weights[inside]
        found.append(
            ReliabilityBin(
                at,
                int(inside.sum()),
                float((mine * chances[inside]).sum() / mine.sum()),
                float((mine * sample.scores[inside]).sum() / mine.sum()),
                float(np.quantile(again, 0.025)),
                float(np.quantile(again, 0.975)),
            )
        )
    return found


def drawn(bins: list[ReliabilityBin]) -> str:
    """The reliability diagram: the predicted chance, and how often it came true, with intervals."""
    side, left, low = 360, 54, 40

    def x(share: float) -> float:
        return round(left + share * side, 1)

    def y(share: float) -> float:
        return round(12 + (1 - share) * side, 1)

    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    grid = "".join(f'<path d="M{x(0)} {y(t)}H{x(1)}M{x(t)} {y(0)}V{y(1)}"/>' for t in ticks)
    words = "".join(
        f'<text x="{x(0) - 8}" y="{y(t) + 5}" text-anchor="end">{t:.0%}</text>'
        f'<text x="{x(t)}" y="{y(0) + 18}" text-anchor="middle">{t:.0%}</text>'
        for t in ticks
    )
    most = max((one.count for one in bins), default=1)
    marks = "".join(
        f'<path d="M{x(one.said)} {y(one.low)}V{y(one.high)}"/>'
        f'<circle cx="{x(one.said)}" cy="{y(one.came)}" r="{3 + 6 * (one.count / most) ** 0.5:.1f}"/>'
        for one in bins
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + side + 16} {side + low + 26}" '
        'font-family="sans-serif" font-size="13" role="img" '
        'aria-label="Predicted chance to win against the share of games actually won">'
        '<rect width="100%" height="100%" fill="#fbf9f4"/>'
        f'<g stroke="#d8d2c4" fill="none">{grid}</g>'
        f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#8a8374" stroke-dasharray="5 4"/>'
        f'<g stroke="#0072B2" fill="#0072B2" stroke-width="2">{marks}</g>'
        f'<g fill="#4a4639">{words}'
        f'<text x="{x(0.5)}" y="{y(0) + 40}" text-anchor="middle">predicted chance to win</text>'
        f'<text transform="translate(13 {y(0.5)}) rotate(-90)" text-anchor="middle">share won</text></g></svg>\n'
    )
