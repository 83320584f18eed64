"""Exact odds for the page, within a time limit. Odds that take longer are left out, never guessed."""

from __future__ import annotations

import time

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.state import State
from shieldwall.odds import Brief, preview
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.question_views import Outcome
from shieldwall.server.words import percent


class Clock:
    """Processor time shared by several questions; once it is spent, the rest get no answer.

    Time taken by other processes does not count, so odds are not left out because the machine is busy.
    """

    def __init__(self, ms: float) -> None:
        self._until = time.thread_time() + ms / 1000
        self._not_before = time.perf_counter() + ms / 1000

    @property
    def is_spent(self) -> bool:
        """Whether nothing more should be computed."""
        if time.perf_counter() < self._not_before:  # quicker to read; processor time cannot be ahead
            return False
        return time.thread_time() >= self._until


def shooting_outcome(
    rules: Ruleset, state: State, unit: int, action: str, aims: tuple[Aim, ...], clock: Clock
) -> Outcome | None:
    """The expected result of a volley."""
    if clock.is_spent or not aims:
        return None
    found = preview(rules, state, unit, action, aims=aims)
    brief = next((brief for brief in found.targets if brief.unit == aims[0].target), None)
    return outcome_of(brief) if brief is not None else None


def charge_outcome(rules: Ruleset, state: State, unit: int, target: int, clock: Clock) -> Outcome | None:
    """The expected result of a charge."""
    if clock.is_spent:
        return None
    found = preview(rules, state, unit, "charge", target=target)
    brief = next((brief for brief in found.targets if brief.unit == target), None)
    return replace(outcome_of(brief), back=outcome_of(found.own).words) if brief is not None else None


def outcome_of(brief: Brief) -> Outcome:
    """Odds as the page shows them: "about 3 wounds (1 to 5), breaks 42 %, destroyed 8 %"."""
    expected = f"{brief.wounds:.1f}".rstrip("0").rstrip(".")
    noun = "wound" if expected == "1" else "wounds"
    words = f"about {expected} {noun} ({brief.low} to {brief.high})" if brief.wounds else "no wounds"
    for chance, what in ((brief.breaks, "breaks"), (brief.routs, "routs"), (brief.destroyed, "destroyed")):
        if chance >= 0.005:
            words += f", {what} {percent(chance)}"
    return Outcome(
        words=words,
        expected=brief.wounds,
        low=brief.low,
        high=brief.high,
        breaks=brief.breaks,
        destroyed=brief.destroyed,
        bars=brief.bars,
        exact=brief.exact,
        wound_bars=brief.wound_bars,
    )
