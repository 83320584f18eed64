"""Cover: how much of a target is behind something, seen from a shooter."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shieldwall.geometry.arrays import Ints, Matrix
from shieldwall.geometry.distance import COUNT, RADIUS, REACH, X, Y, shortest_line, square
from shieldwall.geometry.polygons import polygon_distance, polygon_share
from shieldwall.geometry.sight_lines import (
    CORNER,
    CORNERS,
    COSINE,
    FIGURE_COUNT,
    FIRST_FIGURE,
    FIRST_PART,
    FIRST_VERTEX,
    FLAGS,
    GIVES_COVER,
    HALF_DEPTH,
    HALF_WIDTH,
    IS_PIECE,
    OWNER,
    PART_COUNT,
    PART_VALUE,
    SINE,
    STOPS_SIGHT,
    VALUE,
    VERTICES,
    Scene,
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
# Works on the scene of kernels_sight. A line to a model runs on to its centre, so that a fence under the near half of
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


def touches(scene: Scene, figure: int, owner: int) -> bool:
    """Whether a base lies on a piece or touches it."""
    figures = scene.figures
    owners = scene.owners
    room = figures[figure, REACH] + owners[owner, REACH] + EPS
    if (
        square(figures[figure, X] - owners[owner, X]) + square(figures[figure, Y] - owners[owner, Y])
        > room * room
    ):
        return False
    first = int(owners[owner, FIRST_VERTEX])
    stop = first + int(owners[owner, VERTICES])
    return polygon_distance(scene.points, figures, figure, scene.points, first, stop) <= EPS


def any_touches(scene: Scene, first: int, stop: int, owner: int) -> bool:
    for figure in range(first, stop):
        if touches(scene, figure, owner):
            return True
    return False


def any_stands(scene: Scene, first: int, stop: int, owner: int) -> bool:
    piece = owner - (scene.owners.shape[0] - scene.standing.shape[1])
    for figure in range(first, stop):
        if scene.standing[figure, piece] != 0:
            return True
    return False


def shelters(scene: Scene, shelter: CoverTerms, owner: int, first: int, stop: int) -> int:
    """Whether something gives cover from the shooters first..stop: never, always, or if tall enough.

    A cover piece that they stand in or touch does not; neither does a blocking piece that they stand in.
    """
    flags = int(scene.owners[owner, FLAGS])
    if flags & IS_PIECE == 0:
        return ALWAYS if shelter.by_units else NEVER
    if flags & GIVES_COVER != 0 and not any_touches(scene, first, stop, owner):
        return ALWAYS
    if flags & STOPS_SIGHT == 0 or not shelter.by_blockers or any_stands(scene, first, stop, owner):
        return NEVER
    return IF_TALL


def gather_shelter(
    scene: Scene, shelter: CoverTerms, first: int, stop: int,
    x: float, y: float, to_x: float, to_y: float, breadth: float, near: Ints,
) -> int:  # fmt: skip
    """List the parts that may give cover from shooters at (x, y) along a corridor; how many there are.

    A part that counts only if it is tall enough is listed as minus its number, less one.
    """
    owners = scene.owners
    parts = scene.parts
    count = 0
    for owner in range(owners.shape[0]):
        flags = int(owners[owner, FLAGS]) & (GIVES_COVER | STOPS_SIGHT)
        if owner in (shelter.me, shelter.target) or flags == 0 or owners[owner, PART_COUNT] == 0.0:
            continue
        room = owners[owner, REACH] + breadth
        if apart_from_line(owners[owner, X], owners[owner, Y], x, y, to_x - x, to_y - y) >= room * room:
            continue
        kind = shelters(scene, shelter, owner, first, stop)
        if kind == NEVER:
            continue
        begin = int(owners[owner, FIRST_PART])
        for part in range(begin, begin + int(owners[owner, PART_COUNT])):
            room = parts[part, REACH] + breadth
            if apart_from_line(parts[part, X], parts[part, Y], x, y, to_x - x, to_y - y) < room * room:
                near[count] = part if kind == ALWAYS else -1 - part
                count += 1
    return count


def runs_through(scene: Scene, part: int, x: float, y: float, dx: float, dy: float) -> bool:
    """Whether a line crosses a part and does not just touch its side: both lines a little beside it do, too."""
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    aside_x = -2.0 * EPS * dy / length
    aside_y = 2.0 * EPS * dx / length
    return crosses(scene.parts, scene.corners, part, x + aside_x, y + aside_y, dx, dy) and crosses(
        scene.parts, scene.corners, part, x - aside_x, y - aside_y, dx, dy
    )


def is_sheltered(
    scene: Scene, shelter: CoverTerms, near: Ints, count: int, value: float, figure: int,
    x: float, y: float, to_x: float, to_y: float,
) -> bool:  # fmt: skip
    """Whether the line from (x, y) to (to_x, to_y) on the rim of a base, and on to its centre, crosses a listed part.

    `value` is the height at the start. Where models must lie wholly in a piece to be in it, one that holds the centre
    does not count under the base.
    """
    figures = scene.figures
    on_x = figures[figure, X] - to_x
    on_y = figures[figure, Y] - to_y
    for k in range(count):
        part = near[k]
        if part < 0:
            part = -1 - part
            if not is_high_enough(
                shelter.over, True, scene.parts[part, PART_VALUE], value, figures[figure, VALUE]
            ):
                continue
        if runs_through(scene, part, x, y, to_x - x, to_y - y):
            return True
        piece = int(scene.parts[part, OWNER]) - (scene.owners.shape[0] - scene.standing.shape[1])
        if piece < 0 or (shelter.wholly and scene.standing[figure, piece] != 0):
            continue
        if runs_through(scene, part, to_x, to_y, on_x, on_y):
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


def is_behind(
    scene: Scene,
    shelter: CoverTerms,
    first: int,
    stop: int,
    value: float,
    x: float,
    y: float,
    figure: int,
    near: Ints,
) -> bool:
    """Whether a model stands behind something for the shooters first..stop, who look from (x, y)."""
    figures = scene.figures
    dx = figures[figure, X] - x
    dy = figures[figure, Y] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    share = 1.0 - half_through(figures, figure, dx / length, dy / length) / length
    if share <= 0.0:
        return False
    to_x = x + share * dx
    to_y = y + share * dy
    count = gather_shelter(scene, shelter, first, stop, x, y, to_x, to_y, (1.0 - share) * length, near)
    return is_sheltered(scene, shelter, near, count, value, figure, x, y, to_x, to_y)


def is_behind_from_base(scene: Scene, shelter: CoverTerms, one: int, figure: int, near: Ints) -> bool:
    """Whether the shortest line from a shooter's base to a model's crosses something that gives cover.

    Never between bases that touch.
    """
    figures = scene.figures
    x, y, to_x, to_y = shortest_line(scene.points, figures, one, figure)
    if square(to_x - x) + square(to_y - y) <= EPS * EPS:
        return False
    count = gather_shelter(scene, shelter, one, one + 1, x, y, to_x, to_y, figures[figure, REACH], near)
    return is_sheltered(scene, shelter, near, count, figures[one, VALUE], figure, x, y, to_x, to_y)


def is_deep_inside(scene: Scene, figure: int, owner: int) -> bool:
    """Whether the circle round a base surely lies inside one convex part of a piece: the quick answer."""
    parts = scene.parts
    corners = scene.corners
    x = scene.figures[figure, X]
    y = scene.figures[figure, Y]
    reach = scene.figures[figure, REACH]
    begin = int(scene.owners[owner, FIRST_PART])
    for part in range(begin, begin + int(scene.owners[owner, PART_COUNT])):
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


def is_in_cover(scene: Scene, figure: int, share: float) -> bool:
    """Whether at least this share of a base's area lies in one piece of cover terrain."""
    figures = scene.figures
    owners = scene.owners
    units = owners.shape[0] - scene.standing.shape[1]
    for owner in range(units, owners.shape[0]):
        if int(owners[owner, FLAGS]) & GIVES_COVER == 0:
            continue
        room = figures[figure, REACH] + owners[owner, REACH]
        dx = figures[figure, X] - owners[owner, X]
        dy = figures[figure, Y] - owners[owner, Y]
        if dx * dx + dy * dy >= room * room or (share == 1.0 and scene.standing[figure, owner - units] == 0):
            continue
        if is_deep_inside(scene, figure, owner):
            return True
        first = int(owners[owner, FIRST_VERTEX])
        stop = first + int(owners[owner, VERTICES])
        if polygon_share(scene.points, figures, figure, scene.points, first, stop) >= share - AREA_EPS:
            return True
    return False


