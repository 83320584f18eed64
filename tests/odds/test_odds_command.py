"""The odds command: short lines, scenarios, comparisons, JSON, charts and clear errors."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shieldwall.cli.main import main
from shieldwall.core.errors import MalformedError
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.duel import duel
from shieldwall.odds.shorthand import read_shorthand

SCENE = """
scenario: Two of four arrows
edition: regiments-3.5
units:
  Archers: {side: A, models: 4, stats: Q4+ D5+, equipment: 'Bow (24", A1)', front: [36, 10]}
  Wolves: {side: B, models: 10, stats: Q4+ D4+, front: [36, 20], facing: 180}
play:
  - {activate: Archers, action: hold, shoot: {Bow: Wolves}}
"""


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["odds", *words]) == 0
    return capsys.readouterr().out


def test_a_short_line_gives_a_table_with_bars(capsys: pytest.CaptureFixture[str]) -> None:
    """Target and attacker, each with its chances."""
    out = told(capsys, "10x Q4 A1 AP(1) Rending", "vs", "10x D4 Q5 Tough(3) A1", "--charging")
    assert "exact" in out
    assert "Target: 3.61 wounds" in out
    assert "Attacker:" in out
    assert "█" in out


def test_json_holds_exact_fractions_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    """And the same as numbers."""
    (report,) = json.loads(told(capsys, '5x Q4 24" A2', "vs", "5x D5", "--json", "-e", "aof-2"))
    bars = report["units"][0]["lost"]["bars"]
    assert sum(Fraction(bar["chance"]["fraction"]) for bar in bars) == 1
    assert sum(bar["chance"]["value"] for bar in bars) == pytest.approx(1)
    assert report["exact"] is True


def test_editions_and_weapons_are_compared_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """Every attacker against every target under every edition is a line."""
    out = told(capsys, "5x Q4 A2", "5x Q4 A1 AP(2)", "vs", "5x D4 A1", "-e", "all")
    assert all(out.count(edition) == 2 for edition in EDITIONS)
    assert "attacker 2: 5x Q4+ D4+ Blows (A1, AP(2))" in out


def test_the_odds_of_a_scenario_ignore_its_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its steps are the line of play."""
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE, encoding="utf-8")
    (report,) = json.loads(told(capsys, str(file), "--json"))
    assert report["title"] == "Two of four arrows"
    assert report["units"][0]["wounds"]["mean"]["fraction"] == "1"


