"""Measurements of what is decided before a game: army lists, and the order of placing terrain.

The list of a side follows from its units: `cost` is the cost of a unit by itself, a unit that is `like` another one is
a copy of it, `part` makes it a combined unit, and `army` has its upgrades, its book, and the unit a hero joins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from shieldwall.core.state import Unit
from shieldwall.editions.demands import forces
from shieldwall.rules.features.army_lists import COMMAND, ListedUnit, ListProblem, Upgrade, merged, total
from shieldwall.rules.features.roster import ForceRoster
from shieldwall.rules.features.rulings import terrain_turns
from shieldwall.scenario.later_units import LATER
from shieldwall.scenario.measure import Found, MeasureContext, MeasureFaultError, Reasons, Settings
from shieldwall.scenario.roster import side_number
from shieldwall.scenario.schema import SIDES, UnitEntry


def army(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """Whether the list of a side is legal for a game size, why not, and what it costs."""
    fielded = {name: unit for name, unit in context.scenario.units.items() if unit.place != LATER}
    units = {name: unit for name, unit in fielded.items() if unit.side == about}
    if not units:
        raise MeasureFaultError(f"army: side {about} has no units")
    demands = forces(context.scenario.edition)
    size = int(settings.get("points", 0)) or max(demands.sizes.values())
    players = sorted({unit.player for unit in units.values()})
    rosters = [_roster(context, {n: u for n, u in units.items() if u.player == one}) for one in players]
    options = dict(context.state.options)
    if len(rosters) == 1:
        problems = demands.problems(rosters[0], size, options)
    elif demands.side is not None:
        problems = demands.side(rosters, size, options)
    else:
        raise MeasureFaultError(f"army: {context.rules.title} has no rules for several players of a side")
    return {
        "is": not problems,
        "because": _reasons(problems),
        "cost": sum(total(roster.entries) for roster in rosters),
        "hints": _reasons(demands.advice(size)),
    }


def turns_to_place(context: MeasureContext, about: Any, settings: Settings) -> Found:
    """For each piece of terrain, the side or sides that may place it."""
    first = side_number(str(settings.get("first", SIDES[0])))
    turns = terrain_turns(context.state, int(about), first)
    return {"is": [" or ".join(SIDES[side] for side in sides) for sides in turns]}


def _reasons(problems: tuple[ListProblem, ...]) -> Reasons:
    return Reasons(f"{problem.text} ({problem.row})" for problem in problems)


def _roster(context: MeasureContext, units: Mapping[str, UnitEntry]) -> ForceRoster:
    """The list of one player; joined heroes come last."""
    places = {name: place for place, name in enumerate(units)}
    entries: list[ListedUnit] = []
    halves: list[tuple[int, ListedUnit, ListedUnit]] = []
    lone: list[Unit] = []
    for place, (name, unit) in enumerate(units.items()):
        whole = _entry(context, name, unit, places)
        if unit.part:
            first, second = _halves(context, whole, unit)
            halves.append((place, first, second))
            whole = merged(first, second)
        entries.append(whole)
        lone.append(_without_guest(context.unit(name)))
    for place, name in enumerate(units):
        host = context.unit(name)
        if host.attached >= 0:
            guest = replace(host, models=host.models[-1:], start_models=1, attached=-1, cost=0)
            profile = context.state.profiles[guest.models[0].profile]
            entries.append(ListedUnit(name=profile.name, is_hero=True, tough=profile.wounds, joins=place))
            lone.append(guest)
    books = tuple(dict.fromkeys(unit.army.book for unit in units.values()))
    return ForceRoster(tuple(entries), tuple(halves), tuple(lone), context.state.profiles, books)


def _without_guest(unit: Unit) -> Unit:
    if unit.attached < 0:
        return unit
    return replace(unit, models=unit.models[:-1], start_models=unit.start_models - 1, attached=-1)


def _entry(context: MeasureContext, name: str, unit: UnitEntry, places: Mapping[str, int]) -> ListedUnit:
    """A unit as in its list, without joined heroes."""
    own = _without_guest(context.unit(name))
    profiles = [context.state.profiles[model.profile] for model in own.models]
    joins = unit.army.joins
    if joins and joins not in places:
        raise MeasureFaultError(f"army: {name} joins {joins!r}, which is not a unit of that list")
    return ListedUnit(
        name=_copied(context, name),
        price=unit.cost,
        models=len(own.models),
        faction=unit.army.book,
        upgrades=_upgrades(unit.army.for_all, unit.army.for_some),
        command=tuple(role for role in unit.command if role in COMMAND),
        is_hero=any(rule.name == "Hero" for profile in profiles for rule in profile.rules),
        tough=max((profile.wounds for profile in profiles), default=1),
        joins=places.get(joins, -1),
    )


def _halves(context: MeasureContext, whole: ListedUnit, unit: UnitEntry) -> tuple[ListedUnit, ListedUnit]:
    """The two copies of a combined unit: equal ones, unless the file gives the upgrades of the second."""
    first = replace(whole, price=whole.price - whole.price // 2, models=unit.part)
    second = replace(whole, price=whole.price // 2, models=whole.models - unit.part, upgrades=(), command=())
    other = unit.army.second
    if other is None:
        free = tuple(replace(upgrade, cost=0) for upgrade in whole.upgrades if upgrade.for_all)
        return first, replace(second, upgrades=free)
    name = _copied(context, other.of) if other.of else whole.name
    return first, replace(second, name=name, upgrades=_upgrades(other.for_all, other.for_some))


def _copied(context: MeasureContext, name: str) -> str:
    """The unit of which this one is a copy, following `like`."""
    units = context.scenario.units
    while name in units and units[name].like:
        name = units[name].like
    return name


def _upgrades(for_all: Mapping[str, int], for_some: Mapping[str, int]) -> tuple[Upgrade, ...]:
    bought = [Upgrade(name, cost, for_all=True) for name, cost in for_all.items()]
    return (*bought, *(Upgrade(name, cost) for name, cost in for_some.items()))
