"""Running scenarios: what holds, what differs and how that is reported, what is malformed."""

import json
import os
from pathlib import Path
from textwrap import dedent

import pytest

from shieldwall.cli.main import main
from shieldwall.scenario.runner import RunReport, report_lines, run_text

SHOTS = """
scenario: Shots
edition: regiments-3.5
rows: [R35-SHOOT-15, R35-SHOOT-17]
units:
  Archers: {side: A, models: 4, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 10, front: [36, 20], facing: 180}
dice: {to_hit: [1, 3, 4, 6], block: [3, 4]}
play:
  - {activate: Archers, action: hold, shoot: {Bow: Wolves}}
expect:
  hits: 2
  units: {Wolves: {models: 9}}
"""


def changed(old: str, new: str) -> RunReport:
    assert old in SHOTS
    return run_text(SHOTS.replace(old, new))


def differences(report: RunReport) -> list[tuple[str, str, str]]:
    assert not report.faults, report.faults
    return [(one.what, one.expected, one.found) for result in report.results for one in result.differences]


def faults(report: RunReport) -> list[str]:
    return [fault.text for fault in report.faults]


AFTER_THE_ACTIVATION = """
scenario: S
edition: regiments-3.5
terrain: {Lava: {kind: lava, outline: [[30, 36], [42, 36], [42, 46], [30, 46]]}}
units:
  Pikes: {side: A, models: 5, front: [36, 10]}
  Wolves: {side: B, models: 5, front: [36, 40], facing: 180}
play: [{activate: Pikes, action: rush, march: [forward 1]}]
expect: {turn: B, units: {Wolves: {activated: no}}, pending: activate, dice_used: {dangerous: 0}}
"""


def test_dice_of_a_unit_that_the_engine_activates_later_need_not_be_given() -> None:
    """Wolves are the only unit of side B and stand in lava, so the engine asks for their dice at once."""
    assert run_text(AFTER_THE_ACTIVATION).results[0].holds
    later = AFTER_THE_ACTIVATION.replace("march: [forward 1]}]", "march: [forward 1]}, {action: hold}]")
    for text in (later, AFTER_THE_ACTIVATION + "until: end of round"):
        (found,) = run_text(text).results[0].differences
        assert found.expected == "dice for dangerous"


def test_a_missing_pick_before_the_game_is_noted() -> None:
    text = """
    scenario: S
    edition: aof-2
    units: {Boys: {side: A, models: 2, command: [Sergeant], at: [10, 10]}, Wolf: {side: B, at: [30, 30]}}
    measure: [{coherency: Boys, is: yes}]
    """
    (note,) = run_text(text).results[0].notes
    assert note.startswith("Boys: nothing is picked for its Sergeant")
    assert "`picks: {sergeant: shooting or melee}`" in note
    picked = text.replace("[Sergeant]", "[Sergeant], picks: {sergeant: melee}")
    assert run_text(picked).results[0].notes == ()


def test_a_scenario_that_holds() -> None:
    report = run_text(SHOTS)
    assert report.exit_code == 0
    assert report.results[0].holds
    assert report.results[0].rows == ("R35-SHOOT-15", "R35-SHOOT-17")


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("hits: 2", "hits: 3", ("hits", "3", "2")),
        ("hits: 2", "hits: {Wolves: 1}", ("hits of Wolves", "1", "2")),
        ("models: 9}", "models: 8}", ("Wolves: models", "8", "9")),
        ("models: 9}", "alive: no}", ("Wolves: alive", "no", "yes")),
        ("hits: 2", "round: 2", ("round", "2", "1")),
        ("hits: 2", "turn: A", ("turn", "A", "B")),
        ("hits: 2", "pending: path", ("pending", "path", "action")),
        ("hits: 2", "counts: {hit: 2}", ("events of type hit", "2", "1")),
        ("hits: 2", "never_asked: [targets]", ("asked", "never targets", "targets")),
        ("hits: 2", "dice_used: {to_hit: 5}", ("dice rolled for to_hit", "5", "4")),
        ("hits: 2", "no_rolls: [block]", ("roll", "no block", "block was rolled")),
        ("hits: 2", "winner: A", ("winner", "A", "none")),
        ("hits: 2", "activations: [Wolves]", ("activations", "Wolves", "Archers, Wolves")),
    ],
)
def test_every_expectation_can_fail(old: str, new: str, difference: tuple[str, str, str]) -> None:
    report = changed(old, new)
    assert difference in differences(report)
    assert report.exit_code == 1


def test_a_missing_event_shows_those_of_its_type() -> None:
    found = differences(changed("hits: 2", "events: [{hit: {hits: 5}}]"))
    assert found[0][:2] == ("event", "hit {hits: 5}")
    assert "hit {unit: Archers, target: Wolves, hits: 2" in found[0][2]


def test_events_must_come_in_order() -> None:
    assert not differences(changed("hits: 2", "events: [hit, blocked, removed]"))
    assert differences(changed("hits: 2", "events: [removed, hit]"))


def test_a_forbidden_event_fails() -> None:
    assert differences(changed("hits: 2", "no_events: [{removed: {unit: Wolves}}]"))


def test_rolls_are_compared_by_what_they_need() -> None:
    assert not differences(
        changed("hits: 2", "rolls: [{purpose: to_hit, need: 4, dice: 4}, {purpose: block, side: B}]")
    )
    found = differences(changed("hits: 2", "rolls: [{purpose: to_hit, need: 5}]"))
    assert found[0][1] == "to_hit {need: 5}"


def test_leftover_dice_fail() -> None:
    assert differences(changed("block: [3, 4]", "block: [3, 4, 5]")) == [
        ("dice of block", "all rolled", "left over: [5]")
    ]


