"""Distances between units, models, points, markers and pieces of terrain."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from shieldwall.core.state import State, Unit
from shieldwall.rules.features.hulls import in_ports
from shieldwall.scenario.measure import Found, Ground, Settings, pair_of, point_of
from shieldwall.table.field import unit_shapes
from shieldwall.table.kernels import point_gap
from shieldwall.table.kernels_layout import outlines_apart
from shieldwall.table.kernels_polygon import border_distance, point_in_polygon, polygon_distance
from shieldwall.table.measure import models_apart, point_to_unit, units_apart
from shieldwall.table.shapes import polygon_of


def distance(ground: Ground, about: Any, settings: Settings) -> Found:
    """Between two of: unit, model, point, marker, piece of terrain; to a piece as seen from above."""
    heights = settings.get("heights", ground.rules.policies.measures_heights())
    ends = pair_of(about, "distance")
    if any(isinstance(end, str) and end in ground.roster.pieces for end in ends):
        return {"is": _to_piece(ground, ends)}
    ground = in_their_ports(ground, *(end for end in ends if isinstance(end, str)))
    points = [point_of(ground, end) for end in ends]
    state = ground.state
    if points[0] is not None and points[1] is not None:
        (ax, ay, az), (bx, by, bz) = points[0], points[1]
        lift = az - bz if heights else 0.0
        return {"is": ((ax - bx) ** 2 + (ay - by) ** 2 + lift**2) ** 0.5}
    if points[0] is not None or points[1] is not None:
        x, y, z = points[0] or points[1] or (0.0, 0.0, 0.0)
        name = ends[1] if points[0] is not None else ends[0]
        if name in ground.roster.units:
            return {"is": point_to_unit(state, ground.unit(name).id, x, y, z, heights)}
        unit, index = ground.model(name)
        ground.standing(ground.roster.unit_name(unit.id))
        return {"is": _point_to_model(state, unit, index, (x, y, z), heights)}
    if all(end in ground.roster.units for end in ends):
        return {"is": units_apart(state, ground.unit(ends[0]).id, ground.unit(ends[1]).id, heights)}
    return {"is": min(_model_gaps(ground, ends, heights))}


def in_their_ports(ground: Ground, *names: Any) -> Ground:
    """The same table with units that are inside buildings looking out of the ports they shoot through."""
    units = [ground.unit(name) for name in names if name in ground.roster.units]
    inside = [unit.id for unit in units if unit.place == "garrison"]
    return replace(ground, state=in_ports(ground.state, *inside)) if inside else ground


def _to_piece(ground: Ground, ends: tuple[Any, Any]) -> float:
    first, second = ends
    piece, other = ends if isinstance(first, str) and first in ground.roster.pieces else (second, first)
    outline = polygon_of(ground.state.pieces[ground.roster.pieces[piece]])
    point = point_of(ground, other)
    if point is not None:
        x, y, _ = point
        is_inside = point_in_polygon(outline, 0, len(outline), x, y)
        return 0.0 if is_inside else border_distance(outline, 0, len(outline), x, y)
    if isinstance(other, str) and other in ground.roster.pieces:
        both = np.vstack([outline, polygon_of(ground.state.pieces[ground.roster.pieces[other]])])
        return max(outlines_apart(both, 0, len(outline), len(outline), len(both)), 0.0)
    gaps = []
    for unit_id, index in models_meant(ground, other):
        shapes = unit_shapes(ground.state.units[unit_id], ground.state.profiles)
        gaps.append(polygon_distance(shapes.points, shapes.rows, index, outline, 0, len(outline)))
    return max(min(gaps), 0.0)


def models_meant(ground: Ground, name: Any) -> list[tuple[int, int]]:
    """The models that a name means: units and places in them."""
    if name in ground.roster.units:
        unit = ground.standing(name)
        return [(unit.id, index) for index in range(len(unit.models))]
    unit, index = ground.model(name)
    return [(unit.id, index)]


def _model_gaps(ground: Ground, ends: tuple[Any, Any], heights: bool) -> list[float]:
    return [
        models_apart(ground.state, a, i, b, j, heights)
        for a, i in models_meant(ground, ends[0])
        for b, j in models_meant(ground, ends[1])
    ]


def _point_to_model(
    state: State, unit: Unit, index: int, at: tuple[float, float, float], heights: bool
) -> float:
    shapes = unit_shapes(unit, state.profiles)
    return max(point_gap(shapes.points, shapes.rows, index, index + 1, *at, heights)[0], 0.0)
