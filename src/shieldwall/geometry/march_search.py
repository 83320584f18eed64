"""The search for a block's best legs towards a spot, and for its way into a charge."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, IntMatrix, Ints, Matrix
from shieldwall.geometry.cast import LEFT_X, LEFT_Y, RIGHT_X, Stretch, cast
from shieldwall.geometry.distance import (
    COUNT,
    FIRST,
    FULL_TURN,
    QUARTER_TURN,
    RADIUS,
    direction,
    point_to_segment,
    snap,
)
from shieldwall.geometry.march import (
    CLIMBED,
    COMES_TO,
    PASSES_DIFFICULT,
    PASSES_TERRAIN,
    PASSES_UNITS,
    SLOWED,
    STRAIGHT,
    Marcher,
    MarchNotes,
    Mover,
    Swept,
    block_gap,
    is_near,
    is_piece_near,
    judge,
    leg_end,
    march,
    notes_for,
    room_to_sweep,
    standing,
    standing_at,
    wipe,
)
from shieldwall.geometry.scene import BARRED, DIFFICULT, FLAGS, PIECE_COUNT, PIECE_FIRST, FlatScene
from shieldwall.geometry.slide import (
    BACKWARD,
    FORWARD,
    LEFTWARD,
    RIGHTWARD,
    free_shifts,
    fronts_of,
    run_over_ground,
    run_to_edge,
    run_to_unit,
    run_to_units,
)
from shieldwall.geometry.tolerance import EPS, GRID, SLACK

# ----------------------------------------------------------------------------------------------------
# Compiled search for the longest legal leg, and for marches that a bot may pick from.

STRIDE = 250  # thousandths: how finely a run over heights and gaps is tried

# What a bot's number stands for: which kind of march, which of 25 turns, which ninths of each straight leg.
KINDS, TURNS, SHARES = 8, 25, 9
# Columns of a proposed march: first leg, turn, second leg, quarter of the first, and then what it comes to.
PROPOSAL = 4 + COMES_TO


def make_notes(scene: FlatScene, mover: Mover) -> MarchNotes:
    """Room for the marches of a block."""
    return notes_for(np.zeros((scene.terrain.rows.shape[0], mover.bases.shape[0]), dtype=np.int64))


def cost(
    scene: FlatScene, walk: Marcher, legs: Ints, allowance: float, notes: MarchNotes
) -> tuple[float, bool]:
    """The inches that a march uses with climbing, below 0 where it is not legal; whether it is slowed."""
    wipe(notes.crossed)
    end = march(scene, walk, legs, notes)
    limit = min(allowance, walk.budget.cap) if end[5] else allowance
    is_good = end[6] == 0 and end[3] + end[4] <= limit + EPS
    return end[3] + end[4] if is_good else -1.0, end[5]


def is_legal(scene: FlatScene, walk: Marcher, legs: Ints, allowance: float, notes: MarchNotes) -> bool:
    """Whether a march has no fault and does not go too far."""
    return cost(scene, walk, legs, allowance, notes)[0] >= 0.0


def set_last(legs: Ints, quarter: int, amount: int) -> None:
    """Write the last leg: an amount in one of the four directions."""
    last = legs.shape[0] - 3
    legs[last] = 0
    legs[last + 1] = amount if quarter == RIGHTWARD else -amount if quarter == LEFTWARD else 0
    legs[last + 2] = amount if quarter == FORWARD else -amount if quarter == BACKWARD else 0


def step_up(
    scene: FlatScene,
    walk: Marcher,
    legs: Ints,
    quarter: int,
    amount: int,
    allowance: float,
    notes: MarchNotes,
) -> int:
    """The longest last leg, at most `amount`, up to which every shorter one tried was legal too."""
    good, bad = 0, -1
    while bad < 0 and good < amount:
        tried = min(good + STRIDE, amount)
        set_last(legs, quarter, tried)
        if is_legal(scene, walk, legs, allowance, notes):
            good = tried
        else:
            bad = tried
    while bad - good > 1:
        tried = (good + bad) // 2
        set_last(legs, quarter, tried)
        if is_legal(scene, walk, legs, allowance, notes):
            good = tried
        else:
            bad = tried
    set_last(legs, quarter, good)
    return good


def step_down(
    scene: FlatScene,
    walk: Marcher,
    legs: Ints,
    quarter: int,
    amount: int,
    allowance: float,
    notes: MarchNotes,
) -> int:
    """The longest legal last leg on a grid of strides below `amount`: for those who pass over everything."""
    while amount > 0:
        set_last(legs, quarter, amount)
        if is_legal(scene, walk, legs, allowance, notes):
            return amount
        amount = max(amount - STRIDE, 0)
    set_last(legs, quarter, 0)
    return 0


def furthest(scene: FlatScene, walk: Marcher, legs: Ints, quarter: int, notes: MarchNotes) -> int:
    """The longest legal last leg of a march whose other legs are given; the leg is written into `legs`.

    Those who pass over units and terrain get the longest leg with a free end, all others the longest before
    anything stands in the way. 0 also where the other legs alone are illegal.
    """
    mover, numbers, budget = walk.mover, walk.numbers, walk.budget
    allowance = budget.allowance if quarter == FORWARD else budget.half
    last = legs.shape[0] - 3
    x, y, heading, straight, climb, is_slowed, _ = march(scene, walk, legs[:last], notes)
    wipe(notes.crossed)
    spent = straight + climb
    limit = (min(allowance, budget.cap) if is_slowed else allowance) - spent
    set_last(legs, quarter, 0)
    if limit <= 0.0:
        return 0
    swept = notes.swept
    sine, cosine = direction(walk.heading)
    start = standing(walk.x / 1000.0, walk.y / 1000.0, sine, cosine)
    sine, cosine = direction(heading)
    facing = standing(x / 1000.0, y / 1000.0, sine, cosine)
    sine, cosine = direction((heading + quarter * QUARTER_TURN) % (4 * QUARTER_TURN))
    way = Stretch(facing.x, facing.y, sine, cosine, 0.0, limit)
    fronts = fronts_of(mover.rects, quarter)
    barred, slow, is_tricky = run_over_ground(scene, mover, numbers, facing, way, fronts, swept)
    run = min(barred, run_to_edge(scene, mover, facing, way))
    is_flier = numbers[PASSES_UNITS] > 0.0 or numbers[PASSES_TERRAIN] > 0.0
    if numbers[PASSES_UNITS] <= 0.0:
        run = min(run, run_to_units(scene, mover, numbers, start, way, fronts, swept))
    if slow < run:
        run = min(run, max(slow, budget.cap - spent))
    return settle(scene, walk, legs, quarter, math.floor(run * 1000.0 + 1e-6), is_tricky, is_flier, notes)


def settle(
    scene: FlatScene, walk: Marcher, legs: Ints, quarter: int, amount: int, is_tricky: bool, is_flier: bool,
    notes: MarchNotes,
) -> int:  # fmt: skip
    """Bring a computed run onto the grid so that the march as a whole is legal."""
    allowance = walk.budget.allowance if quarter == FORWARD else walk.budget.half
    if not is_tricky:
        for tried in range(amount, max(amount - 4, -1), -1):
            set_last(legs, quarter, tried)
            if is_legal(scene, walk, legs, allowance, notes):
                return tried
    if is_flier:
        return step_down(scene, walk, legs, quarter, amount, allowance, notes)
    return step_up(scene, walk, legs, quarter, amount, allowance, notes)


def longest_leg(scene: FlatScene, walk: Marcher, legs: Ints, quarter: int) -> int:
    """`furthest` for a caller outside the kernels."""
    return furthest(scene, walk, legs, quarter, make_notes(scene, walk.mover))


def note_end(
    scene: FlatScene, walk: Marcher, legs: Ints, allowance: float, notes: MarchNotes, answer: Floats
) -> bool:
    """Write what legs come to into a proposal and say whether they are legal; what they cross stays in the notes."""
    faults = judge(scene, walk, legs, notes, answer[4:])
    limit = min(allowance, walk.budget.cap) if answer[4 + SLOWED] != 0.0 else allowance
    return faults == 0 and answer[4 + STRAIGHT] + answer[4 + CLIMBED] <= limit + EPS


def propose(
    scene: FlatScene,
    walk: Marcher,
    pivot_limit: int,
    picks: Ints,
    only_legs: bool,
    answers: Matrix,
    crossed: IntMatrix,
) -> None:
    """One legal march for each of a bot's numbers; standing still where the number leads nowhere.

    `crossed` tells afterwards which models cross which piece on the last of them. With `only_legs` nobody asks where
    the marches end.
    """
    notes = notes_for(crossed)
    ahead = np.zeros(3, dtype=np.int64)
    runs = np.full(4, -1, dtype=np.int64)
    for i in range(picks.shape[0]):
        pick = picks[i]
        kind, pick = pick % KINDS, pick // KINDS
        turn = int(snap((pick % TURNS - TURNS // 2) * pivot_limit / (TURNS // 2)))
        pick //= TURNS
        quarter = kind - 4 if kind > 4 and walk.budget.half > 0.0 else FORWARD
        if runs[quarter] < 0:
            runs[quarter] = furthest(scene, walk, ahead, quarter, notes)
        set_last(ahead, quarter, int(snap(pick % SHARES / (SHARES - 1) * runs[quarter])))
        if quarter == FORWARD and kind < 4:
            share = pick // SHARES % SHARES / (SHARES - 1)
            propose_turn(scene, walk, ahead[2], turn, share, only_legs, notes, answers[i])
        else:
            propose_straight(scene, walk, ahead, quarter, notes, answers[i])


def propose_turn(
    scene: FlatScene,
    walk: Marcher,
    first: int,
    turn: int,
    share: float,
    only_legs: bool,
    notes: MarchNotes,
    answer: Floats,
) -> None:
    """Forward, a turn and a share of the run behind it; without the turn where that does not work."""
    legs = np.zeros(9, dtype=np.int64)
    legs[2], legs[3] = first, turn
    run = furthest(scene, walk, legs, FORWARD, notes)
    set_last(legs, FORWARD, int(snap(share * run)))
    if turn == 0:  # one leg, as whoever checks it will read it: rounding once or twice is not the same
        legs[2] = first + legs[8]
        propose_straight(scene, walk, legs[:3], FORWARD, notes, answer)
        return
    is_known = only_legs and run > 0 and share == 1.0  # `furthest` has found it legal
    if is_known or note_end(scene, walk, legs, walk.budget.allowance, notes, answer):
        answer[0], answer[1], answer[2], answer[3] = first, turn, legs[8], FORWARD
    else:
        propose_straight(scene, walk, legs[:3], FORWARD, notes, answer)


def propose_straight(
    scene: FlatScene, walk: Marcher, leg: Ints, quarter: int, notes: MarchNotes, answer: Floats
) -> None:
    """A single leg, or none where a part of a legal run is not legal itself."""
    allowance = walk.budget.allowance if quarter == FORWARD else walk.budget.half
    answer[0], answer[1], answer[2], answer[3] = abs(leg[1]) + abs(leg[2]), 0, 0, quarter
    if not note_end(scene, walk, leg, allowance, notes, answer):
        answer[0] = 0
        note_end(scene, walk, np.zeros(3, dtype=np.int64), allowance, notes, answer)


# ----------------------------------------------------------------------------------------------------
# Compiled look at a charged unit: its rectangle, its arcs, which side is met, and the room to close up
# there.

FRONT, LEFT, RIGHT, REAR = range(4)
SIDES = 4
EDGE_NEAR = 0.01  # inches within which a side counts as met
LEAST_CONTACT = 0.1  # inches of front that have to meet the target for the two to count as engaged


class ChargeGoal(NamedTuple):
    """A charged unit: its row, the centre, heading vector and half sizes of its enclosing rectangle."""

    row: int
    x: float
    y: float
    sine: float
    cosine: float
    half_width: float
    half_depth: float


def target_of(scene: FlatScene, row: int) -> ChargeGoal:
    """Read the enclosing rectangle off a block's outline; the first edge of a rectangle runs to its right."""
    j = scene.bodies.bounds[row, 0]
    first = int(scene.bodies.rows[j, FIRST])
    sine, cosine = 0.0, 1.0
    if int(scene.bodies.rows[j, COUNT]) == 4:
        dx = scene.bodies.points[first + 1, 0] - scene.bodies.points[first, 0]
        dy = scene.bodies.points[first + 1, 1] - scene.bodies.points[first, 1]
        length = math.sqrt(dx * dx + dy * dy)
        sine, cosine = -dy / length, dx / length
    left, right, rear, front = math.inf, -math.inf, math.inf, -math.inf
    last = scene.bodies.bounds[row, 1] - 1
    for k in range(first, int(scene.bodies.rows[last, FIRST] + scene.bodies.rows[last, COUNT])):
        across = scene.bodies.points[k, 0] * cosine - scene.bodies.points[k, 1] * sine
        along = scene.bodies.points[k, 0] * sine + scene.bodies.points[k, 1] * cosine
        left, right = min(left, across), max(right, across)
        rear, front = min(rear, along), max(front, along)
    across, along = (left + right) / 2, (rear + front) / 2
    x, y = across * cosine + along * sine, along * cosine - across * sine
    return ChargeGoal(row, x, y, sine, cosine, (right - left) / 2, (front - rear) / 2)


