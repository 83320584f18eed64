"""Compiled geometry gives the same bits as the Python it is made from."""

from __future__ import annotations

import math
import random
from types import FunctionType, ModuleType

import numpy as np
import pytest
from shape_makers import BASES, twin_of

from shieldwall.core.state import Pose
from shieldwall.geometry import distance, polygons
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.scene import Bodies
from shieldwall.table.shapes import form_of, pose_array, shapes_of

ALL = (distance, polygons)


@pytest.mark.parametrize(("module", "name"), [(distance, "gap"), (polygons, "polygon_distance")])
def test_the_twin_is_really_uncompiled(module: ModuleType, name: str) -> None:
    assert not isinstance(getattr(module, name), FunctionType), "python3 dev.py builds it"
    assert isinstance(getattr(twin_of(module.__name__), name), FunctionType)


def some_outline(dice: random.Random) -> Floats:
    count = dice.randint(3, 9)
    angles = [(index + dice.random()) * 2 * math.pi / count for index in range(count)]
    return np.array(
        [(6 + dice.uniform(1, 6) * math.cos(a), 6 + dice.uniform(1, 6) * math.sin(a)) for a in angles]
    )


def put_together(base: ModuleType, two: tuple[Floats, Floats], dice: random.Random) -> tuple[Floats, Floats]:
    """Footprints placed as one body."""
    points, rows = np.empty_like(two[0]), np.empty_like(two[1])
    base.put_together(*two, distance.BodyPose(3.25, 4.5, float(dice.randint(0, 35999)), 1.0), points, rows)
    return points, rows


def spliced(field: ModuleType, two: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """All footprints in place of two of them."""
    points, rows = two
    gone = int(rows[3, distance.FIRST] - rows[1, distance.FIRST])
    joined = np.empty((2 * len(points) - gone, 2)), np.empty((2 * len(rows) - 2, distance.COLUMNS))
    field.splice(*two, 1, 3, *two, *joined)
    return joined


def put_unit(field: ModuleType, two: tuple[Floats, Floats]) -> tuple[Floats, ...]:
    """The first two footprints shifted a little, and the circle round them."""
    points, rows, circles = two[0].copy(), two[1].copy(), np.zeros((3, 3))
    stop = int(rows[2, distance.FIRST])
    field.put_unit(points, rows, circles, 2, 0, points[:stop] + 0.25, rows[:2].copy())
    return points, rows, circles


def put_block(field: ModuleType, two: tuple[Floats, Floats], dice: random.Random) -> tuple[Floats, ...]:
    """The first two footprints turned and shifted as one body, and the circle round them."""
    points, rows, circles = two[0].copy(), two[1].copy(), np.zeros((3, 3))
    form = two[0][: int(rows[2, distance.FIRST])], two[1][:2]
    bodies = Bodies(points, rows, np.array([(2, 3), (3, 6), (0, 2)]), circles)
    field.put_block(bodies, 2, *form, distance.BodyPose(3.25, 4.5, float(dice.randint(0, 35999)), 1.0))
    return points, rows, circles


def near(field: ModuleType, two: tuple[Floats, Floats], line: list[float]) -> list[object]:
    """Which of three units are near a point, and whether an enemy is near the first."""
    bounds, sides, found = (
        np.array([(0, 2), (2, 3), (3, 6)]),
        np.array([0, 1, 1]),
        np.zeros(3, dtype=np.int64),
    )
    circles = np.array([field.enclosing_circle(two[1], *bound) for bound in bounds.tolist()])
    count = field.note_near(Bodies(*two, bounds, circles), line[0], line[1], 0.5, True, 3.0, found)
    return [count, found, field.is_enemy_near(circles, sides, 0, line[2] / 4)]


def answers(of: dict[str, ModuleType], seed: int) -> list[object]:
    """One answer of every kernel that others may call, for a random handful of bases and one outline."""
    dice = random.Random(seed)
    bases = [dice.choice(BASES) for _ in range(6)]
    stands = [
        Pose(dice.randint(0, 12000), dice.randint(0, 12000), dice.randint(0, 35999), 500) for _ in bases
    ]
    shapes = shapes_of(stands, bases, [1260] * 6)
    form = form_of(bases, [1.26] * 6)
    outline = some_outline(dice)
    two = (shapes.points, shapes.rows)
    end = len(outline)
    line = [dice.uniform(0, 12) for _ in range(4)]
    base = field = of["distance"]
    poly = area = of["polygons"]
    bounds = np.array([(0, 2), (2, 3), (3, 6)])
    scanned = np.zeros(3)
    base.scan_units(*two, bounds, 1, dice.random() < 0.5, scanned)
    found: list[object] = [
        *base.place_each(form.points, form.rows, pose_array(stands)),
        *put_together(base, two, dice),
        *spliced(field, two),
        *put_unit(field, two),
        *put_block(field, two, dice),
        *near(field, two, line),
        scanned,
        base.direction(float(dice.randint(-36000, 72000))),
        base.set_gap(shapes.span(0, 3), shapes.span(3, 6), math.inf, False),
        base.set_gap(shapes.span(0, 3), shapes.span(3, 6), math.inf, True),
        base.point_gap(shapes.span(), line[0], line[1], 2.0, True),
        field.enclosing_circle(shapes.rows, 0, 6),
        base.overhang(*two, 0, 6, 1.0, 1.0, 9.0, 9.0),
        base.line_span(*two, 0, 6, 1.0, 1.0, 0.6, 0.8),
        poly.point_in_polygon(outline, 0, end, *line[:2]),
        poly.border_distance(outline, 0, end, *line[:2]),
    ]
    for index in range(6):
        found.append(base.gap(*two, index, *two, (index + 1) % 6))
        for name in ("polygon_distance", "polygon_overlaps", "polygon_contains"):
            found.append(getattr(poly, name)(*two, index, outline, 0, end))
        found.append(area.polygon_share(*two, index, outline, 0, end))
        found.append(area.half_inside(*two, index, outline, 0, end))
    return found


def plain(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_compiled_and_uncompiled_answers_are_equal_to_the_last_bit() -> None:
    fast = {module.__name__.rpartition(".")[2]: module for module in ALL}
    slow = {name: twin_of(module.__name__) for name, module in fast.items()}
    for seed in range(60):
        pairs = zip(answers(fast, seed), answers(slow, seed), strict=True)
        for place, (one, other) in enumerate(pairs):
            assert plain(one) == plain(other), f"seed {seed}, answer {place}"


def test_headings_along_the_axes_are_exact() -> None:
    for quarter, expected in enumerate([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)]):
        for turns in (-1, 0, 3):
            assert distance.direction(9000.0 * quarter + 36000.0 * turns) == expected
    for heading in range(0, 36000, 77):
        sine, cosine = distance.direction(float(heading))
        assert sine == pytest.approx(math.sin(math.radians(heading / 100)), abs=1e-14)
        assert cosine == pytest.approx(math.cos(math.radians(heading / 100)), abs=1e-14)
