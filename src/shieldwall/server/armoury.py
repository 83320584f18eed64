"""Armies for games and for the army page: ready-made ones, a player's own, and imported ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies import ArmyList, Book, BookUnit, MusteredArmy, check_game, recruit
from shieldwall.armies import book as our_book
from shieldwall.armies.army_rules import standing_of
from shieldwall.armies.book import every_rule
from shieldwall.armies.book_file import read_book, write_book
from shieldwall.armies.check import default_size
from shieldwall.armies.coverage import is_cast
from shieldwall.armies.factions import FACTIONS, ready_list, ready_lists
from shieldwall.armies.lists import BookRef, Entry
from shieldwall.armies.loadout import most_taken, totals
from shieldwall.armies.overlay import as_played
from shieldwall.armies.parse import describe_weapon
from shieldwall.armies.recruit import Books, books_of, cost_of, loadout_of, printed_models, rules_played
from shieldwall.armies.repairs import Checking, repairs_of
from shieldwall.armies.things import describe
from shieldwall.armies.troops import wounds_of
from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rulebook.catalogue import row
from shieldwall.server.pages import ArmyCard
from shieldwall.server.reference import (
    ArmyFinding,
    ArmyRepair,
    ArmyReport,
    BookCard,
    BookUnitView,
    BookView,
    OptionOffer,
    SectionView,
    SpellCard,
    UnitCard,
)
from shieldwall.server.storage import ArmyRow
from shieldwall.server.text import clean
from shieldwall.server.views import Reason, RuleTextView, RuleView, WeaponView
from shieldwall.server.words import rule_view

READY = "ready:"
BOOK = "book"  # stands for the edition in rows that hold a book instead of a list
MOST_ENTRIES = 200  # units in a stored list
MOST_UNITS, MOST_MODELS = 60, 400  # models in an army that is played


class NoSuchArmyError(ShieldwallError):
    """The army does not exist or belongs to another player."""


class StoredList(Struct, frozen=True):
    """A list as it is stored, with the imported books it needs as the text of book files."""

    army: ArmyList
    books: tuple[str, ...] = ()

    @property
    def read_books(self) -> tuple[Book, ...]:
        """Parse the stored books."""
        return tuple(_read_book(text) for text in self.books)


KEPT: msgspec.json.Decoder[StoredList] = msgspec.json.Decoder(StoredList)


class _Books(Struct, frozen=True):
    """The part of a stored list that names its books."""

    books: tuple[BookRef, ...] = ()


class _Bearer(Struct, frozen=True):
    army: _Books


_BEARERS: msgspec.json.Decoder[_Bearer] = msgspec.json.Decoder(_Bearer)


@lru_cache(maxsize=256)
def faction_of(kept: bytes) -> str:
    """The id of a stored army's first book; "" if it has none."""
    books = _BEARERS.decode(kept).army.books
    return books[0].id if books else ""


@lru_cache(maxsize=64)
def _read_book(text: str) -> Book:
    return read_book(text)


def stored_with(army: ArmyList, books: Sequence[Book]) -> StoredList:
    """A list with those of the given books that it uses and that are not built in."""
    wanted = {army.book_of(entry) for entry in army.entries} | {ref.id for ref in army.books}
    return StoredList(
        army, tuple(write_book(book) for book in books if book.id in wanted and book.id not in FACTIONS)
    )


def own_books(rows: Iterable[ArmyRow]) -> tuple[Book, ...]:
    """The books a player has imported."""
    return tuple(_read_book(row.data.decode()) for row in rows if row.edition == BOOK)


def own_cards(rows: Sequence[ArmyRow]) -> list[ArmyCard]:
    """A player's armies as cards."""
    return [own_card(row, rows) for row in rows if row.edition != BOOK]


def book_cards(rows: Sequence[ArmyRow], edition: str) -> list[BookCard]:
    """Built-in books and those a player has imported, in one edition or (empty) in all."""
    own = [
        BookCard(book.id, book.name, known, book.about, len(book.units), True)
        for book in own_books(rows)
        for known in EDITIONS
    ]
    return [card for card in (*books(), *own) if edition in ("", card.edition)]


