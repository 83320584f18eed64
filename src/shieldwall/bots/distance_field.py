"""The walking distance to a marker: around impassable terrain, slower through difficult ground.

A coarse grid, computed once for a table, its markers and a class of width, for units that walk on the ground. It
ignores units that are in the way.
"""

from __future__ import annotations

import numpy as np

from shieldwall.bots.simulation.ways import STEP, TIGHT, Grid, is_free, way_round, way_to
from shieldwall.core.state import MILLI, Piece, State, shared_facts
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.grid import spread
from shieldwall.table.terrain import is_dangerous, is_difficult, is_impassable

SLOW, RISKY, BARRED = 2.0, 3.0, 40.0  # the cost of an inch on difficult, dangerous and impassable ground
ROOM = (
    0.6,
    1.8,
    3.0,
)  # inches from its middle that a narrow, a middling and a wide unit needs to either side
WIDTHS = (1.2, 2.4)  # half widths up to which a unit counts as narrow or medium
WAYS_KEPT = 64


def width_class(half_width: float) -> int:
    """Narrow, medium or wide."""
    return sum(half_width > limit for limit in WIDTHS)


class DistanceField:
    """Distances from every point of a grid to every marker, in inches of open ground, for one class of width."""

    __slots__ = ("columns", "grid", "index", "rows")

    def __init__(self, state: State, width: int = 0) -> None:
        self.columns = int(state.width / MILLI / STEP) + 1
        self.rows = int(state.depth / MILLI / STEP) + 1
        cost = self._costs(state.pieces, width)
        self.index = {marker.id: at for at, marker in enumerate(state.markers)}
        far = np.full((len(state.markers), self.rows, self.columns), np.inf)
        for at, marker in enumerate(state.markers):
            far[at, self._row(marker.y / MILLI), self._column(marker.x / MILLI)] = 0.0
        spread(far, cost, STEP)
        self.grid = Grid(far, cost)

    def _row(self, y: float) -> int:
        return min(self.rows - 1, max(0, round(y / STEP)))

    def _column(self, x: float) -> int:
        return min(self.columns - 1, max(0, round(x / STEP)))

    def _costs(self, pieces: tuple[Piece, ...], width: int) -> Floats:
        """The cost of an inch at every point, cached on the terrain."""
        known: dict[object, Floats] = shared_facts(pieces).setdefault("costs of ground", {})
        key = (width, self.columns, self.rows)
        if key not in known:
            known[key] = self._new_costs(pieces, ROOM[width])
        return known[key]

    def _new_costs(self, pieces: tuple[Piece, ...], room: float) -> Floats:
        x, y = np.meshgrid(np.arange(self.columns) * STEP, np.arange(self.rows) * STEP)
        cost = np.ones((self.rows, self.columns))
        for piece in pieces:
            if is_impassable(piece):
                worth = BARRED
            elif is_dangerous(piece, "rush"):
                worth = RISKY
            elif is_difficult(piece):
                worth = SLOW
            else:
                continue
            inside = _inside(piece, x, y)
            cost[inside] = np.maximum(cost[inside], worth)
            if worth == BARRED:
                near = _near(piece, x, y, room)
                cost[near] = np.maximum(cost[near], TIGHT)
        return cost

    def distance(self, marker: int, x: float, y: float) -> float:
        """Inches of open ground from a point to a marker, interpolated from the four nearest points of the grid."""
        return way_to(self.grid, self.index[marker], x, y)

    def is_free(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Whether a unit of this width can go straight from one point to another."""
        return is_free(self.grid, x, y, to_x, to_y)

    def towards(self, marker: int, x: float, y: float, length: float) -> tuple[float, float] | None:
        """The best point at this distance on the way round obstacles to a marker; None if the straight line will do."""
        found, to_x, to_y = way_round(self.grid, self.index[marker], x, y, length)
        return (to_x, to_y) if found else None


def _near(piece: Piece, x: Floats, y: Floats, room: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which points of a grid lie within `room` of the outline of a piece."""
    near = np.zeros(x.shape, dtype=np.bool_)
    points = [(px / MILLI, py / MILLI) for px, py in piece.outline]
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        along = np.clip(((x - ax) * dx + (y - ay) * dy) / length, 0.0, 1.0) if length else np.zeros(x.shape)
        near |= np.hypot(x - ax - along * dx, y - ay - along * dy) < room
    return near


def _inside(piece: Piece, x: Floats, y: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which points of a grid lie in a piece."""
    inside = np.zeros(x.shape, dtype=np.bool_)
    points = [(px / MILLI, py / MILLI) for px, py in piece.outline]
    for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def ways_of(state: State, half_width: float = 0.0) -> DistanceField:
    """The distance field of a table for units of this width, cached while terrain and markers stay the same."""
    width = width_class(half_width)
    spots = tuple([(marker.id, marker.x, marker.y) for marker in state.markers])
    fields: dict[object, DistanceField] = shared_facts(state.pieces).setdefault("distance fields", {})
    key = (spots, width, state.width, state.depth)
    known = fields.get(key)
    if known is None:
        if len(fields) >= WAYS_KEPT:
            fields.clear()
        known = fields[key] = DistanceField(state, width)
    return known
