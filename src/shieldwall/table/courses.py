"""Rivers and roads: smooth courses through the middle of the table, unchanged by a half turn.

A course is a sequence of points about an inch apart, in inches; a ribbon is the ground it covers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from shieldwall.table.numbers import TableNumbers
from shieldwall.table.organic_outlines import Local

Point = tuple[float, float]
Course = list[Point]

RIVER = 4.0  # inches from bank to bank
ROAD = 2.0
SQUARE = 10.0  # inches across the town square
BRIDGE = 3.0  # inches of a river that a bridge covers
LANDING = 0.8  # inches of a bridge that lie on each bank
STRETCH = 10.4  # inches of river in one piece, which keeps the piece within twelve inches in all
BEND = 2.0  # inches between the corners of a ribbon


class LaidWays(Struct, frozen=True):
    """Everything that crosses a table: stretches of a river, roads, and the bridge or square where they meet."""

    river: tuple[Local, ...] = ()
    roads: tuple[Local, ...] = ()
    bridge: Local | None = None
    courses: tuple[tuple[Point, ...], ...] = ()  # of the roads, each from one edge to the other
    square: Local | None = None


def lay_ways(
    wide: float, deep: float, numbers: TableNumbers, *, river: str, crossing: bool, sway: float = 1.0
) -> LaidWays:
    """A road through the middle and, where there is one, a river below it; `river` is "", "along" or "across".

    A river "along" runs from one army's edge to the other's, a river "across" lies between the armies. `sway` is how
    far roads wind, from 0 to 1.
    """
    if river == "across":
        return _turned(lay_ways(deep, wide, numbers, river="along", crossing=crossing, sway=sway))
    road_dip = numbers.between(2.0, deep / 5) * numbers.pick((-1, 1)) * sway
    if river:
        sway = numbers.between(0.06, 0.2) * wide * numbers.pick((-1, 1))
        water = _course(wide, deep, (sway, 0.0), (sway * numbers.between(0.5, 1.1), deep / 4), upright=True)
        ahead = _heading(water, len(water) // 2)
        way = _course(wide, deep, (0.0, road_dip), (wide / 4, road_dip * 0.6), across=ahead)
        stretches = _stretches(water, deep)
        return LaidWays(stretches, _road(way, wide), _bridge(wide, deep, ahead), (tuple(way),))
    way = _course(wide, deep, (0.0, road_dip), (wide / 4, road_dip * numbers.between(-0.8, 0.6)))
    courses = [tuple(way)]
    roads = _road(way, wide)
    if crossing:
        side = numbers.between(2.0, wide / 5) * numbers.pick((-1, 1))
        other = _course(wide, deep, (side, 0.0), (side * 0.6, deep / 4), upright=True)
        roads += _road(other, deep, upright=True)
        courses.append(tuple(other))
    return LaidWays((), roads, None, tuple(courses))


def lay_streets(wide: float, deep: float, numbers: TableNumbers) -> LaidWays:
    """The streets of a town: one across the table with a square in the middle, and a lane from it to each army's edge.

    The lanes leave the street on different sides of the square, so that nobody looks along them from edge to edge.
    """
    dip = numbers.between(-1.5, 1.5)
    main = _course(wide, deep, (0.0, dip), (wide / 4, dip * 0.7))
    aside = numbers.between(SQUARE / 2 + 1.6, wide / 4) * numbers.pick((-1, 1))
    door = min(main, key=lambda point: abs(point[0] - wide / 2 - aside))
    lean = numbers.between(-1.0, 1.0)
    lane = _smooth([(door[0] + lean, 0.0), (door[0] + lean / 2, deep / 4), door])
    other = [(wide - x, deep - y) for x, y in reversed(lane)]
    lanes = tuple(ribbon(_thinned(one), ROAD, limit=deep, upright=True) for one in (lane, other))
    roads = (*_road(main, wide, free=SQUARE / 2 - 0.4), *lanes)
    return LaidWays((), roads, None, (tuple(main), tuple(other), tuple(lane)), _square(wide, deep))


def _course(
    wide: float, deep: float, edge: Point, bend: Point, *, upright: bool = False, across: float | None = None
) -> Course:
    """A smooth course from edge to edge; `edge` and `bend` say how far off the middle line it starts and bends.

    It crosses the heading `across` at a right angle in the middle of the table.
    """
    middle = (wide / 2, deep / 2)
    if upright:
        half = [(middle[0] + edge[0], 0.0), (middle[0] + bend[0], bend[1])]
    else:
        half = [(0.0, middle[1] + edge[1]), (bend[0], middle[1] + bend[1])]
    if across is not None:
        ahead = (math.sin(across), -math.cos(across))
        if ahead[0] < 0:
            ahead = (-ahead[0], -ahead[1])
        half.append((middle[0] - 5 * ahead[0], middle[1] - 5 * ahead[1]))
    points = [*half, middle, *((wide - x, deep - y) for x, y in reversed(half))]
    return _smooth(points)


def _smooth(points: Sequence[Point]) -> Course:
    """A curve through all points (Catmull-Rom), one point for about every inch."""
    first = (2 * points[0][0] - points[1][0], 2 * points[0][1] - points[1][1])
    last = (2 * points[-1][0] - points[-2][0], 2 * points[-1][1] - points[-2][1])
    run = [first, *points, last]
    found: Course = [points[0]]
    for a, b, c, d in zip(run, run[1:], run[2:], run[3:], strict=False):
        steps = max(2, round(math.dist(b, c)))
        for step in range(1, steps + 1):
            t = step / steps
            found.append((_through(a[0], b[0], c[0], d[0], t), _through(a[1], b[1], c[1], d[1], t)))
    return found


def _through(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)


def _heading(course: Course, at: int) -> float:
    """The direction of a course at one of its points, as an angle."""
    before, after = course[max(0, at - 1)], course[min(len(course) - 1, at + 1)]
    return math.atan2(after[1] - before[1], after[0] - before[0])


def ribbon(course: Course, breadth: float, *, limit: float = 0.0, upright: bool = False) -> Local:
    """The ground a course covers, counter-clockwise, cut off at the edges of the table."""
    left: Local = []
    right: Local = []
    for at, (x, y) in enumerate(course):
        angle = _heading(course, at)
        dx, dy = -math.sin(angle) * breadth / 2, math.cos(angle) * breadth / 2
        along = y if upright else x
        if limit and (along <= 0.001 or along >= limit - 0.001):
            lean = abs(math.sin(angle) if upright else math.cos(angle)) or 1.0
            half = breadth / 2 / max(0.5, lean)
            dx, dy = (math.copysign(half, dx), 0.0) if upright else (0.0, math.copysign(half, dy))
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    return [*right, *reversed(left)]


def _thinned(course: Course) -> Course:
    """Fewer points, the ends kept."""
    count = max(1, round(_length(course) / BEND))
    return [course[round(step * (len(course) - 1) / count)] for step in range(count + 1)]


def _length(course: Course) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(course))


def _stretches(water: Course, deep: float) -> tuple[Local, ...]:
    """The river as pieces that the books count as large, with a gap for the bridge in the middle."""
    fine = _refined(water)
    middle = (fine[0][0] + fine[-1][0]) / 2, deep / 2
    split = next(
        at
        for at, point in enumerate(fine)
        if at > len(fine) // 2 or math.dist(point, middle) < BRIDGE / 2 + 0.25
    )
    halves = (fine[: split + 1], fine[len(fine) - 1 - split :])
    found: list[Local] = []
    for half in halves:
        parts = math.ceil(_length(half) / STRETCH)
        whole = ribbon(half, RIVER, limit=deep, upright=True)
        count = len(half)
        for part in range(parts):
            first, last = part * (count - 1) // parts, (part + 1) * (count - 1) // parts
            picked = _picked(first, last)
            right = [whole[at] for at in picked]
            left = [whole[2 * count - 1 - at] for at in reversed(picked)]
            found.append([*right, *left])
    return tuple(found)


def _picked(first: int, last: int) -> list[int]:
    """Some of the points from `first` to `last`, including both."""
    count = max(1, round((last - first) * 0.25 / BEND))
    return [first + round(step * (last - first) / count) for step in range(count + 1)]


def _refined(course: Course) -> Course:
    """Four points for every inch, so that cuts are accurate."""
    found: Course = [course[0]]
    for a, b in pairwise(course):
        steps = max(1, round(math.dist(a, b) * 4))
        found += [
            (a[0] + (b[0] - a[0]) * s / steps, a[1] + (b[1] - a[1]) * s / steps) for s in range(1, steps + 1)
        ]
    return found


def _road(way: Course, limit: float, *, upright: bool = False, free: float = 0.0) -> tuple[Local, ...]:
    """A road in two stretches that meet in the middle of the table, or end `free` inches from it."""
    middle = way[len(way) // 2]
    split = next(at for at, point in enumerate(way) if math.dist(point, middle) <= free)
    half = _thinned(way[: split + 1])
    other = _thinned(way[len(way) - 1 - split :])
    return (
        ribbon(half, ROAD, limit=limit, upright=upright),
        ribbon(other, ROAD, limit=limit, upright=upright),
    )


def _bridge(wide: float, deep: float, ahead: float) -> Local:
    """The deck over the gap in a river that flows this way."""
    cos, sin = math.cos(ahead), math.sin(ahead)
    along, over = BRIDGE / 2, RIVER / 2 + LANDING
    corners = ((-along, -over), (along, -over), (along, over), (-along, over))
    return [(wide / 2 + a * cos - o * sin, deep / 2 + a * sin + o * cos) for a, o in corners]


def _square(wide: float, deep: float) -> Local:
    """A town square in the middle of the table, its corners cut off."""
    half, cut = SQUARE / 2, SQUARE / 2 - 1.2
    corners = ((-cut, -half), (cut, -half), (half, -cut), (half, cut), (cut, half), (-cut, half))
    return [(wide / 2 + x, deep / 2 + y) for x, y in (*corners, (-half, cut), (-half, -cut))]


def _turned(ways: LaidWays) -> LaidWays:
    """The same courses on a table with its sides exchanged."""

    def swapped(shape: Local) -> Local:
        return [(y, x) for x, y in reversed(shape)]

    return LaidWays(
        tuple(swapped(one) for one in ways.river),
        tuple(swapped(one) for one in ways.roads),
        swapped(ways.bridge) if ways.bridge is not None else None,
        tuple(tuple((y, x) for x, y in course) for course in ways.courses),
    )
