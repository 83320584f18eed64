"""Units that rules may bring on are no part of the odds of an attack."""

from __future__ import annotations

import contextlib

import pytest

from shieldwall.odds.api import of_line
from shieldwall.odds.report import report
from shieldwall.odds.result import Odds
from shieldwall.scenario import build as building
from shieldwall.scenario.failures import StopError
from shieldwall.scenario.load import load_text
from shieldwall.scenario.play import ScenarioPlayer

SCENE = """
scenario: odds
edition: {edition}
army_rules:
  Burst: 'When this unit is destroyed, a new unit of X may be placed within 6" of where it stood.'
units:
  Bows: {{side: A, models: 3, equipment: 'Bow (24", A1)', at: [24, 20]}}
  Wolves: {{side: B, models: 2, at: [24, 30], rules: '{rules}'}}
  {others}
play: [{{activate: Bows, action: hold, shoot: Wolves}}]
"""


def odds_against(edition: str, rules: str, others: str = "Rest: {side: B, at: [4, 40]}") -> Odds:
    loaded, faults = load_text(SCENE.format(edition=edition, rules=rules, others=others), "odds")
    assert not faults, faults
    scenario = loaded[0].scenario
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.begin()
    with contextlib.suppress(StopError):  # no dice are written down, so it stops before the first throw
        player.do(scenario.play[0], ("play", 0))
    return of_line(built.ruleset, player.state)


@pytest.mark.parametrize("edition", ["aof-2", "regiments-3.5"])
def test_what_may_come_later_changes_no_odds_of_an_attack(edition: str) -> None:
    plain = odds_against(edition, "")
    bursting = odds_against(edition, "Burst(Bits [5])", "Bits: {side: B, models: 5, place: later}")
    assert bursting.unit(1).lost.mean == plain.unit(1).lost.mean
    assert bursting.unit(1).destroyed == plain.unit(1).destroyed > 0
    assert bursting.side(1).mean == plain.side(1).mean
    assert [unit.name for unit in report(bursting).units] == ["Wolves"]
    came = [bool(branch.state.units[2].models) for branch in bursting.branches]
    assert any(came)
