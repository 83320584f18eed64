"""Compiled distance between footprints: convex polygons with a rounding radius.

A set of footprints is two arrays: `points`, the vertices of all of them counter-clockwise, and `rows`, one
line of eight numbers for each (the columns are named below). A circle is one vertex with a radius, a capsule
two, a rectangle four with radius 0. All lengths are inches. The gap of two footprints is their distance, or
less than 0 by how deep they overlap.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from shieldwall.table.compiled import kernel
from shieldwall.table.lean import lean

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Columns of `rows`: bounding circle, rounding radius, lowest and highest z, first vertex, number of vertices.
X, Y, REACH, RADIUS, LOW, HIGH, FIRST, COUNT = range(8)
COLUMNS = 8
QUARTER_TURN = 9000  # hundredths of a degree
FEW_PAIRS = 8  # vertices of one times vertices of the other up to which looking at all pairs is fastest
FEW_VERTICES = 8
MOST_STEPS = 64
BARELY = 1e-9  # inches: below this the walk towards the origin may have gone through it


@lean
def direction(heading: float) -> tuple[float, float]:
    """Sine and cosine of a heading in hundredths of a degree, exact for the four main directions."""
    quarters = math.floor(heading / QUARTER_TURN + 0.5)
    angle = (heading - quarters * QUARTER_TURN) * (math.pi / 18000.0)
    sine = math.sin(angle)
    cosine = math.cos(angle)
    quarter = quarters % 4
    if quarter == 1:
        return cosine, -sine
    if quarter == 2:
        return -sine, -cosine
    if quarter == 3:
        return -cosine, sine
    return sine, cosine


@lean
def put_each(local: Floats, form: Floats, poses: Floats, points: Floats, rows: Floats) -> None:
    """Footprints of models that stand singly: `poses` holds x, y, z in thousandths and heading as stored.

    `local` are the vertices of each base about its own centre; `form` are rows as for a model at the origin. The
    answer goes into `points` and `rows`: an array that a kernel makes costs its caller microseconds.
    """
    for i in range(form.shape[0]):
        x = poses[i, 0] / 1000.0
        y = poses[i, 1] / 1000.0
        z = poses[i, 3] / 1000.0
        sine, cosine = direction(poses[i, 2])
        first = int(form[i, FIRST])
        for k in range(first, first + int(form[i, COUNT])):
            right = local[k, 0]
            ahead = local[k, 1]
            points[k, 0] = x + (right * cosine + ahead * sine)
            points[k, 1] = y + (ahead * cosine - right * sine)
        rows[i, X] = x
        rows[i, Y] = y
        rows[i, REACH] = form[i, REACH]
        rows[i, RADIUS] = form[i, RADIUS]
        rows[i, LOW] = form[i, LOW] + z
        rows[i, HIGH] = form[i, HIGH] + z
        rows[i, FIRST] = form[i, FIRST]
        rows[i, COUNT] = form[i, COUNT]


@kernel
def place_each(local: Floats, form: Floats, poses: Floats) -> tuple[Floats, Floats]:
    """`put_each` for kernels, which may make arrays cheaply."""
    points = np.empty_like(local)
    rows = np.empty_like(form)
    put_each(local, form, poses, points, rows)
    return points, rows


@lean
def put_together(
    local: Floats, form: Floats, x: float, y: float, heading: float, z: float, points: Floats, rows: Floats
) -> None:
    """Footprints of a block: all of `local` and `form` turned and shifted as one body; lengths in inches."""
    sine, cosine = direction(heading)
    for k in range(local.shape[0]):
        right = local[k, 0]
        ahead = local[k, 1]
        points[k, 0] = x + (right * cosine + ahead * sine)
        points[k, 1] = y + (ahead * cosine - right * sine)
    for i in range(form.shape[0]):
        right = form[i, X]
        ahead = form[i, Y]
        rows[i, X] = x + (right * cosine + ahead * sine)
        rows[i, Y] = y + (ahead * cosine - right * sine)
        rows[i, REACH] = form[i, REACH]
        rows[i, RADIUS] = form[i, RADIUS]
        rows[i, LOW] = form[i, LOW] + z
        rows[i, HIGH] = form[i, HIGH] + z
        rows[i, FIRST] = form[i, FIRST]
        rows[i, COUNT] = form[i, COUNT]


@lean
def edges_against(a: Floats, a0: int, a1: int, b: Floats, b0: int, b1: int) -> tuple[float, float]:
    """How the vertices b0..b1 lie about the edges of the polygon a0..a1.

    First the best separation over all edges as a signed square (above 0: some edge has all of b strictly
    outside), then the squared distance of the nearest vertex that lies straight outside some edge.
    """
    separation = -math.inf
    nearest = math.inf
    last = a1 - 1
    x = a[last, 0]
    y = a[last, 1]
    for i in range(a0, a1):
        along_x = a[i, 0] - x
        along_y = a[i, 1] - y
        length2 = along_x * along_x + along_y * along_y
        if length2 > 0.0:
            innermost = math.inf
            straight = math.inf
            for j in range(b0, b1):
                to_x = b[j, 0] - x
                to_y = b[j, 1] - y
                out = to_x * along_y - to_y * along_x
                innermost = min(innermost, out)
                if 0.0 < out < straight and 0.0 <= to_x * along_x + to_y * along_y <= length2:
                    straight = out
            separation = max(separation, innermost * abs(innermost) / length2)
            nearest = min(nearest, straight * straight / length2)
        x = a[i, 0]
        y = a[i, 1]
    return separation, nearest


@lean
def corners_apart(a: Floats, a0: int, a1: int, b: Floats, b0: int, b1: int) -> float:
    """The smallest squared distance between a vertex of one and a vertex of the other."""
    nearest = math.inf
    for i in range(a0, a1):
        x = a[i, 0]
        y = a[i, 1]
        for j in range(b0, b1):
            dx = b[j, 0] - x
            dy = b[j, 1] - y
            nearest = min(nearest, dx * dx + dy * dy)
    return nearest


@lean
def point_to_segment(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The squared distance of a point and a segment, which may have no length."""
    along_x = bx - ax
    along_y = by - ay
    to_x = x - ax
    to_y = y - ay
    length2 = along_x * along_x + along_y * along_y
    reach = to_x * along_x + to_y * along_y
    if reach > 0.0:
        if reach >= length2:
            to_x = x - bx
            to_y = y - by
        else:
            out = to_x * along_y - to_y * along_x
            return out * out / length2
    return to_x * to_x + to_y * to_y


