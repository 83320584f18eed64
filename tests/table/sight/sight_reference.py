"""A second, slow implementation of sight, straight from the definition, with shapely for all geometry.

It uses nothing of the module under test: shapes, perimeters, heights and sample lines are computed independently.
`margin` is how deep a line must run inside something to be stopped; asking with a small and a large margin tells
whether a case is too close to call.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from shieldwall.core.state import Piece, Profile, State, Unit
from shieldwall.table.formations import figure_centres

OFFSETS = (0.0, 1.0, -1.0, 0.5, -0.5)
BASE_HEIGHTS = {25: 1.0, 32: 1.25, 40: 1.5, 50: 2.0, 60: 3.0, 100: 4.0}
KIND_VALUES = {"swarm": 1, "infantry": 2, "large infantry": 3, "cavalry": 3, "monster": 4, "giant": 5}
STEPS = tuple(
    k / 12 for k in range(-12, 13)
)  # a grid of lines round one, as shares of the cell it stands for
BEST, FINER = 6, 3  # lines around which the grid is refined, and how often
MARGINS = (-0.001, 0.0015)  # to either side of the half thousandth that is meant


Spot = tuple[float, float, float]
Line = tuple[Spot, Spot]


class Figure(NamedTuple):
    x: float
    y: float
    heading: float
    low: float
    high: float
    value: float
    half_width: float
    half_depth: float
    shape: str
    area: Polygon
    inside: frozenset[int]


class Solid(NamedTuple):
    kind: Literal["piece", "unit"]
    id: int
    area: BaseGeometry
    low: float
    high: float
    value: float
    see_into: bool


class Answer(NamedTuple):
    looker: int
    visible: bool
    free: int
    in_arc: bool
    blockers: tuple[frozenset[tuple[str, int]], ...]  # for each line in the arc, who stops it
    slit: bool = False  # whether a line between the sampled ones is free
    past_one: bool = False  # whether one is, past any one thing


class Reference:
    """The same questions as the module under test, for one state and one method."""

    def __init__(self, state: State, method: str, margin: float) -> None:
        self.state = state
        self.method = method
        self.margin = margin
        self.figures = {unit.id: self._figures(unit) for unit in state.units}
        self.solids = [solid for piece in state.pieces if (solid := self._piece(piece)) is not None]
        self.solids += [solid for unit in state.units for solid in self._perimeter(unit)]
        self.cut = [solid.area.buffer(-margin, join_style="mitre", quad_segs=64) for solid in self.solids]

    def _figures(self, unit: Unit) -> list[Figure]:
        places = [(pose.x / 1000, pose.y / 1000, pose.heading / 100, pose.z / 1000) for pose in unit.poses]
        if unit.block is not None:
            centres = figure_centres(unit, self.state.profiles).tolist()
            places = [(x, y, unit.block.heading / 100, unit.block.z / 1000) for x, y in centres]
        profiles = [self.state.profiles[model.profile] for model in unit.models]
        return [self._figure(profile, *place) for profile, place in zip(profiles, places, strict=True)]

    def _figure(self, profile: Profile, x: float, y: float, heading: float, z: float) -> Figure:
        across, along = profile.base.width / 50.8, profile.base.depth / 50.8
        if profile.base.shape in ("square", "rect"):
            area = shapely.box(-across, -along, across, along)
        else:
            area = affinity.scale(Point(0, 0).buffer(1.0, quad_segs=256), across, along)
        area = affinity.translate(affinity.rotate(area, -heading, origin=(0, 0)), x, y)
        under = frozenset(piece.id for piece in self.state.pieces if outline(piece).covers(Point(x, y)))
        tall = profile.height / 1000
        if self.method == "volumetric":
            long_axis = max(profile.base.width, profile.base.depth)
            tall = BASE_HEIGHTS[min(BASE_HEIGHTS, key=lambda size: abs(size - long_axis))]
        value = z + tall
        if self.method == "top-down":
            steps = [
                piece.height / 1000 + 1
                for piece in self.state.pieces
                if piece.id in under and piece.height and "ground-level" not in piece.conditions
            ]
            value = KIND_VALUES[profile.kind] + max(steps, default=0)
        return Figure(x, y, heading, z, z + tall, value, across, along, profile.base.shape, area, under)

    def _piece(self, piece: Piece) -> Solid | None:
        see_into = "see-into" in piece.conditions
        if not see_into and "blocking" not in piece.types:
            return None
        high = piece.height / 1000 + (1 if self.method == "top-down" else 0)
        return Solid("piece", piece.id, outline(piece), -1e6, high, high, see_into)

    def _perimeter(self, unit: Unit) -> list[Solid]:
        figures = self.figures[unit.id]
        solids = [
            Solid("unit", unit.id, figure.area, figure.low, figure.high, figure.value, False)
            for figure in figures
        ]
        if self.method == "outline":  # one body, so that no line slips along the seam of two bases
            whole = unary_union([figure.area.buffer(1e-7, join_style="mitre") for figure in figures])
            return [Solid("unit", unit.id, whole, 0, 0, 0, False)]
        if self.method == "open":
            return solids
        for k, one in enumerate(figures):
            for other in figures[k + 1 :]:
                if math.hypot(one.area.distance(other.area), one.low - other.low) <= 1.0005:
                    strip = unary_union([one.area, other.area]).convex_hull
                    low, high = min(one.low, other.low), max(one.high, other.high)
                    solids.append(
                        Solid("unit", unit.id, strip, low, high, max(one.value, other.value), False)
                    )
        return solids

    def counts(self, solid: Solid, a: Figure, b: Figure) -> bool:
        """Whether something can stop sight between these two at all."""
        if solid.kind == "piece":
            for figure in (a, b):
                is_in = solid.id in figure.inside
                if is_in and (
                    self.method not in ("true", "volumetric")
                    or solid.see_into
                    or figure.low < solid.high - 0.0005
                ):
                    return False
        if self.method in ("outline", "open"):
            return solid.kind == "unit" or solid.value >= min(a.value, b.value) - 0.0005
        if self.method == "top-down":
            return solid.value >= max(a.value, b.value) - 0.0005
        return True

    def lines(self, a: Figure, b: Figure, any_direction: bool) -> list[Line]:
        """The sample lines, the middle one first, without those that leave the arc."""
        length = math.hypot(b.x - a.x, b.y - a.y)
        across = ((a.y - b.y) / length, (b.x - a.x) / length)
        ax, ay = rim(a, across)
        bx, by = rim(b, across)
        if self.method == "true":
            eye = (a.x, a.y, a.low + 0.9 * (a.high - a.low))
            return [
                (eye, (b.x + cell * bx, b.y + cell * by, b.low + level * (b.high - b.low)))
                for level in (0.5, 0.7, 0.3, 0.9, 0.1)
                for cell in (0.0, 0.4, -0.4, 0.8, -0.8)
            ]
        ends = [(0.0, 0.0)]
        if self.method == "volumetric":
            tall, other_tall = a.high - a.low, b.high - b.low
            ends = [
                (a.high - drop * tall, b.high - other * other_tall)
                for drop, other in ((0, 0), (0.5, 0.5), (0, 0.5), (0.5, 0))
            ]
        lines = [
            ((a.x + s * ax, a.y + s * ay, z), (b.x + t * bx, b.y + t * by, to_z))
            for z, to_z in ends
            for s in OFFSETS
            for t in OFFSETS
        ]
        if self.method == "outline" and not any_direction:
            lines = [(start, end) for start, end in lines if in_front(a, end[0], end[1], self.margin)]
        return lines

    def look(
        self,
        unit: int,
        model: int,
        target: int,
        target_model: int,
        any_direction: bool = False,
        closely: bool = True,
    ) -> Answer:
        a, b = self.figures[unit][model], self.figures[target][target_model]
        lines = self.lines(a, b, any_direction)
        if not lines:
            return Answer(unit, False, 0, False, ())
        stoppers: list[set[tuple[str, int]]] = [set() for _ in lines]
        flat = shapely.linestrings([[start[:2], end[:2]] for start, end in lines])
        for solid, area in zip(self.solids, self.cut, strict=True):
            if solid.kind == "unit" and solid.id in (unit, target):
                continue
            if not self.counts(solid, a, b):
                continue
            for k in np.flatnonzero(shapely.intersects(flat, area)).tolist():
                if self.method not in ("true", "volumetric") or self.stops_in_space(lines[k], solid, area):
                    stoppers[k].add((solid.kind, solid.id))
        free = sum(not who for who in stoppers)
        needed = 3 if self.method == "true" else 1
        who = tuple(frozenset(who) for who in stoppers)
        if free or self.method == "true" or not closely:
            return Answer(unit, free >= needed, free, True, who)
        slit = self.slit(a, b, unit, target, any_direction)
        past_one = slit or (
            self.is_on_hill(a)
            and any(self.slit(a, b, unit, target, any_direction, one) for one in frozenset().union(*who))
        )
        return Answer(unit, slit, free, True, who, slit, past_one)

    def is_on_hill(self, figure: Figure) -> bool:
        """Whether a figure may disregard one thing."""
        return any(piece.id in figure.inside and "hilltop" in piece.conditions for piece in self.state.pieces)

    def slit(
        self, a: Figure, b: Figure, unit: int, target: int, any_direction: bool,
        ignored: tuple[str, int] | None = None,
    ) -> bool:  # fmt: skip
        """Whether a fine grid of lines, finer and finer where least is in the way, finds a free one.

        In space, whatever is level with any part of a line counts as in its way all along.
        """
        areas = [
            area
            for solid, area in zip(self.solids, self.cut, strict=True)
            if (solid.kind, solid.id) != ignored
            and not (solid.kind == "unit" and solid.id in (unit, target))
            and self.counts(solid, a, b)
            and (self.method != "volumetric" or solid.high >= min(a.high, b.high))
        ]
        broad = max(a.half_width, a.half_depth, b.half_width, b.half_depth) * 1.5
        corridor = LineString([(a.x, a.y), (b.x, b.y)]).buffer(broad, quad_segs=2)
        whole = unary_union([area for area in areas if area.intersects(corridor)]).intersection(corridor)
        length = math.hypot(b.x - a.x, b.y - a.y)
        across = ((a.y - b.y) / length, (b.x - a.x) / length)
        ax, ay = rim(a, across)
        bx, by = rim(b, across)
        cells = [(0.0, 0.0)]
        step = 1.0
        for _ in range(FINER):
            shares = np.array(
                [(s + i * step, t + j * step) for s, t in cells for i in STEPS for j in STEPS]
            ).clip(-1, 1)
            shares = np.unique(shares.round(9), axis=0)
            starts = np.array([a.x, a.y]) + shares[:, :1] * [ax, ay]
            ends = np.array([b.x, b.y]) + shares[:, 1:] * [bx, by]
            if self.method == "outline" and not any_direction:
                in_arc = [in_front(a, x, y, self.margin) for x, y in ends.tolist()]
                shares, starts, ends = shares[in_arc], starts[in_arc], ends[in_arc]
            if not len(shares):
                return False
            lines = shapely.linestrings(np.stack([starts, ends], axis=1))
            inside = shapely.length(shapely.intersection(lines, whole))
            inside[shapely.intersects(lines, whole) & (inside == 0.0)] = 1e-12
            if (inside == 0.0).any():
                return True
            best = np.argsort(inside, kind="stable")[:BEST]
            cells = [tuple(cell) for cell in shares[best].tolist()]
            step /= 4  # cells overlap, so that none is missed
        return False

    def stops_in_space(self, line: Line, solid: Solid, area: BaseGeometry) -> bool:
        """Whether some stretch of the line inside the area is between the bottom and the top."""
        (x, y, z), (to_x, to_y, to_z) = line
        if solid.low <= min(z, to_z) and max(z, to_z) <= solid.high:
            return True
        if min(z, to_z) > solid.high + 0.001 or max(z, to_z) < solid.low - 0.001:
            return False
        flat = LineString([(x, y), (to_x, to_y)])
        slack = 0.001 - self.margin  # a large margin asks for deep cuts, so it also asks for low lines
        inside = flat.intersection(area)
        for stretch in getattr(inside, "geoms", [inside]):
            shares = [flat.project(Point(corner)) / flat.length for corner in stretch.coords]
            heights = [z + share * (to_z - z) for share in (min(shares), max(shares))]
            if min(heights) <= solid.high + slack and max(heights) >= solid.low - slack:
                return True
        return False


def outline(piece: Piece) -> Polygon:
    return Polygon([(x / 1000, y / 1000) for x, y in piece.outline])


def rim(figure: Figure, across: tuple[float, float]) -> tuple[float, float]:
    """From the centre to the point of the base farthest in a direction; the middle of a flat side."""
    angle = math.radians(figure.heading)
    right, ahead = (math.cos(angle), -math.sin(angle)), (math.sin(angle), math.cos(angle))
    on_right = across[0] * right[0] + across[1] * right[1]
    on_ahead = across[0] * ahead[0] + across[1] * ahead[1]
    if figure.shape in ("square", "rect"):
        to_right = 0.0 if abs(on_right) < 1e-7 else math.copysign(figure.half_width, on_right)
        to_ahead = 0.0 if abs(on_ahead) < 1e-7 else math.copysign(figure.half_depth, on_ahead)
    else:
        reach = math.hypot(figure.half_width * on_right, figure.half_depth * on_ahead)
        to_right, to_ahead = figure.half_width**2 * on_right / reach, figure.half_depth**2 * on_ahead / reach
    return to_right * right[0] + to_ahead * ahead[0], to_right * right[1] + to_ahead * ahead[1]


def in_front(figure: Figure, x: float, y: float, margin: float) -> bool:
    """Whether a point lies in the wedge that opens from the front edge by 45 degrees to both sides."""
    angle = math.radians(figure.heading)
    dx, dy = x - figure.x, y - figure.y
    aside, ahead = dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle)
    return ahead - figure.half_depth >= abs(aside) - figure.half_width - (0.001 - margin) and ahead >= 0
