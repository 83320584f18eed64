"""A charge is offered as soon as the move is as long as the shortest path, wherever that runs (SK32-MOVE-08,
A2-MELEE-01)."""

from __future__ import annotations

from random import Random

import pytest
from charge_oracle import MAKERS
from loose_scene import group, table

from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.terrain import piece
from shieldwall.table.walk_context import WalkLimits

SEEDS = 12
SLACK = 0.015  # inches by which a charge may have to be longer than the shortest way


def charge(way: float) -> WalkLimits:
    return WalkLimits((way,), "charge", spacing=0.0)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_charge_as_long_as_the_shortest_way_is_offered(maker: str) -> None:
    for seed in range(SEEDS):
        state, way = MAKERS[maker](Random(seed))
        plan = solve_charge(state, 0, 1, charge(way + SLACK))
        assert plan.is_legal, (seed, way)
        assert plan.walk.used[0] <= way + SLACK + 0.001
        assert plan.contacts == (0,)


@pytest.mark.parametrize("maker", ["round_a_wall", "round_a_friend"])
def test_a_shorter_charge_is_not(maker: str) -> None:
    for seed in range(SEEDS):
        state, way = MAKERS[maker](Random(seed))
        assert not solve_charge(state, 0, 1, charge(way - 0.02)).is_legal, (seed, way)


def test_a_charge_round_a_wall_with_two_hundredths_to_spare() -> None:
    """The way round a wall two inches thick is 11.98 inches long: 12 are enough, 11.97 are not."""
    corners = [(20, 23), (27.5, 23), (27.5, 25), (20, 25)]
    wall = piece(0, "wall", outline=corners, types=("impassable",), height=5)
    state = table(group(0, 0, (24.5, 18.808)), group(1, 1, (24.5, 29.192)), pieces=(wall,))
    assert solve_charge(state, 0, 1, charge(12.0)).is_legal
    assert not solve_charge(state, 0, 1, charge(11.97)).is_legal


def test_a_way_round_is_taken_where_the_straight_one_is_much_longer() -> None:
    """Straight past the post it is 4.33 inches, around it 4.08; nearer places are too close to the post."""
    state = table(group(0, 0, (2.801, 1.5)), group(1, 1, (4.962, 5.431)), group(2, 0, (3.422, 3.708)))
    plan = solve_charge(state, 0, 1, charge(12.0))
    assert plan.walk.used[0] < 4.1
    assert len(plan.paths[0].points) == 2
