"""Moves of loose units against the checks of the rows."""

from __future__ import annotations

import math

import pytest
from loose_scene import cites, group, path, pose, table

from shieldwall.core.answers import ModelPath
from shieldwall.table.coherency import Coherency
from shieldwall.table.ground import Climb
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

HOLD = WalkLimits((0.0,), "hold")
ADVANCE = WalkLimits((6.0,), "advance")
RUSH = WalkLimits((12.0,), "rush")
FLY = WalkLimits(
    (6.0,), ignores_units=(True,), ignores_terrain=(True,), ignores_difficult=(True,), free_jumps=True
)
FLY_RUSH = WalkLimits(
    (12.0,),
    "rush",
    ignores_units=(True,),
    ignores_terrain=(True,),
    ignores_difficult=(True,),
    free_jumps=True,
)


def lone(*spot: float, kind: str = "inch") -> object:
    return group(0, 0, spot, kind=kind)


def test_hold_moves_and_turns_nobody() -> None:
    """SK32-MOVE-01: a holding unit that changes a position is refused."""
    state = table(lone(10, 10))
    assert cites(check_walk(state, 0, [path(0, (10, 10.1))], HOLD)) == ["move.distance"]
    assert check_walk(state, 0, [], HOLD).is_legal
    oval = table(lone(10, 10, kind="oval"))
    assert cites(check_walk(oval, 0, [path(0, (10, 10, 20))], HOLD)) == ["move.distance"]


def test_each_model_moves_for_itself() -> None:
    """SK32-MOVE-02: 6, 2 and 0 inches are legal, 6.1 is not."""
    state = table(group(0, 0, (10, 10), (11.5, 10), (13, 10)))
    tight = WalkLimits((6.0,), coherency=Coherency(link=9.0))
    legal = check_walk(state, 0, [path(0, (10, 16)), path(1, (11.5, 12))], tight)
    assert legal.is_legal
    assert legal.used == pytest.approx((6.0, 2.0, 0.0))
    assert legal.poses == (pose(10, 16), pose(11.5, 12), pose(13, 10))
    assert cites(check_walk(state, 0, [path(0, (10, 16.1))], tight)) == ["move.distance"]


def test_facing_does_not_matter() -> None:
    """SK32-MOVE-03: a model that faces north goes six inches south."""
    assert check_walk(table(lone(10, 10)), 0, [path(0, (10, 4, 90))], ADVANCE).is_legal


def test_the_way_counts_not_the_displacement() -> None:
    """SK32-MEAS-08: four inches east and three north use seven; straight 6.0 is legal and 6.1 is not."""
    state = table(lone(10, 10))
    assert check_walk(state, 0, [path(0, (14, 10), (14, 13))], RUSH).used == pytest.approx((7.0,))
    assert check_walk(state, 0, [path(0, (16, 10))], ADVANCE).is_legal
    assert cites(check_walk(state, 0, [path(0, (16.1, 10))], ADVANCE)) == ["move.distance"]


def test_turning_an_oval_costs_the_arc_of_its_tip() -> None:
    """SK32-MEAS-09: half axes 1.2 and 0.7, turned by 90 degrees, use 1.885 inches; a round base nothing."""
    turned = check_walk(table(lone(10, 10, kind="oval")), 0, [path(0, (10, 10, 90))], ADVANCE)
    assert turned.used[0] == pytest.approx(1.2 * math.pi / 2, abs=0.001)
    assert check_walk(table(lone(10, 10)), 0, [path(0, (10, 10, 90))], ADVANCE).used == (0.0,)
    free = WalkLimits((6.0,), free_turning=True)
    assert check_walk(table(lone(10, 10, kind="oval")), 0, [path(0, (10, 10, 90))], free).used == (0.0,)


