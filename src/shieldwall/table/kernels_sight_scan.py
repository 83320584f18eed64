"""Compiled questions about sight: what a whole unit sees at once, and why one figure sees another or does not."""

# ruff: noqa: PLR0917 (kernels take flat arrays and numbers, and are called by position)

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, HIGH, LOW, RADIUS, REACH, Floats, Ints, X, Y, gap
from shieldwall.table.kernels import FIRST as FIRST_CORNER
from shieldwall.table.kernels_sight import (
    CELLS,
    COSINE,
    EYE,
    EYE_LEVEL,
    FIGURE_COUNT,
    FIRST_FIGURE,
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
    SEEN,
    SINE,
    VOLUME,
    Arrays,
    Scene,
    Terms,
    gather_owners,
    gather_parts,
    scene_of,
    span_in,
    stops,
)
from shieldwall.table.kernels_sight_pair import Pair, hangs, look, pair_of
from shieldwall.table.tolerance import EPS

# Rows of a scan: nearest model of all, nearest in the arc, nearest seen.
ANY, IN_ARC, IN_SIGHT = range(3)
# Columns of an explanation of one pair, one row for each owner: lines it stops, lines nothing else stops, where
# it stops the first line (-1: it does not).
STOPS, STOPS_ALONE, STOPS_FIRST_AT = range(3)


@kernel
def corners_to_box(scene: Scene, i: int, j: int) -> float:
    """The smallest squared distance of a corner of j from the rectangle of figure i."""
    figures = scene.figures
    sine = figures[i, SINE]
    cosine = figures[i, COSINE]
    first = int(figures[j, FIRST_CORNER])
    nearest = math.inf
    for k in range(first, first + int(figures[j, COUNT])):
        dx = scene.points[k, 0] - figures[i, X]
        dy = scene.points[k, 1] - figures[i, Y]
        beside = abs(dx * cosine - dy * sine) - figures[i, HALF_WIDTH]
        beyond = abs(dx * sine + dy * cosine) - figures[i, HALF_DEPTH]
        out = 0.0
        if beside > 0.0:
            out += beside * beside
        if beyond > 0.0:
            out += beyond * beyond
        if out < nearest:
            nearest = out
    return nearest


@kernel
def flat_apart(scene: Scene, i: int, j: int) -> float:
    """Base to base, seen from above; a quick way for circles and for rectangles that cannot overlap."""
    figures = scene.figures
    dx = figures[j, X] - figures[i, X]
    dy = figures[j, Y] - figures[i, Y]
    if figures[i, COUNT] == 1.0 and figures[j, COUNT] == 1.0:
        return max(math.sqrt(dx * dx + dy * dy) - (figures[i, RADIUS] + figures[j, RADIUS]), 0.0)
    bound = figures[i, REACH] + figures[j, REACH]
    are_boxes = figures[i, COUNT] == 4.0 and figures[j, COUNT] == 4.0 and figures[i, RADIUS] + figures[j, RADIUS] == 0.0
    if are_boxes and dx * dx + dy * dy > bound * bound:
        return math.sqrt(min(corners_to_box(scene, i, j), corners_to_box(scene, j, i)))
    return max(gap(scene.points, figures, i, scene.points, figures, j), 0.0)


@kernel
def apart(scene: Scene, i: int, j: int, in_space: bool) -> float:
    """Base to base, as a ruler lies; with `in_space` it also bridges the difference of the ground."""
    flat = flat_apart(scene, i, j)
    if not in_space:
        return flat
    rise = scene.figures[j, LOW] - scene.figures[i, LOW]
    return math.sqrt(flat * flat + rise * rise)


@kernel
def next_nearest(bounds: Floats, count: int) -> int:
    """Which of the lower bounds is smallest, the first one on a tie."""
    best = 0
    for j in range(1, count):
        if bounds[j] < bounds[best]:
            best = j
    return best


