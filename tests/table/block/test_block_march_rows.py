"""The rulebook's rows about moves of blocks."""

from __future__ import annotations

import pytest
from block_scenes import (
    ADVANCE,
    ALL_WAYS,
    CHARGE,
    HOLD,
    ODD,
    RUSH,
    at,
    back,
    block,
    body,
    cites,
    forward,
    ground,
    pivot,
    sideways,
    table,
)
from msgspec.structs import replace

from shieldwall.core.answers import Leg
from shieldwall.core.state import Pose, State
from shieldwall.table.block_moves import MarchLimits, check_march, furthest_forward, standing_in
from shieldwall.table.melee_contact import check_consolidation

FLY = {"ignores_units": True, "ignores_terrain": True}


def lone(*, x: float = 36, y: float = 10, heading: float = 0) -> State:
    return table(block(1, at(x, y, heading)))


def refusals(state: State, legs: tuple[Leg, ...], limits: MarchLimits) -> set[str]:
    return cites(check_march(state, 1, legs, limits))


def test_legs_add_up_to_the_allowance() -> None:
    """R35-MOVE-01: 4 forward, a pivot and 2 forward are legal in an Advance, 2.1 are not."""
    assert refusals(lone(), (forward(4), pivot(30), forward(2)), ADVANCE) == set()
    assert refusals(lone(), (forward(4), pivot(30), forward(2.1)), ADVANCE) == {"move.distance"}


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("advance", "Unit 1 may not turn in an advance"),
        ("led", "Unit 1 may not turn in a move that another unit leads"),
        ("spell", "Unit 1 may not turn in a move by a spell"),
        ("rule", "Unit 1 may not turn in a move by a special rule"),
    ],
)
def test_reasons_name_the_move_in_words(action: str, told: str) -> None:
    limits = MarchLimits(action, 3000, 3000, kinds=("forward",))
    (reason,) = check_march(lone(), 1, (pivot(30),), limits).reasons
    assert reason.text == told


def test_only_straight_legs_are_measured() -> None:
    """R35-MEAS-06, R35-MOVE-23: 6.0 straight is legal, 6.1 is not, and a pivot costs nothing."""
    assert refusals(lone(), (forward(6),), ADVANCE) == set()
    assert refusals(lone(), (forward(6.1),), ADVANCE) == {"move.distance"}
    result = check_march(lone(), 1, (pivot(90), forward(6)), ADVANCE)
    assert result.is_legal
    assert result.used == 6000


def test_one_inch_stays_free() -> None:
    """R35-MOVE-02: ending 0.9 inches from a friendly unit is refused, 1.0 is legal."""
    state = table(block(1, at(36, 10)), block(2, at(36, 17)))
    assert refusals(state, (forward(4.1),), ADVANCE) == {"move.spacing"}
    assert refusals(state, (forward(4.0),), ADVANCE) == set()


def test_one_inch_stays_free_on_the_way() -> None:
    """R35-MOVE-02: passing an enemy at 0.9 inches is refused although the end is far away."""
    near = table(block(1, at(36, 10)), block(2, at(41.9, 16), side=1))
    assert refusals(near, (forward(12),), RUSH) == {"move.spacing"}
    far = table(block(1, at(36, 10)), block(2, at(42.0, 16), side=1))
    assert refusals(far, (forward(12),), RUSH) == set()


def test_reason_names_the_distance() -> None:
    """R35-MOVE-02: the refusal says how close and to whom."""
    state = table(block(1, at(36, 10)), block(2, at(36, 17)))
    (reason,) = check_march(state, 1, (forward(4.4),), ADVANCE).reasons
    assert reason.text == "Unit 1 would come within 0.6 inches of Unit 2; 1 inch must stay free"


def test_unit_already_close_may_go_away_but_not_closer() -> None:
    """R35-MOVE-03: from 0.4 inches away is legal, to 0.2 inches is refused."""
    state = table(block(1, at(36, 10)), block(2, at(36, 12.4), side=1))
    assert refusals(state, (back(3),), ADVANCE) == set()
    assert refusals(state, (forward(0.2),), ADVANCE) == {"move.closer"}
    assert refusals(state, (sideways(3),), ADVANCE) == set()


