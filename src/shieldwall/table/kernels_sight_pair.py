"""Compiled sight between two figures: sample lines, the front arc, and the quick ways to be sure.

Lines run between five points across each base, at right angles to the line of centres, or from an eye to 25
cells of a volume. Whether any line is free is settled by the middle one most of the time; whether none is,
by one convex part that stops both outer lines and therefore all between them. Where neither helps and no sampled
line is free, narrow gaps are looked for.
"""

from __future__ import annotations

import math

from shieldwall.table.kernels import COUNT, HIGH, LOW, REACH, Floats, Ints, X, Y
from shieldwall.table.kernels_sight import (
    ALL_IN_ARC,
    CELLS,
    COSINE,
    EYE_LEVEL,
    FLAGS,
    FLAT,
    HALF_DEPTH,
    HALF_WAY,
    HALF_WIDTH,
    IS_PIECE,
    LEVELS,
    OFFSETS,
    OVER_IN_SPACE,
    OWNER,
    PART_HIGH,
    PART_LOW,
    PART_VALUE,
    SAMPLES,
    SINE,
    VALUE,
    VOLUME,
    Pair,
    Scene,
    crosses,
    is_high_enough,
    rim,
    span_in,
    stops,
)
from shieldwall.table.kernels_sight_rims import sees_between_rims
from shieldwall.table.kernels_sight_slits import has_slit
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

OUTERMOST = 0.8  # the outermost of CELLS


@lean
def points_in_arc(figures: Floats, i: int, dx: float, dy: float, across_x: float, across_y: float) -> int:
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


@lean
def stretch_in_arc(
    figures: Floats, i: int, dx: float, dy: float, across_x: float, across_y: float
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
    for side in (-1.0, 0.0, 1.0):  # before the left edge of the arc, before the front, before the right edge
        there = ahead + side * aside - (reach if side != 0.0 else 0.0)
        slope = more_ahead + side * more_aside
        if slope > 0.0:
            low = max(low, -there / slope)
        elif slope < 0.0:
            high = min(high, -there / slope)
        elif there < 0.0:
            return 1.0, -1.0
    return low, high


@lean
def pair_of(figures: Floats, i: int, j: int, front_only: bool) -> Pair:
    """How figure i looks at figure j; with `front_only` only points of j in the front arc of i count."""
    dx = figures[j, X] - figures[i, X]
    dy = figures[j, Y] - figures[i, Y]
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
        in_arc = points_in_arc(figures, i, dx, dy, to_across_x, to_across_y)
        right, left = stretch_in_arc(figures, i, dx, dy, to_across_x, to_across_y)
    return Pair(
        figures[i, X], figures[i, Y], across_x, across_y, figures[i, LOW], figures[i, HIGH],
        figures[j, X], figures[j, Y], to_across_x, to_across_y, figures[j, LOW], figures[j, HIGH],
        in_arc, right, left, figures[i, COUNT] == 1.0 and figures[j, COUNT] == 1.0,
    )  # fmt: skip


@lean
def one_part_hides(
    parts: Floats, corners: Floats, near: Ints, count: int, in_space: bool, pair: Pair, z: float, to_z: float
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
        for side in (1.0, -1.0):
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


@lean
def has_free_line(
    parts: Floats, corners: Floats, near: Ints, count: int, in_space: bool, pair: Pair, z: float, to_z: float
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


@lean
def hangs(parts: Floats, near: Ints, count: int, feet: float) -> bool:
    """Whether something near stands higher than these feet, so that a low line may pass below it."""
    for k in range(count):  # noqa: SIM110 (numba knows no generators)
        if parts[near[k], PART_LOW] > feet + EPS:
            return True
    return False


@lean
def sees_volume(parts: Floats, corners: Floats, near: Ints, count: int, pair: Pair) -> bool:
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


@lean
def one_part_hides_volume(
    parts: Floats, corners: Floats, near: Ints, count: int, pair: Pair, eye: float, low: float, high: float
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


@lean
def samples_seen(parts: Floats, corners: Floats, near: Ints, count: int, pair: Pair, enough: int) -> int:
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


@lean
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


@lean
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


@lean
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


@lean
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
