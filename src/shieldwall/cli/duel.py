"""`shieldwall duel`: two bots play many games against each other, swapping seats in every pair."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.options import (
    DEFAULT_EDITION,
    AsJson,
    Bots,
    GameOptions,
    Games,
    RunOptions,
    house_rules_of,
    with_options,
)
from shieldwall.cli.outputs import require_file_path
from shieldwall.cli.streams import plain_console
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from shieldwall.lab import DuelPlan, GameOutcome

INTERRUPTED = 130
RESULTS = (".parquet", ".csv", ".jsonl")
FIRST_LIST = (
    "The list of the first seat: a ready-made one such as kilnfolk-750, the name of a list you imported, or a "
    "file; by default a ready-made one."
)
FirstList = Annotated[str, typer.Argument(metavar="LIST_A", help=FIRST_LIST)]
SecondList = Annotated[str, typer.Argument(metavar="LIST_B", help="The list of the second seat.")]


@with_options
def duel(
    list_a: FirstList = "",
    list_b: SecondList = "",
    *,
    game: GameOptions,
    bots: Bots = "tactician,solo",
    games: Games = 100,
    sprt: Annotated[
        bool, typer.Option("--sprt", help="Stop as soon as a sequential test of 50% against 55% is decided.")
    ] = False,
    run: RunOptions,
    json: AsJson = False,
) -> None:
    """Let two bots play many games; prints a score with its interval."""
    from shieldwall.lab import DuelPlan, Sprt, run_duel

    require_results_path(run.out)
    both, lists = two_names(bots), (list_a, list_b)
    edition = register_lists(game.edition, lists, game.book)
    options = tuple(sorted(house_rules_of(edition, game.rule or ()).items()))
    test = Sprt() if sprt else None
    order = DuelPlan(edition, both, games, run.seed, lists, test, options, game.mission)
    with progress_bar(run.out) as bar:
        line = bar.add_task(" v ".join(both), total=None, score="")
        outcomes = run_duel(order, run.runner(ScoreBar(bar, line)))
    if json:
        typer.echo(as_json(order, outcomes))
    else:
        print_result(order, outcomes, plain_console())


def register_lists(edition: str, lists: tuple[str, str], books: list[str] | None) -> str:
    """The edition of a duel; makes its lists known to all workers, and prints the rules that are not played."""
    from shieldwall.cli.army import armies_for
    from shieldwall.lab.games import hand_in

    if not all(lists):
        return edition or DEFAULT_EDITION  # the duel refuses a single list
    played, armies = armies_for(edition, lists, DEFAULT_EDITION, books)
    for name, army in zip(lists, armies, strict=True):
        hand_in(played, name, army)
    return played


def require_results_path(out: Path | None) -> None:
    """Check the results file before any game is played."""
    if out is not None and out.suffix not in RESULTS:
        raise ShieldwallError(
            f"results are saved in a file that ends with {', '.join(RESULTS[:-1])} or {RESULTS[-1]}, not {out.name!r}"
        )
    require_file_path(out, "the results")


def two_names(bots: str) -> tuple[str, str]:
    """The two bots of a duel."""
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if len(names) != 2:
        raise ShieldwallError(f"a duel needs two bots, as in --bots tactician,solo, not {bots!r}")
    return names[0], names[1]


@contextmanager
def progress_bar(kept: Path | None) -> Iterator[Progress]:
    """A progress bar on stderr with the running score; on interruption, explains how to continue what is `kept`."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    words = TextColumn("{task.description}")
    score = TextColumn("{task.fields[score]}")
    columns = (words, BarColumn(), MofNCompleteColumn(), score, TimeRemainingColumn())
    console = plain_console(stderr=True)
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            yield bar
    except KeyboardInterrupt:
        advice = f"; finished games are saved, and the same command continues {kept}" if kept else ""
        console.print(f"stopped{advice}")
        raise typer.Exit(INTERRUPTED) from None


class ScoreBar:
    """Advances the bar, and shows the running score."""

    def __init__(self, bar: Progress, line: TaskID, scores: bool = True) -> None:
        self.bar = bar
        self.line = line
        self.scores = scores

    def __call__(self, outcomes: list[GameOutcome], games: int) -> None:
        from shieldwall.lab import interval
        from shieldwall.lab.stats import tally

        found = tally(outcomes)
        low, high = interval(found)
        words = (
            f"{100 * found.score:.1f}% ({100 * low:.0f} to {100 * high:.0f})"
            if outcomes and self.scores
            else ""
        )
        self.bar.update(self.line, total=games, completed=len(outcomes), score=words)


def as_json(order: DuelPlan, outcomes: list[GameOutcome]) -> str:
    """The whole result for programs."""
    import msgspec

    from shieldwall.lab import elo, elo_interval, interval
    from shieldwall.lab.stats import tally

    found = tally(outcomes)
    report = {
        "duel": order,
        "games": found.games,
        "won": found.won,
        "drawn": found.drawn,
        "lost": found.lost,
        "score": found.score,
        "interval": interval(found),
        "elo": elo(found.score),
        "elo_interval": elo_interval(found),
        "outcomes": outcomes,
    }
    return msgspec.json.encode(report).decode()


def print_result(order: DuelPlan, outcomes: list[GameOutcome], console: Console) -> None:
    """The score in words, and how the games went."""
    from rich.table import Table

    from shieldwall.lab import elo, elo_interval, interval
    from shieldwall.lab.stats import tally

    found = tally(outcomes)
    low, high = interval(found)
    low_elo, high_elo = elo_interval(found)
    first, second = order.bots
    console.print(
        f"{first} v {second}, {order.edition}: {found.won} won, {found.drawn} drawn, {found.lost} lost; "
        f"score {100 * found.score:.1f}% (95%: {100 * low:.1f} to {100 * high:.1f}), "
        f"Elo {elo(found.score):+.0f} ({low_elo:+.0f} to {high_elo:+.0f})",
        style="bold",
        soft_wrap=True,
    )
    if not outcomes:
        return
    table = Table("per game", first, second, box=None)
    for name in ("markers", "attacks", "charges", "losses", "idle_units"):
        sums = [sum(getattr(outcome, name)[at] for outcome in outcomes) / len(outcomes) for at in (0, 1)]
        table.add_row(name.replace("_", " "), f"{sums[0]:.1f}", f"{sums[1]:.1f}")
    console.print(table)
    lists = " and ".join(outcomes[0].lists)
    seconds = sum(outcome.seconds for outcome in outcomes)
    console.print(
        f"lists {lists}; {len(outcomes) / max(seconds, 1e-9):.1f} games a second on one processor; "
        f"engine {outcomes[0].engine}; repeat any pair with --games 2 --seed SEED",
        soft_wrap=True,
    )
