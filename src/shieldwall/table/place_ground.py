"""How much room is left while a place is laid out: distances on a fine grid, in inches.

Only a sieve: it is quick and a little strict. Whether the finished table is sound is for `check_layout` to say.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.geometry.arrays import Floats
from shieldwall.table.organic_outlines import Local, extent

STEP = 0.5  # inches between the spots that are looked at
FAR = 8.0  # distances beyond this are all alike


class OpenGround:
    """The free ground of a table on which some things lie already."""

    def __init__(self, wide: float, deep: float) -> None:
        self.wide, self.deep = wide, deep
        self._xs: Floats = (np.arange(math.ceil(wide / STEP), dtype=np.float64) + 0.5) * STEP
        self._ys: Floats = (np.arange(math.ceil(deep / STEP), dtype=np.float64) + 0.5) * STEP
        size = (len(self._ys), len(self._xs))
        self._free = np.full(size, FAR)
        self._solid = np.full(size, FAR)
        self._roads = np.full(size, FAR)

    def put(self, shape: Local, is_solid: bool = False) -> None:
        """From now on a piece of terrain lies here."""
        self._lower(self._free, shape)
        if is_solid:
            self._lower(self._solid, shape)

    def put_road(self, shape: Local) -> None:
        """From now on a road leads here."""
        self._lower(self._roads, shape)

    def room_at(self, x: float, y: float) -> float:
        """How far a spot is from terrain, roads and the edges of the table; below 0 beyond them."""
        edge = min(x, y, self.wide - x, self.deep - y)
        if edge <= 0.0:
            return edge
        row, column = int(y / STEP), int(x / STEP)
        return min(edge, float(self._free[row, column]), float(self._roads[row, column]))

    def fits(self, shape: Local, gap: float, *, from_roads: float = 0.0, from_solid: float = 0.0) -> bool:
        """Whether a piece here is on the table and keeps these distances."""
        reach = extent(shape)
        if -reach.left < 0 or -reach.near < 0 or reach.right > self.wide or reach.far > self.deep:
            return False
        rows, columns, inside = self._under(shape)
        window = np.ix_(rows, columns)
        corner_rows = [min(len(self._ys) - 1, int(y / STEP)) for _, y in shape]
        corner_columns = [min(len(self._xs) - 1, int(x / STEP)) for x, _ in shape]
        for grid, least in ((self._free, gap), (self._roads, from_roads), (self._solid, from_solid)):
            if least <= 0.0:
                continue
            if inside.any() and float(grid[window][inside].min()) < least:
                return False
            if float(grid[corner_rows, corner_columns].min()) < least:
                return False
        return True

    def spots(self, room: float, from_roads: float = 0.0) -> Floats:
        """The spots of the near half that have this much room about them, as rows of x, y and room."""
        free = np.minimum(self._free, self._roads - from_roads)
        edge_x = np.minimum(self._xs, self.wide - self._xs)
        edge_y = np.minimum(self._ys, self.deep - self._ys)
        free = np.minimum(np.minimum(free, edge_x[None, :]), edge_y[:, None])
        free = free[: len(self._ys) // 2 + 1]
        rows, columns = np.nonzero(free >= room)
        return np.column_stack([self._xs[columns], self._ys[rows], free[rows, columns]])

    def _under(self, shape: Local) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        reach = extent(shape)
        columns = np.flatnonzero((self._xs > -reach.left) & (self._xs < reach.right))
        rows = np.flatnonzero((self._ys > -reach.near) & (self._ys < reach.far))
        return rows, columns, _inside(shape, self._xs[columns], self._ys[rows])

    def _lower(self, grid: Floats, shape: Local) -> None:
        """Note that nothing is farther from this shape than it is."""
        reach = extent(shape)
        columns = np.flatnonzero((self._xs > -reach.left - FAR) & (self._xs < reach.right + FAR))
        rows = np.flatnonzero((self._ys > -reach.near - FAR) & (self._ys < reach.far + FAR))
        if not len(columns) or not len(rows):
            return
        xs, ys = self._xs[columns], self._ys[rows]
        apart = _to_border(shape, xs, ys)
        apart[_inside(shape, xs, ys)] = 0.0
        window = np.ix_(rows, columns)
        grid[window] = np.minimum(grid[window], apart)


def _inside(shape: Local, xs: Floats, ys: Floats) -> np.ndarray:
    """Which spots of a grid lie in an outline."""
    found = np.zeros((len(ys), len(xs)), dtype=bool)
    x0, y0 = shape[-1]
    for x1, y1 in shape:
        if y0 != y1:
            crosses = (y0 > ys) != (y1 > ys)
            at = x0 + (ys - y0) * (x1 - x0) / (y1 - y0)
            found ^= crosses[:, None] & (xs[None, :] < at[:, None])
        x0, y0 = x1, y1
    return found


def _to_border(shape: Local, xs: Floats, ys: Floats) -> Floats:
    """How far the spots of a grid are from the border of an outline."""
    best: Floats = np.full((len(ys), len(xs)), np.inf)
    x0, y0 = shape[-1]
    for x1, y1 in shape:
        dx, dy = x1 - x0, y1 - y0
        along = ((xs[None, :] - x0) * dx + (ys[:, None] - y0) * dy) / (dx * dx + dy * dy or 1.0)
        along = np.clip(along, 0.0, 1.0)
        off_x, off_y = x0 + along * dx - xs[None, :], y0 + along * dy - ys[:, None]
        best = np.minimum(best, off_x * off_x + off_y * off_y)
        x0, y0 = x1, y1
    found: Floats = np.sqrt(best)
    return found
