"""A list or a book by what the player calls it: a file, a ready-made list, one of their own folder, a faction."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from shieldwall.armies.book import Book
from shieldwall.armies.factions import FACTIONS, NoArmyError, book, ready_list, ready_lists
from shieldwall.armies.files import BOOK_BYTES, ArmyFileError, read_limited
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.list_file import write_list
from shieldwall.armies.store import saved_books, saved_lists
from shieldwall.editions import EDITIONS

PASTED = "-"


def find_army(name: str, *, books: Sequence[str] = (), edition: str = "") -> Imported:
    """What a name stands for, with everything there is to say about it.

    A file comes first, `-` is what is pasted; then `edition/id` of a ready-made list, a list of the player's own
    folder, and one of our factions together with an edition. `books` are files of army books to use beside those of
    the player's folder.
    """
    known = [*saved_books(), *_books(books)]
    if name == PASTED:
        return read_any(
            sys.stdin.buffer.read(BOOK_BYTES + 1), "the pasted text", books=known, edition=edition
        )
    path = Path(name)
    if path.is_file():
        return read_any(read_limited(path, BOOK_BYTES), path.name, books=known, edition=edition)
    found = _ready(name, edition) or _own(name, known, edition) or _faction(name, edition)
    if found is not None:
        return found
    raise NoArmyError(
        f"{name!r} is no file, no ready-made list (such as {EDITIONS[-1]}/{_example()}), no list of yours and no "
        f"faction ({', '.join(FACTIONS)} with --edition); `shieldwall army list` shows what there is"
    )


def _books(names: Sequence[str]) -> list[Book]:
    found: list[Book] = []
    for name in names:
        path = Path(name)
        told = read_any(read_limited(path, BOOK_BYTES), path.name)
        if told.army is not None:
            raise ArmyFileError(f"{name} is a list, not an army book")
        found += told.books
    return found


def _ready(name: str, edition: str) -> Imported | None:
    told, _, ready = name.rpartition("/")
    told = told or edition
    if told not in EDITIONS or ready not in {known.id for known in ready_lists(told)}:
        return None
    army = ready_list(told, ready)
    return Imported(army, (book(army.books[0].id, told),), ())


def _own(name: str, known: Sequence[Book], edition: str) -> Imported | None:
    for stem, army in saved_lists():
        if name in (stem, army.name, army.id):
            return read_any(write_list(army).encode(), stem, books=known, edition=edition)
    return None


def _faction(name: str, edition: str) -> Imported | None:
    if name not in FACTIONS:
        return None
    if edition not in EDITIONS:
        raise NoArmyError(f"{name} needs an edition: --edition {' or '.join(EDITIONS)}")
    return Imported(None, (book(name, edition),), ())


def _example() -> str:
    return ready_lists(EDITIONS[-1])[0].id
