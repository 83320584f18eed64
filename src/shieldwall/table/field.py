"""The table as flat arrays: footprints of every unit and outlines of every piece, made once and shared.

Units remember their own footprints, so a state that differs from the last one in one unit costs one unit. A `Field`
holds only what stands on the table; units that wait, ride inside others or are gone are not in it.
"""

from __future__ import annotations

import numpy as np

from shieldwall.core.state import MILLI, Piece, Pose, Profile, State, Unit
from shieldwall.table.formations import block_pose, formation_of
from shieldwall.table.formations import figure_poses as block_figure_poses
from shieldwall.table.kernels import FIRST, Floats, Ints, place_together
from shieldwall.table.shapes import Shapes, form_of, placed, polygon_of, rect_form

FORMS_KEPT = 4096


def figure_poses(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Pose, ...]:
    """Where each model stands, in the order of `unit.models`, rounded to the grid."""
    return unit.poses if unit.block is None else block_figure_poses(unit, profiles)


def unit_shapes(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    """One footprint for each model; remembered by the unit."""
    known: Shapes | None = unit.__dict__.get("shapes")
    if known is None:
        known = _loose_shapes(unit, profiles) if unit.block is None else _block_shapes(unit, profiles)[0]
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
        known = unit.__dict__["outline"] = _block_shapes(unit, profiles)[1]
    return known


_loose_forms: dict[tuple[int, tuple[int, ...]], tuple[object, Shapes]] = {}
_block_forms: dict[int, tuple[object, Shapes, Shapes]] = {}


def _loose_shapes(unit: Unit, profiles: tuple[Profile, ...]) -> Shapes:
    key = (id(profiles), tuple([model.profile for model in unit.models]))
    known = _loose_forms.get(key)
    if known is None:
        if len(_loose_forms) >= FORMS_KEPT:
            _loose_forms.clear()
        kinds = [profiles[index] for index in key[1]]
        form = form_of([kind.base for kind in kinds], [kind.height / MILLI for kind in kinds])
        known = _loose_forms[key] = (profiles, form)  # keeping `profiles` keeps its id from being reused
    return placed(known[1], unit.poses)


def _block_shapes(unit: Unit, profiles: tuple[Profile, ...]) -> tuple[Shapes, Shapes]:
    """Footprints of the models and of the whole block."""
    formation = formation_of(unit, profiles)
    known = _block_forms.get(id(formation))
    if known is None:
        if len(_block_forms) >= FORMS_KEPT:
            _block_forms.clear()
        heights = [profiles[model.profile].height / MILLI for model in unit.models]
        outline = rect_form(formation.rects, [max(heights)] * len(formation.rects))
        known = _block_forms[id(formation)] = (formation, rect_form(formation.bases, heights), outline)
    pose = block_pose(unit)
    place = (pose.x / MILLI, pose.y / MILLI, float(pose.heading), pose.z / MILLI)
    models = Shapes(*place_together(known[1].points, known[1].rows, *place))
    outline = Shapes(*place_together(known[2].points, known[2].rows, *place))
    return models, outline


class Field:
    """All footprints of one state. Frozen by convention.

    Row r of every array about units belongs to unit `unit_ids[r]`. Its models are footprints
    `model_bounds[r, 0]:model_bounds[r, 1]` of `models`, its outline `outline_bounds[r]` of `outline`; a unit's
    `models` keep the order of `Unit.models`. Piece q has vertices `piece_points[piece_start[q]:piece_start[q+1]]`.
    """

    __slots__ = (
        "circles", "depth", "model_bounds", "models", "outline", "outline_bounds", "piece_circles", "piece_points",
        "piece_start", "pieces", "row_of", "sides", "unit_ids", "units", "width",
    )  # fmt: skip

    units: tuple[Unit, ...]
    pieces: tuple[Piece, ...]
    unit_ids: tuple[int, ...]
    row_of: dict[int, int]
    sides: Ints
    models: Shapes
    model_bounds: Ints
    outline: Shapes
    outline_bounds: Ints
    circles: Floats
    piece_points: Floats
    piece_start: Ints
    piece_circles: Floats
    width: float
    depth: float


def field_of(state: State) -> Field:
    """The field of a state, remembered by the state."""
    known: Field | None = state.__dict__.get("field")
    if known is None:
        known = state.__dict__["field"] = _make_field(state)
    return known


def _make_field(state: State) -> Field:
    field = Field()
    units = tuple(unit for unit in state.units if unit.place == "table" and unit.models)
    field.units = units
    field.unit_ids = tuple(unit.id for unit in units)
    field.row_of = {unit.id: row for row, unit in enumerate(units)}
    field.sides = np.array([unit.side for unit in units], dtype=np.int64)
    field.models, field.model_bounds = _joined([unit_shapes(unit, state.profiles) for unit in units])
    field.outline, field.outline_bounds = _joined([unit_outline(unit, state.profiles) for unit in units])
    field.circles = _circles(field.outline, field.outline_bounds)
    _put_pieces(field, state.pieces)
    field.width = state.width / MILLI
    field.depth = state.depth / MILLI
    return field


def _joined(parts: list[Shapes]) -> tuple[Shapes, Ints]:
    """One set made of many, and which footprints came from which part."""
    bounds = np.zeros((len(parts), 2), dtype=np.int64)
    ends = np.cumsum([len(part) for part in parts])
    bounds[:, 1] = ends
    bounds[1:, 0] = ends[:-1]
    if not parts:
        return Shapes(np.zeros((0, 2)), np.zeros((0, 8))), bounds
    rows = np.concatenate([part.rows for part in parts])
    first = 0
    for (start, stop), part in zip(bounds.tolist(), parts, strict=True):
        rows[start:stop, FIRST] += first
        first += len(part.points)
    return Shapes(np.concatenate([part.points for part in parts]), rows), bounds


def _circles(shapes: Shapes, bounds: Ints) -> Floats:
    """A circle round each unit: about the middle of the box round its bases."""
    circles = np.zeros((len(bounds), 3))
    for circle, (start, stop) in zip(circles, bounds.tolist(), strict=True):
        x, y, reach = shapes.rows[start:stop, 0], shapes.rows[start:stop, 1], shapes.rows[start:stop, 2]
        circle[0] = (np.min(x - reach) + np.max(x + reach)) / 2
        circle[1] = (np.min(y - reach) + np.max(y + reach)) / 2
        circle[2] = np.max(np.sqrt((x - circle[0]) ** 2 + (y - circle[1]) ** 2) + reach)
    return circles


def _put_pieces(field: Field, pieces: tuple[Piece, ...]) -> None:
    polygons = [polygon_of(piece) for piece in pieces]
    field.pieces = pieces
    field.piece_points = np.concatenate(polygons) if polygons else np.zeros((0, 2))
    field.piece_start = np.cumsum([0] + [len(polygon) for polygon in polygons]).astype(np.int64)
    field.piece_circles = np.zeros((len(polygons), 3))
    for circle, polygon in zip(field.piece_circles, polygons, strict=True):
        circle[:2] = (polygon.min(axis=0) + polygon.max(axis=0)) / 2
        circle[2] = np.sqrt(np.max(np.sum((polygon - circle[:2]) ** 2, axis=1)))
