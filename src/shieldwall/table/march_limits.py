"""What a march of a block may do, and the block that marches, as compiled functions take them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import LegKind
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.march import (
    CLIMB_FREE,
    NUMBERS,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    SPACING,
    MarchBudget,
    Marcher,
    Mover,
)
from shieldwall.table.formations import block_pose, formation_of
from shieldwall.table.scene import scene_of


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


def budget_of(limits: MarchLimits) -> MarchBudget:
    """What a march may spend, remembered by the limits."""
    known: MarchBudget | None = limits.__dict__.get("budget")
    if known is None:
        whole, half, cap = limits.allowance, limits.half_allowance, limits.difficult_cap
        known = limits.__dict__["budget"] = MarchBudget(whole / MILLI, half / MILLI, cap / MILLI)
    return known


def spending_of(limits: MarchLimits) -> tuple[MarchBudget, int]:
    """What a bot's march may spend, remembered by the limits: inches, and hundredths of a degree."""
    known: tuple[MarchBudget, int] | None = limits.__dict__.get("spending")
    if known is None:
        budget = budget_of(limits)
        if "back" not in limits.kinds or "side" not in limits.kinds:
            budget = budget._replace(half=0.0)
        turn = limits.pivot_limit if "pivot" in limits.kinds and not limits.pivot_or_move else 0
        known = limits.__dict__["spending"] = (budget, turn)
    return known


def march_from(
    state: State, unit: Unit, pose: Pose, limits: MarchLimits, budget: MarchBudget | None = None
) -> Marcher:
    """A block about to march from a pose."""
    spent = budget or budget_of(limits)
    return Marcher(mover_of(state, unit), numbers_of(limits), spent, pose.x, pose.y, pose.heading)


def mover_of(state: State, unit: Unit) -> Mover:
    """A block as compiled functions move it about."""
    formation = formation_of(unit, state.profiles)
    return Mover(formation.rects, formation.bases, scene_of(state).row_of[unit.id], formation.reach)


def unit_of(state: State, unit_id: int) -> Unit:
    """The unit with this id, which must be a block on the table."""
    scene = scene_of(state)
    row = scene.row_of.get(unit_id)
    if row is None:
        raise ValueError(f"unit {unit_id} is not on the table")
    unit = scene.units[row]
    block_pose(unit)
    return unit
