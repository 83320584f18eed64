"""Compiled lines of sight: does a straight line between two figures pass by everything that could stop it?

A scene is six arrays. `figures` are the models of all units: the eight columns of kernels.py, then those below.
`parts` are upright prisms that stop lines: discs (no corners) or convex polygons. Every part belongs to an
owner, a unit or a piece of terrain, and `owners` says which parts and figures are whose. `points` are the
corners of bases and outlines, `corners` those of parts. `standing` marks the pieces in or on which the centre of
a figure's base lies.

A line stops in a part when it runs more than EPS deep into it: grazing a side is free, so the corners of parts lie
EPS further in than the edges they stand for (further out along seams). The top counts as part of the prism: a
line exactly as high as a wall does not pass it.
"""

# ruff: noqa: PLR0917 (kernels take flat arrays and numbers, and are called by position)

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, LOW, RADIUS, REACH, Floats, Ints, X, Y
from shieldwall.table.kernels import FIRST as FIRST_CORNER
from shieldwall.table.tolerance import EPS

Marks = npt.NDArray[np.uint8]

# Further columns of `figures`: the height that is compared, the facing, half the base, on a hilltop or not.
VALUE, SINE, COSINE, HALF_WIDTH, HALF_DEPTH, ON_HILL = range(8, 14)
FIGURE_COLUMNS = 14
# Columns of `parts` after X, Y and REACH (a disc's radius): z interval, compared height, owner, corners.
PART_LOW, PART_HIGH, PART_VALUE, OWNER, CORNER, CORNERS = range(3, 9)
PART_COLUMNS = 9
# Columns of `owners` after X, Y and REACH: parts, what it is, height added to who stands on it; figures of a
# unit or corners of a piece's outline.
FIRST_PART, PART_COUNT, FLAGS, STEP, FIRST_FIGURE, FIGURE_COUNT = range(3, 9)
FIRST_VERTEX, VERTICES = FIRST_FIGURE, FIGURE_COUNT
OWNER_COLUMNS = 9
# Flags of owners.
IS_PIECE, STOPS_SIGHT, SEE_THROUGH_EDGE, GIVES_COVER, IS_HILL = 1, 2, 4, 8, 16

# How lines run: between bases, between volumes, from an eye to a volume.
FLAT, VOLUME, EYE = range(3)
# What a line passes over: pieces lower than both ends; anything lower than one end; whatever lies below it.
OVER_LOWER_THAN_BOTH, OVER_LOWER_THAN_ONE, OVER_IN_SPACE = range(3)
# What a pair of figures is to each other.
OUT_OF_ARC, HIDDEN, SEEN = range(3)

OFFSETS = (0.0, 1.0, -1.0, 0.5, -0.5)  # across a base, in half breadths; the middle first
CELLS = (0.0, 0.4, -0.4, 0.8, -0.8)  # middles of five equal cells across a volume
LEVELS = (0.5, 0.7, 0.3, 0.9, 0.1)  # middles of five equal cells up a volume
SAMPLES = 25
EYE_LEVEL = 0.9
HALF_WAY = 0.5
TIE = 1e-6  # inches: corners that stick out equally far share their middle
FAR = 1e9


class Scene(NamedTuple):
    """All that can see, be seen or be in the way."""

    figures: Floats
    points: Floats
    parts: Floats
    corners: Floats
    owners: Floats
    standing: Marks


class Terms(NamedTuple):
    """How a method looks: kind of lines, what is looked over, front arc or all round, lines or samples needed."""

    lines: int
    over: int
    front_only: bool
    needed: int


Arrays = tuple[Floats, Floats, Floats, Floats, Floats, Marks]


@kernel
def scene_of(arrays: Arrays) -> Scene:
    """Names for the arrays; a plain tuple is what crosses into compiled code fastest."""
    return Scene(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5])


@kernel
def apart_from_line(x: float, y: float, ax: float, ay: float, dx: float, dy: float) -> float:
    """The squared distance of a point from the segment that starts at (ax, ay) and runs along (dx, dy)."""
    to_x = x - ax
    to_y = y - ay
    length2 = dx * dx + dy * dy
    along = to_x * dx + to_y * dy
    if along > 0.0:
        if along >= length2:
            to_x -= dx
            to_y -= dy
        else:
            out = to_x * dy - to_y * dx
            return out * out / length2
    return to_x * to_x + to_y * to_y


