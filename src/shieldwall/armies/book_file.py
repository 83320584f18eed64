"""Army books as files: reads and writes the documented, versioned YAML format (`docs/armies.md`).

All errors are reported together. A file in a newer format is refused with advice to upgrade; unknown
keys are errors too, so that a misspelt price is never taken for a missing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml

from shieldwall.armies.book import (
    Bases,
    Book,
    BookSpell,
    BookUnit,
    HowMany,
    Package,
    RuleText,
    Section,
    UpgradeOption,
    slug,
)
from shieldwall.armies.files import load_yaml
from shieldwall.armies.spells import SpellSpec, spec_of_text
from shieldwall.armies.things import (
    describe,
    read_bases,
    read_carried,
    read_rules,
    write_carried,
    write_rules,
)
from shieldwall.core.errors import MalformedError
from shieldwall.table.bases import CATEGORIES

FORMAT = "shieldwall-book/1"
KINDS = tuple(kind for kind in CATEGORIES if kind != "vehicle")  # vehicles have no usual base
_BOOK = ("format", "id", "name", "version", "system", "about", "source", "fingerprint")
_BOOK_PARTS = ("rules", "spells", "packages", "units")
_UNIT = ("id", "name", "cost", "size", "quality", "defense", "equipment", "rules", "upgrades", "without")
_UNIT_MORE = ("bases", "kind", "about")
_SECTION = ("id", "label", "options", "replace", "targets", "affects", "select")
_OPTION = ("id", "name", "gains", "cost", "costs")
_SPELL = ("name", "cost", "range", "whom", "targets", "hits", "rules", "grants", "until", "test", "moves")
_AMOUNTS: Mapping[str, HowMany] = {
    "": HowMany(),
    "one": HowMany("exactly", 1),
    "all": HowMany("all"),
    "any": HowMany("any"),
}


def read_book(text: str | bytes, what: str = "army book") -> Book:
    """The book in a file's text; raises with every error."""
    raw = load_yaml(text, what)
    problems: list[str] = []
    book = book_from(raw, problems)
    if problems:
        raise MalformedError(what, problems)
    return book


def book_from(raw: Mapping[str, object], problems: list[str]) -> Book:
    """A book from plain data; errors are collected, and anything invalid is left out."""
    _known(raw, (*_BOOK, *_BOOK_PARTS), "book", problems)
    if raw.get("format") != FORMAT:
        problems.append(f"format {raw.get('format')!r}; this version of shieldwall reads {FORMAT!r}")
    units = tuple(_unit(part, problems) for part in _mappings(raw.get("units"), "units", problems))
    if not units:
        problems.append("units: a book needs at least one unit")
    problems += [f"units: two have the id {name!r}" for name in duplicates(unit.id for unit in units)]
    packages = tuple(
        _package(part, problems) for part in _mappings(raw.get("packages"), "packages", problems)
    )
    known = {package.id for package in packages}
    problems += [
        f"{unit.name}: there is no package {name!r}"
        for unit in units
        for name in unit.upgrades
        if name not in known
    ]
    return Book(
        id=_word(raw, "id", "book", problems),
        name=_word(raw, "name", "book", problems),
        version=str(raw.get("version", "1")),
        system=str(raw.get("system", "")),
        units=units,
        packages=packages,
        spells=tuple(_spell(part, problems) for part in _mappings(raw.get("spells"), "spells", problems)),
        rules=_rule_texts(raw.get("rules") or {}, problems),
        about=str(raw.get("about", "")).strip(),
        source=str(raw.get("source", "")),
        fingerprint=str(raw.get("fingerprint", "")),
    )


