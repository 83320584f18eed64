"""Lines of sight through narrow gaps and from rim to rim, which sampled lines miss."""

from __future__ import annotations

import math

from shieldwall.geometry.arrays import Matrix
from shieldwall.geometry.distance import HIGH, LOW, X, Y
from shieldwall.geometry.sight_lines import (
    CORNER,
    CORNERS,
    OFFSETS,
    PART_COSINE,
    PART_HIGH,
    PART_LOW,
    PART_SINE,
    PER_DEPTH,
    PER_WIDTH,
    LineInSpace,
    Lines,
    Pair,
    SightArrays,
    Sighting,
    chord,
    crosses,
    rim,
    span_in,
    stops,
    touching_line,
)
from shieldwall.geometry.tolerance import EPS

# ----------------------------------------------------------------------------------------------------
# Narrow gaps: a free line between two bases that the sampled ones miss.
#
# All lines between two bases form a square: where each one starts and where it ends. Whatever stops lines cuts pieces
# out of it. If anything is left, it has a corner, and the line of a corner touches two things: one on its left and
# one on its right, or one of them and an end of a base. So it is enough to try those lines, a hair away from what they
# touch.

HAIR = 1e-5  # inches that a tried line keeps away from what it passes
TURNS = 12  # times that a line is laid anew against both things before it is taken as it is
STILL = 1e-12  # a line that turned by no more (squared) lies where it should
MOST = 40  # things near a pair beyond which only the sampled lines count


def farthest(sight: SightArrays, part: int, out_x: float, out_y: float) -> tuple[float, float]:
    """The point of a part that lies farthest in a direction."""
    first = int(sight.parts[part, CORNER])
    stop = first + int(sight.parts[part, CORNERS])
    if first == stop:
        sine = sight.parts[part, PART_SINE]
        cosine = sight.parts[part, PART_COSINE]
        aside = (out_x * cosine - out_y * sine) / sight.parts[part, PER_WIDTH]
        ahead = (out_x * sine + out_y * cosine) / sight.parts[part, PER_DEPTH]
        length = math.sqrt(aside * aside + ahead * ahead)
        aside /= length * sight.parts[part, PER_WIDTH]
        ahead /= length * sight.parts[part, PER_DEPTH]
        return sight.parts[part, X] + aside * cosine + ahead * sine, sight.parts[
            part, Y
        ] + ahead * cosine - aside * sine
    best = first
    for k in range(first + 1, stop):
        if (sight.corners[k, 0] - sight.corners[best, 0]) * out_x + (
            sight.corners[k, 1] - sight.corners[best, 1]
        ) * out_y > 0.0:
            best = k
    return sight.corners[best, 0], sight.corners[best, 1]


def beside(sight: SightArrays, part: int, side: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a line in a direction passes a part that lies on its left (`side` 1) or right (-1)."""
    out_x = side * dy
    out_y = -side * dx
    x, y = farthest(sight, part, out_x, out_y)
    return x + HAIR * out_x, y + HAIR * out_y


def share_across(
    x: float, y: float, dx: float, dy: float, mid_x: float, mid_y: float, across_x: float, across_y: float
) -> float:
    """Where a line crosses a breadth, -1 to 1; beyond that where it passes it by."""
    turn = across_x * dy - across_y * dx
    off = (x - mid_x) * dy - (y - mid_y) * dx
    if abs(turn) < 1e-12:
        return 0.0 if abs(off) < 1e-9 else math.inf
    return off / turn


def is_free(lines: Lines, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether the line through a point joins both bases and passes by everything near."""
    look = lines.look
    pair, sight, near = look.pair, look.sight, look.near
    start = share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y)
    if not abs(start) <= 1.0 + 1e-9:
        return False
    end = share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y)
    if not pair.right - 1e-9 <= end <= pair.left + 1e-9:
        return False
    x = pair.x + start * pair.across_x
    y = pair.y + start * pair.across_y
    dx = pair.to_x + end * pair.to_across_x - x
    dy = pair.to_y + end * pair.to_across_y - y
    line = LineInSpace(x, y, lines.z, dx, dy, lines.to_z - lines.z)
    for k in range(look.size):
        if stops(sight, near[k], lines.in_space, line):
            return False
    return True


