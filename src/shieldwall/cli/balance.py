"""`shieldwall balance`: every list of a folder against every other, with Elo and a heat map."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.compare import finish, with_bar
from shieldwall.cli.options import DEFAULT_EDITION, OneEdition, PairedGames, SeriesOptions, with_options
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.lab.balance import Balance

LIST_FILES = (".yaml", ".yml", ".json", ".txt")


@with_options
def balance(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER", help="A folder with lists, or `ready` for the ready-made lists of the edition."
        ),
    ],
    *,
    edition: OneEdition = DEFAULT_EDITION,
    points: Annotated[
        int, typer.Option("--points", min=0, metavar="POINTS", help="Only ready-made lists of this size.")
    ] = 0,
    games: PairedGames = 20,
    series: SeriesOptions,
) -> None:
    """Play every list against every other and rate them."""
    from shieldwall.lab.balance import balance_lists

    lists = lists_in(folder, edition, points)
    plan = series.plan(games)
    size = f" --points {points}" if points else ""
    command = f"shieldwall balance {folder} {plan.command_options(edition)}{size}"
    finding, outcomes = with_bar(
        lambda runner: balance_lists(edition, lists, plan, runner, command), "balance", series
    )
    finish(finding, outcomes, series, lambda console: print_balance(finding, console))


def lists_in(folder: str, edition: str, points: int) -> list[str]:
    """The lists of a folder, registered for the games under short names; or the ready-made ones."""
    from shieldwall.armies import ready_lists, recruit
    from shieldwall.armies.finding import find_army
    from shieldwall.editions import ruleset
    from shieldwall.lab.games import hand_in

    if folder == "ready":
        return [one.id for one in ready_lists(ruleset(edition).like) if points in (0, one.points)]
    place = Path(folder)
    if not place.is_dir():
        raise ShieldwallError(f"there is no folder {folder!r}; give a folder with lists, or `ready`")
    found = []
    for path in sorted(place.iterdir()):
        if path.suffix in LIST_FILES:
            read = find_army(str(path), edition=ruleset(edition).like)
            if read.army is not None:
                hand_in(edition, path.stem, recruit(read.army, read.books))
                found.append(path.stem)
    if len(found) < 2:
        raise ShieldwallError(f"{folder} has {len(found)} lists; a balance needs two or more")
    return found


def print_balance(found: Balance, console: Console) -> None:
    """The lists, the strongest first, with their scores against each other."""
    from rich.table import Table

    names = [one.bot for one in found.rated]
    table = Table(
        "list", "Elo", "95%", "score", *(f"v {number}" for number in range(1, len(names) + 1)), box=None
    )
    for number, one in enumerate(found.rated, 1):
        scores = [found.score(one.bot, other) for other in names]
        cells = ["" if score is None else f"{100 * score:.0f}" for score in scores]
        between = f"{one.low:+.0f} to {one.high:+.0f}"
        table.add_row(f"{number} {one.bot}", f"{one.elo:+.0f}", between, f"{100 * one.score:.1f}%", *cells)
    console.print(table)
