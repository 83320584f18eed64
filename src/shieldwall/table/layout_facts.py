"""Facts about a layout of terrain: how much it covers, how far apart it lies, what stays open; no advice.

Sizes and positions are whole thousandths of an inch, as in the state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shieldwall.core.state import MILLI, Piece
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.zones import apart_table
from shieldwall.table.outlines import Outline, area
from shieldwall.table.terrain import blocks_sight, bounding_box


def covered_area(pieces: Sequence[Piece]) -> float:
    """The total footprint of all pieces, in square inches."""
    return sum(area(piece.outline) for piece in pieces)


def distances(pieces: Sequence[Piece]) -> Floats:
    """The distances between all pieces in inches: 0 if they touch, -1 if they overlap, infinite to themselves."""
    if not pieces:
        return np.full((0, 0), np.inf)
    points = np.array([point for piece in pieces for point in piece.outline], dtype=np.float64) / MILLI
    start: Ints = np.cumsum([0] + [len(piece.outline) for piece in pieces], dtype=np.int64)
    return apart_table(points, start)


def open_lines(width: int, depth: int, pieces: Sequence[Piece], axis: str = "y") -> tuple[int, ...]:
    """The whole inches at which a straight line between the armies' edges meets nothing that blocks sight."""
    across = width if axis == "y" else depth
    spans = []
    for piece in pieces:
        if blocks_sight(piece):
            box = bounding_box(piece)
            spans.append((box.left, box.right) if axis == "y" else (box.near, box.far))
    # An outline is in one piece, so a line between its two ends always runs through its inside.
    return tuple(
        inch
        for inch in range(1, (across - 1) // MILLI + 1)
        if not any(low < inch * MILLI < high for low, high in spans)
    )


def half_shares(width: int, depth: int, pieces: Sequence[Piece], axis: str = "y") -> tuple[float, float]:
    """How much of the terrain lies in the first and in the second army's half; even for a bare table."""
    total = covered_area(pieces)
    if total == 0:
        return 0.5, 0.5
    middle = (depth if axis == "y" else width) / 2
    near = sum(_area_below(piece.outline, middle, 1 if axis == "y" else 0) for piece in pieces)
    return near / total, 1 - near / total


def _area_below(outline: Outline, limit: float, axis: int) -> float:
    """The part of an outline, in square inches, whose coordinate lies under a limit."""
    kept: list[tuple[float, float]] = []
    before = outline[-1]
    for corner in outline:
        if (before[axis] < limit) != (corner[axis] < limit):
            t = (limit - before[axis]) / (corner[axis] - before[axis])
            kept.append((before[0] + t * (corner[0] - before[0]), before[1] + t * (corner[1] - before[1])))
        if corner[axis] < limit:
            kept.append(corner)
        before = corner
    doubled = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(kept, kept[1:] + kept[:1], strict=True))
    return abs(doubled) / (2 * MILLI * MILLI)
