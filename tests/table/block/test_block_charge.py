"""Which enemies a block can charge, on which side and by which path."""

from __future__ import annotations

import math
import random

import pytest
from block_scenes import CHARGE, ODD, at, block, body, cites, forward, ground, pivot, table
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shieldwall.core.answers import Leg
from shieldwall.core.state import Piece, Pose, State, Unit
from shieldwall.table.arcs import ARCS, Arc, arc_of
from shieldwall.table.block_charge import ChargeOption, charge_reach, charge_to, charged_sides
from shieldwall.table.block_moves import MarchLimits, check_march, gap_between
from shieldwall.table.formations import figure_centres
from shieldwall.table.measure import units_apart
from shieldwall.table.melee_contact import align_units

FLYING = replace(CHARGE, ignores_units=True, ignores_terrain=True)


HERE = at(36, 10)


def duel(target: Pose, charger: Pose = HERE, *others: Unit, pieces: tuple[Piece, ...] = ()) -> State:
    return table(block(1, charger), block(2, target, side=1), *others, pieces=pieces)


def targets(state: State, limits: MarchLimits = CHARGE) -> list[int]:
    return [option.target for option in charge_reach(state, 1, limits)]


def only(state: State, limits: MarchLimits = CHARGE) -> ChargeOption:
    (option,) = charge_reach(state, 1, limits)
    return option


def test_target_straight_ahead_is_reached_up_to_the_allowance() -> None:
    """R35-MOVE-17: at 12.0 inches the Charge is offered, at 12.1 it is not; with 16 inches 15.5 is in
    reach.
    """
    assert targets(duel(at(36, 24, 180))) == [2]
    assert targets(duel(at(36, 24.1, 180))) == []
    assert targets(duel(at(36, 27.5, 180))) == []
    assert targets(duel(at(36, 27.5, 180)), replace(CHARGE, allowance=16000)) == [2]


def test_straight_charge_ends_in_contact() -> None:
    """R35-MOVE-15, R35-MELEE-04: a target 10 inches ahead is met after 10 inches."""
    option = only(duel(at(36, 22, 180)))
    assert option.legs == (forward(10),)
    assert option.used == 10000


def test_charge_may_turn_on_the_way() -> None:
    """R35-MOVE-18: 4 forward, 45 degrees, 6 forward is legal with 10 inches used."""
    state = duel(at(36 + 8 * math.sin(math.pi / 4), 14 + 8 * math.cos(math.pi / 4), 225))
    result = check_march(state, 1, (forward(4), pivot(45), forward(6)), replace(CHARGE, target=2))
    assert result.is_legal
    assert result.used == 10000
    assert targets(state) == [2]


def test_units_bar_the_way_of_a_charge() -> None:
    """R35-MOVE-04: with friends across the whole way the Charge is refused; flying over them it is legal."""
    wall = tuple(block(unit_id, at(x, 15)) for unit_id, x in ((3, 36), (4, 42), (5, 30), (6, 48), (7, 24)))
    state = duel(at(36, 20, 180), at(36, 10), *wall)
    assert targets(state) == []
    assert targets(state, FLYING) == [2]  # R35-SR-FLYING-03


def test_charge_goes_round_a_single_unit() -> None:
    """R35-MOVE-18: one small unit in the way can be passed by."""
    state = table(block(1, at(36, 10), 3, 3), block(2, at(36, 20, 180), side=1), block(3, at(37.2, 15), 1, 1))
    option = only(state)
    assert len(option.legs) >= 2
    assert check_march(state, 1, option.legs, replace(CHARGE, target=2)).is_legal


def test_charge_passes_others_closely() -> None:
    """R35-MOVE-16: 0.5 inches from a third unit is no hindrance."""
    state = duel(at(36, 20, 180), at(36, 10), block(3, at(41.5, 15)))
    assert only(state).legs == (forward(8),)


def test_wall_bars_a_charge() -> None:
    """R35-MELEE-02: an enemy 8 inches ahead behind a long impassable wall is no target."""
    wall = ground(1, "building", 10, 14, 62, 15)
    assert targets(duel(at(36, 20, 180), pieces=(wall,))) == []
    short = ground(1, "building", 38.6, 14, 44, 15)
    assert targets(duel(at(36, 20, 180), pieces=(short,))) == [2]


def test_sight_is_not_needed() -> None:
    """R35-MELEE-03: an enemy behind a hedge that blocks sight and can be crossed is a valid target."""
    hedge = ground(1, "hedge", 20, 14, 52, 15, types=("blocking",), height=1.0)
    assert targets(duel(at(36, 20, 180), pieces=(hedge,))) == [2]


