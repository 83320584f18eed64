"""Disputes in Age of Fantasy 2: both sides' readings, the dispute die, switches, re-rolled dice."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Pick
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.pending import Choice, Roll
from shieldwall.core.state import Side, State, option
from shieldwall.editions import ruleset
from shieldwall.rulebook.house_rules import house_rules
from shieldwall.rules.bindings import Binding, Specials
from shieldwall.rules.features.rulings import open_dispute, ruling_on
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.special.piercing import Bane
from shieldwall.scenario import build as building
from shieldwall.scenario.runner import run_text

EDITION = "aof-2"
RULES = ruleset(EDITION)
SWITCH = "blast-cap"
READINGS = ("weapon", "hit")


def game(turn: int = 0) -> State:
    """A game in which it is one side's turn."""
    return replace(begin(RULES, demo_setup(EDITION, 1)).state, round=1, turn=turn)


def readings(state: State, question: str, *given: str) -> Progress:
    """Both sides say how they read a case, the side on turn first."""
    progress = open_dispute(RULES, state, question, READINGS)
    for reading in given:
        assert isinstance(progress.pending, Choice)
        progress = submit(RULES, progress.state, Pick(reading))
    return progress


def test_every_switch_shows_default_values_and_row() -> None:
    """A2-DICE-01: named switches, each with its other values and rows of this book."""
    switches = house_rules(EDITION)
    assert {rule.name for rule in switches} >= {"coherency-shape", "blast-cap", "survivor-test", "merging"}
    for rule in switches:
        assert rule.default in rule.values
        assert len(rule.values) > 1
        assert any(row.startswith("A2-") for row in rule.edition_rows)


def test_players_who_agree_need_no_die() -> None:
    """A2-DICE-01: the same reading of both is applied."""
    done = readings(game(), "Is the shed a building?", "hit", "hit")
    assert [type(event) for event in done.events] == [ev.Ruled]
    assert ruling_on(done.state, "Is the shed a building?") == "hit"


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("face", "winner"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_a_low_die_favours_the_side_on_turn(turn: int, face: int, winner: int) -> None:
    """A2-DICE-02: 1 to 3 for player A, 4 to 6 for player B; A is whoever is on turn."""
    opened = open_dispute(RULES, game(turn), SWITCH, READINGS)
    assert opened.pending is not None
    assert opened.pending.seat == turn
    asked = readings(game(turn), SWITCH, *READINGS)
    assert isinstance(asked.pending, Roll)
    assert (asked.pending.purpose, asked.pending.dice) == ("dispute", 1)
    done = submit(RULES, asked.state, Faces((face,)))
    assert ruling_on(done.state, SWITCH) == READINGS[winner]


def test_a_ruling_holds_for_the_rest_of_the_match_and_no_longer() -> None:
    """A2-DICE-03: the switch keeps its value, nobody is asked again, a new match has the default."""
    asked = readings(game(), SWITCH, *READINGS)
    settled = submit(RULES, asked.state, Faces((6,))).state
    assert option(settled, SWITCH) == "hit"
    again = open_dispute(RULES, replace(settled, round=3), SWITCH, READINGS)
    assert not isinstance(again.pending, Roll) or again.pending.purpose != "dispute"
    assert again.state.stack == settled.stack
    assert option(game(), SWITCH) == "weapon"


def test_the_side_whose_last_activation_was_earlier_starts_next() -> None:
    """A2-ROUND-05: the last activation counts, and none at all as the earliest; by a switch running dry does."""
    marks = (Side(dry_at=2, last_turn_at=4), Side(dry_at=3, last_turn_at=3))
    state = replace(game(), sides=marks)
    assert RULES.policies.next_starter(state) == 1
    assert RULES.policies.next_starter(replace(state, sides=(Side(dry_at=5), marks[1]))) == 0
    dry = tuple((k, "out-of-units" if k == "who-starts-next" else v) for k, v in state.options)
    assert RULES.policies.next_starter(replace(state, options=dry)) == 0


AGAIN = """
scenario: thrown again
edition: aof-2
units:
  Archer: {{side: A, stats: Q4+ D4+, equipment: 'Dart (24", A3, Bane)', at: [36, 10]}}
  Wolf: {{side: B, rules: Tough(9), stats: Q4+ D4+, at: [36, 20]}}
dice: {{to_hit: [4, 4, 4], block: [{first}], block_again: [{second}]}}
play: [{{activate: Archer, action: hold, shoot: {{Dart: Wolf}}}}]
expect: {{wounds: {wounds}, dice_used: {{block: 3, block_again: {again}}}}}
"""


def with_rethrown_blocks() -> Ruleset:
    """The edition with a rule, such as army books have, that re-rolls blocks of 6."""
    rules = RULES.without("Fast")  # a ruleset of our own: the shared one must stay as it is
    rules.specials = rules.hooks.specials = Specials(
        {**rules.specials.bindings, "Bane": Binding(Bane, "A2-DICE-11")}
    )
    return rules


@pytest.mark.parametrize(
    ("first", "second", "wounds"),
    [
        ("3, 5, 6", "4", 1),  # only the six is re-rolled, and blocks again
        ("3, 5, 6", "2", 2),  # the second result stands even if it is worse
        ("4, 5, 6", "6", 0),  # a die is re-rolled only once: the second six blocks
    ],
)
def test_dice_are_rerolled_once(
    first: str, second: str, wounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A2-DICE-11, A2-DICE-12, A2-DICE-13."""
    rules = with_rethrown_blocks()
    monkeypatch.setattr(building, "ruleset_of", lambda edition: rules)
    report = run_text(AGAIN.format(first=first, second=second, wounds=wounds, again=1))
    assert not report.faults, report.faults
    assert all(result.holds for result in report.results), [one.differences for one in report.results]
