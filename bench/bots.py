"""Games of bots compared with random chess: games per second, and the time of one activation."""

from __future__ import annotations

import random
import time

from bench.rows import Row
from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.ruleset import Ruleset

WARM_UP = 2
TABLES = 6
QUICK = ("random", "solo", "tactician")
SLOW = ("greedy", "search:playouts=12")


def run(count: int) -> list[Row]:
    """Every bot against itself in every edition; slow ones play a game or two."""
    rows = []
    for edition in EDITIONS:
        for name in (*QUICK, *SLOW):
            rows += _bot(edition, name, count if name in QUICK else 1)
    return rows


def _bot(edition: str, name: str, count: int) -> list[Row]:
    rules = ruleset(edition)
    starts = [demo_setup(edition, seed) for seed in range(TABLES)]
    for seed in range(WARM_UP if name in QUICK else 0):
        _play(rules, starts[seed], name, seed)
    began = time.process_time()
    turns = sum(_play(rules, starts[seed % TABLES], name, seed) for seed in range(count))
    seconds = time.process_time() - began
    return [
        Row(f"{edition}, {name}, games", count, seconds),
        Row(f"{edition}, {name}, activations", turns, seconds),
    ]


def _play(rules: Ruleset, start: State, name: str, seed: int) -> int:
    bots = [policy(name, seed), policy(name, seed)]
    return play_game(rules, start, bots, SeededDice.from_seed(seed), seed=seed).turns


def run_chess(count: int) -> list[Row]:
    """Random games of two chess engines, for comparison in the same run."""
    return [_python_chess(count), _pettingzoo(max(1, count // 4))]


def _python_chess(count: int) -> Row:
    import chess

    numbers = random.Random(1)
    moves = 0
    began = time.process_time()
    for _ in range(count):
        board = chess.Board()
        while not board.is_game_over(claim_draw=False) and board.fullmove_number < 300:
            board.push(numbers.choice(list(board.legal_moves)))
            moves += 1
    seconds = time.process_time() - began
    return Row("python-chess, random games", count, seconds, f"{moves / count:.0f} moves a game")


def _pettingzoo(count: int) -> Row:
    import numpy as np
    from pettingzoo.classic import chess_v6

    numbers = random.Random(1)
    moves = 0
    began = time.process_time()
    for seed in range(count):
        env = chess_v6.env()
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, done, cut, _ = env.last()
            if done or cut:
                env.step(None)
                continue
            env.step(int(numbers.choice(np.flatnonzero(observation["action_mask"]).tolist())))
            moves += 1
    seconds = time.process_time() - began
    return Row("PettingZoo chess, random games", count, seconds, f"{moves / count:.0f} moves a game")
