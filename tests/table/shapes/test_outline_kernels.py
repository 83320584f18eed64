"""Points, lines and footprints against outlines of terrain, against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from shape_makers import at, core_of, footprints, outlines
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Base
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import line_span, overhang
from shieldwall.geometry.polygons import (
    border_distance,
    core_to_segment,
    half_inside,
    is_surely_beyond,
    point_in_polygon,
    polygon_contains,
    polygon_distance,
    polygon_overlaps,
    polygon_share,
)
from shieldwall.geometry.tolerance import AREA_EPS
from shieldwall.table.shapes import Shapes, shapes_of

One = tuple[Shapes, list[BaseGeometry]]
spots = st.floats(-1, 13)
U_SHAPE = np.array([(0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6)], dtype=float)
ROOM = np.array([(0, 0), (4, 0), (4, 4), (0, 4)], dtype=float)


@given(outlines(), spots, spots)
@example(U_SHAPE, 3.0, 4.0)
@example(U_SHAPE, 1.0, 2.0)
def test_a_point_is_inside_as_shapely_says(outline: Floats, x: float, y: float) -> None:
    truth = Polygon(outline)
    assume(truth.exterior.distance(Point(x, y)) > 1e-9)
    assert point_in_polygon(outline, 0, len(outline), x, y) == truth.contains(Point(x, y))
    assert border_distance(outline, 0, len(outline), x, y) == pytest.approx(
        truth.exterior.distance(Point(x, y)), abs=1e-12
    )


@pytest.mark.parametrize(
    ("x", "inside"), [(-2.0, False), (-0.5, True), (0.0, True), (0.5, True), (2.0, False)]
)
def test_corners_level_with_a_point_are_counted_once(x: float, inside: bool) -> None:
    diamond = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)], dtype=float)
    notched = np.array([(-1, 0), (0, -1), (1, 0), (0.5, 2), (0, 0), (-0.5, 2)], dtype=float)
    for outline in (diamond, np.ascontiguousarray(diamond[::-1])):
        assert point_in_polygon(outline, 0, 4, x, 0.0) == inside
    assert point_in_polygon(notched, 0, 6, x, -1e-12) == inside
    assert not point_in_polygon(diamond, 0, 4, x, 1.0)
    assert not point_in_polygon(diamond, 0, 4, x, -1.0) or x == 0.0  # the lowest corner is border


@given(footprints(), outlines())
def test_distance_to_an_outline(one: One, outline: Floats) -> None:
    shapes, (truth,) = one
    found = polygon_distance(shapes.points, shapes.rows, 0, outline, 0, len(outline))
    exact = max(core_of(shapes, 0).distance(Polygon(outline)) - shapes.radius[0], 0.0)
    assert found == pytest.approx(exact, abs=1e-9)
    assert found == pytest.approx(truth.distance(Polygon(outline)), abs=2e-3)


@given(footprints(), outlines())
def test_overlap_and_inside_leave_room_for_the_tolerance(one: One, outline: Floats) -> None:
    shapes, (truth,) = one
    arrays = (shapes.points, shapes.rows, 0, outline, 0, len(outline))
    terrain = Polygon(outline)
    overlaps, contains = polygon_overlaps(*arrays), polygon_contains(*arrays)
    if truth.buffer(-0.003).intersects(terrain):
        assert overlaps
    if not truth.buffer(0.002).intersects(terrain):
        assert not overlaps
    if terrain.contains(truth.buffer(0.002)):
        assert contains
    if not terrain.contains(truth.buffer(-0.003)):
        assert not contains
    assert overlaps or not contains


@given(footprints(), outlines())
def test_share_of_a_base_inside_an_outline(one: One, outline: Floats) -> None:
    shapes, (truth,) = one
    share = polygon_share(shapes.points, shapes.rows, 0, outline, 0, len(outline))
    assert 0.0 <= share <= 1.0
    assert share == pytest.approx(truth.intersection(Polygon(outline)).area / truth.area, abs=1e-3)


@given(footprints(), outlines())
def test_share_agrees_with_overlap_and_inside(one: One, outline: Floats) -> None:
    shapes, _ = one
    arrays = (shapes.points, shapes.rows, 0, outline, 0, len(outline))
    share = polygon_share(*arrays)
    if polygon_contains(*arrays):
        assert share > 0.99
    if not polygon_overlaps(*arrays):
        assert share < 0.01
    if share > 0.01:
        assert polygon_overlaps(*arrays)


@given(footprints(), outlines())
def test_which_half_of_a_base_is_inside_is_what_its_share_says(one: One, outline: Floats) -> None:
    shapes, _ = one
    arrays = (shapes.points, shapes.rows, 0, outline, 0, len(outline))
    half, share = half_inside(*arrays), polygon_share(*arrays)
    if half > 0:
        assert share > 0.5 + AREA_EPS
    if half < 0:
        assert share < 0.5 - AREA_EPS


@pytest.mark.parametrize("base", [Base("round", 32, 32), Base("oval", 35, 60), Base("square", 25, 25)])
@pytest.mark.parametrize(
    ("x", "y", "half"),
    [
        (2.0, 0.1, 1),  # most of it inside, over one wall
        (2.0, -0.1, -1),
        (2.0, 0.0, 0),  # half of it: that needs measuring
        (0.1, 0.1, 0),  # a corner takes away more than one wall
        (-0.1, -0.1, -1),  # outside a corner
        (9.0, 9.0, -1),
    ],
)
def test_one_wall_or_a_corner_seen_from_outside_tells_which_half(
    base: Base, x: float, y: float, half: int
) -> None:
    shapes = shapes_of([at(x, y)], [base], [0])
    assert half_inside(shapes.points, shapes.rows, 0, ROOM, 0, 4) == half


def square_at(x: float, y: float, heading: float = 0.0) -> Shapes:
    return shapes_of([at(x, y, heading)], [Base("square", 25.4, 25.4)], [0])


@pytest.mark.parametrize(
    ("x", "y", "overlaps", "contains", "share"),
    [
        (-0.5, 2.0, False, False, 0.0),  # flush against the wall from outside
        (-0.499, 2.0, True, False, 0.001),  # a grid step in
        (0.5, 0.5, True, True, 1.0),  # in the corner
        (0.499, 0.5, True, False, 0.999),
        (0.0, 2.0, True, False, 0.5),
        (0.0, 0.0, True, False, 0.25),
        (-0.5, -0.5, False, False, 0.0),  # corner to corner
        (4.5, 4.5, False, False, 0.0),
        (9.0, 9.0, False, False, 0.0),
    ],
)
def test_a_base_flush_with_a_wall_touches_but_does_not_overlap(
    x: float, y: float, overlaps: bool, contains: bool, share: float
) -> None:
    shapes = square_at(x, y)
    for turned in range(4):  # where the list of corners starts is no matter
        room = np.ascontiguousarray(np.roll(ROOM, turned, axis=0))
        arrays = (shapes.points, shapes.rows, 0, room, 0, 4)
        assert polygon_overlaps(*arrays) == overlaps
        assert polygon_contains(*arrays) == contains
        assert polygon_share(*arrays) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(
    ("x", "y", "overlaps", "contains"),
    [
        (-0.5, 2.0, False, False),  # flush against the wall from outside
        (-0.499, 2.0, True, False),
        (0.5, 0.5, True, True),  # in the corner
        (0.499, 0.5, True, False),
        (0.0, 0.0, True, False),
        (
            -0.4,
            -0.4,
            False,
            False,
        ),  # the corner of the room lies outside the circle, though not outside its box
    ],
)
def test_a_circle_flush_with_a_wall_touches_but_does_not_overlap(
    x: float, y: float, overlaps: bool, contains: bool
) -> None:
    shapes = shapes_of([at(x, y)], [Base("round", 25.4, 25.4)], [0])
    arrays = (shapes.points, shapes.rows, 0, ROOM, 0, 4)
    assert polygon_overlaps(*arrays) == overlaps
    assert polygon_contains(*arrays) == contains


def test_a_base_that_fills_an_outline_is_wholly_inside_it() -> None:
    shapes = square_at(2.0, 2.0)
    same = np.ascontiguousarray(shapes.points.copy())
    arrays = (shapes.points, shapes.rows, 0, same, 0, 4)
    assert polygon_contains(*arrays)
    assert polygon_overlaps(*arrays)
    assert polygon_share(*arrays) == pytest.approx(1.0, abs=1e-12)
    assert polygon_distance(*arrays) == 0.0


def test_a_fence_across_a_base_overlaps_though_its_middle_is_free() -> None:
    fence = np.array([(2.2, 0.0), (2.3, 0.0), (2.3, 4.0), (2.2, 4.0)])
    shapes = square_at(2.0, 2.0)
    assert polygon_overlaps(shapes.points, shapes.rows, 0, fence, 0, 4)
    assert polygon_share(shapes.points, shapes.rows, 0, fence, 0, 4) == pytest.approx(0.1, abs=1e-12)


def test_a_circle_with_its_middle_on_the_corner_has_a_quarter_inside() -> None:
    shapes = shapes_of([at(0.0, 0.0)], [Base("round", 32, 32)], [0])
    assert polygon_share(shapes.points, shapes.rows, 0, ROOM, 0, 4) == pytest.approx(0.25, abs=1e-12)


@given(footprints(3), st.floats(-2, 10), st.floats(-2, 10), st.floats(0, 2 * math.pi))
def test_span_and_overhang(many: One, x: float, y: float, angle: float) -> None:
    shapes, truth = many
    near, far = line_span(shapes.points, shapes.rows, 0, 3, x, y, math.cos(angle), math.sin(angle))
    rims = [np.array(one.exterior.coords) - (x, y) for one in truth]
    away = [rim @ (math.cos(angle), math.sin(angle)) for rim in rims]
    assert near == pytest.approx(min(rim.min() for rim in away), abs=2e-3)
    assert far == pytest.approx(max(rim.max() for rim in away), abs=2e-3)
    boxes = [one.bounds for one in truth]
    out = max(max(2 - b[0], 1 - b[1], b[2] - 9, b[3] - 8) for b in boxes)
    assert overhang(shapes.points, shapes.rows, 0, 3, 2.0, 1.0, 9.0, 8.0) == pytest.approx(out, abs=2e-3)


@given(st.integers(9, 40), st.floats(0.2, 3.0), st.tuples(spots, spots, spots, spots), st.floats(0.0, 4.0))
def test_a_quick_look_from_a_core_never_misses_a_segment(
    corners: int, flat: float, line: tuple[float, float, float, float], limit: float
) -> None:
    """The quick check never claims too much, and recognises segments clearly beyond the limit, straight ahead."""
    turns = [2 * math.pi * k / corners for k in range(corners)]
    core = np.array([(6 + 3 * math.cos(turn), 6 + flat * math.sin(turn)) for turn in turns])
    apart = math.sqrt(core_to_segment(core, 0, corners, *line))
    if is_surely_beyond(core, 0, corners, *line, limit):
        assert apart > limit
    assert is_surely_beyond(core, 0, corners, 20.0, -3.0, 20.0, 15.0, 10.9)
