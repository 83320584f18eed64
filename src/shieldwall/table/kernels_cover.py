"""Compiled cover: which models lie in cover terrain, and which stand behind something as seen from a viewpoint.

Works on the scene of kernels_sight. A line to a model ends where it meets the base, so that a piece in which the model
stands with part of its base is never something it stands behind by that alone.
"""

# ruff: noqa: PLR0917 (kernels take flat arrays and numbers, and are called by position)

from __future__ import annotations

import math
from typing import NamedTuple

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import COUNT, RADIUS, REACH, Floats, Ints, X, Y
from shieldwall.table.kernels_area import polygon_share
from shieldwall.table.kernels_polygon import polygon_distance
from shieldwall.table.kernels_sight import (
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
    PART_COUNT,
    PART_VALUE,
    SINE,
    STOPS_SIGHT,
    VALUE,
    VERTICES,
    Arrays,
    Scene,
    apart_from_line,
    crosses,
    is_high_enough,
    scene_of,
)
from shieldwall.table.kernels_sight_scan import flat_apart
from shieldwall.table.kernels_sight_scene import is_over
from shieldwall.table.tolerance import AREA_EPS, EPS

# What a model has.
NO_COVER, INSIDE, BEHIND = range(3)
# Where cover is judged from.
FRONT_EDGE, NEAREST_SHOOTER, MOST_SHOOTERS = range(3)
GRID = 24  # samples across a base when its area is shared out


class Shelter(NamedTuple):
    """What gives cover to whom stands behind it, and who shoots at whom."""

    over: int
    by_blockers: bool
    by_units: bool
    me: int
    target: int


@kernel
def touches(scene: Scene, figure: int, owner: int) -> bool:
    """Whether a base lies on a piece or touches it."""
    figures = scene.figures
    row = scene.owners[owner]
    room = figures[figure, REACH] + row[REACH] + EPS
    if (figures[figure, X] - row[X]) ** 2 + (figures[figure, Y] - row[Y]) ** 2 > room * room:
        return False
    first = int(row[FIRST_VERTEX])
    stop = first + int(row[VERTICES])
    return polygon_distance(scene.points, figures, figure, scene.points, first, stop) <= EPS


@kernel
def any_touches(scene: Scene, first: int, stop: int, owner: int) -> bool:
    for figure in range(first, stop):
        if touches(scene, figure, owner):
            return True
    return False


@kernel
def any_stands(scene: Scene, first: int, stop: int, owner: int) -> bool:
    piece = owner - (scene.owners.shape[0] - scene.standing.shape[1])
    for figure in range(first, stop):
        if scene.standing[figure, piece] != 0:
            return True
    return False


@kernel
def shelters(
    scene: Scene, shelter: Shelter, owner: int, first: int, stop: int, value: float, other: float, part: int
) -> bool:
    """Whether a part that the line crosses gives cover from the shooters first..stop."""
    flags = int(scene.owners[owner, FLAGS])
    if flags & IS_PIECE == 0:
        return shelter.by_units
    if flags & GIVES_COVER != 0 and not any_touches(scene, first, stop, owner):
        return True
    if flags & STOPS_SIGHT == 0 or not shelter.by_blockers or any_stands(scene, first, stop, owner):
        return False
    return is_high_enough(shelter.over, True, scene.parts[part, PART_VALUE], value, other)


@kernel
def is_sheltered(
    scene: Scene, shelter: Shelter, first: int, stop: int, value: float, other: float,
    x: float, y: float, to_x: float, to_y: float,
) -> bool:  # fmt: skip
    """Whether the line from a viewpoint to a point crosses something that gives cover.

    `first`..`stop` are the shooters whose touch takes a cover piece out of account; `value` and `other` the heights
    at both ends.
    """
    owners = scene.owners
    wanted = GIVES_COVER | (STOPS_SIGHT if shelter.by_blockers or shelter.by_units else 0)
    for owner in range(owners.shape[0]):
        if owner in (shelter.me, shelter.target) or int(owners[owner, FLAGS]) & wanted == 0:
            continue
        room = owners[owner, REACH]
        if apart_from_line(owners[owner, X], owners[owner, Y], x, y, to_x - x, to_y - y) >= room * room:
            continue
        part = int(owners[owner, FIRST_PART])
        for k in range(part, part + int(owners[owner, PART_COUNT])):
            if crosses(scene.parts, scene.corners, k, x, y, to_x - x, to_y - y) and shelters(
                scene, shelter, owner, first, stop, value, other, k
            ):
                return True
    return False


