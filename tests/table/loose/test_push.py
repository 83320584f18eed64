"""Pushes and falls against the checks of the rows."""

from __future__ import annotations

import pytest
from loose_scene import group, pose, table

from shieldwall.table.loose_push import check_fall_spot, check_push, fall_spots, solve_push
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

LIMITS = WalkLimits((6.0,))


def cites(result) -> list[str]:
    return [reason.cite for reason in result.reasons]


@pytest.mark.parametrize(("way", "legal"), [(0.0, True), (2.0, True), (2.1, False)])
def test_up_to_two_inches(way: float, legal: bool) -> None:
    """SK32-WOUND-18: 2.0 and 0 inches are accepted, 2.1 is refused."""
    state = table(group(0, 0, (10, 10)), group(1, 1, (10, 8.8)))
    assert check_push(state, 0, 0, pose(10, 10 + way), LIMITS).is_legal is legal


def test_obstacles() -> None:
    """SK32-WOUND-18: not through or onto models, impassable or solid ground or off the table; no spacing."""
    wall = piece(1, "wall", at=(20, 22), size=(4, 1))
    lake = piece(2, "lake", at=(30, 32), size=(4, 2), water="deep")
    others = group(1, 1, (10, 11.2)), group(2, 1, (20, 20)), group(3, 1, (30, 30)), group(4, 1, (2, 2))
    state = table(group(0, 0, (10, 10), (11, 10.2)), *others, pieces=(wall, lake))
    assert cites(check_push(state, 0, 0, pose(10, 12), LIMITS)) == ["move.through"]
    assert check_push(state, 0, 0, pose(10, 10.2), LIMITS).is_legal
    assert cites(check_push(state, 0, 0, pose(11.5, 10.2), LIMITS)) == ["move.mates"]
    assert set(cites(check_push(state, 2, 200, pose(20, 21.5), LIMITS))) == {"climb.height"}
    assert cites(check_push(state, 3, 300, pose(30, 31), LIMITS)) == ["terrain.impassable"]
    assert cites(check_push(state, 4, 400, pose(0.2, 2), LIMITS)) == ["move.table"]


def test_difficult_ground_does_not_shorten_it() -> None:
    """SK32-WOUND-18: a push through mud goes its full two inches, and the terrain it entered is reported."""
    mud = piece(5, "mud", at=(10, 12), size=(4, 2))
    state = table(group(0, 0, (10, 10)), pieces=(mud,))
    result = check_push(state, 0, 0, pose(10, 12), LIMITS)
    assert result.is_legal
    assert [entry.piece for entry in result.walk.entered[0]] == [5]


def test_over_the_edge() -> None:
    """SK32-WOUND-18, SK32-MOVE-18: pushed over a four-inch ledge a model falls four inches."""
    cliff = piece(3, "cliff", at=(10, 10), size=(6, 6))
    state = table(group(0, 0, (10, 12, 0, 4)), pieces=(cliff,))
    result = check_push(state, 0, 0, pose(10, 14), LIMITS)
    assert result.is_legal
    assert (result.fall, result.piece, result.pose.z) == (4.0, 3, 0)
    level = check_push(state, 0, 0, pose(10, 11), LIMITS)
    assert (level.fall, level.pose.z) == (0.0, 4000)


def test_into_a_gap() -> None:
    """SK32-MOVE-16: a wide gap is fallen into by its depth, a narrow one is passed."""
    for width, fall in ((3.0, 5.0), (0.8, 0.0)):
        gap = piece(3, "chasm", at=(24, 11 + width / 2), size=(48, width), depth=5)
        state = table(group(0, 0, (10, 10)), pieces=(gap,))
        assert check_push(state, 0, 0, pose(10, 12), LIMITS).fall == fall


