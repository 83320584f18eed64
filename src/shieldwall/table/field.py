"""The table as flat arrays: footprints of every unit and outlines of every piece, made once and shared.

States in which everybody stands alike share one field, and one that differs from an earlier state in one unit costs
one unit. A `Field` holds only what stands on the table: units that wait, ride inside others or are gone are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shieldwall.core.state import (
    MILLI,
    Piece,
    Profile,
    State,
    Unit,
    is_same_block,
    shared_facts,
    stand_of,
    stands_alike,
)
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import COLUMNS, FIRST, put_block, put_unit, splice
from shieldwall.table.footprints import block_forms, figure_poses, unit_outline, unit_shapes
from shieldwall.table.shapes import Shapes, polygon_of

__all__ = ["figure_poses", "unit_outline", "unit_shapes"]  # re-exported: who needs the field needs them, too


class Field:
    """All footprints of one state. Frozen by convention.

    Row r of every array about units belongs to `units[r]`, a version of the unit that stands as the state's. Its
    outline are footprints `outline_bounds[r, 0]` up to `outline_bounds[r, 1]` of `outline`; `circles[r]` holds the
    whole unit. `models` are likewise the bases of all models, in the order of `Unit.models`; they are put together
    only when somebody asks. Piece q has vertices `piece_start[q]` up to `piece_start[q + 1]` of `piece_points`,
    counter-clockwise. `model_spans` and `outline_spans` are the bounds as plain numbers. `memory` is for what others
    derive from the same footprints.
    """

    __slots__ = (
        "_models",
        "circles",
        "depth",
        "memory",
        "outline",
        "outline_bounds",
        "outline_spans",
        "piece_circles",
        "piece_points",
        "piece_start",
        "pieces",
        "profiles",
        "row_of",
        "sides",
        "source",
        "unit_ids",
        "units",
        "width",
    )

    source: tuple[Unit, ...]  # the units of the state, also those that are not on the table
    profiles: tuple[Profile, ...]
    units: tuple[Unit, ...]
    pieces: tuple[Piece, ...]
    unit_ids: tuple[int, ...]
    row_of: dict[int, int]
    sides: Ints
    outline: Shapes
    outline_bounds: Ints
    outline_spans: list[list[int]]
    circles: Floats
    piece_points: Floats
    piece_start: Ints
    piece_circles: Floats
    width: float
    depth: float
    memory: dict[Any, Any]  # whoever writes an entry knows its type
    _models: tuple[Shapes, Ints, list[list[int]]] | None

    @property
    def models(self) -> Shapes:
        """The bases of all models."""
        return self._bases()[0]

    @property
    def model_bounds(self) -> Ints:
        """From where to where each unit's bases lie in `models`."""
        return self._bases()[1]

    @property
    def model_spans(self) -> list[list[int]]:
        """The same as plain numbers."""
        return self._bases()[2]

    def _bases(self) -> tuple[Shapes, Ints, list[list[int]]]:
        if self._models is None:
            if any(unit.block is not None for unit in self.units):
                models, bounds = joined([unit_shapes(unit, self.profiles) for unit in self.units])
                self._models = (models, bounds, bounds.tolist())
            else:  # where no unit is a block, the bases are the outlines
                self._models = (self.outline, self.outline_bounds, self.outline_spans)
        return self._models

    def standing_as(self, source: tuple[Unit, ...]) -> Field:
        """The field of other versions of the same units that stand where these do."""
        field = Field()
        field.source, field.units, field.profiles = source, self.units, self.profiles
        field.unit_ids, field.row_of, field.sides = self.unit_ids, self.row_of, self.sides
        field.outline, field.circles = self.outline, self.circles
        field.outline_bounds, field.outline_spans = self.outline_bounds, self.outline_spans
        field.pieces, field.piece_points = self.pieces, self.piece_points
        field.piece_start, field.piece_circles = self.piece_start, self.piece_circles
        field.width, field.depth = self.width, self.depth
        field.memory, field._models = self.memory, self._models
        return field


_recent: list[Field] = []  # fields of the last states that were asked for, the newest first
RECENT_KEPT = 4
NOTHING = Shapes(np.zeros((0, 2)), np.zeros((0, COLUMNS)))
MANY = 6  # units that stand otherwise, from which on a field from nothing is cheaper


