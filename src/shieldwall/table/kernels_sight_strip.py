"""Compiled strips between bases: what makes two of them one convex hull.

A strip is the four-sided piece between the two lines that touch both bases from outside.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import Floats, X, Y
from shieldwall.table.kernels_sight import rim
from shieldwall.table.lean import lean

MOST_STEPS = 24  # more than enough: each brings the touching line several times closer
SAME_DIRECTION = 1e-12


@lean
def touching_line(figures: Floats, i: int, j: int, side: float) -> tuple[float, float, float, float, bool]:
    """Where the line that has both on its left (side 1) or right (-1) touches i and j, and if there is one.

    Starts with the direction of the centres and turns until the line between the outermost points is it.
    """
    between_x = figures[j, X] - figures[i, X]
    between_y = figures[j, Y] - figures[i, Y]
    along_x = between_x
    along_y = between_y
    ax, ay, bx, by = 0.0, 0.0, 0.0, 0.0
    for _ in range(MOST_STEPS):
        length = math.sqrt(along_x * along_x + along_y * along_y)
        if length == 0.0:
            return 0.0, 0.0, 0.0, 0.0, False
        out_x = side * along_y / length
        out_y = -side * along_x / length
        ax, ay = rim(figures, i, out_x, out_y)
        bx, by = rim(figures, j, out_x, out_y)
        along_x = between_x + bx - ax
        along_y = between_y + by - ay
        if abs(along_x * out_x + along_y * out_y) <= SAME_DIRECTION * length:
            break
    x = figures[i, X] + ax
    y = figures[i, Y] + ay
    return x, y, x + along_x, y + along_y, along_x * between_x + along_y * between_y > 0.0


@lean
def strip_of(figures: Floats, i: int, j: int, strip: Floats) -> bool:
    """The four corners, counter-clockwise, of the strip between two figures; False when they need none."""
    for k in range(2):
        ax, ay, bx, by, is_there = touching_line(figures, i, j, 1.0 - 2.0 * k)
        if not is_there:
            return False
        strip[3 * k, 0] = ax
        strip[3 * k, 1] = ay
        strip[1 + k, 0] = bx
        strip[1 + k, 1] = by
    return True
