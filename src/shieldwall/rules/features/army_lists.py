"""Army lists of ranked regiments: what may be taken, merged and joined; every problem at once, with its row.

A list is a tuple of entries in the order they were picked. Nothing here changes a list: `merged` and
`entries_of` make new entries, everything else only looks. Editions share the limits and name their own rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from shieldwall.core.grammar import counted, does
from shieldwall.core.state import State, Unit

if TYPE_CHECKING:
    from shieldwall.rules.features.roster import ForceRoster

SIZES: Mapping[str, int] = {"starter": 750, "full": 1500}
COMMAND = ("Sergeant", "Musician", "Banner")
POINTS_A_HERO = 375
POINTS_A_COPY = 750
POINTS_A_UNIT = 150
UNIT_PERCENT = 35
JOINER_TOUGH_MAX = 6


class Upgrade(Struct, frozen=True):
    """Something bought for a unit: for all of its models, or for some."""

    name: str
    cost: int = 0
    for_all: bool = False


class ListedUnit(Struct, frozen=True):
    """One unit of a list. Copies of a unit have the same name, whatever was bought for them.

    `price` is what the unit costs by itself, `joins` the place in the list of the unit a hero is to join.
    """

    name: str
    price: int = 0
    models: int = 1
    faction: str = ""
    upgrades: tuple[Upgrade, ...] = ()
    command: tuple[str, ...] = ()
    is_hero: bool = False
    tough: int = 1
    joins: int = -1
    is_merged: bool = False

    @property
    def cost(self) -> int:
        """What the unit costs with everything bought for it."""
        return self.price + sum(upgrade.cost for upgrade in self.upgrades)

    @property
    def for_all(self) -> tuple[str, ...]:
        """Names of the upgrades that all models have, sorted."""
        return tuple(sorted(upgrade.name for upgrade in self.upgrades if upgrade.for_all))


class ListProblem(Struct, frozen=True):
    """What is wrong with a list, and the row that says so."""

    text: str
    row: str


class ListLimits(Struct, frozen=True):
    """The limits of force organisation for one game size."""

    heroes: int
    copies: int
    unit_cost: int
    units: int


class ListRows(Struct, frozen=True):
    """The rows of an edition behind each demand on a list."""

    points: str
    merge: str
    for_all: str
    command: str
    join: str
    one_hero: str
    heroes: str
    copies: str
    share: str
    units: str


def limits(size: int) -> ListLimits:
    """The limits for a game of so many points; only complete blocks of points count."""
    return ListLimits(
        heroes=size // POINTS_A_HERO,
        copies=1 + size // POINTS_A_COPY,
        unit_cost=size * UNIT_PERCENT // 100,
        units=size // POINTS_A_UNIT,
    )


def total(entries: Sequence[ListedUnit]) -> int:
    """What a list is worth: the sum of all costs, whichever armies its units come from."""
    return sum(entry.cost for entry in entries)


class ListRules:
    """The demands of one edition on army lists."""

    def __init__(self, rows: ListRows) -> None:
        self.rows = rows

    def merge_problems(self, first: ListedUnit, second: ListedUnit) -> tuple[ListProblem, ...]:
        """Every reason why two copies may not be combined into one unit."""
        row = self.rows.merge
        problems: list[ListProblem] = []
        if first.name != second.name:
            problems.append(
                ListProblem(f"{first.name} and {second.name} are not copies of the same unit", row)
            )
        for entry in (first, second):
            if entry.models < 2:
                problems.append(ListProblem(f"{entry.name} is a single model and cannot be merged", row))
            if entry.is_merged:
                problems.append(
                    ListProblem(f"{does(entry.name, 'have', entry.models)} already been merged", row)
                )
        for name in sorted(set(first.for_all) ^ set(second.for_all)):
            text = f"{name} must be bought for both copies of {first.name}"
            problems.append(ListProblem(text, self.rows.for_all))
        return tuple(dict.fromkeys(problems))

    def merged(self, first: ListedUnit, second: ListedUnit) -> ListedUnit:
        """One unit made of two copies; ask `merge_problems` first."""
        assert not self.merge_problems(first, second), "these two cannot be merged"
        return ListedUnit(
            name=first.name,
            price=first.price + second.price,
            models=first.models + second.models,
            faction=first.faction,
            upgrades=first.upgrades + second.upgrades,
            command=first.command + second.command,
            is_merged=True,
        )

    def list_problems(
        self, entries: Sequence[ListedUnit], size: int, options: Mapping[str, str]
    ) -> tuple[ListProblem, ...]:
        """Everything wrong with a list for a game of this size; `options` are the house rules of the game."""
        problems: list[ListProblem] = []
        worth = total(entries)
        if worth > size:
            problems.append(ListProblem(f"the list costs {worth} of {size} points", self.rows.points))
        for entry in entries:
            problems += self._command_problems(entry)
        problems += self._joining_problems(entries)
        if options.get("force-organisation", "off") == "on":
            problems += self._organisation_problems(entries, size, options)
        return tuple(problems)

    def roster_problems(
        self, roster: ForceRoster, size: int, options: Mapping[str, str]
    ) -> tuple[ListProblem, ...]:
        """Everything wrong with a list, including its combined units."""
        merging = [
            problem for _, first, second in roster.halves for problem in self.merge_problems(first, second)
        ]
        return (*merging, *self.list_problems(roster.entries, size, options))

    def game_problems(
        self, lists: Sequence[Sequence[ListedUnit]], size: int, options: Mapping[str, str]
    ) -> tuple[tuple[ListProblem, ...], ...]:
        """What is wrong with each list of a game; all keep to the one size that was agreed on."""
        return tuple(self.list_problems(entries, size, options) for entries in lists)

    def _command_problems(self, entry: ListedUnit) -> list[ListProblem]:
        row = self.rows.command
        counts = Counter(entry.command)
        found = [
            ListProblem(f"{does(entry.name, 'have')} {counts[role]} models with {role}; one is allowed", row)
            for role in COMMAND
            if counts[role] > 1
        ]
        unknown = sorted(set(entry.command) - set(COMMAND))
        return found + [ListProblem(f"{entry.name}: {role} is not a command model", row) for role in unknown]

    def _joining_problems(self, entries: Sequence[ListedUnit]) -> list[ListProblem]:
        row = self.rows.join
        problems: list[ListProblem] = []
        guests: Counter[int] = Counter()
        for place, entry in enumerate(entries):
            if entry.joins < 0:
                continue
            if not entry.is_hero:
                problems.append(ListProblem(f"{entry.name} cannot join a unit: only heroes can", row))
            if entry.tough > JOINER_TOUGH_MAX:
                problems.append(
                    ListProblem(
                        f"{entry.name} cannot join a unit: Tough({entry.tough}) is too much",
                        row,
                    )
                )
            if entry.joins >= len(entries) or entry.joins == place or entries[entry.joins].models < 2:
                problems.append(ListProblem(f"{entry.name} can only join a unit of several models", row))
            else:
                guests[entry.joins] += 1
        for host, heroes in sorted(guests.items()):
            if heroes > 1:
                text = f"{does(entries[host].name, 'have')} {heroes} heroes; only one may join"
                problems.append(ListProblem(text, self.rows.one_hero))
        return problems

    def _organisation_problems(
        self, entries: Sequence[ListedUnit], size: int, options: Mapping[str, str]
    ) -> list[ListProblem]:
        cap = limits(size)
        problems: list[ListProblem] = []
        heroes = sum(entry.is_hero for entry in entries)
        if heroes > cap.heroes:
            text = f"{counted(heroes, 'hero', 'heroes')}; {cap.heroes} allowed at {size} points"
            problems.append(ListProblem(text, self.rows.heroes))
        for name, copies in sorted(Counter(entry.name for entry in entries).items()):
            if copies > cap.copies:
                text = f"{copies} copies of {name}; {cap.copies} allowed at {size} points"
                problems.append(ListProblem(text, self.rows.copies))
        for entry in entries:
            if entry.cost * 100 > size * UNIT_PERCENT:
                cost = f"{does(entry.name, 'cost', entry.models)} {entry.cost}"
                text = f"{cost}; the maximum is {cap.unit_cost} of {size}"
                problems.append(ListProblem(text, self.rows.share))
        apart = options.get("joined-heroes-count", "with-unit") == "apart"
        units = sum(1 for entry in entries if apart or entry.joins < 0)
        if units > cap.units:
            text = f"{counted(units, 'unit')}; {cap.units} allowed at {size} points"
            problems.append(ListProblem(text, self.rows.units))
        return problems


def entries_of(state: State, side: int) -> tuple[ListedUnit, ...]:
    """The list behind a side's units, as far as a game about to begin remembers it; joined heroes last."""
    mine = [unit for unit in state.units if unit.side == side]
    places = {unit.id: place for place, unit in enumerate(mine)}
    entries = [_entry(state, unit, places) for unit in mine]
    guests = [
        _hero(state, unit, places[unit.id])
        for unit in mine
        if unit.attached >= 0 and not any(_has_joined(other) and other.inside == unit.id for other in mine)
    ]
    return (*entries, *guests)


def _entry(state: State, unit: Unit, places: Mapping[int, int]) -> ListedUnit:
    own = [model for model in unit.models if model.id != unit.attached]
    profiles = [state.profiles[model.profile] for model in own]
    printed = [rule.name for profile in profiles for rule in profile.rules]
    return ListedUnit(
        name=unit.name,
        price=unit.cost,
        models=max(1, len(own)),
        command=tuple(name for name in printed if name in COMMAND),
        is_hero=_has_joined(unit) or "Hero" in printed,
        tough=max((profile.wounds for profile in profiles), default=1),
        joins=places.get(unit.inside, -1) if _has_joined(unit) else -1,
    )


def _hero(state: State, unit: Unit, place: int) -> ListedUnit:
    """A hero who is in a unit from the start; his points are part of the unit's."""
    model = next(model for model in unit.models if model.id == unit.attached)
    profile = state.profiles[model.profile]
    return ListedUnit(name=profile.name, is_hero=True, tough=profile.wounds, joins=place)


def _has_joined(unit: Unit) -> bool:
    """Whether the one model of an entry is part of another unit now; passengers keep their models."""
    return unit.place == "inside" and not unit.models