def test_between_two_ledges() -> None:
    """SK32-WOUND-18, SK32-MOVE-20: pushed between two ledges, with a chasm there, a model falls off its own."""
    pieces = (
        piece(3, "cliff", at=(10, 10), size=(6, 6)),
        piece(4, "cliff", at=(10, 17.6), size=(6, 6)),
        piece(5, "chasm", at=(10, 13.9), size=(6, 0.9), depth=2),
    )
    state = table(group(0, 0, (10, 12.8, 0, 4)), pieces=pieces)
    result = check_push(state, 0, 0, pose(10, 14.8), LIMITS)
    assert result.piece == 3


def test_landing_places() -> None:
    """SK32-MOVE-20: two inches from the foot are accepted, 2.1 are refused."""
    cliff = piece(3, "cliff", at=(10, 10), size=(6, 6))
    state = table(group(0, 0, (10, 12, 0, 4)), group(1, 1, (13, 15)), pieces=(cliff,))
    assert check_fall_spot(state, 0, 0, pose(10, 15.5), 3) == ()
    assert [r.cite for r in check_fall_spot(state, 0, 0, pose(10, 15.6), 3)] == ["fall.foot"]
    assert [r.cite for r in check_fall_spot(state, 0, 0, pose(12.5, 15), 3)] == ["move.through"]
    assert [r.cite for r in check_fall_spot(state, 0, 0, pose(10, 13.3), 3)] == ["climb.halfway"]


@pytest.mark.parametrize(
    ("types", "height", "refused"),
    [
        (("impassable",), 2.0, {"terrain.impassable"}),
        (("cover",), 2.0, {"fall.foot"}),
        (("cover",), 1.0, set()),
    ],
)
def test_the_foot_is_measured_in_space_and_must_carry(
    types: tuple[str, ...], height: float, refused: set[str]
) -> None:
    """SK32-MOVE-20, SK32-MEAS-05, SK32-TERRAIN-08: not on a rock nobody stands on, not too high beside the cliff."""
    cliff = piece(3, "cliff", at=(10, 10), size=(6, 6))
    rock = piece(4, "boulder", at=(10, 14.5), size=(3, 3), types=types, height=height)
    state = table(group(0, 0, (10, 12, 0, 4)), pieces=(cliff, rock))
    found = {reason.cite for reason in check_fall_spot(state, 0, 0, pose(10, 14.5, 0, height), 3)}
    assert found >= refused
    assert bool(found) is bool(refused)


def test_a_fallen_model_is_not_placed_back_on_top() -> None:
    """SK32-MOVE-20: the top of a wall of two inches lies two inches from its own foot and is not at the foot."""
    wall = piece(3, "wall", at=(10, 10), size=(6, 6))
    state = table(group(0, 0, (10, 12, 0, 2)), pieces=(wall,))
    assert [r.cite for r in check_fall_spot(state, 0, 0, pose(10, 12, 0, 2), 3)] == ["fall.foot"]


def test_landing_places_are_found() -> None:
    """SK32-MOVE-20: some legal places are offered, the nearest to the edge first."""
    cliff = piece(3, "cliff", at=(10, 10), size=(6, 6))
    state = table(group(0, 0, (10, 12, 0, 4)), pieces=(cliff,))
    spots = fall_spots(state, 0, 0, 3, pose(10, 13, 0, 4))
    assert len(spots) == 8
    assert all(check_fall_spot(state, 0, 0, spot, 3) == () for spot in spots)
    assert spots[0].y <= 14000


def test_a_push_goes_as_far_as_it_can() -> None:
    """SK32-WOUND-18: towards a wall it stops before it, in the open it goes two inches."""
    wall = piece(1, "building", at=(10, 12.5), size=(6, 2))
    state = table(group(0, 0, (10, 10)), pieces=(wall,))
    north = solve_push(state, 0, 0, 0, LIMITS)
    assert north.is_legal
    assert north.pose.y == pytest.approx(11000, abs=2)
    east = solve_push(state, 0, 0, 9000, LIMITS)
    assert east.pose == pose(12, 10)
