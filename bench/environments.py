"""Random agents in the PettingZoo environment compared with the bare engine: games per processor second of one core."""

from __future__ import annotations

import time

import numpy as np

from bench.games import TABLES, WARM_UP
from bench.rows import Row
from shieldwall.armies.demo import demo_setup
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.environments import BattleAEC


def run(count: int) -> list[Row]:
    """Games per second of both by edition, with the share that the environment reaches (target: a third)."""
    rows = []
    for edition in EDITIONS:
        bare = bare_seconds(edition, count)
        seconds, steps = environment_seconds(edition, count)
        rows.append(Row(f"{edition}, bare engine", count, bare))
        note = f"{bare / seconds:.2f} of the bare engine, {steps / count:.0f} actions a game"
        rows.append(Row(f"{edition}, environment", count, seconds, note))
    return rows


def bare_seconds(edition: str, count: int) -> float:
    """Processor seconds of random games without an environment."""
    rules, bots = ruleset(edition), (RandomBot(), RandomBot())
    starts = [demo_setup(edition, seed) for seed in range(TABLES)]
    for seed in range(WARM_UP):
        play_game(rules, starts[seed % TABLES], bots, SeededDice.from_seed(seed), seed=seed)
    began = time.process_time()
    for seed in range(count):
        play_game(rules, starts[seed % TABLES], bots, SeededDice.from_seed(seed), seed=seed)
    return time.process_time() - began


def environment_seconds(edition: str, count: int) -> tuple[float, int]:
    """Processor seconds and actions of games in which both agents take any legal action."""
    env = BattleAEC(edition, tables=TABLES)
    numbers = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(4 * TABLES):  # so that every table has been generated
        env.reset()
    play_random(env, numbers)
    began, steps = time.process_time(), 0
    for _ in range(count):
        steps += play_random(env, numbers)
    return time.process_time() - began, steps


def play_random(env: BattleAEC, numbers: np.random.Generator) -> int:
    """Play one game; returns the number of actions."""
    env.reset()
    steps = 0
    for _ in env.agent_iter():
        seen, _, is_over, _, _ = env.last()
        if is_over:
            env.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        env.step(int(legal[numbers.integers(len(legal))]))
        steps += 1
    return steps
