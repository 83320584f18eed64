"""Every list against every other: how strong each is, and which beats which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from shieldwall.lab.games import GameOutcome, Task, army_of
from shieldwall.lab.ladder import Rated, rate
from shieldwall.lab.series import Runner, SeriesError, SeriesPlan
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
        """The score of the first list against the second; None if they never met."""
        for cell in self.cells:
            if (cell.first, cell.second) == (first, second):
                return cell.score
            if (cell.first, cell.second) == (second, first):
                return 1 - cell.score
        return None


def balance_lists(
    edition: str, lists: Sequence[str], plan: SeriesPlan, runner: Runner, command: str = ""
) -> tuple[Balance, list[GameOutcome]]:
    """Play every list against every other, `plan.games` games each, lists on swapped sides in every pair."""
    if len(set(lists)) < 2:
        raise SeriesError(f"a balance needs two or more lists, not {len(set(lists))}")
    plan.check(edition)
    for name in lists:
        army_of(edition, name)
    tasks: list[Task] = []
    for both in combinations(dict.fromkeys(lists), 2):
        tasks += plan.pairs(edition, both, len(tasks))
    what = f"{len(lists)} lists of {edition} against each other, played by {plan.bot}, from seed {plan.seed}"
    outcomes = runner.play(tasks, what)
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
