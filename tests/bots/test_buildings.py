"""Bots and enemies inside a building, who are off the table but can be targeted."""

from __future__ import annotations

import pytest

from shieldwall.bots import play_game
from shieldwall.bots.registry import policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress, begin
from shieldwall.core.events import Declared
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text

HOUSED = """
scenario: Archers before a house
edition: aof-1.6
round: 4
terrain: {House: {kind: building, at: [36, 24], size: [6, 6], capacity: 11, ports: {south: [1]}}}
objectives: {Ford: [60, 24]}
units:
  Archers: {side: A, models: 5, equipment: 'Bow (24", A1)', at: [36, 12]}
  Wolves: {side: B, models: 5, inside: House}
  Dog: {side: B, at: [66, 44]}
"""


def housed() -> tuple[Ruleset, State]:
    loaded, faults = load_text(HOUSED)
    assert not faults
    built = build(loaded[0].scenario)
    return built.ruleset, begin(built.ruleset, started(loaded[0].scenario, built)).state


class Targets:
    """A watcher that notes the targets of shots and charges."""

    def __init__(self) -> None:
        self.named: set[int] = set()

    def began(self, progress: Progress) -> None:
        pass

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        self.named |= {event.target for event in progress.events if isinstance(event, Declared)}


@pytest.mark.parametrize("name", ["tactician", "greedy", "search"])
def test_a_bot_evaluates_and_shoots_units_it_sees_in_a_building(name: str) -> None:
    """A16-BUILD-03: units inside are off the table, but they are targets."""
    rules, state = housed()
    targets = Targets()
    bots = [policy(name), policy("random")]
    play_game(rules, state, bots, SeededDice.from_seed(3), seed=3, watchers=[targets])
    assert state.units[1].name == "Wolves"
    assert 1 in targets.named
