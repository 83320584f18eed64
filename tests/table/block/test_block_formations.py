"""Ranks, figures and rows of blocks."""

from __future__ import annotations

import pytest
from block_scenes import BIG, INCH, ODD, PROFILES, RIDER, at, block, cites, placed, rows_of_bases
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from shieldwall.core.state import MILLI, Pose, Unit
from shieldwall.table.footprints import unit_outline
from shieldwall.table.formations import (
    check_formation,
    enclosing_rect,
    figure_centres,
    figure_poses,
    formation_of,
    full_rows,
    heading_vector,
    pose_after_loss,
    row_models,
    striking_models,
)
from shieldwall.table.ranks import row_width


def row_sizes(unit: Unit) -> list[int]:
    return [len(row) for row in formation_of(unit, PROFILES).rows]


@pytest.mark.parametrize(
    ("size", "width"),
    [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 3),
        (7, 5),
        (8, 5),
        (9, 3),
        (10, 5),
        (11, 5),
        (12, 3),
        (15, 5),
        (20, 5),
    ],
)
def test_row_width_follows_the_original_size(size: int, width: int) -> None:
    """R35-FORM-04, R35-FORM-05: rows of 5 or 3, single rows for 1, 2 and 4, everything else 5."""
    assert row_width(size) == width


def test_combined_unit_keeps_the_row_width_of_its_parts() -> None:
    """R35-FORM-04: two parts of 3 stay 3 wide, two parts of 10 stay 5 wide."""
    assert row_width(6, 3) == 3
    assert row_width(20, 10) == 5
    assert row_width(8, 4) == 4


@pytest.mark.parametrize(
    ("size", "width", "rows"), [(10, 5, [5, 5]), (5, 5, [5]), (6, 3, [3, 3]), (3, 3, [3])]
)
def test_full_units_form_full_rows(size: int, width: int, rows: list[int]) -> None:
    """R35-FORM-04, R35-FORM-05: 10 is 5,5; 5 is 5; 6 is 3,3; 3 is 3."""
    assert row_sizes(block(1, at(10, 10), size, width)) == rows


def test_only_the_last_row_is_short_and_filled_from_the_left() -> None:
    """R35-FORM-08, R35-WOUND-02: 7 of 10 are 5,2 and the 2 stand in the two left files."""
    unit = block(1, at(10, 10), 7, started=10)
    assert row_sizes(unit) == [5, 2]
    figures = formation_of(unit, PROFILES).figures
    assert [figure.x for figure in figures[5:]] == pytest.approx([figures[0].x, figures[1].x])
    assert figures[5].y == pytest.approx(figures[0].y - 1)


def test_a_unit_reduced_below_one_row_is_a_single_row() -> None:
    """R35-WOUND-03: 3 of 10 left stand in one row of 3."""
    assert row_sizes(block(1, at(10, 10), 3, started=10)) == [3]


def test_all_models_face_as_the_block() -> None:
    """R35-FORM-07: every model of a unit that faces 90 faces 90."""
    poses = figure_poses(block(1, at(20, 20, 90)), PROFILES)
    assert {pose.heading for pose in poses} == {9000}


def test_figures_stand_in_rank_and_file() -> None:
    """R35-FORM-06: the first model stands front left, the fifth front right, the sixth behind the first."""
    poses = figure_poses(block(1, at(36, 24, 90)), PROFILES)
    assert (poses[0].x, poses[0].y) == (36500, 26000)
    assert (poses[4].x, poses[4].y) == (36500, 22000)
    assert (poses[5].x, poses[5].y) == (35500, 26000)


def test_fitting_hero_stands_front_left_and_pushes_models_back() -> None:
    """R35-FORM-09: 10 with a hero on the same base are hero + 4, 5, 1."""
    unit = block(1, at(10, 10), 10, hero=INCH)
    formation = formation_of(unit, PROFILES)
    assert row_sizes(unit) == [5, 5, 1]
    assert formation.rows[0][0] == 10
    assert formation.figures[10].x == pytest.approx(min(figure.x for figure in formation.figures))


@pytest.mark.parametrize("slot", range(5))
def test_owner_picks_the_front_row_place_of_the_hero(slot: int) -> None:
    """R35-FORM-09: any place of the front row may be picked."""
    formation = formation_of(block(1, at(10, 10), 10, hero=INCH, slot=slot), PROFILES)
    assert formation.rows[0].index(10) == slot


