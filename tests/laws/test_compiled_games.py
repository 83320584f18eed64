"""Whole battles are the same, state by state, with compiled functions and without."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.core.codec import state_hash
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset

EVERYDAY = (1,)  # tests/soak plays more


def fingerprint(edition: str, seeds: Sequence[int] = EVERYDAY) -> str:
    """Hashes of the final states of a few random battles."""
    hashes = []
    for seed in seeds:
        state = demo_setup(edition, seed)
        result = play_game(
            ruleset(edition), state, (RandomBot(), RandomBot()), SeededDice.from_seed(seed), seed=seed
        )
        hashes.append(state_hash(result.state))
    return " ".join(hashes)


@pytest.mark.parametrize("edition", EDITIONS)
def test_battles_end_alike_compiled_and_uncompiled(edition: str) -> None:
    compare_both_forms(edition, EVERYDAY)


def compare_both_forms(edition: str, seeds: Sequence[int]) -> None:
    """Play the same battles by compiled functions here and by plain ones in another process."""
    plain = subprocess.run(
        [sys.executable, str(Path(__file__)), edition, *map(str, seeds)],
        env={**os.environ, "SHIELDWALL_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == fingerprint(edition, seeds)


if __name__ == "__main__":
    print(fingerprint(sys.argv[1], [int(word) for word in sys.argv[2:]]))