def nearest_shooter(scene: Scene, shooters: Ints, figure: int) -> int:
    """The shooter whose base is nearest to a figure's, the first one on a tie."""
    best = -1
    nearest = math.inf
    for k in range(shooters.shape[0]):
        distance = flat_apart(scene.figures, scene.points, shooters[k], figure)
        if distance < nearest:
            nearest = distance
            best = shooters[k]
    return best


def is_behind_from(
    scene: Scene,
    shelter: CoverTerms,
    viewpoint: int,
    x: float,
    y: float,
    shooters: Ints,
    figure: int,
    near: Ints,
) -> bool:
    """Whether a model stands behind something from where the policy judges it."""
    figures = scene.figures
    if viewpoint == FRONT_EDGE:
        first = int(scene.owners[shelter.me, FIRST_FIGURE])
        stop = first + int(scene.owners[shelter.me, FIGURE_COUNT])
        return is_behind(scene, shelter, first, stop, tallest(figures, first, stop), x, y, figure, near)
    if viewpoint == NEAREST_SHOOTER:
        one = nearest_shooter(scene, shooters, figure)
        x, y = figures[one, X], figures[one, Y]
        return is_behind(scene, shelter, one, one + 1, figures[one, VALUE], x, y, figure, near)
    behind = 0
    for k in range(shooters.shape[0]):
        if is_behind_from_base(scene, shelter, shooters[k], figure, near):
            behind += 1
    return bool(2 * behind > shooters.shape[0])


