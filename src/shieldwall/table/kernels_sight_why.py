"""Compiled answer to why one figure sees another or not: who stops how many of the sampled lines."""

from __future__ import annotations

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import REACH, Floats, Ints
from shieldwall.table.kernels_sight import (
    CELLS,
    EYE,
    EYE_LEVEL,
    FLAT,
    HALF_WAY,
    HIDDEN,
    LEVELS,
    OFFSETS,
    ON_HILL,
    OUT_OF_ARC,
    OVER_IN_SPACE,
    OWNER,
    SEEN,
    VOLUME,
    Arrays,
    Pair,
    Scene,
    gather_owners,
    gather_parts,
    scene_of,
    span_in,
    stops,
)
from shieldwall.table.kernels_sight_pair import hangs, is_seen, pair_of
from shieldwall.table.lean import lean

# Columns of an explanation of one pair, one row for each owner: lines it stops, lines nothing else stops,
# where it stops the first line (-1: it does not).
STOPS, STOPS_ALONE, STOPS_FIRST_AT = range(3)


@lean
def note_line(
    scene: Scene, near: Ints, count: int, in_space: bool, is_first: bool,
    x: float, y: float, z: float, to_x: float, to_y: float, to_z: float, notes: Floats, marks: Ints,
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


@lean
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


@lean
def note_samples(scene: Scene, pair: Pair, near: Ints, count: int, notes: Floats, marks: Ints) -> int:
    """Note what hides each of the 25 samples of a volume; how many are seen."""
    eye = pair.low + EYE_LEVEL * (pair.high - pair.low)
    tall = pair.to_high - pair.to_low
    free = 0
    is_first = True
    for level in LEVELS:
        z = pair.to_low + level * tall
        for cell in CELLS:
            to_x = pair.to_x + cell * pair.to_across_x
            to_y = pair.to_y + cell * pair.to_across_y
            if note_line(
                scene, near, count, True, is_first, pair.x, pair.y, eye, to_x, to_y, z, notes, marks
            ):
                free += 1
            is_first = False
    return free


@lean
def note_volume(
    scene: Scene, pair: Pair, near: Ints, count: int, notes: Floats, marks: Ints
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


@lean
def note_slits(
    scene: Scene, lines: int, over: int, i: int, j: int, listed: Ints, near: Ints, pair: Pair, notes: Floats
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
    """How figure i of unit `me` sees figure j of `target`: state, free lines, all; `notes` by owner."""
    scene = scene_of(arrays)
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
