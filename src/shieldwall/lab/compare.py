"""Which of two lists is better, by how much and where; and what a house rule does.

Both sides are played by the same bot. Games come in pairs: one table, one set of dice, the lists on swapped sides. A
pair is one observation, so a list against itself is exactly even.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Options, Task, army_of, default_lists
from shieldwall.lab.series import Runner, SeriesError, SeriesPlan
from shieldwall.lab.stats import elo, elo_interval, interval, student_t, tally


class SeriesDifference(Struct, frozen=True):
    """What two contenders have on average, and the difference with its 95 % interval."""

    what: str
    first: float
    second: float
    difference: float
    low: float
    high: float


class ListComparison(Struct, frozen=True):
    """How two lists compare. `score` is the first one's share of the points, with its 95 % interval."""

    edition: str
    lists: tuple[str, str]
    bot: str
    games: int
    score: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    won: int
    drawn: int
    lost: int
    differences: tuple[SeriesDifference, ...]
    by_round: tuple[tuple[int, int, int], ...]
    command: str

    @property
    def verdict(self) -> str:
        """The finding in a sentence."""
        first, second = self.lists
        if self.low > 0.5:
            return f"{first} is better than {second}"
        if self.high < 0.5:
            return f"{second} is better than {first}"
        return f"{self.games} games do not show which list is better"


class Setting(Struct, frozen=True):
    """What games were like under one setting of the house rules."""

    options: str
    games: int
    first_list: float
    first_turn_wins: float
    draws: float
    markers: float
    points_lost: float
    rounds: float
    activations: float


class RuleComparison(Struct, frozen=True):
    """The effect of house rules: each setting, and its differences from the first one."""

    edition: str
    lists: tuple[str, str]
    bot: str
    settings: tuple[Setting, ...]
    differences: tuple[tuple[SeriesDifference, ...], ...]
    command: str


METRICS: tuple[tuple[str, Callable[[GameOutcome], tuple[float, float]]], ...] = (
    ("markers held at the end", lambda one: (one.markers[0], one.markers[1])),
    ("points destroyed", lambda one: (one.points_lost[1], one.points_lost[0])),
    ("points lost", lambda one: (one.points_lost[0], one.points_lost[1])),
    ("units destroyed", lambda one: (one.losses[1], one.losses[0])),
    ("attacks", lambda one: (one.attacks[0], one.attacks[1])),
    ("charges", lambda one: (one.charges[0], one.charges[1])),
)
GAME_METRICS: tuple[tuple[str, Callable[[GameOutcome], float]], ...] = (
    ("score of the first list", lambda one: one.score),
    ("won by the first seat", lambda one: 0.5 if one.winner < 0 else float(one.winner == 0)),
    ("draws", lambda one: float(one.score == 0.5)),
    ("markers held, both sides", lambda one: float(sum(one.markers))),
    ("points lost, both sides", lambda one: float(sum(one.points_lost))),
    ("charges, both sides", lambda one: float(sum(one.charges))),
    ("rounds", lambda one: float(one.rounds)),
    ("activations", lambda one: float(one.turns)),
)


def compare_lists(
    edition: str, lists: tuple[str, str], plan: SeriesPlan, runner: Runner
) -> tuple[ListComparison, list[GameOutcome]]:
    """Play two lists against each other and say how they compare; without names, two ready-made lists."""
    first, second = lists = checked_lists(edition, lists)
    plan.check(edition)
    tasks = plan.pairs(edition, lists, by_unit=True)
    what = (
        f"{first} against {second}, {edition}, played by {plan.bot}, {len(tasks)} games from seed {plan.seed}"
    )
    outcomes = runner.play(tasks, what)
    return summary_of(
        outcomes, f"shieldwall compare {first} {second} {plan.command_options(edition)}"
    ), outcomes


def summary_of(outcomes: Sequence[GameOutcome], command: str = "") -> ListComparison:
    """What a series of games between two lists says about them."""
    found = tally(outcomes)
    low, high = interval(found)
    elo_low, elo_high = elo_interval(found)
    first = outcomes[0]
    rounds = sorted({one.rounds for one in outcomes})
    by_round = tuple(
        (
            number,
            sum(one.rounds == number and one.score == 1.0 for one in outcomes),
            sum(one.rounds == number and one.score == 0.0 for one in outcomes),
        )
        for number in rounds
    )
    return ListComparison(
        first.edition, first.lists, first.bots[0], found.games, found.score, low, high,
        elo(found.score), elo_low, elo_high, found.won, found.drawn, found.lost,
        tuple(_difference(what, outcomes, read) for what, read in METRICS), by_round, command,
    )  # fmt: skip


