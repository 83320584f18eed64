"""The straight legs of a block: what they sweep, and what they meet."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, IntMatrix, Ints, Matrix
from shieldwall.geometry.cast import Stretch
from shieldwall.geometry.distance import (
    COLUMNS,
    COUNT,
    FULL_TURN,
    HIGH,
    LOW,
    REACH,
    X,
    Y,
    direction,
    point_to_segment,
    snap,
    square,
)
from shieldwall.geometry.ground import touches_piece
from shieldwall.geometry.polygons import border_enters, point_in_polygon
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
from shieldwall.geometry.sweep import outside_table, sweep_straight, unit_gap
from shieldwall.geometry.tolerance import CREEP, EPS, GRID, SLACK

# ----------------------------------------------------------------------------------------------------
# Compiled checks of a block's move: swept outlines against the table edge, other units and terrain.
#
# A block is a few rectangles about one centre. A straight leg sweeps each of them as it sweeps a single base, a
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

SWEPT_ROOM = 16  # vertices of a rectangle, of what it sweeps, and some to work with
CROSSED, WENT_UP = 1, 2  # bits of `crossed`


class Mover(NamedTuple):
    """The block that moves: its outline and its bases in its own frame, its row in the scene, its reach."""

    rects: Matrix
    bases: Matrix
    row: int
    reach: float


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


class Swept(NamedTuple):
    """Room for one rectangle of a block on its way: the vertices of what it covers, and its line (distance.py)."""

    core: Matrix
    form: Matrix


def room_to_sweep() -> Swept:
    """Room for any rectangle."""
    form = np.zeros((1, COLUMNS))
    form[0, LOW], form[0, HIGH] = (
        -math.inf,
        math.inf,
    )  # a block is in the way of everybody, however high it stands
    return Swept(np.empty((SWEPT_ROOM, 2)), form)


class MarchNotes(NamedTuple):
    """Room for what is found about a march: faults, which models cross which piece, what each of them climbs."""

    found: Matrix
    crossed: IntMatrix
    climbs: Floats
    swept: Swept


def notes_for(crossed: IntMatrix) -> MarchNotes:
    """Room for the marches of one block; `crossed` has a row for each piece and a column for each model."""
    return MarchNotes(np.empty((MOST_FOUND, 3)), crossed, np.empty(crossed.shape[1]), room_to_sweep())


class Judging(NamedTuple):
    """A march while it is judged: everything round it, where it began, what was found and climbed so far."""

    scene: FlatScene
    mover: Mover
    numbers: Floats
    start: Stretch
    notes: MarchNotes


def standing_at(x: float, y: float, heading: float) -> Stretch:
    """The way of a block that stands still, heading in hundredths of a degree."""
    sine, cosine = direction(heading)
    return Stretch(x, y, sine, cosine, 0.0, 0.0)


def standing(x: float, y: float, sine: float, cosine: float) -> Stretch:
    """The way of a block that stands still."""
    return Stretch(x, y, sine, cosine, 0.0, 0.0)


def put_corner(core: Matrix, k: int, way: Stretch, across: float, along: float) -> None:
    """Write one corner of a rectangle that stands where a way begins."""
    core[k, 0] = way.x + (across * way.cosine + along * way.sine)
    core[k, 1] = way.y + (along * way.cosine - across * way.sine)


def sweep_rect(rects: Matrix, i: int, way: Stretch, swept: Swept) -> None:
    """Put one rectangle of a block, and all the ground it covers on its way, into the room."""
    core, form = swept.core, swept.form
    x0, y0, x1, y1 = rects[i, 0], rects[i, 1], rects[i, 2], rects[i, 3]
    put_corner(core, 0, way, x0, y0)
    put_corner(core, 1, way, x1, y0)
    put_corner(core, 2, way, x1, y1)
    put_corner(core, 3, way, x0, y1)
    form[0, X] = (core[0, 0] + core[2, 0]) / 2.0
    form[0, Y] = (core[0, 1] + core[2, 1]) / 2.0
    form[0, REACH] = math.sqrt(square(x1 - x0) + square(y1 - y0)) / 2.0
    form[0, COUNT] = 4
    if way.right != 0.0 or way.ahead != 0.0:
        dx = way.right * way.cosine + way.ahead * way.sine
        sweep_straight(core, form, dx, way.ahead * way.cosine - way.right * way.sine)


def block_gap(scene: FlatScene, mover: Mover, unit: int, way: Stretch, swept: Swept) -> float:
    """The smallest gap between a block on its way and another unit; below 0 by how deep they overlap."""
    best = math.inf
    for i in range(mover.rects.shape[0]):
        sweep_rect(mover.rects, i, way, swept)
        apart, deep = unit_gap(scene.bodies, unit, swept.core, swept.form, 0.0)
        best = min(best, deep if deep < 0.0 else apart)
    return best


def touches_any(scene: FlatScene, rects: Matrix, piece: int, way: Stretch, swept: Swept) -> bool:
    """Whether some of these rectangles comes into a piece on its way; its border is not inside."""
    rows = scene.terrain.rows
    dx = way.right * way.cosine + way.ahead * way.sine
    dy = way.ahead * way.cosine - way.right * way.sine
    for i in range(rects.shape[0]):
        across, along = (rects[i, 0] + rects[i, 2]) / 2.0, (rects[i, 1] + rects[i, 3]) / 2.0
        x = way.x + (across * way.cosine + along * way.sine)
        y = way.y + (along * way.cosine - across * way.sine)
        wide, deep = rects[i, 2] - rects[i, 0], rects[i, 3] - rects[i, 1]
        bound = rows[piece, PIECE_REACH] + math.sqrt(wide * wide + deep * deep) / 2.0
        if point_to_segment(rows[piece, PIECE_X], rows[piece, PIECE_Y], x, y, x + dx, y + dy) > bound * bound:
            continue
        sweep_rect(rects, i, way, swept)
        if touches_piece(scene.terrain, piece, swept.core, swept.form):
            return True
    return False


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


def beyond_edge(scene: FlatScene, rects: Matrix, way: Stretch, swept: Swept) -> float:
    """How far a block that stands still sticks out over the table's edge; at most 0 when it does not."""
    worst = -math.inf
    for i in range(rects.shape[0]):
        sweep_rect(rects, i, way, swept)
        worst = max(worst, outside_table(swept.core, swept.form, scene))
    return worst


