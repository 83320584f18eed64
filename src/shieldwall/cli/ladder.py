"""`shieldwall ladder`: every bot against every other, rated by Elo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.duel import ScoreBar, progress_bar, require_results_path
from shieldwall.cli.groups import EDITION_NAMES
from shieldwall.cli.options import Bots, PairedGames, RunOptions, with_options
from shieldwall.cli.streams import plain_console
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.lab.games import GameOutcome
    from shieldwall.lab.ladder import Ladder

DEFAULT_BOTS = "random,solo,tactician,greedy"
Editions = Annotated[
    str,
    typer.Option(
        "--editions",
        metavar="EDITION,...",
        help=f"Comma-separated rulebooks, all by default: {EDITION_NAMES}.",
    ),
]
Sizes = Annotated[
    str,
    typer.Option(
        "--sizes",
        metavar="POINTS,...",
        help="Comma-separated points, such as 750,1500; all sizes by default.",
    ),
]


@with_options
def ladder(
    *,
    bots: Bots = DEFAULT_BOTS,
    editions: Editions = "",
    sizes: Sizes = "",
    matchups: Annotated[
        int, typer.Option("--matchups", min=1, metavar="PAIRS", help="Pairs of lists per size.")
    ] = 2,
    games: PairedGames = 2,
    run: RunOptions,
    docs: Annotated[
        Path | None, typer.Option("--docs", metavar="FOLDER", help="Write ladder.md and ladder.svg there.")
    ] = None,
) -> None:
    """Rank the bots by Elo over editions, sizes and factions."""
    from shieldwall.editions import EDITIONS
    from shieldwall.lab.ladder import Ladder, run_ladder

    require_results_path(run.out)
    chosen = tuple(name.strip() for name in editions.split(",") if name.strip()) or EDITIONS
    order = Ladder(names_of(bots), chosen, sizes_of(sizes), matchups, (games + 1) // 2, run.seed)
    with progress_bar(run.out) as bar:
        tell = ScoreBar(bar, bar.add_task("ladder", total=None, score=""), scores=False)
        outcomes = run_ladder(order, run.runner(tell))
    print_ladder(outcomes, plain_console())
    if docs is not None:
        write_docs(docs, order, outcomes)


def print_ladder(outcomes: list[GameOutcome], console: Console) -> None:
    """The bots, the best first."""
    from rich.table import Table

    from shieldwall.lab.ladder import rate

    table = Table("bot", "Elo", "95%", "games", "score", box=None)
    for one in rate(outcomes):
        between = f"{one.low:.0f} to {one.high:.0f}"
        table.add_row(one.bot, f"{one.elo:.0f}", between, str(one.games), f"{100 * one.score:.1f}%")
    console.print(table)


def sizes_of(sizes: str) -> tuple[int, ...]:
    """The requested sizes, in points."""
    try:
        return tuple(int(size) for size in sizes.split(",") if size.strip())
    except ValueError as error:
        raise ShieldwallError(f"sizes are points, as in --sizes 750,1500, not {sizes!r}") from error


def names_of(bots: str) -> tuple[str, ...]:
    """The requested bots: two or more."""
    names = tuple(name.strip() for name in bots.split(",") if name.strip())
    if len(set(names)) < 2:
        raise ShieldwallError(
            f"a ladder needs two or more different bots, as in --bots random,solo, not {bots!r}"
        )
    return names


def write_docs(docs: Path, order: Ladder, outcomes: list[GameOutcome]) -> None:
    """The page and the picture."""
    from shieldwall.lab.ladder import rate
    from shieldwall.lab.report import draw, page

    docs.mkdir(parents=True, exist_ok=True)
    draw(rate(outcomes), docs / "ladder.svg")
    (docs / "ladder.md").write_text(page(outcomes, command_of(order), "ladder.svg"))


def command_of(order: Ladder) -> str:
    """The command line that makes this ladder again."""
    words = f"shieldwall ladder --bots {','.join(order.bots)} --editions {','.join(order.editions)}"
    if order.sizes:
        words += f" --sizes {','.join(map(str, order.sizes))}"
    return f"{words} --matchups {order.matchups} --games {2 * order.pairs} --seed {order.seed} --docs docs"
