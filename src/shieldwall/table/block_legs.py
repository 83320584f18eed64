"""The legs of a march, read once: as numbers for the kernels and as facts about their form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.state import Pose
from shieldwall.geometry.arrays import Ints
from shieldwall.table.formations import FULL_TURN, heading_vector


class LegPlan(NamedTuple):
    """A march as read: `flat` holds turn, right and ahead of every leg; `kinds` those that are not 0."""

    flat: Ints
    kinds: list[LegKind]
    turns: list[int]
    is_forward: bool
    is_malformed: bool


def read_legs(legs: tuple[Leg, ...], as_one_shift: bool) -> LegPlan:
    """Read a march; `as_one_shift` joins all straight legs into a single one in any direction."""
    flat: list[int] = []
    kinds: list[LegKind] = []
    turns: list[int] = []
    is_forward, is_malformed = True, False
    for leg in legs:
        kind, amount = leg.kind, leg.amount
        if not amount:
            continue
        if kind not in kinds:
            kinds.append(kind)
        if kind == "forward":
            flat += (0, 0, amount)
        elif kind == "pivot":
            flat += (amount, 0, 0)
            turns.append(amount)
        elif kind == "side":
            flat += (0, amount, 0)
            is_forward = False
        else:
            flat += (0, 0, -amount)
            is_forward = False
        if amount < 0 and kind in ("forward", "back"):
            is_malformed = True
    if as_one_shift:
        flat = [0, sum(flat[1::3]), sum(flat[2::3]), sum(flat[0::3]), 0, 0]
    return LegPlan(np.array(flat, np.int64), kinds, turns, is_forward, is_malformed)


def end_of(pose: Pose, legs: tuple[Leg, ...]) -> Pose:
    """Where legs lead, whatever is in the way."""
    x, y, heading = float(pose.x), float(pose.y), pose.heading
    for turn, right, ahead in read_legs(legs, False).flat.reshape(-1, 3).tolist():
        heading = (heading + turn) % FULL_TURN
        sine, cosine = heading_vector(heading)
        x, y = x + right * cosine + ahead * sine, y + ahead * cosine - right * sine
    return Pose(round(x), round(y), heading)
