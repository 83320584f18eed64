"""From list entries to the parts of a state: shared profiles, units with their models, a fresh game.

A list entry is text as printed in a list; all problems of all entries are reported together. Special
rules the edition does not play stay on the profile and are reported, never dropped silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.army_rules import named_rules
from shieldwall.armies.later import hold_for_later
from shieldwall.armies.new_units import new_units_of
from shieldwall.armies.overlay import overlays
from shieldwall.armies.parse import Equipment, parse_equipment, parse_rules, parse_stats, parse_title
from shieldwall.armies.spells import SpellSpec, read_spells
from shieldwall.armies.troops import (
    Soldier,
    Troop,
    bound_soldier,
    by_kind,
    defense_of,
    in_place,
    profile_of,
    weapons_of,
    wounds_of,
)
from shieldwall.core.blocks import ArmyRule, ArmyText
from shieldwall.core.errors import MalformedError
from shieldwall.core.frames import Preparation
from shieldwall.core.state import Base, Model, Piece, Profile, RuleRef, Seat, Side, Spell, State, Unit, Weapon
from shieldwall.core.values import MILLI
from shieldwall.rulebook.house_rules import Setting, settle
from shieldwall.rules.army import bind_rules, bind_weapon, meanings_of, playable
from shieldwall.rules.army.binding import Meanings
from shieldwall.rules.bindings import Specials
from shieldwall.rules.missions import check_mission
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.bases import Family, default_base, default_height, parse_base
from shieldwall.table.ranks import rank_profile, row_width

T = TypeVar("T")
ARMIES_KEPT = 64
READING = "army-rules"  # the switch that decides whose version of a rule counts


class ModelSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """Models of a unit that differ from the rest; anything omitted is as on the unit.

    `equipment` replaces the unit's, `adds` is added to it; `rules` are added to the unit's rules.
    A hero inherits nothing from the unit: only its own numbers, equipment and rules count.
    """

    name: str = ""
    count: int = 1
    stats: str = ""
    equipment: str | None = None
    adds: str = ""
    rules: str = ""
    base: str = ""
    height: float = 0.0
    kind: str = ""
    spells: tuple[str, ...] = ()


class UnitSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of a list. `name` may carry the size: `Infantrymen [10]`; `models` overrides it.

    `command` names command roles, each taken by one model; `special` are models with different equipment, `hero` is a
    hero who joined the unit. `part` is the size of each half of a combined unit, which ranks by it.
    """

    name: str
    stats: str
    models: int = 0
    equipment: str = ""
    rules: str = ""
    base: str = ""
    kind: str = "infantry"
    height: float = 0.0
    cost: int = 0
    command: tuple[str, ...] = ()
    special: tuple[ModelSpec, ...] = ()
    hero: ModelSpec | None = None
    slot: int = 0
    part: int = 0
    spells: tuple[str, ...] = ()


class MusteredArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """One side's list: units as text, or model by model; `rules` are those that its own texts explain.

    `new_units` are those that rules of the list may bring on, by the name and size that the rules give.
    """

    name: str
    units: tuple[UnitSpec | Troop, ...]
    faction: str = ""
    spells: tuple[SpellSpec, ...] = ()
    rules: tuple[ArmyRule, ...] = ()
    new_units: tuple[tuple[str, UnitSpec | Troop], ...] = ()


class UnknownRule(Struct, frozen=True, order=True):
    """A special rule that the edition does not play, and the unit or spell it is printed on."""

    unit: str
    rule: str


class Mustered(Struct, frozen=True):
    """The result of mustering lists: profiles to share, units numbered from 0, special rules that are not played."""

    profiles: tuple[Profile, ...]
    units: tuple[Unit, ...]
    unknown: tuple[UnknownRule, ...] = ()