@pytest.mark.parametrize(("y", "legal"), [(18.0, True), (18.1, False)])
def test_spacing_at_the_end(y: float, legal: bool) -> None:
    """SK32-MOVE-04, SK32-MEAS-07: exactly one inch from a friendly unit is legal, 0.9 is not."""
    state = table(lone(10, 13), group(1, 0, (10, 20)))
    result = check_walk(state, 0, [path(0, (10, y))], ADVANCE)
    assert result.is_legal is legal
    if not legal:
        assert result.reasons[0].cite == "move.spacing"
        assert "0.90 inches of Blue 1" in result.reasons[0].text


def test_spacing_on_the_way() -> None:
    """SK32-MOVE-04: a path that passes 0.5 inch from an enemy and ends far off is illegal."""
    state = table(lone(10, 10), group(1, 1, (11.5, 12)))
    assert cites(check_walk(state, 0, [path(0, (10, 16))], ADVANCE)) == ["move.spacing"]
    assert check_walk(table(lone(10, 10), group(1, 1, (12, 12))), 0, [path(0, (10, 16))], ADVANCE).is_legal


def test_a_model_that_starts_too_close_may_move_away() -> None:
    """SK32-MOVE-04: it may move as long as it never gets nearer and ends an inch away if it can."""
    state = table(lone(10, 10), group(1, 1, (10, 11.4)))
    assert check_walk(state, 0, [path(0, (10, 6))], ADVANCE).is_legal
    assert set(cites(check_walk(state, 0, [path(0, (10, 10.2))], ADVANCE))) == {"move.nearer", "move.spacing"}
    assert cites(check_walk(state, 0, [path(0, (10, 9.8))], ADVANCE)) == ["move.spacing"]
    assert check_walk(state, 0, [], ADVANCE).is_legal
    boxed = piece(1, "mountain", at=(10, 8.3), size=(6, 2))
    behind = table(lone(10, 10), group(1, 1, (10, 11.4)), pieces=(boxed,))
    assert cites(check_walk(behind, 0, [path(0, (10, 9.85))], ADVANCE)) == [
        "move.spacing"
    ]  # sideways is free
    walls = [piece(2 + i, "mountain", at=(x, 10), size=(1.6, 4)) for i, x in enumerate((8.5, 11.5))]
    held = table(lone(10, 10), group(1, 1, (10, 11.4)), pieces=(boxed, *walls))
    assert check_walk(held, 0, [path(0, (10, 9.85))], ADVANCE).is_legal  # rocks keep it from going farther


def test_a_model_between_two_units_may_leave_sideways() -> None:
    """A2-MOVE-06: an inch must be free at the end where some direction leads that far, not only straight away."""
    state = table(lone(10, 10), group(1, 1, (11.5, 10)), group(2, 0, (8.5, 10)))
    assert set(cites(check_walk(state, 0, [path(0, (10, 11))], ADVANCE))) == {"move.spacing"}
    assert check_walk(state, 0, [path(0, (10, 12))], ADVANCE).is_legal


def test_models_never_walk_through_others() -> None:
    """SK32-MOVE-05: a line of models is no way through, neither for an advance nor for a charge."""
    line = group(1, 1, *[(7 + i, 13) for i in range(6)])
    charge = WalkLimits((12.0,), "charge", spacing=0.0)
    assert "move.through" in cites(check_walk(table(lone(10, 10), line), 0, [path(0, (10, 16))], charge))
    assert cites(check_walk(table(lone(10, 10), line), 0, [path(0, (10, 16))], ADVANCE)) == ["move.through"]


def test_mates_block_in_the_order_of_their_owner() -> None:
    """SK32-MOVE-05: models of the unit obstruct each other where they stand when a model goes."""
    state = table(group(0, 0, (10, 10), (10, 11.2)))
    front, rear = path(1, (10, 14.2)), path(0, (10, 13))
    assert check_walk(state, 0, [front, rear], ADVANCE).is_legal
    assert "move.mates" in cites(check_walk(state, 0, [rear, front], ADVANCE))
    together = WalkLimits((6.0,), mates_obstruct=False)
    assert check_walk(state, 0, [rear, front], together).is_legal
    onto = check_walk(state, 0, [path(0, (10, 11))], together)
    assert cites(onto) == ["move.mates"]


