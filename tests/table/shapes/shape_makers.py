"""Tables, bases and outlines for the tests of distances, and the same shapes as shapely knows them."""

from __future__ import annotations

import importlib
import math
import os
import sys
from types import ModuleType

import numpy as np
import shapely
from hypothesis import strategies as st
from shapely import affinity
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from shieldwall.core.state import Base, Model, Piece, Pose, Profile, State, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.table.shapes import MM_PER_INCH, Shapes, shapes_of

ROUND, SQUARE, CAVALRY, RIDERS = 0, 1, 2, 3
BASES = (Base("round", 32, 32), Base("square", 25, 25), Base("rect", 25, 50), Base("oval", 35, 60))
INCH_ROUND, INCH_SQUARE = Base("round", 25.4, 25.4), Base("square", 25.4, 25.4)


def profile(base: Base, height: int = 1260) -> Profile:
    return Profile(name="Trooper", quality=4, defense=4, base=base, height=height)


def loose(unit_id: int, poses: list[Pose], kind: int = 0, side: int = 0, place: str = "table") -> Unit:
    models = tuple(Model(unit_id * 100 + index, kind) for index in range(len(poses)))
    return Unit(
        id=unit_id, side=side, seat=side, name=f"Unit {unit_id}", models=models, poses=tuple(poses),
        place=place, start_models=len(poses),
    )  # fmt: skip


def block(unit_id: int, pose: Pose, size: int, kind: int = 0, side: int = 0) -> Unit:
    models = tuple(Model(unit_id * 100 + index, kind) for index in range(size))
    return Unit(
        id=unit_id, side=side, seat=side, name=f"Unit {unit_id}", models=models, block=pose, place="table",
        start_models=size,
    )  # fmt: skip


def table(units: list[Unit], *bases: Base, pieces: tuple[Piece, ...] = ()) -> State:
    profiles = tuple(profile(base) for base in bases or BASES)
    return State(
        ruleset="none", options=(), width=72000, depth=48000, profiles=profiles, seats=(), sides=(),
        units=tuple(units), pieces=pieces,
    )  # fmt: skip


def at(x: float, y: float, heading: float = 0.0, z: float = 0.0) -> Pose:
    """A pose in inches and degrees."""
    return Pose(round(x * 1000), round(y * 1000), round(heading * 100), round(z * 1000))


# --- strategies ---------------------------------------------------------------------------------------

lengths = st.integers(0, 12000)
poses = st.builds(Pose, lengths, lengths, st.integers(0, 35999), st.sampled_from((0, 0, 1000, 2500)))
sizes = st.sampled_from((20.0, 25.0, 32.0, 40.0, 60.0))
bases = st.one_of(
    st.sampled_from(BASES),
    sizes.map(lambda size: Base("round", size, size)),
    st.tuples(sizes, sizes).map(lambda pair: Base("rect", *pair)),
    st.tuples(sizes, sizes).map(lambda pair: Base("oval", *pair)),
)


@st.composite
def footprints(draw: st.DrawFn, count: int = 1) -> tuple[Shapes, list[BaseGeometry]]:
    """Some bases on a small table, as ours and as shapely's; ovals of the oracle are true ellipses."""
    placed = [(draw(bases), draw(poses)) for _ in range(count)]
    ours = shapes_of([pose for _, pose in placed], [base for base, _ in placed], [1260] * count)
    return ours, [oracle(base, pose) for base, pose in placed]


@st.composite
def outlines(draw: st.DrawFn) -> Floats:
    """A simple polygon about the middle of the small table, mostly not convex, either way round."""
    corners = draw(st.integers(3, 10))
    jitter = st.floats(0.05, 0.95)
    angles = [(index + draw(jitter)) * 2 * math.pi / corners for index in range(corners)]
    reaches = [draw(st.floats(0.5, 7.0)) for _ in range(corners)]
    polygon = np.array(
        [(6 + r * math.cos(a), 6 + r * math.sin(a)) for a, r in zip(angles, reaches, strict=True)]
    )
    return np.ascontiguousarray(polygon[::-1]) if draw(st.booleans()) else polygon


# --- the oracle ---------------------------------------------------------------------------------------


def oracle(base: Base, pose: Pose) -> BaseGeometry:
    """A base from its definition alone, none of our arrays; circles and ellipses to a hundred-thousandth."""
    width, depth = base.width / MM_PER_INCH, base.depth / MM_PER_INCH
    if base.shape in ("round", "oval"):
        shape = affinity.scale(Point(0, 0).buffer(1.0, quad_segs=400), width / 2, depth / 2)
    else:
        shape = shapely.box(-width / 2, -depth / 2, width / 2, depth / 2)
    turned = affinity.rotate(shape, -pose.heading / 100, origin=(0, 0))
    return affinity.translate(turned, pose.x / 1000, pose.y / 1000)


def core_of(shapes: Shapes, index: int) -> BaseGeometry:
    """The polygon of a footprint without its rounding."""
    points = shapes.points[shapes.start[index] : shapes.start[index + 1]]
    if len(points) == 1:
        return Point(points[0])
    return Polygon(points) if len(points) > 2 else shapely.LineString(points)


def twin_of(module: str) -> ModuleType:
    """A fresh copy of a compiled module and of all it imports, as plain Python."""
    known = {
        name: found
        for name, found in sys.modules.items()
        if name.startswith(("shieldwall.table", "shieldwall.geometry"))
    }
    before = os.environ.get("SHIELDWALL_PLAIN")
    os.environ["SHIELDWALL_PLAIN"] = "1"
    for name in known:
        del sys.modules[name]
    try:
        return importlib.import_module(module)
    finally:
        for name in [
            name for name in sys.modules if name.startswith(("shieldwall.table", "shieldwall.geometry"))
        ]:
            del sys.modules[name]
        sys.modules.update(known)
        os.environ.pop("SHIELDWALL_PLAIN")
        if before is not None:
            os.environ["SHIELDWALL_PLAIN"] = before
