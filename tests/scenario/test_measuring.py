"""Every measurement: it holds when it should, and otherwise reports expected and found."""

import json

import msgspec
import pytest

from shieldwall.scenario.measurements import VERBS
from shieldwall.scenario.runner import RunReport, run_text

TABLE = """
scenario: Measured
edition: regiments-3.5
defaults: {base: '1x1"'}
terrain:
  Wood: {kind: forest, outline: [[30, 20], [42, 20], [42, 26], [30, 26]]}
  Pond: {kind: lake, outline: [[45, 30], [48, 30], [48, 34], [45, 34]]}
objectives: {M: [36, 40]}
units:
  Archers: {side: A, models: 5, equipment: 'Bow (24", A2)', front: [36, 10]}
  Pikes: {side: A, models: 7, started: 10, equipment: Pike (A1), at: [10, 10]}
  Wolves: {side: B, models: 5, rules: Stealth, at: [36, 22, 180]}
"""

SHOT = {"activate": "Archers", "action": "hold", "shoot": {"Bow": "Wolves"}}

CASES = [
    ({"distance": ["Archers", "Wolves"], "is": 11.5}, {"is": 12}),
    ({"distance": ["M", [36, 43]], "is": 3}, {"is": 4}),
    ({"distance": ["Archers", "Wood"], "is": 10}, {"is": 9}),
    ({"distance": ["Wood", "Wolves"], "is": 0}, {"is": 1}),
    ({"distance": ["Wood", [36, 28]], "is": 2}, {"is": 0}),
    ({"distance": [[36, 28], "Wood"], "is": 2}, {"is": 0}),
    ({"distance": ["Wood", "Pond"], "is": 5}, {"is": 0}),
    ({"distance": ["Pond", "Pond"], "is": 0}, {"is": 1}),
    ({"distance": ["Archers/1", "M"], "is": 30.04, "tolerance": 0.01}, {"is": 29}),
    ({"sight": ["Archers", "Wolves"], "is": True}, {"is": False}),
    ({"sight": ["Archers", "Wolves"], "method": "basic", "is": True}, {"is": False}),
    ({"sight": ["Pikes", "Archers"], "blocked_by": ["arc"]}, {"blocked_by": ["Wood"]}),
    ({"cover": ["Archers", "Wolves"], "is": "in", "covered": 5, "of": 5, "has": True}, {"is": "none"}),
    ({"arc": ["Archers", [36, 20]], "is": "front"}, {"is": "rear"}),
    ({"arc": ["Archers", [50, 10]], "is": "right flank"}, {"is": "left flank"}),
    # from (38.5, 10) for the unit, from (34.5, 10) for its model on the left
    ({"arc": ["Archers", [43, 15]], "is": "front"}, {"is": "right flank"}),
    ({"arc": ["Archers/1", [43, 15]], "is": "right flank"}, {"is": "front"}),
    ({"arc": ["Archers/1", "Pikes/1"], "is": "left flank"}, {"is": "rear"}),
    ({"arc": ["Archers", "Pikes/1"], "is": "flank"}, {"is": "rear"}),
    ({"arc": ["Archers", "Wolves"], "is": "front"}, {"is": "flank"}),
    ({"rows": "Pikes", "is": [5, 2], "full": 1, "striking": 7, "beside": []}, {"is": [5, 5]}),
    ({"occupies": "Archers", "is": [33.5, 9, 38.5, 10]}, {"is": [33.5, 9, 38.5, 11]}),
    ({"moves": "Pikes", "is": {"advance": 6, "rush": 12}, "sideways": 3}, {"is": {"advance": 7}}),
    ({"terrain": [36, 22], "is": ["cover", "difficult"], "pieces": ["Wood"]}, {"is": ["open"]}),
    ({"terrain": "Wood", "is": {"contain": ["cover"], "lack": ["open"]}}, {"is": {"lack": ["cover"]}}),
    ({"zone": "A", "is": [0, 0, 72, 12]}, {"is": [0, 0, 72, 24]}),
    ({"marker": [20, 11], "is": False, "because": ["R35-OBJ-04"]}, {"is": True}),
    ({"begins": "set-up", "is": True}, {"is": False}),
    ({"actions": "Pikes", "is": ["hold", "advance", "rush"]}, {"is": ["hold"]}),
    (
        {"targets": "Archers", "is": ["Wolves"], "attacks": {"Bow": {"Wolves": 10}}},
        {"attacks": {"Bow": {"Wolves": 5}}},
    ),
    ({"charges": "Archers", "is": []}, {"is": ["Wolves"]}),
    ({"legal": {"activate": "Pikes", "action": "rush", "march": ["forward 13"]}, "is": False}, {"is": True}),
    ({"legal": {"activate": "Pikes", "action": "rush", "march": ["forward 12"]}, "is": True}, {"is": False}),
    (
        {
            "need": "to_hit",
            "when": [SHOT],
            "is": 5,
            "base": 4,
            "modifier": -1,
            "dice": 10,
            "why": ["Stealth"],
        },
        {"is": 4},
    ),
    (
        {"profile": "Axe (A2), Shield", "weapons": 1, "items": 1, "type": "melee", "attacks": 2},
        {"attacks": 3},
    ),
    ({"title": "Pikes [10]", "name": "Pikes", "size": 10}, {"size": 9}),
    ({"stats": "Q4+ D5+", "quality": 4, "defense": 5}, {"defense": 4}),
    ({"dice": "2D6", "faces": [3, 4], "is": 7}, {"is": 8}),
    ({"constant": "advance", "is": 6}, {"is": 7}),
    ({"layout": "table", "is": False, "because": ["R35-SETUP-04"]}, {"is": True}),
]