@pytest.mark.parametrize(("x", "legal"), [(0.5, True), (0.4, False)])
def test_the_table_edge(x: float, legal: bool) -> None:
    """SK32-MOVE-05: no part of a base crosses the table edge."""
    assert check_walk(table(lone(3, 10)), 0, [path(0, (x, 10))], ADVANCE).is_legal is legal


def test_rush() -> None:
    """SK32-MOVE-06, SK32-MOVE-07: 12.0 inches are legal, 12.1 and half an inch from an enemy are not."""
    state = table(lone(10, 10), group(1, 1, (30, 30)))
    assert check_walk(state, 0, [path(0, (10, 22))], RUSH).is_legal
    assert cites(check_walk(state, 0, [path(0, (10, 22.1))], RUSH)) == ["move.distance"]
    near = table(lone(10, 10), group(1, 1, (10, 19)))
    assert cites(check_walk(near, 0, [path(0, (10, 17.5))], RUSH)) == ["move.spacing"]


def test_a_charge_knows_no_spacing() -> None:
    """SK32-MOVE-08, SK32-MOVE-09: a path 0.3 inch from a third unit is legal in a charge."""
    charge = WalkLimits((12.0,), "charge", spacing=0.0)
    state = table(lone(10, 10), group(1, 1, (11.3, 13)))
    assert check_walk(state, 0, [path(0, (10, 20))], charge).is_legal
    assert not check_walk(state, 0, [path(0, (10, 20))], RUSH).is_legal


def test_coherency_at_the_end() -> None:
    """SK32-FORM-01, SK32-FORM-04: two models that end 1.1 inches apart are refused."""
    state = table(group(0, 0, (10, 10), (11.5, 10)))
    assert check_walk(state, 0, [path(1, (12, 10))], ADVANCE).is_legal
    assert set(cites(check_walk(state, 0, [path(1, (12.1, 10))], ADVANCE))) == {"coherency.link"}


def test_a_strayed_model_has_to_come_back() -> None:
    """SK32-FORM-05: only a move that restores coherency is accepted, where one can."""
    state = table(group(0, 0, (10, 10), (11.5, 10), (16.5, 10)))
    assert "coherency.link" in cites(check_walk(state, 0, [], ADVANCE))
    assert "coherency.link" in cites(check_walk(state, 0, [path(2, (15, 10))], ADVANCE))
    assert check_walk(state, 0, [path(2, (13.5, 10))], ADVANCE).is_legal


def test_a_model_that_cannot_restore_coherency_comes_as_close_as_it_can() -> None:
    """SK32-FORM-05: a model twenty inches away cannot restore coherency and must still come near."""
    state = table(group(0, 0, (10, 10), (11.5, 10), (32, 10)))
    assert check_walk(state, 0, [path(2, (26, 10))], ADVANCE).is_legal
    assert not check_walk(state, 0, [path(2, (30, 10))], ADVANCE).is_legal


def test_narrow_gaps_cost_their_width() -> None:
    """SK32-MOVE-11: a one-inch gap takes no leap and its inch counts."""
    gap = piece(1, "chasm", at=(24, 13), size=(48, 1.0), depth=5)
    result = check_walk(table(lone(10, 10), pieces=(gap,)), 0, [path(0, (10, 16))], ADVANCE)
    assert result.is_legal
    assert result.used == pytest.approx((6.0,))
    assert result.leaps == ((),)


def test_steps_down_count() -> None:
    """SK32-MOVE-12: stepping off a three-inch ledge uses three inches and takes no leap."""
    ledge = piece(1, "rock", at=(10, 10), size=(4, 4), height=3)
    state = table(lone(10, 11, 0, 3), pieces=(ledge,))
    result = check_walk(state, 0, [path(0, (10, 13.6))], ADVANCE)
    assert result.is_legal
    assert result.leaps == ((),)
    assert result.used == pytest.approx((5.6,))


