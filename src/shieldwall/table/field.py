"""The table as flat arrays: footprints of every unit and outlines of every piece, made once and shared.

Units remember their own footprints, and a state that differs from the last one in one unit costs one unit. A
`Field` holds only what stands on the table: units that wait, ride inside others or are gone are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shieldwall.core.state import MILLI, Piece, Pose, Profile, State, Unit, state_memory
from shieldwall.table.formations import figure_poses as block_figure_poses
from shieldwall.table.formations import formation_of
from shieldwall.table.kernels import COLUMNS, FIRST, Floats, Ints
from shieldwall.table.kernels_field import put_unit, splice
from shieldwall.table.ranks import front_width
from shieldwall.table.shapes import Shapes, form_of, placed, placed_together, polygon_of, rect_form

FORMS_KEPT = 4096


def figure_poses(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Pose, ...]:
    """Where each model stands, in the order of `unit.models`, rounded to the grid."""
    return unit.poses if unit.block is None else block_figure_poses(unit, profiles)


def unit_shapes(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """One footprint for each model; remembered by the unit."""
    known: Shapes | None = unit.__dict__.get("shapes")
    if known is None:
        if unit.block is None:
            known = placed(_loose_form(unit, profiles), unit.poses)
        else:
            known = _placed_block(_block_forms(unit, profiles)[0], unit.block)
        unit.__dict__["shapes"] = known
    return known


def unit_outline(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """The fewest footprints that cover exactly the union of the bases: 1 to 3 rectangles for a block.

    Loose units have no outline of their own: it is their bases.
    """
    if unit.block is None:
        return unit_shapes(unit, profiles)
    known: Shapes | None = unit.__dict__.get("outline")
    if known is None:
        known = _placed_block(_block_forms(unit, profiles)[1], unit.block)
        unit.__dict__["outline"] = known
    return known


# Footprints about the origin by what decides them. Every entry also holds its `profiles`, so that no other
# tuple can get the same id while the entry lives.
_loose_known: dict[tuple[int, tuple[int, ...]], tuple[object, Shapes]] = {}
_block_known: dict[tuple[int, tuple[int, ...], int, int, int], tuple[object, tuple[Shapes, Shapes]]] = {}


def _loose_form(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    key = (id(profiles), tuple([model.profile for model in unit.models]))
    known = _loose_known.get(key)
    if known is None:
        if len(_loose_known) >= FORMS_KEPT:
            _loose_known.clear()
        kinds = [profiles[index] for index in key[1]]
        form = form_of([kind.base for kind in kinds], [kind.height / MILLI for kind in kinds])
        known = _loose_known[key] = (profiles, form)
    return known[1]


def _block_forms(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Shapes, Shapes]:
    """The models and the outline of a block about the centre of its rectangle."""
    attached = -1
    if unit.attached >= 0:
        attached = next((place for place, model in enumerate(unit.models) if model.id == unit.attached), -1)
    kinds = tuple([model.profile for model in unit.models])
    key = (id(profiles), kinds, attached, unit.slot, front_width(unit))
    known = _block_known.get(key)
    if known is None:
        if len(_block_known) >= FORMS_KEPT:
            _block_known.clear()
        formation = formation_of(unit, profiles)
        heights = [profiles[kind].height / MILLI for kind in kinds]
        outline = rect_form(formation.rects, [max(heights)] * len(formation.rects))
        known = _block_known[key] = (profiles, (rect_form(formation.bases, heights), outline))
    return known[1]


def _placed_block(form: Shapes, pose: Pose) -> Shapes:
    return placed_together(form, pose.x / MILLI, pose.y / MILLI, float(pose.heading), pose.z / MILLI)


class Field:
    """All footprints of one state. Frozen by convention.

    Row r of every array about units belongs to `units[r]`. Its outline are footprints `outline_bounds[r, 0]` up to
    `outline_bounds[r, 1]` of `outline`; `circles[r]` holds the whole unit. `models` are likewise the bases of all
    models, in the order of `Unit.models`; they are put together only when somebody asks. Piece q has vertices
    `piece_start[q]` up to `piece_start[q + 1]` of `piece_points`, counter-clockwise. `model_spans` and
    `outline_spans` are the bounds as plain numbers. `memory` is for what others derive from the same footprints.
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

    def standing_as(self, source: tuple[Unit, ...], units: tuple[Unit, ...]) -> Field:
        """The field of other versions of the same units that stand where these do."""
        field = Field()
        field.source, field.units, field.profiles = source, units, self.profiles
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
MANY = 6  # units with new footprints from which on a field from nothing is cheaper


def field_of(state: State) -> Field:
    """The field of a state, remembered by it; made from that of an earlier one where little changed."""
    memory = state_memory(state)
    known: Field | None = memory.get("field")
    if known is None:
        known = memory["field"] = _find_or_make(state)
    return known


def _find_or_make(state: State) -> Field:
    latest: Field | None = None
    for field in _recent:
        if field.pieces is state.pieces and field.profiles is state.profiles:
            if field.source is state.units:
                return field
            latest = latest or field
    made = _derived(latest, state) if latest is not None else None
    if made is None:
        made = _made(state)
    _recent.insert(0, made)
    del _recent[RECENT_KEPT:]
    return made


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


