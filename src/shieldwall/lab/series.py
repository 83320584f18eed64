"""A series of games: what is played with, and where it is played and saved."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from shieldwall.bots import policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Options, Task, pairs
from shieldwall.lab.journal import Journal
from shieldwall.lab.runners import play_all
from shieldwall.rulebook.house_rules import settle

Tell = Callable[[list[GameOutcome], int], None]
Enough = Callable[[dict[int, GameOutcome]], bool]


class SeriesError(ShieldwallError):
    """A series that cannot be played as requested."""


class SeriesPlan(Struct, frozen=True, kw_only=True):
    """What games between lists are played with. The same bot plays both sides.

    `games` are rounded up to whole pairs. `options` are house rules that differ from their defaults.
    """

    bot: str = "solo"
    games: int = 100
    seed: int = 1
    options: Options = ()
    mission: str = ""

    @property
    def seeds(self) -> range:
        """One seed for each pair of games."""
        return range(self.seed, self.seed + (self.games + 1) // 2)

    def check(self, edition: str) -> None:
        """Refuse unknown bots and house rules before any game is played."""
        if self.games < 1:
            raise SeriesError(f"at least one game is needed, not {self.games}")
        policy(self.bot)
        settle(ruleset(edition).like, dict(self.options))

    def pairs(
        self, edition: str, lists: tuple[str, str], first: int = 0, *, by_unit: bool = False
    ) -> list[Task]:
        """All games between two lists, on swapped sides in every pair, numbered from `first`."""
        bots = (self.bot, self.bot)
        task = Task(
            first,
            edition,
            lists,
            bots,
            self.seed,
            swap_lists=True,
            options=self.options,
            mission=self.mission,
            by_unit=by_unit,
        )
        return list(pairs(task, self.seeds))

    def command_options(self, edition: str) -> str:
        """The options of a command that plays this series again."""
        words = f"--edition {edition} --bot {self.bot} --games {2 * len(self.seeds)} --seed {self.seed}"
        words += "".join(f" --set {name}={value}" for name, value in self.options)
        return f"{words} --mission {self.mission}" if self.mission else words


class Runner(Struct, frozen=True, kw_only=True):
    """Where games are played and saved.

    `out` is a journal of finished games, from which the same call later continues. `workers` is the number of
    processes (0: one for each processor), `cluster` the address of a Dask scheduler. `tell` is called with the games
    played so far and the total.
    """

    out: Path | None = None
    workers: int = 0
    cluster: str = ""
    tell: Tell | None = None

    def play(self, tasks: list[Task], what: str, is_enough: Enough = lambda done: False) -> list[GameOutcome]:
        """Play tasks until all are done or it `is_enough`; outcomes in the order of the tasks."""
        if self.out is None:
            return self._play(tasks, {}, lambda outcome: None, is_enough)
        with Journal(self.out, tasks, what) as journal:
            return self._play(tasks, dict(journal.done), journal.add, is_enough)

    def _play(
        self,
        tasks: list[Task],
        done: dict[int, GameOutcome],
        keep: Callable[[GameOutcome], None],
        is_enough: Enough,
    ) -> list[GameOutcome]:
        left = [task for task in tasks if task.number not in done]
        workers = self.workers or os.cpu_count() or 1
        self._report(done, tasks)
        for outcome in play_all(left, workers, self.cluster, lambda: is_enough(done)):
            keep(outcome)
            done[outcome.number] = outcome
            self._report(done, tasks)
        return [done[task.number] for task in tasks if task.number in done]

    def _report(self, done: dict[int, GameOutcome], tasks: list[Task]) -> None:
        if self.tell is not None:
            self.tell(list(done.values()), len(tasks))
