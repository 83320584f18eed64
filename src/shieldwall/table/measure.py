"""Distances between models and units in inches, as a player would lay a ruler: base edge to base edge.

Anybody may ask at any time and nothing changes. Overlapping bases are 0 apart. With `heights` the ruler also
bridges the difference of the heights on which the bases stand.
"""

# ruff: noqa: PLR0917 (a ruler has two ends, and each takes two names)

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.core.state import State
from shieldwall.table.field import Field, field_of
from shieldwall.table.kernels import Floats, point_gap, scan_units, set_gap


class NearestModels(NamedTuple):
    """The closest pair of two units: indexes into their models, and how far apart they are."""

    model: int
    other_model: int
    distance: float


def _row(field: Field, unit_id: int) -> int:
    row = field.row_of.get(unit_id)
    if row is None:
        raise ValueError(f"unit {unit_id} is not on the table, so nothing can be measured to it")
    return row


def models_apart(state: State, unit_a: int, i: int, unit_b: int, j: int, heights: bool = False) -> float:
    """Distance between model i of one unit and model j of another (or the same)."""
    field = field_of(state)
    a = int(field.model_bounds[_row(field, unit_a), 0]) + i
    b = int(field.model_bounds[_row(field, unit_b), 0]) + j
    points, rows = field.models.points, field.models.rows
    return max(set_gap(points, rows, a, a + 1, points, rows, b, b + 1, math.inf, heights)[0], 0.0)


def units_apart(state: State, a: int, b: int, heights: bool = False) -> float:
    """Distance between the nearest models of two units."""
    field = field_of(state)
    a0, a1 = field.outline_bounds[_row(field, a)].tolist()
    b0, b1 = field.outline_bounds[_row(field, b)].tolist()
    points, rows = field.outline.points, field.outline.rows
    return max(set_gap(points, rows, a0, a1, points, rows, b0, b1, math.inf, heights)[0], 0.0)


def nearest_models(state: State, a: int, b: int, heights: bool = False) -> NearestModels:
    """The pair of models that decides the distance of two units; the lowest indexes on a tie."""
    field = field_of(state)
    a0, a1 = field.model_bounds[_row(field, a)].tolist()
    b0, b1 = field.model_bounds[_row(field, b)].tolist()
    points, rows = field.models.points, field.models.rows
    distance, i, j = set_gap(points, rows, a0, a1, points, rows, b0, b1, math.inf, heights)
    return NearestModels(i - a0, j - b0, max(distance, 0.0))


def point_to_unit(
    state: State, unit_id: int, x: float, y: float, z: float = 0.0, heights: bool = False
) -> float:
    """Distance from a point, in inches, to the nearest model of a unit."""
    field = field_of(state)
    first, stop = field.outline_bounds[_row(field, unit_id)].tolist()
    shapes = field.outline
    return max(point_gap(shapes.points, shapes.rows, first, stop, x, y, z, heights)[0], 0.0)


def scan(state: State, unit_id: int, heights: bool = False) -> Floats:
    """Distances from one unit to all units of the field, in the order of its rows; infinity to itself."""
    field = field_of(state)
    answer = np.empty(len(field.unit_ids))
    shapes = field.outline
    scan_units(shapes.points, shapes.rows, field.outline_bounds, _row(field, unit_id), heights, answer)
    return answer
