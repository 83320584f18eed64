"""Closing a charge, sliding along the target, separating again."""

from __future__ import annotations

import math

import pytest
from block_scenes import (
    ADVANCE,
    CHARGE,
    ODD,
    at,
    back,
    block,
    body,
    cites,
    forward,
    ground,
    outline,
    pivot,
    sideways,
    table,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely.geometry import LineString, box

from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.table.arcs import Arc
from shieldwall.table.block_charge import charge_reach
from shieldwall.table.block_moves import check_march, gap_between
from shieldwall.table.formations import formation_of
from shieldwall.table.melee_contact import Alignment, align_units, check_consolidation, step_back, way_to_gap
from shieldwall.table.terrain import piece

TABLE = box(0, 0, 72, 48)


def closed(state: State, side: Arc, contact: Pose) -> Alignment:
    aligned = align_units(state, 1, 2, side, contact)
    assert aligned is not None
    return aligned


def moved(state: State, aligned: Alignment) -> State:
    first, second, *rest = state.units
    units = (replace(first, block=aligned.charger_pose), replace(second, block=aligned.target_pose), *rest)
    return replace(state, units=units)


def test_corner_contact_closes_flat() -> None:
    """R35-MELEE-06: a charger heading 20 that touches a target facing 180 ends with heading 0."""
    turn = math.radians(20)
    low = 1 * math.cos(turn) + 2.5 * math.sin(turn)
    state = table(block(1, at(36, 24 - 1 - low, 20)), block(2, at(36, 24, 180), side=1))
    aligned = closed(state, "front", at(36, 23 - low, 20))
    assert aligned.charger_pose == at(36, 22, 0)
    assert aligned.target_pose == at(36, 24, 180)
    assert aligned.overlap == 5000


@pytest.mark.parametrize(
    ("side", "heading", "pose"),
    [
        ("front", 180, at(36, 26, 180)),
        ("rear", 0, at(36, 22, 0)),
        ("left", 90, at(32.5, 24, 90)),
        ("right", 270, at(39.5, 24, 270)),
    ],
)
def test_flanks_end_at_right_angles_and_the_rear_alike(side: Arc, heading: float, pose: Pose) -> None:
    """R35-MELEE-06: headings are opposite at the front, equal at the rear, at right angles on the flanks."""
    near = replace(pose, heading=(pose.heading + 700) % 36000)
    state = table(block(1, at(10, 10)), block(2, at(36, 24), side=1))
    aligned = closed(state, side, near)
    assert aligned.charger_pose.heading == round(heading * 100)
    assert (aligned.charger_pose.x, aligned.charger_pose.y) == (pose.x, pose.y)
    assert aligned.target_pose == at(36, 24)


def test_both_pivots_of_a_charge_are_made() -> None:
    """R35-MELEE-05: a pivot of 30 on the way and the closing pivot of 10 on top of it."""
    turn = math.radians(30)
    centre = at(36 + 8 * math.sin(turn), 10 + 8 * math.cos(turn), 220)
    state = table(block(1, at(36, 10)), block(2, centre, side=1))
    for second in range(5000, 7000, 1):
        result = check_march(state, 1, (pivot(30), forward(second / MILLI)), replace(CHARGE, target=2))
        if result.is_legal:
            break
    assert result.pose.heading == 3000
    assert closed(state, "front", result.pose).charger_pose.heading == 4000


def test_charger_slides_to_the_widest_contact() -> None:
    """R35-MELEE-07: with 2 of 5 bases overlapping it slides until all 5 do."""
    for offset, slid in ((3, -3000), (-3, 3000)):
        state = table(block(1, at(36 + offset, 10)), block(2, at(36, 20, 180), side=1))
        aligned = closed(state, "front", at(36 + offset, 18))
        assert aligned.charger_pose == at(36, 18)
        assert (aligned.overlap, aligned.charger_slid, aligned.target_slid) == (5000, slid, 0)


def test_smallest_slide_wins() -> None:
    """R35-MELEE-07: a narrow charger slides only as far as its whole front meets, and not at all inside."""
    for offset, ends_at in ((3.0, 37.0), (0.7, 36.7), (-1.4, 35.0)):
        state = table(block(1, at(10, 10), 3, 3), block(2, at(36, 20, 180), side=1))
        aligned = closed(state, "front", at(36 + offset, 18.5))
        assert aligned.charger_pose == at(ends_at, 18.5)
        assert aligned.overlap == 3000


def test_charger_stops_at_a_wall_and_the_target_makes_up_for_it() -> None:
    """R35-MELEE-08: stopped with 3 bases overlapping, a free target slides to the full 5."""
    wall = ground(1, "building", 30, 10, 35.5, 19.0)
    state = table(block(1, at(40, 10)), block(2, at(36, 20, 180), side=1), pieces=(wall,))
    aligned = closed(state, "front", at(40, 18))
    assert aligned.charger_pose.x == pytest.approx(38000, abs=3)
    assert aligned.target_pose.x == pytest.approx(38000, abs=3)
    assert aligned.target_pose.heading == 18000
    assert aligned.overlap == pytest.approx(5000, abs=5)
    assert aligned.target_slid == pytest.approx(2000, abs=5)


def test_leaving_one_piece_opens_no_path_past_another() -> None:
    """R35-MELEE-07: a closing turn that ends in a shed leaves it by the shorter way, but does not open a way past a
    house further on; with fewer models there is no way either.
    """
    shed, house = ground(1, "building", 28.5, 21, 31, 21.9), ground(2, "building", 33.55, 22, 38.35, 22.9)
    contact, target = at(30.9, 22), block(2, at(36, 24, 180), side=1)
    for models in (10, 5):
        state = table(block(1, contact, models), target, pieces=(shed, house))
        assert align_units(state, 1, 2, "front", contact) is None
    beside_shed = table(block(1, contact, 10), target, pieces=(shed,))
    assert closed(beside_shed, "front", contact).charger_pose.x == 36000


def test_target_does_not_slide_through_others() -> None:
    """R35-MELEE-08: a neighbour half an inch away stops the target's slide."""
    wall = ground(1, "building", 30, 10, 35.5, 19.0)
    near = block(3, at(41.5, 20, 180), side=1)
    state = table(block(1, at(40, 10)), block(2, at(36, 20, 180), side=1), near, pieces=(wall,))
    aligned = closed(state, "front", at(40, 18))
    assert aligned.target_slid == pytest.approx(500, abs=5)
    assert aligned.overlap == pytest.approx(3500, abs=8)


def test_target_stays_where_nothing_is_left_to_improve() -> None:
    """R35-MELEE-08: a full contact moves no target."""
    state = table(block(1, at(37, 10)), block(2, at(36, 20, 180), side=1))
    assert closed(state, "front", at(37, 18)).target_pose == at(36, 20, 180)


def test_charged_flank_stays_charged() -> None:
    """R35-MELEE-08: the target of a flank charge slides along that flank and never turns."""
    wall = ground(1, "building", 38.6, 10, 44, 22.5)
    state = table(block(1, at(46, 30, 270), 5), block(2, at(36, 24), side=1), pieces=(wall,))
    aligned = closed(state, "right", at(39.0, 26.5, 270))
    assert aligned.charger_pose.heading == 27000
    assert aligned.target_pose.heading == 0
    assert aligned.overlap == 2000


def test_a_charger_goes_back_no_farther_than_to_the_gap() -> None:
    """R35-CONSOL-03: to the thousandth of an inch, and not at all from an enemy behind it that is far enough away."""
    state = table(block(1, at(30, 20.2), 5, 5), block(2, at(30, 22, 180), 5, 5, side=1))
    unit = state.units[0]
    way = way_to_gap(state, unit, unit.block, 2, 1000)
    assert 0 < way < 1000
    gaps = [gap_between(state, unit, Pose(30000, 20200 - back, 0), 2) for back in (way - 1, way)]
    assert gaps[0] < 0.9995 <= gaps[1]
    behind = table(block(1, at(30, 22), 5, 5), block(2, at(30, 19.5), 5, 5, side=1))
    unit = behind.units[0]
    assert gap_between(behind, unit, unit.block, 2) > 1.0
    assert way_to_gap(behind, unit, unit.block, 2, 1000) == 0


def test_nobody_slides_off_the_table() -> None:
    """R35-MELEE-07: flat against the flank of a unit at the edge the charger stays on the table."""
    for y, ends_at in ((1.8, 2500), (2.9, 2900)):
        target = block(2, at(36, 1.0), side=1) if y < 2 else block(2, at(36, 2.0), side=1)
        state = table(block(1, at(46, 6, 250)), target)
        aligned = closed(state, "right", at(39.6, y, 250))
        assert aligned.charger_pose == replace(at(39.5, 0, 270), y=ends_at)
        assert aligned.overlap == 2000


def test_blocked_middle_goes_left_before_right() -> None:
    """R35-MELEE-07: with equal slides to both sides the charger goes to its left."""
    post = ground(1, "building", 35.9, 17, 36.1, 18.5)
    state = table(block(1, at(10, 10), 1, 1), block(2, at(36, 20, 180), side=1), pieces=(post,))
    aligned = closed(state, "front", at(36, 18.5))
    assert aligned.charger_pose.x == pytest.approx(35400, abs=3)


def test_a_lack_of_room_is_reported() -> None:
    """R35-MELEE-09: a side that is wholly walled off cannot be aligned with."""
    wall = ground(1, "building", 28, 17, 44, 18.9)
    state = table(block(1, at(10, 10)), block(2, at(36, 20, 180), side=1), pieces=(wall,))
    assert align_units(state, 1, 2, "front", at(36, 16)) is None
    assert align_units(state, 1, 2, "rear", at(36, 22, 180)) is not None


def test_short_row_is_met_where_its_models_stand() -> None:
    """R35-FORM-08: against the rear the charger meets the models of the short last row."""
    target = block(2, at(36, 24), 7, side=1, started=10)  # two models in the rear row, files 33.5 to 35.5
    state = table(block(1, at(10, 10), 3, 3), target)
    aligned = closed(state, "rear", at(38, 22.5))
    assert aligned.overlap == 2000
    assert aligned.charger_pose.x == 35000


def test_hero_beside_is_part_of_the_front() -> None:
    """R35-FORM-11: the front of 6.5 inches includes the hero."""
    charger = block(1, at(10, 10), hero=ODD, slot=-2)
    state = table(charger, block(2, at(36, 20, 180), 5, side=1))
    aligned = closed(state, "front", at(40, 18.5))
    assert aligned.overlap == 5000
    assert aligned.charger_pose.x == 36750


def test_charger_steps_back_an_inch() -> None:
    """R35-CONSOL-03: it goes to y-1.0, keeps its heading and leaves a gap of 1.0."""
    state = table(block(1, at(36, 18)), block(2, at(36, 20, 180), side=1))
    parted = step_back(state, 1, 2)
    assert parted.pose == at(36, 17)
    assert parted.moved == 1000
    assert parted.gap == pytest.approx(1.0)


def test_blocked_step_back_goes_as_far_as_it_can() -> None:
    """R35-CONSOL-03: a friend 1.4 inches behind leaves 0.4, the table edge 0.3, a wall nothing."""
    friend = table(block(1, at(36, 18)), block(2, at(36, 20, 180), side=1), block(3, at(36, 14.6)))
    assert step_back(friend, 1, 2).moved == 400
    edge = table(block(1, at(36, 1.3)), block(2, at(36, 3.3, 180), side=1))
    assert step_back(edge, 1, 2).moved == 300
    wall = ground(1, "building", 30, 15, 42, 17)
    barred = table(block(1, at(36, 18)), block(2, at(36, 20, 180), side=1), pieces=(wall,))
    assert step_back(barred, 1, 2).moved == 0
    assert step_back(barred, 1, 2).pose == at(36, 18)


def test_step_back_after_an_aligned_charge_at_any_angle() -> None:
    """R35-CONSOL-03: whatever the heading, the gap becomes 1 inch."""
    for heading in (17, 45, 123, 260):
        state = table(block(1, at(10, 10)), block(2, at(36, 24, heading), side=1))
        turn = math.radians(heading)
        contact = at(36 + 3 * math.sin(turn), 24 + 3 * math.cos(turn), heading + 180)
        aligned = closed(state, "front", contact)
        parted = step_back(moved(state, aligned), 1, 2)
        assert parted.gap == pytest.approx(1.0, abs=0.003)


def test_unit_left_in_contact_may_go_away() -> None:
    """R35-CONSOL-05, R35-MOVE-03: units that stay in contact may move apart, not into each other."""
    state = table(block(1, at(36, 18)), block(2, at(36, 20, 180), side=1))
    assert cites(check_consolidation(state, 1, ())) == set()
    assert check_march(state, 2, (back(3),), ADVANCE).is_legal
    assert not check_march(state, 2, (forward(0.1),), ADVANCE).is_legal


@st.composite
def melees(draw: st.DrawFn) -> State:
    """A charger, a target in reach, neighbours and walls."""
    charger = block(1, Pose(36000, 24000, draw(st.integers(0, 35999))), draw(st.sampled_from([3, 5, 7, 10])))
    angle, away = draw(st.floats(0, 2 * math.pi)), draw(st.floats(4, 10))
    where = at(36 + away * math.sin(angle), 24 + away * math.cos(angle), draw(st.integers(0, 359)))
    units = [charger, block(2, where, draw(st.sampled_from([1, 5, 8, 10])), side=1)]
    for unit_id in range(3, 3 + draw(st.integers(0, 3))):
        x, y = draw(st.floats(-6, 6)), draw(st.floats(-6, 6))
        spot = Pose(where.x + round(x * MILLI), where.y + round(y * MILLI), draw(st.integers(0, 35999)))
        units.append(block(unit_id, spot, 3, 3, side=1))
    standing: list[Unit] = []
    for unit in units:
        if all(body(unit).distance(body(other)) > 0.02 for other in standing):
            standing.append(unit)
    assume(len(standing) >= 2 and standing[1].id == 2)
    walls = ()
    if draw(st.booleans()):
        x, y = where.x / MILLI + draw(st.floats(-6, 6)), where.y / MILLI + draw(st.floats(-6, 6))
        wall = ground(1, "building", x, y, x + draw(st.floats(0.5, 4)), y + draw(st.floats(0.5, 4)))
        if all(outline(wall).distance(body(unit)) > 0.02 for unit in standing):
            walls = (wall,)
    return table(*standing, pieces=walls)


def front_edge(unit: Unit, pose: Pose, state: State) -> LineString:
    formation = formation_of(unit, state.profiles)
    turn = math.radians(pose.heading / 100)
    ahead = (math.sin(turn) * formation.half_depth, math.cos(turn) * formation.half_depth)
    right = (math.cos(turn) * formation.half_width, -math.sin(turn) * formation.half_width)
    x, y = pose.x / MILLI + ahead[0], pose.y / MILLI + ahead[1]
    return LineString([(x - right[0], y - right[1]), (x + right[0], y + right[1])])


@settings(max_examples=120)
@given(melees())
def test_closed_blocks_touch_flat_and_overlap_nobody(state: State) -> None:
    """R35-MELEE-06..08: contact, parallel fronts, no overlap, on the table, and the reported contact is real."""
    for option in charge_reach(state, 1, CHARGE):
        if option.target != 2:
            continue
        contact = check_march(state, 1, option.legs, CHARGE).pose
        aligned = closed(state, option.side, contact)
        charger, target, *others = moved(state, aligned).units
        mine, theirs = body(charger), body(target)
        assert mine.distance(theirs) <= 0.002
        assert mine.intersection(theirs).area < 0.015
        for other in others:
            assert mine.intersection(body(other)).area < 0.015
            assert theirs.intersection(body(other)).area < 0.015
        for wall in state.pieces:
            assert mine.intersection(outline(wall)).area < 0.015
        assert TABLE.buffer(0.01).contains(mine)
        assert (aligned.charger_pose.heading - aligned.target_pose.heading) % 9000 == 0
        assert target.block is not None
        assert target.block.heading == state.units[1].block.heading  # type: ignore[union-attr]
        edge = front_edge(charger, aligned.charger_pose, state)
        met = edge.intersection(theirs.buffer(0.004, join_style="mitre")).length
        assert met == pytest.approx(aligned.overlap / MILLI, abs=0.03)


@settings(max_examples=50)
@given(melees())
def test_no_shorter_or_better_slide_exists(state: State) -> None:
    """R35-MELEE-07: sliding the charger on by small steps never widens the contact while the way is free."""
    for option in charge_reach(state, 1, CHARGE):
        if option.target != 2:
            continue
        contact = check_march(state, 1, option.legs, CHARGE).pose
        aligned = closed(state, option.side, contact)
        charger, target, *others = state.units
        theirs = body(target)
        turn = math.radians(aligned.charger_pose.heading / 100)
        for sign in (-1, 1):
            for step in range(1, 60):
                shift = sign * step * 50
                pose = replace(
                    aligned.charger_pose,
                    x=round(aligned.charger_pose.x + math.cos(turn) * shift),
                    y=round(aligned.charger_pose.y - math.sin(turn) * shift),
                )
                mine = body(charger, pose)
                walls = [body(other) for other in others] + [outline(wall) for wall in state.pieces]
                if any(mine.intersection(wall).area > 0.0005 for wall in walls) or not TABLE.contains(mine):
                    break
                edge = front_edge(charger, pose, state)
                met = edge.intersection(theirs.buffer(0.004, join_style="mitre")).length
                own = front_edge(charger, aligned.charger_pose, state)
                now = own.intersection(theirs.buffer(0.004, join_style="mitre")).length
                assert met <= now + 0.06


@pytest.mark.parametrize("slant", range(3, 87, 7))
def test_slide_along_a_slanted_rock_ends_where_a_march_can_begin(slant: int) -> None:
    """R35-MELEE-07: the widest contact never leaves the charger inside impassable ground."""
    turn = math.radians(slant)
    for step in range(12):
        x = 36.6 + 0.137 * step
        corners = [(x, 20.0), (x + 9 * math.sin(turn), 20.0 + 9 * math.cos(turn)), (x + 12, 20.0)]
        rock = piece(1, "mountain", corners, height=5)
        state = table(block(1, at(34.0, 15.5)), block(2, at(36, 24, 180), side=1), pieces=(rock,))
        for option in charge_reach(state, 1, CHARGE):
            contact = check_march(state, 1, option.legs, CHARGE).pose
            there = moved(state, closed(state, option.side, contact))
            assert body(there.units[0]).buffer(-0.0015, join_style="mitre").distance(outline(rock)) > 0
            assert check_march(there, 1, (sideways(-1),), replace(ADVANCE, spacing=0)).is_legal