@kernel
def crosses(parts: Floats, corners: Floats, part: int, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether a line from (x, y) along (dx, dy), seen from above, runs through a part."""
    count = int(parts[part, CORNERS])
    if count == 0:
        radius = parts[part, REACH] - EPS
        return radius > 0.0 and apart_from_line(parts[part, X], parts[part, Y], x, y, dx, dy) < radius * radius
    first = int(parts[part, CORNER])
    left = False
    right = False
    for k in range(first, first + count):
        side = dx * (corners[k, 1] - y) - dy * (corners[k, 0] - x)
        left = left or side > 0.0
        right = right or side < 0.0
    if not (left and right):
        return False
    last = first + count - 1
    for k in range(first, first + count):
        along_x = corners[k, 0] - corners[last, 0]
        along_y = corners[k, 1] - corners[last, 1]
        inside = along_x * (y - corners[last, 1]) - along_y * (x - corners[last, 0])
        if inside <= 0.0 and inside + along_x * dy - along_y * dx <= 0.0:
            return False
        last = k
    return True


@kernel
def disc_span(parts: Floats, part: int, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a line that crosses a disc enters and leaves it, as shares of its length."""
    radius = parts[part, REACH] - EPS
    to_x = x - parts[part, X]
    to_y = y - parts[part, Y]
    length2 = dx * dx + dy * dy
    half = (to_x * dx + to_y * dy) / length2
    root = math.sqrt(max(half * half - (to_x * to_x + to_y * to_y - radius * radius) / length2, 0.0))
    return max(0.0, -half - root), min(1.0, root - half)


@kernel
def span_in(
    parts: Floats, corners: Floats, part: int, x: float, y: float, dx: float, dy: float
) -> tuple[float, float]:
    """Where a line that crosses a part enters and leaves it, as shares of its length."""
    count = int(parts[part, CORNERS])
    if count == 0:
        return disc_span(parts, part, x, y, dx, dy)
    first = int(parts[part, CORNER])
    last = first + count - 1
    enters = 0.0
    leaves = 1.0
    for k in range(first, first + count):
        along_x = corners[k, 0] - corners[last, 0]
        along_y = corners[k, 1] - corners[last, 1]
        inside = along_x * (y - corners[last, 1]) - along_y * (x - corners[last, 0])
        inward = along_x * dy - along_y * dx
        if inward > 0.0:
            enters = max(enters, -inside / inward)
        elif inward < 0.0:
            leaves = min(leaves, -inside / inward)
        last = k
    return enters, leaves


@kernel
def meets(
    parts: Floats, corners: Floats, part: int, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> bool:
    """Whether a part stops a line in space."""
    low = parts[part, PART_LOW] - EPS
    high = parts[part, PART_HIGH] + EPS
    below = z < low and z + dz < low
    above = z > high and z + dz > high
    if below or above or not crosses(parts, corners, part, x, y, dx, dy):
        return False
    if low <= z <= high and low <= z + dz <= high:
        return True
    enters, leaves = span_in(parts, corners, part, x, y, dx, dy)
    first = (low - z) / dz
    last = (high - z) / dz
    return max(enters, min(first, last)) <= min(leaves, max(first, last))


@kernel
def stops(
    scene: Scene, part: int, in_space: bool, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> bool:
    """Whether a part stops a line; seen from above, or in space."""
    if in_space:
        return meets(scene.parts, scene.corners, part, x, y, z, dx, dy, dz)
    return crosses(scene.parts, scene.corners, part, x, y, dx, dy)


@kernel
def is_free(
    scene: Scene, near: Ints, count: int, in_space: bool,
    x: float, y: float, z: float, to_x: float, to_y: float, to_z: float,
) -> bool:  # fmt: skip
    """Whether none of the parts listed in `near` stops the line; what stops it moves to the head of the list."""
    for k in range(count):
        if stops(scene, near[k], in_space, x, y, z, to_x - x, to_y - y, to_z - z):
            part = near[k]
            near[k] = near[0]
            near[0] = part
            return False
    return True


@kernel
def rim(scene: Scene, figure: int, out_x: float, out_y: float) -> tuple[float, float]:
    """From the centre of a base to the point that lies farthest in a direction; the middle of a flat side."""
    figures = scene.figures
    radius = figures[figure, RADIUS]
    first = int(figures[figure, FIRST_CORNER])
    stop = first + int(figures[figure, COUNT])
    if stop - first == 1:
        return radius * out_x, radius * out_y
    farthest = -math.inf
    sum_x = 0.0
    sum_y = 0.0
    tied = 0
    for k in range(first, stop):
        to_x = scene.points[k, 0] - figures[figure, X]
        to_y = scene.points[k, 1] - figures[figure, Y]
        out = to_x * out_x + to_y * out_y
        if out > farthest + TIE:
            farthest = out
            sum_x = to_x
            sum_y = to_y
            tied = 1
        elif out > farthest - TIE:
            sum_x += to_x
            sum_y += to_y
            tied += 1
    return sum_x / tied + radius * out_x, sum_y / tied + radius * out_y


@kernel
def in_front(scene: Scene, figure: int, x: float, y: float) -> bool:
    """Whether a point lies between the lines at 45 degrees outward from the front corners, or on one of them."""
    figures = scene.figures
    dx = x - figures[figure, X]
    dy = y - figures[figure, Y]
    ahead = dx * figures[figure, SINE] + dy * figures[figure, COSINE]
    aside = abs(dx * figures[figure, COSINE] - dy * figures[figure, SINE])
    return ahead >= 0.0 and ahead - figures[figure, HALF_DEPTH] >= aside - figures[figure, HALF_WIDTH] - EPS


@kernel
def is_exempt(scene: Scene, over: int, owner: int, figure: int) -> bool:
    """Whether a piece cannot stop lines of a figure because the figure is in it.

    Seen from above, "in" and "on" are the same; in space, who stands on a solid piece still has its edge below.
    """
    piece = owner - (scene.owners.shape[0] - scene.standing.shape[1])
    if scene.standing[figure, piece] == 0:
        return False
    if over != OVER_IN_SPACE or int(scene.owners[owner, FLAGS]) & SEE_THROUGH_EDGE != 0:
        return True
    return scene.figures[figure, LOW] < scene.parts[int(scene.owners[owner, FIRST_PART]), PART_HIGH] - EPS


@kernel
def is_high_enough(over: int, is_piece: bool, value: float, one: float, other: float) -> bool:
    """Whether something of this height can stop lines between figures of those heights."""
    if over == OVER_LOWER_THAN_BOTH:
        return not is_piece or value >= min(one, other) - EPS
    return over == OVER_IN_SPACE or value >= max(one, other) - EPS


@kernel
def gather_owners(
    scene: Scene,
    skip: int,
    skip_too: int,
    ax: float,
    ay: float,
    reach: float,
    bx: float,
    by: float,
    found: Ints,
) -> int:
    """Owners whose circle reaches into the corridor of half breadth `reach` from a to b; how many there are."""
    owners = scene.owners
    count = 0
    for owner in range(owners.shape[0]):
        if owner in (skip, skip_too) or owners[owner, PART_COUNT] == 0.0:
            continue
        if int(owners[owner, FLAGS]) & STOPS_SIGHT == 0:
            continue
        room = owners[owner, REACH] + reach
        if apart_from_line(owners[owner, X], owners[owner, Y], ax, ay, bx - ax, by - ay) < room * room:
            found[count] = owner
            count += 1
    return count


@kernel
def gather_parts(
    scene: Scene, over: int, i: int, j: int, owners: Ints, owner_count: int, ignored: int, near: Ints
) -> int:
    """Parts of the listed owners that may stop a line between two figures; how many there are."""
    figures = scene.figures
    ax = figures[i, X]
    ay = figures[i, Y]
    dx = figures[j, X] - ax
    dy = figures[j, Y] - ay
    breadth = max(figures[i, REACH], figures[j, REACH])
    count = 0
    for k in range(owner_count):
        owner = owners[k]
        is_piece = int(scene.owners[owner, FLAGS]) & IS_PIECE != 0
        if owner == ignored:
            continue
        room = scene.owners[owner, REACH] + breadth
        if apart_from_line(scene.owners[owner, X], scene.owners[owner, Y], ax, ay, dx, dy) >= room * room:
            continue
        if is_piece and (is_exempt(scene, over, owner, i) or is_exempt(scene, over, owner, j)):
            continue
        first = int(scene.owners[owner, FIRST_PART])
        for part in range(first, first + int(scene.owners[owner, PART_COUNT])):
            room = scene.parts[part, REACH] + breadth
            if apart_from_line(scene.parts[part, X], scene.parts[part, Y], ax, ay, dx, dy) >= room * room:
                continue
            value = scene.parts[part, PART_VALUE]
            if is_high_enough(over, is_piece, value, figures[i, VALUE], figures[j, VALUE]):
                near[count] = part
                count += 1
    return count