class Mustering:
    """Collects profiles and units entry by entry, so that ids are unique over the whole game."""

    def __init__(
        self, specials: Specials, blocks: bool, joining: bool | None = None, family: Family | None = None
    ) -> None:
        self.specials = specials
        self.blocks = blocks
        self.joining = blocks if joining is None else joining
        self.family: Family = family or ("square" if blocks else "round")
        self.profiles: list[Profile] = []
        self.units: list[Unit] = []
        self.problems: list[str] = []
        self.meanings: Meanings = {}  # what the texts of the current army say about its rules
        self._numbers: dict[Profile, int] = {}
        self._next_model = 0

    def add(self, spec: UnitSpec, side: int, seat: int | None = None) -> Unit | None:
        """The unit of one entry; None, with the problems noted, if the entry is invalid."""
        before = len(self.problems)
        title = self._try(spec.name, lambda: parse_title(spec.name))
        size = spec.models or (title.size if title else 1)
        plain = self._profile(spec)
        kinds = self._specials(spec, plain, size) if plain else []
        hero = self._hero(spec) if spec.hero is not None else None
        if len(self.problems) > before or title is None or plain is None:
            return None
        profiles = [*kinds, *[plain] * (size - len(kinds)), *([hero] if hero else [])]
        models = tuple(self.model_of(self._in_place(profile)) for profile in profiles)
        unit = Unit(
            id=len(self.units),
            side=side,
            seat=side if seat is None else seat,
            name=title.name,
            models=models,
            start_models=len(models),
            width=row_width(size, spec.part) if self.blocks else 0,
            attached=models[-1].id if hero else -1,
            slot=spec.slot,
            cost=spec.cost,
        )
        return self.listed(unit)

    def enlist(self, troop: Troop, side: int, seat: int | None = None) -> Unit:
        """The unit of a troop. An impossible base becomes the usual one of its kind."""
        soldiers = [*troop.soldiers, *([troop.hero] if troop.hero else [])]
        profiles = {
            soldier: profile_of(self._as_read(soldier), self.specials, self.family) for soldier in soldiers
        }
        models = tuple(self.model_of(profiles[soldier]) for soldier in soldiers)
        unit = Unit(
            id=len(self.units),
            side=side,
            seat=side if seat is None else seat,
            name=troop.name,
            models=models,
            start_models=len(models),
            width=row_width(len(troop.soldiers), troop.part) if self.blocks else 0,
            attached=models[-1].id if troop.hero else -1,
            cost=troop.cost,
            picks=(("combined", "yes"),) if troop.is_combined else (),
        )
        return self.listed(unit)

    def _as_read(self, soldier: Soldier) -> Soldier:
        """A model whose rules mean what the texts of its army say."""
        return bound_soldier(soldier, self.meanings) if self.meanings else soldier

    def listed(self, unit: Unit) -> Unit:
        """The unit as listed: in ranked editions it keeps the base its ranks are built of."""
        unit = replace(unit, ranks=rank_profile(unit, self.profiles)) if self.blocks else unit
        self.units.append(unit)
        return unit

    def finished(self) -> Mustered:
        """The result; raises with every problem of every entry."""
        if self.problems:
            raise MalformedError("army lists", self.problems)
        profiles, units = tuple(self.profiles), tuple(self.units)
        return Mustered(profiles, units, unknown_rules(self.specials, profiles, units))

    def model_of(self, profile: Profile) -> Model:
        number = self._numbers.get(profile)
        if number is None:
            number = self._numbers[profile] = len(self.profiles)
            self.profiles.append(profile)
        model = Model(id=self._next_model, profile=number)
        self._next_model += 1
        return model

    def _profile(self, spec: UnitSpec) -> Profile | None:
        name = spec.name.partition("[")[0].strip()
        stats = self._try(spec.name, lambda: parse_stats(spec.stats))
        gear = self._try(spec.name, lambda: parse_equipment(spec.equipment))
        rules = self._try(spec.name, lambda: parse_rules(spec.rules))
        base = self._try(spec.name, lambda: self._base(spec.base, spec.kind))
        height = self._try(spec.name, lambda: _height(spec.height, spec.kind))
        if stats is None or gear is None or rules is None or base is None or height is None:
            return None
        printed = (*rules, *_gear_rules(gear), *by_kind(self.specials, spec.kind, rules))
        carried = bind_rules(printed, self.meanings)
        weapons = tuple(bind_weapon(weapon, self.meanings) for weapon in gear.every_weapon)
        return Profile(
            name=name,
            quality=stats.quality,
            defense=defense_of(self.specials, carried, stats.defense),
            base=base,
            height=height,
            wounds=wounds_of(self.specials, carried),
            weapons=(*weapons, *weapons_of(self.specials, carried)),
            rules=carried,
            kind=spec.kind,
            spells=spec.spells,
        )

    def _in_place(self, profile: Profile) -> Profile:
        """The same model with its rules where the edition looks for them."""
        with_rules = weapons_of(self.specials, profile.rules)
        rules, weapons = in_place(
            self.specials, profile.rules, [weapon for weapon in profile.weapons if weapon not in with_rules]
        )
        wounds = wounds_of(self.specials, rules)
        return replace(profile, rules=rules, weapons=(*weapons, *with_rules), wounds=wounds)

    def _specials(self, spec: UnitSpec, plain: Profile, size: int) -> list[Profile]:
        """The models that differ, command first: they stand in the front row from the left."""
        found = [replace(plain, name=role, rules=(*plain.rules, RuleRef(role))) for role in spec.command]
        for model in spec.special:
            profile = self._varied(spec, plain, model)
            if profile is not None:
                found += [profile] * model.count
        if len(found) > size:
            self.problems.append(f"{spec.name}: {len(found)} special models do not fit into {size}")
        return found

    def _varied(self, spec: UnitSpec, plain: Profile, model: ModelSpec) -> Profile | None:
        where = f"{spec.name}/{model.name or 'special model'}"
        before = len(self.problems)
        stats = self._try(where, lambda: parse_stats(model.stats)) if model.stats else None
        own = self._try(where, lambda: parse_equipment(model.equipment or "")) or Equipment()
        more = self._try(where, lambda: parse_equipment(model.adds)) or Equipment()
        rules = self._try(where, lambda: parse_rules(model.rules)) or ()
        kind = model.kind or plain.kind
        base = (
            self._try(where, lambda: self._base(model.base, kind)) if model.base or model.kind else plain.base
        )
        height = (
            self._try(where, lambda: _height(model.height, kind))
            if model.height or model.kind
            else plain.height
        )
        if len(self.problems) > before or base is None or height is None:
            return None
        printed = tuple(
            weapon for weapon in plain.weapons if weapon not in weapons_of(self.specials, plain.rules)
        )
        equipment = printed if model.equipment is None else own.every_weapon
        weapons = tuple(bind_weapon(weapon, self.meanings) for weapon in (*equipment, *more.every_weapon))
        carried = (*plain.rules, *rules, *_gear_rules(own), *_gear_rules(more))
        carried = bind_rules((*carried, *by_kind(self.specials, kind, carried)), self.meanings)
        defense = defense_of(self.specials, carried, stats.defense if stats else plain.defense)
        return replace(
            plain,
            name=model.name or plain.name,
            quality=stats.quality if stats else plain.quality,
            defense=defense,
            base=base,
            height=height,
            wounds=wounds_of(self.specials, carried),
            weapons=(*weapons, *weapons_of(self.specials, carried)),
            rules=carried,
            kind=kind,
            spells=model.spells or plain.spells,
        )

    def _hero(self, spec: UnitSpec) -> Profile | None:
        """The profile of a hero who joined; nothing of it comes from the unit."""
        assert spec.hero is not None
        hero = spec.hero
        if not self.joining:
            self.problems.append(f"{spec.name}: heroes do not join units in this edition")
        return self._profile(
            UnitSpec(
                name=hero.name or "Hero",
                stats=hero.stats or spec.stats,
                equipment=", ".join(part for part in (hero.equipment or "", hero.adds) if part),
                rules=hero.rules or "Hero",
                base=hero.base or spec.base,
                kind=hero.kind or spec.kind,
                height=hero.height,
                spells=hero.spells,
            )
        )

    def _base(self, text: str, kind: str) -> Base:
        return parse_base(text, self.family) if text else default_base(kind, self.family)

    def _try(self, where: str, parse: Callable[[], T]) -> T | None:
        try:
            return parse()
        except MalformedError as error:
            self.problems += [f"{where}: {error.what}: {problem}" for problem in error.problems]
            return None


