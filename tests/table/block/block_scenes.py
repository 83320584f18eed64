"""Blocks, tables and limits for the tests of ranked units, and the same blocks as shapely shapes."""

from __future__ import annotations

from functools import cache

from shapely import affinity
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.ops import unary_union

from shieldwall.core.answers import Leg, LegKind
from shieldwall.core.state import MILLI, Base, Model, Piece, Pose, Profile, Seat, Side, State, Unit
from shieldwall.table.block_moves import MarchLimits
from shieldwall.table.terrain import piece

INCH, BIG, ODD, RIDER = range(4)
PROFILES = (
    Profile("Trooper", 4, 4, Base("square", 25.4, 25.4), 1260),
    Profile("Giant hero", 3, 3, Base("square", 50.8, 50.8), 2500),
    Profile("Odd hero", 3, 3, Base("square", 38.1, 38.1), 1500),
    Profile("Rider", 4, 4, Base("rect", 25.0, 50.0), 1800),
)
ALL_WAYS: tuple[LegKind, ...] = ("forward", "side", "back", "pivot")

ADVANCE = MarchLimits("advance", 6000, 3000, 9000, kinds=ALL_WAYS)
RUSH = MarchLimits("rush", 12000, 0, 9000)
CHARGE = MarchLimits("charge", 12000, 0, 9000, spacing=0)
HOLD = MarchLimits("hold", 0, 0, 18000, kinds=("pivot",))


def at(x: float, y: float, heading: float = 0.0) -> Pose:
    return Pose(round(x * MILLI), round(y * MILLI), round(heading * 100) % 36000)


def block(
    unit_id: int,
    pose: Pose,
    size: int = 10,
    width: int = 5,
    kind: int = INCH,
    side: int = 0,
    hero: int = -1,
    slot: int = 0,
    started: int = 0,
) -> Unit:
    """A ranked unit; `hero` is the profile of a model that joined it, `started` its size without him."""
    models = tuple(Model(unit_id * 100 + index, kind) for index in range(size))
    joined = unit_id * 100 + 99 if hero >= 0 else -1
    if hero >= 0:
        models += (Model(joined, hero),)
    return Unit(
        unit_id, side, side, f"Unit {unit_id}", models, block=pose, place="table", width=width,
        start_models=(started or size) + (hero >= 0), attached=joined, slot=slot,
    )  # fmt: skip


def table(*units: Unit, pieces: tuple[Piece, ...] = (), profiles: tuple[Profile, ...] = PROFILES) -> State:
    return State(
        ruleset="test", options=(), width=72000, depth=48000, profiles=profiles, units=tuple(units),
        pieces=pieces, seats=(Seat(0, "A"), Seat(1, "B")), sides=(Side(), Side()),
    )  # fmt: skip


def ground(piece_id: int, kind: str, x0: float, y0: float, x1: float, y1: float, **agreed: object) -> Piece:
    """A rectangle of terrain by its corners."""
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    return piece(piece_id, kind, corners, **agreed)  # type: ignore[arg-type]


def forward(inches: float) -> Leg:
    return Leg("forward", round(inches * MILLI))


def back(inches: float) -> Leg:
    return Leg("back", round(inches * MILLI))


def sideways(inches: float) -> Leg:
    return Leg("side", round(inches * MILLI))


def pivot(degrees: float) -> Leg:
    return Leg("pivot", round(degrees * 100))


def cites(result: object) -> set[str]:
    """The keys of all reasons of a result or a tuple of reasons."""
    reasons = getattr(result, "reasons", result)
    return {reason.cite for reason in reasons}  # type: ignore[attr-defined]


def rows_of_bases(unit: Unit, profiles: tuple[Profile, ...] = PROFILES) -> list[Polygon]:
    """Bases of a block without heroes at the origin, computed independently: rows filled from the left."""
    return _rows(profiles[unit.models[0].profile].base, len(unit.models), unit.width)


def _rows(base: Base, count: int, full: int) -> list[Polygon]:
    """Bases in rows of `full`."""
    wide, deep = base.width / 25.4, base.depth / 25.4
    width = min(full, count)
    rows = -(-count // full)
    left, front = -width * wide / 2, rows * deep / 2
    bases = []
    for index in range(count):
        row, column = divmod(index, full)
        x, y = left + column * wide, front - (row + 1) * deep
        bases.append(box(x, y, x + wide, y + deep))
    return bases


def placed(shape: Polygon, pose: Pose) -> Polygon:
    """A shape of the block's frame on the table."""
    turned = affinity.rotate(shape, -pose.heading / 100, origin=(0, 0))
    return affinity.translate(turned, pose.x / MILLI, pose.y / MILLI)


def body(unit: Unit, pose: Pose | None = None) -> Polygon | MultiPolygon:
    """The union of a block's bases on the table."""
    where = pose if pose is not None else unit.block
    assert where is not None
    base = PROFILES[unit.models[0].profile].base
    return placed(_outer(base, len(unit.models), unit.width), where)


@cache
def _outer(base: Base, count: int, full: int) -> Polygon | MultiPolygon:
    """The union of bases in rows: simulations put the same one down at every small step."""
    return unary_union([one.buffer(1e-9) for one in _rows(base, count, full)])


def outline(terrain: Piece) -> Polygon:
    return Polygon([(x / MILLI, y / MILLI) for x, y in terrain.outline])
