"""Who sees whom: pairs of figures, whole units, and the reasons why not."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.geometry.arrays import Cube, Floats, Ints, Matrix
from shieldwall.geometry.distance import COUNT, HIGH, LOW, RADIUS, REACH, X, Y, gap, square
from shieldwall.geometry.distance import FIRST as FIRST_CORNER
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
    IS_PIECE,
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
    Pair,
    Scene,
    SightTerms,
    crosses,
    gather_owners,
    gather_parts,
    has_slit,
    is_high_enough,
    rim,
    sees_between_rims,
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


def one_part_hides(
    parts: Matrix, corners: Matrix, near: Ints, count: int, in_space: bool, pair: Pair, z: float, to_z: float
) -> bool:
    """Whether one convex part stops both outer lines, and so every line between them.

    That needs all lines in one plane, and bases that face each other: each one's breadth wholly on one side
    of the other's.
    """
    dx = pair.to_x - pair.x
    dy = pair.to_y - pair.y
    turn = abs(pair.to_across_x * pair.across_y - pair.to_across_y * pair.across_x)
    faces = abs(dx * pair.across_y - dy * pair.across_x) > turn
    if not faces or abs(dx * pair.to_across_y - dy * pair.to_across_x) <= turn:
        return False
    if in_space and z != to_z and not pair.is_plane:
        return False
    for k in range(count):
        stopped = 0
        for edge in range(2):
            side = 1.0 - 2.0 * edge
            if stops(
                parts, corners, near[k], in_space,
                pair.x + side * pair.across_x, pair.y + side * pair.across_y, z,
                dx + side * (pair.to_across_x - pair.across_x),
                dy + side * (pair.to_across_y - pair.across_y), to_z - z,
            ):  # fmt: skip
                stopped += 1
        if stopped == 2:
            near[k], near[0] = near[0], near[k]
            return True
    return False


def has_free_line(
    parts: Matrix, corners: Matrix, near: Ints, count: int, in_space: bool, pair: Pair, z: float, to_z: float
) -> bool:
    """Whether a line at these heights ends in the arc and passes by all parts listed in `near`: one of 25, or any.

    What stops a line moves to the head of the list, because it probably stops the next one, too.
    """
    for line in range(25):
        s = line // 5
        t = line % 5
        if line == 1 and one_part_hides(parts, corners, near, count, in_space, pair, z, to_z):
            return False
        if pair.in_arc & (1 << t) == 0:
            continue
        x = pair.x + OFFSETS[s] * pair.across_x
        y = pair.y + OFFSETS[s] * pair.across_y
        dx = pair.to_x + OFFSETS[t] * pair.to_across_x - x
        dy = pair.to_y + OFFSETS[t] * pair.to_across_y - y
        is_free = True
        for k in range(count):
            if stops(parts, corners, near[k], in_space, x, y, z, dx, dy, to_z - z):
                near[k], near[0] = near[0], near[k]
                is_free = False
                break
        if is_free:
            return True
    return has_slit(parts, corners, near, count, in_space, pair, z, to_z)


def hangs(parts: Matrix, near: Ints, count: int, feet: float) -> bool:
    """Whether something near stands higher than these feet, so that a low line may pass below it."""
    for k in range(count):
        if parts[near[k], PART_LOW] > feet + EPS:
            return True
    return False


def sees_volume(parts: Matrix, corners: Matrix, near: Ints, count: int, pair: Pair) -> bool:
    """Lines between the tops; where something hangs, also lines from and to half height."""
    half = pair.low + HALF_WAY * (pair.high - pair.low)
    to_half = pair.to_low + HALF_WAY * (pair.to_high - pair.to_low)
    if has_free_line(parts, corners, near, count, True, pair, pair.high, pair.to_high):
        return True
    return hangs(parts, near, count, min(pair.low, pair.to_low)) and (
        has_free_line(parts, corners, near, count, True, pair, half, to_half)
        or has_free_line(parts, corners, near, count, True, pair, pair.high, to_half)
        or has_free_line(parts, corners, near, count, True, pair, half, pair.to_high)
    )


def one_part_hides_volume(
    parts: Matrix, corners: Matrix, near: Ints, count: int, pair: Pair, eye: float, low: float, high: float
) -> bool:
    """Whether one convex part stops the lines to the four outermost samples, and so all."""
    for k in range(count):
        stopped = 0
        for corner in range(4):
            cell = OUTERMOST if corner < 2 else -OUTERMOST
            z = low if corner % 2 == 0 else high
            dx = pair.to_x + cell * pair.to_across_x - pair.x
            dy = pair.to_y + cell * pair.to_across_y - pair.y
            if not stops(parts, corners, near[k], True, pair.x, pair.y, eye, dx, dy, z - eye):
                break
            stopped += 1
        if stopped == 4:
            near[k], near[0] = near[0], near[k]
            return True
    return False


def samples_seen(parts: Matrix, corners: Matrix, near: Ints, count: int, pair: Pair, enough: int) -> int:
    """How many of the 25 samples the eye sees; counting stops at `enough`, or when it is out of reach."""
    eye = pair.low + EYE_LEVEL * (pair.high - pair.low)
    tall = pair.to_high - pair.to_low
    seen = 0
    for sample in range(SAMPLES):
        if sample == 1 and one_part_hides_volume(
            parts,
            corners,
            near,
            count,
            pair,
            eye,
            pair.to_low + LEVELS[4] * tall,
            pair.to_low + LEVELS[3] * tall,
        ):
            return seen
        cell = CELLS[sample % 5]
        z = pair.to_low + LEVELS[sample // 5] * tall
        dx = pair.to_x + cell * pair.to_across_x - pair.x
        dy = pair.to_y + cell * pair.to_across_y - pair.y
        seen += 1
        for k in range(count):
            if stops(parts, corners, near[k], True, pair.x, pair.y, eye, dx, dy, z - eye):
                near[k], near[0] = near[0], near[k]
                seen -= 1
                break
        if seen >= enough or seen + SAMPLES - 1 - sample < enough:
            return seen
    return seen


def is_seen(
    scene: Scene, i: int, j: int, near: Ints, count: int, lines: int, needed: int, pair: Pair
) -> bool:
    """Whether figure i sees figure j past the parts in `near`; if not, a bad one comes first there."""
    parts, corners = scene.parts, scene.corners
    if lines == FLAT:
        return has_free_line(parts, corners, near, count, False, pair, 0.0, 0.0)
    if lines == VOLUME:
        return sees_volume(parts, corners, near, count, pair) or sees_between_rims(
            scene.figures, i, j, parts, corners, near, count, pair
        )
    return samples_seen(parts, corners, near, count, pair, needed) >= needed


def is_wall(scene: Scene, over: int, part: int, i: int, first: int, stop: int) -> bool:
    """Whether a part stops every line of figure i to first..stop that crosses it, seen from above."""
    figures = scene.figures
    owner = int(scene.parts[part, OWNER])
    is_piece = int(scene.owners[owner, FLAGS]) & IS_PIECE != 0
    for j in range(first, stop):
        if is_piece and scene.standing[j, owner - (scene.owners.shape[0] - scene.standing.shape[1])] != 0:
            return False
        if not is_high_enough(
            over, is_piece, scene.parts[part, PART_VALUE], figures[i, VALUE], figures[j, VALUE]
        ):
            return False
        if over == OVER_IN_SPACE and (
            scene.parts[part, PART_LOW] > min(figures[i, LOW], figures[j, LOW])
            or scene.parts[part, PART_HIGH] < max(figures[i, HIGH], figures[j, HIGH])
        ):
            return False
    return True


def tangent_cut(scene: Scene, part: int, i: int, j: int, aside: float) -> tuple[float, float, bool]:
    """Where a part cuts the line between two figures moved left by `aside`, and whether it does."""
    x = scene.figures[i, X]
    y = scene.figures[i, Y]
    dx = scene.figures[j, X] - x
    dy = scene.figures[j, Y] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return 0.0, 0.0, False
    x -= aside * dy / length
    y += aside * dx / length
    if not crosses(scene.parts, scene.corners, part, x, y, dx, dy):
        return 0.0, 0.0, False
    enters, leaves = span_in(scene.parts, scene.corners, part, x, y, dx, dy)
    middle = (enters + leaves) / 2.0
    return x + middle * dx, y + middle * dy, True


def hides_unit(scene: Scene, over: int, part: int, i: int, first: int, count: int) -> bool:
    """Whether one convex part, which stops lines of figure i, surely hides all the figures first.. from it.

    With discs of one radius round all bases, every line runs between the tangents to the leftmost and
    rightmost disc. The part must cross both, and all discs lie beyond the chord between those crossings,
    figure i before it.
    """
    figures = scene.figures
    if count < 2 or not is_wall(scene, over, part, i, first, first + count):
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
    ax, ay, is_left_cut = tangent_cut(scene, part, i, left, radius)
    bx, by, is_right_cut = tangent_cut(scene, part, i, right, -radius)
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


def scan_figure(
    scene: Scene, terms: SightTerms, i: int, target: int, reach: float, in_space: bool,
    listed: Ints, listed_count: int, ignored: int, near: Ints, bounds: Floats, best: Matrix, row: int,
) -> None:  # fmt: skip
    """The three nearest distances from figure i to a unit within `reach`, into a row of `best`.

    Models are taken by a lower bound of their distance, until none can be nearer than what is still wanted: a
    model in sight, only one in the arc once all are known to be hidden, or just any.
    """
    figures = scene.figures
    first = int(scene.owners[target, FIRST_FIGURE])
    count = int(scene.owners[target, FIGURE_COUNT])
    note_bounds(figures, i, first, count, bounds)
    best[row, ANY] = best[row, IN_ARC] = best[row, IN_SIGHT] = math.inf
    is_own = first <= i < first + count
    is_behind = terms.front_only and not is_own and is_unit_out_of_arc(figures, scene.owners, i, target)
    wanted = ANY if is_behind else IN_SIGHT
    for _ in range(count):
        k = nearest_bound(bounds, count)
        if bounds[k] >= best[row, wanted] or bounds[k] > reach + EPS:
            break
        bounds[k] = math.inf
        distance = apart(figures, scene.points, i, first + k, in_space)
        if distance > reach + EPS or distance >= best[row, wanted]:
            continue
        best[row, ANY] = min(best[row, ANY], distance)
        if wanted == ANY:
            continue
        pair = pair_of(figures, i, first + k, terms.front_only and i != first + k)
        if pair.in_arc == 0:
            continue
        best[row, IN_ARC] = min(best[row, IN_ARC], distance)
        if wanted == IN_ARC:
            continue
        parts = gather_parts(scene, terms.over, i, first + k, listed, listed_count, ignored, near)
        if parts == 0 or is_seen(scene, i, first + k, near, parts, terms.lines, terms.needed, pair):
            best[row, IN_SIGHT] = distance
        elif hides_unit(scene, terms.over, near[0], i, first, count):
            wanted = IN_ARC


def scan_unit(
    scene: Scene, terms: SightTerms, me: int, target: int, reach: float, in_space: bool,
    listed: Ints, listed_count: int, ignored: int, near: Ints, bounds: Floats, found: Matrix,
) -> float:  # fmt: skip
    """One line of `found` for each figure of a unit that looks at another; how good the view is.

    The view is better the more figures see somebody within reach, then the nearer those are.
    """
    begin = int(scene.owners[me, FIRST_FIGURE])
    view = 0.0
    for i in range(int(scene.owners[me, FIGURE_COUNT])):
        skipped = ignored if scene.figures[begin + i, ON_HILL] != 0.0 else -1
        scan_figure(
            scene,
            terms,
            begin + i,
            target,
            reach,
            in_space,
            listed,
            listed_count,
            skipped,
            near,
            bounds,
            found,
            i,
        )
        if found[i, IN_SIGHT] < math.inf:
            view += 1.0 + 1.0 / (1000.0 + found[i, IN_SIGHT])
    return view


def any_on_hill(scene: Scene, me: int) -> bool:
    first = int(scene.owners[me, FIRST_FIGURE])
    for i in range(first, first + int(scene.owners[me, FIGURE_COUNT])):
        if scene.figures[i, ON_HILL] != 0.0:
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


def scan_target(
    scene: Scene, terms: SightTerms, me: int, target: int, reach: float, in_space: bool,
    listed: Ints, near: Ints, bounds: Floats, found: Matrix, tried: Matrix,
) -> int:  # fmt: skip
    """Fill `found` for one target; the owner that figures on a hilltop disregard for it, or -1.

    The unit names one thing for each target: the one that gives it the best view, the first one on a tie.
    """
    rows = scene.owners
    between = math.sqrt(square(rows[target, X] - rows[me, X]) + square(rows[target, Y] - rows[me, Y]))
    if between - rows[me, REACH] - rows[target, REACH] > reach + EPS:
        fill(found, math.inf)
        return -1
    breadth = max(rows[me, REACH], rows[target, REACH])
    count = gather_owners(
        rows, me, target, rows[me, X], rows[me, Y], breadth, rows[target, X], rows[target, Y], listed
    )
    best = scan_unit(scene, terms, me, target, reach, in_space, listed, count, -1, near, bounds, found)
    if count == 0 or not any_on_hill(scene, me):
        return -1
    ignored = -1
    for k in range(count):
        view = scan_unit(
            scene, terms, me, target, reach, in_space, listed, count, listed[k], near, bounds, tried
        )
        if view > best + 1e-9:
            best = view
            ignored = listed[k]
            copy_into(found, tried)
    return ignored


def scan_sight(
    scene: Scene, lines: int, over: int, front_only: bool, needed: int, me: int, targets: Ints,
    reach: float, in_space: bool, answer: Cube, ignored: Ints,
) -> None:  # fmt: skip
    """Nearest distances of every figure of unit `me` to every target: answer[target, figure, kind]."""
    terms = SightTerms(lines, over, front_only, needed)
    owners = np.empty(scene.owners.shape[0], np.int64)
    near = np.empty(scene.parts.shape[0], np.int64)
    bounds = np.empty(scene.figures.shape[0])
    tried = np.empty((answer.shape[1], 3))
    for column in range(targets.shape[0]):
        ignored[column] = scan_target(
            scene, terms, me, targets[column], reach, in_space, owners, near, bounds, answer[column], tried
        )


# ----------------------------------------------------------------------------------------------------
# Compiled answer to why one figure sees another or not: who stops how many of the sampled lines.

# Columns of an explanation of one pair, one row for each owner: lines it stops, lines nothing else stops,
# where it stops the first line (-1: it does not).
STOPS, STOPS_ALONE, STOPS_FIRST_AT = range(3)


def note_line(
    scene: Scene, near: Ints, count: int, in_space: bool, is_first: bool,
    x: float, y: float, z: float, to_x: float, to_y: float, to_z: float, notes: Matrix, marks: Ints,
) -> bool:  # fmt: skip
    """Note every owner that stops a line; whether nobody does. `marks` is scratch: -1 for each owner."""
    stoppers = 0
    last = -1
    for k in range(count):
        owner = int(scene.parts[near[k], OWNER])
        if not stops(scene.parts, scene.corners, near[k], in_space, x, y, z, to_x - x, to_y - y, to_z - z):
            continue
        if marks[owner] < 0:
            marks[owner] = k
            stoppers += 1
            last = owner
            notes[owner, STOPS] += 1.0
        if is_first:
            at, _ = span_in(scene.parts, scene.corners, near[k], x, y, to_x - x, to_y - y)
            if notes[owner, STOPS_FIRST_AT] < 0.0 or at < notes[owner, STOPS_FIRST_AT]:
                notes[owner, STOPS_FIRST_AT] = at
    for k in range(count):
        marks[int(scene.parts[near[k], OWNER])] = -1
    if stoppers == 1:
        notes[last, STOPS_ALONE] += 1.0
    return stoppers == 0


def note_lines_at(
    scene: Scene, pair: Pair, near: Ints, count: int, in_space: bool, z: float, to_z: float, is_first: bool,
    notes: Matrix, marks: Ints,
) -> int:  # fmt: skip
    """Note what stops each of the 25 lines at these heights; how many are free."""
    free = 0
    for s in range(5):
        x = pair.x + OFFSETS[s] * pair.across_x
        y = pair.y + OFFSETS[s] * pair.across_y
        for t in range(5):
            if pair.in_arc & (1 << t) == 0:
                continue
            to_x = pair.to_x + OFFSETS[t] * pair.to_across_x
            to_y = pair.to_y + OFFSETS[t] * pair.to_across_y
            if note_line(scene, near, count, in_space, is_first, x, y, z, to_x, to_y, to_z, notes, marks):
                free += 1
            is_first = False
    return free


def note_samples(scene: Scene, pair: Pair, near: Ints, count: int, notes: Matrix, marks: Ints) -> int:
    """Note what hides each of the 25 samples of a volume; how many are seen."""
    eye = pair.low + EYE_LEVEL * (pair.high - pair.low)
    tall = pair.to_high - pair.to_low
    free = 0
    is_first = True
    for level in range(5):
        z = pair.to_low + LEVELS[level] * tall
        for cell in range(5):
            to_x = pair.to_x + CELLS[cell] * pair.to_across_x
            to_y = pair.to_y + CELLS[cell] * pair.to_across_y
            if note_line(
                scene, near, count, True, is_first, pair.x, pair.y, eye, to_x, to_y, z, notes, marks
            ):
                free += 1
            is_first = False
    return free


def note_volume(
    scene: Scene, pair: Pair, near: Ints, count: int, notes: Matrix, marks: Ints
) -> tuple[int, int]:
    """Note what stops the lines between two volumes; how many are free, and how many there are."""
    top, to_top = pair.high, pair.to_high
    free = note_lines_at(scene, pair, near, count, True, top, to_top, True, notes, marks)
    if free > 0 or not hangs(scene.parts, near, count, min(pair.low, pair.to_low)):
        return free, 25
    half = pair.low + HALF_WAY * (top - pair.low)
    to_half = pair.to_low + HALF_WAY * (to_top - pair.to_low)
    free += note_lines_at(scene, pair, near, count, True, half, to_half, False, notes, marks)
    free += note_lines_at(scene, pair, near, count, True, top, to_half, False, notes, marks)
    free += note_lines_at(scene, pair, near, count, True, half, to_top, False, notes, marks)
    return free, 100


def note_slits(
    scene: Scene, lines: int, over: int, i: int, j: int, listed: Ints, near: Ints, pair: Pair, notes: Matrix
) -> int:
    """Where no sampled line is free: 1 if one between them is, else 0, and on a hilltop who alone prevents it.

    `listed` are the owners in the way, -1 after the last.
    """
    owners = 0
    while owners < listed.shape[0] and listed[owners] >= 0:
        owners += 1
    count = gather_parts(scene, over, i, j, listed, owners, -1, near)
    if is_seen(scene, i, j, near, count, lines, 1, pair):
        return 1
    if scene.figures[i, ON_HILL] != 0.0:
        for k in range(owners):
            count = gather_parts(scene, over, i, j, listed, owners, listed[k], near)
            if is_seen(scene, i, j, near, count, lines, 1, pair):
                notes[listed[k], STOPS_ALONE] = max(1.0, notes[listed[k], STOPS_ALONE])
    return 0


def explain_pair(
    scene: Scene,
    lines: int,
    over: int,
    front_only: bool,
    i: int,
    j: int,
    me: int,
    target: int,
    notes: Matrix,
) -> tuple[int, int, int]:
    """How figure i of unit `me` sees figure j of `target`: state, free lines, all; `notes` by owner."""
    figures = scene.figures
    listed = np.full(scene.owners.shape[0], -1, np.int64)
    near = np.empty(scene.parts.shape[0], np.int64)
    marks = np.full(scene.owners.shape[0], -1, np.int64)
    pair = pair_of(figures, i, j, front_only)
    if pair.in_arc == 0:
        return OUT_OF_ARC, 0, 25
    breadth = max(figures[i, REACH], figures[j, REACH])
    count = gather_owners(scene.owners, me, target, pair.x, pair.y, breadth, pair.to_x, pair.to_y, listed)
    count = gather_parts(scene, over, i, j, listed, count, -1, near)
    total = 25
    if lines == EYE:
        free = note_samples(scene, pair, near, count, notes, marks)
    elif lines == VOLUME:
        free, total = note_volume(scene, pair, near, count, notes, marks)
    else:
        assert lines == FLAT
        free = note_lines_at(scene, pair, near, count, over == OVER_IN_SPACE, 0.0, 0.0, True, notes, marks)
    if free == 0 and lines != EYE:
        free = note_slits(scene, lines, over, i, j, listed, near, pair, notes)
    return (SEEN if free > 0 else HIDDEN), free, total
