"""Exact odds for the page. Where the odds cannot be worked out in time there are none, never a guess."""

from __future__ import annotations

from shieldwall.core.answers import Aim
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.asking import Outcome


def shooting_outcome(rules: Ruleset, state: State, unit: Unit, aims: tuple[Aim, ...]) -> Outcome | None:
    """What to expect of a volley."""
    return None


def charge_outcome(rules: Ruleset, state: State, unit: Unit, target: Unit) -> Outcome | None:
    """What to expect of a charge."""
    return None
