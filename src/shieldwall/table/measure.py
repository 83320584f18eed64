"""Distances between models and units in inches, as a player would measure them: base edge to base edge.

Measuring changes nothing. Overlapping bases are 0 apart. With `heights`, the difference between the heights on which
the bases stand counts as well.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from shieldwall.core.state import State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import (
    Span,
    line_span,
    note_near,
    overhang,
    point_gap,
    scan_units,
    set_gap,
)
from shieldwall.geometry.tolerance import EPS
from shieldwall.table.footprints import has_curves
from shieldwall.table.scene import Scene, scene_of

Edge = Literal["south", "north", "west", "east"]


class NearestModels(NamedTuple):
    """The closest pair of two units: indexes into their models, and how far apart they are."""

    model: int
    other_model: int
    distance: float


def _row(scene: Scene, unit_id: int) -> int:
    row = scene.row_of.get(unit_id)
    if row is None:
        name = next((unit.name for unit in scene.source if unit.id == unit_id), f"unit {unit_id}")
        raise ValueError(f"{name} is not on the table, so nothing can be measured to it")
    return row


def _model(scene: Scene, unit_id: int, index: int) -> int:
    """Where the footprint of one model lies in the scene."""
    first, stop = scene.model_spans[_row(scene, unit_id)]
    if not 0 <= index < stop - first:
        raise IndexError(f"unit {unit_id} has no model {index}; it has {stop - first}")
    return first + index


def models_apart(state: State, unit_a: int, i: int, unit_b: int, j: int, heights: bool = False) -> float:
    """Distance between model i of one unit and model j of another (or the same)."""
    scene = scene_of(state)
    a, b = _model(scene, unit_a, i), _model(scene, unit_b, j)
    models = scene.models
    return max(set_gap(models.span(a, a + 1), models.span(b, b + 1), math.inf, heights)[0], 0.0)


def units_apart(state: State, a: int, b: int, heights: bool = False) -> float:
    """Distance between the nearest models of two units."""
    scene = scene_of(state)
    return max(set_gap(_bases(scene, a), _bases(scene, b), math.inf, heights)[0], 0.0)


def units_overlap(state: State, a: int, b: int) -> bool:
    """Whether models of two units overlap, seen from above; touching does not count."""
    return _gap(state, a, b, False) < -EPS


def how_deep_inside(state: State, a: int, b: int) -> float:
    """How far two units on the same level overlap: the shortest move that would separate them, 0 for none."""
    return max(-_gap(state, a, b, False), 0.0) if _gap(state, a, b, True) <= EPS else 0.0


def outlines_apart(state: State, a: int, b: int) -> float:
    """Distance between two blocks as used for moves and contact: ranks are straight, whatever bases stand in them."""
    return max(_gap(state, a, b, False), 0.0)


def _gap(state: State, a: int, b: int, heights: bool) -> float:
    scene = scene_of(state)
    a0, a1 = scene.outline_spans[_row(scene, a)]
    b0, b1 = scene.outline_spans[_row(scene, b)]
    outline = scene.outline
    return set_gap(outline.span(a0, a1), outline.span(b0, b1), math.inf, heights)[0]


def _bases(scene: Scene, unit_id: int) -> Span:
    """The fewest footprints that a unit can be measured from: its bases, or rectangles that cover the same area."""
    row = _row(scene, unit_id)
    unit = scene.units[row]
    if unit.block is not None and has_curves(unit, scene.profiles):
        first, stop = scene.model_spans[row]
        return scene.models.span(first, stop)
    first, stop = scene.outline_spans[row]
    return scene.outline.span(first, stop)


def nearest_models(state: State, a: int, b: int, heights: bool = False) -> NearestModels:
    """The pair of models that decides the distance of two units; the lowest indexes on a tie."""
    scene = scene_of(state)
    a0, a1 = scene.model_spans[_row(scene, a)]
    b0, b1 = scene.model_spans[_row(scene, b)]
    models = scene.models
    distance, i, j = set_gap(models.span(a0, a1), models.span(b0, b1), math.inf, heights)
    return NearestModels(i - a0, j - b0, max(distance, 0.0))


def point_to_unit(
    state: State, unit_id: int, x: float, y: float, z: float = 0.0, heights: bool = False
) -> float:
    """Distance from a point, in inches, to the nearest model of a unit."""
    scene = scene_of(state)
    return max(point_gap(_bases(scene, unit_id), x, y, z, heights)[0], 0.0)


def units_near_point(
    state: State, x: float, y: float, z: float, limit: float, heights: bool = False
) -> list[int]:
    """Ids of the units with a base at most `limit` inches from a point, in the order of the scene."""
    scene = scene_of(state)
    near = np.empty(len(scene.unit_ids), dtype=np.int64)
    count = note_near(scene.flat().bodies, x, y, z, heights, limit + EPS, near)
    found = [scene.unit_ids[row] for row in near[:count].tolist()]
    return [unit for unit in found if point_gap(_bases(scene, unit), x, y, z, heights)[0] <= limit + EPS]


def model_to_unit(state: State, unit_a: int, i: int, unit_b: int, heights: bool = False) -> float:
    """Distance from model i of one unit to the nearest model of another."""
    scene = scene_of(state)
    a = _model(scene, unit_a, i)
    return max(set_gap(scene.models.span(a, a + 1), _bases(scene, unit_b), math.inf, heights)[0], 0.0)


def scan(state: State, unit_id: int, heights: bool = False) -> Floats:
    """Distances from one unit to all units of the scene, in the order of its rows; infinity to itself."""
    scene = scene_of(state)
    if any(unit.block is not None and has_curves(unit, scene.profiles) for unit in scene.units):
        others = (unit if unit != unit_id else -1 for unit in scene.unit_ids)
        return np.array(
            [units_apart(state, unit_id, one, heights) if one >= 0 else math.inf for one in others]
        )
    answer = np.empty(len(scene.unit_ids))
    shapes = scene.outline
    scan_units(shapes.points, shapes.rows, scene.outline_bounds, _row(scene, unit_id), heights, answer)
    return answer


class EdgeSpan(NamedTuple):
    """How far a unit lies from a line: its nearest and its farthest part. Below 0 it sticks out beyond."""

    near: float
    far: float


def edge_span(state: State, unit_id: int, edge: Edge) -> EdgeSpan:
    """The span of a unit from one edge of the table; "fully within X" asks for its far part."""
    scene = scene_of(state)
    far_x, far_y = scene.width, scene.depth
    x, y, inward_x, inward_y = {
        "south": (0.0, 0.0, 0.0, 1.0),
        "north": (far_x, far_y, 0.0, -1.0),
        "west": (0.0, 0.0, 1.0, 0.0),
        "east": (far_x, far_y, -1.0, 0.0),
    }[edge]
    return EdgeSpan(*line_span(*_bases(scene, unit_id), x, y, inward_x, inward_y))


def is_on_table(state: State, unit_id: int) -> bool:
    """Whether no part of any base sticks out over the edge of the table."""
    scene = scene_of(state)
    first, stop = scene.outline_spans[_row(scene, unit_id)]
    return bool(overhang(*_arrays(scene), first, stop, 0.0, 0.0, scene.width, scene.depth) <= EPS)


def units_nearer_than(state: State, unit: Unit, spacing: float) -> tuple[int, ...]:
    """Other units on the table that are closer to a unit than `spacing` inches."""
    scene = scene_of(state)
    if unit.id not in scene.row_of:
        return ()
    return tuple(
        other
        for other in scene.unit_ids
        if other != unit.id and units_apart(state, unit.id, other) < spacing - 0.001
    )


def _arrays(scene: Scene) -> tuple[Floats, Floats]:
    return scene.outline.points, scene.outline.rows
