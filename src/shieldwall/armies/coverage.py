"""How much of army books is played: rules by instances and names, units with all their rules, spells with an effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from shieldwall.armies.army_rules import (
    HowPlayed,
    army_rules,
    edition_of_its_time,
    means_its_text,
    plays_rules,
    standing_of,
)
from shieldwall.armies.book import Book, BookSpell, BookUnit, every_rule, rules_of_thing, rules_of_unit
from shieldwall.armies.files import BOOK_BYTES
from shieldwall.armies.forge.systems import system_key
from shieldwall.armies.overlay import as_played
from shieldwall.armies.spells import read_spells
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.army import meanings_of

PLAYED: tuple[HowPlayed, ...] = ("rulebook", "pattern", "class")
FITTING: dict[str, tuple[str, ...]] = {  # editions of the games that books are made for, the usual one first
    "aof": ("aof-2", "regiments-3.5", "regiments-3.4", "aof-1.6"),
    "aofr": ("regiments-3.5", "regiments-3.4", "aof-2", "aof-1.6"),
    "aofs": ("skirmish-3.2",),
}
WAYS: tuple[HowPlayed, ...] = (*PLAYED, "not played", "not understood")


class Share(Struct, frozen=True):
    """A number out of a total."""

    of: int = 0
    played: int = 0

    @property
    def percent(self) -> float:
        """The share as a percentage; 100 if there is nothing to count."""
        return 100.0 * self.played / self.of if self.of else 100.0

    def plus(self, other: Share) -> Share:
        """The sum of both."""
        return Share(self.of + other.of, self.played + other.played)


class BookCoverage(Struct, frozen=True):
    """How much of a book is played in an edition. `units` counts units with all rules printed on them,
    `units_with_options` those for which all rules they may buy are played as well.
    """

    name: str
    version: str
    system: str
    edition: str
    instances: Share
    names: Share
    units: Share
    units_with_options: Share
    spells: Share
    by_way: dict[str, int] = {}
    unplayed: dict[str, int] = {}  # rules that are not played, with how often they are printed
    ways: dict[str, str] = {}  # how each rule is played, by name


def cover_book(book: Book, edition: str) -> BookCoverage:
    """How much of a book is played in an edition."""
    played = as_played(book, edition)
    ways = {name: standing_of(played, edition, name).how for name in {r.name for r in every_rule(played)}}
    printed = Counter(rule.name for rule in every_rule(played))
    by_way = Counter[str]()
    for name, count in printed.items():
        by_way[ways[name]] += count
    good = {name for name, way in ways.items() if way in PLAYED}
    names = {text.name for text in played.rules} | printed.keys()
    known = {name: standing_of(played, edition, name).is_played for name in names}
    units = [_has_all(rules_of_unit(unit), good) for unit in played.units]
    whole = [_has_all(_rules_for_unit(played, unit), good) for unit in played.units]
    return BookCoverage(
        name=book.name,
        version=book.version,
        system=book.system,
        edition=edition,
        instances=Share(sum(printed.values()), sum(printed[name] for name in good)),
        names=Share(len(names), sum(known.values())),
        units=Share(len(units), sum(units)),
        units_with_options=Share(len(whole), sum(whole)),
        spells=Share(len(played.spells), sum(is_cast(played, edition, spell) for spell in played.spells)),
        by_way=dict(by_way),
        unplayed={name: printed[name] for name in sorted(names) if not known[name]},
        ways={name: standing_of(played, edition, name).how for name in names},
    )


def together(books: Sequence[BookCoverage]) -> BookCoverage:
    """All books added up; a name counts once per game, and as played only if every book plays it."""
    seen: dict[tuple[str, str], bool] = {}
    unplayed, by_way = Counter[str](), Counter[str]()
    for one in books:
        unplayed.update(one.unplayed)
        by_way.update(one.by_way)
        for name, way in one.ways.items():
            key = (one.system, name)
            seen[key] = seen.get(key, True) and way in PLAYED

    def summed(what: str) -> Share:
        total = Share()
        for one in books:
            total = total.plus(getattr(one, what))
        return total

    return BookCoverage(
        name="all books",
        version="",
        system="",
        edition=", ".join(sorted({one.edition for one in books})),
        instances=summed("instances"),
        names=Share(len(seen), sum(seen.values())),
        units=summed("units"),
        units_with_options=summed("units_with_options"),
        spells=summed("spells"),
        by_way=dict(by_way),
        unplayed=dict(unplayed.most_common()),
    )


def books_in(folder: Path) -> tuple[list[Book], list[str]]:
    """The army books in a folder and below, or the one in a file, with a remark about every other file."""
    from shieldwall.armies.importing import read_any

    found: list[Book] = []
    passed: list[str] = []
    below = [folder] if folder.is_file() else sorted(folder.rglob("*"))
    for path in (path for path in below if path.suffix.lower() in (".json", ".yaml", ".yml")):
        if path.stat().st_size > BOOK_BYTES:
            passed.append(f"{path.name}: is larger than {BOOK_BYTES // 1024} KiB")
            continue
        try:
            read = read_any(path.read_bytes(), path.name)
        except (MalformedError, OSError) as error:
            passed.append(f"{path.name}: {error}")
            continue
        if read.army is None:
            found += read.books
        else:
            passed.append(f"{path.name}: is a list, not a book")
    return found, passed


def edition_of(book: Book, edition: str = "") -> str:
    """The edition in which a book is judged: the one given, its own, or the one that plays most of it as written."""
    return edition or (book.system if book.system in EDITIONS else best_edition(book))


@cache
def best_edition(book: Book) -> str:
    """The edition a book was written for, or the (first) one of its game that plays most of it as written."""
    if written := edition_of_its_time(book):
        return written
    fitting = FITTING.get(system_key(book.system), EDITIONS)
    return max(fitting, key=lambda edition: _meant(book, edition))


def _meant(book: Book, edition: str) -> int:
    """How many printed rules of a book an edition plays as the book's own game means them."""
    played = as_played(book, edition)
    printed = Counter(rule.name for rule in every_rule(played))
    return sum(count for name, count in printed.items() if means_its_text(played, edition, name))


def is_cast(book: Book, edition: str, spell: BookSpell) -> bool:
    """Whether a spell can be cast and does everything it says."""
    if spell.spec is None:
        return False
    try:
        (cast,) = read_spells((spell.spec,), meanings_of(army_rules(book, edition)))
    except MalformedError:
        return False
    return plays_rules((*cast.rules, *cast.grants), ruleset(edition).specials)


def _has_all(rules: Iterable[RuleRef], good: set[str]) -> bool:
    return all(rule.name in good for rule in rules)


def _rules_for_unit(book: Book, unit: BookUnit) -> Iterator[RuleRef]:
    yield from rules_of_unit(unit)
    for section in book.sections_of(unit):
        for option in section.options:
            for gain in option.gains:
                yield from rules_of_thing(gain.what)
