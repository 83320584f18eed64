"""How far a block can go in a direction before it meets something."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Matrix
from shieldwall.geometry.cast import FRONT_COLUMNS, LEFT_X, RIGHT_X, Stretch, cast, write_front
from shieldwall.geometry.distance import COUNT, FIRST, RADIUS, direction
from shieldwall.geometry.march import (
    CLIMB_FREE,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    SPACING,
    Mover,
    Swept,
    block_gap,
    is_near,
    is_piece_near,
    leg_end,
    nearest_allowed,
    room_to_sweep,
    standing,
    touches_any,
)
from shieldwall.geometry.polygons import point_in_polygon
from shieldwall.geometry.scene import (
    BARRED,
    DIFFICULT,
    FLAGS,
    GAP,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    STANDING,
    UPHILL,
    FlatScene,
)
from shieldwall.geometry.tolerance import EPS, GRID, ROUNDOFF, SLACK

# ----------------------------------------------------------------------------------------------------
# Compiled straight runs: how far a block can go before something stands in its way.
#
# Going forward a block has a single front, because figures beside it stand flush with its front row.

FORWARD, RIGHTWARD, BACKWARD, LEFTWARD = range(4)  # quarter turns from the heading to the direction of a run


def fronts_of(rects: Matrix, quarter: int) -> Matrix:
    """What a block pushes ahead when it goes in one of the four directions, in the frame of the way."""
    count = rects.shape[0]
    fronts = np.empty((count, FRONT_COLUMNS))
    for i in range(count):
        x0, y0, x1, y1 = rects[i, 0], rects[i, 1], rects[i, 2], rects[i, 3]
        if quarter == RIGHTWARD:
            write_front(fronts, i, -y1, x1, -y0, x1, 0.0)
        elif quarter == BACKWARD:
            write_front(fronts, i, -x1, -y0, -x0, -y0, 0.0)
        elif quarter == LEFTWARD:
            write_front(fronts, i, y0, -x0, y1, -x0, 0.0)
        else:
            write_front(fronts, i, x0, y1, x1, y1, 0.0)
            fronts[0, LEFT_X], fronts[0, RIGHT_X] = min(fronts[0, LEFT_X], x0), max(fronts[0, RIGHT_X], x1)
    return fronts[:1] if quarter == FORWARD else fronts


def run_to_unit(scene: FlatScene, unit: int, way: Stretch, fronts: Matrix, margin: float) -> float:
    """How far the fronts go before they come nearer than `margin` to a unit."""
    best = math.inf
    for j in range(scene.bodies.bounds[unit, 0], scene.bodies.bounds[unit, 1]):
        first = int(scene.bodies.rows[j, FIRST])
        stop = first + int(scene.bodies.rows[j, COUNT])
        best = min(
            best, cast(fronts, way, scene.bodies.points, first, stop, margin + scene.bodies.rows[j, RADIUS])
        )
    return best


def run_to_units(
    scene: FlatScene,
    mover: Mover,
    numbers: Floats,
    start: Stretch,
    way: Stretch,
    fronts: Matrix,
    swept: Swept,
) -> float:
    """How far the run keeps its distance from all other units; those already too close are only not
    approached.
    """
    limit = way.ahead
    spacing = numbers[SPACING]
    margin = spacing - EPS / 2 if spacing > 0.0 else -EPS
    for unit in range(scene.bodies.bounds.shape[0]):
        x, y, reach = (
            scene.bodies.circles[unit, 0],
            scene.bodies.circles[unit, 1],
            scene.bodies.circles[unit, 2],
        )
        if unit == mover.row or not is_near(way, mover.reach, x, y, reach + spacing):
            continue
        run = run_to_unit(scene, unit, way, fronts, margin)
        if spacing > 0.0:
            before = block_gap(scene, mover, unit, start, swept)
            if before < spacing - EPS:
                run = run_to_unit(
                    scene, unit, way, fronts, min(nearest_allowed(before, spacing) + EPS / 2, margin)
                )
        limit = min(limit, run)
    return limit


def back_until_apart(
    scene: FlatScene, mover: Mover, unit: int, x: float, y: float, heading: float, gap: int
) -> int:
    """The fewest thousandths straight back that leave a gap of `gap` thousandths to a unit; never more than the gap.

    Where the block is that far away is where it would come so near again if it came forward from the end.
    """
    sine, cosine = direction(heading)
    far_x, far_y = leg_end(x, y, sine, cosine, 0.0, -gap)
    way = Stretch(far_x / GRID, far_y / GRID, sine, cosine, 0.0, gap / GRID)
    run = run_to_unit(scene, unit, way, fronts_of(mover.rects, FORWARD), gap / GRID - EPS)
    back = int(max(gap - math.floor(min(run * GRID, gap)) - 2, 0))
    swept = room_to_sweep()
    while back < gap:
        here_x, here_y = leg_end(x, y, sine, cosine, 0.0, -back)
        if (
            block_gap(scene, mover, unit, standing(here_x / GRID, here_y / GRID, sine, cosine), swept)
            >= gap / GRID - EPS
        ):
            break
        back += 1
    return back


def run_to_edge(scene: FlatScene, mover: Mover, facing: Stretch, way: Stretch) -> float:
    """How far the block goes before a corner leaves the table."""
    limit = way.ahead
    for i in range(mover.rects.shape[0]):
        for k in range(4):
            across = mover.rects[i, 0 if k % 2 == 0 else 2]
            along = mover.rects[i, 1 if k < 2 else 3]
            x = facing.x + (across * facing.cosine + along * facing.sine)
            y = facing.y + (along * facing.cosine - across * facing.sine)
            if way.sine > 1e-12:
                limit = min(limit, max((scene.width + EPS - x) / way.sine, 0.0))
            elif way.sine < -1e-12:
                limit = min(limit, max((x + EPS) / -way.sine, 0.0))
            if way.cosine > 1e-12:
                limit = min(limit, max((scene.depth + EPS - y) / way.cosine, 0.0))
            elif way.cosine < -1e-12:
                limit = min(limit, max((y + EPS) / -way.cosine, 0.0))
    return limit


def run_over_ground(
    scene: FlatScene,
    mover: Mover,
    numbers: Floats,
    facing: Stretch,
    way: Stretch,
    fronts: Matrix,
    swept: Swept,
) -> tuple[float, float, bool]:
    """How far to impassable ground, how far to ground that slows, and whether heights or gaps lie on the
    way.
    """
    barred, slow = way.ahead, math.inf
    is_tricky = False
    if numbers[PASSES_TERRAIN] > 0.0:
        return barred, slow, is_tricky
    for piece in range(scene.terrain.rows.shape[0]):
        if not is_piece_near(scene, piece, way, mover.reach):
            continue
        flags = int(scene.terrain.rows[piece, FLAGS])
        first = int(scene.terrain.rows[piece, PIECE_FIRST])
        stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
        is_met = touches_any(scene, mover.rects, piece, facing, swept)
        run = 0.0 if is_met else cast(fronts, way, scene.terrain.points, first, stop, -EPS / 2)
        if flags & BARRED:
            barred = min(barred, run)
        elif run < way.ahead:
            if flags & DIFFICULT:
                slow = min(slow, run)
            if flags & (UPHILL | GAP) or scene.terrain.rows[piece, STANDING] > numbers[CLIMB_FREE] + EPS:
                is_tricky = True
    if numbers[PASSES_DIFFICULT] > 0.0:
        slow = math.inf
    return barred, slow, is_tricky


# ----------------------------------------------------------------------------------------------------
# Compiled room for the closing slide: how far a block can shift sideways along its target.
#
# The block is seen in its own frame, x to its right. Every edge of an obstacle that lies in the height of one
# of its rectangles bars a span of shifts; what is left is where it may stand.

MOST_SPANS = 512
WHOSE = 2  # column of a span after its two ends: the unit that bars it, or the piece below 0


class Margins(NamedTuple):
    """How much of an obstacle counts: it is thickened by `radius`; a rectangle may lie in its height by `slack`, and
    come nearer from the side by `beside`.
    """

    radius: float
    slack: float
    beside: float


def bar_edge(
    rects: Matrix, margins: Margins, ax: float, ay: float, bx: float, by: float, spans: Matrix, count: int
) -> int:
    """Add the shifts at which some rectangle would overlap a segment."""
    radius, slack, beside = margins.radius, margins.slack, margins.beside
    for i in range(rects.shape[0]):
        low, high = rects[i, 1] + slack - radius, rects[i, 3] - slack + radius
        if max(ay, by) <= low or min(ay, by) >= high or count >= spans.shape[0]:
            continue
        first, second = 0.0, 1.0
        if abs(by - ay) > 1e-12:
            one, other = (low - ay) / (by - ay), (high - ay) / (by - ay)
            first, second = max(min(one, other), 0.0), min(max(one, other), 1.0)
        x0, x1 = ax + (bx - ax) * first, ax + (bx - ax) * second
        spans[count, 0] = min(x0, x1) - radius - rects[i, 2] + beside
        spans[count, 1] = max(x0, x1) + radius - rects[i, 0] - beside
        count += 1
    return count


def bar_shape(
    points: Matrix,
    first: int,
    stop: int,
    margins: Margins,
    rects: Matrix,
    here: Stretch,
    spans: Matrix,
    count: int,
) -> int:
    """Add the shifts that the edges of one polygon bar."""
    dx, dy = points[stop - 1, 0] - here.x, points[stop - 1, 1] - here.y
    ax, ay = dx * here.cosine - dy * here.sine, dx * here.sine + dy * here.cosine
    for k in range(first, stop):
        dx, dy = points[k, 0] - here.x, points[k, 1] - here.y
        bx, by = dx * here.cosine - dy * here.sine, dx * here.sine + dy * here.cosine
        count = bar_edge(rects, margins, ax, ay, bx, by, spans, count)
        ax, ay = bx, by
    return count


def edge_room(
    rects: Matrix, here: Stretch, width: float, depth: float, low: float, high: float
) -> tuple[float, float]:
    """The part of the shifts low..high at which no corner leaves the table."""
    step_x, step_y = here.cosine, -here.sine
    for i in range(rects.shape[0]):
        for k in range(4):
            across, along = rects[i, 0 if k % 2 == 0 else 2], rects[i, 1 if k < 2 else 3]
            for axis in range(2):
                if axis == 0:
                    at, step, size = here.x + (across * here.cosine + along * here.sine), step_x, width
                else:
                    at, step, size = here.y + (along * here.cosine - across * here.sine), step_y, depth
                if abs(step) < 1e-12:
                    if at < -SLACK or at > size + SLACK:
                        return math.inf, -math.inf
                    continue
                one, other = (-EPS - at) / step, (size + EPS - at) / step
                low, high = max(low, min(one, other)), min(high, max(one, other))
    return low, high


def is_free(
    scene: FlatScene,
    rects: Matrix,
    here: Stretch,
    shift: float,
    one: int,
    other: int,
    spans: Matrix,
    count: int,
) -> bool:
    """Whether the block may stand at a shift: in no barred span, not inside impassable ground or a third unit.

    Spans come from edges: where a rectangle is all inside something wider and deeper, no edge tells.
    """
    for k in range(count):
        if spans[k, 0] + ROUNDOFF < shift < spans[k, 1] - ROUNDOFF:
            return False
    for piece in range(scene.terrain.rows.shape[0]):
        if int(scene.terrain.rows[piece, FLAGS]) & BARRED:
            first = int(scene.terrain.rows[piece, PIECE_FIRST])
            stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
            for i in range(rects.shape[0]):
                across, along = (rects[i, 0] + rects[i, 2]) / 2 + shift, (rects[i, 1] + rects[i, 3]) / 2
                x = here.x + (across * here.cosine + along * here.sine)
                y = here.y + (along * here.cosine - across * here.sine)
                if point_in_polygon(scene.terrain.points, first, stop, x, y):
                    return False
    for unit in range(scene.bodies.bounds.shape[0]):
        if unit in (one, other):
            continue
        for i in range(rects.shape[0]):
            across, along = (rects[i, 0] + rects[i, 2]) / 2 + shift, (rects[i, 1] + rects[i, 3]) / 2
            x = here.x + (across * here.cosine + along * here.sine)
            y = here.y + (along * here.cosine - across * here.sine)
            dx, dy = scene.bodies.circles[unit, 0] - x, scene.bodies.circles[unit, 1] - y
            if dx * dx + dy * dy > scene.bodies.circles[unit, 2] * scene.bodies.circles[unit, 2]:
                continue
            for j in range(scene.bodies.bounds[unit, 0], scene.bodies.bounds[unit, 1]):
                first = int(scene.bodies.rows[j, FIRST])
                if point_in_polygon(
                    scene.bodies.points, first, first + int(scene.bodies.rows[j, COUNT]), x, y
                ):
                    return False
    return True


def barred_by(spans: Matrix, count: int, whose: float, met: float) -> tuple[bool, float, float]:
    """Whether a block that stands at a shift overlaps the one whose spans are meant, and all that these bar."""
    is_met = False
    first, last = math.inf, -math.inf
    for k in range(count):
        if spans[k, WHOSE] == whose:
            is_met = is_met or spans[k, 0] < met < spans[k, 1]
            first, last = min(first, spans[k, 0]), max(last, spans[k, 1])
    return is_met, first, last


def open_part(spans: Matrix, count: int, met: float) -> tuple[float, float]:
    """From where to where a block that stands at a shift comes without sliding through anything.

    Where the turn itself would end in something, it leaves that by the shorter way, left before right.
    """
    low, high = -math.inf, math.inf
    for k in range(count):
        first, last = spans[k, 0], spans[k, 1]
        is_met, all_first, all_last = barred_by(spans, count, spans[k, WHOSE], met)
        if is_met:
            first, last = all_first, all_last
        if first >= met - ROUNDOFF or (is_met and met - first <= last - met + ROUNDOFF):
            high = min(high, first)
        else:
            low = max(low, last)
    return low, high


def gather_spans(
    scene: FlatScene, rects: Matrix, here: Stretch, far: float, one: int, other: int, spans: Matrix
) -> int:
    """All barred spans from units other than the two that fight, and from impassable ground."""
    count = 0
    for unit in range(scene.bodies.bounds.shape[0]):
        dx, dy = scene.bodies.circles[unit, 0] - here.x, scene.bodies.circles[unit, 1] - here.y
        bound = far + scene.bodies.circles[unit, 2]
        if unit in (one, other) or dx * dx + dy * dy > bound * bound:
            continue
        for j in range(scene.bodies.bounds[unit, 0], scene.bodies.bounds[unit, 1]):
            first = int(scene.bodies.rows[j, FIRST])
            stop = first + int(scene.bodies.rows[j, COUNT])
            margins = Margins(scene.bodies.rows[j, RADIUS], SLACK, SLACK)
            before = count
            count = bar_shape(scene.bodies.points, first, stop, margins, rects, here, spans, count)
            spans[before:count, WHOSE] = unit
    for piece in range(scene.terrain.rows.shape[0]):
        dx, dy = scene.terrain.rows[piece, PIECE_X] - here.x, scene.terrain.rows[piece, PIECE_Y] - here.y
        bound = far + scene.terrain.rows[piece, PIECE_REACH]
        if int(scene.terrain.rows[piece, FLAGS]) & BARRED and dx * dx + dy * dy <= bound * bound:
            first = int(scene.terrain.rows[piece, PIECE_FIRST])
            stop = first + int(scene.terrain.rows[piece, PIECE_COUNT])
            # A grid step beside it is kept free, because rounding may take it: nobody ends where no march begins.
            margins = Margins(0.0, EPS, -2 * EPS)
            before = count
            count = bar_shape(scene.terrain.points, first, stop, margins, rects, here, spans, count)
            spans[before:count, WHOSE] = -1 - piece
    return count


def free_shifts(
    scene: FlatScene,
    rects: Matrix,
    here: Stretch,
    one: int,
    other: int,
    low: float,
    high: float,
    wanted: float,
) -> tuple[bool, float, float, float]:
    """Where a block put `here` may stand when shifted by low..high to its right.

    Whether anywhere at all, the free shift nearest to `wanted` (left before right), and how far it may slide
    from there in both directions.
    """
    reach = 0.0
    for i in range(rects.shape[0]):
        for k in range(4):
            across, along = rects[i, 0 if k % 2 == 0 else 2], rects[i, 1 if k < 2 else 3]
            reach = max(reach, math.sqrt(across * across + along * along))
    spans = np.empty((MOST_SPANS, 3))
    far = reach + max(abs(low), abs(high), abs(wanted))
    count = gather_spans(scene, rects, here, far, one, other, spans)
    first, last = open_part(spans, count, wanted)
    low, high = edge_room(rects, here, scene.width, scene.depth, max(low, first), min(high, last))
    if low > high:
        return False, 0.0, 0.0, 0.0
    start, away = 0.0, math.inf
    for k in range(2 * count + 3):
        shift = spans[k // 2, k % 2] if k < 2 * count else low if k == 2 * count else high
        shift = min(max(wanted, low), high) if k == 2 * count + 2 else shift
        off = abs(shift - wanted)
        is_nearer = off < away - ROUNDOFF or (off < away + ROUNDOFF and shift < start)
        if (
            low <= shift <= high
            and is_nearer
            and is_free(scene, rects, here, shift, one, other, spans, count)
        ):
            start, away = shift, off
    for k in range(count):
        if spans[k, 1] <= start + ROUNDOFF:
            low = max(low, spans[k, 1])
        elif spans[k, 0] >= start - ROUNDOFF:
            high = min(high, spans[k, 0])
    return away < math.inf, start, min(low, start), max(high, start)
