"""Armies: books, lists and their cost, whether a list is legal, and how a list becomes part of a game.

Our own factions are ready to use: `factions()`, `book(faction, edition)`, `ready_lists(edition)`, `ready_list(edition,
id)`. `recruit(army_list)` turns a list into a `MusteredArmy`, which `muster` and `fresh_state` put into a game.
"""

from shieldwall.armies.book import Book, BookSpell, BookUnit
from shieldwall.armies.check import Checked, Finding, check_game, check_list, check_side
from shieldwall.armies.factions import NoArmyError, ReadyList, book, factions, ready_list, ready_lists
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.armies.muster import Mustered, MusteredArmy, fresh_state, muster
from shieldwall.armies.recruit import books_of, cost_of, loadout_of, recruit

__all__ = [
    "ArmyList",
    "Book",
    "BookRef",
    "BookSpell",
    "BookUnit",
    "Checked",
    "Entry",
    "Finding",
    "Mustered",
    "MusteredArmy",
    "NoArmyError",
    "ReadyList",
    "UpgradePick",
    "book",
    "books_of",
    "check_game",
    "check_list",
    "check_side",
    "cost_of",
    "factions",
    "fresh_state",
    "loadout_of",
    "muster",
    "ready_list",
    "ready_lists",
    "recruit",
]
