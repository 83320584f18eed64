"""Reading scenario files: cases, likeness, defaults; every problem with its line and a tip."""

from textwrap import dedent

import pytest

from shieldwall.scenario.load import Fault, load_text
from shieldwall.scenario.runner import report_lines, run_text


def faults_of(text: str) -> list[tuple[int, str]]:
    return [(fault.line, fault.text) for fault in load_text(dedent(text))[1]]


def test_a_mapping_is_one_scenario_and_a_list_is_many() -> None:
    one = "{scenario: Alone, edition: regiments-3.5}"
    assert [found.title for found in load_text(one)[0]] == ["Alone"]
    assert [found.title for found in load_text(f"[{one}, {one}]")[0]] == ["Alone", "Alone"]


def test_entries_know_their_line_however_the_list_is_written() -> None:
    one = "{scenario: Alone, edition: regiments-3.5, measure: {constant: rounds}}"
    lines = {
        f"[{one}, {one}, {one}]": [1, 1, 1],
        f"[{one},\n{one}]": [1, 2],
        f"---\n- {one}\n- {one}\n": [2, 3],
        f"# first\n- {one}\n- {one}\n": [2, 3],
        f"  - {one}\n  - {one}\n": [1, 2],
        f"\n{one}": [2],
        "scenario: Alone\nedition: regiments-3.5\nmeasure: {constant: rounds}\n": [1],
    }
    assert {text: [result.line for result in run_text(text).results] for text in lines} == lines


def test_cases_are_laid_over_their_base() -> None:
    loaded, faults = load_text(
        dedent(
            """
            scenario: Shots
            edition: regiments-3.5
            units:
              Archers: {side: A, models: 3, front: [36, 10]}
            dice: {to_hit: [1, 2], block: [3]}
            cases:
              - {case: near, units: {Archers: {at: [1, 2]}}}
              - {case: without blocks, dice: {block: null, to_hit: [6]}}
            """
        )
    )
    assert not faults
    near, without = (found.scenario for found in loaded)
    assert near.scenario == "Shots: near"
    assert near.units["Archers"].models == 3
    assert near.units["Archers"].at == (1, 2)
    assert near.units["Archers"].front is None  # a case that gives the centre takes back the front
    assert without.dice == {"to_hit": [6]}


def test_units_take_over_defaults_and_what_they_are_like() -> None:
    loaded, faults = load_text(
        dedent(
            """
            scenario: Likeness
            edition: regiments-3.5
            defaults: {stats: Q3+ D3+, facing: 90}
            units:
              First: {models: 5, stats: Q5+ D5+, at: [1, 1], shaken: true}
              Second: {like: First, at: [2, 2]}
              Third: {like: Second, models: 7, at: [3, 3]}
            """
        )
    )
    assert not faults
    units = loaded[0].scenario.units
    assert (units["Second"].models, units["Second"].stats) == (5, "Q5+ D5+")
    assert (units["Third"].models, units["Third"].stats) == (7, "Q5+ D5+")
    assert units["Third"].facing == 90
    assert not units["Second"].shaken  # what happened to a unit is not copied


def test_every_fault_comes_with_its_line() -> None:
    assert faults_of(
        """\
        scenario: Broken
        edition: regiments-3.5
        unitz: {}
        units:
          Archers:
            sid: A
            models: four
          Wolves: {like: Archer}
        expect:
          hits: [1]
          units: {Archers: {mdels: 1}}
        """
    ) == [
        (8, "units/Wolves/like: there is no unit 'Archer'; did you mean Archers?"),
        (3, "unitz: unknown key 'unitz'; did you mean units or until?"),
        (6, "units/Archers/sid: unknown key 'sid'; did you mean side or inside?"),
        (7, "units/Archers/models: expected a whole number, found 'four'"),
        (10, "expect/hits: expected a whole number or names with values, found the list [1]"),
        (11, "expect/units/Archers/mdels: unknown key 'mdels'; did you mean models or names?"),
    ]


def test_faults_of_a_case_point_into_the_case() -> None:
    assert faults_of(
        """\
        scenario: Broken
        edition: regiments-3.5
        round: one
        cases:
          - {case: fine, round: 1}
          - case: not fine
            turn: C
        """
    ) == [
        (3, "round: expected a whole number, found 'one'"),
        (7, "turn: expected A or B, found 'C'"),
    ]


