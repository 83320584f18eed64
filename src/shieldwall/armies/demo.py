"""A first battle: two ready-made lists on a generated table, the same for the same seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from msgspec.structs import replace

from shieldwall.armies.check import default_size
from shieldwall.armies.factions import ready_list, ready_lists
from shieldwall.armies.muster import MusteredArmy, fresh_state
from shieldwall.armies.recruit import recruit
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import Piece, State
from shieldwall.editions import EDITIONS, known_editions, ruleset
from shieldwall.rulebook.house_rules import Setting
from shieldwall.table.generator import generate_table
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.terrain import as_printed

TABLES_KEPT = 64


class NoDemoError(ShieldwallError):
    """There are no ready-made lists for an edition."""


def demo_setup(
    edition: str,
    seed: int,
    *,
    mirror: bool = False,
    options: Mapping[str, Setting] | None = None,
    mission: str = "",
    players: int = 2,
    lists: Sequence[MusteredArmy] = (),
) -> State:
    """A game about to start between two of our own armies, or two of `lists`; `mirror` gives both sides the first one.

    The seed determines only the table: dice and choices belong to the players. With more than two players
    the first half are allies and share the first army, the second half the other one.
    """
    rules = ruleset(edition)
    first, second = lists or demo_armies(edition)
    second = first if mirror else second
    if second.name == first.name:
        second = replace(second, name=f"{first.name} (2)")
    armies = (first, second)
    width, depth = rules.constants.table
    pieces = table_for(edition, seed)
    parts = tuple(part for army in armies for part in shared(army, players))
    sides = tuple(side for side in range(len(armies)) for _ in range(players // len(armies)))
    return fresh_state(rules, width, depth, pieces, parts, options=options, sides=sides, mission=mission)


@lru_cache(maxsize=TABLES_KEPT)
def table_for(edition: str, seed: int) -> tuple[Piece, ...]:
    """The terrain of a seed, as the edition's book advises. It is cached, because games of one seed share it."""
    rules = ruleset(edition)
    width, depth = rules.constants.table
    made = generate_table(width, depth, rules.policies.table_advice(), TableNumbers(seed))
    return as_printed(made, rules.policies.terrain_presets())


def shared(army: MusteredArmy, players: int) -> tuple[MusteredArmy, ...]:
    """An army divided between the players of a side, unit by unit; an army of one player stays as it is."""
    if players < 2 or players % 2:
        raise NoDemoError(f"two sides take an even number of players, 2 or more, not {players}")
    each = players // 2
    if each == 1:
        return (army,)
    if each > len(army.units):
        raise NoDemoError(f"{army.name} has {len(army.units)} units, too few for {each} players")
    return tuple(
        replace(army, name=f"{army.name} {part + 1}", units=army.units[part::each]) for part in range(each)
    )


@cache
def demo_armies(edition: str) -> tuple[MusteredArmy, MusteredArmy]:
    """The armies of a first battle: ready-made lists of two factions for the full size the book suggests."""
    like = ruleset(edition).like if edition in known_editions() else edition
    if like not in EDITIONS:
        raise NoDemoError(f"there are no armies for {edition!r}; there are for {', '.join(EDITIONS)}")
    size = default_size(like)
    lists = [ready.id for ready in ready_lists(like) if ready.points == size][:2]
    first, second = (recruit(ready_list(like, name)) for name in lists)
    return first, second
