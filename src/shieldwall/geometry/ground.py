"""FlatTerrain under a base: which pieces it touches, and the levels along its way."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, IntMatrix, MarkMatrix, Matrix
from shieldwall.geometry.distance import COLUMNS, COUNT, FIRST, LOW, REACH, X, Y
from shieldwall.geometry.polygons import (
    border_distance,
    half_inside,
    point_in_polygon,
    polygon_overlaps,
    polygon_share,
)
from shieldwall.geometry.scene import (
    DEPTH,
    FLAGS,
    GAP,
    GENTLE,
    IMPASSABLE,
    LISTED,
    PIECE_COUNT,
    PIECE_FIRST,
    PIECE_REACH,
    PIECE_X,
    PIECE_Y,
    SOLID,
    TOP,
    FlatTerrain,
)
from shieldwall.geometry.sweep import mates_overlap
from shieldwall.geometry.tolerance import AREA_EPS, EPS

# ----------------------------------------------------------------------------------------------------
# Compiled look at the ground: what a base stands on, and how the ground rises and falls along a path.
#
# A footprint under test is a set of one: its vertices `core` and its row `form`, as in distance.py.

# Columns of the limits of a climb: what walking may do without a roll.
FREE_BELOW, CLIMB_MAX, DROP_WALK, GAP_WALK, JUMP_MAX, VERTICAL_COUNTS = range(6)

# Columns of a feature of the ground along a path.
KIND, FROM, TO, RISE, WIDTH, FALL, PIECE, JUMP, BAD = range(9)
FEATURE_COLUMNS = 9
RISING, DROPPING, CROSSING = 1.0, 2.0, 3.0
MAX_FEATURES = 48
MAX_STRETCHES = 96

STANDS, MID_CLIMB, UNSUPPORTED, OVER_GAP, IN_IMPASSABLE = range(5)


def length_of(dx: float, dy: float) -> float:
    """The length of a step. (math.hypot rounds otherwise in Python than it does compiled.)"""
    return math.sqrt(dx * dx + dy * dy)


def sort_up(numbers: Floats, count: int) -> None:
    """Sort the first few numbers in place, the smallest first."""
    for k in range(1, count):
        number = numbers[k]
        place = k
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


def touches_piece(terrain: FlatTerrain, q: int, core: Matrix, form: Matrix) -> bool:
    """Whether a footprint reaches into a piece by more than the tolerance; a circle round it is looked at
    first.
    """
    dx, dy = terrain.rows[q, PIECE_X] - form[0, X], terrain.rows[q, PIECE_Y] - form[0, Y]
    bound = terrain.rows[q, PIECE_REACH] + form[0, REACH]
    if dx * dx + dy * dy >= bound * bound:
        return False
    first = int(terrain.rows[q, PIECE_FIRST])
    return polygon_overlaps(core, form, 0, terrain.points, first, first + int(terrain.rows[q, PIECE_COUNT]))


def pieces_touched(bases: Matrix, forms: Matrix, terrain: FlatTerrain, found: MarkMatrix) -> bool:
    """Mark for each base the pieces it reaches into, those far below it aside; whether there are any."""
    any_found = False
    for i in range(forms.shape[0]):
        for q in range(terrain.rows.shape[0]):
            dx, dy = terrain.rows[q, PIECE_X] - forms[i, X], terrain.rows[q, PIECE_Y] - forms[i, Y]
            bound = terrain.rows[q, PIECE_REACH] + forms[i, REACH]
            if not int(terrain.rows[q, FLAGS]) & LISTED or dx * dx + dy * dy >= bound * bound:
                continue
            first = int(terrain.rows[q, PIECE_FIRST])
            stop = first + int(terrain.rows[q, PIECE_COUNT])
            if forms[i, LOW] <= terrain.rows[q, TOP] + EPS and polygon_overlaps(
                bases, forms, i, terrain.points, first, stop
            ):
                found[i, q] = True
                any_found = True
    return any_found


def share_on(terrain: FlatTerrain, q: int, core: Matrix, form: Matrix) -> float:
    """The share of a standing footprint that lies on a piece."""
    first = int(terrain.rows[q, PIECE_FIRST])
    return polygon_share(core, form, 0, terrain.points, first, first + int(terrain.rows[q, PIECE_COUNT]))


def share_held(terrain: FlatTerrain, q: int, core: Matrix, form: Matrix) -> float:
    """The share of a standing footprint that lies on a piece, nothing where it hardly touches it."""
    return share_on(terrain, q, core, form) if touches_piece(terrain, q, core, form) else 0.0


def half_on(terrain: FlatTerrain, q: int, core: Matrix, form: Matrix) -> int:
    """Whether clearly more (1) or less (-1) than half of a standing base lies on a piece; 0 where that needs
    measuring.
    """
    dx, dy = terrain.rows[q, PIECE_X] - form[0, X], terrain.rows[q, PIECE_Y] - form[0, Y]
    bound = terrain.rows[q, PIECE_REACH] + form[0, REACH]
    if dx * dx + dy * dy >= bound * bound:
        return -1
    first = int(terrain.rows[q, PIECE_FIRST])
    return half_inside(core, form, 0, terrain.points, first, first + int(terrain.rows[q, PIECE_COUNT]))


def is_mostly_on(terrain: FlatTerrain, q: int, core: Matrix, form: Matrix) -> bool:
    """Whether more than half of a standing base lies on a piece."""
    half = half_on(terrain, q, core, form)
    return half > 0 or (half == 0 and share_held(terrain, q, core, form) > 0.5 + AREA_EPS)


def stand_code(terrain: FlatTerrain, core: Matrix, form: Matrix) -> tuple[int, int]:
    """Whether a base may end a move here: a code and the piece that prevents it, or (STANDS, -1).

    It must rest on its level with at least half of its area, and keep out of steep and impassable pieces.
    """
    return code_on(terrain, core, form, False)


def may_rest(terrain: FlatTerrain, core: Matrix, form: Matrix) -> bool:
    """Whether a base on the level that carries it (`level_under`) may end a move there."""
    return code_on(terrain, core, form, True)[0] == STANDS


def code_on(terrain: FlatTerrain, core: Matrix, form: Matrix, is_carried: bool) -> tuple[int, int]:
    """`stand_code`; of a base that its level is known to carry that is not measured again."""
    z = form[0, LOW]
    held = 1.0 if is_carried else 0.0
    hollow = 0.0
    over_gap = -1
    for q in range(terrain.rows.shape[0]):
        flags = int(terrain.rows[q, FLAGS])
        if flags & (SOLID | GAP | IMPASSABLE) == 0:
            continue
        if flags & GAP:
            if touches_piece(terrain, q, core, form):
                hollow += share_on(terrain, q, core, form)
                over_gap = q
        elif flags & SOLID != 0 and terrain.rows[q, TOP] <= z + EPS:
            if z > EPS and terrain.rows[q, TOP] >= z - EPS and held < 0.5 - AREA_EPS:
                held += 1.0 if half_on(terrain, q, core, form) > 0 else share_held(terrain, q, core, form)
        elif flags & IMPASSABLE or not flags & GENTLE:
            if touches_piece(terrain, q, core, form):
                return IN_IMPASSABLE if flags & IMPASSABLE else MID_CLIMB, q
        elif is_mostly_on(terrain, q, core, form):
            return MID_CLIMB, q
    if z > EPS:
        return (STANDS, -1) if held >= 0.5 - AREA_EPS else (UNSUPPORTED, -1)
    return (OVER_GAP, over_gap) if hollow > 0.5 + AREA_EPS else (STANDS, -1)


def level_under(terrain: FlatTerrain, core: Matrix, form: Matrix) -> float:
    """The height on which a base put here would stand: the highest top that carries half of it, else the
    table.
    """
    level = 0.0
    for q in range(terrain.rows.shape[0]):
        if not int(terrain.rows[q, FLAGS]) & SOLID or terrain.rows[q, TOP] <= level:
            continue
        half = half_on(terrain, q, core, form)
        if half > 0 or (half == 0 and share_held(terrain, q, core, form) >= 0.5 - AREA_EPS):
            level = terrain.rows[q, TOP]
    return level


def ground_at(terrain: FlatTerrain, near: Floats, count: int, x: float, y: float) -> tuple[float, int]:
    """Level of the bare ground at a point and the piece that makes it (-1: the table); gaps go below 0."""
    level = 0.0
    made_by = -1
    for k in range(count):
        q = int(near[k])
        first = int(terrain.rows[q, PIECE_FIRST])
        if not point_in_polygon(terrain.points, first, first + int(terrain.rows[q, PIECE_COUNT]), x, y):
            continue
        if int(terrain.rows[q, FLAGS]) & GAP:
            if level <= 0.0 and made_by < 0:
                level = -max(terrain.rows[q, DEPTH], 2.0 * EPS)
                made_by = q
        elif terrain.rows[q, TOP] > level:
            level = terrain.rows[q, TOP]
            made_by = q
    return level, made_by


def maker_of(terrain: FlatTerrain, near: Floats, count: int, x: float, y: float, z: float) -> int:
    """The piece on whose top a model with its centre here stands, -1 for the table.

    The centre may lie on the border of the piece, or beyond it in a nook: half of the base is carried all the same.
    """
    if z <= EPS:
        return -1
    found = -1
    nearest = math.inf
    for k in range(count):
        q = int(near[k])
        if int(terrain.rows[q, FLAGS]) & GAP or abs(terrain.rows[q, TOP] - z) > EPS:
            continue
        first = int(terrain.rows[q, PIECE_FIRST])
        stop = first + int(terrain.rows[q, PIECE_COUNT])
        apart = 0.0
        if not point_in_polygon(terrain.points, first, stop, x, y):
            apart = border_distance(terrain.points, first, stop, x, y)
        if apart < nearest:
            found, nearest = q, apart
    return found


def crossings(
    terrain: FlatTerrain, near: Floats, count: int, path: Matrix, first: int, stop: int, cuts: Floats
) -> int:
    """How far along a path its centre line crosses outlines, in order; the number of cuts written."""
    made = 0
    walked = 0.0
    for leg in range(first + 1, stop):
        ax, ay = path[leg - 1, 0], path[leg - 1, 1]
        along_x, along_y = path[leg, 0] - ax, path[leg, 1] - ay
        length = math.sqrt(along_x * along_x + along_y * along_y)
        for k in range(count):
            q = int(near[k])
            start = int(terrain.rows[q, PIECE_FIRST])
            end = start + int(terrain.rows[q, PIECE_COUNT])
            px, py = terrain.points[end - 1, 0] - ax, terrain.points[end - 1, 1] - ay
            for v in range(start, end):
                qx, qy = terrain.points[v, 0] - ax, terrain.points[v, 1] - ay
                side_p = along_x * py - along_y * px
                side_q = along_x * qy - along_y * qx
                if (side_p > 0.0) != (side_q > 0.0) and made < cuts.shape[0]:
                    part = side_p / (side_p - side_q)
                    hit = (px + part * (qx - px)) * along_x + (py + part * (qy - py)) * along_y
                    if 0.0 <= hit <= length * length:
                        cuts[made] = walked + hit / length
                        made += 1
                px, py = qx, qy
        walked += length
    sort_up(cuts, made)
    return made


def point_along(path: Matrix, first: int, stop: int, way: float) -> tuple[float, float]:
    """The point of a path after a horizontal distance."""
    for leg in range(first + 1, stop):
        dx, dy = path[leg, 0] - path[leg - 1, 0], path[leg, 1] - path[leg - 1, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if way <= length and length > 0.0:
            return path[leg - 1, 0] + dx * way / length, path[leg - 1, 1] + dy * way / length
        way -= length
    return path[stop - 1, 0], path[stop - 1, 1]


# ----------------------------------------------------------------------------------------------------
# Compiled profile of a path: where the ground rises, drops or gapes under a model's centre, and what that
# costs.
#
# A path is cut into stretches of one level. A stretch lower than what comes before and after it is a gap:
# narrow ones are walked over, wide ones leapt; a dip between raised ground that is not deep is simply
# walked through.

END, LEVEL, MAKER = range(
    3
)  # columns of a stretch: how far along it ends, its level, the piece that makes it


def stretches_of(
    terrain: FlatTerrain,
    near: Floats,
    count: int,
    path: Matrix,
    first: int,
    stop: int,
    stretches: Matrix,
) -> int:
    """Cut a path into stretches of one level; the z of its first and last point make stretches without
    length.
    """
    cuts = np.empty(MAX_STRETCHES - 4)
    made = crossings(terrain, near, count, path, first, stop, cuts)
    total = 0.0
    for leg in range(first + 1, stop):
        total += length_of(path[leg, 0] - path[leg - 1, 0], path[leg, 1] - path[leg - 1, 1])
    start_level, start_maker = ground_at(terrain, near, count, path[first, 0], path[first, 1])
    stretches[0, END] = 0.0
    stretches[0, LEVEL] = max(path[first, 3], start_level)  # nobody stands inside solid ground
    stretches[0, MAKER] = start_maker if start_level >= path[first, 3] - EPS else -1
    size = 1
    before = 0.0
    for k in range(made + 1):
        end = cuts[k] if k < made else total
        if end - before <= 1e-9:
            continue
        x, y = point_along(path, first, stop, (before + end) / 2.0)
        level, maker = ground_at(terrain, near, count, x, y)
        stretches[size, END] = end
        stretches[size, LEVEL] = level
        stretches[size, MAKER] = maker
        size += 1
        before = end
    stretches[size, END] = total
    stretches[size, LEVEL] = path[stop - 1, 3]
    last_x, last_y, last_z = path[stop - 1, 0], path[stop - 1, 1], path[stop - 1, 3]
    if size > 1 and abs(stretches[size - 1, LEVEL] - last_z) <= EPS:
        stretches[size, MAKER] = stretches[size - 1, MAKER]
    else:
        stretches[size, MAKER] = maker_of(terrain, near, count, last_x, last_y, last_z)
    return size + 1


def run_of_low_ground(
    terrain: FlatTerrain, stretches: Matrix, size: int, start: int
) -> tuple[int, float, bool]:
    """From a stretch that lies lower than the last: where the ground rises again, how low it got, any true
    gap.
    """
    low = stretches[start, LEVEL]
    gaping = False
    k = start
    while k < size and stretches[k, LEVEL] <= low + EPS:
        low = min(low, stretches[k, LEVEL])
        maker = int(stretches[k, MAKER])
        if maker >= 0 and int(terrain.rows[maker, FLAGS]) & GAP and stretches[k, LEVEL] < 0.0:
            gaping = True
        k += 1
    return k, low, gaping


def vertical_cost(climb: Floats, height: float) -> float:
    """How much of an allowance a rise or a drop of this height uses up."""
    if climb[VERTICAL_COUNTS] == 0.0 or height < climb[FREE_BELOW] - EPS:
        return 0.0
    return height


class GroundFeature(NamedTuple):
    """A rise, a drop or a gap on a way: from where to where, and what is known about it."""

    kind: float
    start: float
    end: float
    rise: float
    width: float
    fall: float
    piece: float
    jump: bool
    bad: bool


def write_feature(features: Matrix, made: int, feature: GroundFeature) -> int:
    """Append one feature; those beyond the room of the table are dropped (no real path has so many)."""
    if made >= features.shape[0]:
        return made
    features[made, KIND] = feature.kind
    features[made, FROM] = feature.start
    features[made, TO] = feature.end
    features[made, RISE] = feature.rise
    features[made, WIDTH] = feature.width
    features[made, FALL] = feature.fall
    features[made, PIECE] = feature.piece
    features[made, JUMP] = 1.0 if feature.jump else 0.0
    features[made, BAD] = 1.0 if feature.bad else 0.0
    return made + 1


def step_to(
    terrain: FlatTerrain,
    climb: Floats,
    features: Matrix,
    made: int,
    way: float,
    level: float,
    stretch: Floats,
) -> tuple[int, float]:
    """One rise or drop from a level to that of a stretch: features written so far and the cost."""
    rise = stretch[LEVEL] - level
    maker = stretch[MAKER]
    if abs(rise) <= EPS:
        return made, 0.0
    if rise > 0.0:
        walled = maker >= 0.0 and int(terrain.rows[int(maker), FLAGS]) & IMPASSABLE != 0
        bad = walled or rise > climb[CLIMB_MAX] + EPS
        made = write_feature(
            features, made, GroundFeature(RISING, way, way, rise, 0.0, 0.0, maker, False, bad)
        )
        return made, 0.0 if bad else vertical_cost(climb, rise)
    drop = -rise
    jump = drop > climb[DROP_WALK] + EPS
    bad = jump and drop > climb[JUMP_MAX] + EPS
    made = write_feature(features, made, GroundFeature(DROPPING, way, way, rise, 0.0, drop, maker, jump, bad))
    return made, 0.0 if jump else vertical_cost(climb, drop)


def levels_between(stretches: Matrix, size: int, start: float, end: float) -> tuple[float, float]:
    """The lowest and highest level of a part of the way; gaps count as the level from which they are
    crossed.
    """
    low = math.inf
    high = -math.inf
    before = 0.0
    for k in range(size):
        stop = stretches[k, END]
        bare = stop - before <= 1e-9  # only the very first and last stretch have no length
        reached = start - 1e-6 <= stop <= end + 1e-6 if bare else before < end - 1e-6 and stop > start + 1e-6
        if reached and stretches[k, LEVEL] >= 0.0:
            low = min(low, stretches[k, LEVEL])
            high = max(high, stretches[k, LEVEL])
        before = stop
    return (low, high) if low <= high else (0.0, 0.0)


def crosses_as_gap(climb: Floats, drop: float, width: float, gaping: bool, leaps: bool) -> bool:
    """Whether low ground is passed from edge to edge instead of being walked through; `leaps`: wherever it can be."""
    if gaping or width <= climb[GAP_WALK] + EPS:
        return True
    return bool((leaps or drop > climb[DROP_WALK] + EPS) and width <= climb[JUMP_MAX] + EPS)


def features_along(
    terrain: FlatTerrain, stretches: Matrix, size: int, climb: Floats, leaps: bool, features: Matrix
) -> tuple[int, float, float]:
    """What a walker meets on its stretches: number of features, vertical cost, distance leapt."""
    level = stretches[0, LEVEL]
    made = 0
    cost = 0.0
    leapt = 0.0
    k = 1
    while k < size:
        way = stretches[k - 1, END]
        if stretches[k, LEVEL] < level - EPS:
            after, low, gaping = run_of_low_ground(terrain, stretches, size, k)
            end = stretches[after - 1, END]
            drop = max(level - stretches[after, LEVEL], 0.0) if after < size else 0.0
            if after < size and crosses_as_gap(climb, level - stretches[k, LEVEL], end - way, gaping, leaps):
                jump = end - way > climb[GAP_WALK] + EPS
                bad = jump and max(end - way, drop) > climb[JUMP_MAX] + EPS
                rise = stretches[after, LEVEL] - level
                gap = GroundFeature(
                    CROSSING, way, end, rise, end - way, level - low, stretches[k, MAKER], jump, bad
                )
                made = write_feature(features, made, gap)
                if jump:
                    leapt += end - way
                    level -= drop  # the landing may lie lower: one leap takes both
                way = end
                k = after
        made, added = step_to(terrain, climb, features, made, way, level, stretches[k])
        cost += added
        level = stretches[k, LEVEL]
        k += 1
    return made, cost, leapt


# ----------------------------------------------------------------------------------------------------
# Compiled judgement of a loose unit that is put down: its models against each other and the ground.


def note_overlaps(points: Matrix, rows: Matrix, pairs: IntMatrix) -> int:
    """Pairs of bases that stand on each other, the later one first; how many there are."""
    found = 0
    for i in range(rows.shape[0]):
        for j in range(i):
            if mates_overlap(points, rows, i, j) < -EPS:
                pairs[found, 0] = i
                pairs[found, 1] = j
                found += 1
    return found


def note_stands(terrain: FlatTerrain, points: Matrix, rows: Matrix, answer: IntMatrix) -> bool:
    """For every base, the code of `stand_code` and the piece that prevents it; returns whether all stand well."""
    all_stand = True
    form = np.empty((1, COLUMNS))
    for i in range(rows.shape[0]):
        form[0, :] = rows[i, :]
        first = int(form[0, FIRST])
        form[0, FIRST] = 0.0
        core = points[first : first + int(form[0, COUNT])]
        answer[i, 0], answer[i, 1] = stand_code(terrain, core, form)
        all_stand = all_stand and answer[i, 0] == STANDS
    return all_stand
