"""Where units may be put down: a region of the table and the distance to keep from enemies."""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core.state import MILLI, State
from shieldwall.table.placing import EnemyDistances, EnemyOver
from shieldwall.table.zones import Region, deployment_region, edge_region, near_zone_region, table_region


class Ground(Struct, frozen=True):
    """A region units must lie wholly inside, and how far they must be from every enemy (0: no limit).

    `farther` are enemies that require more than that, each with its own distance.
    """

    region: Region
    enemy_over: int = 0
    farther: tuple[tuple[int, int], ...] = ()

    @property
    def distances(self) -> EnemyOver:
        """The distances to keep from enemies, in inches, in the form the table takes."""
        if not self.farther:
            return self.enemy_over / MILLI
        farther = tuple((unit, away / MILLI) for unit, away in self.farther)
        return EnemyDistances(self.enemy_over / MILLI, farther)


def deploy_ground(state: State, edge: str, depth: int) -> Ground:
    """A side's deployment zone."""
    return Ground(deployment_region(state.width, state.depth, edge, depth))


def near_zone_ground(state: State, edge: str, depth: int, reach: int) -> Ground:
    """A side's deployment zone and some inches beyond it."""
    return Ground(near_zone_region(state.width, state.depth, edge, depth, reach / MILLI))


def ambush_ground(state: State, edge_within: int, enemy_over: int) -> Ground:
    """Strips along the table edges, or the whole table, away from enemies."""
    if edge_within:
        return Ground(edge_region(state.width, state.depth, edge_within / MILLI), enemy_over)
    return Ground(table_region(state.width, state.depth), enemy_over)