def measured(entry: dict[str, object], edition: str = "regiments-3.5") -> RunReport:
    return run_text(TABLE.replace("regiments-3.5", edition) + f"measure: [{json.dumps(entry)}]\n")


@pytest.mark.parametrize(("entry", "wrong"), CASES, ids=lambda value: next(iter(value)))
def test_measurement_holds_and_can_fail(entry: dict[str, object], wrong: dict[str, object]) -> None:
    right = measured(entry)
    assert right.exit_code == 0, right
    report = measured(entry | wrong)
    assert report.exit_code == 1, report
    assert len(report.results[0].differences) == 1


def test_coherency_is_for_loose_units() -> None:
    text = """
    scenario: Loose
    edition: skirmish-3.2
    units: {Goblins: {side: A, models: 2, at: [[10, 10], [14, 10]]}, Wolf: {side: B, at: [40, 40]}}
    measure: [{coherency: Goblins, is: no, because: [SK32-FORM-01]}]
    """
    assert run_text(text).exit_code == 0
    assert run_text(text.replace("is: no", "is: yes")).exit_code == 1


def test_a_loose_group_has_no_arcs_but_its_models_have() -> None:
    text = """
    scenario: Loose
    edition: skirmish-3.2
    units: {Bats: {side: A, models: 2, at: [[10, 10], [11.5, 10]]}}
    measure: [{arc: [Bats/2, [11.5, 20]], is: front}, {arc: [Bats, [10, 20]]}]
    """
    (result,) = run_text(text).results
    assert [one["found"] for one in json.loads(msgspec.json.encode(result.differences))] == [
        "Bats is a loose unit without a front; name one model, such as Bats/1"
    ]


@pytest.mark.parametrize(
    ("edition", "hinted"),
    [
        ("regiments-3.5", ["R35-SETUP-11", "R35-SETUP-27", "R35-SETUP-28", "R35-SETUP-29", "R35-SETUP-32"]),
        (
            "skirmish-3.2",
            ["SK32-SETUP-04", "SK32-SETUP-20", "SK32-SETUP-21", "SK32-SETUP-22", "SK32-SETUP-25"],
        ),
    ],
)
def test_advice_about_a_table_names_the_rows_it_comes_from(edition: str, hinted: list[str]) -> None:
    text = f"""
    scenario: Two long hedges
    edition: {edition}
    terrain:
      Hedge: {{kind: fence, at: [10, 20], size: [14, 4]}}
      Fence: {{kind: fence, at: [30, 20], size: [14, 4]}}
    measure: {{layout: table, hints: {hinted}}}
    """
    assert run_text(text).exit_code == 0


def test_every_verb_is_tried_here() -> None:
    tried = {verb for entry, _ in CASES for verb in entry if verb in VERBS}
    assert tried | {"coherency", "army", "terrain_turns"} == set(VERBS)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (
            {"distance": ["Archers", "Wolves"], "iss": 1, "is": 1},
            "unknown key 'iss' of distance; did you mean is?",
        ),
        ({"distanze": 1}, "a measurement begins with a verb"),
        ({"zone": "C"}, "zone: expected A or B, found 'C'"),
        ({"cover": ["Archers", "Wolves"], "models": ["one"]}, "models: expected numbers of models, from 1"),
    ],
)
def test_measurements_that_make_no_sense_are_faults(entry: dict[str, object], fault: str) -> None:
    report = measured(entry)
    assert report.exit_code == 2
    assert fault in report.faults[0].text


@pytest.mark.parametrize(
    ("step", "entry"),
    [
        (
            "{activate: Pikes, action: advance}",
            "{legal: {march: [forward 6.1]}, is: no, because: [R35-MOVE-01]}",
        ),
        ("{activate: Pikes, action: advance}", "{legal: [{march: [forward 6]}], is: yes}"),
        ("{activate: Pikes, action: hold}", "{legal: {pivot: 181}, is: no, because: [R35-MOVE-07]}"),
    ],
)
def test_measuring_the_open_question_last_keeps_it_open(step: str, entry: str) -> None:
    assert run_text(f"{TABLE}\nplay: [{step}, {{measure: [{entry}]}}]").exit_code == 0


@pytest.mark.parametrize("size", ["0, 48", "72, -48", "0.0001, 48"])
def test_a_table_has_some_size(size: str) -> None:
    report = run_text(f"{TABLE}\ntable: [{size}]\nmeasure: [{{layout: table}}]")
    assert [fault.text for fault in report.faults] == [
        f"table: a table must be at least one inch each way, found {size.replace(', ', ' by ')}"
    ]


