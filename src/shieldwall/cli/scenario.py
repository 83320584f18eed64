"""`shieldwall scenario`: run scenario files, and list the words they may use."""

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import command_app

app = command_app("Run scenario files.")


@app.command()
def run(
    places: Annotated[list[Path], typer.Argument(metavar="FILE", help="Scenario files, or folders of them.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print all measurements and results as JSON.")
    ] = False,
) -> None:
    """Run scenario files. Exits with 0 if all hold, 1 if some do not, and 2 if a file is invalid."""
    import msgspec

    from shieldwall.scenario.runner import report_lines, run_places

    report = run_places(places, verbose=as_json)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(report)).decode())
    else:
        for line in report_lines(report):
            typer.echo(line)
    raise typer.Exit(report.exit_code)


@app.command(short_help="Print the words that scenario files use.")
def words() -> None:
    """Print every question, dice purpose and event that a scenario file may name."""
    from shieldwall.scenario.words import page

    for line in page():
        typer.echo(line)
