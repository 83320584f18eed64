"""Volumes look from rim to rim: over walls from the nearest rim to the farthest, and past corners from either side."""

from __future__ import annotations

import pytest
from sight_makers import loose, profile, table
from volume_oracle import sees_by_brute_force, stands_at_a_wall, walls_between

from shieldwall.core.state import Base
from shieldwall.table.sight import sees
from shieldwall.table.terrain import piece

# Over a wall from near to far rim (343 to 1448), beside one and in at the edge of the target (4447, 8168).
MISSED_BETWEEN_MIDDLES = (343, 346, 630, 830, 865, 897, 1079, 1142, 1165, 1448, 4447, 8168)


def test_a_model_looking_down_sees_from_the_near_rim_to_the_far_one() -> None:
    """SK32-LOS-39: a giant of 4 inches looks at a man of 1 inch over a wall.

    From rim to rim the line falls by 3 inches over 7.476 and is 2.22 inches high where it leaves the wall; from
    middle to middle it would be 1.86.
    """
    kinds = (profile(Base("round", 100, 100), 4.0, "giant"), profile(Base("round", 25, 25), 1.0))
    one, other = loose(0, (10, 10)), loose(1, (18.952, 10), side=1, kind=1)
    for height, is_seen in ((2.2, True), (2.3, False)):
        wall = piece(0, "wall", outline=[(16.2, 0), (16.4, 0), (16.4, 20), (16.2, 20)], height=height)
        state = table(one, other, pieces=(wall,), profiles=kinds)
        assert sees(state, "volumetric", 0, 0, 1, 0).visible is is_seen
        assert sees(state, "volumetric", 1, 0, 0, 0).visible is is_seen


@pytest.mark.parametrize("seed", [*MISSED_BETWEEN_MIDDLES, *range(60)])
def test_volumes_agree_with_brute_force(seed: int) -> None:
    """SK32-LOS-39: some straight line between the volumes, wherever it starts and ends."""
    state = walls_between(seed)
    if stands_at_a_wall(state):
        return
    is_seen = sees(state, "volumetric", 0, 0, 1, 0).visible
    assert is_seen == sees(state, "volumetric", 1, 0, 0, 0).visible
    if is_seen:
        assert sees_by_brute_force(state, 160, -0.01)
    else:
        assert not sees_by_brute_force(state, 72, 0.002)
