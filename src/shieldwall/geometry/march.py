"""The straight legs of a block: what they sweep, and what they meet."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, IntMatrix, Ints, Matrix
from shieldwall.geometry.distance import (
    COUNT,
    FIRST,
    FULL_TURN,
    RADIUS,
    core_gap,
    direction,
    point_to_segment,
    square,
)
from shieldwall.geometry.polygons import point_in_polygon
from shieldwall.geometry.scene import (
    BARRED,
    DIFFICULT,
    FLAGS,
    GAP,
    LISTED,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SLOPE,
    STANDING,
    UPHILL,
    FlatScene,
)
from shieldwall.geometry.tolerance import CREEP, EPS, SLACK

# ----------------------------------------------------------------------------------------------------
# Compiled checks of a block's move: swept outlines against the table edge, other units and terrain.
#
# A block is a few rectangles about one centre. A straight leg sweeps each of them into a convex hexagon, a
# pivot is judged by its end alone. Poses come in and go out as whole thousandths and hundredths, distances
# are inches. What is wrong is written into `found`, one row for each (what, with whom): code, index, a
# number.

# What a move may do, as numbers: see MarchLimits.
SPACING, CLIMB_FREE, PASSES_UNITS, PASSES_TERRAIN, PASSES_DIFFICULT = range(5)
NUMBERS = 5

# What can be wrong with a move; of the faults with one and the same unit the first is the worst.
EDGE, THROUGH, TOO_CLOSE, CLOSER, CONTACT, INTO_BARRED, OVERHANG = range(1, 8)
CODE, WHO, VALUE = range(3)
MOST_FOUND = 64

APART, PARTLY, INSIDE = 0, 1, 2
CROSSED, WENT_UP = 1, 2  # bits of `crossed`


class Mover(NamedTuple):
    """The block that moves: its outline and its bases in its own frame, its row in the scene, its reach."""

    rects: Matrix
    bases: Matrix
    row: int
    reach: float


class Stretch(NamedTuple):
    """A straight way of the block's centre: where it begins, the heading, how far it goes in that frame."""

    x: float
    y: float
    sine: float
    cosine: float
    right: float
    ahead: float


def nearest_allowed(before: float, least: float) -> float:
    """How near a unit may come to another that is already closer than `least`.

    A unit that grazes the minimum distance may be pushed off by the grid; that is allowed once, not again with every
    move.
    """
    return least - CREEP if before >= least - CREEP else before - EPS


class MarchBudget(NamedTuple):
    """What a march may spend, in inches: in all, sideways or backwards, and once slowed."""

    allowance: float
    half: float
    cap: float


class Marcher(NamedTuple):
    """Who marches, from where, and what the rules allow: all that stays the same while legs are tried."""

    mover: Mover
    numbers: Floats
    budget: MarchBudget
    x: float
    y: float
    heading: float


class MarchNotes(NamedTuple):
    """Room for the faults of a march, and for which models cross which piece."""

    found: Matrix
    crossed: IntMatrix


class Judging(NamedTuple):
    """A march while it is judged: everything round it, where it began, what was found and climbed so far."""

    scene: FlatScene
    mover: Mover
    numbers: Floats
    start: Stretch
    notes: MarchNotes
    climbs: Floats
    out: Matrix


def standing_at(x: float, y: float, heading: float) -> Stretch:
    """The way of a block that stands still, heading in hundredths of a degree."""
    sine, cosine = direction(heading)
    return Stretch(x, y, sine, cosine, 0.0, 0.0)


def standing(x: float, y: float, sine: float, cosine: float) -> Stretch:
    """The way of a block that stands still."""
    return Stretch(x, y, sine, cosine, 0.0, 0.0)


def snap(value: float) -> float:
    """The nearest whole number, halves upwards: the grid on which poses are stored."""
    return math.floor(value + 0.5)


