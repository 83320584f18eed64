"""Shorthand lines of all editions against numbers worked out by hand from the rulebooks, or by icepool."""

from __future__ import annotations

import json
from fractions import Fraction as F

import icepool
import pytest

from shieldwall.cli.main import main

HIT, SAVE = F(1, 2), F(1, 2)  # of Quality 4+ and Defense 4+
REROLLED = F(1, 2) + F(1, 6) * F(1, 2)  # of Defense 4+ to fail if 6s are re-rolled, once
SAVED = F(2, 3)  # of the wounds that Regeneration leaves
T = "Tough(99)"  # so that no wound is lost

REGIMENTS = "regiments-3.5"
OLDER = "regiments-3.4"
FANTASY, FIRST = "aof-2", "aof-1.6"
SKIRMISH = "skirmish-3.2"
ALL = (REGIMENTS, OLDER, FANTASY, FIRST, SKIRMISH)
LATER = (REGIMENTS, OLDER, SKIRMISH)

# edition, attacker, target, more options, mean wounds of the target
LINES: list[tuple[str, str, str, str, F]] = [
    *[(edition, "Q4 A10", f"D4 {T}", "", 10 * HIT * SAVE) for edition in ALL],
    *[(edition, "  q4+   a10,", "d4+ , tough( 99 ) ", "", 10 * HIT * SAVE) for edition in ALL],
    *[(edition, "Q4 A10", f"D4 {T} REGENERATION", "", 10 * HIT * SAVE * SAVED) for edition in ALL],
    *[(edition, '20× Q4 24” A1', f"D4 {T}", "", 20 * HIT * SAVE) for edition in ALL],
    *[(edition, "Q4 Great Axe (A2), Dagger (A1)", f"D4 {T}", "", 3 * HIT * SAVE) for edition in ALL],
    *[(edition, "10x Q4 A1 AP1", "10x D4 tough 99", "", 10 * HIT * F(2, 3)) for edition in (REGIMENTS, FANTASY)],
    (REGIMENTS, "Q4 A2 Impact 3", f"D4 {T}", "", 3 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    # the target's roll, and in Age of Fantasy 1.6 the attacker's
    (REGIMENTS, "Q3 A6 AP(2)", f"D3 {T}", "", 6 * F(2, 3) * F(2, 3)),
    (REGIMENTS, "Q2 A6 AP(5)", f"D5 {T}", "", 6 * F(5, 6) * F(5, 6)),
    (REGIMENTS, "Q4 Great Axe (A2, AP(1)), Dagger (A1)", f"D4 {T}", "", 2 * HIT * F(2, 3) + HIT * SAVE),
    (REGIMENTS, "Q6 A6", f"D2 {T}", "", 6 * F(1, 6) * F(1, 6)),
    (FIRST, "Q4 A10", f"D6 {T}", "", 10 * HIT * F(1, 6)),
    (FIRST, "Q4 A10", f"D2 {T}", "", 10 * HIT * F(5, 6)),
    (FIRST, "Q4 A10 AP(1)", f"D5 {T}", "", 10 * HIT * F(1, 2)),
    (FIRST, "Q4 A10 AP(3)", f"D2 {T}", "", 10 * HIT * F(5, 6)),
    # sixes
    (REGIMENTS, "Q4 A12 Rending", f"D4 {T}", "", 4 * SAVE + 2 * F(5, 6)),
    (REGIMENTS, "Q4 A12 rending AP(1)", f"D2 {T}", "", 4 * F(1, 3) + 2 * F(5, 6)),
    (REGIMENTS, "Q4 A12 Rending", f"D4 {T} Regeneration", "", 4 * SAVE + 2 * F(5, 6)),
    (SKIRMISH, "Q4 A12 Rending", f"D4 {T} Regeneration", "", 4 * SAVE + 2 * F(5, 6)),
    (FANTASY, "Q4 A12 Rending", f"D4 {T} Regeneration", "", 4 * SAVE * SAVED + 2 * F(5, 6)),
    (REGIMENTS, "Q4 A10 Bane", f"D4 {T} Regeneration", "", 10 * HIT * REROLLED),
    (OLDER, "Q4 A10 Poison", f"D4 {T} Regeneration", "", 10 * HIT * REROLLED),
    (SKIRMISH, "Q4 A10 Poison", f"D4 {T} Regeneration", "", 10 * HIT * REROLLED),
    (FANTASY, "Q4 A6 Poison", f"D4 {T}", "", (2 + 3) * SAVE),
    (FIRST, "Q4 A6 Poison", f"D6 {T}", "", 2 * F(1, 6) + 1 * F(5, 6)),
    # charges
    (REGIMENTS, "Q4 A6 Furious", f"D4 {T}", "", (3 + 1) * SAVE),
    (SKIRMISH, "Q4 A6 Furious", f"D4 {T}", "", (3 + 1) * SAVE),
    (FANTASY, "Q4 A3 Furious", f"D4 {T}", "", 4 * HIT * SAVE),
    (FIRST, "Q4 A2 Furious", f"D4 {T}", "", HIT * SAVE + 2 * HIT * SAVE),
    (REGIMENTS, 'Q4 24" A6 Furious', f"D4 {T}", "", 6 * HIT * SAVE),
    (REGIMENTS, "Q4 A2 Impact(3)", f"D4 {T}", "", 3 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    (OLDER, "Q4 A2 Impact(3)", f"D4 {T}", "", 3 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    (SKIRMISH, "Q4 A2 Impact(3)", f"D4 {T}", "", 3 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    (SKIRMISH, "Impact(3)", f"D4 {T}", "", 3 * F(5, 6) * SAVE),
    (SKIRMISH, 'Q4 24" A2 Impact(3)', f"D4 {T}", "--charging", 3 * F(5, 6) * SAVE),
    (FANTASY, "Q4 A2 Impact(3)", f"D4 {T}", "", 3 * SAVE + 2 * HIT * SAVE),
    (FIRST, "Q4 A2 Impact(3)", f"D4 {T}", "", 3 * SAVE + 2 * HIT * SAVE),
    (REGIMENTS, f"Q4 A2 Impact(3) {T}", f"D4 A1 Counter {T}", "", 2 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    (REGIMENTS, f"Q4 A2 Impact(3) {T}", f"D4 A1 Counter {T}", "--arc flank", 3 * F(5, 6) * SAVE + 2 * HIT * SAVE),
    (REGIMENTS, "Q4 A6 Thrust", f"D4 {T}", "", 6 * F(2, 3) * F(2, 3)),
    (OLDER, "Q4 A6 Lance", f"D4 {T}", "", 6 * F(2, 3) * F(2, 3)),
    (SKIRMISH, "Q4 A6 Lance", f"D4 {T}", "", 6 * HIT * F(5, 6)),
    (REGIMENTS, "Q5 A6 Reliable", f"D4 {T}", "", 6 * F(5, 6) * SAVE),
    # shots
    (REGIMENTS, 'Q4 24" A6', f"D4 Stealth {T}", "", 6 * F(1, 3) * SAVE),
    (REGIMENTS, 'Q4 24" A6', f"D4 Stealth {T}", "--range 8", 6 * HIT * SAVE),
    (FANTASY, 'Q4 24" A6', f"D4 Stealth {T}", "--range 6", 6 * F(1, 3) * SAVE),
    (REGIMENTS, 'Q4 24" A6 Relentless', f"D4 {T}", "", (3 + 1) * SAVE),
    (REGIMENTS, 'Q4 24" A6 Relentless', f"D4 {T}", "--range 6", 3 * SAVE),
    (OLDER, 'Q4 24" A6 Relentless', f"D4 {T}", "--range 6", (3 + 1) * SAVE),
    (OLDER, 'Q4 24" A6 Relentless', f"D4 {T}", "--moved", 3 * SAVE),
    (OLDER, 'Q5 24" A6 Sniper', f"D4 {T}", "", 6 * F(5, 6) * SAVE),
    (FIRST, 'Q5 24" A6 Sniper', f"D4 {T}", "", 6 * F(5, 6) * SAVE),
    # several models that may each single out a model do not all choose the same one
    (REGIMENTS, '5x Q4 24" A1 Takedown', "9x D4", "", 5 * HIT * SAVE),
    (REGIMENTS, "5x Q4 A2 Takedown", "20x D4", "", 10 * HIT * SAVE),
    *[(edition, '5x Q4 24" A1 Sniper', "9x D4", "", 5 * F(5, 6) * SAVE) for edition in (OLDER, FANTASY, FIRST)],
    # one side's blows land together: models that a charge's impact kills still count for Blast
    (SKIRMISH, "Q2 A1 Blast(3) Impact(3)", "3x D6", "", (3 + 3) * F(5, 6) * F(5, 6)),
    # every shot is at the given range, however wide and deep a unit is, and all loose models reach
    *[(edition, '30x Q4 12" A1', f"D4 {T}", "", 30 * HIT * SAVE) for edition in ALL],
    *[(edition, '2x Q4 9" A1', f"3x D4 {T}", "", 2 * HIT * SAVE) for edition in ALL],
    *[(edition, '20x Q4 24" A1', f"D4 Stealth {T}", "--range 9", 20 * HIT * SAVE) for edition in LATER],
    *[(edition, '20x Q4 24" A1', f"D4 Stealth {T}", "--range 9.1", 20 * F(1, 3) * SAVE) for edition in LATER],
    *[(edition, "30x Q4 A1", f"D4 {T}", "", 30 * HIT * SAVE) for edition in (FANTASY, FIRST, SKIRMISH)],
    *[(edition, "30x Q4 A1", f"D4 {T}", "", 10 * HIT * SAVE) for edition in ALL[:2]],
    *[(edition, 'Q4 24" A6 Indirect', f"10x D4 {T}", "--cover", 6 * HIT * F(1, 3)) for edition in LATER],
    # breath: without a range it does not keep a unit from charging; with one it comes before the shots, up to 12 inches
    (FANTASY, "Q4 A1 Breath Attack", f"D4 {T}", "", 3 * F(2, 3) + HIT * SAVE),
    (FANTASY, "Q4 A1 Breath Attack", f"D4 {T}", "--shooting", 3 * F(2, 3)),
    (FANTASY, 'Q4 24" A1 Breath Attack', f"D4 {T}", "--range 12.1", HIT * SAVE),
    (FIRST, "Q4 A1 Fire Breath", f"D4 {T}", "", 7 * SAVE + HIT * SAVE),
    (FIRST, 'Q4 24" A1 Fire Breath', f"D4 {T}", "", 7 * SAVE + HIT * SAVE),
    (FIRST, 'Q4 24" A1 Fire Breath', f"D4 {T}", "--range 12.1", HIT * SAVE),
    # hits that become several, and wounds that do
    (REGIMENTS, 'Q4 24" A4 Blast(3)', f"2x D4 {T}", "", 4 * HIT * 2 * SAVE),
    (REGIMENTS, 'Q4 24" A4 Blast(3)', f"D4 {T}", "", 4 * HIT * SAVE),
    (FIRST, 'Q4 24" A4 Blast(3)', f"D4 {T}", "", 4 * HIT * 3 * SAVE),
    (FANTASY, 'Q5 24" A2 Blast(2)', f"3x D2 {T}", "", (F(4, 9) * 2 + F(1, 9) * 3) * F(1, 6)),
    (REGIMENTS, 'Q4 24" A1 Deadly(3)', "5x D4 Tough(2)", "", HIT * SAVE * 2),
    (FANTASY, 'Q4 24" A1 Deadly(3)', "5x D4 Tough(2)", "", HIT * SAVE * 2),
    (FIRST, "Q4 A4 Deadly", f"D4 {T}", "", 4 * HIT * SAVE * 3),
    (REGIMENTS, "Q4 A10 AP(0)", f"D4 {T}", "", 10 * HIT * SAVE),
    # other ways to say it
    (REGIMENTS, "10xQ4A1", f"D4 {T}", "", 10 * HIT * SAVE),
    (REGIMENTS, "Quality 4+ A10", f"Defence 4+, {T}", "", 10 * HIT * SAVE),
]  # fmt: skip


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict]:  # type: ignore[type-arg]
    """The reports of a command."""
    assert main(["odds", *words, "--json"]) == 0
    found: list[dict] = json.loads(capsys.readouterr().out)  # type: ignore[type-arg]
    return found


@pytest.mark.parametrize(("edition", "first", "second", "more", "wounds"), LINES)
def test_a_short_line_gives_the_number_worked_out_by_hand(
    edition: str, first: str, second: str, more: str, wounds: F, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wounds of the target on average, as an exact fraction."""
    (report,) = asked(capsys, first, "vs", second, "-e", edition, *more.split())
    assert report["exact"]
    assert F(report["units"][0]["wounds"]["mean"]["fraction"]) == wounds


@pytest.mark.parametrize("edition", [REGIMENTS, OLDER, FANTASY])
def test_losses_of_a_small_unit_are_those_of_icepool(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty shots at three models: no more can fall than there are."""
    (report,) = asked(capsys, '10x Q4 24" A2 AP(1)', "vs", "3x D4", "-e", edition)
    pool = (20 @ icepool.coin(1, 3)).map(lambda wounds: min(3, wounds))
    found = {bar["value"]: F(bar["chance"]["fraction"]) for bar in report["units"][0]["wounds"]["bars"]}
    assert found == {wounds: F(count, pool.denominator()) for wounds, count in pool.items()}
    assert sum(found.values()) == 1


def test_counter_strikes_before_the_charge(capsys: pytest.CaptureFixture[str]) -> None:
    """Two lone models: the one killed first does not strike, so the charger's chance is what Counter leaves."""
    (report,) = asked(capsys, "Q4 A1", "vs", "Q4 D4 A1 Counter", "-e", REGIMENTS)
    target, charger = report["units"]
    fallen = HIT * SAVE
    assert F(charger["wounds"]["mean"]["fraction"]) == fallen
    assert F(target["wounds"]["mean"]["fraction"]) == (1 - fallen) * HIT * SAVE


@pytest.mark.parametrize("edition", [REGIMENTS, OLDER, SKIRMISH])
def test_a_unit_that_does_not_strike_back_does_not_strike_first_either(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["odds", "3x Q4 A1", "vs", "3x D4 A4 Counter", "-e", edition, "--no-strike-back", "--json"]
    assert main(words) == 0
    units = {unit["name"]: unit for unit in json.loads(capsys.readouterr().out)[0]["units"]}
    assert "Attacker" not in units or units["Attacker"]["wounds"]["mean"]["fraction"] == "0"


def test_one_command_compares_weapons_targets_and_editions(capsys: pytest.CaptureFixture[str]) -> None:
    """Two attackers, two targets, two editions: eight reports, each with its own numbers."""
    words = ["Q4 A6", "Q4 A6 AP(1)", "vs", f"D4 {T}", f"D5 {T}", "-e", REGIMENTS, "-e", FIRST]
    reports = asked(capsys, *words)
    found = [F(report["units"][0]["wounds"]["mean"]["fraction"]) for report in reports]
    newer = [6 * HIT * fails for fails in (F(1, 2), F(2, 3), F(2, 3), F(5, 6))]
    older = [6 * HIT * wounds for wounds in (F(1, 2), F(1, 3), F(2, 3), F(1, 2))]
    assert found == newer + older


@pytest.mark.parametrize(
    "words",
    [["10x Q4 A1 vs 10x D4"], ["10x", "Q4", "A1", "vs", "10x", "D4"], ["10x Q4 A1", "against", "10x D4"]],
)
def test_quotes_may_be_left_out_or_put_round_everything(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same question, quoted differently."""
    (report,) = asked(capsys, *words)
    assert (report["attacker"], report["target"]) == ("10x Q4+ D4+ Blows (A1)", "10x Q4+ D4+")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["10x Q4 A1 Tough", "vs", "5x D4"], "Tough needs a number"),
        (["10x 5x Q4 A1", "vs", "D4"], "10x and 5x: a unit has one size"),
        (["Q4 Q3 A1", "vs", "D4"], "Q4 and Q3"),
        (["Q4 A1 A2", "vs", "D4"], "several weapons need names"),
        (["Q4 A1 AP(-1)", "vs", "D4"], "AP(-1): the number must be 0 or more"),
        (["Q4 A1 AP(1)(2)", "vs", "D4"], "understood: Q4+ D4+ Blows (A1)"),
        (
            ["Q4 A1", "vs", "D4", "vs", "D5"],
            "`vs` occurs 2 times; list several targets after a single `vs`",
        ),
        (["Q4 A1", "vs", ""], "it is empty"),
        (["10 Q4 A1", "vs", "D4"], "for that many models write 10x"),
        (['Q4 24" A1', "vs", "D4", "--range", "30"], 'the longest range is 24"'),
        (["Q4 A1", "vs", "D4", "--chart", "no/such/folder/x.svg"], "there is no folder"),
        (["luck"], "luck needs the log of a game"),
        (["Q4 A1 Banner Musician", "vs", "D4"], "each is a model of the unit, which has 1"),
        (["nowhere.yaml"], "nowhere.yaml"),
        (["Q4 A1", "vs"], "there is nothing after the `vs`"),
        (["5x Q4 A1 Sergeant Sergeant", "vs", "D4"], "Sergeant twice: a unit has one of each"),
        (["Q4 A1 Foo", "vs", "D4 Bar"], "short line 'D4 Bar': 'Bar' is not a special rule of regiments-3.5"),
        (
            ["Q4 A1 Thrust", "vs", "D4", "-e", "all"],
            "rule of aof-1.6, aof-2, regiments-3.4, skirmish-3.2; it is one of",
        ),
        (["Q4 A1 Tough(100)", "vs", "D4"], "Tough(100): the number must be 99 or less"),
    ],
)
def test_contradictions_are_reported_clearly(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is guessed silently, and nothing crashes."""
    assert main(["odds", *words]) == 2
    assert says in capsys.readouterr().err
