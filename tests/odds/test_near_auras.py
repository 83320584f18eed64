"""Auras by distance in previews: odds of moves that are not made yet, and of charges."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from played_scenes import Scene, boldly, wrong_in
from scenes import scene
from slow_odds import by_fate

from shieldwall import odds

BOWS = """
scenario: A captain and her bows
edition: regiments-3.5
defaults: {base: '1x1"'}
army_rules: {Watchful: 'Other friendly units within 6" get +1 to hit when shooting.'}
units:
  Bows: {side: A, stats: Q4+ D4+, models: 5, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, stats: Q4+ D4+, models: 5, equipment: Claws (A1), front: [36, 22], facing: 180}
  Captain: {side: A, stats: Q4+ D4+, rules: Watchful, equipment: Sword (A1), front: [44.3, 14]}
play: [{activate: Bows, action: advance}]
"""
CHARGE = """
scenario: Hounds run into dread
edition: EDITION
defaults: {base: '1x1"'}
army_rules: {Dread: 'Enemies within 6" get -1 to hit rolls.'}
units:
  Hounds: {side: A, stats: Q4+ D4+, models: 3, equipment: 'Teeth (A1)', AT: [24, 10]}
  Ghost: {side: B, stats: Q4+ D4+, rules: 'Tough(3), DREAD', equipment: 'Chill (A2)', AT: [24, 18], facing: 180}
play: [{activate: Hounds, charge: Ghost}]
"""


def told(edition: str, at: str, rule: str) -> str:
    return CHARGE.replace("EDITION", edition).replace("AT", at).replace("DREAD", rule)


def test_a_preview_of_a_move_into_an_aura_has_it() -> None:
    rules, state, _ = scene(BOWS)
    assert state.units[0].effects == ()
    here = state.units[0].block
    assert here is not None
    aside = replace(here, x=here.x - 2000, y=here.y + 3000)
    ahead = replace(here, y=here.y + 3000)
    near, far = (
        odds.preview(rules, state, 0, "advance", at=(place,), target=1).targets[0] for place in (ahead, aside)
    )
    assert (near.wounds, far.wounds) == (pytest.approx(5 * 4 / 6 / 2), pytest.approx(5 * 3 / 6 / 2))


@pytest.mark.parametrize(
    ("edition", "at"), [("regiments-3.5", "front"), ("aof-2", "at"), ("skirmish-3.2", "at")]
)
def test_the_odds_of_a_charge_into_an_aura_are_those_of_played_games(edition: str, at: str) -> None:
    text = told(edition, at, "Dread")
    if edition == "skirmish-3.2":  # every model is a unit of its own there
        text = text.replace("models: 3, ", "")
    assert wrong_in(Scene("dread", text), 200, 7, 1) == []
    rules, state, _ = scene(text)
    plain_rules, plain, _ = scene(text.replace(", Dread'", "'"))
    assert by_fate(odds.of_line(rules, state, boldly)) != by_fate(odds.of_line(plain_rules, plain, boldly))
