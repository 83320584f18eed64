"""Odds as tables in the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from shieldwall.cli.streams import plain_console
from shieldwall.cli.waiting import REASONS

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.odds.luck import Luck
    from shieldwall.odds.report import AmountReport, OddsReport, UnitReport

WIDTH = 36  # letters of the longest bar
NUMBERS = 24  # characters of the chances next to a bar
MANY = 3  # with names this wide there is no room for bars
BAR = 8  # characters of the longest bar in a comparison
WITH_ERRORS = ("rows with ±: ", "rows without: ")
SMALL = 0.00005  # smaller chances are shown as <0.01%


def print_json(reports: Sequence[OddsReport]) -> None:
    """All reports as one JSON list."""
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(reports)).decode())


def print_reports(reports: Sequence[OddsReport]) -> None:
    """One question in full, or several side by side."""
    console = plain_console()
    if len(reports) == 1:
        _print_one(console, reports[0])
    else:
        _print_side_by_side(console, reports)


def _print_one(console: Console, report: OddsReport) -> None:
    from rich.text import Text

    title = Text.assemble((report.title, "bold"), f"  ({report.edition})")
    console.print(title if report.title else report.edition)
    console.print(precision_note(report), style="dim")
    for unit in report.units:
        if unit.is_touched:
            _print_unit(console, unit)
    if not any(unit.is_touched for unit in report.units):
        console.print("\nNo unit is affected, whatever the dice do.")
    for name, chance in report.facts.items():
        console.print(f"\n{name}: {percent(chance.value)}")
    for marker in report.markers:
        held = ", ".join("nobody" if side < 0 else f"side {'AB'[side]}" for side in marker.holders)
        console.print(f"\nmarkers would be held by {held}: {percent(marker.chance.value)}")


def _print_unit(console: Console, unit: UnitReport) -> None:
    from rich.table import Table
    from rich.text import Text

    console.print(Text.assemble("\n", (unit.name, "bold"), f": {summary(unit)}"))
    counted, what = (unit.lost, "lost") if len(unit.models) > 1 else (unit.wounds, "wounds")
    table = Table(box=None, pad_edge=False)
    for name in (what, "chance", "or more"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, overflow="crop")
    room = max(1, min(WIDTH, console.width - NUMBERS - len(what)))
    longest = max(bar.chance.value for bar in counted.bars)
    for bar in counted.bars:
        if bar.chance.value >= SMALL or bar.at_least.value >= SMALL:
            length = room * bar.chance.value / longest
            row = (str(bar.value), percent(bar.chance.value), percent(bar.at_least.value), blocks(length))
            table.add_row(*row)
    console.print(table)


def summary(unit: UnitReport) -> str:
    """What happens to a unit, in one line."""
    low, high = unit.lost.low, unit.lost.high
    usual = f"{low} to {high}" if low != high else f"{low}"
    parts = [
        f"{_mean(unit.wounds)} wounds",
        f"{_mean(unit.lost)} lost ({usual} in 80% of cases)",
    ]
    for chance, word in ((unit.broken, "breaks"), (unit.routed, "routs"), (unit.destroyed, "is gone")):
        if chance.value:
            parts.append(f"{word} {percent(chance.value)}")
    if unit.stunned.mean.value:
        parts.append(f"{_mean(unit.stunned)} stunned")
    return ", ".join(parts)


def _mean(amount: AmountReport) -> str:
    error = f" ± {2 * amount.mean.error:.3f}" if amount.mean.error else ""
    return f"{amount.mean.value:.2f}{error}"


def _print_side_by_side(console: Console, reports: Sequence[OddsReport]) -> None:
    from rich.table import Table

    names = _differing(reports)
    first = "attacker" if any(report.attacker for report in reports) else "scene"
    keys = {name: _keys(name, values) for name, values in names.items()}
    for name, values in names.items():
        for value in values if keys[name] or len(values) == 1 else ():
            if value:
                called = first if name == "attacker" else name
                console.print(f"{called} {keys[name].get(value, '')}".strip() + f": {value}", style="bold")
    for terms in dict.fromkeys(report.terms for report in reports if report.terms):
        console.print(f"situation: {terms}", style="bold")
    table = Table(box=None, pad_edge=False, header_style="bold")
    varying = [name for name, values in names.items() if len(values) > 1]
    is_sure = all(report.exact for report in reports)
    bars = [""] if len(varying) < MANY and is_sure else []  # if there is room for them
    for name in (*varying, "wounds", *bars, "lost", "breaks", "routs", "gone", "suffers"):
        called = first if name == "attacker" else name
        table.add_column(called, justify="left" if name in (*varying, "") else "right", no_wrap=True)
    longest = max((one.wounds.mean.value for report in reports for one in report.units[:1]), default=0.0)
    for report in reports:
        about = _about(report)
        named = [keys[name].get(about[name], about[name]) for name in varying]
        wounds, bar, *others = _numbers(report, longest)
        table.add_row(*named, wounds, *([bar] if bars else []), *others)
    console.print(table)
    for words in dict.fromkeys(precision_note(report) for report in reports):
        what = (
            "" if len({report.exact for report in reports}) == 1 else WITH_ERRORS[words.startswith("exact")]
        )
        console.print(what + words, style="dim")


def _keys(name: str, values: dict[str, None]) -> dict[str, str]:
    """Short keys for long names, if there are several."""
    if name == "edition" or len(values) == 1:
        return {}
    return {value: str(number) for number, value in enumerate(values, 1)}


def _about(report: OddsReport) -> dict[str, str]:
    return {"attacker": report.attacker or report.title, "target": report.target, "edition": report.edition}


def _differing(reports: Sequence[OddsReport]) -> dict[str, dict[str, None]]:
    """The variables in which the questions differ, each with its values in order."""
    about = [_about(report) for report in reports]
    return {name: dict.fromkeys(one[name] for one in about) for name in ("attacker", "target", "edition")}


def _numbers(report: OddsReport, longest: float) -> list[str]:
    if not report.units:
        return ["0.00", "", "0.00", *["0.0%"] * 3, "0.00"]
    target = report.units[0]
    own = report.units[1].wounds.mean.value if len(report.units) > 1 else 0.0
    fates = (target.broken, target.routed, target.destroyed)
    return [
        _mean(target.wounds),
        blocks(BAR * target.wounds.mean.value / longest if longest else 0),
        _mean(target.lost),
        *(percent(chance.value, 1) for chance in fates),
        f"{own:.2f}",
    ]


def precision_note(report: OddsReport) -> str:
    """Whether the numbers are exact; if not, why, and their error (two standard errors)."""
    if report.exact:
        return "exact: counts every result of every die"
    off = percent(1 / report.samples**0.5, 1)
    return (
        f"sampled: {REASONS[report.why]}, so {report.samples:,} games were played; "
        f"with 95% confidence the error is below {off}"
    )


def percent(chance: float, digits: int = 2) -> str:
    """A chance as text; possible results never read 0%, uncertain ones never 100%."""
    least = 10.0**-digits
    if 0 < chance < least / 200:
        return f"<{least:.{digits}f}%"
    if 1 - least / 200 < chance < 1:
        return f">{100 - least:.{digits}f}%"
    return f"{100 * chance:.{digits}f}%"


def blocks(length: float) -> str:
    """A bar of block characters, to an eighth of a character."""
    whole, rest = divmod(round(length * 8), 8)
    return "█" * whole + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[rest]


def print_luck(files: Sequence[Path], as_json: bool) -> None:
    """The luck in recorded games."""
    from shieldwall.odds.luck import luck
    from shieldwall.replay import read_log, replay

    found = []
    for file in files:
        log = read_log(file)
        events = (event for progress in replay(log) for event in progress.events)
        found.append((file, [seat.name for seat in log.header.setup.seats], luck(events)))
    if as_json:
        import msgspec

        plain = [{"file": str(file), "seats": seats, "luck": luck_data(game)} for file, seats, game in found]
        typer.echo(msgspec.json.format(msgspec.json.encode(plain)).decode())
        return
    console = plain_console()
    for file, seats, game in found:
        _print_game(console, f"{file.name}", seats, game)


def _print_game(console: Console, title: str, seats: list[str], game: Luck) -> None:
    from rich.table import Table
    from rich.text import Text

    console.print(Text.assemble((title, "bold"), ": successful dice compared with fair dice"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("player", "roll", "dice", "good", "expected", "luck", "fair dice do no better", "mean face"):
        table.add_column(name, justify="left" if name in ("player", "roll") else "right")
    for row in (*game.rows, *game.seats):
        luck = f"{row.luck:+.1f}"
        style = "bold" if row.purpose == "all" else ""
        table.add_row(
            seats[row.seat],
            row.purpose.replace("_", " "),
            str(row.dice),
            str(row.good),
            f"{float(row.expected):.1f}",
            luck,
            percent(float(row.chance)),
            f"{row.faces:.2f}",
            style=style,
        )
    console.print(table)


def luck_data(game: Luck) -> dict[str, list[dict[str, object]]]:
    """Luck as plain data, with exact fractions as text."""
    return {
        name: [
            {
                "seat": row.seat,
                "purpose": row.purpose,
                "dice": row.dice,
                "good": row.good,
                "expected": {"fraction": str(row.expected), "value": float(row.expected)},
                "luck": row.luck,
                "no_better": {"fraction": str(row.chance), "value": float(row.chance)},
                "mean_face": row.faces,
            }
            for row in rows
        ]
        for name, rows in (("rows", game.rows), ("seats", game.seats))
    }