ONLY_MEASURED = """
scenario: Only measured
edition: regiments-3.5
defaults: {base: '1x1"'}
units:
  Archers: {side: A, models: 5, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 5, at: [36, 22, 180]}
dice: {to_hit: [[4, 4, 4, 1, 1]], block: [[1, 1, %s]]}
measure:
  - {legal: [{activate: Archers, action: hold, shoot: Wolves}, {activate: Wolves, action: hold}], is: true}
  - {distance: [Archers, Wolves], is: 11.5}
"""


def test_dice_that_no_measurement_rolls_fail() -> None:
    assert differences(run_text(ONLY_MEASURED % "6")) == []
    more = ONLY_MEASURED.replace("]]}", "]], morale: [6]}")
    assert differences(run_text(more % "6")) == [("dice of morale", "all rolled", "left over: [6]")]
    two = ONLY_MEASURED.replace("[[1, 1, %s]]", "[1, 1, 6, 5]")
    assert differences(run_text(two)) == [("dice of block", "all rolled", "left over: [5]")]


def test_missing_dice_fail() -> None:
    found = differences(changed("block: [3, 4]", "block: [3]"))
    assert found[0][1] == "dice for block"


def test_a_nested_list_of_dice_is_one_roll() -> None:
    assert not differences(changed("[1, 3, 4, 6]", "[[1, 3, 4, 6]]"))
    found = differences(changed("[1, 3, 4, 6]", "[[1, 3, 4], [6]]"))
    assert "rolls 4 dice, not 3" in found[0][2]


def test_a_step_that_is_never_asked_for_fails() -> None:
    found = differences(changed("shoot: {Bow: Wolves}", "strike_back: yes"))
    assert found[0][0] == "strike_back"
    assert "waits for" in found[0][2] or "dice" in found[0][1]


def test_a_refused_step_changes_nothing_and_must_be_refused_for_the_reason_given() -> None:
    step = "{activate: Archers, action: hold, shoot: {Bow: Archers}, refused: [REASON]}"
    whole = SHOTS[: SHOTS.index("dice:")] + "play: [" + step + "]\n"
    assert not differences(run_text(whole.replace("REASON", "R35-SHOOT-21")))
    assert not differences(run_text(whole.replace("REASON", "only enemies")))
    found = differences(run_text(whole.replace("REASON", "R35-MOVE-01")))
    assert found[0][1] == "to be refused because of 'R35-MOVE-01'"


def test_a_step_that_should_be_refused_but_is_allowed_fails() -> None:
    found = differences(changed("shoot: {Bow: Wolves}}", "shoot: {Bow: Wolves}, refused: []}"))
    assert found[0][1:] == ("to be refused", "it is allowed")


def test_expectations_in_mid_play_see_the_events_since_the_last_ones() -> None:
    steps = dedent(
        """
        play:
          - {activate: Archers, action: hold, shoot: {Bow: Wolves}}
          - expect: {counts: {hit: 1}}
          - expect: {counts: {hit: 0}}
        """
    )
    text = SHOTS[: SHOTS.index("play:")] + steps
    assert not differences(run_text(text))
    assert differences(run_text(text.replace("hit: 0", "hit: 1")))


def test_play_stops_before_dice_and_continues_after_them() -> None:
    steps = dedent(
        """
        play:
          - {activate: Archers, action: hold, shoot: {Bow: Wolves}, until: to_hit}
          - expect: {pending: {kind: to_hit, dice: 4, need: 4}, counts: {hit: 0}}
          - expect: {counts: {hit: 1}}
            until: end of activation
        """
    )
    assert not differences(run_text(SHOTS[: SHOTS.index("play:")] + steps))
    whole = SHOTS.replace("block: [3, 4]", "block: []").replace(
        "expect:\n  hits: 2", "until: block\nexpect:\n  hits: 2"
    )
    assert not differences(run_text(whole.replace("models: 9", "models: 10")))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "regiments-3.5",
            "regiments-35",
            "edition: unknown edition 'regiments-35'; did you mean regiments-3.5",
        ),
        ("R35-SHOOT-15", "R35-SHOOT-" + "99", "rows/1: unknown rule"),
        ("shoot: {Bow: Wolves}", "shot: {Bow: Wolves}", "play/1: unknown step 'shot'; did you mean shoot"),
        ("{Bow: Wolves}", "{Bow: Wolfs}", "play/1: there is no unit 'Wolfs'; did you mean Wolves?"),
        (
            "units: {Wolves",
            "units: {Wolfs",
            "expect/units/Wolfs: there is no unit 'Wolfs'; did you mean Wolves?",
        ),
        ("hits: 2", "events: [hits]", "expect/events/1: no event 'hits'; did you mean hit?"),
        (
            "hits: 2",
            "events: [{hit: {hit: 1}}]",
            "expect/events/1: hit has no field 'hit'; did you mean hits?",
        ),
        ("Bow (24", "Bow (24 feet", "units/Archers: "),
        (
            "front: [36, 10]",
            "wounds: [0, 1], front: [36, 10]",
            "units/Archers/wounds: model 2 is dead with 1 of 1 wounds",
        ),
        ("action: hold", "hold: yes", "play/1: unknown step 'hold'; write `action: hold`"),
        (
            "models: 10",
            "effects: [Fast]",
            "units/Wolves/effects/1: expected keys and values (name, rules, until, source)",
        ),
        ("equipment:", "weapons:", "units/Archers/weapons: unknown key 'weapons'; did you mean equipment?"),
        (
            "front: [36, 10]",
            "position: [36, 10]",
            "units/Archers/position: unknown key 'position'; did you mean at?",
        ),
        (
            "models: 9}",
            "destroyed: no}",
            "expect/units/Wolves/destroyed: unknown key 'destroyed'; did you mean alive?",
        ),
        (
            "front: [36, 10]",
            "slot: 0, front: [36, 10]",
            "units/Archers/slot: a place in the front row is 1 to 4",
        ),
        (
            "front: [36, 10]",
            "slot: 5, front: [36, 10]",
            "units/Archers/slot: a place in the front row is 1 to 4",
        ),
        ("front: [36, 10]", "front: [36, 10], at: [1, 1]", "units/Archers/at: give the centre of a unit"),
        ("front: [36, 10]", "base: huge", "units/Archers: base 'huge'"),
        ("to_hit: [1", "to_hit: [7", "dice/to_hit: 7 is not a face of a die"),
        ("hits: 2", "objectives: {M: A}", "expect/objectives/M: there is no marker 'M'"),
    ],
)
def test_nonsense_is_a_fault_with_a_tip(old: str, new: str, fault: str) -> None:
    report = changed(old, new)
    assert report.exit_code == 2
    assert any(text.startswith(fault) for text in faults(report)), faults(report)