@kernel
def half_through(scene: Scene, figure: int, dx: float, dy: float) -> float:
    """How far a base reaches from its centre in a direction of length 1."""
    row = scene.figures[figure]
    if row[COUNT] == 1.0:
        return row[RADIUS]
    aside = abs(dx * row[COSINE] - dy * row[SINE])
    ahead = abs(dx * row[SINE] + dy * row[COSINE])
    if row[RADIUS] > 0.0:
        return 1.0 / math.sqrt((aside / row[HALF_WIDTH]) ** 2 + (ahead / row[HALF_DEPTH]) ** 2)
    if aside * row[HALF_DEPTH] > ahead * row[HALF_WIDTH]:
        return row[HALF_WIDTH] / aside
    return row[HALF_DEPTH] / ahead


@kernel
def is_behind(
    scene: Scene, shelter: Shelter, first: int, stop: int, value: float, x: float, y: float, figure: int
) -> bool:
    """Whether a model stands behind something as seen from (x, y)."""
    dx = scene.figures[figure, X] - x
    dy = scene.figures[figure, Y] - y
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    share = 1.0 - half_through(scene, figure, dx / length, dy / length) / length
    if share <= 0.0:
        return False
    other = scene.figures[figure, VALUE]
    return is_sheltered(scene, shelter, first, stop, value, other, x, y, x + share * dx, y + share * dy)


@kernel
def share_in_cover(scene: Scene, figure: int) -> float:
    """The greatest share of a base's area that lies in one piece of cover terrain."""
    figures = scene.figures
    units = scene.owners.shape[0] - scene.standing.shape[1]
    best = 0.0
    for owner in range(units, scene.owners.shape[0]):
        row = scene.owners[owner]
        if int(row[FLAGS]) & GIVES_COVER == 0:
            continue
        room = figures[figure, REACH] + row[REACH]
        if (figures[figure, X] - row[X]) ** 2 + (figures[figure, Y] - row[Y]) ** 2 < room * room:
            first = int(row[FIRST_VERTEX])
            stop = first + int(row[VERTICES])
            best = max(best, polygon_share(scene.points, figures, figure, scene.points, first, stop))
    return best


@kernel
def nearest_shooter(scene: Scene, shooters: Ints, figure: int) -> int:
    """The shooter whose base is nearest to a figure's, the first one on a tie."""
    best = -1
    nearest = math.inf
    for k in range(shooters.shape[0]):
        distance = flat_apart(scene, shooters[k], figure)
        if distance < nearest:
            nearest = distance
            best = shooters[k]
    return best


@kernel
def is_behind_from(
    scene: Scene, shelter: Shelter, viewpoint: int, x: float, y: float, shooters: Ints, figure: int
) -> bool:
    """Whether a model stands behind something from where the policy judges it."""
    figures = scene.figures
    if viewpoint == FRONT_EDGE:
        first = int(scene.owners[shelter.me, FIRST_FIGURE])
        stop = first + int(scene.owners[shelter.me, FIGURE_COUNT])
        return is_behind(scene, shelter, first, stop, tallest(scene, first, stop), x, y, figure)
    if viewpoint == NEAREST_SHOOTER:
        one = nearest_shooter(scene, shooters, figure)
        return is_behind(
            scene, shelter, one, one + 1, figures[one, VALUE], figures[one, X], figures[one, Y], figure
        )
    behind = 0
    for k in range(shooters.shape[0]):
        one = shooters[k]
        if is_behind(
            scene, shelter, one, one + 1, figures[one, VALUE], figures[one, X], figures[one, Y], figure
        ):
            behind += 1
    return 2 * behind > shooters.shape[0]