def test_unit_already_close_to_one_keeps_its_distance_from_others() -> None:
    """R35-MOVE-03: being close to one unit gives no leave to come close to another."""
    state = table(block(1, at(36, 10)), block(2, at(36, 12.4), side=1), block(3, at(36, 6.0)))
    assert refusals(state, (back(1.5),), ADVANCE) == {"move.spacing"}
    assert refusals(state, (back(1.0),), ADVANCE) == set()


def test_nobody_passes_through_units() -> None:
    """R35-MOVE-04: friend and foe bar the way, also in a Charge."""
    for side in (0, 1):
        state = table(block(1, at(36, 10)), block(2, at(36, 15), side=side))
        assert refusals(state, (forward(10),), RUSH) == {"move.through"}
        assert refusals(state, (forward(10),), CHARGE) == {"move.through"}


def test_table_edge_is_not_left() -> None:
    """R35-MOVE-05: with the rear at y=2.0 going back 2.1 is refused, 2.0 is legal."""
    limits = replace(ADVANCE, half_allowance=6000)
    assert refusals(lone(y=3), (back(2.1),), limits) == {"move.edge"}
    assert refusals(lone(y=3), (back(2.0),), limits) == set()


def test_pivot_ends_on_the_table_but_may_swing_over_its_edge() -> None:
    """R35-MOVE-05: the end of a pivot must lie on the table; a corner may leave it on the way."""
    assert refusals(lone(y=2.4), (pivot(90),), ADVANCE) == {"move.edge"}
    assert refusals(lone(y=2.5), (pivot(90),), ADVANCE) == set()
    assert refusals(lone(y=1.5), (pivot(180),), HOLD) == set()


def test_impossible_spots_are_refused() -> None:
    """R35-MOVE-06: neither another unit nor a building may be overlapped, even by those who fly."""
    flier = replace(RUSH, **FLY)
    over_unit = table(block(1, at(36, 10)), block(2, at(36, 20)))
    assert refusals(over_unit, (forward(10),), flier) == {"move.through"}
    over_house = table(block(1, at(36, 10)), pieces=(ground(1, "building", 34, 18, 38, 22),))
    assert refusals(over_house, (forward(10),), flier) == {"move.impassable"}


def test_hold_turns_up_to_180_degrees() -> None:
    """R35-MOVE-07: a holding unit may turn about, but not move."""
    result = check_march(lone(), 1, (pivot(180),), HOLD)
    assert result.is_legal
    assert result.pose == at(36, 10, 180)
    assert refusals(lone(), (forward(0.1),), HOLD) == {"move.forward", "move.distance"}


def test_advance_goes_up_to_six_inches() -> None:
    """R35-MOVE-08: the front edge may end anywhere from y=10 to y=16."""
    for inches in (0, 0.001, 3, 6):
        assert check_march(lone(y=9), 1, (forward(inches),), ADVANCE).pose == at(36, 9 + inches)


def test_advance_allows_one_pivot_of_ninety_degrees() -> None:
    """R35-MOVE-09: 3, 90 degrees, 3 is legal; a second pivot and 91 degrees are refused."""
    assert refusals(lone(), (forward(3), pivot(90), forward(3)), ADVANCE) == set()
    assert refusals(lone(), (forward(3), pivot(80), forward(3), pivot(10)), ADVANCE) == {"move.pivots"}
    assert refusals(lone(), (forward(3), pivot(91), forward(3)), ADVANCE) == {"move.pivot_limit"}
    assert refusals(lone(), (pivot(-90), forward(6)), ADVANCE) == set()
    assert refusals(lone(), (forward(6), pivot(-90)), ADVANCE) == set()


def test_advance_sideways_and_backward_at_half() -> None:
    """R35-MOVE-10: 3.0 to the side is legal, 3.1 is not; with an Advance of 8 the limit backward is 4.0."""
    for sign in (1, -1):
        assert refusals(lone(), (sideways(3.0 * sign),), ADVANCE) == set()
        assert refusals(lone(), (sideways(3.1 * sign),), ADVANCE) == {"move.half"}
    fast = replace(ADVANCE, allowance=8000, half_allowance=4000)
    assert refusals(lone(), (back(4.0),), fast) == set()
    assert refusals(lone(), (back(4.1),), fast) == {"move.half"}


def test_directions_are_not_mixed() -> None:
    """R35-MOVE-10: one mode for each action."""
    assert refusals(lone(), (forward(1), sideways(1)), ADVANCE) == {"move.mix"}
    assert refusals(lone(), (back(1), sideways(1)), ADVANCE) == {"move.mix"}