def arc_at(target: ChargeGoal, x: float, y: float) -> int:
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


def count_sides(target: ChargeGoal, here: Stretch, leaders: Matrix, front: float, counts: Ints) -> int:
    """How many models of the charger's front row stand in the arc of each side; the side of the middle of its front."""
    for i in range(leaders.shape[0]):
        across, along = leaders[i, 0], leaders[i, 1]
        x = here.x + (across * here.cosine + along * here.sine)
        y = here.y + (along * here.cosine - across * here.sine)
        counts[arc_at(target, x, y)] += 1
    return arc_at(target, here.x + front * here.sine, here.y + front * here.cosine)


def sides_faced(
    scene: FlatScene, mover: Mover, row: int, here: Stretch, leaders: Matrix, counts: Ints
) -> int:
    """`count_sides` for a caller outside the kernels."""
    front = fronts_of(mover.rects, FORWARD)[0, LEFT_Y]
    return count_sides(target_of(scene, row), here, leaders, front, counts)


def proper_side(target: ChargeGoal, here: Stretch, leaders: Matrix, front: float) -> int:
    """The side in whose arc most of the charger's front row stands, ties going to the middle of its front
    edge.
    """
    counts = np.zeros(SIDES, dtype=np.int64)
    middle = count_sides(target, here, leaders, front, counts)
    best = middle
    for side in range(SIDES):
        if counts[side] > counts[best]:
            best = side
    return best


