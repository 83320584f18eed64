"""Reads logs of older formats: one function per format upgrades its records to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shieldwall.replay.format import FORMAT

PlainRecord = dict[str, Any]
Migration = Callable[[list[PlainRecord]], list[PlainRecord]]


def _without_facts(records: list[PlainRecord]) -> list[PlainRecord]:
    """Format 1 had no facts: its games are replayed by the rules, and cannot be watched if those have changed."""
    return [{**record, "format": 2} if record.get("record") == "header" else record for record in records]


MIGRATIONS: dict[int, Migration] = {1: _without_facts}  # MIGRATIONS[n] turns format n into format n + 1


def migrated(
    records: list[PlainRecord], found: int, wanted: int = FORMAT, table: dict[int, Migration] | None = None
) -> list[PlainRecord]:
    """The records in the current format."""
    steps = MIGRATIONS if table is None else table
    for version in range(found, wanted):
        records = steps[version](records)
    return records


def format_problem(found: object, table: dict[int, Migration] | None = None, wanted: int = FORMAT) -> str:
    """Why a format cannot be read; empty when it can."""
    steps = MIGRATIONS if table is None else table
    if type(found) is not int or found < 1:
        return f"the format must be a whole number from 1 to {wanted}, not {found!r}"
    if found > wanted:
        return f"format {found} is newer than this program, which reads up to {wanted}; update shieldwall"
    missing = [version for version in range(found, wanted) if version not in steps]
    return f"no migration leads from format {missing[0]} to {missing[0] + 1}" if missing else ""