def test_sideways_goes_to_the_right_of_the_heading() -> None:
    """R35-MOVE-10: positive sideways legs go to the block's right, backward legs to its rear."""
    assert check_march(lone(heading=90), 1, (sideways(2),), ADVANCE).pose == at(36, 8, 90)
    assert check_march(lone(heading=90), 1, (back(2),), ADVANCE).pose == at(34, 10, 90)


def test_backward_advance_keeps_its_pivot() -> None:
    """R35-MOVE-11: 3 backward and then 90 degrees is legal."""
    assert refusals(lone(), (back(3), pivot(90)), ADVANCE) == set()


def test_rush_goes_up_to_twelve_inches() -> None:
    """R35-MOVE-12: the front goes from 10 to 22; 12.1 is refused."""
    assert check_march(lone(y=9), 1, (forward(12),), RUSH).pose == at(36, 21)
    assert refusals(lone(), (forward(12.1),), RUSH) == {"move.distance"}


def test_rush_turns_once_anywhere() -> None:
    """R35-MOVE-13: 5, 45 degrees, 7 is legal; a second pivot is refused."""
    assert refusals(lone(), (forward(5), pivot(45), forward(7)), RUSH) == set()
    assert refusals(lone(), (forward(5), pivot(45), forward(6), pivot(10)), RUSH) == {"move.pivots"}


@pytest.mark.parametrize("limits", [RUSH, CHARGE])
def test_rush_and_charge_go_forward_only(limits: MarchLimits) -> None:
    """R35-MOVE-14, R35-MOVE-20: neither sideways nor backward."""
    assert "move.side" in refusals(lone(), (sideways(1),), limits)
    assert "move.back" in refusals(lone(), (back(1),), limits)


def test_charge_ignores_the_spacing() -> None:
    """R35-MOVE-16: passing 0.5 inches from a third unit and ending in contact is legal."""
    state = table(block(1, at(36, 10)), block(2, at(36, 20), side=1), block(3, at(41.5, 15)))
    assert refusals(state, (forward(8),), replace(CHARGE, target=2)) == set()


def test_charge_must_end_in_contact() -> None:
    """R35-MELEE-04: a charge that stops short is no charge."""
    state = table(block(1, at(36, 10)), block(2, at(36, 20), side=1))
    assert refusals(state, (forward(7.9),), replace(CHARGE, target=2)) == {"charge.contact"}
    assert refusals(state, (forward(8.0),), replace(CHARGE, target=2)) == set()


def test_failed_charge_goes_on_but_keeps_its_distance() -> None:
    """R35-MOVE-19: along the declared direction up to the rest of the move, 1 inch away from all units."""
    state = table(block(1, at(36, 10)), block(3, at(36, 20), side=1))
    going_on = replace(CHARGE, spacing=1000)
    assert furthest_forward(state, 1, at(36, 10), going_on) == 7000
    assert refusals(state, (forward(7.0),), going_on) == set()


def test_pivot_turns_about_the_centre() -> None:
    """R35-MOVE-21: a 5x2 unit at (36,24) turned by 90 occupies x 35-37, y 21.5-26.5."""
    state = table(block(1, at(36, 24)))
    pose = check_march(state, 1, (pivot(90),), ADVANCE).pose
    assert pose == at(36, 24, 90)
    assert body(state.units[0], pose).bounds == pytest.approx((35, 21.5, 37, 26.5), abs=1e-6)


def test_pivot_ignores_what_it_sweeps() -> None:
    """R35-MOVE-22: the sweep may cross a friend and a wall; no ground is crossed and no test is due."""
    wall = ground(1, "building", 37.9, 25.5, 38.2, 25.8)
    lava = ground(2, "lava", 37.8, 22.0, 38.2, 22.4)
    state = table(block(1, at(36, 24)), block(2, at(34.6, 25.9), 1, 1), pieces=(wall, lava))
    result = check_march(state, 1, (pivot(180),), HOLD)
    assert result.is_legal
    assert result.crossed == ()


def test_pivot_must_end_free() -> None:
    """R35-MOVE-22: ending on a unit or in impassable ground is refused."""
    on_unit = table(block(1, at(36, 24)), block(2, at(36, 27)))
    assert refusals(on_unit, (pivot(90),), HOLD) == {"move.through"}
    on_wall = table(block(1, at(36, 24)), pieces=(ground(1, "building", 35, 26, 37, 27),))
    assert refusals(on_wall, (pivot(90),), HOLD) == {"move.impassable"}


