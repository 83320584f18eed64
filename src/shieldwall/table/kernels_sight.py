"""Compiled lines of sight: does a straight line between two figures pass by everything that could stop it?

A scene is six arrays. `figures` are the models of all units: the eight columns of kernels.py, then those
below. `parts` are upright prisms that stop lines: ovals (no corners) or convex polygons. Every part belongs
to an owner, a unit or a piece of terrain, and `owners` says which parts and figures are whose. `points` are
the corners of bases and outlines, `corners` those of parts. `standing` marks the pieces in or on which the
centre of a figure's base lies.

A line stops in a part when it touches it: nobody looks past a model exactly as broad as the one behind it, or
between two walls that meet. So the corners of parts lie EPS further out than the edges they stand for. The top
counts as part of the prism: a line exactly as high as a wall does not pass it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, LOW, RADIUS, REACH, Floats, Ints, X, Y
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

Marks = npt.NDArray[np.uint8]

# Further columns of `figures`: the height that is compared, the facing, half the base, on a hilltop or not.
VALUE, SINE, COSINE, HALF_WIDTH, HALF_DEPTH, ON_HILL = range(8, 14)
FIGURE_COLUMNS = 14
# Columns of `parts` after X, Y and REACH: z interval, compared height, owner, corners; of a round part, which has
# none, the facing and one over each half axis.
PART_LOW, PART_HIGH, PART_VALUE, OWNER, CORNER, CORNERS, PART_SINE, PART_COSINE, PER_WIDTH, PER_DEPTH = range(
    3, 13
)
PART_COLUMNS = 13
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
ALL_IN_ARC = 31  # five bits, one for each of OFFSETS across the target
SAMPLES = 25
EYE_LEVEL = 0.9
HALF_WAY = 0.5
TIE = 1e-7  # of a direction's slope: two corners that stick out equally far share their middle
FAR = 1e9


class Scene(NamedTuple):
    """All that can see, be seen or be in the way."""

    figures: Floats
    points: Floats
    parts: Floats
    corners: Floats
    owners: Floats
    standing: Marks


class Pair(NamedTuple):
    """Two figures that look at each other: centres, rims and heights, and what of the second one counts.

    `in_arc` marks those of the five points across it that lie in the arc, `right` and `left` bound the stretch that
    does, as shares of its rim. `is_plane` says whether all lines between two heights lie in one plane.
    """

    x: float
    y: float
    across_x: float
    across_y: float
    low: float
    high: float
    to_x: float
    to_y: float
    to_across_x: float
    to_across_y: float
    to_low: float
    to_high: float
    in_arc: int
    right: float
    left: float
    is_plane: bool


class Terms(NamedTuple):
    """How a method looks: kind of lines, what is looked over, front arc only, free lines needed."""

    lines: int
    over: int
    front_only: bool
    needed: int


Arrays = tuple[Floats, Floats, Floats, Floats, Floats, Marks]


@kernel
def scene_of(arrays: Arrays) -> Scene:
    """Names for the arrays; a plain tuple is what crosses into compiled code fastest."""
    return Scene(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5])


@lean
def apart_from_line(x: float, y: float, ax: float, ay: float, dx: float, dy: float) -> float:
    """The squared distance of a point from the segment that starts at (ax, ay) and runs along (dx, dy)."""
    to_x = x - ax
    to_y = y - ay
    length2 = dx * dx + dy * dy
    along = to_x * dx + to_y * dy
    if along >= length2:
        to_x -= dx
        to_y -= dy
    elif along > 0.0:
        out = to_x * dy - to_y * dx
        return out * out / length2
    return to_x * to_x + to_y * to_y


@lean
def in_half_axes(
    parts: Floats, part: int, x: float, y: float, dx: float, dy: float
) -> tuple[float, float, float, float]:
    """A point and a direction in the frame of a round part, in which it is a circle of radius 1 about the origin."""
    sine = parts[part, PART_SINE]
    cosine = parts[part, PART_COSINE]
    off_x = x - parts[part, X]
    off_y = y - parts[part, Y]
    across = parts[part, PER_WIDTH]
    along = parts[part, PER_DEPTH]
    return (
        (off_x * cosine - off_y * sine) * across,
        (off_x * sine + off_y * cosine) * along,
        (dx * cosine - dy * sine) * across,
        (dx * sine + dy * cosine) * along,
    )


@lean
def crosses(parts: Floats, corners: Floats, part: int, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether a line from (x, y) along (dx, dy), seen from above, runs through a part."""
    first = int(parts[part, CORNER])
    stop = first + int(parts[part, CORNERS])
    if first == stop:
        px, py, to_x, to_y = in_half_axes(parts, part, x, y, dx, dy)
        return apart_from_line(0.0, 0.0, px, py, to_x, to_y) < 1.0
    left = False
    right = False
    for k in range(first, stop):
        side = dx * (corners[k, 1] - y) - dy * (corners[k, 0] - x)
        left = left or side > 0.0
        right = right or side < 0.0
    if not (left and right):
        return False
    before_x = corners[stop - 1, 0]
    before_y = corners[stop - 1, 1]
    for k in range(first, stop):
        along_x = corners[k, 0] - before_x
        along_y = corners[k, 1] - before_y
        inside = along_x * (y - before_y) - along_y * (x - before_x)
        if inside <= 0.0 and inside + along_x * dy - along_y * dx <= 0.0:
            return False
        before_x = corners[k, 0]
        before_y = corners[k, 1]
    return True


