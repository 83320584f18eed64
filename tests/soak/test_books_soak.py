"""Forty legal random lists from forty army books: battles in the edition where each means what it says.

SHIELDWALL_BOOKS names folders of army books, separated as in PATH; without it nothing is played here. Laws are held,
logs verified, no battle crashes, and bots cast nothing that has no effect.
"""

from __future__ import annotations

import os
import time
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from shieldwall.armies import Book, MusteredArmy, recruit
from shieldwall.armies.coverage import best_edition
from shieldwall.armies.demo import demo_armies, demo_setup
from shieldwall.armies.overlay import as_played
from shieldwall.armies.random_lists import books_in, legal_list
from shieldwall.bots import play_game, policy
from shieldwall.bots.invariants import Judge
from shieldwall.core.answers import AnyAnswer, Cast
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.replay import Recorder, verify
from shieldwall.table.numbers import TableNumbers

FOLDERS = [Path(name) for name in os.environ.get("SHIELDWALL_BOOKS", "").split(os.pathsep) if name]
BATTLES = 20
LISTS_TRIED = 10
IMPORT_SECONDS = 60.0  # of one processor, for 80 books

needs_books = pytest.mark.skipif(not FOLDERS, reason="SHIELDWALL_BOOKS names no folder of army books")


@cache
def meetings() -> tuple[tuple[str, Book, Book], ...]:
    """Pairs of books for battles, all different, each pair in one edition."""
    known = {(book.name, book.system): book for folder in FOLDERS for book in books_in(folder)}
    by_edition = sorted(known.values(), key=lambda book: (best_edition(book), book.name))
    found: list[tuple[str, Book, Book]] = []
    for edition, group in groupby(by_edition, key=best_edition):
        books = list(group)
        found += [(edition, one, other) for one, other in zip(books[::2], books[1::2], strict=False)]
    step = max(1, len(found) // BATTLES)
    return tuple(found[::step][:BATTLES])


def some_army(source: Book, edition: str, seed: int) -> MusteredArmy:
    """A legal list of a book, as units that can be mustered."""
    played = as_played(source, edition)
    for turn in range(LISTS_TRIED):
        made = legal_list(played, edition, TableNumbers(seed + turn))
        if made.entries:
            return recruit(made, (played,))
    raise AssertionError(f"{source.name} gives no legal list in {edition}")


class Spells:
    """Checks that every spell that is cast could have an effect."""

    def __init__(self) -> None:
        self.idle: list[str] = []

    def began(self, progress: Progress) -> None:
        """Nothing was cast yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Look at the spell, if one was cast."""
        if isinstance(answer, Cast) and answer.spell:
            spell = next(one for one in before.spells if one.name == answer.spell)
            if not (spell.hits or spell.grants or spell.test or spell.moves):
                self.idle.append(spell.name)


@needs_books
@pytest.mark.parametrize("number", range(BATTLES))
@pytest.mark.parametrize("bot", ["solo", "greedy", "tactician"])
def test_lists_of_real_books_fight_by_the_laws(bot: str, number: int) -> None:
    edition, one, other = meetings()[number]
    rules = ruleset(edition)
    armies = [some_army(book, edition, 100 * number + seat) for seat, book in enumerate((one, other))]
    state = demo_setup(edition, number, lists=armies)
    judge, spells, dice = Judge(rules), Spells(), SeededDice.from_seed(number)
    recorder = Recorder(rules, state, [bot, bot], dice.commitment)
    bots = [policy(bot, number), policy(bot, number)]
    watchers = [judge, spells, recorder]
    played = play_game(rules, state, bots, dice, seed=number, watchers=watchers, trusting=False)
    assert (played.forfeit, judge.problems, spells.idle) == ("", [], [])
    assert verify(recorder.log()).ok


@needs_books
def test_eighty_books_are_imported_in_a_minute_of_one_processor() -> None:
    began = time.process_time()
    books = [book for folder in FOLDERS for book in books_in(folder)]
    assert (time.process_time() - began) * 80 / len(books) < IMPORT_SECONDS


@needs_books
def test_a_battle_of_imported_lists_starts_about_as_fast_as_a_ready_made_one() -> None:
    edition, one, other = meetings()[0]
    imported = [some_army(book, edition, seat) for seat, book in enumerate((one, other))]
    ready = demo_armies(edition)
    for lists in (None, imported):  # the seed's table and the parsed armies are cached
        demo_setup(edition, 1, lists=lists) if lists else demo_setup(edition, 1)

    def seconds(lists: list[MusteredArmy]) -> float:
        began = time.process_time()
        for _ in range(5):
            demo_setup(edition, 1, lists=lists)
        return (time.process_time() - began) / 5

    assert seconds(imported) < 0.005 + 2 * seconds(list(ready))
