"""How a unit's models are put into ranks: the formation value and the rules that fill its places.

A formation lives in the block's own frame: the origin is the centre of the enclosing rectangle, x points to
the block's right, y to its front, in inches. Figures with the common base fill ranks of fixed width; a bigger
figure whose base is a whole multiple covers several places of the front; one that does not fit stands beside
the block. Nothing here knows where the block stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shieldwall.core.state import Base, Profile, Unit
from shieldwall.table.shapes import MM_PER_INCH, Shapes

Floats = npt.NDArray[np.float64]
Rect = tuple[float, float, float, float]

MULTIPLE_SLACK = 0.01  # a 50.4 mm base still covers two 25 mm places
LEFT, RIGHT = -1, -2  # values of `Unit.slot` for figures beside the block


class Figure(NamedTuple):
    """One model's place: its centre in the block's frame, its size, the row it starts in (-1: beside)."""

    x: float
    y: float
    width: float
    depth: float
    row: int
    column: int


class Formation:
    """The derived shape of a block. Frozen by convention: instances are shared between units and states.

    `rows` lists model indexes from the left, a big figure once in each row it covers. `rects` are rectangles
    (x0, y0, x1, y1) whose union is the union of the bases, one to three in all but rare cases; `bases` holds one for
    every single model; `origin` is the front left corner of the ranks. `leaders` are the centres of the front row's
    bases, `reach` the largest distance of any corner from the centre. `forms` are footprints of the models and of the
    outline, made when first needed (`block_forms`).
    """

    __slots__ = (
        "bases",
        "beside",
        "columns",
        "figures",
        "forms",
        "half_depth",
        "half_width",
        "leaders",
        "origin",
        "reach",
        "rects",
        "rows",
    )

    def __init__(
        self, figures: tuple[Figure, ...], rows: tuple[tuple[int, ...], ...], columns: int, common: Base
    ) -> None:
        """Shift `figures`, given about the front left corner of the ranks, to the centre of them all."""
        wide, deep = common.width / MM_PER_INCH, common.depth / MM_PER_INCH
        left = min(figure.x - figure.width / 2 for figure in figures)
        right = max(figure.x + figure.width / 2 for figure in figures)
        front = max(figure.y + figure.depth / 2 for figure in figures)
        rear = min(figure.y - figure.depth / 2 for figure in figures)
        x, y = (left + right) / 2, (front + rear) / 2
        self.origin = (-x, -y)
        self.half_width = (right - left) / 2
        self.half_depth = (front - rear) / 2
        self.figures = tuple(figure._replace(x=figure.x - x, y=figure.y - y) for figure in figures)
        self.rows = rows
        self.columns = columns
        self.forms: tuple[Shapes, Shapes] | None = None
        self.reach = math.hypot(self.half_width, self.half_depth)
        leading = dict.fromkeys(rows[0] if rows else ())
        self.leaders = np.array([self.figures[index][:2] for index in leading]).reshape(-1, 2)
        self.beside = tuple(index for index, figure in enumerate(figures) if figure.row < 0)
        self.bases = np.array([_rect(figure) for figure in self.figures])
        outline = _rank_rects(rows, self.origin, wide, deep)
        self.rects = np.array(outline + [_rect(self.figures[index]) for index in self.beside])


def _rect(figure: Figure) -> Rect:
    """The rectangle of one base in the block's frame."""
    across, along = figure.width / 2, figure.depth / 2
    return figure.x - across, figure.y - along, figure.x + across, figure.y + along


def _rank_rects(
    rows: tuple[tuple[int, ...], ...], origin: tuple[float, float], wide: float, deep: float
) -> list[Rect]:
    """One rectangle for each run of rows of equal length."""
    left, front = origin
    rects: list[Rect] = []
    first = 0
    for row in range(1, len(rows) + 1):
        if row == len(rows) or len(rows[row]) != len(rows[first]):
            rects.append((left, front - row * deep, left + len(rows[first]) * wide, front - first * deep))
            first = row
    return rects


def row_width(size: int, original: int = 0) -> int:
    """Models per row for a unit of `size`; a combined unit passes the size of its parts as `original`."""
    size = original or size
    if size in (1, 2, 4):
        return size
    if size in (3, 6, 9, 12):
        return 3
    return 5


def fits_ranks(base: Base, common: Base, columns: int) -> bool:
    """Whether a base covers whole places of ranks of `common` bases and is no wider than the front."""
    wide, deep = base.width / common.width, base.depth / common.depth
    whole = all(round(times) >= 1 and abs(times - round(times)) <= MULTIPLE_SLACK for times in (wide, deep))
    return whole and round(wide) <= columns


def front_width(unit: Unit) -> int:
    """Places in a full row, fixed before any model joined; never derived from the models that are left."""
    return unit.width or row_width(unit.start_models - (unit.attached >= 0) or len(unit.models))


def rank_profile(unit: Unit, profiles: Sequence[Profile]) -> int:
    """The profile whose base sets the size of a place: the most common among models that did not join; the first on
    a tie.
    """
    members = [model.profile for model in unit.models if model.id != unit.attached]
    members = members or [model.profile for model in unit.models]
    sizes = [(profiles[member].base.width, profiles[member].base.depth) for member in members]
    return members[sizes.index(max(sizes, key=sizes.count))]  # max keeps the first of equals


