"""`shieldwall puzzles`: list, show, check and make puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import command_app
from shieldwall.cli.waiting import WorkBar

app = command_app("List, show, check and make puzzles.")


@app.command("list")
def list_puzzles() -> None:
    """List all puzzles: id, grade, kind, edition and title."""
    from shieldwall.puzzles import puzzles

    for one in puzzles().values():
        typer.echo(f"{one.id}  grade {one.grade}  {one.kind:<7} {one.edition:<14} {one.title}")


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="PUZZLE", help="The id of a puzzle.")],
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
) -> None:
    """Show the task of a puzzle. To play it, open Puzzles in the browser."""
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
        f"In {budget.battles} playouts of each of the two best: ahead by {100 * budget.lead:.0f} percentage points, "
        f"at least {100 * budget.at_least:.0f} with 99 % confidence."
    )


@app.command(short_help="Check that solutions stay ahead with new dice.")
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE]...", help="Puzzles by id; all by default.")
    ] = None,
    battles: Annotated[
        int,
        typer.Option(
            "--battles",
            metavar="BATTLES",
            min=10,
            max=10_000,
            help="The most playouts of each of the two best ideas.",
        ),
    ] = 300,
    seed: Annotated[str, typer.Option("--seed", metavar="SEED", help="The seed of the dice.")] = "1",
) -> None:
    """Play out solutions and their next best ideas with new dice, until each solution is ahead with 99 % confidence.

    The exit code is 1 if a solution is not ahead, is ahead by less than its file promises, or is still in doubt after
    the last playout.
    """
    from shieldwall.puzzles import checked, puzzle, puzzles

    wanted = [puzzle(name) for name in names] if names else list(puzzles().values())
    failed = 0
    for one in wanted:
        found = checked(one, battles, seed)
        holds = found.is_sure and not found.is_refuted
        failed += not holds
        verdict = "holds" if holds else "DOES NOT HOLD" if found.is_refuted else "IN DOUBT"
        typer.echo(
            f"{one.id}  ahead by {100 * found.lead.mean:.0f} percentage points, at least {100 * found.lead.low:.0f}, "
            f"after {found.battles} playouts: {verdict}"
        )
    raise typer.Exit(1 if failed else 0)


@app.command(short_help="Look for puzzles in bot games.")
def make(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder for the files.")],
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="GAMES", help="The number of bot games to search.")
    ] = 50,
    seed: Annotated[
        int, typer.Option("--seed", metavar="SEED", help="The seed of the first game.")
    ] = 500_000,
    editions: Annotated[
        list[str] | None,
        typer.Option("--edition", metavar="EDITION", help="Only games of this edition. May be repeated."),
    ] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option("--kind", metavar="KIND", help="Only puzzles of this kind. May be repeated."),
    ] = None,
    grades: Annotated[
        list[int] | None,
        typer.Option(
            "--grade", metavar="GRADE", min=1, max=3, help="Only puzzles of this grade. May be repeated."
        ),
    ] = None,
) -> None:
    """Look for puzzles in bot games: late positions in which one idea is clearly better than all others.

    Every idea is played out with the same dice until the best is ahead of every other by 8 percentage points with 99
    % confidence, or the position is dropped.
    """
    from shieldwall.editions import EDITIONS, ruleset
    from shieldwall.puzzles.making import PuzzleFilter, find_puzzles
    from shieldwall.puzzles.puzzle import KINDS, write_puzzle

    for edition in editions or ():
        ruleset(edition)  # names what there is where it is unknown
    unknown = sorted(set(kinds or ()) - set(KINDS))
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is not a kind of puzzle; there are {', '.join(KINDS)}")
    wanted = PuzzleFilter(
        tuple(editions or EDITIONS),
        tuple(kind for kind in KINDS if not kinds or kind in kinds),
        grades or (1, 2, 3),
    )
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with WorkBar("searching games") as bar:
        for done, found in find_puzzles(range(seed, seed + games), wanted):
            bar(done)
            for one in found:
                count += 1
                typer.echo(f"{write_puzzle(one, folder)}: grade {one.grade}, {one.explanation}")
    typer.echo(f"{count} puzzles in {games} games")
