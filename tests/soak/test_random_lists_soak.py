"""Battles of random lists from all available books: no crash, no broken invariant.

Our own factions always take part. SHIELDWALL_BOOKS names folders of other army books, separated as in PATH; each
edition takes those written for its game. SHIELDWALL_SOAK_GAMES says how many battles an edition plays.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from shieldwall.armies import ArmyList, Book, recruit
from shieldwall.armies.demo import demo_setup
from shieldwall.armies.random_lists import books_for, books_in, legal_list
from shieldwall.bots import RandomBot, play_game
from shieldwall.bots.invariants import Judge
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.table.numbers import TableNumbers

GAMES = int(os.environ.get("SHIELDWALL_SOAK_GAMES", "2000"))
FOLDERS = [Path(name) for name in os.environ.get("SHIELDWALL_BOOKS", "").split(os.pathsep) if name]
CHUNKS = 20
LISTS_TRIED = 10


@cache
def books_of_edition(edition: str) -> tuple[Book, ...]:
    return books_for(edition, [book for folder in FOLDERS for book in books_in(folder)])


def some_list(edition: str, numbers: TableNumbers) -> tuple[ArmyList, Book]:
    """A list that has units; some books have none that is legal alone at a small size."""
    for _ in range(LISTS_TRIED):
        source = numbers.pick(books_of_edition(edition))
        made = legal_list(source, edition, numbers)
        if made.entries:
            return made, source
    raise AssertionError(f"no book of {edition} gives a list")


def faults_of(edition: str, seed: int) -> list[str]:
    """Everything wrong with one battle: broken invariants, or the error it ended with."""
    numbers, rules = TableNumbers(seed), ruleset(edition)
    (first, one), (second, other) = some_list(edition, numbers), some_list(edition, numbers)
    where = f"seed {seed}, {first.name} against {second.name}"
    judge = Judge(rules)
    try:
        state = demo_setup(edition, seed, lists=(recruit(first, (one,)), recruit(second, (other,))))
        bots, dice = (RandomBot(), RandomBot()), SeededDice.from_seed(seed)
        play_game(rules, state, bots, dice, seed=seed, watchers=[judge], trusting=False)
    except Exception as error:  # one broken battle must not hide the others
        return [f"{where}: {type(error).__name__}: {error}"]
    return [f"{where}: {problem}" for problem in judge.problems]


def test_every_folder_of_books_is_there() -> None:
    assert [str(folder) for folder in FOLDERS if not folder.is_dir()] == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("edition", EDITIONS)
def test_battles_of_random_lists_break_no_law(edition: str, chunk: int) -> None:
    faults = [fault for seed in range(chunk, GAMES, CHUNKS) for fault in faults_of(edition, seed)]
    assert faults == []
