"""Distances between footprints: convex polygons with a rounding radius.

A set of footprints is two arrays: `points`, the vertices of all of them counter-clockwise, and `rows`, one line of
eight numbers for each (the columns are named below). A circle is one vertex with a radius, a capsule two, a rectangle
four with radius 0. All lengths are inches. The gap of two footprints is their distance, or less than 0 by how deep
they overlap.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, IntMatrix, Ints, Matrix
from shieldwall.geometry.scene import Bodies
from shieldwall.geometry.tolerance import ROUNDOFF

# ----------------------------------------------------------------------------------------------------
# Compiled distance between footprints: convex polygons with a rounding radius.
#
# A set of footprints is two arrays: `points`, the vertices of all of them counter-clockwise, and `rows`, one
# line of eight numbers for each (the columns are named below). A circle is one vertex with a radius, a capsule
# two, a rectangle four with radius 0. All lengths are inches. The gap of two footprints is their distance, or
# less than 0 by how deep they overlap.

# Columns of `rows`: bounding circle, rounding radius, lowest and highest z, first vertex, number of vertices.
X, Y, REACH, RADIUS, LOW, HIGH, FIRST, COUNT = range(8)
COLUMNS = 8
QUARTER_TURN = 9000  # hundredths of a degree
FULL_TURN = 36000.0  # hundredths of a degree
FEW_PAIRS = 8  # vertices of one times vertices of the other up to which looking at all pairs is fastest
FEW_VERTICES = 8
MOST_STEPS = 64


def square(number: float) -> float:
    """A number times itself."""
    return number * number


def snap(value: float) -> float:
    """The nearest whole number, halves upwards: poses are stored as whole steps of the grid."""
    return math.floor(value + 0.5)


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


def put_each(local: Matrix, form: Matrix, poses: Matrix, points: Matrix, rows: Matrix) -> None:
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


class Outlines(NamedTuple):
    """Footprints: all their vertices, and a row for each."""

    points: Matrix
    rows: Matrix


def place_each(local: Matrix, form: Matrix, poses: Matrix) -> Outlines:
    """`put_each` into new arrays."""
    points = np.empty((local.shape[0], 2))
    rows = np.empty((form.shape[0], COLUMNS))
    put_each(local, form, poses, points, rows)
    return Outlines(points, rows)


class BodyPose(NamedTuple):
    """Where a body stands: inches, and a heading in hundredths of a degree."""

    x: float
    y: float
    heading: float
    z: float


def put_together(local: Matrix, form: Matrix, place: BodyPose, points: Matrix, rows: Matrix) -> None:
    """Footprints of a block: all of `local` and `form` turned and shifted as one body; lengths in inches."""
    x, y, z = place.x, place.y, place.z
    sine, cosine = direction(place.heading)
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


def edges_against(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> tuple[float, float]:
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


def corners_apart(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> float:
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


def lines_apart(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> float:
    """The distance of two cores without area: points or segments."""
    ax, ay, bx, by = a[a0, 0], a[a0, 1], a[a1 - 1, 0], a[a1 - 1, 1]
    cx, cy, dx, dy = b[b0, 0], b[b0, 1], b[b1 - 1, 0], b[b1 - 1, 1]
    if segments_cross(ax, ay, bx, by, cx, cy, dx, dy):
        return 0.0
    nearest = min(point_to_segment(ax, ay, cx, cy, dx, dy), point_to_segment(bx, by, cx, cy, dx, dy))
    nearest = min(nearest, point_to_segment(cx, cy, ax, ay, bx, by), point_to_segment(dx, dy, ax, ay, bx, by))
    return math.sqrt(nearest)


def uphill(points: Matrix, first: int, stop: int, x: float, y: float, start: int, step: int) -> int:
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


def outermost(points: Matrix, first: int, stop: int, x: float, y: float, start: int) -> int:
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


def shortest_way(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> tuple[float, float]:
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


def way_apart(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> tuple[float, float]:
    """The direction, a vector of length 1, in which the first convex polygon leaves the second by the shortest way.

    Where they overlap that is straight out of the side that is left soonest; none for two equal points.
    """
    x, y = shortest_way(a, a0, a1, b, b0, b1)
    length = math.sqrt(x * x + y * y)
    if length > ROUNDOFF:
        return x / length, y / length
    out_a, ax, ay = shallowest_side(a, a0, a1, b, b0, b1)
    out_b, bx, by = shallowest_side(b, b0, b1, a, a0, a1)
    return (bx, by) if out_b >= out_a else (-ax, -ay)


def shallowest_side(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> tuple[float, float, float]:
    """The side of a polygon beyond which another sticks out with its nearest part most, or lies least deep behind it.

    How far out that part lies (below 0: behind the side), and the side's outward direction.
    """
    best, best_x, best_y = -math.inf, 0.0, 0.0
    x, y = a[a1 - 1, 0], a[a1 - 1, 1]
    for i in range(a0, a1):
        along_x, along_y = a[i, 0] - x, a[i, 1] - y
        length = math.sqrt(along_x * along_x + along_y * along_y)
        if length > 0.0:
            out = math.inf
            for j in range(b0, b1):
                out = min(out, ((b[j, 0] - x) * along_y - (b[j, 1] - y) * along_x) / length)
            if out > best:
                best, best_x, best_y = out, along_y / length, -along_x / length
        x, y = a[i, 0], a[i, 1]
    return best, best_x, best_y


def core_gap(a: Matrix, a0: int, a1: int, b: Matrix, b0: int, b1: int) -> float:
    """The gap of two convex polygons without their rounding: distance, or minus the depth of the overlap."""
    if a1 - a0 == 1 and b1 - b0 == 1:
        return math.sqrt(corners_apart(a, a0, a1, b, b0, b1))
    if a1 - a0 <= 2 and b1 - b0 <= 2:
        return lines_apart(a, a0, a1, b, b0, b1)
    if (a1 - a0) * (b1 - b0) > FEW_PAIRS:
        x, y = shortest_way(a, a0, a1, b, b0, b1)
        apart = math.sqrt(x * x + y * y)
        if apart > ROUNDOFF:
            return apart
    out_a, near_a = edges_against(a, a0, a1, b, b0, b1)
    out_b, near_b = edges_against(b, b0, b1, a, a0, a1)
    separation = max(out_a, out_b)
    if separation <= 0.0:
        return -math.sqrt(-separation)
    return math.sqrt(min(near_a, near_b, corners_apart(a, a0, a1, b, b0, b1)))


def gap(a_points: Matrix, a_rows: Matrix, i: int, b_points: Matrix, b_rows: Matrix, j: int) -> float:
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


class Span(NamedTuple):
    """Some footprints of a set: from `first` up to `stop`."""

    points: Matrix
    rows: Matrix
    first: int
    stop: int


def set_gap(a: Span, b: Span, limit: float, with_heights: bool) -> tuple[float, int, int]:
    """The smallest gap between the footprints of two spans and the pair that has it, the first one on a tie.

    Pairs farther apart than `limit` are left out: when there is no other, (inf, -1, -1). With heights, a pair
    counts as the straight line that also bridges the difference of its lowest z; then no gap is below 0.
    """
    a_rows, b_rows = a.rows, b.rows
    best = limit
    best_i = -1
    best_j = -1
    for i in range(a.first, a.stop):
        x = a_rows[i, X]
        y = a_rows[i, Y]
        reach = a_rows[i, REACH]
        for j in range(b.first, b.stop):
            dx = b_rows[j, X] - x
            dy = b_rows[j, Y] - y
            bound = best + reach + b_rows[j, REACH]
            if bound < 0.0 or dx * dx + dy * dy > bound * bound:
                continue
            apart = gap(a.points, a_rows, i, b.points, b_rows, j)
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


def scan_units(
    points: Matrix, rows: Matrix, bounds: IntMatrix, me: int, with_heights: bool, answer: Floats
) -> None:
    """Distances of unit `me` to every unit into `answer`; `bounds` says whose footprints are whose."""
    mine = Span(points, rows, bounds[me, 0], bounds[me, 1])
    for other in range(bounds.shape[0]):
        if other == me:
            answer[other] = math.inf
            continue
        theirs = Span(points, rows, bounds[other, 0], bounds[other, 1])
        found = set_gap(mine, theirs, math.inf, with_heights)
        answer[other] = max(found[0], 0.0)


def point_gap(span: Span, x: float, y: float, z: float, with_heights: bool) -> tuple[float, int]:
    """The smallest gap between a point and the footprints of a span, and which one has it."""
    points, rows = span.points, span.rows
    best = math.inf
    nearest = -1
    spot = np.empty((1, 2))
    spot[0, 0] = x
    spot[0, 1] = y
    for i in range(span.first, span.stop):
        dx = rows[i, X] - x
        dy = rows[i, Y] - y
        bound = best + rows[i, REACH]
        if bound < 0.0 or dx * dx + dy * dy > bound * bound:
            continue
        k = int(rows[i, FIRST])
        apart = core_gap(points, k, k + int(rows[i, COUNT]), spot, 0, 1) - rows[i, RADIUS]
        if with_heights:
            apart = max(apart, 0.0)
            apart = math.sqrt(apart * apart + square(rows[i, LOW] - z))
        if apart < best:
            best = apart
            nearest = i
    return best, nearest


def overhang(
    points: Matrix, rows: Matrix, first: int, stop: int, left: float, near: float, right: float, far: float
) -> float:
    """How far footprints first..stop stick out of an upright rectangle; below 0: the room that is left."""
    most = -math.inf
    for i in range(first, stop):
        radius = rows[i, RADIUS]
        a0 = int(rows[i, FIRST])
        for k in range(a0, a0 + int(rows[i, COUNT])):
            x = points[k, 0]
            y = points[k, 1]
            most = max(most, left - x + radius, x - right + radius, near - y + radius, y - far + radius)
    return most


def line_span(
    points: Matrix, rows: Matrix, first: int, stop: int, x: float, y: float, along_x: float, along_y: float
) -> tuple[float, float]:
    """The nearest and the farthest part of footprints first..stop from (x, y) along a unit vector."""
    nearest = math.inf
    farthest = -math.inf
    for i in range(first, stop):
        radius = rows[i, RADIUS]
        a0 = int(rows[i, FIRST])
        for k in range(a0, a0 + int(rows[i, COUNT])):
            away = (points[k, 0] - x) * along_x + (points[k, 1] - y) * along_y
            nearest = min(nearest, away - radius)
            farthest = max(farthest, away + radius)
    return nearest, farthest


# ----------------------------------------------------------------------------------------------------
# Compiled upkeep of the field: sets of footprints put together and taken apart, and circles round them.


def enclosing_circle(rows: Matrix, first: int, stop: int) -> tuple[float, float, float]:
    """A circle that holds footprints first..stop, about the middle of their box; not the smallest."""
    left = near = math.inf
    right = far = -math.inf
    for i in range(first, stop):
        left = min(left, rows[i, X] - rows[i, REACH])
        right = max(right, rows[i, X] + rows[i, REACH])
        near = min(near, rows[i, Y] - rows[i, REACH])
        far = max(far, rows[i, Y] + rows[i, REACH])
    x = (left + right) / 2.0
    y = (near + far) / 2.0
    reach = 0.0
    for i in range(first, stop):
        dx = rows[i, X] - x
        dy = rows[i, Y] - y
        reach = max(reach, math.sqrt(dx * dx + dy * dy) + rows[i, REACH])
    return x, y, reach


def put_unit(
    points: Matrix, rows: Matrix, circles: Matrix, unit: int, first: int, new_points: Matrix, new_rows: Matrix
) -> None:
    """Write as many footprints as a unit had before in the place of its old ones, and the circle round it."""
    first_point = int(rows[first, FIRST])
    for k in range(new_points.shape[0]):
        points[first_point + k, 0] = new_points[k, 0]
        points[first_point + k, 1] = new_points[k, 1]
    for i in range(new_rows.shape[0]):
        for column in range(COLUMNS):
            rows[first + i, column] = new_rows[i, column]
        rows[first + i, FIRST] += first_point
    circles[unit, 0], circles[unit, 1], circles[unit, 2] = enclosing_circle(new_rows, 0, new_rows.shape[0])


def put_block(bodies: Bodies, unit: int, local: Matrix, form: Matrix, place: BodyPose) -> None:
    """Put a block down in the place of its old footprints, which were as many, and a circle round it."""
    points, rows, circles, first = bodies.points, bodies.rows, bodies.circles, bodies.bounds[unit, 0]
    first_point = int(rows[first, FIRST])
    stop = first + form.shape[0]
    put_together(local, form, place, points[first_point : first_point + local.shape[0]], rows[first:stop])
    for i in range(first, stop):
        rows[i, FIRST] += first_point
    circles[unit, 0], circles[unit, 1], circles[unit, 2] = enclosing_circle(rows, first, stop)


def is_enemy_near(circles: Matrix, sides: Ints, unit: int, reach: float) -> bool:
    """A glance at the circles round the units: whether an enemy may be within reach. False is certain."""
    for other in range(sides.shape[0]):
        if sides[other] != sides[unit]:
            dx, dy = circles[other, 0] - circles[unit, 0], circles[other, 1] - circles[unit, 1]
            bound = reach + circles[unit, 2] + circles[other, 2]
            if dx * dx + dy * dy <= bound * bound:
                return True
    return False


def note_near(bodies: Bodies, x: float, y: float, z: float, heights: bool, limit: float, answer: Ints) -> int:
    """Which units have a base at most `limit` from a point; how many there are."""
    points, rows, bounds, circles = bodies.points, bodies.rows, bodies.bounds, bodies.circles
    found = 0
    for unit in range(bounds.shape[0]):
        dx, dy = circles[unit, 0] - x, circles[unit, 1] - y
        bound = limit + circles[unit, 2]
        if dx * dx + dy * dy > bound * bound:
            continue
        if point_gap(Span(points, rows, bounds[unit, 0], bounds[unit, 1]), x, y, z, heights)[0] <= limit:
            answer[found] = unit
            found += 1
    return found


def splice(
    points: Matrix, rows: Matrix, first: int, stop: int, new_points: Matrix, new_rows: Matrix,
    joined_points: Matrix, joined_rows: Matrix,
) -> None:  # fmt: skip
    """A set whose footprints first..stop are replaced by another set's, which may be more or fewer."""
    count = rows.shape[0]
    p0 = int(rows[first, FIRST]) if first < count else points.shape[0]
    p1 = int(rows[stop, FIRST]) if stop < count else points.shape[0]
    grown = new_rows.shape[0] - (stop - first)
    p_grown = new_points.shape[0] - (p1 - p0)
    joined_points[:p0] = points[:p0]
    joined_points[p0 : p1 + p_grown] = new_points
    joined_points[p1 + p_grown :] = points[p1:]
    joined_rows[:first] = rows[:first]
    joined_rows[first : stop + grown] = new_rows
    joined_rows[stop + grown :] = rows[stop:]
    for i in range(first, stop + grown):
        joined_rows[i, FIRST] += p0
    for i in range(stop + grown, count + grown):
        joined_rows[i, FIRST] += p_grown


