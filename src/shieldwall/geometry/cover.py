"""Cover: how much of a target is behind something, seen from a shooter."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Ints, Matrix
from shieldwall.geometry.distance import COUNT, RADIUS, REACH, X, Y, shortest_line, square
from shieldwall.geometry.polygons import polygon_distance, polygon_share
from shieldwall.geometry.scene import GIVES_COVER, IS_PIECE, STOPS_SIGHT
from shieldwall.geometry.sight_lines import (
    CORNER,
    CORNERS,
    COSINE,
    FIGURE_COUNT,
    FIRST_FIGURE,
    FIRST_PART,
    FIRST_VERTEX,
    FLAGS,
    HALF_DEPTH,
    HALF_WIDTH,
    OWNER,
    PART_COUNT,
    PART_VALUE,
    SINE,
    VALUE,
    VERTICES,
    Corridor,
    SightArrays,
    apart_from_line,
    chord,
    crosses,
    is_high_enough,
    span_in,
)
from shieldwall.geometry.sight_pairs import flat_apart
from shieldwall.geometry.tolerance import AREA_EPS, EPS

# ----------------------------------------------------------------------------------------------------
# Compiled cover: which models lie in cover terrain, and which stand behind something.
#
# Works on the arrays of sight. A line to a model runs on to its centre, so that a fence under the near half of
# a base counts like one in front of it.

# What a model has.
NO_COVER, INSIDE, BEHIND = range(3)
# Where cover is judged from.
FRONT_EDGE, NEAREST_SHOOTER, MOST_SHOOTERS = range(3)
# Whether something gives cover to whom stands behind it.
NEVER, IF_TALL, ALWAYS = range(3)


class CoverTerms(NamedTuple):
    """What gives cover to whom stands behind it, and who shoots at whom; whether in a piece means wholly in it."""

    over: int
    by_blockers: bool
    by_units: bool
    me: int
    target: int
    wholly: bool


def touches(sight: SightArrays, figure: int, owner: int) -> bool:
    """Whether a base lies on a piece or touches it."""
    figures = sight.figures
    owners = sight.owners
    room = figures[figure, REACH] + owners[owner, REACH] + EPS
    if (
        square(figures[figure, X] - owners[owner, X]) + square(figures[figure, Y] - owners[owner, Y])
        > room * room
    ):
        return False
    first = int(owners[owner, FIRST_VERTEX])
    stop = first + int(owners[owner, VERTICES])
    return polygon_distance(sight.points, figures, figure, sight.points, first, stop) <= EPS


def any_touches(sight: SightArrays, first: int, stop: int, owner: int) -> bool:
    for figure in range(first, stop):
        if touches(sight, figure, owner):
            return True
    return False


def any_stands(sight: SightArrays, first: int, stop: int, owner: int) -> bool:
    piece = owner - (sight.owners.shape[0] - sight.standing.shape[1])
    for figure in range(first, stop):
        if sight.standing[figure, piece] != 0:
            return True
    return False


def shelters(sight: SightArrays, shelter: CoverTerms, owner: int, first: int, stop: int) -> int:
    """Whether something gives cover from the shooters first..stop: never, always, or if tall enough.

    A cover piece that they stand in or touch does not; neither does a blocking piece that they stand in.
    """
    flags = int(sight.owners[owner, FLAGS])
    if flags & IS_PIECE == 0:
        return ALWAYS if shelter.by_units else NEVER
    if flags & GIVES_COVER != 0 and not any_touches(sight, first, stop, owner):
        return ALWAYS
    if flags & STOPS_SIGHT == 0 or not shelter.by_blockers or any_stands(sight, first, stop, owner):
        return NEVER
    return IF_TALL


def gather_shelter(
    sight: SightArrays, shelter: CoverTerms, first: int, stop: int, corridor: Corridor, near: Ints
) -> int:
    """List the parts that may give cover from the shooters first..stop along a corridor; how many there are.

    A part that counts only if it is tall enough is listed as minus its number, less one.
    """
    owners = sight.owners
    parts = sight.parts
    x, y, breadth = corridor.x, corridor.y, corridor.breadth
    dx, dy = corridor.to_x - x, corridor.to_y - y
    count = 0
    for owner in range(owners.shape[0]):
        flags = int(owners[owner, FLAGS]) & (GIVES_COVER | STOPS_SIGHT)
        if owner in (shelter.me, shelter.target) or flags == 0 or owners[owner, PART_COUNT] == 0.0:
            continue
        room = owners[owner, REACH] + breadth
        if apart_from_line(owners[owner, X], owners[owner, Y], x, y, dx, dy) >= room * room:
            continue
        kind = shelters(sight, shelter, owner, first, stop)
        if kind == NEVER:
            continue
        begin = int(owners[owner, FIRST_PART])
        for part in range(begin, begin + int(owners[owner, PART_COUNT])):
            room = parts[part, REACH] + breadth
            if apart_from_line(parts[part, X], parts[part, Y], x, y, dx, dy) < room * room:
                near[count] = part if kind == ALWAYS else -1 - part
                count += 1
    return count


def runs_through(sight: SightArrays, part: int, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether a line crosses a part rather than touching its side: lines slightly to both sides must cross too."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    aside_x = -2.0 * EPS * dy / length
    aside_y = 2.0 * EPS * dx / length
    return crosses(sight, part, x + aside_x, y + aside_y, dx, dy) and crosses(
        sight, part, x - aside_x, y - aside_y, dx, dy
    )


def is_sheltered(
    sight: SightArrays, shelter: CoverTerms, near: Ints, count: int, value: float, figure: int, way: Corridor
) -> bool:
    """Whether the line of a way to the rim of a base, and on to its centre, crosses one of `count` listed parts.

    `value` is the height at the start. Where models must lie wholly in a piece to be in it, one that holds the centre
    does not count under the base.
    """
    figures = sight.figures
    on_x = figures[figure, X] - way.to_x
    on_y = figures[figure, Y] - way.to_y
    for k in range(count):
        part = near[k]
        if part < 0:
            part = -1 - part
            if not is_high_enough(
                shelter.over, True, sight.parts[part, PART_VALUE], value, figures[figure, VALUE]
            ):
                continue
        if runs_through(sight, part, way.x, way.y, way.to_x - way.x, way.to_y - way.y):
            return True
        piece = int(sight.parts[part, OWNER]) - (sight.owners.shape[0] - sight.standing.shape[1])
        if piece < 0 or (shelter.wholly and sight.standing[figure, piece] != 0):
            continue
        if runs_through(sight, part, way.to_x, way.to_y, on_x, on_y):
            return True
    return False


def half_through(figures: Matrix, figure: int, dx: float, dy: float) -> float:
    """How far a base reaches from its centre in a direction of length 1."""
    if figures[figure, COUNT] == 1.0:
        return float(figures[figure, RADIUS])
    width = figures[figure, HALF_WIDTH]
    depth = figures[figure, HALF_DEPTH]
    aside = abs(dx * figures[figure, COSINE] - dy * figures[figure, SINE])
    ahead = abs(dx * figures[figure, SINE] + dy * figures[figure, COSINE])
    if figures[figure, RADIUS] > 0.0:
        return 1.0 / math.sqrt(square(aside / width) + square(ahead / depth))
    if aside * depth > ahead * width:
        return float(width / aside)
    return float(depth / ahead)


class Shooters(NamedTuple):
    """Who looks at a target: figures first..stop, from where, and how high the tallest of them counts."""

    first: int
    stop: int
    x: float
    y: float
    value: float


def is_behind(sight: SightArrays, shelter: CoverTerms, shooters: Shooters, figure: int, near: Ints) -> bool:
    """Whether a model stands behind something for shooters who look from one point."""
    figures = sight.figures
    x, y = shooters.x, shooters.y
    dx = figures[figure, X] - x
    dy = figures[figure, Y] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    share = 1.0 - half_through(figures, figure, dx / length, dy / length) / length
    if share <= 0.0:
        return False
    way = Corridor(x, y, x + share * dx, y + share * dy, (1.0 - share) * length)
    count = gather_shelter(sight, shelter, shooters.first, shooters.stop, way, near)
    return is_sheltered(sight, shelter, near, count, shooters.value, figure, way)


def is_behind_from_base(sight: SightArrays, shelter: CoverTerms, one: int, figure: int, near: Ints) -> bool:
    """Whether the shortest line from a shooter's base to a model's crosses something that gives cover.

    Never between bases that touch.
    """
    figures = sight.figures
    x, y, to_x, to_y = shortest_line(sight.points, figures, one, figure)
    if square(to_x - x) + square(to_y - y) <= EPS * EPS:
        return False
    way = Corridor(x, y, to_x, to_y, figures[figure, REACH])
    count = gather_shelter(sight, shelter, one, one + 1, way, near)
    return is_sheltered(sight, shelter, near, count, figures[one, VALUE], figure, way)


def is_deep_inside(sight: SightArrays, figure: int, owner: int) -> bool:
    """Whether the circle round a base surely lies inside one convex part of a piece: the quick answer."""
    parts = sight.parts
    corners = sight.corners
    x = sight.figures[figure, X]
    y = sight.figures[figure, Y]
    reach = sight.figures[figure, REACH]
    begin = int(sight.owners[owner, FIRST_PART])
    for part in range(begin, begin + int(sight.owners[owner, PART_COUNT])):
        first = int(parts[part, CORNER])
        stop = first + int(parts[part, CORNERS])
        last = stop - 1
        is_inside = True
        for k in range(first, stop):
            along_x = corners[k, 0] - corners[last, 0]
            along_y = corners[k, 1] - corners[last, 1]
            depth = along_x * (y - corners[last, 1]) - along_y * (x - corners[last, 0])
            if depth < (reach + EPS) * math.sqrt(along_x * along_x + along_y * along_y):
                is_inside = False
                break
            last = k
        if is_inside:
            return True
    return False


def is_in_cover(sight: SightArrays, figure: int, share: float) -> bool:
    """Whether at least this share of a base's area lies in one piece of cover terrain."""
    figures = sight.figures
    owners = sight.owners
    units = owners.shape[0] - sight.standing.shape[1]
    for owner in range(units, owners.shape[0]):
        if int(owners[owner, FLAGS]) & GIVES_COVER == 0:
            continue
        room = figures[figure, REACH] + owners[owner, REACH]
        dx = figures[figure, X] - owners[owner, X]
        dy = figures[figure, Y] - owners[owner, Y]
        if dx * dx + dy * dy >= room * room or (share == 1.0 and sight.standing[figure, owner - units] == 0):
            continue
        if is_deep_inside(sight, figure, owner):
            return True
        first = int(owners[owner, FIRST_VERTEX])
        stop = first + int(owners[owner, VERTICES])
        if polygon_share(sight.points, figures, figure, sight.points, first, stop) >= share - AREA_EPS:
            return True
    return False


