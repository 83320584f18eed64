"""Our own factions as books of an edition.

A faction is written once, in terms of Regiments 3.5. `data/overlays.yaml` gives for each edition the names of its rules
there, the rules it lacks, and how sizes, Defense and spells are counted; a unit may add details for
one edition. Prices come from `pricing` after all that, so a rule that is dropped takes its price with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import army_rules, plays_rules, standings
from shieldwall.armies.book import (
    Book,
    BookSpell,
    BookUnit,
    Carried,
    Item,
    Package,
    Section,
    Thing,
    UpgradeOption,
)
from shieldwall.armies.book_file import book_from
from shieldwall.armies.files import load_yaml
from shieldwall.armies.lists import UpgradePick
from shieldwall.armies.loadout import bare_figures, outfit
from shieldwall.armies.parse import describe_rule, parse_rules
from shieldwall.armies.pricing import Worth, option_price, price
from shieldwall.armies.spells import is_explicit, played_spell
from shieldwall.armies.things import describe
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import RuleRef, Weapon
from shieldwall.editions import ruleset
from shieldwall.rulebook.conversion import convert
from shieldwall.rules.army import meanings_of

DATA = Path(__file__).parent / "data"
SPELL_COSTS = (1, 2, 3)  # the terms all factions are written in


class BookOverlay(Struct, frozen=True, forbid_unknown_fields=True):
    """How an edition translates a faction.

    `names` maps a rule to its name there, or to nothing if it has none; `plain` names rules that lose their value in
    brackets. `lifted` are weapon rules that belong to models there. `by_kind` are rules that a kind of unit has without
    printing them; they matter only for prices. `wounds_on` means that Defense is the number a wound is rolled on,
    `scale` is the price of a point of worth there.
    """

    names: dict[str, str] = {}
    plain: tuple[str, ...] = ()
    lifted: dict[str, str] = {}
    sizes: dict[int, int] = {}
    spell_numbers: dict[int, int] = {}
    by_kind: dict[str, str] = {}
    wounds_on: bool = False
    scale: float = 1.0

    def rule(self, rule: RuleRef) -> RuleRef | None:
        """A rule as the edition prints it; None if it has no such rule."""
        name = self.names.get(rule.name, rule.name)
        if name in self.plain:
            return RuleRef(name)
        return RuleRef(name, rule.value, rule.plus) if name else None

    def rules(self, rules: tuple[RuleRef, ...]) -> tuple[RuleRef, ...]:
        """Those of the rules that the edition has, without duplicates."""
        return tuple(dict.fromkeys(own for rule in rules if (own := self.rule(rule)) is not None))

    def weapon(self, weapon: Weapon) -> tuple[Weapon, tuple[RuleRef, ...]]:
        """A weapon as the edition prints it, and the rules that moved from it to its bearer."""
        kept = tuple(rule for rule in weapon.rules if rule.name not in self.lifted)
        lifted = tuple(RuleRef(self.lifted[rule.name]) for rule in weapon.rules if rule.name in self.lifted)
        return Weapon(weapon.name, weapon.attacks, weapon.reach, self.rules(kept)), lifted

    def defense(self, defense: int) -> int:
        """Defense as the edition counts it, with the same chance to survive a hit."""
        return 8 - defense if self.wounds_on else defense


@cache
def overlays() -> Mapping[str, BookOverlay]:
    """The overlay of every edition a faction can be used in."""
    raw = load_yaml((DATA / "overlays.yaml").read_bytes(), "overlays.yaml")
    return convert(raw, dict[str, BookOverlay])


def faction_book(raw: Mapping[str, object], edition: str) -> Book:
    """A faction as the book of an edition, with prices; raises with every error in its file."""
    overlay = overlays()[edition]
    problems: list[str] = []
    book = book_from(_for_edition(raw, edition, overlay, problems), problems)
    if problems:
        raise MalformedError(f"faction {raw.get('id')!r} in {edition}", problems)
    return priced(translated(book, overlay), overlay)


@cache
def as_played(book: Book, edition: str) -> Book:
    """A book that was written for another game, translated to an edition.

    Rules the edition does not have stay as printed: they are not enforced, but remain visible.
    """
    found = book
    if book.system != edition:
        found = replace(
            translated(book, _own_renaming(book, edition)), system=edition, written_for=book.system
        )
    return replace(found, spells=castable(found, edition))


def castable(book: Book, edition: str) -> tuple[BookSpell, ...]:
    """The spells of a book; those explained only by their text stay text if the edition cannot play them."""
    specials = ruleset(edition).specials
    meanings = meanings_of(army_rules(book, edition))
    found = []
    for spell in book.spells:
        spec = spell.spec
        if spec is not None and spec.text and not is_explicit(spec):
            cast = played_spell(spec, meanings)
            if cast is None or not plays_rules((*cast.rules, *cast.grants), specials):
                spec = None
        found.append(BookSpell(spell.name, spell.cost, spell.text, spec))
    return tuple(found)


def _own_renaming(book: Book, edition: str) -> BookOverlay:
    """How a book is translated to an edition; a rule whose own text is played keeps its name."""
    overlay = _renaming(book.system, edition)
    kept = {one.name for one in standings(book, edition).values() if one.is_played and one.blocks is not None}
    return replace(overlay, names={name: told for name, told in overlay.names.items() if name not in kept})


def inverts_defense(system: str, edition: str) -> bool:
    """Whether the books of a game count Defense the other way round than an edition."""
    told = overlays().get(system)
    return (told is not None and told.wounds_on) != overlays()[edition].wounds_on


def renamed(book: Book, edition: str) -> set[tuple[str, str]]:
    """The rules of a book that have another name in an edition, with that name."""
    if book.system == edition:
        return set()
    names, printed = _own_renaming(book, edition).names, printed_rules(book)
    return {(name, told) for name, told in names.items() if name in printed}


def printed_rules(book: Book) -> set[str]:
    """The names of all rules in a book: on units, on what they carry or may buy, and in spells."""
    printed = {rule.name for unit in book.units for rule in unit.rules}
    for spec in (spell.spec for spell in book.spells if spell.spec is not None):
        printed |= {rule.name for text in (spec.rules, spec.grants) for rule in parse_rules(text)}
    things = [line.what for unit in book.units for line in unit.equipment]
    things += [
        gain.what
        for package in book.packages
        for section in package.sections
        for option in section.options
        for gain in option.gains
    ]
    for thing in things:
        match thing:
            case RuleRef():
                printed.add(thing.name)
            case Weapon():
                printed |= {rule.name for rule in thing.rules}
            case Item():
                printed |= {rule.name for rule in thing.rules}
                printed |= {rule.name for weapon in thing.weapons for rule in weapon.rules}
    return printed


@cache
def _renaming(system: str, edition: str) -> BookOverlay:
    """The translation from one game, which may be an edition of ours, to another edition."""
    source, overlay = overlays().get(system, BookOverlay()), overlays()[edition]
    names = {name: told for name, told in overlay.names.items() if told}
    knows = ruleset(edition).specials.knows
    for name, told in source.names.items():  # a name only the source uses: to the common one, then onwards
        if told and not knows(told) and knows(names.get(name, name)):
            names.setdefault(told, names.get(name, name))
    costs = {
        source.spell_numbers.get(cost, cost): overlay.spell_numbers.get(cost, cost) for cost in SPELL_COSTS
    }
    turned = inverts_defense(system, edition)
    return BookOverlay(names=names, spell_numbers=costs, wounds_on=turned, scale=overlay.scale)


def translated(book: Book, overlay: BookOverlay) -> Book:
    """A book translated to an edition; options that bring nothing there are dropped."""
    units = tuple(_unit(unit, overlay) for unit in book.units)
    packages = tuple(
        Package(package.id, tuple(_sections(package, overlay)), package.hint) for package in book.packages
    )
    spells = tuple(_spell(spell, overlay) for spell in book.spells)
    return replace(book, units=units, packages=packages, spells=spells)


def priced(book: Book, overlay: BookOverlay) -> Book:
    """The same book with every price set by the pricing function."""
    units = []
    costs: dict[str, list[tuple[str, int]]] = {}
    for unit in book.units:
        worth = _worth(unit, overlay)
        bare = bare_figures(unit)
        for section in book.sections_of(unit):
            for option in section.options:
                after = outfit(book, unit, [UpgradePick(option.id, section.id)])
                cost = option_price(worth, bare, after.figures)
                costs.setdefault(option.id, []).append((unit.id, cost))
        units.append(replace(unit, cost=price(worth, bare)))
    packages = tuple(
        Package(
            package.id,
            tuple(
                replace(
                    section,
                    options=tuple(
                        replace(option, cost=0, costs=tuple(costs.get(option.id, ())))
                        for option in section.options
                    ),
                )
                for section in package.sections
            ),
            package.hint,
        )
        for package in book.packages
    )
    return replace(book, units=tuple(units), packages=packages)


def _worth(unit: BookUnit, overlay: BookOverlay) -> Worth:
    unprinted = parse_rules(overlay.by_kind.get(unit.kind, ""))
    rules = tuple(dict.fromkeys((*unit.rules, *unprinted)))
    return Worth(unit.quality, overlay.defense(unit.defense), rules, overlay.scale)


def _for_edition(
    raw: Mapping[str, object], edition: str, overlay: BookOverlay, problems: list[str]
) -> dict[str, object]:
    """The plain data of a faction with the details for one edition applied."""
    units = raw.get("units")
    settled = []
    for unit in units if isinstance(units, list) else []:
        own = {key: value for key, value in unit.items() if key != "in"}
        size = own.get("size", 1)
        own["size"] = overlay.sizes.get(size, size)
        more = (unit.get("in") or {}).get(edition, {})
        unknown = sorted(set(unit.get("in") or {}) - set(overlays()))
        problems += [f"unit {own.get('name')!r}: there is no edition {name!r}" for name in unknown]
        if more is not None:  # an empty entry leaves a unit out of an edition
            settled.append(own | more)
    return {**raw, "system": edition, "units": settled}


def _unit(unit: BookUnit, overlay: BookOverlay) -> BookUnit:
    equipment = _gains(unit.equipment, overlay)
    lifted = tuple(line.what for line in equipment if isinstance(line.what, RuleRef) and not line.models)
    return replace(
        unit,
        defense=overlay.defense(unit.defense),
        equipment=tuple(
            line for line in equipment if not (isinstance(line.what, RuleRef) and not line.models)
        ),
        rules=tuple(dict.fromkeys((*overlay.rules(unit.rules), *lifted))),
    )


def _sections(package: Package, overlay: BookOverlay) -> list[Section]:
    found: list[Section] = []
    for section in package.sections:
        options = []
        for option in section.options:
            gains = _gains(option.gains, overlay)
            if gains or not option.gains:
                options.append(replace(option, name=_named(option, gains), gains=gains))
        if options:
            found.append(replace(section, options=tuple(options)))
    return found


def _named(option: UpgradeOption, gains: tuple[Carried, ...]) -> str:
    """An option under its own name, or under what it brings in this edition."""
    printed = ", ".join(describe(gain.what) for gain in option.gains)
    return option.name if option.name != printed else ", ".join(describe(gain.what) for gain in gains)


def _gains(lines: tuple[Carried, ...], overlay: BookOverlay) -> tuple[Carried, ...]:
    found: list[Carried] = []
    for line in lines:
        thing, lifted = _thing(line.what, overlay)
        if thing is not None:
            found.append(replace(line, what=thing))
        found += [own for rule in lifted if (own := Carried(rule, 1, line.models)) not in found]
    return tuple(found)


def _thing(thing: Thing, overlay: BookOverlay) -> tuple[Thing | None, tuple[RuleRef, ...]]:
    match thing:
        case RuleRef():
            return overlay.rule(thing), ()
        case Weapon():
            return overlay.weapon(thing)
        case Item():
            changed = [overlay.weapon(weapon) for weapon in thing.weapons]
            rules = (*overlay.rules(thing.rules), *(rule for _, lifted in changed for rule in lifted))
            if not rules and not changed and thing.rules:  # nothing of what it brings is left here
                return None, ()
            return replace(thing, rules=rules, weapons=tuple(weapon for weapon, _ in changed)), ()


def _spell(spell: BookSpell, overlay: BookOverlay) -> BookSpell:
    cost = overlay.spell_numbers.get(spell.cost, spell.cost)
    if spec := spell.spec:
        rules, grants = (
            ", ".join(_signed(rule) for rule in overlay.rules(parse_rules(text)))
            for text in (spec.rules, spec.grants)
        )
        spec = replace(spec, cost=cost, rules=rules, grants=grants)
    return BookSpell(spell.name, cost, spell.text, spec)


def _signed(rule: RuleRef) -> str:
    """A rule as text that keeps its sign."""
    return f"{rule.name}({rule.value:+d})" if rule.value < 0 else describe_rule(rule)
