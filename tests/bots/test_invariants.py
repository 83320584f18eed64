"""The invariants of every step: correct games break none, and each kind of fault is named."""

import pytest
from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge, check_invariants
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, ModelPath, Pick, Walk
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.errors import RefusedError
from shieldwall.core.frames import Round
from shieldwall.core.pending import Choice, Option, Roll
from shieldwall.core.state import Pose, State, Unit
from shieldwall.dice import SeededDice
from shieldwall.scenario.build import build
from shieldwall.scenario.build import started as started_scenario
from shieldwall.scenario.load import load_text

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
        after = event.apply(after)
    return problems(before, after, *events)


@pytest.mark.parametrize("seed", range(10))
def test_whole_games_break_no_law(seed: int) -> None:
    judge = Judge(TOY)
    play_game(TOY, toy_setup(), (RandomBot(), RandomBot()), SeededDice.from_seed(seed), judge, seed=seed)
    assert judge.problems == []


def test_a_step_in_which_nothing_happens_is_legal() -> None:
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
    again = happened(ev.Activated(unit=0).apply(state), ev.Activated(unit=0))
    assert any("activated twice" in problem for problem in again)
    greedy = happened(ev.Activated(unit=0).apply(state), ev.Activated(unit=1))
    assert any("acted twice in a row" in problem for problem in greedy)


def test_a_side_may_act_again_when_the_other_has_nobody_left() -> None:
    state = started()
    for unit in state.units[4:]:
        state = with_unit(state, replace(unit, activated=True))
    assert happened(ev.Activated(unit=0).apply(state), ev.Activated(unit=1)) == []


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


def test_inconsistent_states_are_named() -> None:
    state = started()
    unit = state.units[0]
    assert "3 models and 2 poses" in problems(state, with_unit(state, replace(unit, poses=unit.poses[:2])))[0]
    skewed = with_unit(state, replace(unit, poses=(Pose(6000, 6000, 36000), *unit.poses[1:])))
    assert any("outside 0 to 359.99" in problem for problem in problems(state, skewed))
    hurt = with_unit(state, replace(unit, models=(replace(unit.models[0], wounds=1), *unit.models[1:])))
    assert problems(state, hurt) == ["model 0 of Red Archers 1 stands with 1 of 1 wounds"]
    over = check_invariants(TOY, state, Progress(state, (), None))
    assert over == ["the game neither waits for anything nor is over"]


PASSING = """
scenario: Through a mate and into lava
edition: skirmish-3.2
house_rules: {unit-mates-block: WORD}
terrain: {Lava: {kind: lava, at: [24, 14.5], size: [8, 4]}}
units:
  Goblins: {side: A, models: 2, at: [[24, 11.6], [24, 9.5]]}
  Wolf: {side: B, at: [24, 40]}
"""


@pytest.mark.parametrize(("word", "passes"), [("off", True), ("on", False)])
def test_models_that_may_pass_each_other_are_not_named_on_their_way(word: str, passes: bool) -> None:
    """SK32-MOVE-05, SK32-TERRAIN-17: a test of dangerous ground may stop a model while it passes a mate."""
    loaded, faults = load_text(PASSING.replace("WORD", word))
    assert not faults
    built = build(loaded[0].scenario)
    rules = built.ruleset
    state = begin(rules, started_scenario(loaded[0].scenario, built)).state
    state = submit(rules, state, Pick("rush")).state
    goblin = state.units[0].models[1].id
    walk = Walk((ModelPath(goblin, (Pose(24000, 13500, 0, 0), Pose(25200, 12900, 0, 0))),))
    if not passes:
        with pytest.raises(RefusedError):
            submit(rules, state, walk)
        return
    progress = submit(rules, state, walk)
    assert isinstance(progress.pending, Roll)
    assert check_invariants(rules, state, progress) == []
    stuck = replace(progress.state, stack=progress.state.stack[:1])
    assert any("overlap by" in one for one in check_invariants(rules, state, progress._replace(state=stuck)))


LINK = """
scenario: A model falls in lava while its unit charges
edition: skirmish-3.2
terrain: {Lava: {kind: lava, at: [24, 14], size: [20, 3]}}
units:
  Rats: {side: A, models: 3, base: '1"', equipment: Claws (A1), at: [[22, 10], [24, 10], [26, 10]]}
  Wolf: {side: B, base: '3"', at: [24, 18]}
"""


@pytest.mark.parametrize(("first", "is_named"), [(1, False), (6, True)])
def test_a_unit_may_end_torn_apart_only_where_it_lost_a_model_on_the_way(first: int, is_named: bool) -> None:
    """SK32-MOVE-04, SK32-TERRAIN-17: the plan kept coherency; the dice may break it."""
    loaded, faults = load_text(LINK)
    assert not faults
    built = build(loaded[0].scenario)
    rules = built.ruleset
    progress = begin(rules, started_scenario(loaded[0].scenario, built))
    progress = submit(rules, progress.state, Pick("charge"))
    faces = iter([first, 6, 6])
    before = progress.state
    while not any(isinstance(event, ev.Declared) and event.group == "Claws" for event in progress.events):
        before, pending = progress.state, progress.pending
        assert pending is not None
        answer = Faces((next(faces),)) if isinstance(pending, Roll) else pending.default()
        progress = submit(rules, before, answer)
    assert check_invariants(rules, before, progress) == []
    rats = progress.state.units[0]
    before = with_unit(before, replace(before.units[0], poses=rats.poses))  # together until the last step
    strayed = with_unit(progress.state, replace(rats, poses=(Pose(10000, 10000), *rats.poses[1:])))
    found = check_invariants(rules, before, progress._replace(state=strayed))
    assert ("Rats moved out of coherency" in found) == is_named
