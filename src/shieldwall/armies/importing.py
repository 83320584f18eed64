"""Whatever a player has, as a list with its books: a file of ours, an Army Forge file, a resolved list, pasted text.

One entrance for all of them. The result always comes with a report, and nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.book import Bases, Book, BookUnit, plain_name, slug
from shieldwall.armies.book_file import FORMAT as BOOK_FORMAT
from shieldwall.armies.book_file import read_book
from shieldwall.armies.factions import FACTIONS, book
from shieldwall.armies.files import BOOK_BYTES, LIST_BYTES, load_yaml
from shieldwall.armies.forge.books import book_of, guess_kind, is_book
from shieldwall.armies.forge.lists import is_list, list_of, system_of
from shieldwall.armies.forge.report import Remark, Report
from shieldwall.armies.forge.resolved import is_resolved, resolved_list
from shieldwall.armies.forge.systems import edition_for
from shieldwall.armies.forge.text_match import find_match
from shieldwall.armies.forge.text_read import TextList, TextUnit, carried, is_text_list, read_text
from shieldwall.armies.forge.wire import name_of, part, read_json
from shieldwall.armies.list_file import FORMAT as LIST_FORMAT
from shieldwall.armies.list_file import read_list
from shieldwall.armies.lists import ArmyList, BookRef, Entry, Pick
from shieldwall.armies.muster import unknown_rules
from shieldwall.armies.overlay import as_played, overlays, renamed
from shieldwall.armies.recruit import Books, books_of, cost_of, loadout_of, spell_specs
from shieldwall.armies.spells import read_spells
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Spell
from shieldwall.editions import EDITIONS, ruleset

COPIES_MAX = 20
CASTERS = {"Caster", "Wizard"}


class Imported(Struct, frozen=True):
    """What a file held: a list with the books it needs, or a book alone; and what there is to say about it."""

    army: ArmyList | None
    books: tuple[Book, ...]
    remarks: tuple[Remark, ...]


def read_any(
    content: bytes, what: str = "this file", *, books: Sequence[Book] = (), edition: str = ""
) -> Imported:
    """A list or a book from any of the known forms; `edition` settles how it is to be played.

    Raises one clear error for what is none of them.
    """
    if edition and edition not in EDITIONS:
        raise MalformedError(what, [f"{edition!r} is no edition; there are: {', '.join(EDITIONS)}"])
    if len(content) > BOOK_BYTES:
        raise MalformedError(what, [f"is larger than {BOOK_BYTES // 1024} KiB"])
    report = Report()
    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _from_json(read_json(content, what), len(content), what, books, edition, report)
    text = _decoded(content, what)
    if is_text_list(text):
        _check_size(len(content), what)
        return _from_text(read_text(text, report), books, edition, report)
    return _from_yaml(content, what, books, edition, report)


def _check_size(size: int, what: str) -> None:
    if size > LIST_BYTES:
        raise MalformedError(what, [f"is larger than {LIST_BYTES // 1024} KiB, which no list needs"])


def _decoded(content: bytes, what: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedError(what, [f"is not UTF-8 text (byte {error.start})"]) from error


def _from_json(
    raw: object, size: int, what: str, books: Sequence[Book], edition: str, report: Report
) -> Imported:
    if not isinstance(raw, Mapping):
        raise MalformedError(what, ["is JSON, but neither an army book nor a list: expected an object"])
    if is_book(raw):
        found = book_of(raw, report)
        if not found.units:
            raise MalformedError(what, ["is an army book without any unit that can be read"])
        return Imported(None, (found,), report.remarks)
    _check_size(size, what)
    told = system_of(raw)
    ours = name_of(part(part(raw, "shieldwall"), "edition"))
    settled = edition or (ours if ours in EDITIONS else edition_for(told))
    if settled is None:
        known = "aof, aofs or aofr"
        raise MalformedError(what, [f"is for the game system {told!r}; expected {known}, or name an edition"])
    if is_resolved(raw):
        army, carried_book = resolved_list(raw, settled, report)
        return _finished(army, [carried_book], told, report)
    if is_list(raw):
        return _finished(list_of(raw, settled, report), books, told if not ours else "", report)
    raise MalformedError(what, ["is JSON, but neither an army book nor a list with units in it"])


def _from_yaml(content: bytes, what: str, books: Sequence[Book], edition: str, report: Report) -> Imported:
    if not content.strip():
        raise MalformedError(what, ["is empty"])
    has_keys = re.search(rb"^\w+:", content, re.MULTILINE)
    raw = load_yaml(content, what) if has_keys else {}
    match raw.get("format"):
        case str() as told if told.startswith("shieldwall-book/"):
            return Imported(None, (read_book(content, what),), report.remarks)
        case str() as told if told.startswith("shieldwall-list/"):
            _check_size(len(content), what)
            army = read_list(content, what)
            return _finished(replace(army, edition=edition or army.edition), books, "", report)
    line = "a pasted list with lines such as `Spears [5] Q4+ D5+ | 80pts | Strider`"
    expected = f"expected an Army Forge file, {line}, {LIST_FORMAT} or {BOOK_FORMAT}"
    raise MalformedError(what, [f"is none of the known forms; {expected}"])


def _finished(army: ArmyList, books: Sequence[Book], system: str, report: Report) -> Imported:
    """Set a list against its books: what is missing, what is not played, and whether the points agree."""
    if army.edition not in EDITIONS:
        raise MalformedError(army.name, [f"{army.edition!r} is no edition; there are: {', '.join(EDITIONS)}"])
    if system and not system.startswith(army.edition):
        report.add("changed", f"made for {system.upper()}; played by the rules of {army.edition}")
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
        if source.id in known and source.version == known[source.id].version
    }
    _report_books(army, known, report)
    _report_defense(army, books, report)
    for entry in army.entries:
        _report_entry(army, entry, known, report)
    _report_rules(army, known, {pair for source in books for pair in renamed(source, army.edition)}, report)
    _report_points(army, known, report)
    used = tuple(given.get(ref.id, known.get(ref.id)) for ref in army.books)
    return Imported(army, tuple(source for source in used if source is not None), report.remarks)


def _plain_picks(army: ArmyList, entry: Entry, known: Books) -> Entry:
    """Picks without the section where the option alone says which."""
    source = known.get(army.book_of(entry))
    unit = source.unit(entry.unit) if source is not None else None
    if source is None or unit is None:
        return entry

    def plain(pick: Pick) -> Pick:
        exact = source.find_option(unit, pick.option, pick.section)
        alone = source.find_option(unit, pick.option)
        if exact is None and alone is None:
            return pick
        return Pick(pick.option) if exact is None or exact == alone else pick

    second = None if entry.second is None else tuple(map(plain, entry.second))
    return replace(entry, picks=tuple(map(plain, entry.picks)), second=second)


def _report_books(army: ArmyList, known: Books, report: Report) -> None:
    for ref in army.books:
        found = known.get(ref.id)
        title = ref.name or ref.id
        if found is None:
            version = f", version {ref.version}" if ref.version else ""
            report.add(
                "missing", f"the book {title} ({ref.id}{version}) is not here; import it to use this list"
            )
        elif ref.version and found.version and ref.version != found.version:
            report.add(
                "changed", f"made with version {ref.version} of {title}; this is version {found.version}"
            )


def _report_defense(army: ArmyList, books: Sequence[Book], report: Report) -> None:
    """Say that Defense was turned round where a book counts it the other way than the edition."""
    foreign = {source.id for source in books if source.system != army.edition}
    if overlays()[army.edition].wounds_on and foreign & {ref.id for ref in army.books}:
        report.add(
            "changed",
            f"Defense is turned round: in {army.edition} the attacker rolls it, so that 2+ is written 6+ there",
        )


def _report_entry(army: ArmyList, entry: Entry, known: Books, report: Report) -> None:
    source = known.get(army.book_of(entry))
    if source is None:
        return
    loadout = loadout_of(army, entry, known)
    if loadout is None:
        report.add("missing", f"{source.name} {source.version} has no unit {entry.unit!r}".replace("  ", " "))
        return
    ref = next((ref for ref in army.books if ref.id == source.id), None)
    for pick in loadout.missing:
        made = f"; the list was made with {ref.version}" if ref and ref.version else ""
        where = f" under {pick.section!r}" if pick.section else ""
        text = f"{loadout.unit.name}: option {pick.option!r}{where} is not in version {source.version}{made}"
        report.add("missing", text)
    for problem in loadout.problems:
        report.add("changed", problem)


def _report_rules(army: ArmyList, known: Books, renaming: set[tuple[str, str]], report: Report) -> None:
    """Rules of the list that its edition does not play, or plays under another name."""
    specials = ruleset(army.edition).specials
    found: dict[str, list[str]] = {}
    used: set[str] = set()
    for entry in army.entries:
        loadout = loadout_of(army, entry, known)
        if loadout is None:
            continue
        printed: list[RuleRef] = [*loadout.unit.rules]
        for figure in loadout.figures:
            printed += [*figure.gained, *(rule for weapon in figure.weapons for rule in weapon.rules)]
        used |= {rule.name for rule in printed}
        for name in dict.fromkeys(rule.name for rule in printed if not specials.knows(rule.name)):
            found.setdefault(name, []).append(loadout.unit.name)
    if used & CASTERS:
        _report_spells(army, known, report)
        for rule in unknown_rules(specials, (), (), _spells_of(army, known)):
            found.setdefault(rule.rule, []).append(rule.unit)
    for name, played in sorted(renaming):
        if played in used:
            report.add("changed", f"{name} is played as {played}, which is what {army.edition} calls it")
    for name, units in sorted(found.items()):
        text = f"{name} is kept as text, not enforced: {', '.join(dict.fromkeys(units))}"
        report.add("kept as text", text)


def _report_spells(army: ArmyList, known: Books, report: Report) -> None:
    """Spells that the list's casters know and nobody can play."""
    for name in dict.fromkeys(army.book_of(entry) for entry in army.entries):
        for spell in known[name].spells if name in known else ():
            if spell.spec is None:
                report.add("kept as text", f"spell {spell.name}: its effect is kept as text, not enforced")


