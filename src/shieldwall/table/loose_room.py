"""Room for a loose unit on a crowded table: single places first, then a formation grown from place to place.

`find_room` searches the whole region for places where each kind of base could stand alone, and then grows the unit
from one such place to the next that is free and near enough to a mate. If no place is found for some model there is
none, and the answer comes at once, however large the region is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Base, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import QUARTER_TURN
from shieldwall.geometry.unit_moves import SpreadPlan, spread_unit
from shieldwall.geometry.walk import MATES_OBSTRUCT
from shieldwall.geometry.zones import farthest_first
from shieldwall.table.coherency import spread_limit
from shieldwall.table.loose_place import check_placement, distances_kept
from shieldwall.table.placing import EnemyOver
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.walk_context import WalkLimits, context_of, mould_of
from shieldwall.table.zones import Region, Zone, zone_array

STEPS = (0.5, 0.25)  # inches between places: coarse first, then fine
SEEDS = 48  # places from which a formation is grown
PLACES_MOST = 40_000
MODEL_GAP = 0.02  # inches left between bases

MayStand = Callable[[Base, Pose], bool]


def find_room(
    state: State,
    unit: Unit,
    limits: WalkLimits,
    region: Region,
    enemy_over: EnemyOver = 0.0,
    may_stand: MayStand | None = None,
) -> Iterator[tuple[Pose, ...]]:
    """Legal formations of a unit in a region, one after another; none where there is no room.

    `may_stand` can forbid single places. The first formation is as good as any; the others are for callers with
    further requirements.
    """
    bases = [state.profiles[model.profile].base for model in unit.models]
    turns = (0, QUARTER_TURN) if any(base.width != base.depth for base in bases) else (0,)
    for step in STEPS:
        for heading in turns:
            places = _Places(state, unit, limits, region, enemy_over, may_stand, step, heading)
            if not places.has_all:
                continue
            for poses in places.formations():
                if not check_placement(state, unit, poses, limits, region, enemy_over):
                    yield poses


class _Places:
    """Where each kind of base of a unit may stand by itself, on an even grid at one heading."""

    def __init__(
        self,
        state: State,
        unit: Unit,
        limits: WalkLimits,
        region: Region,
        enemy_over: EnemyOver,
        may_stand: MayStand | None,
        step: float,
        heading: int,
    ) -> None:
        self.unit, self.limits, self.heading = unit, limits, heading
        self.bases = [state.profiles[model.profile].base for model in unit.models]
        self.spread = spread_limit(mould_of(unit, state.profiles), limits.coherency)
        self.free: dict[Base, Floats] = {}
        for base in sorted(set(self.bases), key=_reach, reverse=True):
            spots = _spots(region.zones, _halves(base, heading), step)
            found = _standing_alone(
                state, unit, self.bases.index(base), limits, region, enemy_over, heading, spots
            )
            if may_stand is not None:
                kept = [may_stand(base, self._pose(place)) for place in found]
                found = found[np.array(kept, dtype=np.bool_)]
            self.free[base] = found
            if not len(found):
                return

    @property
    def has_all(self) -> bool:
        """Whether there is a place for every kind of base."""
        return all(len(self.free.get(base, ())) > 0 for base in self.bases)

    def formations(self) -> Iterator[tuple[Pose, ...]]:
        """Formations grown from some places, the widest bases first, then the narrowest first."""
        order = sorted(range(len(self.bases)), key=lambda index: -_reach(self.bases[index]))
        orders = [order, order[::-1]] if len(self.free) > 1 else [order]
        for models in orders:
            starts = self.free[self.bases[models[0]]]
            chosen = np.empty(min(SEEDS, len(starts)), dtype=np.int64)
            flat = np.ascontiguousarray(starts[:, :2])
            for seed in chosen[: farthest_first(flat, flat[:0], chosen)].tolist():
                found = self._grown(models, starts[seed])
                if found is not None:
                    yield found

    def _grown(self, models: list[int], seed: Floats) -> tuple[Pose, ...] | None:
        """A formation with its first model at the seed and all others as near to it as they can be."""
        open_to = {base: np.ones(len(places), dtype=np.bool_) for base, places in self.free.items()}
        linked = {base: np.zeros(len(places), dtype=np.bool_) for base, places in self.free.items()}
        away = {base: np.hypot(*(places[:, :2] - seed[:2]).T) for base, places in self.free.items()}
        poses: dict[int, Pose] = {}
        for index in models:
            base = self.bases[index]
            at = seed
            if poses:
                able = np.flatnonzero(open_to[base] & linked[base])
                if not len(able):
                    return None
                at = self.free[base][able[np.argmin(away[base][able])]]
            poses[index] = self._pose(at)
            for other, places in self.free.items():
                apart, most = self._gaps(base, at, other, places)
                open_to[other] &= (apart >= MODEL_GAP) & (most <= self.spread)
                linked[other] |= most <= self.limits.coherency.link
        return tuple(poses[index] for index in range(len(self.bases)))

    def _gaps(self, base: Base, at: Floats, other: Base, places: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bounds of the distance from a base to another one at each place."""
        dx, dy = np.abs(places[:, 0] - at[0]), np.abs(places[:, 1] - at[1])
        (ax, ay), (bx, by) = _halves(base, self.heading), _halves(other, self.heading)
        least = np.maximum(dx - ax - bx, dy - ay - by)
        if base.shape == "round" and other.shape == "round":
            least = np.hypot(dx, dy) - ax - bx
        most = np.full(len(places), np.inf)
        for across, along, rounding in _cores(base, ax, ay):
            for other_across, other_along, other_rounding in _cores(other, bx, by):
                beside = np.maximum(dx - across - other_across, 0.0)
                before = np.maximum(dy - along - other_along, 0.0)
                most = np.minimum(most, np.hypot(beside, before) - rounding - other_rounding)
        return least, np.hypot(np.maximum(most, 0.0), places[:, 2] - at[2])

    def _pose(self, place: Floats) -> Pose:
        x, y, z = (round(value * MILLI) for value in place.tolist())
        return Pose(x, y, self.heading, z)


