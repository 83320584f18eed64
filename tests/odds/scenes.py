"""Scenes on a real table for tests of odds."""

from __future__ import annotations

from shieldwall.core.engine import begin
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text
from shieldwall.scenario.roster import Roster


def scene(text: str) -> tuple[Ruleset, State, Roster]:
    """The rules, the state at its first question and the names of a scenario."""
    loaded, faults = load_text(text)
    assert not faults, faults
    scenario = loaded[0].scenario
    built = build(scenario)
    return built.ruleset, begin(built.ruleset, started(scenario, built)).state, built.roster