@lean
def span_in(
    parts: Floats, corners: Floats, part: int, x: float, y: float, dx: float, dy: float
) -> tuple[float, float]:
    """Where a line that crosses a part enters and leaves it, as shares of its length."""
    enters = 0.0
    leaves = 1.0
    first = int(parts[part, CORNER])
    stop = first + int(parts[part, CORNERS])
    if first == stop:
        px, py, to_x, to_y = in_half_axes(parts, part, x, y, dx, dy)
        length2 = to_x * to_x + to_y * to_y
        half = (px * to_x + py * to_y) / length2
        root = math.sqrt(max(half * half - (px * px + py * py - 1.0) / length2, 0.0))
        return max(0.0, -half - root), min(1.0, root - half)
    last = stop - 1
    for k in range(first, stop):
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


@lean
def is_met(
    parts: Floats, corners: Floats, part: int, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> bool:
    """Whether a sloping line that crosses a part, seen from above, is level with it somewhere there."""
    enters, leaves = span_in(parts, corners, part, x, y, dx, dy)
    at_low = (parts[part, PART_LOW] - EPS - z) / dz
    at_high = (parts[part, PART_HIGH] + EPS - z) / dz
    return bool(max(enters, min(at_low, at_high)) <= min(leaves, max(at_low, at_high)))


@lean
def stops(
    parts: Floats, corners: Floats, part: int, in_space: bool,
    x: float, y: float, z: float, dx: float, dy: float, dz: float,
) -> bool:  # fmt: skip
    """Whether a part stops a line; seen from above, or in space."""
    low = parts[part, PART_LOW] - EPS
    high = parts[part, PART_HIGH] + EPS
    if in_space and ((z < low and z + dz < low) or (z > high and z + dz > high)):
        return False
    if not crosses(parts, corners, part, x, y, dx, dy):
        return False
    if not in_space or (low <= z <= high and low <= z + dz <= high):
        return True
    return is_met(parts, corners, part, x, y, z, dx, dy, dz)


@lean
def rim(figures: Floats, figure: int, out_x: float, out_y: float) -> tuple[float, float]:
    """From the centre of a base to the point that lies farthest in a direction; the middle of a flat side."""
    if figures[figure, COUNT] == 1.0:
        return figures[figure, RADIUS] * out_x, figures[figure, RADIUS] * out_y
    sine = figures[figure, SINE]
    cosine = figures[figure, COSINE]
    half_width = figures[figure, HALF_WIDTH]
    half_depth = figures[figure, HALF_DEPTH]
    aside = out_x * cosine - out_y * sine
    ahead = out_x * sine + out_y * cosine
    if figures[figure, RADIUS] > 0.0:  # an oval
        reach = math.sqrt((half_width * aside) ** 2 + (half_depth * ahead) ** 2)
        if reach > 0.0:
            aside *= half_width * half_width / reach
            ahead *= half_depth * half_depth / reach
    else:
        aside = math.copysign(half_width, aside) if abs(aside) > TIE else 0.0
        ahead = math.copysign(half_depth, ahead) if abs(ahead) > TIE else 0.0
    return aside * cosine + ahead * sine, ahead * cosine - aside * sine


@lean
def is_exempt(
    owners: Floats, parts: Floats, standing: Marks, low: float, figure: int, owner: int, over: int
) -> bool:
    """Whether a piece cannot stop lines of a figure, standing at height `low`, because the figure is in it.

    Seen from above, "in" and "on" are the same; in space, who stands on a solid piece still has its edge
    below.
    """
    if standing[figure, owner - (owners.shape[0] - standing.shape[1])] == 0:
        return False
    if over != OVER_IN_SPACE or int(owners[owner, FLAGS]) & SEE_THROUGH_EDGE != 0:
        return True
    return bool(low < parts[int(owners[owner, FIRST_PART]), PART_HIGH] - EPS)


@lean
def is_high_enough(over: int, is_piece: bool, value: float, one: float, other: float) -> bool:
    """Whether something of this height can stop lines between figures of those heights."""
    if over == OVER_LOWER_THAN_BOTH:
        return not is_piece or value >= min(one, other) - EPS
    return over == OVER_IN_SPACE or value >= max(one, other) - EPS


@lean
def gather_owners(
    owners: Floats,
    skip: int,
    skip_too: int,
    ax: float,
    ay: float,
    reach: float,
    bx: float,
    by: float,
    found: Ints,
) -> int:
    """Owners whose circle reaches into the corridor from a to b, `reach` to either side; how many."""
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


@lean
def gather_parts(
    scene: Scene, over: int, i: int, j: int, listed: Ints, listed_count: int, ignored: int, near: Ints
) -> int:
    """Parts of the listed owners that may stop a line between two figures; how many there are."""
    figures, parts, owners, standing = scene.figures, scene.parts, scene.owners, scene.standing
    ax = figures[i, X]
    ay = figures[i, Y]
    dx = figures[j, X] - ax
    dy = figures[j, Y] - ay
    breadth = max(figures[i, REACH], figures[j, REACH])
    count = 0
    for k in range(listed_count):
        owner = listed[k]
        room = owners[owner, REACH] + breadth
        if owner == ignored or (
            apart_from_line(owners[owner, X], owners[owner, Y], ax, ay, dx, dy) >= room * room
        ):
            continue
        is_piece = int(owners[owner, FLAGS]) & IS_PIECE != 0
        if is_piece and (
            is_exempt(owners, parts, standing, figures[i, LOW], i, owner, over)
            or is_exempt(owners, parts, standing, figures[j, LOW], j, owner, over)
        ):
            continue
        first = int(owners[owner, FIRST_PART])
        for part in range(first, first + int(owners[owner, PART_COUNT])):
            room = parts[part, REACH] + breadth
            if apart_from_line(parts[part, X], parts[part, Y], ax, ay, dx, dy) < room * room and (
                is_high_enough(over, is_piece, parts[part, PART_VALUE], figures[i, VALUE], figures[j, VALUE])
            ):
                near[count] = part
                count += 1
    return count
