"""Charges through crowds: existing paths are found, even through gaps that a base just fits through."""

from __future__ import annotations

import math

import pytest
from loose_scene import group, table

from shieldwall.core.state import State
from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.walk_context import WalkLimits

CHARGE = WalkLimits(allowance=(12.0,), action="charge", spacing=0.0, end_spacing=0.0)


def behind_a_line(gap: float) -> State:
    """A charger, a line of enemies with one gap in it, and a target behind them; all other gaps are too narrow."""
    spots = [(27.3 - 1.9 * k, 24.0) for k in range(9)] + [(28.3 + gap + 1.9 * k, 24.0) for k in range(6)]
    screen = [group(2 + number, 1, spot) for number, spot in enumerate(spots)]
    return table(group(0, 0, (24, 20)), group(1, 1, (24, 28)), *screen)


@pytest.mark.parametrize(
    ("gap", "is_found"), [(0.99, False), (1.0, True), (1.02, True), (1.1, True), (1.5, True)]
)
def test_a_gap_that_the_base_just_fits_through(gap: float, is_found: bool) -> None:
    """A2-MELEE-02: an unobstructed way of 12 inches or less is enough, however narrow it is."""
    assert solve_charge(behind_a_line(gap), 0, 1, CHARGE).is_legal is is_found


def test_a_long_way_round_a_thick_crowd() -> None:
    """A2-MELEE-02: out of a ring of friends by its far side and round it, 11 inches in many short turns."""
    ring = [2.0 * math.pi * k / 9 for k in range(1, 9)]
    friends = [
        group(2 + k, 0, (24 + 1.75 * math.sin(a), 20 - 1.75 * math.cos(a))) for k, a in enumerate(ring)
    ]
    state = table(group(0, 0, (24, 20)), group(1, 1, (24, 24)), *friends)
    plan = solve_charge(state, 0, 1, CHARGE)
    assert plan.is_legal
    assert 8.0 < plan.walk.used[0] <= 12.0