def test_a_circular_like_is_a_fault() -> None:
    text = "{scenario: S, edition: regiments-3.5, units: {A: {like: B}, B: {like: A}}}"
    assert [fault.text for fault in load_text(text)[1]] == [
        "units/A/like: A -> B -> A is circular",
        "units/B/like: B -> A -> B is circular",
    ]


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        ("{A: {}, B: {like: [A]}}", "units/B/like: expected the name of a unit, not ['A']"),
        ("{A: models, B: {like: A}}", "units/A: expected keys and values"),
        ("{A: }, defaults: 3", "units/A: expected keys and values"),
    ],
)
def test_like_must_name_a_unit(units: str, fault: str) -> None:
    text = "{scenario: S, edition: regiments-3.5, units: " + units + "}"
    assert any(found.text.startswith(fault) for found in load_text(text)[1])


def test_invalid_yaml_is_a_fault_with_its_line() -> None:
    found = faults_of("scenario: x\nunits: {a: [1, 2}\n")
    assert found[0][0] == 2
    assert found[0][1].startswith("not YAML")


def test_a_repeated_key_is_a_fault() -> None:
    assert faults_of("scenario: x\nedition: aof-2\nscenario: y\n") == [
        (3, "not YAML: 'scenario' is given twice")
    ]


def test_an_empty_file_is_a_fault() -> None:
    assert load_text("")[1] == [Fault("scenario", 1, "the file contains no scenario")]
    assert load_text("- just words")[1][0].text == "a scenario must be a mapping"


def test_missing_keys_are_named() -> None:
    assert faults_of("{edition: regiments-3.5}") == [(1, "'scenario' is missing")]


SHORT = """
scenario: Short ways of writing
edition: regiments-3.5
rows: R35-MORALE-06
defaults: {base: '1x1"', stats: Q4+ D6+}
units:
  Bows:
    side: A
    models: 5
    equipment: ['Bow (24", A1)', 'Sword (A1)']
    rules: [Relentless, Tough(3)]
    command: Sergeant
    front: [36, 10]
  Wolves: {side: B, models: 5, started: 10, rules: [Fearless], front: [36, 18, 180]}
  Dogs: {side: B, front: [60, 40]}
dice: {to_hit: [4, 1, 1, 1, 1], block: 1, morale: 4}
play: {activate: Bows, action: hold, shoot: {Bow: Wolves}, measure: {rows: Wolves, is: [4]}}
measure: {distance: [Bows, Wolves], is: 8}
expect: {units: {Wolves: {models: 4}}, rolls: morale, no_rolls: fearless}
"""


def test_a_single_value_may_replace_a_list_and_a_list_a_text_with_commas() -> None:
    report = run_text(SHORT)
    assert report.exit_code == 0, report_lines(report)
    (loaded,) = load_text(SHORT)[0]
    assert loaded.scenario.units["Bows"].rules == "Relentless, Tough(3)"


TOLD = """
scenario: Told
edition: regiments-3.5
units:
  Pikes: {side: A, models: 3, rules: Fastt, at: [36, 10], PIKES}
  Wolves: {side: B, models: 5, at: [36, 48], WOLVES}
play: [{activate: Pikes, action: hold}]
"""


def test_unplayed_rules_and_units_off_the_table_are_only_noted() -> None:
    report = run_text(TOLD.replace("PIKES", "").replace("WOLVES", ""))
    assert report.exit_code == 0
    lines = "\n".join(report_lines(report))
    assert "note: Pikes: regiments-3.5 has no special rule 'Fastt'; did you mean Fast" in lines
    assert "note: Wolves is not fully on the table" in lines
    spelled = "\n".join(
        report_lines(run_text(TOLD.replace("Fastt", "tough 3").replace("PIKES", "").replace("WOLVES", "")))
    )
    assert "has no special rule 'tough 3'; did you mean Tough(3)?" in spelled


def test_a_rule_of_another_book_is_noted_with_what_the_edition_has_for_it() -> None:
    text = TOLD.replace("Fastt", "Banner").replace("regiments-3.5", "aof-2")
    lines = "\n".join(report_lines(run_text(text.replace(", PIKES", "").replace(", WOLVES", ""))))
    assert "aof-2 has no special rule 'Banner'; it has Battle Standard instead" in lines


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("hero: {name: Ida, rules: 'Hero, Tough(9)'}", "Ida is too big to join a unit, and is in Pikes"),
        (
            "hero: {name: Ida, rules: Fast}",
            "Ida has joined Pikes without a rule that allows it, such as Hero",
        ),
        ("models: 1, hero: {name: Ida}", "Ida is in Pikes, which heroes may not join"),
    ],
)
def test_heroes_who_could_not_have_joined_are_noted(entry: str, says: str) -> None:
    text = TOLD.replace("models: 3, ", "" if "models" in entry else "models: 3, ")
    lines = "\n".join(report_lines(run_text(text.replace("PIKES", entry).replace(", WOLVES", ""))))
    assert f"note: {says}" in lines