def sides_met(scene: FlatScene, target: ChargeGoal, mover: Mover, end: Stretch) -> int:
    """A bit for each side of the target that the block touches and beyond which its centre stands."""
    met = 0
    for j in range(scene.bodies.bounds[target.row, 0], scene.bodies.bounds[target.row, 1]):
        first = int(scene.bodies.rows[j, FIRST])
        if int(scene.bodies.rows[j, COUNT]) != 4:
            return 15  # a loose unit has no sides of its own
        for k in range(4):
            ax, ay = scene.bodies.points[first + k, 0], scene.bodies.points[first + k, 1]
            bx, by = scene.bodies.points[first + (k + 1) % 4, 0], scene.bodies.points[first + (k + 1) % 4, 1]
            outward = (end.x - ax) * (by - ay) - (end.y - ay) * (bx - ax)
            if outward > 0.0 and front_to_segment(mover, end, ax, ay, bx, by) <= EDGE_NEAR:
                met |= 1 << (REAR if k == 0 else RIGHT if k == 1 else FRONT if k == 2 else LEFT)
    return met


def front_to_segment(mover: Mover, end: Stretch, ax: float, ay: float, bx: float, by: float) -> float:
    """Distance between the front edge of a block and a segment that it does not cross."""
    fronts = fronts_of(mover.rects, FORWARD)
    left, right, front = fronts[0, LEFT_X], fronts[0, RIGHT_X], fronts[0, LEFT_Y]
    cx, cy = end.x + (left * end.cosine + front * end.sine), end.y + (front * end.cosine - left * end.sine)
    dx, dy = end.x + (right * end.cosine + front * end.sine), end.y + (front * end.cosine - right * end.sine)
    nearest = min(point_to_segment(ax, ay, cx, cy, dx, dy), point_to_segment(bx, by, cx, cy, dx, dy))
    nearest = min(nearest, point_to_segment(cx, cy, ax, ay, bx, by), point_to_segment(dx, dy, ax, ay, bx, by))
    return math.sqrt(nearest)