def sweep(rects: Matrix, i: int, shrink: float, way: Stretch, out: Matrix) -> None:
    """The hexagon that a rectangle sweeps on its way, counter-clockwise into `out`."""
    right, ahead = way.right, way.ahead
    x0, y0 = rects[i, 0] + shrink, rects[i, 1] + shrink
    x1, y1 = rects[i, 2] - shrink, rects[i, 3] - shrink
    if right * ahead >= 0.0:
        low_x, low_y, high_x, high_y = min(right, 0.0), min(ahead, 0.0), max(right, 0.0), max(ahead, 0.0)
        out[0, 0], out[0, 1] = x0 + low_x, y0 + low_y
        out[1, 0], out[1, 1] = x1 + low_x, y0 + low_y
        out[2, 0], out[2, 1] = x1 + high_x, y0 + high_y
        out[3, 0], out[3, 1] = x1 + high_x, y1 + high_y
        out[4, 0], out[4, 1] = x0 + high_x, y1 + high_y
        out[5, 0], out[5, 1] = x0 + low_x, y1 + low_y
    else:
        low_x, low_y, high_x, high_y = min(right, 0.0), max(ahead, 0.0), max(right, 0.0), min(ahead, 0.0)
        out[0, 0], out[0, 1] = x0 + low_x, y0 + low_y
        out[1, 0], out[1, 1] = x0 + high_x, y0 + high_y
        out[2, 0], out[2, 1] = x1 + high_x, y0 + high_y
        out[3, 0], out[3, 1] = x1 + high_x, y1 + high_y
        out[4, 0], out[4, 1] = x1 + low_x, y1 + low_y
        out[5, 0], out[5, 1] = x0 + low_x, y1 + low_y
    for k in range(6):
        across, along = out[k, 0], out[k, 1]
        out[k, 0] = way.x + (across * way.cosine + along * way.sine)
        out[k, 1] = way.y + (along * way.cosine - across * way.sine)


def note(found: Matrix, count: int, code: int, who: int, value: float) -> int:
    """Write down one fault; the same fault with the same other keeps its smallest number."""
    for k in range(count):
        if found[k, CODE] == code and found[k, WHO] == who:
            found[k, VALUE] = min(found[k, VALUE], value)
            return count
    if count < found.shape[0]:
        found[count, CODE] = code
        found[count, WHO] = who
        found[count, VALUE] = value
        count += 1
    return count


def unit_gap(scene: FlatScene, mover: Mover, unit: int, way: Stretch, out: Matrix) -> float:
    """The smallest gap between the swept outline and another unit; below 0 by how deep they overlap."""
    best = math.inf
    for i in range(mover.rects.shape[0]):
        sweep(mover.rects, i, 0.0, way, out)
        for j in range(scene.bodies.bounds[unit, 0], scene.bodies.bounds[unit, 1]):
            first = int(scene.bodies.rows[j, FIRST])
            stop = first + int(scene.bodies.rows[j, COUNT])
            best = min(
                best, core_gap(out, 0, 6, scene.bodies.points, first, stop) - scene.bodies.rows[j, RADIUS]
            )
    return best


def is_near(way: Stretch, reach: float, x: float, y: float, other: float) -> bool:
    """Whether a circle of radius `reach` on its way comes near the circle at (x, y)."""
    limit = reach + other
    end_x = way.x + (way.right * way.cosine + way.ahead * way.sine)
    end_y = way.y + (way.ahead * way.cosine - way.right * way.sine)
    return limit > 0.0 and point_to_segment(x, y, way.x, way.y, end_x, end_y) <= limit * limit


def is_piece_near(scene: FlatScene, piece: int, way: Stretch, reach: float) -> bool:
    """Whether a circle on its way comes near a piece that acts on anybody."""
    rows = scene.terrain.rows
    return int(rows[piece, FLAGS]) & LISTED != 0 and is_near(
        way, reach, rows[piece, PIECE_X], rows[piece, PIECE_Y], rows[piece, PIECE_REACH]
    )


