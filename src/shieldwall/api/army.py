"""Army lists for programs: load, inspect, change, check and save them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from shieldwall.armies import (
    ArmyList,
    Book,
    Entry,
    MusteredArmy,
    check_list,
    cost_of,
    ready_lists,
    recruit,
)
from shieldwall.armies.check import Checked
from shieldwall.armies.finding import find_army, original_of
from shieldwall.armies.importing import read_any
from shieldwall.armies.list_file import write_list
from shieldwall.armies.recruit import books_of
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset


class Army:
    """An army list together with the books it was made from.

    >>> army = Army.load("kilnfolk-750", edition="regiments-3.5")
    >>> army.name, army.points
    ('First Firing', 750)
    >>> len(army.units) == len(set(army.units))
    True
    """

    def __init__(self, army: ArmyList, books: Sequence[Book] = ()) -> None:
        self.list = army
        self.books = tuple(books)

    @classmethod
    def load(cls, name: str | Path, edition: str = "", books: Sequence[str | Path] = ()) -> Army:
        """Load a list from a file, or by the name of a ready-made list (`"kilnfolk-750"`) or an imported one.

        Files may be ours, Army Forge's, or text as Army Forge shares it. `books` are files of the books it needs.
        """
        like = ruleset(edition).like if edition else ""
        found = find_army(str(name), books=[str(one) for one in books], edition=like)
        if found.army is None:
            raise ShieldwallError(f"{name} is an army book, not a list")
        return cls(found.army, found.books)

    @classmethod
    def from_text(cls, text: str, edition: str = "") -> Army:
        """A list from its text: the contents of a file, or what Army Forge copies to the clipboard."""
        found = read_any(text.encode(), "this text", edition=edition)
        if found.army is None:
            raise ShieldwallError("the text is an army book, not a list")
        return cls(found.army, found.books)

    @staticmethod
    def ready(edition: str) -> list[str]:
        """The names of the ready-made lists of an edition.

        >>> Army.ready("skirmish-3.2")[:2]
        ['lantern-coast-150', 'kilnfolk-150']
        """
        return [one.id for one in ready_lists(original_of(edition))]

    @property
    def name(self) -> str:
        """The name of the list."""
        return self.list.name

    @property
    def edition(self) -> str:
        """The edition it was written for."""
        return self.list.edition

    @property
    def points(self) -> int:
        """Its cost in points."""
        return cost_of(self.list, books_of(self.list, self.books))

    @property
    def units(self) -> list[str]:
        """The ids of its entries, in order."""
        return [entry.id for entry in self.list.entries]

    def check(self) -> Checked:
        """Check the list: `.is_legal`, and every problem in `.findings`."""
        return check_list(self.list, self.books)

    def without(self, *units: str) -> Army:
        """A copy without some entries, by their ids."""
        strangers = [unit for unit in units if unit not in self.units]
        if strangers:
            there = ", ".join(self.units)
            raise ShieldwallError(f"{self.name} has no unit {', '.join(strangers)}; it has: {there}")
        entries = tuple(
            replace(entry, joins="" if entry.joins in units else entry.joins)
            for entry in self.list.entries
            if entry.id not in units
        )
        return Army(replace(self.list, entries=entries, stated=0), self.books)

    def with_unit(self, entry: Entry) -> Army:
        """A copy with one more entry; its id must be new."""
        if entry.id in self.units:
            raise ShieldwallError(f"{self.name} already has a unit {entry.id!r}")
        return Army(replace(self.list, entries=(*self.list.entries, entry), stated=0), self.books)

    def save(self, path: str | Path) -> None:
        """Save the list in our own format."""
        Path(path).write_text(write_list(self.list), encoding="utf-8")

    def muster(self) -> MusteredArmy:
        """The list as the engine takes it: every model with its profile."""
        return recruit(self.list, self.books)

    def __repr__(self) -> str:
        return f"<Army {self.name!r}: {len(self.list.entries)} units, {self.points} points, {self.edition}>"
