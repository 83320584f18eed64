"""`shieldwall puzzles`: list, show, check and make puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import CommandGroup
from shieldwall.cli.waiting import WorkBar

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    cls=CommandGroup,
    help="List, show, check and make puzzles.",
)


@app.command("list")
def list_puzzles() -> None:
    """List all puzzles: id, grade, kind, edition and title."""
    from shieldwall.puzzles import puzzles

    for one in puzzles().values():
        typer.echo(f"{one.id}  grade {one.grade}  {one.kind:<7} {one.edition:<14} {one.title}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="PUZZLE", help="The id of a puzzle.")],
    solution: Annotated[bool, typer.Option("--solution", help="Tell the solution, too.")] = False,
) -> None:
    """Tell the task of a puzzle; play it on the page under Puzzles."""
    from shieldwall.puzzles import puzzle

    found = puzzle(name)
    typer.echo(f"{found.title} ({found.id}, grade {found.grade}, {found.edition})")
    typer.echo(found.task)
    if not solution:
        return
    typer.echo(f"\n{found.explanation}")
    for idea in (found.solution, *found.others):
        typer.echo(f"  {100 * idea.chance:>4.0f} %  {idea.words}")
    budget = found.budget
    typer.echo(
        f"By {budget.battles} battles with each of the two best: ahead by {100 * budget.lead:.0f} points of a hundred, "
        f"at least {100 * budget.at_least:.0f} with 99 % confidence."
    )


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE]...", help="All, unless named.")
    ] = None,
    battles: Annotated[
        int, typer.Option("--battles", min=10, max=10_000, help="Battles with each of the two best ideas.")
    ] = 100,
    seed: Annotated[str, typer.Option("--seed", help="Another seed brings other dice.")] = "1",
) -> None:
    """Play solutions and their next best ideas on with fresh dice: every solution must stay ahead."""
    from shieldwall.puzzles import checked, puzzle, puzzles

    wanted = [puzzle(name) for name in names] if names else list(puzzles().values())
    failed = 0
    for one in wanted:
        found = checked(one, battles, seed)
        failed += not found.holds
        verdict = "holds" if found.holds else "DOES NOT HOLD"
        typer.echo(f"{one.id}  ahead by {100 * found.lead.mean:.0f} of a hundred: {verdict}")
    raise typer.Exit(1 if failed else 0)


@app.command()
def make(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go.")],
    games: Annotated[int, typer.Option("--games", min=1, help="Games of bots to look through.")] = 50,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the first game.")] = 500_000,
) -> None:
    """Look for puzzles in games of bots: late positions in which one idea is surely better than all others.

    Every idea is played on with the same dice, until the best is ahead of each other one by 8 points of a hundred with
    99 % confidence, or the position is left.
    """
    from shieldwall.puzzles.making import find_puzzles
    from shieldwall.puzzles.puzzle import write_puzzle

    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with WorkBar("looking through games") as bar:
        for done, found in find_puzzles(range(seed, seed + games)):
            bar(done)
            for one in found:
                count += 1
                typer.echo(f"{write_puzzle(one, folder)}: grade {one.grade}, {one.explanation}")
    typer.echo(f"{count} puzzles in {games} games")
