"""Which of two lists is better, by how much and where; and what a house rule does.

Both sides are played by the same bot. Games come in pairs: one table, one set of dice, the lists on changed sides. A
pair is one observation, so a list against itself is exactly even.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from shieldwall.bots import policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Task, army_of, default_lists, pairs
from shieldwall.lab.series import Tell, play_series
from shieldwall.lab.stats import SURE, elo, elo_interval, interval, tally
from shieldwall.rulebook.house_rules import settle

Options = tuple[tuple[str, str], ...]


class CompareError(ShieldwallError):
    """A comparison that cannot be made as it was asked for."""


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
    edition: str,
    lists: tuple[str, str] = ("", ""),
    *,
    bot: str = "solo",
    games: int = 100,
    seed: int = 1,
    options: Options = (),
    mission: str = "",
    out: Path | None = None,
    workers: int = 0,
    cluster: str = "",
    tell: Tell | None = None,
) -> tuple[ListComparison, list[GameOutcome]]:
    """Play two lists against each other and say how they compare; `games` are rounded up to whole pairs."""
    lists = checked_lists(edition, lists)
    check_order(edition, bot, games, (options,))
    seeds = range(seed, seed + (games + 1) // 2)
    tasks = list(
        pairs(
            edition, lists, (bot, bot), seeds, swap_lists=True, options=options, mission=mission, by_unit=True
        )
    )
    what = f"{lists[0]} against {lists[1]}, {edition}, played by {bot}, {len(tasks)} games from seed {seed}"
    outcomes = play_series(tasks, what, out=out, workers=workers, cluster=cluster, tell=tell)
    sets = "".join(f" --set {name}={value}" for name, value in options)
    about = f" --mission {mission}" if mission else ""
    command = (
        f"shieldwall compare {lists[0]} {lists[1]} --edition {edition} --bot {bot} --games {len(tasks)} "
        f"--seed {seed}{sets}{about}"
    )
    return summary_of(outcomes, command), outcomes


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
    """The 95 % interval of a mean; endless where there is only one value."""
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    mean = sum(values) / count
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    half = SURE * math.sqrt(spread / count)
    return mean - half, mean + half


def compare_rules(
    edition: str,
    settings: Sequence[Options],
    lists: tuple[str, str] = ("", ""),
    *,
    bot: str = "solo",
    games: int = 100,
    seed: int = 1,
    mission: str = "",
    out: Path | None = None,
    workers: int = 0,
    cluster: str = "",
    tell: Tell | None = None,
) -> tuple[RuleComparison, list[GameOutcome]]:
    """Play the same games under several settings of the house rules; `games` are those of each setting."""
    if len(settings) < 2:
        raise CompareError("two or more settings are compared, as in --set NAME=VALUE --set NAME=OTHER")
    lists = checked_lists(edition, lists)
    check_order(edition, bot, games, settings)
    seeds = range(seed, seed + (games + 1) // 2)
    tasks: list[Task] = []
    for options in settings:
        tasks += pairs(
            edition, lists, (bot, bot), seeds, len(tasks), swap_lists=True, options=options, mission=mission
        )
    named = " against ".join(words_of(options) for options in settings)
    what = f"{named}, {edition}, {lists[0]} and {lists[1]}, played by {bot}, from seed {seed}"
    outcomes = play_series(tasks, what, out=out, workers=workers, cluster=cluster, tell=tell)
    size = len(tasks) // len(settings)
    groups = [outcomes[at : at + size] for at in range(0, len(tasks), size)]
    sets = "".join(f" --set {words_of(options)}" for options in settings)
    command = (
        f"shieldwall compare {lists[0]} {lists[1]} --edition {edition}{sets} --bot {bot} --games {size} "
        f"--seed {seed}"
    )
    differences = tuple(_changes(groups[0], group) for group in groups[1:])
    return RuleComparison(edition, lists, bot, tuple(map(_setting, groups)), differences, command), outcomes


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
    """What another setting changes, seed by seed."""
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
    """Two lists that can be played; ready-made ones where none are named."""
    ruleset(edition)
    if not any(lists):
        return default_lists(edition)
    if not all(lists):
        raise CompareError("a comparison needs two lists, not one")
    for name in lists:
        army_of(edition, name)
    return lists


def check_order(edition: str, bot: str, games: int, settings: Sequence[Options]) -> None:
    """Refuse unknown bots and settings before any game is played."""
    if games < 1:
        raise CompareError(f"at least one game is needed, not {games}")
    policy(bot)
    for options in settings:
        settle(ruleset(edition).like, dict(options))