def test_difficult_ground_caps_a_charge() -> None:
    """R35-TERRAIN-19: a target 7 inches away across a swamp is refused, at 6 inches it is legal."""
    swamp = ground(1, "swamp", 0, 12, 72, 13)
    assert targets(duel(at(36, 19, 180), pieces=(swamp,))) == []
    assert targets(duel(at(36, 18, 180), pieces=(swamp,))) == [2]
    assert targets(duel(at(36, 19, 180), pieces=(swamp,)), replace(CHARGE, ignores_difficult=True)) == [2]


def test_enemy_directly_behind_cannot_be_charged() -> None:
    """R35-MELEE-15: 1 inch behind, one pivot of 90 is not enough."""
    assert targets(duel(at(36, 7))) == []


def test_sideways_charge_is_not_possible() -> None:
    """R35-MOVE-20: an enemy 2 inches beside and behind what a pivot can reach is no target."""
    state = table(block(1, at(36, 10)), block(2, at(40.5, 6), 1, 1, side=1))
    assert targets(state) == []


def test_target_outside_the_front_arc_may_be_charged() -> None:
    """R35-MELEE-03: one pivot of up to 90 degrees and a straight leg reach a target at the side."""
    option = only(duel(at(46, 10, 270)))
    assert option.side == "front"
    assert any(leg.kind == "pivot" for leg in option.legs)


def test_friends_are_no_targets() -> None:
    """R35-MELEE-01: only enemy units are charged."""
    state = table(block(1, at(36, 10)), block(2, at(36, 16)))
    assert targets(state) == []


def test_every_enemy_in_reach_is_listed_in_order() -> None:
    """R35-MELEE-01: two enemies in reach are two options."""
    state = table(
        block(1, at(36, 10)), block(4, at(33, 18, 180), 5, side=1), block(3, at(39, 18, 180), 5, side=1)
    )
    assert targets(state) == [4, 3]


def test_side_with_most_of_the_front_row_is_charged() -> None:
    """R35-MELEE-09: 3 of 5 in the right flank arc and 2 in the front arc go for the right flank."""
    target = block(2, at(36, 24), side=1)
    # the right front line runs from (38.5, 25) at 45 degrees; the charger's front row lies across it
    charger = block(1, at(44.6, 30.9, 270 - 45))
    state = table(charger, target)
    arcs = [
        arc_of(target, state.profiles, *spot) for spot in figure_centres(charger, state.profiles)[:5].tolist()
    ]
    assert sorted(arcs) == ["front", "front", "right", "right", "right"]
    assert charged_sides(state, 1, 2) == ("right",)
    option = only(state)
    assert (option.side, option.proper) == ("right", "right")


def test_tie_goes_to_the_middle_of_the_front_edge() -> None:
    """R35-MELEE-09: 2 and 2 models tie; the arc of the middle of the front edge decides."""
    target = block(2, at(36, 24), side=1)
    for shift, side in ((-0.2, "right"), (0.2, "front")):
        # four models across the 45 degree line through (38.5, 25); forward is 225 degrees
        x, y = 42.5 - 0.70711 * shift, 29.0 + 0.70711 * shift
        charger = block(1, at(x, y, 225), 4, 4)
        state = table(charger, target)
        spots = figure_centres(charger, state.profiles).tolist()
        arcs = [arc_of(target, state.profiles, *spot) for spot in spots]
        assert sorted(arcs) == ["front", "front", "right", "right"]
        assert charged_sides(state, 1, 2) == (side,)
        assert only(state).proper == side


@pytest.mark.parametrize(
    ("charger", "side"),
    [
        (at(36, 34, 180), "front"),
        (at(36, 14, 0), "rear"),
        (at(46, 24, 270), "right"),
        (at(26, 24, 90), "left"),
    ],
)
def test_each_side_can_be_charged(charger: Pose, side: Arc) -> None:
    """R35-MELEE-09: front, rear and flanks from straight before them."""
    option = only(duel(at(36, 24), charger))
    assert (option.side, option.proper) == (side, side)
    assert len(option.legs) == 1


def test_unreachable_side_gives_way_to_the_nearest() -> None:
    """R35-MELEE-09: with the right flank walled in the charger meets another side."""
    wall = ground(1, "building", 38.6, 20, 38.8, 25.0)
    state = table(block(1, at(46, 27.5, 270)), block(2, at(36, 24), side=1), pieces=(wall,))
    assert charged_sides(state, 1, 2) == ("right",)
    assert charge_to(state, 1, 2, CHARGE, "right") is None
    option = only(state)
    assert (option.side, option.proper) == ("front", "right")


