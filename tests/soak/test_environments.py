"""Environments for longer: PettingZoo's benchmark, and battles in processes of their own."""

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from shieldwall.api.menu import SLOTS
from shieldwall.editions import EDITIONS
from shieldwall.environments import BattleAEC, vector_env
from shieldwall.environments.observations import FLAT


@pytest.mark.parametrize("edition", EDITIONS)
def test_pettingzoo_checks_and_measures_whole_games(edition: str) -> None:
    api_test(BattleAEC(edition), num_cycles=2000)
    seed_test(lambda: BattleAEC(edition), num_cycles=500)
    performance_benchmark(BattleAEC(edition))


def test_battles_run_side_by_side_in_processes() -> None:
    env = vector_env("regiments-3.4", 2, tables=1)
    try:
        seen, info = env.reset(seed=5)
        assert seen.shape == (2, FLAT)
        actions = [int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]]
        seen, *_ = env.step(np.array(actions))
        assert seen.shape == (2, FLAT)
        assert info["action_mask"].shape == (2, SLOTS)
    finally:
        env.close()
