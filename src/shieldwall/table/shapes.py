"""Footprints of bases as flat arrays: convex polygons with a rounding radius, placed on the table.

A `Shapes` is one set of footprints. Kernels take its `points` and `rows`; the other arrays hold the same numbers,
column by column. All of them are shared and cached, so they must not be written to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np

from shieldwall.core.state import MILLI, Base, Piece, Pose
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import (
    COLUMNS,
    COUNT,
    FIRST,
    HIGH,
    LOW,
    RADIUS,
    REACH,
    BodyPose,
    Span,
    X,
    Y,
    enclosing_circle,
    put_each,
    put_together,
)

Rule = TypeVar("Rule", bound=Hashable)

MM_PER_INCH = 25.4
FORMS_KEPT = 256
OVAL_ERROR = 0.0009  # inches by which a true oval may extend beyond the polygon that approximates it


class Shapes:
    """A set of footprints. Frozen by convention.

    `rows` has one line for each footprint (columns in geometry/distance.py), `points` all vertices counter-clockwise.
    """

    __slots__ = (
        "_circle",
        "_high",
        "_low",
        "_measured",
        "_radius",
        "_start",
        "_surround",
        "_widest",
        "points",
        "rows",
    )

    points: Floats
    rows: Floats

    def __init__(self, points: Floats, rows: Floats) -> None:
        self.points = points
        self.rows = rows
        self._start: Ints | None = None
        self._radius: Floats | None = None
        self._low: Floats | None = None
        self._high: Floats | None = None
        self._circle: Floats | None = None
        self._surround: tuple[float, float, float] | None = None
        self._widest: float | None = None
        self._measured: dict[Hashable, float] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def span(self, first: int = 0, stop: int = -1) -> Span:
        """Footprints from `first` up to `stop`, all by default, for functions that take part of a set."""
        return Span(self.points, self.rows, first, stop if stop >= 0 else len(self.rows))

    @property
    def start(self) -> Ints:
        """int64[n+1]: the vertices of footprint i are points[start[i]:start[i+1]]."""
        if self._start is None:
            self._start = np.append(self.rows[:, FIRST], len(self.points)).astype(np.int64)
        return self._start

    @property
    def radius(self) -> Floats:
        """float64[n]: the rounding radius."""
        if self._radius is None:
            self._radius = self.rows[:, RADIUS].copy()
        return self._radius

    @property
    def low(self) -> Floats:
        """float64[n]: height of the ground under the base."""
        if self._low is None:
            self._low = self.rows[:, LOW].copy()
        return self._low

    @property
    def high(self) -> Floats:
        """float64[n]: height of the model's top."""
        if self._high is None:
            self._high = self.rows[:, HIGH].copy()
        return self._high

    def remembers(self, rule: Rule, measure: Callable[[Shapes, Rule], float]) -> float:
        """A measurement on these footprints, cached by its key."""
        if self._measured is None:
            self._measured = {}
        known = self._measured.get(rule)
        if known is None:
            known = self._measured[rule] = measure(self, rule)
        return known

    @property
    def surround(self) -> tuple[float, float, float]:
        """A circle that encloses all of them: x, y and radius."""
        if self._surround is None:
            self._surround = enclosing_circle(self.rows, 0, len(self.rows))
        return self._surround

    @property
    def widest(self) -> float:
        """The longest reach of any of them from its own centre."""
        if self._widest is None:
            self._widest = float(self.rows[:, REACH].max())
        return self._widest

    @property
    def circle(self) -> Floats:
        """float64[n, 3]: x, y and radius of a circle that encloses the whole footprint."""
        if self._circle is None:
            self._circle = self.rows[:, X : REACH + 1].copy()
        return self._circle


_bases: dict[Base, tuple[Floats, float]] = {}


def base_shape(base: Base) -> tuple[Floats, float]:
    """Vertices about the base's own centre (x right, y forward) and rounding radius, in inches; cached."""
    known = _bases.get(base)
    if known is None:
        known = _bases[base] = _make_base(base)
    return known


def _make_base(base: Base) -> tuple[Floats, float]:
    across, along = base.width / 2 / MM_PER_INCH, base.depth / 2 / MM_PER_INCH
    if base.shape in ("square", "rect"):
        return rect_points(-across, -along, across, along), 0.0
    if across == along:
        return np.zeros((1, 2)), across
    return _oval(across, along)


def rect_points(left: float, rear: float, right: float, front: float) -> Floats:
    """The four corners, counter-clockwise from the rear left."""
    return np.array([(left, rear), (right, rear), (right, front), (left, front)])


def _oval(across: float, along: float) -> tuple[Floats, float]:
    """An ellipse as a polygon with a rounding radius, that of the tightest circle that fits its ends.

    The rounded polygon touches the ellipse above each vertex, including its four ends.
    """
    long, short = max(across, along), min(across, along)
    radius = short * short / long
    corners = 2
    while True:
        points = _oval_core(across, along, radius, corners)
        if _oval_error(across, along, radius, points) <= OVAL_ERROR:
            return points, radius
        corners += 1


