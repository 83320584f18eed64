"""Whether a body on its way passes through others: straight from one stand to the next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from shieldwall.core.state import MILLI
from shieldwall.geometry.distance import COUNT, FIRST, RADIUS, REACH, X, Y, set_gap
from shieldwall.geometry.tolerance import EPS
from shieldwall.table.outlines import hull
from shieldwall.table.shapes import Shapes

FINE = 100  # parts of a thousandth of an inch to which corners are rounded


def is_swept(stands: Sequence[Shapes], other: Shapes) -> bool:
    """Whether footprints that go straight from each stand to the next pass through others that stand still."""
    return any(_overlap(_swept(before, after), other) for before, after in pairwise(stands))


def _overlap(one: Shapes, other: Shapes) -> bool:
    apart = set_gap(one.span(), other.span(), 1.0, False)[0]
    return float(apart) < -EPS


def _swept(before: Shapes, after: Shapes) -> Shapes:
    """All the ground that each footprint covers on its way, as one convex footprint."""
    rows = before.rows.copy()
    parts = []
    first = 0
    for at, row in enumerate(rows):
        corners = [
            corner
            for shapes in (before, after)
            for corner in shapes.points[shapes.start[at] : shapes.start[at + 1]].tolist()
        ]
        scale = MILLI * FINE
        points = np.array(hull(tuple((round(x * scale), round(y * scale)) for x, y in corners))) / scale
        middle = points.mean(axis=0)
        row[X], row[Y] = middle
        row[REACH] = row[RADIUS] + float(np.hypot(*(points - middle).T).max())
        row[FIRST], row[COUNT] = first, len(points)
        parts.append(points)
        first += len(points)
    return Shapes(np.concatenate(parts), rows)
