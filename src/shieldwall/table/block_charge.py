"""Charges of ranked blocks: which enemies can be reached, on which side, by which way.

A charge goes forward, turns at most once and goes forward again until the front meets the target. Line of sight is
not checked here. The charges found are exact, but they are searched on a grid, so a path through a very narrow gap
between obstacles can be missed.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from shieldwall.core.answers import Leg
from shieldwall.core.state import MILLI, State
from shieldwall.geometry.arrays import Ints
from shieldwall.geometry.distance import is_enemy_near
from shieldwall.geometry.march import standing_at
from shieldwall.geometry.march_search import OPTION, ChargeTerms, find_charges, sides_faced
from shieldwall.geometry.tolerance import GLANCE
from shieldwall.table.arcs import ARCS, Arc
from shieldwall.table.block_moves import MarchLimits, block_on, march_from, mover_of
from shieldwall.table.formations import formation_of
from shieldwall.table.scene import scene_of


class ChargeOption(Struct, frozen=True):
    """A way to charge a unit: which side is met, the legs, and the thousandths they use, climbing included.

    `proper` is the side in whose arc the charger stood; it differs from `side` where it could not be reached.
    """

    target: int
    side: Arc
    legs: tuple[Leg, ...]
    used: int
    proper: Arc


def charge_reach(state: State, unit_id: int, limits: MarchLimits) -> tuple[ChargeOption, ...]:
    """Every enemy that the unit can charge, in the order of the state's units.

    `limits` are those of the charge without a target; enemies further away than its allowance never count.
    """
    scene = scene_of(state)
    row = scene.row_of.get(unit_id, -1)
    reach = limits.allowance / MILLI + GLANCE
    if row >= 0 and not is_enemy_near(scene.circles, scene.sides, row, reach):
        return ()  # the usual case
    answers = np.zeros((len(scene.units), OPTION), dtype=np.int64)
    count = _search(state, unit_id, limits, -1, -1, answers)
    return tuple([_option(state, row) for row in answers[:count].tolist()]) if count else ()


def charge_to(
    state: State, unit_id: int, target_id: int, limits: MarchLimits, side: Arc | None = None
) -> ChargeOption | None:
    """A way to charge one enemy, None if there is none; `side` asks for that side instead of the proper one."""
    row = scene_of(state).row_of.get(target_id, -1)
    if row < 0:
        return None
    wanted = ARCS.index(side) if side is not None else -1
    answers = np.zeros((1, OPTION), dtype=np.int64)
    if not _search(state, unit_id, limits, row, wanted, answers):
        return None
    return _option(state, answers[0].tolist())


def charged_sides(state: State, unit_id: int, target_id: int) -> tuple[Arc, ...]:
    """The sides of the target that may be charged: one, or several where the front row is split evenly.

    The side of the middle of the charger's front edge breaks a tie where it is among them (R35-MELEE-09).
    """
    scene = scene_of(state)
    unit, pose = block_on(scene, unit_id)
    counts = np.zeros(len(ARCS), dtype=np.int64)
    here = standing_at(pose.x / MILLI, pose.y / MILLI, pose.heading)
    row, leaders = scene.row_of[target_id], formation_of(unit, state.profiles).leaders
    middle = sides_faced(scene.flat(), mover_of(scene, unit), row, here, leaders, counts)
    tied = tuple(arc for arc, count in zip(ARCS, counts.tolist(), strict=True) if count == counts.max())
    return (ARCS[middle],) if ARCS[middle] in tied else tied


def _search(state: State, unit_id: int, limits: MarchLimits, only: int, wanted: int, answers: Ints) -> int:
    """Run the search and return how many rows of `answers` it filled."""
    scene = scene_of(state)
    unit, pose = block_on(scene, unit_id)
    turn = limits.pivot_limit if "pivot" in limits.kinds else 0
    terms = ChargeTerms(formation_of(unit, state.profiles).leaders, wanted, turn)
    march = march_from(scene, unit, pose, limits)
    return find_charges(scene.flat(limits.climb_max), march, terms, scene.sides, only, answers)


def _option(state: State, row: list[int]) -> ChargeOption:
    """One row of answers as an option."""
    other, side, first, turn, second, proper, used = row
    way = (Leg("forward", first), Leg("pivot", turn), Leg("forward", second))
    legs = tuple(leg for leg in way if leg.amount)
    return ChargeOption(scene_of(state).unit_ids[other], ARCS[side], legs, used, ARCS[proper])
