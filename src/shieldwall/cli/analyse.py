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
ABOUT = {
    "start": "chance at the start",
    "dice": "dice",
    "estimates": "wrong estimates, where nothing better was found",
}
LUCKY = 0.9  # share of games with worse dice
MUCH = 10  # percentage points of the chance to win


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
    with WorkBar("judging every decision") as bar:
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
    if found.summary:
        console.print(f"\n{found.summary}", highlight=False)
    for side, name in enumerate(found.sides):
        mine = [one for one in found.decisions if one.side == side]
        if mine:
            console.print(f"\n{name}: what cost most", highlight=False)
        elif found.unblamed:
            console.print(f"\n{name}: {found.unblamed[side]}", highlight=False)
        for one in mine:
            _print_decision(console, one)
    if found.balance is not None:
        _print_account(console, found, found.balance)
    console.print()
    for row in found.luck:
        console.print(_luck_words(found.sides[row.side], row, _dice_points(found, row.side)), highlight=False)


def _verdict(found: Analysis) -> str:
    if found.winner < 0:
        return f"a draw in round {found.rounds}."
    return f"won by {found.sides[found.winner]} in round {found.rounds}."


def _print_decision(console: Console, one: BlamedDecision) -> None:
    cost = f"cost {100 * one.cost:.0f} points ({100 * one.low:.0f} to {100 * one.high:.0f})"
    console.print(f"  {one.deed} in round {one.round} {cost}.", highlight=False)
    console.print(f"    Better: {one.better}. {one.why}".rstrip(), highlight=False)
    console.print(
        f"    Played on {one.battles} times each way with the same dice: {one.chance:.0%} against "
        f"{one.better_chance:.0%}.",
        highlight=False,
    )


def _print_account(console: Console, found: Analysis, balance: LuckAndSkill) -> None:
    first = found.sides[0]
    console.print(
        f"\nWhere the result came from, in points for {first} (percent of the chance to win, "
        f"\u00b1 {100 * balance.error:.0f} between decisions and dice):",
        highlight=False,
    )
    for line in found.account:
        if line.about == "estimates" and not line.parts:
            continue
        about = ABOUT.get(line.about) or f"decisions of {found.sides[line.side]}"
        parts = [f"{part.words} {part.points:+d}" for part in line.parts]
        parts += [f"all others {line.rest:+d}"] if parts and line.rest else []
        points = f"{line.points:d}" if line.about == "start" else f"{line.points:+d}"
        console.print(f"  {points:>4}  {about}{': ' if parts else ''}{', '.join(parts)}", highlight=False)
    console.print(f"  {100 * found.curve[-1].chance:>4.0f}  at the end", highlight=False)


def _dice_points(found: Analysis, side: int) -> int:
    """What the dice contributed to a side's chance to win, in percentage points."""
    points = next((line.points for line in found.account if line.about == "dice"), 0)
    return points if side == 0 else -points


def _luck_words(name: str, row: DiceLuck, points: int) -> str:
    told = f"{name} had {row.good} good dice of {row.dice}, where {row.expected:.1f} are average: "
    if row.no_better > LUCKY:
        told += f"luckier than in {_of_100(row.no_better)} of 100 games"
        return told + (", but not when it mattered." if points <= -MUCH else ".")
    if row.no_better < 1 - LUCKY:
        told += f"unluckier than in {_of_100(1 - row.no_better)} of 100 games"
        return told + (", but lucky when it mattered." if points >= MUCH else ".")
    return told + "ordinary luck."


def _of_100(share: float) -> int:
    return min(99, int(100 * share))
