"""A scenario must not hold by mistake: wrong words, empty expectations, impossible situations."""

from __future__ import annotations

import pytest

from shieldwall.scenario.runner import run_text

SCENE = """
scenario: Arrows
edition: regiments-3.5
spells: {Bolt: {cost: 1, range: 18, whom: enemy, hits: 2}}
units:
  Archers:
    {side: A, models: 5, equipment: 'Bow (24", A1), Sword (A1)', rules: Caster(2), spells: [Bolt], front: [36, 10]}
  Wolves: {side: B, models: 10, equipment: Teeth (A1), front: [36, 20], facing: 180}
  Dogs: {side: B, models: 5, equipment: Teeth (A1), front: [60, 40], facing: 180}
"""
HOLD = "play: [{activate: Archers, action: hold, shoot: none}]\n"


def faults_of(text: str) -> list[str]:
    report = run_text(text)
    assert not report.results
    return [fault.text for fault in report.faults]


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ("{}", "expect: it expects nothing; leave it out, or say what must be true"),
        ("{units: {}}", "expect/units: it is empty and expects nothing"),
        ("{units: {Archers: {}}}", "expect/units/Archers: it expects nothing; say what must be true"),
        ("{units: {Archers: {tolerance: 1}}}", "expect/units/Archers: it expects nothing; say what must be true"),
        (
            "{units: {Archers: {at: [0, 0], tolerance: 99}}}",
            "expect/units/Archers/tolerance: expected 0 to 1, found 99",
        ),
        ("{hits: {}}", "expect/hits: it is empty and expects nothing"),
        ("{pending: {options: {}}}", "expect/pending/options: it expects nothing; give contain, lack or equal"),
        (
            "{rolls: []}",
            "expect/rolls: it is empty and expects nothing; to say that no dice are rolled, "
            "use `no_rolls` or `dice_used`",
        ),
        (
            "{events: []}",
            "expect/events: it is empty and expects nothing; to say that something must not happen, "
            "use `no_events` or `counts`",
        ),
        (
            "{asked: []}",
            "expect/asked: it is empty and expects nothing; to say that a question is not asked, use `never_asked`",
        ),
    ],
)  # fmt: skip
def test_an_expectation_that_expects_nothing_is_a_fault(expect: str, told: str) -> None:
    assert faults_of(f"{SCENE}{HOLD}expect: {expect}\n") == [told]
    step = f"play: [{{activate: Archers, action: hold, shoot: none}}, {{expect: {expect}}}]\n"
    assert faults_of(SCENE + step) == [f"play/2/{told}"]


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("action: hld", "there is no action 'hld'; did you mean hold?"),
        ("action: hold, shoot: {Bwo: Wolves}", "no unit has a weapon 'Bwo'; did you mean Bow?"),
        ("action: hold, cast: {Blot: Wolves}", "there is no spell 'Blot'; did you mean Bolt?"),
        ("action: hold, cast: {spell: Bolt, whom: Wolves}", "cast: expected spell, at and by, found whom"),
        ("action: rush, march: [forward -3]", "'forward -3': a leg has a length of at least 0; write back 3"),
    ],
)
def test_a_misspelt_answer_is_a_fault_not_a_refusal(step: str, told: str) -> None:
    refused = f"play: [{{activate: Archers, {step}, refused: yes}}]\n"
    assert faults_of(SCENE + refused) == [f"play/1: {told}"]
    measured = f"measure: [{{legal: {{activate: Archers, {step}}}, is: no}}]\n"
    assert faults_of(SCENE + measured) == [f"measure/1/1: {told}"]


@pytest.mark.parametrize(
    ("before", "step", "word"),
    [
        (
            "dice: {to_hit: [[1, 1, 1, 1, 1]]}\n",
            "{activate: Archers, charge: Wolves}, {strike_back: mabye",
            "mabye",
        ),
        (
            "begin: set-up\ndice: {marker_count: [1], roll_off: [5, 2, 6, 3]}\n",
            "{until: edge}, {edge: up",
            "up",
        ),
    ],
)
def test_a_word_that_a_question_never_offers_is_not_refused_by_a_rule(
    before: str, step: str, word: str
) -> None:
    [result] = run_text(f"{SCENE}{before}play: [{step}, refused: yes}}]\n").results
    [difference] = result.differences
    assert difference.expected == "an answer that the question may have"
    assert difference.found.startswith(f"{word!r} is not possible here; possible: ")


