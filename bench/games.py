"""Whole random games: deployment, four rounds, winner."""

from __future__ import annotations

import time

from bench.rows import Row
from shieldwall.armies.demo import demo_setup
from shieldwall.bots.match import play_game
from shieldwall.bots.random_bot import RandomBot
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset

WARM_UP = 12
TABLES = 8  # tables are generated beforehand; a game is everything from the first marker to the winner


def run(count: int) -> list[Row]:
    """Games per second of every edition, with activations and answers per game."""
    rows = []
    for edition in EDITIONS:
        rules = ruleset(edition)
        starts = [demo_setup(edition, seed) for seed in range(TABLES)]
        bots = (RandomBot(), RandomBot())
        for seed in range(WARM_UP):
            play_game(rules, starts[seed % TABLES], bots, SeededDice.from_seed(seed), seed=seed)
        began = time.process_time()
        results = [
            play_game(rules, starts[seed % TABLES], bots, SeededDice.from_seed(seed), seed=seed)
            for seed in range(count)
        ]
        seconds = time.process_time() - began
        turns = sum(result.turns for result in results)
        answers = sum(result.answers for result in results)
        note = f"{turns / count:.1f} activations and {answers / count:.0f} answers a game"
        rows.append(Row(f"{edition}, games", count, seconds, note))
        rows.append(Row(f"{edition}, activations", turns, seconds))
    return rows