def one_book(edition: str, id: str, rows: Sequence[ArmyRow]) -> BookView:
    """A book the player imported, or else a built-in one."""
    own = next((book for book in own_books(rows) if book.id == id), None)
    return view_of(edition, own) if own is not None else book_view(edition, id)


class CheckedList(Struct, frozen=True):
    """A list with its report, and in its stored form."""

    kept: bytes
    report: ArmyReport


def judged(
    id: str, army: ArmyList, rows: Sequence[ArmyRow], remarks: Sequence[ArmyFinding] = ()
) -> CheckedList:
    """Check a list that a player sent, with the player's own books."""
    return checked_with(id, cleaned(army), own_books(rows), remarks)


def checked_with(
    id: str, army: ArmyList, more: Sequence[Book], remarks: Sequence[ArmyFinding] = ()
) -> CheckedList:
    """Check a list to be stored under the given id, with the given books."""
    kept = stored_with(replace(army, id=id), more)
    return CheckedList(encode(kept), report_of(id, kept, remarks))


def found(army: str, edition: str, rows: Sequence[ArmyRow]) -> StoredList:
    """One of a player's armies, or a ready-made one, for one edition or for any."""
    known = {row.id: row for row in rows}
    for one in (edition,) if edition else EDITIONS:
        try:
            return list_named(army, one, known)
        except ShieldwallError:
            continue
    raise NoSuchArmyError("there is no such army")


def report_on(army: str, edition: str, rows: Sequence[ArmyRow]) -> ArmyReport:
    """An army with its cards."""
    return report_of(army, found(army, edition, rows))


def copied(id: str, army: str, edition: str, rows: Sequence[ArmyRow]) -> CheckedList:
    """A copy of an army under a new id."""
    kept = found(army, edition, rows)
    name = clean(f"{kept.army.name} (copy)", 80)
    return checked_with(id, replace(kept.army, name=name), kept.read_books)


# --- cards ---


@cache
def ready_cards(edition: str) -> tuple[ArmyCard, ...]:
    """The ready-made armies of an edition, by size."""
    try:
        known = ready_lists(edition)
    except ShieldwallError:
        return ()
    return tuple(card_of(f"{READY}{r.id}", StoredList(ready_list(edition, r.id)), ready=True) for r in known)


def card_of(id: str, kept: StoredList, ready: bool = False, changed: str = "") -> ArmyCard:
    """A list as a card. Ready-made lists are known to be legal (tests/armies) and are not checked again."""
    army, more = kept.army, kept.read_books
    known = books_of(army, more)
    findings = () if ready else check_game([army], more)[0].findings
    sizes = [found.size for e in army.entries if (found := loadout_of(army, e, known)) is not None]
    faction = army.books[0].name or army.books[0].id if army.books else ""
    if army.books and army.books[0].id in known:
        faction = known[army.books[0].id].name
    problems = sum(finding.level == "error" for finding in findings)
    said = None if ready else rules_played(army, known)
    return ArmyCard(
        id=id,
        name=army.name,
        faction=faction,
        edition=army.edition,
        points=cost_of(army, known),
        units=len(army.entries),
        models=sum(sizes),
        ready=ready,
        problems=problems,
        changed=changed,
        unplayed="" if said is None or said.is_whole else said.words,
    )


def own_card(row: ArmyRow, rows: Iterable[ArmyRow] = ()) -> ArmyCard:
    """One of a player's armies as a card."""
    return card_of(row.id, completed(KEPT.decode(row.data), rows), changed=row.changed)


def completed(kept: StoredList, rows: Iterable[ArmyRow]) -> StoredList:
    """A list with books that were missing when it was stored and that the player has imported since."""
    army = kept.army
    wanted = {army.book_of(entry) for entry in army.entries} - {book.id for book in kept.read_books}
    if wanted <= set(FACTIONS):
        return kept
    later = tuple(write_book(book) for book in own_books(rows) if book.id in wanted)
    return replace(kept, books=(*kept.books, *later))


# --- into a game ---


def list_named(key: str, edition: str, rows: Mapping[str, ArmyRow]) -> StoredList:
    """A list by its key: ready-made, or one of the player's own."""
    if key.startswith(READY):
        return StoredList(ready_list(edition, key.removeprefix(READY)))
    row = rows.get(key)
    if row is None or row.edition == BOOK:
        raise NoSuchArmyError("you have no such army; pick another")
    return completed(KEPT.decode(row.data), rows.values())


