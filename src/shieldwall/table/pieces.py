"""The terrain of a table as flat arrays, made once for as long as the table has the same pieces."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from shieldwall.core.state import Piece, shared_facts
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.table.shapes import polygon_of
from shieldwall.table.terrain import (
    BLOCKING,
    GAP,
    ROOF,
    SEE_INTO,
    is_dangerous,
    is_decorative,
    is_impassable,
    standing_height,
)


class PieceArrays:
    """Outlines of all pieces in inches, and which of them matter for what. Frozen by convention.

    `impassable`: no base stands there. `shut`: impassable, or a solid thing that blocks sight. `unpleasant`:
    anything that is not simply walked on, such as impassable ground, heights, gaps and danger.
    """

    __slots__ = ("circles", "impassable", "pieces", "points", "shut", "start", "unpleasant")

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        outlines = [polygon_of(piece) for piece in pieces]
        self.pieces = pieces
        self.points: Floats = np.concatenate(outlines) if outlines else np.zeros((0, 2))
        self.start: Ints = np.cumsum([0] + [len(outline) for outline in outlines], dtype=np.int64)
        self.circles: Floats = np.zeros((len(outlines), 3))
        for row, outline in zip(self.circles, outlines, strict=True):
            row[:2] = (outline.min(axis=0) + outline.max(axis=0)) / 2
            row[2] = math.sqrt(float(((outline - row[:2]) ** 2).sum(axis=1).max()))
        self.impassable = _flags(pieces, is_impassable)
        self.shut = _flags(pieces, _is_shut)
        self.unpleasant = _flags(pieces, _is_unpleasant)


def arrays_of(pieces: tuple[Piece, ...]) -> PieceArrays:
    """The arrays of these very pieces, remembered."""
    facts = shared_facts(pieces)
    known: PieceArrays | None = facts.get("arrays")
    if known is None:
        known = facts["arrays"] = PieceArrays(pieces)
    return known


def _flags(pieces: tuple[Piece, ...], test: Callable[[Piece], bool]) -> Ints:
    return np.array([test(piece) for piece in pieces], dtype=np.int64)


def _is_shut(piece: Piece) -> bool:
    is_block = BLOCKING in piece.types and not {SEE_INTO, ROOF} & set(piece.conditions)
    return is_impassable(piece) or (is_block and not is_decorative(piece))


def _is_unpleasant(piece: Piece) -> bool:
    if is_decorative(piece):
        return False
    return (
        is_impassable(piece) or standing_height(piece) > 0 or GAP in piece.conditions or is_dangerous(piece)
    )