def hangs_over(scene: FlatScene, base: Matrix, piece: int, here: Stretch, swept: Swept) -> bool:
    """Whether a base that stands still lies across the border of a piece."""
    sweep_rect(base, 0, here, swept)
    first = int(scene.terrain.rows[piece, PIECE_FIRST])
    stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
    return border_enters(swept.core, swept.form, 0, scene.terrain.points, first, stop)


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
    scene, mover, numbers, swept = judging.scene, judging.mover, judging.numbers, judging.notes.swept
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
        gap = block_gap(scene, mover, unit, way, swept)
        if gap < max(spacing - EPS, -SLACK) or gap < -SLACK:
            before = block_gap(scene, mover, unit, judging.start, swept)
            fault = gap_fault(gap, before, spacing, is_pivot_only)
            if fault:
                count = note_unit(judging.notes.found, count, fault, unit, gap)
    return count


def judge_base(judging: Judging, piece: int, way: Stretch, end: Stretch) -> None:
    """Which models cross a piece on one stretch, and what each of them climbs."""
    scene, mover, numbers, swept = judging.scene, judging.mover, judging.numbers, judging.notes.swept
    climbs, crossed = judging.notes.climbs, judging.notes.crossed
    flags = int(scene.terrain.rows[piece, FLAGS])
    height = scene.terrain.rows[piece, STANDING]
    is_raised = height > numbers[CLIMB_FREE] + EPS
    begin = standing(way.x, way.y, way.sine, way.cosine)
    for model in range(mover.bases.shape[0]):
        base = mover.bases[model : model + 1]
        if not touches_any(scene, base, piece, way, swept):
            continue
        crossed[piece, model] |= CROSSED
        if not (is_raised or flags & UPHILL):
            continue
        if not touches_any(scene, base, piece, begin, swept):
            crossed[piece, model] |= WENT_UP
            if is_raised:
                climbs[model] += height
        if is_raised and not touches_any(scene, base, piece, end, swept):
            climbs[model] += height


def judge_ground(judging: Judging, way: Stretch, end: Stretch, count: int) -> int:
    """Impassable ground on one stretch; what else is crossed goes into `crossed` and `climbs`."""
    scene, mover = judging.scene, judging.mover
    for piece in range(scene.terrain.rows.shape[0]):
        if not is_piece_near(scene, piece, way, mover.reach):
            continue
        if not touches_any(scene, mover.rects, piece, way, judging.notes.swept):
            continue
        if int(scene.terrain.rows[piece, FLAGS]) & BARRED:
            count = note(judging.notes.found, count, INTO_BARRED, piece, 0.0)
        else:
            judge_base(judging, piece, way, end)
    return count


def judge_end(judging: Judging, end: Stretch, count: int) -> int:
    """Where the block may not finish: in impassable ground, over a gap, hanging over a ledge."""
    scene, mover, numbers, swept = judging.scene, judging.mover, judging.numbers, judging.notes.swept
    found = judging.notes.found
    for piece in range(scene.terrain.rows.shape[0]):
        flags = int(scene.terrain.rows[piece, FLAGS])
        is_ledge = scene.terrain.rows[piece, STANDING] > numbers[CLIMB_FREE] + EPS and not flags & SLOPE
        if not (flags & (BARRED | GAP) or is_ledge):
            continue
        if not is_piece_near(scene, piece, end, mover.reach):
            continue
        if not touches_any(scene, mover.rects, piece, end, swept):
            continue
        if flags & BARRED:
            count = note(found, count, INTO_BARRED, piece, 0.0)
        elif flags & GAP:
            count = note(found, count, OVERHANG, piece, 0.0)
        else:
            for model in range(mover.bases.shape[0]):
                if hangs_over(scene, mover.bases[model : model + 1], piece, end, swept):
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


