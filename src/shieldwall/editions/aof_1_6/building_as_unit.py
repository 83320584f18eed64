"""Solid buildings for the table: blocks that can be touched and charged, with ports to shoot through.

Distances, charges and sight are computed between units. For a single question, a building is therefore shown as a
unit of large models, and its garrison as small figures in its ports. None of this is ever written to the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from shieldwall.core.state import MILLI, Base, Model, Piece, Pose, Profile, State, Unit
from shieldwall.geometry.distance import set_gap
from shieldwall.table.convex_parts import footprints
from shieldwall.table.footprints import lend_footprints
from shieldwall.table.shapes import Shapes

PORT_BASE = Base("round", 0.02, 0.02)  # millimetres: as good as a point
PORT_OUT = 0.002  # inches in front of the wall, so that the wall itself is not in the way


def piece_of(state: State, piece: int) -> Piece:
    """A piece of terrain by its number."""
    return next(one for one in state.pieces if one.id == piece)


def garrison(state: State, piece: int) -> tuple[Unit, ...]:
    """Units inside a building."""
    return tuple(
        unit for unit in state.units if unit.place == "garrison" and unit.inside == piece and unit.models
    )


def hull_shapes(piece: Piece) -> Shapes:
    """The footprint of a building, of whatever shape; remembered by the piece."""
    known: Shapes | None = piece.__dict__.get("hull")
    if known is None:
        known = piece.__dict__["hull"] = footprints(piece.outline, piece.height)
    return known


def as_unit(state: State, piece: Piece, side: int) -> tuple[State, int]:
    """The same table with a building as a unit of big models, one for each part of it, and that unit's number."""
    hull = hull_shapes(piece)
    middles = [(round(x * MILLI), round(y * MILLI)) for x, y in hull.circle[:, :2].tolist()]
    profile = Profile(piece.name, 6, 6, PORT_BASE, max(1, piece.height))
    models = tuple(Model(id=-1 - at, profile=len(state.profiles)) for at in range(len(hull)))
    number = len(state.units)
    poses = tuple(Pose(x, y) for x, y in middles)
    unit = Unit(number, side, -1, piece.name, models, poses=poses, place="table", start_models=len(models))
    lend_footprints(unit, hull)
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
        poses = port_poses(piece_of(state, unit.inside))
        models = tuple(Model(id=-1 - at, profile=number) for at in range(len(poses)))
        if poses:
            changed[unit_id] = replace(unit, models=models, poses=poses, place="table")
    return replace(state, profiles=(*state.profiles, profile), units=tuple(changed))


def sheltered(state: State, side: int) -> tuple[Unit, ...]:
    """Enemies of a side that are inside buildings with ports."""
    return tuple(
        unit
        for unit in state.units
        if unit.place == "garrison" and unit.side != side and unit.models
        if piece_of(state, unit.inside).ports
    )


def port_tables(state: State, unit: Unit) -> Iterator[tuple[State, tuple[int, ...] | None]]:
    """The table as a unit sees it where one of the two looks through ports, and the only enemies it shows (or all).

    Once for enemies in the open where the unit itself is inside a building, and once for each enemy inside another.
    """
    inside = unit.place == "garrison"
    if inside and not piece_of(state, unit.inside).ports:
        return
    own = (unit.id,) if inside else ()
    if inside:
        yield in_ports(state, *own), None
    for enemy in sheltered(state, unit.side):
        if not inside or enemy.inside != unit.inside:
            yield in_ports(state, *own, enemy.id), (enemy.id,)


def gap_to(shapes: Shapes, at: int, hull: Shapes) -> float:
    """Inches between one footprint of a set and a hull."""
    found = set_gap(shapes.span(at, at + 1), hull.span(), math.inf, False)
    return max(float(found[0]), 0.0)
