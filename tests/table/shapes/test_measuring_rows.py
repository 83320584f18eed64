"""The rulebooks' rows about measuring, as they are written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from shape_makers import BASES, INCH_ROUND, INCH_SQUARE, at, block, loose, table

from shieldwall.core.state import Base, Pose
from shieldwall.geometry.tolerance import EPS, closer_than, over, touching, within
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.measure import (
    edge_span,
    is_on_table,
    models_apart,
    nearest_models,
    point_to_unit,
    scan,
    units_apart,
)


def test_measuring_changes_nothing() -> None:
    """R35-MEAS-01, SK32-MEAS-02: the answer comes at once and the state is the same as before."""
    state = table([block(1, at(10, 10), 5, side=0), block(2, at(30, 30), 5, side=1)], INCH_SQUARE)
    untouched = table([block(1, at(10, 10), 5, side=0), block(2, at(30, 30), 5, side=1)], INCH_SQUARE)
    assert units_apart(state, 1, 2) == units_apart(state, 2, 1)
    assert state == untouched


def test_square_bases_are_measured_between_their_closest_points() -> None:
    """R35-MEAS-02: 1x1 bases centred at (10,10) and (16,10) are 5.0 apart."""
    state = table([loose(1, [at(10, 10)]), loose(2, [at(16, 10)])], INCH_SQUARE)
    assert models_apart(state, 1, 0, 2, 0) == 5.0


def test_units_are_as_far_apart_as_their_nearest_models() -> None:
    """R35-MEAS-03: bases at x = 10, 11, 12 and at x = 20, 21 are 7.0 apart."""
    near = loose(1, [at(10, 10), at(11, 10), at(12, 10)])
    state = table([near, loose(2, [at(20, 10), at(21, 10)])], INCH_SQUARE)
    assert units_apart(state, 1, 2) == 7.0
    assert nearest_models(state, 1, 2) == (2, 0, 7.0)
    assert nearest_models(state, 2, 1) == (0, 2, 7.0)


def test_a_model_without_base_is_measured_to_its_agreed_hull() -> None:
    """R35-MEAS-04, SK32-MEAS-04: the distance runs to the hull rectangle, turned as the model faces."""
    hull = Base("rect", 2 * 25.4, 4 * 25.4)
    state = table([loose(1, [at(10, 10)], kind=0), loose(2, [at(20, 10)], kind=1)], INCH_ROUND, hull)
    assert units_apart(state, 1, 2) == pytest.approx(8.5)
    turned = table([loose(1, [at(10, 10)], kind=0), loose(2, [at(20, 10, 90)], kind=1)], INCH_ROUND, hull)
    assert units_apart(turned, 1, 2) == pytest.approx(7.5)


def test_parts_beyond_the_agreed_footprint_do_not_count() -> None:
    """R35-MEAS-05: 3 inches from the hull, though a banner reaches 2 inches nearer."""
    hull = Base("rect", 2 * 25.4, 2 * 25.4)
    state = table([loose(1, [at(10, 10)], kind=1), loose(2, [at(14.5, 10)], kind=0)], INCH_ROUND, hull)
    assert units_apart(state, 1, 2) == pytest.approx(3.0)


@pytest.mark.parametrize("base", BASES)
def test_a_straight_way_is_as_long_as_any_point_of_the_base_travels(base: Base) -> None:
    """R35-MEAS-06, R35-MEAS-07: of a 6 inch allowance, 6.0 is legal and 6.1 is not, for every shape."""
    for length, is_legal in ((6.0, True), (6.1, False)):
        way = [
            at(10, 10, 30),
            at(10 + length * math.sin(math.radians(30)), 10 + length * math.cos(math.radians(30)), 30),
        ]
        state = table([loose(1, [way[0]]), loose(2, [way[1]])], base)
        start, end = (unit_shapes(unit, state.profiles) for unit in state.units)
        moved = np.hypot(*(end.points - start.points).T)
        assert moved == pytest.approx(math.hypot(way[1].x - way[0].x, way[1].y - way[0].y) / 1000, abs=1e-9)
        assert within(float(moved.max()), 6.0) is is_legal


def test_distances_are_inches() -> None:
    """SK32-MEAS-01: bases 25.4 mm apart are 1.0 apart."""
    one, other = loose(1, [at(0, 0)]), loose(2, [at(2, 0)])
    assert units_apart(table([one, other], Base("round", 25.4, 25.4)), 1, 2) == pytest.approx(25.4 / 25.4)


def test_a_point_is_measured_from_the_base() -> None:
    """SK32-MEAS-03: from a 1 inch base at (0,0) to the point (3,0) it is 2.5, whatever the model holds."""
    state = table([loose(1, [at(0, 0)])], INCH_ROUND)
    assert point_to_unit(state, 1, 3.0, 0.0) == 2.5
    assert point_to_unit(state, 1, 0.2, 0.0) == 0.0


def test_round_bases_are_measured_between_their_closest_points() -> None:
    """SK32-MEAS-05: 1 inch round bases centred at (0,0) and (6,0) are 5.0 apart."""
    state = table([loose(1, [at(0, 0)]), loose(2, [at(6, 0)])], INCH_ROUND)
    assert units_apart(state, 1, 2) == 5.0


def test_the_ruler_is_laid_in_three_dimensions() -> None:
    """SK32-MEAS-05 (ruling): with heights, the difference of the ground under both bases counts too."""
    state = table([loose(1, [at(0, 0)]), loose(2, [at(5, 0, z=3)])], INCH_ROUND)
    assert units_apart(state, 1, 2) == 4.0
    assert units_apart(state, 1, 2, heights=True) == 5.0
    assert models_apart(state, 1, 0, 2, 0, heights=True) == 5.0
    assert point_to_unit(state, 2, 0.5, 0.0, 0.0, heights=True) == 5.0
    assert scan(state, 1, heights=True).tolist() == [math.inf, 5.0]
    above = table([loose(1, [at(0, 0)]), loose(2, [at(0.1, 0, z=3)])], INCH_ROUND)
    assert units_apart(above, 1, 2) == 0.0
    assert units_apart(above, 1, 2, heights=True) == 3.0


def test_heights_can_decide_which_models_are_nearest() -> None:
    """SK32-MEAS-05 (ruling): a model right above may be farther away than one on the ground."""
    state = table([loose(1, [at(0, 0)]), loose(2, [at(1, 0, z=6), at(4, 0)])], INCH_ROUND)
    assert nearest_models(state, 1, 2).other_model == 0
    assert nearest_models(state, 1, 2, heights=True) == (0, 1, 3.0)


def test_loose_units_are_as_far_apart_as_their_nearest_models() -> None:
    """SK32-MEAS-06: models 7, 9 and 11 inches away make a unit 7 inches away."""
    state = table([loose(1, [at(8, 0), at(10, 0), at(12, 0)]), loose(2, [at(0, 0)])], INCH_ROUND)
    assert units_apart(state, 1, 2) == 7.0


def test_within_includes_the_limit_and_over_excludes_it() -> None:
    """SK32-MEAS-07: exactly 3.0 is within 3, exactly 9.0 is not over 9."""
    assert within(3.0, 3.0)
    assert not within(3.001, 3.0)
    assert not over(9.0, 9.0)
    assert over(9.001, 9.0)
    assert not closer_than(1.0, 1.0)  # exactly 1 inch of spacing is legal
    assert closer_than(0.999, 1.0)
    assert touching(0.0)
    assert touching(EPS)
    assert not touching(0.001)


@given(st.floats(0, 100), st.floats(0, 100))
def test_over_is_the_opposite_of_within_and_closer_implies_within(distance: float, limit: float) -> None:
    assert over(distance, limit) is not within(distance, limit)
    assert within(distance, limit) or not closer_than(distance, limit)


def test_fully_within_asks_for_the_far_side_of_the_base() -> None:
    """SK32-MEAS-07: a 1 inch base whose near edge is 11.5 from the table edge ends at 12.5."""
    state = table([loose(1, [at(20, 12)])], INCH_ROUND)
    span = edge_span(state, 1, "south")
    assert span == (11.5, 12.5)
    assert within(span.near, 12)
    assert not within(span.far, 12)


def test_spans_from_all_four_edges() -> None:
    state = table([loose(1, [at(20, 12)])], INCH_SQUARE)
    spans = {edge: edge_span(state, 1, edge) for edge in ("south", "north", "west", "east")}
    assert spans == {"south": (11.5, 12.5), "north": (35.5, 36.5), "west": (19.5, 20.5), "east": (51.5, 52.5)}


@pytest.mark.parametrize(
    ("x", "y", "stays"), [(0.5, 0.5, True), (71.5, 47.5, True), (0.499, 5, False), (5, 47.501, False)]
)
def test_a_base_may_touch_the_table_edge_but_not_stick_out(x: float, y: float, stays: bool) -> None:
    for base in (INCH_ROUND, INCH_SQUARE):
        assert is_on_table(table([loose(1, [at(x, y)])], base), 1) is stays


def test_overlapping_bases_are_0_apart() -> None:
    state = table([loose(1, [at(5, 5)]), loose(2, [at(5.2, 5)])], INCH_SQUARE)
    assert units_apart(state, 1, 2) == 0.0
    assert models_apart(state, 1, 0, 2, 0) == 0.0
    assert nearest_models(state, 1, 2).distance == 0.0
    assert scan(state, 1).tolist() == [math.inf, 0.0]


def test_nothing_is_measured_to_a_unit_that_is_not_on_the_table() -> None:
    state = table([loose(1, [at(5, 5)]), loose(2, [at(9, 5)], place="reserve")], INCH_SQUARE)
    with pytest.raises(ValueError, match="Unit 2 is not on the table"):
        units_apart(state, 1, 2)
    assert scan(state, 1).tolist() == [math.inf]


def test_a_model_that_is_not_there_is_refused() -> None:
    state = table([loose(1, [at(5, 5)]), loose(2, [at(9, 5), at(11, 5)])], INCH_SQUARE)
    for index in (1, -1):
        with pytest.raises(IndexError, match="unit 1 has no model"):
            models_apart(state, 1, index, 2, 0)


tables = st.lists(
    st.tuples(st.integers(1000, 71000), st.integers(1000, 47000), st.integers(0, 35999), st.integers(1, 11)),
    min_size=2,
    max_size=6,
)


@given(tables, st.integers(0, 3))
def test_scan_and_outline_agree_with_the_nearest_models(
    stands: list[tuple[int, int, int, int]], kind: int
) -> None:
    """R35-MEAS-03: the outline of a block is exactly the union of its bases."""
    blocks = [block(index, Pose(x, y, turn), size, 1) for index, (x, y, turn, size) in enumerate(stands)]
    spread = [
        loose(index, [Pose(x + 1700 * model, y, turn) for model in range(size)], kind)
        for index, (x, y, turn, size) in enumerate(stands)
    ]
    for state in (table(list(blocks)), table(list(spread)), table([*blocks[:1], *spread[1:]])):
        distances = scan(state, 0)
        assert distances[0] == math.inf
        for other in range(1, len(stands)):
            assert distances[other] == units_apart(state, 0, other)
            nearest = nearest_models(state, 0, other)
            assert distances[other] == pytest.approx(nearest.distance, abs=1e-9)
            pair = models_apart(state, 0, nearest.model, other, nearest.other_model)
            assert pair == pytest.approx(nearest.distance, abs=1e-12)


def test_a_copy_of_the_state_measures_the_same() -> None:
    state = table([loose(1, [at(8, 0)]), loose(2, [at(0, 0)])], INCH_ROUND)
    assert units_apart(state, 1, 2) == 7.0
    later = replace(state, units=(state.units[0], replace(state.units[1], poses=(at(2, 0),))))
    assert units_apart(later, 1, 2) == 5.0
    assert units_apart(state, 1, 2) == 7.0