def facing_side(target: ChargeGoal, side: int) -> tuple[float, float, float]:
    """Sine and cosine of the heading that looks flat at a side, and how far that side is from the centre."""
    if side == FRONT:
        return -target.sine, -target.cosine, target.half_depth
    if side == LEFT:
        return target.cosine, -target.sine, target.half_width
    if side == RIGHT:
        return -target.cosine, target.sine, target.half_width
    return target.sine, target.cosine, target.half_depth


def flush_part(
    scene: FlatScene, target: ChargeGoal, sine: float, cosine: float, depth: float
) -> tuple[float, float]:
    """From where to where, seen along a heading, the target reaches its nearest line."""
    low, high = math.inf, -math.inf
    for j in range(scene.bodies.bounds[target.row, 0], scene.bodies.bounds[target.row, 1]):
        left, right, near = math.inf, -math.inf, math.inf
        first = int(scene.bodies.rows[j, FIRST])
        for k in range(first, first + int(scene.bodies.rows[j, COUNT])):
            dx, dy = scene.bodies.points[k, 0] - target.x, scene.bodies.points[k, 1] - target.y
            across, along = dx * cosine - dy * sine, dx * sine + dy * cosine
            left, right, near = min(left, across), max(right, across), min(near, along)
        if near <= SLACK - depth:
            low, high = min(low, left), max(high, right)
    return low, high


