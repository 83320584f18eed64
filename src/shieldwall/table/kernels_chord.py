"""Compiled chords: where a ray enters and leaves a base."""

from __future__ import annotations

import math

from shieldwall.table.kernels import COUNT, RADIUS, Floats, X, Y
from shieldwall.table.kernels_sight import COSINE, HALF_DEPTH, HALF_WIDTH, SINE
from shieldwall.table.lean import lean


@lean
def chord(figures: Floats, figure: int, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a ray from (x, y) in a direction of length 1 enters and leaves a base; 0, 0 when it misses."""
    sine = figures[figure, SINE]
    cosine = figures[figure, COSINE]
    off_x = x - figures[figure, X]
    off_y = y - figures[figure, Y]
    # In the frame of the base, in half sizes of it.
    aside = (off_x * cosine - off_y * sine) / figures[figure, HALF_WIDTH]
    ahead = (off_x * sine + off_y * cosine) / figures[figure, HALF_DEPTH]
    to_aside = (dx * cosine - dy * sine) / figures[figure, HALF_WIDTH]
    to_ahead = (dx * sine + dy * cosine) / figures[figure, HALF_DEPTH]
    if figures[figure, COUNT] > 1.0 and figures[figure, RADIUS] == 0.0:
        return box_chord(aside, ahead, to_aside, to_ahead)
    length2 = to_aside * to_aside + to_ahead * to_ahead
    half = (aside * to_aside + ahead * to_ahead) / length2
    root2 = half * half - (aside * aside + ahead * ahead - 1.0) / length2
    if root2 <= 0.0:
        return 0.0, 0.0
    root = math.sqrt(root2)
    return max(-half - root, 0.0), max(root - half, 0.0)


@lean
def box_chord(aside: float, ahead: float, to_aside: float, to_ahead: float) -> tuple[float, float]:
    """`chord` for a square of half size 1 about the origin."""
    enters = 0.0
    leaves = math.inf
    for k in range(2):
        at = aside if k == 0 else ahead
        to = to_aside if k == 0 else to_ahead
        if to != 0.0:
            enters = max(enters, min((-1.0 - at) / to, (1.0 - at) / to))
            leaves = min(leaves, max((-1.0 - at) / to, (1.0 - at) / to))
        elif abs(at) >= 1.0:
            return 0.0, 0.0
    if enters >= leaves:
        return 0.0, 0.0
    return enters, leaves