def tallest(figures: Matrix, first: int, stop: int) -> float:
    best = -math.inf
    for figure in range(first, stop):
        best = max(best, figures[figure, VALUE])
    return best


def judge_models(
    scene: Scene, over: int, by_blockers: bool, by_units: bool, me: int, target: int, viewpoint: int,
    x: float, y: float, shooters: Ints, models: Ints, inside_share: float,
) -> tuple[int, int]:  # fmt: skip
    """How many of the models lie in cover, and how many of the others stand behind something."""
    shelter = CoverTerms(over, by_blockers, by_units, me, target, inside_share == 1.0)
    near = np.empty(scene.parts.shape[0], np.int64)
    inside = 0
    behind = 0
    for k in range(models.shape[0]):
        if is_in_cover(scene, models[k], inside_share):
            inside += 1
        elif is_behind_from(scene, shelter, viewpoint, x, y, shooters, models[k], near):
            behind += 1
    return inside, behind


def is_open(scene: Scene, me: int, target: int, x: float, y: float, figure: int) -> bool:
    """Whether nothing that could give cover reaches between a viewpoint and a base: the quick answer."""
    figures, owners = scene.figures, scene.owners
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


def hidden_from(
    scene: Scene, over: int, near: Ints, count: int, value: float, other: float,
    x: float, y: float, dx: float, dy: float, reach: float,
) -> float:  # fmt: skip
    """How far along a ray the first listed part stands that gives cover; `reach` when none does before."""
    nearest = reach
    for k in range(count):
        part = near[k]
        if part < 0:
            part = -1 - part
            if not is_high_enough(over, True, scene.parts[part, PART_VALUE], value, other):
                continue
        if crosses(scene.parts, scene.corners, part, x, y, dx * reach, dy * reach):
            enters, _ = span_in(scene.parts, scene.corners, part, x, y, dx * reach, dy * reach)
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


