"""Compiled look at a charged unit: its rectangle, its arcs, which side is met, and the room to close up
there.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, FIRST, Floats, point_to_segment
from shieldwall.table.kernels_block import SLACK, Board, Mover, Stretch, standing
from shieldwall.table.kernels_block_run import FORWARD, fronts_of
from shieldwall.table.kernels_block_slide import free_shifts
from shieldwall.table.lean import lean
from shieldwall.table.tolerance import EPS

FRONT, LEFT, RIGHT, REAR = range(4)
SIDES = 4
EDGE_NEAR = 0.01  # inches within which a side counts as met
LEAST_CONTACT = 0.1  # inches of front that have to meet the target for the two to count as engaged


class Target(NamedTuple):
    """A charged unit: its row, the centre, heading vector and half sizes of its enclosing rectangle."""

    row: int
    x: float
    y: float
    sine: float
    cosine: float
    half_width: float
    half_depth: float


@lean
def target_of(board: Board, row: int) -> Target:
    """Read the enclosing rectangle off a block's outline; the first edge of a rectangle runs to its right."""
    j = board.bounds[row, 0]
    first = int(board.rows[j, FIRST])
    sine, cosine = 0.0, 1.0
    if int(board.rows[j, COUNT]) == 4:
        dx = board.points[first + 1, 0] - board.points[first, 0]
        dy = board.points[first + 1, 1] - board.points[first, 1]
        length = math.sqrt(dx * dx + dy * dy)
        sine, cosine = -dy / length, dx / length
    left, right, rear, front = math.inf, -math.inf, math.inf, -math.inf
    last = board.bounds[row, 1] - 1
    for k in range(first, int(board.rows[last, FIRST] + board.rows[last, COUNT])):
        across = board.points[k, 0] * cosine - board.points[k, 1] * sine
        along = board.points[k, 0] * sine + board.points[k, 1] * cosine
        left, right = min(left, across), max(right, across)
        rear, front = min(rear, along), max(front, along)
    across, along = (left + right) / 2, (rear + front) / 2
    x, y = across * cosine + along * sine, along * cosine - across * sine
    return Target(row, x, y, sine, cosine, (right - left) / 2, (front - rear) / 2)


@lean
def arc_at(target: Target, x: float, y: float) -> int:
    """The arc of the target that holds a point; on a front line front, on a rear line flank (R35-FORM-02)."""
    dx, dy = x - target.x, y - target.y
    across = dx * target.cosine - dy * target.sine
    along = dx * target.sine + dy * target.cosine
    beside, beyond = abs(across) - target.half_width, abs(along) - target.half_depth
    if along >= 0.0 and beyond >= beside - EPS:
        return FRONT
    if along < 0.0 and beyond > beside + EPS:
        return REAR
    return RIGHT if across >= 0.0 else LEFT


@kernel
def proper_side(target: Target, here: Stretch, leaders: Floats, front: float) -> int:
    """The side in whose arc most of the charger's front row stands, ties going to the middle of its front
    edge.
    """
    counts = np.zeros(SIDES, dtype=np.int64)
    for i in range(leaders.shape[0]):
        across, along = leaders[i, 0], leaders[i, 1]
        x = here.x + (across * here.cosine + along * here.sine)
        y = here.y + (along * here.cosine - across * here.sine)
        counts[arc_at(target, x, y)] += 1
    most = counts.max()
    middle = arc_at(target, here.x + front * here.sine, here.y + front * here.cosine)
    if counts[middle] == most:
        return middle
    for side in range(SIDES):
        if counts[side] == most:
            return side
    return middle


@lean
def sides_met(board: Board, target: Target, mover: Mover, end: Stretch) -> int:
    """A bit for each side of the target that the block touches and beyond which its centre stands."""
    met = 0
    for j in range(board.bounds[target.row, 0], board.bounds[target.row, 1]):
        first = int(board.rows[j, FIRST])
        if int(board.rows[j, COUNT]) != 4:
            return 15  # a loose unit has no sides of its own
        for k in range(4):
            ax, ay = board.points[first + k, 0], board.points[first + k, 1]
            bx, by = board.points[first + (k + 1) % 4, 0], board.points[first + (k + 1) % 4, 1]
            outward = (end.x - ax) * (by - ay) - (end.y - ay) * (bx - ax)
            if outward > 0.0 and front_to_segment(mover, end, ax, ay, bx, by) <= EDGE_NEAR:
                met |= 1 << (REAR if k == 0 else RIGHT if k == 1 else FRONT if k == 2 else LEFT)
    return met


@kernel
def front_to_segment(mover: Mover, end: Stretch, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance between the front edge of a block and a segment that it does not cross."""
    fronts = fronts_of(mover.rects, FORWARD)
    left, right, front = fronts[0, 0], fronts[0, 1], fronts[0, 2]
    cx, cy = end.x + (left * end.cosine + front * end.sine), end.y + (front * end.cosine - left * end.sine)
    dx, dy = end.x + (right * end.cosine + front * end.sine), end.y + (front * end.cosine - right * end.sine)
    nearest = min(point_to_segment(ax, ay, cx, cy, dx, dy), point_to_segment(bx, by, cx, cy, dx, dy))
    nearest = min(nearest, point_to_segment(cx, cy, ax, ay, bx, by), point_to_segment(dx, dy, ax, ay, bx, by))
    return math.sqrt(nearest)


@lean
def facing_side(target: Target, side: int) -> tuple[float, float, float]:
    """Sine and cosine of the heading that looks flat at a side, and how far that side is from the centre."""
    if side == FRONT:
        return -target.sine, -target.cosine, target.half_depth
    if side == LEFT:
        return target.cosine, -target.sine, target.half_width
    if side == RIGHT:
        return -target.cosine, target.sine, target.half_width
    return target.sine, target.cosine, target.half_depth


@lean
def flush_part(board: Board, target: Target, sine: float, cosine: float, depth: float) -> tuple[float, float]:
    """From where to where, seen along a heading, the target reaches its nearest line."""
    low, high = math.inf, -math.inf
    for j in range(board.bounds[target.row, 0], board.bounds[target.row, 1]):
        left, right, near = math.inf, -math.inf, math.inf
        first = int(board.rows[j, FIRST])
        for k in range(first, first + int(board.rows[j, COUNT])):
            dx, dy = board.points[k, 0] - target.x, board.points[k, 1] - target.y
            across, along = dx * cosine - dy * sine, dx * sine + dy * cosine
            left, right, near = min(left, across), max(right, across), min(near, along)
        if near <= SLACK - depth:
            low, high = min(low, left), max(high, right)
    return low, high


@kernel
def has_room(board: Board, mover: Mover, target: Target, side: int, x: float, y: float) -> bool:
    """Whether a charger that made contact at (x, y) can stand flat against a side of the target."""
    sine, cosine, depth = facing_side(target, side)
    fronts = fronts_of(mover.rects, FORWARD)
    half, front = (fronts[0, 1] - fronts[0, 0]) / 2, fronts[0, 2]
    low, high = flush_part(board, target, sine, cosine, depth)
    low, high = low - half + LEAST_CONTACT, high + half - LEAST_CONTACT
    met_at = (x - target.x) * cosine - (y - target.y) * sine
    flush = depth + front
    here = standing(target.x - flush * sine, target.y - flush * cosine, sine, cosine)
    return free_shifts(board, mover.rects, here, mover.row, target.row, low, high, met_at)[0]
