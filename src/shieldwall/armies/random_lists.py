"""Random army lists from a book: legal ones, and reproducible.

They are for soak tests and quick battles, and often have mounted heroes in units on foot, combined units and upgrades
nobody would buy. `legal_list` keeps a unit only if `check_list` finds no new error in the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.book import Book, BookUnit, Section
from shieldwall.armies.check import Checked, Finding, check_list, default_size
from shieldwall.armies.factions import FACTIONS, book
from shieldwall.armies.files import BOOK_BYTES, read_limited
from shieldwall.armies.forge.systems import key_of, system_key
from shieldwall.armies.importing import read_any
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.armies.loadout import is_for_all, most_taken, outfit
from shieldwall.armies.overlay import as_played
from shieldwall.core.errors import ShieldwallError
from shieldwall.table.numbers import TableNumbers

FAILURES_MOST = 12  # units in a row that do not fit before a list counts as full
UNITS_MOST = 30
BOOK_FILES = (".json", ".yaml", ".yml")
LOOSE_SYSTEM, RANKED_SYSTEM = "aof", "aofr"  # ranked editions also play books written for loose units


class Chances(Struct, frozen=True):
    """How often a random list does what it may: shares from 0 to 1."""

    section: float = 0.5
    combine: float = 0.25
    join: float = 0.75
    hero: float = 0.35


def books_in(folder: Path, problems: list[str] | None = None) -> tuple[Book, ...]:
    """Every army book in a folder and below; files without one are listed in `problems`."""
    found: list[Book] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in BOOK_FILES or not path.is_file():
            continue
        try:
            imported = read_any(read_limited(path, BOOK_BYTES), path.name)
        except ShieldwallError as error:
            if problems is not None:
                problems.append(str(error))
            continue
        found += imported.books if imported.army is None else ()
    return tuple(found)


def books_for(edition: str, books: Sequence[Book] = ()) -> tuple[Book, ...]:
    """Our factions and those of the given books written for an edition's game, as the edition plays them."""
    own = [book(faction, edition) for faction in FACTIONS]
    key = key_of(edition)
    wanted = {key, LOOSE_SYSTEM} if key == RANKED_SYSTEM else {key}
    fitting = [one for one in books if one.system == edition or system_key(one.system) in wanted]
    return (*own, *(as_played(one, edition) for one in fitting))


def legal_list(
    source: Book,
    edition: str,
    numbers: TableNumbers,
    *,
    points: int = 0,
    strict: bool = False,
    chances: Chances | None = None,
) -> ArmyList:
    """A legal list of random units, upgrades, combined units and joined heroes from one book.

    `points` is the game size (the larger one the edition suggests if 0); `strict` also enforces force organisation.
    The book must be one the edition plays as it stands, see `books_for`. A list is empty only if the book has no
    unit that is legal alone at this size.
    """
    size = points or default_size(edition)
    made = ArmyList(
        name=f"{source.name} at random",
        edition=edition,
        points=size,
        entries=(),
        books=(BookRef(source.id, source.name, source.version),),
    )
    maker = _ListMaker(source, numbers, chances or Chances())
    checked, failures = check_list(made, (source,), points=size, strict=strict), 0
    while failures < FAILURES_MOST and len(made.entries) < UNITS_MOST:
        for entries in maker.longer(made.entries, size - checked.cost, needs_hero=not checked.is_legal):
            found = check_list(replace(made, entries=entries), (source,), points=size, strict=strict)
            if errors_of(found) <= errors_of(checked):
                made, checked, failures = replace(made, entries=entries), found, 0
                break
        else:
            failures += 1
    return made if checked.is_legal else replace(made, entries=())


def errors_of(checked: Checked) -> set[Finding]:
    """What makes a list illegal."""
    return {finding for finding in checked.findings if finding.level == "error"}


Entries = tuple[Entry, ...]


