"""Whole games of every edition: valid after every answer, recorded, replayed, and corrupted logs detected."""

import os
import subprocess
import sys
from functools import cache

import pytest
from games import activation_of, flipped

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import Log, LoggedRoll, Recorder, encode_log, parse_log, verify

pytestmark = pytest.mark.slow
SEEDS = (1, 2, 3, 230)  # in the last one a scattered unit of Age of Fantasy 1.6 moves towards a goal


@cache
def game(edition: str, seed: int) -> tuple[Log, tuple[str, ...]]:
    """A recorded game and the laws it broke."""
    rules, setup, dice = ruleset(edition), demo_setup(edition, seed), SeededDice.from_seed(seed)
    recorder, judge = Recorder(rules, setup, ("random", "random"), dice.commitment), Judge(rules)
    play_game(
        rules,
        setup,
        (RandomBot(), RandomBot()),
        dice,
        recorder,
        seed=seed,
        watchers=[judge],
        trusting=False,
    )
    return recorder.log(), tuple(judge.problems)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_breaks_no_law_and_its_log_verifies(edition: str, seed: int) -> None:
    log, problems = game(edition, seed)
    assert problems == ()
    assert log.footer.finished
    verdict = verify(parse_log(encode_log(log)))
    assert verdict.ok, str(verdict.first_wrong)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_flipped_die_is_found_at_its_own_activation(edition: str) -> None:
    log, _ = game(edition, 2)
    rolls = [i for i, record in enumerate(log.records) if isinstance(record, LoggedRoll)]
    for index in rolls[:: max(1, len(rolls) // 8)]:
        wrong = verify(flipped(log, index, 0)).first_wrong
        assert wrong is not None
        assert wrong.activation == activation_of(log, index), str(wrong)


GAMES_TOLD = """
import sys
from shieldwall.cli.main import main
for edition in sys.argv[1:]:
    print("game of", edition)
    main(["battle", "--edition", edition, "--seed", "4", "--bots", "random,random"])
"""


@cache
def told(hash_seed: str) -> dict[str, list[str]]:
    """A game of each edition in words, all played by one process."""
    run = subprocess.run(
        [sys.executable, "-c", GAMES_TOLD, *EDITIONS],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    games = (game.split("\n") for game in run.stdout.split("game of ")[1:])
    return {edition: lines[:-2] for edition, *lines in games}  # the last line says how long it took


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_does_not_depend_on_hash_randomisation(edition: str) -> None:
    one, other = told("0")[edition], told("99")[edition]
    assert one == other
    assert len(one) > 200