def test_a_leap_down_behind_a_narrow_gap_begins_where_the_gap_was_left() -> None:
    """SK32-MOVE-14, SK32-MOVE-18: a gap of half an inch is walked over at the height of its edge."""
    cliffs = (
        piece(3, "cliff", at=(10, 10), size=(6, 6), height=8),
        piece(4, "cliff", at=(10, 16.5), size=(6, 6), height=3),
    )
    state = table(lone(10, 12, 0, 8), pieces=cliffs)
    ((leap,),) = check_walk(state, 0, [path(0, (10, 16, 0, 3))], RUSH).leaps
    assert (leap.start, leap.landing) == (pose(10, 13.5, 0, 8), pose(10, 13.5, 0, 3))
    assert (leap.distance, leap.fall) == (5.0, 5.0)


def test_leaps() -> None:
    """SK32-MOVE-13, SK32-MOVE-15: a leap is announced with its distance and does not count as movement."""
    gap = piece(1, "chasm", at=(24, 15), size=(48, 4.0), depth=5)
    result = check_walk(table(lone(10, 10), pieces=(gap,)), 0, [path(0, (10, 20))], ADVANCE)
    assert result.is_legal
    assert result.used == pytest.approx((6.0,))
    ((leap,),) = result.leaps
    assert (leap.distance, leap.fall) == (pytest.approx(4.0), pytest.approx(5.0))
    assert (leap.start, leap.landing) == (pose(10, 13), pose(10, 17))
    wide = piece(1, "chasm", at=(24, 16), size=(48, 6.1))
    assert cites(check_walk(table(lone(10, 10), pieces=(wide,)), 0, [path(0, (10, 22))], RUSH)) == [
        "climb.gap"
    ]


def test_a_gap_without_a_depth_is_as_deep_as_wide() -> None:
    """SK32-MOVE-16: where no depth is stated the width is fallen."""
    gap = piece(1, "chasm", at=(24, 15), size=(48, 2.0))
    result = check_walk(table(lone(10, 10), pieces=(gap,)), 0, [path(0, (10, 18))], RUSH)
    assert result.leaps[0][0].fall == pytest.approx(2.0)


def test_a_drop_of_over_three_inches_is_a_leap() -> None:
    """SK32-MOVE-13, SK32-MOVE-16: 3.5 inches down takes a leap whose height is what is fallen."""
    cliff = piece(1, "cliff", at=(10, 10), size=(4, 4), height=3.5)
    result = check_walk(table(lone(10, 11, 0, 3.5), pieces=(cliff,)), 0, [path(0, (10, 14))], ADVANCE)
    assert result.is_legal
    assert result.used == pytest.approx((3.0,))
    assert result.leaps[0][0].distance == pytest.approx(3.5)
    assert result.leaps[0][0].fall == pytest.approx(3.5)


def test_leaps_are_reported_model_by_model() -> None:
    """SK32-MOVE-17: each model has its own leaps."""
    gap = piece(1, "chasm", at=(24, 13), size=(48, 2.0), depth=5)
    state = table(group(0, 0, (10, 10), (11.5, 10)), pieces=(gap,))
    result = check_walk(state, 0, [path(0, (10, 15)), path(1, (11.5, 15))], ADVANCE)
    assert [len(leaps) for leaps in result.leaps] == [1, 1]


