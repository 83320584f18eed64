"""Army lists of Age of Fantasy 2: points, merged units, command models and heroes that join.

The book has no force organisation: any number of anything is fine, as long as it comes from one army list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from shieldwall.core.grammar import does
from shieldwall.rules.features.army_lists import (
    ListedUnit,
    ListProblem,
    command_problems,
    copy_problems,
    total,
)
from shieldwall.rules.features.roster import ForceRoster, Forces

SIZES: Mapping[str, int] = {"starter": 750}
COMMAND = ("Sergeant", "Musician", "Battle Standard")


def roster_problems(
    roster: ForceRoster, points: int | None, options: Mapping[str, str]
) -> tuple[ListProblem, ...]:
    """Everything wrong with a list for a game size; None while the players have not agreed on one."""
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
        problems += command_problems(entry, COMMAND, "A2-CMD-01")
    return (*problems, *_joining_problems(roster))


def merge_problems(first: ListedUnit, second: ListedUnit, merging: str = "any") -> list[ListProblem]:
    """Every reason why two copies may not be combined into one unit."""
    problems = copy_problems(first, second, "A2-ARMY-05", "A2-ARMY-06")
    if merging == "several-models" and min(first.models, second.models) < 2:
        problems.append(ListProblem(f"{first.name} is a single model and cannot be merged", "A2-ARMY-05"))
    return problems


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