def _derived(old: Field, state: State) -> Field | None:
    """The field of a state whose units differ little from those of `old`; None where it is no use for that."""
    if len(old.source) != len(state.units):
        return None
    units = list(old.units)
    moved: list[int] = []
    came: list[int] = []
    for number, (before, after) in enumerate(zip(old.source, state.units, strict=True)):
        if before is after:
            continue
        row = old.row_of.get(after.id, -1)
        is_standing = after.place == "table" and after.models
        if before.id != after.id or before.side != after.side or (row >= 0 and not is_standing):
            return None
        if row < 0:
            if is_standing:
                came.append(number)
            continue
        units[row] = after
        if is_same_stand(before, after):
            _hand_on(before, after, OF_ITS_STAND)
        else:
            moved.append(row)
            if (
                before.models is after.models
                and before.attached == after.attached
                and before.slot == after.slot
            ):
                _hand_on(before, after, OF_ITS_RANKS)
    if len(moved) > MANY or len(came) > 1:
        return None
    field = old.standing_as(state.units, tuple(units))
    if moved:
        _put_down(field, moved)
    if came:
        _put_in(field, state, came[0])
    return field


def _put_in(field: Field, state: State, number: int) -> None:
    """Put a unit that came onto the table into a field whose arrays are still another one's."""
    row = sum([unit.id in field.row_of for unit in state.units[:number]])
    unit = state.units[number]
    part = unit_outline(unit, field.profiles)
    first = field.outline_spans[row][0] if row < len(field.outline_spans) else len(field.outline.rows)
    field.memory, field._models = {}, None
    field.outline = _spliced(field.outline, first, first, part)
    field.units = (*field.units[:row], unit, *field.units[row:])
    field.unit_ids = (*field.unit_ids[:row], unit.id, *field.unit_ids[row:])
    field.row_of = {unit_id: place for place, unit_id in enumerate(field.unit_ids)}
    field.sides = np.array([other.side for other in field.units], dtype=np.int64)
    grown = len(part)
    later = [[start + grown, stop + grown] for start, stop in field.outline_spans[row:]]
    field.outline_spans = [*field.outline_spans[:row], [first, first + grown], *later]
    field.outline_bounds = np.array(field.outline_spans, dtype=np.int64)
    circles = np.empty((len(field.units), 3))
    circles[:row], circles[row], circles[row + 1 :] = field.circles[:row], part.surround, field.circles[row:]
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


def is_same_stand(before: Unit, after: Unit) -> bool:
    """Whether two versions of a unit certainly have the same footprints; a cheap test that may miss some."""
    if before.poses is not after.poses or before.block is not after.block:
        return False
    if before.slot != after.slot or before.attached != after.attached:
        return False
    if before.width != after.width or before.start_models != after.start_models:
        return False
    if before.models is after.models:
        return True
    if len(before.models) != len(after.models):
        return False
    pairs = zip(before.models, after.models, strict=True)
    return all(old.profile == new.profile and old.id == new.id for old, new in pairs)


def _hand_on(before: Unit, after: Unit, names: tuple[str, ...]) -> None:
    """Spare a unit that only changed its mind, or its place, the work of finding out about itself again."""
    known, found = before.__dict__, after.__dict__
    for name in names:
        if name in known and name not in found:
            found[name] = known[name]


OF_ITS_RANKS = ("mover", "leaders")  # what a unit remembers, wherever it stands
OF_ITS_STAND = ("shapes", "outline", *OF_ITS_RANKS)


def _put_down(field: Field, moved: list[int]) -> None:
    """Put new footprints of some units into a field whose arrays are still another one's."""
    field.memory, field._models = {}, None
    field.outline = Shapes(field.outline.points.copy(), field.outline.rows.copy())
    field.circles = field.circles.copy()
    for row in moved:
        part = unit_outline(field.units[row], field.profiles)
        first, stop = field.outline_spans[row]
        points, rows = field.outline.points, field.outline.rows
        after = int(rows[stop, FIRST]) if stop < len(rows) else len(points)
        if len(part) == stop - first and len(part.points) == after - int(rows[first, FIRST]):
            put_unit(points, rows, field.circles, row, first, part.points, part.rows)
        else:
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
    known = _piece_arrays.get(id(pieces))
    if known is None:
        if len(_piece_arrays) >= TABLES_KEPT:
            _piece_arrays.clear()
        known = _piece_arrays[id(pieces)] = (
            pieces,
            _join_pieces(pieces),
        )  # the entry keeps the id from reuse
    return known[1]


TABLES_KEPT = 256
_piece_arrays: dict[int, tuple[object, tuple[Floats, Ints, Floats]]] = {}


def _join_pieces(pieces: tuple[Piece, ...]) -> tuple[Floats, Ints, Floats]:
    polygons = [polygon_of(piece) for piece in pieces]
    points = np.concatenate(polygons) if polygons else np.zeros((0, 2))
    start = np.cumsum([0] + [len(polygon) for polygon in polygons]).astype(np.int64)
    circles = np.zeros((len(polygons), 3))
    for circle, polygon in zip(circles, polygons, strict=True):
        circle[:2] = (polygon.min(axis=0) + polygon.max(axis=0)) / 2
        circle[2] = np.sqrt(np.max(np.sum((polygon - circle[:2]) ** 2, axis=1)))
    return points, start, circles
