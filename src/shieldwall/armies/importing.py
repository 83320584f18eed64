"""Imports anything a player has as a list with its books: our files, Army Forge files, resolved lists, pasted text.

This is the only entry point for all of them. The result always includes a report, and nothing is written here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import LATEST
from shieldwall.armies.book import Bases, Book, BookUnit, plain_name, slug
from shieldwall.armies.book_file import FORMAT as BOOK_FORMAT
from shieldwall.armies.book_file import read_book
from shieldwall.armies.coverage import best_edition
from shieldwall.armies.factions import FACTIONS, book
from shieldwall.armies.files import BOOK_BYTES, LIST_BYTES, load_yaml
from shieldwall.armies.forge.books import book_of, guess_kind, is_book
from shieldwall.armies.forge.lists import is_list, list_of, system_of
from shieldwall.armies.forge.report import ImportReport, Remark
from shieldwall.armies.forge.resolved import is_resolved, resolved_list
from shieldwall.armies.forge.systems import FITTING_GAMES, edition_for, fit, key_of, system_key
from shieldwall.armies.forge.text_match import find_match, unit_named
from shieldwall.armies.forge.text_read import TextList, TextUnit, carried, is_text_list, read_text
from shieldwall.armies.forge.wire import name_of, part, read_json
from shieldwall.armies.import_report import report_on, report_on_book
from shieldwall.armies.list_file import FORMAT as LIST_FORMAT
from shieldwall.armies.list_file import read_list
from shieldwall.armies.lists import ArmyList, BookRef, Entry, UpgradePick
from shieldwall.armies.overlay import as_played
from shieldwall.armies.recruit import Books, books_of, loadout_of
from shieldwall.armies.rule_names import COMMAND
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef
from shieldwall.editions import EDITIONS

SAVE_AGAIN = (
    "in Army Forge, export the list as a file or copy it as text, save an army book as JSON, and import that"
)
COPIES_MAX = 20
UNITS_MAX = 300  # lines of a pasted list, copies included
PRINTED = "printed"  # the book of units known only from their text, until it has a name
PASTED = "a pasted list"


class Imported(Struct, frozen=True):
    """The content of a file: a list with the books it needs, or a book alone; and the remarks."""

    army: ArmyList | None
    books: tuple[Book, ...]
    remarks: tuple[Remark, ...]


def read_any(
    content: bytes, what: str = "this file", *, books: Sequence[Book] = (), edition: str = ""
) -> Imported:
    """A list or a book in any of the known formats; `edition` decides how it is to be played.

    Raises one clear error for anything else.
    """
    if edition and edition not in EDITIONS:
        raise MalformedError(what, [f"there is no edition {edition!r}; there are: {', '.join(EDITIONS)}"])
    if len(content) > BOOK_BYTES:
        raise MalformedError(what, [f"is larger than {BOOK_BYTES // 1024} KiB"])
    report = ImportReport()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        raw = read_json(content, what)
        told = raw.get("format") if isinstance(raw, Mapping) else None
        own = _of_our_own(told, content, what, books, edition, report)
        return own or _from_json(raw, len(content), what, books, edition, report)
    text = _decoded(content, what)
    if is_text_list(text):
        _check_size(len(content), what)
        return _from_text(read_text(text, report), books, edition, report)
    return _from_yaml(content, what, books, edition, report)


def _check_size(size: int, what: str) -> None:
    if size > LIST_BYTES:
        raise MalformedError(what, [f"is larger than {LIST_BYTES // 1024} KiB, the maximum for a list"])


def _decoded(content: bytes, what: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedError(what, [f"is not UTF-8 text (byte {error.start})"]) from error


def _from_json(
    raw: object, size: int, what: str, books: Sequence[Book], edition: str, report: ImportReport
) -> Imported:
    if not isinstance(raw, Mapping):
        raise MalformedError(
            what, [f"is JSON, but neither an army book nor a list: expected an object; {SAVE_AGAIN}"]
        )
    if is_book(raw):
        found = book_of(raw, report)
        if not found.units:
            raise MalformedError(what, ["is an army book without any unit that can be read"])
        return _book_alone(found, edition, report)
    _check_size(size, what)
    if not is_resolved(raw) and not is_list(raw):
        raise MalformedError(
            what, [f"is JSON, but neither an army book nor a list with units in it; {SAVE_AGAIN}"]
        )
    told = system_of(raw)
    ours = name_of(part(part(raw, "shieldwall"), "edition"))
    settled = edition or (ours if ours in EDITIONS else edition_for(told))
    if settled is None:
        said = f"is for the game system {told!r}" if told else "does not name its game system"
        expected = f"expected aof, aofs or aofr, or name an edition (--edition {EDITIONS[-1]})"
        raise MalformedError(what, [f"{said}; {expected}"])
    is_settled = bool(edition) or ours in EDITIONS
    if is_resolved(raw):
        army, carried_books = resolved_list(raw, settled, report)
        army = army if is_settled else _where_it_means_most(army, carried_books)
        return _finished(army, carried_books, told, report, bool(edition))
    made_for = told if not ours else "" if ours == settled else ours
    army = list_of(raw, settled, report)
    army = army if is_settled else _where_it_means_most(army, books)
    return _finished(army, books, made_for, report, bool(edition))


def _where_it_means_most(army: ArmyList, books: Sequence[Book]) -> ArmyList:
    """A list without an edition, in the one that plays most of its first book as written."""
    wanted = {ref.id: ref.version for ref in army.books[:1]}
    found = [
        one for one in books if one.id in wanted and key_of(army.edition) in FITTING_GAMES.get(one.system, ())
    ]
    if not found or not found[0].version.startswith(LATEST):
        return army
    source = next((one for one in found if one.version == wanted[one.id]), found[-1])
    return replace(army, edition=best_edition(source))


def _from_yaml(
    content: bytes, what: str, books: Sequence[Book], edition: str, report: ImportReport
) -> Imported:
    if not content.strip():
        raise MalformedError(what, ["is empty"])
    _refuse_pages(content, what)
    has_keys = re.search(rb"^\w+:", content, re.MULTILINE)
    raw = load_yaml(content, what) if has_keys else {}
    if own := _of_our_own(raw.get("format"), content, what, books, edition, report):
        return own
    line = "a pasted list with lines such as `Spears [5] Q4+ D5+ | 80pts | Strider`"
    expected = f"expected an Army Forge file, {line}, {LIST_FORMAT} or {BOOK_FORMAT}"
    raise MalformedError(what, [f"is not in a known format; {expected}"])


def _of_our_own(
    told: object, content: bytes, what: str, books: Sequence[Book], edition: str, report: ImportReport
) -> Imported | None:
    """A file in one of our own formats, by its `format` key; JSON is read as YAML."""
    match told:
        case str() if told.startswith("shieldwall-book/"):
            return _book_alone(read_book(content, what), edition, report)
        case str() if told.startswith("shieldwall-list/"):
            _check_size(len(content), what)
            army = read_list(content, what)
            played = edition or army.edition
            army = replace(army, system=army.system or key_of(army.edition))
            return _finished(
                replace(army, edition=played),
                books,
                "" if played == army.edition else army.edition,
                report,
                bool(edition),
            )
    return None


def _book_alone(found: Book, edition: str, report: ImportReport) -> Imported:
    report_on_book(found, edition, report)
    return Imported(None, (found,), report.remarks)


def _refuse_pages(content: bytes, what: str) -> None:
    """Refuse what is often pasted instead of a list: its address, or the page that shows it."""
    start = content.lstrip()[:200].lower()
    save = "save the list as a file there (or copy its text) and import that"
    if link := share_link(content.strip().decode("utf-8", "replace")):
        raise MalformedError(what, [link])
    if re.match(rb"https?://\S+\s*$", content.strip()):
        raise MalformedError(what, [f"is a URL, and Shieldwall does not download anything; {save}"])
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise MalformedError(what, [f"is a web page, not a list; {save}"])


_SHARED = re.compile(
    r"^https?://(?P<host>army-forge[\w.-]*)/\S*?[?&](?:id|listId)=(?P<id>[A-Za-z0-9_-]{4,64})(?:&\S*)?$"
)


def share_link(text: str) -> str:
    """What to do with the share link of a list, because nothing is downloaded; empty for any other text."""
    found = _SHARED.match(text.strip())
    if found is None:
        return ""
    return (
        f"is the share link of an Army Forge list, and Shieldwall does not download anything. Open "
        f"https://{found['host']}/api/tts?id={found['id']} in a browser, save what it shows as list.json and import "
        "that: shieldwall army import list.json"
    )


def _finished(
    army: ArmyList, books: Sequence[Book], system: str, report: ImportReport, is_chosen: bool
) -> Imported:
    """Compare a list with its books: what is missing, what is not played, and whether the points agree.

    `is_chosen` if the player named the edition.
    """
    if army.edition not in EDITIONS:
        raise MalformedError(
            army.name, [f"there is no edition {army.edition!r}; there are: {', '.join(EDITIONS)}"]
        )
    if system and not system.startswith(army.edition):
        made_for = system if system in EDITIONS else system_key(system).upper()
        nearest = edition_for(system) or army.edition
        choice = f", which play more of it as printed than {nearest}; you can choose {nearest} instead"
        report.add(
            "changed",
            f"made for {made_for}; played with the rules of {army.edition}"
            + ("" if is_chosen or nearest == army.edition else choice),
        )
    army = replace(army, system="" if army.system == key_of(army.edition) else army.system)
    army = army if army.books or not army.entries else _with_fitting_book(army, books, report)
    known = books_of(army, books)
    primary = army.books[0].id if army.books else ""
    army = replace(
        army,
        entries=tuple(
            replace(_plain_picks(army, entry, known), book="" if entry.book == primary else entry.book)
            for entry in army.entries
        ),
    )
    found = ((entry.unit, loadout_of(army, entry, known)) for entry in army.entries)
    report.name({told: loadout.unit.name for told, loadout in found if loadout is not None})
    given = {
        source.id: source
        for source in books
        if source.id in known and as_played(source, army.edition) == known[source.id]
    }
    report_on(army, books, known, report)
    needed = {army.book_of(entry) for entry in army.entries}
    _report_systems((source for name, source in given.items() if name in needed), system, report)
    used = tuple(given.get(ref.id, known.get(ref.id)) for ref in army.books)
    return Imported(army, tuple(source for source in used if source is not None), report.remarks)


def _with_fitting_book(army: ArmyList, books: Sequence[Book], report: ImportReport) -> ArmyList:
    """A list that names no book, together with the book that has most of its units."""
    system = army.system or key_of(army.edition)

    def suits(source: Book) -> tuple[int, int]:
        units = sum(source.unit(entry.unit) is not None for entry in army.entries)
        return units, fit(source.written_for or source.system, system)

    best = max(books, key=suits, default=None)
    if best is None or not suits(best)[0]:
        report.add("missing", "the list does not say which army book it was made with; give it with --book")
        return army
    report.add("guessed", f"the list does not say which army book it was made with; read with {best.name}")
    return replace(army, books=(BookRef(best.id, best.name, best.version),))


def _report_systems(books: Iterable[Book], system: str, report: ImportReport) -> None:
    """Report books of another game: units and prices of the same name differ between games."""
    made_for = system_key(key_of(system))
    for source in books:
        if system and source.system not in EDITIONS and system_key(source.system) != made_for:
            report.add(
                "changed",
                f"the list is for {made_for.upper()}, the book {source.name} for {source.system.upper()}: "
                "units and prices may differ",
            )


def _plain_picks(army: ArmyList, entry: Entry, known: Books) -> Entry:
    """Picks without the section if the option alone is unambiguous."""
    source = known.get(army.book_of(entry))
    unit = source.unit(entry.unit) if source is not None else None
    if source is None or unit is None:
        return entry

    def plain(pick: UpgradePick) -> UpgradePick:
        exact = source.find_option(unit, pick.option, pick.section)
        alone = source.find_option(unit, pick.option)
        if exact is None and alone is None:
            return pick
        return UpgradePick(pick.option) if exact is None or exact == alone else pick

    second = None if entry.second is None else tuple(map(plain, entry.second))
    return replace(entry, picks=tuple(map(plain, entry.picks)), second=second)


def _from_text(told: TextList, books: Sequence[Book], edition: str, report: ImportReport) -> Imported:
    settled = edition or (told.edition if told.edition in EDITIONS else edition_for(told.system or "aof"))
    if settled is None:
        raise MalformedError("this text", [f"is for {told.system.upper()}; choose the edition to play it in"])
    known = _named_books(told, books, settled)
    if not edition and told.edition not in EDITIONS and known and known[0].system in FITTING_GAMES:
        settled = best_edition(known[0]) if known[0].version.startswith(LATEST) else settled
    _report_absent(told, known, report)
    each = _costs_are_each(told)
    entries: list[Entry] = []
    printed: list[BookUnit] = []
    waiting: Entry | None = None
    for unit in told.units:
        if unit.copies > COPIES_MAX:
            report.add("left out", f"{unit.name}: {unit.copies} copies; the first {COPIES_MAX} are kept")
        kept = min(unit.copies, COPIES_MAX, UNITS_MAX - len(entries))
        if kept <= 0:
            report.add("left out", f"everything after {unit.name}: a list has at most {UNITS_MAX} units")
            break
        for _ in range(kept):
            single = unit if each or unit.copies == 1 else replace(unit, cost=unit.cost // unit.copies)
            entry = _text_entry(single, f"u{len(entries) + 1}", known, printed, settled, report)
            if waiting is not None:
                place = entries.index(waiting)
                entries[place] = replace(waiting, joins=entry.id)
                waiting = None
            entries.append(entry)
        waiting = entries[-1] if unit.joins_next else None  # of several copies only the last can have joined
    own = _printed_book(told, printed, _words_of(told, settled)) if printed else None
    if own is not None:
        entries = [replace(entry, book=own.id) if entry.book == PRINTED else entry for entry in entries]
    taken = {entry.book for entry in entries}
    used = [*(source for source in known if source.id in taken), *([own] if own else [])]
    refs = tuple(
        BookRef(source.id, source.name, dict(told.books).get(source.name, "") or source.version)
        for source in used
    )
    primary = refs[0].id if refs else ""
    army = ArmyList(
        name=told.name,
        edition=settled,
        points=told.limit or told.cost,
        entries=tuple(replace(entry, book="" if entry.book == primary else entry.book) for entry in entries),
        books=refs,
        note=told.note,
        stated=told.cost,
        system=system_key(told.system),
    )
    made_for = told.edition if told.edition in EDITIONS else told.system
    return _finished(army, used, "" if made_for == settled else made_for, report, bool(edition))


def _named_books(told: TextList, books: Sequence[Book], edition: str) -> list[Book]:
    """The books a text names, from those given and our own; all given ones if it names none of them."""
    own = [book(faction, edition) for faction in FACTIONS]
    named = [plain_name(name) for name, _ in told.books]
    found = [source for source in (*books, *own) if plain_name(source.name) in named]
    versions, system = set(told.books), system_key(told.system)
    found.sort(
        key=lambda source: (
            -fit(source.system, system) if system else 0,
            (source.name, source.version) not in versions,
        )
    )
    distinct = list({source.id: source for source in reversed(found)}.values())[::-1]
    return distinct or [source for source in books if source.source != PASTED]


def _report_absent(told: TextList, known: Sequence[Book], report: ImportReport) -> None:
    """Report the books in a heading that are not available."""
    here = {plain_name(source.name) for source in known}
    for name, version in told.books:
        if plain_name(name) not in here:
            title = f"{name} {version}".strip()
            report.add("missing", f"the book {title} is missing; without it, units are taken as printed")


def _costs_are_each(told: TextList) -> bool:
    """Whether the points next to `2x` are for one copy; the heading's total decides."""
    each = sum(unit.cost * unit.copies for unit in told.units)
    together = sum(unit.cost for unit in told.units)
    return not (told.cost and told.cost == together and told.cost != each)