def test_no_room_on_a_side_makes_it_unreachable() -> None:
    """R35-MELEE-06: a side against which the charger cannot stand flat does not count as reachable."""
    left, right = block(3, at(30.4, 24.9), 5, 5), block(4, at(41.6, 24.9), 5, 5)
    behind = block(5, at(36, 26.0), 1, 1)
    state = table(block(1, at(36, 40, 180)), block(2, at(36, 24, 0), 3, 3, side=1), left, right, behind)
    option = charge_to(state, 1, 2, CHARGE)
    assert option is None or option.side != "front"


def test_charge_to_a_demanded_side() -> None:
    """R35-MELEE-09: where the charger picks, the picked side is met or the charge is refused."""
    state = duel(at(36, 24), at(44, 33, 225))
    for side in ("front", "right"):
        option = charge_to(state, 1, 2, CHARGE, side)
        assert option is not None
        assert option.side == side
    assert charge_to(state, 1, 2, CHARGE, "rear") is None


def test_flat_contact_with_the_front_is_none_with_the_flanks() -> None:
    """R35-MELEE-09: a front that covers the corners of the target's front edge has not reached its flanks."""
    state = duel(at(36.5, 20, 180))
    straight = replace(CHARGE, kinds=("forward",), pivot_limit=0)
    assert charge_to(state, 1, 2, straight, "front") is not None
    for side in ("left", "right", "rear"):
        assert charge_to(state, 1, 2, straight, side) is None  # type: ignore[arg-type]


def test_corner_that_swings_against_the_target_is_no_charge() -> None:
    """R35-MELEE-15: contact that the turn alone makes does not count, to the thousandth."""
    for turn in range(200, 500, 4):
        state = table(block(1, Pose(36000, 24000, turn), 5), block(2, Pose(36423, 21030, 213), 1, 5, side=1))
        assert all(option.legs[-1].kind == "forward" for option in charge_reach(state, 1, CHARGE))


def test_unit_with_a_hero_beside_charges_with_its_whole_front() -> None:
    """R35-FORM-11: the hero's base belongs to the front that meets the target."""
    charger = block(1, at(36, 10), hero=ODD, slot=-2)
    state = table(charger, block(2, at(39.6, 18, 180), 1, 1, side=1))
    assert only(state).legs == (forward(6.5),)


def test_unit_in_contact_may_charge_as_usual() -> None:
    """R35-CONSOL-05: units left touching charge as if they stood apart."""
    option = only(duel(at(36, 12, 180)))
    assert (option.side, option.used) == ("front", 0)
    assert targets(duel(at(36, 8))) == []


def test_flying_charger_turns_above_others() -> None:
    """R35-SR-FLYING-03: over friends on both legs, with the turn in between."""
    friends = (block(3, at(36, 14)), block(4, at(40, 17)))
    state = duel(at(45, 16, 270), at(36, 10), *friends)
    option = only(state, FLYING)
    assert check_march(state, 1, option.legs, replace(FLYING, target=2)).is_legal


def test_gone_or_far_targets_give_no_option() -> None:
    """R35-MOVE-19: a target that left the table cannot be charged any more."""
    state = table(block(1, at(36, 10)), replace(block(2, at(36, 18), side=1), place="gone"))
    assert charge_to(state, 1, 2, CHARGE) is None


def way(first: int, turn: int, second: int) -> tuple[Leg, ...]:
    legs = (Leg("forward", first), Leg("pivot", turn), Leg("forward", second))
    return tuple(leg for leg in legs if leg.amount)


@st.composite
def duels(draw: st.DrawFn) -> State:
    """A charger, a target somewhere round it and up to two others in the way."""
    charger = block(1, Pose(36000, 24000, draw(st.integers(0, 35999))), draw(st.sampled_from([3, 5, 7, 10])))
    angle, away = draw(st.floats(0, 2 * math.pi)), draw(st.floats(3, 15))
    where = at(36 + away * math.sin(angle), 24 + away * math.cos(angle))
    target = block(
        2, replace(where, heading=draw(st.integers(0, 35999))), draw(st.sampled_from([1, 5, 8, 10])), side=1
    )
    units = [charger, target]
    for unit_id in range(3, 3 + draw(st.integers(0, 2))):
        x, y = draw(st.integers(24000, 48000)), draw(st.integers(14000, 34000))
        units.append(block(unit_id, Pose(x, y, draw(st.integers(0, 35999))), 5, side=0))
    standing: list[Unit] = []
    for unit in units:
        if all(body(unit).distance(body(other)) > 0.05 for other in standing):
            standing.append(unit)
    assume(len(standing) >= 2 and standing[1].id == 2)
    return table(*standing)


