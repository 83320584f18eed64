"""Levels, climbs, drops and gaps under a path, and where a base may stand."""

from __future__ import annotations

import pytest
from loose_scene import INCH, group, pose, table

from shieldwall.core.state import Piece
from shieldwall.table.ground import Climb, check_stand, pieces_under, profile_along, standing_level
from shieldwall.table.terrain import piece


def block(
    id: int, height: float, at: tuple[float, float] = (10, 10), size: tuple[float, float] = (4, 4)
) -> Piece:
    return piece(id, "rock", at=at, size=size, height=height)


def chasm(id: int, width: float, depth: float = 0.0, at: float = 10.0) -> Piece:
    """A gap right across the table, `width` wide along y."""
    return piece(id, "chasm", at=(24, at), size=(48, width), depth=depth)


def test_a_wall_is_climbed_and_left() -> None:
    """SK32-TERRAIN-25: a two-inch wall on the way is a rise and a drop of two inches."""
    state = table(pieces=(block(7, 2.0),))
    up, down = profile_along(state, pose(10, 5), pose(10, 15))
    assert (up.kind, up.rise, up.piece, up.possible, up.jump) == ("rise", 2.0, 7, True, False)
    assert (down.kind, down.rise, down.jump) == ("drop", -2.0, False)
    assert up.way == pytest.approx(3.0)
    assert down.way == pytest.approx(7.0)
    assert up.to.z == 2000
    assert down.at.z == 2000


@pytest.mark.parametrize(("height", "possible"), [(3.0, True), (3.1, False)])
def test_the_tallest_single_rise(height: float, possible: bool) -> None:
    """SK32-TERRAIN-23: three inches may be climbed, 3.1 may not."""
    state = table(pieces=(block(1, height),))
    assert profile_along(state, pose(10, 5), pose(10, 10, 0, height))[0].possible is possible


def test_stairs_count_each_step() -> None:
    """SK32-TERRAIN-23: a roof of six inches is reached over a step of three."""
    state = table(pieces=(block(1, 3.0, (10, 9), (4, 2)), block(2, 6.0, (10, 12), (4, 4))))
    steps = profile_along(state, pose(10, 5), pose(10, 12, 0, 6))
    assert [(step.rise, step.possible) for step in steps] == [(3.0, True), (3.0, True)]


@pytest.mark.parametrize(
    ("drop", "jump", "possible"), [(3.0, False, True), (3.5, True, True), (6.1, True, False)]
)
def test_drops(drop: float, jump: bool, possible: bool) -> None:
    """SK32-MOVE-12 and SK32-MOVE-13: three inches down is a step, more a leap, over six is refused."""
    state = table(pieces=(block(1, drop),))
    (step,) = profile_along(state, pose(10, 10, 0, drop), pose(10, 15))
    assert (step.kind, step.jump, step.possible) == ("drop", jump, possible)
    assert step.fall == pytest.approx(drop)


@pytest.mark.parametrize(
    ("width", "jump", "possible"),
    [(0.8, False, True), (1.0, False, True), (1.5, True, True), (6.0, True, True), (6.1, True, False)],
)
def test_gaps(width: float, jump: bool, possible: bool) -> None:
    """SK32-MOVE-11, SK32-MOVE-13, SK32-TERRAIN-24, SK32-TERRAIN-26: narrow gaps are walked, wide ones
    leapt.
    """
    state = table(pieces=(chasm(3, width, 4.0),))
    (gap,) = profile_along(state, pose(20, 2), pose(20, 18))
    assert (gap.kind, gap.jump, gap.possible, gap.piece) == ("gap", jump, possible, 3)
    assert gap.width == pytest.approx(width)
    assert gap.fall == pytest.approx(4.0)


def test_a_gap_is_measured_along_the_path() -> None:
    """SK32-MOVE-13: crossing aslant is farther than the gap is wide."""
    state = table(pieces=(chasm(3, 1.0, 4.0),))
    (gap,) = profile_along(state, pose(10, 5), pose(20, 15))
    assert gap.width == pytest.approx(2**0.5)
    assert gap.jump


def test_an_alley_between_roofs_is_a_gap() -> None:
    """SK32-TERRAIN-26: 0.8 inches between two roofs is walked over; two inches between them is a leap."""
    for width, jump in ((0.8, False), (2.0, True)):
        state = table(pieces=(block(1, 4.0), block(2, 4.0, (10, 14 + width))))
        (gap,) = profile_along(state, pose(10, 10, 0, 4), pose(10, 14 + width, 0, 4))
        assert (gap.kind, gap.jump, gap.possible) == ("gap", jump, True)
        assert gap.width == pytest.approx(width)
        assert gap.fall == pytest.approx(4.0)