def _text_entry(
    unit: TextUnit,
    name: str,
    known: Sequence[Book],
    printed: list[BookUnit],
    edition: str,
    report: ImportReport,
) -> Entry:
    for source in known:
        # other tools use the terms of the book, this one those of the edition
        match = find_match(source, unit)
        if match is None or not match.exact:
            other = find_match(as_played(source, edition), unit)
            found = [one for one in (match, other) if one is not None]
            match = min(found, key=lambda one: (not one.exact, len(one.unexplained)), default=None)
        if match is not None:
            if not match.exact:
                report.add("guessed", f"{unit.name}: its upgrades were guessed from weapons and points")
            for text in match.unexplained:
                report.add(
                    "left out", f"{unit.name}: {text} is in the text, but none of its upgrades gives it"
                )
            return Entry(name, match.unit.id, source.id, match.name, unit.note, match.picks, match.second)
    if any(unit_named(source, unit.name)[0] is not None for source in known):
        report.add(
            "missing", f"{unit.name}: no choice of upgrades in the book gives this text; taken as printed"
        )
    made = _printed_unit(unit, len(printed) + 1)
    printed.append(made)
    return Entry(name, made.id, PRINTED, note=unit.note)


def _printed_unit(unit: TextUnit, number: int) -> BookUnit:
    """A unit known only from its text: what it carries is all there is."""
    rules = tuple(
        thing
        for thing, count in unit.rules
        if isinstance(thing, RuleRef) and not count and thing.name not in COMMAND
    )
    return BookUnit(
        id=f"{slug(unit.name)}-{number}",
        name=unit.name,
        cost=unit.cost,
        size=unit.size,
        quality=unit.quality,
        defense=unit.defense,
        equipment=carried(unit),
        rules=rules,
        kind=guess_kind(unit.name, rules, Bases(), unit.size),
    )


def _words_of(told: TextList, edition: str) -> str:
    """The game whose terms and numbers a text uses; without a heading, those of the edition it is read for."""
    if told.edition in EDITIONS:
        return told.edition
    return told.system or ("aof" if told.cost else edition)


def _printed_book(told: TextList, units: Sequence[BookUnit], system: str) -> Book:
    content = repr((told.name, system, units)).encode("utf-8", "replace")
    return Book(
        id=f"{PRINTED}-{hashlib.sha256(content).hexdigest()[:10]}",  # other lists are printed as well
        name=f"units of {told.name}",
        version="",
        system=system,
        units=tuple(units),
        source=PASTED,
    )
