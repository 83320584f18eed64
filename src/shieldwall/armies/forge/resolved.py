"""Resolved lists of Army Forge: every unit complete, every upgrade with its section and option.

Such a list needs no book: it includes the parts it uses. Those parts of a book are assembled here. What its units
finally carry is compared with what our own purchases give; if they differ, the list is right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from shieldwall.armies.book import Book, BookUnit, Carried, Package, Section, Thing
from shieldwall.armies.forge.books import fingerprint, read_option, rule_texts, section_of, unit_of
from shieldwall.armies.forge.gear import count_of, is_absent, thing_of
from shieldwall.armies.forge.lists import UNITS_MAX, entry_names, list_of
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.spell_text import spell_of
from shieldwall.armies.forge.text_read import rule_or_item, weapon_of_text
from shieldwall.armies.forge.wire import Raw, is_true, name_of, part, parts, words
from shieldwall.armies.lists import ArmyList, BookRef, Entry
from shieldwall.armies.loadout import Loadout, both_copies, carried_of, outfit, totals
from shieldwall.core.state import RuleRef, Weapon

_COUNTED = re.compile(r"^(\d{1,3})x\s+(.+)$")


def is_resolved(raw: object) -> bool:
    """Whether plain data is a list that includes complete units."""
    return any(_has_loadout(unit) or _has_options(unit) or "quality" in unit for unit in parts(raw, "units"))


def _has_loadout(unit: Raw) -> bool:
    return isinstance(unit.get("loadout"), list)


def _has_options(unit: Raw) -> bool:
    return any(isinstance(chosen.get("option"), dict) for chosen in parts(unit, "selectedUpgrades"))


def resolved_list(raw: Raw, edition: str, report: ImportReport) -> tuple[ArmyList, tuple[Book, ...]]:
    """The list and the parts of books it includes, one for each army book it names, under the list's own name."""
    units = _with_distinct_ids(parts(raw, "units")[:UNITS_MAX], report)
    army = list_of({**raw, "units": [_by_ids(unit) for unit in units]}, edition, report)
    book = _book(raw, units, report)
    named = dict(zip(entry_names(units), units, strict=True))
    changed = [_as_equipped(entry, _copies(entry, named), book, report) for entry in army.entries]
    extra = tuple(unit for _, unit in changed if unit is not None)
    book = replace(book, units=(*book.units, *extra))
    entries = tuple(entry for entry, _ in changed)
    told = list(dict.fromkeys(entry.book for entry in entries)) or [""]
    books = {name: _part(book, entries, name, place) for place, name in enumerate(told)}
    if len(told) > 1:
        report.add("changed", f"its units come from {len(told)} army books: {', '.join(told)}")
    names = {ref.id: ref.name for ref in army.books}
    refs = tuple(BookRef(own.id, names.get(name) or own.name) for name, own in books.items())
    entries = tuple(replace(entry, book=books[entry.book].id) for entry in entries)
    return replace(army, entries=entries, books=refs), tuple(books.values())


def _part(book: Book, entries: Sequence[Entry], name: str, place: int) -> Book:
    """The part of one army book that a list shows."""
    if not place and all(entry.book == name for entry in entries):
        return book
    taken = {entry.unit for entry in entries if entry.book == name}
    units = tuple(unit for unit in book.units if unit.id in taken)
    used = {package for unit in units for package in unit.upgrades}
    return replace(
        book,
        id=f"{book.id}-{place + 1}" if place else book.id,
        name=f"{book.name}, book {place + 1}",
        units=units,
        packages=tuple(package for package in book.packages if package.id in used),
    )


def _with_distinct_ids(units: Sequence[Raw], report: ImportReport) -> list[Raw]:
    """The units of a list; if units share an id but not their stats, each kind gets a new id.

    The halves of a combined unit are one kind whatever they say: the second is read as the first.
    """
    known: dict[str, list[BookUnit]] = {}
    found: list[Raw] = []
    for told in units:
        unit = unit_of(told, ImportReport())  # remarks are added in the final reading
        kinds = known.setdefault(unit.id, [])
        kind = next((number for number, other in enumerate(kinds) if _is_like(unit, other)), len(kinds))
        is_half = is_true(told.get("combined")) and bool(name_of(told.get("joinToUnit")))
        if kind == len(kinds) and not (is_half and kinds):
            kinds.append(unit)
        if kind and not is_half:
            text = f"{unit.name}: several units have the id {unit.id!r}, but not the same size, cost, stats or rules;"
            report.add("changed", f"{text} all are kept as they are")
        found.append(_renamed(told, f"{unit.id[:60]}.{kind + 1}") if kind and not is_half else told)
    return found