def test_low_ground_between_low_walls_is_walked_through() -> None:
    """SK32-MOVE-12: where both sides are no higher than a step nobody needs to leap."""
    state = table(pieces=(block(1, 2.0), block(2, 2.0, (10, 16))))
    steps = profile_along(state, pose(10, 10, 0, 2), pose(10, 16, 0, 2))
    assert [step.rise for step in steps] == [-2.0, 2.0]


def test_a_leap_that_also_goes_down_is_one_leap() -> None:
    """SK32-MOVE-13: the greater of width and drop counts, and it is one feature."""
    state = table(pieces=(block(1, 5.0, (24, 6), (8, 4)), chasm(2, 2.0, 3.0, at=9.0)))
    (leap,) = profile_along(state, pose(24, 6, 0, 5), pose(24, 14))
    assert (leap.kind, leap.jump, leap.possible) == ("gap", True, True)
    assert leap.width == pytest.approx(2.0)
    assert leap.rise == pytest.approx(-5.0)


def test_other_limits_change_what_is_possible() -> None:
    """Heights arrive as plain numbers: a taller climb is possible where they say so."""
    state = table(pieces=(block(1, 5.0),))
    assert profile_along(state, pose(10, 5), pose(10, 10, 0, 5), Climb(climb_max=9.0))[0].possible
    assert not profile_along(state, pose(10, 5), pose(10, 10, 0, 5))[0].possible


@pytest.mark.parametrize(
    ("spot", "key"),
    [
        ((10, 10, 0, 2.0), None),  # on top
        ((10, 7.4, 0, 0.0), None),  # beside, touching nothing
        ((10, 7.6, 0, 0.0), "climb.halfway"),  # with a foot in the wall
        ((10, 8.01, 0, 2.0), None),  # half of the base carried
        ((10, 7.8, 0, 2.0), "climb.support"),  # less than half
        ((20, 20, 0, 2.0), "climb.support"),  # in the air
    ],
)
def test_where_a_base_may_stand(spot: tuple[float, ...], key: str | None) -> None:
    """SK32-TERRAIN-25: no move ends in mid-climb; on top at least half of the base must be carried."""
    state = table(pieces=(block(1, 2.0),))
    assert [reason.cite for reason in check_stand(state, pose(*spot), INCH)] == ([key] if key else [])


def test_a_base_may_end_partly_over_a_narrow_gap() -> None:
    """SK32-TERRAIN-26: it may if at least half of the base is supported."""
    state = table(pieces=(chasm(1, 0.4),))
    assert check_stand(state, pose(20, 10), INCH) == ()
    wide = table(pieces=(chasm(1, 0.9),))
    assert [reason.cite for reason in check_stand(wide, pose(20, 10), INCH)] == ["climb.gap"]


def test_nobody_ends_in_or_on_impassable_ground() -> None:
    """SK32-TERRAIN-08, SK32-TERRAIN-22: not in a lake, not on a house; elevated ground carries a base."""
    lake = piece(1, "lake", at=(10, 10), size=(4, 4), water="deep")
    house = piece(2, "building", at=(20, 20), size=(4, 4))
    roof = piece(3, "building", at=(30, 30), size=(4, 4), types=("impassable", "elevated"))
    high = piece(4, "plateau", at=(40, 40), size=(4, 4), types=("cover",), height=5)
    state = table(pieces=(lake, house, roof, high))
    for spot in (pose(10, 10), pose(20, 20), pose(20, 20, 0, 5), pose(30, 30)):
        assert [reason.cite for reason in check_stand(state, spot, INCH)] == ["terrain.impassable"]
    assert check_stand(state, pose(30, 30, 0, 5), INCH) == ()
    assert check_stand(state, pose(40, 40, 0, 5), INCH) == ()
    assert standing_level(state, pose(20, 20), INCH) == 0
    assert standing_level(state, pose(30, 30), INCH) == 5000


def test_hills_slope_and_woods_are_entered() -> None:
    """SK32-TERRAIN-22: a base stands half on a hill; in a forest it stands on the table."""
    hill = piece(1, "hill", at=(10, 10), size=(4, 4))
    wood = piece(2, "forest", at=(20, 20), size=(4, 4))
    state = table(pieces=(hill, wood))
    assert check_stand(state, pose(10, 7.7), INCH) == ()
    assert standing_level(state, pose(10, 9), INCH) == 2000
    assert standing_level(state, pose(10, 7.7), INCH) == 0
    assert standing_level(state, pose(20, 20), INCH) == 0
    assert check_stand(state, pose(20, 20), INCH) == ()


def test_models_in_dangerous_terrain_are_found() -> None:
    """SK32-TERRAIN-18: a model that is activated in dangerous terrain is found; touching the border is not
    in.
    """
    lava = piece(4, "lava", at=(10, 10), size=(4, 4))
    unit = group(0, 0, (10, 10), (10, 7.5), (10, 7.6))
    assert pieces_under(table(unit, pieces=(lava,)), unit) == ((4,), (), (4,))