def _reach(base: Base) -> float:
    return max(base.width, base.depth)


def _halves(base: Base, heading: int) -> tuple[float, float]:
    """Half the width and depth of a base along the table's axes, in inches, at a quarter turn or none."""
    across, along = base.width / MM_PER_INCH / 2, base.depth / MM_PER_INCH / 2
    return (along, across) if heading % (2 * QUARTER_TURN) else (across, along)


def _cores(base: Base, across: float, along: float) -> tuple[tuple[float, float, float], ...]:
    """Shapes that lie inside a base: a circle about its middle and a rectangle, each as half sides and radius."""
    circle = (0.0, 0.0, min(across, along))
    if base.shape == "round":
        return (circle,)
    share = 1.0 if base.shape in ("rect", "square") else math.sqrt(0.5)
    return circle, (across * share, along * share, 0.0)


def _spots(zones: tuple[Zone, ...], halves: tuple[float, float], step: float) -> Floats:
    """Centres of a base at even steps, and flush with every border; float64[n, 2], in inches."""
    found = [np.zeros((0, 2))]
    for zone in zones:
        columns = _steps(zone.left / MILLI + halves[0], zone.right / MILLI - halves[0], step)
        rows = _steps(zone.near / MILLI + halves[1], zone.far / MILLI - halves[1], step)
        found.append(np.stack(np.meshgrid(columns, rows, indexing="ij"), axis=-1).reshape(-1, 2))
    spots = np.concatenate(found)
    spots = spots[:: max(1, math.ceil(len(spots) / PLACES_MOST))]
    return np.ascontiguousarray(np.round(spots * MILLI) / MILLI)


def _steps(low: float, high: float, step: float) -> Floats:
    if high < low:
        return np.zeros(0)
    return np.append(np.arange(low, high, step), high)


def _standing_alone(
    state: State,
    unit: Unit,
    index: int,
    limits: WalkLimits,
    region: Region,
    enemy_over: EnemyOver,
    heading: int,
    spots: Floats,
) -> Floats:
    """The spots where one model of a unit could stand alone: x, y and height in inches."""
    lone = replace(unit, models=(unit.models[index],), poses=(), attached=-1)
    alone = replace(
        limits, allowance=(0.0,), ignores_units=(), ignores_terrain=(), ignores_difficult=(), leaps=()
    )
    context = context_of(state, lone, alone)
    rule = context.world.rule.copy()
    rule[MATES_OBSTRUCT] = 0.0
    world, movers = context.world._replace(rule=rule), context.movers
    needs, zones = distances_kept(context, enemy_over), zone_array(region.zones)
    order, keys = np.zeros(1, dtype=np.int64), np.round(spots * MILLI)
    found, at = [], 0
    while at < len(spots):
        placed, ends = np.zeros(1, dtype=np.int64), np.zeros((1, 4))
        if (
            spread_unit(
                movers, order, SpreadPlan(spots[at:], float(heading), needs, zones), world, placed, ends
            )
            >= 0
        ):
            break
        while not np.array_equal(keys[at], ends[0, :2]):
            at += 1
        found.append((spots[at, 0], spots[at, 1], ends[0, 3] / MILLI))
        at += 1
    return np.array(found).reshape(-1, 3)