def test_impassable_ground() -> None:
    """SK32-TERRAIN-08: a lake is no way for a walker, and one for a flyer that ends beyond it."""
    lake = piece(1, "lake", at=(10, 13), size=(4, 2), water="deep")
    state = table(lone(10, 10), pieces=(lake,))
    assert cites(check_walk(state, 0, [path(0, (10, 16))], ADVANCE)) == ["terrain.impassable"]
    assert check_walk(state, 0, [path(0, (10, 16))], FLY).is_legal
    assert cites(check_walk(state, 0, [path(0, (10, 13))], FLY)) == ["terrain.impassable"]
    assert check_walk(state, 0, [path(0, (7.4, 10), (7.4, 13.4))], ADVANCE).is_legal


def test_one_model_in_mud_slows_all() -> None:
    """SK32-TERRAIN-15: as soon as one model crosses mud nobody moves more than six inches."""
    mud = piece(1, "mud", at=(10, 13), size=(1, 1))
    state = table(group(0, 0, (10, 10), (11.5, 10)), pieces=(mud,))
    far = [path(0, (10, 16)), path(1, (11.5, 17))]
    slowed = check_walk(state, 0, far, RUSH)
    assert cites(slowed) == ["terrain.difficult"]
    assert slowed.slowed_by == 1
    assert check_walk(state, 0, [path(0, (10, 16)), path(1, (11.5, 16))], RUSH).is_legal
    fast = WalkLimits((8.0,))
    assert check_walk(state, 0, [path(0, (10, 16)), path(1, (11.5, 16))], fast).is_legal
    assert not check_walk(state, 0, [path(0, (10, 16.1)), path(1, (11.5, 16))], fast).is_legal


def test_starting_in_mud_slows() -> None:
    """SK32-TERRAIN-15: a unit that rushes out of mud is capped, even if the model in it stays."""
    mud = piece(1, "mud", at=(10, 10), size=(1, 1))
    state = table(lone(10, 10), pieces=(mud,))
    assert cites(check_walk(state, 0, [path(0, (10, 18))], RUSH)) == ["terrain.difficult"]
    loose = WalkLimits((12.0,), coherency=Coherency(link=20, spread=20))
    pair = table(group(0, 0, (10, 10), (11.5, 10)), pieces=(mud,))
    assert cites(check_walk(pair, 0, [path(1, (11.5, 18))], loose)) == ["terrain.difficult"]


def test_models_that_ignore_difficult_ground_do_not_trigger_the_cap() -> None:
    """SK32-TERRAIN-15: the cap is triggered only by models that mind; it then binds all."""
    mud = piece(1, "mud", at=(10, 13), size=(1, 1))
    state = table(group(0, 0, (10, 10), (11.5, 10)), pieces=(mud,))
    strider_first = WalkLimits((12.0,), ignores_difficult=(True, False))
    far = [path(0, (10, 20)), path(1, (11.5, 20))]
    assert check_walk(state, 0, far, strider_first).is_legal
    assert set(cites(check_walk(state, 0, far, WalkLimits((12.0,), ignores_difficult=(False, True))))) == {
        "terrain.difficult"
    }


def test_the_leapt_distance_is_outside_the_cap() -> None:
    """SK32-TERRAIN-15: a leap does not count towards the cap."""
    mud = piece(1, "mud", at=(10, 11.5), size=(1, 1))
    gap = piece(2, "chasm", at=(24, 15), size=(48, 4.0), depth=5)
    state = table(lone(10, 10), pieces=(mud, gap))
    assert check_walk(state, 0, [path(0, (10, 20))], RUSH).is_legal
    assert cites(check_walk(state, 0, [path(0, (10, 20.1))], RUSH)) == ["terrain.difficult"]


def test_terrain_that_models_enter_is_reported() -> None:
    """SK32-TERRAIN-17: two of three models cross lava; each entry says where and after how far."""
    lava = piece(9, "lava", at=(10.75, 14), size=(3, 2))
    state = table(group(0, 0, (10, 10), (11.5, 10), (13, 10)), pieces=(lava,))
    result = check_walk(state, 0, [path(i, (10 + 1.5 * i, 16)) for i in range(3)], ADVANCE)
    assert result.is_legal
    assert [[entry.piece for entry in entries] for entries in result.entered] == [[9], [9], []]
    entry = result.entered[0][0]
    assert entry.way == pytest.approx(2.5, abs=0.002)
    assert entry.pose.y == pytest.approx(12500, abs=2)


