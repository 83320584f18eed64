"""Putting a unit down outside its move: deployment, arrival from reserve, scouting ahead.

A placement is legal when the unit lies wholly in its region and on the table, keeps its distance from other
units and stands on no impassable terrain. Formation and coherency are checked elsewhere; climbing onto terrain is not
considered here.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec import Struct

from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import set_gap
from shieldwall.geometry.tolerance import EPS, closer_than, over, told
from shieldwall.geometry.zones import farthest_first, first_overlap, free_spots
from shieldwall.table.footprints import unit_outline
from shieldwall.table.formations import heading_vector
from shieldwall.table.ground import ground_height
from shieldwall.table.pieces import ground_of
from shieldwall.table.reasons import TableReason
from shieldwall.table.scene import Scene, scene_of
from shieldwall.table.shapes import Shapes
from shieldwall.table.zones import ZONES_KEPT, Region, check_place, zone_array

SPOTS_KEPT = 2048


class EnemyDistances(Struct, frozen=True):
    """How far a unit must be placed from enemies: over `usual` inches from all, farther from some of them.

    Zero means no more than the usual spacing.
    """

    usual: float = 0.0
    farther: tuple[tuple[int, float], ...] = ()

    def over(self, enemy: int) -> float:
        """The distance that must be exceeded to one enemy."""
        return max(self.usual, *(away for unit, away in self.farther if unit == enemy), 0.0)


EnemyOver = float | EnemyDistances


def enemy_distance(enemy_over: EnemyOver, enemy: Unit) -> float:
    """The distance that must be exceeded to one enemy."""
    return enemy_over.over(enemy.id) if isinstance(enemy_over, EnemyDistances) else enemy_over


def check_placement(
    state: State, unit: Unit, region: Region, spacing: float = 1.0, enemy_over: EnemyOver = 0.0
) -> tuple[TableReason, ...]:
    """Every reason against placing `unit` as it stands; it need not be part of the state yet.

    `spacing` is kept from all units, and more than `enemy_over` from enemies (0: no extra distance).
    """
    outline = unit_outline(unit, state.profiles)
    reasons = list(check_place(unit.name, outline, region, state.width, state.depth))
    for other in state.units:
        if _is_standing(other) and other.id != unit.id:
            enemy_limit = enemy_distance(enemy_over, other) if other.side != unit.side else 0.0
            apart = _apart(outline, unit_outline(other, state.profiles), max(spacing, enemy_limit) + 1.0)
            reasons += _distance_reasons(unit, other, apart, spacing, enemy_limit)
    ground = ground_of(state.pieces)
    found = first_overlap(outline.points, outline.rows, ground.flat(), ground.impassable)
    if found >= 0:
        text = f"{unit.name} would stand on impassable {ground.pieces[found].name}"
        reasons.append(TableReason(text, "deploy.impassable"))
    return tuple(reasons)


def placement_spots(
    state: State,
    unit: Unit,
    region: Region,
    size: tuple[float, float],
    heading: int = 0,
    *,
    spacing: float = 1.0,
    enemy_over: EnemyOver = 0.0,
    step: float = 2.0,
    count: int = 24,
) -> tuple[Pose, ...]:
    """Evenly spread poses in a region at which a rectangle of this size (across, along, in inches) is legal.

    They keep to plain ground, off impassable pieces, heights, gaps and danger. There are fewer than `count`, or none,
    if there is no more room at this `step`.
    """
    room = FreeRoom(state, unit, region, size, heading, spacing=spacing, enemy_over=enemy_over, step=step)
    return room.spread(count)


class FreeRoom:
    """Where a rectangle finds room in a region, at even steps: see `placement_spots`."""

    __slots__ = ("barred", "heading", "least", "region", "scene", "size", "state", "step")

    def __init__(
        self,
        state: State,
        unit: Unit,
        region: Region,
        size: tuple[float, float],
        heading: int = 0,
        *,
        spacing: float = 1.0,
        enemy_over: EnemyOver = 0.0,
        step: float = 2.0,
    ) -> None:
        self.state = state
        self.scene = scene_of(state)
        self.barred = self.scene.ground.unpleasant
        self.region, self.size, self.heading, self.step = region, size, heading, step
        self.least = _distances_to_keep(self.scene, unit, spacing - EPS, enemy_over)

    def on_any_ground(self) -> FreeRoom:
        """The same room, also on ground that is legal but unpleasant: heights, gaps and danger."""
        self.barred = self.scene.ground.impassable
        return self

    def _search(self, number: int, answer: Floats) -> int:
        rect = _turned_rect(self.size, self.heading)
        zones = zone_array(self.region.zones)
        return free_spots(self.scene.flat(), zones, rect, self.step, self.least, self.barred, number, answer)

    def first_from(self, number: int) -> Pose | None:
        """The first free spot, counting from a place that the number selects; None if there is none at all."""
        answer = np.empty((1, 2))
        if not self._search(number, answer):
            return None
        return self._pose(*answer[0].tolist())

    def spread(self, count: int) -> tuple[Pose, ...]:
        """Up to `count` free spots, far from each other."""
        answer = np.empty((SPOTS_KEPT, 2))
        spots = answer[: self._search(0, answer)]
        chosen = np.empty(count, dtype=np.int64)
        picks = chosen[: farthest_first(spots, spots[:0], chosen)]
        return tuple([self._pose(x, y) for x, y in spots[picks].tolist()])

    def _pose(self, x: float, y: float) -> Pose:
        across, along = round(x * MILLI), round(y * MILLI)
        return Pose(across, along, self.heading, ground_height(self.state, across, along))


def _distances_to_keep(scene: Scene, unit: Unit, spacing: float, enemy_over: EnemyOver) -> Floats:
    """The distance a unit has to keep from each footprint of the scene except its own."""
    least = np.full(len(scene.outline.rows), spacing)
    for other, (first, stop) in zip(scene.units, scene.outline_spans, strict=True) if enemy_over else ():
        from_enemy = enemy_distance(enemy_over, other) + EPS
        if other.side != unit.side and from_enemy > max(spacing, EPS):
            least[first:stop] = from_enemy
    row = scene.row_of.get(unit.id)
    if row is not None:
        first, stop = scene.outline_spans[row]
        least[first:stop] = -np.inf
    return least


def _is_standing(unit: Unit) -> bool:
    return unit.place == "table" and len(unit.models) > 0


def _apart(outline: Shapes, other: Shapes, limit: float) -> float:
    """The distance between two outlines, exact up to a limit and infinite beyond."""
    return float(set_gap(outline.span(), other.span(), limit, False)[0])


def _distance_reasons(
    unit: Unit, other: Unit, apart: float, spacing: float, enemy_over: float
) -> list[TableReason]:
    reasons: list[TableReason] = []
    if apart < -EPS:
        reasons.append(TableReason(f"{unit.name} would stand on {other.name}", "deploy.overlap"))
    apart = max(apart, 0.0)
    if enemy_over and not over(apart, enemy_over):
        text = f"{unit.name} would stand {apart:.2f} inches from {other.name}"
        text += f"; it must be over {enemy_over:g} inches away"
        reasons.append(TableReason(text, "deploy.enemies"))
    elif closer_than(apart, spacing):
        text = f"{unit.name} would stand {told(apart, spacing)} inches from {other.name}"
        reasons.append(TableReason(f"{text}; {spacing:g} inch must stay free", "deploy.spacing"))
    return reasons


@lru_cache(maxsize=ZONES_KEPT)
def _turned_rect(size: tuple[float, float], heading: int) -> Floats:
    sine, cosine = heading_vector(heading)
    w, d = size[0] / 2, size[1] / 2
    corners = ((-w, -d), (w, -d), (w, d), (-w, d))
    return np.array(
        [(right * cosine + ahead * sine, ahead * cosine - right * sine) for right, ahead in corners]
    )
