"""The table as compiled functions take it: everybody's footprints and all terrain, as one argument."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.geometry.arrays import IntMatrix, Matrix

# Columns of a row of terrain: bounding circle, top above the table, height on which models stand, depth of a gap,
# flags, first vertex, number of vertices.
PIECE_X, PIECE_Y, PIECE_REACH, TOP, STANDING, DEPTH, FLAGS, PIECE_FIRST, PIECE_COUNT = range(9)
TERRAIN_COLUMNS = 9

# What a piece is and does. These numbers are used wherever terrain is looked at: moving, placing, sight and cover.
IS_PIECE = 1 << 0  # sight lists units and pieces together; this tells them apart
LISTED = 1 << 1  # everything that is not mere decoration
SOLID = 1 << 2  # models stand on top of it, never inside
GAP = 1 << 3
IMPASSABLE = 1 << 4  # by its own type, however low it is
BARRED = 1 << 5  # impassable, or too tall or too wide for whoever walks without climbing
DIFFICULT = 1 << 6
UPHILL = 1 << 7  # difficult for those who walk up onto it
SLOPE = 1 << 8  # has no ledge from which a base could hang
GENTLE = 1 << 9  # solid, and so soft or low that a base may stand partly on it
STOPS_SIGHT = 1 << 10
SEE_THROUGH_EDGE = 1 << 11
GIVES_COVER = 1 << 12
IS_HILL = 1 << 13


class Bodies(NamedTuple):
    """Everybody on the table: footprints, which of them are whose, and a circle round each unit."""

    points: Matrix
    rows: Matrix
    bounds: IntMatrix
    circles: Matrix


class FlatTerrain(NamedTuple):
    """All pieces: their outlines one after the other, counter-clockwise, and a row for each."""

    points: Matrix
    rows: Matrix


class FlatScene(NamedTuple):
    """The table now, in inches."""

    bodies: Bodies
    terrain: FlatTerrain
    width: float
    depth: float
