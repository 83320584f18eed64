"""Compiled sight of whole units: the nearest models that each figure has in range, in its arc and in sight."""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, LOW, RADIUS, REACH, Floats, Ints, X, Y, gap
from shieldwall.table.kernels import FIRST as FIRST_CORNER
from shieldwall.table.kernels_sight import (
    COSINE,
    FIGURE_COUNT,
    FIRST_FIGURE,
    HALF_DEPTH,
    HALF_WIDTH,
    ON_HILL,
    SINE,
    Arrays,
    Scene,
    Terms,
    gather_owners,
    gather_parts,
    scene_of,
)
from shieldwall.table.kernels_sight_pair import hides_unit, is_seen, pair_of
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

# Rows of a scan: nearest model of all, nearest in the arc, nearest seen.
ANY, IN_ARC, IN_SIGHT = range(3)
ROOT_OF_TWO = 1.4143  # rounded up


@lean
def corners_to_box(figures: Floats, points: Floats, i: int, j: int) -> float:
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


@lean
def flat_apart(figures: Floats, points: Floats, i: int, j: int) -> float:
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


@lean
def apart(figures: Floats, points: Floats, i: int, j: int, in_space: bool) -> float:
    """Base to base, as a ruler lies; with `in_space` it also bridges the difference of the ground."""
    flat = flat_apart(figures, points, i, j)
    if in_space:
        rise = figures[j, LOW] - figures[i, LOW]
        return math.sqrt(flat * flat + rise * rise)
    return flat


@lean
def note_bounds(figures: Floats, i: int, first: int, count: int, bounds: Floats) -> None:
    """How far the figures first.. are from figure i at least, by the circles round them."""
    for j in range(count):
        dx = figures[first + j, X] - figures[i, X]
        dy = figures[first + j, Y] - figures[i, Y]
        bounds[j] = math.sqrt(dx * dx + dy * dy) - figures[i, REACH] - figures[first + j, REACH]


@lean
def nearest_bound(bounds: Floats, count: int) -> int:
    """Which of the lower bounds is smallest, the first one on a tie."""
    best = 0
    for j in range(1, count):
        if bounds[j] < bounds[best]:
            best = j
    return best


@lean
def is_unit_out_of_arc(figures: Floats, owners: Floats, i: int, target: int) -> bool:
    """Whether all of a unit certainly lies outside the front arc of figure i, by the circle round it."""
    dx = owners[target, X] - figures[i, X]
    dy = owners[target, Y] - figures[i, Y]
    ahead = dx * figures[i, SINE] + dy * figures[i, COSINE]
    aside = abs(dx * figures[i, COSINE] - dy * figures[i, SINE])
    edge = figures[i, HALF_DEPTH] - figures[i, HALF_WIDTH] - 2.0 * EPS
    return bool(ahead - aside + ROOT_OF_TWO * owners[target, REACH] < edge)


@lean
def scan_figure(
    scene: Scene, terms: Terms, i: int, target: int, reach: float, in_space: bool,
    listed: Ints, listed_count: int, ignored: int, near: Ints, bounds: Floats, best: Floats, row: int,
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


@lean
def scan_unit(
    scene: Scene, terms: Terms, me: int, target: int, reach: float, in_space: bool,
    listed: Ints, listed_count: int, ignored: int, near: Ints, bounds: Floats, found: Floats,
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


@lean
def any_on_hill(scene: Scene, me: int) -> bool:
    first = int(scene.owners[me, FIRST_FIGURE])
    for i in range(first, first + int(scene.owners[me, FIGURE_COUNT])):  # noqa: SIM110 (numba knows none)
        if scene.figures[i, ON_HILL] != 0.0:
            return True
    return False


@lean
def fill(found: Floats, number: float) -> None:
    for i in range(found.shape[0]):
        for kind in range(3):
            found[i, kind] = number


@lean
def copy_into(found: Floats, tried: Floats) -> None:
    for i in range(found.shape[0]):
        for kind in range(3):
            found[i, kind] = tried[i, kind]


@lean
def scan_target(
    scene: Scene, terms: Terms, me: int, target: int, reach: float, in_space: bool,
    listed: Ints, near: Ints, bounds: Floats, found: Floats, tried: Floats,
) -> int:  # fmt: skip
    """Fill `found` for one target; the owner that figures on a hilltop disregard for it, or -1.

    The unit names one thing for each target: the one that gives it the best view, the first one on a tie.
    """
    rows = scene.owners
    between = math.sqrt((rows[target, X] - rows[me, X]) ** 2 + (rows[target, Y] - rows[me, Y]) ** 2)
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


@kernel
def scan_sight(
    arrays: Arrays, lines: int, over: int, front_only: bool, needed: int, me: int, targets: Ints,
    reach: float, in_space: bool, answer: Floats, ignored: Ints,
) -> None:  # fmt: skip
    """Nearest distances of every figure of unit `me` to every target: answer[target, figure, kind]."""
    scene = scene_of(arrays)
    terms = Terms(lines, over, front_only, needed)
    owners = np.empty(scene.owners.shape[0], np.int64)
    near = np.empty(scene.parts.shape[0], np.int64)
    bounds = np.empty(scene.figures.shape[0])
    tried = np.empty((answer.shape[1], 3))
    for column in range(targets.shape[0]):
        ignored[column] = scan_target(
            scene, terms, me, targets[column], reach, in_space, owners, near, bounds, answer[column], tried
        )