def relation(out: Matrix, ground: Matrix, first: int, stop: int) -> int:
    """How a convex hexagon lies to a piece: apart, partly over it, or wholly inside."""
    ax, ay = ground[stop - 1, 0], ground[stop - 1, 1]
    for k in range(first, stop):
        bx, by = ground[k, 0], ground[k, 1]
        enters, leaves = 0.0, 1.0
        x, y = out[5, 0], out[5, 1]
        for i in range(6):
            along_x, along_y = out[i, 0] - x, out[i, 1] - y
            side = (ax - x) * along_y - (ay - y) * along_x  # above 0: outside this side of the hexagon
            slope = (bx - ax) * along_y - (by - ay) * along_x
            if slope == 0.0:
                if side > 0.0 or (side == 0.0 and along_x * along_x + along_y * along_y > 0.0):
                    leaves = -1.0
            elif slope < 0.0:
                enters = max(enters, -side / slope)
            else:
                leaves = min(leaves, -side / slope)
            x, y = out[i, 0], out[i, 1]
        if enters < leaves:
            return PARTLY
        ax, ay = bx, by
    return INSIDE if point_in_polygon(ground, first, stop, out[0, 0], out[0, 1]) else APART


def piece_relation(scene: FlatScene, rects: Matrix, piece: int, way: Stretch, out: Matrix) -> int:
    """How swept rectangles lie to a piece: the strongest answer of any. The border is not inside."""
    first = int(scene.terrain.rows[piece, PIECE_FIRST])
    stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
    answer = APART
    for i in range(rects.shape[0]):
        sweep(rects, i, EPS, way, out)
        answer = max(answer, relation(out, scene.terrain.points, first, stop))
    return answer


def beyond_edge(scene: FlatScene, rects: Matrix, way: Stretch) -> float:
    """How far the block stands out over the table's edge where the way begins; at most 0 when it does not."""
    worst = -math.inf
    for i in range(rects.shape[0]):
        for k in range(4):
            across = rects[i, 0 if k % 2 == 0 else 2]
            along = rects[i, 1 if k < 2 else 3]
            px = way.x + (across * way.cosine + along * way.sine)
            py = way.y + (along * way.cosine - across * way.sine)
            worst = max(worst, -px, -py, px - scene.width, py - scene.depth)
    return worst


def ground_height(scene: FlatScene, x: float, y: float) -> float:
    """The highest ground on which a model at this point would stand."""
    highest = 0.0
    for piece in range(scene.terrain.rows.shape[0]):
        height = scene.terrain.rows[piece, STANDING]
        dx, dy = scene.terrain.rows[piece, PIECE_X] - x, scene.terrain.rows[piece, PIECE_Y] - y
        reach = scene.terrain.rows[piece, PIECE_REACH]
        if height > highest and dx * dx + dy * dy <= reach * reach:
            first = int(scene.terrain.rows[piece, PIECE_FIRST])
            stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
            if point_in_polygon(scene.terrain.points, first, stop, x, y):
                highest = height
    return highest


def wipe(crossed: IntMatrix) -> None:
    """Forget what was crossed."""
    for k in range(crossed.shape[0]):
        for base in range(crossed.shape[1]):
            crossed[k, base] = 0


# ----------------------------------------------------------------------------------------------------
# Compiled judgement of a whole march: leg after leg, what is wrong with it and which ground it crosses.

QUARTER = 9000


def gap_fault(gap: float, before: float, spacing: float, is_pivot_only: bool) -> int:
    """The fault in a gap to another unit, 0 for none; `before` was the gap when the move began
    (R35-MOVE-03).
    """
    if gap < -SLACK and gap < nearest_allowed(before, 0.0):
        return THROUGH
    if spacing <= 0.0 or gap >= spacing - EPS:
        return 0
    if is_pivot_only:  # a mere turn may end close to another unit, only not in contact with it (R35-MOVE-22)
        return CONTACT if gap <= EPS < before else 0
    if before >= spacing - EPS:
        return TOO_CLOSE
    return CLOSER if gap < nearest_allowed(before, spacing) else 0


