"""What the log and messages say of army rules in play: copies, new units, tokens, ignored wounds, refusals."""

from __future__ import annotations

import pytest

from shieldwall.core import events as ev
from shieldwall.core.pending import Option
from shieldwall.core.state import Effect, State
from shieldwall.core.values import Mod
from shieldwall.dice.words import needed_words
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.scenario.build import build
from shieldwall.scenario.failures import waiting_words
from shieldwall.scenario.load import load_text
from shieldwall.scenario.runner import run_text
from shieldwall.story import tell

SCENE = """
scenario: Words
edition: aof-2
defaults: {base: '1x1"', stats: Q4+ D4+}
army_rules:
  Horde: 'When this unit is shaken or destroyed, you may remove it, and a new copy arrives within 12" of a table edge in the next round.'
  Howl: 'Once per game, when activated, this model may bring on a new unit of X within 6".'
  Stout: This unit ignores wounds on a 5+.
units:
  Bows: {side: A, models: 2, equipment: 'Bow (30", A1)', at: [20, 10]}
  Rats: {side: B, models: 2, rules: Horde, equipment: Teeth (A1), at: [20, 30], hero: {name: King, rules: 'Hero, Tough(3), Howl(Pups [2])', equipment: Sword (A1)}}
  Pups: {side: B, models: 2, place: later}
  Dog: {side: B, at: [60, 44]}
"""  # noqa: E501


def scene() -> State:
    loaded, faults = load_text(SCENE, "words")
    assert not faults
    return build(loaded[0].scenario).state


def message(more: str, scene: str = SCENE) -> str:
    report = run_text(scene + more)
    told = [fault.problem.text if hasattr(fault, "problem") else str(fault) for fault in report.faults]
    return "\n".join(told + [one.found for result in report.results for one in result.differences])


def test_a_unit_that_makes_way_for_a_copy_is_told_as_one_story() -> None:
    state = scene()
    rats = state.units[1]
    copy = next(unit for unit in state.units if unit.name == "Rats (copy)")
    lost = ev.Removed(unit=1, models=tuple(model.id for model in rats.models), cause="replaced")
    assert tell(lost, state).endswith("made way for a copy.")
    assert "will be replaced" in tell(ev.Destroyed(unit=1, cause="replaced"), state)
    said = tell(ev.CalledUp(unit=copy.id, by=1, rule="Horde"), state)
    assert said == "A copy takes the place of Rats (Horde)."


def test_the_hero_who_brings_a_unit_on_is_named() -> None:
    state = scene()
    pups = next(unit for unit in state.units if unit.name == "Pups")
    assert tell(ev.CalledUp(unit=pups.id, by=1, rule="Howl"), state).startswith("King of Rats brought Pups")


@pytest.mark.parametrize(
    ("until", "words"),
    [("once", "until it is used"), ("game", "for the rest of the game"), ("round", "until the round ends")],
)
def test_how_long_effects_last_is_said_in_plain_words(until: str, words: str) -> None:
    said = tell(ev.EffectBegan(unit=0, effect=Effect("Blessed", 0, until)), scene())  # type: ignore[arg-type]
    assert said == f"Blessed lies on Bows {words}."


def test_tokens_of_others_are_counted_once() -> None:
    assert needed_words(4, (Mod(1, "1 token of Mage Council", ""),)) == "4+ (+1 token of Mage Council)"
    assert needed_words(4, (Mod(-2, "2 tokens of Mage Council", ""),)) == "4+ (-2 tokens of Mage Council)"
    assert needed_words(4, (Mod(1, "aim", ""),)) == "4+ (+1 aim)"


@pytest.mark.parametrize(("rule", "is_cited"), [("Stout", False), ("Regeneration", True)])
def test_wounds_ignored_by_an_army_rule_cite_no_row_of_the_rulebook(rule: str, is_cited: bool) -> None:
    more = f"""
cases:
  - case: x
    units: {{Dog: {{at: [20, 20], rules: {rule}}}}}
    play: [{{activate: Bows, action: hold, shoot: Dog}}]
    dice: {{to_hit: [4, 1], block: [1], regeneration: [5]}}
    expect: {{events: [{{ignored: {{cite: {"A2-SR-REGEN-01" if is_cited else "''"}}}}}]}}
"""
    assert message(more) == ""


def test_a_question_about_a_rule_is_named_with_the_rule() -> None:
    state = scene()
    question = RuleChoice("rule_use", state.units[1], "Howl", "bring it on?", (Option("yes", "yes"),), "yes")
    said = waiting_words(state, question)
    assert said == "the game waits for rule_use of B about Howl, which no step answers"


def test_options_are_called_by_their_names() -> None:
    loaded, _ = load_text(SCENE, "words")
    built = build(loaded[0].scenario)
    assert built.roster.in_words("possible: u3 (Dog), u4 (Rats (copy))") == "possible: Dog, Rats (copy)"


def test_rules_that_are_not_played_are_named_with_the_edition() -> None:
    patient = (
        "Once per round, this model may pass its turn while the opponent has more units left to activate."
    )
    gift = (
        'Once each activation, before it attacks, pick one friendly unit within 12", which gets Patient once.'
    )
    given = f"  Patient: '{patient}'\n  Gift: '{gift}'\n"
    said = message("", SCENE.replace("units:\n", given + "units:\n", 1))
    assert "Gift is not played in Age of Fantasy 2" in said