@pytest.mark.parametrize("dice", ["", "dice: {dangerous: [4, 4, 4, 4, 4]}"])
def test_what_is_legal_after_dice_is_not_known_without_them(dice: str) -> None:
    """R35-TERRAIN-21: a unit in lava is tested when it is activated, before it moves."""
    lava = TABLE.replace(
        "terrain:", "terrain:\n  Lava: {kind: lava, outline: [[30, 8], [42, 8], [42, 11], [30, 11]]}"
    )
    entry = (
        "{legal: {activate: Archers, action: advance, march: [forward 6.1]}, is: no, because: [R35-MOVE-01]}"
    )
    report = run_text(f"{lava}\n{dice}\nmeasure: [{entry}]")
    found = [one.found for one in report.results[0].differences]
    assert not found if dice else "no dice are scripted for 'dangerous'" in found[0]


def test_cover_from_a_model_that_is_not_there_is_a_difference() -> None:
    report = measured({"cover": ["Archers", "Wolves"], "models": 6})
    assert report.results[0].differences[0].found == "cover: Archers has 5 models, not 6"


def test_measuring_something_unknown_is_a_difference() -> None:
    report = measured({"distance": ["Archers", "Wolfs"], "is": 1})
    assert "Wolfs" in report.results[0].differences[0].found


PLAYED = (
    TABLE
    + """
dice: {to_hit: [5, 5, 1, 1, 1, 1, 1, 1, 1, 1], block: [1, 1]}
play:
  - {activate: Archers, action: advance, march: [forward 6]}
  - measure:
      - {distance: [Archers, Wolves], is: DISTANCE}
      - {need: to_hit, when: [{shoot: {Bow: Wolves}}], dice: 10, is: 4}
      - {legal: {shoot: {Bow: Pikes}}, is: no}
  - {shoot: {Bow: Wolves}, measure: [{rows: Wolves, is: [3]}, {sight: [Archers, Wolves], is: yes}]}
"""
)


def test_a_step_measures_the_table_in_the_middle_of_play_and_changes_nothing() -> None:
    assert run_text(PLAYED.replace("DISTANCE", "5.5")).exit_code == 0


def test_a_wrong_measurement_in_the_middle_of_play_is_reported_with_its_line() -> None:
    (result,) = run_text(PLAYED.replace("DISTANCE", "11.5")).results
    (difference,) = result.differences
    assert (difference.what, difference.expected, difference.found) == (
        "distance [Archers, Wolves]",
        "11.5",
        "5.5",
    )


def test_a_step_that_measures_nothing_is_a_fault() -> None:
    report = run_text(TABLE + "play: [{measure: 3}]")
    assert "expected a list of measurements" in report.faults[0].text


def test_a_measurement_without_a_result_is_answered_in_the_report() -> None:
    entries = "[{distance: [Archers, Wolves]}, {arc: [Archers, Pikes]}, {cover: [Archers, Wolves]}]"
    (result,) = run_text(TABLE + f"measure: {entries}", verbose=True).results
    distance, arc, cover = result.measured
    assert distance == {"verb": "distance", "about": ["Archers", "Wolves"], "is": 11.5}
    assert (arc["is"], cover["is"], cover["of"]) == ("left flank", "in", 5)


@pytest.mark.parametrize(
    "entry", ["distance: [Pike/1, [3, 3]]", "coherency: Pike", "occupies: Pike", "sight: [Pike, Wolf]"]
)
def test_units_off_the_table_are_named_and_nothing_fails(entry: str) -> None:
    text = f"""
scenario: In reserve
edition: aof-1.6
units:
  Pike: {{side: A, models: 2, rules: Ambush, place: reserve, reserve: ambush}}
  Wolf: {{side: B, at: [36, 20]}}
measure: [{{{entry}, is: 0}}, {{targets: Pike, is: []}}, {{charges: Pike, is: []}}]
"""
    (result,) = run_text(text).results
    (difference,) = result.differences
    assert "not on the table" in difference.found


def test_units_that_cannot_be_measured_off_the_table_are_named() -> None:
    text = """
    scenario: Away
    edition: aof-2
    units: {Pike: {side: A, at: [10, 10]}, Lurker: {side: B, rules: Ambush, reserve: ambush}}
    measure: [MEASURED]
    """
    for verb in ("sight", "cover", "arc"):
        (result,) = run_text(text.replace("MEASURED", f"{{{verb}: [Pike, Lurker]}}")).results
        assert [one.found for one in result.differences] == [
            "Lurker is not on the table, so nothing can be measured about it"
        ]


def test_reasons_against_a_step_on_the_way_name_their_rows_too() -> None:
    text = """
    scenario: Fixed
    edition: skirmish-3.2
    units:
      Gun: {side: A, rules: Immobile, equipment: 'Gun (24", A1)', at: [10, 10]}
      Wolf: {side: B, at: [10, 17]}
    measure:
      - {legal: {activate: Gun, action: rush, walk: [10, 12]}, is: no, because: [SK32-SR-IMMOBILE-01]}
    """
    (result,) = run_text(text).results
    assert result.holds, result.differences