def judge_edge(judging: Judging, here: Stretch, count: int) -> int:
    """The fault of standing out over the table's edge; its number is minus how far."""
    beyond = beyond_edge(judging.scene, judging.mover.rects, here, judging.notes.swept)
    return note(judging.notes.found, count, EDGE, -1, -beyond) if beyond > SLACK else count


def judge_turn(judging: Judging, here: Stretch, is_still: bool, count: int) -> int:
    """A pivot ignores what its sweep crosses; only where it ends must be free (R35-MOVE-22)."""
    scene, mover, numbers, swept = judging.scene, judging.mover, judging.numbers, judging.notes.swept
    found = judging.notes.found
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(judging, here, is_still, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        for piece in range(scene.terrain.rows.shape[0]):
            if int(scene.terrain.rows[piece, FLAGS]) & BARRED and (
                is_piece_near(scene, piece, here, mover.reach)
                and touches_any(scene, mover.rects, piece, here, swept)
            ):
                count = note(found, count, INTO_BARRED, piece, 0.0)
    return judge_edge(judging, here, count)


def climb_by_turn(judging: Judging, before: Stretch, after: Stretch) -> None:
    """What models climb because a pivot puts them on a piece or takes them off it (R35-MOVE-23)."""
    scene, mover, swept = judging.scene, judging.mover, judging.notes.swept
    for piece in range(scene.terrain.rows.shape[0]):
        height = scene.terrain.rows[piece, STANDING]
        if height <= judging.numbers[CLIMB_FREE] + EPS or int(scene.terrain.rows[piece, FLAGS]) & BARRED:
            continue
        if not is_piece_near(scene, piece, before, mover.reach):
            continue
        for model in range(mover.bases.shape[0]):
            base = mover.bases[model : model + 1]
            was_on = touches_any(scene, base, piece, before, swept)
            if was_on != touches_any(scene, base, piece, after, swept):
                judging.notes.climbs[model] += height


def judge_straight(judging: Judging, way: Stretch, end: Stretch, count: int) -> int:
    """A straight leg: nothing may be touched on the whole way."""
    numbers = judging.numbers
    if numbers[PASSES_UNITS] <= 0.0:
        count = judge_units(judging, way, False, count)
    if numbers[PASSES_TERRAIN] <= 0.0:
        count = judge_ground(judging, way, end, count)
    return judge_edge(judging, end, count)


def march(
    scene: FlatScene, walk: Marcher, legs: Ints, notes: MarchNotes
) -> tuple[float, float, float, float, float, bool, int]:
    """Walk all legs: end pose, straight distance, climbing, whether slowed, and how many faults were found.

    `legs` has three numbers for each leg: turn, right, ahead.
    """
    mover, numbers = walk.mover, walk.numbers
    x, y, heading = walk.x, walk.y, walk.heading
    climbs = notes.climbs
    for model in range(climbs.shape[0]):
        climbs[model] = 0.0
    sine, cosine = direction(heading)
    start = standing(x / 1000.0, y / 1000.0, sine, cosine)
    end = start
    judging = Judging(scene, mover, numbers, start, notes)
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


# What a march comes to, in the order in which it is written down.
END_X, END_Y, END_HEADING, END_Z, STRAIGHT, CLIMBED, SLOWED, CROSSES = range(8)
COMES_TO = 8


def judge(scene: FlatScene, walk: Marcher, legs: Ints, notes: MarchNotes, answer: Floats) -> int:
    """Walk all legs and write what they come to into `answer`; how many faults were found."""
    crossed = notes.crossed
    wipe(crossed)
    x, y, heading, straight, climb, slowed, faults = march(scene, walk, legs, notes)
    answer[END_X], answer[END_Y], answer[END_HEADING] = x, y, heading
    answer[END_Z] = snap(ground_height(scene, x / GRID, y / GRID) * GRID)
    answer[STRAIGHT], answer[CLIMBED], answer[SLOWED], answer[CROSSES] = straight, climb, slowed, 0.0
    for piece in range(crossed.shape[0]):
        for model in range(crossed.shape[1]):
            if crossed[piece, model] != 0:
                answer[CROSSES] = 1.0
    return faults


def gap_at(
    scene: FlatScene, mover: Mover,
    unit: int, x: float, y: float, heading: float,
) -> float:  # fmt: skip
    """The gap between a block put at a pose and another unit."""
    sine, cosine = direction(heading)
    return block_gap(scene, mover, unit, standing(x / 1000.0, y / 1000.0, sine, cosine), room_to_sweep())


def note_standing(
    scene: FlatScene, mover: Mover,
    x: float, y: float, heading: float, crossed: IntMatrix,
) -> None:  # fmt: skip
    """Which models of a block stand in which pieces, their border left out."""
    sine, cosine = direction(heading)
    here = standing(x / 1000.0, y / 1000.0, sine, cosine)
    swept = room_to_sweep()
    for piece in range(scene.terrain.rows.shape[0]):
        if is_piece_near(scene, piece, here, mover.reach):
            for model in range(mover.bases.shape[0]):
                if touches_any(scene, mover.bases[model : model + 1], piece, here, swept):
                    crossed[piece, model] |= CROSSED
