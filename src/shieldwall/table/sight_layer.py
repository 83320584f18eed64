"""The arrays that line of sight works on: one set for each method, updated unit by unit.

A layer is a working copy, not part of the game: it is brought up to date with the state before every query, and a
unit that neither moved nor lost models costs nothing. Each thread has its own layers.
"""

from __future__ import annotations

import math
from threading import get_ident
from typing import NamedTuple

import numpy as np

from shieldwall.core.state import (
    MILLI,
    Piece,
    Pose,
    Positions,
    Profile,
    State,
    Unit,
    shared_facts,
)
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import REACH as CIRCLE
from shieldwall.geometry.distance import X, Y
from shieldwall.geometry.scene import STOPS_SIGHT
from shieldwall.geometry.sight_layer import (
    BY_TOP,
    ROOM,
    SightBody,
    SightPlace,
    enter_block,
    enter_unit,
    surround,
)
from shieldwall.geometry.sight_lines import (
    CORNER,
    CORNERS,
    FAR,
    FIGURE_COLUMNS,
    FIGURE_COUNT,
    FIRST_FIGURE,
    FIRST_PART,
    FIRST_VERTEX,
    FLAGS,
    OWNER,
    OWNER_COLUMNS,
    PART_COLUMNS,
    PART_COUNT,
    PART_HIGH,
    PART_LOW,
    PART_VALUE,
    STEP,
    VERTICES,
    SightArrays,
)
from shieldwall.geometry.tolerance import EPS
from shieldwall.table.convex_parts import convex_parts
from shieldwall.table.footprints import block_forms, unit_shapes
from shieldwall.table.outlines import Outline
from shieldwall.table.pieces import piece_flags
from shieldwall.table.shapes import MM_PER_INCH, Shapes, base_shape, body_pose, polygon_of
from shieldwall.table.sight_methods import (
    OPEN,
    STRIP_LINK,
    SightMethod,
    piece_value,
    real_height,
    real_piece_height,
    unit_value,
    value_on,
    volume_height,
)

LAYERS_KEPT = 8
MOULDS_KEPT = 1024


class SightRoom(NamedTuple):
    """How many rows of each array are reserved for a unit."""

    figures: int
    points: int
    parts: int
    corners: int


class SightTargets(NamedTuple):
    """Units to look at: their rows and their ids."""

    rows: Ints
    ids: tuple[int, ...]