def end_of(pair: Pair, number: int) -> tuple[float, float]:
    """One of the four ends of the two breadths."""
    if number < 2:
        share = 1.0 - 2.0 * number
        return pair.x + share * pair.across_x, pair.y + share * pair.across_y
    share = pair.left if number == 2 else pair.right
    return pair.to_x + share * pair.to_across_x, pair.to_y + share * pair.to_across_y


def touching(look: Sighting, thing: int, side: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a line touches a thing on its left (`side` 1) or right (-1): a part or, after them, an end."""
    if thing < look.size:
        return beside(look.sight, look.near[thing], side, dx, dy)
    return end_of(look.pair, thing - look.size)


def passes_between(lines: Lines, left: int, right: int) -> bool:
    """Whether the line that touches one thing on its left and another on its right is free."""
    pair = lines.look.pair
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    length = math.sqrt(far_x * far_x + far_y * far_y)
    dx = far_x / length
    dy = far_y / length
    x = y = 0.0
    for _ in range(TURNS):
        x, y = touching(lines.look, left, 1.0, dx, dy)
        to_x, to_y = touching(lines.look, right, -1.0, dx, dy)
        way_x = to_x - x
        way_y = to_y - y
        length = math.sqrt(way_x * way_x + way_y * way_y)
        if length < HAIR:
            return False
        if way_x * far_x + way_y * far_y < 0.0:
            length = -length
        turn = way_x / length * dy - way_y / length * dx
        dx = way_x / length
        dy = way_y / length
        if turn * turn < STILL:
            break
    return is_free(lines, x, y, dx, dy)


def has_slit(lines: Lines) -> bool:
    """Whether any line at these heights joins the bases, ends in the arc and passes by all parts that are near."""
    count, pair = lines.look.size, lines.look.pair
    if count > MOST or (pair.x == pair.to_x and pair.y == pair.to_y):
        return False
    for left in range(count + 4):
        for right in range(count + 4):
            if left == right or (left >= count and right >= count):
                continue
            if passes_between(lines, left, right):
                return True
    return False


# ----------------------------------------------------------------------------------------------------
# A line from rim to rim of two volumes, where none between their middles is free.
#
# Whatever stands on the ground is passed best between the tops. Who looks down over a wall looks best from the rim
# that is nearest to it to the far rim of the other, and the other way round: moving the higher end closer and the lower
# end away lifts the line everywhere. So a line is known by how it runs seen from above, and those form a square again:
# where it crosses the breadth of either base, or the line of that breadth beyond its ends. The lines worth trying are
# those that touch two things (as for slits above, the bases being things as well) and those that clear the tops
# best, which are looked for step by step.

BACK = 100.0  # inches behind a base from where its chord is looked for
FIRST_STEP = 0.25  # of a breadth
LAST_STEP = 0.001
FAN = 17  # directions in which a line is laid along a thing
EVEN, BETWEEN, ALONG = range(3)  # kinds of lines that are tried


def chord_hides(figures: Matrix, i: int, j: int, ax: float, ay: float, bx: float, by: float) -> bool:
    """Whether both bases lie on different sides of the line from a to b, clear of it."""
    out_x = ay - by
    out_y = bx - ax
    length = math.sqrt(out_x * out_x + out_y * out_y)
    if length == 0.0:
        return False
    out_x /= length
    out_y /= length
    if (figures[j, X] - figures[i, X]) * out_x + (figures[j, Y] - figures[i, Y]) * out_y < 0.0:
        out_x, out_y = -out_x, -out_y
    x, y = rim(figures, i, out_x, out_y)
    to_x, to_y = rim(figures, j, -out_x, -out_y)
    before = (figures[i, X] + x - ax) * out_x + (figures[i, Y] + y - ay) * out_y
    behind = (figures[j, X] + to_x - ax) * out_x + (figures[j, Y] + to_y - ay) * out_y
    return bool(before < 0.0 < behind)


def wall_hides(look: Sighting) -> bool:
    """Whether one part, as tall as both volumes, cuts the space between them right across."""
    sight, i, j = look.sight, look.i, look.j
    figures, parts = sight.figures, sight.parts
    ax, ay, bx, by, has_left = touching_line(figures, i, j, 1.0)
    cx, cy, dx, dy, has_right = touching_line(figures, i, j, -1.0)
    if not (has_left and has_right):
        return False
    low = min(figures[i, LOW], figures[j, LOW])
    high = max(figures[i, HIGH], figures[j, HIGH])
    for k in range(look.size):
        part = look.near[k]
        if parts[part, PART_LOW] > low or parts[part, PART_HIGH] < high:
            continue
        if not crosses(sight, part, ax, ay, bx - ax, by - ay):
            continue
        if not crosses(sight, part, cx, cy, dx - cx, dy - cy):
            continue
        enters, leaves = span_in(sight, part, ax, ay, bx - ax, by - ay)
        at = (enters + leaves) / 2.0
        enters, leaves = span_in(sight, part, cx, cy, dx - cx, dy - cy)
        to = (enters + leaves) / 2.0
        if chord_hides(
            figures, i, j, ax + at * (bx - ax), ay + at * (by - ay), cx + to * (dx - cx), cy + to * (dy - cy)
        ):
            return True
    return False


def blocked_by(look: Sighting, x: float, y: float, dx: float, dy: float) -> float:
    """How far the best line over a line on the table, of length 1, runs below some top; below 0 it is free.

    Endless where the line on the table does not lead from one base to the other.
    """
    sight, i, j = look.sight, look.i, look.j
    figures, parts = sight.figures, sight.parts
    x -= BACK * dx
    y -= BACK * dy
    start, leaves = chord(figures, i, x, y, dx, dy)
    enters, end = chord(figures, j, x, y, dx, dy)
    if start >= leaves or enters >= end or leaves > enters:
        return math.inf
    z = figures[i, HIGH]
    rise = figures[j, HIGH] - z
    if rise <= 0.0:
        start = leaves
    if rise >= 0.0:
        end = enters
    x += start * dx
    y += start * dy
    dx *= end - start
    dy *= end - start
    worst = -math.inf
    for k in range(look.size):
        part = look.near[k]
        low = parts[part, PART_LOW] - EPS
        high = parts[part, PART_HIGH] + EPS
        if (z < low and z + rise < low) or (z > high and z + rise > high):
            continue
        if not crosses(sight, part, x, y, dx, dy):
            continue
        enters, leaves = span_in(sight, part, x, y, dx, dy)
        over = high - min(z + rise * enters, z + rise * leaves)
        under = max(z + rise * enters, z + rise * leaves) - low
        worst = max(worst, min(over, under))
    return worst


def blocked_at(look: Sighting, s: float, t: float) -> float:
    """`blocked_by` of the line through these points of both breadths, -1 to 1 or a little beyond."""
    pair = look.pair
    x = pair.x + s * pair.across_x
    y = pair.y + s * pair.across_y
    dx = pair.to_x + t * pair.to_across_x - x
    dy = pair.to_y + t * pair.to_across_y - y
    length = math.sqrt(dx * dx + dy * dy)
    if length < HAIR:
        return math.inf
    return blocked_by(look, x, y, dx / length, dy / length)


def touched(look: Sighting, thing: int, side: float, dx: float, dy: float) -> tuple[float, float]:
    """Where a line touches a thing on its left (`side` 1) or right (-1): a part or, after them, a base.

    It keeps a hair away from a part, and runs a hair inside a base.
    """
    if thing < look.size:
        return beside(look.sight, look.near[thing], side, dx, dy)
    figures = look.sight.figures
    figure = look.i if thing == look.size else look.j
    out_x = side * dy
    out_y = -side * dx
    x, y = rim(figures, figure, out_x, out_y)
    return figures[figure, X] + x - HAIR * out_x, figures[figure, Y] + y - HAIR * out_y


def line_between(look: Sighting, one: int, side: float, other: int, other_side: float) -> tuple[float, float]:
    """The line that touches two things, each on its left (1) or right (-1), by where it crosses both breadths."""
    pair = look.pair
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    length = math.sqrt(far_x * far_x + far_y * far_y)
    dx = far_x / length
    dy = far_y / length
    x = y = 0.0
    for _ in range(TURNS):
        x, y = touched(look, one, side, dx, dy)
        to_x, to_y = touched(look, other, other_side, dx, dy)
        way_x = to_x - x
        way_y = to_y - y
        length = math.sqrt(way_x * way_x + way_y * way_y)
        if length < HAIR:
            return math.inf, math.inf
        if way_x * far_x + way_y * far_y < 0.0:
            length = -length
        turn = way_x / length * dy - way_y / length * dx
        dx = way_x / length
        dy = way_y / length
        if turn * turn < STILL:
            break
    return (
        share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y),
        share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y),
    )


def climbs_free(look: Sighting, s: float, t: float, blocked: float) -> bool:
    """Whether turning a line step by step to where it is blocked less sets it free."""
    step = FIRST_STEP
    while step > LAST_STEP and blocked >= 0.0:
        best_s, best_t, least = s, t, blocked
        for turn in range(9):
            try_s = s + step * (turn // 3 - 1)
            try_t = t + step * (turn % 3 - 1)
            found = blocked_at(look, try_s, try_t)
            if found < least:
                best_s, best_t, least = try_s, try_t, found
        if least < blocked:
            s, t, blocked = best_s, best_t, least
        else:
            step /= 2.0
    return blocked < 0.0


def line_along(look: Sighting, thing: int, side: float, turn: float) -> tuple[float, float]:
    """The line that touches a thing on one side, turned from the middle line by a share of what the bases allow."""
    pair = look.pair
    far_x = pair.to_x - pair.x
    far_y = pair.to_y - pair.y
    aside_x = pair.across_x + pair.to_across_x
    aside_y = pair.across_y + pair.to_across_y
    dx = far_x + turn * aside_x
    dy = far_y + turn * aside_y
    length = math.sqrt(dx * dx + dy * dy)
    dx /= length
    dy /= length
    x, y = touched(look, thing, side, dx, dy)
    return (
        share_across(x, y, dx, dy, pair.x, pair.y, pair.across_x, pair.across_y),
        share_across(x, y, dx, dy, pair.to_x, pair.to_y, pair.to_across_x, pair.to_across_y),
    )


def candidate(look: Sighting, kind: int, number: int) -> tuple[float, float]:
    """One of the lines worth trying: of a grid, between two things, or along one thing."""
    count = look.size
    things = count + 2
    if kind == EVEN:
        return OFFSETS[number // 5], OFFSETS[number % 5]
    if kind == BETWEEN:
        one = number // 4 // things
        other = number // 4 % things
        side = 1.0 - 2.0 * (number // 2 % 2)
        other_side = 1.0 - 2.0 * (number % 2)
        if one >= other or (side == other_side and other < count):
            return math.inf, math.inf
        return line_between(look, one, side, other, other_side)
    thing = number // (2 * FAN)
    side = 1.0 - 2.0 * (number // FAN % 2)
    turn = 2.0 * (number % FAN) / (FAN - 1) - 1.0
    return line_along(look, thing, side, turn)


def sees_between_rims(look: Sighting) -> bool:
    """Whether any line between the tops of two volumes is free, from whichever points of their rims."""
    count, pair = look.size, look.pair
    if count > MOST or (pair.x == pair.to_x and pair.y == pair.to_y):
        return False
    if wall_hides(look):
        return False
    for kind in range(3):
        if kind == ALONG and pair.high == pair.to_high:
            break
        number = 25
        if kind == BETWEEN:
            number = 4 * (count + 2) * (count + 2)
        elif kind == ALONG:
            number = 2 * FAN * (count + 2)
        best_s, best_t, least = 0.0, 0.0, math.inf
        for line in range(number):
            s, t = candidate(look, kind, line)
            if not (abs(s) < BACK and abs(t) < BACK):
                continue
            found = blocked_at(look, s, t)
            if found < 0.0:
                return True
            if found < least:
                best_s, best_t, least = s, t, found
        if least < math.inf and pair.high != pair.to_high and climbs_free(look, best_s, best_t, least):
            return True
    return False
