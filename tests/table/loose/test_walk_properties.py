"""The walk of one model against a simulation in small steps, with shapely as the judge."""

from __future__ import annotations

import math

import numpy as np
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from loose_scene import KINDS, cites, group
from loose_strategies import footprint, grounds, is_free, lone_units, outline, small_table, spot

from shieldwall.core.answers import ModelPath
from shieldwall.core.state import Pose
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.walk_context import WalkLimits

STEP = 0.05
UNSURE = 0.03  # a stepped simulation cannot decide cases closer to a limit than this


def trail(start: Pose, points: tuple[Pose, ...]) -> list[Pose]:
    """Every place of a path in small steps: at each point first the turn, then the straight way."""
    places = [start]
    here = start
    for point in points:
        turn = (point.heading - here.heading + 18000) % 36000 - 18000
        steps = max(1, math.ceil(abs(turn) / 200))
        places += [Pose(here.x, here.y, round(here.heading + turn * k / steps)) for k in range(1, steps + 1)]
        length = math.dist((here.x, here.y), (point.x, point.y)) / 1000
        steps = max(1, math.ceil(length / STEP))
        for k in range(1, steps + 1):
            x, y = here.x + (point.x - here.x) * k / steps, here.y + (point.y - here.y) * k / steps
            places.append(Pose(round(x), round(y), point.heading))
        here = point
    return places


def distances(kind: str, places: list[Pose], shapes: list) -> np.ndarray:
    """How far a base is from each shape at each place."""
    bases = np.array([footprint(kind, at) for at in places])
    return shapely.distance(bases[:, None], np.array(shapes, dtype=object))


def nearest(kind: str, places: list[Pose], shapes: list) -> float:
    return float(distances(kind, places, shapes).min(initial=math.inf))


def deepest(kind: str, places: list[Pose], shapes: list, apart: np.ndarray) -> float:
    """The largest area that a base and a shape have in common at any place; they have none unless they touch."""
    touching = np.argwhere(apart == 0.0).tolist()
    return max((footprint(kind, places[k]).intersection(shapes[i]).area for k, i in touching), default=0.0)


@settings(max_examples=60)
@given(spot, st.lists(spot, min_size=1, max_size=2), lone_units(5), st.sampled_from(KINDS))
def test_spacing_on_the_way_agrees_with_small_steps(start, points, others, kind) -> None:
    """SK32-MOVE-04: refused exactly when some step comes nearer than an inch."""
    unit = group(0, 0, (start.x / 1000, start.y / 1000, start.heading / 100), kind=kind)
    state = small_table(unit, *others)
    assume(is_free(state, unit))
    shapes = [footprint(KINDS[other.models[0].profile], other.poses[0]) for other in others]
    assume(nearest(kind, [start], shapes) > 1.0 + UNSURE)
    least = nearest(kind, trail(start, tuple(points)), shapes)
    assume(abs(least - 1.0) > UNSURE)
    result = check_walk(state, 0, [ModelPath(0, tuple(points))], WalkLimits((99.0,)))
    refused = any(cite in ("move.spacing", "move.through") for cite in cites(result))
    assert refused is (least < 1.0)


@settings(max_examples=60)
@given(spot, st.lists(spot, min_size=1, max_size=2), lone_units(5), st.sampled_from(KINDS))
def test_walking_through_others_agrees_with_small_steps(start, points, others, kind) -> None:
    """SK32-MOVE-05, SK32-MOVE-09: without spacing only an overlap is refused."""
    unit = group(0, 0, (start.x / 1000, start.y / 1000, start.heading / 100), kind=kind)
    state = small_table(unit, *others)
    assume(is_free(state, unit))
    shapes = [footprint(KINDS[other.models[0].profile], other.poses[0]) for other in others]
    places = trail(start, tuple(points))
    apart = distances(kind, places, shapes)
    depth = deepest(kind, places, shapes, apart)
    assume(apart.min(initial=math.inf) > UNSURE or depth > 0.02)
    result = check_walk(state, 0, [ModelPath(0, tuple(points))], WalkLimits((99.0,), spacing=0.0))
    assert ("move.through" in cites(result)) is (depth > 0.0)


@settings(max_examples=60)
@given(
    spot,
    st.lists(spot, min_size=1, max_size=2),
    grounds(4, ("mountain", "mud", "lava")),
    st.sampled_from(KINDS),
)
def test_ground_on_the_way_agrees_with_small_steps(start, points, pieces, kind) -> None:
    """SK32-TERRAIN-08, 15, 17: what a base touches in small steps is what blocks it, slows it and is reported."""
    unit = group(0, 0, (start.x / 1000, start.y / 1000, start.heading / 100), kind=kind)
    state = small_table(unit, pieces=pieces)
    assume(is_free(state, unit))
    places = [footprint(kind, at) for at in trail(start, tuple(points))]
    touched = set()
    for ground in pieces:
        shape = outline(ground)
        area = max(place.intersection(shape).area for place in places)
        away = min(place.distance(shape) for place in places)
        assume(area > 0.02 or away > UNSURE)
        if area > 0.02:
            touched.add(ground.id)
    result = check_walk(state, 0, [ModelPath(0, tuple(points))], WalkLimits((99.0,)))
    told = {entry.piece for entry in result.entered[0]}
    kinds = {ground.id: ground.kind for ground in pieces}
    assert told == touched
    walls = any(kinds[number] == "mountain" for number in touched)
    assert bool({"climb.height", "terrain.impassable"} & set(cites(result))) is walls
    assert (result.slowed_by >= 0) is any(kinds[number] == "mud" for number in touched)


@settings(max_examples=40)
@given(spot, st.lists(spot, min_size=1, max_size=3), st.sampled_from(KINDS))
def test_the_used_way_is_that_of_the_farthest_point(start, points, kind) -> None:
    """SK32-MEAS-08, SK32-MEAS-09: no point of the base travels farther in small steps than what is used."""
    unit = group(0, 0, (start.x / 1000, start.y / 1000, start.heading / 100), kind=kind)
    result = check_walk(small_table(unit), 0, [ModelPath(0, tuple(points))], WalkLimits((99.0,)))
    from loose_scene import BASES

    base = BASES[kind]
    corners = [(0.0, base.depth / 50.8), (base.width / 50.8, 0.0)]
    if base.shape in ("square", "rect"):
        corners = [(base.width / 50.8, base.depth / 50.8)]
    travelled = []
    for right, ahead in corners:
        way = 0.0
        last = None
        for at in trail(start, tuple(points)):
            angle = math.radians(at.heading / 100)
            here = (
                at.x / 1000 + right * math.cos(angle) + ahead * math.sin(angle),
                at.y / 1000 + ahead * math.cos(angle) - right * math.sin(angle),
            )
            way += math.dist(here, last) if last else 0.0
            last = here
        travelled.append(way)
    if base.shape == "round":
        assert result.used[0] <= max(travelled) + 0.01
    else:
        assert abs(result.used[0] - max(travelled)) < 0.02 + 0.002 * max(travelled)
