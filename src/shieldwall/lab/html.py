"""Reports as one self-contained page: tables and plots as inline SVG, nothing to download."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2730;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.lead{font-size:1.15rem;font-weight:600}
table{border-collapse:collapse;margin:.5rem 0}
td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #dde3e8}
td:first-child,th:first-child{text-align:left}code{background:#f1f4f6;padding:.1rem .3rem;border-radius:3px}
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#1d2730}.quiet{color:#5d6b76}
@media(prefers-color-scheme:dark){body{background:#12181d;color:#e3e8ec}svg text{fill:#e3e8ec}
td,th{border-color:#2c3740}code{background:#1d262d}.quiet{color:#93a1ac}}
"""
DOT, BAR, LINE = "#b0402c", "#7a8b99", "#9aa7b1"
WIDTH = 640
LEFT = 190
ROW = 30


def page(title: str, lead: str, parts: Sequence[str], command: str) -> str:
    """A whole page."""
    made = f'<p class="quiet">Made by <code>{escape(command)}</code></p>' if command else ""
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        f'<p class="lead">{escape(lead)}</p>\n{body}\n{made}</body></html>\n'
    )


def heading(text: str) -> str:
    """A heading inside a page."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table; numbers are given as the text they should have."""
    top = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    lines = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def intervals(rows: Sequence[tuple[str, float, float, float]], zero: float, unit: str = "") -> str:
    """Values with their intervals as dots on bars: (name, value, low, high); `zero` is the line to compare with."""
    finite = [value for row in rows for value in row[1:] if math.isfinite(value)] + [zero]
    least, most = min(finite), max(finite)
    room = (most - least) * 0.08 or 1.0
    least, most = least - room, most + room

    def at(value: float) -> float:
        share = (min(max(value, least), most) - least) / (most - least)
        return LEFT + share * (WIDTH - LEFT - 90)

    height = ROW * len(rows) + 14
    middle = f"{at(zero):.1f}"
    marks = [
        f'<line x1="{middle}" x2="{middle}" y1="4" y2="{height - 6}" stroke="{LINE}" stroke-dasharray="4 4"/>'
    ]
    for number, (name, value, low, high) in enumerate(rows):
        y = ROW * number + 20
        marks.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        marks.append(
            f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{y}" y2="{y}" stroke="{BAR}" stroke-width="4"/>'
        )
        marks.append(f'<circle cx="{at(value):.1f}" cy="{y}" r="5" fill="{DOT}"/>')
        marks.append(f'<text x="{WIDTH - 80}" y="{y + 4}">{value:.1f}{escape(unit)}</text>')
    return _svg(WIDTH, height, marks)


def bars(rows: Sequence[tuple[str, float]], unit: str = "") -> str:
    """Amounts as bars."""
    most = max((abs(value) for _, value in rows), default=0.0) or 1.0
    marks = []
    for number, (name, value) in enumerate(rows):
        y = ROW * number + 6
        long = max(0.0, value) / most * (WIDTH - LEFT - 90)
        marks.append(f'<text x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        marks.append(f'<rect x="{LEFT}" y="{y}" width="{long:.1f}" height="20" fill="{BAR}"/>')
        marks.append(f'<text x="{LEFT + long + 8:.1f}" y="{y + 15}">{value:.1f}{escape(unit)}</text>')
    return _svg(WIDTH, ROW * len(rows) + 8, marks)


def heat_map(names: Sequence[str], cells: Sequence[Sequence[float | None]]) -> str:
    """Scores from 0 to 1 of rows against columns; green is good for the row, red is bad, empty was not played."""
    size, left, top = 54, LEFT, 120
    marks = []
    for at, name in enumerate(names):
        middle = at * size + size / 2
        marks.append(f'<text x="{left - 8}" y="{top + middle + 4}" text-anchor="end">{escape(name)}</text>')
        x, y = left + middle, top - 8
        marks.append(f'<text x="{x}" y="{y}" transform="rotate(-45 {x} {y})">{escape(name)}</text>')
    for row, scores in enumerate(cells):
        for column, score in enumerate(scores):
            if score is None:
                continue
            x, y = left + column * size, top + row * size
            marks.append(
                f'<rect x="{x}" y="{y}" width="{size - 2}" height="{size - 2}" fill="{_shade(score)}"/>'
            )
            marks.append(
                f'<text x="{x + size / 2 - 1}" y="{y + size / 2 + 4}" text-anchor="middle" '
                f'style="fill:#111">{100 * score:.0f}</text>'
            )
    return _svg(left + size * len(names) + 130, top + size * len(names) + 8, marks)


def _shade(score: float) -> str:
    """From red over a pale grey to green."""
    low, middle, high = (214, 122, 104), (236, 236, 228), (122, 178, 128)
    one, two, share = (low, middle, score * 2) if score < 0.5 else (middle, high, score * 2 - 1)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(one, two, strict=True))


def _svg(width: float, height: float, marks: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" role="img">{"".join(marks)}</svg>'
    )
