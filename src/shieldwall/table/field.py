"""The table as flat arrays: footprints of every unit and outlines of every piece, made once and shared.

Units remember their own footprints, and a state that differs from the last one in one unit costs one unit. A
`Field` holds only what stands on the table: units that wait, ride inside others or are gone are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np
from msgspec import Struct

from shieldwall.core.state import MILLI, Piece, Pose, Profile, State, Unit
from shieldwall.table.formations import figure_poses as block_figure_poses
from shieldwall.table.formations import formation_of
from shieldwall.table.kernels import COLUMNS, FIRST, Floats, Ints, place_together
from shieldwall.table.kernels_field import enclosing_circle, splice
from shieldwall.table.ranks import front_width
from shieldwall.table.shapes import Shapes, form_of, placed, polygon_of, rect_form

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
    x, y, z = pose.x / MILLI, pose.y / MILLI, pose.z / MILLI
    return Shapes(*place_together(form.points, form.rows, x, y, float(pose.heading), z))


class Field(Struct, eq=False):
    """All footprints of one state. Frozen by convention.

    Row r of every array about units belongs to `units[r]`. Its models are footprints `model_bounds[r, 0]`
    up to `model_bounds[r, 1]` of `models`, in the order of `Unit.models`; its outline lies likewise in
    `outline`. `circles[r]` holds the whole unit. Piece q has vertices `piece_start[q]` up to
    `piece_start[q + 1]` of `piece_points`, counter-clockwise. `model_spans` and `outline_spans` are the
    bounds as plain numbers.
    """

    source: tuple[Unit, ...]  # the units of the state, also those that are not on the table
    profiles: tuple[Profile, ...]
    units: tuple[Unit, ...]
    pieces: tuple[Piece, ...]
    unit_ids: tuple[int, ...]
    row_of: dict[int, int]
    sides: Ints
    models: Shapes
    model_bounds: Ints
    model_spans: list[list[int]]
    outline: Shapes
    outline_bounds: Ints
    outline_spans: list[list[int]]
    circles: Floats
    piece_points: Floats
    piece_start: Ints
    piece_circles: Floats
    width: float
    depth: float


_recent: list[Field] = []  # fields of the last states that were asked for, the newest first
RECENT_KEPT = 4
MANY = 6  # units with new footprints from which on a field from nothing is cheaper


def field_of(state: State) -> Field:
    """The field of a state, remembered by it; made from that of an earlier one where little changed."""
    known: Field | None = state.__dict__.get("field")
    if known is None:
        known = _find_or_make(state)
        state.__dict__["field"] = known
    return known


def _find_or_make(state: State) -> Field:
    relatives = [
        field for field in _recent if field.pieces is state.pieces and field.profiles is state.profiles
    ]
    for field in relatives:
        if field.source is state.units:
            return field
    made = _derived(relatives[0], state) if relatives else None
    if made is None:
        made = _made(state)
    _recent.insert(0, made)
    del _recent[RECENT_KEPT:]
    return made


def _made(state: State) -> Field:
    """A field from nothing."""
    units = tuple([unit for unit in state.units if _is_standing(unit)])
    outlines = [unit_outline(unit, state.profiles) for unit in units]
    models, model_bounds = joined([unit_shapes(unit, state.profiles) for unit in units])
    if any(unit.block is not None for unit in units):
        outline, outline_bounds = joined(outlines)
    else:  # shared, and kept shared: where no unit is a block, the bases are the outlines
        outline, outline_bounds = models, model_bounds
    piece_points, piece_start, piece_circles = _joined_pieces(state.pieces)
    return Field(
        source=state.units,
        profiles=state.profiles,
        units=units,
        pieces=state.pieces,
        unit_ids=tuple([unit.id for unit in units]),
        row_of={unit.id: row for row, unit in enumerate(units)},
        sides=np.array([unit.side for unit in units], dtype=np.int64),
        models=models,
        model_bounds=model_bounds,
        model_spans=model_bounds.tolist(),
        outline=outline,
        outline_bounds=outline_bounds,
        outline_spans=outline_bounds.tolist(),
        circles=np.array([enclosing_circle(part.rows, 0, len(part)) for part in outlines]).reshape(-1, 3),
        piece_points=piece_points,
        piece_start=piece_start,
        piece_circles=piece_circles,
        width=state.width / MILLI,
        depth=state.depth / MILLI,
    )


def _is_standing(unit: Unit) -> bool:
    return unit.place == "table" and len(unit.models) > 0


def _derived(old: Field, state: State) -> Field | None:
    """The field of a state whose units differ little from those of `old`; None where a unit came or went."""
    if len(old.source) != len(state.units):
        return None
    changed = [
        (before, after) for before, after in zip(old.source, state.units, strict=True) if before is not after
    ]
    field = copy(old)
    field.source = state.units
    units = list(old.units)
    replaced = 0
    for before, after in changed:
        if before.id != after.id or before.side != after.side or _is_standing(before) != _is_standing(after):
            return None
        if not _is_standing(after):
            continue
        row = old.row_of[after.id]
        units[row] = after
        if is_same_stand(before, after):
            _hand_on(before, after)
        elif replaced == MANY:
            return None
        else:
            _replace(field, old, row, after)
            replaced += 1
    field.units = tuple(units)
    return field


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


def _hand_on(before: Unit, after: Unit) -> None:
    """Spare a unit that only changed its mind the work of finding its footprints again."""
    for name in ("shapes", "outline"):
        known = before.__dict__.get(name)
        if known is not None:
            after.__dict__.setdefault(name, known)


def _replace(field: Field, old: Field, row: int, unit: Unit) -> None:
    """Put new footprints of one unit into `field`, whose arrays may still be shared with `old`."""
    models = unit_shapes(unit, field.profiles)
    outline = unit_outline(unit, field.profiles)
    is_shared = field.outline is field.models
    first, stop = field.model_spans[row]
    field.models = Shapes(*splice(*_arrays(field.models), first, stop, *_arrays(models)))
    if len(models) != stop - first:
        field.model_bounds = _moved(field.model_bounds, row, len(models) - (stop - first))
        field.model_spans = field.model_bounds.tolist()
    if is_shared and unit.block is None:
        field.outline, field.outline_bounds = field.models, field.model_bounds
        field.outline_spans = field.model_spans
    else:
        _replace_outline(field, row, outline)
    if field.circles is old.circles:
        field.circles = old.circles.copy()
    field.circles[row] = enclosing_circle(outline.rows, 0, len(outline))


def _replace_outline(field: Field, row: int, outline: Shapes) -> None:
    first, stop = field.outline_spans[row]
    field.outline = Shapes(*splice(*_arrays(field.outline), first, stop, *_arrays(outline)))
    if len(outline) != stop - first:
        field.outline_bounds = _moved(field.outline_bounds, row, len(outline) - (stop - first))
        field.outline_spans = field.outline_bounds.tolist()


def _arrays(shapes: Shapes) -> tuple[Floats, Floats]:
    return shapes.points, shapes.rows


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
    bounds[:, 1] = np.cumsum([len(part) for part in parts])
    bounds[1:, 0] = bounds[:-1, 1]
    rows = np.concatenate([part.rows for part in parts])
    before = np.cumsum([0] + [len(part.points) for part in parts[:-1]])
    rows[:, FIRST] += np.repeat(before, bounds[:, 1] - bounds[:, 0])
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
