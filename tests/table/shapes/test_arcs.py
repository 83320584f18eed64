"""Front, flanks and rear."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shape_makers import INCH_ROUND, INCH_SQUARE, at, block, loose, table

from shieldwall.core.state import Pose
from shieldwall.table.arcs import ARCS, arc_of, arc_of_model, facing_of

# Five 1 inch bases in one row about (36, 23.5): front corners (33.5, 24) and (38.5, 24).
ROW = block(1, at(36, 23.5), 5)
PROFILES = table([ROW], INCH_SQUARE, INCH_ROUND).profiles


@pytest.mark.parametrize(
    ("x", "y", "arc"),
    [
        (44, 30, "front"),
        (45, 30, "right"),
        (44.5, 30, "front"),  # exactly on the front line
        (27.5, 30, "front"),
        (27.499 - 0.01, 30, "left"),
        (36, 40, "front"),
        (36, 1, "rear"),
        (60, 23, "right"),
        (0, 24, "left"),
        (44.5, 17, "right"),  # exactly on a rear line: flank
        (27.5, 17, "left"),
        (44.4, 17, "rear"),
        (38.5, 24, "front"),  # the corner itself
    ],
)
def test_arcs_run_from_the_corners_of_the_block(x: float, y: float, arc: str) -> None:
    """R35-FORM-02: quadrants by lines at 45 degrees; on a front line is front, on a rear line is flank."""
    assert arc_of(ROW, PROFILES, x, y) == arc


@given(st.integers(0, 35999), st.floats(-30, 30), st.floats(-30, 30))
def test_arcs_turn_with_the_block(heading: int, right: float, ahead: float) -> None:
    """R35-FORM-02: the arc depends on the point as seen from the block, not on the table."""
    assume(abs(abs(right) - 2.5 - (abs(ahead) - 0.5)) > 0.01)
    assume(abs(ahead) > 0.01)  # inside the block, halfway between front and rear, either will do
    assume(abs(right) > 0.01)
    turn = math.radians(heading / 100)
    x = 36 + right * math.cos(turn) + ahead * math.sin(turn)
    y = 23.5 + ahead * math.cos(turn) - right * math.sin(turn)
    turned = block(1, Pose(36000, 23500, heading), 5)
    assert arc_of(turned, PROFILES, x, y) == arc_of(ROW, PROFILES, 36 + right, 23.5 + ahead)


@given(st.floats(0, 72), st.floats(0, 48))
def test_left_and_right_mirror_each_other(x: float, y: float) -> None:
    mirrored = {"front": "front", "rear": "rear", "left": "right", "right": "left"}
    assume(x != 36)
    assert arc_of(ROW, PROFILES, 72 - x, y) == mirrored[arc_of(ROW, PROFILES, x, y)]


def test_a_unit_has_one_heading_and_four_arcs() -> None:
    """R35-FORM-01: front, two flanks and a rear, set by the way it faces."""
    facing = facing_of(block(1, at(36, 23.5, 90), 5), PROFILES)
    assert facing.heading == 90.0
    assert set(ARCS) == {"front", "left", "right", "rear"}
    # Facing +x, the front left corner is the one with the higher x and y.
    assert facing.front_left == pytest.approx((36.5, 26.0, math.sqrt(0.5), math.sqrt(0.5)))
    assert facing.front_right == pytest.approx((36.5, 21.0, math.sqrt(0.5), -math.sqrt(0.5)))
    assert facing.rear_left == pytest.approx((35.5, 26.0, -math.sqrt(0.5), math.sqrt(0.5)))
    assert facing.rear_right == pytest.approx((35.5, 21.0, -math.sqrt(0.5), -math.sqrt(0.5)))


@given(st.integers(0, 35999), st.floats(0.1, 30))
def test_the_lines_part_the_arcs(heading: int, out: float) -> None:
    """R35-FORM-02: a step to either side of a line lies in the two arcs that it parts."""
    unit = block(1, Pose(36000, 23500, heading), 5)
    lines = facing_of(unit, PROFILES)
    pairs = (("left", "front"), ("front", "right"), ("rear", "left"), ("right", "rear"))
    for line, arcs in zip(lines[1:], pairs, strict=True):
        x, y = line.x + out * line.dx, line.y + out * line.dy
        aside = 0.01
        found = [
            arc_of(unit, PROFILES, x - sign * aside * line.dy, y + sign * aside * line.dx) for sign in (1, -1)
        ]
        assert tuple(found) == arcs


def test_a_single_model_has_arcs_of_its_own_base() -> None:
    """R35-FORM-01: each model has a front, two flanks and a rear."""
    lone = loose(1, [at(10, 10)], kind=1)
    assert arc_of(lone, PROFILES, 10.0, 15.0) == "front"
    assert arc_of(lone, PROFILES, 20.0, 10.0) == "right"
    assert facing_of(lone, PROFILES).heading == 0.0
    corner_model = 4  # the rightmost of the row: its own front line is the block's
    assert arc_of_model(ROW, PROFILES, corner_model, 44.0, 30.0) == "front"
    assert arc_of_model(ROW, PROFILES, 0, 44.0, 30.0) == "right"


def test_a_loose_group_has_no_arc_as_a_whole() -> None:
    with pytest.raises(ValueError, match="loose unit"):
        arc_of(loose(1, [at(1, 1), at(3, 1)]), PROFILES, 0.0, 0.0)