def field_of(state: State) -> Field:
    """The field of a state, remembered by its stand; made from that of an earlier one where little changed."""
    stand = stand_of(state)
    known: Field | None = stand.facts
    if known is None:
        known = stand.facts = _find_or_make(state, stand.earlier, stand.changed)
        stand.earlier = None
        _recent.insert(0, known)
        del _recent[RECENT_KEPT:]
    return known


def _find_or_make(state: State, earlier: Field | None, changed: Sequence[int]) -> Field:
    if earlier is None:  # the state comes from nowhere; perhaps it is like one that was looked at
        earlier, changed = _like(state)
        if earlier is not None and earlier.source is state.units:
            return earlier
    if earlier is not None and len(changed) <= MANY:
        return _derived(earlier, state, changed)
    return _made(state)


def _like(state: State) -> tuple[Field | None, list[int]]:
    """A field of the same game, if there is any, and the units that stand otherwise there."""
    alike = [field for field in _recent if _is_same_game(field, state)]
    for field in alike:
        if field.source is state.units:
            return field, []
    if not alike:
        return None, []
    pairs = enumerate(zip(alike[0].source, state.units, strict=True))
    return alike[0], [number for number, (then, now) in pairs if not stands_alike(then, now)]


def _is_same_game(field: Field, state: State) -> bool:
    if field.pieces is not state.pieces or field.profiles is not state.profiles:
        return False
    return [(unit.id, unit.side) for unit in field.source] == [(unit.id, unit.side) for unit in state.units]


def _made(state: State) -> Field:
    """A field from nothing."""
    field = Field()
    field.source, field.profiles, field.pieces = state.units, state.profiles, state.pieces
    units = field.units = tuple([unit for unit in state.units if _is_standing(unit)])
    field.unit_ids = tuple([unit.id for unit in units])
    field.row_of = {unit.id: row for row, unit in enumerate(units)}
    field.sides = np.array([unit.side for unit in units], dtype=np.int64)
    outlines = [unit_outline(unit, state.profiles) for unit in units]
    field.outline, field.outline_bounds = joined(outlines)
    field.outline_spans = field.outline_bounds.tolist()
    field.circles = np.array([part.surround for part in outlines]).reshape(-1, 3)
    field.piece_points, field.piece_start, field.piece_circles = _joined_pieces(state.pieces)
    field.width, field.depth = state.width / MILLI, state.depth / MILLI
    field.memory, field._models = {}, None
    return field


def _is_standing(unit: Unit) -> bool:
    return unit.place == "table" and len(unit.models) > 0


def _derived(old: Field, state: State, changed: Sequence[int]) -> Field:
    """The field of a state in which some units stand otherwise than in `old`, by their numbers in the state."""
    field = old.standing_as(state.units)
    moved: list[Unit] = []
    for number in changed:
        unit = state.units[number]
        row = field.row_of.get(unit.id, -1)
        if row >= 0 and _is_standing(unit):
            moved.append(unit)
        elif row >= 0:
            _exchange(field, row, 1, ())
        elif _is_standing(unit):
            _exchange(field, sum([other.id in field.row_of for other in state.units[:number]]), 0, (unit,))
    if moved:
        _put_down(field, moved)
    return field


def _exchange(field: Field, row: int, leave: int, come: tuple[Unit, ...]) -> None:
    """Let a unit leave, or come into, a field whose arrays are still another one's."""
    parts = [unit_outline(unit, field.profiles) for unit in come]
    spans = field.outline_spans
    first = spans[row][0] if row < len(spans) else len(field.outline.rows)
    stop = spans[row][1] if leave else first
    part = parts[0] if parts else NOTHING
    field.memory, field._models = {}, None
    field.outline = _spliced(field.outline, first, stop, part)
    after = row + leave
    field.units = (*field.units[:row], *come, *field.units[after:])
    field.unit_ids = tuple([unit.id for unit in field.units])
    field.row_of = {unit_id: place for place, unit_id in enumerate(field.unit_ids)}
    field.sides = np.array([unit.side for unit in field.units], dtype=np.int64)
    grown = len(part) - (stop - first)
    there = [[first, first + len(part)]] if come else []
    later = [[start + grown, end + grown] for start, end in spans[after:]]
    field.outline_spans = [*spans[:row], *there, *later]
    field.outline_bounds = np.array(field.outline_spans, dtype=np.int64).reshape(-1, 2)
    circles = np.empty((len(field.units), 3))
    circles[:row], circles[row + len(come) :] = field.circles[:row], field.circles[after:]
    if come:
        circles[row] = part.surround
    field.circles = circles


