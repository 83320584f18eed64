"""From an army list to units that can be mustered: every model with its profile, heroes in the units they joined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import army_rules, standing_of
from shieldwall.armies.book import Bases, Book, BookUnit, Item
from shieldwall.armies.factions import FACTIONS, book
from shieldwall.armies.forge.systems import fit, key_of, system_key
from shieldwall.armies.lists import ArmyList, Entry
from shieldwall.armies.loadout import EquippedModel, Loadout, both_copies, outfit
from shieldwall.armies.muster import MusteredArmy, unknown_rules
from shieldwall.armies.new_units import NamedUnit, named_unit, title_of
from shieldwall.armies.overlay import as_played
from shieldwall.armies.rule_values import Printed
from shieldwall.armies.spells import SpellSpec, read_spells
from shieldwall.armies.troops import Soldier, Troop, bound_soldier
from shieldwall.core.blocks import CasterGroup, Gets, RuleRef
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Spell
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.army import meanings_of

CASTING = ("Caster", "Wizard")


def casts(rule: RuleRef) -> bool:
    """Whether a rule, with what its text says, makes a caster of those who have it."""
    return rule.name in CASTING or any(
        isinstance(block, CasterGroup) or (isinstance(block, Gets) and not block.when and casts(block.rule))
        for block in rule.blocks or ()
    )


def casting_rules(source: Book, edition: str) -> frozenset[str]:
    """The names of a book's rules that make casters."""
    told = [
        rule.name for rule in army_rules(source, edition) if casts(RuleRef(rule.name, blocks=rule.blocks))
    ]
    return frozenset((*CASTING, *told))


Books = Mapping[str, Book]


def books_of(army: ArmyList, more: Sequence[Book] = ()) -> dict[str, Book]:
    """The books a list needs, by id, translated to its edition: those given, and our own.

    Of several books with the same id, the one for the game that the list was made for is used, or else for the one
    being played, or for one that is played with the same books; of several versions, the one the list was made with,
    or else the newest.
    """
    wanted = {ref.id: ref.version for ref in army.books}
    games = (army.system or key_of(army.edition), key_of(army.edition))
    found = {
        known.id: as_played(known, army.edition)
        for known in sorted(more, key=lambda known: _preference(known, wanted.get(known.id, ""), games))
    }
    for ref in army.books:
        if ref.id in FACTIONS and ref.id not in found:
            found[ref.id] = book(ref.id, army.edition)
    return found


def _preference(book: Book, wanted: str, games: tuple[str, str]) -> tuple[int, bool, list[int]]:
    """A sort key that puts the preferred book last, for the game of a list and the one that it is played as."""
    made_for, played = games
    system = system_key(book.written_for or book.system)
    fits = 2 if system in EDITIONS else fit(system, made_for)
    return (
        2 * fits + (system == played),
        book.version == wanted,
        [int(number) for number in re.findall(r"\d{1,9}", book.version)],
    )


def loadout_of(army: ArmyList, entry: Entry, books: Books) -> Loadout | None:
    """The unit of an entry with everything bought for it; None if no book has it."""
    source = books.get(army.book_of(entry))
    unit = source.unit(entry.unit) if source is not None else None
    if source is None or unit is None:
        return None
    first = outfit(source, unit, entry.picks)
    if entry.second is None:
        return first
    return both_copies(first, outfit(source, unit, entry.second))


def cost_of(army: ArmyList, books: Books) -> int:
    """The cost of a list by the books; units that no book has count as 0."""
    found = [loadout_of(army, entry, books) for entry in army.entries]
    return sum(loadout.cost for loadout in found if loadout is not None)


def printed_models(army: ArmyList, books: Books) -> list[Printed]:
    """The rules and weapons of every kind of model in a list, each with the name of its unit."""
    found: dict[Printed, None] = {}
    for entry in army.entries:
        loadout = loadout_of(army, entry, books)
        if loadout is not None:
            unit = loadout.unit
            for figure in loadout.figures:
                found[unit.name, (*unit.rules, *figure.gained), figure.weapons] = None
    return list(found)


def unplayed_rules(army: ArmyList, books: Books) -> dict[str, list[str]]:
    """The rules of a list that its edition does not play, each with the units and spells it is printed on.

    Units that no book has are skipped, and so are spells that nobody in the list can cast.
    """
    specials = ruleset(army.edition).specials
    used = [books[name] for name in dict.fromkeys(map(army.book_of, army.entries)) if name in books]
    found: dict[str, dict[str, None]] = {}
    for unit, rules, weapons in printed_models(army, books):
        printed = (*rules, *(rule for weapon in weapons for rule in weapon.rules))
        for rule in printed:
            if not any(standing_of(source, army.edition, rule.name).is_played for source in used):
                found.setdefault(rule.name, {})[unit] = None
    for told in unknown_rules(specials, (), (), spells_of(army, books)):
        found.setdefault(told.rule, {})[told.unit] = None
    return {name: list(units) for name, units in sorted(found.items())}


