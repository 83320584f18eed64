"""Odds as a bar chart of losses, one panel for each question and unit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shieldwall.core.extras import extra_package

if TYPE_CHECKING:
    from shieldwall.odds.report import OddsReport

HALF_A_PERCENT = 0.005
SMALLEST = 0.0005  # smaller chances would be invisible


def draw(reports: Sequence[OddsReport], file: Path) -> None:
    """Write the chart; works offline."""
    altair = extra_package("altair", "A chart of odds")
    extra_package("vl_convert", "A chart of odds")
    charts = [_panel(altair, report) for report in reports]
    whole = altair.vconcat(*charts).resolve_scale(x="shared", y="shared")
    if file.suffix == ".html":
        whole.save(str(file), inline=True)
    else:
        whole.save(str(file), **({"scale_factor": 2} if file.suffix == ".png" else {}))


def _label(chance: float) -> str:
    """The label above a bar; possible results never read 0%, uncertain ones never 100%."""
    return (
        "<1%" if chance < HALF_A_PERCENT else ">99%" if 1 - HALF_A_PERCENT < chance < 1 else f"{chance:.0%}"
    )


def _panel(altair: Any, report: OddsReport) -> Any:
    rows = [
        {
            "unit": unit.name,
            "number": bar.value,
            "chance": bar.chance.value,
            "or more": bar.at_least.value,
            "label": _label(bar.chance.value),
        }
        for unit in report.units
        if unit.is_touched
        for bar in (unit.lost if len(unit.models) > 1 else unit.wounds).bars
        if bar.chance.value >= SMALLEST
    ]
    bars = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("number:O", title="models lost (wounds of a lone model)", axis=altair.Axis(labelAngle=0)),
        y=altair.Y("chance:Q", title="chance", axis=altair.Axis(format="%")),
        tooltip=[
            "unit:N",
            "number:O",
            altair.Tooltip("chance:Q", format=".2%"),
            altair.Tooltip("or more:Q", format=".2%"),
        ],
    )
    drawn = bars.mark_bar(color="#4c78a8")
    words = bars.mark_text(dy=-6, fontSize=10).encode(text=altair.Text("label:N"))
    sure = "exact" if report.exact else f"{report.samples:,} games played"
    return (
        altair.layer(drawn, words)
        .properties(width=360, height=180)
        .facet(column=altair.Column("unit:N", title=None, sort=[unit.name for unit in report.units]))
        .properties(title=altair.Title(report.title, subtitle=f"{report.edition}, {sure}", anchor="start"))
    )
