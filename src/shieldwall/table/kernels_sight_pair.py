"""Compiled sight between two figures: sample lines, the front arc, and the quick ways to be sure.

Lines run between five points across each base, at right angles to the line of centres, or from an eye to 25 cells
of a volume. Whether any line is free is settled by the middle one most of the time; whether none is, by one
convex part that stops both outer lines and therefore all between them.
"""

# ruff: noqa: PLR0917 (kernels take flat arrays and numbers, and are called by position)

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, HIGH, LOW, Ints, X, Y
from shieldwall.table.kernels_sight import (
    CELLS,
    EYE,
    EYE_LEVEL,
    FLAT,
    HALF_WAY,
    HIDDEN,
    LEVELS,
    OFFSETS,
    OUT_OF_ARC,
    OVER_IN_SPACE,
    PART_LOW,
    SAMPLES,
    SEEN,
    VOLUME,
    Scene,
    Terms,
    is_free,
    in_front,
    rim,
    stops,
)
from shieldwall.table.tolerance import EPS

ALL_IN_ARC = 31  # five bits, one for each point across the target


class Pair(NamedTuple):
    """Two figures that look at each other: centres and half breadths of looker and target, which points count."""

    x: float
    y: float
    across_x: float
    across_y: float
    to_x: float
    to_y: float
    to_across_x: float
    to_across_y: float
    in_arc: int


@kernel
def pair_of(scene: Scene, i: int, j: int, front_only: bool) -> Pair:
    """How figure i looks at figure j; with `front_only` only points of j in the front arc of i count."""
    figures = scene.figures
    x = figures[i, X]
    y = figures[i, Y]
    to_x = figures[j, X]
    to_y = figures[j, Y]
    apart = math.sqrt((to_x - x) ** 2 + (to_y - y) ** 2)
    left_x = 0.0
    left_y = 0.0
    if apart > 0.0:
        left_x = (y - to_y) / apart
        left_y = (to_x - x) / apart
    across_x, across_y = rim(scene, i, left_x, left_y)
    to_across_x, to_across_y = rim(scene, j, left_x, left_y)
    in_arc = ALL_IN_ARC
    if front_only:
        in_arc = 0
        for t in range(5):
            if in_front(scene, i, to_x + OFFSETS[t] * to_across_x, to_y + OFFSETS[t] * to_across_y):
                in_arc |= 1 << t
    return Pair(x, y, across_x, across_y, to_x, to_y, to_across_x, to_across_y, in_arc)


@kernel
def is_cut_by(
    scene: Scene, pair: Pair, part: int, in_space: bool, offset: float, z: float, to_z: float
) -> bool:
    """Whether a part stops the line between the points at the same offset across both bases."""
    return stops(
        scene, part, in_space,
        pair.x + offset * pair.across_x, pair.y + offset * pair.across_y, z,
        pair.to_x - pair.x + offset * (pair.to_across_x - pair.across_x),
        pair.to_y - pair.y + offset * (pair.to_across_y - pair.across_y), to_z - z,
    )  # fmt: skip


@kernel
def sides_face(pair: Pair) -> bool:
    """Whether the outer lines bound all others: each base's breadth lies wholly on one side of the other's."""
    dx = pair.to_x - pair.x
    dy = pair.to_y - pair.y
    away = dx * pair.across_y - dy * pair.across_x
    turn = pair.to_across_x * pair.across_y - pair.to_across_y * pair.across_x
    back = dx * pair.to_across_y - dy * pair.to_across_x
    return abs(away) > abs(turn) and abs(back) > abs(turn)


@kernel
def one_part_hides(
    scene: Scene, pair: Pair, near: Ints, count: int, in_space: bool, z: float, to_z: float
) -> bool:
    """Whether one convex part stops both outer lines, and so every line between them."""
    for k in range(count):
        if is_cut_by(scene, pair, near[k], in_space, 1.0, z, to_z) and is_cut_by(
            scene, pair, near[k], in_space, -1.0, z, to_z
        ):
            return True
    return False


@kernel
def has_free_line(
    scene: Scene, pair: Pair, near: Ints, count: int, in_space: bool, z: float, to_z: float
) -> bool:
    """Whether one of the 25 lines at these heights is free and ends in the arc."""
    for s in range(5):
        x = pair.x + OFFSETS[s] * pair.across_x
        y = pair.y + OFFSETS[s] * pair.across_y
        for t in range(5):
            if pair.in_arc & (1 << t) == 0:
                continue
            to_x = pair.to_x + OFFSETS[t] * pair.to_across_x
            to_y = pair.to_y + OFFSETS[t] * pair.to_across_y
            if is_free(scene, near, count, in_space, x, y, z, to_x, to_y, to_z):
                return True
    return False


