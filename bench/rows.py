"""One measurement, and a table of them."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, how often it was done and how many processor seconds that took."""

    name: str
    count: int
    seconds: float
    note: str = ""


def print_rows(title: str, rows: list[Row]) -> None:
    """A plain table: rate, time per run, and the count."""
    print(f"\n{title}")
    width = max(len(row.name) for row in rows)
    for row in rows:
        each = row.seconds / row.count
        unit, factor = ("s", 1.0) if each >= 1 else ("ms", 1e3) if each >= 1e-3 else ("us", 1e6)
        if each < 1e-6:
            unit, factor = "ns", 1e9
        rate = f"{row.count / row.seconds:,.1f} /s"
        print(
            f"  {row.name:<{width}}  {rate:>16}  {each * factor:8.2f} {unit} each  ({row.count:,} done) {row.note}"
        )
