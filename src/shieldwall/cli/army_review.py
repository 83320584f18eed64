"""`shieldwall army review`: what each unit of a list earned in games, its exact odds, and tested swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.compare import finish, with_bar
from shieldwall.cli.options import Books, Edition, PairedGames, SeriesOptions, with_options
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from shieldwall.armies import ArmyList, Book
    from shieldwall.lab.review import Review, ReviewedUnit


@with_options
def review(
    name: Annotated[str, typer.Argument(metavar="LIST", help="A list: ready-made, a file, or your own.")],
    *,
    edition: Edition = "",
    book: Books = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="LIST",
            help="An opposing list; by default the ready-made ones of its size. May be repeated.",
        ),
    ] = None,
    games: PairedGames = 40,
    swaps: Annotated[int, typer.Option("--swaps", min=0, metavar="N", help="How many swaps to test.")] = 6,
    series: SeriesOptions,
) -> None:
    """Review a list: what each unit earned over many games, its odds against typical targets, and what to swap."""
    from msgspec.structs import replace

    from shieldwall.armies.finding import find_army
    from shieldwall.lab.review import ReviewOrder, review_list

    found = find_army(name, books=book or (), edition=edition)
    if found.army is None:
        raise ShieldwallError(f"{name} is an army book; a review needs a list")
    army, books = found.army, found.books
    order = ReviewOrder(field=tuple(against or ()), swaps=swaps)
    plan = series.plan(games)
    more = "".join(f" --against {other}" for other in order.field)
    command = f"shieldwall army review {name} {plan.command_options(army.edition)} --swaps {swaps}{more}"
    finding, outcomes = with_bar(
        lambda runner: review_list(army, books, order, plan, runner, command), "review", series
    )
    finding = replace(finding, odds=odds_of(army, books))
    finish(finding, outcomes, series, lambda console: print_review(finding, console))


def odds_of(army: ArmyList, books: Sequence[Book]) -> tuple[ReviewedUnit, ...]:
    """Exact odds of every unit against a typical field, by the better of shooting and charging."""
    from shieldwall.cli.army_doctor import doctor_page
    from shieldwall.lab.review import ReviewedUnit

    page = doctor_page(army, books, "typical")
    names = [target["name"] for target in page["targets"]]
    found = []
    for unit in page["units"]:
        best = []
        for at, target in enumerate(names):
            wounds = [way["against"][at].get("wounds", 0.0) for way in unit["ways"]]
            best.append((target, float(max(wounds, default=0.0))))
        found.append(ReviewedUnit(unit["name"], tuple(best)))
    return tuple(found)


def print_review(found: Review, console: Console) -> None:
    """The review in the terminal."""
    from rich.table import Table

    lead = f"{found.army} scores {100 * found.score:.1f}% in {found.games} games against {', '.join(found.field)}"
    console.print(lead, style="bold", soft_wrap=True)
    table = Table("unit", "cost", "destroyed", "markers", "lost", "earned", "earned / cost", box=None)
    for one in found.units:
        table.add_row(
            one.name, str(one.cost), f"{one.killed:.0f}", f"{one.markers:.2f}", f"{one.lost:.0f}",
            f"{one.earned:.0f}", f"{100 * one.per_point:.0f}%",
        )  # fmt: skip
    console.print(table)
    if found.odds:
        odds = Table("wounds in one activation", *(target for target, _ in found.odds[0].against), box=None)
        for unit in found.odds:
            odds.add_row(unit.name, *(f"{wounds:.1f}" for _, wounds in unit.against))
        console.print(odds)
    swaps = Table("out", "in", "points", "change in score", "95%", box=None)
    for swap in found.swaps:
        between = f"{100 * swap.low:+.1f} to {100 * swap.high:+.1f}"
        swaps.add_row(swap.out, swap.into, f"{swap.cost_change:+d}", f"{100 * swap.change:+.1f}", between)
    if found.swaps:
        console.print(swaps)
