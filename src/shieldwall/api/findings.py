"""The lab for programs: compare lists and house rules, balance many lists, review one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar, Unpack

import msgspec

from shieldwall.api.army import Army
from shieldwall.api.game import AnyArmy
from shieldwall.api.running import SeriesKeywords, named_lists, options_of, setting_word
from shieldwall.lab import reports
from shieldwall.lab.balance import Balance, balance_lists
from shieldwall.lab.compare import ListComparison, RuleComparison, compare_lists
from shieldwall.lab.compare import compare_rules as compare_settings
from shieldwall.lab.games import GameOutcome
from shieldwall.lab.review import Review, ReviewOrder, review_list
from shieldwall.lab.series import Runner, SeriesPlan
from shieldwall.rulebook.house_rules import Setting

F = TypeVar("F", bound=reports.Finding)


class LabKeywords(SeriesKeywords, total=False):
    """Keywords of every function of the lab, in addition to those of `run_games`.

    `bot` plays both sides ("solo" by default), `seed` is the first seed, `report` an HTML file to write.
    """

    bot: str
    seed: int
    report: str | Path | None


def compare(
    first: AnyArmy,
    second: AnyArmy,
    edition: str = "regiments-3.5",
    *,
    games: int = 100,
    **keywords: Unpack[LabKeywords],
) -> ListComparison:
    """Which of two lists is better: `verdict`, `score` with `low` and `high`, `elo`, and `differences` one by one.

    The same bot plays both sides, on every table twice with the lists on swapped sides. For other keywords see
    `LabKeywords`.

    >>> import shieldwall as sw
    >>> found = sw.compare("kilnfolk-750", "kilnfolk-750", edition="regiments-3.4", bot="random", games=4)
    >>> found.score, found.low < 0.5 < found.high
    (0.5, True)
    """
    lab = Lab(games, **keywords)
    lists = named_lists(edition, (first, second))
    return lab.reported(*compare_lists(edition, (lists[0], lists[1]), lab.plan, lab.runner))


def compare_rules(
    name: str,
    values: Sequence[Setting],
    edition: str = "regiments-3.5",
    armies: Sequence[AnyArmy] = (),
    *,
    games: int = 100,
    **keywords: Unpack[LabKeywords],
) -> RuleComparison:
    """The effect of a house rule: the same tables and dice with each of its values, and what changes.

    `settings` has the games of each value, `differences` the changes of all others from the first. For other keywords
    see `LabKeywords`.
    """
    lab = Lab(games, **keywords)
    lists = named_lists(edition, armies) if armies else ["", ""]
    settings = [(*lab.plan.options, (name, setting_word(value))) for value in values]
    return lab.reported(*compare_settings(edition, settings, (lists[0], lists[1]), lab.plan, lab.runner))


def balance(
    armies: Sequence[AnyArmy],
    edition: str = "regiments-3.5",
    *,
    games: int = 20,
    **keywords: Unpack[LabKeywords],
) -> Balance:
    """Every list against every other: `rated` has the Elo of each with its interval, `score(a, b)` each meeting.

    For other keywords see `LabKeywords`.
    """
    lab = Lab(games, **keywords)
    return lab.reported(*balance_lists(edition, named_lists(edition, armies), lab.plan, lab.runner))


def review(
    army: Army,
    *,
    against: Sequence[str] = (),
    games: int = 40,
    swaps: int = 6,
    **keywords: Unpack[LabKeywords],
) -> Review:
    """What each unit of a list earned (`units`) and which swaps were tested (`swaps`), against a field of lists.

    For other keywords see `LabKeywords`.
    """
    lab = Lab(games, **keywords)
    order = ReviewOrder(field=tuple(against), swaps=swaps)
    return lab.reported(*review_list(army.list, army.books, order, lab.plan, lab.runner))


class Lab:
    """The parsed keywords of a lab function: what to play with, where, and where to write the report."""

    def __init__(
        self,
        games: int,
        *,
        bot: str = "solo",
        seed: int = 1,
        report: str | Path | None = None,
        **keywords: Unpack[SeriesKeywords],
    ) -> None:
        options, mission, runner = options_of(**keywords)
        self.place = Path(report) if report is not None else None
        reports.check_place(self.place)
        self.plan = SeriesPlan(bot=bot, games=games, seed=seed, options=options, mission=mission)
        self.runner: Runner = msgspec.structs.replace(runner, out=reports.journal_of(self.place))

    def reported(self, finding: F, outcomes: list[GameOutcome]) -> F:
        """Write the report if one was requested, and return the finding."""
        if self.place is not None:
            reports.write_report(finding, outcomes, self.place)
        return finding
