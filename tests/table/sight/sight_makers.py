"""Tables for the tests of sight: units and pieces where a test wants them, or random battlefields."""

from __future__ import annotations

import math
import random

from shieldwall.core.state import Base, Model, Piece, Pose, Profile, State, Unit
from shieldwall.table.terrain import piece, standing_height

INCH = Base("square", 25.4, 25.4)
FOOT = Base("round", 32, 32)
SMALL = Base("round", 25, 25)
WIDE = Base("round", 50, 50)


def profile(base: Base = INCH, height: float = 1.1, kind: str = "infantry", name: str = "Trooper") -> Profile:
    return Profile(name=name, quality=4, defense=5, base=base, height=round(height * 1000), kind=kind)


def spot(x: float, y: float, heading: float = 0.0, z: float = 0.0) -> Pose:
    return Pose(round(x * 1000), round(y * 1000), round(heading * 100) % 36000, round(z * 1000))


def block(
    unit_id: int,
    x: float,
    y: float,
    size: int = 1,
    heading: float = 0.0,
    side: int = 0,
    kind: int = 0,
    z: float = 0.0,
) -> Unit:
    """A ranked unit by the centre of its rectangle."""
    models = tuple(Model(unit_id * 100 + index, kind) for index in range(size))
    return Unit(
        id=unit_id, side=side, seat=side, name=f"Unit {unit_id}", models=models, block=spot(x, y, heading, z),
        place="table", start_models=size,
    )  # fmt: skip


def loose(unit_id: int, *places: tuple[float, ...], side: int = 0, kind: int | tuple[int, ...] = 0) -> Unit:
    """A loose unit; each place is x, y and perhaps heading and z."""
    kinds = (kind,) * len(places) if isinstance(kind, int) else kind
    models = tuple(Model(unit_id * 100 + index, which) for index, which in enumerate(kinds))
    return Unit(
        id=unit_id, side=side, seat=side, name=f"Unit {unit_id}", models=models,
        poses=tuple(spot(*place) for place in places), place="table", start_models=len(places),
    )  # fmt: skip


def table(
    *units: Unit, pieces: tuple[Piece, ...] = (), profiles: tuple[Profile, ...] = (profile(),)
) -> State:
    return State(
        ruleset="", options=(), width=72000, depth=48000, profiles=profiles, seats=(), sides=(), units=units,
        pieces=pieces,
    )  # fmt: skip


PROFILES = (
    profile(FOOT, 1.25, name="Foot"),
    profile(SMALL, 0.9, "swarm", "Rats"),
    profile(WIDE, 2.0, "large infantry", "Ogre"),
    profile(Base("oval", 35, 60), 1.6, "cavalry", "Rider"),
    profile(Base("square", 25, 25), 1.1, name="Spear"),
    profile(Base("rect", 25, 50), 1.6, "cavalry", "Lancer"),
    profile(Base("square", 50, 50), 2.6, "monster", "Troll"),
    profile(Base("round", 100, 100), 4.0, "giant", "Giant"),
)
LOOSE_KINDS = (0, 0, 0, 1, 2, 3, 5, 7)
BLOCK_KINDS = (4, 4, 5, 6)
PIECE_KINDS = ("wall", "rock", "forest", "building", "hill", "ruin", "barricade", "field", "cliff")


def _star(rng: random.Random, x: float, y: float) -> list[tuple[float, float]]:
    """A simple polygon of any shape about a point."""
    count = rng.randint(4, 9)
    steps = [rng.uniform(0.3, 1.0) for _ in range(count)]
    angles = [2 * math.pi * sum(steps[: k + 1]) / sum(steps) for k in range(count)]
    reach = rng.uniform(1.5, 4.0)
    return [
        (x + reach * far * math.cos(angle), y + reach * far * math.sin(angle))
        for angle, far in ((angle, rng.uniform(0.35, 1.0)) for angle in angles)
    ]


def _corner(x: float, y: float, long: float, thick: float) -> list[tuple[float, float]]:
    """An L of two walls."""
    return [
        (x, y),
        (x + long, y),
        (x + long, y + thick),
        (x + thick, y + thick),
        (x + thick, y + long),
        (x, y + long),
    ]


def random_pieces(rng: random.Random, count: int, width: float, depth: float) -> tuple[Piece, ...]:
    pieces = []
    for number in range(count):
        kind = rng.choice(PIECE_KINDS)
        x, y = rng.uniform(3, width - 3), rng.uniform(3, depth - 3)
        height = (
            None
            if rng.random() < 0.4
            else round(rng.choice((0.5, 1.0, 1.25, 2.0, 3.0, rng.uniform(0.3, 4))), 3)
        )
        form = rng.random()
        if form < 0.35:
            size = (rng.uniform(0.3, 6), rng.uniform(0.3, 4))
            pieces.append(piece(number, kind, at=(x, y), size=size, angle=rng.uniform(0, 180), height=height))
        else:
            outline = (
                _star(rng, x, y) if form < 0.8 else _corner(x, y, rng.uniform(2, 5), rng.uniform(0.3, 1))
            )
            pieces.append(piece(number, kind, outline, height=height))
    return tuple(pieces)


def _ground(pieces: tuple[Piece, ...], x: float, y: float) -> float:
    """How high a model at a point stands: on the tallest piece that carries it."""
    from shapely.geometry import Point, Polygon

    tops = [
        standing_height(one) / 1000
        for one in pieces
        if Polygon(one.outline).contains(Point(x * 1000, y * 1000)) and "blocking" not in one.types
    ]
    return max(tops, default=0.0)


def random_table(seed: int, *, ranked: bool, units: int = 8, pieces: int = 9, size: float = 30.0) -> State:
    """A crowded battlefield of ranked or loose units of all bases and heights; they may overlap."""
    rng = random.Random(seed)
    ground = random_pieces(rng, pieces, size, size)
    made: list[Unit] = []
    for number in range(units):
        x, y = rng.uniform(2, size - 2), rng.uniform(2, size - 2)
        heading = rng.choice((0.0, 90.0, 180.0, rng.uniform(0, 360)))
        if ranked:
            kind = rng.choice(BLOCK_KINDS)
            count = rng.choice((1, 3, 5, 5, 7, 10))
            z = _ground(ground, x, y) if rng.random() < 0.3 else 0.0
            made.append(block(number, x, y, count, heading, number % 2, kind, z))
        else:
            kinds = tuple(rng.choice(LOOSE_KINDS) for _ in range(rng.choice((1, 1, 2, 3, 5))))
            places: list[tuple[float, ...]] = []
            for _ in kinds:
                places.append((x, y, heading, _ground(ground, x, y)))
                turn = rng.uniform(0, 2 * math.pi)
                x, y = x + rng.uniform(1.3, 2.6) * math.cos(turn), y + rng.uniform(1.3, 2.6) * math.sin(turn)
            made.append(loose(number, *places, side=number % 2, kind=kinds))
    return table(*made, pieces=ground, profiles=PROFILES)
