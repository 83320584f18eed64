"""A duel: two bots, many pairs of games, a score with its interval. It can be resumed after an interruption."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from shieldwall.bots import policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Task, army_of, default_lists, pairs
from shieldwall.lab.series import play_series
from shieldwall.lab.stats import ScoreTally, Sprt

Told = Callable[[list[GameOutcome], int], None]


class DuelError(ShieldwallError):
    """A duel that cannot be played as it was asked for."""


class DuelResult(Struct, frozen=True):
    """What is to be played. `lists` empty takes ready-made ones; `games` are rounded up to whole pairs."""

    edition: str
    bots: tuple[str, str]
    games: int = 100
    seed: int = 1
    lists: tuple[str, str] = ("", "")
    sprt: Sprt | None = None
    options: tuple[tuple[str, str], ...] = ()  # house rules that differ from their defaults
    mission: str = ""

    @property
    def what(self) -> str:
        """The duel in words."""
        first, second = self.bots
        more = [f"{name}={value}" for name, value in self.options] + ([self.mission] if self.mission else [])
        told = ", ".join([self.edition, *more])
        return f"{first} v {second}, {told}, {self.games} games from seed {self.seed}"

    def tasks(self) -> list[Task]:
        """Every game of the duel, checked: unknown bots, lists and editions are refused before any game is played."""
        if self.games < 1:
            raise DuelError(f"a duel needs at least one game, not {self.games}")
        ruleset(self.edition)
        for name in self.bots:
            policy(name, self.seed)
        lists = self.lists if any(self.lists) else default_lists(self.edition)
        if not all(lists):
            raise DuelError("a duel takes two lists or none (then ready-made ones), not one")
        for name in lists:
            army_of(self.edition, name)
        seeds = range(self.seed, self.seed + (self.games + 1) // 2)
        return list(pairs(self.edition, lists, self.bots, seeds, options=self.options, mission=self.mission))


def run_duel(
    duel: DuelResult,
    *,
    out: Path | None = None,
    workers: int = 0,
    cluster: str = "",
    tell: Told = lambda outcomes, games: None,
) -> list[GameOutcome]:
    """Play a duel; outcomes in the order of the games.

    `out` saves every outcome at once (next to it, as `.jsonl`); the same call later continues it.
    `workers` 0 takes one for each processor; `cluster` is the address of a Dask scheduler. `tell` is called with the
    progress.
    """
    tasks = duel.tasks()

    def is_enough(done: dict[int, GameOutcome]) -> bool:
        return duel.sprt is not None and settled_at(duel.sprt, tasks, done) > 0

    journal = None if out is None else journal_path(out)
    found = play_series(
        tasks, duel.what, out=journal, workers=workers, cluster=cluster, tell=tell, is_enough=is_enough
    )
    if duel.sprt is not None:
        stop = settled_at(duel.sprt, tasks, {outcome.number: outcome for outcome in found})
        found = found[:stop] if stop else found
    if out is not None:
        write_results(found, out)
    return found


def settled_at(sprt: Sprt, tasks: list[Task], done: dict[int, GameOutcome]) -> int:
    """After how many games, taken in order, the test was sure; 0 while it is not.

    Only games without a gap before them count, so that the verdict does not depend on who finished first.
    """
    scores: list[float] = []
    for at in range(0, len(tasks) - 1, 2):
        first, second = (done.get(task.number) for task in tasks[at : at + 2])
        if first is None or second is None:
            return 0
        scores.append((first.score + second.score) / 2)
        if sprt.verdict(ScoreTally(0, 0, 0, tuple(scores))):
            return at + 2
    return 0


def journal_path(out: Path) -> Path:
    """Where outcomes are kept while games are played."""
    return out if out.suffix == ".jsonl" else out.with_name(out.name + ".jsonl")


def write_results(outcomes: list[GameOutcome], out: Path) -> None:
    """Write all outcomes as one table; atomically, through a temporary file."""
    if out.suffix == ".jsonl":
        return  # the journal is the result
    if out.suffix not in (".parquet", ".csv"):
        raise DuelError(f"results are written as .parquet, .csv or .jsonl, not {out.suffix or out.name!r}")
    import polars

    frame = polars.DataFrame([row_of(outcome) for outcome in outcomes])
    beside = out.with_name(f".{out.name}.part")
    if out.suffix == ".parquet":
        frame.write_parquet(beside)
    else:
        frame.write_csv(beside)
    beside.replace(out)


def row_of(outcome: GameOutcome) -> dict[str, object]:
    """An outcome as one row of plain values."""
    row: dict[str, object] = {}
    for name in outcome.__struct_fields__:
        value = getattr(outcome, name)
        if name == "units":
            continue  # many rows of their own
        if isinstance(value, tuple):
            row |= {f"{name}_a": value[0], f"{name}_b": value[1]}
        else:
            row[name] = value
    return row