def nearest_shooter(sight: SightArrays, shooters: Ints, figure: int) -> int:
    """The shooter whose base is nearest to a figure's, the first one on a tie."""
    best = -1
    nearest = math.inf
    for k in range(shooters.shape[0]):
        distance = flat_apart(sight.figures, sight.points, shooters[k], figure)
        if distance < nearest:
            nearest = distance
            best = shooters[k]
    return best


class ViewedFrom(NamedTuple):
    """From where cover is judged: the kind of viewpoint, its place where it is a front edge, and who shoots."""

    kind: int
    x: float
    y: float
    shooters: Ints


def is_behind_from(
    sight: SightArrays, shelter: CoverTerms, view: ViewedFrom, figure: int, near: Ints
) -> bool:
    """Whether a model stands behind something from where the policy judges it."""
    figures, shooters = sight.figures, view.shooters
    if view.kind == FRONT_EDGE:
        first = int(sight.owners[shelter.me, FIRST_FIGURE])
        stop = first + int(sight.owners[shelter.me, FIGURE_COUNT])
        all_of_them = Shooters(first, stop, view.x, view.y, tallest(figures, first, stop))
        return is_behind(sight, shelter, all_of_them, figure, near)
    if view.kind == NEAREST_SHOOTER:
        one = nearest_shooter(sight, shooters, figure)
        nearest = Shooters(one, one + 1, figures[one, X], figures[one, Y], figures[one, VALUE])
        return is_behind(sight, shelter, nearest, figure, near)
    behind = 0
    for k in range(shooters.shape[0]):
        if is_behind_from_base(sight, shelter, shooters[k], figure, near):
            behind += 1
    return bool(2 * behind > shooters.shape[0])


