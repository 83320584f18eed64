"""A series of games: played anywhere, kept as they finish, and gone on with after an interruption."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from shieldwall.lab.games import GameOutcome, Task
from shieldwall.lab.journal import Journal
from shieldwall.lab.runners import play_all

Tell = Callable[[list[GameOutcome], int], None]


def play_series(
    tasks: list[Task],
    what: str,
    *,
    out: Path | None = None,
    workers: int = 0,
    cluster: str = "",
    tell: Tell | None = None,
    is_enough: Callable[[dict[int, GameOutcome]], bool] = lambda done: False,
) -> list[GameOutcome]:
    """Play tasks; outcomes in the order of the tasks.

    `out` is a journal of finished games, which the same call later continues. `workers` 0 takes one for each
    processor, `cluster` is the address of a Dask scheduler. `tell` hears how it goes, `is_enough` may end it early.
    """
    if out is None:
        return _play(tasks, {}, lambda outcome: None, workers, cluster, tell, is_enough)
    with Journal(out, tasks, what) as journal:
        return _play(tasks, dict(journal.done), journal.add, workers, cluster, tell, is_enough)


def _play(
    tasks: list[Task],
    done: dict[int, GameOutcome],
    keep: Callable[[GameOutcome], None],
    workers: int,
    cluster: str,
    tell: Tell | None,
    is_enough: Callable[[dict[int, GameOutcome]], bool],
) -> list[GameOutcome]:
    left = [task for task in tasks if task.number not in done]
    if tell is not None:
        tell(list(done.values()), len(tasks))
    for outcome in play_all(left, workers or os.cpu_count() or 1, cluster, lambda: is_enough(done)):
        keep(outcome)
        done[outcome.number] = outcome
        if tell is not None:
            tell(list(done.values()), len(tasks))
    return [done[task.number] for task in tasks if task.number in done]
