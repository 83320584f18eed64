"""What a march of a block may do, and the block that marches, as compiled functions take them."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import LegKind
from shieldwall.core.state import MILLI, Cached, Pose, Unit
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
from shieldwall.table.scene import Scene


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

    @Cached
    def numbers(self) -> Floats:
        """The part of the limits that compiled functions read."""
        numbers = np.zeros(NUMBERS)
        numbers[SPACING] = self.spacing / MILLI
        numbers[CLIMB_FREE] = self.climb_free / MILLI
        numbers[PASSES_UNITS] = self.ignores_units
        numbers[PASSES_TERRAIN] = self.ignores_terrain
        numbers[PASSES_DIFFICULT] = self.ignores_difficult
        return numbers

    @Cached
    def budget(self) -> MarchBudget:
        """What a march may spend."""
        return MarchBudget(self.allowance / MILLI, self.half_allowance / MILLI, self.difficult_cap / MILLI)

    @Cached
    def spending(self) -> tuple[MarchBudget, int]:
        """What a bot's march may spend: inches, and hundredths of a degree."""
        is_free = "back" in self.kinds and "side" in self.kinds
        turn = self.pivot_limit if "pivot" in self.kinds and not self.pivot_or_move else 0
        return self.budget if is_free else self.budget._replace(half=0.0), turn


def march_from(
    scene: Scene, unit: Unit, pose: Pose, limits: MarchLimits, budget: MarchBudget | None = None
) -> Marcher:
    """A block about to march from a pose."""
    spent = budget or limits.budget
    return Marcher(mover_of(scene, unit), limits.numbers, spent, pose.x, pose.y, pose.heading)


def mover_of(scene: Scene, unit: Unit) -> Mover:
    """A block as compiled functions move it about."""
    formation = formation_of(unit, scene.profiles)
    return Mover(formation.rects, formation.bases, scene.row_of[unit.id], formation.reach)


def block_on(scene: Scene, unit_id: int) -> tuple[Unit, Pose]:
    """The unit with this id, which must be a block on the table, and where it stands."""
    row = scene.row_of.get(unit_id)
    if row is None:
        raise ValueError(f"unit {unit_id} is not on the table")
    unit = scene.units[row]
    return unit, block_pose(unit)
