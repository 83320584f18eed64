"""Random tables that are exactly fair and follow the book's advice.

Every piece has a partner: the same piece after a half turn about the middle of the table. An odd piece lies in the
middle and is its own partner. The kind of each pair is drawn first, then sizes, outlines and angles; then the boxes
around the pieces are pushed apart. Pairs that must close the lines of sight from edge to edge stay in a slot across
the table while they are pushed, and solid pieces keep away from the table's edges.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import Piece
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.zones import (
    BOX_COLUMNS,
    BOX_X,
    BOX_Y,
    COS,
    FIXED,
    HALF_D,
    HALF_W,
    HIGH_X,
    HIGH_Y,
    LOW_X,
    LOW_Y,
    SIN,
    SOLID,
    push_apart,
)
from shieldwall.table.layout import LayoutAdvice, check_layout
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.organic_outlines import Extent, Local, block_shape, extent, grown_shape, turned
from shieldwall.table.outlines import Outline, half_turn, thousandths
from shieldwall.table.terrain import preset
from shieldwall.table.terrain_plan import BUILT, Order, Recipe, Sketch, can_cover, make_recipe, sized

ATTEMPTS = 24
SPREADS = 4  # attempts to lay out the same pieces
SWEEPS = 250
GAP = 0.4  # inches kept between any two pieces
PUSH_SLACK = 0.05
EDGE = 0.05
LOOSELY_PACKED = 0.75  # the largest share of the table that boxes may cover and still be pushed apart
STRIP_FREE = 6.0  # inches from the table's edge in which no solid piece lies
SPOTS_TRIED = 6
PLAY = 0.3  # inches that every piece can move in its slot


class Lot(Struct):
    """One pair (or the middle piece) on its way to the table; lengths in inches."""

    sketch: Sketch
    shape: Local
    reach: Extent
    size: tuple[float, float]
    cos: float
    sin: float
    low_x: float = 0.0
    high_x: float = 0.0


def generate_table(
    width: int,
    depth: int,
    advice: LayoutAdvice,
    numbers: TableNumbers,
    *,
    count: int = 0,
    players: int = 2,
    large_units: bool = False,
    axis: str = "y",
) -> tuple[Piece, ...]:
    """Terrain for a table of this size in thousandths of an inch; the same numbers give the same table.

    It follows all of the advice if one of a few attempts does; otherwise it is the attempt with the fewest hints.
    `count` asks for a number of pieces other than the book's usual one. Solid pieces always leave room for
    large units; `large_units` asks for such gaps between all pieces if the book does and there is space.
    `axis` is the axis along which the armies face each other.
    """
    if axis == "x":
        sideways = generate_table(
            depth, width, advice, numbers, count=count, players=players, large_units=large_units
        )
        return _transposed(sideways)
    order = Order(width, depth, advice, count or advice.generate, players, large_units)
    best: tuple[int, tuple[Piece, ...]] | None = None
    for attempt in range(ATTEMPTS):
        recipe = make_recipe(order, numbers)
        pieces = _laid_out(order, recipe, numbers, attempt)
        if pieces is None:
            continue
        faults = _faults(order, recipe, pieces)
        if best is None or faults < best[0]:
            best = faults, pieces
        if faults == 0:
            break
    if best is None:
        raise ValueError(
            f"there is no room for the recommended terrain on {order.wide:g} by {order.deep:g} inches"
        )
    return best[1]


def _faults(order: Order, recipe: Recipe, pieces: tuple[Piece, ...]) -> int:
    """How many hints the table gets, not counting those that no table with so many pieces could avoid."""
    advice = order.advice
    report = check_layout(order.width, order.depth, pieces, advice, order.players, large_units=True)
    idle = {"terrain.count.least", "terrain.count.standard", "terrain.count.advised"}
    if advice.gap_large_between == "all" and not _keeps_wide_gaps(order, recipe):
        idle.add("terrain.room")
    if not can_cover(order):
        idle.add("terrain.coverage")
    return sum(cite not in idle for cite in report.cites())


def _laid_out(order: Order, recipe: Recipe, numbers: TableNumbers, attempt: int) -> tuple[Piece, ...] | None:
    """The recipe laid out on the table, or None if its pieces close no lines or find no room."""
    lots = _lots(recipe, numbers, attempt)
    if not _assign_slots(lots, order, numbers):
        return None
    gap = order.advice.gap_large if _keeps_wide_gaps(order, recipe) else GAP
    solid_gap = max(gap, order.advice.gap_large)
    if not _has_room(lots, order, gap):
        return None
    boxes = _boxes(lots, order)
    for _ in range(SPREADS):
        _spread(boxes, lots, order, numbers)
        lack = push_apart(
            boxes, order.wide, order.deep, gap + PUSH_SLACK, solid_gap + PUSH_SLACK, SWEEPS, PUSH_SLACK
        )
        if lack <= PUSH_SLACK:
            return _pieces(lots, boxes, order)
    return None


def _has_room(lots: list[Lot], order: Order, gap: float) -> bool:
    """Whether the pieces, each with half a gap around it, fit the area of the table with half a gap around it."""
    corners = (4 - math.pi) / 4 * gap * gap  # half a gap is rounded at corners
    taken = sum(
        ((w + gap) * (d + gap) - corners) * (1 if lot.sketch.is_middle else 2)
        for lot in lots
        for w, d in [lot.size]
    )
    return taken <= (order.wide + gap) * (order.deep + gap)


def _keeps_wide_gaps(order: Order, recipe: Recipe) -> bool:
    """Whether all pieces keep the gap of large units; where most of the table is terrain they cannot."""
    gap = order.advice.gap_large
    if not order.large_units or order.advice.gap_large_between != "all":
        return False
    sizes, _ = sized(recipe)
    taken = sum(
        (w + gap) * (d + gap) * (1 if sketch.is_middle else 2)
        for sketch, (w, d) in zip(recipe.sketches, sizes, strict=True)
    )
    return taken < LOOSELY_PACKED * recipe.table_area


# --- from a recipe to outlines --------------------------------------------------------------------------


def _lots(recipe: Recipe, numbers: TableNumbers, attempt: int) -> list[Lot]:
    """Give every sketch its size, outline and angle; crowded tables and later attempts turn pieces less."""
    sizes, fill = sized(recipe)
    crowd = sum(w * d * (1 if s.is_middle else 2) for s, (w, d) in zip(recipe.sketches, sizes, strict=True))
    share = crowd / recipe.table_area
    most = (45.0 if share < 0.35 else 14.0) * 0.8**attempt
    lots = []
    for sketch, (w, d) in zip(recipe.sketches, sizes, strict=True):
        if sketch.kind in BUILT:
            shape = block_shape(w, d)
        else:
            shape = grown_shape(numbers, w, d, fill, sketch.is_middle)
        angle = math.radians(numbers.between(-most, most) + 90 * numbers.below(2))
        cos, sin = math.cos(angle), math.sin(angle)
        shape = turned(shape, cos, sin)
        lots.append(Lot(sketch, shape, extent(shape), (w, d), cos, sin))
    return lots


def _assign_slots(lots: list[Lot], order: Order, numbers: TableNumbers) -> bool:
    """Give pieces that block sight a part of the columns between one side of the table and its middle.

    Whole inches 1, 2, 3... are the columns; a piece covers those strictly between its ends. False if the pieces
    together are too narrow.
    """
    wide = order.wide
    columns = math.floor(wide / 2) if order.advice.closed_lines else 0
    screens = []
    for lot in lots:
        lot.low_x, lot.high_x = lot.reach.left + EDGE, wide - lot.reach.right - EDGE
        if lot.sketch.blocks and lot.sketch.is_middle:
            columns = min(columns, math.floor(wide / 2 - lot.reach.left + 0.01))
        elif lot.sketch.blocks:
            screens.append(lot)
    numbers.shuffle(screens)
    capacity = [math.ceil(lot.reach.left + lot.reach.right - PLAY) for lot in screens]
    used = 0
    while used < len(screens) and sum(capacity[:used]) < columns:
        used += 1
    spare = sum(capacity[:used]) - columns
    if spare < 0:
        return False
    done = 0
    for lot, room in zip(screens[:used], capacity[:used], strict=True):
        first, last = done + 1, min(done + room, columns)
        lot.low_x = max(lot.low_x, last - lot.reach.right + 0.02)
        lot.high_x = min(lot.high_x, first + lot.reach.left - 0.02)
        done = last
    return all(lot.low_x <= lot.high_x for lot in lots)


# --- from outlines to positions --------------------------------------------------------------------------


def _boxes(lots: list[Lot], order: Order) -> Floats:
    deep = order.deep
    boxes = np.zeros((len(lots), BOX_COLUMNS))
    free = max(EDGE, min(STRIP_FREE, (deep - 20.0) / 4))
    for row, lot in zip(boxes, lots, strict=True):
        edge = free if lot.sketch.is_solid else EDGE
        row[HALF_W], row[HALF_D] = lot.size[0] / 2, lot.size[1] / 2
        row[COS], row[SIN] = lot.cos, lot.sin
        row[LOW_X], row[HIGH_X] = lot.low_x, lot.high_x
        row[LOW_Y], row[HIGH_Y] = lot.reach.near + edge, deep - lot.reach.far - edge
        row[SOLID] = lot.sketch.is_solid
        row[FIXED] = lot.sketch.is_middle
        if lot.sketch.is_middle:
            row[BOX_X], row[BOX_Y] = order.wide / 2, deep / 2
    return boxes


def _spread(boxes: Floats, lots: list[Lot], order: Order, numbers: TableNumbers) -> None:
    """Put every pair at the spot, out of a few, that is farthest from the pieces placed so far."""
    wide, deep = order.wide, order.deep
    taken: list[tuple[float, float, float, bool]] = []
    for row, lot in zip(boxes, lots, strict=True):
        radius = max(lot.size) / 2
        if not lot.sketch.is_middle:
            best = (-math.inf, 0.0, 0.0)
            for _ in range(SPOTS_TRIED):
                x = numbers.between(float(row[LOW_X]), float(row[HIGH_X]))
                y = numbers.between(float(row[LOW_Y]), float(row[HIGH_Y]))
                room = math.hypot(wide - 2 * x, deep - 2 * y) - 2 * radius
                for other_x, other_y, other, solid in taken:
                    apart = math.hypot(x - other_x, y - other_y) - radius - other
                    room = min(room, apart - 5.0 if solid and lot.sketch.is_solid else apart)
                best = max(best, (room, x, y))
            row[BOX_X], row[BOX_Y] = best[1], best[2]
            taken.append((wide - best[1], deep - best[2], radius, lot.sketch.is_solid))
        taken.append((float(row[BOX_X]), float(row[BOX_Y]), radius, lot.sketch.is_solid))


# --- from positions to pieces ----------------------------------------------------------------------------


def _pieces(lots: list[Lot], boxes: Floats, order: Order) -> tuple[Piece, ...]:
    """Number the pieces pair by pair, the middle one last."""
    width, depth = order.width, order.depth
    made: list[Piece] = []
    for lot, row in sorted(zip(lots, boxes, strict=True), key=lambda pair: pair[0].sketch.is_middle):
        outline = _outline(lot, float(row[BOX_X]), float(row[BOX_Y]), width, depth)
        first = _piece(len(made) + 1, lot.sketch, outline)
        made.append(first)
        if not lot.sketch.is_middle:
            made.append(_piece(len(made) + 1, lot.sketch, half_turn(outline, width, depth)))
    return tuple(made)


def _outline(lot: Lot, x: float, y: float, width: int, depth: int) -> Outline:
    outline = tuple((thousandths(x + dx), thousandths(y + dy)) for dx, dy in lot.shape)
    if lot.sketch.is_middle:  # rounding must not break the symmetry
        half = outline[: len(outline) // 2]
        return half + half_turn(half, width, depth)
    return outline


def _piece(id: int, sketch: Sketch, outline: Outline) -> Piece:
    usual = preset(sketch.kind, height=sketch.height)
    return Piece(
        id=id,
        name=sketch.kind.capitalize(),
        kind=sketch.kind,
        outline=outline,
        height=thousandths(usual.height),
        types=usual.types,
        conditions=usual.conditions,
    )


def _transposed(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The same table with its sides exchanged, corners still counter-clockwise."""
    return tuple(replace(old, outline=tuple((y, x) for x, y in reversed(old.outline))) for old in pieces)
