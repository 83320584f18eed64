"""The vertex farthest in a direction, found by hill climbing, compared with a check of every vertex."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shieldwall.core.state import Base, Pose
from shieldwall.geometry.distance import COUNT, FEW_VERTICES, outermost
from shieldwall.geometry.sweep import scratch_for, sweep_straight
from shieldwall.table.shapes import shapes_of

OVALS = ((60, 35), (75, 42), (90, 52), (105, 70), (120, 92), (170, 105))


@pytest.mark.parametrize("size", OVALS, ids=str)
@given(
    heading=st.integers(0, 35999),
    dx=st.floats(-9, 9),
    dy=st.floats(-9, 9),
    angle=st.floats(0, 2 * math.pi),
    start=st.integers(0, 1000),
)
def test_uphill_ends_at_the_vertex_that_a_full_look_finds(
    size: tuple[int, int], heading: int, dx: float, dy: float, angle: float, start: int
) -> None:
    """BodyPose ovals and swept ones, whose outline has straight stretches."""
    shape = shapes_of([Pose(0, 0, heading)], [Base("oval", *size)], [0])
    points, form = scratch_for(shape.rows)
    count = int(shape.rows[0, COUNT])
    points[:count], form[0] = shape.points, shape.rows[0]
    assert count > FEW_VERTICES
    for swept in (False, True):
        if swept:
            sweep_straight(points, form, dx, dy)
            count = int(form[0, COUNT])
        towards = np.array([math.cos(angle), math.sin(angle)])
        best = outermost(points, 0, count, towards[0], towards[1], start % count)
        assert points[best] @ towards == pytest.approx(float(np.max(points[:count] @ towards)), abs=1e-9)
