"""Army lists of ranked regiments: what may be taken, merged and joined; every problem at once, with its row.

A list is a tuple of entries in the order they were picked. The ranked editions share the limits and cite their own
rows; `merged`, `copy_problems` and `command_problems` serve the other editions too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.grammar import counted, does

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
    """An upgrade bought for a unit: for all of its models, or for some."""

    name: str
    cost: int = 0
    for_all: bool = False


class ListedUnit(Struct, frozen=True):
    """One unit of a list. Copies of a unit have the same name, whatever was bought for them.

    `price` is what the unit costs by itself, `joins` the index in the list of the unit that a hero will join.
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
    """The limits for a game of this many points; only complete blocks of points count."""
    return ListLimits(
        heroes=size // POINTS_A_HERO,
        copies=1 + size // POINTS_A_COPY,
        unit_cost=size * UNIT_PERCENT // 100,
        units=size // POINTS_A_UNIT,
    )


def total(entries: Sequence[ListedUnit]) -> int:
    """The points of a list: the sum of all costs, whichever armies its units come from."""
    return sum(entry.cost for entry in entries)


def merged(first: ListedUnit, second: ListedUnit) -> ListedUnit:
    """One unit made of two copies, allowed or not."""
    return replace(
        first,
        price=first.price + second.price,
        models=first.models + second.models,
        upgrades=first.upgrades + second.upgrades,
        command=first.command + second.command,
        is_merged=True,
    )


def copy_problems(
    first: ListedUnit, second: ListedUnit, merge_row: str, for_all_row: str
) -> list[ListProblem]:
    """Why two units may not be merged in any edition that merges units."""
    problems: list[ListProblem] = []
    if first.name != second.name:
        text = f"{first.name} and {second.name} are not copies of the same unit"
        problems.append(ListProblem(text, merge_row))
    for entry in (first, second):
        if entry.is_merged:
            text = f"{does(entry.name, 'have', entry.models)} already been merged; the maximum is two copies"
            problems.append(ListProblem(text, merge_row))
    for name in sorted(set(first.for_all) ^ set(second.for_all)):
        text = f"{name} must be bought for both copies of {first.name}"
        problems.append(ListProblem(text, for_all_row))
    return list(dict.fromkeys(problems))


def command_problems(entry: ListedUnit, roles: Sequence[str], row: str) -> list[ListProblem]:
    """Roles that more than one model of a unit has."""
    counts = Counter(entry.command)
    return [
        ListProblem(f"{does(entry.name, 'have')} {counts[role]} models with {role}; one is allowed", row)
        for role in roles
        if counts[role] > 1
    ]


class ListRules:
    """The demands of one edition on army lists."""

    def __init__(self, rows: ListRows) -> None:
        self.rows = rows

    def merge_problems(self, first: ListedUnit, second: ListedUnit) -> tuple[ListProblem, ...]:
        """Every reason why two copies may not be combined into one unit."""
        rows = self.rows
        single = [
            ListProblem(f"{entry.name} is a single model and cannot be merged", rows.merge)
            for entry in (first, second)
            if entry.models < 2
        ]
        return tuple(dict.fromkeys((*copy_problems(first, second, rows.merge, rows.for_all), *single)))

    def list_problems(
        self, entries: Sequence[ListedUnit], size: int, options: Mapping[str, str]
    ) -> tuple[ListProblem, ...]:
        """Everything wrong with a list for a game of this size; `options` are the house rules of the game."""
        problems: list[ListProblem] = []
        worth = total(entries)
        if worth > size:
            problems.append(ListProblem(f"the list costs {worth} of {size} points", self.rows.points))
        for entry in entries:
            problems += command_problems(entry, COMMAND, self.rows.command)
            unknown = sorted(set(entry.command) - set(COMMAND))
            problems += [
                ListProblem(f"{entry.name}: {role} is not a command model", self.rows.command)
                for role in unknown
            ]
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
