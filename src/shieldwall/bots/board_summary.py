"""A bot's quick overview of the table: position, strength and speed of every unit, and the markers near it.

Distances are approximate (centres and half sizes); the rules measure exactly when it matters.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.bots.distance_field import DistanceField, ways_of, width_class
from shieldwall.bots.expected_damage import wounds_left
from shieldwall.bots.simulation.places import rect_gaps, with_detours
from shieldwall.bots.simulation.ways import Grid
from shieldwall.core.state import MILLI, Marker, State, Unit
from shieldwall.geometry.arrays import Matrix
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.missions import on_ground
from shieldwall.rules.ruleset import Ruleset, one_of_each
from shieldwall.rules.steps.activation import allowed_actions
from shieldwall.rules.weapons import groups_of
from shieldwall.table.formations import formation_of, heading_vector
from shieldwall.table.shapes import MM_PER_INCH


class UnitSummary(NamedTuple):
    """What a unit is worth and can do, regardless of its surroundings; lengths in inches.

    `value` is the points it has left, `per_wound` what one wound takes from them. `shots` and `blows` are dice,
    `footing` is what counts for it in a melee result besides wounds.
    """

    value: float
    per_wound: float
    wounds: int
    reach: float
    shots: int
    blows: int
    advance: float
    rush: float
    charge: float
    actions: tuple[str, ...]
    half_width: float
    half_depth: float
    radius: float
    flies: bool
    footing: int


def card_of(rules: Ruleset, state: State, unit: Unit) -> UnitSummary:
    """The summary of a unit, cached until its models or effects change."""
    makeup = unit.makeup
    known: tuple[Ruleset, object, UnitSummary] | None = makeup.get("summary")
    if known is None or known[0] is not rules or known[1] is not state.profiles:
        known = makeup["summary"] = (rules, state.profiles, _card(rules, state, unit))
    return known[2]


def _card(rules: Ruleset, state: State, unit: Unit) -> UnitSummary:
    ranged, melee = groups_of(state, unit, ranged=True), groups_of(state, unit, ranged=False)
    wounds = wounds_left(state, unit)
    whole = max(1, unit.start_models) * state.profiles[unit.models[0].profile].wounds
    cost = unit.cost or 12 * whole
    half_width, half_depth = _half_size(state, unit)
    return UnitSummary(
        value=cost * min(1.0, wounds / max(whole, wounds)),
        per_wound=cost / max(whole, wounds),
        wounds=wounds,
        reach=max((group.weapon.reach for group in ranged), default=0) / MILLI,
        shots=sum(group.weapon.attacks * len(group.bearers) for group in ranged),
        blows=sum(group.weapon.attacks * len(group.bearers) for group in melee),
        advance=_pace(rules, state, unit, "advance"),
        rush=_pace(rules, state, unit, "rush"),
        charge=_pace(rules, state, unit, "charge"),
        actions=allowed_actions(rules, state, unit),
        half_width=half_width,
        half_depth=half_depth,
        radius=(half_width + half_depth) / 2,
        flies=all(rules.crossing(state, unit, model).terrain for model in one_of_each(unit)),
        footing=rules.policies.melee_score(rules, state, unit),
    )


def _pace(rules: Ruleset, state: State, unit: Unit, action: str) -> float:
    """How far a unit goes with an action, regardless of its surroundings; units off the table have a pace too."""
    constants, hooks = rules.constants, rules.hooks
    ctx = UnitContext(state, unit)
    base = {"advance": constants.advance, "rush": constants.rush, "charge": constants.charge}[action]
    shared = sum(
        rule.move(ctx, action)
        for rule in rules.hooks.of_unit(unit, state.profiles).get("move", ())
        if rule.scope in ("any", "most", "all")
    )
    own = [
        sum(
            rule.move(ctx, action)
            for rule in hooks.of_model(unit, model, state.profiles).get("move", ())
            if rule.scope == "model"
        )
        for model in one_of_each(unit)
    ]
    return max(0, base + shared + min(own, default=0)) / MILLI


def _half_size(state: State, unit: Unit) -> tuple[float, float]:
    if unit.width:
        formation = formation_of(unit, state.profiles)
        return formation.half_width, formation.half_depth
    base = state.profiles[unit.models[0].profile].base
    across = math.sqrt(len(unit.models)) * (max(base.width, base.depth) / MM_PER_INCH + 0.3) / 2
    return across, across


def spot_of(unit: Unit) -> tuple[float, float]:
    """The middle of a unit that stands on the table, in inches."""
    if unit.block is not None:
        return unit.block.x / MILLI, unit.block.y / MILLI
    memory = unit.memory
    known: tuple[float, float] | None = memory.get("middle")
    if known is None:
        count = len(unit.poses)
        x, y = sum([pose.x for pose in unit.poses]), sum([pose.y for pose in unit.poses])
        known = memory["middle"] = (x / count / MILLI, y / count / MILLI)
    return known


def standing(unit: Unit) -> object:
    """A token for a unit's position, replaced once it moves or loses models.

    Caches about other units hold this token; holding the units themselves would keep all their past versions alive.
    """
    return unit.memory.setdefault("standing", object())


def heading_of(unit: Unit) -> int:
    """The heading of a unit; for a loose unit that of its first model."""
    return unit.block.heading if unit.block is not None else unit.poses[0].heading if unit.poses else 0


class SeenUnit(NamedTuple):
    """One unit on the table."""

    unit: Unit
    card: UnitSummary
    x: float
    y: float


class BoardSummary:
    """One state from the viewpoint of one side."""

    __slots__ = (
        "_places", "_ways", "foes", "friends", "last_round", "markers", "marks", "rules", "seen", "seize", "side",
        "spot_array", "spots", "state",
    )  # fmt: skip

    def __init__(self, rules: Ruleset, state: State, side: int) -> None:
        self.rules = rules
        self.state = state
        self.side = side
        self.seen: dict[int, SeenUnit] = {}
        for unit in state.units:
            if unit.place == "table" and unit.models:
                self.seen[unit.id] = SeenUnit(unit, card_of(rules, state, unit), *spot_of(unit))
        self.friends = [seen for seen in self.seen.values() if seen.unit.side == side]
        self.foes = [seen for seen in self.seen.values() if seen.unit.side != side]
        self.last_round = rules.constants.rounds
        self.markers = [marker for marker in state.markers if on_ground(marker)]
        self.spots = [(marker.id, marker.x / MILLI, marker.y / MILLI) for marker in self.markers]
        self.spot_array = np.array([spot[1:] for spot in self.spots], dtype=np.float64).reshape(-1, 2)
        self.seize = rules.constants.seize_within / MILLI - 0.05  # the seizing distance, minus a small margin
        self._places = {marker.id: at for at, marker in enumerate(self.markers)}
        self._ways: dict[int, DistanceField] = {}
        self.marks: dict[int, list[tuple[float, SeenUnit]]] = {}

    def target(self, unit: int) -> SeenUnit:
        """A unit that can be shot at; a unit in a building counts as standing in the middle of it."""
        known = self.seen.get(unit)
        if known is not None:
            return known
        housed = self.state.units[unit]
        outline = next(piece.outline for piece in self.state.pieces if piece.id == housed.inside)
        x, y = (sum(corner[axis] for corner in outline) / len(outline) / MILLI for axis in (0, 1))
        return SeenUnit(housed, card_of(self.rules, self.state, housed), x, y)

    def near(self, marker: Marker) -> list[tuple[float, SeenUnit]]:
        """All units with their distances from a marker, the nearest first."""
        known = self.marks.get(marker.id)
        if known is None:
            found = [(self.gap_to(seen, marker), seen) for seen in self.seen.values()]
            known = self.marks[marker.id] = sorted(found, key=lambda pair: (pair[0], pair[1].unit.id))
        return known

    def gap_to(self, seen: SeenUnit, marker: Marker) -> float:
        """Inches from a unit to one of the markers in a straight line."""
        return self.gaps_here(seen)[self._places[marker.id]]

    def gaps_here(self, seen: SeenUnit) -> list[float]:
        """Inches from a unit to each marker in a straight line; cached until the unit moves."""
        memory = seen.unit.memory
        known: tuple[object, list[float]] | None = memory.get("gaps to markers")
        if known is None or known[0] != self.spots:
            known = memory["gaps to markers"] = (self.spots, gaps_from(seen, self.spot_array))
        return known[1]

    def ways_here(self, seen: SeenUnit) -> list[float]:
        """The walking distance, in inches, from a unit to each marker."""
        memory = seen.unit.memory
        terms = (self.spots, seen.card.flies)
        known: tuple[object, list[float]] | None = memory.get("ways to markers")
        if known is None or known[0] != terms:
            ways = np.array(self.gaps_here(seen))
            if not seen.card.flies:
                with_detours(self.grid_for(seen), self.spot_array, self.seize, seen.x, seen.y, ways)
            known = memory["ways to markers"] = (terms, ways.tolist())
        return known[1]

    def ways(self, seen: SeenUnit) -> DistanceField:
        """The distance field for units as wide as this one."""
        width = width_class(seen.card.half_width) if seen.unit.block is not None else 0
        known = self._ways.get(width)
        if known is None:
            known = self._ways[width] = ways_of(self.state, seen.card.half_width if width else 0.0)
        return known

    def grid_for(self, seen: SeenUnit) -> Grid:
        """The same as a grid, for the markers that lie on the ground, in order."""
        ways = self.ways(seen)
        if len(self.markers) == len(ways.index):
            return ways.grid
        return Grid(ways.grid.far[[ways.index[marker.id] for marker in self.markers]], ways.grid.slow)

    def carried(self, unit: int | None = None) -> int:
        """Markers that our side carries minus those the other side does; or those that one unit carries."""
        state, total = self.state, 0
        for marker in state.markers:
            if marker.carrier >= 0 and not marker.gone and unit in (None, marker.carrier):
                total += 1 if state.units[marker.carrier].side == self.side else -1
        return total

    @property
    def rounds_left(self) -> int:
        """Rounds after the current one."""
        return max(0, self.last_round - self.state.round)


def gaps_from(seen: SeenUnit, spots: Matrix) -> list[float]:
    """Inches from a unit's nearest part to several points."""
    unit, card = seen.unit, seen.card
    if unit.block is not None:
        gaps = np.empty(len(spots))
        sine, cosine = heading_vector(unit.block.heading)
        rect_gaps(seen.x, seen.y, sine, cosine, card.half_width, card.half_depth, spots, gaps)
        return gaps.tolist()
    poses = [(pose.x / MILLI, pose.y / MILLI) for pose in unit.poses]
    return [max(0.0, min([math.hypot(px - x, py - y) for px, py in poses]) - 0.5) for x, y in spots.tolist()]