def test_mere_pivot_may_end_close_but_not_in_contact() -> None:
    """R35-MOVE-22: closer than 1 inch only without moving, and never into contact."""
    close = table(block(1, at(36, 24)), block(2, at(36, 28.0)))  # after 90 degrees 0.5 inches are left
    assert refusals(close, (pivot(90),), ADVANCE) == set()
    assert refusals(close, (pivot(90), forward(1)), ADVANCE) == {"move.spacing"}
    touching = table(block(1, at(36, 24)), block(2, at(36, 27.5)))
    assert refusals(touching, (pivot(90),), ADVANCE) == {"move.pivot_contact"}


def test_pivot_is_free_of_cost() -> None:
    """R35-MOVE-23: after a 90 degree pivot the full 6.0 inches are there."""
    assert check_march(lone(), 1, (pivot(90), forward(6)), ADVANCE).pose == at(42, 10, 90)


def test_moves_without_a_pivot_keep_the_facing() -> None:
    """R35-MOVE-24, R35-CONSOL-02: a consolidation of 3 inches may not end facing 30."""
    assert "move.pivot_or_move" in cites(check_consolidation(lone(), 1, (forward(3), pivot(30))))
    no_turn = replace(RUSH, kinds=("forward",), pivot_limit=0)
    assert refusals(lone(), (forward(3), pivot(30)), no_turn) == {"move.pivot"}


def test_pivot_limit_of_nothing_allows_no_pivot() -> None:
    """R35-MOVE-24: a pivot needs a rule that grants some degrees."""
    assert refusals(lone(), (pivot(1),), replace(RUSH, pivot_limit=0)) == {"move.pivot_limit"}


def test_same_question_gets_the_same_answer() -> None:
    """R35-MOVE-01: a march asked about again, or about another unit or action, is never mixed up."""
    state = table(block(1, at(36, 10)), block(2, at(20, 10)))
    legs = (forward(7),)
    assert refusals(state, legs, RUSH) == refusals(state, legs, RUSH) == set()
    assert refusals(state, legs, ADVANCE) == {"move.distance"}
    assert check_march(state, 2, legs, ADVANCE).pose == at(20, 17)
    assert check_march(state, 1, legs, ADVANCE).pose == at(36, 17)
    moved = replace(state, units=(replace(state.units[0], block=at(36, 11)), state.units[1]))
    assert check_march(moved, 1, legs, ADVANCE).pose == at(36, 18)


def test_pure_pivot_is_a_move() -> None:
    """R35-MOVE-25: an Advance or Rush of 0 inches with a pivot of 90 is legal."""
    for limits in (ADVANCE, RUSH):
        result = check_march(lone(), 1, (forward(0), pivot(90)), limits)
        assert result.is_legal
        assert result.used == 0


def test_consolidation_moves_any_way_or_turns() -> None:
    """R35-CONSOL-02: 3.0 in any direction or 180 degrees; not 3.1, not both, not closer than 1 inch."""
    state = table(block(1, at(36, 24)), block(2, at(36, 29)))
    assert cites(check_consolidation(state, 1, (sideways(3.0),))) == set()
    assert cites(check_consolidation(state, 1, (sideways(3.1),))) == {"move.distance"}
    assert cites(check_consolidation(state, 1, (sideways(2.0), pivot(20)))) == {"move.pivot_or_move"}
    assert cites(check_consolidation(state, 1, (pivot(180),))) == set()
    assert cites(check_consolidation(state, 1, (forward(2.1),))) == {"move.spacing"}
    assert check_consolidation(state, 1, (sideways(2.1), back(2.1))).used == 2970
    assert cites(check_consolidation(state, 1, (sideways(2.2), back(2.2)))) == {"move.distance"}