def spans_in_cover(
    scene: Scene,
    figure: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    start: float,
    end: float,
    spans: Matrix,
) -> int:
    """List the stretches of a ray, between two distances, that lie in cover terrain; how many there are."""
    owners = scene.owners
    figures = scene.figures
    length = end - start
    count = 0
    for owner in range(owners.shape[0] - scene.standing.shape[1], owners.shape[0]):
        room = owners[owner, REACH] + figures[figure, REACH]
        apart2 = square(owners[owner, X] - figures[figure, X]) + square(owners[owner, Y] - figures[figure, Y])
        if int(owners[owner, FLAGS]) & GIVES_COVER == 0 or apart2 >= room * room:
            continue
        begin = int(owners[owner, FIRST_PART])
        for part in range(begin, begin + int(owners[owner, PART_COUNT])):
            px = x + start * dx
            py = y + start * dy
            if crosses(scene.parts, scene.corners, part, px, py, dx * length, dy * length):
                enters, leaves = span_in(scene.parts, scene.corners, part, px, py, dx * length, dy * length)
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


def is_beyond(figures: Matrix, figure: int, x: float, y: float) -> bool:
    """Whether a point lies outside the circle round a base."""
    dx, dy = figures[figure, X] - x, figures[figure, Y] - y
    return bool(dx * dx + dy * dy > figures[figure, REACH] * figures[figure, REACH])


def judge_area(
    scene: Scene, over: int, by_blockers: bool, by_units: bool, me: int, target: int,
    first: int, stop: int, x: float, y: float, figure: int, rays: int,
) -> tuple[float, float]:  # fmt: skip
    """Shares of a base's area: in cover terrain, and in it or hidden from shooters first..stop at (x, y).

    So many `rays` run across the circle round the base. A viewpoint nearer than that circle hides nothing: the rays
    then come from far away.
    """
    figures = scene.figures
    shelter = CoverTerms(over, by_blockers, by_units, me, target, True)
    near = np.empty(scene.parts.shape[0], np.int64)
    spans = np.empty((scene.parts.shape[0] + 1, 2))
    reach = figures[figure, REACH]
    count = 0
    if is_beyond(figures, figure, x, y):
        at_x, at_y = figures[figure, X], figures[figure, Y]
        count = gather_shelter(scene, shelter, first, stop, x, y, at_x, at_y, reach, near)
    else:
        y = figures[figure, Y] - FAR_AWAY
    to_x, to_y = figures[figure, X] - x, figures[figure, Y] - y
    apart = math.sqrt(to_x * to_x + to_y * to_y)
    value = tallest(figures, first, stop)
    breadth = reach / math.sqrt(apart * apart - reach * reach)
    inside = covered = total = 0.0
    for ray in range(rays):
        slope = (2.0 * ray + 1.0 - rays) / rays * breadth
        long = math.sqrt(1.0 + slope * slope) * apart
        dx, dy = (to_x - slope * to_y) / long, (to_y + slope * to_x) / long
        enters, leaves = chord(figures, figure, x, y, dx, dy)
        if enters >= leaves:
            continue
        weight = 1.0 / (1.0 + slope * slope)  # rays at even steps across lie closer together further out
        found = spans_in_cover(scene, figure, x, y, dx, dy, enters, leaves, spans)
        total += weight * (leaves * leaves - enters * enters)
        inside += weight * area_of(spans, found)
        hidden = hidden_from(scene, over, near, count, value, figures[figure, VALUE], x, y, dx, dy, leaves)
        found = add_span(spans, found, max(hidden, enters), leaves)
        covered += weight * area_of(spans, found)
    return inside / total, covered / total