def test_entries_come_in_the_order_of_the_way() -> None:
    """SK32-TERRAIN-17: several pieces are reported in the order in which they are entered; 0 where the model
    started."""
    near, far = piece(5, "lava", at=(10, 13), size=(2, 1)), piece(4, "river", at=(10, 16), size=(2, 1))
    start = piece(6, "lava", at=(10, 10), size=(1, 1))
    state = table(lone(10, 10), pieces=(far, near, start))
    result = check_walk(state, 0, [path(0, (10, 18))], RUSH)
    assert [entry.piece for entry in result.entered[0]] == [6, 5, 4]
    assert result.entered[0][0].way == 0.0


def test_a_base_that_slides_past_a_corner_enters_where_it_touches_it() -> None:
    """SK32-TERRAIN-17: exactly, also where it comes in at a very flat angle."""
    mud, radius = piece(5, "mud", at=(22, 12), size=(4, 4)), 0.5
    state = table(lone(10, 9.501), pieces=(mud,))
    result = check_walk(state, 0, [path(0, (30, 9.511))], WalkLimits((25.0,), difficult_cap=25.0))
    [entry] = result.entered[0]
    corner_x, corner_y = 20 - 10, 10 - 9.501
    turn = math.atan2(0.01, 20)
    aside = corner_y * math.cos(turn) - corner_x * math.sin(turn)
    along = corner_x * math.cos(turn) + corner_y * math.sin(turn)
    assert entry.way == pytest.approx(along - math.sqrt(radius**2 - aside**2), abs=1e-6)


def test_flyers_enter_no_terrain() -> None:
    """SK32-SR-FLYING-03, SK32-SR-SCOUT-02: mud and lava neither slow nor count for those who ignore
    terrain.
    """
    pieces = (piece(1, "mud", at=(10, 13), size=(2, 1)), piece(2, "lava", at=(10, 16), size=(2, 1)))
    result = check_walk(table(lone(10, 10), pieces=pieces), 0, [path(0, (10, 22))], FLY_RUSH)
    assert result.is_legal
    assert result.entered == ((),)
    scout = WalkLimits((12.0,), "scout", ignores_terrain=(True,), ignores_difficult=(True,))
    assert check_walk(table(lone(10, 10), pieces=pieces), 0, [path(0, (10, 22))], scout).is_legal


def test_scouts_still_keep_their_distance() -> None:
    """SK32-SR-SCOUT-02: ignoring terrain does not mean ignoring units or ending in impassable ground."""
    scout = WalkLimits((12.0,), "scout", ignores_terrain=(True,), ignores_difficult=(True,))
    lake = piece(1, "lake", at=(10, 16), size=(4, 4), water="deep")
    state = table(lone(10, 10), group(1, 1, (20, 10)), pieces=(lake,))
    assert cites(check_walk(state, 0, [path(0, (10, 16))], scout)) == ["terrain.impassable"]
    assert cites(check_walk(state, 0, [path(0, (18.5, 10))], scout)) == ["move.spacing"]
    assert check_walk(state, 0, [path(0, (10, 20))], scout).is_legal


def test_flying_over_units() -> None:
    """SK32-SR-FLYING-01: over an enemy line it is legal to end an inch beyond, not nearer and not on it."""
    line = group(1, 1, *[(7 + i, 13) for i in range(6)])
    state = table(lone(10, 10), line)
    assert check_walk(state, 0, [path(0, (10, 15))], FLY).is_legal
    assert cites(check_walk(state, 0, [path(0, (10, 14.9))], FLY)) == ["move.spacing"]
    assert cites(check_walk(state, 0, [path(0, (10, 13.2))], FLY)) == ["move.through"]


