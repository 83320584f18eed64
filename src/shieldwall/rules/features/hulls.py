"""Solid buildings as the table needs them: a block that can be touched and charged, and ports one shoots through.

Distances, charges and sight are worked out for units. A building therefore lends itself, for one question, the shape
of a unit of one big model; and whoever is inside it the shape of small figures in its ports. Nothing of this is ever
written into a game.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.state import MILLI, Base, Model, Piece, Pose, Profile, State, Unit
from shieldwall.table.kernels import set_gap
from shieldwall.table.shapes import Shapes, shapes_of

MM_PER_INCH = 25.4
PORT_BASE = Base("round", 1.0, 1.0)  # millimetres: as good as a point
PORT_OUT = 0.03  # inches in front of the wall, so that the wall itself is not in the way


def building(state: State, piece: int) -> Piece:
    """A building by its number."""
    return next(one for one in state.pieces if one.id == piece)


def garrison(state: State, piece: int) -> tuple[Unit, ...]:
    """Units inside a building."""
    return tuple(
        unit for unit in state.units if unit.place == "garrison" and unit.inside == piece and unit.models
    )


def block_of(piece: Piece) -> tuple[Base, Pose] | None:
    """A rectangular building as a base and where it stands; None for one of another shape."""
    if len(piece.outline) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy), _ = piece.outline
    width, depth = math.dist((ax, ay), (bx, by)), math.dist((bx, by), (cx, cy))
    square = abs((bx - ax) * (cx - bx) + (by - ay) * (cy - by)) <= width * depth / 1000
    if not square or not width or not depth:
        return None
    middle = (ax + cx) / 2, (ay + cy) / 2
    heading = round(math.degrees(math.atan2(-(by - ay), bx - ax)) * 100) % 36000
    base = Base("rect", width / MILLI * MM_PER_INCH, depth / MILLI * MM_PER_INCH)
    return base, Pose(round(middle[0]), round(middle[1]), heading)


def hull_shapes(piece: Piece) -> Shapes:
    """The footprint of a building."""
    found = block_of(piece)
    assert found is not None, f"{piece.name} is no rectangle"
    base, pose = found
    return shapes_of([pose], [base], [piece.height])


def as_unit(state: State, piece: Piece, side: int) -> tuple[State, int]:
    """The same table with a building as a unit of one big model, and that unit's number."""
    found = block_of(piece)
    assert found is not None, f"{piece.name} is no rectangle"
    base, pose = found
    profile = Profile(piece.name, 6, 6, base, max(1, piece.height))
    model = Model(id=-1 - piece.id, profile=len(state.profiles))
    number = len(state.units)
    unit = Unit(number, side, -1, piece.name, (model,), poses=(pose,), place="table", start_models=1)
    pieces = tuple(one for one in state.pieces if one.id != piece.id)
    there = replace(state, profiles=(*state.profiles, profile), units=(*state.units, unit), pieces=pieces)
    return there, number


def port_poses(piece: Piece) -> tuple[Pose, ...]:
    """The topmost firing port of each side that has one, just outside its wall."""
    top: dict[int, int] = {}
    for side, height in piece.ports:
        top[side] = max(height, top.get(side, 0))
    corners = piece.outline
    found = []
    for side, height in sorted(top.items()):
        (ax, ay), (bx, by) = corners[side], corners[(side + 1) % len(corners)]
        length = math.dist((ax, ay), (bx, by)) or 1.0
        out_x, out_y = (by - ay) / length, -(bx - ax) / length
        x = (ax + bx) / 2 + out_x * PORT_OUT * MILLI
        y = (ay + by) / 2 + out_y * PORT_OUT * MILLI
        found.append(Pose(round(x), round(y), 0, height))
    return tuple(found)


def in_ports(state: State, *units: int) -> State:
    """The same table with the named units standing in the ports of their buildings, one small figure in each."""
    profile = Profile("port", 6, 6, PORT_BASE, 100)
    number = len(state.profiles)
    changed = list(state.units)
    for unit_id in dict.fromkeys(units):
        unit = changed[unit_id]
        if unit.place != "garrison":
            continue
        poses = port_poses(building(state, unit.inside))
        models = tuple(Model(id=-1 - at, profile=number) for at in range(len(poses)))
        if poses:
            changed[unit_id] = replace(unit, models=models, poses=poses, place="table")
    return replace(state, profiles=(*state.profiles, profile), units=tuple(changed))


def gap_to(shapes: Shapes, at: int, hull: Shapes) -> float:
    """Inches between one footprint of a set and a hull."""
    count = len(hull)
    found = set_gap(shapes.points, shapes.rows, at, at + 1, hull.points, hull.rows, 0, count, math.inf, False)
    return max(float(found[0]), 0.0)