def write_book(book: Book) -> str:
    """A book as the text of a file."""
    raw: dict[str, object] = {"format": FORMAT, "id": book.id, "name": book.name, "version": book.version}
    raw |= _unless_empty(
        {"system": book.system, "about": book.about, "source": book.source, "fingerprint": book.fingerprint}
    )
    raw["units"] = [_written_unit(unit) for unit in book.units]
    raw["packages"] = [
        {"id": package.id} | _unless_empty({"hint": package.hint}) | {"sections": _written_sections(package)}
        for package in book.packages
    ]
    raw["spells"] = [_written_spell(spell) for spell in book.spells]
    raw["rules"] = {
        rule.name: {"text": rule.text, "of": rule.on} if rule.on == "weapon" else rule.text
        for rule in book.rules
    }
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(raw, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


def _unit(raw: Mapping[str, object], problems: list[str]) -> BookUnit:
    name = _word(raw, "name", "unit", problems)
    where = f"unit {name!r}"
    _known(raw, (*_UNIT, *_UNIT_MORE), where, problems)
    kind = str(raw.get("kind", "infantry"))
    if kind not in KINDS:
        problems.append(f"{where}: {kind!r} is not a kind of unit; expected one of {', '.join(KINDS)}")
    return BookUnit(
        id=str(raw.get("id") or slug(name)),
        name=name,
        cost=_whole(raw, "cost", where, problems, least=-10_000, otherwise=0),
        size=_whole(raw, "size", where, problems, least=1, most=400, otherwise=1),
        quality=_whole(raw, "quality", where, problems, least=2, most=6),
        defense=_whole(raw, "defense", where, problems, least=2, most=6),
        equipment=read_carried(raw.get("equipment"), problems, where),
        rules=read_rules(raw.get("rules"), problems, where),
        upgrades=_words(raw.get("upgrades"), where, problems),
        without=_words(raw.get("without"), where, problems),
        bases=read_bases(raw.get("bases")),
        kind=kind,
        about=str(raw.get("about", "")),
    )


def _package(raw: Mapping[str, object], problems: list[str]) -> Package:
    name = _word(raw, "id", "package", problems)
    _known(raw, ("id", "hint", "sections"), f"package {name!r}", problems)
    sections = [
        _section(part, f"{name}-{number}", problems)
        for number, part in enumerate(_mappings(raw.get("sections"), f"package {name!r}", problems), start=1)
    ]
    return Package(name, tuple(sections), str(raw.get("hint", "")))


def _section(raw: Mapping[str, object], name: str, problems: list[str]) -> Section:
    section_id = str(raw.get("id") or name)
    where = f"section {section_id!r}"
    _known(raw, _SECTION, where, problems)
    replaced = _words(raw.get("replace"), where, problems)
    offered = raw.get("options")
    options = offered if isinstance(offered, Sequence) and not isinstance(offered, str) else []
    if not options:
        problems.append(f"{where}: no options")
    read = tuple(_option(part, section_id, problems) for part in options)
    problems += [
        f"{where}: two options have the id {name!r}" for name in duplicates(option.id for option in read)
    ]
    return Section(
        id=section_id,
        label=str(raw.get("label") or "Upgrade with"),
        options=read,
        variant="replace" if replaced else "upgrade",
        affects=_amount(raw.get("affects"), where, problems),
        select=_amount(raw.get("select"), where, problems),
        targets=replaced or _words(raw.get("targets"), where, problems),
    )


def _option(raw: object, section: str, problems: list[str]) -> UpgradeOption:
    """An option: a line of text with what it brings, or a mapping with name and prices as well."""
    told = raw if isinstance(raw, Mapping) else {"gains": raw}
    gains = read_carried(told.get("gains"), problems, f"section {section!r}")
    name = str(told.get("name") or ", ".join(describe(gain.what) for gain in gains))
    where = f"option {name!r}"
    _known(told, _OPTION, where, problems)
    costs = told.get("costs") or {}
    if not isinstance(costs, Mapping) or not all(isinstance(cost, int) for cost in costs.values()):
        problems.append(f"{where}: costs must be whole numbers by unit id")
        costs = {}
    return UpgradeOption(
        id=str(told.get("id") or f"{section}-{slug(name.partition('(')[0])}"),
        name=name,
        gains=gains,
        cost=_whole(told, "cost", where, problems, least=-10_000, otherwise=0),
        costs=tuple((str(unit), cost) for unit, cost in costs.items()),
    )


def _spell(raw: Mapping[str, object], problems: list[str]) -> BookSpell:
    name = _word(raw, "name", "spell", problems)
    where = f"spell {name!r}"
    _known(raw, (*_SPELL, "text"), where, problems)
    cost = _whole(raw, "cost", where, problems, least=1, most=12, otherwise=1)
    told = {key: value for key, value in raw.items() if key in _SPELL and key not in ("name", "cost")}
    if not told:
        text = str(raw.get("text", ""))
        return BookSpell(name, cost, text, spec_of_text(name, cost, text) if text else None)
    try:
        spec = SpellSpec(name=name, cost=cost, **told)  # type: ignore[arg-type]
    except TypeError as error:
        problems.append(f"{where}: {error}")
        return BookSpell(name, cost, str(raw.get("text", "")))
    return BookSpell(name, cost, str(raw.get("text", "")), spec)


def _rule_texts(raw: object, problems: list[str]) -> tuple[RuleText, ...]:
    """`Name: text`, or `Name: {text: ..., of: weapon}` for a rule of weapons."""
    if not isinstance(raw, Mapping):
        problems.append('rules: expected names with their texts, such as Oathbound: "When charging, ..."')
        return ()
    found = []
    for name, told in raw.items():
        where = f"rule {name!r}"
        given = told if isinstance(told, Mapping) else {"text": told}
        _known(given, ("text", "of"), where, problems)
        on = given.get("of", "")
        if on not in ("", "weapon", "model"):
            problems.append(f"{where}: of is {on!r}; expected weapon or model")
            on = ""
        found.append(RuleText(str(name), str(given.get("text") or ""), on))
    return tuple(found)


def _amount(raw: object, where: str, problems: list[str]) -> HowMany:
    """`all`, `any`, `one`, `exactly 2` or `up to 3`."""
    text = str(raw or "")
    if text in _AMOUNTS:
        return _AMOUNTS[text]
    for kind in ("exactly", "up to"):
        number = text.removeprefix(kind).strip()
        if text.startswith(kind) and number.isdigit():
            return HowMany("exactly" if kind == "exactly" else "up to", int(number))
    problems.append(f"{where}: {text!r} is not an amount; expected all, any, one, exactly 2 or up to 3")
    return HowMany()


def _written_amount(amount: HowMany) -> str:
    plain = next((word for word, meant in _AMOUNTS.items() if meant == amount), None)
    return f"{amount.kind} {amount.value}" if plain is None else plain


def _written_unit(unit: BookUnit) -> dict[str, object]:
    written: dict[str, object] = {"id": unit.id, "name": unit.name, "cost": unit.cost, "size": unit.size}
    written |= {"quality": unit.quality, "defense": unit.defense}
    bases = {"round": unit.bases.round, "square": unit.bases.square} if unit.bases != Bases() else {}
    more: dict[str, object] = {
        "kind": "" if unit.kind == "infantry" else unit.kind,
        "bases": bases,
        "equipment": write_carried(unit.equipment),
        "rules": write_rules(unit.rules),
        "upgrades": list(unit.upgrades),
        "without": list(unit.without),
        "about": unit.about,
    }
    return written | _unless_empty(more)


def _written_sections(package: Package) -> list[dict[str, object]]:
    written: list[dict[str, object]] = []
    for section in package.sections:
        targets = "replace" if section.variant == "replace" else "targets"
        more: dict[str, object] = {
            targets: list(section.targets),
            "affects": _written_amount(section.affects),
            "select": _written_amount(section.select),
        }
        told: dict[str, object] = {"id": section.id, "label": section.label}
        written.append(told | _unless_empty(more) | {"options": list(map(_written_option, section.options))})
    return written


def _written_option(option: UpgradeOption) -> dict[str, object]:
    told: dict[str, object] = {"id": option.id, "name": option.name, "gains": write_carried(option.gains)}
    return told | _unless_empty({"cost": option.cost, "costs": dict(option.costs)})


def _written_spell(spell: BookSpell) -> dict[str, object]:
    told: dict[str, object] = {"name": spell.name, "cost": spell.cost}
    if spell.spec is not None and spell.spec != spec_of_text(spell.name, spell.cost, spell.text):
        plain = SpellSpec()
        told |= {
            key: getattr(spell.spec, key)
            for key in _SPELL[2:]
            if getattr(spell.spec, key) != getattr(plain, key) or key == "range"
        }
    return told | _unless_empty({"text": spell.text})


def _unless_empty(raw: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in raw.items() if value not in ("", [], {}, 0, None)}


def duplicates(names: Iterable[str]) -> list[str]:
    """Names that occur more than once, each listed once."""
    seen: set[str] = set()
    again: list[str] = []
    for name in names:
        if name in seen and name not in again:
            again.append(name)
        seen.add(name)
    return again


def _known(
    raw: Mapping[str, object] | Mapping[object, object], known: Sequence[str], where: str, problems: list[str]
) -> None:
    problems += [
        f"{where}: {key!r} is not known; expected some of {', '.join(known)}"
        for key in raw
        if key not in known
    ]


def _mappings(raw: object, where: str, problems: list[str]) -> list[Mapping[str, object]]:
    if raw is None:
        return []
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        problems.append(f"{where}: expected a list")
        return []
    problems += [f"{where}: {part!r} is not a mapping" for part in raw if not isinstance(part, Mapping)]
    return [part for part in raw if isinstance(part, Mapping)]


def _word(raw: Mapping[str, object], key: str, where: str, problems: list[str]) -> str:
    value = raw.get(key)
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        problems.append(f"{where}: {key} is missing")
        return ""
    return str(value)


def _words(raw: object, where: str, problems: list[str]) -> tuple[str, ...]:
    if raw is None:
        return ()
    if isinstance(raw, str):
        return (raw,)
    if isinstance(raw, Sequence):
        return tuple(map(str, raw))
    problems.append(f"{where}: {raw!r} is not a list of names")
    return ()


def _whole(
    raw: Mapping[str, object] | Mapping[object, object],
    key: str,
    where: str,
    problems: list[str],
    *,
    least: int,
    most: int = 1_000_000,
    otherwise: int | None = None,
) -> int:
    value = raw.get(key, otherwise)
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    given = "is missing" if value is None else f"is {value!r}"
    problems.append(f"{where}: {key} {given}; expected a whole number from {least} to {most}")
    return otherwise if otherwise is not None else least