def test_big_hero_covers_places_of_two_rows() -> None:
    """R35-FORM-09, R35-FORM-10: a 2x2 hero covers two places of the first two rows."""
    formation = formation_of(block(1, at(10, 10), 10, hero=BIG, slot=0), PROFILES)
    assert formation.rows == ((10, 10, 0, 1, 2), (10, 10, 3, 4, 5), (6, 7, 8, 9))
    assert formation.figures[10].width == pytest.approx(2)


@pytest.mark.parametrize("troopers", range(1, 11))
@pytest.mark.parametrize("slot", range(4))
def test_big_hero_never_leaves_a_gap_in_a_row(troopers: int, slot: int) -> None:
    """R35-FORM-08: rows get no longer towards the rear and hold no hole, wherever the hero stands."""
    formation = formation_of(block(1, at(10, 10), troopers, hero=BIG, slot=slot, started=10), PROFILES)
    sizes = [len(row) for row in formation.rows]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == troopers + 4
    assert unary_union([box(*rect) for rect in formation.bases]).geom_type == "Polygon"


def test_hero_that_does_not_fit_stands_beside_flush_with_the_front() -> None:
    """R35-FORM-11: a 1.5 inch hero touches the side of the front row; the ranks hold only troopers."""
    for slot, sign in ((-1, -1), (-2, 1)):
        formation = formation_of(block(1, at(10, 10), 10, hero=ODD, slot=slot), PROFILES)
        hero, first, last = formation.figures[10], formation.figures[0], formation.figures[4]
        assert formation.rows == ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9))
        assert formation.beside == (10,)
        assert hero.y + hero.depth / 2 == pytest.approx(first.y + first.depth / 2)
        neighbour = first if sign < 0 else last
        assert abs(hero.x - neighbour.x) == pytest.approx((hero.width + neighbour.width) / 2)
        assert (hero.x - neighbour.x) * sign > 0


def test_hero_too_wide_for_the_front_stands_beside() -> None:
    """R35-FORM-09: a 2 inch base is wider than a front of 1, so it does not fit."""
    assert formation_of(block(1, at(10, 10), 1, 1, hero=BIG), PROFILES).beside == (1,)


def test_models_beside_the_block_strike() -> None:
    """R35-FORM-11: the hero beside counts as standing in the two front rows."""
    assert striking_models(block(1, at(10, 10), 15, hero=ODD, slot=-1), PROFILES) == (*range(10), 15)


def test_only_the_first_two_rows_strike() -> None:
    """R35-MELEE-10 needs it: 15 models in rows 5,5,5 have 10 strikers."""
    assert striking_models(block(1, at(10, 10), 15), PROFILES) == tuple(range(10))


def test_front_row_names_a_big_hero_once() -> None:
    """R35-MELEE-09 counts models: a hero over two places is one of the front row."""
    formation = formation_of(block(1, at(10, 10), 10, hero=BIG), PROFILES)
    front = [formation.figures[index][:2] for index in (10, 0, 1, 2)]
    assert formation.leaders.tolist() == [list(centre) for centre in front]


@pytest.mark.parametrize(("left", "rows"), [(10, 2), (9, 1), (5, 1), (4, 0)])
def test_full_rows_divide_by_the_first_front(left: int, rows: int) -> None:
    """R35-RESOLVE-03: 9, 5 and 4 of 10 are 1, 1 and 0 full rows."""
    assert full_rows(block(1, at(10, 10), left, started=10), PROFILES) == rows


def test_fitting_hero_counts_for_full_rows() -> None:
    """R35-RESOLVE-03: 4 of 5 and a fitting hero are 1 full row."""
    assert full_rows(block(1, at(10, 10), 4, hero=INCH, started=5), PROFILES) == 1


def test_big_hero_counts_as_the_places_it_covers() -> None:
    """R35-FORM-10: 6 troopers and a 2x2 hero are 10 models and 2 full rows."""
    unit = block(1, at(10, 10), 6, hero=BIG, started=10)
    assert (row_models(unit, PROFILES), full_rows(unit, PROFILES)) == (10, 2)


@pytest.mark.parametrize(("left", "models", "rows"), [(9, 9, 1), (4, 5, 1), (5, 6, 1), (3, 4, 0)])
def test_hero_beside_counts_only_with_the_last_row(left: int, models: int, rows: int) -> None:
    """R35-FORM-12: 9 and the hero count 9, 4 and the hero count 5."""
    unit = block(1, at(10, 10), left, hero=ODD, slot=-1, started=10)
    assert (row_models(unit, PROFILES), full_rows(unit, PROFILES)) == (models, rows)


def test_unit_that_began_as_one_model_has_a_full_row() -> None:
    """R35-RESOLVE-07: a lone monster always counts one full row."""
    assert full_rows(block(1, at(10, 10), 1, 1), PROFILES) == 1
    assert full_rows(block(1, at(10, 10), 1, 5), PROFILES) == 1
    assert full_rows(block(1, at(10, 10), 1, 5, started=10), PROFILES) == 0