@kernel
def scan_figure(
    scene: Scene, terms: Terms, i: int, target: int, reach: float, in_space: bool,
    owners: Ints, owner_count: int, ignored: int, near: Ints, bounds: Floats, best: Floats,
) -> None:  # fmt: skip
    """The three nearest distances from figure i to a unit into `best`; nothing beyond `reach` is looked at."""
    figures = scene.figures
    first = int(scene.owners[target, FIRST_FIGURE])
    count = int(scene.owners[target, FIGURE_COUNT])
    for j in range(count):
        dx = figures[first + j, X] - figures[i, X]
        dy = figures[first + j, Y] - figures[i, Y]
        bounds[j] = math.sqrt(dx * dx + dy * dy) - figures[i, REACH] - figures[first + j, REACH]
    best[:] = math.inf
    for _ in range(count):
        j = next_nearest(bounds, count)
        if bounds[j] >= best[IN_SIGHT] or bounds[j] > reach + EPS:
            return
        bounds[j] = math.inf
        j += first
        if j == i:  # a model always sees itself
            best[:] = 0.0
            return
        distance = apart(scene, i, j, in_space)
        if distance > reach + EPS:
            continue
        best[ANY] = min(best[ANY], distance)
        if distance >= best[IN_SIGHT]:
            continue
        pair = pair_of(scene, i, j, terms.front_only)
        parts = gather_parts(scene, terms.over, i, j, owners, owner_count, ignored, near)
        seen = look(scene, terms, pair, i, j, near, parts)
        if seen != OUT_OF_ARC:
            best[IN_ARC] = min(best[IN_ARC], distance)
        if seen == SEEN:
            best[IN_SIGHT] = distance


@kernel
def scan_unit(
    scene: Scene, terms: Terms, me: int, target: int, reach: float, in_space: bool,
    owners: Ints, owner_count: int, ignored: int, near: Ints, bounds: Floats, found: Floats,
) -> float:  # fmt: skip
    """One line of `found` for each figure of a unit that looks at another; how good the view is.

    The view is better the more figures see somebody within reach, then the nearer those are.
    """
    first = int(scene.owners[me, FIRST_FIGURE])
    view = 0.0
    for i in range(int(scene.owners[me, FIGURE_COUNT])):
        may_ignore = ignored >= 0 and scene.figures[first + i, ON_HILL] != 0.0
        skipped = ignored if may_ignore else -1
        scan_figure(
            scene,
            terms,
            first + i,
            target,
            reach,
            in_space,
            owners,
            owner_count,
            skipped,
            near,
            bounds,
            found[i],
        )
        if found[i, IN_SIGHT] < math.inf:
            view += 1.0 + 1.0 / (1000.0 + found[i, IN_SIGHT])
    return view


@kernel
def any_on_hill(scene: Scene, me: int) -> bool:
    first = int(scene.owners[me, FIRST_FIGURE])
    for i in range(first, first + int(scene.owners[me, FIGURE_COUNT])):
        if scene.figures[i, ON_HILL] != 0.0:
            return True
    return False


@kernel
def scan_target(
    scene: Scene, terms: Terms, me: int, target: int, reach: float, in_space: bool,
    owners: Ints, near: Ints, bounds: Floats, found: Floats, tried: Floats,
) -> int:  # fmt: skip
    """Fill `found` for one target; the owner that figures on a hilltop disregard for it, or -1.

    The unit names one thing for each target: the one that gives it the best view, the first one on a tie.
    """
    rows = scene.owners
    between = math.sqrt((rows[target, X] - rows[me, X]) ** 2 + (rows[target, Y] - rows[me, Y]) ** 2)
    if between - rows[me, REACH] - rows[target, REACH] > reach + EPS:
        found[:, :] = math.inf
        return -1
    breadth = max(rows[me, REACH], rows[target, REACH])
    count = gather_owners(
        scene, me, target, rows[me, X], rows[me, Y], breadth, rows[target, X], rows[target, Y], owners
    )
    best = scan_unit(scene, terms, me, target, reach, in_space, owners, count, -1, near, bounds, found)
    if count == 0 or not any_on_hill(scene, me):
        return -1
    ignored = -1
    for k in range(count):
        view = scan_unit(
            scene, terms, me, target, reach, in_space, owners, count, owners[k], near, bounds, tried
        )
        if view > best + 1e-9:
            best = view
            ignored = owners[k]
            found[:, :] = tried
    return ignored


@kernel
def scan_sight(
    arrays: Arrays, lines: int, over: int, front_only: bool, needed: int, me: int, targets: Ints, reach: float,
    in_space: bool, answer: Floats, ignored: Ints,
) -> None:  # fmt: skip
    """For every figure of unit `me` and every target unit the nearest distances: answer[target, figure, kind]."""
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


