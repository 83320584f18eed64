"""A table of terrain beside the advice of its book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shieldwall.scenario.measure import Found, Ground, MeasureFaultError, Reasons, Settings
from shieldwall.table.layout import Finding, check_layout


def layout(ground: Ground, about: Any, settings: Settings) -> Found:
    """Whether a book allows a table like this, why not, and what it would advise."""
    if about != "table":
        raise MeasureFaultError(f"layout: expected table, found {about!r}")
    state = ground.state
    advice = ground.rules.policies.table_said()
    report = check_layout(state.width, state.depth, state.pieces, advice, axis=state.axis)

    def told(findings: Sequence[Finding]) -> Reasons:
        return Reasons(f"{one.text} ({ground.rules.cites.get(one.cite, one.cite)})" for one in findings)

    return {"is": report.is_legal, "because": told(report.problems), "hints": told(report.hints)}
