"""The time of distances and outline queries, compared with shapely on the same bases and outlines.

`run()` gives rows (name, count, seconds). Names that end in "(shapely)" answer the same question with prepared
geometries, one call for each pair, as an engine would have to ask; circles are points less their radius.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import shapely
from msgspec.structs import replace
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Base, Model, Pose, Profile, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.distance import gap, set_gap
from shieldwall.geometry.polygons import (
    polygon_distance,
    polygon_overlaps,
    polygon_share,
)
from shieldwall.table.measure import nearest_models, scan, units_apart
from shieldwall.table.scene import scene_of
from shieldwall.table.shapes import Shapes, shapes_of

Row = tuple[str, int, float]
PAIRS = 20_000
BASES = {
    "circle": Base("round", 32, 32),
    "square": Base("square", 25, 25),
    "oval": Base("oval", 35, 60),
}


def run() -> list[Row]:
    """All measurements; they take a few seconds."""
    return [*pair_rows(), *outline_rows(), *table_rows()]


def all_gaps(points: Floats, rows: Floats, count: int) -> float:
    """The gap between each footprint and the next, summed so that nothing is optimised away."""
    total = 0.0
    for i in range(count - 1):
        total += gap(points, rows, i, points, rows, i + 1)
    return total


def all_outlines(points: Floats, rows: Floats, count: int, poly: Floats, question: int) -> float:
    """One question about an outline for each footprint."""
    total = 0.0
    end = poly.shape[0]
    for i in range(count):
        if question == 0:
            total += polygon_distance(points, rows, i, poly, 0, end)
        elif question == 1:
            total += polygon_overlaps(points, rows, i, poly, 0, end)
        else:
            total += polygon_share(points, rows, i, poly, 0, end)
    return total


def pair_rows() -> list[Row]:
    """Gaps between two bases inside one kernel, and between shapely's geometries one by one."""
    rows = []
    for name, base in BASES.items():
        shapes, geometries = scattered(base, PAIRS)
        spent = timed(lambda shapes=shapes: all_gaps(shapes.points, shapes.rows, PAIRS))
        rows.append((f"gap of two {name}s", PAIRS - 1, spent))
        few = geometries[:2000]

        def ask(few: list[BaseGeometry] = few) -> None:
            for one, other in pairwise(few):
                one.distance(other)

        rows.append((f"gap of two {name}s (shapely)", len(few) - 1, timed(ask)))
    return rows


def outline_rows() -> list[Row]:
    """Queries about one outline with twelve corners, many of them inside one kernel."""
    outline = some_outline()
    truth = Polygon(outline)
    shapely.prepare(truth)
    shapes, geometries = scattered(BASES["square"], PAIRS)
    few = geometries[:2000]
    arrays = (shapes.points, shapes.rows, PAIRS, outline)
    asked: list[tuple[str, int, Callable[[], object]]] = [
        ("distance to an outline", 0, lambda: [one.distance(truth) for one in few]),
        ("overlap with an outline", 1, lambda: [truth.intersects(one) for one in few]),
        ("share inside an outline", 2, lambda: [truth.intersection(one).area / one.area for one in few]),
    ]
    rows: list[Row] = []
    for name, question, ask in asked:
        rows.append((name, PAIRS, timed(lambda question=question: all_outlines(*arrays, question))))
        rows.append((f"{name} (shapely)", len(few), timed(ask)))
    return rows


def table_rows() -> list[Row]:
    """Calls from Python on a table of twenty units."""
    rows: list[Row] = []
    times = 2000
    for name, state in (("blocks", blocks()), ("loose units", loose_units())):
        geometries = [unary(state, row) for row in range(20)]
        row_shapes = scene_of(state).models
        sets = (row_shapes.span(0, 10), row_shapes.span(40, 50))
        rows += [
            (f"units_apart, {name}", times, repeated(lambda state=state: units_apart(state, 2, 11), times)),
            (
                f"nearest_models, {name}",
                times,
                repeated(lambda state=state: nearest_models(state, 2, 11), times),
            ),
            (
                f"set_gap 10 x 10, {name}",
                times,
                repeated(lambda sets=sets: set_gap(*sets, math.inf, False), times),
            ),
            (f"scan of 20, {name}", times, repeated(lambda state=state: scan(state, 3), times)),
            (
                f"scan of 20, {name} (shapely)",
                100,
                repeated(lambda all_=geometries: [all_[3].distance(one) for one in all_], 100),
            ),
            (
                f"scene after a move, {name}",
                times,
                repeated(lambda state=state: scene_of(moved(state)), times),
            ),
            (
                f"scene after a flag, {name}",
                times,
                repeated(lambda state=state: scene_of(flagged(state)), times),
            ),
        ]
    return rows


