"""Charges against plain geometry: 1,000 tables of each kind."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "table" / "loose"))

from charge_oracle import MAKERS

from shieldwall.table.loose_charge import solve_charge
from shieldwall.table.walk_context import WalkLimits

TABLES = 1000


@pytest.mark.parametrize("maker", MAKERS)
def test_few_charges_need_more_than_the_shortest_way(maker: str) -> None:
    late = []
    for seed in range(TABLES):
        state, way = MAKERS[maker](Random(seed))
        if not solve_charge(state, 0, 1, WalkLimits((way + 0.005,), "charge", spacing=0.0)).is_legal:
            late.append(seed)
        limits = WalkLimits((way + 0.05,), "charge", spacing=0.0)
        assert solve_charge(state, 0, 1, limits).is_legal, (seed, way)
    assert len(late) <= TABLES // 20, late
