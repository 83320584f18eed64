"""Who sees whom: pairs of figures, whole units, and the reasons why not."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Cube, Floats, Ints, Matrix
from shieldwall.geometry.distance import COUNT, HIGH, LOW, RADIUS, REACH, X, Y, gap, square
from shieldwall.geometry.distance import FIRST as FIRST_CORNER
from shieldwall.geometry.scene import IS_PIECE
from shieldwall.geometry.sight_gaps import has_slit, sees_between_rims
from shieldwall.geometry.sight_lines import (
    ALL_IN_ARC,
    CELLS,
    COSINE,
    EYE,
    EYE_LEVEL,
    FIGURE_COUNT,
    FIRST_FIGURE,
    FLAGS,
    FLAT,
    HALF_DEPTH,
    HALF_WAY,
    HALF_WIDTH,
    HIDDEN,
    LEVELS,
    OFFSETS,
    ON_HILL,
    OUT_OF_ARC,
    OVER_IN_SPACE,
    OWNER,
    PART_HIGH,
    PART_LOW,
    PART_VALUE,
    SAMPLES,
    SEEN,
    SINE,
    VALUE,
    VOLUME,
    Corridor,
    LineInSpace,
    Lines,
    Pair,
    SightArrays,
    Sighting,
    SightTerms,
    crosses,
    gather_owners,
    gather_parts,
    is_high_enough,
    rim,
    span_in,
    stops,
)
from shieldwall.geometry.tolerance import EPS

# ----------------------------------------------------------------------------------------------------
# Compiled sight between two figures: sample lines, the front arc, and the quick ways to be sure.
#
# Lines run between five points across each base, at right angles to the line of centres, or from an eye to 25
# cells of a volume. Whether any line is free is settled by the middle one most of the time; whether none is,
# by one convex part that stops both outer lines and therefore all between them. Where neither helps and no sampled
# line is free, narrow gaps are looked for.

OUTERMOST = 0.8  # the outermost of CELLS


def points_in_arc(figures: Matrix, i: int, dx: float, dy: float, across_x: float, across_y: float) -> int:
    """Which of the five points across a target, `dx` and `dy` away, lie in the front arc of figure i.

    The arc lies between the lines at 45 degrees outward from the front corners and includes them.
    """
    sine = figures[i, SINE]
    cosine = figures[i, COSINE]
    reach = figures[i, HALF_DEPTH] - figures[i, HALF_WIDTH] - EPS
    found = 0
    for t in range(5):
        x = dx + OFFSETS[t] * across_x
        y = dy + OFFSETS[t] * across_y
        ahead = x * sine + y * cosine
        if ahead >= 0.0 and ahead - abs(x * cosine - y * sine) >= reach:
            found |= 1 << t
    return found


def stretch_in_arc(
    figures: Matrix, i: int, dx: float, dy: float, across_x: float, across_y: float
) -> tuple[float, float]:
    """Which stretch of a breadth, `dx` and `dy` away, lies in the front arc of figure i; from -1 to 1 at most."""
    sine = figures[i, SINE]
    cosine = figures[i, COSINE]
    reach = figures[i, HALF_DEPTH] - figures[i, HALF_WIDTH] - EPS
    ahead = dx * sine + dy * cosine
    aside = dx * cosine - dy * sine
    more_ahead = across_x * sine + across_y * cosine
    more_aside = across_x * cosine - across_y * sine
    low = -1.0
    high = 1.0
    for edge in range(-1, 2):  # before the left edge of the arc, before the front, before the right edge
        side = float(edge)
        there = ahead + side * aside - (reach if side != 0.0 else 0.0)
        slope = more_ahead + side * more_aside
        if slope > 0.0:
            low = max(low, -there / slope)
        elif slope < 0.0:
            high = min(high, -there / slope)
        elif there < 0.0:
            return 1.0, -1.0
    return low, high


def front_of(figures: Matrix, i: int) -> tuple[float, float]:
    """Where the front of a base lies: how far ahead of its centre, and half its width.

    It runs between the points at which the borders of the front arc leave the base: the front corners of a rectangle,
    an eighth of a turn to either side on a circle.
    """
    half_width = figures[i, HALF_WIDTH]
    half_depth = figures[i, HALF_DEPTH]
    if figures[i, RADIUS] == 0.0:
        return half_depth, half_width
    # On an oval: where the line at 45 degrees through the corner of its rectangle cuts the curve.
    before = half_depth - half_width
    per_width = 1.0 / (half_width * half_width)
    per_depth = 1.0 / (half_depth * half_depth)
    both = per_width + per_depth
    half = before * per_depth / both
    root = math.sqrt(max(half * half - (before * before * per_depth - 1.0) / both, 0.0))
    aside = max(root - half, 0.0)
    return before + aside, aside


def pair_of(figures: Matrix, i: int, j: int, front_only: bool) -> Pair:
    """How figure i looks at figure j; with `front_only` along lines that run in the front arc of i, and so leave its
    base by the front.
    """
    x = figures[i, X]
    y = figures[i, Y]
    front = 0.0
    half_front = 0.0
    if front_only:
        front, half_front = front_of(figures, i)
        x += front * figures[i, SINE]
        y += front * figures[i, COSINE]
    dx = figures[j, X] - x
    dy = figures[j, Y] - y
    apart = math.sqrt(dx * dx + dy * dy)
    left_x = 0.0
    left_y = 0.0
    if apart > 0.0:
        left_x = -dy / apart
        left_y = dx / apart
    across_x, across_y = rim(figures, i, left_x, left_y)
    to_across_x, to_across_y = rim(figures, j, left_x, left_y)
    in_arc = ALL_IN_ARC
    right = -1.0
    left = 1.0
    if front_only:
        across_x = -half_front * figures[i, COSINE]
        across_y = half_front * figures[i, SINE]
        dx += front * figures[i, SINE]
        dy += front * figures[i, COSINE]
        in_arc = points_in_arc(figures, i, dx, dy, to_across_x, to_across_y)
        right, left = stretch_in_arc(figures, i, dx, dy, to_across_x, to_across_y)
    return Pair(
        x, y, across_x, across_y, figures[i, LOW], figures[i, HIGH],
        figures[j, X], figures[j, Y], to_across_x, to_across_y, figures[j, LOW], figures[j, HIGH],
        in_arc, right, left, figures[i, COUNT] == 1.0 and figures[j, COUNT] == 1.0,
    )  # fmt: skip


def one_part_hides(lines: Lines) -> bool:
    """Whether one convex part stops both outer lines, and so every line between them.

    That needs all lines in one plane, and bases that face each other: each one's breadth wholly on one side
    of the other's.
    """
    look = lines.look
    pair, near = look.pair, look.near
    dx = pair.to_x - pair.x
    dy = pair.to_y - pair.y
    turn = abs(pair.to_across_x * pair.across_y - pair.to_across_y * pair.across_x)
    faces = abs(dx * pair.across_y - dy * pair.across_x) > turn
    if not faces or abs(dx * pair.to_across_y - dy * pair.to_across_x) <= turn:
        return False
    if lines.in_space and lines.z != lines.to_z and not pair.is_plane:
        return False
    left, right = outer_line(lines, 1.0), outer_line(lines, -1.0)
    for k in range(look.size):
        if stops(look.sight, near[k], lines.in_space, left) and stops(
            look.sight, near[k], lines.in_space, right
        ):
            near[k], near[0] = near[0], near[k]
            return True
    return False


def outer_line(lines: Lines, side: float) -> LineInSpace:
    """The line between the ends of both breadths on one side: left (1) or right (-1)."""
    pair = lines.look.pair
    return LineInSpace(
        pair.x + side * pair.across_x,
        pair.y + side * pair.across_y,
        lines.z,
        pair.to_x - pair.x + side * (pair.to_across_x - pair.across_x),
        pair.to_y - pair.y + side * (pair.to_across_y - pair.across_y),
        lines.to_z - lines.z,
    )


def has_free_line(lines: Lines) -> bool:
    """Whether a line at these heights ends in the arc and passes by all parts that are near: one of 25, or any.

    What stops a line moves to the head of the list, because it probably stops the next one, too.
    """
    look = lines.look
    pair, near = look.pair, look.near
    for number in range(25):
        s = number // 5
        t = number % 5
        if number == 1 and one_part_hides(lines):
            return False
        if pair.in_arc & (1 << t) == 0:
            continue
        x = pair.x + OFFSETS[s] * pair.across_x
        y = pair.y + OFFSETS[s] * pair.across_y
        dx = pair.to_x + OFFSETS[t] * pair.to_across_x - x
        dy = pair.to_y + OFFSETS[t] * pair.to_across_y - y
        line = LineInSpace(x, y, lines.z, dx, dy, lines.to_z - lines.z)
        is_free = True
        for k in range(look.size):
            if stops(look.sight, near[k], lines.in_space, line):
                near[k], near[0] = near[0], near[k]
                is_free = False
                break
        if is_free:
            return True
    return has_slit(lines)


def hangs(look: Sighting, feet: float) -> bool:
    """Whether something near stands higher than these feet, so that a low line may pass below it."""
    for k in range(look.size):
        if look.sight.parts[look.near[k], PART_LOW] > feet + EPS:
            return True
    return False


def sees_volume(look: Sighting) -> bool:
    """Lines between the tops; where something hangs, also lines from and to half height."""
    pair = look.pair
    half = pair.low + HALF_WAY * (pair.high - pair.low)
    to_half = pair.to_low + HALF_WAY * (pair.to_high - pair.to_low)
    if has_free_line(Lines(look, True, pair.high, pair.to_high)):
        return True
    return hangs(look, min(pair.low, pair.to_low)) and (
        has_free_line(Lines(look, True, half, to_half))
        or has_free_line(Lines(look, True, pair.high, to_half))
        or has_free_line(Lines(look, True, half, pair.to_high))
    )


def line_from_eye(pair: Pair, cell: float, level: float) -> LineInSpace:
    """The line from the eye of the first figure to a cell of the second one's volume."""
    eye = pair.low + EYE_LEVEL * (pair.high - pair.low)
    dx = pair.to_x + cell * pair.to_across_x - pair.x
    dy = pair.to_y + cell * pair.to_across_y - pair.y
    z = pair.to_low + level * (pair.to_high - pair.to_low)
    return LineInSpace(pair.x, pair.y, eye, dx, dy, z - eye)