@settings(max_examples=100)
@given(duels())
def test_every_charge_offered_is_legal_and_can_be_closed(state: State) -> None:
    """R35-MOVE-15..17, R35-MELEE-04: the way passes the check, ends in contact and can be aligned."""
    for option in charge_reach(state, 1, CHARGE):
        assert units_apart(state, 1, option.target) <= 12.0005
        result = check_march(state, 1, option.legs, replace(CHARGE, target=option.target))
        assert result.reasons == ()
        assert result.used == option.used <= 12000
        assert gap_between(state, state.units[0], result.pose, option.target) <= 0.002
        assert align_units(state, 1, option.target, option.side, result.pose) is not None
        assert option.legs[-1].kind == "forward"  # R35-MELEE-15: no contact by turning


@settings(max_examples=60)
@given(duels(), st.integers(0, 10**6))
def test_no_easy_charge_is_missed(state: State, seed: int) -> None:
    """R35-MOVE-17: if a random path and its neighbours work with room to spare, the search finds one too."""
    assume(units_apart(state, 1, 2) <= 12.0)
    numbers = random.Random(seed)
    front_only = replace(CHARGE, allowance=11500)
    for _ in range(150):
        first, turn = numbers.randint(0, 11000), numbers.randint(-9000, 9000)
        if numbers.random() < 0.5:
            first = 0
        found = contact_way(state, front_only, first, turn)
        if found is None or not has_room_somewhere(state, found):
            continue
        beside = [
            contact_way(state, front_only, first + 200, turn),
            contact_way(state, front_only, first, turn - 300),
        ]
        if None not in beside:
            assert targets(state) == [2]
            return


def contact_way(state: State, limits: MarchLimits, first: int, turn: int) -> tuple[Leg, ...] | None:
    """The way with this first leg and turn that ends in contact, by halving the second leg; None where
    barred.
    """
    unit = state.units[0]
    low, high = 0, limits.allowance - first
    begin = check_march(state, 1, way(first, turn, 0), limits)
    if not begin.is_legal or gap_between(state, unit, begin.pose, 2) < 0.05:
        return None
    if check_march(state, 1, way(first, turn, high), limits).is_legal:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if check_march(state, 1, way(first, turn, middle), limits).is_legal:
            low = middle
        else:
            high = middle
    legs = way(first, turn, low)
    return legs if check_march(state, 1, legs, replace(limits, target=2)).is_legal else None


def has_room_somewhere(state: State, legs: tuple[Leg, ...]) -> bool:
    pose = check_march(state, 1, legs, CHARGE).pose
    return any(align_units(state, 1, 2, side, pose) is not None for side in ARCS)


@settings(max_examples=60)
@given(duels())
def test_charges_look_the_same_in_a_mirrored_order(state: State) -> None:
    """R35-MOVE-17: the order in which units are listed changes nothing but the order of the options."""
    swapped = replace(state, units=state.units[::-1])
    assert {option.target for option in charge_reach(state, 1, CHARGE)} == {
        option.target for option in charge_reach(swapped, 1, CHARGE)
    }
    assert charge_to(state, 1, 2, CHARGE) == charge_to(swapped, 1, 2, CHARGE)


def test_far_enemy_costs_no_search() -> None:
    """R35-MOVE-17: beyond the allowance nothing is searched and nothing is offered."""
    state = duel(at(36, 40, 180))
    assert charge_reach(state, 1, CHARGE) == ()
    refused = cites(check_march(state, 1, (forward(12),), replace(CHARGE, target=2)))
    assert refused == {"charge.reach", "charge.contact"}


def test_swinging_corner_gives_no_more_reach() -> None:
    """R35-MOVE-17: 11 inches forward and a turn would touch a target 12.1 inches away; it is refused."""
    state = duel(at(36, 24.1, 180))
    legs = (forward(11), pivot(60), Leg("forward", 700))
    assert "charge.reach" in cites(check_march(state, 1, legs, replace(CHARGE, target=2)))
    assert charge_to(state, 1, 2, CHARGE) is None