@kernel
def tallest(scene: Scene, first: int, stop: int) -> float:
    best = -math.inf
    for figure in range(first, stop):
        best = max(best, scene.figures[figure, VALUE])
    return best


@kernel
def judge_models(
    arrays: Arrays, over: int, by_blockers: bool, by_units: bool, me: int, target: int, viewpoint: int,
    x: float, y: float, shooters: Ints, models: Ints, inside_share: float,
) -> tuple[int, int]:  # fmt: skip
    """How many of the models lie in cover, and how many of the others stand behind something."""
    scene = scene_of(arrays)
    shelter = Shelter(over, by_blockers, by_units, me, target)
    inside = 0
    behind = 0
    for k in range(models.shape[0]):
        if share_in_cover(scene, models[k]) >= inside_share - AREA_EPS:
            inside += 1
        elif is_behind_from(scene, shelter, viewpoint, x, y, shooters, models[k]):
            behind += 1
    return inside, behind


@kernel
def is_in_any_cover(scene: Scene, x: float, y: float) -> bool:
    units = scene.owners.shape[0] - scene.standing.shape[1]
    for owner in range(units, scene.owners.shape[0]):
        row = scene.owners[owner]
        if int(row[FLAGS]) & GIVES_COVER != 0 and (row[X] - x) ** 2 + (row[Y] - y) ** 2 < row[REACH] ** 2:
            if is_over(scene, owner, x, y):
                return True
    return False


@kernel
def is_on_base(row: Floats, aside: float, ahead: float) -> bool:
    """Whether a point given in the frame of a base lies on it."""
    if row[COUNT] > 1.0 and row[RADIUS] == 0.0:
        return True
    return (aside / row[HALF_WIDTH]) ** 2 + (ahead / row[HALF_DEPTH]) ** 2 <= 1.0


@kernel
def judge_area(
    arrays: Arrays, over: int, by_blockers: bool, by_units: bool, me: int, target: int,
    first: int, stop: int, x: float, y: float, figure: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Samples of one base: how many lie in cover terrain, how many others are hidden from (x, y), how many in all."""
    scene = scene_of(arrays)
    shelter = Shelter(over, by_blockers, by_units, me, target)
    row = scene.figures[figure]
    value = tallest(scene, first, stop)
    inside = 0
    hidden = 0
    total = 0
    for i in range(GRID):
        aside = (2.0 * i + 1.0 - GRID) / GRID * row[HALF_WIDTH]
        for j in range(GRID):
            ahead = (2.0 * j + 1.0 - GRID) / GRID * row[HALF_DEPTH]
            if not is_on_base(row, aside, ahead):
                continue
            total += 1
            to_x = row[X] + aside * row[COSINE] + ahead * row[SINE]
            to_y = row[Y] + ahead * row[COSINE] - aside * row[SINE]
            if is_in_any_cover(scene, to_x, to_y):
                inside += 1
            elif is_sheltered(scene, shelter, first, stop, value, row[VALUE], x, y, to_x, to_y):
                hidden += 1
    return inside, hidden, total


@kernel
def corridor_is_empty(arrays: Arrays, me: int, target: int, x: float, y: float, figure: int) -> bool:
    """Whether nothing that could give cover reaches between a viewpoint and a base: the quick answer."""
    scene = scene_of(arrays)
    row = scene.figures[figure]
    for owner in range(scene.owners.shape[0]):
        if owner in (me, target) or int(scene.owners[owner, FLAGS]) & (GIVES_COVER | STOPS_SIGHT) == 0:
            continue
        room = scene.owners[owner, REACH] + row[REACH]
        apart = apart_from_line(scene.owners[owner, X], scene.owners[owner, Y], x, y, row[X] - x, row[Y] - y)
        if scene.owners[owner, PART_COUNT] > 0.0 and apart < room * room:
            return False
    return True


@kernel
def nearest_shooter_of(arrays: Arrays, shooters: Ints, figure: int) -> int:
    """`nearest_shooter` for callers outside."""
    return nearest_shooter(scene_of(arrays), shooters, figure)