def test_an_answer_that_is_merely_not_on_offer_is_refused() -> None:
    set_up = "begin: set-up\ndice: {marker_count: [1], roll_off: [5, 2, 6, 3]}\n"
    play = "play: [{until: edge}, {edge: east, refused: [R35-DEPLOY-02]}]\n"
    assert run_text(SCENE + set_up + play).results[0].holds


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("actions: Archers, is: {lack: [chrge]}", "there is no action 'chrge'; did you mean charge?"),
        ("targets: Archers, is: {lack: [Wolfs]}", "there is no unit 'Wolfs'; did you mean Wolves?"),
        ("charges: Archers, is: {lack: [Wolfs]}", "there is no unit 'Wolfs'; did you mean Wolves?"),
        ("distance: [Archers, Wolves], is: 3, tolerance: 99", "tolerance: expected a number from 0 to 1, found 99"),
    ],
)  # fmt: skip
def test_a_measurement_that_could_not_fail_is_a_fault(entry: str, told: str) -> None:
    assert faults_of(f"{SCENE}measure: [{{{entry}}}]\n") == [f"measure/1: {told}"]


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("moves: Archers, is: {}", "{advance: 6, rush: 12, charge: 12}"),
        ("targets: Archers, attacks: {Bow: {}}", "{Wolves: 5}"),
        (
            "legal: {activate: Archers, action: rush, march: [forward 12.1]}, is: no, because: []",
            "Archers would move 12.1 inches; the maximum is 12 inches (R35-MOVE-01); "
            "Archers would move through Wolves (R35-MOVE-04)",
        ),
    ],
)
def test_an_empty_result_says_that_there_is_none(entry: str, found: str) -> None:
    [result] = run_text(f"{SCENE}measure: [{{{entry}}}]\n").results
    assert [difference.found for difference in result.differences] == [found]


DOGS = "models: 5, equipment: Teeth (A1), front: [60, 40], facing: 180"


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        (f"{DOGS}, tokens: 2", "units/Dogs/tokens: Dogs has no model that has spell tokens"),
        ("rules: Caster(2), tokens: 7, at: [60, 40]", "units/Dogs/tokens: a model has at most 6 spell tokens, found 7"),
        (f"{DOGS}, arrived: 2", "units/Dogs/arrived: it arrived in round 2, but this is round 1"),
        (
            f"{DOGS}, picks: {{sergant: melee}}",
            "units/Dogs/picks: nothing is picked for 'sergant' of Dogs; did you mean sergeant?",
        ),
        (DOGS.replace("60, 40", "160, 40"), "units/Dogs: it stands off the table, which is 72 by 48 inches"),
        (DOGS.replace("60, 40", "37, 20"), "units/Dogs: it stands in the same place as Wolves"),
    ],
)  # fmt: skip
def test_an_impossible_unit_is_a_fault(unit: str, told: str) -> None:
    assert faults_of(SCENE.replace(DOGS, unit) + HOLD) == [told]


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        (
            "conditions: [seeinto], at: [36, 30], size: [4, 4]",
            "terrain/Wood/conditions: there is no condition 'seeinto'; did you mean see-into?; there are see-into, "
            "hilltop, difficult-uphill, danger-on-rush-or-charge, gap, ground-level, roof, decorative",
        ),
        (
            "at: [36, 30], size: [4, 4], outline: [[30, 30], [34, 30], [34, 34]]",
            "terrain/Wood: give an `outline`, or `at` and `size`, not both",
        ),
    ],
)
def test_a_piece_that_contradicts_itself_is_a_fault(piece: str, told: str) -> None:
    assert faults_of(f"{SCENE}{HOLD}terrain: {{Wood: {{kind: forest, {piece}}}}}\n") == [told]


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ("start_units: {B: 1}", "side B started with 1 unit and has 2 here"),
        (
            "terrain: {Wall: {kind: wal, height: 3, at: [10, 30], size: [4, 1]}}",
            "Wall does only what the scenario says: no book has a 'wal'; did you mean wall?",
        ),
        (
            "terrain: {Lake: {kind: lake, water: deep, at: [60, 41], size: [8, 6]}}",
            "Dogs would stand on impassable Lake",
        ),
    ],
)  # fmt: skip
def test_odd_but_possible_situations_are_noted(more: str, note: str) -> None:
    [result] = run_text(f"{SCENE}{HOLD}{more}\n").results
    assert result.holds
    assert result.notes == (note,)


def test_two_models_of_a_unit_in_one_place_are_noted() -> None:
    text = """
scenario: Two in one
edition: skirmish-3.2
units:
  Pikes: {side: A, models: 2, at: [[24, 10], [24, 10]]}
  Wolf: {side: B, at: [24, 20]}
measure: [{distance: [Pikes, Wolf], is: 8.74}]
"""
    assert run_text(text).results[0].notes == ("Pikes/1 and Pikes/2 stand in the same place",)


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        (
            f"{DOGS}, reserve: ambsh",
            "units/Dogs/reserve: expected one of ambush, scout, vanguard, found 'ambsh'; did you mean ambush?",
        ),
        (f"{DOGS}, spells: [Blot]", "units/Dogs/spells: there is no spell 'Blot'; did you mean Bolt?"),
    ],
)  # fmt: skip
def test_words_about_a_unit_that_mean_nothing_are_faults(unit: str, told: str) -> None:
    assert faults_of(SCENE.replace(DOGS, unit) + HOLD) == [told]


def test_a_case_does_not_add_a_unit_by_a_misspelt_name() -> None:
    cases = "cases: [{case: farther, units: {Wolfs: {front: [36, 25]}}}]\n"
    told = (
        "cases/1/units/Wolfs: the scenario has no unit 'Wolfs' that this case could change; did you mean Wolves?; "
        "a new unit needs a `side`"
    )
    assert faults_of(SCENE + HOLD + cases) == [told]
    more = cases.replace("Wolfs: {", "Rats: {side: B, ")
    assert run_text(SCENE + HOLD + more).results[0].holds