def has_room(scene: FlatScene, mover: Mover, target: ChargeGoal, side: int, x: float, y: float) -> bool:
    """Whether a charger that made contact at (x, y) can stand flat against a side of the target."""
    sine, cosine, depth = facing_side(target, side)
    fronts = fronts_of(mover.rects, FORWARD)
    half, front = (fronts[0, RIGHT_X] - fronts[0, LEFT_X]) / 2, fronts[0, LEFT_Y]
    low, high = flush_part(scene, target, sine, cosine, depth)
    low, high = low - half + LEAST_CONTACT, high + half - LEAST_CONTACT
    met_at = (x - target.x) * cosine - (y - target.y) * sine
    flush = depth + front
    here = standing(target.x - flush * sine, target.y - flush * cosine, sine, cosine)
    return free_shifts(scene, mover.rects, here, mover.row, target.row, low, high, met_at)[0]


# ----------------------------------------------------------------------------------------------------
# Compiled search for charges: forward, one turn, forward, until the front meets the target.
#
# The target is met by the front alone: a corner that swings against it in the turn is no charge
# (R35-MELEE-15). Ways are tried in a fixed order, straight ahead first, then aimed turns, then a grid that is
# refined where it came close; the first way that meets the proper side wins, otherwise the shortest one
# found.

OPTION = 7  # columns of an option: row of the target, side, first leg, turn, second leg, proper side, used

STEP = 1000  # thousandths between the points of the first leg at which turns are tried
SHORT_STEP, SHORT_UP_TO = 250, 2000  # finer at the beginning: who stands beside a target turns soon or never
TURN_STEP = 750  # hundredths between the turns tried there
REFINEMENTS = 5
TRIES = 60  # legality checks spent on one target before it counts as out of reach
NEAR_MISS = 1.5  # inches by which a way may fall short to be worth refining


class Hunt(NamedTuple):
    """One search: the charger, the target, their distance, and the marches to try."""

    walk: Marcher
    target: ChargeGoal
    away: float
    fronts: Matrix
    legs: Ints
    swept: Swept
    best: Matrix  # for each side: used, first leg, turn, second leg
    close: Floats  # the nearest miss: by how much, first leg, turn; then the tries that are left


MISSED, BLOCKED = 1e6, 0.5


