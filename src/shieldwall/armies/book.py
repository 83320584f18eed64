"""Army books as data: units, what they carry, what may be bought for them, and the spells of their casters.

A book is frozen and has no behaviour but look-ups. `book_file` reads and writes it as text, `loadout` applies
what was bought to the models of a unit, `overlay` turns our own factions into the book of an edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from shieldwall.armies.spells import SpellSpec
from shieldwall.core.state import RuleRef, Weapon

Variant = Literal["upgrade", "replace"]
AmountKind = Literal["", "all", "any", "exactly", "up to"]


class Bases(Struct, frozen=True):
    """A model's bases in millimetres as printed: `25` or `60x35`, length first; empty if unknown."""

    round: str = ""
    square: str = ""


class Item(Struct, frozen=True):
    """Equipment that is not itself a weapon: the rules and weapons it brings, and the base of a mount."""

    name: str
    rules: tuple[RuleRef, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    bases: Bases = Bases()


Thing = Weapon | Item | RuleRef


class Carried(Struct, frozen=True):
    """Something carried: `count` of it by each of `models` models, or by every one if `models` is 0."""

    what: Thing
    count: int = 1
    models: int = 0


class HowMany(Struct, frozen=True):
    """An amount: all, any number, exactly this many or up to this many. An empty kind is one the book left out."""

    kind: AmountKind = ""
    value: int = 0


class UpgradeOption(Struct, frozen=True):
    """One thing a section offers. Its price may differ from unit to unit; `cost` applies to all others."""

    id: str
    name: str
    gains: tuple[Carried, ...] = ()
    cost: int = 0
    costs: tuple[tuple[str, int], ...] = ()

    def price(self, unit: str) -> int:
        """The price of the option for a unit, by the unit's id."""
        for owner, cost in self.costs:
            if owner == unit:
                return cost
        return self.cost


class Section(Struct, frozen=True):
    """A group of options under one heading, such as `Replace all Spears`."""

    id: str
    label: str
    options: tuple[UpgradeOption, ...]
    variant: Variant = "upgrade"
    affects: HowMany = HowMany()
    select: HowMany = HowMany()
    targets: tuple[str, ...] = ()


class Package(Struct, frozen=True):
    """Sections that units refer to together."""

    id: str
    sections: tuple[Section, ...]
    hint: str = ""


class BookUnit(Struct, frozen=True):
    """One entry of a book. `upgrades` names packages, `without` sections of them it may not use."""

    id: str
    name: str
    cost: int
    size: int
    quality: int
    defense: int
    equipment: tuple[Carried, ...] = ()
    rules: tuple[RuleRef, ...] = ()
    upgrades: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    bases: Bases = Bases()
    kind: str = "infantry"
    about: str = ""

    @property
    def is_hero(self) -> bool:
        """Whether the unit is a hero by its printed rules."""
        return any(rule.name.lower() == "hero" for rule in self.rules)


class BookSpell(Struct, frozen=True):
    """A spell: how the game plays it, and its printed text. `spec` is None if it is text only."""

    name: str
    cost: int
    text: str = ""
    spec: SpellSpec | None = None


class RuleText(Struct, frozen=True):
    """A special rule as the book explains it."""

    name: str
    text: str = ""
    on: Literal["", "weapon", "model"] = ""  # what it is printed on, if the book says so


class Book(Struct, frozen=True, dict=True):
    """An army book. `system` is the edition or game system whose terms it uses, `source` who wrote it."""

    id: str
    name: str
    version: str
    system: str
    units: tuple[BookUnit, ...]
    packages: tuple[Package, ...] = ()
    spells: tuple[BookSpell, ...] = ()
    rules: tuple[RuleText, ...] = ()
    about: str = ""
    source: str = ""
    fingerprint: str = ""
    written_for: str = ""  # the game it was written for, if `system` is the edition it was translated to

    def unit(self, unit_id: str) -> BookUnit | None:
        """The unit with that id."""
        return next((unit for unit in self.units if unit.id == unit_id), None)

    def unit_named(self, name: str) -> BookUnit | None:
        """The unit with that name, ignoring case."""
        wanted = plain_name(name)
        return next((unit for unit in self.units if plain_name(unit.name) == wanted), None)

    def sections_of(self, unit: BookUnit) -> tuple[Section, ...]:
        """The sections a unit may buy from, in the printed order."""
        packages = {package.id: package for package in self.packages}
        return tuple(
            section
            for package_id in unit.upgrades
            if package_id in packages
            for section in packages[package_id].sections
            if section.id not in unit.without
        )

    def find_option(
        self, unit: BookUnit, option: str, section: str = ""
    ) -> tuple[Section, UpgradeOption] | None:
        """The option a unit may buy, with its section; the section's id decides if two share an id."""
        for known in self.sections_of(unit):
            if section in ("", known.id):
                for offered in known.options:
                    if offered.id == option:
                        return known, offered
        return None

    def offered_to_others(self, option: str, section: str = "") -> tuple[Section, UpgradeOption] | None:
        """An option from anywhere in the book, to explain why a unit may not buy it."""
        every = (known for package in self.packages for known in package.sections)
        found = ((known, one) for known in every for one in known.options if one.id == option)
        return next((pair for pair in found if section in ("", pair[0].id)), None)


def every_rule(book: Book) -> Iterator[RuleRef]:
    """Every rule, once for each time it is printed: on units, on what they carry and on what may be bought."""
    for unit in book.units:
        yield from rules_of_unit(unit)
    for package in book.packages:
        for section in package.sections:
            for option in section.options:
                for gain in option.gains:
                    yield from rules_of_thing(gain.what)


def rules_of_unit(unit: BookUnit) -> Iterator[RuleRef]:
    """Every rule that is printed on a unit and on what it carries."""
    yield from unit.rules
    for line in unit.equipment:
        yield from rules_of_thing(line.what)


def rules_of_thing(thing: Thing) -> Iterator[RuleRef]:
    """Every rule that comes with something carried."""
    match thing:
        case RuleRef():
            yield thing
        case Weapon():
            yield from thing.rules
        case Item():
            yield from thing.rules
            for weapon in thing.weapons:
                yield from weapon.rules


def plain_name(name: str) -> str:
    """A name for comparing: no typographic quotes or dashes, single spaces, lower case."""
    folded = name.translate(_FOLDED)
    return " ".join(folded.split()).casefold()


def slug(text: str) -> str:
    """A name as an id: lower-case words joined by dashes."""
    return re.sub(r"[^a-z0-9]+", "-", plain_name(text).replace("'", "")).strip("-") or "x"


_FOLDED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "″": '"', "–": "-", "—": "-", "\u00a0": " "})
