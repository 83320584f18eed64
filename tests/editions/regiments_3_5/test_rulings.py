"""Disputes: both sides' readings, the dispute die, the order of simultaneous rules, turns for placing terrain."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Pick
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.errors import RefusedError
from shieldwall.core.pending import Choice, Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rules.features.rulings import (
    agreed,
    open_dispute,
    open_order,
    open_terrain,
    ruling_on,
    terrain_turns,
)

RULES = ruleset("regiments-3.5")
QUESTION = "Does the ford count as a river?"


def game(**options: str) -> State:
    """A game that waits for its first roll."""
    return begin(RULES, demo_setup("regiments-3.5", 1, options=dict(options))).state


def readings(state: State, first: str, second: str) -> Progress:
    opened = open_dispute(RULES, state, QUESTION, ("yes", "no"))
    assert isinstance(opened.pending, Choice)
    assert (opened.pending.kind, opened.pending.seat) == ("ruling", 0)
    asked = submit(RULES, opened.state, Pick(first))
    assert asked.pending is not None
    assert asked.pending.seat == 1
    return submit(RULES, asked.state, Pick(second))


def test_players_who_agree_need_no_die() -> None:
    """R35-DICE-01: a ruling that both give is applied, and the game continues where it was."""
    before = game()
    done = readings(before, "no", "no")
    assert [type(event) for event in done.events] == [ev.Ruled]
    assert ruling_on(done.state, QUESTION) == "no"
    assert done.state.stack == before.stack
    assert isinstance(done.pending, Roll)
    assert done.pending.purpose == "marker_count"


@pytest.mark.parametrize(("face", "ruling"), [(1, "yes"), (3, "yes"), (4, "no"), (6, "no")])
def test_a_die_decides_between_two_readings(face: int, ruling: str) -> None:
    """R35-DICE-02: 1 to 3 gives the call to seat 1, 4 to 6 to seat 2."""
    asked = readings(game(), "yes", "no")
    assert isinstance(asked.pending, Roll)
    assert (asked.pending.purpose, asked.pending.dice) == ("dispute", 1)
    done = submit(RULES, asked.state, Faces((face,)))
    assert ruling_on(done.state, QUESTION) == ruling
    assert any(isinstance(event, ev.Rolled) and event.cite == "R35-DICE-02" for event in done.events)


def test_a_call_stays_in_force_for_the_rest_of_the_match() -> None:
    """R35-DICE-03: the same question is not asked again, nor is a die rolled; others are."""
    settled = submit(RULES, readings(game(), "yes", "no").state, Faces((2,))).state
    again = open_dispute(RULES, settled, QUESTION, ("yes", "no"))
    assert again.state.rulings == settled.rulings
    assert again.events == ()
    assert isinstance(again.pending, Roll)
    assert again.pending.purpose == "marker_count"
    other = open_dispute(RULES, settled, "Is the hedge solid?", ("yes", "no"))
    assert isinstance(other.pending, Choice)


def test_a_reading_must_be_one_of_those_in_question() -> None:
    """R35-DICE-01: anything else is refused and changes nothing."""
    opened = open_dispute(RULES, game(), QUESTION, ("yes", "no"))
    with pytest.raises(RefusedError, match="R35-DICE-01"):
        submit(RULES, opened.state, Pick("perhaps"))


def test_a_dispute_can_be_saved_in_the_middle() -> None:
    """R35-DICE-02: the question lies in the state like everything else."""
    asked = readings(game(), "yes", "no")
    loaded = decode_state(encode(asked.state))
    assert ruling_on(submit(RULES, loaded, Faces((5,))).state, QUESTION) == "no"


def test_agreements_made_before_play_are_used_without_asking() -> None:
    """R35-PREP-01: an agreement recorded at set-up is used without asking."""
    state = agreed(RULES, game(), "banner poles are ignored for measuring", "yes")
    assert ruling_on(state, "banner poles are ignored for measuring") == "yes"
    assert agreed(RULES, state, "banner poles are ignored for measuring", "no") is state
    again = open_dispute(RULES, state, "banner poles are ignored for measuring", ("yes", "no"))
    assert isinstance(again.pending, Roll)


def test_one_player_orders_its_own_simultaneous_rules() -> None:
    """R35-SR-PRIORITY-02: no die; the player picks."""
    opened = open_order(RULES, game(), [(0, "Bell"), (0, "Drum"), (0, "Horn")])
    assert isinstance(opened.pending, Choice)
    assert (opened.pending.kind, opened.pending.seat) == ("effect_order", 0)
    assert [option.label for option in opened.pending.options] == ["Bell", "Drum", "Horn"]
    last = submit(RULES, submit(RULES, opened.state, Pick("2")).state, Pick("0"))
    ruled = [event for event in last.events if isinstance(event, ev.Ruled)]
    assert [(event.ruling, event.cite) for event in ruled] == [("Horn; Bell; Drum", "R35-SR-PRIORITY-02")]
    assert not any(isinstance(event, ev.Rolled) for event in last.events)


def test_rules_of_both_players_are_ordered_by_the_winner_of_a_roll_off() -> None:
    """R35-SR-PRIORITY-03: A rolls 2, B rolls 5, so B chooses; ties are rolled again."""
    opened = open_order(RULES, game(), [(0, "Bell"), (1, "Bell")])
    assert isinstance(opened.pending, Roll)
    assert opened.pending.purpose == "roll_off"
    tied = submit(RULES, opened.state, Faces((3, 3)))
    asked = submit(RULES, tied.state, Faces((2, 5)))
    assert isinstance(asked.pending, Choice)
    assert asked.pending.seat == 1
    done = submit(RULES, asked.state, Pick("1"))
    assert any(isinstance(event, ev.Ruled) and event.ruling == "Bell; Bell" for event in done.events)


@pytest.mark.parametrize(
    ("mode", "turns"),
    [
        ("one", ((1,), (1,), (1,), (1,), (1,))),
        ("together", ((0, 1),) * 5),
        ("alternating", ((1,), (0,), (1,), (0,), (1,))),
    ],
)
def test_who_places_which_piece_of_terrain(mode: str, turns: tuple[tuple[int, ...], ...]) -> None:
    """R35-SETUP-34, R35-SETUP-35: the switch terrain-mode; taking turns, B, A, B, A, B."""
    assert terrain_turns(game(**{"terrain-mode": mode}), 5, first=1) == turns


def test_players_roll_off_for_terrain_only_if_they_take_turns() -> None:
    """R35-SETUP-35: the winner starts."""
    opened = open_terrain(RULES, game(**{"terrain-mode": "alternating"}))
    assert isinstance(opened.pending, Roll)
    assert (opened.pending.purpose, opened.pending.cite) == ("roll_off", "R35-SETUP-35")
    done = submit(RULES, opened.state, Faces((1, 4)))
    assert any(isinstance(event, ev.RolledOff) and event.winner == 1 for event in done.events)
    assert open_terrain(RULES, game(**{"terrain-mode": "together"})).events == ()