def is_barred(scene: FlatScene, hunt: Hunt, way: Stretch, has_turned: bool, is_long: bool) -> bool:
    """A quick look at the last leg: whether somebody or something is met before the target is.

    A long way is also barred by ground that slows.
    """
    walk = hunt.walk
    mover, numbers = walk.mover, walk.numbers
    here = standing(way.x, way.y, way.sine, way.cosine)
    if numbers[PASSES_UNITS] <= 0.0:
        for unit in range(scene.bodies.bounds.shape[0]):
            x, y, reach = (
                scene.bodies.circles[unit, 0],
                scene.bodies.circles[unit, 1],
                scene.bodies.circles[unit, 2],
            )
            if unit == mover.row or not is_near(way, mover.reach, x, y, reach):
                continue
            if unit != hunt.target.row and run_to_unit(scene, unit, way, hunt.fronts, -EPS) < way.ahead - EPS:
                return True
            if has_turned and block_gap(scene, mover, unit, here, hunt.swept) < -SLACK:
                return True
    if numbers[PASSES_TERRAIN] <= 0.0:
        bars = BARRED | DIFFICULT if is_long and numbers[PASSES_DIFFICULT] <= 0.0 else BARRED
        for piece in range(scene.terrain.rows.shape[0]):
            row = scene.terrain.rows[piece]
            if int(row[FLAGS]) & bars and is_piece_near(scene, piece, way, mover.reach):
                first = int(row[PIECE_FIRST])
                stop = first + int(row[PIECE_COUNT])
                if cast(hunt.fronts, way, scene.terrain.points, first, stop, -EPS) < way.ahead - EPS:
                    return True
    return False


def try_way(scene: FlatScene, hunt: Hunt, first: int, turn: int, notes: MarchNotes) -> float:
    """Try one way and remember it where it works; otherwise by how many inches it falls short."""
    walk, target = hunt.walk, hunt.target
    sine, cosine = direction(walk.heading)
    x, y = leg_end(walk.x, walk.y, sine, cosine, 0.0, float(first))
    sine, cosine = direction((walk.heading + turn) % FULL_TURN)
    way = standing(x / 1000.0, y / 1000.0, sine, cosine)
    run = run_to_unit(scene, target.row, way, hunt.fronts, -EPS) - EPS
    if run == math.inf:
        return MISSED
    short = first / 1000.0 + run - walk.budget.allowance
    if short > EPS:
        return short
    second = max(math.floor(run * 1000.0 + 1e-6), 0)
    way = Stretch(way.x, way.y, sine, cosine, 0.0, max(run, 0.0))
    is_long = max(first / 1000.0 + run, hunt.away) > walk.budget.cap + EPS
    if (turn != 0 and second == 0) or is_barred(scene, hunt, way, turn != 0, is_long):
        return BLOCKED
    hunt.close[3] -= 1.0
    if hunt.close[3] < 0.0:
        return MISSED
    hunt.legs[2], hunt.legs[3], hunt.legs[8] = first, turn, second
    used, is_slowed = cost(scene, walk, hunt.legs, walk.budget.allowance, notes)
    if used < 0.0 or (is_slowed and hunt.away > walk.budget.cap + EPS):
        return BLOCKED  # a swinging corner gives no more reach than the ruler did (R35-TERRAIN-19)
    x, y = leg_end(x, y, sine, cosine, 0.0, float(second))
    end = standing(x / 1000.0, y / 1000.0, sine, cosine)
    if block_gap(scene, walk.mover, target.row, end, hunt.swept) > SLACK:
        return BLOCKED
    met = sides_met(scene, target, walk.mover, end)
    for side in range(SIDES):
        if (
            met >> side & 1
            and used < hunt.best[side, 0]
            and has_room(scene, walk.mover, target, side, end.x, end.y)
        ):
            hunt.best[side, 0], hunt.best[side, 1] = used, first
            hunt.best[side, 2], hunt.best[side, 3] = turn, second
    return 0.0


def attempt(scene: FlatScene, hunt: Hunt, first: int, turn: int, notes: MarchNotes) -> None:
    """Try one way and keep it in mind where it is the nearest miss so far."""
    short = try_way(scene, hunt, first, turn, notes)
    if short < hunt.close[0]:
        hunt.close[0], hunt.close[1], hunt.close[2] = short, first, turn


