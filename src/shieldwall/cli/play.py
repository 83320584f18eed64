"""`shieldwall play`: the game in the browser, served from this computer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.options import Database

PORT = 8765


def play(
    *,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="The port; 0 for any free one.")
    ] = PORT,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="127.0.0.1 for this computer only; 0.0.0.0 to let others join."
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    db: Database = "",
    campaign: Annotated[
        list[Path] | None,
        typer.Option("--campaign", metavar="FILE", help="Also offer this campaign."),
    ] = None,
) -> None:
    """Play in the browser: against bots, on one screen, or with a friend by link."""
    from shieldwall.server.serving import Serving, serve

    for file in campaign or ():
        _offer(file)

    serve(Serving(host, port, db or default_database(), browser))


def _offer(file: Path) -> None:
    """Add a campaign, or print its problems and exit."""
    from shieldwall.core.errors import MalformedError
    from shieldwall.lessons.campaign import add_campaign

    try:
        add_campaign(file)
    except MalformedError as error:
        typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(2) from error


def default_database() -> str:
    """The database in the player's own folder."""
    import os

    data = os.environ.get("XDG_DATA_HOME")
    home = Path(data) if data else Path.home() / ".local" / "share"
    return f"sqlite:///{home / 'shieldwall' / 'games.db'}"
