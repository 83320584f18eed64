"""`shieldwall scenario`: play written scenes and say what did not come out as written; the words they know."""

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import CommandGroup

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, cls=CommandGroup)


@app.callback()
def scenario() -> None:
    """Run written scenes and check how they end."""


@app.command()
def run(
    places: Annotated[list[Path], typer.Argument(metavar="FILE", help="Scenario files, or folders of them.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all that was measured and happened as JSON.")
    ] = False,
) -> None:
    """Run scenario files. Exit 0: all hold; 1: some do not; 2: some make no sense."""
    import msgspec

    from shieldwall.scenario.runner import run_places, told

    report = run_places(places, tells=as_json)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in told(report):
            typer.echo(line)
    raise typer.Exit(report.exit_code)


@app.command()
def words() -> None:
    """Print every question, every purpose of dice and every event that a scenario file may name."""
    from shieldwall.scenario.words import page

    for line in page():
        typer.echo(line)
