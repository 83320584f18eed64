"""Facts about the terrain of a table, computed once as long as its pieces stay the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from shieldwall.core.state import MILLI, Piece, shared_facts
from shieldwall.geometry.arrays import Ints
from shieldwall.geometry.scene import (
    BARRED,
    DIFFICULT,
    GAP,
    GENTLE,
    GIVES_COVER,
    IMPASSABLE,
    IS_HILL,
    IS_PIECE,
    LISTED,
    SEE_THROUGH_EDGE,
    SLOPE,
    SOLID,
    STOPS_SIGHT,
    TERRAIN_COLUMNS,
    UPHILL,
    FlatTerrain,
)
from shieldwall.table import terrain
from shieldwall.table.outlines import Box, Outline
from shieldwall.table.shapes import polygon_of
from shieldwall.table.terrain import LIMITS, TerrainLimits

GENTLE_UP_TO = 500  # thousandths: models step on rubble this low anywhere, and a base may stand half on it
CLIMB_MAX = LIMITS.elevated_over  # taller pieces cannot be climbed, unless an edition says otherwise


class TerrainFacts:
    """Facts about the pieces of a table. Frozen by convention.

    `impassable`: no base stands there. `shut`: impassable, or solid and blocking sight. `unpleasant`: anything but
    plain ground, such as impassable pieces, heights, gaps and danger.
    """

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self.pieces = pieces
        self._barred: dict[int, FlatTerrain] = {}
        self._dangerous: dict[str, frozenset[int]] = {}

    def flat(self, climb_max: int = CLIMB_MAX) -> FlatTerrain:
        """The pieces as arrays; those taller than `climb_max` thousandths are impassable."""
        known = self._barred.get(climb_max)
        if known is None:
            known = self._barred[climb_max] = _flat(self.pieces, climb_max)
        return known

    @cached_property
    def impassable(self) -> Ints:
        return self._marks(terrain.is_impassable)

    @cached_property
    def shut(self) -> Ints:
        return self._marks(_is_shut)

    @cached_property
    def unpleasant(self) -> Ints:
        return self._marks(_is_unpleasant)

    def _marks(self, test: Callable[[Piece], bool]) -> Ints:
        return np.array([test(piece) for piece in self.pieces], dtype=np.int64)

    @cached_property
    def slows(self) -> bool:
        """Whether any piece slows those who enter or climb it."""
        return any(terrain.is_difficult(piece, uphill=True) for piece in self.pieces)

    @cached_property
    def carriers(self) -> tuple[tuple[int, Box, Outline], ...]:
        """Height, box and outline of the pieces on which models stand, the tallest first."""
        found = [
            (terrain.standing_height(piece), terrain.bounding_box(piece), piece.outline)
            for piece in self.pieces
            if terrain.carries_models(piece)
        ]
        return tuple(sorted(found, key=lambda one: -one[0]))

    def dangerous(self, action: str = "") -> frozenset[int]:
        """Ids of the pieces that are dangerous to models taking this action; no action means standing still."""
        known = self._dangerous.get(action)
        if known is None:
            known = frozenset(piece.id for piece in self.pieces if terrain.is_dangerous(piece, action))
            self._dangerous[action] = known
        return known

    def is_danger_near(self, spots: Iterable[tuple[int, int]], reach: float) -> bool:
        """Whether anything within `reach` thousandths of these spots may touch ground that is always dangerous: a
        quick test. False is certain, true is not.
        """
        for x, y in spots:
            for cx, cy, radius in self._danger_circles:
                dx, dy, bound = x - cx, y - cy, radius + reach
                if dx * dx + dy * dy <= bound * bound:
                    return True
        return False

    @cached_property
    def _danger_circles(self) -> tuple[tuple[float, float, float], ...]:
        return tuple(_circle_round(piece) for piece in self.pieces if piece.id in self.dangerous())


def ground_of(pieces: tuple[Piece, ...]) -> TerrainFacts:
    """The facts about these pieces, cached."""
    facts = shared_facts(pieces)
    known: TerrainFacts | None = facts.get("ground")
    if known is None:
        known = facts["ground"] = TerrainFacts(pieces)
    return known


def _flat(pieces: tuple[Piece, ...], climb_max: int) -> FlatTerrain:
    polygons = [polygon_of(piece) for piece in pieces]
    rows = np.zeros((len(pieces), TERRAIN_COLUMNS))
    first = 0
    for row, piece, polygon in zip(rows, pieces, polygons, strict=True):
        x, y = (polygon.min(axis=0) + polygon.max(axis=0)) / 2
        reach = math.sqrt(float(np.max((polygon[:, 0] - x) ** 2 + (polygon[:, 1] - y) ** 2)))
        standing = 0 if terrain.is_decorative(piece) else terrain.standing_height(piece)
        top, high, depth = piece.height / MILLI, standing / MILLI, piece.depth / MILLI
        row[:] = (x, y, reach, top, high, depth, piece_flags(piece, climb_max), first, len(polygon))
        first += len(polygon)
    return FlatTerrain(np.concatenate(polygons) if polygons else np.zeros((0, 2)), rows)


def piece_flags(piece: Piece, climb_max: int = CLIMB_MAX) -> int:
    """What a piece is and does, as the flags of geometry/scene.py."""
    if terrain.is_decorative(piece):
        return IS_PIECE
    limits = LIMITS if climb_max == CLIMB_MAX else TerrainLimits(elevated_over=climb_max)
    is_sloping = terrain.HILLTOP in piece.conditions or terrain.DIFFICULT_UPHILL in piece.conditions
    found = {
        GAP: terrain.GAP in piece.conditions,
        SOLID: is_solid(piece),
        GENTLE: is_solid(piece) and (is_sloping or piece.height <= GENTLE_UP_TO),
        SLOPE: is_sloping,
        IMPASSABLE: terrain.IMPASSABLE in piece.types,
        BARRED: terrain.is_impassable(piece, limits),
        DIFFICULT: terrain.DIFFICULT in piece.types,
        UPHILL: terrain.DIFFICULT_UPHILL in piece.conditions,
        STOPS_SIGHT: terrain.blocks_sight(piece),
        SEE_THROUGH_EDGE: terrain.SEE_INTO in piece.conditions,
        GIVES_COVER: terrain.gives_cover(piece),
        IS_HILL: terrain.HILLTOP in piece.conditions,
    }
    return IS_PIECE | LISTED | sum(flag for flag, is_set in found.items() if is_set)


def is_solid(piece: Piece) -> bool:
    """Whether models stand on top of the piece and never inside it."""
    return terrain.carries_models(piece) and terrain.standing_height(piece) > 0


def _is_shut(piece: Piece) -> bool:
    is_block = terrain.BLOCKING in piece.types and not {terrain.SEE_INTO, terrain.ROOF} & set(
        piece.conditions
    )
    return terrain.is_impassable(piece) or (is_block and not terrain.is_decorative(piece))


def _is_unpleasant(piece: Piece) -> bool:
    if terrain.is_decorative(piece):
        return False
    return (
        terrain.is_impassable(piece)
        or terrain.standing_height(piece) > 0
        or terrain.GAP in piece.conditions
        or terrain.is_dangerous(piece)
    )


def _circle_round(piece: Piece) -> tuple[float, float, float]:
    left, near, right, far = terrain.bounding_box(piece)
    x, y = (left + right) / 2, (near + far) / 2
    return x, y, max(math.hypot(px - x, py - y) for px, py in piece.outline)