@lean
def segments_cross(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> bool:
    """Whether two segments cross in a point inside both; touching ends and parallel segments do not count."""
    side_c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    side_d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    if not ((side_c > 0.0 and side_d < 0.0) or (side_c < 0.0 and side_d > 0.0)):
        return False
    side_a = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    side_b = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return (side_a > 0.0 and side_b < 0.0) or (side_a < 0.0 and side_b > 0.0)


@lean
def lines_apart(a: Floats, a0: int, a1: int, b: Floats, b0: int, b1: int) -> float:
    """The distance of two cores without area: points or segments."""
    ax, ay, bx, by = a[a0, 0], a[a0, 1], a[a1 - 1, 0], a[a1 - 1, 1]
    cx, cy, dx, dy = b[b0, 0], b[b0, 1], b[b1 - 1, 0], b[b1 - 1, 1]
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    nearest = min(point_to_segment(ax, ay, cx, cy, dx, dy), point_to_segment(bx, by, cx, cy, dx, dy))
    nearest = min(nearest, point_to_segment(cx, cy, ax, ay, bx, by), point_to_segment(dx, dy, ax, ay, bx, by))
    return math.sqrt(nearest)


@lean
def uphill(points: Floats, first: int, stop: int, x: float, y: float, start: int, step: int) -> int:
    """From one vertex of a polygon to the next (step 1) or the last (-1) while that leads on in a direction."""
    best = start
    farthest = points[best, 0] * x + points[best, 1] * y
    for _ in range(first, stop):
        after = best + step
        if after == stop:
            after = first
        elif after < first:
            after = stop - 1
        far = points[after, 0] * x + points[after, 1] * y
        if far < farthest:
            break
        best, farthest = after, far
    return best


@lean
def outermost(points: Floats, first: int, stop: int, x: float, y: float, start: int) -> int:
    """The vertex of a convex polygon that lies farthest in a direction.

    With many vertices it is looked for uphill from another one. Not with few: swept rectangles have three vertices in
    a line, where rounding makes hills of its own.
    """
    if stop - first > FEW_VERTICES:
        return uphill(points, first, stop, x, y, uphill(points, first, stop, x, y, start, 1), -1)
    best = first
    farthest = points[first, 0] * x + points[first, 1] * y
    for i in range(first + 1, stop):
        far = points[i, 0] * x + points[i, 1] * y
        if far > farthest:
            farthest = far
            best = i
    return best


@lean
def nearest_on(px: float, py: float, qx: float, qy: float) -> tuple[float, float]:
    """The point of a segment that is nearest to the origin."""
    along_x = qx - px
    along_y = qy - py
    length2 = along_x * along_x + along_y * along_y
    reach = -(px * along_x + py * along_y)
    if reach <= 0.0:
        return px, py
    if reach >= length2:
        return qx, qy
    share = reach / length2
    return px + share * along_x, py + share * along_y


@lean
def shortest_way(a: Floats, a0: int, a1: int, b: Floats, b0: int, b1: int) -> tuple[float, float]:
    """The shortest vector from the second convex polygon to the first; none where they meet.

    Walks the difference of both towards the origin (Gilbert, Johnson and Keerthi): every step adds the
    outermost vertex and keeps the side nearest to the origin, so the work grows with the sum of the vertices.
    """
    px = qx = nx = a[a0, 0] - b[b0, 0]
    py = qy = ny = a[a0, 1] - b[b0, 1]
    i, j = a0, b0
    for _ in range(MOST_STEPS):
        i = outermost(a, a0, a1, -nx, -ny, i)
        j = outermost(b, b0, b1, nx, ny, j)
        wx = a[i, 0] - b[j, 0]
        wy = a[i, 1] - b[j, 1]
        length2 = nx * nx + ny * ny
        if (nx - wx) * nx + (ny - wy) * ny <= 1e-14 * length2:
            return nx, ny
        side_p = px * wy - py * wx
        side_q = wx * qy - wy * qx
        side = qx * py - qy * px
        if (side_p > 0.0 and side_q > 0.0 and side > 0.0) or (side_p < 0.0 and side_q < 0.0 and side < 0.0):
            return 0.0, 0.0
        ux, uy = nearest_on(px, py, wx, wy)
        vx, vy = nearest_on(qx, qy, wx, wy)
        if ux * ux + uy * uy > vx * vx + vy * vy:
            px, py, ux, uy = wx, wy, vx, vy
        else:
            qx, qy = wx, wy
        if ux * ux + uy * uy >= length2:  # no progress is left in the numbers
            break
        nx, ny = ux, uy
    return nx, ny


@lean
def core_gap(a: Floats, a0: int, a1: int, b: Floats, b0: int, b1: int) -> float:
    """The gap of two convex polygons without their rounding: distance, or minus the depth of the overlap."""
    if a1 - a0 == 1 and b1 - b0 == 1:
        return math.sqrt(corners_apart(a, a0, a1, b, b0, b1))
    if a1 - a0 <= 2 and b1 - b0 <= 2:
        return lines_apart(a, a0, a1, b, b0, b1)
    if (a1 - a0) * (b1 - b0) > FEW_PAIRS:
        x, y = shortest_way(a, a0, a1, b, b0, b1)
        apart = math.sqrt(x * x + y * y)
        if apart > BARELY:
            return apart
    out_a, near_a = edges_against(a, a0, a1, b, b0, b1)
    out_b, near_b = edges_against(b, b0, b1, a, a0, a1)
    separation = max(out_a, out_b)
    if separation <= 0.0:
        return -math.sqrt(-separation)
    return math.sqrt(min(near_a, near_b, corners_apart(a, a0, a1, b, b0, b1)))


@lean
def gap(a_points: Floats, a_rows: Floats, i: int, b_points: Floats, b_rows: Floats, j: int) -> float:
    """Horizontal gap of footprint i of one set and j of another; negative by the depth of the overlap."""
    a0 = int(a_rows[i, FIRST])
    b0 = int(b_rows[j, FIRST])
    rounding: float = a_rows[i, RADIUS] + b_rows[j, RADIUS]
    if a_rows[i, COUNT] == 1.0 and b_rows[j, COUNT] == 1.0:  # two circles, without the cost of a call
        dx = a_points[a0, 0] - b_points[b0, 0]
        dy = a_points[a0, 1] - b_points[b0, 1]
        return math.sqrt(dx * dx + dy * dy) - rounding
    a1 = a0 + int(a_rows[i, COUNT])
    b1 = b0 + int(b_rows[j, COUNT])
    return core_gap(a_points, a0, a1, b_points, b0, b1) - rounding


@lean
def set_gap(
    a_points: Floats, a_rows: Floats, a0: int, a1: int,
    b_points: Floats, b_rows: Floats, b0: int, b1: int,
    limit: float, with_heights: bool,
) -> tuple[float, int, int]:  # fmt: skip
    """The smallest gap between footprints a0..a1 and b0..b1 and the pair that has it, the first one on a tie.

    Pairs farther apart than `limit` are left out: when there is no other, (inf, -1, -1). With heights, a pair
    counts as the straight line that also bridges the difference of its lowest z; then no gap is below 0.
    """
    best = limit
    best_i = -1
    best_j = -1
    for i in range(a0, a1):
        x = a_rows[i, X]
        y = a_rows[i, Y]
        reach = a_rows[i, REACH]
        for j in range(b0, b1):
            dx = b_rows[j, X] - x
            dy = b_rows[j, Y] - y
            bound = best + reach + b_rows[j, REACH]
            if bound < 0.0 or dx * dx + dy * dy > bound * bound:
                continue
            apart = gap(a_points, a_rows, i, b_points, b_rows, j)
            if with_heights:
                rise = b_rows[j, LOW] - a_rows[i, LOW]
                apart = max(apart, 0.0)
                apart = math.sqrt(apart * apart + rise * rise)
            if apart < best or (best_i < 0 and apart <= best):
                best = apart
                best_i = i
                best_j = j
    if best_i < 0:
        return math.inf, -1, -1
    return best, best_i, best_j


@lean
def scan_units(
    points: Floats, rows: Floats, bounds: Ints, me: int, with_heights: bool, answer: Floats
) -> None:
    """Distances of unit `me` to every unit into `answer`; `bounds` says whose footprints are whose."""
    for other in range(bounds.shape[0]):
        if other == me:
            answer[other] = math.inf
            continue
        a0, a1, b0, b1 = bounds[me, 0], bounds[me, 1], bounds[other, 0], bounds[other, 1]
        found = set_gap(points, rows, a0, a1, points, rows, b0, b1, math.inf, with_heights)
        answer[other] = max(found[0], 0.0)


@kernel
def point_gap(
    points: Floats, rows: Floats, first: int, stop: int, x: float, y: float, z: float, with_heights: bool
) -> tuple[float, int]:
    """The smallest gap between a point and footprints first..stop, and which one has it."""
    best = math.inf
    nearest = -1
    spot = np.empty((1, 2))
    spot[0, 0] = x
    spot[0, 1] = y
    for i in range(first, stop):
        dx = rows[i, X] - x
        dy = rows[i, Y] - y
        bound = best + rows[i, REACH]
        if bound < 0.0 or dx * dx + dy * dy > bound * bound:
            continue
        k = int(rows[i, FIRST])
        apart = core_gap(points, k, k + int(rows[i, COUNT]), spot, 0, 1) - rows[i, RADIUS]
        if with_heights:
            apart = max(apart, 0.0)
            apart = math.sqrt(apart * apart + (rows[i, LOW] - z) ** 2)
        if apart < best:
            best = apart
            nearest = i
    return best, nearest