def aim(walk: Marcher, x: float, y: float, limit: int) -> int:
    """The turn that looks at a point, as far as it is allowed."""
    sine, cosine = direction(walk.heading)
    dx, dy = x - walk.x / 1000.0, y - walk.y / 1000.0
    turn = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine) * (18000.0 / math.pi)
    return int(min(max(snap(turn), -limit), limit))


def side_middle(target: ChargeGoal, side: int) -> tuple[float, float]:
    """The middle of one side of the target."""
    across = target.half_width if side == RIGHT else -target.half_width if side == LEFT else 0.0
    along = target.half_depth if side == FRONT else -target.half_depth if side == REAR else 0.0
    x = target.x + (across * target.cosine + along * target.sine)
    y = target.y + (along * target.cosine - across * target.sine)
    return x, y


def bearings(scene: FlatScene, hunt: Hunt, first: int) -> tuple[float, float, float]:
    """Turns, in hundredths, that can meet the target after a first leg: about which one, from and to."""
    walk, target = hunt.walk, hunt.target
    sine, cosine = direction(walk.heading)
    x, y = walk.x / 1000.0 + first / 1000.0 * sine, walk.y / 1000.0 + first / 1000.0 * cosine
    dx, dy = target.x - x, target.y - y
    middle = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine)
    low, high, nearest = 0.0, 0.0, math.inf
    half = (hunt.fronts[0, RIGHT_X] - hunt.fronts[0, LEFT_X]) / 2
    for j in range(scene.bodies.bounds[target.row, 0], scene.bodies.bounds[target.row, 1]):
        begin = int(scene.bodies.rows[j, FIRST])
        for k in range(begin, begin + int(scene.bodies.rows[j, COUNT])):
            dx, dy = scene.bodies.points[k, 0] - x, scene.bodies.points[k, 1] - y
            away = math.sqrt(dx * dx + dy * dy) - scene.bodies.rows[j, RADIUS]
            nearest = min(nearest, away)
            spread = math.asin(half / away) if away > half else math.pi
            bearing = math.atan2(dx * cosine - dy * sine, dx * sine + dy * cosine) - middle
            bearing = (bearing + 3.0 * math.pi) % (2.0 * math.pi) - math.pi
            low, high = min(low, bearing - spread), max(high, bearing + spread)
    scale = 18000.0 / math.pi
    return middle * scale, low * scale, high * scale


