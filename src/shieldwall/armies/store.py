"""The player's own folder: imported books and lists. None of it is ever distributed with the program.

Files are written atomically, under names made from ids, so that no name in a file can point elsewhere.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from shieldwall.armies.book import Book, slug
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.files import BOOK_BYTES, LIST_BYTES, home, read_limited, write_whole
from shieldwall.armies.list_file import read_list, write_list
from shieldwall.armies.lists import ArmyList
from shieldwall.core.errors import ShieldwallError

_SAFE = re.compile(r"^[A-Za-z0-9_-]{1,60}$")


def save_book(book: Book) -> Path:
    """Save a book; the same version is replaced, other versions and those for other games stay."""
    name = book.id if _SAFE.match(book.id) else _hashed(book.id)
    path = (
        home()
        / "books"
        / f"{slug(book.name)[:40]}-{name}-{slug(book.system)[:20]}-{slug(book.version)[:20]}.yaml"
    )
    write_whole(path, write_book(book))
    return path


def save_list(army: ArmyList) -> Path:
    """Save a list; the same list (by its id, or else its name) is replaced."""
    path = home() / "lists" / f"{slug(army.name)[:40]}-{_hashed(army.id or army.name)}.yaml"
    write_whole(path, write_list(army))
    return path


def saved_books(problems: list[str] | None = None) -> tuple[Book, ...]:
    """All readable books of the folder, by file name; the others are listed in `problems`."""
    found: list[Book] = []
    for path in sorted((home() / "books").glob("*.yaml")):
        try:
            found.append(read_book(read_limited(path, BOOK_BYTES), path.name))
        except ShieldwallError as error:
            if problems is not None:
                problems.append(str(error))
    return tuple(found)


def saved_lists(problems: list[str] | None = None) -> tuple[tuple[str, ArmyList], ...]:
    """All readable lists of the folder, with their file names."""
    found: list[tuple[str, ArmyList]] = []
    for path in sorted((home() / "lists").glob("*.yaml")):
        try:
            found.append((path.stem, read_list(read_limited(path, LIST_BYTES), path.name)))
        except ShieldwallError as error:
            if problems is not None:
                problems.append(str(error))
    return tuple(found)


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]