def test_slanting_shift_meets_what_lies_on_its_line_only() -> None:
    """R35-CONSOL-02: a shift to the right rear passes beside what stands to the right front, and back."""
    post = block(2, at(40.1, 24.0), 1, 1)  # 1.1 inches beside the flank
    for ahead in (forward(2), back(2)):
        state = table(block(1, at(36, 24), 5), replace(post, block=at(40.1, 24.0)))
        assert cites(check_consolidation(state, 1, (sideways(0.5), ahead))) == {"move.spacing"}
    for ahead, y in ((forward(2), 21.4), (back(2), 26.6)):
        state = table(block(1, at(36, 24), 5), replace(post, block=at(40.1, y)))
        assert cites(check_consolidation(state, 1, (sideways(1.0), ahead))) == set()
        state = table(block(1, at(36, 24), 5), replace(post, block=at(40.1, 48 - y)))
        assert cites(check_consolidation(state, 1, (sideways(1.0), ahead))) == {"move.spacing"}


def test_all_reasons_come_at_once() -> None:
    """R35-MOVE-01..14: a march with many faults names each of them."""
    state = table(block(1, at(36, 4)), block(2, at(36, 9)), pieces=(ground(1, "building", 30, 12, 42, 13),))
    found = refusals(state, (forward(14), sideways(-40), pivot(95), pivot(5)), RUSH)
    assert found == {
        "move.distance", "move.side", "move.mix", "move.pivots", "move.pivot_limit", "move.through",
        "move.impassable", "move.edge",
    }  # fmt: skip


def test_negative_legs_are_refused() -> None:
    """R35-MOVE-10: backward at full length cannot be had as a negative forward leg."""
    assert "move.malformed" in refusals(lone(y=20), (Leg("forward", -6000),), ADVANCE)


def test_hero_beside_the_block_is_part_of_the_outline() -> None:
    """R35-FORM-11: the perimeter includes the hero: his base keeps the distance too."""
    hero = block(1, at(36, 10), hero=ODD, slot=-2)
    edge = at(36 + 3.25 + 0.5 + 0.9, 15)
    state = table(hero, block(2, edge, 1, 1))
    assert refusals(state, (forward(8),), RUSH) == {"move.spacing"}
    state = table(hero, block(2, replace(edge, x=edge.x + 100), 1, 1))
    assert refusals(state, (forward(8),), RUSH) == set()


def test_notch_of_a_short_row_is_free() -> None:
    """R35-MOVE-02: distances run to the bases, not to the enclosing rectangle."""
    short = block(1, at(36, 10), 6, started=10)  # the second row holds one model on the left
    inside = table(short, block(2, at(38, 8.5), 1, 1))  # 1 inch behind the first row
    assert refusals(inside, (forward(3),), ADVANCE) == set()
    assert refusals(inside, (back(0.5),), ADVANCE) == {"move.spacing"}


def test_impassable_terrain_stops_those_who_walk() -> None:
    """R35-TERRAIN-07: a mountain on the path is refused, with Flying it is legal when the end lies beyond."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "mountain", 30, 13, 42, 15),))
    assert refusals(state, (forward(10),), RUSH) == {"move.impassable"}
    assert refusals(state, (forward(10),), replace(RUSH, **FLY)) == set()


def test_flying_passes_over_units_and_ground() -> None:
    """R35-SR-FLYING-01..02: over an enemy, a swamp and lava without cap or test, ending 1 inch free."""
    pieces = (ground(1, "swamp", 30, 12, 42, 13), ground(2, "lava", 30, 16, 42, 17))
    state = table(block(1, at(36, 10)), block(2, at(36, 14.5), side=1), pieces=pieces)
    result = check_march(state, 1, (forward(12),), replace(RUSH, **FLY))
    assert result.is_legal
    assert result.crossed == ()
    assert refusals(state, (forward(7.0),), replace(RUSH, **FLY)) == {"move.spacing"}


def test_wide_gap_is_impassable_and_narrow_gap_is_not() -> None:
    """R35-TERRAIN-06, R35-TERRAIN-08: 1.1 inches stop, 1.0 is crossed as flat ground for the full 6.0."""
    wide = table(block(1, at(36, 10)), pieces=(ground(1, "chasm", 20, 12, 50, 13.1),))
    assert refusals(wide, (forward(6),), ADVANCE) == {"move.impassable"}
    narrow = table(block(1, at(36, 10)), pieces=(ground(1, "chasm", 20, 12, 50, 13.0),))
    result = check_march(narrow, 1, (forward(6),), ADVANCE)
    assert result.is_legal
    assert result.used == 6000


def test_nobody_ends_over_a_gap() -> None:
    """R35-TERRAIN-09: a base half over a 1.0 inch gap is refused."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "chasm", 20, 12, 50, 13.0),))
    assert refusals(state, (forward(2.5),), ADVANCE) == {"move.overhang"}
    assert refusals(state, (forward(1.0),), ADVANCE) == set()


