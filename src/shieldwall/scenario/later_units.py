"""Units of a scenario that are not in the game yet: who brings each of them on, and the copies of units."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count

from msgspec.structs import replace

from shieldwall.armies.later import add_another, add_copy, as_later, brought_by
from shieldwall.armies.muster import Mustering
from shieldwall.armies.new_units import NamedUnit, with_named_units
from shieldwall.armies.parse import parse_rules
from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Later, Unit
from shieldwall.rules.reading import Reading
from shieldwall.scenario.check import Path
from shieldwall.scenario.schema import Scenario, UnitEntry

LATER = "later"
_NUMBERED = re.compile(r" \d+$")  # several units may be named alike: Wolves, Wolves 2
Say = Callable[[Path, str], None]


def readings_with_units(scenario: Scenario, readings: dict[str, Reading]) -> dict[str, Reading]:
    """The rules of a scenario as they were read, with those that name one of its units."""
    printed = sorted({name for entry in scenario.units.values() for name in _printed(entry)})
    return with_named_units(readings, printed, lambda named: _rules_of(scenario, named))


def _rules_of(scenario: Scenario, named: NamedUnit) -> list[str] | None:
    found = [entry for name, entry in scenario.units.items() if _NUMBERED.sub("", name) == named.unit]
    return _printed(found[0]) if found else None


def _printed(entry: UnitEntry) -> list[str]:
    """The names of the rules of a unit and its models."""
    texts = [entry.rules, *(model.rules for model in entry.special), entry.hero.rules if entry.hero else ""]
    found: list[str] = []
    for text in texts:
        try:
            found += [rule.name for rule in parse_rules(text)]
        except MalformedError:
            continue  # reported with the unit
    return found


def with_later_units(
    scenario: Scenario, mustering: Mustering, units: Sequence[Unit], say: Say
) -> tuple[Unit, ...]:
    """The units of a scenario; those with `place: later` are kept for the units that bring them on."""
    found = list(units)
    open_to = [unit for unit in units if scenario.units[unit.name].place == LATER]
    for by in units:
        for rule, named, model in brought_by(mustering, by):
            same = [unit for unit in units if _NUMBERED.sub("", unit.name) == named.unit]
            if not same:
                text = f"{rule.name}: there is no unit {named.unit!r}; give it `place: later`"
                say(("units", by.name, "rules"), text)
            new = next((unit for unit in same if unit in open_to), None)
            if new is None:
                continue  # it has come already
            if len(new.models) != named.size:
                say(
                    ("units", new.name, "models"),
                    f"{rule.name} names {named.size} models, not {len(new.models)}",
                )
            open_to.remove(new)
            found[new.id] = as_later(new, Later((), rule.name, by.id, model))
    for unit in open_to:
        text = f"no rule brings it on; name it behind one: `Howl({unit.name} [{len(unit.models)}])`"
        say(("units", unit.name, "place"), text)
    for unit in units:
        listed = replace(mustering.units[unit.id], name=unit.name, width=unit.width)
        copy = add_copy(mustering, listed, unit.start_models - (unit.attached >= 0))
        found += [copy] if copy is not None else []
    return tuple(_with_units_of_copies(mustering, found, len(units)))


def _with_units_of_copies(mustering: Mustering, units: Sequence[Unit], first: int) -> list[Unit]:
    """Copies may bring on units of their own, as the units that they replace did: one more of each kind."""
    found = list(units)
    at = first
    while at < len(found):  # which grows
        for rule, named, model in brought_by(mustering, found[at]):
            same = [unit for unit in found if _NUMBERED.sub("", unit.name) == named.unit]
            if same:
                taken = {unit.name for unit in found}
                name = next(name for n in count(2) if (name := f"{named.unit} {n}") not in taken)
                how = Later((), rule.name, at, model)
                found.append(add_another(mustering, mustering.units[same[0].id], name, how))
        at += 1
    return found
