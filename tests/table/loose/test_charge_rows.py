"""Charges, reactions and separation against the checks of the rows."""

from __future__ import annotations

import math

import pytest
from loose_scene import cites, group, path, pose, table
from msgspec.structs import replace

from shieldwall.core.state import Base, Pose, State
from shieldwall.table.coherency import Coherency
from shieldwall.table.loose_charge import charge_reach, check_charge, solve_charge
from shieldwall.table.loose_push import step_back
from shieldwall.table.loose_react import check_react, models_in_reach, solve_react
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

CHARGE = WalkLimits((12.0,), "charge", spacing=0.0)
REACT = WalkLimits((3.0,), "react")


def apart(a: Pose, b: Pose) -> float:
    """Gap of two one-inch bases."""
    return math.dist((a.x, a.y), (b.x, b.y)) / 1000 - 1.0


def nearest(poses: tuple[Pose, ...], others: tuple[Pose, ...]) -> list[float]:
    return [min(apart(one, other) for other in others) for one in poses]


@pytest.mark.parametrize(("y", "reached"), [(23.0, True), (23.1, False)])
def test_how_far_a_charge_goes(y: float, reached: bool) -> None:
    """SK32-MOVE-08, SK32-MELEE-02: an enemy 12.0 inches away is charged, at 12.1 the charge is refused."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, y)))
    options = charge_reach(state, 0, CHARGE)
    assert [option.target for option in options] == ([1] if reached else [])
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal is reached
    if reached:
        assert plan.contacts == (0,)
        assert abs(apart(plan.poses[0], pose(10, y))) < 0.001
        assert options[0].used == pytest.approx(12.0, abs=0.001)
    else:
        assert [reason.cite for reason in plan.reasons] == ["charge.distance"]
        assert "12.10 inches away" in plan.reasons[0].text


def test_a_closed_line_stops_a_charge() -> None:
    """SK32-MOVE-05: with no way round within 12 inches the charge is refused."""
    line = group(1, 1, *[(0.5 + i, 14) for i in range(31)])
    state = table(group(0, 0, (10, 10)), line, group(2, 1, (10, 18)))
    assert not solve_charge(state, 0, 2, CHARGE).is_legal
    assert solve_charge(state, 0, 1, CHARGE).is_legal


def test_one_model_in_contact_is_enough() -> None:
    """SK32-MOVE-10: a unit of three of which one reaches contact may charge; one of which none does may
    not.
    """
    three = group(0, 0, (10, 10), (10, 8.2), (10, 6.4))
    state = table(three, group(1, 1, (10, 22.8)))
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    assert plan.contacts == (0,)
    far = table(three, group(1, 1, (10, 23.2)))
    assert not solve_charge(far, 0, 1, CHARGE).is_legal


def test_the_free_path_counts() -> None:
    """SK32-MELEE-02: an enemy eight inches away but over 12 along the only free path is no target."""
    wall = piece(1, "building", at=(10, 14), size=(14, 2))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 19)), pieces=(wall,))
    assert charge_reach(state, 0, CHARGE) == ()


def test_paths_bend_round_a_rock() -> None:
    """SK32-MELEE-06, SK32-MELEE-03: a rock in between is gone round; sight does not matter."""
    rock = piece(1, "building", at=(10, 14), size=(3, 2))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 19)), pieces=(rock,))
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    assert plan.contacts == (0,)
    assert len(plan.paths[0].points) > 1
    assert 8.0 < plan.walk.used[0] <= 11.0
    assert check_charge(state, 0, 1, plan.paths, CHARGE).is_legal


def test_a_way_past_a_third_unit() -> None:
    """SK32-MOVE-09: a gap that leaves 0.3 inch to other units is wide enough for a charge."""
    posts = (group(2, 1, (8.7, 14)), group(3, 0, (11.3, 14)))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 19)), *posts)
    assert solve_charge(state, 0, 1, CHARGE).walk.used[0] == pytest.approx(8.0, abs=0.001)


def test_models_that_can_make_contact_must() -> None:
    """SK32-MELEE-04: two of three reach contact, the third ends as near as it can; lagging is refused."""
    unit = group(0, 0, (10, 10), (11.5, 10), (11.5, 8.2))
    state = table(unit, group(1, 1, (10, 21), (11.5, 21)))
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    assert plan.contacts == (0, 1)
    gaps = nearest(plan.poses, state.units[1].poses)
    assert gaps[2] < 1.2
    lazy = [path(0, (10, 20)), path(1, (11.5, 17)), path(2, (11.5, 15.5))]
    loose = WalkLimits((12.0,), "charge", spacing=0.0, coherency=CHARGE.coherency.__class__(link=9.0))
    assert "charge.duty" in cites(check_charge(state, 0, 1, lazy, loose))


def test_leaving_a_model_behind_is_refused() -> None:
    """SK32-MELEE-04: a model that could reach contact is not left three inches away."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 20)))
    lag = check_charge(state, 0, 1, [path(0, (10, 16))], CHARGE)
    assert cites(lag) == ["charge.contact"]
    pair = table(group(0, 0, (10, 10), (11.2, 10)), group(1, 1, (10, 20), (11.2, 20)))
    half = check_charge(pair, 0, 1, [path(0, (10, 19)), path(1, (11.2, 18))], CHARGE)
    assert cites(half) == ["charge.duty"]
    assert "could make contact" in half.reasons[0].text
    assert check_charge(pair, 0, 1, [path(0, (10, 19)), path(1, (11.2, 19))], CHARGE).is_legal