def _spliced(shapes: Shapes, first: int, stop: int, part: Shapes) -> Shapes:
    """A set whose footprints first..stop are replaced by another set's, which may be more or fewer."""
    points, rows = shapes.points, shapes.rows
    start = int(rows[first, FIRST]) if first < len(rows) else len(points)
    end = int(rows[stop, FIRST]) if stop < len(rows) else len(points)
    new_points = np.empty((len(points) + len(part.points) - (end - start), 2))
    new_rows = np.empty((len(rows) + len(part.rows) - (stop - first), COLUMNS))
    splice(points, rows, first, stop, part.points, part.rows, new_points, new_rows)
    return Shapes(new_points, new_rows)


def _put_down(field: Field, moved: list[Unit]) -> None:
    """Put new footprints of some units into a field whose arrays are still another one's."""
    field.memory, field._models = {}, None
    field.outline = Shapes(field.outline.points.copy(), field.outline.rows.copy())
    field.circles = field.circles.copy()
    units = list(field.units)
    for unit in moved:
        row = field.row_of[unit.id]
        was, units[row] = units[row], unit
        if unit.block is not None and was.block is not None and is_same_block(was, unit):
            first, pose = field.outline_spans[row][0], unit.block
            form = block_forms(unit, field.profiles)[1]
            put_block(
                field.outline.points, field.outline.rows, field.circles, row, first, form.points, form.rows,
                pose.x / MILLI, pose.y / MILLI, float(pose.heading), pose.z / MILLI,
            )  # fmt: skip
        else:
            _put_anew(field, row, unit_outline(unit, field.profiles))
    field.units = tuple(units)


def _put_anew(field: Field, row: int, part: Shapes) -> None:
    """Put new footprints of a unit, perhaps more or fewer than it had, into a field's own arrays."""
    first, stop = field.outline_spans[row]
    points, rows = field.outline.points, field.outline.rows
    after = int(rows[stop, FIRST]) if stop < len(rows) else len(points)
    if len(part) == stop - first and len(part.points) == after - int(rows[first, FIRST]):
        put_unit(points, rows, field.circles, row, first, part.points, part.rows)
        return
    field.outline = _spliced(field.outline, first, stop, part)
    field.circles[row] = part.surround
    if len(part) != stop - first:
        field.outline_bounds = _moved(field.outline_bounds, row, len(part) - (stop - first))
        field.outline_spans = field.outline_bounds.tolist()


def _moved(bounds: Ints, row: int, grown: int) -> Ints:
    """Bounds after unit `row` got `grown` more footprints."""
    moved = bounds.copy()
    moved[row, 1] += grown
    moved[row + 1 :] += grown
    return moved


def joined(parts: Sequence[Shapes]) -> tuple[Shapes, Ints]:
    """One set made of many, and from where to where each part lies in it."""
    bounds = np.zeros((len(parts), 2), dtype=np.int64)
    if not parts:
        return Shapes(np.zeros((0, 2)), np.zeros((0, COLUMNS))), bounds
    rows = np.concatenate([part.rows for part in parts])
    row = point = 0
    for number, part in enumerate(parts):
        stop = row + len(part.rows)
        bounds[number] = row, stop
        rows[row:stop, FIRST] += point
        row, point = stop, point + len(part.points)
    return Shapes(np.concatenate([part.points for part in parts]), rows), bounds


def _joined_pieces(pieces: tuple[Piece, ...]) -> tuple[Floats, Ints, Floats]:
    """All outlines one behind the other, where each starts, and a circle round each; made once for a table."""
    facts = shared_facts(pieces)
    known: tuple[Floats, Ints, Floats] | None = facts.get("outlines")
    if known is None:
        known = facts["outlines"] = _join_pieces(pieces)
    return known


def _join_pieces(pieces: tuple[Piece, ...]) -> tuple[Floats, Ints, Floats]:
    polygons = [polygon_of(piece) for piece in pieces]
    points = np.concatenate(polygons) if polygons else np.zeros((0, 2))
    start = np.cumsum([0] + [len(polygon) for polygon in polygons]).astype(np.int64)
    circles = np.zeros((len(polygons), 3))
    for circle, polygon in zip(circles, polygons, strict=True):
        circle[:2] = (polygon.min(axis=0) + polygon.max(axis=0)) / 2
        circle[2] = np.sqrt(np.max(np.sum((polygon - circle[:2]) ** 2, axis=1)))
    return points, start, circles