def test_enclosing_rectangle_holds_a_short_row_and_a_hero_beside() -> None:
    """R35-MOVE-21: the centre is that of the smallest rectangle round all bases."""
    rect = enclosing_rect(block(1, at(36, 24), 7, hero=ODD, slot=-2, started=10), PROFILES)
    assert (rect.half_width, rect.half_depth) == pytest.approx((3.25, 1.0))


@given(
    size=st.integers(1, 20),
    width=st.integers(1, 6),
    heading=st.integers(0, 35999),
    kind=st.sampled_from([INCH, RIDER]),
)
def test_outline_is_the_union_of_the_bases(size: int, width: int, heading: int, kind: int) -> None:
    """R35-FORM-06: the few rectangles of the outline cover exactly the bases, centred on the block."""
    unit = block(1, Pose(20000, 30000, heading), size, width, kind)
    rects = [box(*rect) for rect in formation_of(unit, PROFILES).rects]
    bases = unary_union([base.buffer(1e-9) for base in rows_of_bases(unit)])
    assert unary_union(rects).symmetric_difference(bases).area < 1e-6
    assert sum(rect.area for rect in rects) == pytest.approx(bases.area, abs=1e-6)
    assert len(rects) <= 2
    shapes = unit_outline(unit, PROFILES)
    corners = shapes.points.reshape(-1, 4, 2)
    on_table = unary_union([Polygon(one.tolist()) for one in corners])
    assert unit.block is not None
    assert on_table.symmetric_difference(placed(bases, unit.block)).area < 1e-5


@given(size=st.integers(1, 16), heading=st.integers(0, 35999))
def test_figure_poses_are_the_exact_centres_on_the_grid(size: int, heading: int) -> None:
    """R35-FORM-06: rounding moves no figure by more than half a grid step along either axis."""
    unit = block(1, Pose(20000, 30000, heading), size, kind=RIDER)
    exact = figure_centres(unit, PROFILES)
    for pose, (x, y) in zip(figure_poses(unit, PROFILES), exact.tolist(), strict=True):
        assert abs(pose.x - x * MILLI) <= 0.5001
        assert abs(pose.y - y * MILLI) <= 0.5001


@given(before=st.integers(2, 15), lost=st.integers(1, 14), heading=st.integers(0, 35999))
def test_front_keeps_its_place_after_losses(before: int, lost: int, heading: int) -> None:
    """R35-WOUND-02: the first model, front left, stands where it stood to a step of the grid; the rear shrinks."""
    lost = min(lost, before - 1)
    unit = block(1, Pose(30000, 20000, heading), before, kind=RIDER)
    pose = pose_after_loss(unit, unit.models[: before - lost], PROFILES)
    after = replace(unit, models=unit.models[: before - lost], block=pose)
    was, now = figure_centres(unit, PROFILES)[0], figure_centres(after, PROFILES)[0]
    assert was.tolist() == pytest.approx(now.tolist(), abs=0.00105)
    assert pose.heading == heading


@given(
    heading=st.integers(0, 35999),
    order=st.permutations(range(20)),
    hero=st.sampled_from([None, -1, -2, 0, 3]),
)
def test_rounding_does_not_add_up_loss_by_loss(heading: int, order: list[int], hero: int | None) -> None:
    """R35-WOUND-02: the front corner of the ranks is where it was after any number of losses, to a step of the grid."""
    joined = {} if hero is None else {"hero": ODD if hero < 0 else RIDER, "slot": hero}
    unit = block(1, Pose(30000, 20000, heading), 20, kind=RIDER, **joined)
    start = _front_corner(unit)
    for lost in order[:14]:  # a full front row is left
        left = tuple(model for model in unit.models if model.id != 100 + lost)
        unit = replace(unit, models=left, block=pose_after_loss(unit, left, PROFILES))
        assert _front_corner(unit) == pytest.approx(start, abs=0.00105)


def _front_corner(unit: Unit) -> tuple[float, float]:
    assert unit.block is not None
    sine, cosine = heading_vector(unit.block.heading)
    across, along = formation_of(unit, PROFILES).origin
    x = unit.block.x / MILLI + across * cosine + along * sine
    return x, unit.block.y / MILLI + along * cosine - across * sine


