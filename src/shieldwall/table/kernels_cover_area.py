"""Compiled cover of a lone model: how much of its base lies in cover terrain or is hidden.

Rays from the viewpoint cut the base into thin sectors. Along each ray the stretches inside cover terrain
and the stretch behind the first thing in the way are exact; a stretch from u to v stands for an area of
(v*v - u*u) / 2.
"""

from __future__ import annotations

import math

import numpy as np

from shieldwall.table.compiled import kernel
from shieldwall.table.kernels import REACH, Floats, Ints, X, Y
from shieldwall.table.kernels_chord import chord
from shieldwall.table.kernels_cover import Shelter, gather_shelter, tallest
from shieldwall.table.kernels_sight import (
    FIRST_PART,
    FLAGS,
    GIVES_COVER,
    PART_COUNT,
    PART_VALUE,
    VALUE,
    Arrays,
    Scene,
    crosses,
    is_high_enough,
    scene_of,
    span_in,
)
from shieldwall.table.lean import lean

FAR_AWAY = 1000.0  # inches


@lean
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


@lean
def add_span(spans: Floats, count: int, start: float, end: float) -> int:
    """Put a stretch into a list that is sorted by where they start; how many there are now."""
    at = count
    while at > 0 and spans[at - 1, 0] > start:
        spans[at, 0] = spans[at - 1, 0]
        spans[at, 1] = spans[at - 1, 1]
        at -= 1
    spans[at, 0] = start
    spans[at, 1] = end
    return count + 1


@lean
def spans_in_cover(
    scene: Scene,
    figure: int,
    x: float,
    y: float,
    dx: float,
    dy: float,
    start: float,
    end: float,
    spans: Floats,
) -> int:
    """List the stretches of a ray, between two distances, that lie in cover terrain; how many there are."""
    owners = scene.owners
    figures = scene.figures
    length = end - start
    count = 0
    for owner in range(owners.shape[0] - scene.standing.shape[1], owners.shape[0]):
        room = owners[owner, REACH] + figures[figure, REACH]
        apart2 = (owners[owner, X] - figures[figure, X]) ** 2 + (owners[owner, Y] - figures[figure, Y]) ** 2
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


@lean
def area_of(spans: Floats, count: int) -> float:
    """What sorted stretches, which may overlap, stand for together: the sum of v*v - u*u over their union."""
    area = 0.0
    done = 0.0
    for k in range(count):
        start = max(spans[k, 0], done)
        if spans[k, 1] > start:
            area += spans[k, 1] ** 2 - start**2
            done = spans[k, 1]
    return area


@lean
def is_beyond(figures: Floats, figure: int, x: float, y: float) -> bool:
    """Whether a point lies outside the circle round a base."""
    dx, dy = figures[figure, X] - x, figures[figure, Y] - y
    return bool(dx * dx + dy * dy > figures[figure, REACH] ** 2)


@kernel
def judge_area(
    arrays: Arrays, over: int, by_blockers: bool, by_units: bool, me: int, target: int,
    first: int, stop: int, x: float, y: float, figure: int, rays: int,
) -> tuple[float, float]:  # fmt: skip
    """Shares of a base's area: in cover terrain, and in it or hidden from shooters first..stop at (x, y).

    So many `rays` run across the circle round the base. A viewpoint nearer than that circle hides nothing: the rays
    then come from far away.
    """
    scene = scene_of(arrays)
    figures = scene.figures
    shelter = Shelter(over, by_blockers, by_units, me, target, True)
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
