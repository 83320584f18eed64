"""A ladder as a page and a picture for the docs."""

from __future__ import annotations

from pathlib import Path

from shieldwall.core.extras import extra_package
from shieldwall.lab.games import GameOutcome
from shieldwall.lab.ladder import Rated, crosses, rate
from shieldwall.lab.stats import interval


def page(outcomes: list[GameOutcome], command: str, picture: str) -> str:
    """The ladder as Markdown: Elo of all bots, then every meeting by edition."""
    rated = rate(outcomes)
    engine = outcomes[0].engine if outcomes else "?"
    lines = [
        "# The ladder",
        "",
        f"Made by `{command}`: {len(outcomes)} games, engine {engine}.",
        "Every pair of bots meets on the same tables with the same dice and lists, and swaps seats.",
        "Intervals are 95 %, from resampled pairs.",
        "",
        f"![Elo of the bots]({picture})",
        "",
        "| bot | Elo | 95 % | games | score |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.bot} | {one.elo:.0f} | {one.low:.0f} to {one.high:.0f} | {one.games} | {100 * one.score:.1f} % |"
        for one in rated
    ]
    lines += _meetings(outcomes) + _armies(outcomes)
    return "\n".join(lines) + "\n"


def _meetings(outcomes: list[GameOutcome]) -> list[str]:
    """Every pair of bots in every edition."""
    lines = [
        "",
        "## By pairing",
        "",
        "| edition | first | second | games | score of the first | 95 % |",
    ]
    lines.append("|---|---|---|---|---|---|")
    for (edition, first, second), found in crosses(outcomes).items():
        low, high = interval(found)
        lines.append(
            f"| {edition} | {first} | {second} | {found.games} | {100 * found.score:.1f} % "
            f"| {100 * low:.0f} to {100 * high:.0f} |"
        )
    return lines


def _armies(outcomes: list[GameOutcome]) -> list[str]:
    """Every pair of lists."""
    lines = [
        "",
        "## By army",
        "",
        "| edition | lists | games | score of the first seat's list |",
        "|---|---|---|---|",
    ]
    for (edition, lists), scores in sorted(_by_lists(outcomes).items()):
        mean = sum(scores) / len(scores)
        lines.append(f"| {edition} | {lists[0]} v {lists[1]} | {len(scores)} | {100 * mean:.0f} % |")
    return lines


def _by_lists(outcomes: list[GameOutcome]) -> dict[tuple[str, tuple[str, str]], list[float]]:
    """Points of the list in the first seat."""
    found: dict[tuple[str, tuple[str, str]], list[float]] = {}
    for outcome in outcomes:
        points = 0.5 if outcome.winner < 0 else float(outcome.winner == 0)
        found.setdefault((outcome.edition, outcome.lists), []).append(points)
    return found


def draw(rated: list[Rated], path: Path) -> None:
    """The Elo of all bots with their intervals as a picture."""
    altair = extra_package("altair", "Drawing the ladder")
    vl_convert = extra_package("vl_convert", "Drawing the ladder")
    rows = [
        {"bot": one.bot, "elo": round(one.elo), "low": round(one.low), "high": round(one.high)}
        for one in rated
    ]
    data = altair.InlineData(values=rows)
    order = [one.bot for one in rated]
    bot = altair.Y("bot:N", sort=order, title=None)
    bars = altair.Chart(data).mark_rule(size=3, color="#7a8b99")
    bars = bars.encode(y=bot, x=altair.X("low:Q", title="Elo, random = 0"), x2="high:Q")
    dots = altair.Chart(data).mark_point(filled=True, size=110, color="#b0402c")
    dots = dots.encode(y=bot, x="elo:Q")
    words = altair.Chart(data).mark_text(dy=-13).encode(y=bot, x="elo:Q", text="elo:Q")
    chart = (bars + dots + words).properties(width=520, height=44 * max(1, len(rows)))
    path.write_text(vl_convert.vegalite_to_svg(chart.to_json()))
