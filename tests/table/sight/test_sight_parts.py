"""Outlines cut into convex parts."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon
from shapely.ops import unary_union
from sight_makers import loose, table

from shieldwall.core.state import Piece
from shieldwall.table.convex_parts import convex_parts
from shieldwall.table.sight import sees
from shieldwall.table.terrain import piece

CORNER = ((0, 0), (10000, 0), (10000, 2000), (2000, 2000), (2000, 10000), (0, 10000))


@given(st.integers(0, 10**6), st.integers(3, 12), st.booleans())
def test_parts_are_convex_and_make_up_the_outline(seed: int, count: int, clockwise: bool) -> None:
    """Nothing is lost and nothing is covered twice."""
    rng = random.Random(seed)
    angles = sorted(rng.sample(range(360), count))
    corners = [
        (round(far * math.cos(math.radians(angle))), round(far * math.sin(math.radians(angle))))
        for angle, far in ((angle, rng.randint(300, 4000)) for angle in angles)
    ]
    outline = Polygon(corners)
    if not outline.is_valid or outline.area < 1000 or len(set(corners)) < count:
        return
    parts = convex_parts(tuple(corners[::-1] if clockwise else corners))
    shapes = [Polygon(part) for part in parts]
    assert all(
        shape.exterior.is_ccw and shape.convex_hull.area == pytest.approx(shape.area) for shape in shapes
    )
    assert sum(shape.area for shape in shapes) == pytest.approx(outline.area)
    assert unary_union(shapes).symmetric_difference(outline).area < 1


def test_a_convex_outline_stays_whole() -> None:
    """Also with corners on straight edges."""
    (part,) = convex_parts(((0, 0), (500, 0), (1000, 0), (1000, 900), (0, 900)))
    assert len(part) == 4


def test_an_outline_that_touches_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="crosses or touches itself"):
        convex_parts(((0, 0), (4000, 0), (0, 4000), (4000, 4000), (4000, 3900), (100, 3950)))


@pytest.mark.parametrize("method", ["open", "true", "top-down", "volumetric"])
@pytest.mark.parametrize(("x", "to_x"), [(-5, 8), (-4, 4), (1, 9)])
def test_no_line_slips_through_a_seam(method: str, x: float, to_x: float) -> None:
    """Two figures whose lines run along the diagonal cut of an L do not see each other through it."""
    walls: Piece = piece(0, "building", [(a / 1000 + 20, b / 1000 + 20) for a, b in CORNER])
    start, end = (20 + x, 20 + x), (20 + to_x, 20 + to_x)
    state = table(loose(1, start), loose(2, end, side=1), pieces=(walls,))
    inside = 0 < x < 2  # who stands in a piece looks out of it
    assert sees(state, method, 1, 0, 2, 0).visible is inside
