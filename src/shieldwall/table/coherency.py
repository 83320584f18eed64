"""Unit coherency: whether the models of a loose unit stand close enough together.

The limits arrive as data. "chain" requires one unbroken chain of links; "letter" only requires each model to have
some mate within the link distance. Distances are measured in space, base to base.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from msgspec import Struct

from shieldwall.core.state import Profile, Unit
from shieldwall.geometry.distance import REACH
from shieldwall.geometry.sweep import (
    CODE,
    FAULT_COLUMNS,
    LIMIT,
    SPLIT,
    SPREAD_OUT,
    SUBJECT,
    UNLINKED,
    VALUE,
    WHO,
    coherency_faults,
    regroup_need,
)
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import Shapes


class Coherency(Struct, frozen=True):
    """How close together models must stay, in inches.

    Where not even touching bases can meet `spread`, the tightest packing plus `slack` is enough.
    """

    link: float = 1.0
    spread: float = 6.0
    shape: Literal["chain", "letter"] = "chain"
    slack: float = 2.0


def check_coherency(
    shapes: Shapes, rule: Coherency, names: Sequence[str] | None = None, unit: str = "The unit"
) -> tuple[TableReason, ...]:
    """Every way in which footprints fail to be coherent; none for a single model."""
    faults = np.empty((2 * len(shapes) + 4, FAULT_COLUMNS))
    spread = spread_limit(shapes, rule)
    made = coherency_faults(shapes.points, shapes.rows, rule.link, spread, rule.shape == "chain", faults, 0)
    called = names or [f"model {index + 1}" for index in range(len(shapes))]
    return tuple(coherency_reason(fault, called, unit) for fault in faults[:made].tolist())


def is_coherent(unit: Unit, profiles: tuple[Profile, ...], rule: Coherency) -> bool:
    """Whether a unit is coherent where it stands, so that it need not regroup; cached on its footprints."""
    return len(unit.models) == 1 or unit_shapes(unit, profiles).remembers(rule, how_far_apart) == 0.0


def how_far_apart(shapes: Shapes, rule: Coherency) -> float:
    """How far a unit is from being coherent, in inches: the longest missing link plus the excess spread."""
    spread = spread_limit(shapes, rule)
    return float(regroup_need(shapes.points, shapes.rows, rule.link, spread, rule.shape == "chain"))


def coherency_reason(fault: list[float], names: Sequence[str], unit: str) -> TableReason:
    """A fault of the kernels in words."""
    who, code = int(fault[WHO]), int(fault[CODE])
    value, limit = fault[VALUE], fault[LIMIT]
    if code == UNLINKED:
        near = f"{value:.2f} inches from the nearest other model; the maximum is {limit:g}"
        return TableReason(
            f"{unit} would be out of coherency: {names[who]} would be {near}", "coherency.link"
        )
    if code == SPLIT:
        rest = int(fault[SUBJECT])
        apart = f"{rest} of them {value:.2f} inches from the rest; the maximum is {limit:g}"
        return TableReason(f"{unit} would split into groups, {apart}", "coherency.chain")
    if code == SPREAD_OUT:
        pair = f"{names[who]} and {names[int(fault[SUBJECT])]}"
        text = f"{unit} would be spread over {value:.2f} inches, between {pair}; the maximum is {limit:g}"
        return TableReason(text, "coherency.spread")
    raise ValueError(f"fault {code} is not about coherency")


def spread_limit(shapes: Shapes, rule: Coherency) -> float:
    """How far apart two models may be: the rule's own limit, or the least that so many bases need."""
    count = len(shapes)
    if count < 8:
        return rule.spread  # seven bases in a ring round one another always fit
    widest = float(np.max(shapes.rows[:, REACH]))
    tight = tightest_spread(count, widest)
    return rule.spread if tight <= rule.spread else tight + rule.slack


_tightest: dict[tuple[int, float], float] = {}


def tightest_spread(count: int, reach: float) -> float:
    """The largest gap between two of `count` touching round bases of this radius, packed in a honeycomb."""
    known = _tightest.get((count, reach))
    if known is None:
        known = _tightest[count, reach] = _packed(count, reach)
    return known


def _packed(count: int, reach: float) -> float:
    spots = honeycomb(count, 2 * reach)
    widest = max(math.dist(a, b) for a in spots for b in spots) if count > 1 else 0.0
    return max(widest - 2 * reach, 0.0)


@lru_cache(maxsize=512)
def honeycomb(count: int, step: float) -> tuple[tuple[float, float], ...]:
    """The `count` points of a triangular grid that lie nearest to its origin, the nearest first."""
    rings = 1
    while 1 + 3 * rings * (rings + 1) < count:
        rings += 1
    spots = [
        (step * (column + row / 2), step * row * math.sqrt(3) / 2)
        for row in range(-rings - 1, rings + 2)
        for column in range(-rings - 1 - max(row, 0), rings + 2 - min(row, 0))
    ]
    spots.sort(key=lambda spot: (round(math.hypot(*spot), 6), round(math.atan2(spot[1], spot[0]), 6)))
    return tuple(spots[:count])
