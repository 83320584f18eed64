"""`shieldwall analyse`: what decided a recorded game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.streams import plain_console

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.analysis import Analysis, BlamedDecision, DiceLuck, LuckAndSkill
    from shieldwall.replay import Log

WIDTH = 40  # characters of a bar from 0 to 100 %


def analyse(
    file: Annotated[Path, typer.Argument(help="A log written by `shieldwall battle --log`.", metavar="LOG")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
    battles: Annotated[
        int,
        typer.Option(
            "--battles",
            min=8,
            max=10_000,
            metavar="BATTLES",
            help="Playouts for each decision that is judged; more are more certain and take longer.",
        ),
    ] = 48,
) -> None:
    """Show what decided a game: the chance to win over time, the decisions that cost most, and the luck of the dice.

    Decisions are judged by what was known when they were made, not by how the dice fell: the rest of the battle is
    played out many times, from what was done and from the better idea, with the same dice.
    """
    import msgspec

    from shieldwall.analysis import USUAL_EFFORT
    from shieldwall.analysis import analyse as analyse_log
    from shieldwall.cli.waiting import WorkBar
    from shieldwall.replay import read_log

    log = read_log(file)
    with WorkBar("looking at every decision") as bar:
        found = analyse_log(log, USUAL_EFFORT._replace(battles=battles), bar)
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        _print(plain_console(), found, log)


def _print(console: Console, found: Analysis, log: Log) -> None:
    first, second = found.sides[:2]
    console.print(f"{first} against {second}, {found.edition}: {_verdict(found)}\n")
    console.print(f"{first}'s chance to win before each activation:")
    shown = 0
    for point in found.curve:
        heading = f"round {point.round}" if point.round != shown else ""
        shown = point.round
        name = log.header.setup.units[point.unit].name if point.unit >= 0 else "the end"
        bar = "\u2588" * round(WIDTH * point.chance)
        console.print(f"{heading:>8}  {point.chance:>4.0%}  {bar:<{WIDTH}}  {name}", highlight=False)
    for side, name in enumerate(found.sides):
        mine = [one for one in found.decisions if one.side == side]
        console.print(
            f"\n{name}: " + ("No decision was clearly a mistake." if not mine else "What cost most:")
        )
        for one in mine:
            _print_decision(console, one)
    console.print()
    if found.balance is not None:
        console.print(_balance_words(found, found.balance), highlight=False)
    for row in found.luck:
        console.print(_luck_words(found.sides[row.side], row), highlight=False)


def _verdict(found: Analysis) -> str:
    if found.winner < 0:
        return f"a draw in round {found.rounds}."
    return f"won by {found.sides[found.winner]} in round {found.rounds}."


def _print_decision(console: Console, one: BlamedDecision) -> None:
    console.print(f"  Round {one.round}: {one.did}.", highlight=False)
    console.print(f"    Better: {one.better}. {one.why}".rstrip(), highlight=False)
    console.print(
        f"    {one.chance:.0%} instead of {one.better_chance:.0%} in {one.battles} battles each: "
        f"it cost {100 * one.cost:.0f} percentage points ({100 * one.low:.0f} to {100 * one.high:.0f}).",
        highlight=False,
    )


def _balance_words(found: Analysis, balance: LuckAndSkill) -> str:
    first, second = found.sides[:2]
    mine, theirs = balance.choices
    return (
        f"Luck and skill, in percentage points for {first}: {100 * balance.start:.0f} at the start, "
        f"{100 * mine:+.0f} by decisions of {first}, {100 * theirs:+.0f} by decisions of {second}, "
        f"{100 * balance.dice:+.0f} by the dice (± {100 * balance.error:.0f})."
    )


def _luck_words(name: str, row: DiceLuck) -> str:
    kind = "lucky" if row.no_better > 0.9 else "unlucky" if row.no_better < 0.1 else "ordinary"
    return (
        f"Dice of {name}: {row.good} of {row.dice} succeeded, {row.expected:.1f} expected; "
        f"fair dice would do no better in {row.no_better:.0%} of games ({kind})."
    )