class _ListMaker:
    """Units of one book with random equipment."""

    def __init__(self, source: Book, numbers: TableNumbers, chances: Chances) -> None:
        self.source, self.numbers, self.chances = source, numbers, chances

    def longer(self, entries: Entries, left: int, needs_hero: bool) -> list[Entries]:
        """A list with one more entry, in the order in which variants are best tried: joined first."""
        units = [unit for unit in self.source.units if unit.cost <= left]
        wants_hero = needs_hero or self._chance(self.chances.hero)
        among = [unit for unit in units if unit.is_hero == wants_hero]
        if not among:
            return []
        unit = self.numbers.pick(among)
        entry = Entry(id=f"e{len(entries) + 1}", unit=unit.id, picks=self._picks(unit, left))
        alone = (*entries, entry)
        if unit.is_hero:
            return [*self._joined(entries, entry), alone]
        price = outfit(self.source, unit, entry.picks).cost
        combined = []
        if 2 * price <= left and self._chance(self.chances.combine):
            double = replace(entry, second=self._second(unit, entry.picks, left - price))
            combined = [*self._joined_by_hero(entries, double), (*entries, double)]
        return [*combined, *self._joined_by_hero(entries, entry), alone]

    def _joined(self, entries: Entries, hero: Entry) -> list[Entries]:
        """The new entry joins a unit that no hero has joined."""
        taken = {other.joins for other in entries}
        hosts = [other.id for other in entries if not self._is_hero(other) and other.id not in taken]
        if not hosts or not self._chance(self.chances.join):
            return []
        return [(*entries, replace(hero, joins=self.numbers.pick(hosts)))]

    def _joined_by_hero(self, entries: Entries, host: Entry) -> list[Entries]:
        """A hero of the list who stands alone joins the new entry."""
        alone = [place for place, other in enumerate(entries) if self._is_hero(other) and not other.joins]
        if not alone or not self._chance(self.chances.join):
            return []
        place = self.numbers.pick(alone)
        return [(*entries[:place], replace(entries[place], joins=host.id), *entries[place + 1 :], host)]

    def _is_hero(self, entry: Entry) -> bool:
        unit = self.source.unit(entry.unit)
        return unit is not None and unit.is_hero

    def _picks(self, unit: BookUnit, left: int) -> tuple[UpgradePick, ...]:
        """Options of some sections, one after another, as long as each can be bought."""
        picks: tuple[UpgradePick, ...] = ()
        for section in self.source.sections_of(unit):
            if section.options and self._chance(self.chances.section):
                picks = self._bought(unit, picks, section, left)
        return picks

    def _bought(
        self, unit: BookUnit, picks: tuple[UpgradePick, ...], section: Section, left: int
    ) -> tuple[UpgradePick, ...]:
        most = min(most_taken(section, unit), unit.size, len(section.options) * unit.size)
        for _ in range(1 + self.numbers.below(max(1, most))):
            option = self.numbers.pick(section.options)
            more = (*picks, UpgradePick(option.id, section.id))
            loadout = outfit(self.source, unit, more)
            if not loadout.problems and not loadout.missing and loadout.cost <= left:
                picks = more
        return picks

    def _second(self, unit: BookUnit, first: tuple[UpgradePick, ...], left: int) -> tuple[UpgradePick, ...]:
        """The upgrades of a second copy: those for all models as in the first, others independent."""
        shared = tuple(pick for pick in first if self._is_for_all(unit, pick))
        own = tuple(pick for pick in self._picks(unit, left) if not self._is_for_all(unit, pick))
        picks = shared
        for pick in own:
            loadout = outfit(self.source, unit, (*picks, pick))
            if not loadout.problems and loadout.cost <= left:
                picks = (*picks, pick)
        return picks

    def _is_for_all(self, unit: BookUnit, pick: UpgradePick) -> bool:
        found = self.source.find_option(unit, pick.option, pick.section)
        return found is not None and is_for_all(found[0])

    def _chance(self, share: float) -> bool:
        return self.numbers.share() < share