def test_lost_front_row_figure_is_replaced_from_behind() -> None:
    """R35-WOUND-02: with a front and a back model gone the rows are 5,3 and the sergeant keeps his place."""
    unit = block(1, at(20, 20), 10)
    left = tuple(model for index, model in enumerate(unit.models) if index not in (2, 7))
    after = replace(unit, models=left, block=pose_after_loss(unit, left, PROFILES))
    assert row_sizes(after) == [5, 3]
    assert after.models[0] == unit.models[0]
    assert after.block == at(20, 20)


def test_hero_beside_who_is_left_alone_stays_where_he_stood() -> None:
    """R35-SR-HERO-06: the sole survivor beside the block does not jump to the ranks' place."""
    unit = block(1, at(30, 20, 90), 5, hero=ODD, slot=-2)
    hero = figure_centres(unit, PROFILES)[5]
    pose = pose_after_loss(unit, unit.models[5:], PROFILES)
    assert (pose.x / MILLI, pose.y / MILLI) == pytest.approx(tuple(hero), abs=0.001)


def test_ranks_stay_when_the_hero_beside_is_lost() -> None:
    """R35-WOUND-02: the troopers keep their place although the rectangle loses the hero."""
    unit = block(1, at(30, 20), 10, hero=ODD, slot=-1)
    pose = pose_after_loss(unit, unit.models[:10], PROFILES)
    after = replace(unit, models=unit.models[:10], block=pose)
    was, now = figure_centres(unit, PROFILES)[:10], figure_centres(after, PROFILES)
    assert abs(was - now).max() <= 0.00075


def moved(poses: tuple[Pose, ...], indexes: range, x: int = 0, y: int = 0, z: int = 0) -> tuple[Pose, ...]:
    return tuple(
        replace(pose, x=pose.x + x, y=pose.y + y, z=pose.z + z) if index in indexes else pose
        for index, pose in enumerate(poses)
    )


def test_formation_of_the_derived_figures_is_accepted() -> None:
    """R35-FORM-03..09: what the block derives is what the check wants."""
    for unit in (
        block(1, at(20, 20, 33), 7, started=10),
        block(1, at(20, 20), 10, hero=BIG),
        block(1, at(9, 9), 10, hero=ODD),
    ):
        assert check_formation(unit, figure_poses(unit, PROFILES), PROFILES) == ()


def test_formation_with_a_model_apart_is_refused() -> None:
    """R35-FORM-03: one of 5 bases half an inch away is refused."""
    unit = block(1, at(20, 20), 5)
    poses = moved(figure_poses(unit, PROFILES), range(4, 5), x=500)
    assert "formation.contact" in cites(check_formation(unit, poses, PROFILES))


def test_formation_with_a_shifted_row_is_refused() -> None:
    """R35-FORM-06: a second row half a base off is refused."""
    unit = block(1, at(20, 20), 10)
    poses = moved(figure_poses(unit, PROFILES), range(5, 10), x=500)
    assert "formation.alignment" in cites(check_formation(unit, poses, PROFILES))


def test_formation_with_two_facings_is_refused() -> None:
    """R35-FORM-07: one model that looks elsewhere is refused."""
    unit = block(1, at(20, 20), 5)
    poses = figure_poses(unit, PROFILES)
    turned = (replace(poses[0], heading=9000), *poses[1:])
    assert "formation.facing" in cites(check_formation(unit, turned, PROFILES))


def test_formation_with_two_short_rows_is_refused() -> None:
    """R35-FORM-08: 7 models in rows 4,3 are refused."""
    unit = block(1, at(20, 20), 7, started=10)
    spots = [(index, 0) for index in range(4)] + [(index, 1) for index in range(3)]
    poses = tuple(at(20 + x, 20 - y) for x, y in spots)
    assert cites(check_formation(unit, poses, PROFILES)) == {"formation.rows"}


def test_levels_may_be_three_inches_apart() -> None:
    """R35-TERRAIN-27: 6 above and 4 below may be 3.0 inches apart, not 3.1; the height counts."""
    unit = block(1, at(20, 20), 10)
    flat = figure_poses(unit, PROFILES)
    rear = range(5, 10)
    assert check_formation(unit, moved(flat, rear, y=-3000, z=0), PROFILES) != ()
    assert check_formation(unit, moved(flat, rear, y=-3000, z=1), PROFILES) == ()
    assert cites(check_formation(unit, moved(flat, rear, y=-3100, z=1), PROFILES)) == {"formation.contact"}
    assert cites(check_formation(unit, moved(flat, rear, y=-2900, z=1000), PROFILES)) == {"formation.contact"}
    assert check_formation(unit, moved(flat, rear, y=-2800, z=1000), PROFILES) == ()


def test_block_of_a_waiting_unit_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="no block pose"):
        figure_poses(replace(block(1, at(1, 1)), block=None), PROFILES)
