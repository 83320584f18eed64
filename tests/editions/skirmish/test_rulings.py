"""Disputes in Skirmish 3.2: both sides' readings, the dispute die, who orders simultaneous rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Pick
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.pending import Choice, Roll
from shieldwall.core.state import State, option
from shieldwall.editions import ruleset
from shieldwall.rules.features.rulings import open_dispute, open_order, open_terrain, ruling_on, terrain_turns

RULES = ruleset("skirmish-3.2")
SWITCH = "tough-in-groups"


def game(turn: int = 0, terrain_mode: str = "one") -> State:
    """A game in which it is one side's turn."""
    state = begin(RULES, demo_setup("skirmish-3.2", 1, options={"terrain-mode": terrain_mode})).state
    return replace(state, round=1, turn=turn)


def readings(state: State, question: str, *given: str) -> Progress:
    """Both sides say how they read a case, the side on turn first."""
    progress = open_dispute(RULES, state, question, ("filled", "literal"))
    for reading in given:
        assert isinstance(progress.pending, Choice)
        progress = submit(RULES, progress.state, Pick(reading))
    return progress


def test_players_who_agree_need_no_die() -> None:
    """SK32-DICE-01: the same ruling of both is applied without a die."""
    done = readings(game(), "Is the shed a building?", "literal", "literal")
    assert [type(event) for event in done.events] == [ev.Ruled]
    assert ruling_on(done.state, "Is the shed a building?") == "literal"


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("face", "winner"), [(1, 0), (3, 0), (4, 1), (6, 1)])
def test_a_low_die_favours_the_side_on_turn(turn: int, face: int, winner: int) -> None:
    """SK32-DICE-02: 1 to 3 for player A, 4 to 6 for player B; A is whoever is on turn."""
    opened = open_dispute(RULES, game(turn), SWITCH, ("filled", "literal"))
    assert opened.pending is not None
    assert opened.pending.seat == turn
    asked = readings(game(turn), SWITCH, "filled", "literal")
    assert isinstance(asked.pending, Roll)
    assert (asked.pending.purpose, asked.pending.dice) == ("dispute", 1)
    done = submit(RULES, asked.state, Faces((face,)))
    assert ruling_on(done.state, SWITCH) == ("filled", "literal")[winner]


def test_before_the_first_turn_the_winner_of_the_latest_roll_off_is_player_a() -> None:
    """SK32-DICE-02: here the second side has won the roll-off for markers."""
    state = begin(RULES, demo_setup("skirmish-3.2", 1)).state
    state = submit(RULES, state, Faces((1,))).state
    state = submit(RULES, state, Faces((2, 5))).state
    assert RULES.policies.dispute_sides(state) == (1, 0)


def test_a_ruling_holds_for_the_rest_of_the_match_and_no_longer() -> None:
    """SK32-DICE-03: the switch keeps its value, nobody is asked again, a new match has the default."""
    asked = readings(game(), SWITCH, "filled", "literal")
    settled = submit(RULES, asked.state, Faces((6,))).state
    assert option(settled, SWITCH) == "literal"
    again = open_dispute(RULES, settled, SWITCH, ("filled", "literal"))
    assert isinstance(again.pending, Roll)
    assert again.pending.purpose == "marker_count"
    assert again.state.stack == settled.stack
    assert option(game(), SWITCH) == "filled"


@pytest.mark.parametrize("turn", [0, 1])
def test_the_side_on_turn_orders_rules_that_come_together(turn: int) -> None:
    """SK32-SR-GENERAL-01: whomever they concern, no die is thrown."""
    opened = open_order(RULES, game(turn), [(0, "Hero"), (1, "Banner")])
    assert isinstance(opened.pending, Choice)
    assert (opened.pending.kind, opened.pending.seat) == ("effect_order", turn)
    done = submit(RULES, opened.state, Pick("1"))
    assert [event.ruling for event in done.events if isinstance(event, ev.Ruled)] == ["Banner; Hero"]


def test_who_places_terrain() -> None:
    """SK32-SETUP-27, SK32-SETUP-28: one side, both, or by turns after a roll-off that the winner begins."""
    assert terrain_turns(game(), 3, 1) == ((1,), (1,), (1,))
    assert terrain_turns(game(terrain_mode="together"), 3, 1) == ((0, 1),) * 3
    by_turns = game(terrain_mode="alternating")
    rolled = open_terrain(RULES, by_turns)
    assert isinstance(rolled.pending, Roll)
    done = submit(RULES, rolled.state, Faces((2, 5)))
    winner = next(event.winner for event in done.events if isinstance(event, ev.RolledOff))
    assert terrain_turns(by_turns, 3, winner) == ((1,), (0,), (1,))
