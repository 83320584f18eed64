"""Lines of sight: does a straight line between two figures pass by everything that could stop it?"""

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.geometry.arrays import Ints, MarkMatrix, Matrix
from shieldwall.geometry.distance import COUNT, LOW, RADIUS, REACH, X, Y, square
from shieldwall.geometry.scene import IS_PIECE, SEE_THROUGH_EDGE, STOPS_SIGHT
from shieldwall.geometry.tolerance import EPS

# ----------------------------------------------------------------------------------------------------
# Compiled lines of sight: does a straight line between two figures pass by everything that could stop it?
#
# `SightArrays` are six arrays. `figures` are the models of all units: the eight columns of distance.py, then those
# below. `parts` are upright prisms that stop lines: ovals (no corners) or convex polygons. Every part belongs
# to an owner, a unit or a piece of terrain, and `owners` says which parts and figures are whose. `points` are
# the corners of bases and outlines, `corners` those of parts. `standing` marks the pieces in or on which the
# centre of a figure's base lies.
#
# A line stops in a part when it touches it: nobody looks past a model exactly as broad as the one behind it, or
# between two walls that meet. So the corners of parts lie EPS further out than the edges they stand for. The top
# counts as part of the prism: a line exactly as high as a wall does not pass it.

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


class SightArrays(NamedTuple):
    """All that can see, be seen or be in the way."""

    figures: Matrix
    points: Matrix
    parts: Matrix
    corners: Matrix
    owners: Matrix
    standing: MarkMatrix


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


class LineInSpace(NamedTuple):
    """A straight line: where it starts, and how far it runs along each axis."""

    x: float
    y: float
    z: float
    dx: float
    dy: float
    dz: float


class Corridor(NamedTuple):
    """Where lines run that all start near one point and end near another, `breadth` to either side."""

    x: float
    y: float
    to_x: float
    to_y: float
    breadth: float


class Sighting(NamedTuple):
    """Two figures that look at each other, and the `size` parts in `near` that may stop their lines."""

    sight: SightArrays
    i: int
    j: int
    near: Ints
    size: int
    pair: Pair


class Lines(NamedTuple):
    """All lines of a look that run between two heights; seen from above where they are not `in_space`."""

    look: Sighting
    in_space: bool
    z: float
    to_z: float


class SightTerms(NamedTuple):
    """How a method looks: kind of lines, what is looked over, front arc only, free lines needed."""

    lines: int
    over: int
    front_only: bool
    needed: int


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


def in_half_axes(
    sight: SightArrays, part: int, x: float, y: float, dx: float, dy: float
) -> tuple[float, float, float, float]:
    """A point and a direction in the frame of a round part, in which it is a circle of radius 1 about the origin."""
    sine = sight.parts[part, PART_SINE]
    cosine = sight.parts[part, PART_COSINE]
    off_x = x - sight.parts[part, X]
    off_y = y - sight.parts[part, Y]
    across = sight.parts[part, PER_WIDTH]
    along = sight.parts[part, PER_DEPTH]
    return (
        (off_x * cosine - off_y * sine) * across,
        (off_x * sine + off_y * cosine) * along,
        (dx * cosine - dy * sine) * across,
        (dx * sine + dy * cosine) * along,
    )


