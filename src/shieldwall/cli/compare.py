"""`shieldwall compare`: which of two lists is better, or what a house rule does, with intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from shieldwall.cli.duel import ScoreBar, progress_bar, register_lists
from shieldwall.cli.options import (
    ComparedRules,
    Edition,
    PairedGames,
    SeriesOptions,
    house_rule_pairs,
    with_options,
)
from shieldwall.cli.streams import plain_console
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from rich.console import Console

    from shieldwall.lab.compare import ListComparison, RuleComparison, SeriesDifference
    from shieldwall.lab.games import GameOutcome, Options
    from shieldwall.lab.reports import Finding
    from shieldwall.lab.series import Runner

F = TypeVar("F")


@with_options
def compare(
    list_a: Annotated[
        str, typer.Argument(metavar="LIST", help="A list: ready-made, a file, or your own.")
    ] = "",
    list_b: Annotated[str, typer.Argument(metavar="LIST", help="The other list.")] = "",
    *,
    edition: Edition = "",
    setting: ComparedRules = None,
    games: PairedGames = 100,
    series: SeriesOptions,
) -> None:
    """Compare two lists, played by the same bot on swapped sides, or two values of a house rule."""
    from shieldwall.lab.compare import compare_lists, compare_rules

    common, settings = sorted_settings(setting or [])
    lists = (list_a, list_b)
    edition = register_lists(edition, lists, None)

    def play(runner: Runner) -> tuple[ListComparison | RuleComparison, list[GameOutcome]]:
        if len(settings) > 1:
            return compare_rules(edition, settings, lists, series.plan(games), runner)
        return compare_lists(edition, lists, series.plan(games, common), runner)

    finding, outcomes = with_bar(play, "compare", series)
    finish(finding, outcomes, series, lambda console: print_comparison(finding, console))


def sorted_settings(given: list[str]) -> tuple[Options, list[Options]]:
    """House rules for all games, and the settings to compare: one for each value of a name given twice."""
    values: dict[str, list[str]] = {}
    for name, value in house_rule_pairs(given):
        values.setdefault(name, []).append(value)
    varied = [name for name, found in values.items() if len(found) > 1]
    if len(varied) > 1:
        raise ShieldwallError(f"compare one house rule at a time, not {' and '.join(varied)}")
    common = tuple(sorted((name, found[0]) for name, found in values.items() if len(found) == 1))
    settings = [tuple(sorted((*common, (varied[0], value)))) for value in values[varied[0]]] if varied else []
    return common, settings


def with_bar(play: Callable[[Runner], F], name: str, series: SeriesOptions) -> F:
    """Play with a progress bar; on interruption, explain how to continue."""
    with progress_bar(series.report) as bar:
        return play(series.runner(ScoreBar(bar, bar.add_task(name, total=None, score=""), scores=False)))


def finish(
    finding: Finding,
    outcomes: list[GameOutcome],
    series: SeriesOptions,
    show: Callable[[Console], None],
) -> None:
    """Print a finding, and write its report if requested."""
    import msgspec

    from shieldwall.lab.reports import write_report

    console = plain_console(stderr=series.json)
    if series.json:
        typer.echo(msgspec.json.encode(finding).decode())
    else:
        show(console)
    if series.report is not None:
        written = ", ".join(str(path) for path in write_report(finding, outcomes, series.report))
        console.print(f"wrote {written}", soft_wrap=True)


def print_comparison(finding: ListComparison | RuleComparison, console: Console) -> None:
    """A comparison in the terminal."""
    from shieldwall.lab.compare import ListComparison

    if isinstance(finding, ListComparison):
        console.print(finding.verdict, style="bold", soft_wrap=True)
        console.print(
            f"{finding.lists[0]} scores {100 * finding.score:.1f}% (95%: {100 * finding.low:.1f} to "
            f"{100 * finding.high:.1f}) in {finding.games} games: {finding.won} won, {finding.drawn} drawn, "
            f"{finding.lost} lost; Elo {finding.elo:+.0f} ({finding.elo_low:+.0f} to {finding.elo_high:+.0f})",
            soft_wrap=True,
        )
        print_differences(finding.differences, finding.lists, console)
        return
    names = [one.options for one in finding.settings]
    for other, changes in zip(names[1:], finding.differences, strict=True):
        console.print(f"{other} instead of {names[0]}", style="bold", soft_wrap=True)
        print_differences(changes, (names[0], other), console)


def short_names(names: tuple[str, str]) -> tuple[str, str]:
    """Names for narrow columns: without the folders or edition that both have in front."""
    first, second = (name.rpartition("/") for name in names)
    return (first[2], second[2]) if first[0] == second[0] else names


def print_differences(found: tuple[SeriesDifference, ...], names: tuple[str, str], console: Console) -> None:
    """Means side by side; a star marks significant differences."""
    from rich.table import Column, Table

    columns = [Column(name, overflow="fold") for name in ("per game", *short_names(names))]
    numbers = [Column(name, no_wrap=True) for name in ("difference", "95%", "")]
    table = Table(*columns, *numbers, box=None)
    for one in found:
        shown = "*" if one.low > 0 or one.high < 0 else ""
        between = f"{one.low:+.2f} to {one.high:+.2f}"
        table.add_row(
            one.what, f"{one.first:.2f}", f"{one.second:.2f}", f"{one.difference:+.2f}", between, shown
        )
    console.print(table)
