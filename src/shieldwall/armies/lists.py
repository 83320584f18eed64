"""Army lists as data: what a player picked from one or more books, in order."""

from __future__ import annotations

from msgspec import Struct


class UpgradePick(Struct, frozen=True, array_like=True):
    """One purchase of one option. `section` is set if the option alone is ambiguous."""

    option: str
    section: str = ""


class Entry(Struct, frozen=True):
    """One unit of a list. Buying an option twice makes two picks.

    `second` has the picks of the second copy of a combined unit, and is None otherwise. `joins` is
    the id of the entry a hero is part of from the start, `book` the id of the book the unit comes from.
    """

    id: str
    unit: str
    book: str = ""
    name: str = ""
    note: str = ""
    picks: tuple[UpgradePick, ...] = ()
    second: tuple[UpgradePick, ...] | None = None
    joins: str = ""

    @property
    def is_combined(self) -> bool:
        """Whether the entry is a combined unit of two copies."""
        return self.second is not None


class BookRef(Struct, frozen=True):
    """A book a list was made with, and its version at the time; an empty version is unknown."""

    id: str
    name: str = ""
    version: str = ""


class ArmyList(Struct, frozen=True):
    """A list for a game of `points` points. `stated` is the total that its maker was shown, 0 if unknown.

    `system` is the game whose books it was made with; empty means that of the edition.
    """

    name: str
    edition: str
    points: int
    entries: tuple[Entry, ...]
    books: tuple[BookRef, ...] = ()
    note: str = ""
    id: str = ""
    stated: int = 0
    force_organisation: bool = False
    system: str = ""

    def entry(self, entry_id: str) -> Entry | None:
        """The entry with that id."""
        return next((entry for entry in self.entries if entry.id == entry_id), None)

    def book_of(self, entry: Entry) -> str:
        """The id of the book an entry comes from: its own, or the first of the list."""
        return entry.book or (self.books[0].id if self.books else "")