def test_coherency_goes_before_contact() -> None:
    """SK32-MELEE-05: a model that could only touch away from its mates stops where the chain holds."""
    wall = piece(1, "building", at=(14, 15), size=(2, 12))
    unit = group(0, 0, (10, 10), (11.5, 10))
    # The target's second model stands beyond a wall, within reach round its end, far from the first.
    state = table(unit, group(1, 1, (10, 20), (16.2, 14)), pieces=(wall,))
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    assert apart(*plan.poses) <= 1.001
    assert check_charge(state, 0, 1, plan.paths, CHARGE).is_legal


def test_difficult_ground_caps_a_charge() -> None:
    """SK32-MELEE-02, SK32-TERRAIN-15: through mud a charge goes six inches; round it, the full way."""
    swamp = piece(1, "swamp", at=(24, 13), size=(48, 2))
    near = table(group(0, 0, (10, 10)), group(1, 1, (10, 16.9)), pieces=(swamp,))
    assert solve_charge(near, 0, 1, CHARGE).is_legal
    far = table(group(0, 0, (10, 10)), group(1, 1, (10, 17.2)), pieces=(swamp,))
    assert not solve_charge(far, 0, 1, CHARGE).is_legal
    pond = piece(1, "swamp", at=(10, 13), size=(4, 2))
    beside = table(group(0, 0, (10, 10)), group(1, 1, (10, 17.2)), pieces=(pond,))
    plan = solve_charge(beside, 0, 1, CHARGE)
    assert plan.is_legal
    assert plan.walk.slowed_by == -1
    assert plan.walk.used[0] > 6.2


def test_chargers_keep_clear_of_others_if_they_can() -> None:
    """SK32-MOVE-09: a charger ends an inch from units it did not charge if it still makes contact."""
    third = group(2, 1, (11.7, 19.5))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 20)), third)
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.contacts == (0,)
    assert apart(plan.poses[0], third.poses[0]) >= 0.999


def test_charging_over_a_wall_uses_its_height() -> None:
    """SK32-TERRAIN-25: a low wall is climbed on the way, up and down."""
    wall = piece(1, "wall", at=(24, 14), size=(48, 1), height=2)
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 18)), pieces=(wall,))
    assert solve_charge(state, 0, 1, CHARGE).walk.used[0] == pytest.approx(11.0, abs=0.001)
    assert not solve_charge(
        table(group(0, 0, (10, 10)), group(1, 1, (10, 19.2)), pieces=(wall,)), 0, 1, CHARGE
    ).is_legal