def test_flying_over_buildings() -> None:
    """SK32-SR-FLYING-02: a six-inch building in the way costs a flyer no height."""
    house = piece(1, "building", at=(10, 13), size=(3, 3), height=6)
    result = check_walk(table(lone(10, 10), pieces=(house,)), 0, [path(0, (10, 16))], FLY)
    assert result.is_legal
    assert result.used == pytest.approx((6.0,))
    assert cites(check_walk(table(lone(10, 10), pieces=(house,)), 0, [path(0, (10, 16))], ADVANCE)) == [
        "terrain.impassable"
    ]


def test_flyers_jump_without_rolling() -> None:
    """SK32-SR-FLYING-04: a six-inch gap takes a flyer no dice and no movement; a wider one is flown over."""
    gap = piece(1, "chasm", at=(24, 15), size=(48, 6.0))
    result = check_walk(table(lone(10, 10), pieces=(gap,)), 0, [path(0, (10, 20))], FLY)
    assert result.is_legal
    assert result.leaps == ((),)
    assert result.used == pytest.approx((4.0,))
    wide = piece(1, "chasm", at=(24, 15), size=(48, 6.5))
    assert check_walk(
        table(lone(10, 10), pieces=(wide,)), 0, [path(0, (10, 20))], FLY_RUSH
    ).used == pytest.approx((10.0,))


@pytest.mark.parametrize(("height", "legal"), [(3.0, True), (3.1, False)])
def test_tall_terrain(height: float, legal: bool) -> None:
    """SK32-TERRAIN-23: a three-inch wall is climbed, a cliff of 3.1 inches is not."""
    wall = piece(1, "rock", at=(10, 13), size=(4, 4), height=height)
    result = check_walk(table(lone(10, 10), pieces=(wall,)), 0, [path(0, (10, 12, 0, height))], ADVANCE)
    assert result.is_legal is legal


def test_wide_gaps_need_a_leap() -> None:
    """SK32-TERRAIN-24: nobody walks over a two-inch gap without one."""
    gap = piece(1, "chasm", at=(24, 13), size=(48, 2.0), depth=5)
    result = check_walk(table(lone(10, 10), pieces=(gap,)), 0, [path(0, (10, 16))], ADVANCE)
    assert len(result.leaps[0]) == 1


def test_climbing_uses_the_height() -> None:
    """SK32-TERRAIN-25: climbing a two-inch wall uses two inches; no move ends halfway."""
    wall = piece(1, "rock", at=(10, 13.5), size=(4, 4), height=2)
    state = table(lone(10, 11), pieces=(wall,))
    up = check_walk(state, 0, [path(0, (10, 13, 0, 2))], ADVANCE)
    assert up.is_legal
    assert up.used == pytest.approx((4.0,))
    assert cites(check_walk(state, 0, [path(0, (10, 11.2))], ADVANCE)) == ["climb.halfway"]
    over = check_walk(state, 0, [path(0, (10, 16.1))], WalkLimits((9.2,)))
    assert over.is_legal
    assert over.used == pytest.approx((9.1,))


def test_brushing_a_wall_counts_as_climbing_it() -> None:
    """SK32-TERRAIN-25: a base that passes through the corner of a wall climbs up and down."""
    wall = piece(1, "rock", at=(10, 13), size=(4, 2), height=1)
    state = table(lone(7.8, 10), pieces=(wall,))
    assert check_walk(state, 0, [path(0, (7.8, 16))], WalkLimits((12.0,))).used == pytest.approx((8.0,))
    assert check_walk(table(lone(7.5, 10), pieces=(wall,)), 0, [path(0, (7.5, 16))], ADVANCE).used == (6.0,)


