"""The table at one moment: the footprints of all units and the ground they stand on, made once and shared.

States with the same positions share one scene, and a scene that differs from an earlier one in one unit costs the
work of one unit. A `Scene` holds only units on the table: not those that wait, ride inside others or are gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shieldwall.core.state import (
    MILLI,
    Profile,
    State,
    Unit,
    is_same_block,
    is_same_position,
    shared_facts,
)
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import COLUMNS, FIRST, put_block, put_unit, splice
from shieldwall.geometry.scene import Bodies, FlatScene
from shieldwall.table.footprints import block_forms, figure_poses, unit_outline, unit_shapes
from shieldwall.table.pieces import CLIMB_MAX, TerrainFacts, ground_of
from shieldwall.table.shapes import Shapes, body_pose

__all__ = ["figure_poses", "unit_outline", "unit_shapes"]  # re-exported: most users of the scene need them


class Scene:
    """All footprints of one state, and the ground they stand on. Frozen by convention.

    Row r of every array about units belongs to `units[r]`, a version of the unit at the position it has in the state.
    Its outline is the footprints from `outline_bounds[r, 0]` up to `outline_bounds[r, 1]` of `outline`; `circles[r]`
    encloses the whole unit. `models` likewise holds the bases of all models, in the order of `Unit.models`, made when
    first read. `model_spans` and `outline_spans` are the bounds as plain numbers. `flat` is all of it as one argument
    for compiled functions. `memory` caches what others derive from the same footprints.
    """

    __slots__ = (
        "_flat",
        "_models",
        "circles",
        "depth",
        "ground",
        "memory",
        "outline",
        "outline_bounds",
        "outline_spans",
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
    ground: TerrainFacts
    units: tuple[Unit, ...]
    unit_ids: tuple[int, ...]
    row_of: dict[int, int]
    sides: Ints
    outline: Shapes
    outline_bounds: Ints
    outline_spans: list[list[int]]
    circles: Floats
    width: float
    depth: float
    memory: dict[Any, Any]  # each user of an entry knows its type
    _models: tuple[Shapes, Ints, list[list[int]]] | None
    _flat: dict[int, FlatScene]

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

    def flat(self, climb_max: int = CLIMB_MAX) -> FlatScene:
        """The scene for compiled functions; pieces taller than `climb_max` thousandths are impassable."""
        known = self._flat.get(climb_max)
        if known is None:
            bodies = Bodies(self.outline.points, self.outline.rows, self.outline_bounds, self.circles)
            known = FlatScene(bodies, self.ground.flat(climb_max), self.width, self.depth)
            self._flat[climb_max] = known
        return known

    def standing_as(self, source: tuple[Unit, ...]) -> Scene:
        """The scene of other versions of the same units at the same positions."""
        scene = Scene()
        scene.source, scene.units, scene.profiles = source, self.units, self.profiles
        scene.unit_ids, scene.row_of, scene.sides = self.unit_ids, self.row_of, self.sides
        scene.outline, scene.circles = self.outline, self.circles
        scene.outline_bounds, scene.outline_spans = self.outline_bounds, self.outline_spans
        scene.ground, scene.width, scene.depth = self.ground, self.width, self.depth
        scene.memory, scene._models, scene._flat = self.memory, self._models, self._flat
        return scene

    def _forget(self) -> None:
        """Drop what is derived from footprints, which are about to change."""
        self.memory, self._models, self._flat = {}, None, {}


RECENT_KEPT = 4  # scenes a game keeps for states that are not derived from an earlier one
NOTHING = Shapes(np.zeros((0, 2)), np.zeros((0, COLUMNS)))
MANY = 6  # moved units from which on a new scene is cheaper than an updated one


def scene_of(state: State) -> Scene:
    """The scene of a state, cached on its positions; updated from an earlier scene if little changed."""
    positions = state.positions
    known: Scene | None = positions.scene
    if known is None:
        known = positions.scene = _find_or_make(state, positions.earlier, positions.changed)
        positions.earlier = None
        recent = _recent(state)
        recent.insert(0, known)
        del recent[RECENT_KEPT:]
    return known


def memory_while_standing(state: State, unit_id: int) -> dict[Any, Any]:
    """A cache for moves of a unit: kept on the scene if it is on the table, otherwise on the state."""
    scene = scene_of(state)
    return scene.memory if unit_id in scene.row_of else state.memory


def _recent(state: State) -> list[Scene]:
    """The last scenes of the same game, the newest first."""
    recent: list[Scene] = shared_facts(state.profiles).setdefault("scenes", [])
    return recent


def _find_or_make(state: State, earlier: Scene | None, changed: Sequence[int]) -> Scene:
    if earlier is None:  # a state without a predecessor may still resemble a recent one
        earlier, changed = _like(state)
        if earlier is not None and earlier.source is state.units:
            return earlier
    if earlier is not None and len(changed) <= MANY:
        return _derived(earlier, state, changed)
    return _made(state)


def _like(state: State) -> tuple[Scene | None, list[int]]:
    """A recent scene of the same game, if there is any, and the units whose positions differ."""
    alike = [scene for scene in _recent(state) if _is_same_game(scene, state)]
    for scene in alike:
        if scene.source is state.units:
            return scene, []
    if not alike:
        return None, []
    pairs = enumerate(zip(alike[0].source, state.units, strict=True))
    return alike[0], [number for number, (then, now) in pairs if not is_same_position(then, now)]


def _is_same_game(scene: Scene, state: State) -> bool:
    if scene.ground.pieces is not state.pieces:
        return False
    return [(unit.id, unit.side) for unit in scene.source] == [(unit.id, unit.side) for unit in state.units]


def _made(state: State) -> Scene:
    """A new scene."""
    scene = Scene()
    scene.source, scene.profiles, scene.ground = state.units, state.profiles, ground_of(state.pieces)
    units = scene.units = tuple([unit for unit in state.units if _is_standing(unit)])
    scene.unit_ids = tuple([unit.id for unit in units])
    scene.row_of = {unit.id: row for row, unit in enumerate(units)}
    scene.sides = np.array([unit.side for unit in units], dtype=np.int64)
    outlines = [unit_outline(unit, state.profiles) for unit in units]
    scene.outline, scene.outline_bounds = joined(outlines)
    scene.outline_spans = scene.outline_bounds.tolist()
    scene.circles = np.array([part.surround for part in outlines]).reshape(-1, 3)
    scene.width, scene.depth = state.width / MILLI, state.depth / MILLI
    scene._forget()
    return scene


def _is_standing(unit: Unit) -> bool:
    return unit.place == "table" and len(unit.models) > 0


def _derived(old: Scene, state: State, changed: Sequence[int]) -> Scene:
    """The scene of a state in which these units, by their numbers in the state, have moved since `old`."""
    scene = old.standing_as(state.units)
    moved: list[Unit] = []
    for number in changed:
        unit = state.units[number]
        row = scene.row_of.get(unit.id, -1)
        if row >= 0 and _is_standing(unit):
            moved.append(unit)
        elif row >= 0:
            _exchange(scene, row, 1, ())
        elif _is_standing(unit):
            _exchange(scene, sum([other.id in scene.row_of for other in state.units[:number]]), 0, (unit,))
    if moved:
        _put_down(scene, moved)
    return scene


def _exchange(scene: Scene, row: int, leave: int, come: tuple[Unit, ...]) -> None:
    """Remove a unit from a scene, or add it; the scene still shares its arrays with another one."""
    parts = [unit_outline(unit, scene.profiles) for unit in come]
    spans = scene.outline_spans
    first = spans[row][0] if row < len(spans) else len(scene.outline.rows)
    stop = spans[row][1] if leave else first
    part = parts[0] if parts else NOTHING
    scene._forget()
    scene.outline = _spliced(scene.outline, first, stop, part)
    after = row + leave
    scene.units = (*scene.units[:row], *come, *scene.units[after:])
    scene.unit_ids = tuple([unit.id for unit in scene.units])
    scene.row_of = {unit_id: place for place, unit_id in enumerate(scene.unit_ids)}
    scene.sides = np.array([unit.side for unit in scene.units], dtype=np.int64)
    grown = len(part) - (stop - first)
    there = [[first, first + len(part)]] if come else []
    later = [[start + grown, end + grown] for start, end in spans[after:]]
    scene.outline_spans = [*spans[:row], *there, *later]
    scene.outline_bounds = np.array(scene.outline_spans, dtype=np.int64).reshape(-1, 2)
    circles = np.empty((len(scene.units), 3))
    circles[:row], circles[row + len(come) :] = scene.circles[:row], scene.circles[after:]
    if come:
        circles[row] = part.surround
    scene.circles = circles


def _spliced(shapes: Shapes, first: int, stop: int, part: Shapes) -> Shapes:
    """A set with its footprints first..stop replaced by another set's, which may be more or fewer."""
    points, rows = shapes.points, shapes.rows
    start = int(rows[first, FIRST]) if first < len(rows) else len(points)
    end = int(rows[stop, FIRST]) if stop < len(rows) else len(points)
    new_points = np.empty((len(points) + len(part.points) - (end - start), 2))
    new_rows = np.empty((len(rows) + len(part.rows) - (stop - first), COLUMNS))
    splice(points, rows, first, stop, part.points, part.rows, new_points, new_rows)
    return Shapes(new_points, new_rows)