def unknown_rules(
    specials: Specials, profiles: tuple[Profile, ...], units: Iterable[Unit], spells: Iterable[Spell] = ()
) -> tuple[UnknownRule, ...]:
    """Every special rule printed on a unit, a weapon or a spell that the edition does not play."""
    units = tuple(units)
    brought = {(unit.later.rule, unit.later.unit) for unit in units if unit.later is not None}
    found: set[UnknownRule] = set()
    for spell in spells:
        lent = [*spell.rules, *spell.grants]
        found.update(UnknownRule(spell.name, rule.name) for rule in lent if not is_played(specials, rule))
    for unit in units:
        for number in {model.profile for model in (unit.later.models if unit.later else unit.models)}:
            profile = profiles[number]
            printed = [*profile.rules, *(rule for weapon in profile.weapons for rule in weapon.rules)]
            found.update(
                UnknownRule(unit.name, rule.name) for rule in printed if not is_played(specials, rule)
            )
            found.update(  # there is no such unit to bring on
                UnknownRule(unit.name, rule.name)
                for rule, _ in new_units_of(profile.rules)
                if (rule.name, unit.id) not in brought
            )
    return tuple(sorted(found))


def is_played(specials: Specials, rule: RuleRef) -> bool:
    """Whether a printed rule is played: by its text, or by the edition's rule of that name."""
    if rule.blocks is not None:
        return all(playable(block) for block in rule.blocks)
    return specials.knows(rule.name)