def test_nobody_ends_hanging_over_a_ledge() -> None:
    """R35-TERRAIN-09: bases must stand wholly on a raised piece or wholly off it."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "roof", 20, 12, 50, 20, height=1.5),))
    assert refusals(state, (forward(1.5),), RUSH) == {"move.overhang"}
    assert refusals(state, (forward(2.0),), RUSH) == set()  # the first row is up, the second still below
    assert refusals(state, (forward(3.0),), RUSH) == set()


def test_difficult_terrain_caps_the_whole_unit() -> None:
    """R35-TERRAIN-19: a Rush with one model through mud is legal for 6.0 and refused for 6.1."""
    mud = ground(1, "mud", 38, 12, 39, 13)
    state = table(block(1, at(36, 10)), pieces=(mud,))
    assert refusals(state, (forward(6.0),), RUSH) == set()
    assert refusals(state, (forward(6.1),), RUSH) == {"move.difficult"}
    assert refusals(state, (forward(12),), replace(RUSH, ignores_difficult=True)) == set()
    (crossing,) = check_march(state, 1, (forward(6),), RUSH).crossed
    assert (crossing.piece, crossing.models, crossing.difficult) == (1, (4, 9), True)


def test_difficult_terrain_counts_when_left_and_not_at_its_border() -> None:
    """R35-TERRAIN-19: leaving it triggers the cap, merely meeting its border does not."""
    start = table(block(1, at(36, 10)), pieces=(ground(1, "mud", 33, 8, 35, 9.5),))
    assert refusals(start, (forward(6.1),), RUSH) == {"move.difficult"}
    border = table(block(1, at(36, 10)), pieces=(ground(1, "mud", 38.5, 8, 45, 20),))
    assert refusals(border, (forward(12),), RUSH) == set()


def test_bonus_cannot_lift_the_cap() -> None:
    """R35-TERRAIN-19: with an Advance of 7 or 8 the cap stays 6."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "mud", 30, 12, 42, 13),))
    fast = replace(ADVANCE, allowance=8000, half_allowance=4000)
    assert refusals(state, (forward(6.1),), fast) == {"move.difficult"}


def test_models_that_cross_dangerous_ground_are_named() -> None:
    """R35-TERRAIN-21: 3 files cross lava in a Rush, 6 models of 10 in two rows."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "lava", 35.6, 12, 38.4, 13),))
    (crossing,) = check_march(state, 1, (forward(8),), RUSH).crossed
    assert crossing.dangerous
    assert crossing.models == (2, 3, 4, 7, 8, 9)
    one_row = table(block(1, at(36, 10), 5), pieces=(ground(1, "lava", 35.6, 12, 38.4, 13),))
    (crossing,) = check_march(one_row, 1, (forward(8),), RUSH).crossed
    assert crossing.models == (2, 3, 4)


def test_models_that_stand_in_dangerous_ground_are_named() -> None:
    """R35-TERRAIN-21: 5 models in lava are all found when the unit is activated."""
    state = table(block(1, at(36, 10), 5), pieces=(ground(1, "lava", 30, 5, 42, 15),))
    (crossing,) = standing_in(state, 1, HOLD)
    assert crossing.dangerous
    assert crossing.models == (0, 1, 2, 3, 4)
    assert standing_in(lone(), 1, HOLD) == ()


@pytest.mark.parametrize("kind", ["river", "ruin"])
def test_rivers_and_ruins_are_dangerous_on_rush_and_charge(kind: str) -> None:
    """R35-SETUP-21, R35-SETUP-23: no test on an Advance, tests on Rush and Charge."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, kind, 30, 12, 42, 13),))
    for limits, dangerous in ((ADVANCE, False), (RUSH, True), (CHARGE, True)):
        (crossing,) = check_march(state, 1, (forward(5),), limits).crossed
        assert crossing.dangerous is dangerous
        assert not crossing.difficult


def test_hill_slows_uphill_only() -> None:
    """R35-SETUP-17: going up caps at 6, going down does not."""
    hill = ground(1, "hill", 30, 12, 42, 22, height=0.5)
    up = table(block(1, at(36, 10)), pieces=(hill,))
    assert refusals(up, (forward(6.0),), RUSH) == set()
    assert refusals(up, (forward(6.1),), RUSH) == {"move.difficult"}
    down = table(block(1, at(36, 16, 180)), pieces=(hill,))
    assert refusals(down, (forward(12),), RUSH) == set()
    assert refusals(down, (forward(2),), RUSH) == set()