@kernel
def sees_at(
    scene: Scene, pair: Pair, i: int, j: int, near: Ints, count: int, in_space: bool, z: float, to_z: float
) -> bool:
    """`has_free_line`, with the quick ways out."""
    if pair.in_arc & 1 != 0 and (
        is_free(scene, near, count, in_space, pair.x, pair.y, z, pair.to_x, pair.to_y, to_z)
    ):
        return True
    figures = scene.figures
    # The argument for the quick refusal needs all lines in one plane.
    is_plane = not in_space or z == to_z or (figures[i, COUNT] == 1.0 and figures[j, COUNT] == 1.0)
    if is_plane and sides_face(pair) and one_part_hides(scene, pair, near, count, in_space, z, to_z):
        return False
    return has_free_line(scene, pair, near, count, in_space, z, to_z)


@kernel
def hangs(scene: Scene, i: int, j: int, near: Ints, count: int) -> bool:
    """Whether something near stands higher than the feet of one of the two, so that lower lines may pass below it."""
    feet = min(scene.figures[i, LOW], scene.figures[j, LOW]) + EPS
    for k in range(count):
        if scene.parts[near[k], PART_LOW] > feet:
            return True
    return False


@kernel
def sees_volume(scene: Scene, pair: Pair, i: int, j: int, near: Ints, count: int) -> bool:
    """Lines between the tops; where something hangs, also lines from and to half height."""
    figures = scene.figures
    top = figures[i, HIGH]
    to_top = figures[j, HIGH]
    if sees_at(scene, pair, i, j, near, count, True, top, to_top):
        return True
    if not hangs(scene, i, j, near, count):
        return False
    half = figures[i, LOW] + HALF_WAY * (top - figures[i, LOW])
    to_half = figures[j, LOW] + HALF_WAY * (to_top - figures[j, LOW])
    return (
        sees_at(scene, pair, i, j, near, count, True, half, to_half)
        or sees_at(scene, pair, i, j, near, count, True, top, to_half)
        or sees_at(scene, pair, i, j, near, count, True, half, to_top)
    )


@kernel
def is_sample_free(
    scene: Scene, pair: Pair, near: Ints, count: int, eye: float, cell: float, z: float
) -> bool:
    """Whether the eye sees the point of the target's volume at this place across it and this height."""
    to_x = pair.to_x + cell * pair.to_across_x
    to_y = pair.to_y + cell * pair.to_across_y
    return is_free(scene, near, count, True, pair.x, pair.y, eye, to_x, to_y, z)


@kernel
def one_part_hides_volume(
    scene: Scene, pair: Pair, near: Ints, count: int, eye: float, low: float, high: float
) -> bool:
    """Whether one convex part stops the lines to the four outermost samples, and so all."""
    for k in range(count):
        hides = True
        for side in range(2):
            cell = 0.8 - 1.6 * side
            to_x = pair.to_x + cell * pair.to_across_x
            to_y = pair.to_y + cell * pair.to_across_y
            for z in (low, high):
                if hides and not stops(
                    scene, near[k], True, pair.x, pair.y, eye, to_x - pair.x, to_y - pair.y, z - eye
                ):
                    hides = False
        if hides:
            return True
    return False


@kernel
def samples_seen(scene: Scene, pair: Pair, i: int, j: int, near: Ints, count: int, enough: int) -> int:
    """How many of the 25 samples the eye sees; counting stops at `enough`, or when it is out of reach."""
    figures = scene.figures
    eye = figures[i, LOW] + EYE_LEVEL * (figures[i, HIGH] - figures[i, LOW])
    low = figures[j, LOW]
    tall = figures[j, HIGH] - low
    seen = 0
    left = SAMPLES
    if one_part_hides_volume(scene, pair, near, count, eye, low + LEVELS[4] * tall, low + LEVELS[3] * tall):
        return 0
    for level in LEVELS:
        for cell in CELLS:
            left -= 1
            if is_sample_free(scene, pair, near, count, eye, cell, low + level * tall):
                seen += 1
            if seen >= enough or seen + left < enough:
                return seen
    return seen


@kernel
def look(scene: Scene, terms: Terms, pair: Pair, i: int, j: int, near: Ints, count: int) -> int:
    """OUT_OF_ARC, HIDDEN or SEEN, as far as the parts listed in `near` decide."""
    if pair.in_arc == 0:
        return OUT_OF_ARC
    if count == 0:
        return SEEN
    if terms.lines == FLAT:
        free = sees_at(scene, pair, i, j, near, count, terms.over == OVER_IN_SPACE, 0.0, 0.0)
    elif terms.lines == VOLUME:
        free = sees_volume(scene, pair, i, j, near, count)
    else:
        assert terms.lines == EYE
        free = samples_seen(scene, pair, i, j, near, count, terms.needed) >= terms.needed
    return SEEN if free else HIDDEN