def _difference(
    what: str, outcomes: Sequence[GameOutcome], read: Callable[[GameOutcome], tuple[float, float]]
) -> SeriesDifference:
    """Means of both contenders and their difference, pair by pair."""
    values = [read(one) for one in outcomes]
    first = sum(one for one, _ in values) / len(values)
    second = sum(two for _, two in values) / len(values)
    by_pair: dict[int, list[float]] = {}
    for outcome, (one, two) in zip(outcomes, values, strict=True):
        by_pair.setdefault(outcome.number // 2, []).append(one - two)
    low, high = mean_interval([sum(both) / len(both) for both in by_pair.values()])
    return SeriesDifference(what, first, second, first - second, low, high)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean (Student's t); infinite if there is only one value."""
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = student_t(count - 1) * math.sqrt(spread / count)
    return mean - half, mean + half


def compare_rules(
    edition: str, settings: Sequence[Options], lists: tuple[str, str], plan: SeriesPlan, runner: Runner
) -> tuple[RuleComparison, list[GameOutcome]]:
    """Play the same games under several settings of the house rules, `plan.games` games under each."""
    if len(settings) < 2:
        raise SeriesError("two or more settings are compared, as in --set NAME=VALUE --set NAME=OTHER")
    first, second = lists = checked_lists(edition, lists)
    plans = [replace(plan, options=options) for options in settings]
    tasks: list[Task] = []
    for one in plans:
        one.check(edition)
        tasks += one.pairs(edition, lists, len(tasks))
    named = " against ".join(words_of(options) for options in settings)
    what = f"{named}, {edition}, {first} and {second}, played by {plan.bot}, from seed {plan.seed}"
    outcomes = runner.play(tasks, what)
    size = len(tasks) // len(settings)
    groups = [outcomes[at : at + size] for at in range(0, len(tasks), size)]
    sets = "".join(f" --set {words_of(options)}" for options in settings)
    shared = replace(plan, options=()).command_options(edition)
    command = f"shieldwall compare {first} {second} {shared}{sets}"
    differences = tuple(_changes(groups[0], group) for group in groups[1:])
    finding = RuleComparison(edition, lists, plan.bot, tuple(map(_setting, groups)), differences, command)
    return finding, outcomes


def words_of(options: Options) -> str:
    """Settings as they are given to a command."""
    return ",".join(f"{name}={value}" for name, value in options) or "defaults"


def _setting(outcomes: Sequence[GameOutcome]) -> Setting:
    def mean(read: Callable[[GameOutcome], float]) -> float:
        return sum(map(read, outcomes)) / len(outcomes)

    reads = dict(GAME_METRICS)
    return Setting(
        options=outcomes[0].options or "defaults",
        games=len(outcomes),
        first_list=mean(reads["score of the first list"]),
        first_turn_wins=mean(reads["won by the first seat"]),
        draws=mean(reads["draws"]),
        markers=mean(reads["markers held, both sides"]),
        points_lost=mean(reads["points lost, both sides"]),
        rounds=mean(reads["rounds"]),
        activations=mean(reads["activations"]),
    )


def _changes(base: Sequence[GameOutcome], other: Sequence[GameOutcome]) -> tuple[SeriesDifference, ...]:
    """The changes from one setting to another, seed by seed."""
    found = []
    for what, read in GAME_METRICS:
        before, after = _by_seed(base, read), _by_seed(other, read)
        changes = [after[seed] - before[seed] for seed in before if seed in after]
        low, high = mean_interval(changes)
        first, second = _mean(before.values()), _mean(after.values())
        found.append(SeriesDifference(what, first, second, second - first, low, high))
    return tuple(found)


def _by_seed(outcomes: Sequence[GameOutcome], read: Callable[[GameOutcome], float]) -> dict[int, float]:
    grouped: dict[int, list[float]] = {}
    for one in outcomes:
        grouped.setdefault(one.seed, []).append(read(one))
    return {seed: _mean(values) for seed, values in grouped.items()}


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / max(1, len(found))


def checked_lists(edition: str, lists: tuple[str, str]) -> tuple[str, str]:
    """Two lists that can be played; ready-made ones if none are named."""
    ruleset(edition)
    if not any(lists):
        return default_lists(edition)
    if not all(lists):
        raise SeriesError("a comparison needs two lists, not one")
    for name in lists:
        army_of(edition, name)
    return lists
