"""What the kernels of block moves need to know, gathered once: limits as numbers, the board, the mover.

Boards are remembered by the field, numbers by the limits, so that asking again costs next to nothing.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import LegKind
from shieldwall.core.state import MILLI, Piece, State, Unit, shared_facts
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.march import (
    CLIMB_FREE,
    DIFFICULT,
    GAP,
    IMPASSABLE,
    NUMBERS,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    PIECE_COLUMNS,
    SLOPE,
    SPACING,
    UPHILL,
    Board,
    Mover,
)
from shieldwall.table.field import field_of
from shieldwall.table.formations import block_pose, formation_of
from shieldwall.table.shapes import polygon_of
from shieldwall.table.terrain import (
    DECORATIVE,
    DIFFICULT_UPHILL,
    HILLTOP,
    TerrainLimits,
    is_difficult,
    is_impassable,
    standing_height,
)
from shieldwall.table.terrain import GAP as GAP_CONDITION

NOWHERE = -1e6  # the reach of a piece that nobody ever meets


class MarchLimits(Struct, frozen=True, dict=True):
    """What an edition and special rules allow one march, in thousandths of an inch and hundredths of a
    degree.

    `kinds` are the legs that may be used; `may_mix` allows forward, sideways and backward in one march.
    `any_direction` reads all straight legs as one straight shift, `pivot_or_move` forbids turning as well.
    `spacing` 0 is for charges; `target` is the unit that a charge must end in contact with.
    """

    action: str
    allowance: int
    half_allowance: int = 0
    pivot_limit: int = 0
    spacing: int = 1000
    ignores_units: bool = False
    ignores_terrain: bool = False
    ignores_difficult: bool = False
    difficult_cap: int = 6000
    climb_free: int = 1000
    climb_max: int = 3000
    kinds: tuple[LegKind, ...] = ("forward", "pivot")
    may_mix: bool = False
    any_direction: bool = False
    pivot_or_move: bool = False
    target: int = -1


def numbers_of(limits: MarchLimits) -> Floats:
    """The part of the limits that the kernels read, remembered by the limits."""
    known: Floats | None = limits.__dict__.get("numbers")
    if known is None:
        known = np.zeros(NUMBERS)
        known[SPACING] = limits.spacing / MILLI
        known[CLIMB_FREE] = limits.climb_free / MILLI
        known[PASSES_UNITS] = limits.ignores_units
        known[PASSES_TERRAIN] = limits.ignores_terrain
        known[PASSES_DIFFICULT] = limits.ignores_difficult
        limits.__dict__["numbers"] = known
    return known


def spending_of(limits: MarchLimits) -> tuple[float, float, float, int]:
    """What a bot's march may spend, remembered by the limits: inches in all, sideways or back, and once slowed; and
    hundredths of a degree.
    """
    known: tuple[float, float, float, int] | None = limits.__dict__.get("spending")
    if known is None:
        half = limits.half_allowance if "back" in limits.kinds and "side" in limits.kinds else 0
        turn = limits.pivot_limit if "pivot" in limits.kinds and not limits.pivot_or_move else 0
        known = (limits.allowance / MILLI, half / MILLI, limits.difficult_cap / MILLI, turn)
        limits.__dict__["spending"] = known
    return known


def board_of(state: State, climb_max: int) -> Board:
    """The table as a block meets it, remembered by its field; what is taller than `climb_max` stops it."""
    field = field_of(state)
    board: Board | None = field.memory.get(climb_max)
    if board is None:
        ground, pieces = _ground_of(field.pieces, climb_max)
        outline = field.outline
        board = Board(
            outline.points, outline.rows, field.outline_bounds, field.circles, ground, pieces,
            field.width, field.depth,
        )  # fmt: skip
        field.memory[climb_max] = board
    return board


def mover_of(state: State, unit: Unit) -> Mover:
    """A block as the kernels move it about."""
    formation = formation_of(unit, state.profiles)
    return Mover(formation.rects, formation.bases, field_of(state).row_of[unit.id], formation.reach)


def unit_of(state: State, unit_id: int) -> Unit:
    """The unit with this id, which must be a block on the table."""
    field = field_of(state)
    row = field.row_of.get(unit_id)
    if row is None:
        raise ValueError(f"unit {unit_id} is not on the table")
    unit = field.units[row]
    block_pose(unit)
    return unit


def _ground_of(pieces: tuple[Piece, ...], climb_max: int) -> tuple[Floats, Floats]:
    """All outlines one after the other, and one row for each piece; decorations act on nobody."""
    facts = shared_facts(pieces)
    known: tuple[Floats, Floats] | None = facts.get(("block ground", climb_max))
    if known is None:
        polygons = [polygon_of(piece) for piece in pieces]
        rows = np.zeros((len(pieces), PIECE_COLUMNS))
        first = 0
        for row, piece, polygon in zip(rows, pieces, polygons, strict=True):
            x, y = (polygon.min(axis=0) + polygon.max(axis=0)) / 2
            reach = math.sqrt(float(np.max((polygon[:, 0] - x) ** 2 + (polygon[:, 1] - y) ** 2)))
            acts = DECORATIVE not in piece.conditions
            height = standing_height(piece) / MILLI if acts else 0.0
            row[:] = (
                x,
                y,
                reach if acts else NOWHERE,
                _flags(piece, climb_max),
                height,
                first,
                len(polygon),
            )
            first += len(polygon)
        ground = np.concatenate(polygons) if polygons else np.zeros((0, 2))
        known = facts["block ground", climb_max] = (ground, rows)
    return known


def _flags(piece: Piece, climb_max: int) -> int:
    """What a piece does to those who march over it."""
    flags = IMPASSABLE if is_impassable(piece, TerrainLimits(elevated_over=climb_max)) else 0
    flags |= DIFFICULT if is_difficult(piece) else 0
    flags |= UPHILL if DIFFICULT_UPHILL in piece.conditions else 0
    flags |= GAP if GAP_CONDITION in piece.conditions else 0
    is_gentle = DIFFICULT_UPHILL in piece.conditions or HILLTOP in piece.conditions
    return flags | (SLOPE if is_gentle else 0)