def test_a_block_that_gets_into_a_carrier_over_dangerous_ground(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Five dice, each 1 wounds; a unit left with half or less tests at 4+."""
    file = tmp_path / "scene.yaml"
    file.write_text(
        """
scenario: Into the cart
edition: regiments-3.4
defaults: {base: '1x1"'}
terrain: {Lava: {kind: lava, at: [36, 14], size: [20, 1]}}
units:
  Cart: {side: A, base: '2x2"', rules: 'Transport(11), Tough(6)', at: [36, 10]}
  Pikes: {side: A, models: 5, front: [36, 16], facing: 180}
  Wolves: {side: B, models: 5, front: [36, 40], facing: 180}
play: [{activate: Pikes, cast: none}, {action: advance, enter: Cart}]
""",
        encoding="utf-8",
    )
    (found,) = json.loads(told(capsys, str(file), "--json"))
    [pikes] = [unit for unit in found["units"] if unit["name"] == "Pikes"]
    chances = {lost: comb(5, lost) * Fraction(1, 6) ** lost * Fraction(5, 6) ** (5 - lost) for lost in (3, 4)}
    assert Fraction(pikes["broken"]["fraction"]) == sum(chances.values()) / 2


def test_a_step_that_is_not_allowed_is_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the reason of the rules."""
    file = tmp_path / "scene.yaml"
    far = SCENE.replace("front: [36, 20]", "front: [36, 45]")
    file.write_text(far.replace("action: hold, shoot: {Bow: Wolves}", "charge: Wolves"), encoding="utf-8")
    assert main(["odds", str(file)]) == 2
    assert "charge" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "meant", "says"),
    [
        ("Bow: Wolves", "Bow: Wolfs", "there is no unit 'Wolfs'; did you mean Wolves?"),
        ("Bow: Wolves", "Sling: Wolves", "no unit has a weapon 'Sling'; there are Bow"),
        ("activate: Archers", "activate: Wolves", "it is not that unit's turn"),
        ("action: hold", "action: dance", "there is no action 'dance'"),
        ("regiments-3.5", "regiments-9", "did you mean regiments-3.5"),
        ("scenario:", "scenaro:", "did you mean scenario?"),
    ],
)
def test_a_step_that_cannot_be_taken_is_named(
    written: str, meant: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No step of a scenario is silently dropped."""
    file = tmp_path / "scene.yaml"
    file.write_text(SCENE.replace(written, meant), encoding="utf-8")
    assert main(["odds", str(file)]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("state", "step", "says"),
    [
        ("rules: Artillery", "charge: Wolves", "Archers may not charge: Artillery"),
        ("effects: [{name: Roots, rules: Immobile}]", "action: rush", "Archers may not rush: Immobile"),
        ("shaken: true", "action: hold", "hold"),
    ],
)
def test_an_action_that_the_engine_does_not_even_ask_about_is_named(
    state: str, step: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A single possible action is taken without a question, and the odds would be those of a different line."""
    text = SCENE.replace("models: 4,", f"models: 4, {state},")
    file = tmp_path / "scene.yaml"
    file.write_text(text.replace("action: hold, shoot: {Bow: Wolves}", step), encoding="utf-8")
    assert main(["odds", str(file)]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["svg", "html"])
def test_a_chart_is_drawn_without_a_network(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything it needs is in the file."""
    file = tmp_path / f"chart.{ending}"
    told(capsys, "5x Q4 A2", "vs", "5x D4 A1", "--chart", str(file))
    text = file.read_text(encoding="utf-8")
    assert "regiments-3.5" in text
    assert 'src="http' not in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["10x Q4 A1 Rendin", "vs", "5x D4"], "did you mean Rending?"),
        (["10x Q4 A1 Rendin", "vs", "5x D4"], "understood: 10x Q4+ D4+ Blows (A1)"),
        (["10x Q9 A1", "vs", "5x D4"], "run from 2+ to 6+"),
        (["10x Q4", "vs", "5x D4"], "no attacks given"),
        (["10x Q4 AP(1)", "vs", "5x D4"], "needs a weapon"),
        (["10x Q4 A1", "5x D4"], "ATTACKER vs TARGET"),
        (["10x Q4 A1 AP(1", "vs", "5x D4"], "not closed"),
        (['10x Q4 18" A1', "vs", "5x D4", "--charging"], "without a range"),
        (["10x Q4 A1", "vs", "5x D4", "--shooting"], "with a range"),
        (["10x Q4 A1", "vs", "5x D4", "--arc", "top"], "front, flank, rear"),
        (["10x Q4 A1", "vs", "5x D4", "-e", "aof-9"], "there is no edition"),
        (["10x Q4 A1", "vs", "5x D4", "--chart", "x.bmp"], ".svg"),
        (["Q4 A1 Deadly(0)", "vs", "5x D4"], "Deadly(0): the number must be 1 or more"),
        (["Q4 A1 AP(-1)", "vs", "5x D4"], "AP(-1): the number must be 0 or more"),
    ],
)
def test_nonsense_is_reported_clearly(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was given, what was expected and what was understood; nothing crashes."""
    assert main(["odds", *words]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("line", ["10x Q4 A1", '10x Q4 24" A1'])
def test_a_sergeant_is_one_model_of_the_line(edition: str, line: str) -> None:
    """One model hits better in the way the duel is fought, not all of them, and not none."""
    rules = ruleset(edition)
    plain, led = (duel(rules, f"{line}{more}", "10x D4 Tough(9)").odds() for more in ("", " Sergeant"))
    more = led.unit(1).wounds.mean - plain.unit(1).wounds.mean
    assert more == Fraction(1, 6) * Fraction(1, 2)


@pytest.mark.parametrize(
    ("words", "notes"),
    [
        (("Q4 A1", "--cover", "--moved", "--range", "5"), ["--range", "--cover", "--moved"]),
        (('Q4 24" A1', "--arc", "flank", "--no-strike-back"), ["--arc", "--no-strike-back"]),
        (("Q4 A1", "--arc", "flank"), []),
        (("Q4 A1", "--no-strike-back"), []),
        (('Q4 24" A1', "--cover", "--range", "5"), []),
    ],
)
def test_options_that_change_nothing_are_noted(
    words: tuple[str, ...], notes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A shooting option in a charge, or a charge option in a volley, is not silently ignored."""
    assert main(["odds", words[0], "vs", "D4 A1", *words[1:]]) == 0
    told = [f"note: {option} has no effect here" for option in notes]
    assert capsys.readouterr().err.splitlines() == told


def test_an_option_without_effect_in_one_edition_is_noted_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    """R35-MELEE-06: only units in ranks have a flank."""
    line = ["odds", "5x Q4 A1", "vs", "5x D4 A1", "-e", "regiments-3.5", "-e", "aof-2", "--arc", "flank"]
    assert main(line) == 0
    spoken = capsys.readouterr()
    assert spoken.err.splitlines() == ["note: --arc has no effect here in aof-2"]
    assert "situation: in the flank" in spoken.out


def test_editions_that_count_defense_the_other_way_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    """A16-STAT-05: in Age of Fantasy 1.6 the attacker rolls against Defense."""
    assert main(["odds", "5x A1", "vs", "5x D2 A1", "-e", "all"]) == 0
    assert "Defense works the other way round in aof-1.6" in capsys.readouterr().err
    assert main(["odds", "5x A1", "vs", "5x D2 A1", "-e", "aof-1.6"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        (('Q4 24" A1', "--cover", "--range", "6", "--moved"), 'at 6", into cover, after a move'),
        (("Q4 A1", "--arc", "rear", "--no-strike-back"), "in the rear, which does not strike back"),
    ],
)
def test_headings_name_the_situation(
    words: tuple[str, ...], heading: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, words[0], "vs", "D4 A1", *words[1:])
    assert heading in " ".join(found.split())
    (one,) = json.loads(told(capsys, words[0], "vs", "D4 A1", *words[1:], "--json"))
    assert one["terms"] == heading


def test_a_number_and_its_percent_sign_stay_on_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for width in range(40, 80, 3):
        monkeypatch.setenv("COLUMNS", str(width))
        found = told(capsys, "10x A1 AP(1)", "vs", "10x A1")
        assert not any(line.lstrip().startswith("%") for line in found.splitlines())


@given(st.text(alphabet='10x QDA4+ ,()"RendingToughAP-3', max_size=30))
def test_no_line_crashes(text: str) -> None:
    """Any text is understood or refused with its problems."""
    specials = ruleset("regiments-3.5").specials
    try:
        short = read_shorthand(text, specials)
    except MalformedError:
        return
    assert read_shorthand(short.words, specials).words == short.words


def test_a_value_with_a_plus_comes_on_top(capsys: pytest.CaptureFixture[str]) -> None:
    """A16-SR-GENERAL-01: Tough(2) and Tough(+3) are five wounds; five hits that wound one time in three each."""
    line = ("5x Q4 A1 AP(+1)", "vs", "5x D4 Tough(2) Tough(+3)", "-e", "aof-1.6", "--no-strike-back")
    told_text = told(capsys, *line)
    assert "Tough(2), Tough(+3)" in told_text
    assert "0.41%" in told_text  # (1/2 * 2/3) ** 5


def test_style_markup_in_a_name_is_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "5x [/b]:smile: (A2)", "vs", "[red]Axe (A1)"]) == 0
    assert "[/b]:smile: (A2) charges Q4+ D4+ [red]Axe (A1)" in " ".join(capsys.readouterr().out.split())


def test_bars_fit_into_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["odds", "10x A1", "vs", "3x A1"]) == 0
    told = capsys.readouterr().out
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= 40


SCENES = """
- scenario: {first}
  edition: regiments-3.5
  units:
    Pikes: {{side: A, models: 5, stats: Q3+ D4+, equipment: Pike (A1), front: [36, 10]}}
    Wolves: {{side: B, models: 5, stats: Q4+ D4+, front: [36, 16], facing: 180}}
  play: [{{activate: Pikes, charge: Wolves}}]
"""


def test_scenes_are_called_scenes_and_ask_no_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("One", "Two"):
        (tmp_path / f"{name}.yaml").write_text(SCENES.format(first=name))
    files = [str(tmp_path / f"{name}.yaml") for name in ("One", "Two")]
    assert main(["odds", *files]) == 0
    told = capsys.readouterr()
    assert "scene 1: One" in told.out
    assert "attacker" not in told.out
    assert told.err == ""
    assert main(["odds", *files, "-e", "aof-2"]) == 0
    assert "a scenario names its own edition" in capsys.readouterr().err


def test_a_spell_that_depends_on_the_dice_is_cast_where_they_allow_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A16-MAGIC-02: every case of the scenario file about magic can be asked for its odds."""
    assert main(["odds", "tests/scenarios/aof-1.6/magic.yaml", "--json"]) == 0
    spoken = capsys.readouterr()
    assert spoken.err == ""
    storm = next(one for one in json.loads(spoken.out) if one["title"].endswith("needs no roll to hit"))
    assert Fraction(storm["facts"]["Storm: worked"]["fraction"]) == 1 - Fraction(5, 6) ** 2


def test_one_scenario_that_cannot_be_asked_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are printed, the bad one is named on stderr, and the exit code reports an error."""
    good = SCENES.format(first="Good")
    bad = SCENES.format(first="Bad").replace("activate: Pikes, charge: Wolves", "activate: Wolves")
    (tmp_path / "both.yaml").write_text(good + bad)
    assert main(["odds", str(tmp_path / "both.yaml"), "--json"]) == 2
    spoken = capsys.readouterr()
    assert [one["title"] for one in json.loads(spoken.out)] == ["Good"]
    assert "Bad" in spoken.err
    assert "not that unit's turn" in spoken.err


def test_named_casualties_fall_first_as_far_as_models_fall(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A2-SHOOT-18: models are lost in the order named; after those the default decides."""
    text = SCENE.replace("regiments-3.5", "aof-2").replace("front:", "at:")
    file = tmp_path / "scene.yaml"
    file.write_text(text.replace("{Bow: Wolves}", "{Bow: Wolves}, casualties: [Wolves/1, Wolves/2]"))
    (found,) = json.loads(told(capsys, str(file), "--json"))
    (wolves,) = [unit for unit in found["units"] if unit["name"] == "Wolves"]
    chances = sorted((Fraction(one["fraction"]) for one in wolves["models"].values()), reverse=True)
    named = list(wolves["models"].values())[:2]
    assert [Fraction(one["fraction"]) for one in named] == chances[:2]
    assert chances[0] == 1 - Fraction(3, 4) ** 4


def test_a_breath_of_fire_is_an_attack_without_a_weapon(capsys: pytest.CaptureFixture[str]) -> None:
    """A16-SR-FIREBREATH-01: 2D6 hits up to 12 inches away, each of which wounds on 4+."""
    line = ("1x Q3 D5 Fire Breath", "vs", "12x Q4 D4", "-e", "aof-1.6", "--shooting")
    (found,) = json.loads(told(capsys, *line, "--json"))
    lost = found["units"][0]["lost"]
    one_die = sum(Fraction(1, 2) ** face for face in range(1, 7)) / 6
    assert Fraction(lost["bars"][0]["chance"]["fraction"]) == one_die**2
    assert Fraction(found["units"][0]["wounds"]["mean"]["fraction"]) == Fraction(7, 2)
    assert main(["odds", *line, "--range", "12.5"]) == 2
    assert 'the longest range is 12"' in capsys.readouterr().err


@pytest.mark.parametrize("edition", ["aof-2", "regiments-3.5", "skirmish-3.2"])
def test_other_models_of_a_unit_strike_with_their_own_weapons(edition: str) -> None:
    """Two models that wound one time in four, and two whose two blows each wound one time in three (AP(1))."""
    found = duel(ruleset(edition), "2x Q4 A1 + 2x A2 AP(1)", "3x D4 Tough(9)").odds()
    assert found.unit(1).wounds.mean == 2 * Fraction(1, 4) + 2 * 2 * Fraction(1, 3)


@pytest.mark.parametrize("line", ["4x Q4 A1 + Q3 D3 A4 Tough(3) Hero", "Q3 D3 A4 Tough(3) Hero + 4x Q4 A1"])
@pytest.mark.parametrize("edition", ["aof-2", "regiments-3.5"])
def test_a_hero_who_has_joined_strikes_with_his_unit(edition: str, line: str) -> None:
    """His own Quality for his own blows, whichever part of the line comes first."""
    meeting = duel(ruleset(edition), line, "3x D4 Tough(9)")
    unit = meeting.state.units[0]
    assert unit.attached == unit.models[-1].id
    assert len(unit.models) == 5
    assert meeting.odds().unit(1).wounds.mean == 4 * Fraction(1, 4) + 4 * Fraction(2, 3) * Fraction(1, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("10x A1 +", "one side of a + is empty"),
        ("10x A1 + 2x A1 Hero", "one hero joins a unit"),
        ("10x A1 + A1 Hero + A2 Hero", "it has 2 heroes"),
        ("A1 Hero + A2 Hero", "only heroes"),
        ("10x A1 + 2x A1 Sergeant", "put it before the +"),
        ("150x A1 + 60x A2", "1 to 200 models"),
        ("10x A1 + 2x A1 Rendin", "did you mean Rending?"),
        ("10x A1 cast", "--as-scenario prints one"),
        ("1x Caster(2)", "spells need a scenario: add A1, and --as-scenario prints one"),
        ("3x", "attacks with nothing\n"),
    ],
)
def test_parts_of_a_line_that_do_not_go_together(
    line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", line, "vs", "5x D4"]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("line", ["4x Q4 A1 + 2x A2 AP(1)", '4x Q4 24" A1'])
def test_short_lines_become_a_scenario_that_can_be_asked(
    edition: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scenario gives the same results as the short lines, if every model reaches the enemy."""
    text = told(capsys, line, "vs", "3x D4 Tough(9) A1", "-e", edition, "--as-scenario")
    file = tmp_path / "draft.yaml"
    file.write_text(text, encoding="utf-8")
    (found,) = json.loads(told(capsys, str(file), "--json"))
    assert found["edition"] == edition
    target = next(unit for unit in found["units"] if unit["name"] == "Target")
    expected = duel(ruleset(edition), line, "3x D4 Tough(9) A1").odds().unit(1).wounds.mean
    if '"' in line:
        assert Fraction(target["wounds"]["mean"]["fraction"]) == expected
    assert 0 < target["wounds"]["mean"]["value"] <= float(expected)


@pytest.mark.parametrize(
    ("edition", "line", "target", "options"),
    [
        ("regiments-3.5", '4x 24" A1', "5x D4", ["--cover"]),
        ("aof-2", '4x 24" A1 Indirect', "5x D4", ["--moved", "--cover"]),
        ("regiments-3.5", '4x 24" A1 Indirect', "5x D4", ["--moved"]),
        ("regiments-3.4", "3x A1", "3x D4 A2", ["--no-strike-back", "--arc", "flank"]),
        ("regiments-3.5", "3x A1", "3x D4 A2 Counter", ["--no-strike-back"]),
        ("aof-2", "2x A1", "2x D4 A2 Sergeant", []),
        ("aof-1.6", '2x 24" A1 Sergeant', "3x D4", []),
        ("regiments-3.5", '24" A2 Takedown', "3x D4 + D2 Tough(3) Hero", []),
    ],
)
def test_the_scenario_of_a_short_line_keeps_its_circumstances(
    edition: str,
    line: str,
    target: str,
    options: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (expected,) = json.loads(told(capsys, line, "vs", target, "-e", edition, "--json", *options))
    file = tmp_path / "draft.yaml"
    file.write_text(
        told(capsys, line, "vs", target, "-e", edition, "--as-scenario", *options), encoding="utf-8"
    )
    (found,) = json.loads(told(capsys, str(file), "--json"))
    means = {unit["name"]: unit["wounds"]["mean"]["fraction"] for unit in found["units"]}
    for unit in expected["units"]:
        assert means.get(unit["name"], "0") == unit["wounds"]["mean"]["fraction"]


@pytest.mark.parametrize(
    ("line", "options", "says"),
    [
        ("5x A1 Immobile", [], "Attacker may not charge: Immobile"),
        ('A1 24" Artillery', ["--moved"], "Attacker may not advance: Artillery"),
    ],
)
def test_an_attack_that_a_rule_forbids_has_no_odds(
    line: str, options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", line, "vs", "5x D4", *options]) == 2
    assert says in capsys.readouterr().err


def test_several_short_lines_become_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "draft.yaml"
    file.write_text(told(capsys, "2x A1", "vs", "2x A1", "3x A1", "--as-scenario"), encoding="utf-8")
    assert len(json.loads(told(capsys, str(file), "--json"))) == 2