def _spells_of(army: ArmyList, known: Books) -> tuple[Spell, ...]:
    """The spells of the books that a list takes units from; none where they cannot be read."""
    books = dict.fromkeys(army.book_of(entry) for entry in army.entries)
    try:
        return read_spells(spec for name in books if name in known for spec in spell_specs(known[name]))
    except MalformedError:
        return ()


def _report_points(army: ArmyList, known: Books, report: Report) -> None:
    if not all(loadout_of(army, entry, known) is not None for entry in army.entries):
        return
    cost = cost_of(army, known)
    if army.stated and army.stated != cost:
        rest = army.stated - cost
        report.add(
            "points",
            f"the list says {army.stated} points; by the book it costs {cost} ({rest:+d} unexplained)",
        )


def _from_text(told: TextList, books: Sequence[Book], edition: str, report: Report) -> Imported:
    settled = edition or (told.edition if told.edition in EDITIONS else edition_for(told.system or "aof"))
    if settled is None:
        raise MalformedError(
            "this text", [f"is for {told.system.upper()}; name the edition it is to be played in"]
        )
    known = _named_books(told, books, settled)
    each = _costs_are_each(told)
    entries: list[Entry] = []
    printed: list[BookUnit] = []
    waiting: Entry | None = None
    for unit in told.units:
        if unit.copies > COPIES_MAX:
            report.add("left out", f"{unit.name}: {unit.copies} copies; the first {COPIES_MAX} are kept")
        for _ in range(min(unit.copies, COPIES_MAX)):
            single = unit if each or unit.copies == 1 else replace(unit, cost=unit.cost // unit.copies)
            entry = _text_entry(single, f"u{len(entries) + 1}", known, printed, settled, report)
            if waiting is not None:
                place = entries.index(waiting)
                entries[place] = replace(waiting, joins=entry.id)
                waiting = None
            entries.append(entry)
        waiting = entries[-1] if unit.joins_next else None  # of several copies only the last can have joined
    own = _printed_book(told, printed, settled) if printed else None
    used = [*known, *([own] if own else [])]
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
    )
    return _finished(army, used, "" if told.edition == settled else told.system, report)


