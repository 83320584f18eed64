"""How much room is left while a table is laid out: distances on a fine grid, in inches.

This is only a quick filter, and a little strict. `check_layout` judges the finished table.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right

import numpy as np

from shieldwall.geometry.arrays import Floats
from shieldwall.table.organic_outlines import Local, extent

STEP = 0.5  # inches between grid spots
FAR = 8.0  # distances beyond this are not told apart


class OpenGround:
    """The free ground of a table with some pieces already on it."""

    def __init__(self, wide: float, deep: float) -> None:
        self.wide, self.deep = wide, deep
        self._xs: Floats = (np.arange(math.ceil(wide / STEP), dtype=np.float64) + 0.5) * STEP
        self._ys: Floats = (np.arange(math.ceil(deep / STEP), dtype=np.float64) + 0.5) * STEP
        self._columns, self._rows = self._xs.tolist(), self._ys.tolist()
        size = (len(self._ys), len(self._xs))
        self._free = np.full(size, FAR)
        self._solid = np.full(size, FAR)
        self._roads = np.full(size, FAR)

    def put(self, shape: Local, is_solid: bool = False) -> None:
        """Add a piece of terrain."""
        self._lower((self._free, self._solid) if is_solid else (self._free,), shape)

    def put_road(self, shape: Local) -> None:
        """Add a road."""
        self._lower((self._roads,), shape)

    def room_at(self, x: float, y: float) -> float:
        """How far a spot is from terrain, roads and the edges of the table; below 0 beyond them."""
        edge = min(x, y, self.wide - x, self.deep - y)
        if edge <= 0.0:
            return edge
        row, column = int(y / STEP), int(x / STEP)
        return min(edge, float(self._free[row, column]), float(self._roads[row, column]))

    def fits(self, shape: Local, gap: float, *, from_roads: float = 0.0, from_solid: float = 0.0) -> bool:
        """Whether a piece at this place is on the table and keeps these distances."""
        reach = extent(shape)
        if -reach.left < 0 or -reach.near < 0 or reach.right > self.wide or reach.far > self.deep:
            return False
        last_row, last_column = len(self._ys) - 1, len(self._xs) - 1
        corners = [(min(last_row, int(y / STEP)), min(last_column, int(x / STEP))) for x, y in shape]
        wanted = ((self._free, gap), (self._roads, from_roads), (self._solid, from_solid))
        asked = [(grid, least) for grid, least in wanted if least > 0.0]
        for grid, least in asked:  # the corners, which are few, rule out most pieces that do not fit
            if any(grid[corner] < least for corner in corners):
                return False
        rows, columns, inside = self._under(shape)
        return not any((inside & (grid[rows, columns] < least)).any() for grid, least in asked)

    def spots(self, room: float, from_roads: float = 0.0) -> Floats:
        """The spots of the near half with this much room around them, as rows of x, y and room."""
        free = np.minimum(self._free, self._roads - from_roads)
        edge_x = np.minimum(self._xs, self.wide - self._xs)
        edge_y = np.minimum(self._ys, self.deep - self._ys)
        free = np.minimum(np.minimum(free, edge_x[None, :]), edge_y[:, None])
        free = free[: len(self._ys) // 2 + 1]
        rows, columns = np.nonzero(free >= room)
        return np.column_stack([self._xs[columns], self._ys[rows], free[rows, columns]])

    def _under(self, shape: Local) -> tuple[slice, slice, np.ndarray]:
        rows, columns = self._window(shape, 0.0)
        return rows, columns, _inside(shape, self._xs[columns], self._ys[rows])

    def _window(self, shape: Local, about: float) -> tuple[slice, slice]:
        """The rows and columns of the grid that are closer than this to a shape's box."""
        reach = extent(shape)
        left, right = (
            bisect_right(self._columns, -reach.left - about),
            bisect_left(self._columns, reach.right + about),
        )
        near, far = bisect_right(self._rows, -reach.near - about), bisect_left(self._rows, reach.far + about)
        return slice(near, far), slice(left, right)

    def _lower(self, grids: tuple[Floats, ...], shape: Local) -> None:
        """Lower the distances of these grids to the distance from this shape."""
        rows, columns = self._window(shape, FAR)
        xs, ys = self._xs[columns], self._ys[rows]
        if not len(xs) or not len(ys):
            return
        apart = _to_border(shape, xs, ys)
        apart[_inside(shape, xs, ys)] = 0.0
        for grid in grids:
            window = grid[rows, columns]
            np.minimum(window, apart, out=window)


def _inside(shape: Local, xs: Floats, ys: Floats) -> np.ndarray:
    """Which spots of a grid lie in an outline."""
    starts, ends = np.array([shape[-1:] + shape[:-1], shape])
    sloping = starts[:, 1] != ends[:, 1]
    (x0, y0), (x1, y1) = starts[sloping].T[:, :, None], ends[sloping].T[:, :, None]
    crosses = (y0 > ys) != (y1 > ys)
    at = x0 + (ys - y0) * (x1 - x0) / (y1 - y0)
    found: np.ndarray = np.logical_xor.reduce(crosses[:, :, None] & (xs < at[:, :, None]), axis=0)
    return found


def _to_border(shape: Local, xs: Floats, ys: Floats) -> Floats:
    """How far the spots of a grid are from the border of an outline."""
    across, along_y = xs[None, :], ys[:, None]
    best: Floats = np.full((len(ys), len(xs)), np.inf)
    share, off_x, off_y = (np.empty_like(best) for _ in range(3))
    x0, y0 = shape[-1]
    for x1, y1 in shape:
        dx, dy = x1 - x0, y1 - y0
        np.add(
            (across - x0) * dx, (along_y - y0) * dy, out=share
        )  # of the edge, where a spot is nearest to it
        share /= dx * dx + dy * dy or 1.0
        np.minimum(np.maximum(share, 0.0, out=share), 1.0, out=share)
        np.multiply(share, dx, out=off_x)
        off_x += x0
        off_x -= across
        off_x *= off_x
        np.multiply(share, dy, out=off_y)
        off_y += y0
        off_y -= along_y
        off_y *= off_y
        off_x += off_y
        np.minimum(best, off_x, out=best)
        x0, y0 = x1, y1
    return np.sqrt(best, out=best)
