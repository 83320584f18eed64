"""A duel: two bots, many pairs of games, a score with its interval. It can be resumed after an interruption."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.bots import policy
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.lab.games import GameOutcome, Options, Task, army_of, default_lists, pairs
from shieldwall.lab.series import Runner
from shieldwall.lab.stats import ScoreTally, Sprt


class DuelError(ShieldwallError):
    """A duel that cannot be played as requested."""


class DuelPlan(Struct, frozen=True):
    """What to play. Without `lists`, ready-made ones are taken; `games` are rounded up to whole pairs."""

    edition: str
    bots: tuple[str, str]
    games: int = 100
    seed: int = 1
    lists: tuple[str, str] = ("", "")
    sprt: Sprt | None = None
    options: Options = ()  # house rules that differ from their defaults
    mission: str = ""

    @property
    def what(self) -> str:
        """The duel in words."""
        first, second = self.bots
        more = [f"{name}={value}" for name, value in self.options] + ([self.mission] if self.mission else [])
        settings = ", ".join([self.edition, *more])
        return f"{first} v {second}, {settings}, {self.games} games from seed {self.seed}"

    def tasks(self) -> list[Task]:
        """Every game of the duel; unknown bots, lists and editions are refused before any game is played."""
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
        task = Task(0, self.edition, lists, self.bots, self.seed, options=self.options, mission=self.mission)
        return list(pairs(task, seeds))


def run_duel(duel: DuelPlan, runner: Runner) -> list[GameOutcome]:
    """Play a duel; outcomes in the order of the games.

    `runner.out` is the file for the results; every outcome is saved at once in a journal next to it.
    """
    tasks = duel.tasks()

    def is_enough(done: dict[int, GameOutcome]) -> bool:
        return duel.sprt is not None and settled_at(duel.sprt, tasks, done) > 0

    found = with_journal(runner).play(tasks, duel.what, is_enough)
    if duel.sprt is not None:
        stop = settled_at(duel.sprt, tasks, {outcome.number: outcome for outcome in found})
        found = found[:stop] if stop else found
    if runner.out is not None:
        write_results(found, runner.out)
    return found


def settled_at(sprt: Sprt, tasks: list[Task], done: dict[int, GameOutcome]) -> int:
    """After how many games, taken in order, the test was decided; 0 while it is not.

    Only games without a gap before them count, so that the verdict does not depend on which game finishes first.
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


def with_journal(runner: Runner) -> Runner:
    """The same runner, saving outcomes in a journal while games are played."""
    out = runner.out
    if out is None or out.suffix == ".jsonl":
        return runner
    return replace(runner, out=out.with_name(out.name + ".jsonl"))


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