def _renamed(told: Raw, name: str) -> Raw:
    """A unit under another id, with the prices it pays for its upgrades."""
    old = told.get("id")

    def priced(chosen: Raw) -> Raw:
        option = part(chosen, "option")
        if not isinstance(option, dict):
            return chosen
        costs = [
            {**cost, "unitId": name} if cost.get("unitId") == old else cost for cost in parts(option, "costs")
        ]
        return {**chosen, "option": {**option, "costs": costs}}

    return {**told, "id": name, "selectedUpgrades": [priced(one) for one in parts(told, "selectedUpgrades")]}


def _by_ids(unit: Raw) -> Raw:
    """A unit in the form of lists with ids."""
    chosen = [
        {"optionId": _id(part(entry, "option")), "upgradeId": _section_id(part(entry, "upgrade"))}
        if isinstance(entry.get("option"), dict)
        else entry
        for entry in parts(unit, "selectedUpgrades")
    ]
    return {**unit, "selectedUpgrades": chosen}


def _id(option: object) -> str:
    return name_of(part(option, "id") or part(option, "uid"))


def _section_id(section: object) -> str:
    return name_of(part(section, "uid") or part(section, "id"))


def _book(raw: Raw, units: Sequence[Raw], report: ImportReport) -> Book:
    """The part of the book that the list shows."""
    known: dict[str, BookUnit] = {}
    sections: dict[str, dict[str, Section]] = {}
    for told in units:
        unit = unit_of(told, report)
        package = f"of-{unit.id}"
        known.setdefault(unit.id, replace(unit, upgrades=(package,), without=()))
        if not _is_like(unit, known[unit.id]):
            report.add(
                "changed",
                f"{unit.name}: the halves of a combined unit differ in size, cost or stats; "
                "both are read as the first",
            )
        for chosen in parts(told, "selectedUpgrades"):
            upgrade, option = part(chosen, "upgrade"), part(chosen, "option")
            if isinstance(upgrade, dict) and isinstance(option, dict):
                _remember(sections.setdefault(package, {}), upgrade, option, report)
    packages = [Package(f"of-{unit}", tuple(sections.get(f"of-{unit}", {}).values())) for unit in known]
    list_id = name_of(raw.get("id")) or fingerprint(raw)
    return Book(
        id=f"from-list-{list_id}",
        name=f"units of {name_of(raw.get('name'), 'a list')}",
        version="",
        system=name_of(raw.get("gameSystem")).lower(),
        units=tuple(known.values()),
        packages=tuple(packages),
        spells=tuple(spell_of(spell, report) for spell in parts(raw, "spells")),
        rules=rule_texts(raw),
        source="Army Forge",
        fingerprint=fingerprint(raw),
    )


def _is_like(one: BookUnit, other: BookUnit) -> bool:
    return (one.size, one.cost, one.quality, one.defense, one.rules) == (
        other.size,
        other.cost,
        other.quality,
        other.defense,
        other.rules,
    )


def _remember(sections: dict[str, Section], upgrade: Raw, option: Raw, report: ImportReport) -> None:
    section = sections.get(_section_id(upgrade)) or section_of(upgrade, report)
    offered = read_option(option, section.label, report)
    if offered.id not in {known.id for known in section.options}:
        section = replace(section, options=(*section.options, offered))
    sections[section.id] = section


def _copies(entry: Entry, named: Mapping[str, Raw]) -> list[Raw]:
    """The unit of an entry as the list gives it, with the other half if two were combined."""
    found = [named[entry.id]] if entry.id in named else []
    if entry.second is not None:
        others = (raw for name, raw in named.items() if name != entry.id)
        found += [
            raw
            for raw in others
            if is_true(raw.get("combined")) and name_of(raw.get("joinToUnit")) == entry.id
        ][:1]
    return found


