"""Units and terrain put into the arrays in which lines of sight are judged."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Floats, Matrix
from shieldwall.geometry.distance import (
    COLUMNS,
    COUNT,
    HIGH,
    LOW,
    RADIUS,
    REACH,
    BodyPose,
    X,
    Y,
    direction,
    gap,
    put_together,
    square,
)
from shieldwall.geometry.distance import FIRST as FIRST_CORNER
from shieldwall.geometry.scene import IS_HILL
from shieldwall.geometry.sight_lines import (
    CORNER,
    CORNERS,
    COSINE,
    FIGURE_COUNT,
    FIRST_FIGURE,
    FIRST_PART,
    FLAGS,
    HALF_DEPTH,
    HALF_WIDTH,
    ON_HILL,
    OWNER,
    PART_COSINE,
    PART_COUNT,
    PART_HIGH,
    PART_LOW,
    PART_SINE,
    PART_VALUE,
    PER_DEPTH,
    PER_WIDTH,
    SINE,
    STEP,
    VALUE,
    SightArrays,
    strip_of,
)
from shieldwall.geometry.tolerance import EPS

# Columns of a unit's mould, one line for each model: height, height that is compared, half the base.
TALL, COMPARED, ACROSS, ALONG = range(4)
BY_TOP = -1.0  # in COMPARED: compare the real top above the table
ROOM = 4.0 * EPS  # what a part's circle has more than its outline


def is_over(sight: SightArrays, owner: int, x: float, y: float) -> bool:
    """Whether a point lies inside the outline of a piece or on its border, so that half in is in."""
    first = int(sight.owners[owner, FIRST_PART])
    for part in range(first, first + int(sight.owners[owner, PART_COUNT])):
        corner = int(sight.parts[part, CORNER])
        stop = corner + int(sight.parts[part, CORNERS])
        last = stop - 1
        inside = True
        for k in range(corner, stop):
            along_x = sight.corners[k, 0] - sight.corners[last, 0]
            along_y = sight.corners[k, 1] - sight.corners[last, 1]
            if along_x * (y - sight.corners[last, 1]) - along_y * (x - sight.corners[last, 0]) <= 0.0:
                inside = False
                break
            last = k
        if inside:
            return True
    return False


def stand(sight: SightArrays, figure: int) -> float:
    """Mark the pieces under a figure; the height that the tallest of them adds to who stands on it."""
    units = sight.owners.shape[0] - sight.standing.shape[1]
    x = sight.figures[figure, X]
    y = sight.figures[figure, Y]
    added = 0.0
    on_hill = 0.0
    for piece in range(sight.standing.shape[1]):
        row = sight.owners[units + piece]
        is_near = square(row[X] - x) + square(row[Y] - y) < row[REACH] * row[REACH]
        sight.standing[figure, piece] = 0
        if is_near and is_over(sight, units + piece, x, y):
            sight.standing[figure, piece] = 1
            added = max(added, row[STEP])
            if int(row[FLAGS]) & IS_HILL != 0:
                on_hill = 1.0
    sight.figures[figure, ON_HILL] = on_hill
    return added


def enter_figures(
    sight: SightArrays, first: int, point: int, points: Matrix, rows: Matrix, mould: Matrix, headings: Floats
) -> None:
    """Put the models of a unit into the arrays from figure `first` and point `point` on."""
    figures = sight.figures
    for k in range(points.shape[0]):
        sight.points[point + k, 0] = points[k, 0]
        sight.points[point + k, 1] = points[k, 1]
    for i in range(rows.shape[0]):
        for column in range(COLUMNS):
            figures[first + i, column] = rows[i, column]
        figures[first + i, FIRST_CORNER] += point
        figures[first + i, HIGH] = rows[i, LOW] + mould[i, TALL]
        sine, cosine = direction(headings[min(i, headings.shape[0] - 1)])
        figures[first + i, SINE] = sine
        figures[first + i, COSINE] = cosine
        figures[first + i, HALF_WIDTH] = mould[i, ACROSS]
        figures[first + i, HALF_DEPTH] = mould[i, ALONG]
        added = stand(sight, first + i)
        if mould[i, COMPARED] == BY_TOP:
            figures[first + i, VALUE] = figures[first + i, HIGH]
        else:
            figures[first + i, VALUE] = mould[i, COMPARED] + added


def outset(ring: Matrix, count: int, k: int) -> tuple[float, float]:
    """Corner k of a convex polygon, counter-clockwise, moved out so that both its edges lie EPS further out."""
    before = (k - 1) % count
    after = (k + 1) % count
    in_x = ring[k, 0] - ring[before, 0]
    in_y = ring[k, 1] - ring[before, 1]
    out_x = ring[after, 0] - ring[k, 0]
    out_y = ring[after, 1] - ring[k, 1]
    in_length = math.sqrt(in_x * in_x + in_y * in_y)
    out_length = math.sqrt(out_x * out_x + out_y * out_y)
    if in_length == 0.0 or out_length == 0.0:
        return ring[k, 0], ring[k, 1]
    in_x, in_y, out_x, out_y = in_x / in_length, in_y / in_length, out_x / out_length, out_y / out_length
    share = EPS / (1.0 + in_x * out_x + in_y * out_y)
    return ring[k, 0] + share * (in_y + out_y), ring[k, 1] - share * (in_x + out_x)


def add_polygon(sight: SightArrays, part: int, corner: int, ring: Matrix, count: int) -> int:
    """Make a part of a convex polygon, counter-clockwise; the next free corner."""
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for k in range(count):
        sight.corners[corner + k, 0], sight.corners[corner + k, 1] = outset(ring, count, k)
        low_x, high_x = min(low_x, ring[k, 0]), max(high_x, ring[k, 0])
        low_y, high_y = min(low_y, ring[k, 1]), max(high_y, ring[k, 1])
    x = (low_x + high_x) / 2.0
    y = (low_y + high_y) / 2.0
    reach2 = 0.0
    for k in range(count):
        reach2 = max(reach2, square(ring[k, 0] - x) + square(ring[k, 1] - y))
    sight.parts[part, X] = x
    sight.parts[part, Y] = y
    sight.parts[part, REACH] = math.sqrt(reach2) + ROOM
    sight.parts[part, CORNER] = corner
    sight.parts[part, CORNERS] = count
    return corner + count


def add_round(sight: SightArrays, part: int, corner: int, figure: int) -> None:
    """Make a part of a round or oval base, EPS larger than it."""
    figures = sight.figures
    parts = sight.parts
    parts[part, X] = figures[figure, X]
    parts[part, Y] = figures[figure, Y]
    parts[part, REACH] = max(figures[figure, HALF_WIDTH], figures[figure, HALF_DEPTH]) + ROOM
    parts[part, CORNER] = corner
    parts[part, CORNERS] = 0.0
    parts[part, PART_SINE] = figures[figure, SINE]
    parts[part, PART_COSINE] = figures[figure, COSINE]
    parts[part, PER_WIDTH] = 1.0 / (figures[figure, HALF_WIDTH] + EPS)
    parts[part, PER_DEPTH] = 1.0 / (figures[figure, HALF_DEPTH] + EPS)


def set_heights(sight: SightArrays, part: int, owner: int, low: float, high: float, value: float) -> None:
    sight.parts[part, PART_LOW] = low
    sight.parts[part, PART_HIGH] = high
    sight.parts[part, PART_VALUE] = value
    sight.parts[part, OWNER] = owner


def enter_outline(
    sight: SightArrays, owner: int, part: int, corner: int, points: Matrix, rows: Matrix
) -> tuple[int, int]:
    """Parts for the outline of a unit; the next free part, -1 when room is lacking, and corner.

    Only loose units have round footprints, and theirs are their figures.
    """
    first = int(sight.owners[owner, FIRST_FIGURE])
    count = int(sight.owners[owner, FIGURE_COUNT])
    tallest = -math.inf
    value = -math.inf
    for i in range(first, first + count):
        tallest = max(tallest, sight.figures[i, HIGH])
        value = max(value, sight.figures[i, VALUE])
    for i in range(rows.shape[0]):
        if part >= sight.parts.shape[0] or corner + 4 > sight.corners.shape[0]:
            return -1, corner
        if rows[i, COUNT] == 4.0 and rows[i, RADIUS] == 0.0:
            at = int(rows[i, FIRST_CORNER])
            corner = add_polygon(sight, part, corner, points[at : at + 4], 4)
        else:
            add_round(sight, part, corner, first + i)
        if rows.shape[0] == count:  # one footprint for each figure, so each has its own height
            set_heights(
                sight,
                part,
                owner,
                rows[i, LOW],
                sight.figures[first + i, HIGH],
                sight.figures[first + i, VALUE],
            )
        else:
            set_heights(sight, part, owner, rows[i, LOW], tallest, value)
        part += 1
    return part, corner


def raise_to(sight: SightArrays, part: int, low: float, high: float, value: float) -> None:
    """A strip is the hull of two bases and as high as the taller model: both bases become part of it."""
    sight.parts[part, PART_LOW] = min(sight.parts[part, PART_LOW], low)
    sight.parts[part, PART_HIGH] = max(sight.parts[part, PART_HIGH], high)
    sight.parts[part, PART_VALUE] = max(sight.parts[part, PART_VALUE], value)


def enter_strips(
    sight: SightArrays, owner: int, part: int, corner: int, link: float, strip: Matrix
) -> tuple[int, int]:
    """Strips between figures that stand within `link` of each other; part -1 when room is lacking."""
    figures = sight.figures
    first = int(sight.owners[owner, FIRST_FIGURE])
    stop = first + int(sight.owners[owner, FIGURE_COUNT])
    base = int(sight.owners[owner, FIRST_PART]) - first
    for i in range(first, stop):
        for j in range(i + 1, stop):
            room = link + EPS + figures[i, REACH] + figures[j, REACH]
            if square(figures[i, X] - figures[j, X]) + square(figures[i, Y] - figures[j, Y]) > room * room:
                continue
            flat = max(gap(sight.points, figures, i, sight.points, figures, j), 0.0)
            if math.sqrt(flat * flat + square(figures[i, LOW] - figures[j, LOW])) > link + EPS:
                continue
            if not strip_of(figures, i, j, strip):
                continue
            if part >= sight.parts.shape[0] or corner + 4 > sight.corners.shape[0]:
                return -1, corner
            corner = add_polygon(sight, part, corner, strip, 4)
            low = min(figures[i, LOW], figures[j, LOW])
            high = max(figures[i, HIGH], figures[j, HIGH])
            value = max(figures[i, VALUE], figures[j, VALUE])
            set_heights(sight, part, owner, low, high, value)
            raise_to(sight, base + i, low, high, value)
            raise_to(sight, base + j, low, high, value)
            part += 1
    return part, corner


def surround(sight: SightArrays, owner: int) -> None:
    """The circle round all parts of an owner: about the middle of their box."""
    first = int(sight.owners[owner, FIRST_PART])
    stop = first + int(sight.owners[owner, PART_COUNT])
    parts = sight.parts
    low_x, low_y, high_x, high_y = math.inf, math.inf, -math.inf, -math.inf
    for k in range(first, stop):
        low_x, high_x = min(low_x, parts[k, X] - parts[k, REACH]), max(high_x, parts[k, X] + parts[k, REACH])
        low_y, high_y = min(low_y, parts[k, Y] - parts[k, REACH]), max(high_y, parts[k, Y] + parts[k, REACH])
    x = (low_x + high_x) / 2.0
    y = (low_y + high_y) / 2.0
    reach = 0.0
    for k in range(first, stop):
        apart = math.sqrt(square(parts[k, X] - x) + square(parts[k, Y] - y))
        reach = max(reach, apart + parts[k, REACH])
    sight.owners[owner, X] = x
    sight.owners[owner, Y] = y
    sight.owners[owner, REACH] = reach


class SightPlace(NamedTuple):
    """Where a unit lies in the arrays: its row among the owners, its first point and corner, where its corners and
    parts end. FIRST_PART and FIRST_FIGURE of the owner are already set.
    """

    owner: int
    point: int
    corner: int
    corner_stop: int
    part_stop: int


class SightBody(NamedTuple):
    """The footprints of a unit: those of its models, which have a mould, and those of its outline."""

    points: Matrix
    rows: Matrix
    mould: Matrix
    outline_points: Matrix
    outline_rows: Matrix


def enter_unit(whole: SightArrays, place: SightPlace, body: SightBody, headings: Floats, link: float) -> bool:
    """Put a unit into its place of the arrays; False when its parts need more room than it has."""
    sight = SightArrays(
        whole.figures,
        whole.points,
        whole.parts[: place.part_stop],
        whole.corners[: place.corner_stop],
        whole.owners,
        whole.standing,
    )
    owner, corner = place.owner, place.corner
    part = int(sight.owners[owner, FIRST_PART])
    sight.owners[owner, FIGURE_COUNT] = body.rows.shape[0]
    first = int(sight.owners[owner, FIRST_FIGURE])
    enter_figures(whole, first, place.point, body.points, body.rows, body.mould, headings)
    part, corner = enter_outline(sight, owner, part, corner, body.outline_points, body.outline_rows)
    if link > 0.0 and part >= 0:
        part, corner = enter_strips(sight, owner, part, corner, link, np.empty((4, 2)))
    if part < 0:
        return False
    sight.owners[owner, PART_COUNT] = part - int(sight.owners[owner, FIRST_PART])
    surround(sight, owner)
    return True


def enter_block(whole: SightArrays, place: SightPlace, form: SightBody, at: BodyPose) -> bool:
    """`enter_unit` for a block whose footprints, given about its centre, are yet to be put down."""
    points, rows = np.empty((form.points.shape[0], 2)), np.empty((form.rows.shape[0], COLUMNS))
    outline_points = np.empty((form.outline_points.shape[0], 2))
    outline_rows = np.empty((form.outline_rows.shape[0], COLUMNS))
    put_together(form.points, form.rows, at, points, rows)
    put_together(form.outline_points, form.outline_rows, at, outline_points, outline_rows)
    headings = np.empty(1)
    headings[0] = at.heading
    body = SightBody(points, rows, form.mould, outline_points, outline_rows)
    return enter_unit(whole, place, body, headings, 0.0)