@pytest.mark.parametrize("edition", ["aof-1.6", "aof-2", "regiments-3.4"])
def test_models_that_died_before_are_left_out(edition: str) -> None:
    wounded = "{side: A, rules: Tough(3), wounds: 3, at: [36, 10]}"
    text = f"{{scenario: Dead, edition: {edition}, units: {{Ogre: {wounded}}}, measure: [{{moves: Ogre}}]}}"
    assert faults(run_text(text)) == [
        "units/Ogre/wounds: model 1 is dead with 3 of 3 wounds; leave it out and say `started`"
    ]


@pytest.mark.parametrize(
    ("text", "tip"),
    [
        ("scenario: Blast: the cap", "text with a colon and a space needs quotes"),
        ("\tscenario: Blast", "indent with spaces"),
        ("{scenario: 14, edition: aof-2}", "found 14; a number needs quotes to be text: '14'"),
        (
            "{scenario: X, edition: aof-2, units: {Off: {side: A}}}",
            "found no; yes, no, on and off need quotes to be text: 'Off'",
        ),
        ("scenario: [Blast", "needs quotes"),
        ("units: {Gun: {equipment: 'Bow (24\"}}", "quote text with special characters"),
        ('{scenario: X, edition: aof-2, units: {Gun: {side: A, equipment: Bow (24", A1)}}}', "needs quotes"),
    ],
)
def test_text_without_its_quotes_gets_a_tip(text: str, tip: str) -> None:
    report = run_text(text)
    assert report.exit_code == 2
    assert any(tip in fault for fault in faults(report)), faults(report)


def test_bare_points_cannot_move_several_models() -> None:
    units = "{Men: {side: A, models: 2, at: [36, 10]}}"
    play = "[{activate: Men, action: advance, walk: [[36, 12], [37.5, 12]]}]"
    report = run_text(f"{{scenario: Walk, edition: aof-2, units: {units}, play: {play}}}")
    told = [
        *faults(report),
        *(str(difference) for result in report.results for difference in result.differences),
    ]
    assert any("Men has 2: name the model, walk: {Men/1: [x, y]}" in text for text in told), report_lines


def test_all_faults_of_a_scenario_are_reported_together() -> None:
    text = SHOTS.replace("{Bow: Wolves}", "{Bow: Wolfs}").replace("hits: 2", "events: [hits]")
    assert len(faults(run_text(text))) == 2


def test_a_scenario_that_tries_nothing_is_a_fault() -> None:
    assert faults(run_text("{scenario: Idle, edition: regiments-3.5}")) == [
        "there is nothing to play and nothing to expect"
    ]


def test_an_unknown_edition_is_a_fault() -> None:
    report = changed("edition: regiments-3.5", "edition: aof-3")
    assert report.exit_code == 2
    assert "unknown edition 'aof-3'" in faults(report)[0]


def test_the_report_reads_line_by_line() -> None:
    lines = report_lines(changed("hits: 2", "hits: 3"))
    assert lines[0] == "scenario:2: Shots"
    assert lines[1:4] == ["  line 12: hits", "    expected: 3", "    found:    2"]
    assert lines[-1].startswith("0 of 1 scenarios hold")