def test_tall_pieces_are_impassable() -> None:
    """R35-TERRAIN-24: a cliff of 3.1 inches stops, one of 3.0 is climbed."""
    for height, refused in ((3.1, {"move.impassable", "move.tall"}), (3.0, set())):
        cliff = ground(1, "cliff", 30, 12, 42, 18, height=height)
        state = table(block(1, at(36, 10)), pieces=(cliff,))
        assert refusals(state, (forward(4),), RUSH) == refused


def test_climbing_is_part_of_the_move() -> None:
    """R35-TERRAIN-25: 2 to the foot of a 3 inch hill, 3 up, 1 left on top."""
    hill = ground(1, "hill", 30, 13, 42, 23, height=3.0)
    state = table(block(1, at(36, 10), 5), pieces=(hill,))  # front at 10.5, foot at 13
    state = replace(state, units=(replace(state.units[0], block=at(36, 10.5)),))
    result = check_march(state, 1, (forward(3.0),), ADVANCE)
    assert result.is_legal
    assert (result.used, result.climbed) == (6000, 3000)
    assert refusals(state, (forward(3.1),), ADVANCE) == {"move.climb"}
    assert furthest_forward(state, 1, at(36, 10.5), ADVANCE) == 3000


def test_nobody_ends_in_the_middle_of_a_climb() -> None:
    """R35-TERRAIN-26: with 2 inches left at the foot of a 3 inch hill the climb is refused."""
    hill = ground(1, "hill", 30, 15, 42, 25, height=3.0)
    state = table(block(1, at(36, 10.5), 5), pieces=(hill,))  # front at 11, foot at 15
    assert refusals(state, (forward(4.0),), ADVANCE) == set()
    assert refusals(state, (forward(4.001),), ADVANCE) == {"move.climb"}
    assert furthest_forward(state, 1, at(36, 10.5), ADVANCE) == 4000


def test_low_terrain_costs_nothing_and_higher_terrain_twice() -> None:
    """R35-TERRAIN-28: a wall of 1.0 is free, one of 1.5 costs 3.0 extra; difficult low ground still slows."""
    low = table(block(1, at(36, 10), 5), pieces=(ground(1, "wall", 30, 12, 42, 12.5, height=1.0),))
    assert check_march(low, 1, (forward(6),), ADVANCE).used == 6000
    high = table(block(1, at(36, 10), 5), pieces=(ground(1, "wall", 30, 12, 42, 12.5, height=1.5),))
    assert check_march(high, 1, (forward(6),), RUSH).used == 9000
    rubble = table(block(1, at(36, 10), 5), pieces=(ground(1, "rubble", 30, 12, 42, 12.5, height=0.5),))
    assert refusals(rubble, (forward(6.1),), RUSH) == {"move.difficult"}


def test_block_on_a_hill_stands_on_its_height() -> None:
    """R35-TERRAIN-25: the end pose carries the height of the ground under the centre."""
    hill = ground(1, "hill", 30, 13, 42, 25, height=2.0)
    state = table(block(1, at(36, 10), 5), pieces=(hill,))
    assert check_march(state, 1, (forward(4),), RUSH).pose == Pose(36000, 14000, 0, 2000)


def test_decoration_changes_nothing() -> None:
    """R35-SETUP-25: purely decorative pieces do not act on moves."""
    state = table(block(1, at(36, 10)), pieces=(ground(1, "decoration", 30, 12, 42, 13, height=5.0),))
    result = check_march(state, 1, (forward(12),), RUSH)
    assert result.is_legal
    assert result.crossed == ()


def test_mixed_directions_where_the_edition_allows_them() -> None:
    """R35-MOVE-10 is data: limits with `may_mix` accept forward and sideways in one march."""
    free = MarchLimits("late move", 6000, 6000, kinds=ALL_WAYS, may_mix=True)
    assert refusals(lone(), (forward(2), sideways(2)), free) == set()


def test_asking_for_a_unit_off_the_table_is_an_error() -> None:
    state = table(replace(block(1, at(36, 10)), place="reserve"))
    with pytest.raises(ValueError, match="not on the table"):
        check_march(state, 1, (), ADVANCE)