def test_a_spell_that_would_single_out_a_model_is_noted() -> None:
    spells = "spells: {Dart: {cost: 1, range: 18, whom: enemy, hits: 1, rules: 'AP(1), Takedown'}}\nunits:"
    lines = "\n".join(
        report_lines(run_text(TOLD.replace("units:", spells).replace(", PIKES", "").replace(", WOLVES", "")))
    )
    assert "note: Dart: spells hit the whole unit, so Takedown singles out no model" in lines


def test_rules_that_cannot_be_granted_are_noted() -> None:
    effects = "effects: [{name: Bark, rules: 'Tough(3), Stealth'}]"
    lines = "\n".join(report_lines(run_text(TOLD.replace("PIKES", effects).replace(", WOLVES", ""))))
    assert "note: Bark grants Tough, which only counts if printed on a model" in lines
    assert "Stealth" not in lines


def test_unknown_models_of_a_unit_are_reported_together() -> None:
    text = TOLD.replace("PIKES", "wounds: {4: 1, Ida: 2}, tokens: [1, 1, 1, 1], stunned: [9]")
    report = run_text(text.replace("WOLVES", "used: {Bomb: 1}"))
    assert [fault.text for fault in report.faults] == [
        "units/Pikes/stunned: there is no model 9; Pikes has 3",
        "units/Pikes/tokens: 4 numbers for 3 models",
        "units/Pikes/wounds: Pikes has no model 'Ida'",
        "units/Pikes/wounds: there is no model 4; Pikes has 3",
        "units/Wolves/used/Bomb: Wolves has no weapon 'Bomb'",
    ]


NAMED = """
scenario: Named
edition: regiments-3.5
units:
  Pikes:
    side: A
    models: 3
    rules: Tough(3)
    special: [{name: Thrower, equipment: 'Bomb (12", A1, Limited)'}]
    hero: {name: Ida, rules: 'Hero, Tough(3)'}
    wounds: {Ida: 2, 2: 1}
    used: {Bomb: 1}
    at: [36, 10]
  Wolves: {side: B, models: 5, at: [36, 20, 180]}
measure: [{targets: Pikes, is: []}]
expect: {models: {Pikes/Ida: {wounds: 2}, Pikes/2: {wounds: 1}, Pikes/1: {wounds: 0}}}
"""


def test_wounds_are_given_by_name_and_weapons_of_single_models_may_be_spent() -> None:
    report = run_text(NAMED)
    assert report.exit_code == 0, report_lines(report)


def test_a_command_model_is_named_once_in_a_unit() -> None:
    """R35-CMD-01, A2-CMD-01, A16-CMD-01, SK32-CMD-01: at most one of each, whatever the edition calls it."""
    roles = {
        "regiments-3.5": ("Banner", "R35-CMD-01"),
        "regiments-3.4": ("Musician", "R34-CMD-01"),
        "aof-2": ("Battle Standard", "A2-CMD-01"),
        "aof-1.6": ("Musician", "A16-CMD-01"),
        "skirmish-3.2": ("Sergeant", "SK32-CMD-01"),
    }
    for edition, (role, row) in roles.items():
        found = run_text(
            dedent(
                f"""
                scenario: Too many
                edition: {edition}
                units:
                  Pikes: {{side: A, models: 5, at: [20, 20], command: ['{role}', '{role}']}}
                  Wolf: {{side: B, at: [60, 20]}}
                expect: {{turn: A}}
                """
            )
        ).faults
        text = f"units/Pikes/command: {role} is named 2 times; one is allowed ({row})"
        assert [(fault.line, fault.text) for fault in found] == [(5, text)], edition


def test_all_layers_of_a_scenario_report_their_problems_together() -> None:
    """A wrong shape, a wrong edition, impossible units, and meaningless words."""
    text = """
        scenario: Much is wrong
        edition: aof2
        rows: [NO-SUCH-ROW]
        units:
          Axe: {side: C, at: [3, 4]}
          Bow: {side: B, at: [3, 9]}
        dice: {to_hitt: [4]}
        measure:
          - {distence: [Axe, Bow]}
        play:
          - {activate: Zed, wlak: [3, 5]}
        """
    told = [(fault.line, fault.text.partition(":")[0]) for fault in run_text(dedent(text)).faults]
    assert told == [
        (3, "edition"),
        (4, "rows/1"),
        (6, "units/Axe/side"),
        (8, "dice/to_hitt"),
        (10, "measure/1"),
        (12, "play/1"),
        (12, "play/1"),
    ]