def army_for(key: str, edition: str, rows: Mapping[str, ArmyRow]) -> StoredList:
    """The list for a game. It must be made for the game's edition; an empty key selects the first ready-made one."""
    if not key:
        cards = ready_cards(edition)
        if not cards:
            raise NoSuchArmyError(f"there are no ready-made armies for {edition}; build one first")
        key = cards[0].id
    kept = list_named(key, edition, rows)
    army = kept.army
    if army.edition != edition:
        raise NoSuchArmyError(f"{army.name} is an army for {army.edition}, not for {edition}")
    mustered(kept)  # raises if a book is missing
    _require_a_size_that_can_be_played(kept)
    return kept


def _require_a_size_that_can_be_played(kept: StoredList) -> None:
    """Refuse empty armies, and armies so large that they would slow down other games."""
    army = kept.army
    if not army.entries:
        raise ShieldwallError(f"{army.name} has no units yet; add some first")
    loadouts = [loadout_of(army, entry, books_of(army, kept.read_books)) for entry in army.entries]
    models = sum(loadout.size for loadout in loadouts if loadout is not None)
    if len(army.entries) > MOST_UNITS or models > MOST_MODELS:
        raise ShieldwallError(
            f"{army.name} has {len(army.entries)} units and {models} models; "
            f"at most {MOST_UNITS} units and {MOST_MODELS} models can be played here"
        )


def mustered(kept: StoredList) -> MusteredArmy:
    """A stored list, mustered for a game."""
    return recruit(kept.army, kept.read_books)


# --- books ---


@cache
def books() -> tuple[BookCard, ...]:
    """All built-in books, in every edition they can be played in."""
    found = []
    for edition in EDITIONS:
        for faction in FACTIONS:
            try:
                book = our_book(faction, edition)
            except ShieldwallError:
                continue
            found.append(BookCard(book.id, book.name, edition, book.about, len(book.units)))
    return tuple(found)


@cache
def book_view(edition: str, faction: str) -> BookView:
    """A built-in book with everything it offers."""
    return view_of(edition, our_book(faction, edition))


def view_of(edition: str, book: Book) -> BookView:
    """A book with everything it offers, as an edition plays it."""
    return BookView(
        id=book.id,
        name=book.name,
        edition=edition,
        version=book.version,
        about=book.about,
        units=tuple(_book_unit(edition, book, unit) for unit in book.units),
        spells=_spells(edition, as_played(book, edition)),
        rules=_texts(edition, as_played(book, edition)),
    )


def _spells(edition: str, book: Book) -> tuple[SpellCard, ...]:
    return tuple(
        SpellCard(spell.name, spell.cost, spell.text, is_cast(book, edition, spell)) for spell in book.spells
    )


def _texts(edition: str, book: Book) -> tuple[RuleTextView, ...]:
    """The rules a book prints, with its own text or, where it has none, our description of the rulebook's rule."""
    names = sorted({rule.name for rule in every_rule(book)} | {rule.name for rule in book.rules})
    specials = ruleset(edition).specials
    found = []
    for name in names:
        standing = standing_of(book, edition, name)
        binding = specials.bindings.get(name)
        text = standing.text or (row(binding.cite).rule if binding is not None else "")
        found.append(RuleTextView(name, text, -1, standing.is_played))
    return tuple(found)


def _book_unit(edition: str, book: Book, unit: BookUnit) -> BookUnitView:
    return BookUnitView(
        id=unit.id,
        name=unit.name,
        cost=unit.cost,
        size=unit.size,
        quality=unit.quality,
        defense=unit.defense,
        kind=unit.kind,
        hero=unit.is_hero,
        about=unit.about,
        equipment=tuple(describe(line.what) for line in unit.equipment),
        rules=tuple(_rule(edition, book, ref) for ref in unit.rules),
        sections=tuple(
            SectionView(
                section.id,
                section.label,
                section.variant == "replace",
                most_taken(section, unit),
                tuple(
                    OptionOffer(
                        option.id,
                        option.name,
                        option.price(unit.id),
                        tuple(describe(line.what) for line in option.gains),
                    )
                    for option in section.options
                ),
            )
            for section in book.sections_of(unit)
        ),
    )


