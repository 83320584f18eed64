"""A second, slow implementation of cover, straight from the rulings, with shapely for all geometry."""

from __future__ import annotations

import math
from typing import NamedTuple

from shapely.geometry import LineString, Point
from shapely.ops import nearest_points, unary_union
from sight_reference import Figure, Reference, outline

from shieldwall.core.state import State, Unit
from shieldwall.table.formations import enclosing_rect

AREA_SLACK = 0.002


class Judged(NamedTuple):
    """Models inside and behind, and whether one of them is too close to call."""

    inside: int
    behind: int
    too_close: bool


class CoverReference:
    """The rulings R35-TERRAIN-13, 17 and 30 ("ranks"), SK32-TERRAIN-12 ("loose"), A2-TERRAIN-09 ("crowd")."""

    def __init__(self, state: State, policy: str) -> None:
        self.state = state
        self.is_ranked, self.is_crowd = policy == "ranks", policy == "crowd"
        self.sight = Reference(state, "outline" if self.is_ranked else "open", 0.0005)
        self.areas = {piece.id: outline(piece) for piece in state.pieces}

    def judge(self, shooter: int, models: tuple[int, ...], target: int) -> Judged:
        """Every model of the target, one after the other."""
        inside = behind = 0
        too_close = False
        for figure in self.sight.figures[target]:
            shares = [self._share(figure, piece.id) for piece in self.state.pieces if "cover" in piece.types]
            wanted = 1.0 if self.is_ranked else 0.5
            too_close |= any(abs(share - wanted) < AREA_SLACK and share < 0.9999 for share in shares)
            if any(share >= wanted - 0.0005 for share in shares):
                inside += 1
                continue
            answers = {self._is_behind(shooter, models, target, figure, depth) for depth in (0.0001, 0.002)}
            too_close |= len(answers) > 1
            behind += answers.pop()
        return Judged(inside, behind, too_close)

    def _share(self, figure: Figure, piece: int) -> float:
        return float(figure.area.intersection(self.areas[piece]).area / figure.area.area)

    def _viewpoint(self, unit: Unit, models: tuple[int, ...], figure: Figure) -> tuple[Point, list[Figure]]:
        """Where the shooters look from, and whose touch takes a cover piece out of account."""
        shooters = self.sight.figures[unit.id]
        if self.is_ranked and unit.block is not None:
            rect = enclosing_rect(unit, self.state.profiles)
            turn = math.radians(unit.block.heading / 100)
            x, y = unit.block.x / 1000, unit.block.y / 1000
            return Point(x + rect.half_depth * math.sin(turn), y + rect.half_depth * math.cos(turn)), shooters
        nearest = min((shooters[index] for index in models), key=lambda one: one.area.distance(figure.area))
        return Point(nearest.x, nearest.y), [nearest]

    def _is_behind(
        self, shooter: int, models: tuple[int, ...], target: int, figure: Figure, depth: float
    ) -> bool:
        """Whether the line from the viewpoint to the base crosses something that gives cover."""
        if self.is_crowd:
            firing = [self.sight.figures[shooter][index] for index in models]
            behind = [self._is_behind_base(one, figure, (shooter, target), depth) for one in firing]
            return 2 * sum(behind) > len(firing)
        unit = next(one for one in self.state.units if one.id == shooter)
        eye, who = self._viewpoint(unit, models, figure)
        line = LineString([eye, Point(figure.x, figure.y)])
        if figure.area.contains(eye):
            return False
        return self._is_sheltered(line, who, figure, (shooter, target), depth)

    def _is_behind_base(self, one: Figure, figure: Figure, ends: tuple[int, int], depth: float) -> bool:
        """Whether the shortest line between two bases crosses something that gives cover."""
        near, far = nearest_points(one.area, figure.area)
        line = LineString([near, far, Point(figure.x, figure.y)])
        return near.distance(far) > 0 and self._is_sheltered(line, [one], figure, ends, depth)

    def _is_sheltered(
        self, reach: LineString, who: list[Figure], figure: Figure, ends: tuple[int, int], depth: float
    ) -> bool:
        """Whether a line crosses something that gives cover from these shooters.

        Under the base it ends at, units do not count, nor do pieces a ranked model only stands in.
        """
        ends_at_centre = reach.coords[-1] == (figure.x, figure.y)
        outside = reach.difference(figure.area) if ends_at_centre else reach
        for piece in self.state.pieces:
            area = self.areas[piece.id].buffer(-depth, join_style="mitre")
            stops_in = self.is_ranked and piece.id in figure.inside
            if not (outside if stops_in else reach).intersects(area):
                continue
            touched = any(one.area.distance(self.areas[piece.id]) <= 0.0005 for one in who)
            if "cover" in piece.types and not touched:
                return True
            stands = any(piece.id in one.inside for one in who)
            stops = "blocking" in piece.types or "see-into" in piece.conditions
            tall = piece.height / 1000 >= min(max(one.value for one in who), figure.value) - 0.0005
            if self.is_ranked and stops and tall and not stands:
                return True
        if not self.is_ranked:
            return False
        others = [one for one in self.state.units if one.id not in ends]
        bodies = [unary_union([one.area for one in self.sight.figures[other.id]]) for other in others]
        return any(outside.intersects(body.buffer(-depth, join_style="mitre")) for body in bodies)

    def sampled_share(self, shooter: int, target: int, index: int, across: int) -> tuple[float, float]:
        """Shares of a base inside cover terrain, and inside or hidden, by a grid of points on it."""
        figure = self.sight.figures[target][index]
        unit = next(one for one in self.state.units if one.id == shooter)
        eye, who = self._viewpoint(unit, (0,), figure)
        covers = unary_union([self.areas[piece.id] for piece in self.state.pieces if "cover" in piece.types])
        left, low, right, high = figure.area.bounds
        steps = [(k + 0.5) / across for k in range(across)]
        points = [Point(left + s * (right - left), low + t * (high - low)) for s in steps for t in steps]
        points = [point for point in points if figure.area.contains(point)]
        inside = [point for point in points if covers.contains(point)]
        others = [point for point in points if not covers.contains(point)]
        hidden = [
            point
            for point in others
            if self._is_sheltered(LineString([eye, point]), who, figure, (shooter, target), 0.0005)
        ]
        return len(inside) / len(points), (len(inside) + len(hidden)) / len(points)