def mustering_for(ruleset: Ruleset) -> Mustering:
    """A mustering by the rules of an edition."""
    policies = ruleset.policies
    return Mustering(ruleset.specials, policies.uses_blocks(), policies.heroes_join(), policies.base_family())


def muster(ruleset: Ruleset, armies: Sequence[MusteredArmy], sides: Sequence[int] = ()) -> Mustered:
    """The units of all lists in the order given, one seat for each; all problems of all lists are reported together.

    `sides` names the side of each list if several players share one; otherwise each list is a side.
    """
    mustering = mustering_for(ruleset)
    for seat, army in enumerate(armies):
        side = sides[seat] if sides else seat
        for unit in bound_units(army):
            if isinstance(unit, Troop):
                mustering.meanings = {}  # its rules already have their meaning
                mustering.enlist(unit, side, seat)
            else:
                mustering.meanings = meanings_of(army.rules)
                mustering.add(unit, side, seat)
    hold_for_later(mustering, armies)
    return mustering.finished()


@lru_cache(maxsize=ARMIES_KEPT)
def bound_units(army: MusteredArmy) -> tuple[UnitSpec | Troop, ...]:
    """The units of a list, those given model by model with rules that mean what the texts of the army say."""
    meanings = meanings_of(army.rules)
    if not meanings:
        return army.units
    known: dict[Soldier, Soldier] = {}

    def bound(soldier: Soldier) -> Soldier:
        if soldier not in known:
            known[soldier] = bound_soldier(soldier, meanings)
        return known[soldier]

    return tuple(
        replace(unit, soldiers=tuple(map(bound, unit.soldiers)), hero=unit.hero and bound(unit.hero))
        if isinstance(unit, Troop)
        else unit
        for unit in army.units
    )


@lru_cache(maxsize=ARMIES_KEPT)
def spells_read(
    specs: tuple[SpellSpec, ...], rules: tuple[ArmyRule, ...], high_defense: bool
) -> tuple[Spell, ...]:
    """The spells of a list from their texts; cached, because many games are played with the same list."""
    return read_spells(specs, meanings_of(rules), high_defense=high_defense)


def fresh_state(
    ruleset: Ruleset,
    width: int,
    depth: int,
    pieces: tuple[Piece, ...],
    armies: Sequence[MusteredArmy],
    *,
    seats: Sequence[str] = (),
    options: Mapping[str, Setting] | None = None,
    sides: Sequence[int] = (),
    mission: str = "",
) -> State:
    """A game about to start: table and lists are ready, everything else is still to be done.

    Lengths are thousandths of an inch. `seats` names the players, one for each list; by default they are named after
    their lists. `sides` says which lists fight together (each for itself by default), `mission` which mission is
    played. `unknown_rules` lists special rules that the edition does not play.
    """
    settled = settled_options(ruleset.like, options or {})
    if dict(settled).get(READING) == "edition":
        armies = [by_the_edition(army, ruleset) for army in armies]
    armies, spells = with_distinct_spells(armies, ruleset.specials.high_defense)
    mustered = muster(ruleset, armies, sides)
    names = list(seats) or [army.name for army in armies]
    allied = list(sides) or list(range(len(armies)))
    counted = [
        sum(1 for unit in mustered.units if unit.side == side and unit.later is None)
        for side in sorted(set(allied))
    ]
    used = _rules_used(mustered.profiles, spells)
    return State(
        ruleset=ruleset.id,
        options=settled,
        width=width,
        depth=depth,
        profiles=mustered.profiles,
        seats=tuple(Seat(side=allied[seat], name=name) for seat, name in enumerate(names)),
        sides=tuple(Side(start_units=count) for count in counted),
        units=mustered.units,
        pieces=pieces,
        spells=spells,
        mission=check_mission(mission),
        army_rules=tuple(
            ArmyText(rule.name, rule.text, allied[seat])
            for seat, army in enumerate(armies)
            for rule in army.rules
            if rule.name in used
        ),
        stack=(Preparation(procedure="game"),),
    )


def _rules_used(profiles: Iterable[Profile], spells: Iterable[Spell]) -> set[str]:
    """The names of all rules that any model in a game has, may get or is hit with."""
    printed = [rule for profile in profiles for rule in profile.rules]
    printed += [rule for profile in profiles for weapon in profile.weapons for rule in weapon.rules]
    printed += [rule for spell in spells for rule in (*spell.rules, *spell.grants)]
    return {named.name for rule in printed for named in named_rules(rule)}