# --- reports ---


def report_of(id: str, kept: StoredList, remarks: Sequence[ArmyFinding] = ()) -> ArmyReport:
    """A list with its points, all findings, and a card for each unit."""
    army, more = kept.army, kept.read_books
    checked = check_game([army], more)[0]
    known = books_of(army, more)
    used = [known[ref.id] for ref in army.books if ref.id in known]
    printed = {
        rule.name
        for _, rules, weapons in printed_models(army, known)
        for rule in (*rules, *(rule for weapon in weapons for rule in weapon.rules))
    }
    return ArmyReport(
        id=id,
        army=army,
        cost=checked.cost,
        points=checked.points,
        legal=checked.is_legal,
        findings=(*remarks, *(ArmyFinding(f.level, f.text, f.row) for f in checked.findings)),
        cards=tuple(_card(army, entry, known) for entry in army.entries),
        spells=tuple(spell for book in used for spell in _spells(army.edition, book)),
        rules=tuple(text for book in used for text in _texts(army.edition, book) if text.name in printed),
        coverage=rules_played(army, known).words,
    )


def repairs(army: ArmyList, rows: Sequence[ArmyRow]) -> list[ArmyRepair]:
    """One repair for each problem that has one."""
    found = repairs_of(cleaned(army), Checking(own_books(rows), army.points or default_size(army.edition)))
    return [ArmyRepair(one.problem, one.words, one.army) for one in found]


def _card(army: ArmyList, entry: Entry, known: Books) -> UnitCard:
    rules = ruleset(army.edition)
    loadout = loadout_of(army, entry, known)
    host = army.entry(entry.joins) if entry.joins else None
    joined = (host.name or host.unit) if host is not None else ""
    if loadout is None:
        missing = (Reason(f"there is no unit {entry.unit!r} in the books here"),)
        return UnitCard(
            entry.id, entry.name or entry.unit, entry.unit, 0, 0, 0, 0, (), (), (), joined, missing
        )
    carried = totals(loadout)
    source = known[army.book_of(entry)]
    weapons = tuple(
        _weapon(army.edition, source, thing, n) for thing, n in carried if isinstance(thing, Weapon)
    )
    gained = dict.fromkeys([*loadout.unit.rules, *(t for t, _ in carried if isinstance(t, RuleRef))])
    return UnitCard(
        entry=entry.id,
        name=entry.name or loadout.unit.name,
        unit=loadout.unit.id,
        cost=loadout.cost,
        models=loadout.size,
        quality=loadout.unit.quality,
        defense=loadout.unit.defense,
        weapons=weapons,
        rules=tuple(_rule(army.edition, source, ref) for ref in gained),
        upgrades=tuple(option.name for _, option in loadout.bought),
        joined=joined,
        problems=tuple(Reason(problem) for problem in loadout.problems),
        wounds=tuple(
            wounds_of(rules.specials, (*loadout.unit.rules, *figure.gained)) for figure in loadout.figures
        ),
    )


def _rule(edition: str, book: Book, ref: RuleRef) -> RuleView:
    """A rule of a unit in a book, with its row unless the book's own text replaces it."""
    standing = standing_of(book, edition, ref.name)
    view = rule_view(ruleset(edition), ref)
    return replace(view, cite="" if standing.text else view.cite, played=standing.is_played)


def _weapon(edition: str, book: Book, weapon: Weapon, count: int) -> WeaponView:
    printed: tuple[RuleView, ...] = tuple(_rule(edition, book, ref) for ref in weapon.rules)
    return WeaponView(weapon.name, weapon.attacks, weapon.reach, printed, describe_weapon(weapon), count)


def cleaned(army: ArmyList) -> ArmyList:
    """A list with names reduced to plain text of reasonable length, and a bounded number of units."""
    if len(army.entries) > MOST_ENTRIES:
        raise MalformedError("army list", [f"{len(army.entries)} units; a list has at most {MOST_ENTRIES}"])
    entries = tuple(
        replace(entry, name=clean(entry.name), note=clean(entry.note, 400)) for entry in army.entries
    )
    return replace(
        army, name=clean(army.name, 80) or "Unnamed list", note=clean(army.note, 2000), entries=entries
    )