class SightLayer:
    """The arrays of one method for one table, and the units they show."""

    def __init__(self, state: State, method: SightMethod, slack: int = 1) -> None:
        self.method = method
        self.profiles = state.profiles
        self.pieces = state.pieces
        self.slack = slack
        self.row_of = {unit.id: row for row, unit in enumerate(state.units)}
        self.ids = tuple(unit.id for unit in state.units)
        self.shown: list[Unit | None] = [None] * len(state.units)
        self.units: tuple[Unit, ...] = ()
        self.positions: Positions | None = None  # where everybody stood when `units` were shown
        self.is_there = [False] * len(state.units)
        self._moulds: dict[tuple[int, ...], Floats] = {}
        self._block_bodies: dict[Shapes, SightBody] = {}
        self._targets: dict[tuple[int, str], SightTargets] = {}
        self._make_arrays(state)

    def _make_arrays(self, state: State) -> None:
        """Divide the arrays among units and pieces, and put the pieces in."""
        self.rooms = [self._room_of(unit) for unit in state.units]
        pieces = [_PieceShape(piece, self.method) for piece in self.pieces]
        sums = np.array(self.rooms or [SightRoom(0, 0, 0, 0)], dtype=np.int64).sum(axis=0).tolist()
        figures, points, parts, corners = sums
        owners = np.zeros((len(self.rooms) + len(pieces), OWNER_COLUMNS))
        self.arrays = (
            np.zeros((max(figures, 1), FIGURE_COLUMNS)),
            np.zeros((points + sum(len(shape.polygon) for shape in pieces), 2)),
            np.zeros((parts + sum(len(shape.parts) for shape in pieces), PART_COLUMNS)),
            np.zeros((corners + sum(shape.corner_count for shape in pieces), 2)),
            owners,
            np.zeros((max(figures, 1), len(pieces)), dtype=np.uint8),
        )
        self.flat = SightArrays(*self.arrays)
        self.places: list[SightPlace] = []
        at = SightRoom(0, 0, 0, 0)
        for row, room in enumerate(self.rooms):
            ends = at.corners + room.corners, at.parts + room.parts
            self.places.append(SightPlace(row, at.points, at.corners, *ends))
            owners[row, FIRST_FIGURE], owners[row, FIRST_PART], owners[row, FLAGS] = (
                at.figures,
                at.parts,
                STOPS_SIGHT,
            )
            at = SightRoom(*(start + more for start, more in zip(at, room, strict=True)))
        for row, shape in enumerate(pieces, len(self.rooms)):
            at = shape.enter(self.flat, row, at)

    def _room_of(self, unit: Unit) -> SightRoom:
        """Enough rows for the unit now and after losses; if they ever overflow, a larger layer is made."""
        bases = [base_shape(self.profiles[model.profile].base) for model in unit.models]
        widest = max((len(points) for points, _ in bases), default=1)
        count = max(len(unit.models), unit.start_models) + self.slack
        strips = 0
        if self.method.perimeter == "strips":
            strips = min(count * (count - 1) // 2, 2 * count + 2) * self.slack
        return SightRoom(count, count * max(widest, 4), count + strips + 2, (count + strips + 2) * 4)

    def show(self, state: State) -> bool:
        """Update the arrays to a state; False if a unit outgrew its rows or belongs to another game."""
        positions = state.positions
        if positions is self.positions:
            return True
        for row, (unit, shown) in enumerate(zip(state.units, self.shown, strict=True)):
            if unit is shown:
                continue
            if unit.id != self.ids[row]:
                return False
            if shown is None or not _stands_as(unit, shown):
                self.positions = None
                self.shown[row] = None
                if not self._enter(row, unit, shown):
                    return False
            self.shown[row] = unit
        self.units, self.positions = state.units, positions
        return True

    def _enter(self, row: int, unit: Unit, shown: Unit | None) -> bool:
        is_there = unit.place == "table" and bool(unit.models)
        if self.is_there[row] != is_there or shown is None or shown.side != unit.side:
            self._targets.clear()
        self.is_there[row] = is_there
        if not is_there:
            self.arrays[4][row, PART_COUNT] = self.arrays[4][row, FIGURE_COUNT] = 0
            return True
        return (
            self._enter_loose(row, unit) if unit.block is None else self._enter_block(row, unit, unit.block)
        )

    def _enter_loose(self, row: int, unit: Unit) -> bool:
        shapes = unit_shapes(unit, self.profiles)
        if not self._has_room(row, shapes):
            return False
        link = STRIP_LINK if self.method.perimeter == "strips" else 0.0
        headings = np.array([float(pose.heading) for pose in unit.poses])
        body = SightBody(shapes.points, shapes.rows, self._mould(unit), shapes.points, shapes.rows)
        return enter_unit(self.flat, self.places[row], body, headings, link)

    def _enter_block(self, row: int, unit: Unit, pose: Pose) -> bool:
        form, outline = block_forms(unit, self.profiles)
        if not self._has_room(row, form):
            return False
        body = self._block_bodies.get(form)
        if body is None:
            if len(self._block_bodies) >= MOULDS_KEPT:
                self._block_bodies.clear()
            body = SightBody(form.points, form.rows, self._mould(unit), outline.points, outline.rows)
            self._block_bodies[form] = body
        return enter_block(self.flat, self.places[row], body, body_pose(pose))

    def _has_room(self, row: int, shapes: Shapes) -> bool:
        room = self.rooms[row]
        return len(shapes.rows) <= room.figures and len(shapes.points) <= room.points

    def _mould(self, unit: Unit) -> Floats:
        """Heights and half sizes of a unit's models; columns in geometry/sight_layer.py."""
        key = tuple([model.profile for model in unit.models])
        known = self._moulds.get(key)
        if known is None:
            if len(self._moulds) >= MOULDS_KEPT:
                self._moulds.clear()
            lines = [_mould_of(self.method, self.profiles[index]) for index in key]
            known = self._moulds[key] = np.array(lines, dtype=np.float64).reshape(-1, 4)
        return known

    def targets(self, side: int, which: str) -> SightTargets:
        """Units on the table: "enemies" or "friends" of a side, or "all"; in the order of the state."""
        known = self._targets.get((side, which))
        if known is None:
            wanted = {"enemies": (False,), "friends": (True,), "all": (False, True)}[which]
            rows = [
                row
                for row, unit in enumerate(self.units)
                if (unit.side == side) in wanted and self.is_there[row]
            ]
            known = SightTargets(np.array(rows, dtype=np.int64), tuple(self.ids[row] for row in rows))
            self._targets[side, which] = known
        return known

    def single(self, row: int) -> SightTargets:
        """One unit alone."""
        return SightTargets(np.array((row,), dtype=np.int64), (self.ids[row],))


def _stands_as(unit: Unit, shown: Unit) -> bool:
    """Whether two units look the same on the table, whatever else differs."""
    return (
        unit.block is shown.block
        and unit.poses is shown.poses
        and unit.place == shown.place
        and unit.attached == shown.attached
        and unit.slot == shown.slot
        and unit.width == shown.width
        and unit.side == shown.side
        and (
            unit.models is shown.models
            or [model.profile for model in unit.models] == [model.profile for model in shown.models]
        )
    )


def _mould_of(method: SightMethod, profile: Profile) -> tuple[float, float, float, float]:
    across, along = profile.base.width / 2 / MM_PER_INCH, profile.base.depth / 2 / MM_PER_INCH
    if method.heights == "of the ground":
        return 0.0, BY_TOP, across, along
    if method.heights == "by base":
        return volume_height(profile, method), BY_TOP, across, along
    if method.heights == "value":
        return real_height(method, profile), unit_value(profile, method), across, along
    return real_height(method, profile), BY_TOP, across, along


class _PieceShape:
    """One piece on its way into a layer."""

    def __init__(self, piece: Piece, method: SightMethod) -> None:
        self.piece = piece
        self.polygon = polygon_of(piece)
        self.parts = _parts_of(piece)
        self.corner_count = sum(len(part) for part in self.parts)
        if method.heights == "value":
            self.height = self.value = piece_value(piece, method) or FAR
            self.step = value_on(piece, method)
        else:
            self.height = self.value = real_piece_height(method, piece) or FAR
            self.step = 0.0

    def enter(self, sight: SightArrays, row: int, at: SightRoom) -> SightRoom:
        """Fill the piece's rows from `at` on and return where the next piece begins."""
        points, parts, corners, owners = sight.points, sight.parts, sight.corners, sight.owners
        owners[row, FLAGS], owners[row, STEP] = piece_flags(self.piece), self.step
        owners[row, FIRST_PART], owners[row, PART_COUNT] = at.parts, len(self.parts)
        owners[row, FIRST_VERTEX], owners[row, VERTICES] = at.points, len(self.polygon)
        points[at.points : at.points + len(self.polygon)] = self.polygon
        exact = [[(x / MILLI, y / MILLI) for x, y in part] for part in self.parts]
        corner = at.corners
        corners[corner : corner + self.corner_count] = _moved_out(exact)
        for number, part in enumerate(exact, at.parts):
            x, y, circle = _circle_of(part)
            row_of_part = parts[number]
            row_of_part[X], row_of_part[Y], row_of_part[CIRCLE] = x, y, circle + ROOM
            row_of_part[PART_LOW], row_of_part[PART_HIGH] = -FAR, self.height
            row_of_part[PART_VALUE], row_of_part[OWNER] = self.value, row
            row_of_part[CORNER], row_of_part[CORNERS] = corner, len(part)
            corner += len(part)
        surround(sight, row)
        return SightRoom(at.figures, at.points + len(self.polygon), at.parts + len(self.parts), corner)


def _parts_of(piece: Piece) -> tuple[Outline, ...]:
    known: tuple[Outline, ...] | None = piece.__dict__.get("convex_parts")
    if known is None:
        known = piece.__dict__["convex_parts"] = convex_parts(piece.outline)
    return known


def _circle_of(corners: list[tuple[float, float]]) -> tuple[float, float, float]:
    """The middle of a part's box, and the distance of its farthest corner from there."""
    xs, ys = zip(*corners, strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return x, y, math.sqrt(max((cx - x) * (cx - x) + (cy - y) * (cy - y) for cx, cy in corners))


def _moved_out(parts: list[list[tuple[float, float]]]) -> Floats:
    """The corners of all parts with their edges moved out by EPS, as sight needs them."""
    corners = np.array([corner for part in parts for corner in part], dtype=np.float64)
    following = np.array([corner for part in parts for corner in (*part[1:], part[0])], dtype=np.float64)
    along = following - corners
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    offset = (
        along[:, 1] * corners[:, 0] - along[:, 0] * corners[:, 1]
    )  # of the line, along its outward normal
    offset += EPS
    earlier = np.arange(-1, len(corners) - 1)  # the corner before each: in its own part
    first = 0
    for part in parts:
        earlier[first] = first + len(part) - 1
        first += len(part)
    before, offset_before = along[earlier], offset[earlier]
    turn = before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0]
    moved = (offset[:, None] * before - offset_before[:, None] * along) / turn[:, None]
    return np.asarray(moved, dtype=np.float64)


def _layers_of(state: State) -> list[SightLayer]:
    """The layers of a game that this thread has made, the latest first.

    They live as long as the game's profiles do: a server switches games with every request, and making a layer takes
    longer than most queries it answers.
    """
    layers: list[SightLayer] = shared_facts(state.profiles).setdefault(("sight", get_ident()), [])
    return layers


def layer_for(state: State, method: SightMethod) -> SightLayer:
    """The layer of a method, showing this state."""
    layers = _layers_of(state)
    for place, layer in enumerate(layers):
        if layer.method is method and layer.pieces is state.pieces and len(layer.ids) == len(state.units):
            if place > 0:
                layers.insert(0, layers.pop(place))
            if layer.show(state):
                return layer
            layers.pop(0)
            break
    return _new_layer(state, method)


def _new_layer(state: State, method: SightMethod) -> SightLayer:
    slack = 1
    layer = SightLayer(state, method, slack)
    while not layer.show(state):
        slack *= 2
        layer = SightLayer(state, method, slack)
    layers = _layers_of(state)
    layers.insert(0, layer)
    del layers[LAYERS_KEPT:]
    return layer


def any_layer_for(state: State) -> SightLayer:
    """A layer of this state for whichever method was used last, for queries that do not depend on the method."""
    for layer in _layers_of(state):
        if layer.pieces is state.pieces:
            return layer_for(state, layer.method)
    return layer_for(state, OPEN)