def search_grid(
    scene: FlatScene, hunt: Hunt, wanted: int, first_run: int, limit: int, notes: MarchNotes
) -> None:
    """Try turns after every step of the first leg until the wanted side is met."""
    first = 0
    while hunt.best[wanted, 0] == math.inf and hunt.close[3] >= 0.0:
        middle, low, high = bearings(scene, hunt, first)
        for k in range(limit // TURN_STEP * 2 + 1):
            turn = (k + 1) // 2 * TURN_STEP * (1 if k % 2 else -1)
            off = (turn - middle + 3 * FULL_TURN / 2) % FULL_TURN - FULL_TURN / 2
            if low <= off <= high and hunt.best[wanted, 0] == math.inf:
                attempt(scene, hunt, first, turn, notes)
        if first >= first_run:
            break
        first = min(first + (SHORT_STEP if first < SHORT_UP_TO else STEP), first_run)


def none_met(best: Matrix) -> bool:
    """Whether no side of the target was met yet."""
    for side in range(best.shape[0]):
        if best[side, 0] != math.inf:
            return False
    return True


def refine(scene: FlatScene, hunt: Hunt, first_run: int, limit: int, notes: MarchNotes) -> None:
    """Search round the nearest miss with ever smaller steps until some way works."""
    step, turn_step = STEP // 2, TURN_STEP // 2
    for _ in range(REFINEMENTS):
        first, turn = int(hunt.close[1]), int(hunt.close[2])
        for i in range(-1, 2):
            for k in range(-1, 2):
                if (i != 0 or k != 0) and none_met(hunt.best):
                    near = min(max(first + i * step, 0), first_run)
                    attempt(scene, hunt, near, min(max(turn + k * turn_step, -limit), limit), notes)
        step, turn_step = step // 2, turn_step // 2


def hunt_down(
    scene: FlatScene, hunt: Hunt, wanted: int, first_run: int, limit: int, notes: MarchNotes
) -> None:
    """Fill `hunt.best` until the wanted side is met or everything was tried."""
    attempt(scene, hunt, 0, 0, notes)
    if limit > 0 and hunt.best[wanted, 0] == math.inf:
        x, y = side_middle(hunt.target, wanted)
        attempt(scene, hunt, 0, aim(hunt.walk, x, y, limit), notes)
    if limit > 0 and hunt.best[wanted, 0] == math.inf:
        search_grid(scene, hunt, wanted, first_run, limit, notes)
        if none_met(hunt.best) and hunt.close[0] < NEAR_MISS:
            refine(scene, hunt, first_run, limit, notes)


def nearest_side(best: Matrix, wanted: int) -> int:
    """The wanted side where it was met, else the one met on the shortest way, front before flank before
    rear.
    """
    if best[wanted, 0] < math.inf:
        return wanted
    chosen = -1
    for side in range(SIDES):
        if best[side, 0] < math.inf and (chosen < 0 or best[side, 0] < best[chosen, 0]):
            chosen = side
    return chosen


class ChargeTerms(NamedTuple):
    """What a charge is after: where the front row stands, the wanted side (-1: the proper one), the most it turns."""

    leaders: Matrix
    wanted: int
    limit: int


def charge_one(
    scene: FlatScene,
    walk: Marcher,
    row: int,
    terms: ChargeTerms,
    first_run: int,
    notes: MarchNotes,
    answer: Ints,
) -> bool:
    """Look for a charge on one unit."""
    wanted, limit = terms.wanted, terms.limit
    target = target_of(scene, row)
    sine, cosine = direction(walk.heading)
    here = standing(walk.x / 1000.0, walk.y / 1000.0, sine, cosine)
    fronts = fronts_of(walk.mover.rects, FORWARD)
    side = wanted if wanted >= 0 else proper_side(target, here, terms.leaders, fronts[0, LEFT_Y])
    close = np.zeros(4)
    close[0], close[3] = math.inf, TRIES
    best = np.full((SIDES, 4), math.inf)
    away = block_gap(scene, walk.mover, row, here, room_to_sweep())
    hunt = Hunt(walk, target, away, fronts, np.zeros(9, dtype=np.int64), room_to_sweep(), best, close)
    hunt_down(scene, hunt, side, first_run, limit, notes)
    met = nearest_side(best, side) if wanted < 0 else side if best[side, 0] < math.inf else -1
    answer[0], answer[1], answer[5] = row, met, side
    if met >= 0:
        answer[2], answer[3], answer[4] = int(best[met, 1]), int(best[met, 2]), int(best[met, 3])
        answer[6] = int(snap(best[met, 0] * GRID))
    return met >= 0


def find_charges(
    scene: FlatScene, walk: Marcher, terms: ChargeTerms, sides: Ints, only: int, answers: IntMatrix
) -> int:
    """Every enemy unit that can be charged, or `only` one of them, into `answers`; how many there are."""
    mover, numbers, allowance = walk.mover, walk.numbers, walk.budget.allowance
    here = standing_at(walk.x / 1000.0, walk.y / 1000.0, walk.heading)
    swept = room_to_sweep()
    notes = make_notes(scene, mover)
    count = 0
    first_run = -1
    circles = scene.bodies.circles
    for other in range(scene.bodies.bounds.shape[0]):
        if sides[other] == sides[mover.row] or (only >= 0 and other != only):
            continue
        dx, dy = circles[other, 0] - here.x, circles[other, 1] - here.y
        bound = allowance + mover.reach + circles[other, 2] + EPS
        if dx * dx + dy * dy > bound * bound or block_gap(scene, mover, other, here, swept) > allowance + EPS:
            continue
        if first_run < 0:
            first_run = int(snap(allowance * GRID))  # who flies may turn above anything
            if numbers[PASSES_UNITS] <= 0.0 and numbers[PASSES_TERRAIN] <= 0.0:
                first_run = furthest(scene, walk, np.zeros(3, dtype=np.int64), FORWARD, notes)
        if charge_one(scene, walk, other, terms, first_run, notes, answers[count]):
            count += 1
    return count
