"""What dragging a block means: the legal march that ends nearest to a wanted place and facing.

Marches of every allowed form are aimed at the wanted pose, shortened where something stands in the way, and the one
that ends nearest wins. That takes up to a tenth of a second, so only a few are tried while the pointer moves. The
rules never use this module; it only makes proposals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.geometry.march_search import longest_leg
from shieldwall.table.block_moves import (
    QUARTERS,
    MarchLimits,
    MarchResult,
    block_on,
    check_march,
    end_of,
    march_from,
    read_legs,
)
from shieldwall.table.formations import FULL_TURN, block_pose, heading_vector
from shieldwall.table.scene import scene_of

DEGREES_PER_INCH = 45.0  # a facing this far off is as bad as an inch of distance
TURN_STEP = 1500
SHARES = 8  # how finely the first leg is tried
CHECKS = 7  # marches judged for one position of the pointer
HALVINGS = 6  # of a march that something bars: a sixty-fourth of 18 inches is a quarter of an inch
SHORTER = (0.85, 0.65, 0.45, 0.25, 0.1)
NEARLY = 50  # thousandths

Legs = tuple[Leg, ...]


class _Drag(NamedTuple):
    """Who is dragged, and within which limits."""

    state: State
    unit: Unit
    limits: MarchLimits


def solve_drag(state: State, unit_id: int, limits: MarchLimits, wanted: Pose) -> MarchResult:
    """The legal march that ends nearest to a wanted centre and heading; no march if none is better."""
    unit, pose = block_on(scene_of(state), unit_id)
    drag = _Drag(state, unit, limits)
    aims = _shortened_shifts(drag, wanted) if limits.any_direction else _marches(drag, wanted)
    ranked = sorted(
        {legs: _off(end_of(pose, legs), wanted) for legs in aims}.items(),
        key=lambda item: (round(item[1], 6), len(item[0]), [(leg.kind, leg.amount) for leg in item[0]]),
    )
    for legs, _ in ranked:
        result = check_march(state, unit_id, legs, limits)
        if result.is_legal:
            return result
    return check_march(state, unit_id, (), limits)


def _off(pose: Pose, wanted: Pose) -> float:
    """How far a pose misses the wanted one: inches, and degrees turned into inches."""
    turn = abs(wrapped(wanted.heading - pose.heading)) / CENTI
    return math.hypot(wanted.x - pose.x, wanted.y - pose.y) / MILLI + turn / DEGREES_PER_INCH


def wrapped(turn: int) -> int:
    """A turn between minus and plus half a circle."""
    return (turn + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2


def offset(pose: Pose, wanted: Pose) -> tuple[float, float]:
    """The distance to the wanted centre in thousandths to the right and ahead."""
    sine, cosine = heading_vector(pose.heading)
    dx, dy = wanted.x - pose.x, wanted.y - pose.y
    return dx * cosine - dy * sine, dx * sine + dy * cosine


def _turns(pose: Pose, limits: MarchLimits, wanted: Pose) -> list[int]:
    """Turns worth trying: none, the wanted one, towards the wanted place, and a fan of others."""
    if "pivot" not in limits.kinds:
        return [0]
    right, ahead = offset(pose, wanted)
    bearing = round(math.degrees(math.atan2(right, ahead)) * CENTI) if right or ahead else 0
    turns = [
        0,
        wrapped(wanted.heading - pose.heading),
        bearing,
        *range(-FULL_TURN // 2, FULL_TURN // 2, TURN_STEP),
    ]
    return sorted({min(max(turn, -limits.pivot_limit), limits.pivot_limit) for turn in turns})


def _marches(drag: _Drag, wanted: Pose) -> Iterator[tuple[Leg, ...]]:
    """Marches of every allowed form, aimed at the wanted pose and shortened to what is free."""
    limits = drag.limits
    pose = block_pose(drag.unit)
    right, ahead = offset(pose, wanted)
    turns = _turns(pose, limits, wanted)
    yield ()
    yield from ((Leg("pivot", turn),) for turn in turns if turn)
    if "forward" in limits.kinds:
        for turn in turns:
            yield from _shortened_forward(drag, turn, (right, ahead))
    for kind, amount in (("side", right), ("back", -ahead)):
        if kind in limits.kinds and limits.half_allowance > 0:
            leg = _shortened(drag, (), kind, round(amount))
            for turn in turns:
                yield tuple(one for one in (leg, Leg("pivot", turn)) if one.amount)


def _shortened_forward(drag: _Drag, turn: int, to: tuple[float, float]) -> Iterator[tuple[Leg, ...]]:
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
    scene = scene_of(state)
    march = march_from(scene, unit, block_pose(unit), limits)
    quarter = 3 if amount < 0 else QUARTERS[kind]
    legs = np.concatenate([read_legs(before, False).flat, np.zeros(3, dtype=np.int64)])
    run = longest_leg(scene.flat(limits.climb_max), march, legs, quarter)
    return Leg(kind, max(amount, -run) if amount < 0 else min(amount, run))


def _shortened_shifts(drag: _Drag, wanted: Pose) -> Iterator[tuple[Leg, ...]]:
    """One straight shift towards the wanted place, in ever shorter versions, or a turn on the spot."""
    limits = drag.limits
    pose = block_pose(drag.unit)
    right, ahead = offset(pose, wanted)
    yield ()
    yield from ((Leg("pivot", turn),) for turn in _turns(pose, limits, wanted) if turn)
    far = math.hypot(right, ahead)
    whole = min(1.0, limits.allowance / far) if far else 0.0
    for part in range(64, 0, -1):
        across, along = (math.trunc(length * whole * part / 64) for length in (right, ahead))
        legs = (Leg("side", across), Leg("forward", along) if along > 0 else Leg("back", -along))
        yield tuple(leg for leg in legs if leg.amount)


# --- while the pointer moves ---------------------------------------------------------------------------


def drag_block(state: State, unit: Unit, limits: MarchLimits, wanted: Pose) -> MarchResult:
    """`solve_drag`, fast enough to follow the pointer: the best of a few well-aimed marches or, if it is blocked, as
    much of it as fits.
    """
    pose = block_pose(unit)
    aims = dict.fromkeys((*_aims(pose, limits, wanted), ()))
    ranked = ranked_marches(pose, aims, wanted)
    best = check_march(state, unit.id, ranked[0], limits)
    if best.is_legal:
        return best
    others = (check_march(state, unit.id, legs, limits) for legs in ranked[1:CHECKS])
    found = next((result for result in others if result.is_legal), None)
    short = _cut_short(state, unit, limits, ranked)
    return min((short, found or short), key=lambda result: _off(result.pose, wanted))


def ranked_marches(pose: Pose, marches: Iterable[Legs], wanted: Pose) -> list[Legs]:
    """Marches sorted by how near they end to a pose, then by length; ties in a fixed order."""

    def order(legs: Legs) -> tuple[float, int, list[tuple[str, int]]]:
        return _off(end_of(pose, legs), wanted), len(legs), [(leg.kind, leg.amount) for leg in legs]

    return sorted(marches, key=order)


def _cut_short(state: State, unit: Unit, limits: MarchLimits, ranked: list[Legs]) -> MarchResult:
    """As much of the best march as is legal, else of the best one straight ahead, found by halving."""
    best = check_march(state, unit.id, (), limits)
    straight = [legs for legs in ranked if len(legs) == 1 and legs[0].kind == "forward"]
    for legs in (*ranked[:1], *straight[:1]):
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            share = (low + high) / 2
            found = check_march(state, unit.id, _part_of(legs, share), limits)
            if found.is_legal:
                best, low = found, share
            else:
                high = share
        if best.used:
            break
    return best


def _part_of(legs: Legs, share: float) -> Legs:
    cut = (leg if leg.kind == "pivot" else Leg(leg.kind, int(leg.amount * share)) for leg in legs)
    return tuple(leg for leg in cut if leg.amount)


def _aims(pose: Pose, limits: MarchLimits, wanted: Pose) -> Iterator[Legs]:
    """Marches worth trying: the whole way, and parts of it in case something is in the way."""
    right, ahead = offset(pose, wanted)
    turn = _within(wrapped(wanted.heading - pose.heading), limits.pivot_limit)
    if limits.any_direction:
        yield from _shifts(limits, right, ahead, turn)
        return
    if "pivot" in limits.kinds:
        yield _legs(("pivot", turn))
    if "forward" in limits.kinds:
        for share in (1.0, *SHORTER):
            yield from _forward(limits, right, ahead, turn, share)
    if limits.half_allowance > 0:
        for share in (1.0, 0.6, 0.3):
            half = limits.half_allowance
            yield _legs(("side", _within(round(right * share), half)), ("pivot", turn))
            yield _legs(("back", min(half, max(0, round(-ahead * share)))), ("pivot", turn))


def _forward(limits: MarchLimits, right: float, ahead: float, turn: int, share: float) -> Iterator[Legs]:
    far = limits.allowance
    bearing = round(math.degrees(math.atan2(right, ahead)) * CENTI) if right or ahead else 0
    whole = round(min(math.hypot(right, ahead), far) * share)
    if "pivot" in limits.kinds and abs(bearing) <= limits.pivot_limit:
        yield _legs(("pivot", bearing), ("forward", whole))
    straight = round(min(max(ahead, 0.0), far) * share)
    yield _legs(("forward", straight), ("pivot", turn))
    sine, cosine = heading_vector(turn)
    if turn and abs(sine) > 0.05:
        second = right / sine
        first = ahead - second * cosine
        if first > 0 and second > 0 and first + second <= far + NEARLY:
            cut = min(1.0, far / (first + second)) * share
            yield _legs(("forward", int(first * cut)), ("pivot", turn), ("forward", int(second * cut)))


def _shifts(limits: MarchLimits, right: float, ahead: float, turn: int) -> Iterator[Legs]:
    """One straight shift in any direction, or a turn on the spot."""
    yield _legs(("pivot", turn))
    far = math.hypot(right, ahead)
    whole = min(1.0, limits.allowance / far) if far else 0.0
    for share in (1.0, *SHORTER):
        across, along = (math.trunc(length * whole * share) for length in (right, ahead))
        yield _legs(("side", across), ("forward", along) if along > 0 else ("back", -along))


def _legs(*legs: tuple[str, int]) -> Legs:
    return tuple(Leg(kind, amount) for kind, amount in legs if amount)  # type: ignore[arg-type]


def _within(amount: int, limit: int) -> int:
    return min(max(amount, -limit), limit)
