"""Outlines that look grown rather than built: woods, hills, pools. Made from numbers, the same every time."""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.numbers import TableNumbers

Local = list[tuple[float, float]]  # corners in inches about the middle of the piece, counter-clockwise

CORNERS = 14  # even, so that a piece can stay the same under a half turn
CALMEST = 0.001  # the least share of its irregularity that an outline keeps
POWERS = (2.0, 2.5, 3.2, 4.2, 6.0, 9.0)  # from a circle towards a square


class Extent(NamedTuple):
    """How far a turned outline reaches from its middle, in inches; all four are positive."""

    left: float
    near: float
    right: float
    far: float


def block_shape(width: float, depth: float) -> Local:
    """A plain rectangle."""
    w, d = width / 2, depth / 2
    return [(-w, -d), (w, -d), (w, d), (-w, d)]


def grown_shape(
    numbers: TableNumbers, width: float, depth: float, fill: float, is_middle: bool = False
) -> Local:
    """An irregular outline that touches all four sides of its rectangle and fills at least this share of it.

    `is_middle` makes it unchanged by a half turn. Fills up to 0.93 are always reached.
    """
    repeats = 2 if is_middle else 1
    count = CORNERS // repeats
    wobble = [numbers.between(0.84, 1.0) for _ in range(count)] * repeats
    slant = [numbers.between(-0.3, 0.3) for _ in range(count)] * repeats
    rays = _rays(slant)
    for power in POWERS:
        shape = _rounded(rays, wobble, power)
        if _share(shape) >= fill:
            break
    calm = 1.0
    while _share(shape) < fill and calm > CALMEST:
        calm *= 0.6
        shape = _rounded(
            _rays([calm * lean for lean in slant]), [1 - calm * (1 - keep) for keep in wobble], POWERS[-1]
        )
    return [(x * width / 2, y * depth / 2) for x, y in shape]


def turned(shape: Local, cos: float, sin: float) -> Local:
    """The shape turned about its middle; (cos, sin) is where its width points."""
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in shape]


def extent(shape: Local) -> Extent:
    xs, ys = zip(*shape, strict=True)
    return Extent(-min(xs), -min(ys), max(xs), max(ys))


def shape_area(shape: Local) -> float:
    """The footprint in square inches."""
    doubled: float = 0
    x0, y0 = shape[0]
    for x1, y1 in shape[1:] + shape[:1]:
        doubled += x0 * y1 - x1 * y0
        x0, y0 = x1, y1
    return doubled / 2


def _rounded(rays: Local, wobble: list[float], power: float) -> Local:
    """Corners between a circle (power 2) and a square (high powers), stretched to the square from -1 to 1."""
    xs, ys = list[float](), list[float]()
    shrink = -1 / power
    for (cos, sin), keep in zip(rays, wobble, strict=True):
        reach = keep * (abs(cos) ** power + abs(sin) ** power) ** shrink
        xs.append(reach * cos)
        ys.append(reach * sin)
    left, right, near, far = min(xs), max(xs), min(ys), max(ys)
    middle_x, middle_y = (right + left) / 2, (far + near) / 2
    wide, deep = (right - left) / 2, (far - near) / 2
    return [((x - middle_x) / wide, (y - middle_y) / deep) for x, y in zip(xs, ys, strict=True)]


def _rays(slant: list[float]) -> Local:
    """Directions of the corners: even steps round the middle, each moved a little."""
    angles = [(corner + lean) * math.tau / CORNERS for corner, lean in enumerate(slant)]
    return [(math.cos(angle), math.sin(angle)) for angle in angles]


def _share(shape: Local) -> float:
    return shape_area(shape) / 4