def tallest(figures: Matrix, first: int, stop: int) -> float:
    best = -math.inf
    for figure in range(first, stop):
        best = max(best, figures[figure, VALUE])
    return best


def judge_models(
    sight: SightArrays, shelter: CoverTerms, view: ViewedFrom, models: Ints, inside_share: float
) -> tuple[int, int]:
    """How many of the models lie in cover, and how many of the others stand behind something."""
    near = np.empty(sight.parts.shape[0], np.int64)
    inside = 0
    behind = 0
    for k in range(models.shape[0]):
        if is_in_cover(sight, models[k], inside_share):
            inside += 1
        elif is_behind_from(sight, shelter, view, models[k], near):
            behind += 1
    return inside, behind


def is_open(sight: SightArrays, me: int, target: int, x: float, y: float, figure: int) -> bool:
    """Whether nothing that could give cover reaches between a viewpoint and a base: the quick answer."""
    figures, owners = sight.figures, sight.owners
    dx = figures[figure, X] - x
    dy = figures[figure, Y] - y
    for owner in range(owners.shape[0]):
        flags = int(owners[owner, FLAGS]) & (GIVES_COVER | STOPS_SIGHT)
        if owner in (me, target) or flags == 0 or owners[owner, PART_COUNT] == 0.0:
            continue
        room = owners[owner, REACH] + figures[figure, REACH]
        if apart_from_line(owners[owner, X], owners[owner, Y], x, y, dx, dy) < room * room:
            return False
    return True


