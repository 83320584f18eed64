"""Thinking bots answer questions of army rules by the effect of each answer, not by its place in the list."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from shieldwall.bots.rule_answers import pick_effect, pick_unit, use_feat
from shieldwall.core.answers import Pick
from shieldwall.core.state import State
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario import build as building
from shieldwall.scenario.load import load_text
from shieldwall.scenario.play import ScenarioPlayer

DRILLED = (
    "At the start of its activation, pick one effect: models with this rule have AP(+1) when attacking, or have"
    " +1 to hit when attacking, until the end of the activation."
)
GREAT_DAY = (
    "Once a game, when a unit where all its models have this rule attacks, you may use this rule to get +2 to"
    " hit."
)
CALL_OUT = (
    'Once each activation, before it attacks, pick a friend within 12". It gets +1 to hit at shooting the next'
    " time."
)
HINDER = 'Once each activation, before it attacks, pick a foe within 18". It gets -1 to block the next time.'


def asked(play: list[dict[str, Any]], **changed: Any) -> tuple[Ruleset, State, RuleChoice]:
    """The question of an army rule at which a scene stops."""
    scene: dict[str, Any] = {
        "scenario": "bots",
        "edition": "regiments-3.5",
        "defaults": {"base": '1x1"'},
        "army_rules": {"Drilled": DRILLED, "Great Day": GREAT_DAY, "Call Out": CALL_OUT, "Hinder": HINDER},
        "units": {
            "Bows": {
                "side": "A",
                "models": 5,
                "stats": "Q4+ D4+",
                "equipment": 'Bow (24", A1)',
                "front": [36, 10],
            },
            "Slings": {
                "side": "A",
                "models": 9,
                "stats": "Q4+ D4+",
                "equipment": 'Sling (24", A1)',
                "front": [46, 10],
            },
            "Wolves": {"side": "B", "models": 5, "stats": "Q4+ D4+", "front": [36, 22], "facing": 180},
            "Rats": {"side": "B", "models": 2, "stats": "Q4+ D4+", "front": [46, 22], "facing": 180},
        },
        "play": play,
    }
    for name, change in changed.items():
        scene["units"][name].update(change)
    loaded, faults = load_text(yaml.safe_dump(scene, sort_keys=False), "bots")
    assert not faults, faults
    scenario = loaded[0].scenario
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.begin()
    for number, step in enumerate(scenario.play):
        player.do(step, ("play", number))
    assert isinstance(player.pending, RuleChoice), player.pending
    return built.ruleset, player.state, player.pending


@pytest.mark.parametrize(
    ("quality", "defense", "number"),
    [(2, 2, "1"), (5, 6, "2")],  # armour piercing if everything hits, a bonus to hit if hardly anything does
)
def test_the_effect_is_picked_that_helps_most(quality: int, defense: int, number: str) -> None:
    bows = {"rules": "Drilled", "stats": f"Q{quality}+ D4+"}
    rules, state, question = asked([{"activate": "Bows"}], Bows=bows, Wolves={"stats": f"Q4+ D{defense}+"})
    assert pick_effect(rules, state, question, None) == Pick(number)


def test_a_feat_is_saved_for_an_attack_worth_it() -> None:
    play = [{"activate": "Bows", "action": "hold", "shoot": "Wolves"}]
    rules, state, question = asked(play, Bows={"rules": "Great Day"})
    assert use_feat(rules, state, question, None) == Pick("yes")
    few = {"rules": "Great Day", "models": 1}
    rules, state, question = asked(play, Bows=few, Wolves={"stats": "Q4+ D2+"})
    assert use_feat(rules, state, question, None) == Pick("no")


def test_friends_that_have_yet_to_act_are_helped_and_the_dearest_enemy_is_hindered() -> None:
    play = [{"activate": "Bows", "action": "hold", "pivot": 0}]
    spent = {"activated": True, "cost": 200}
    rules, state, question = asked(play, Bows={"rules": "Call Out", "cost": 100}, Slings=spent)
    assert pick_unit(rules, state, question, None) == Pick("u0")
    rules, state, question = asked(play, Bows={"rules": "Hinder"}, Wolves={"cost": 90}, Rats={"cost": 120})
    assert pick_unit(rules, state, question, None) == Pick("u3")
