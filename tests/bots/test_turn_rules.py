"""Bots and checks of games know rules about whose turn it is, and about units that must attack."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from shieldwall.bots import play_game, policy
from shieldwall.bots.invariants import Judge, check_invariants
from shieldwall.bots.numbers import SplitMix
from shieldwall.core import events as ev
from shieldwall.core.answers import Pick
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.rules.army.coordinating import FriendChoice
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import ActionChoice
from shieldwall.rules.steps.rounds import TurnChoice
from shieldwall.scenario import build as building
from shieldwall.scenario.load import load_text

TEXTS = {
    "Patient": "Once per round, this model may pass its turn while the opponent has more units left to activate.",
    "Drummer": 'When this unit ends its activation, a friendly unit within 12" may activate at once, which may not do'
    " the same.",
    "Hot-Headed": "When activated, this model must attack the closest target it can, with +1 to hit.",
}
THINKING = ("solo", "tactician", "greedy")


def scene(rule: str, **changed: Any) -> tuple[Ruleset, State]:
    """Two units against three, the first with a rule, at the beginning of a round."""
    units: dict[str, dict[str, Any]] = {
        "Pikes": {"side": "A", "rules": rule, "equipment": "Pike (A2)", "at": [20, 10]},
        "Bows": {"side": "A", "equipment": 'Bow (24", A2)', "at": [26, 10]},
        "Wolves": {"side": "B", "equipment": "Claws (A1)", "at": [20, 34]},
        "Rats": {"side": "B", "equipment": "Claws (A1)", "at": [30, 34]},
        "Dogs": {"side": "B", "equipment": "Claws (A1)", "at": [40, 34]},
    }
    for name, change in changed.items():
        units[name].update(change)
    told = {"scenario": "turns", "edition": "aof-2", "army_rules": TEXTS, "units": units}
    loaded, faults = load_text(yaml.safe_dump(told, sort_keys=False), "turns")
    assert not faults, faults
    built = building.build(loaded[0].scenario)
    return built.ruleset, building.started(loaded[0].scenario, built)


def after(rules: Ruleset, state: State, *options: str) -> Progress:
    """The game after these choices."""
    progress = begin(rules, state)
    for option in options:
        progress = submit(rules, progress.state, Pick(option))
    return progress


@pytest.mark.parametrize("name", THINKING)
def test_thinking_bots_act_rather_than_pass(name: str) -> None:
    rules, state = scene("Patient")
    asked = after(rules, state)
    assert isinstance(asked.pending, TurnChoice)
    assert [option.key for option in asked.pending.options] == ["u0", "u1", "pass0"]
    answer = policy(name).decide(asked.state, asked.pending, SplitMix(3))
    assert answer in (Pick("u0"), Pick("u1"))


def test_a_random_answer_may_pass_the_turn() -> None:
    rules, state = scene("Patient")
    pending = after(rules, state).pending
    assert isinstance(pending, TurnChoice)
    drawn = {pending.sample(SplitMix(seed)).option for seed in range(40)}
    assert drawn == {"u0", "u1", "pass0"}


@pytest.mark.parametrize("name", THINKING)
def test_thinking_bots_call_the_unit_that_they_would_activate(name: str) -> None:
    rules, state = scene("Drummer")
    asked = after(rules, state, "u0", "hold")
    assert isinstance(asked.pending, FriendChoice)
    assert policy(name).decide(asked.state, asked.pending, SplitMix(3)) == Pick("u1")


@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize(
    ("equipment", "wanted"), [('Bow (24", A4), Knife (A1)', "hold"), ('Sling (24", A1), Axe (A6)', "charge")]
)
def test_a_unit_that_must_attack_does_what_it_is_good_at(name: str, equipment: str, wanted: str) -> None:
    pikes = {"equipment": equipment}
    rules, state = scene("Hot-Headed", Pikes=pikes, Wolves={"at": [20, 20], "rules": "Tough(3)"})
    asked = after(rules, state, "u0")
    assert isinstance(asked.pending, ActionChoice)
    assert [option.key for option in asked.pending.options] == ["hold", "charge"]
    assert policy(name).decide(asked.state, asked.pending, SplitMix(3)) == Pick(wanted)


@pytest.mark.parametrize("rule", sorted(TEXTS))
def test_games_with_such_rules_break_no_invariant(rule: str) -> None:
    for seed in range(4):
        rules, state = scene(rule)
        judge = Judge(rules)
        play_game(
            rules,
            state,
            (policy("random", seed), policy("random", seed)),
            SeededDice.from_seed(seed),
            watchers=(judge,),
        )
        assert not judge.problems


def test_acting_twice_in_a_row_without_such_a_rule_is_reported() -> None:
    """The checks excuse only those who were called, or whose enemies passed."""
    rules, state = scene("")
    asked = after(rules, state, "u0", "hold")
    assert isinstance(asked.pending, Decision)
    there = replace(asked.state, turn=0)
    event = ev.Activated(unit=1)
    found = check_invariants(rules, there, Progress(event.apply(there), (event,), asked.pending))
    assert any("twice in a row" in problem for problem in found)
    given = ev.TurnGiven(unit=0, rule="Drummer", to=1)
    events = (given, event)
    called = event.apply(given.apply(there))
    assert not any(
        "twice in a row" in one
        for one in check_invariants(rules, there, Progress(called, events, asked.pending))
    )