# --- the table ----------------------------------------------------------------------------------------


def scattered(base: Base, count: int) -> tuple[Shapes, list[BaseGeometry]]:
    """Bases all over a table, as ours and as shapely's."""
    dice = random.Random(7)
    poses = [
        Pose(dice.randint(0, 72000), dice.randint(0, 48000), dice.randint(0, 35999)) for _ in range(count)
    ]
    shapes = shapes_of(poses, [base] * count, [1260] * count)
    start = shapes.start.tolist()
    parts = [shapes.points[a:b] for a, b in pairwise(start)]
    geometries = [Polygon(part) if len(part) > 2 else Point(part[0]) for part in parts]
    return shapes, geometries


def some_outline() -> Floats:
    """A wood of twelve corners in the middle of the table, not convex."""
    dice = random.Random(8)
    turns = [(index + dice.random() / 2) * math.pi / 6 for index in range(12)]
    return np.array(
        [(36 + dice.uniform(6, 18) * math.cos(t), 24 + dice.uniform(6, 18) * math.sin(t)) for t in turns]
    )


def table(units: list[Unit], base: Base) -> State:
    profiles = (Profile(name="Trooper", quality=4, defense=4, base=base, height=1260),)
    return State(
        ruleset="",
        options=(),
        width=72000,
        depth=48000,
        profiles=profiles,
        seats=(),
        sides=(),
        units=tuple(units),
    )


def unit(index: int, **where: object) -> Unit:
    models = tuple(Model(index * 10 + place, 0) for place in range(10))
    named = {"id": index, "side": index % 2, "seat": 0, "name": "", "models": models, "place": "table"}
    return Unit(**named, **where, start_models=10)  # type: ignore[arg-type]


def blocks() -> State:
    stands = [Pose(7000 + 14000 * (i % 5), 6000 + 12000 * (i // 5), 1700 * i) for i in range(20)]
    return table([unit(i, block=stand) for i, stand in enumerate(stands)], BASES["square"])


def loose_units() -> State:
    units = []
    for i in range(20):
        x, y = 4000 + 14000 * (i % 5), 6000 + 12000 * (i // 5)
        poses = tuple(Pose(x + 1500 * (k % 5), y + 1600 * (k // 5)) for k in range(10))
        units.append(unit(i, poses=poses))
    return table(units, BASES["circle"])


def moved(state: State) -> State:
    one = state.units[4]
    if one.block is not None:
        one = replace(one, block=Pose(30000, 20000, 3000))
    else:
        one = replace(one, poses=tuple([Pose(pose.x + 1000, pose.y) for pose in one.poses]))
    return replace(state, units=(*state.units[:4], one, *state.units[5:]))


def flagged(state: State) -> State:
    return replace(state, units=(*state.units[:4], replace(state.units[4], tired=True), *state.units[5:]))


def unary(state: State, row: int) -> BaseGeometry:
    """A whole unit as one shapely geometry."""
    scene = scene_of(state)
    first, stop = scene.outline_spans[row]
    start = scene.outline.start
    parts = [scene.outline.points[start[i] : start[i + 1]] for i in range(first, stop)]
    if len(parts[0]) == 1:
        return shapely.MultiPoint([part[0] for part in parts])
    return shapely.union_all([Polygon(part) for part in parts])


# --- the clock ----------------------------------------------------------------------------------------


def timed(work: Callable[[], object], tries: int = 7) -> float:
    """Seconds of processor time, the best of several runs, which a busy machine disturbs least."""
    work()
    best = math.inf
    for _ in range(tries):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def repeated(work: Callable[[], object], times: int) -> float:
    def all_() -> None:
        for _ in range(times):
            work()

    return timed(all_)


if __name__ == "__main__":
    for name, count, seconds in run():
        print(f"{name:40} {count:7} {seconds / count * 1e9:12.0f} ns each")