# ----------------------------------------------------------------------------------------------------
# Compiled shortest lines from base to base.

LEVEL = 1e-7  # inches: corners that lie equally far out; the stored grid makes no smaller differences


def facing_side(points: Matrix, first: int, stop: int, x: float, y: float) -> tuple[float, float, float]:
    """How far a polygon reaches in a direction of length 1, and where its outermost side starts and ends across it."""
    farthest = -math.inf
    for k in range(first, stop):
        farthest = max(farthest, points[k, 0] * x + points[k, 1] * y)
    start = math.inf
    end = -math.inf
    for k in range(first, stop):
        if points[k, 0] * x + points[k, 1] * y >= farthest - LEVEL:
            across = points[k, 1] * x - points[k, 0] * y
            start = min(start, across)
            end = max(end, across)
    return farthest, start, end


def shortest_line(points: Matrix, rows: Matrix, i: int, j: int) -> tuple[float, float, float, float]:
    """The shortest line from footprint i to j, as its two ends; both the same where they touch or overlap.

    Sides that face each other squarely leave many lines that are equally short: the middle one is taken.
    """
    a0 = int(rows[i, FIRST])
    b0 = int(rows[j, FIRST])
    a1 = a0 + int(rows[i, COUNT])
    b1 = b0 + int(rows[j, COUNT])
    x, y = shortest_way(points, b0, b1, points, a0, a1)
    length = math.sqrt(x * x + y * y)
    if length <= rows[i, RADIUS] + rows[j, RADIUS]:
        return points[a0, 0], points[a0, 1], points[a0, 0], points[a0, 1]
    x /= length
    y /= length
    out, start, end = facing_side(points, a0, a1, x, y)
    back, other_start, other_end = facing_side(points, b0, b1, -x, -y)
    across = (max(start, -other_end) + min(end, -other_start)) / 2.0
    out += rows[i, RADIUS]
    back = -back - rows[j, RADIUS]
    return out * x - across * y, out * y + across * x, back * x - across * y, back * y + across * x
