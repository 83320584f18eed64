"""Builders of tables for the tests of terrain; lengths in inches."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from shapely import Polygon

from shieldwall import geometry
from shieldwall.core.state import MILLI, Base, Marker, Model, Piece, Pose, Profile, Seat, Side, State, Unit
from shieldwall.table.layout import BLOCK_ADVICE, LayoutAdvice, LayoutReport, check_layout
from shieldwall.table.terrain import piece

WIDE, DEEP = 72_000, 48_000
SQUARE_BASE = Base("square", 25.4, 25.4)  # exactly one inch
ROUND_BASE = Base("round", 25.4, 25.4)
PROFILES = (Profile("Spear", 4, 4, SQUARE_BASE, 1000), Profile("Scout", 4, 4, ROUND_BASE, 1000))


def rects(count: int, kind: str = "rubble", size: float = 2.0, **given: object) -> list[Piece]:
    """`count` pieces of one kind in rows, 6 inches from middle to middle."""
    return [
        piece(number + 1, kind, at=(3 + number % 11 * 6, 3 + number // 11 * 6), size=(size, size), **given)  # type: ignore[arg-type]
        for number in range(count)
    ]


def report(pieces: Iterable[Piece], advice: LayoutAdvice = BLOCK_ADVICE, **given: object) -> LayoutReport:
    return check_layout(WIDE, DEEP, tuple(pieces), advice, **given)  # type: ignore[arg-type]


def ground(given: Piece) -> Polygon:
    """The piece as shapely sees it, in inches."""
    return Polygon([(x / MILLI, y / MILLI) for x, y in given.outline])


def state(
    pieces: Iterable[Piece] = (),
    units: Iterable[Unit] = (),
    markers: Iterable[tuple[float, float]] = (),
    width: int = WIDE,
    depth: int = DEEP,
) -> State:
    return State(
        ruleset="",
        options=(),
        width=width,
        depth=depth,
        profiles=PROFILES,
        seats=(Seat(0, "Ann"), Seat(1, "Bob")),
        sides=(Side("south"), Side("north")),
        units=tuple(units),
        pieces=tuple(pieces),
        markers=tuple(
            Marker(number, round(x * MILLI), round(y * MILLI))
            for number, (x, y) in enumerate(markers, start=1)
        ),
    )


def pose(x: float, y: float, heading: float = 0.0) -> Pose:
    return Pose(round(x * MILLI), round(y * MILLI), round(heading * 100))


def block(id: int, x: float, y: float, heading: float = 0.0, *, side: int = 0, models: int = 10) -> Unit:
    """A block of one-inch squares five wide, centred here."""
    return Unit(
        id=id,
        side=side,
        seat=side,
        name=f"Block {id}",
        models=tuple(Model(100 * id + number, 0) for number in range(models)),
        block=pose(x, y, heading),
        place="table",
        start_models=models,
        width=5,
    )


def loner(id: int, x: float, y: float, side: int = 0) -> Unit:
    """A single model on a round base of one inch."""
    return Unit(
        id=id,
        side=side,
        seat=side,
        name=f"Loner {id}",
        models=(Model(100 * id, 1),),
        poses=(pose(x, y),),
        place="table",
        start_models=1,
    )


def twin_of(name: str) -> ModuleType:
    """A compiled module as plain Python."""
    spec = spec_from_file_location(
        f"plain {name}", Path(geometry.__file__).parent / f"{name.rpartition('.')[2]}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