def apart(one: SeenUnit, other: SeenUnit) -> float:
    """The approximate distance between two units in inches; cached until either moves."""
    there = standing(other.unit)
    known: dict[int, tuple[object, float]] = one.unit.memory.setdefault("apart", {})
    latest = known.get(other.unit.id)
    if latest is None or latest[0] is not there:
        way = math.hypot(one.x - other.x, one.y - other.y) - girth(one, other) - girth(other, one)
        latest = known[other.unit.id] = (there, max(0.0, way))
    return latest[1]


def roughly_apart(x: float, y: float, card: UnitSummary, other: SeenUnit) -> float:
    """Inches between a unit at a place and another one as if both were round: quick, and accurate to an inch."""
    reach = card.radius + other.card.radius
    return max(0.0, math.hypot(x - other.x, y - other.y) - reach)


def girth(seen: SeenUnit, other: SeenUnit) -> float:
    """How far a unit extends from its middle towards another one."""
    card = seen.card
    dx, dy = other.x - seen.x, other.y - seen.y
    far = math.hypot(dx, dy)
    if seen.unit.block is None or far < 0.001:
        return card.half_width
    sine, cosine = heading_vector(seen.unit.block.heading)
    right, ahead = abs(dx * cosine - dy * sine) / far, abs(dx * sine + dy * cosine) / far
    across = card.half_width / right if right > 0.001 else math.inf
    along = card.half_depth / ahead if ahead > 0.001 else math.inf
    return min(across, along)
