"""The lab for programs: compare lists and house rules, balance many lists, review one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from shieldwall.api.army import Army
from shieldwall.api.game import AnyArmy
from shieldwall.api.running import named_lists, setting_word
from shieldwall.lab import reports
from shieldwall.lab.balance import Balance, balance_lists
from shieldwall.lab.compare import ListComparison, RuleComparison, compare_lists
from shieldwall.lab.compare import compare_rules as compare_settings
from shieldwall.lab.games import GameOutcome
from shieldwall.lab.review import Review, review_list
from shieldwall.rulebook.house_rules import Setting

F = TypeVar("F", bound=reports.Finding)


def compare(
    first: AnyArmy,
    second: AnyArmy,
    edition: str = "regiments-3.5",
    *,
    bot: str = "solo",
    games: int = 100,
    seed: int = 1,
    house_rules: Mapping[str, Setting] | None = None,
    mission: str = "",
    workers: int = 1,
    cluster: str = "",
    report: str | Path | None = None,
) -> ListComparison:
    """Which of two lists is better: `verdict`, `score` with `low` and `high`, `elo`, and `differences` one by one.

    The same bot plays both sides, on every table twice with the lists on swapped sides. `report` is an HTML file to
    write, `workers` and `cluster` are as in `run_games`.

    >>> import shieldwall as sw
    >>> found = sw.compare("kilnfolk-750", "kilnfolk-750", edition="regiments-3.4", bot="random", games=4)
    >>> found.score, found.low < 0.5 < found.high
    (0.5, True)
    """
    place = _place(report)
    lists = named_lists(edition, (first, second))
    options = tuple(sorted((name, setting_word(value)) for name, value in (house_rules or {}).items()))
    found = compare_lists(
        edition, (lists[0], lists[1]), bot=bot, games=games, seed=seed, options=options, mission=mission,
        out=reports.journal_of(place), workers=workers, cluster=cluster,
    )  # fmt: skip
    return _reported(*found, place)


def compare_rules(
    name: str,
    values: Sequence[Setting],
    edition: str = "regiments-3.5",
    armies: Sequence[AnyArmy] = (),
    *,
    bot: str = "solo",
    games: int = 100,
    seed: int = 1,
    mission: str = "",
    workers: int = 1,
    cluster: str = "",
    report: str | Path | None = None,
) -> RuleComparison:
    """The effect of a house rule: the same tables and dice with each of its values, and what changes.

    `settings` has the games of each value, `differences` the changes of all others from the first.
    """
    place = _place(report)
    lists = named_lists(edition, armies) if armies else ["", ""]
    settings = [((name, setting_word(value)),) for value in values]
    found = compare_settings(
        edition, settings, (lists[0], lists[1]), bot=bot, games=games, seed=seed, mission=mission,
        out=reports.journal_of(place), workers=workers, cluster=cluster,
    )  # fmt: skip
    return _reported(*found, place)


def balance(
    armies: Sequence[AnyArmy],
    edition: str = "regiments-3.5",
    *,
    bot: str = "solo",
    games: int = 20,
    seed: int = 1,
    workers: int = 1,
    cluster: str = "",
    report: str | Path | None = None,
) -> Balance:
    """Every list against every other: `rated` has the Elo of each with its interval, `score(a, b)` each meeting."""
    place = _place(report)
    found = balance_lists(
        edition, named_lists(edition, armies), bot=bot, games=games, seed=seed,
        out=reports.journal_of(place), workers=workers, cluster=cluster,
    )  # fmt: skip
    return _reported(*found, place)


def review(
    army: Army,
    *,
    against: Sequence[str] = (),
    bot: str = "solo",
    games: int = 40,
    swaps: int = 6,
    seed: int = 1,
    workers: int = 1,
    cluster: str = "",
    report: str | Path | None = None,
) -> Review:
    """What each unit of a list earned (`units`) and which swaps were tested (`swaps`), against a field of lists."""
    place = _place(report)
    found = review_list(
        army.list, army.books, bot=bot, games=games, seed=seed, field=against, swaps=swaps,
        out=reports.journal_of(place), workers=workers, cluster=cluster,
    )  # fmt: skip
    return _reported(*found, place)


def _reported(finding: F, outcomes: list[GameOutcome], place: Path | None) -> F:
    """The finding itself; its page is written where one was asked for."""
    if place is not None:
        reports.write_report(finding, outcomes, place)
    return finding


def _place(report: str | Path | None) -> Path | None:
    place = Path(report) if report is not None else None
    reports.check_place(place)
    return place
