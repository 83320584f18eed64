"""Whole units dragged to a spot, regrouped and placed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loose_scene import cites, forgetful, group, path, pose, table

from shieldwall.table import loose_place
from shieldwall.table.coherency import Coherency
from shieldwall.table.drag import solve_drag, unit_centre
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.loose_place import check_placement, spread_at
from shieldwall.table.regroup import solve_regroup
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits
from shieldwall.table.zones import deployment_region

ADVANCE = WalkLimits((6.0,))
RUSH = WalkLimits((12.0,), "rush")


def trio(x: float = 10, y: float = 10):
    return group(0, 0, (x, y), (x + 1.5, y), (x + 0.75, y + 1.3))


def test_a_free_field() -> None:
    """The unit goes straight to the wish and keeps its formation."""
    state = table(trio())
    x, y = unit_centre(state.units[0].poses)
    result = solve_drag(state, 0, ADVANCE, pose(x / 1000 + 3, y / 1000 + 4))
    assert result.is_legal
    assert all(
        (end.x - start.x, end.y - start.y) == (3000, 4000)
        for start, end in zip(state.units[0].poses, result.poses, strict=True)
    )
    assert check_walk(forgetful(state), 0, result.paths, ADVANCE).is_legal


def test_a_far_wish_is_cut_to_the_allowance() -> None:
    """SK32-MOVE-02: dragged far away the unit goes six inches in that direction."""
    state = table(trio())
    result = solve_drag(state, 0, ADVANCE, pose(40, 10.433))
    assert result.is_legal
    assert max(result.used) == pytest.approx(6.0, abs=0.002)
    assert result.poses[0].x == pytest.approx(16000, abs=2)


@given(st.integers(-20000, 20000), st.integers(-20000, 20000))
def test_a_dragged_move_uses_what_a_check_finds(x: int, y: int) -> None:
    """A dragged move lies on the grid: checked again it uses the same distance to the last digit."""
    state = table(trio(24, 24))
    result = solve_drag(state, 0, ADVANCE, pose(24 + x / 1000, 24 + y / 1000))
    anew = check_walk(forgetful(state), 0, result.paths, ADVANCE)
    assert (anew.reasons, anew.poses, anew.used) == ((), result.poses, result.used)


def test_it_stops_before_others() -> None:
    """SK32-MOVE-04: dragged onto an enemy line the unit ends an inch before it."""
    state = table(group(0, 0, (10, 10)), group(1, 1, *[(4 + i, 14) for i in range(13)]))
    result = solve_drag(state, 0, ADVANCE, pose(10, 16))
    assert result.is_legal
    assert result.poses[0].y > 11500
    assert check_walk(forgetful(state), 0, result.paths, ADVANCE).is_legal


def test_it_slides_along_the_table_edge() -> None:
    """SK32-MOVE-05: dragged over the edge the unit ends at it, as far along as was wished."""
    result = solve_drag(table(group(0, 0, (10, 3))), 0, ADVANCE, pose(13, -4))
    assert result.is_legal
    assert result.poses[0] == pose(13, 0.5)


def test_it_goes_round_a_rock() -> None:
    """A rock in between is gone round when the allowance is enough."""
    rock = piece(1, "building", at=(10, 14), size=(2, 2))
    state = table(group(0, 0, (10, 10)), pieces=(rock,))
    result = solve_drag(state, 0, RUSH, pose(10, 18))
    assert result.is_legal
    assert result.poses[0] == pose(10, 18)
    assert len(result.paths[0].points) > 1
    assert check_walk(forgetful(state), 0, result.paths, RUSH).is_legal


def test_mud_shortens_a_rush() -> None:
    """SK32-TERRAIN-15: dragged through mud the unit goes six inches, or round it."""
    mud = piece(1, "mud", at=(24, 14), size=(48, 4))
    state = table(group(0, 0, (10, 10)), pieces=(mud,))
    result = solve_drag(state, 0, RUSH, pose(10, 22))
    assert result.is_legal
    assert result.poses[0].y == pytest.approx(16000, abs=60)


def test_it_climbs() -> None:
    """SK32-TERRAIN-25: dragged onto a wall of two inches the model stands on top."""
    wall = piece(1, "rock", at=(10, 14), size=(4, 4), height=2)
    state = table(group(0, 0, (10, 10)), pieces=(wall,))
    result = solve_drag(state, 0, ADVANCE, pose(10, 13.5))
    assert result.is_legal
    assert result.poses[0] == pose(10, 13.5, 0, 2)
    assert result.used == pytest.approx((5.5,))


def test_boxed_in_it_stays() -> None:
    """A unit with no room anywhere makes a legal move of nothing."""
    ring = group(
        1, 1, *[(10 + 2.05 * math.cos(a * 0.5236), 10 + 2.05 * math.sin(a * 0.5236)) for a in range(12)]
    )
    state = table(group(0, 0, (10, 10)), ring)
    result = solve_drag(state, 0, ADVANCE, pose(10, 20))
    assert result.is_legal
    assert math.dist((result.poses[0].x, result.poses[0].y), (10000, 10000)) < 60


def test_turning_is_free_for_round_bases_only() -> None:
    """SK32-MEAS-08: round bases may take the wanted heading, others keep theirs."""
    for kind, heading in (("inch", 9000), ("oval", 0)):
        state = table(group(0, 0, (10, 10), kind=kind))
        result = solve_drag(state, 0, ADVANCE, pose(10, 16, 90), turn=True)
        assert result.is_legal
        assert result.poses[0] == pose(10, 16, heading / 100)


def test_a_strayed_model_is_fetched() -> None:
    """SK32-FORM-05: dragging a unit that fell apart brings it together."""
    state = table(group(0, 0, (10, 10), (11.5, 10), (16.5, 10)))
    result = solve_drag(state, 0, ADVANCE, pose(10, 10))
    assert result.paths
    assert check_walk(forgetful(state), 0, result.paths, ADVANCE).is_legal


def test_a_model_too_far_away_comes_nearer() -> None:
    """SK32-FORM-05: where coherency cannot be restored the unit comes as close to it as it can."""
    state = table(group(0, 0, (10, 10), (11.5, 10), (32, 10)))
    result = solve_regroup(state, 0, ADVANCE)
    assert check_walk(forgetful(state), 0, result.paths, ADVANCE).is_legal
    assert not check_walk(state, 0, [path(2, (31, 10))], ADVANCE).is_legal


def test_spreading_a_unit() -> None:
    """SK32-FORM-01, SK32-FORM-02: models placed around a point are coherent and keep clear of others."""
    unit = group(0, 0, *[(0, 0)] * 7, place="waiting")
    state = table(unit, group(1, 1, (24, 8)))
    region = deployment_region(48000, 48000, "south", 12000)
    placement = spread_at(state, unit, pose(24, 6), ADVANCE, region)
    assert placement.is_legal
    assert check_placement(state, unit, placement.poses, ADVANCE, region) == ()
    assert all(math.dist((p.x, p.y), (24000, 6000)) < 5000 for p in placement.poses)


def test_a_bad_spot_is_refused_with_reasons() -> None:
    """A spot outside the zone says so; a spot inside a lake says so."""
    unit = group(0, 0, (0, 0), place="waiting")
    lake = piece(1, "lake", at=(24, 6), size=(6, 6), water="deep")
    state = table(unit, pieces=(lake,))
    region = deployment_region(48000, 48000, "south", 12000)
    outside = spread_at(state, unit, pose(10, 20), ADVANCE, region)
    assert [reason.cite for reason in outside.reasons] == ["deploy.zone"]
    wet = spread_at(state, unit, pose(24, 6), ADVANCE, region)
    assert [reason.cite for reason in wet.reasons] == ["terrain.impassable"]


@pytest.mark.parametrize(("y", "legal"), [(11.5, True), (11.6, False)])
def test_wholly_inside_the_zone(y: float, legal: bool) -> None:
    """SK32-MEAS-07: fully within 12 inches means that no part of the base lies beyond."""
    unit = group(0, 0, (0, 0), place="waiting")
    region = deployment_region(48000, 48000, "south", 12000)
    reasons = check_placement(table(unit), unit, (pose(10, y),), ADVANCE, region)
    assert (reasons == ()) is legal


def test_over_nine_inches_from_enemies() -> None:
    """SK32-MEAS-07: exactly nine inches is not over nine; arrivals also keep off friends."""
    unit = group(0, 0, (0, 0), place="reserve")
    state = table(unit, group(1, 1, (10, 30)), group(2, 0, (40, 10)))
    at_nine = check_placement(state, unit, (pose(10, 20),), ADVANCE, None, 9.0)
    assert [reason.cite for reason in at_nine] == ["place.enemies"]
    assert check_placement(state, unit, (pose(10, 19.9),), ADVANCE, None, 9.0) == ()
    friends = check_placement(state, unit, (pose(40, 11.5),), ADVANCE, None, 9.0)
    assert [reason.cite for reason in friends] == ["move.spacing"]
    assert spread_at(state, unit, pose(10, 19.9), ADVANCE, None, 9.0).is_legal
    assert not spread_at(state, unit, pose(10, 20), ADVANCE, None, 9.0).is_legal


def test_placing_says_everything_at_once() -> None:
    """Off the table, on a mate and incoherent: all reasons come together."""
    unit = group(0, 0, (0, 0), (0, 0), (0, 0), place="waiting")
    poses = (pose(0.2, 5), pose(0.7, 5), pose(9, 5))
    found = [reason.cite for reason in check_placement(table(unit), unit, poses, ADVANCE)]
    assert {"deploy.table", "move.mates", "coherency.link", "coherency.spread"} <= set(found)


def test_a_unit_on_a_roof() -> None:
    """SK32-TERRAIN-22: models placed on a roof stand on its level."""
    house = piece(1, "rooftop", at=(24, 24), size=(8, 8), types=("elevated",), height=5)
    unit = group(0, 0, (0, 0), (0, 0), place="waiting")
    placement = spread_at(table(unit, pieces=(house,)), unit, pose(24, 24), ADVANCE)
    assert placement.is_legal
    assert {p.z for p in placement.poses} == {5000}


@pytest.mark.parametrize(("kind", "height"), [("building", 5.0), ("mountain", 7.0), ("book", 2.0)])
def test_no_unit_is_put_on_top_of_impassable_ground(kind: str, height: float) -> None:
    """SK32-DEPLOY-06, SK32-SR-AMBUSH-03, SK32-TERRAIN-08: nor at its foot inside it; beside it all is well."""
    house = piece(1, kind, at=(24, 24), size=(8, 8), types=("impassable", "blocking"), height=height)
    unit = group(0, 0, (0, 0), (0, 0), place="waiting")
    state = table(unit, pieces=(house,))
    for z in (0.0, height):
        poses = (pose(24, 24, 0, z), pose(25.5, 24, 0, z))
        assert [r.cite for r in check_placement(state, unit, poses, ADVANCE)] == ["terrain.impassable"] * 2
    assert spread_at(state, unit, pose(24, 17), ADVANCE).is_legal
    landed = spread_at(state, unit, pose(24, 24), ADVANCE)
    assert not landed.is_legal or all(p.z == 0 for p in landed.poses)


def test_other_rules_arrive_as_data() -> None:
    """A2-FORM-02, A2-MOVE-08: a letter link of two inches and mates that do not obstruct."""
    limits = WalkLimits((6.0,), coherency=Coherency(link=2.0, shape="letter"), mates_obstruct=False)
    state = table(group(0, 0, (10, 10), (10, 13)))
    result = check_walk(state, 0, [path(0, (10, 15.5))], limits)
    assert result.is_legal
    assert set(cites(check_walk(state, 0, [path(0, (10, 15.5))], ADVANCE))) == {
        "move.mates",
        "coherency.link",
    }


@given(
    st.lists(st.tuples(st.integers(0, 14000), st.integers(0, 14000)), min_size=3, max_size=3), st.booleans()
)
def test_one_look_at_a_placement_finds_what_the_reasons_say(
    spots: list[tuple[int, int]], is_zone: bool
) -> None:
    """The quick check of a placement agrees with the full list of reasons."""
    spots[1:] = [(spots[0][0] + x // 8, spots[0][1] + y // 8) for x, y in spots[1:]]
    pieces = (
        piece(1, "mud", at=(3, 9), size=(3, 3)),
        piece(2, "building", at=(10, 9), size=(2, 3), height=2),
    )
    state = table(trio(), group(1, 1, (8, 5), (9.2, 5)), group(2, 0, (4, 4)), pieces=pieces)
    inside = deployment_region(state.width, state.depth, "south", 12000) if is_zone else None
    poses = tuple(pose(x / 1000, y / 1000) for x, y in spots)
    asked = (state, state.units[0], poses, ADVANCE, inside, 3.0 if is_zone else 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose_place, "may_be_put_down", lambda *given: False)
        reasons = check_placement(*asked)
    assert check_placement(*asked) == reasons