@kernel
def note_line(
    scene: Scene, near: Ints, count: int, in_space: bool, is_first: bool,
    x: float, y: float, z: float, to_x: float, to_y: float, to_z: float, notes: Floats, marks: Ints,
) -> bool:  # fmt: skip
    """Note every owner that stops a line; whether nobody does. `marks` is scratch: -1 for each owner."""
    stoppers = 0
    last = -1
    for k in range(count):
        owner = int(scene.parts[near[k], OWNER])
        if not stops(scene, near[k], in_space, x, y, z, to_x - x, to_y - y, to_z - z):
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


@kernel
def note_lines_at(
    scene: Scene, pair: Pair, near: Ints, count: int, in_space: bool, z: float, to_z: float, is_first: bool,
    notes: Floats, marks: Ints,
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


@kernel
def note_samples(
    scene: Scene, pair: Pair, i: int, j: int, near: Ints, count: int, notes: Floats, marks: Ints
) -> int:
    """Note what hides each of the 25 samples of a volume; how many are seen."""
    figures = scene.figures
    eye = figures[i, LOW] + EYE_LEVEL * (figures[i, HIGH] - figures[i, LOW])
    tall = figures[j, HIGH] - figures[j, LOW]
    free = 0
    is_first = True
    for level in LEVELS:
        z = figures[j, LOW] + level * tall
        for cell in CELLS:
            to_x = pair.to_x + cell * pair.to_across_x
            to_y = pair.to_y + cell * pair.to_across_y
            if note_line(
                scene, near, count, True, is_first, pair.x, pair.y, eye, to_x, to_y, z, notes, marks
            ):
                free += 1
            is_first = False
    return free


@kernel
def note_volume(
    scene: Scene, pair: Pair, i: int, j: int, near: Ints, count: int, notes: Floats, marks: Ints
) -> tuple[int, int]:
    """Note what stops the lines between two volumes; how many are free, and how many there are."""
    figures = scene.figures
    top, to_top = figures[i, HIGH], figures[j, HIGH]
    free = note_lines_at(scene, pair, near, count, True, top, to_top, True, notes, marks)
    if free > 0 or not hangs(scene, i, j, near, count):
        return free, 25
    half = figures[i, LOW] + HALF_WAY * (top - figures[i, LOW])
    to_half = figures[j, LOW] + HALF_WAY * (to_top - figures[j, LOW])
    free += note_lines_at(scene, pair, near, count, True, half, to_half, False, notes, marks)
    free += note_lines_at(scene, pair, near, count, True, top, to_half, False, notes, marks)
    free += note_lines_at(scene, pair, near, count, True, half, to_top, False, notes, marks)
    return free, 100


@kernel
def explain_pair(
    arrays: Arrays,
    lines: int,
    over: int,
    front_only: bool,
    i: int,
    j: int,
    me: int,
    target: int,
    notes: Floats,
) -> tuple[int, int, int]:
    """How figure i of unit `me` sees figure j of unit `target`: state, free lines, all lines; `notes` by owner."""
    scene = scene_of(arrays)
    figures = scene.figures
    owners = np.empty(scene.owners.shape[0], np.int64)
    near = np.empty(scene.parts.shape[0], np.int64)
    marks = np.full(scene.owners.shape[0], -1, np.int64)
    pair = pair_of(scene, i, j, front_only)
    if pair.in_arc == 0:
        return OUT_OF_ARC, 0, 25
    breadth = max(figures[i, REACH], figures[j, REACH])
    count = gather_owners(scene, me, target, pair.x, pair.y, breadth, pair.to_x, pair.to_y, owners)
    count = gather_parts(scene, over, i, j, owners, count, -1, near)
    total = 25
    if lines == EYE:
        free = note_samples(scene, pair, i, j, near, count, notes, marks)
    elif lines == VOLUME:
        free, total = note_volume(scene, pair, i, j, near, count, notes, marks)
    else:
        assert lines == FLAT
        free = note_lines_at(scene, pair, near, count, over == OVER_IN_SPACE, 0.0, 0.0, True, notes, marks)
    return (SEEN if free > 0 else HIDDEN), free, total
