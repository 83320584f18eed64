"""Spells with several targets cast from a friend's position: one position must serve all of them."""

from __future__ import annotations

from shieldwall.core.answers import Pick
from shieldwall.core.engine import submit
from shieldwall.core.pending import Decision
from shieldwall.rules.features.tokens_legal import CastSpell
from shieldwall.scenario import build as building
from shieldwall.scenario.load import load_text
from shieldwall.scenario.play import ScenarioPlayer
from shieldwall.table.numbers import TableNumbers

SCENE = """
scenario: Two targets, each in reach of another place
edition: regiments-3.5
army_rules: {Lens: 'Friendly casters within 12" may cast from where this model stands, with +1 to the casting roll.'}
spells: {Gust: {cost: 1, text: 'Choose up to 2 enemy units within 12", and they suffer 1 hit.'}}
units:
  Orm: {side: A, rules: 'Caster(1), Tough(3)', spells: [Gust], tokens: 1, front: [36, 10]}
  Friend: {side: A, rules: 'Lens, Tough(3)', front: [44, 18]}
  Wolves: {side: B, front: [46, 28.5], facing: 180}
  Bears: {side: B, front: [30, 18], facing: 180}
play: [{activate: Orm}]
"""


def casting_question() -> CastSpell:
    loaded, faults = load_text(SCENE, "scene")
    assert not faults, faults
    scenario = loaded[0].scenario
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.begin()
    player.do(scenario.play[0], ("play", 0))
    assert isinstance(player.pending, Decision)
    asked = submit(built.ruleset, player.state, Pick("cast")).pending
    assert isinstance(asked, CastSpell)
    return asked


def test_offered_answers_keep_to_targets_of_one_place() -> None:
    question = casting_question()
    assert [len(option.targets) for option in question.options] == [2]
    assert question.check(question.default()) == ()
    numbers = TableNumbers(1)
    answers = [question.sample(numbers) for _ in range(40)]
    assert {len(answer.targets) for answer in answers} == {1}
    assert [answer for answer in answers if question.check(answer)] == []