def test_the_command_runs_files_and_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "shots.yaml").write_text(SHOTS)
    assert main(["scenario", "run", str(tmp_path)]) == 0
    assert "1 of 1 scenarios hold" in capsys.readouterr().out
    (tmp_path / "wrong.yaml").write_text(SHOTS.replace("hits: 2", "hits: 3"))
    assert main(["scenario", "run", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [result["holds"] for result in report["results"]] == [True, False]
    (tmp_path / "broken.yml").write_text("scenario: [")
    assert main(["scenario", "run", str(tmp_path)]) == 2
    assert main(["scenario", "run", str(tmp_path / "nowhere")]) == 2


def test_an_unreadable_folder_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "shots.yaml").write_text(SHOTS)
    scan = os.scandir

    def scanned(place: str | Path) -> object:
        if str(place).endswith("gone"):
            raise FileNotFoundError(place)
        return scan(place)

    monkeypatch.setattr(os, "scandir", scanned)
    assert main(["scenario", "run", str(tmp_path)]) == 0


SETTING_UP = """
scenario: Set up
edition: regiments-3.5
begin: set-up
defaults: {base: '1x1"'}
units:
  Line: {side: A, models: 5}
  Sneaks: {side: A, models: 5, rules: Ambush}
  Wolves: {side: B, models: 5}
dice: {marker_count: [1], roll_off: [6, 1, 6, 1]}
"""


def test_a_last_step_until_a_question_stops_there() -> None:
    report = run_text(SETTING_UP + "play: [{marker_first: B}, {until: edge}]\nexpect: {pending: edge}")
    assert report.exit_code == 0, report_lines(report)


@pytest.mark.parametrize(("word", "place"), [("ambush", "reserve"), ("deploy", "table")])
def test_units_are_set_aside_by_the_name_of_their_rule(word: str, place: str) -> None:
    play = f"play: [{{edge: south}}, {{hold_back: {word}}}, {{until: activate}}]"
    report = run_text(f"{SETTING_UP}{play}\nexpect: {{units: {{Sneaks: {{place: {place}}}}}}}")
    assert report.exit_code == 0, report_lines(report)


def test_an_unknown_step_says_where_all_words_are() -> None:
    report = run_text(SETTING_UP + "play: [{xylophone: yes}]")
    assert "shieldwall scenario words" in report.faults[0].text


BLOCKS = """
scenario: Blocks
edition: regiments-3.4
begin: set-up
defaults: {base: '1x1"'}
units:
  Line: {side: A, models: 5}
  Eyes: {side: A, models: 5, rules: Scout}
  Wolves: {side: B, models: 5}
dice: {marker_count: [1], roll_off: [6, 1, 6, 1]}
play:
  - {edge: south}
  - {hold_back: scout}
  - {deploy: Line, deploy_place: [36, 5]}
  - {side: B, deploy: Wolves, place: [60, 40, 180]}
  - {side: A, deploy: Eyes, place: [20, 9, 90]}
  - {scout_move: [20, 21.1], refused: [R34-SR-SCOUT-02]}
  - {scout_move: [20, 21]}
"""


def test_a_block_is_put_somewhere_under_the_name_of_the_question_and_keeps_its_facing() -> None:
    report = run_text(BLOCKS + "expect: {units: {Eyes: {at: [20, 21, 90]}, Line: {at: [36, 5]}}}")
    assert report.exit_code == 0, report_lines(report)


@pytest.mark.parametrize("way", ["walk: [36, 8]", "shift: [0, 1]", "path: [36, 8]"])
def test_the_move_of_a_block_is_not_written_as_points(way: str) -> None:
    report = run_text(BLOCKS + f"  - {{activate: Line, action: advance, {way}}}")
    assert "Line moves as a block, by legs" in report.results[0].differences[0].found


SHOT = """
scenario: Shot
edition: regiments-3.5
defaults: {base: '1x1"'}
objectives: {Ford: {at: [36, 24], holder: B}}
units:
  Archers: {side: A, models: 2, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 5, rules: Stealth, front: [36, 22, 180]}
dice: {to_hit: [5, 4], block: [1]}
play: [{activate: Archers, action: hold, shoot: {Bow: Wolves}}]
"""


def test_the_verbose_report_has_everything_that_happened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "shot.yaml").write_text(SHOT)
    assert main(["scenario", "run", str(tmp_path / "shot.yaml"), "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    outcome = result["outcome"]
    assert [event["event"] for event in outcome["events"]][:5] == [
        "activated", "action_chosen", "declared", "rolled", "hit",
    ]  # fmt: skip
    assert outcome["units"]["Wolves"]["models"] == ["Wolves/1", "Wolves/2", "Wolves/3", "Wolves/4"]
    assert outcome["objectives"] == {"Ford": "B"}
    assert outcome["pending"] == {
        "kind": "action",
        "side": "B",
        "options": ["hold", "advance", "rush", "charge"],
    }
    first = outcome["rolls"][0]
    assert (first["faces"], first["need"], first["why"]) == ([5, 4], 5, ["-1 Stealth"])


def test_the_plain_report_leaves_out_what_happened() -> None:
    (result,) = run_text(SHOT).results
    assert result.outcome is None


TWO_UNITS = """
scenario: Two units
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D6+}
units:
  Bows: {side: A, models: 5, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 5, front: [36, 18, 180]}
dice: {to_hit: [4, 4, 4, 1, 1], block: [1, 1, 1], morale: [2]}
play: [{activate: Bows, action: hold, shoot: {Bow: Wolves}}]
"""


@pytest.mark.parametrize(("until", "holds"), [("", "yes"), ("until: action", "no")])
def test_a_unit_that_can_only_idle_is_shaken_until_somebody_lets_it_go_on(until: str, holds: str) -> None:
    for expected in ("yes", "no"):
        expect = f"expect: {{units: {{Wolves: {{shaken: {expected}, models: 2}}}}}}"
        report = run_text(f"{TWO_UNITS}{until}\n{expect}")
        assert report.results[0].holds is (expected == holds)


def test_what_is_not_true_at_that_moment_fails() -> None:
    report = run_text(TWO_UNITS + "expect: {units: {Wolves: {shaken: yes, models: 3}}}")
    (difference,) = report.results[0].differences
    assert (difference.expected, difference.found) == ("3", "2")


def test_the_report_shows_both_moments() -> None:
    text = """
    scenario: The wolf is stunned, and then can only idle
    edition: skirmish-3.2
    units:
      Bow: {side: A, equipment: 'Bow (24", A1)', at: [24, 10]}
      Wolf: {side: B, at: [24, 18]}
    play: [{activate: Bow, action: hold, shoot: {Bow: Wolf}}]
    dice: {to_hit: 4, block: 1, wound_effect: 1, push: 1}
    """
    outcome = run_text(text, verbose=True).results[0].outcome
    assert outcome is not None
    assert outcome["units_when_over"]["Wolf"]["stunned"] == [True]
    assert outcome["units"]["Wolf"]["stunned"] == [False]


def test_what_the_end_of_a_round_did_is_seen_before_the_next_unit_acts_by_itself() -> None:
    """The last unit of an army is Stunned by its rout test, begins the next round and can only idle."""
    report = run_text("""
scenario: Rout
edition: skirmish-3.2
units:
  Bow: {side: A, equipment: 'Bow (24", A1)', at: [24, 10]}
  Wolf: {side: B, activated: yes, at: [24, 18]}
  Dog: {side: B, activated: yes, at: [30, 40]}
play: [{activate: Bow, action: hold, shoot: {Bow: Wolf}}]
dice: {to_hit: 4, block: 1, wound_effect: 5, rout: 1}
until: end of round
expect: {units: {Dog: {stunned: yes}}, round: 2}
""")
    assert report.exit_code == 0, report_lines(report)


VOLLEY = """
scenario: Short steps
edition: regiments-3.5
defaults: {base: '1x1"', stats: Q4+ D6+}
units:
  Bows: {side: A, models: 2, equipment: 'Bow (24", A1), Dart (12", A1), Stone (3", A1)', at: [36, 10]}
  Wolves: {side: B, models: 5, command: [Banner], at: [36, 20, 180]}
  Dogs: {side: B, at: [60, 40, 180]}
  Cats: {side: B, at: [10, 40, 180]}
"""


def test_a_unit_alone_is_shot_at_with_every_weapon_that_may() -> None:
    dice = "dice: {to_hit: [4, 1, 1, 1], block: [1]}"
    play = "play: [{activate: Bows, action: Hold, shoot: Wolves, casualties: Wolves/Banner}]"
    expect = "expect: {hits: 1, dice_used: {to_hit: 4}, models: {Wolves/Banner: {alive: no}}}"
    report = run_text("\n".join((VOLLEY, dice, play, expect)))
    assert report.exit_code == 0, report_lines(report)


def test_a_unit_that_no_weapon_reaches_is_refused_as_a_target() -> None:
    report = run_text(VOLLEY + "play: [{activate: Bows, action: hold, shoot: Dogs, refused: [R35-SHOOT-02]}]")
    assert report.exit_code == 0, report_lines(report)


def test_a_march_may_be_a_number_of_inches_forward() -> None:
    play = "play: [{activate: Bows, action: advance, march: 6, shoot: none}]"
    report = run_text(f"{VOLLEY}{play}\nexpect: {{units: {{Bows: {{at: [36, 16]}}}}}}")
    assert report.exit_code == 0, report_lines(report)


DAZED = """
scenario: A unit that can only be idle
edition: skirmish-3.2
rows: [SK32-WOUND-10]
units:
  Goblin: {side: A, stunned: yes, at: [24, 10]}
  Wolf: {side: B, at: [24, 40]}
"""


@pytest.mark.parametrize(
    "play", ["[{activate: Goblin, action: hold}]", "[{activate: Goblin}, {action: hold}]"]
)
def test_an_action_after_an_activation_is_never_taken_for_that_of_the_next_unit(play: str) -> None:
    found = differences(run_text(f"{DAZED}\nplay: {play}"))
    assert [one[0] for one in found] == ["action"]
    assert "Goblin stays idle" in found[0][2]


def test_a_unit_that_can_only_be_idle_is_refused_anything_else() -> None:
    steps = "[{activate: Goblin, action: hold, refused: [stays idle, SK32-WOUND-10]}]"
    assert run_text(f"{DAZED}\nplay: {steps}").exit_code == 0
    assert run_text(f"{DAZED}\nplay: [{{activate: Goblin, action: idle}}, {{action: rush}}]").exit_code == 0


def test_missing_dice_are_not_taken_for_a_refusal() -> None:
    report = run_text("""
        scenario: Nobody wrote down the dice for the answer
        edition: skirmish-3.2
        defaults: {equipment: Sword (A1)}
        units:
          Goblin: {side: A, at: [24, 10]}
          Wolf: {side: B, at: [24, 13]}
        dice: {to_hit: [1]}
        play: [{activate: Goblin, charge: Wolf}, {shoot: Wolf, refused: yes}]
    """)
    assert [one[:2] for one in differences(report)] == [("dice", "dice for to_hit")]


def test_a_unit_with_a_single_action_gets_the_reason_before_anything_is_played() -> None:
    report = run_text("""
        scenario: A rooted archer
        edition: skirmish-3.2
        units:
          Archer: {side: A, rules: Immobile, equipment: 'Bow (24", A1)', at: [24, 10]}
          Wolf: {side: B, at: [24, 20]}
        measure: [{legal: {activate: Archer, action: rush}, is: no, because: [SK32-SR-IMMOBILE-01]}]
        play: [{activate: Archer, action: advance, refused: [SK32-SR-IMMOBILE-01]}]
    """)
    assert report.exit_code == 0, differences(report)


NONSENSE = """
scenario: Nonsense
edition: skirmish-3.2
terrain: {Roof: {kind: rooftop, height: 3, at: [24, 24], size: [8, 8]}}
objectives: {Mill: [40, 24]}
units:
  Goblin: {side: A, at: [24, 10]}
  Wolf: {side: B, at: [24, 40]}
measure: [{distance: [Goblin, Wolf]}]
play: [{activate: Goblin, action: advance, walk: [24, 11]}]
expect: {units: {Goblin: {at: [24, 11]}}}
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("at: [24, 10]", "at: [.nan, 10]", "units/Goblin/at/1: expected a number up to 1,000,000, found nan"),
        ("Mill: [40, 24]", "Mill: [.inf, 24]", "objectives/Mill/1: expected a number up to"),
        ("height: 3,", "height: 1.0e+20,", "terrain/Roof/height: expected a number up to"),
        ("walk: [24, 11]", "walk: [24, .nan]", "play/1/walk/2: expected a number up to"),
        ("walk: [24, 11]", "shift: [[0, 1]]", "[[0, 1]] is not a position"),
        ("walk: [24, 11]", "place: [[24, 11], [24, x]]", "[24, 'x'] is not a position"),
        ("action: advance, walk: [24, 11]", "charge: {Wolf: 1}", "play/1: there is no unit"),
        ("Goblin: {side: A,", "Goblin: {side: A, models: 5000,", "a unit has 1 to 100 models"),
        (
            "at: [24, 10]",
            "at: [24, 10, 0, 3]",
            "supports a model 3 inches above the table: half of its base must be on ground that high",
        ),
        ("distance: [Goblin, Wolf]", "distance: [[Goblin], Wolf]", "distance: expected two things"),
        ("distance: [Goblin, Wolf]", "sight: [[24, 10], Wolf]", "sight: expected two names"),
        ("distance: [Goblin, Wolf]", "sight: [Goblin, Wolf], method: {}", "method: expected one of basic"),
        ("distance: [Goblin, Wolf]", "distance: [Goblin, Wolf], tolerance: wide", "tolerance: expected"),
        ("distance: [Goblin, Wolf]", "legal: 3", "legal: expected steps"),
        ("distance: [Goblin, Wolf]", "moves: [Goblin]", "moves: expected the name of a unit"),
        (
            "distance: [Goblin, Wolf]",
            "legal: {activat: Goblin}",
            "unknown step 'activat'; did you mean activate",
        ),
        ("distance: [Goblin, Wolf]", "need: to_hit, when: {activate: Ogre}", "there is no unit 'Ogre'"),
        ("distance: [Goblin, Wolf]", "dice: D3, faces: [x]", "faces: expected faces of dice"),
        ("Goblin: {at: [24, 11]}", "Goblin: {at: [24, [11]]}", "expected a position such as [24, 10]"),
    ],
)
def test_shapes_that_make_no_sense_are_faults(old: str, new: str, fault: str) -> None:
    assert old in NONSENSE
    report = run_text(NONSENSE.replace(old, new, 1))
    assert report.exit_code == 2
    assert [text for text in faults(report) if fault in text], faults(report)


def test_a_walk_to_nowhere_and_a_single_face() -> None:
    still = NONSENSE.replace("walk: [24, 11]", "walk: none").replace("at: [24, 11]", "at: [24, 10]")
    assert run_text(still.replace("distance: [Goblin, Wolf]", "dice: D3, faces: 5, is: 3")).exit_code == 0


def test_a_number_of_tokens_goes_to_the_caster() -> None:
    report = run_text("""
        scenario: The second of three casts
        edition: skirmish-3.2
        units:
          Goblins:
            side: A
            models: 3
            command: [Sergeant]
            special: [{name: Shaman, rules: Caster(2)}]
            tokens: 3
            at: [24, 10]
          Wolf: {side: B, at: [24, 40]}
        until: action
        expect: {models: {Goblins/Shaman: {tokens: 3}, Goblins/1: {tokens: 0}, Goblins/3: {tokens: 0}}}
    """)
    assert report.exit_code == 0, differences(report)


def test_unknown_terrain_is_noted() -> None:
    def notes(old: str, new: str) -> tuple[str, ...]:
        return run_text(NONSENSE.replace(old, new, 1)).results[0].notes

    assert notes("kind: rooftop, height: 3,", "kind: rooftop,") == ()
    assert notes("kind: rooftop, height: 3,", "kind: book, types: [cover],") == ()
    told = notes("kind: rooftop, height: 3,", "kind: forrest,")
    assert told == (
        "Roof is open ground: neither a book nor the scenario says what a 'forrest' does; did you mean forest?",
    )


@pytest.mark.parametrize(
    ("word", "holds"),
    [("right", True), ("right flank", True), ("flank", True), ("left flank", False), ("rear", False)],
)
def test_events_call_the_charged_side_what_measurements_call_it(word: str, holds: bool) -> None:
    report = run_text(f"""
scenario: A charge into a flank
edition: regiments-3.5
rows: [R35-MELEE-09]
units:
  Pikes: {{side: A, models: 5, equipment: Pike (A1), front: [36, 10]}}
  Wolves: {{side: B, models: 5, front: [36, 18], facing: 90}}
dice: {{to_hit: [1, 1, 1, 1, 1]}}
play: [{{activate: Pikes, charge: Wolves}}]
measure: [{{arc: [Wolves, Pikes], is: right flank}}]
expect: {{events: [{{aligned: {{unit: Pikes, arc: {word}}}}}]}}
""")
    assert not report.faults
    assert report.results[0].holds is holds


CHARGE = """
scenario: A look after a charge
edition: regiments-3.5
rows: [R35-CONSOL-03]
units:
  Pikes: {side: A, models: 5, equipment: Pike (A1), front: [36, 10]}
  Wolves: {side: B, models: 5, equipment: Teeth (A1), front: [36, 18], facing: 180}
dice: {to_hit: [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]}
"""


def test_an_expect_before_the_next_activation_sees_the_finished_charge() -> None:
    steps = """
play:
  - {activate: Pikes, charge: Wolves}
  - expect: {events: [melee_scored], units: {Pikes: {front: [36, 17]}}}
  - measure: [{distance: [Pikes, Wolves], is: 1}]
  - {activate: Wolves, action: hold}
"""
    assert not differences(run_text(CHARGE + steps))


def test_an_expect_before_an_answer_of_the_same_charge_is_checked_at_once() -> None:
    steps = """
play:
  - {activate: Pikes, charge: Wolves}
  - expect: {no_events: [melee_scored]}
  - {strike_back: yes}
  - {expect: {pending: {kind: action}}}
"""
    assert not differences(run_text(CHARGE + steps))
    asks = CHARGE.replace("[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]", "[[1, 1, 1, 1, 1]]")
    steps = """
play:
  - {activate: Pikes, charge: Wolves, charge_path: [forward 8]}
  - expect: {pending: {kind: strike_back}}
  - {strike_back: no}
"""
    assert not differences(run_text(asks + steps))


@pytest.mark.parametrize("nearer", [18, 33])
def test_an_impossible_charge_is_refused_for_reasons_about_the_named_unit(nearer: int) -> None:
    [(what, _, found)] = differences(
        run_text(f"""
scenario: Too far
edition: regiments-3.5
rows: [R35-MOVE-17]
units:
  Pikes: {{side: A, models: 5, equipment: Pike (A1), front: [36, 10]}}
  Dogs: {{side: B, models: 5, front: [36, {nearer}], facing: 180}}
  Wolves: {{side: B, models: 5, front: [36, 40], facing: 180}}
play: [{{activate: Pikes, charge: Wolves}}]
""")
    )
    assert (what, "Wolves are 30.0 inches away" in found) == ("choice", True)


def test_a_unit_that_waits_for_its_action_has_not_acted() -> None:
    text = """
scenario: A round of three
edition: regiments-3.5
rows: [R35-ROUND-06]
units:
  Pikes: {side: A, models: 5, front: [36, 10]}
  Halberds: {side: A, models: 5, front: [20, 10]}
  Wolves: {side: B, models: 5, front: [36, 40], facing: 180}
play: [{activate: Pikes, action: hold}, {activate: Wolves, action: hold}, {activate: Halberds, action: hold}]
until: end of round
expect: {round: 2, turns: [A, B, A], activations: [Pikes, Wolves, Halberds], pending: {kind: action, side: B}}
"""
    assert not differences(run_text(text))
    assert not differences(run_text(text.replace("turns: [A, B, A]", "turns: [A, B, A, B]")))
    for wrong in ("[A, B]", "[A, B, A, A]", "[B, A, B]"):
        assert [one[0] for one in differences(run_text(text.replace("[A, B, A]", wrong)))] == ["turns"]


@pytest.mark.parametrize("edition", ["regiments-3.4", "aof-1.6"])
def test_a_passenger_that_cannot_charge_out_is_refused(edition: str) -> None:
    report = run_text(f"""
scenario: Too far from the cart
edition: {edition}
units:
  Cart: {{side: A, base: '4x3"', rules: 'Transport(10), Tough(6)', at: [24, 10]}}
  Pikes: {{side: A, models: 5, inside: Cart}}
  Wolves: {{side: B, models: 5, front: [24, 44], facing: 180}}
play: [{{activate: Pikes, charge: Wolves, refused: [with charge]}}]
""")
    assert not differences(report)


@pytest.mark.parametrize(
    "way",
    [
        "'forward 3, pivot 90'",
        "['forward 3\"', pivot 90°]",
        "[3, pivot 90]",
        "[forward 3 inches, turn 90 degrees]",
    ],
)
def test_the_legs_of_a_march_are_written_as_people_write_them(way: str) -> None:
    report = run_text(f"""
scenario: A march
edition: regiments-3.5
rows: [R35-MOVE-09]
units:
  Pikes: {{side: A, models: 5, base: '1x1"', at: [36, 10]}}
  Wolves: {{side: B, models: 5, front: [10, 40], facing: 180}}
play: [{{activate: Pikes, action: advance, march: {way}}}]
expect: {{units: {{Pikes: {{at: [36, 13], facing: 90}}}}}}
""")
    assert not differences(report)


FLANK = """
scenario: A charge into a flank
edition: regiments-3.5
rows: [R35-MELEE-14, R35-CONSOL-02]
units:
  Pikes: {side: A, models: 5, base: '1x1"', equipment: Pike (A1), front: [36, 10]}
  Wolf: {side: B, equipment: Teeth (A1), base: '1x1"', at: [36, 18, 90]}
  Dogs: {side: B, models: 5, front: [10, 40], facing: 180}
dice: {to_hit: [4, 1, 1, 1, 1], block: [1]}
play:
  - {activate: Pikes, charge: Wolf}
  - STEP
  - {consolidate: [left 3]}
expect: {units: {Pikes: {at: [33, 17]}}}
"""


@pytest.mark.parametrize(
    "step",
    [
        "{strike_back: yes, refused: yes}",
        "{strike_back: no}",
        "{cast: none}",
        "{shoot: none}",
        "{shoot: Wolf, refused: [may not shoot]}",
    ],
)
def test_an_unasked_question_is_declined_or_refused_and_nothing_changes(step: str) -> None:
    assert not differences(run_text(FLANK.replace("STEP", step)))


@pytest.mark.parametrize("step", ["{strike_back: yes}", "{shoot: Wolf}"])
def test_an_unasked_question_cannot_be_answered(step: str) -> None:
    found = differences(run_text(FLANK.replace("STEP", step)))
    assert found[0][1].startswith("a question about")


def test_units_in_the_same_place_are_noted() -> None:
    [result] = changed("front: [36, 20], facing: 180", "front: [36, 9.8], facing: 180").results
    assert result.notes == ("Archers and Wolves stand in the same place",)
    [fault] = changed("front: [36, 20], facing: 180", "front: [36, 9.5], facing: 180").faults
    assert fault.text == "units/Wolves: it stands in the same place as Archers"
    [result] = changed("front: [36, 20], facing: 180", "front: [36, 10], facing: 180").results
    assert result.notes == ()


def test_a_model_where_no_move_may_end_is_noted() -> None:
    """SK32-TERRAIN-25: a base halfway up a fence, with its centre on it and less than half carried."""
    [result] = run_text(
        """
scenario: Astride
edition: skirmish-3.2
terrain: {Fence: {kind: fence, at: [20, 20], size: [4, 0.2]}}
units:
  Goblin: {side: A, at: [20, 20]}
  Wolf: {side: B, at: [30, 20]}
expect: {turn: A}
"""
    ).results
    assert result.notes == (
        "Goblin would stop halfway up the Fence; it must end on top of it or clear of it",
    )


def test_a_block_placed_by_its_front_stands_on_the_ground_under_its_centre() -> None:
    """R35-TERRAIN-25: its front on a hill, its centre before it."""
    report = run_text(
        """
scenario: At the foot
edition: regiments-3.5
terrain: {Hill: {kind: hill, height: 2, at: [20, 24], size: [12, 8]}}
units:
  Pikes: {side: A, models: 10, base: '1x1"', front: [20, 20.5]}
  Wolf: {side: B, front: [60, 20]}
expect: {models: {Pikes/1: {height: 0}}}
"""
    )
    assert not differences(report)


@pytest.mark.parametrize("rules", ["Artillery", "Immobile"])
def test_a_unit_that_can_do_one_thing_only_does_not_act_after_the_last_step(rules: str) -> None:
    """Its only action is chosen by the engine, but there are no dice for its shots."""
    report = run_text(f"""
scenario: Shot at, not shooting back
edition: regiments-3.5
rows: [R35-SR-ARTILLERY-01]
units:
  Gun: {{side: A, rules: '{rules}, Tough(3)', equipment: 'Cannon (36", A1)', at: [36, 10]}}
  Wolves: {{side: B, models: 2, equipment: 'Bow (24", A1)', front: [36, 30], facing: 180}}
turn: B
dice: {{to_hit: [6, 1], block: [1]}}
play: [{{activate: Wolves, action: hold, shoot: Gun}}]
expect: {{hits: 1, units: {{Gun: {{wounds: 1, activated: false}}}}, activations: [Wolves]}}
""")
    assert not differences(report)


@pytest.mark.parametrize(
    ("spot", "at", "facing"),
    [
        ("[36, 14]", "[36, 14]", 0),
        ("[36, 30]", "[36, 16]", 0),
        ("[38.5, 10]", "[38.5, 10]", 0),
        ("[36, 14, 90]", "[36, 14]", 90),
    ],
)
def test_a_block_is_dragged_as_near_as_a_march_leads(spot: str, at: str, facing: int) -> None:
    report = run_text(f"""
scenario: A drag
edition: regiments-3.5
rows: [R35-MOVE-08, R35-MOVE-09, R35-MOVE-10]
units:
  Pikes: {{side: A, models: 5, base: '1x1"', at: [36, 10]}}
  Wolves: {{side: B, models: 5, front: [10, 40], facing: 180}}
play: [{{activate: Pikes, action: advance, drag: {spot}}}]
expect: {{units: {{Pikes: {{at: {at}, facing: {facing}}}}}}}
""")
    assert not differences(report)


def test_shooting_without_an_action_asks_for_one() -> None:
    [(_, _, found)] = differences(changed("action: hold, shoot", "shoot"))
    assert found.startswith("Archers has no action yet: `action: hold` or another")


BLESSED = """
scenario: Lent
edition: regiments-3.5
spells: {Bless: {cost: 1, range: 12, whom: friend, grants: Regeneration, until: round}}
objectives: {Ford: [36, 12]}
units:
  Mage: {side: A, rules: Caster(2), spells: [Bless], tokens: 1, front: [36, 10]}
  Orc: {side: B, front: [36, 22], facing: 180}
dice: {cast: [4]}
play: [{activate: Mage, action: hold, cast: {Bless: Mage}}]
until: end of round
expect:
  events:
    - spell_cast: {targets: [Mage]}
    - effect_began: {unit: Mage, effect: Bless}
"""


def test_events_call_targets_effects_and_markers_by_their_names() -> None:
    report = run_text(BLESSED, verbose=True)
    assert [str(difference) for result in report.results for difference in result.differences] == []
    outcome = report.results[0].outcome
    assert outcome is not None
    told = {fact["event"]: fact for fact in outcome["events"]}
    assert told["spell_cast"]["targets"] == ["Mage"]
    assert told["effect_began"]["effect"] == "Bless"
    assert told["marker_flipped"]["marker"] == "Ford"


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("measure: [{arc: [[1, 2], Bows]}]", "arc: expected a unit or a model first, found [1, 2]"),
        ("measure: [{legal: {activate: Bows, action: hold, shoot: {Bow: {at: Wolves, held: 3.5}}}}]", "3.5"),
        ("measure: [{arc: [Bows, {x: 1}]}]", "{'x': 1}"),
    ],
)
def test_odd_values_are_reported_and_break_nothing(rest: str, told: str) -> None:
    report = run_text(f"{TWO_UNITS}{rest}")
    texts = [*faults(report), *(one.found for result in report.results for one in result.differences)]
    assert any(told in text for text in texts), texts
    assert not any("Error" in text for text in texts)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("block:", "defense:", "no dice are rolled for 'defense'; did you mean block?"),
        (
            "activate: Bows",
            "activate: Wolves",
            "Wolves belongs to B, and it is A's turn; `turn: B` lets B begin",
        ),
        (
            "models: 5, front: [36, 18",
            "models: 5, rules: Tough, front: [36, 18",
            "Wolves: Tough needs a number",
        ),
    ],
)
def test_common_mistakes_get_suggestions(old: str, new: str, told: str) -> None:
    assert old in TWO_UNITS
    report = run_text(TWO_UNITS.replace(old, new))
    results = [
        text for one in report.results for text in (*one.notes, *(way.found for way in one.differences))
    ]
    assert any(told in text for text in (*faults(report), *results)), results
