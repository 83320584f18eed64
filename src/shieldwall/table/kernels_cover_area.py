"""Compiled cover of a lone model: how much of its base lies in cover terrain or is hidden, by samples of its area."""

# ruff: noqa: PLR0917 (kernels take flat arrays and numbers, and are called by position)

from __future__ import annotations

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, RADIUS, REACH, Floats, X, Y
from shieldwall.table.kernels_cover import Shelter, gather_shelter, is_sheltered, tallest
from shieldwall.table.kernels_sight import (
    COSINE,
    FLAGS,
    GIVES_COVER,
    HALF_DEPTH,
    HALF_WIDTH,
    SINE,
    VALUE,
    Arrays,
    Scene,
    scene_of,
)
from shieldwall.table.kernels_sight_scene import is_over
from shieldwall.table.lean import lean

GRID = 24  # samples across a base


@lean
def is_in_any_cover(scene: Scene, x: float, y: float) -> bool:
    owners = scene.owners
    for owner in range(owners.shape[0] - scene.standing.shape[1], owners.shape[0]):
        dx = owners[owner, X] - x
        dy = owners[owner, Y] - y
        is_near = (
            int(owners[owner, FLAGS]) & GIVES_COVER != 0 and dx * dx + dy * dy < owners[owner, REACH] ** 2
        )
        if is_near and is_over(scene, owner, x, y):
            return True
    return False


@lean
def is_on_base(figures: Floats, figure: int, aside: float, ahead: float) -> bool:
    """Whether a point given in the frame of a base lies on it."""
    if figures[figure, COUNT] > 1.0 and figures[figure, RADIUS] == 0.0:
        return True
    return (aside / figures[figure, HALF_WIDTH]) ** 2 + (ahead / figures[figure, HALF_DEPTH]) ** 2 <= 1.0


@kernel
def judge_area(
    arrays: Arrays, over: int, by_blockers: bool, by_units: bool, me: int, target: int,
    first: int, stop: int, x: float, y: float, figure: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Samples of one base: how many lie in cover terrain, how many others are hidden, how many in all."""
    scene = scene_of(arrays)
    figures = scene.figures
    shelter = Shelter(over, by_blockers, by_units, me, target)
    near = np.empty(scene.parts.shape[0], np.int64)
    to_x = figures[figure, X]
    to_y = figures[figure, Y]
    count = gather_shelter(scene, shelter, first, stop, x, y, to_x, to_y, figures[figure, REACH], near)
    value = tallest(figures, first, stop)
    inside = 0
    hidden = 0
    total = 0
    for sample in range(GRID * GRID):
        aside = (2.0 * (sample // GRID) + 1.0 - GRID) / GRID * figures[figure, HALF_WIDTH]
        ahead = (2.0 * (sample % GRID) + 1.0 - GRID) / GRID * figures[figure, HALF_DEPTH]
        if not is_on_base(figures, figure, aside, ahead):
            continue
        total += 1
        px = to_x + aside * figures[figure, COSINE] + ahead * figures[figure, SINE]
        py = to_y + ahead * figures[figure, COSINE] - aside * figures[figure, SINE]
        if is_in_any_cover(scene, px, py):
            inside += 1
        elif is_sheltered(scene, over, near, count, value, figures[figure, VALUE], x, y, px, py):
            hidden += 1
    return inside, hidden, total
