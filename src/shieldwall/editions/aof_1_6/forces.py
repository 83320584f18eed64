"""Army lists of Age of Fantasy 1.6: points, heroes, big units, merged Infantry, the table for bigger games, allies.

Every fault of a list is found at once, each with its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from shieldwall.core.grammar import counted, does
from shieldwall.core.state import Profile, Unit
from shieldwall.editions.aof_1_6.unit_types import BIG, INFANTRY, type_of
from shieldwall.rules.features.army_lists import (
    ListedUnit,
    ListProblem,
    command_problems,
    copy_problems,
    total,
)
from shieldwall.rules.features.roster import ForceRoster, Forces

SIZES: Mapping[str, int] = {"full": 500}
COMMAND = ("Sergeant", "Musician", "Battle Standard")
CORE_BIG = 2
STEP = 250  # points between two rows of the table for bigger games
# The rows of the table from 500 points on; beyond the last one its pattern goes on.
TABLE_ROWS = tuple(f"A16-BIG-{number:02d}" for number in range(2, 13))


class ForceLimits(Struct, frozen=True):
    """The minimum and maximum number of heroes, the maximum of big units, and the rows behind them."""

    heroes_least: int
    heroes_most: int | None
    big_most: int
    heroes_row: str
    big_row: str


CORE = ForceLimits(1, None, CORE_BIG, "A16-ARMY-02", "A16-ARMY-03")


def limits(points: int, by_table: bool) -> ForceLimits:
    """The limits for a game size: the core ones, or those of the table (the nearest row below counts)."""
    if not by_table:
        return CORE
    step = max(0, (points - SIZES["full"]) // STEP)
    row = TABLE_ROWS[min(step, len(TABLE_ROWS) - 1)]
    return ForceLimits(1, max(1, (step + 2) // 2), step + 2, row, row)


def share(points: int, players: int) -> int:
    """What each of several players of a side may spend."""
    return points // max(1, players)


def advice(points: int) -> tuple[ListProblem, ...]:
    """What players should know about a game of this size."""
    if points <= SIZES["full"]:
        return ()
    text = f"{points} points is more than the rules are meant for: the game may take much longer"
    return (ListProblem(text, "A16-BIG-13"),)


def merge_problems(first: ListedUnit, second: ListedUnit, kind: str = INFANTRY) -> tuple[ListProblem, ...]:
    """Every reason why two copies may not be combined into one unit."""
    row = "A16-ARMY-04"
    problems = copy_problems(first, second, row, "A16-ARMY-05")
    if kind != INFANTRY:
        text = f"{does(first.name, 'are', first.models)} {kind}; only Infantry can be merged"
        problems.append(ListProblem(text, row))
    if first.is_hero or second.is_hero:
        problems.append(ListProblem(f"{first.name} cannot be merged: it is a hero", row))
    return tuple(problems)


def side_problems(
    lists: Sequence[Sequence[tuple[ListedUnit, str]]], points: int, options: Mapping[str, str]
) -> tuple[ListProblem, ...]:
    """Everything wrong with the lists of one side, one for each of its players; entries come with their types.

    Points are split evenly among the players, limits on types hold for all of them together.
    """
    problems: list[ListProblem] = []
    each = share(points, len(lists))
    points_row = "A16-ARMY-01" if len(lists) == 1 else "A16-MULTI-02"
    for number, entries in enumerate(lists, start=1):
        cost = total([entry for entry, _ in entries])
        if cost > each:
            who = "the list" if len(lists) == 1 else f"the list of player {number}"
            problems.append(ListProblem(f"{who} costs {cost} points; the limit is {each}", points_row))
    together = [pair for entries in lists for pair in entries]
    problems += _type_problems(together, points, options, allied=len(lists) > 1)
    for entry, _ in together:
        problems += command_problems(entry, COMMAND, "A16-CMD-01")
    return tuple(problems)


def _type_problems(
    entries: Sequence[tuple[ListedUnit, str]], points: int, options: Mapping[str, str], allied: bool
) -> list[ListProblem]:
    cap = limits(points, options.get("size-table", "off") == "on")
    heroes = sum(entry.is_hero for entry, _ in entries)
    big = sum(kind in BIG for _, kind in entries)
    problems = []
    if heroes < cap.heroes_least:
        problems.append(
            ListProblem(
                f"{counted(heroes, 'hero', 'heroes')}; at least {cap.heroes_least} needed", cap.heroes_row
            )
        )
    if cap.heroes_most is not None and heroes > cap.heroes_most:
        problems.append(
            ListProblem(f"{counted(heroes, 'hero', 'heroes')}; {cap.heroes_most} allowed", cap.heroes_row)
        )
    if big > cap.big_most:
        text = f"{big} Monsters, Chariots and Artillery together; {cap.big_most} allowed"
        problems.append(ListProblem(text, "A16-MULTI-03" if allied else cap.big_row))
    return problems


def roster_problems(roster: ForceRoster, size: int, options: Mapping[str, str]) -> tuple[ListProblem, ...]:
    """Everything wrong with the list of a side of one player."""
    return allied_problems((roster,), size, options)


def allied_problems(
    rosters: Sequence[ForceRoster], size: int, options: Mapping[str, str]
) -> tuple[ListProblem, ...]:
    """Everything wrong with the lists of a side, one for each of its players."""
    types = [[_kind_of(unit, roster.profiles) for unit in roster.units] for roster in rosters]
    lists = [
        tuple(zip(roster.entries, kinds, strict=True)) for roster, kinds in zip(rosters, types, strict=True)
    ]
    problems = list(side_problems(lists, size, options))
    for roster, kinds in zip(rosters, types, strict=True):
        for place, first, second in roster.halves:
            problems += merge_problems(first, second, kinds[place])
        problems += _joining_problems(roster.entries, kinds)
    return tuple(dict.fromkeys(problems))


def _joining_problems(entries: Sequence[ListedUnit], kinds: Sequence[str]) -> list[ListProblem]:
    """Heroes that join against the rules: only one Infantry hero may join a unit of Infantry."""
    row = "A16-FORCE-01"
    problems: list[ListProblem] = []
    guests: list[int] = []
    for place, entry in enumerate(entries):
        if entry.joins < 0:
            continue
        if not entry.is_hero:
            problems.append(ListProblem(f"{entry.name} cannot join a unit: only heroes can", row))
        if kinds[place] != INFANTRY:
            problems.append(
                ListProblem(
                    f"{does(entry.name, 'are', entry.models)} {kinds[place]} and cannot join a unit", row
                )
            )
        host = entry.joins if entry.joins < len(entries) and entry.joins != place else -1
        if host < 0 or kinds[host] != INFANTRY or entries[host].is_hero:
            problems.append(ListProblem(f"{entry.name} can only join a unit of Infantry", row))
        elif host in guests:
            problems.append(
                ListProblem(f"{does(entries[host].name, 'have')} two heroes; only one may join", row)
            )
        guests.append(host)
    return problems


def _kind_of(unit: Unit, profiles: tuple[Profile, ...]) -> str:
    own = [profiles[model.profile] for model in unit.models if model.id != unit.attached]
    return next((kind for kind in map(type_of, own) if kind != INFANTRY), INFANTRY)


FORCES = Forces(
    picks="A16-ARMY-01",
    command="A16-CMD-01",
    size="A16-ARMY-01",
    sizes=SIZES,
    problems=roster_problems,
    advice=advice,
    side=allied_problems,
)
