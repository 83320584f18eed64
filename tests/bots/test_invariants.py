"""The laws of every step: sound games break none, and each kind of fault is named."""

import pytest
from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge, check_invariants
from shieldwall.core import events as ev
from shieldwall.core.apply import apply
from shieldwall.core.engine import Progress
from shieldwall.core.frames import Round
from shieldwall.core.pending import Choice, Option
from shieldwall.core.state import Pose, State, Unit
from shieldwall.dice import SeededDice

QUESTION = Choice("activate", 0, "Which unit?", "", (Option("u0", "one"), Option("u1", "two")))


def started() -> State:
    return replace(toy_setup(), round=1, stack=(Round("round"),))


def with_unit(state: State, unit: Unit) -> State:
    return replace(state, units=tuple(unit if other.id == unit.id else other for other in state.units))


def problems(before: State, after: State, *events: ev.AnyEvent) -> list[str]:
    return check_invariants(TOY, before, Progress(after, events, QUESTION))


def happened(before: State, *events: ev.AnyEvent) -> list[str]:
    after = before
    for event in events:
        after = apply(after, event)
    return problems(before, after, *events)


@pytest.mark.parametrize("seed", range(10))
def test_whole_games_break_no_law(seed: int) -> None:
    judge = Judge(TOY)
    play_game(TOY, toy_setup(), (RandomBot(), RandomBot()), SeededDice.from_seed(seed), judge, seed=seed)
    assert judge.problems == []


def test_a_step_in_which_nothing_happens_is_sound() -> None:
    assert problems(started(), started()) == []


def test_models_that_vanish_or_appear_are_named() -> None:
    state = started()
    unit = state.units[0]
    fewer = with_unit(state, replace(unit, models=unit.models[1:], poses=unit.poses[1:]))
    assert problems(state, fewer) == ["models [0] vanished without being removed"]
    assert problems(fewer, state) == ["models [0] came from nowhere"]
    assert happened(state, ev.Removed(unit=0, models=(0,), cause="wounds")) == []
    twice = with_unit(state, replace(unit, models=(*unit.models[:2], state.units[1].models[0])))
    assert "models [3] are in two places" in problems(state, twice)
    assert problems(state, state, ev.Removed(unit=0, models=(0,), cause="wounds")) == [
        "models [0] were removed and are still there"
    ]


def test_a_unit_that_acts_twice_or_out_of_turn_is_named() -> None:
    state = started()
    assert happened(state, ev.Activated(unit=0)) == []
    assert any("in the turn of side 0" in problem for problem in happened(state, ev.Activated(unit=4)))
    again = happened(apply(state, ev.Activated(unit=0)), ev.Activated(unit=0))
    assert any("activated twice" in problem for problem in again)
    greedy = happened(apply(state, ev.Activated(unit=0)), ev.Activated(unit=1))
    assert any("acted twice in a row" in problem for problem in greedy)


def test_a_side_may_act_again_when_the_other_has_nobody_left() -> None:
    state = started()
    for unit in state.units[4:]:
        state = with_unit(state, replace(unit, activated=True))
    assert happened(apply(state, ev.Activated(unit=0)), ev.Activated(unit=1)) == []


def test_units_that_stand_on_each_other_or_off_the_table_are_named() -> None:
    state = started()
    unit = state.units[0]
    beyond = with_unit(state, replace(unit, poses=(Pose(100, 100), *unit.poses[1:])))
    assert problems(state, beyond) == ["Red Archers 1 sticks out over the edge of the table"]
    mates = with_unit(state, replace(unit, poses=(unit.poses[1], *unit.poses[1:])))
    assert any("models of Red Archers 1 overlap by" in problem for problem in problems(state, mates))
    others = with_unit(state, replace(unit, poses=(*unit.poses[:2], state.units[5].poses[0])))
    assert any("Red Archers 1 and Blue Archers 2 overlap" in problem for problem in problems(state, others))


def test_a_model_above_another_does_not_overlap_it() -> None:
    state = started()
    unit = state.units[0]
    above = replace(state.units[5].poses[0], z=3000)
    stacked = with_unit(state, replace(unit, poses=(*unit.poses[:2], above)))
    assert problems(state, stacked) == []


def test_states_that_do_not_hang_together_are_named() -> None:
    state = started()
    unit = state.units[0]
    assert "3 models and 2 poses" in problems(state, with_unit(state, replace(unit, poses=unit.poses[:2])))[0]
    skewed = with_unit(state, replace(unit, poses=(Pose(6000, 6000, 36000), *unit.poses[1:])))
    assert any("outside 0 to 359.99" in problem for problem in problems(state, skewed))
    hurt = with_unit(state, replace(unit, models=(replace(unit.models[0], wounds=1), *unit.models[1:])))
    assert problems(state, hurt) == ["model 0 of Red Archers 1 stands with 1 of 1 wounds"]
    over = check_invariants(TOY, state, Progress(state, (), None))
    assert over == ["the game neither waits for anything nor is over"]
