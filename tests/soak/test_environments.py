"""Environments for longer: PettingZoo's checks over whole games, and its benchmark at its own pace."""

import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from shieldwall.editions import EDITIONS
from shieldwall.environments import BattleAEC


@pytest.mark.parametrize("edition", EDITIONS)
def test_pettingzoo_checks_and_measures_whole_games(edition: str) -> None:
    api_test(BattleAEC(edition), num_cycles=2000)
    seed_test(lambda: BattleAEC(edition), num_cycles=500)
    performance_benchmark(BattleAEC(edition))
