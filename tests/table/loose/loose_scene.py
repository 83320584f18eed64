"""Small tables for tests of loose units: inches in, states out. Bases are round and one inch wide unless
said.
"""

from __future__ import annotations

from shieldwall.core.answers import ModelPath
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.state import MILLI, Base, Model, Piece, Pose, Profile, State, Unit
from shieldwall.table.loose_moves import WalkResult

INCH = Base("round", 25.4, 25.4)
BASES = {
    "inch": INCH,
    "big": Base("round", 50.8, 50.8),
    "oval": Base("oval", 1.4 * 25.4, 2.4 * 25.4),
    "square": Base("square", 25.4, 25.4),
    "rect": Base("rect", 25.4, 50.8),
}
KINDS = tuple(BASES)
PROFILES = tuple(Profile(name.capitalize(), 4, 4, base, 1200) for name, base in BASES.items())


def pose(x: float, y: float, heading: float = 0.0, z: float = 0.0) -> Pose:
    return Pose(round(x * MILLI), round(y * MILLI), round(heading * 100), round(z * MILLI))


def group(
    id: int, side: int, *spots: tuple[float, ...], kind: str = "inch", name: str = "", place: str = "table"
) -> Unit:
    """A unit with one model at each spot (x, y, heading, z); model ids are 100 times the unit's id and on."""
    models = tuple(Model(100 * id + index, KINDS.index(kind)) for index in range(len(spots)))
    title = name or ("Blue " if side == 0 else "Red ") + str(id)
    poses = tuple(pose(*spot) for spot in spots)
    return Unit(id, side, side, title, models, poses, place=place, start_models=len(models))  # type: ignore[arg-type]


def table(*units: Unit, pieces: tuple[Piece, ...] = (), width: float = 48, depth: float = 48) -> State:
    return State(
        "test",
        (),
        round(width * MILLI),
        round(depth * MILLI),
        PROFILES,
        (),
        (),
        units,
        pieces=pieces,
    )


def forgetful(state: State) -> State:
    """The same state without any caches."""
    return decode_state(encode(state))


def path(model: int, *spots: tuple[float, ...]) -> ModelPath:
    return ModelPath(model, tuple(pose(*spot) for spot in spots))


def cites(result: WalkResult) -> list[str]:
    return [reason.cite for reason in result.reasons]