def _as_equipped(
    entry: Entry, told: Sequence[Raw], book: Book, report: ImportReport
) -> tuple[Entry, BookUnit | None]:
    """An entry equipped as its loadout says: unchanged if the purchases give the same, else a separate unit."""
    unit = book.unit(entry.unit)
    copies = 1 if entry.second is None else 2
    if unit is None or len(told) != copies or not all(map(_has_loadout, told)):
        return entry, None
    halves = [outfit(book, unit, picks) for picks in (entry.picks, entry.second) if picks is not None]
    bought = both_copies(*halves) if copies == 2 else halves[0]
    own = _own_unit(f"{unit.id[:60]}.{entry.id[:40]}", told, bought)
    final = [pair for raw in told for pair in _final(raw)]
    rules = [thing for thing, _ in totals(bought) if isinstance(thing, RuleRef)]
    explained = (_gear(totals(bought)), _gear(totals(_without_aimed_rules(bought))))
    if not _more_rules(final, [*unit.rules, *rules]) and _gear(final) in explained:
        return entry, None
    report.add(
        "changed", f"{unit.name}: equipped as the list says, although its upgrades alone do not explain that"
    )
    each = [_own_unit(own.id, [raw], half) for raw, half in zip(told, halves, strict=True)]
    if copies == 2 and each[0] == each[1]:  # it stays a pair, each half as the list says
        return replace(entry, unit=own.id, picks=(), second=()), each[0]
    return replace(entry, unit=own.id, picks=(), second=None), own


def _own_unit(name: str, told: Sequence[Raw], bought: Loadout) -> BookUnit:
    """A unit that carries what a list says it finally carries, and has the rules that were bought for it."""
    final = [pair for raw in told for pair in _final(raw)]
    rules = [(thing, count) for thing, count in totals(bought) if isinstance(thing, RuleRef)]
    rules += _more_rules(final, [*bought.unit.rules, *(rule for rule, _ in rules)])
    return replace(
        bought.unit,
        id=name,
        size=bought.size,
        cost=bought.cost,
        equipment=(
            *carried_of(list(_gear(final).items()), bought.size),
            *(Carried(rule, 1, count) for rule, count in rules),
        ),
        upgrades=(),
    )


def _final(told: Raw) -> list[tuple[Thing, int]]:
    found: list[tuple[Thing, int]] = []
    for raw in parts(told, "loadout"):
        thing = thing_of(raw)
        if thing is not None and not is_absent(raw):
            found.append((thing, count_of(raw)))
    return found + [
        (weapon_of_text(line) or rule_or_item(line), max(1, int(count or 1)))
        for count, line in map(_counted, words(told.get("loadout")))
    ]


def _counted(line: str) -> tuple[str, str]:
    """A piece of gear given as text, and its number: `5x Bow (24", A1)`."""
    match = _COUNTED.match(line)
    return (match[1], match[2]) if match else ("", line)


def _more_rules(final: Sequence[tuple[Thing, int]], known: Sequence[RuleRef]) -> list[tuple[RuleRef, int]]:
    """Rules of a loadout that come from neither the unit nor its purchases."""
    return [(thing, count) for thing, count in final if isinstance(thing, RuleRef) and thing not in known]


def _without_aimed_rules(loadout: Loadout) -> Loadout:
    """A unit without the rules that were bought for its weapons: some lists leave them out of the gear."""
    aimed = {
        gain.what
        for section, option in loadout.bought
        if section.targets and section.variant == "upgrade"
        for gain in option.gains
        if isinstance(gain.what, RuleRef)
    }
    figures = tuple(
        replace(
            figure,
            carried=tuple(
                Weapon(
                    thing.name, thing.attacks, thing.reach, tuple(r for r in thing.rules if r not in aimed)
                )
                if isinstance(thing, Weapon)
                else thing
                for thing in figure.carried
            ),
        )
        for figure in loadout.figures
    )
    return replace(loadout, figures=figures)


def _gear(things: Sequence[tuple[Thing, int]]) -> Counter[Thing]:
    counted: Counter[Thing] = Counter()
    for thing, count in things:
        if not isinstance(thing, RuleRef):
            counted[thing] += count
    return counted