def note_unit(found: Matrix, count: int, fault: int, unit: int, gap: float) -> int:
    """Record a fault with another unit; moving through it implies coming too close, which is not reported again."""
    for k in range(count):
        if THROUGH <= found[k, CODE] <= CONTACT and found[k, WHO] == unit:
            found[k, CODE] = min(found[k, CODE], fault)
            found[k, VALUE] = min(found[k, VALUE], gap)
            return count
    return note(found, count, fault, unit, gap)


def judge_units(judging: Judging, way: Stretch, is_pivot_only: bool, count: int) -> int:
    """Faults with other units on one stretch."""
    scene, mover, numbers, out = judging.scene, judging.mover, judging.numbers, judging.out
    spacing = numbers[SPACING]
    for unit in range(scene.bodies.bounds.shape[0]):
        if unit == mover.row:
            continue
        x, y, reach = (
            scene.bodies.circles[unit, 0],
            scene.bodies.circles[unit, 1],
            scene.bodies.circles[unit, 2],
        )
        if not is_near(way, mover.reach, x, y, reach + spacing):
            continue
        gap = unit_gap(scene, mover, unit, way, out)
        if gap < max(spacing - EPS, -SLACK) or gap < -SLACK:
            before = unit_gap(scene, mover, unit, judging.start, out)
            fault = gap_fault(gap, before, spacing, is_pivot_only)
            if fault:
                count = note_unit(judging.notes.found, count, fault, unit, gap)
    return count


def judge_base(judging: Judging, piece: int, way: Stretch, end: Stretch) -> None:
    """Which models cross a piece on one stretch, and what each of them climbs."""
    scene, mover, numbers, out = judging.scene, judging.mover, judging.numbers, judging.out
    climbs, crossed = judging.climbs, judging.notes.crossed
    flags = int(scene.terrain.rows[piece, FLAGS])
    height = scene.terrain.rows[piece, STANDING]
    is_raised = height > numbers[CLIMB_FREE] + EPS
    begin = standing(way.x, way.y, way.sine, way.cosine)
    for model in range(mover.bases.shape[0]):
        base = mover.bases[model : model + 1]
        if piece_relation(scene, base, piece, way, out) == APART:
            continue
        crossed[piece, model] |= CROSSED
        if not (is_raised or flags & UPHILL):
            continue
        if piece_relation(scene, base, piece, begin, out) == APART:
            crossed[piece, model] |= WENT_UP
            if is_raised:
                climbs[model] += height
        if is_raised and piece_relation(scene, base, piece, end, out) == APART:
            climbs[model] += height


def judge_ground(judging: Judging, way: Stretch, end: Stretch, count: int) -> int:
    """Impassable ground on one stretch; what else is crossed goes into `crossed` and `climbs`."""
    scene, mover = judging.scene, judging.mover
    for piece in range(scene.terrain.rows.shape[0]):
        if not is_piece_near(scene, piece, way, mover.reach):
            continue
        if piece_relation(scene, mover.rects, piece, way, judging.out) == APART:
            continue
        if int(scene.terrain.rows[piece, FLAGS]) & BARRED:
            count = note(judging.notes.found, count, INTO_BARRED, piece, 0.0)
        else:
            judge_base(judging, piece, way, end)
    return count


def judge_end(judging: Judging, end: Stretch, count: int) -> int:
    """Where the block may not finish: in impassable ground, over a gap, hanging over a ledge."""
    scene, mover, numbers, out = judging.scene, judging.mover, judging.numbers, judging.out
    found = judging.notes.found
    for piece in range(scene.terrain.rows.shape[0]):
        flags = int(scene.terrain.rows[piece, FLAGS])
        is_ledge = scene.terrain.rows[piece, STANDING] > numbers[CLIMB_FREE] + EPS and not flags & SLOPE
        if not (flags & (BARRED | GAP) or is_ledge):
            continue
        if not is_piece_near(scene, piece, end, mover.reach):
            continue
        if piece_relation(scene, mover.rects, piece, end, out) == APART:
            continue
        if flags & BARRED:
            count = note(found, count, INTO_BARRED, piece, 0.0)
        elif flags & GAP:
            count = note(found, count, OVERHANG, piece, 0.0)
        else:
            for model in range(mover.bases.shape[0]):
                if piece_relation(scene, mover.bases[model : model + 1], piece, end, out) == PARTLY:
                    count = note(found, count, OVERHANG, piece, 0.0)
    return count


