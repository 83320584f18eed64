"""How far a body goes straight before it meets something, checked against distances along the way."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from shape_makers import BASES, bases, footprints, outlines, poses, twin_of
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Base, Pose
from shieldwall.geometry import cast as casting
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.cast import FRONT_COLUMNS, Stretch
from shieldwall.geometry.distance import X, Y, gap, way_apart
from shieldwall.geometry.polygons import polygon_distance
from shieldwall.table.shapes import Shapes, shapes_of

angles = st.one_of(st.floats(0.0, 2 * math.pi), st.sampled_from([k * math.pi / 2 for k in range(4)]))
margins = st.sampled_from((0.0, 0.25, 1.0))
FAR = 20.0


def run_of(
    shapes: Shapes, angle: float, points: Floats, first: int, stop: int, margin: float, module=casting
) -> float:
    """How far the first footprint goes along an angle."""
    way = Stretch(shapes.rows[0, X], shapes.rows[0, Y], math.sin(angle), math.cos(angle), 0.0, FAR)
    fronts = np.empty((len(shapes.points), FRONT_COLUMNS))
    made = module.fronts_on_way(shapes.points, shapes.rows, 0, way, fronts)
    return module.cast(fronts[:made], way, points, first, stop, margin)


def moved(shapes: Shapes, angle: float, length: float) -> Shapes:
    """The first footprint farther along."""
    points, rows = shapes.points[: shapes.start[1]].copy(), shapes.rows[:1].copy()
    step = length * np.array([math.sin(angle), math.cos(angle)])
    points += step
    rows[:, [X, Y]] += step
    return Shapes(points, rows)


@given(footprints(2), angles, margins)
def test_a_base_stops_exactly_where_the_gap_is_the_margin(
    two: tuple[Shapes, list[BaseGeometry]], angle: float, margin: float
) -> None:
    shapes, _ = two

    def left_at(length: float) -> float:
        there = moved(shapes, angle, length)
        return gap(there.points, there.rows, 0, shapes.points, shapes.rows, 1)

    assume(left_at(0.0) > margin + 1e-6)
    first, stop = shapes.start[1], shapes.start[2]
    run = run_of(shapes, angle, shapes.points, first, stop, margin + shapes.radius[1])
    if run < math.inf:
        assert left_at(run) == pytest.approx(margin, abs=1e-8)
    on_the_way = np.linspace(0.0, min(run, FAR), 50)
    assert min(left_at(length) for length in on_the_way) >= margin - 1e-7


@given(bases, poses, outlines(), angles)
@example(
    Base("round", 32, 32), Pose(2000, 6000, 0), np.array([(4.0, 6.63), (8.0, 6.63), (6.0, 9.0)]), math.pi / 2
)
def test_a_base_stops_exactly_where_it_touches_an_outline(
    base: Base, pose: Pose, outline: Floats, angle: float
) -> None:
    shapes = shapes_of([pose], [base], [0])

    def left_at(length: float) -> float:
        there = moved(shapes, angle, length)
        return polygon_distance(there.points, there.rows, 0, outline, 0, len(outline))

    assume(left_at(0.0) > 1e-6)
    run = run_of(shapes, angle, outline, 0, len(outline), 0.0)
    if run < math.inf:
        assert left_at(run) <= 1e-8
    assert all(left_at(length) > 0.0 for length in np.linspace(0.0, min(run, FAR) - 1e-6, 50))


@given(footprints(2))
def test_the_shortest_way_apart_widens_the_gap_by_all_of_its_length(
    two: tuple[Shapes, list[BaseGeometry]],
) -> None:
    shapes, _ = two
    (a, b, c), step = shapes.start.tolist(), 0.01
    away_x, away_y = way_apart(shapes.points, a, b, shapes.points, b, c)
    assume(away_x or away_y)
    before = gap(shapes.points, shapes.rows, 0, shapes.points, shapes.rows, 1)
    there = moved(shapes, math.atan2(away_x, away_y), step)
    after = gap(there.points, there.rows, 0, shapes.points, shapes.rows, 1)
    assert after - before == pytest.approx(step, abs=1e-6)


def test_compiled_casts_give_the_same_bits() -> None:
    plain, dice = twin_of("shieldwall.geometry.cast"), random.Random(5)
    for _ in range(300):
        spots = [Pose(dice.randint(0, 9000), dice.randint(0, 9000), dice.randint(0, 35999)) for _ in range(2)]
        shapes = shapes_of(spots, [dice.choice(BASES), dice.choice(BASES)], [0, 0])
        asked = (
            shapes,
            dice.uniform(0, 7),
            shapes.points,
            *shapes.start[1:].tolist(),
            dice.choice((0.0, 1.0)),
        )
        assert run_of(*asked) == run_of(*asked, plain)