def test_flyers_charge_over_everything() -> None:
    """SK32-SR-FLYING-01: a line of enemies does not stop a flying charge."""
    line = group(1, 1, *[(0.5 + i, 14) for i in range(31)])
    fly = WalkLimits((12.0,), "charge", spacing=0.0, ignores_units=(True,), ignores_terrain=(True,))
    state = table(group(0, 0, (10, 10)), line, group(2, 1, (10, 18)))
    plan = solve_charge(state, 0, 2, fly)
    assert plan.contacts == (0,)
    assert plan.walk.used[0] == pytest.approx(7.0, abs=0.001)


def test_ovals_and_squares_get_into_contact() -> None:
    """SK32-MELEE-04: bases of any shape touch."""
    for kind in ("oval", "square", "rect", "big"):
        state = table(group(0, 0, (10, 10), kind=kind), group(1, 1, (13, 18), kind=kind))
        plan = solve_charge(state, 0, 1, CHARGE)
        assert plan.contacts == (0,), kind


def _charged(state: State) -> State:
    """The state after the solved charge of unit 0 at unit 1."""

    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    units = (replace(state.units[0], poses=plan.poses), *state.units[1:])
    return replace(state, units=units)


def test_the_charged_close_up() -> None:
    """SK32-MELEE-07: 2.5 inches away it ends in contact, five inches away it uses three and ends two away."""
    chargers = group(0, 0, (10, 10))
    loose = WalkLimits((3.0,), "react", coherency=REACT.coherency.__class__(link=9.0, spread=9.0))
    state = table(chargers, group(1, 1, (10, 11), (13.5, 10), (4, 10)))
    plan = solve_react(state, 1, 0, loose)
    assert [path_.model for path_ in plan.paths] == [101, 102]
    assert plan.contacts == (100, 101)
    gaps = nearest(plan.poses, chargers.poses)
    assert gaps[1] == pytest.approx(0.0, abs=0.001)
    assert gaps[2] == pytest.approx(2.0, abs=0.01)
    assert plan.walk.used[2] == pytest.approx(3.0, abs=0.01)
    assert check_react(state, 1, 0, plan.paths, loose).is_legal


def test_the_charged_stay_together() -> None:
    """SK32-MELEE-08: a defender that could only touch by breaking the chain stops where it holds."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11), (11.5, 12.3), (13, 13.6), (14.5, 14.9)))
    plan = solve_react(state, 1, 0, REACT)
    assert plan.is_legal
    assert plan.walk.is_legal
    assert check_react(state, 1, 0, plan.paths, REACT).is_legal
    far = table(group(0, 0, (10, 10)), group(1, 1, (10, 11), (10, 12.5), (10, 14.5)))
    assert check_react(far, 1, 0, solve_react(far, 1, 0, REACT).paths, REACT).is_legal


def test_models_in_contact_stay() -> None:
    """SK32-MELEE-07: a defender in contact may not move, one that could touch may not stay."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11), (11.2, 11.5)))
    assert cites(check_react(state, 1, 0, [], REACT)) == ["charge.duty"]
    away = check_react(state, 1, 0, [path(100, (10.3, 11.2))], REACT)
    assert "react.stays" in cites(away)


def test_models_that_may_not_move_stay() -> None:
    """SK32-MELEE-07: stunned models (allowance 0) do not make the move."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11), (11.2, 11.5)))
    still = WalkLimits((3.0, 0.0), "react")
    assert solve_react(state, 1, 0, still).paths == ()
    assert check_react(state, 1, 0, [], still).is_legal


def test_the_charged_keep_off_third_units() -> None:
    """A2-MOVE-06: the short move is exempt from spacing towards the chargers only."""
    third = group(2, 0, (12.2, 9.4))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11), (11.3, 11.6)), third)
    plan = solve_react(state, 1, 0, REACT)
    assert all(gap >= 0.999 for gap in nearest(plan.poses, third.poses))


@pytest.mark.parametrize(("gap", "strikes"), [(0.0, True), (2.0, True), (2.1, False)])
def test_models_in_contact_or_close_by_may_strike(gap: float, strikes: bool) -> None:
    """SK32-MELEE-09: in contact or within two inches."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (11 + gap, 10)))
    assert models_in_reach(state, 0, 1) == ((0,) if strikes else ())
    assert models_in_reach(state, 1, 0) == ((100,) if strikes else ())


