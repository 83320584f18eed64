"""Stepping back after a melee: each model on its own line, or all together if that would break coherency."""

from __future__ import annotations

import pytest
from loose_scene import PROFILES, group, table
from msgspec.structs import replace

from shieldwall.table.coherency import Coherency, is_coherent
from shieldwall.table.loose_push import step_back
from shieldwall.table.measure import units_apart
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

LIMITS = WalkLimits((6.0,), "consolidate")
CHAIN = Coherency()


def after(state, result):
    unit = replace(state.units[0], poses=result.poses)
    return replace(state, units=(unit, *state.units[1:])), unit


@pytest.mark.parametrize("spots", [((24.9, 24.5), (23.1, 24.5)), ((24.97, 24.2), (24.0, 25.0))])
def test_two_side_by_side_go_back_as_one(spots) -> None:
    """SK32-CONSOL-02, SK32-FORM-01: on lines of their own they would end more than an inch apart."""
    state = table(group(0, 0, *spots), group(1, 1, (24, 24)))
    assert is_coherent(state.units[0], PROFILES, CHAIN)
    there, unit = after(state, step_back(state, 0, 1, LIMITS))
    assert is_coherent(unit, PROFILES, CHAIN)
    moved = {
        (new.x - old.x, new.y - old.y) for new, old in zip(unit.poses, state.units[0].poses, strict=True)
    }
    assert len(moved) == 1
    [(x, y)] = moved
    assert (x * x + y * y) ** 0.5 == pytest.approx(1000, abs=2)
    assert units_apart(there, 0, 1) > units_apart(state, 0, 1) + 0.3


def test_one_goes_straight_back_an_inch() -> None:
    """SK32-CONSOL-02: a lone charger ends exactly an inch away."""
    state = table(group(0, 0, (24, 25)), group(1, 1, (24, 24)))
    there, unit = after(state, step_back(state, 0, 1, LIMITS))
    assert units_apart(there, 0, 1) == pytest.approx(1.0, abs=0.002)
    assert unit.poses[0].x == 24000


def test_where_nobody_can_go_back_as_one_each_goes_as_far_as_it_can() -> None:
    """SK32-CONSOL-02: blocked, they separate; their next action restores coherency."""
    walls = (
        piece(1, "building", at=(24, 26.6), size=(2.4, 1.8)),
        piece(2, "building", at=(24, 21.4), size=(2.4, 1.8)),
    )
    state = table(group(0, 0, (24.9, 24.5), (23.1, 24.5)), group(1, 1, (24, 24)), pieces=walls)
    there, _ = after(state, step_back(state, 0, 1, LIMITS))
    assert units_apart(there, 0, 1) > 0.2