def _oval_core(across: float, along: float, radius: float, corners: int) -> Floats:
    """Vertices of the curve that runs `radius` inside the ellipse: `corners` to each quarter.

    They are denser where the curve is flat, because the error grows with the root of its radius.
    """
    fine = np.linspace(0.0, math.pi / 2, 1001)
    stretch = (across * np.cos(fine)) ** 2 + (along * np.sin(fine)) ** 2
    weight = np.sqrt(np.maximum((across * along) ** 2 / stretch**1.5 - radius, 0.0))
    grown = np.concatenate([[0.0], np.cumsum((weight[1:] + weight[:-1]) / 2)])
    normals = np.interp(np.linspace(0.0, grown[-1], corners + 1), grown, fine)
    normals[-1] = math.pi / 2
    quarter = _oval_point(across, along, radius, normals)
    quarter[0, 1] = quarter[-1, 0] = 0.0
    upper = np.concatenate([quarter, quarter[-2::-1] * (-1.0, 1.0)])
    return np.concatenate([upper, upper[-2:0:-1] * (1.0, -1.0)])


def _oval_point(across: float, along: float, radius: float, normals: Floats) -> Floats:
    """Points of the inner curve whose outward normal has the given angle."""
    cos, sin = np.cos(normals), np.sin(normals)
    stretch = np.sqrt((across * cos) ** 2 + (along * sin) ** 2)
    return np.stack(
        [across**2 * cos / stretch - radius * cos, along**2 * sin / stretch - radius * sin], axis=1
    )


def _oval_error(across: float, along: float, radius: float, points: Floats) -> float:
    """The largest distance by which the curve extends beyond the edges of the polygon."""
    ends = np.roll(points, -1, axis=0)
    edges = ends - points
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    angles = np.arctan2(-edges[:, 0], edges[:, 1])  # outward normal of a counter-clockwise edge
    tops = _oval_point(across, along, radius, angles) - points
    return float(np.max((tops[:, 0] * edges[:, 1] - tops[:, 1] * edges[:, 0]) / np.maximum(lengths, 1e-12)))


def form_of(bases: Sequence[Base], heights: Sequence[float]) -> Shapes:
    """Footprints of models that all stand at the origin, heading 0; `heights` in inches."""
    shapes = [base_shape(base) for base in bases]
    rows = np.zeros((len(shapes), COLUMNS))
    first = 0
    for row, (points, radius), height in zip(rows, shapes, heights, strict=True):
        row[REACH] = radius + math.sqrt(float(np.max(points[:, 0] ** 2 + points[:, 1] ** 2)))
        row[RADIUS] = radius
        row[HIGH] = height
        row[FIRST] = first
        row[COUNT] = len(points)
        first += len(points)
    points = np.concatenate([points for points, _ in shapes]) if shapes else np.zeros((0, 2))
    return Shapes(points, rows)


def rect_form(rects: Floats, heights: Sequence[float]) -> Shapes:
    """Rectangles (left, rear, right, front) of one body as footprints about its origin, such as a block."""
    rows = np.zeros((len(rects), COLUMNS))
    rows[:, X] = (rects[:, 0] + rects[:, 2]) / 2
    rows[:, Y] = (rects[:, 1] + rects[:, 3]) / 2
    rows[:, REACH] = np.sqrt((rects[:, 2] - rects[:, 0]) ** 2 + (rects[:, 3] - rects[:, 1]) ** 2) / 2
    rows[:, HIGH] = heights
    rows[:, FIRST] = 4 * np.arange(len(rects))
    rows[:, COUNT] = 4
    points = (
        np.concatenate([rect_points(*rect) for rect in rects.tolist()]) if len(rects) else np.zeros((0, 2))
    )
    return Shapes(points, rows)


def pose_array(poses: Sequence[Pose]) -> Floats:
    """float64[n, 4]: x, y, heading, z as stored."""
    flat = [value for pose in poses for value in (pose.x, pose.y, pose.heading, pose.z)]
    return np.array(flat, dtype=np.float64).reshape(-1, 4)


@lru_cache(maxsize=FORMS_KEPT)
def base_form(base: Base) -> Shapes:
    """One base without any height at the origin, heading 0."""
    return form_of((base,), (0.0,))


def shapes_of(poses: Sequence[Pose], bases: Sequence[Base], heights: Sequence[int]) -> Shapes:
    """Footprints of models on the table; `heights` as stored on their profiles."""
    form = form_of(bases, [height / MILLI for height in heights])
    return placed(form, poses)


def placed(form: Shapes, poses: Sequence[Pose]) -> Shapes:
    """The form placed with one pose for each model."""
    points, rows = np.empty(form.points.shape), np.empty(form.rows.shape)
    put_each(form.points, form.rows, pose_array(poses), points, rows)
    return Shapes(points, rows)


def body_pose(pose: Pose) -> BodyPose:
    """Where a body stands, in inches."""
    return BodyPose(pose.x / MILLI, pose.y / MILLI, float(pose.heading), pose.z / MILLI)


def placed_together(form: Shapes, place: BodyPose) -> Shapes:
    """The form of a block placed as one body."""
    points, rows = np.empty(form.points.shape), np.empty(form.rows.shape)
    put_together(form.points, form.rows, place, points, rows)
    return Shapes(points, rows)


def polygon_of(piece: Piece) -> Floats:
    """The outline of a piece in inches, counter-clockwise however it is stored; cached on the piece."""
    known: Floats | None = piece.__dict__.get("polygon")
    if known is None:
        known = np.array(piece.outline, dtype=np.float64).reshape(-1, 2) / MILLI
        nexts = np.roll(known, -1, axis=0)
        if float(np.sum(known[:, 0] * nexts[:, 1] - nexts[:, 0] * known[:, 1])) < 0:
            known = np.ascontiguousarray(known[::-1])
        piece.__dict__["polygon"] = known
    return known
