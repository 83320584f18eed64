"""Distance and depth of overlap of two footprints, against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shape_makers import bases, core_of, footprints, poses
from shapely.geometry import MultiPoint, Point
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Base, Pose
from shieldwall.geometry.distance import COLUMNS, COUNT, FIRST, RADIUS, BodyPose, gap, point_gap, set_gap
from shieldwall.table.shapes import OVAL_ERROR, Shapes, base_shape, form_of, placed_together, shapes_of

Two = tuple[Shapes, list[BaseGeometry]]


def apart(shapes: Shapes, i: int = 0, j: int = 1) -> float:
    return gap(shapes.points, shapes.rows, i, shapes.points, shapes.rows, j)


@given(footprints(2))
def test_gap_is_the_distance_of_the_true_bases(two: Two) -> None:
    shapes, (one, other) = two
    assert max(apart(shapes), 0.0) == pytest.approx(one.distance(other), abs=2 * OVAL_ERROR + 1e-4)


@given(footprints(2))
def test_gap_of_separate_cores_is_exact(two: Two) -> None:
    shapes, _ = two
    cores = core_of(shapes, 0).distance(core_of(shapes, 1))
    if cores > 0:
        assert apart(shapes) == pytest.approx(cores - shapes.radius.sum(), abs=1e-12)
    else:
        assert apart(shapes) <= -shapes.radius.sum()


@given(footprints(2))
def test_gap_of_overlapping_cores_is_the_shortest_way_apart(two: Two) -> None:
    shapes, _ = two
    first, second = (shapes.points[shapes.start[i] : shapes.start[i + 1]] for i in (0, 1))
    differences = MultiPoint([tuple(b - a) for a in first for b in second]).convex_hull
    if differences.geom_type == "Polygon" and differences.contains(Point(0, 0)):
        depth = differences.exterior.distance(Point(0, 0)) + shapes.radius.sum()
        assert apart(shapes) == pytest.approx(-depth, abs=1e-9)


@given(footprints(2))
def test_gap_is_symmetric(two: Two) -> None:
    shapes, _ = two
    assert apart(shapes, 0, 1) == pytest.approx(apart(shapes, 1, 0), abs=1e-12)


@given(
    st.tuples(bases, bases),
    st.tuples(poses, poses),
    st.floats(-30, 30),
    st.floats(-30, 30),
    st.integers(0, 35999),
)
def test_gap_does_not_change_when_the_whole_table_is_moved_and_turned(
    two: tuple[Base, Base], stand: tuple[Pose, Pose], x: float, y: float, heading: int
) -> None:
    shapes = shapes_of(stand, two, [1260, 1260])
    moved = placed_together(shapes, BodyPose(x, y, float(heading), 0.0))
    assert apart(moved) == pytest.approx(apart(shapes), abs=1e-9)


@given(st.tuples(bases, bases), poses, st.integers(1, 359))
def test_a_base_against_itself_is_overlapping_whatever_its_heading(
    two: tuple[Base, Base], stand: Pose, turn: int
) -> None:
    turned = Pose(stand.x, stand.y, (stand.heading + 100 * turn) % 36000)
    shallow = min(min(base.width, base.depth) for base in two) / 25.4
    assert apart(shapes_of([stand, turned], two, [0, 0])) < -0.9 * shallow


@given(footprints(7), st.integers(1, 6), st.booleans())
def test_set_gap_is_the_smallest_pair(many: Two, split: int, heights: bool) -> None:
    shapes, _ = many
    found = set_gap(shapes.span(0, split), shapes.span(split, 7), math.inf, heights)

    def pair(i: int, j: int) -> float:
        flat, rise = apart(shapes, i, j), shapes.low[i] - shapes.low[j]
        return math.sqrt(max(flat, 0.0) ** 2 + rise**2) if heights else flat

    assert found[0] == pytest.approx(
        min(pair(i, j) for i in range(split) for j in range(split, 7)), abs=1e-12
    )
    assert found[0] == pytest.approx(pair(found[1], found[2]), abs=1e-12)


def test_set_gap_names_the_first_of_equal_pairs() -> None:
    stand = [Pose(x, y) for y in (0, 3000) for x in (0, 2000, 4000)]
    shapes = shapes_of(stand, [Base("round", 32, 32)] * 6, [0] * 6)
    found = set_gap(shapes.span(0, 3), shapes.span(3, 6), math.inf, False)
    assert found[1:] == (0, 3)


@given(footprints(6), st.floats(0.0, 8.0))
def test_set_gap_leaves_out_what_lies_beyond_the_limit(many: Two, limit: float) -> None:
    shapes, _ = many
    spans = shapes.span(0, 3), shapes.span(3, 6)
    free, bound = set_gap(*spans, math.inf, False), set_gap(*spans, limit, False)
    assert bound == (free if free[0] <= limit else (math.inf, -1, -1))


@given(footprints(4), st.floats(0, 12), st.floats(0, 12))
def test_point_gap_is_the_distance_of_the_nearest_base(many: Two, x: float, y: float) -> None:
    shapes, truth = many
    found, index = point_gap(shapes.span(0, 4), x, y, 0.0, False)
    assert max(found, 0.0) == pytest.approx(min(one.distance(Point(x, y)) for one in truth), abs=1e-3)
    assert truth[index].distance(Point(x, y)) == pytest.approx(max(found, 0.0), abs=1e-3)


def capsule(*ends: tuple[float, float], radius: float) -> Shapes:
    """A circle swept from one end to the other."""
    rows = np.zeros((1, COLUMNS))
    rows[0, RADIUS], rows[0, FIRST], rows[0, COUNT] = radius, 0, len(ends)
    return Shapes(np.array(ends), rows)


grid = st.integers(-5000, 5000).map(lambda value: value / 1000)
points = st.tuples(grid, grid)


@given(points, points, points, points)
def test_capsules_are_as_far_apart_as_their_middle_lines(a: tuple[float, float], b: tuple[float, float],
    c: tuple[float, float], d: tuple[float, float]) -> None:  # fmt: skip
    one, other = capsule(a, b, radius=0.5), capsule(c, d, radius=0.25)
    lines = shapely.LineString([a, b]).distance(shapely.LineString([c, d]))
    found = gap(one.points, one.rows, 0, other.points, other.rows, 0)
    assert found == pytest.approx(lines - 0.75, abs=1e-9)


@given(points, points, bases, poses)
def test_a_capsule_keeps_its_distance_to_a_base(
    a: tuple[float, float], b: tuple[float, float], base: Base, stand: Pose
) -> None:
    one, other = capsule(a, b, radius=0.5), shapes_of([stand], [base], [0])
    cores = shapely.LineString([a, b]).distance(core_of(other, 0))
    found = gap(one.points, one.rows, 0, other.points, other.rows, 0)
    if cores > 1e-9:
        assert found == pytest.approx(cores - 0.5 - other.radius[0], abs=1e-9)
    else:
        assert found <= -0.5


def test_bases_that_share_an_edge_or_a_corner_are_0_apart_and_do_not_overlap() -> None:
    side = form_of([Base("square", 25.4, 25.4)], [0.0])
    for x, y in ((1.0, 0.0), (1.0, 1.0), (0.0, -1.0), (0.25, 1.0)):
        moved = placed_together(side, BodyPose(x, y, 0.0, 0.0))
        assert gap(side.points, side.rows, 0, moved.points, moved.rows, 0) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("size", [(60, 35), (35, 60), (120, 92), (170, 105), (40, 39)])
def test_an_oval_is_never_wrong_by_a_thousandth_of_an_inch(size: tuple[float, float]) -> None:
    points_, radius = base_shape(Base("oval", *size))
    ours = shapely.Polygon(points_).buffer(radius, quad_segs=400)
    true = shapely.affinity.scale(Point(0, 0).buffer(1, quad_segs=4000), size[0] / 50.8, size[1] / 50.8)
    assert ours.hausdorff_distance(true) < 0.001
    assert points_[:, 0].max() + radius == pytest.approx(size[0] / 50.8, abs=1e-12)
    assert points_[:, 1].max() + radius == pytest.approx(size[1] / 50.8, abs=1e-12)


def test_bounding_circles_hold_their_footprints() -> None:
    shapes = shapes_of([Pose(100, 200, 3300)] * 4, [Base("round", 32, 32), Base("square", 25, 25),
        Base("rect", 25, 50), Base("oval", 35, 60)], [0] * 4)  # fmt: skip
    for index in range(4):
        x, y, reach = shapes.circle[index]
        core = shapes.points[shapes.start[index] : shapes.start[index + 1]]
        farthest = np.hypot(core[:, 0] - x, core[:, 1] - y).max() + shapes.radius[index]
        assert farthest == pytest.approx(reach, abs=1e-12)
