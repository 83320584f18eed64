"""Outlines of any shape fall into convex footprints that cover them exactly; shapely is the oracle."""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Polygon
from shapely.ops import unary_union

from shieldwall.geometry.distance import FIRST, REACH
from shieldwall.table.convex_parts import LONGEST, MOST_PARTS, footprints, length_of
from shieldwall.table.outlines import Outline

CORNERS = st.lists(st.tuples(st.floats(0.5, 8.0), st.integers(1, 12)), min_size=3, max_size=14)


def star(corners: list[tuple[float, int]]) -> Outline:
    """A counter-clockwise polygon round the middle of the table with spikes and notches."""
    whole = sum(weight for _, weight in corners)
    angle, found = 0.0, []
    for reach, weight in corners:
        angle += 2 * math.pi * weight / whole
        found.append(
            (round(36000 + 1000 * reach * math.cos(angle)), round(24000 + 1000 * reach * math.sin(angle)))
        )
    return tuple(found)


def polygons(outline: Outline) -> list[Polygon]:
    shapes = footprints(outline, 3000)
    starts = [int(first) for first in shapes.rows[:, FIRST]] + [len(shapes.points)]
    return [Polygon(shapes.points[a:b]) for a, b in pairwise(starts)]


@given(CORNERS)
def test_the_parts_are_convex_do_not_overlap_and_cover_the_outline(corners: list[tuple[float, int]]) -> None:
    outline = star(corners)
    whole = Polygon([(x / 1000, y / 1000) for x, y in outline])
    if not whole.is_valid or whole.area < 0.5 or not whole.exterior.is_ccw:
        return
    parts = polygons(outline)
    assert abs(sum(part.area for part in parts) - whole.area) < 1e-6
    assert unary_union(parts).symmetric_difference(whole).area < 1e-6
    assert all(part.convex_hull.area - part.area < 1e-9 for part in parts)


@given(CORNERS)
def test_each_footprint_lies_in_its_circle(corners: list[tuple[float, int]]) -> None:
    outline = star(corners)
    whole = Polygon(outline)
    if not whole.is_valid or whole.area < 500_000 or not whole.exterior.is_ccw:
        return
    shapes = footprints(outline, 3000)
    for at, (x, y, reach) in enumerate(shapes.circle.tolist()):
        away = np.hypot(*(shapes.points[shapes.start[at] : shapes.start[at + 1]] - (x, y)).T)
        assert away.max() <= reach + 1e-9
        assert shapes.rows[at, REACH] == reach


def test_a_long_wall_is_cut_across_so_that_it_can_be_touched_everywhere() -> None:
    parts = polygons(((20000, 20000), (50000, 20000), (50000, 21000), (20000, 21000)))
    assert 8 <= len(parts) <= MOST_PARTS
    assert all(length_of(tuple(part.exterior.coords)[:-1]) <= LONGEST + 1e-9 for part in parts)