def is_slowed(scene: FlatScene, numbers: Floats, crossed: IntMatrix) -> bool:
    """Whether any model was in ground that slows the whole unit."""
    if numbers[PASSES_TERRAIN] > 0.0 or numbers[PASSES_DIFFICULT] > 0.0:
        return False
    for piece in range(crossed.shape[0]):
        flags = int(scene.terrain.rows[piece, FLAGS])
        if flags & (DIFFICULT | UPHILL):
            for model in range(crossed.shape[1]):
                if crossed[piece, model] and (flags & DIFFICULT or crossed[piece, model] & WENT_UP):
                    return True
    return False


def leg_end(
    x: float, y: float, sine: float, cosine: float, right: float, ahead: float
) -> tuple[float, float]:
    """Where a leg of thousandths ends on the grid."""
    return snap(x + (right * cosine + ahead * sine)), snap(y + (ahead * cosine - right * sine))


def stretch_between(x: float, y: float, end_x: float, end_y: float, sine: float, cosine: float) -> Stretch:
    """The stretch between two grid points, in inches and in the frame of the heading."""
    dx, dy = (end_x - x) / 1000.0, (end_y - y) / 1000.0
    return Stretch(x / 1000.0, y / 1000.0, sine, cosine, dx * cosine - dy * sine, dx * sine + dy * cosine)


def judge_edge(scene: FlatScene, mover: Mover, here: Stretch, found: Matrix, count: int) -> int:
    """The fault of standing out over the table's edge; its number is minus how far."""
    beyond = beyond_edge(scene, mover.rects, here)
    return note(found, count, EDGE, -1, -beyond) if beyond > SLACK else count


