"""Arrays that compiled functions make: those that Python gets last, all others are free again after the call."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from shieldwall.core.state import Base, Pose
from shieldwall.geometry.distance import Span, place_each
from shieldwall.geometry.sweep import passes_through, scratch_for
from shieldwall.geometry.zones import apart_table
from shieldwall.table.shapes import Shapes, shapes_of

BASES = [Base("rect", 25, 50), Base("round", 32, 32), Base("oval", 60, 35)]


def row_at(x: float) -> Shapes:
    """Three bases in a row, the first at x."""
    poses = [Pose(round((x + 3 * k) * 1000), 5000, 1200 * k) for k in range(3)]
    return shapes_of(poses, BASES, [0, 1, 2])


def is_in_the_way(far: float) -> bool:
    """Whether a row that goes so far passes through a base: makes arrays for each of its bases."""
    start, end, other = row_at(2.0), row_at(2.0 + far), row_at(14.0)
    spans = [Span(one.points, one.rows, 0, 3) for one in (start, end, other)]
    return bool(passes_through(*spans))


def test_arrays_that_python_gets_last_while_others_are_made() -> None:
    shapes = row_at(2.0)
    kept = [scratch_for(shapes.rows) for _ in range(3)]
    for number, one in enumerate(kept):
        one.points[:] = number
    placed = place_each(shapes.points, shapes.rows, np.array([(1000.0, 2000.0, 0.0, 0.0)] * 3))
    before = placed.points.copy(), placed.rows.copy()
    for _ in range(200):
        is_in_the_way(6.0)
    assert [set(one.points.ravel().tolist()) for one in kept] == [{0.0}, {1.0}, {2.0}]
    assert np.array_equal(placed.points, before[0])
    assert np.array_equal(placed.rows, before[1])


def test_an_array_that_is_returned_is_one_of_numpy() -> None:
    outline = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (4.0, 0.0), (5.0, 0.0), (5.0, 1.0)])
    table = apart_table(outline, np.array([0, 3, 6]))
    assert isinstance(table, np.ndarray)
    assert table.shape == (2, 2)
    assert math.isclose(table[0, 1], 3.0)


def test_threads_do_not_share_the_arrays_of_their_calls() -> None:
    ways = [0.0, 3.0, 6.0, 9.0, 15.0] * 60
    alone = [is_in_the_way(far) for far in ways]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(is_in_the_way, ways)) == alone
    assert True in alone
    assert False in alone
