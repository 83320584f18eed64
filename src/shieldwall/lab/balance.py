"""Every list against every other: how strong each is, and who beats whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from msgspec import Struct

from shieldwall.lab.compare import CompareError, Options, check_order
from shieldwall.lab.games import GameOutcome, Task, army_of, pairs
from shieldwall.lab.ladder import Rated, rate
from shieldwall.lab.series import Tell, play_series
from shieldwall.lab.stats import interval, tally


class Cell(Struct, frozen=True):
    """The score of one list against another, with its 95 % interval."""

    first: str
    second: str
    games: int
    score: float
    low: float
    high: float


class Balance(Struct, frozen=True):
    """Lists by strength, the best first, and every meeting. The mean Elo is 0."""

    edition: str
    bot: str
    games: int
    rated: tuple[Rated, ...]
    cells: tuple[Cell, ...]
    command: str

    def score(self, first: str, second: str) -> float | None:
        """How the first list does against the second; None where they never met."""
        for cell in self.cells:
            if (cell.first, cell.second) == (first, second):
                return cell.score
            if (cell.first, cell.second) == (second, first):
                return 1 - cell.score
        return None


def balance_lists(
    edition: str,
    lists: Sequence[str],
    *,
    bot: str = "solo",
    games: int = 20,
    seed: int = 1,
    options: Options = (),
    mission: str = "",
    out: Path | None = None,
    workers: int = 0,
    cluster: str = "",
    tell: Tell | None = None,
    command: str = "",
) -> tuple[Balance, list[GameOutcome]]:
    """Play every list against every other, `games` games each, lists on changed sides in every pair."""
    if len(set(lists)) < 2:
        raise CompareError(f"a balance needs two or more lists, not {len(set(lists))}")
    check_order(edition, bot, games, (options,))
    for name in lists:
        army_of(edition, name)
    seeds = range(seed, seed + (games + 1) // 2)
    tasks: list[Task] = []
    for both in combinations(dict.fromkeys(lists), 2):
        tasks += pairs(
            edition, both, (bot, bot), seeds, len(tasks), swap_lists=True, options=options, mission=mission
        )
    what = f"{len(lists)} lists of {edition} against each other, played by {bot}, from seed {seed}"
    outcomes = play_series(tasks, what, out=out, workers=workers, cluster=cluster, tell=tell)
    return balance_of(outcomes, command), outcomes


def balance_of(outcomes: Sequence[GameOutcome], command: str = "") -> Balance:
    """What games between many lists say about them."""
    met: dict[tuple[str, str], list[GameOutcome]] = {}
    for one in outcomes:
        met.setdefault(one.lists, []).append(one)
    cells = []
    for (first, second), found in met.items():
        count = tally(found)
        cells.append(Cell(first, second, count.games, count.score, *interval(count)))
    rated = rate(list(outcomes), by="lists")
    head = outcomes[0]
    return Balance(head.edition, head.bots[0], len(outcomes), tuple(rated), tuple(cells), command)