def crosses(sight: SightArrays, part: int, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether a line from (x, y) along (dx, dy), seen from above, runs through a part."""
    first = int(sight.parts[part, CORNER])
    stop = first + int(sight.parts[part, CORNERS])
    if first == stop:
        px, py, to_x, to_y = in_half_axes(sight, part, x, y, dx, dy)
        return apart_from_line(0.0, 0.0, px, py, to_x, to_y) < 1.0
    left = False
    right = False
    for k in range(first, stop):
        side = dx * (sight.corners[k, 1] - y) - dy * (sight.corners[k, 0] - x)
        left = left or side > 0.0
        right = right or side < 0.0
    if not (left and right):
        return False
    before_x = sight.corners[stop - 1, 0]
    before_y = sight.corners[stop - 1, 1]
    for k in range(first, stop):
        along_x = sight.corners[k, 0] - before_x
        along_y = sight.corners[k, 1] - before_y
        inside = along_x * (y - before_y) - along_y * (x - before_x)
        if inside <= 0.0 and inside + along_x * dy - along_y * dx <= 0.0:
            return False
        before_x = sight.corners[k, 0]
        before_y = sight.corners[k, 1]
    return True


def span_in(sight: SightArrays, part: int, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a line that crosses a part enters and leaves it, as shares of its length."""
    enters = 0.0
    leaves = 1.0
    first = int(sight.parts[part, CORNER])
    stop = first + int(sight.parts[part, CORNERS])
    if first == stop:
        px, py, to_x, to_y = in_half_axes(sight, part, x, y, dx, dy)
        length2 = to_x * to_x + to_y * to_y
        half = (px * to_x + py * to_y) / length2
        root = math.sqrt(max(half * half - (px * px + py * py - 1.0) / length2, 0.0))
        return max(0.0, -half - root), min(1.0, root - half)
    last = stop - 1
    for k in range(first, stop):
        along_x = sight.corners[k, 0] - sight.corners[last, 0]
        along_y = sight.corners[k, 1] - sight.corners[last, 1]
        inside = along_x * (y - sight.corners[last, 1]) - along_y * (x - sight.corners[last, 0])
        inward = along_x * dy - along_y * dx
        if inward > 0.0:
            enters = max(enters, -inside / inward)
        elif inward < 0.0:
            leaves = min(leaves, -inside / inward)
        last = k
    return enters, leaves


def is_met(sight: SightArrays, part: int, line: LineInSpace) -> bool:
    """Whether a sloping line that crosses a part, seen from above, is level with it somewhere there."""
    enters, leaves = span_in(sight, part, line.x, line.y, line.dx, line.dy)
    at_low = (sight.parts[part, PART_LOW] - EPS - line.z) / line.dz
    at_high = (sight.parts[part, PART_HIGH] + EPS - line.z) / line.dz
    return bool(max(enters, min(at_low, at_high)) <= min(leaves, max(at_low, at_high)))


def stops(sight: SightArrays, part: int, in_space: bool, line: LineInSpace) -> bool:
    """Whether a part stops a line; seen from above, or in space."""
    low = sight.parts[part, PART_LOW] - EPS
    high = sight.parts[part, PART_HIGH] + EPS
    z, to_z = line.z, line.z + line.dz
    if in_space and ((z < low and to_z < low) or (z > high and to_z > high)):
        return False
    if not crosses(sight, part, line.x, line.y, line.dx, line.dy):
        return False
    if not in_space or (low <= z <= high and low <= to_z <= high):
        return True
    return is_met(sight, part, line)


def rim(figures: Matrix, figure: int, out_x: float, out_y: float) -> tuple[float, float]:
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
        reach = math.sqrt(square(half_width * aside) + square(half_depth * ahead))
        if reach > 0.0:
            aside *= half_width * half_width / reach
            ahead *= half_depth * half_depth / reach
    else:
        aside = math.copysign(half_width, aside) if abs(aside) > TIE else 0.0
        ahead = math.copysign(half_depth, ahead) if abs(ahead) > TIE else 0.0
    return aside * cosine + ahead * sine, ahead * cosine - aside * sine


def is_exempt(sight: SightArrays, figure: int, owner: int, over: int) -> bool:
    """Whether a piece cannot stop lines of a figure because the figure is in it.

    Seen from above, "in" and "on" are the same; in space, who stands on a solid piece still has its edge
    below.
    """
    owners, standing = sight.owners, sight.standing
    if standing[figure, owner - (owners.shape[0] - standing.shape[1])] == 0:
        return False
    if over != OVER_IN_SPACE or int(owners[owner, FLAGS]) & SEE_THROUGH_EDGE != 0:
        return True
    low = sight.figures[figure, LOW]
    return bool(low < sight.parts[int(owners[owner, FIRST_PART]), PART_HIGH] - EPS)


def is_high_enough(over: int, is_piece: bool, value: float, one: float, other: float) -> bool:
    """Whether something of this height can stop lines between figures of those heights."""
    if over == OVER_LOWER_THAN_BOTH:
        return not is_piece or value >= min(one, other) - EPS
    return over == OVER_IN_SPACE or value >= max(one, other) - EPS


def gather_owners(owners: Matrix, me: int, target: int, corridor: Corridor, found: Ints) -> int:
    """Owners other than those two whose circle reaches into a corridor; how many."""
    ax, ay = corridor.x, corridor.y
    dx, dy = corridor.to_x - ax, corridor.to_y - ay
    count = 0
    for owner in range(owners.shape[0]):
        if owner in (me, target) or owners[owner, PART_COUNT] == 0.0:
            continue
        if int(owners[owner, FLAGS]) & STOPS_SIGHT == 0:
            continue
        room = owners[owner, REACH] + corridor.breadth
        if apart_from_line(owners[owner, X], owners[owner, Y], ax, ay, dx, dy) < room * room:
            found[count] = owner
            count += 1
    return count


def gather_parts(
    sight: SightArrays, over: int, i: int, j: int, listed: Ints, listed_count: int, ignored: int, near: Ints
) -> int:
    """Parts of the listed owners that may stop a line between two figures; how many there are."""
    figures, parts, owners = sight.figures, sight.parts, sight.owners
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
        if is_piece and (is_exempt(sight, i, owner, over) or is_exempt(sight, j, owner, over)):
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


# ----------------------------------------------------------------------------------------------------
# Compiled chords: where a ray enters and leaves a base.


def chord(figures: Matrix, figure: int, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
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


# ----------------------------------------------------------------------------------------------------
# Compiled strips between bases: what makes two of them one convex hull.
#
# A strip is the four-sided piece between the two lines that touch both bases from outside.

MOST_STEPS = 24  # more than enough: each brings the touching line several times closer
SAME_DIRECTION = 1e-12


def touching_line(figures: Matrix, i: int, j: int, side: float) -> tuple[float, float, float, float, bool]:
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


def strip_of(figures: Matrix, i: int, j: int, strip: Matrix) -> bool:
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
