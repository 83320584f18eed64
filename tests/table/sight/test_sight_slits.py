"""Narrow gaps: a free line between two bases counts wherever it runs, not only where samples happen to lie."""

from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt
import pytest
from sight_makers import loose, profile, table

from shieldwall.core.state import Base, Piece, State
from shieldwall.table.sight import sees, shooting_scan
from shieldwall.table.terrain import piece

INCH = Base("round", 25.4, 25.4)
TWO_INCHES = Base("round", 50.8, 50.8)
HULL = Base("round", 101.6, 101.6)
GRID = np.linspace(-1, 1, 161)


def is_seen(state: State, method: str) -> bool:
    """Whether unit 1 sees unit 2, by both questions."""
    found = sees(state, method, 1, 0, 2, 0)
    scan = shooting_scan(state, method, 1)
    assert bool(scan.nearest_seen[0, scan.targets.index(2)] < math.inf) is found.visible
    assert bool(found.blockers) is not found.visible
    return found.visible


@pytest.mark.parametrize("method", ["open", "top-down", "volumetric"])
@pytest.mark.parametrize(("right", "visible"), [(28.35, True), (28.27, True), (28.25, False), (28.2, False)])
def test_a_gap_between_two_bases_is_looked_through(method: str, right: float, visible: bool) -> None:
    """A2-LOS-02, A2-LOS-03: a line may pass between bases, however narrow the gap; bases that touch leave none."""
    state = table(
        loose(1, (28, 10)),
        loose(2, (28, 20), side=1),
        loose(3, (27.25, 15), side=1),
        loose(4, (right, 15), side=1),
        profiles=(profile(INCH),),
    )
    assert is_seen(state, method) is visible


@pytest.mark.parametrize(("gap", "visible"), [(0.3, True), (0.02, True), (0.0, False)])
def test_a_large_base_looks_through_a_gap_right_before_it(gap: float, visible: bool) -> None:
    """A2-LOS-02: between two walls close to a base four inches broad, off every sampled line."""
    left = piece(0, "wall", at=(23.7, 12.6), size=(12, 0.5), height=3)
    right = piece(1, "wall", at=(29.7 + 6 + gap, 12.6), size=(12, 0.5), height=3)
    state = table(
        loose(1, (30, 10)), loose(2, (29.6, 20), side=1, kind=1), pieces=(left, right),
        profiles=(profile(HULL), profile(INCH)),
    )  # fmt: skip
    assert is_seen(state, "open") is visible


def free_lines(
    discs: list[tuple[float, float]], radius: float, half: float, far: float
) -> npt.NDArray[np.bool_]:
    """Which lines of a fine grid between two breadths at y 0 and `far` stay so far from the middles of all discs."""
    start, end = np.meshgrid(GRID * half, GRID * half, indexing="ij")
    free = np.ones(start.shape, bool)
    for x, y in discs:
        dx = end - start
        along = np.clip(((x - start) * dx + y * far) / (dx * dx + far * far), 0, 1)
        free &= np.hypot(start + along * dx - x, along * far - y) > radius
    return free


@pytest.mark.parametrize("base", [INCH, TWO_INCHES, HULL], ids=["1 inch", "2 inches", "4 inches"])
def test_sight_past_discs_agrees_with_a_fine_grid_of_lines(base: Base) -> None:
    """A2-LOS-02: whatever a fine grid finds is seen; whatever is seen is a line past discs a little smaller."""
    rng = random.Random(base.width)
    half = base.width / 50.8
    far = 10 + 2 * half
    narrow = hidden = 0
    for _ in range(120):
        count = rng.randint(3, 5) + round(9 * (half - 0.5))
        discs = [(rng.uniform(-1.4, 1.4) * (half + 0.3), half + rng.uniform(1, 9)) for _ in range(count)]
        others = [loose(3 + k, (30 + x, 10 + y), side=1) for k, (x, y) in enumerate(discs)]
        state = table(
            loose(1, (30, 10), kind=1), loose(2, (30, 10 + far), side=1, kind=1), *others,
            profiles=(profile(INCH), profile(base)),
        )  # fmt: skip
        found = sees(state, "open", 1, 0, 2, 0)
        if free_lines(discs, 0.501, half, far).any():
            assert found.visible, discs
        if found.visible:
            assert free_lines(discs, 0.5 - 0.03 * half, half, far).any(), discs
            narrow += found.share == 1 / 25
        else:
            hidden += 1
    assert narrow >= 2, "few lines are free in some scenes"
    assert hidden >= 10


def test_a_wall_with_a_slit_is_one_piece_and_still_has_it() -> None:
    """A16-LOS-01: a fold of one outline leaves a gap that is looked through."""
    outline = [(20, 15), (29.9, 15), (29.9, 15.6), (20.5, 15.6), (20.5, 18), (39, 18), (39, 18.6), (20, 18.6)]
    folded: Piece = piece(0, "wall", outline, height=3)
    state = table(
        loose(1, (30.4, 10)), loose(2, (30.4, 16.8), side=1), pieces=(folded,), profiles=(profile(INCH),)
    )
    assert is_seen(state, "open")