def judge_turn(judging: Judging, here: Stretch, is_still: bool, count: int) -> int:
    """A pivot ignores what its sweep crosses; only where it ends must be free (R35-MOVE-22)."""
    scene, mover, numbers, out = judging.scene, judging.mover, judging.numbers, judging.out
    found = judging.notes.found
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(judging, here, is_still, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        for piece in range(scene.terrain.rows.shape[0]):
            if int(scene.terrain.rows[piece, FLAGS]) & BARRED and (
                is_piece_near(scene, piece, here, mover.reach)
                and piece_relation(scene, mover.rects, piece, here, out) != APART
            ):
                count = note(found, count, INTO_BARRED, piece, 0.0)
    return judge_edge(scene, mover, here, found, count)


def climb_by_turn(judging: Judging, before: Stretch, after: Stretch) -> None:
    """What models climb because a pivot puts them on a piece or takes them off it (R35-MOVE-23)."""
    scene, mover, out = judging.scene, judging.mover, judging.out
    for piece in range(scene.terrain.rows.shape[0]):
        height = scene.terrain.rows[piece, STANDING]
        if height <= judging.numbers[CLIMB_FREE] + EPS or int(scene.terrain.rows[piece, FLAGS]) & BARRED:
            continue
        if not is_piece_near(scene, piece, before, mover.reach):
            continue
        for model in range(mover.bases.shape[0]):
            base = mover.bases[model : model + 1]
            was_off = piece_relation(scene, base, piece, before, out) == APART
            if was_off != (piece_relation(scene, base, piece, after, out) == APART):
                judging.climbs[model] += height


def judge_straight(judging: Judging, way: Stretch, end: Stretch, count: int) -> int:
    """A straight leg: nothing may be touched on the whole way."""
    numbers = judging.numbers
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(judging, way, False, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        count = judge_ground(judging, way, end, count)
    return judge_edge(judging.scene, judging.mover, end, judging.notes.found, count)


def march(
    scene: FlatScene, walk: Marcher, legs: Ints, notes: MarchNotes
) -> tuple[float, float, float, float, float, bool, int]:
    """Walk all legs: end pose, straight distance, climbing, whether slowed, and how many faults were found.

    `legs` has three numbers for each leg: turn, right, ahead.
    """
    mover, numbers = walk.mover, walk.numbers
    x, y, heading = walk.x, walk.y, walk.heading
    climbs = np.zeros(mover.bases.shape[0])
    sine, cosine = direction(heading)
    start = standing(x / 1000.0, y / 1000.0, sine, cosine)
    end = start
    judging = Judging(scene, mover, numbers, start, notes, climbs, np.empty((6, 2)))
    is_still = True
    for k in range(0, legs.shape[0], 3):
        is_still = is_still and legs[k + 1] == 0 and legs[k + 2] == 0
    straight = 0.0
    count = 0
    for k in range(0, legs.shape[0], 3):
        if legs[k] != 0:
            heading = (heading + legs[k]) % FULL_TURN
            before = standing(x / 1000.0, y / 1000.0, sine, cosine)
            sine, cosine = direction(heading)
            end = standing(x / 1000.0, y / 1000.0, sine, cosine)
            count = judge_turn(judging, end, is_still, count)
            if not is_still and numbers[PASSES_TERRAIN] <= 0.0:
                climb_by_turn(judging, before, end)
        elif legs[k + 1] != 0 or legs[k + 2] != 0:
            next_x, next_y = leg_end(x, y, sine, cosine, legs[k + 1], legs[k + 2])
            way = stretch_between(x, y, next_x, next_y, sine, cosine)
            x, y = next_x, next_y
            end = standing(x / 1000.0, y / 1000.0, sine, cosine)
            straight += math.sqrt(square(float(legs[k + 1])) + square(float(legs[k + 2]))) / 1000.0
            count = judge_straight(judging, way, end, count)
    if legs.shape[0] > 0:
        if numbers[PASSES_UNITS] > 0.0:
            count = judge_units(judging, end, is_still, count)
        count = judge_end(judging, end, count)
    climb = 0.0
    for piece in range(climbs.shape[0]):
        climb = climbs[piece] if piece == 0 else max(climb, climbs[piece])
    return x, y, heading, straight, climb, is_slowed(scene, numbers, notes.crossed), count


def check_legs(
    scene: FlatScene, walk: Marcher, legs: Ints, notes: MarchNotes
) -> tuple[float, float, float, float, float, float, bool, bool, int]:
    """`march` for a caller outside the kernels: x, y, heading, z; straight, climbing; slowed, crossed;
    faults.
    """
    crossed = notes.crossed
    end = march(scene, walk, legs, notes)
    z = snap(ground_height(scene, end[0] / 1000.0, end[1] / 1000.0) * 1000.0)
    has_crossed = False
    for piece in range(crossed.shape[0]):
        for model in range(crossed.shape[1]):
            has_crossed = has_crossed or crossed[piece, model] != 0
    return end[0], end[1], end[2], z, end[3], end[4], end[5], has_crossed, end[6]


def gap_at(
    scene: FlatScene, mover: Mover,
    unit: int, x: float, y: float, heading: float,
) -> float:  # fmt: skip
    """The gap between a block put at a pose and another unit."""
    sine, cosine = direction(heading)
    return unit_gap(scene, mover, unit, standing(x / 1000.0, y / 1000.0, sine, cosine), np.empty((6, 2)))


def stand(
    scene: FlatScene, mover: Mover,
    x: float, y: float, heading: float, crossed: IntMatrix,
) -> None:  # fmt: skip
    """Which models of a block stand in which pieces, their border left out."""
    sine, cosine = direction(heading)
    here = standing(x / 1000.0, y / 1000.0, sine, cosine)
    out = np.empty((6, 2))
    for piece in range(scene.terrain.rows.shape[0]):
        if is_piece_near(scene, piece, here, mover.reach):
            for model in range(mover.bases.shape[0]):
                if piece_relation(scene, mover.bases[model : model + 1], piece, here, out) != APART:
                    crossed[piece, model] |= CROSSED