def test_chargers_step_back_an_inch() -> None:
    """SK32-CONSOL-02: a lone charger in contact ends an inch away and straight behind."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11)))
    back = step_back(state, 0, 1, CHARGE)
    assert back.poses == (pose(10, 9),)
    aslant = _charged(table(group(0, 0, (10, 10)), group(1, 1, (14.3, 17.1))))
    back = step_back(aslant, 0, 1, CHARGE)
    assert apart(back.poses[0], aslant.units[1].poses[0]) == pytest.approx(1.0, abs=0.0006)


def test_a_wall_at_its_back_keeps_a_charger() -> None:
    """SK32-CONSOL-02: with a wall touching its back it stays; half an inch of room is used."""
    wall = piece(1, "building", at=(10, 8.5), size=(6, 2))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11)), pieces=(wall,))
    assert step_back(state, 0, 1, CHARGE).paths == ()
    room = piece(1, "building", at=(10, 8.0), size=(6, 2))
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 11)), pieces=(room,))
    assert step_back(state, 0, 1, CHARGE).poses[0].y == pytest.approx(9500, abs=2)


def test_only_those_too_close_step_back() -> None:
    """SK32-CONSOL-02: a model farther than an inch does not move, one half an inch off moves half an inch."""
    state = table(group(0, 0, (10, 10), (11.4, 10), (10, 8.4)), group(1, 1, (10, 11.5)))
    back = step_back(state, 0, 1, CHARGE)
    assert back.poses[0] == pose(10, 9.5)
    assert {path_.model for path_ in back.paths} <= {0, 1}


def test_models_behind_make_room_for_those_too_close() -> None:
    """A2-CONSOL-02: the unit moves back, so nobody stays in contact because of a mate at its back."""
    state = table(group(0, 0, (10, 10), (10, 9)), group(1, 1, (10, 11)))
    assert step_back(state, 0, 1, CHARGE).poses == (pose(10, 9), pose(10, 8))


def test_how_a_crowd_closes_up_by_itself_is_allowed() -> None:
    """A2-MELEE-05: models that crowd each other out are not held to what one of them could do alone."""
    pikes = group(
        0,
        0,
        *((55.226, 24.293), (57.641, 23.602), (53.964, 24.293), (56.748, 24.49), (58.508, 27.637)),
        *((54.594, 25.384), (53.508, 26.022), (52.877, 24.929), (58.903, 23.602), (57.964, 24.828)),
        *((57.145, 25.785), (54.559, 26.717), (58.37, 26.083), (57.01, 22.509), (55.487, 22.308)),
    )
    guard = group(
        1, 1, (59.66, 29.762), (58.768, 28.87), (59.987, 28.543), (58.441, 30.089), (60.879, 30.089)
    )
    troll = group(2, 1, (56.104, 27.957), kind="oval")
    rock = piece(0, "mountain", [(59.977, 23.26), (58.978, 21.475), (58.364, 19.385), (66.324, 22.069)])
    state = table(pikes, guard, troll, pieces=(rock,), width=72)
    wide, long = Base("round", 32, 32), Base("oval", 50, 100)
    inch, big, oval, *rest = state.profiles
    state = replace(state, profiles=(replace(inch, base=wide), big, replace(oval, base=long), *rest))
    limits = WalkLimits((3.0,), "react", coherency=Coherency(2.0, 6.0, "letter", 2.0), mates_obstruct=False)
    plan = solve_react(state, 0, 1, limits)
    assert plan.paths
    assert check_react(state, 0, 1, plan.paths, limits).is_legal