# ----------------------------------------------------------------------------------------------------
# Compiled cover of a lone model: how much of its base lies in cover terrain or is hidden.
#
# Rays from the viewpoint cut the base into thin sectors. Along each ray the stretches inside cover terrain
# and the stretch behind the first thing in the way are exact; a stretch from u to v stands for an area of
# (v*v - u*u) / 2.

FAR_AWAY = 1000.0  # inches


class Ray(NamedTuple):
    """A ray from a viewpoint in a direction of length 1, and between which distances it crosses a base."""

    x: float
    y: float
    dx: float
    dy: float
    enters: float
    leaves: float


def hidden_from(
    sight: SightArrays, over: int, near: Ints, count: int, ray: Ray, value: float, other: float
) -> float:
    """How far along a ray the first listed part stands that gives cover; where it leaves the base when none does.

    `value` and `other` are the heights of the viewer and the target.
    """
    reach = ray.leaves
    nearest = reach
    for k in range(count):
        part = near[k]
        if part < 0:
            part = -1 - part
            if not is_high_enough(over, True, sight.parts[part, PART_VALUE], value, other):
                continue
        if crosses(sight, part, ray.x, ray.y, ray.dx * reach, ray.dy * reach):
            enters, _ = span_in(sight, part, ray.x, ray.y, ray.dx * reach, ray.dy * reach)
            nearest = min(nearest, enters * reach)
    return nearest


def add_span(spans: Matrix, count: int, start: float, end: float) -> int:
    """Put a stretch into a list that is sorted by where they start; how many there are now."""
    at = count
    while at > 0 and spans[at - 1, 0] > start:
        spans[at, 0] = spans[at - 1, 0]
        spans[at, 1] = spans[at - 1, 1]
        at -= 1
    spans[at, 0] = start
    spans[at, 1] = end
    return count + 1


def spans_in_cover(sight: SightArrays, figure: int, ray: Ray, spans: Matrix) -> int:
    """List the stretches of a ray, where it crosses a base, that lie in cover terrain; how many there are."""
    owners = sight.owners
    figures = sight.figures
    start, length = ray.enters, ray.leaves - ray.enters
    count = 0
    for owner in range(owners.shape[0] - sight.standing.shape[1], owners.shape[0]):
        room = owners[owner, REACH] + figures[figure, REACH]
        apart2 = square(owners[owner, X] - figures[figure, X]) + square(owners[owner, Y] - figures[figure, Y])
        if int(owners[owner, FLAGS]) & GIVES_COVER == 0 or apart2 >= room * room:
            continue
        begin = int(owners[owner, FIRST_PART])
        for part in range(begin, begin + int(owners[owner, PART_COUNT])):
            px = ray.x + start * ray.dx
            py = ray.y + start * ray.dy
            if crosses(sight, part, px, py, ray.dx * length, ray.dy * length):
                enters, leaves = span_in(sight, part, px, py, ray.dx * length, ray.dy * length)
                count = add_span(spans, count, start + enters * length, start + leaves * length)
    return count