def test_a_scenario_that_cannot_be_built_still_has_its_words_checked() -> None:
    text = """
        scenario: Two things are wrong
        edition: aof-2
        units:
          Axe: {side: A, models: 0, at: [3, 4], hero: {name: Ida}}
          Bow: {side: B, at: [3, 9]}
        play:
          - {activate: Bow, wlak: [3, 5]}
        expect: {models: {Axe/Ida: {wounds: 0}}}
        """
    told = [(fault.line, fault.text.partition(":")[0]) for fault in run_text(dedent(text)).faults]
    assert told == [(5, "units/Axe/models"), (8, "play/1")]


def test_an_anchor_that_contains_itself_is_a_fault() -> None:
    for text in ("scenario: &a [*a]", "&a [*a]", "- &a {scenario: x, units: *a}"):
        assert faults_of(text)[0][1].startswith("an anchor (&name) contains itself")


def test_what_is_entered_has_a_name() -> None:
    text = """
        scenario: Into nothing
        edition: aof-1.6
        units: {Axe: {side: A, at: [3, 4]}, Bow: {side: B, at: [30, 9]}}
        play: [{activate: Axe, action: advance, enter: {a: 1}}]
        """
    assert [fault.text for fault in run_text(dedent(text)).faults] == [
        "play/1: enter: expected the name of a unit or a building, found {'a': 1}"
    ]


def test_a_unit_that_is_set_aside_stands_nowhere_until_it_has_arrived() -> None:
    text = dedent(
        """
        scenario: Aside
        edition: regiments-3.5
        begin: round
        round: 2
        objectives: {Ford: {at: [36, 24], holder: none}}
        units:
          Lurkers: {side: A, models: 5, rules: Ambush, reserve: ambush, HOW front: [36, 4]}
          Wolves: {side: B, models: 5, front: [36, 40], facing: 180}
        until: activate
        expect: {objectives: {Ford: none}, units: {Lurkers: {place: WHERE}}}
        """
    )
    aside = text.replace("HOW ", "").replace("until: activate", "until: arrive").replace("WHERE", "reserve")
    assert run_text(aside).exit_code == 0
    assert run_text(text.replace("HOW", "arrived: 1,").replace("WHERE", "table")).exit_code == 0


def test_a_marker_carried_by_the_other_side_cannot_be_held() -> None:
    report = run_text(
        dedent(
            """
            scenario: Relic
            edition: aof-1.6
            objectives: {Relic: {at: [36, 24], carrier: Imp, holder: B}}
            units:
              Imp: {side: A, at: [36, 24]}
            expect: {objectives: {Relic: A}}
            """
        )
    )
    assert [(fault.line, fault.text) for fault in report.faults] == [
        (4, "objectives/Relic/holder: Imp of side A carries Relic, so B cannot hold it")
    ]


def test_units_are_put_inside_only_where_there_is_room_for_them() -> None:
    text = """
    scenario: Inside
    edition: EDITION
    terrain:
      Shed: {kind: building, capacity: 6, at: [36, 24], size: [6, 4]}
      Rock: {kind: rock, at: [50, 24], size: [6, 4]}
    units:
      Imps: {side: A, models: 7, inside: Shed}
      Bear: {side: A, kind: monster, inside: Shed}
      Rider: {side: A, inside: Imps}
      Foe: {side: B, inside: Imps}
      Elf: {side: A, inside: Rock}
      Lost: {side: A, inside: Shad}
    expect: {turn: A}
    """

    def report_lines(edition: str) -> list[tuple[int, str]]:
        report = run_text(dedent(text).replace("EDITION", edition))
        return [(fault.line, fault.text) for fault in report.faults]

    assert report_lines("aof-1.6") == [
        (8, "units/Imps/inside: Shed has room for 6 models, and 8 are inside"),
        (9, "units/Bear/inside: Shed has room for 6 models, and 8 are inside"),
        (9, "units/Bear/inside: only Infantry can enter Shed"),
        (10, "units/Rider/inside: Imps is not a transport; give it `rules: Transport(X)`"),
        (11, "units/Foe/inside: Imps is not a transport; give it `rules: Transport(X)`"),
        (11, "units/Foe/inside: Imps is on the other side"),
        (
            12,
            "units/Elf/inside: Rock has no room inside; give it a `capacity`, or a kind such as brick house",
        ),
        (13, "units/Lost/inside: there is no unit 'Shad'; did you mean Shed?"),
    ]
    assert (8, "units/Imps/inside: Age of Fantasy 2 has no buildings that units can enter") in report_lines(
        "aof-2"
    )
    assert (10, "units/Rider/inside: Age of Fantasy 2 has no transports") in report_lines("aof-2")
