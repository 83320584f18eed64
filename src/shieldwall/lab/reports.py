"""Reports of the lab: an HTML page, with JSON and Parquet files next to it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.extras import extra_package
from shieldwall.lab import html
from shieldwall.lab.balance import Balance
from shieldwall.lab.compare import ListComparison, RuleComparison, SeriesDifference
from shieldwall.lab.duel import row_of
from shieldwall.lab.games import GameOutcome
from shieldwall.lab.review import Review

Finding = ListComparison | RuleComparison | Balance | Review


def check_place(out: Path | None) -> None:
    """Before any game is played, refuse a path where no report can be written."""
    if out is None:
        return
    if out.suffix != ".html":
        raise ShieldwallError(f"a report is a file that ends with .html, not {out.name!r}")
    if not out.parent.is_dir():
        raise ShieldwallError(f"there is no folder {str(out.parent)!r} for the report; create it first")


def journal_of(out: Path | None) -> Path | None:
    """Where finished games are saved until the report is written."""
    return None if out is None else out.with_suffix(".games.jsonl")


def write_report(finding: Finding, outcomes: list[GameOutcome], out: Path) -> list[Path]:
    """Write the page, the finding as JSON and the games as Parquet; the files written."""
    polars = extra_package("polars", "Writing games as Parquet")
    json, parquet = out.with_suffix(".json"), out.with_suffix(".parquet")
    _write(out, page_of(finding).encode())
    _write(json, msgspec.json.format(msgspec.json.encode(finding), indent=2))
    frame = polars.DataFrame([row_of(one) for one in outcomes])
    beside = parquet.with_name(f".{parquet.name}.part")
    frame.write_parquet(beside)
    beside.replace(parquet)
    return [out, json, parquet]


def _write(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.part")
    beside.write_bytes(data)
    beside.replace(path)


def page_of(finding: Finding) -> str:
    """A finding as a page."""
    match finding:
        case ListComparison():
            return _lists_page(finding)
        case RuleComparison():
            return _rules_page(finding)
        case Balance():
            return _balance_page(finding)
        case Review():
            return _review_page(finding)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _differences(found: tuple[SeriesDifference, ...], names: tuple[str, str]) -> str:
    rows = [
        (
            one.what,
            f"{one.first:.2f}",
            f"{one.second:.2f}",
            f"{one.difference:+.2f}",
            f"{one.low:+.2f} to {one.high:+.2f}",
        )
        for one in found
    ]
    return html.table(("per game", *names, "difference", "95 %"), rows)


def _lists_page(found: ListComparison) -> str:
    first, second = found.lists
    score = (
        f"{first} scores {_percent(found.score)} (95 %: {100 * found.low:.1f} to {100 * found.high:.1f}) in "
        f"{found.games} games: {found.won} won, {found.drawn} drawn, {found.lost} lost; Elo {found.elo:+.0f} "
        f"({found.elo_low:+.0f} to {found.elo_high:+.0f})."
    )
    plot = html.intervals([(first, 100 * found.score, 100 * found.low, 100 * found.high)], 50.0, " %")
    rounds = html.table(
        ("decided in round", f"won by {first}", f"won by {second}"),
        [(str(one), a, b) for one, a, b in found.by_round],
    )
    how = (
        f"{found.edition}. Both sides were played by the bot {found.bot}; every table was played twice with the lists "
        "on swapped sides, and a pair of games counts as one observation."
    )
    parts = [
        html.paragraph(score), plot, html.heading("Where it wins"), _differences(found.differences, found.lists),
        rounds, html.heading("How it was played"), html.paragraph(how),
    ]  # fmt: skip
    return html.page(f"{first} against {second}", found.verdict.capitalize() + ".", parts, found.command)


def _rules_page(found: RuleComparison) -> str:
    names = [one.options for one in found.settings]
    parts = []
    for other, changes in zip(names[1:], found.differences, strict=True):
        parts.append(html.heading(f"{other} instead of {names[0]}"))
        parts.append(_differences(changes, (names[0], other)))
        shares = [
            one
            for one in changes
            if one.what in ("score of the first list", "won by the first seat", "draws")
        ]
        rows = [(one.what, 100 * one.difference, 100 * one.low, 100 * one.high) for one in shares]
        parts += [html.paragraph("Changes in percentage points:"), html.intervals(rows, 0.0)]
    clear = [
        f"{one.what} ({one.difference:+.2f})"
        for changes in found.differences
        for one in changes
        if one.low > 0 or one.high < 0
    ]
    lead = f"It changes {', '.join(clear)}." if clear else "These games show no significant change."
    how = (
        f"{found.edition}, {found.lists[0]} and {found.lists[1]}, both sides played by {found.bot}; the same tables "
        f"and dice under every setting, {found.settings[0].games} games each."
    )
    parts += [html.heading("How it was played"), html.paragraph(how)]
    return html.page(f"{' against '.join(names)}", lead, parts, found.command)


def _balance_page(found: Balance) -> str:
    rows = [
        (one.bot, f"{one.elo:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}", one.games, _percent(one.score))
        for one in found.rated
    ]
    names = [one.bot for one in found.rated]
    cells = [[None if a == b else found.score(a, b) for b in names] for a in names]
    best, last = found.rated[0], found.rated[-1]
    lead = f"{best.bot} is the strongest list by {best.elo - last.elo:.0f} Elo points over {last.bot}, the weakest."
    parts = [
        html.table(("list", "Elo", "95 %", "games", "score"), rows),
        html.intervals([(one.bot, one.elo, one.low, one.high) for one in found.rated], 0.0),
        html.heading("Who beats whom"),
        html.paragraph(
            "Each cell is the score, in per cent, of the list on the left against the list above."
        ),
        html.heat_map(names, cells),
        html.paragraph(
            f"{found.edition}, {found.games} games, both sides played by {found.bot}, swapping sides in every pair."
        ),
    ]
    return html.page(f"Balance of {len(names)} lists", lead, parts, found.command)


def _review_page(found: Review) -> str:
    units = [
        (
            one.name, one.cost, f"{one.killed:.0f}", f"{one.markers:.2f}", f"{one.lost:.0f}", f"{one.earned:.0f}",
            f"{100 * one.per_point:.0f} %",
        )
        for one in found.units
    ]  # fmt: skip
    parts = [
        html.heading("What each unit earned"),
        html.paragraph(
            "Per game: enemy points destroyed, markers it stood at when the game ended, and its own points lost. "
            f"A marker counts as {found.marker_points:.0f} points earned."
        ),
        html.table(("unit", "cost", "destroyed", "markers", "lost", "earned", "earned / cost"), units),
        html.bars([(one.name, 100 * one.per_point) for one in found.units], " %"),
    ]
    parts += _odds_parts(found) if found.odds else []
    parts += _swap_parts(found) if found.swaps else []
    lead = f"{found.army} scores {_percent(found.score)} in {found.games} games against {', '.join(found.field)}."
    return html.page(f"Review of {found.army}", lead, parts, found.command)


def _odds_parts(found: Review) -> list[str]:
    heads = ("unit", *[target for target, _ in found.odds[0].against])
    rows = [(one.name, *[f"{wounds:.1f}" for _, wounds in one.against]) for one in found.odds]
    return [
        html.heading("Exact odds against a typical field"),
        html.paragraph("Average wounds dealt in one activation."),
        html.table(heads, rows),
    ]


def _swap_parts(found: Review) -> list[str]:
    rows = [
        (
            one.out,
            one.into,
            one.cost_change,
            f"{100 * one.change:+.1f}",
            f"{100 * one.low:+.1f} to {100 * one.high:+.1f}",
        )
        for one in found.swaps
    ]
    bars = [
        (f"{one.out} to {one.into}"[:34], 100 * one.change, 100 * one.low, 100 * one.high)
        for one in found.swaps
    ]
    return [
        html.heading("What to swap"),
        html.paragraph(_swap_verdict(found)),
        html.table(("out", "in", "points", "change", "95 %"), rows),
        html.intervals(bars, 0.0),
    ]


def _swap_verdict(found: Review) -> str:
    """Whether any swap is shown to help, and how the swaps were tested."""
    shown = [f"{one.into} for {one.out}" for one in found.swaps if one.low > 0]
    verdict = (
        f"Shown to be better: {', '.join(shown)}."
        if shown
        else f"No swap is shown to be better by {found.games} games each."
    )
    return f"{verdict} Same tables, opponents and dice; the change is in percentage points of the score."
