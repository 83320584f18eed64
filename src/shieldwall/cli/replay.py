"""`shieldwall replay`: watch recorded games and verify them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from shieldwall.cli.groups import command_app
from shieldwall.cli.streams import plain_console
from shieldwall.core.errors import MalformedError, ShieldwallError

SOME_WRONG = 1
UNREADABLE = 2

app = command_app("Watch and verify recorded games.")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A log written by `shieldwall battle --log`.", metavar="FILE")],
    round: Annotated[
        int | None, typer.Option("--round", min=0, metavar="ROUND", help="Only this round (0: set-up).")
    ] = None,
    dice: Annotated[bool, typer.Option("--dice", help="Show every die.")] = False,
    table: Annotated[
        bool, typer.Option("--table/--no-table", help="Draw the table after each round.")
    ] = True,
) -> None:
    """Print a recorded game."""
    from shieldwall.cli.narrator import Narrator
    from shieldwall.replay import read_log, replay

    log = read_log(file)
    setup = log.header.setup
    narrator = Narrator(plain_console(), setup, dice=dice, tables=table, only_round=round)
    before = setup
    for progress in replay(log):
        narrator.followed(before, progress)
        before = progress.state
    narrator.ended(before)
    if round is not None and round > before.round:
        raise ShieldwallError(f"there is no round {round} in {file}: it ends in round {before.round}")


@app.command(short_help="Check that logs replay as recorded.")
def verify(
    files: Annotated[list[Path], typer.Argument(help="Logs to check.", metavar="FILE")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Replay logs and report the first activation that differs.

    Exits with 0 if all match, 1 if some do not, and 2 if some could not be read.
    """
    reports = [check(file) for file in files]
    if json:
        import msgspec

        typer.echo(msgspec.json.format(msgspec.json.encode(reports), indent=2).decode())
    else:
        for report in reports:
            print_report(report)
    if any(report["verdict"] == "unreadable" for report in reports):
        raise typer.Exit(UNREADABLE)
    if any(report["verdict"] == "wrong" for report in reports):
        raise typer.Exit(SOME_WRONG)


Report = dict[str, object]


def check(file: Path) -> Report:
    """The report on one file."""
    import msgspec

    from shieldwall.replay import read_log, rules_of
    from shieldwall.replay import verify as verify_log

    try:
        log = read_log(file)
        rules_of(log)
    except MalformedError as error:
        return {"file": str(file), "verdict": "unreadable", "problems": error.problems}
    except ShieldwallError as error:
        return {"file": str(file), "verdict": "unreadable", "problems": [str(error)]}
    verdict = verify_log(log)
    return {
        "file": str(file),
        "verdict": "ok" if verdict.ok else "wrong",
        "activations": verdict.activations,
        "first_wrong": None if verdict.first_wrong is None else msgspec.to_builtins(verdict.first_wrong),
        "says": "" if verdict.first_wrong is None else str(verdict.first_wrong),
        "notes": list(verdict.notes),
    }


def print_report(report: Report) -> None:
    """The report on one file, as text."""
    problems, notes = report.get("problems", []), report.get("notes", [])
    assert isinstance(problems, list)
    assert isinstance(notes, list)
    if report["verdict"] == "ok":
        typer.echo(f"{report['file']}: ok, {report['activations']} activations replay as recorded")
    elif report["verdict"] == "wrong":
        first = report["first_wrong"]
        assert isinstance(first, dict)
        typer.echo(f"{report['file']}: wrong at {report['says']}")
        typer.echo(f"  expected {first['expected']}, found {first['found']}")
    else:
        typer.echo(f"{report['file']}: not a readable log")
        for problem in problems:
            typer.echo(f"  - {problem}")
    for note in notes:
        typer.echo(f"  note: {note}")