def test_low_ground_costs_nothing_where_the_limits_say_so() -> None:
    """A2-TERRAIN-08: pieces lower than three inches cost no height, a three-inch hill costs all of it."""
    limits = WalkLimits((6.0,), climb=Climb(free_below=3.0, climb_max=99.0, drop_max=99.0))
    low, tall = (piece(1, "rock", at=(10, 14), size=(4, 4), height=h) for h in (2.9, 3.0))
    assert check_walk(table(lone(10, 10), pieces=(low,)), 0, [path(0, (10, 13, 0, 2.9))], limits).used == (
        3.0,
    )
    assert check_walk(table(lone(10, 10), pieces=(tall,)), 0, [path(0, (10, 13, 0, 3.0))], limits).used == (
        6.0,
    )


def test_hills_slow_those_who_go_up() -> None:
    """SK32-SETUP-17: moving uphill is capped at six inches, moving down or along the top is not."""
    hill = piece(1, "hill", at=(10, 16), size=(8, 8))
    up = check_walk(table(lone(10, 10), pieces=(hill,)), 0, [path(0, (10, 15, 0, 2))], RUSH)
    assert cites(up) == ["terrain.difficult"]
    down = check_walk(table(lone(10, 18, 0, 2), pieces=(hill,)), 0, [path(0, (10, 10))], RUSH)
    assert down.is_legal
    assert down.used == pytest.approx((10.0,))
    wide = piece(1, "hill", at=(10, 16), size=(20, 8))
    along = check_walk(table(lone(2, 16, 0, 2), pieces=(wide,)), 0, [path(0, (14, 16, 0, 2))], RUSH)
    assert along.is_legal


@pytest.mark.parametrize("kind", ["river", "ruin"])
def test_entering_rivers_and_ruins_is_reported_whatever_the_action(kind: str) -> None:
    """SK32-SETUP-13, SK32-SETUP-15: they do not slow; entering them is reported and the action decides."""
    ground = piece(3, kind, at=(10, 14), size=(6, 2))
    for limits in (ADVANCE, RUSH):
        result = check_walk(table(lone(10, 10), pieces=(ground,)), 0, [path(0, (10, 16))], limits)
        assert result.is_legal
        assert [entry.piece for entry in result.entered[0]] == [3]


def test_consolidation_is_a_plain_short_move() -> None:
    """SK32-CONSOL-01: up to three inches any way, spacing kept."""
    limits = WalkLimits((3.0,), "consolidate")
    state = table(lone(10, 10), group(1, 1, (10, 14)))
    assert check_walk(state, 0, [], limits).is_legal
    assert check_walk(state, 0, [path(0, (10, 7))], limits).is_legal
    assert not check_walk(state, 0, [path(0, (10, 12.5))], limits).is_legal
    assert not check_walk(state, 0, [path(0, (10, 6.9))], limits).is_legal


def test_all_reasons_come_at_once() -> None:
    """A path that is too long, too close and off the table says all three."""
    state = table(lone(10, 3), group(1, 1, (2.2, 3)))
    result = check_walk(state, 0, [path(0, (0.2, 3))], ADVANCE)
    assert set(cites(result)) == {"move.distance", "move.through", "move.table"}


def test_foreign_and_doubled_models_are_named() -> None:
    """A path for a model of another unit, or two for one model, is refused by name."""
    state = table(lone(10, 10))
    assert cites(check_walk(state, 0, [ModelPath(77, (pose(10, 11),))], ADVANCE)) == ["move.model"]
    assert cites(check_walk(state, 0, [path(0, (10, 11)), path(0, (10, 12))], ADVANCE)) == ["move.model"]


def test_models_on_different_levels_do_not_crowd_each_other() -> None:
    """SK32-MEAS-05: a model on a four-inch roof is four inches from one at its foot."""
    house = piece(1, "building", at=(10, 14), size=(4, 4), height=4)
    state = table(lone(5, 11.4), group(1, 1, (10, 12.6, 0, 4)), pieces=(house,))
    assert check_walk(state, 0, [path(0, (10, 11.4))], ADVANCE).is_legal
