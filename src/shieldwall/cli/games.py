"""`shieldwall games`: check, export, rescue and back up the games a server has stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import command_app
from shieldwall.cli.options import Database
from shieldwall.cli.outputs import require_file_path, write_text
from shieldwall.cli.play import default_database

app = command_app("Check, export, rescue and back up stored games.")

Game = Annotated[str, typer.Argument(metavar="GAME", help="The id of the game, as in its URL.")]


@app.command()
def check(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games by id; all by default.")
    ] = None,
    db: Database = "",
) -> None:
    """Replay stored games: every state and every die must match."""
    from shieldwall.server import rescue

    report = asyncio.run(rescue.check_all(db or default_database(), games or []))
    for line in report.lines:
        typer.echo(line)
    raise typer.Exit(0 if report.sound else 1)


@app.command(short_help="Write a game to a file for `shieldwall replay`.")
def export(
    game: Game,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")],
    db: Database = "",
) -> None:
    """Write a game to a file that `shieldwall replay` and any other Shieldwall can open."""
    from shieldwall.server import rescue

    require_file_path(file, "the game")
    data = asyncio.run(rescue.exported(db or default_database(), game))
    write_text(file, data.decode(), "the game")
    typer.echo(f"{game}: {len(data)} bytes written to {file}")


@app.command("rescue", short_help="Reset a damaged game to its last intact command.")
def rescue_game(
    game: Game,
    keep: Annotated[
        Path, typer.Option("--keep", metavar="FILE", help="Where to save the game as it is first.")
    ],
    db: Database = "",
) -> None:
    """Reset a damaged game to its last intact command, after saving all of it to a file."""
    from shieldwall.server import rescue

    require_file_path(keep, "the game as it is")
    finding = asyncio.run(rescue.rescued(db or default_database(), game, keep))
    if finding is None:
        typer.echo(f"{game} is intact; nothing was changed")
    elif finding.other_rules:
        typer.echo(f"{game} was played with other rules; nothing was changed")
    else:
        typer.echo(f"{game} continues after command {finding.sound} ({finding.words}); saved before: {keep}")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new SQLite file.")], db: Database = ""
) -> None:
    """Copy everything into a new file, even while the server runs."""
    from shieldwall.server import rescue

    require_file_path(file, "the copy")
    games = asyncio.run(rescue.backup(db or default_database(), file))
    typer.echo(f"{games} games copied to {file}")
