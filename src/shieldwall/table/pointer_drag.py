"""What a player means who drags a block, found fast enough to follow the pointer.

`block_drag.py` looks at every form of march and takes up to a tenth of a second. While the pointer moves, a few
well-aimed marches have to do; they are checked by the same rules as any other move, the best one first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from shieldwall.core.answers import Leg
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit
from shieldwall.table.block_moves import MarchResult, check_march
from shieldwall.table.formations import block_pose, heading_vector
from shieldwall.table.march_limits import MarchLimits

FULL_TURN = 360 * CENTI
DEGREES_PER_INCH = 45.0  # how wrong a facing is as bad as an inch of distance
CHECKS = 7  # marches judged for one position of the pointer
HALVINGS = 6  # of a march that something bars: a sixty-fourth of 18 inches is a quarter of an inch
SHORTER = (0.85, 0.65, 0.45, 0.25, 0.1)
NEARLY = 50  # thousandths

Legs = tuple[Leg, ...]


def drag_block(state: State, unit: Unit, limits: MarchLimits, wanted: Pose) -> MarchResult:
    """The best of a few legal marches towards a pose; where the best is barred, maybe as much of it as fits."""
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
    """Marches by how near they lead to a pose, then by length; ties in a fixed order."""

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


def _off(pose: Pose, wanted: Pose) -> float:
    turn = abs(wrapped(wanted.heading - pose.heading)) / CENTI
    return math.hypot(wanted.x - pose.x, wanted.y - pose.y) / MILLI + turn / DEGREES_PER_INCH


def wrapped(turn: int) -> int:
    """A turn between minus and plus half a circle."""
    return (turn + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2


def offset(pose: Pose, wanted: Pose) -> tuple[float, float]:
    """The way to a spot as thousandths to the right and ahead."""
    sine, cosine = heading_vector(pose.heading)
    dx, dy = wanted.x - pose.x, wanted.y - pose.y
    return dx * cosine - dy * sine, dx * sine + dy * cosine


def end_of(pose: Pose, legs: Legs) -> Pose:
    """Where legs lead, whatever is in the way."""
    x, y, heading = float(pose.x), float(pose.y), pose.heading
    for leg in legs:
        sine, cosine = heading_vector(heading)
        match leg.kind:
            case "pivot":
                heading = (heading + leg.amount) % FULL_TURN
            case "side":
                x, y = x + leg.amount * cosine, y - leg.amount * sine
            case "back":
                x, y = x - leg.amount * sine, y - leg.amount * cosine
            case _:
                x, y = x + leg.amount * sine, y + leg.amount * cosine
    return Pose(round(x), round(y), heading)


def _aims(pose: Pose, limits: MarchLimits, wanted: Pose) -> Iterator[Legs]:
    """Marches worth trying: the whole way, and less of it where something may be in the way."""
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
