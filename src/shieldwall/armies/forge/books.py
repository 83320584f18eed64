"""Army books of Army Forge, current and older layouts."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Literal

from msgspec.structs import replace

from shieldwall.armies.book import (
    AmountKind,
    Bases,
    Book,
    BookSpell,
    BookUnit,
    Carried,
    HowMany,
    Package,
    RuleText,
    Section,
    Thing,
    UpgradeOption,
    every_rule,
    slug,
)
from shieldwall.armies.forge.cut_gear import repair_cut_gear
from shieldwall.armies.forge.cut_texts import repair_cut_texts
from shieldwall.armies.forge.gear import (
    bases_of,
    count_of,
    gain_of,
    is_absent,
    is_readable,
    is_weapon,
    item_of,
    rule_of,
    rules_of,
    weapon_of,
)
from shieldwall.armies.forge.oddities import report_oddities
from shieldwall.armies.forge.report import ImportReport
from shieldwall.armies.forge.spell_text import spell_of
from shieldwall.armies.forge.systems import system_key
from shieldwall.armies.forge.text_read import rule_or_item, weapon_of_text
from shieldwall.armies.forge.wire import NUMBER_MAX, Raw, name_of, part, parts, text_of, whole, words
from shieldwall.armies.loadout import carried_of
from shieldwall.core.state import RuleRef

UNITS_MAX = 500
SIZE_MAX = 100
_REPLACES = re.compile(
    r"^Replace\s+(?:(?:up to|one|all|any|each|both|two|three|four|five|\d+x?)\s+)*(?P<what>.+?):?$",
    re.IGNORECASE,
)
_ON: dict[int, Literal["", "weapon", "model"]] = {2: "weapon"}
_KINDS: dict[str, AmountKind] = {"all": "all", "any": "any", "exactly": "exactly", "up to": "up to"}


def is_book(raw: object) -> bool:
    """Whether plain data is an army book: it has units, and packages of upgrades or at least a version."""
    if not isinstance(part(raw, "units"), list):
        return False
    return isinstance(part(raw, "upgradePackages"), list) or bool(
        part(raw, "uid") and part(raw, "versionString")
    )


def book_of(raw: Raw, report: ImportReport) -> Book:
    """The complete book; what had to be guessed or kept as text is in the report."""
    raw = repair_cut_gear(raw)
    keys = ("gameSystemKey", "aberration", "gameSystem", "gameSystemSlug", "gameSystemId")
    system = system_key(next((told for key in keys if (told := name_of(raw.get(key)))), ""))
    name = name_of(raw.get("name"), "Unnamed book")
    packages = _packages(parts(raw, "upgradePackages"), report)
    known = {package.id for package in packages}
    units = [unit_of(unit, report) for unit in parts(raw, "units")[:UNITS_MAX]]
    book = Book(
        id=name_of(raw.get("uid") or raw.get("id")) or slug(name),
        name=name,
        version=re.sub(r"^v(?=\d)", "", name_of(raw.get("versionString") or raw.get("version"))),
        system=system,
        units=_distinct(tuple(_with_known(unit, known, report) for unit in units), report),
        packages=packages,
        spells=_distinct_spells([spell_of(spell, report) for spell in parts(raw, "spells")]),
        about=text_of(raw.get("background")),
        source="Army Forge",
        fingerprint=fingerprint(raw),
    )
    return replace(
        book,
        rules=_distinct_texts(repair_cut_texts(_rule_texts(raw), (rule.name for rule in every_rule(book)))),
    )


def rule_texts(raw: Raw) -> tuple[RuleText, ...]:
    """The texts of the rules that a list explains, without duplicates."""
    return _distinct_texts(_rule_texts(raw))


def _rule_texts(raw: Raw) -> list[RuleText]:
    return [
        RuleText(
            name_of(rule.get("name")),
            text_of(rule.get("description")),
            _ON.get(whole(rule.get("targetType")), ""),
        )
        for rule in parts(raw, "specialRules")
    ]


def _distinct_texts(told: list[RuleText]) -> tuple[RuleText, ...]:
    return tuple({rule.name: rule for rule in reversed(told) if rule.name}.values())[::-1]


def fingerprint(raw: Raw) -> str:
    """Distinguishes two books of the same version: prices are sometimes patched without a new one."""
    plain = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:16]


def unit_of(raw: Raw, report: ImportReport) -> BookUnit:
    """A unit of a book, or of a list that includes whole units."""
    name = name_of(raw.get("name"), "Unnamed unit")
    size = _size(raw.get("size"), name, report)
    rules = rules_of(raw.get("rules") or raw.get("specialRules"))
    equipment = carried_of(_equipment(raw), size)
    bases = bases_of(raw.get("bases"))
    kind = guess_kind(name, rules, bases, size)
    missing = [word for word, told in (("round", bases.round), ("square", bases.square)) if not told]
    if missing:
        which = "base size" if len(missing) == 2 else f"{missing[0]} base"
        report.add("guessed", f"{name}: no {which} given; uses the usual one for {kind}")
    report_oddities(raw, name, report)
    return BookUnit(
        id=name_of(raw.get("id")) or slug(name),
        name=name,
        cost=_cost(raw.get("cost"), name, report),
        size=size,
        quality=_stat(raw.get("quality"), f"{name}: Quality", report),
        defense=_stat(raw.get("defense"), f"{name}: Defense", report),
        equipment=equipment,
        rules=rules,
        upgrades=tuple(words(raw.get("upgrades"))),
        without=tuple(words(raw.get("disabledSections")) + words(raw.get("disabledUpgradeSections"))),
        bases=bases,
        kind=kind,
    )


def _equipment(raw: Raw) -> list[tuple[Thing, int]]:
    """Weapons and items with their totals for the unit; older books keep both under `equipment`."""
    found: list[tuple[Thing, int]] = []
    size = max(1, whole(raw.get("size"), 1))
    for entry in [*parts(raw, "weapons"), *parts(raw, "items"), *parts(raw, "equipment")]:
        if is_absent(entry) or not is_readable(entry):
            continue
        total = count_of(entry) if entry.get("count") not in (None, "") else size
        found.append((weapon_of(entry) if is_weapon(entry) else item_of(entry), total))
    lines = [line for key in ("weapons", "items", "equipment") for line in words(raw.get(key))]
    return found + [(weapon_of_text(line) or rule_or_item(line), size) for line in lines]


def guess_kind(name: str, rules: tuple[RuleRef, ...], bases: Bases, size: int) -> str:
    """The kind of a unit, which books do not give: guessed from its rules, wounds and base."""
    tough = max((rule.value for rule in rules if rule.name == "Tough"), default=1)
    names = {rule.name for rule in rules}
    long, _, short = (bases.round or bases.square).partition("x")
    if "Artillery" in names or "Immobile" in names:
        return "artillery"
    if "chariot" in name.lower() or "wagon" in name.lower():
        return "chariot"
    if tough >= 12:
        return "giant"
    if tough >= 6 and size == 1 and not _is_infantry_base(long, short):
        return "monster"
    if short:
        return "cavalry" if float(long) <= 75 else "large cavalry"
    return "large infantry" if long and float(long) >= 40 else "infantry"


def _is_infantry_base(long: str, short: str) -> bool:
    return bool(long) and not short and float(long) < 40


def _stat(raw: object, what: str, report: ImportReport) -> int:
    value = whole(raw)
    if 2 <= value <= 6:
        return value
    usual = 4 if value < 2 else 6
    report.add("guessed", f"{what} is {name_of(raw, 'missing')}; played as {usual}+")
    return usual


def _size(raw: object, name: str, report: ImportReport) -> int:
    told = whole(raw)
    size = max(1, min(SIZE_MAX, told))
    if size != told:
        report.add("guessed", f"{name}: its size is {name_of(raw, 'missing')}; played as {size}")
    return size


def _cost(raw: object, name: str, report: ImportReport) -> int:
    told = whole(raw, -1)
    if told < 0 or told >= NUMBER_MAX:
        report.add(
            "guessed", f"{name}: its cost is {name_of(raw, 'missing')}; counted as {max(0, told)} points"
        )
    return max(0, told)


def _packages(told: list[Raw], report: ImportReport) -> tuple[Package, ...]:
    """The packages of a book; empty headings and duplicates are left out."""
    found: dict[str, Package] = {}
    for raw in told:
        name = name_of(raw.get("uid") or raw.get("id"), "package")
        sections: dict[str, Section] = {}
        for section in (section_of(one, report) for one in parts(raw, "sections")):
            if not section.options:
                report.add("left out", f"{section.label!r} offers nothing")
            elif section.id in sections:
                report.add("left out", f"{section.label!r}: a second heading with the id {section.id!r}")
            else:
                sections[section.id] = section
        if name in found:
            report.add("left out", f"a second package with the id {name!r}")
        found.setdefault(name, Package(name, tuple(sections.values()), name_of(raw.get("hint"))))
    return tuple(found.values())


def _with_known(unit: BookUnit, known: set[str], report: ImportReport) -> BookUnit:
    """The unit with the packages its book has."""
    kept = tuple(name for name in dict.fromkeys(unit.upgrades) if name in known)
    for name in unit.upgrades:
        if name not in known:
            report.add("left out", f"{unit.name}: there is no package {name!r} in the book")
    return replace(unit, upgrades=kept)


def section_of(raw: Raw, report: ImportReport) -> Section:
    """A heading with its options. Older books say what it replaces in other words."""
    label = name_of(raw.get("label"), "Upgrade")
    targets = words(raw.get("targets")) or words(raw.get("replaceWhat"))
    variant = name_of(raw.get("variant")) or name_of(raw.get("type"))
    if variant == "replace" and not targets:
        targets = _named_targets(label)
        what = " and ".join(targets) or "nothing, so it is added"
        report.add("guessed", f"{label!r} does not say what it replaces; read as {what}")
    if variant == "attachment":
        report.add("kept as text", f"{label}: attachments are treated as upgrades")
    return Section(
        id=name_of(raw.get("uid") or raw.get("id"), slug(label)),
        label=label,
        options=_distinct_options(raw, label, report),
        variant="replace" if targets and (variant == "replace" or label.startswith("Replace")) else "upgrade",
        affects=_amount(raw.get("affects"), "exactly"),
        select=_amount(raw.get("select"), "up to" if "up to" in label.lower() else "exactly"),
        targets=tuple(targets),
    )


def _named_targets(label: str) -> list[str]:
    """What a heading replaces, from its text: `Replace any Sword and Shield`."""
    match = _REPLACES.match(label)
    return [word for word in re.split(r"\s+and\s+|,\s*", match["what"]) if word] if match else []


def _distinct_options(raw: Raw, label: str, report: ImportReport) -> tuple[UpgradeOption, ...]:
    kept: dict[str, UpgradeOption] = {}
    for option in (read_option(one, label, report) for one in parts(raw, "options")):
        if option.id in kept and kept[option.id] != option:
            report.add("left out", f"{label!r}: a second option with the id {option.id!r}")
        kept.setdefault(option.id, option)
    return tuple(kept.values())


def _amount(raw: object, plain: AmountKind) -> HowMany:
    """`{type, value}`, or in older books a word or a number."""
    if raw in (None, "", 0):
        return HowMany()
    if isinstance(raw, dict):
        kind = _KINDS.get(name_of(raw.get("type")).lower(), "")
        return HowMany(kind, max(0, min(99, whole(raw.get("value"))))) if kind else HowMany()
    word = name_of(raw).lower()
    if word in _KINDS:
        return HowMany(_KINDS[word])
    number = whole(raw)
    return HowMany(plain, min(99, number)) if number > 0 else HowMany()


def read_option(raw: Raw, label: str, report: ImportReport) -> UpgradeOption:
    """One option of a heading; what had to be guessed about it is in the report."""
    option = option_of(raw)
    where = f"{label!r}: {option.name}"
    prices = [raw.get("cost"), *(cost.get("cost") for cost in parts(raw, "costs"))]
    told = [price for price in prices if price not in (None, "")]
    if not told:
        report.add("guessed", f"{where} has no price; counted as 0 points")
    for price in told:
        if whole(price, NUMBER_MAX) >= NUMBER_MAX:
            report.add(
                "guessed", f"{where} costs {name_of(price, 'something odd')}; counted as {whole(price)}"
            )
    report_oddities(raw, where, report)
    return option


def option_of(raw: Raw) -> UpgradeOption:
    """One option with its prices by unit."""
    gains = raw.get("gains")
    found = [gain_of(gain) for gain in gains] if isinstance(gains, list) else []
    costs = [
        (name_of(cost.get("unitId")), whole(cost.get("cost")))
        for cost in parts(raw, "costs")
        if name_of(cost.get("unitId")) and cost.get("cost") is not None
    ]
    label = name_of(raw.get("label"))
    carried = tuple(gain for gain in found if gain is not None)
    if not carried and label and not isinstance(gains, list):
        rule = rule_of(label)
        carried = (Carried(rule),) if rule is not None else ()
    return UpgradeOption(
        id=name_of(raw.get("id") or raw.get("uid"), slug(label or "option")),
        name=label or "UpgradeOption",
        gains=carried,
        cost=whole(raw.get("cost")),
        costs=tuple(dict(reversed(costs)).items()),
    )


def _distinct(units: tuple[BookUnit, ...], report: ImportReport) -> tuple[BookUnit, ...]:
    kept: dict[str, BookUnit] = {}
    for unit in units:
        if unit.id in kept:
            report.add("left out", f"{unit.name}: a second unit with the id {unit.id!r}")
        kept.setdefault(unit.id, unit)
    return tuple(kept.values())


def _distinct_spells(spells: list[BookSpell]) -> tuple[BookSpell, ...]:
    """Spells by name, without duplicates."""
    return tuple({spell.name: spell for spell in reversed(spells)}.values())[::-1]