def by_the_edition(army: MusteredArmy, ruleset: Ruleset) -> MusteredArmy:
    """An army whose rules mean what the edition means by them, wherever it has a rule of that name or a similar one."""
    overlay, knows = overlays()[ruleset.like], ruleset.specials.knows

    def own(rule: RuleRef) -> RuleRef:
        name = rule.name if knows(rule.name) else overlay.names.get(rule.name, "")
        if not knows(name):
            return rule
        return RuleRef(name) if name in overlay.plain else RuleRef(name, rule.value, rule.plus)

    def plain(soldier: Soldier) -> Soldier:
        weapons = tuple(
            Weapon(weapon.name, weapon.attacks, weapon.reach, tuple(map(own, weapon.rules)))
            for weapon in soldier.weapons
        )
        return replace(soldier, rules=tuple(map(own, soldier.rules)), weapons=weapons)

    def by_edition(unit: UnitSpec | Troop) -> UnitSpec | Troop:
        if not isinstance(unit, Troop):
            return unit
        return replace(unit, soldiers=tuple(map(plain, unit.soldiers)), hero=unit.hero and plain(unit.hero))

    units = tuple(map(by_edition, army.units))
    new_units = tuple((title, by_edition(unit)) for title, unit in army.new_units)
    rules = tuple(replace(rule, blocks=None) if knows(rule.name) else rule for rule in army.rules)
    return replace(army, units=units, rules=rules, new_units=new_units)


def with_distinct_spells(
    armies: Sequence[MusteredArmy], high_defense: bool = False
) -> tuple[tuple[MusteredArmy, ...], tuple[Spell, ...]]:
    """Armies in which the name of a spell is unambiguous, and all their spells by name.

    Two books may have different spells of the same name. Such spells get the name of their army added, so that each
    side casts its own: Cinder Rain (Kilnfolk).
    """
    read = [spells_read(army.spells, army.rules, high_defense) for army in armies]
    meant: dict[str, list[Spell]] = {}
    for spells in read:
        for spell in spells:
            if spell not in meant.setdefault(spell.name, []):
                meant[spell.name].append(spell)
    shared = {name: found for name, found in meant.items() if len(found) > 1}
    if not shared:
        return tuple(armies), tuple(found[0] for found in meant.values())
    taken, titles = set(meant), dict[Spell, str]()
    for army, spells in zip(armies, read, strict=True):
        for spell in spells:
            if spell.name in shared and spell not in titles:
                titles[spell] = _free_title(f"{spell.name} ({army.faction or army.name})", taken)
    return with_distinct_spells(
        [
            renamed_spells(army, {spell.name: titles[spell] for spell in spells if spell in titles})
            for army, spells in zip(armies, read, strict=True)
        ],
        high_defense,
    )


def _free_title(title: str, taken: set[str]) -> str:
    """Reserve and return a name that no spell has yet."""
    number = 1
    free = title
    while free in taken:
        number += 1
        free = f"{title[:-1]} {number})"
    taken.add(free)
    return free


def renamed_spells(army: MusteredArmy, names: Mapping[str, str]) -> MusteredArmy:
    """An army with other names for some of its spells."""
    if not names:
        return army
    spells = tuple(replace(spec, name=names.get(spec.name, spec.name)) for spec in army.spells)
    units = tuple(_calling(unit, names) for unit in army.units)
    new_units = tuple((title, _calling(unit, names)) for title, unit in army.new_units)
    return replace(army, spells=spells, units=units, new_units=new_units)


def _calling(unit: UnitSpec | Troop, names: Mapping[str, str]) -> UnitSpec | Troop:
    """A unit whose casters use new names for their spells."""

    def own(spells: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in spells)

    hero = unit.hero and replace(unit.hero, spells=own(unit.hero.spells))
    if isinstance(unit, Troop):
        soldiers = tuple(
            replace(soldier, spells=own(soldier.spells)) if soldier.spells else soldier
            for soldier in unit.soldiers
        )
        return replace(unit, soldiers=soldiers, hero=hero)
    special = tuple(replace(model, spells=own(model.spells)) for model in unit.special)
    return replace(unit, spells=own(unit.spells), special=special, hero=hero)


def settled_options(edition: str, given: Mapping[str, Setting]) -> tuple[tuple[str, str], ...]:
    """Every switch of an edition with its value, sorted by name."""
    return tuple(sorted(settle(edition, given).items()))


def _gear_rules(gear: Equipment) -> tuple[RuleRef, ...]:
    return tuple(rule for item in gear.gear for rule in item.rules)


def _height(inches: float, kind: str) -> int:
    return round(inches * MILLI) if inches else default_height(kind)
