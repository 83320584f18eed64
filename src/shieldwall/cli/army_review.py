"""`shieldwall army review`: what each unit of a list earned in games, its exact odds, and tested swaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from shieldwall.cli.compare import finish, with_bar
from shieldwall.cli.options import AsJson, Books, Bot, Cluster, Edition, PairedGames, Report, Seed, Workers
from shieldwall.core.errors import ShieldwallError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from shieldwall.armies import ArmyList, Book
    from shieldwall.lab.review import Review, ReviewedUnit


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
    bot: Bot = "solo",
    games: PairedGames = 40,
    swaps: Annotated[int, typer.Option("--swaps", min=0, metavar="N", help="How many swaps to test.")] = 6,
    seed: Seed = 1,
    workers: Workers = 0,
    cluster: Cluster = "",
    report: Report = None,
    json: AsJson = False,
) -> None:
    """Review a list: what each unit earned over many games, its odds against typical targets, and what to swap."""
    from msgspec.structs import replace

    from shieldwall.armies.finding import find_army
    from shieldwall.lab.reports import check_place, journal_of
    from shieldwall.lab.review import review_list

    check_place(report)
    found = find_army(name, books=book or (), edition=edition)
    if found.army is None:
        raise ShieldwallError(f"{name} is an army book; a review needs a list")
    army, books = found.army, found.books
    more = "".join(f" --against {other}" for other in against or ())
    command = (
        f"shieldwall army review {name} --edition {army.edition} --bot {bot} --games {games} --swaps {swaps} "
        f"--seed {seed}{more}"
    )
    finding, outcomes = with_bar(
        lambda tell: review_list(
            army, books, bot=bot, games=games, seed=seed, field=against or (), swaps=swaps,
            out=journal_of(report), workers=workers, cluster=cluster, tell=tell, command=command,
        ),
        "review", report, json,
    )  # fmt: skip
    finding = replace(finding, odds=odds_of(army, books))
    finish(finding, outcomes, report, json, lambda console: print_review(finding, console))


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
