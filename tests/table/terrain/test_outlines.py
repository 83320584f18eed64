"""Exact arithmetic on outlines, compared with shapely."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely import MultiPoint, Point, Polygon

from shieldwall.table.outlines import (
    area,
    doubled_area,
    half_turn,
    hull,
    is_inside,
    narrowest,
    outline_problems,
    rectangle,
    sides,
)

coordinate = st.integers(-5_000, 5_000)
points = st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=9, unique=True)


@st.composite
def stars(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """A simple polygon, seldom convex: corners at growing angles and any distance."""
    count = draw(st.integers(3, 12))
    reach = draw(st.lists(st.integers(800, 6_000), min_size=count, max_size=count))
    return tuple(
        (round(r * math.cos(math.tau * i / count)), round(r * math.sin(math.tau * i / count)))
        for i, r in enumerate(reach)
    )


@given(stars(), coordinate, coordinate)
def test_inside_is_what_shapely_says(outline: tuple[tuple[int, int], ...], x: int, y: int) -> None:
    assert is_inside(outline, x, y) == Polygon(outline).contains(Point(x, y))


@given(stars(), st.integers(0, 11), st.integers(0, 4))
def test_border_points_are_not_inside(outline: tuple[tuple[int, int], ...], edge: int, quarter: int) -> None:
    (ax, ay), (bx, by) = outline[edge % len(outline)], outline[(edge + 1) % len(outline)]
    assume((bx - ax) * quarter % 4 == 0 and (by - ay) * quarter % 4 == 0)
    assert not is_inside(outline, ax + (bx - ax) * quarter // 4, ay + (by - ay) * quarter // 4)


@given(stars())
def test_area_and_direction(outline: tuple[tuple[int, int], ...]) -> None:
    assert area(outline) == pytest.approx(Polygon(outline).area / 1e6)
    assert doubled_area(outline) > 0
    assert doubled_area(outline[::-1]) == -doubled_area(outline)


@given(points)
def test_hull_is_what_shapely_says(corners: list[tuple[int, int]]) -> None:
    expected = MultiPoint(corners).convex_hull
    assume(expected.area > 0)
    assert Polygon(hull(tuple(corners))).equals(expected)


@given(points)
def test_the_smallest_rectangle_is_what_shapely_says(corners: list[tuple[int, int]]) -> None:
    around = MultiPoint(corners).minimum_rotated_rectangle
    assume(around.area > 1_000)
    short, long = sides(tuple(corners))
    assert short * long == pytest.approx(around.area / 1e6, rel=1e-6)
    assert short <= long


@given(st.floats(0.2, 12), st.floats(0.2, 12), st.floats(0, 360))
def test_sides_do_not_depend_on_the_angle(width: float, depth: float, angle: float) -> None:
    turned = rectangle((20, 20), (width, depth), angle)
    assert sides(turned) == pytest.approx((min(width, depth), max(width, depth)), abs=0.002)
    assert narrowest(turned) == pytest.approx(min(width, depth), abs=0.002)


@given(points)
def test_simple_polygons_are_told_from_crossing_ones(corners: list[tuple[int, int]]) -> None:
    polygon = Polygon(corners)
    assume(polygon.area > 0)
    if polygon.is_valid:
        assert not outline_problems(tuple(corners))
    else:
        assert outline_problems(tuple(corners))


def test_faults_of_an_outline_are_all_named() -> None:
    assert outline_problems(((0, 0), (1, 1))) == ["an outline needs at least 3 corners, this one has 2"]
    assert len(outline_problems(((0, 0), (9, 0), (0, 0), (5, 5)))) >= 2
    assert "encloses no area" in outline_problems(((0, 0), (5, 0), (9, 0)))[0]


@given(stars())
def test_a_half_turn_is_its_own_inverse(outline: tuple[tuple[int, int], ...]) -> None:
    turned = half_turn(outline, 72_000, 48_000)
    assert half_turn(turned, 72_000, 48_000) == outline
    assert doubled_area(turned) == doubled_area(outline)
