"""Random tables for properties of loose units."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from loose_scene import BASES, KINDS, PROFILES, group, pose, table
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Piece, Pose, State, Unit
from shieldwall.table.shapes import base_shape
from shieldwall.table.terrain import piece

SIZE = 24.0


def footprint(kind: str, at: Pose) -> BaseGeometry:
    """A base as a shape of shapely, a hair smaller than the true one where it is round."""
    points, radius = base_shape(BASES[kind])
    angle = math.radians(at.heading / 100)
    sine, cosine = math.sin(angle), math.cos(angle)
    placed = [
        (at.x / 1000 + x * cosine + y * sine, at.y / 1000 + y * cosine - x * sine) for x, y in points.tolist()
    ]
    core = Point(placed[0]) if len(placed) == 1 else Polygon(placed)
    return core.buffer(radius, quad_segs=64) if radius else core


def outline(ground: Piece) -> Polygon:
    return Polygon([(x / 1000, y / 1000) for x, y in ground.outline])


coordinate = st.integers(1500, int(SIZE * 1000) - 1500)
spot = st.builds(lambda x, y, h: Pose(x, y, h * 100), coordinate, coordinate, st.integers(0, 359))


@st.composite
def lone_units(draw: st.DrawFn, most: int, first: int = 1) -> list[Unit]:
    """Single models of either side that do not overlap."""
    units: list[Unit] = []
    taken: list[BaseGeometry] = []
    for at in draw(st.lists(spot, max_size=most)):
        kind = draw(st.sampled_from(KINDS))
        shape = footprint(kind, at)
        if all(shape.distance(other) > 0.01 for other in taken):
            taken.append(shape)
            side = draw(st.integers(0, 1))
            unit = group(first + len(units), side, (at.x / 1000, at.y / 1000, at.heading / 100), kind=kind)
            units.append(unit)
    return units


@st.composite
def grounds(draw: st.DrawFn, most: int, kinds: tuple[str, ...]) -> tuple[Piece, ...]:
    """Rectangles of terrain, turned any way."""
    pieces = []
    for number in range(draw(st.integers(0, most))):
        at = draw(spot)
        size = draw(st.tuples(st.integers(4, 24), st.integers(4, 24)))
        kind = draw(st.sampled_from(kinds))
        where, angle = (at.x / 1000, at.y / 1000), at.heading / 100
        made = piece(number, kind, at=where, size=(size[0] / 4, size[1] / 4), angle=angle, depth=3.0)
        pieces.append(made)
    return tuple(pieces)


@st.composite
def formations(draw: st.DrawFn, id: int, side: int, kind: str = "inch", most: int = 5) -> Unit:
    """A coherent unit in a ragged row somewhere on the table."""
    count = draw(st.integers(1, most))
    x, y = draw(st.integers(2, 14)), draw(st.integers(2, 20))
    spots = []
    for index in range(count):
        shift = draw(st.integers(0, 3))
        spots.append((x + 1.25 * index, y + 0.1 * shift))
    return group(id, side, *spots, kind=kind)


def is_free(state: State, unit: Unit, pieces_too: bool = True) -> bool:
    """Whether a unit is clear of other units, of the table edge and of ground it cannot stand in."""
    own = [footprint(KINDS[model.profile], at) for model, at in zip(unit.models, unit.poses, strict=True)]
    board = Polygon([(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)])
    if not all(board.contains(shape) for shape in own):
        return False
    for other in state.units:
        for model, at in zip(other.models, other.poses, strict=True):
            shape = footprint(KINDS[model.profile], at)
            if other.id != unit.id and any(shape.distance(mine) < 0.01 for mine in own):
                return False
    return not pieces_too or not any(shape.intersects(outline(p)) for p in state.pieces for shape in own)


def small_table(*units: Unit, pieces: tuple[Piece, ...] = ()) -> State:
    return table(*units, pieces=pieces, width=SIZE, depth=SIZE)


__all__ = [
    "KINDS",
    "PROFILES",
    "SIZE",
    "footprint",
    "formations",
    "grounds",
    "is_free",
    "lone_units",
    "outline",
    "pose",
    "small_table",
    "spot",
]
