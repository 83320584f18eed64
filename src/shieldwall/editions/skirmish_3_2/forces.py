"""Army lists of Skirmish 3.2: points, command models and the optional force organisation.

`check_force` says everything that is wrong with a list at once, each fault with its row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from shieldwall.core.grammar import counted, does, unit_does
from shieldwall.core.pending import Refusal
from shieldwall.core.state import Profile, Unit
from shieldwall.rules.features.army_lists import ListProblem
from shieldwall.rules.features.roster import ForceRoster, Forces

COMMAND = ("Sergeant", "Musician", "Banner")
PER_HERO = PER_COPY = 125
PER_UNIT, PER_MODEL = 25, 15
SHARE_PERCENT = 35
ROUNDED_TO = 5  # the book's example has a limit of 85 where 35 % would be 87.5
PRESETS: Mapping[str, int] = {"starter": 150, "full": 250}


class BandLimits(Struct, frozen=True):
    """What force organisation allows at a game size; `unit_cost` is the most one unit may be worth."""

    heroes: int
    copies: int
    unit_cost: float
    units: int
    models: int


def limits_at(points: int, strict_share: bool = False) -> BandLimits:
    """The limits at a game size: full steps only. A strict share is rounded down to a multiple of 5."""
    share = points * SHARE_PERCENT / 100
    return BandLimits(
        heroes=points // PER_HERO,
        copies=1 + points // PER_COPY,
        unit_cost=share // ROUNDED_TO * ROUNDED_TO if strict_share else share,
        units=points // PER_UNIT,
        models=points // PER_MODEL,
    )


def cost_of(units: Sequence[Unit]) -> int:
    """The points of a list: its units with all their upgrades."""
    return sum(unit.cost for unit in units)


def check_force(
    units: Sequence[Unit], profiles: tuple[Profile, ...], points: int | None, switches: Mapping[str, str]
) -> tuple[Refusal, ...]:
    """Everything wrong with one side's list; `points` is the agreed game size, None while there is none."""
    if points is None:
        return (Refusal("the players have not agreed on a game size yet", "SK32-ARMY-01"),)
    problems: list[Refusal] = []
    total = cost_of(units)
    if total > points:
        problems.append(Refusal(f"the list costs {total} points; {points} were agreed", "SK32-ARMY-05"))
    problems += _command_problems(units, profiles, switches.get("command-models", "one"))
    problems += _combined_problems(units, switches.get("combined-units", "off"))
    if switches.get("force-organisation", "off") == "on":
        limits = limits_at(points, switches.get("unit-share", "exact") == "strict")
        problems += _organisation_problems(units, profiles, limits)
    return tuple(problems)


def is_combined(unit: Unit) -> bool:
    """Whether a unit was put together from two copies of a list entry."""
    return ("combined", "yes") in unit.picks


def _command_problems(units: Sequence[Unit], profiles: tuple[Profile, ...], allowed: str) -> list[Refusal]:
    """One command model in the army, or by a switch one of each kind; never two upgrades on one model."""
    cite = "SK32-CMD-01"
    problems = []
    held: Counter[str] = Counter()
    bearers = 0
    for unit in units:
        for model in unit.models:
            names = {rule.name for rule in profiles[model.profile].rules}
            roles = [role for role in COMMAND if role in names]
            held.update(roles)
            bearers += bool(roles)
            if len(roles) > 1:
                text = (
                    f"one model of {unit.name} is {' and '.join(roles)}; a model may have one command upgrade"
                )
                problems.append(Refusal(text, cite))
    if allowed == "one" and bearers > 1:
        problems.append(Refusal(f"{bearers} models have command upgrades; the army may have one", cite))
    if allowed == "one-of-each":
        problems += [
            Refusal(f"{count} models are {role}; the army may have one", cite)
            for role, count in sorted(held.items())
            if count > 1
        ]
    return problems


def _combined_problems(units: Sequence[Unit], allowed: str) -> list[Refusal]:
    if allowed == "on":
        return []
    return [
        Refusal(
            f"{unit_does(unit, 'are')} combined from two copies; this edition has no such rule",
            "SK32-FORCE-04",
        )
        for unit in units
        if is_combined(unit)
    ]


def _organisation_problems(
    units: Sequence[Unit], profiles: tuple[Profile, ...], limits: BandLimits
) -> list[Refusal]:
    models = [model for unit in units for model in unit.models]
    heroes = sum(any(rule.name == "Hero" for rule in profiles[model.profile].rules) for model in models)
    limited = (
        (heroes, limits.heroes, ("hero", "heroes"), "SK32-FORCE-02"),
        (len(units), limits.units, ("unit", "units"), "SK32-FORCE-06"),
        (len(models), limits.models, ("model", "models"), "SK32-FORCE-07"),
    )
    problems = [
        Refusal(f"{counted(count, *what)}; the maximum is {most}", cite)
        for count, most, what, cite in limited
        if count > most
    ]
    # a combined unit is one copy, as any other
    copies = Counter(unit.name for unit in units)
    problems += [
        Refusal(f"{count} copies of {name}; the maximum is {limits.copies}", "SK32-FORCE-03")
        for name, count in sorted(copies.items())
        if count > limits.copies
    ]
    problems += [
        Refusal(
            f"{unit_does(unit, 'cost')} {unit.cost} points; the maximum is {limits.unit_cost:g}",
            "SK32-FORCE-05",
        )
        for unit in units
        if unit.cost > limits.unit_cost
    ]
    return problems


def roster_problems(roster: ForceRoster, points: int, options: Mapping[str, str]) -> tuple[ListProblem, ...]:
    """Every problem with a list; heroes lead from a distance here and do not join units."""
    joined = [
        ListProblem(
            f"{does(entry.name, 'join', entry.models)} a unit; in this edition heroes do not join units",
            "SK32-SR-HERO-01",
        )
        for entry in roster.entries
        if entry.joins >= 0
    ]
    found = check_force(roster.units, roster.profiles, points, options)
    return (*joined, *(ListProblem(refusal.reason, refusal.cite) for refusal in found))


FORCES = Forces(
    picks="SK32-ARMY-04",
    command="SK32-CMD-01",
    size="SK32-ARMY-01",
    sizes=PRESETS,
    problems=roster_problems,
    organisation="force-organisation",
    agreed=True,
)
