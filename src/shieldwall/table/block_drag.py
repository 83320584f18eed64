"""What a person means who drags a block: the legal march that ends nearest to a wanted place and facing.

Marches of every allowed form are aimed at the wanted pose, shortened where something stands in the way, and
the nearest legal end wins. Nothing here is asked by the rules; it only proposes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.geometry.march_search import longest_leg
from shieldwall.table.block_legs import read_legs
from shieldwall.table.block_moves import QUARTERS, MarchResult, check_march
from shieldwall.table.formations import block_pose, heading_vector
from shieldwall.table.march_limits import MarchLimits, march_from, unit_of
from shieldwall.table.scene import scene_of

FULL_TURN = 360 * CENTI
DEGREES_PER_INCH = 45.0  # how wrong a facing is as bad as an inch of distance
TURN_STEP = 1500
SHARES = 8  # how finely the first leg is tried


class _Drag(NamedTuple):
    """Who is dragged, and within which limits."""

    state: State
    unit: Unit
    limits: MarchLimits


def solve_drag(state: State, unit_id: int, limits: MarchLimits, wanted: Pose) -> MarchResult:
    """The legal march that ends nearest to a wanted centre and heading; standing still where none is
    better.
    """
    unit = unit_of(state, unit_id)
    drag = _Drag(state, unit, limits)
    aims = _shifts(drag, wanted) if limits.any_direction else _marches(drag, wanted)
    ranked = sorted(
        {legs: _off(_end(block_pose(unit), legs), wanted) for legs in aims}.items(),
        key=lambda item: (round(item[1], 6), len(item[0]), [(leg.kind, leg.amount) for leg in item[0]]),
    )
    for legs, _ in ranked:
        result = check_march(state, unit_id, legs, limits)
        if result.is_legal:
            return result
    return check_march(state, unit_id, (), limits)


def _off(pose: Pose, wanted: Pose) -> float:
    """How far a pose misses the wanted one: inches, and degrees turned into inches."""
    turn = abs(_wrap(wanted.heading - pose.heading)) / CENTI
    return math.hypot(wanted.x - pose.x, wanted.y - pose.y) / MILLI + turn / DEGREES_PER_INCH


def _wrap(turn: int) -> int:
    """A turn between minus and plus half a circle."""
    return (turn + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2


def _end(pose: Pose, legs: tuple[Leg, ...]) -> Pose:
    """Where legs lead, obstacles or not."""
    x, y, heading = float(pose.x), float(pose.y), pose.heading
    for turn, right, ahead in read_legs(legs, False).flat.reshape(-1, 3).tolist():
        heading = (heading + turn) % FULL_TURN
        sine, cosine = heading_vector(heading)
        x, y = x + right * cosine + ahead * sine, y + ahead * cosine - right * sine
    return Pose(round(x), round(y), heading)


def _offset(pose: Pose, wanted: Pose) -> tuple[float, float]:
    """The way to the wanted centre as thousandths to the right and ahead."""
    sine, cosine = heading_vector(pose.heading)
    dx, dy = wanted.x - pose.x, wanted.y - pose.y
    return dx * cosine - dy * sine, dx * sine + dy * cosine


def _turns(pose: Pose, limits: MarchLimits, wanted: Pose) -> list[int]:
    """Turns worth trying: none, the wanted one, towards the wanted place, and a fan of others."""
    if "pivot" not in limits.kinds:
        return [0]
    right, ahead = _offset(pose, wanted)
    bearing = round(math.degrees(math.atan2(right, ahead)) * CENTI) if right or ahead else 0
    turns = [
        0,
        _wrap(wanted.heading - pose.heading),
        bearing,
        *range(-FULL_TURN // 2, FULL_TURN // 2, TURN_STEP),
    ]
    return sorted({min(max(turn, -limits.pivot_limit), limits.pivot_limit) for turn in turns})


def _marches(drag: _Drag, wanted: Pose) -> Iterator[tuple[Leg, ...]]:
    """Marches of every allowed form, aimed at the wanted pose and shortened to what is free."""
    limits = drag.limits
    pose = block_pose(drag.unit)
    right, ahead = _offset(pose, wanted)
    turns = _turns(pose, limits, wanted)
    yield ()
    yield from ((Leg("pivot", turn),) for turn in turns if turn)
    if "forward" in limits.kinds:
        for turn in turns:
            yield from _forward(drag, turn, (right, ahead))
    for kind, amount in (("side", right), ("back", -ahead)):
        if kind in limits.kinds and limits.half_allowance > 0:
            leg = _shortened(drag, (), kind, round(amount))
            for turn in turns:
                yield tuple(one for one in (leg, Leg("pivot", turn)) if one.amount)


def _forward(drag: _Drag, turn: int, to: tuple[float, float]) -> Iterator[tuple[Leg, ...]]:
    """Forward, a turn and forward again, for several lengths of the first leg."""
    limits = drag.limits
    right, ahead = to
    sine, cosine = heading_vector(turn)
    exact = ahead - right * cosine / sine if abs(sine) > 0.001 else ahead
    lengths = {round(limits.allowance * share / SHARES) for share in range(SHARES + 1)}
    for first in sorted(lengths | {round(min(max(exact, 0.0), limits.allowance))}):
        leg = _shortened(drag, (), "forward", first)
        before = tuple(one for one in (leg, Leg("pivot", turn)) if one.amount)
        yield before
        second = round(right * sine + (ahead - leg.amount) * cosine)
        if turn and second > 0:
            last = _shortened(drag, before, "forward", second)
            yield (*before, last) if last.amount else before


def _shortened(drag: _Drag, before: tuple[Leg, ...], kind: LegKind, amount: int) -> Leg:
    """A leg of the wanted length, or as far as it can go after the legs before it."""
    if amount <= 0 and kind != "side":
        return Leg(kind, 0)
    state, unit, limits = drag
    march = march_from(state, unit, block_pose(unit), limits)
    quarter = 3 if amount < 0 else QUARTERS[kind]
    legs = np.concatenate([read_legs(before, False).flat, np.zeros(3, dtype=np.int64)])
    run = longest_leg(scene_of(state).flat(limits.climb_max), march, legs, quarter)
    return Leg(kind, max(amount, -run) if amount < 0 else min(amount, run))


def _shifts(drag: _Drag, wanted: Pose) -> Iterator[tuple[Leg, ...]]:
    """One straight shift towards the wanted place, in ever shorter versions, or a turn on the spot."""
    limits = drag.limits
    pose = block_pose(drag.unit)
    right, ahead = _offset(pose, wanted)
    yield ()
    yield from ((Leg("pivot", turn),) for turn in _turns(pose, limits, wanted) if turn)
    far = math.hypot(right, ahead)
    whole = min(1.0, limits.allowance / far) if far else 0.0
    for part in range(64, 0, -1):
        across, along = (math.trunc(length * whole * part / 64) for length in (right, ahead))
        legs = (Leg("side", across), Leg("forward", along) if along > 0 else Leg("back", -along))
        yield tuple(leg for leg in legs if leg.amount)
