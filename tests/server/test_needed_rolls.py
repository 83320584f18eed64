"""The numbers on the odds card are those that the dice then need, in every edition."""

from __future__ import annotations

import pytest

from shieldwall.core.answers import Aim, Aims, Faces, Pick
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.pending import Decision, Roll
from shieldwall.rules.steps.targets import Targets
from shieldwall.server.outcomes import Clock
from shieldwall.server.shots import group_view
from shieldwall.story.dice import purpose
from tests.odds.scenes import scene

EDITIONS = ("regiments-3.5", "regiments-3.4", "skirmish-3.2", "aof-2", "aof-1.6")


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_needed_roll_is_the_one_that_is_thrown(edition: str) -> None:
    """R35-SHOOT-15, R35-SHOOT-17; A16-SHOOT-03: there the attacker rolls to wound, and there are no blocks."""
    at = "front" if edition.startswith("regiments") else "at"
    rules, state, _ = scene(f"""
scenario: A volley
edition: {edition}
units:
  Archers: {{side: A, stats: Q4+ D4+, equipment: 'Bow (24", A1, AP(1))', {at}: [24, 10]}}
  Wolves: {{side: B, stats: Q4+ D4+, rules: Tough(3), {at}: [24, 20], facing: 180}}
""")
    pending = pending_of(rules, state)
    while not isinstance(pending, Targets):
        assert isinstance(pending, Decision)
        state = submit(rules, state, Pick("hold") if pending.kind == "action" else pending.default()).state
        pending = pending_of(rules, state)
    told = group_view(pending, pending.form().groups[0], Clock(0)).targets[0].steps
    thrown = []
    state = submit(rules, state, Aims((Aim("Bow", 1),))).state
    for _ in told:
        roll = pending_of(rules, state)
        assert isinstance(roll, Roll)
        thrown.append((purpose(roll.purpose), roll.pools[0].target, roll.cite))
        state = submit(rules, state, Faces((6,))).state
    assert [(step.title, step.cite) for step in told] == [(title, cite) for title, _, cite in thrown]
    assert [step.needed for step in told] == [target.needed for _, target, _ in thrown if target]
    assert told[1].title == ("to wound" if edition == "aof-1.6" else "to block")