def area_of(spans: Matrix, count: int) -> float:
    """What sorted stretches, which may overlap, stand for together: the sum of v*v - u*u over their union."""
    area = 0.0
    done = 0.0
    for k in range(count):
        start = max(spans[k, 0], done)
        if spans[k, 1] > start:
            area += spans[k, 1] * spans[k, 1] - start * start
            done = spans[k, 1]
    return area


class Silhouette(NamedTuple):
    """The outermost points of a base as seen from somewhere."""

    ax: float
    ay: float
    bx: float
    by: float


def silhouette(figures: Matrix, figure: int, x: float, y: float) -> Silhouette:
    """The outermost points of a base seen from a point: corners, or where the tangents touch; twice the same point when
    seen from inside.
    """
    off_x, off_y = x - figures[figure, X], y - figures[figure, Y]
    sine, cosine = figures[figure, SINE], figures[figure, COSINE]
    aside, ahead = off_x * cosine - off_y * sine, off_x * sine + off_y * cosine
    width, depth = figures[figure, HALF_WIDTH], figures[figure, HALF_DEPTH]
    is_box = figures[figure, COUNT] > 1.0 and figures[figure, RADIUS] == 0.0
    away = math.sqrt(square(aside / width) + square(ahead / depth))
    if (is_box and abs(aside) <= width and abs(ahead) <= depth) or (not is_box and away <= 1.0):
        return Silhouette(x, y, x, y)
    low = high = 0.0
    ax = ay = bx = by = 0.0
    for k in range(4 if is_box else 2):
        if is_box:
            rim_x, rim_y = width if k < 2 else -width, depth if k % 2 == 0 else -depth
        else:
            turn = math.atan2(ahead / depth, aside / width) + (1.0 - 2.0 * k) * math.acos(1.0 / away)
            rim_x, rim_y = math.cos(turn) * width, math.sin(turn) * depth
        to_x, to_y = rim_x - aside, rim_y - ahead
        angle = math.atan2(ahead * to_x - aside * to_y, -aside * to_x - ahead * to_y)
        rim_x, rim_y = rim_x * cosine + rim_y * sine, rim_y * cosine - rim_x * sine
        if angle < low:
            low, ax, ay = angle, figures[figure, X] + rim_x, figures[figure, Y] + rim_y
        elif angle > high:
            high, bx, by = angle, figures[figure, X] + rim_x, figures[figure, Y] + rim_y
    return Silhouette(ax, ay, bx, by)


def judge_area(
    sight: SightArrays, shelter: CoverTerms, shooters: Shooters, figure: int, rays: int
) -> tuple[float, float]:
    """Shares of a base's area: in cover terrain, and in it or hidden from the shooters.

    So many `rays` run through the line between the outermost points of the base, at even steps. A viewpoint on the base
    itself hides nothing: the rays then come from far away.
    """
    figures = sight.figures
    near = np.empty(sight.parts.shape[0], np.int64)
    spans = np.empty((sight.parts.shape[0] + 1, 2))
    x, y = shooters.x, shooters.y
    ends = silhouette(figures, figure, x, y)
    count = 0
    if ends.ax != ends.bx or ends.ay != ends.by:
        way = Corridor(x, y, figures[figure, X], figures[figure, Y], figures[figure, REACH])
        count = gather_shelter(sight, shelter, shooters.first, shooters.stop, way, near)
    else:
        y = figures[figure, Y] - FAR_AWAY
        ends = silhouette(figures, figure, x, y)
    inside = covered = total = 0.0
    for number in range(rays):
        share = (number + 0.5) / rays
        to_x, to_y = ends.ax + share * (ends.bx - ends.ax) - x, ends.ay + share * (ends.by - ends.ay) - y
        length = math.sqrt(to_x * to_x + to_y * to_y)
        ray_x, ray_y = to_x / length, to_y / length
        enters, leaves = chord(figures, figure, x, y, ray_x, ray_y)
        if enters >= leaves:
            continue
        ray = Ray(x, y, ray_x, ray_y, enters, leaves)
        weight = 1.0 / (length * length)  # rays at even steps lie closer together further away
        found = spans_in_cover(sight, figure, ray, spans)
        total += weight * (leaves * leaves - enters * enters)
        inside += weight * area_of(spans, found)
        hidden = hidden_from(sight, shelter.over, near, count, ray, shooters.value, figures[figure, VALUE])
        found = add_span(spans, found, max(hidden, enters), leaves)
        covered += weight * area_of(spans, found)
    return float(inside / total), float(covered / total)