class RulesPlayed(Struct, frozen=True):
    """How many of a list's different rules are played, and the names of those that are not, with their units."""

    of: int
    played: int
    unplayed: tuple[str, ...] = ()
    units: tuple[tuple[str, ...], ...] = ()  # of each rule that is not played
    spells: tuple[str, ...] = ()  # known to a caster of the list, but impossible to cast

    @property
    def is_whole(self) -> bool:
        """Whether all rules and all spells are played."""
        return not self.unplayed and not self.spells

    @property
    def words(self) -> str:
        """The figures as a sentence."""
        told = [f"{name} ({', '.join(units)})" for name, units in zip(self.unplayed, self.units, strict=True)]
        rules = (
            f"{self.played} of {self.of} rules are played; not played: {', '.join(told)}"
            if told
            else f"all {self.of} rules are played"
        )
        spells = "the spell" if len(self.spells) == 1 else "the spells"
        return f"{rules}; {spells} {', '.join(self.spells)} cannot be cast" if self.spells else rules


def rules_played(army: ArmyList, books: Sequence[Book] | Books = ()) -> RulesPlayed:
    """How many of the different rules on a list's units and weapons are played in its edition."""
    known = books_of(army, tuple(books.values()) if isinstance(books, Mapping) else books)
    printed = {
        rule.name
        for _, rules, weapons in printed_models(army, known)
        for rule in (*rules, *(rule for weapon in weapons for rule in weapon.rules))
    }
    found = {name: tuple(units) for name, units in unplayed_rules(army, known).items() if name in printed}
    spells = unplayed_spells(army, known)
    return RulesPlayed(len(printed), len(printed) - len(found), tuple(found), tuple(found.values()), spells)


def unplayed_spells(army: ArmyList, books: Books) -> tuple[str, ...]:
    """The spells of a list's casters that do not do everything they say in its edition."""
    from shieldwall.armies.coverage import is_cast  # avoids an import cycle

    if not has_caster(army, books):
        return ()
    used = [books[name] for name in dict.fromkeys(map(army.book_of, army.entries)) if name in books]
    return tuple(
        spell.name for source in used for spell in source.spells if not is_cast(source, army.edition, spell)
    )


def has_caster(army: ArmyList, books: Books) -> bool:
    """Whether anybody in a list can cast."""
    casting = {name for source in books.values() for name in casting_rules(source, army.edition)}
    return any(rule.name in casting for _, rules, _ in printed_models(army, books) for rule in rules)


def spells_of(army: ArmyList, books: Books) -> tuple[Spell, ...]:
    """The spells that any unit of a list can cast; none if they cannot be read."""
    if not has_caster(army, books):
        return ()
    used = dict.fromkeys(army.book_of(entry) for entry in army.entries)
    found: dict[str, Spell] = {}
    for name in used:
        if name in books:
            meanings = meanings_of(army_rules(books[name], army.edition))
            high = ruleset(army.edition).specials.high_defense
            try:
                read = read_spells(spell_specs(books[name]), meanings, high_defense=high)
                found |= {spell.name: spell for spell in read}
            except MalformedError:
                continue
    return tuple(found.values())


def recruit(army: ArmyList, books: Sequence[Book] | Books = ()) -> MusteredArmy:
    """The list as units that can be mustered; raises with every entry that no book has.

    Nothing is checked here: an illegal list can be mustered too (`check_list` says what is wrong).
    """
    known = books_of(army, tuple(books.values()) if isinstance(books, Mapping) else books)
    used = dict.fromkeys(army.book_of(entry) for entry in army.entries)
    troops = troops_of(army, known)
    spells = [spec for name in used for spec in own_specs(known[name], used, known)]
    rules = {rule.name: rule for name in reversed(used) for rule in army_rules(known[name], army.edition)}
    faction = army.books[0].name if army.books else ""
    new_units = new_units_of(army, known, troops)
    return MusteredArmy(army.name, troops, faction, tuple(spells), tuple(rules.values()), new_units)


def new_units_of(army: ArmyList, books: Books, troops: Sequence[Troop]) -> tuple[tuple[str, Troop], ...]:
    """The units that rules of a list may bring on, as their books print them, by the name that the rules give."""
    found: dict[str, Troop] = {}
    todo = list(troops)
    while todo:
        troop = todo.pop()
        for soldier in (*troop.soldiers, *([troop.hero] if troop.hero else [])):
            for named in (named_unit(rule.name) for rule in soldier.rules):
                if named is None or title_of(named) in found:
                    continue
                new = _new_unit(army, books, named)
                if new is not None:
                    found[title_of(named)] = new
                    todo.append(new)
    return tuple(sorted(found.items(), key=lambda pair: pair[0]))


def _new_unit(army: ArmyList, books: Books, named: NamedUnit) -> Troop | None:
    """A unit as the first of a list's books that has it prints it, with as many models as are named."""
    for name in dict.fromkeys(map(army.book_of, army.entries)):
        source = books.get(name)
        unit = source.unit_named(named.unit) if source is not None else None
        if source is not None and unit is not None:
            entry = Entry(id="", unit=unit.id, book=name)
            loadout = outfit(source, replace(unit, size=named.size), ())
            return replace(_troop(army, entry, loadout, None, None, books), cost=0)
    return None


