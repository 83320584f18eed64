"""Army lists of Age of Fantasy 2: points, merged units, command models and heroes that join.

The book knows no force organisation: any number of anything is fine, as long as it comes from one army list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.core.grammar import does
from shieldwall.rules.features.army_lists import ListedUnit, ListProblem, total
from shieldwall.rules.features.roster import ForceRoster, Forces

SIZES: Mapping[str, int] = {"starter": 750}
COMMAND = ("Sergeant", "Musician", "Battle Standard")


def roster_problems(
    roster: ForceRoster, points: int | None, options: Mapping[str, str]
) -> tuple[ListProblem, ...]:
    """Everything wrong with a list for a game of so many points; None while none are agreed on."""
    if points is None:
        return (ListProblem("the players have not agreed on a game size yet", "A2-ARMY-01"),)
    problems: list[ListProblem] = []
    worth = total(roster.entries)
    if worth > points:
        problems.append(ListProblem(f"the list costs {worth} of {points} points", "A2-ARMY-04"))
    if len(roster.books) > 1:
        text = f"units of {len(roster.books)} army lists; all must come from one"
        problems.append(ListProblem(text, "A2-ARMY-03"))
    for _, first, second in roster.halves:
        problems += merge_problems(first, second, options.get("merging", "any"))
    for entry in roster.entries:
        problems += _command_problems(entry)
    return (*problems, *_joining_problems(roster))


def merge_problems(first: ListedUnit, second: ListedUnit, merging: str = "any") -> list[ListProblem]:
    """Every reason why two copies may not be combined into one unit."""
    problems: list[ListProblem] = []
    if first.name != second.name:
        problems.append(
            ListProblem(f"{first.name} and {second.name} are not copies of the same unit", "A2-ARMY-05")
        )
    if merging == "several-models" and min(first.models, second.models) < 2:
        problems.append(ListProblem(f"{first.name} is a single model and cannot be merged", "A2-ARMY-05"))
    if first.is_merged or second.is_merged:
        problems.append(
            ListProblem(
                f"{does(first.name, 'have')} already been merged; the maximum is two copies", "A2-ARMY-05"
            )
        )
    for name in sorted(set(first.for_all) ^ set(second.for_all)):
        problems.append(ListProblem(f"{name} must be bought for both copies of {first.name}", "A2-ARMY-06"))
    return problems


def merged(first: ListedUnit, second: ListedUnit, merging: str = "any") -> ListedUnit:
    """One unit made of two copies; ask `merge_problems` first."""
    assert not merge_problems(first, second, merging), "these two cannot be merged"
    return replace(
        first,
        price=first.price + second.price,
        models=first.models + second.models,
        upgrades=first.upgrades + second.upgrades,
        command=first.command + second.command,
        is_merged=True,
    )


def _command_problems(entry: ListedUnit) -> list[ListProblem]:
    counts = Counter(entry.command)
    return [
        ListProblem(
            f"{does(entry.name, 'have')} {counts[role]} models with {role}; one is allowed", "A2-CMD-01"
        )
        for role in COMMAND
        if counts[role] > 1
    ]


def _joining_problems(roster: ForceRoster) -> list[ListProblem]:
    problems: list[ListProblem] = []
    guests: Counter[int] = Counter()
    for place, entry in enumerate(roster.entries):
        if entry.joins < 0:
            continue
        if not entry.is_hero:
            problems.append(ListProblem(f"{entry.name} cannot join a unit: only heroes can", "A2-SR-HERO-01"))
        if entry.joins == place or entry.joins >= len(roster.entries) or roster.entries[entry.joins].is_hero:
            problems.append(
                ListProblem(f"{entry.name} can only join a unit that is not all heroes", "A2-SR-HERO-01")
            )
        else:
            guests[entry.joins] += 1
    for host, heroes in sorted(guests.items()):
        if heroes > 1:
            text = f"{does(roster.entries[host].name, 'have')} {heroes} heroes; only one may join"
            problems.append(ListProblem(text, "A2-SR-HERO-01"))
    return problems


FORCES = Forces(
    picks="A2-ARMY-03",
    command="A2-CMD-01",
    size="A2-ARMY-01",
    sizes=SIZES,
    problems=roster_problems,
    agreed=True,
)