def _named_books(told: TextList, books: Sequence[Book], edition: str) -> list[Book]:
    """The books a text names, from those at hand and our own; all at hand where it names none of them."""
    own = [book(faction, edition) for faction in FACTIONS]
    named = [plain_name(name) for name, _ in told.books]
    found = [source for source in (*books, *own) if plain_name(source.name) in named]
    versions = set(told.books)
    found.sort(key=lambda source: (source.name, source.version) not in versions)
    distinct = list({source.id: source for source in reversed(found)}.values())[::-1]
    return distinct or list(books)


def _costs_are_each(told: TextList) -> bool:
    """Whether the points beside `2x` are for one copy: the heading's total decides."""
    each = sum(unit.cost * unit.copies for unit in told.units)
    together = sum(unit.cost for unit in told.units)
    return not (told.cost and told.cost == together and told.cost != each)


def _text_entry(
    unit: TextUnit, name: str, known: Sequence[Book], printed: list[BookUnit], edition: str, report: Report
) -> Entry:
    for source in known:
        # other tools print the words of the book, this one those of the edition
        match = find_match(source, unit) or find_match(as_played(source, edition), unit)
        if match is not None:
            if not match.exact:
                report.add("guessed", f"{unit.name}: its upgrades were guessed from weapons and points")
            return Entry(name, match.unit.id, source.id, match.name, unit.note, match.picks, match.second)
    if known:
        report.add(
            "missing", f"{unit.name}: no choice of upgrades in the book gives this text; taken as printed"
        )
    made = _printed_unit(unit, len(printed) + 1)
    printed.append(made)
    return Entry(name, made.id, "printed", note=unit.note)


def _printed_unit(unit: TextUnit, number: int) -> BookUnit:
    """A unit that is known from its text only: what it carries is all there is."""
    rules = tuple(thing for thing, count in unit.rules if isinstance(thing, RuleRef) and not count)
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


def _printed_book(told: TextList, units: Sequence[BookUnit], edition: str) -> Book:
    return Book(
        id="printed",
        name=f"units of {told.name}",
        version="",
        system=edition,
        units=tuple(units),
        source="a pasted list",
    )