def _put_down(scene: Scene, moved: list[Unit]) -> None:
    """Put new footprints of some units into a scene that still shares its arrays with another one."""
    scene._forget()
    scene.outline = Shapes(scene.outline.points.copy(), scene.outline.rows.copy())
    scene.circles = scene.circles.copy()
    units = list(scene.units)
    for unit in moved:
        row = scene.row_of[unit.id]
        was, units[row] = units[row], unit
        if unit.block is not None and was.block is not None and is_same_block(was, unit):
            form = block_forms(unit, scene.profiles)[1]
            put_block(scene.flat().bodies, row, form.points, form.rows, body_pose(unit.block))
        else:
            _put_anew(scene, row, unit_outline(unit, scene.profiles))
    scene.units = tuple(units)


def _put_anew(scene: Scene, row: int, part: Shapes) -> None:
    """Put new footprints of a unit, perhaps more or fewer than it had, into a scene's own arrays."""
    first, stop = scene.outline_spans[row]
    points, rows = scene.outline.points, scene.outline.rows
    after = int(rows[stop, FIRST]) if stop < len(rows) else len(points)
    if len(part) == stop - first and len(part.points) == after - int(rows[first, FIRST]):
        put_unit(points, rows, scene.circles, row, first, part.points, part.rows)
        return
    scene.outline = _spliced(scene.outline, first, stop, part)
    scene._forget()
    scene.circles[row] = part.surround
    if len(part) != stop - first:
        scene.outline_bounds = _moved(scene.outline_bounds, row, len(part) - (stop - first))
        scene.outline_spans = scene.outline_bounds.tolist()


def _moved(bounds: Ints, row: int, grown: int) -> Ints:
    """Bounds after unit `row` got `grown` more footprints."""
    moved = bounds.copy()
    moved[row, 1] += grown
    moved[row + 1 :] += grown
    return moved


def joined(parts: Sequence[Shapes]) -> tuple[Shapes, Ints]:
    """One set made of many, and the bounds of each part in it."""
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