def common_base(unit: Unit, profiles: tuple[Profile, ...]) -> Base:
    """The base that ranks are built of: the same through all losses, as long as any model fits such ranks."""
    if unit.ranks >= 0:
        ranks, columns = profiles[unit.ranks].base, front_width(unit)
        for model in unit.models:
            is_beside = model.id == unit.attached and unit.slot < 0 and len(unit.models) > 1
            if not is_beside and fits_ranks(profiles[model.profile].base, ranks, columns):
                return ranks
    return profiles[rank_profile(unit, profiles)].base


class _Big(NamedTuple):
    """A figure that covers several places, or that joined: its model, the place it prefers, its size."""

    model: int
    column: int
    wide: int
    deep: int


def form_up(unit: Unit, profiles: tuple[Profile, ...]) -> Formation:
    """Sort the models into troopers, big figures and figures beside, then rank them."""
    columns = front_width(unit)
    common = common_base(unit, profiles)
    bases = [profiles[model.profile].base for model in unit.models]
    troopers: list[int] = []
    big: list[_Big] = []
    beside: list[tuple[int, int]] = []  # model, side
    for index, (model, base) in enumerate(zip(unit.models, bases, strict=True)):
        joined = model.id == unit.attached
        if not fits_ranks(base, common, columns) or (joined and unit.slot < 0 and len(bases) > 1):
            side = unit.slot if joined and unit.slot < 0 else LEFT
            beside.append((index, side))
        elif joined or (base.width, base.depth) != (common.width, common.depth):
            wide, deep = round(base.width / common.width), round(base.depth / common.depth)
            big.append(_Big(index, max(unit.slot, 0) if joined else 0, wide, deep))
        else:
            troopers.append(index)
    rows, spare = _rank(troopers, big, columns)
    beside += [(index, LEFT) for index in spare]
    figures = _place(bases, common, rows, beside)
    return Formation(figures, tuple(tuple(row) for row in rows), columns, common)


def _rank(troopers: list[int], big: list[_Big], columns: int) -> tuple[list[list[int]], list[int]]:
    """Rows of model indexes without gaps, and the big figures for which the front row had no room.

    A big figure moves towards the left only as far as needed to leave no hole in a short row (R35-FORM-08).
    """
    grid: list[list[int]] = []
    spare: list[int] = []
    for figure in sorted(big, key=lambda one: (-one.column, one.model)):
        leftwards = range(min(figure.column, columns - figure.wide), -1, -1)
        tried = [_covered(grid, figure._replace(column=column), columns) for column in leftwards]
        gapless = [one for one in tried if one is not None and _filled(one, troopers, columns) is not None]
        anywhere = [_covered(grid, figure._replace(column=column), columns) for column in range(columns)]
        chosen = next(iter(gapless), None) or next((one for one in anywhere if one is not None), None)
        if chosen is None:
            spare.append(figure.model)
        else:
            grid = chosen
    rows = _filled(grid, troopers, columns)
    if rows is None:
        ranked = [figure for figure in big if figure.model not in spare]
        rows = _filled(_deepest_left(ranked, columns), troopers, columns)
    assert rows is not None, "figures that get less deep to the right leave no hole"
    return rows, spare


def _deepest_left(big: list[_Big], columns: int) -> list[list[int]]:
    """The grid with these figures side by side from the left, the deepest first."""
    grid: list[list[int]] = []
    column = 0
    for figure in sorted(big, key=lambda one: (-one.deep, one.model)):
        grid = _covered(grid, figure._replace(column=column), columns) or grid
        column += figure.wide
    return grid


def _covered(grid: list[list[int]], figure: _Big, columns: int) -> list[list[int]] | None:
    """The grid with a figure added at the front from its column on; None if the places are taken."""
    tried = [list(row) for row in grid] + [[-1] * columns for _ in range(figure.deep - len(grid))]
    for row in tried[: figure.deep]:
        places = range(figure.column, figure.column + figure.wide)
        if places.stop > columns or any(row[place] >= 0 for place in places):
            return None
        row[places.start : places.stop] = [figure.model] * figure.wide
    return tried


def _filled(grid: list[list[int]], troopers: list[int], columns: int) -> list[list[int]] | None:
    """The grid with the troopers filled in row by row from the left; None if a hole would remain."""
    waiting = iter(troopers)
    filled: list[list[int]] = []
    for row in grid:
        line = [model if model >= 0 else next(waiting, -1) for model in row]
        length = sum(model >= 0 for model in line)
        if any(model < 0 for model in line[:length]):
            return None
        filled.append(line[:length])
    rest = list(waiting)
    return filled + [rest[start : start + columns] for start in range(0, len(rest), columns)]


def _place(
    bases: list[Base], common: Base, rows: list[list[int]], beside: list[tuple[int, int]]
) -> tuple[Figure, ...]:
    """Figures about the front left corner of the ranks; those beside touch the front row, flush with it."""
    wide, deep = common.width / MM_PER_INCH, common.depth / MM_PER_INCH
    placed: dict[int, Figure] = {}
    for row, line in enumerate(rows):
        for column, index in enumerate(line):
            if index not in placed:
                across = round(bases[index].width / common.width) * wide
                along = round(bases[index].depth / common.depth) * deep
                placed[index] = Figure(
                    column * wide + across / 2, -row * deep - along / 2, across, along, row, column
                )
    left, right = 0.0, (len(rows[0]) if rows else 0) * wide
    for index, side in beside:
        across, along = bases[index].width / MM_PER_INCH, bases[index].depth / MM_PER_INCH
        if side == RIGHT:
            placed[index] = Figure(right + across / 2, -along / 2, across, along, -1, RIGHT)
            right += across
        else:
            placed[index] = Figure(left - across / 2, -along / 2, across, along, -1, LEFT)
            left -= across
    return tuple(placed[index] for index in range(len(bases)))
