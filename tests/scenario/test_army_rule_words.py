"""Steps, states and expectations about army rules, which a scenario explains by their text."""

from __future__ import annotations

import pytest

from shieldwall.scenario.runner import report_lines, run_text


def holds(text: str) -> bool:
    report = run_text(text)
    assert not report.faults, report.faults
    return report.results[0].holds


def fault(text: str) -> str:
    return run_text(text).faults[0].text


ARMY = """
scenario: Army rules
edition: regiments-3.5
army_rules:
  Skirmishers: 'Once a round, a unit where all its models have this rule may move up to 3" after shooting.'
  Marked Foe: 'Once each activation, before it attacks, pick a foe within 18". Friendly units get AP(+1) against it the next time.'
  Other Foe: 'Once each activation, before it attacks, pick a foe within 18". Friendly units get AP(+1) against it the next time.'
defaults: {base: '1x1"', stats: Q4+ D4+}
units:
  Bows: {side: A, models: 2, equipment: 'Bow (24", A1)', rules: RULES, front: [36, 10]}
  Pikes: {side: A, models: 5, at: [10, 4]}
  Wolves: {side: B, models: 5, front: [36, 24, 180]}
  Dogs: {side: B, models: 5, front: [42, 24, 180]}
dice: {to_hit: [1, 1]}
"""  # noqa: E501


def test_a_move_that_a_rule_gives_is_told_from_the_move_of_the_action() -> None:
    text = ARMY.replace("RULES", "Skirmishers")
    play = (
        "play: [{activate: Bows, action: advance, march: 1, shoot: Wolves, rule_move: {Skirmishers: back 2}}]"
    )
    after = "expect: {units: {Bows: {front: [36, 9]}}}"
    assert holds(f"{text}{play}\n{after}"), report_lines(run_text(f"{text}{play}\n{after}"))
    instead = play.replace("march: 1, shoot: Wolves, ", "")
    assert not holds(f"{text.replace('dice: {to_hit: [1, 1]}', '')}{instead}")
    other = play.replace("{Skirmishers:", "{Marked Foe:")
    assert not holds(f"{text}{other}")


def test_a_pick_is_one_of_the_rule_that_is_named() -> None:
    text = ARMY.replace("RULES", "'Marked Foe, Other Foe'").replace("dice: {to_hit: [1, 1]}\n", "")
    text = text.replace("Bows: {side: A, models: 2", "Bows: {side: A, models: 1")  # each model would pick
    play = "play: [{activate: Bows, action: hold, rule_pick: {Other Foe: Dogs}}, {shoot: none}]"
    laid = "expect: {units: {Dogs: {effects: [Other Foe]}, Wolves: {effects: [Marked Foe]}}}"
    report = run_text(f"{text}{play}\n{laid}")
    assert report.exit_code == 0, report_lines(report)
    assert not holds(f"{text}{play.replace('Other Foe', 'Third Foe')}")


def test_a_rule_is_answered_by_its_name() -> None:
    text = fault(
        f"{ARMY.replace('RULES', 'Marked Foe')}play: [{{activate: Bows, action: hold, rule_pick: Wolves}}]"
    )
    assert "rule_pick: expected the name of a rule and an answer, such as {Marked Foe: Wolves}" in text


GROWS = """
scenario: Markers
edition: regiments-3.5
army_rules:
  Blood Drunk: 'This unit gets one marker each time it destroys an enemy unit. Models with this rule get +1 to hit and AP(+1) for each marker, at most 2.'
defaults: {base: '1x1"', stats: Q4+ D4+, models: 1}
units:
  Bows: {side: A, equipment: 'Bow (24", A1)', rules: Blood Drunk, marks: {Blood Drunk: 1}, front: [36, 10]}
  Pikes: {side: A, front: [10, 10]}
  Wolf: {side: B, front: [36, 24, 180]}
  Dog: {side: B, front: [42, 24, 180]}
dice: {to_hit: [3], block: [4]}
play: [{activate: Bows, action: hold, shoot: Wolf}]
"""  # noqa: E501


def test_markers_that_a_unit_has_collected_are_set_and_expected() -> None:
    text = f"{GROWS}expect: {{hits: 1, units: {{Wolf: {{alive: no}}, Bows: {{marks: {{Blood Drunk: 2}}}}}}}}"
    assert holds(text), report_lines(run_text(text))
    assert not holds(text.replace("marks: {Blood Drunk: 2}", "marks: {Blood Drunk: 1}"))
    assert not holds(text.replace("marks: {Blood Drunk: 1}, ", ""))
    stranger = text.replace("rules: Blood Drunk, ", "")
    assert "Bows can have no markers of 'Blood Drunk'" in fault(stranger)


def test_an_effect_lasts_as_long_as_one_of_the_words_says() -> None:
    text = ARMY.replace("RULES", "Fast").replace(
        "at: [10, 4]", "at: [10, 4], effects: [{name: Haste, until: ever}]"
    )
    assert "until" in fault(f"{text}play: [{{activate: Bows, action: hold, shoot: none}}]")


ANY_ORDER = """
scenario: In any order
edition: skirmish-3.2
army_rules:
  Sharp Eye: 'When this model is activated, pick one effect: it moves +2" on Advance, or it gets AP(+1) when shooting until the end of its activation.'
  Great Day: 'Once per game, when this model attacks, it may get +1 to hit.'
units:
  Captain: {side: A, models: 1, stats: Q4+ D4+, rules: 'Sharp Eye, Great Day', equipment: 'Bow (24", A3)', at: [20, 10]}
  Wolves: {side: B, models: 1, stats: Q4+ D5+, rules: Tough(3), at: [20, 20]}
dice: {to_hit: [3, 3, 2], block: [5, 6]}
expect: {events: [{hit: {unit: Captain, hits: 2}}, {wounded: {unit: Wolves, wounds: 1}}]}
"""  # noqa: E501


@pytest.mark.parametrize(
    "words",
    [
        "rule_effect: {Sharp Eye: 2}, action: hold, shoot: Wolves, rule_use: {Great Day: yes}",
        "rule_effect: {Sharp Eye: 2}, action: hold, rule_use: {Great Day: yes}, shoot: Wolves",
        "rule_use: {Great Day: yes}, rule_effect: {Sharp Eye: 2}, action: hold, shoot: Wolves",
        "action: hold, shoot: Wolves, rule_use: {Great Day: yes}, rule_effect: {Sharp Eye: 2}",
    ],
)
def test_words_about_army_rules_may_stand_anywhere_in_a_step(words: str) -> None:
    text = f"{ANY_ORDER}play: [{{activate: Captain, {words}}}]"
    assert holds(text), report_lines(run_text(text))