def one_part_hides_volume(look: Sighting) -> bool:
    """Whether one convex part stops the lines to the four outermost samples, and so all."""
    near = look.near
    for k in range(look.size):
        stopped = 0
        for corner in range(4):
            cell = OUTERMOST if corner < 2 else -OUTERMOST
            level = LEVELS[4] if corner % 2 == 0 else LEVELS[3]
            if not stops(look.sight, near[k], True, line_from_eye(look.pair, cell, level)):
                break
            stopped += 1
        if stopped == 4:
            near[k], near[0] = near[0], near[k]
            return True
    return False


def samples_seen(look: Sighting, enough: int) -> int:
    """How many of the 25 samples the eye sees; counting stops at `enough`, or when it is out of reach."""
    near = look.near
    seen = 0
    for sample in range(SAMPLES):
        if sample == 1 and one_part_hides_volume(look):
            return seen
        line = line_from_eye(look.pair, CELLS[sample % 5], LEVELS[sample // 5])
        seen += 1
        for k in range(look.size):
            if stops(look.sight, near[k], True, line):
                near[k], near[0] = near[0], near[k]
                seen -= 1
                break
        if seen >= enough or seen + SAMPLES - 1 - sample < enough:
            return seen
    return seen


def is_seen(look: Sighting, lines: int, needed: int) -> bool:
    """Whether the one figure sees the other past the parts that are near; if not, a bad one comes first there."""
    if lines == FLAT:
        return has_free_line(Lines(look, False, 0.0, 0.0))
    if lines == VOLUME:
        return sees_volume(look) or sees_between_rims(look)
    return samples_seen(look, needed) >= needed


def is_wall(sight: SightArrays, over: int, part: int, i: int, first: int, stop: int) -> bool:
    """Whether a part stops every line of figure i to first..stop that crosses it, seen from above."""
    figures = sight.figures
    owner = int(sight.parts[part, OWNER])
    is_piece = int(sight.owners[owner, FLAGS]) & IS_PIECE != 0
    for j in range(first, stop):
        if is_piece and sight.standing[j, owner - (sight.owners.shape[0] - sight.standing.shape[1])] != 0:
            return False
        if not is_high_enough(
            over, is_piece, sight.parts[part, PART_VALUE], figures[i, VALUE], figures[j, VALUE]
        ):
            return False
        if over == OVER_IN_SPACE and (
            sight.parts[part, PART_LOW] > min(figures[i, LOW], figures[j, LOW])
            or sight.parts[part, PART_HIGH] < max(figures[i, HIGH], figures[j, HIGH])
        ):
            return False
    return True


def tangent_cut(sight: SightArrays, part: int, i: int, j: int, aside: float) -> tuple[float, float, bool]:
    """Where a part cuts the line between two figures moved left by `aside`, and whether it does."""
    x = sight.figures[i, X]
    y = sight.figures[i, Y]
    dx = sight.figures[j, X] - x
    dy = sight.figures[j, Y] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return 0.0, 0.0, False
    x -= aside * dy / length
    y += aside * dx / length
    if not crosses(sight, part, x, y, dx, dy):
        return 0.0, 0.0, False
    enters, leaves = span_in(sight, part, x, y, dx, dy)
    middle = (enters + leaves) / 2.0
    return x + middle * dx, y + middle * dy, True


def hides_unit(sight: SightArrays, over: int, part: int, i: int, first: int, count: int) -> bool:
    """Whether one convex part, which stops lines of figure i, surely hides all the figures first.. from it.

    With discs of one radius round all bases, every line runs between the tangents to the leftmost and
    rightmost disc. The part must cross both, and all discs lie beyond the chord between those crossings,
    figure i before it.
    """
    figures = sight.figures
    if count < 2 or not is_wall(sight, over, part, i, first, first + count):
        return False
    radius = figures[i, REACH]
    left = first
    right = first
    x = figures[i, X]
    y = figures[i, Y]
    for j in range(first, first + count):
        radius = max(radius, figures[j, REACH])
        dx = figures[j, X] - x
        dy = figures[j, Y] - y
        if (figures[left, X] - x) * dy > (figures[left, Y] - y) * dx:
            left = j
        if (figures[right, X] - x) * dy < (figures[right, Y] - y) * dx:
            right = j
    ax, ay, is_left_cut = tangent_cut(sight, part, i, left, radius)
    bx, by, is_right_cut = tangent_cut(sight, part, i, right, -radius)
    if not (is_left_cut and is_right_cut):
        return False
    # The chord runs from the right cut to the left one: figure i must lie left of it, the others right.
    along_x = ax - bx
    along_y = ay - by
    room = radius * math.sqrt(along_x * along_x + along_y * along_y)
    if along_x * (y - by) - along_y * (x - bx) < room:
        return False
    for j in range(first, first + count):
        if along_x * (figures[j, Y] - by) - along_y * (figures[j, X] - bx) > -room:
            return False
    return True


# ----------------------------------------------------------------------------------------------------
# Compiled sight of whole units: the nearest models that each figure has in range, in its arc and in sight.

# Rows of a scan: nearest model of all, nearest in the arc, nearest seen.
ANY, IN_ARC, IN_SIGHT = range(3)
ROOT_OF_TWO = 1.4143  # rounded up


def corners_to_box(figures: Matrix, points: Matrix, i: int, j: int) -> float:
    """The smallest squared distance of a corner of j from the rectangle of figure i."""
    sine = figures[i, SINE]
    cosine = figures[i, COSINE]
    first = int(figures[j, FIRST_CORNER])
    nearest = math.inf
    for k in range(first, first + 4):
        dx = points[k, 0] - figures[i, X]
        dy = points[k, 1] - figures[i, Y]
        beside = max(abs(dx * cosine - dy * sine) - figures[i, HALF_WIDTH], 0.0)
        beyond = max(abs(dx * sine + dy * cosine) - figures[i, HALF_DEPTH], 0.0)
        nearest = min(nearest, beside * beside + beyond * beyond)
    return nearest


def flat_apart(figures: Matrix, points: Matrix, i: int, j: int) -> float:
    """Base to base, seen from above; a quick way for circles and for rectangles that cannot overlap."""
    dx = figures[j, X] - figures[i, X]
    dy = figures[j, Y] - figures[i, Y]
    distance2 = dx * dx + dy * dy
    rounding = figures[i, RADIUS] + figures[j, RADIUS]
    corners = figures[i, COUNT] + figures[j, COUNT]
    if corners == 2.0:
        return float(max(math.sqrt(distance2) - rounding, 0.0))
    bound = figures[i, REACH] + figures[j, REACH]
    if corners == 8.0 and rounding == 0.0 and figures[i, COUNT] == 4.0 and distance2 > bound * bound:
        return math.sqrt(min(corners_to_box(figures, points, i, j), corners_to_box(figures, points, j, i)))
    return max(gap(points, figures, i, points, figures, j), 0.0)


def apart(figures: Matrix, points: Matrix, i: int, j: int, in_space: bool) -> float:
    """Base to base, as a ruler lies; with `in_space` it also bridges the difference of the ground."""
    flat = flat_apart(figures, points, i, j)
    if in_space:
        rise = figures[j, LOW] - figures[i, LOW]
        return math.sqrt(flat * flat + rise * rise)
    return flat


def note_bounds(figures: Matrix, i: int, first: int, count: int, bounds: Floats) -> None:
    """How far the figures first.. are from figure i at least, by the circles round them."""
    for j in range(count):
        dx = figures[first + j, X] - figures[i, X]
        dy = figures[first + j, Y] - figures[i, Y]
        bounds[j] = math.sqrt(dx * dx + dy * dy) - figures[i, REACH] - figures[first + j, REACH]


def nearest_bound(bounds: Floats, count: int) -> int:
    """Which of the lower bounds is smallest, the first one on a tie."""
    best = 0
    for j in range(1, count):
        if bounds[j] < bounds[best]:
            best = j
    return best


def is_unit_out_of_arc(figures: Matrix, owners: Matrix, i: int, target: int) -> bool:
    """Whether all of a unit certainly lies outside the front arc of figure i, by the circle round it."""
    dx = owners[target, X] - figures[i, X]
    dy = owners[target, Y] - figures[i, Y]
    ahead = dx * figures[i, SINE] + dy * figures[i, COSINE]
    aside = abs(dx * figures[i, COSINE] - dy * figures[i, SINE])
    edge = figures[i, HALF_DEPTH] - figures[i, HALF_WIDTH] - 2.0 * EPS
    return bool(ahead - aside + ROOT_OF_TWO * owners[target, REACH] < edge)


class Scan(NamedTuple):
    """A unit that looks at others: how, within which reach, and room to work in.

    `listed` are the owners between it and the target of the moment.
    """

    sight: SightArrays
    terms: SightTerms
    me: int
    reach: float
    in_space: bool
    listed: Ints
    near: Ints
    bounds: Floats


def scan_figure(scan: Scan, i: int, target: int, owners: int, ignored: int, best: Floats) -> None:
    """The three nearest distances from figure i to a unit within reach, past so many listed owners.

    Models are taken by a lower bound of their distance, until none can be nearer than what is still wanted: a
    model in sight, only one in the arc once all are known to be hidden, or just any.
    """
    sight, terms, bounds, reach = scan.sight, scan.terms, scan.bounds, scan.reach
    figures = sight.figures
    first = int(sight.owners[target, FIRST_FIGURE])
    count = int(sight.owners[target, FIGURE_COUNT])
    note_bounds(figures, i, first, count, bounds)
    best[ANY] = best[IN_ARC] = best[IN_SIGHT] = math.inf
    is_own = first <= i < first + count
    is_behind = terms.front_only and not is_own and is_unit_out_of_arc(figures, sight.owners, i, target)
    wanted = ANY if is_behind else IN_SIGHT
    for _ in range(count):
        k = nearest_bound(bounds, count)
        if bounds[k] >= best[wanted] or bounds[k] > reach + EPS:
            break
        bounds[k] = math.inf
        distance = apart(figures, sight.points, i, first + k, scan.in_space)
        if distance > reach + EPS or distance >= best[wanted]:
            continue
        best[ANY] = min(best[ANY], distance)
        if wanted == ANY:
            continue
        pair = pair_of(figures, i, first + k, terms.front_only and i != first + k)
        if pair.in_arc == 0:
            continue
        best[IN_ARC] = min(best[IN_ARC], distance)
        if wanted == IN_ARC:
            continue
        parts = gather_parts(sight, terms.over, i, first + k, scan.listed, owners, ignored, scan.near)
        look = Sighting(sight, i, first + k, scan.near, parts, pair)
        if parts == 0 or is_seen(look, terms.lines, terms.needed):
            best[IN_SIGHT] = distance
        elif hides_unit(sight, terms.over, scan.near[0], i, first, count):
            wanted = IN_ARC


def scan_unit(scan: Scan, target: int, owners: int, ignored: int, found: Matrix) -> float:
    """One line of `found` for each figure of a unit that looks at another; how good the view is.

    The view is better the more figures see somebody within reach, then the nearer those are.
    """
    sight = scan.sight
    begin = int(sight.owners[scan.me, FIRST_FIGURE])
    view = 0.0
    for i in range(int(sight.owners[scan.me, FIGURE_COUNT])):
        skipped = ignored if sight.figures[begin + i, ON_HILL] != 0.0 else -1
        scan_figure(scan, begin + i, target, owners, skipped, found[i])
        if found[i, IN_SIGHT] < math.inf:
            view += 1.0 + 1.0 / (1000.0 + found[i, IN_SIGHT])
    return view


def any_on_hill(sight: SightArrays, me: int) -> bool:
    first = int(sight.owners[me, FIRST_FIGURE])
    for i in range(first, first + int(sight.owners[me, FIGURE_COUNT])):
        if sight.figures[i, ON_HILL] != 0.0:
            return True
    return False


def fill(found: Matrix, number: float) -> None:
    for i in range(found.shape[0]):
        for kind in range(3):
            found[i, kind] = number


def copy_into(found: Matrix, tried: Matrix) -> None:
    for i in range(found.shape[0]):
        for kind in range(3):
            found[i, kind] = tried[i, kind]


def scan_target(scan: Scan, target: int, found: Matrix, tried: Matrix) -> int:
    """Fill `found` for one target; the owner that figures on a hilltop disregard for it, or -1.

    The unit names one thing for each target: the one that gives it the best view, the first one on a tie.
    """
    rows, me = scan.sight.owners, scan.me
    between = math.sqrt(square(rows[target, X] - rows[me, X]) + square(rows[target, Y] - rows[me, Y]))
    if between - rows[me, REACH] - rows[target, REACH] > scan.reach + EPS:
        fill(found, math.inf)
        return -1
    breadth = max(rows[me, REACH], rows[target, REACH])
    corridor = Corridor(rows[me, X], rows[me, Y], rows[target, X], rows[target, Y], breadth)
    count = gather_owners(rows, me, target, corridor, scan.listed)
    best = scan_unit(scan, target, count, -1, found)
    if count == 0 or not any_on_hill(scan.sight, me):
        return -1
    ignored = -1
    for k in range(count):
        view = scan_unit(scan, target, count, scan.listed[k], tried)
        if view > best + 1e-9:
            best = view
            ignored = scan.listed[k]
            copy_into(found, tried)
    return ignored


def scan_sight(
    sight: SightArrays, terms: SightTerms, me: int, reach: float, in_space: bool, targets: Ints,
    answer: Cube, ignored: Ints,
) -> None:  # fmt: skip
    """Nearest distances of every figure of unit `me` to every target: answer[target, figure, kind]."""
    owners = np.empty(sight.owners.shape[0], np.int64)
    near = np.empty(sight.parts.shape[0], np.int64)
    bounds = np.empty(sight.figures.shape[0])
    tried = np.empty((answer.shape[1], 3))
    scan = Scan(sight, terms, me, reach, in_space, owners, near, bounds)
    for column in range(targets.shape[0]):
        ignored[column] = scan_target(scan, targets[column], answer[column], tried)


# ----------------------------------------------------------------------------------------------------
# Compiled answer to why one figure sees another or not: who stops how many of the sampled lines.

# Columns of an explanation of one pair, one row for each owner: lines it stops, lines nothing else stops,
# where it stops the first line (-1: it does not).
STOPS, STOPS_ALONE, STOPS_FIRST_AT = range(3)


class SightNotes(NamedTuple):
    """What was found out about each owner (`rows`), and scratch: -1 for each of them."""

    rows: Matrix
    marks: Ints


def note_line(look: Sighting, in_space: bool, is_first: bool, line: LineInSpace, notes: SightNotes) -> bool:
    """Note every owner that stops a line; whether nobody does."""
    sight, near, rows, marks = look.sight, look.near, notes.rows, notes.marks
    stoppers = 0
    last = -1
    for k in range(look.size):
        owner = int(sight.parts[near[k], OWNER])
        if not stops(sight, near[k], in_space, line):
            continue
        if marks[owner] < 0:
            marks[owner] = k
            stoppers += 1
            last = owner
            rows[owner, STOPS] += 1.0
        if is_first:
            at, _ = span_in(sight, near[k], line.x, line.y, line.dx, line.dy)
            if rows[owner, STOPS_FIRST_AT] < 0.0 or at < rows[owner, STOPS_FIRST_AT]:
                rows[owner, STOPS_FIRST_AT] = at
    for k in range(look.size):
        marks[int(sight.parts[near[k], OWNER])] = -1
    if stoppers == 1:
        rows[last, STOPS_ALONE] += 1.0
    return stoppers == 0


def note_lines_at(lines: Lines, is_first: bool, notes: SightNotes) -> int:
    """Note what stops each of the 25 lines at these heights; how many are free."""
    pair = lines.look.pair
    free = 0
    for s in range(5):
        x = pair.x + OFFSETS[s] * pair.across_x
        y = pair.y + OFFSETS[s] * pair.across_y
        for t in range(5):
            if pair.in_arc & (1 << t) == 0:
                continue
            dx = pair.to_x + OFFSETS[t] * pair.to_across_x - x
            dy = pair.to_y + OFFSETS[t] * pair.to_across_y - y
            line = LineInSpace(x, y, lines.z, dx, dy, lines.to_z - lines.z)
            if note_line(lines.look, lines.in_space, is_first, line, notes):
                free += 1
            is_first = False
    return free


def note_samples(look: Sighting, notes: SightNotes) -> int:
    """Note what hides each of the 25 samples of a volume; how many are seen."""
    free = 0
    is_first = True
    for level in range(5):
        for cell in range(5):
            if note_line(look, True, is_first, line_from_eye(look.pair, CELLS[cell], LEVELS[level]), notes):
                free += 1
            is_first = False
    return free


def note_volume(look: Sighting, notes: SightNotes) -> tuple[int, int]:
    """Note what stops the lines between two volumes; how many are free, and how many there are."""
    pair = look.pair
    top, to_top = pair.high, pair.to_high
    free = note_lines_at(Lines(look, True, top, to_top), True, notes)
    if free > 0 or not hangs(look, min(pair.low, pair.to_low)):
        return free, 25
    half = pair.low + HALF_WAY * (top - pair.low)
    to_half = pair.to_low + HALF_WAY * (to_top - pair.to_low)
    free += note_lines_at(Lines(look, True, half, to_half), False, notes)
    free += note_lines_at(Lines(look, True, top, to_half), False, notes)
    free += note_lines_at(Lines(look, True, half, to_top), False, notes)
    return free, 100


def note_slits(look: Sighting, terms: SightTerms, listed: Ints, owners: int, notes: SightNotes) -> int:
    """Where no sampled line is free: 1 if one between them is, else 0, and on a hilltop who alone prevents it.

    The first `owners` of `listed` are in the way.
    """
    sight, i, j, near, pair = look.sight, look.i, look.j, look.near, look.pair
    if is_seen(look, terms.lines, 1):
        return 1
    if sight.figures[i, ON_HILL] != 0.0:
        for k in range(owners):
            count = gather_parts(sight, terms.over, i, j, listed, owners, listed[k], near)
            if is_seen(Sighting(sight, i, j, near, count, pair), terms.lines, 1):
                notes.rows[listed[k], STOPS_ALONE] = max(1.0, notes.rows[listed[k], STOPS_ALONE])
    return 0


def explain_pair(
    sight: SightArrays, terms: SightTerms, i: int, j: int, me: int, target: int, rows: Matrix
) -> tuple[int, int, int]:
    """How figure i of unit `me` sees figure j of `target`: state, free lines, all; notes by owner go into `rows`."""
    figures = sight.figures
    listed = np.full(sight.owners.shape[0], -1, np.int64)
    near = np.empty(sight.parts.shape[0], np.int64)
    notes = SightNotes(rows, np.full(sight.owners.shape[0], -1, np.int64))
    pair = pair_of(figures, i, j, terms.front_only)
    if pair.in_arc == 0:
        return OUT_OF_ARC, 0, 25
    breadth = max(figures[i, REACH], figures[j, REACH])
    corridor = Corridor(pair.x, pair.y, pair.to_x, pair.to_y, breadth)
    owners = gather_owners(sight.owners, me, target, corridor, listed)
    count = gather_parts(sight, terms.over, i, j, listed, owners, -1, near)
    look = Sighting(sight, i, j, near, count, pair)
    total = 25
    if terms.lines == EYE:
        free = note_samples(look, notes)
    elif terms.lines == VOLUME:
        free, total = note_volume(look, notes)
    else:
        assert terms.lines == FLAT
        free = note_lines_at(Lines(look, terms.over == OVER_IN_SPACE, 0.0, 0.0), True, notes)
    if free == 0 and terms.lines != EYE:
        free = note_slits(look, terms, listed, owners, notes)
    return (SEEN if free > 0 else HIDDEN), free, total