def own_specs(source: Book, used: Iterable[str], books: Books) -> list[SpellSpec]:
    """The spells of a book that can be played, under the names used in a list made with several books.

    If another book has a spell of the same name, the spell also gets the name of its book.
    """
    others = [
        spec for name in used if name != source.id and name in books for spec in spell_specs(books[name])
    ]
    meant = {spec.name for spec in others}
    return [
        replace(spec, name=f"{spec.name} ({source.name})")
        if spec.name in meant and spec not in others
        else spec
        for spec in spell_specs(source)
    ]


def troops_of(army: ArmyList, known: Books) -> tuple[Troop, ...]:
    """The units of a list model by model, heroes in the units they joined."""
    loadouts = {entry.id: loadout_of(army, entry, known) for entry in army.entries}
    missing = [
        f"{entry.name or entry.unit}: there is no unit {entry.unit!r} in {army.book_of(entry)!r}"
        for entry in army.entries
        if loadouts[entry.id] is None
    ]
    if missing:
        raise MalformedError(f"list {army.name!r}", missing)
    guests = {entry.joins: entry for entry in reversed(army.entries) if _is_guest(army, entry)}
    troops = []
    for entry in army.entries:
        if guests.get(entry.joins) is entry:
            continue
        loadout = loadouts[entry.id]
        assert loadout is not None
        guest = guests.get(entry.id)
        troops.append(_troop(army, entry, loadout, guest, loadouts.get(guest.id) if guest else None, known))
    return tuple(troops)


def spell_specs(source: Book) -> list[SpellSpec]:
    """The spells of a book that can be played."""
    return [spell.spec for spell in source.spells if spell.spec is not None]


def _is_guest(army: ArmyList, entry: Entry) -> bool:
    """Whether an entry is part of another from the start; nobody can join itself or a hero who joined."""
    host = army.entry(entry.joins) if entry.joins else None
    return host is not None and host is not entry and not host.joins


def _troop(
    army: ArmyList,
    entry: Entry,
    loadout: Loadout,
    guest: Entry | None,
    guest_loadout: Loadout | None,
    books: Books,
) -> Troop:
    soldiers = tuple(_soldiers(army, loadout, entry, loadout.unit.name, books))
    hero = None
    cost = loadout.cost
    if guest is not None and guest_loadout is not None:
        name = guest.name or guest_loadout.unit.name
        hero = next(iter(_soldiers(army, guest_loadout, guest, name, books)))
        cost += guest_loadout.cost
    if loadout.size == 1:
        soldiers = (_named(soldiers[0], entry.name or loadout.unit.name),)
    return Troop(
        name=entry.name or loadout.unit.name,
        soldiers=soldiers,
        hero=hero,
        part=loadout.unit.size if entry.is_combined else 0,
        cost=cost,
        is_combined=entry.is_combined,
    )


def _soldiers(army: ArmyList, loadout: Loadout, entry: Entry, name: str, books: Books) -> list[Soldier]:
    """The models of an entry; in a list made with several books, their rules mean what their own book says."""
    source = books[army.book_of(entry)]
    used = dict.fromkeys(map(army.book_of, army.entries))
    spells = tuple(spec.name for spec in own_specs(source, used, books))
    casting = casting_rules(source, army.edition)
    found = [_soldier(loadout.unit, figure, spells, casting, name) for figure in loadout.figures]
    if len(used) == 1:  # mustering binds the rules of the one book
        return found
    meanings = meanings_of(army_rules(source, army.edition))
    bound = {one: bound_soldier(one, meanings) for one in dict.fromkeys(found)}
    return [bound[one] for one in found]


def _soldier(
    unit: BookUnit, figure: EquippedModel, spells: tuple[str, ...], casting: frozenset[str], name: str
) -> Soldier:
    rules = (*unit.rules, *figure.gained)
    return Soldier(
        name=_model_name(unit, figure) if unit.size > 1 else name,
        quality=unit.quality,
        defense=unit.defense,
        weapons=figure.weapons,
        rules=rules,
        kind=unit.kind,
        bases=_bases(figure.bases or unit.bases),
        spells=spells if any(rule.name in casting for rule in rules) else (),
    )


def _bases(bases: Bases) -> tuple[str, str]:
    return bases.round, bases.square


def _named(soldier: Soldier, name: str) -> Soldier:
    return replace(soldier, name=name)


def _model_name(unit: BookUnit, figure: EquippedModel) -> str:
    """The name of a model that differs: its role, or what was bought for it alone."""
    if not figure.specials:
        return unit.name
    roles = [rule.name for rule in figure.rules]
    common = {line.what for line in unit.equipment}
    gear = [thing.name for thing in figure.carried if thing not in common]
    items = [thing.name for thing in figure.carried if isinstance(thing, Item) and thing not in common]
    return next(iter((*roles, *items, *gear)), unit.name)
