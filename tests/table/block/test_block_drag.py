"""How a drag of a block is interpreted."""

from __future__ import annotations

import math

import pytest
from block_scenes import ADVANCE, HOLD, RUSH, at, block, forward, pivot, sideways, table
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from test_block_march_properties import scenes

from shieldwall.core.answers import Leg
from shieldwall.core.state import MILLI, Pose, State
from shieldwall.table.block_drag import solve_drag
from shieldwall.table.block_moves import MarchLimits, check_march
from shieldwall.table.melee_contact import consolidation_limits


def test_reachable_pose_is_reached_exactly() -> None:
    """R35-MOVE-08..10: forward, forward with a turn, sideways, backward and a mere turn."""
    state = table(block(1, at(36, 10)))
    for wanted, legs in (
        (at(36, 14), (forward(4),)),
        (at(39, 14, 45), (forward(1), pivot(45), Leg("forward", 4243))),
        (at(38, 10), (sideways(2),)),
        (at(34, 10), (sideways(-2),)),
        (at(36, 8), (Leg("back", 2000),)),
        (at(36, 10, 70), (pivot(70),)),
    ):
        result = solve_drag(state, 1, ADVANCE, wanted)
        assert result.legs == legs
        assert result.pose == wanted


def test_far_wish_goes_as_far_as_allowed() -> None:
    """R35-MOVE-08: dragging 20 inches ahead advances 6."""
    state = table(block(1, at(36, 10)))
    assert solve_drag(state, 1, ADVANCE, at(36, 30)).pose == at(36, 16)


def test_obstacle_shortens_the_drag() -> None:
    """R35-MOVE-02: dragging into a friend stops 1 inch before it."""
    state = table(block(1, at(36, 10)), block(2, at(36, 16)))
    assert solve_drag(state, 1, ADVANCE, at(36, 15.5)).pose == at(36, 13)


def test_hold_only_turns() -> None:
    """R35-MOVE-07: a dragged unit that holds turns towards the wish."""
    result = solve_drag(table(block(1, at(36, 10))), 1, HOLD, at(36, 10, 135))
    assert result.legs == (pivot(135),)


def test_consolidation_shifts_or_turns() -> None:
    """R35-CONSOL-02: a diagonal shift of 3 inches at most, or a turn."""
    state = table(block(1, at(36, 10)))
    shifted = solve_drag(state, 1, consolidation_limits(), at(46, 20))
    assert shifted.used == pytest.approx(3000, abs=3)
    assert (shifted.pose.x, shifted.pose.y) == pytest.approx((38121, 12121), abs=3)
    assert solve_drag(state, 1, consolidation_limits(), at(36, 10, 180)).legs == (pivot(-180),)


@settings(max_examples=20)
@given(
    scenes(),
    st.tuples(st.integers(28000, 44000), st.integers(16000, 32000), st.integers(0, 35999)),
    st.sampled_from([ADVANCE, RUSH]),
)
def test_dragged_march_is_legal_and_no_worse_than_standing(
    state: State, wish: tuple[int, int, int], limits: MarchLimits
) -> None:
    """R35-MOVE-01..14: whatever the target of a drag, the answer is legal and no farther from it than staying."""
    wanted = Pose(*wish)
    result = solve_drag(state, 1, limits, wanted)
    assert result.is_legal
    assert result == check_march(state, 1, result.legs, limits)
    assert state.units[0].block is not None
    assert miss(result.pose, wanted) <= miss(state.units[0].block, wanted) + 1e-6


def miss(pose: Pose, wanted: Pose) -> float:
    turn = abs((wanted.heading - pose.heading + 18000) % 36000 - 18000) / 100
    return math.hypot(wanted.x - pose.x, wanted.y - pose.y) / MILLI + turn / 45


def test_equal_wishes_give_equal_marches() -> None:
    """The answer depends on nothing but the question."""
    state = table(block(1, at(36, 10)), block(2, at(40, 14)))
    again = replace(state, units=tuple(replace(unit) for unit in state.units))
    assert solve_drag(state, 1, RUSH, at(44, 16, 80)) == solve_drag(again, 1, RUSH, at(44, 16, 80))
