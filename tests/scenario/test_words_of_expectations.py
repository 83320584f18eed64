"""A misspelt word in an expectation is a fault: otherwise an expectation that it never comes up would always hold."""

from __future__ import annotations

import pytest

from shieldwall.scenario.runner import run_text

SHOT = """
scenario: Arrows
edition: regiments-3.5
units:
  Archers: {side: A, models: 4, stats: Q4+ D5+, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 10, stats: Q4+ D4+, front: [36, 20], facing: 180}
dice: {to_hit: [1, 3, 4, 6], block: [3, 4]}
play: [{activate: Archers, action: hold, shoot: {Bow: Wolves}}]
"""


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("no_rolls: [morales]", "no dice are rolled for 'morales'; did you mean morale?"),
        ("no_rolls: [saves]", "no dice are rolled for 'saves'; did you mean block?"),
        ("dice_used: {tohit: 0}", "no dice are rolled for 'tohit'; did you mean to_hit?"),
        ("rolls: [to_hit, {purpose: blok}]", "expect/rolls/2: no dice are rolled for 'blok'"),
        ("never_asked: [strikeback]", "no question 'strikeback'; did you mean strike_back?"),
        ("never_asked: [shoot]", "the question that `shoot` answers is targets"),
        ("never_asked: [march]", "the question that `march` answers is path"),
        ("asked: [targts]", "no question 'targts'; did you mean targets?"),
        ("pending: activat", "no game ever waits for 'activat'; did you mean activate"),
        ("pending: {kind: shoot}", "the question that `shoot` answers is targets"),
        ("activations: [Archer]", "there is no unit 'Archer'; did you mean Archers?"),
        ("no_events: [{hit: {hits: many}}]", "hits is a whole number, found 'many'"),
        ("no_events: [{morale_tested: {passed: 1}}]", "passed is yes or no, found 1"),
        ("no_events: [{hit: Wolves}]", "an event is one type with its fields"),
        ("no_events: [{aligned: {arc: reer}}]", "arc is one of front, left flank, left, flank, right flank"),
        ("no_events: [{action_chosen: {action: chargee}}]", "action is one of hold, advance, rush, charge"),
        (
            "pending: {kind: action, options: {lack: [chrge]}}",
            "there is no action 'chrge'; did you mean charge?",
        ),
        ("pending: {kind: activate, options: {lack: [Wolfs]}}", "there is no unit 'Wolfs'"),
        ("no_events: [{turn_passed: {side: C}}]", "there is no side 'C'; side is one of A, B"),
    ],
)
def test_a_word_that_no_game_uses_is_a_fault(expect: str, told: str) -> None:
    report = run_text(f"{SHOT}expect: {{{expect}}}\n", "shot.yaml")
    assert not report.results
    assert told in "\n".join(fault.text for fault in report.faults)


@pytest.mark.parametrize(
    "expect",
    [
        "no_rolls: [morale, 'spell:Spark']",
        "never_asked: [strike_back]",
        "asked: [action, targets]",
        "activations: [Archers]",
        "events: [{hit: {hits: 2, target: Wolves}}, {turn_passed: {side: B}}]",
        "events: [{hit: null}]",
        "pending: action",
    ],
)
def test_words_that_games_use_are_compared(expect: str) -> None:
    report = run_text(f"{SHOT}expect: {{{expect}}}\n", "shot.yaml")
    assert not report.faults
    assert [result.differences for result in report.results] == [()]


@pytest.mark.parametrize(
    ("cases", "told"),
    [
        ("[]", "cases: expected a list of variations"),
        ("{case: nearer}", "cases: expected a list of variations"),
        ("[at nine inches]", "cases/1: expected the name of the case and the keys that differ"),
    ],
)
def test_cases_that_vary_nothing_are_faults(cases: str, told: str) -> None:
    report = run_text(f"{SHOT}expect: {{hits: 2}}\ncases: {cases}\n", "shot.yaml")
    assert not report.results
    assert [told in fault.text for fault in report.faults] == [True]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("round: 0", "round: the first round is 1, found 0"),
        ("start_units: {A: -5}", "start_units/A: expected a number of units, found -5"),
        ("edges: {A: up, B: north}", "edges/A: 'up' is not a table edge; there are south, north, west, east"),
        ("edges: {A: south, B: south}", "edges: south and south do not face each other"),
    ],
)
def test_settings_that_no_game_has_are_faults(words: str, told: str) -> None:
    report = run_text(f"{SHOT}expect: {{hits: 2}}\n{words}\n", "shot.yaml")
    assert [fault.text for fault in report.faults] == [told]


def test_a_unit_with_a_negative_number_is_a_fault() -> None:
    text = SHOT.replace("models: 10,", "models: 10, height: -1,") + "expect: {hits: 2}\n"
    assert [fault.text for fault in run_text(text).faults] == ["units/Wolves/height: -1 is below 0"]


def test_an_effect_with_a_rule_that_nobody_plays_is_noted() -> None:
    text = SHOT.replace("models: 10,", "models: 10, effects: [{name: Gloom, rules: Stelth}],")
    notes = run_text(text + "expect: {hits: 2}\n").results[0].notes
    assert notes == ("Gloom: regiments-3.5 has no special rule 'Stelth'; did you mean Stealth?",)


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("round: 9", "round 9: a game has 4 rounds"),
        ("objectives: {Ford: [100, 100]}", "Ford does not lie on the table"),
    ],
)
def test_a_round_and_a_marker_beyond_the_game_are_noted(words: str, note: str) -> None:
    report = run_text(f"{SHOT}expect: {{hits: 2}}\n{words}\n", "shot.yaml")
    assert note in report.results[0].notes


GONE = """
scenario: A place that nobody stands at
edition: aof-2
units:
  Archer: {side: A, equipment: 'Bow (24", A1)', at: [36, 10]}
  Wolf: {side: B, at: [36, 20]}
  Dogs: {side: B, models: 2, at: [[60, 44], [61.5, 44]]}
dice: {to_hit: [4], block: [1]}
play: [{activate: Archer, action: hold, shoot: {Bow: Wolf}}]
expect: {units: {UNIT}}
"""


@pytest.mark.parametrize("where", ["at: [36, 20]", "facing: 0"])
def test_a_unit_that_is_gone_stands_nowhere(where: str) -> None:
    [result] = run_text(GONE.replace("UNIT", f"Wolf: {{{where}}}")).results
    [difference] = result.differences
    assert (difference.expected, difference.found) == ("on the table", "gone")


def test_all_models_of_a_unit_are_compared_with_a_list_of_positions() -> None:
    assert run_text(GONE.replace("UNIT", "Dogs: {at: [[60, 44], [61.5, 44]]}")).results[0].holds
    for listed in ("[[60, 44]]", "[[60, 44], [61.5, 44], [63, 44]]"):
        assert not run_text(GONE.replace("UNIT", f"Dogs: {{at: {listed}}}")).results[0].holds
