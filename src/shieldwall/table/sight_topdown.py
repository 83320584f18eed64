"""Sight from above with height values: a line between two bases is stopped by what is as high as both ends.

Every unit and every piece has a value: a preset of its kind, or its real height plus 1. Who stands on a
piece adds the piece's value to the own one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shieldwall.core.state import MILLI, Piece, Profile
from shieldwall.table.reasons import TableReason
from shieldwall.table.sight_methods import SightMethod, agreed_height
from shieldwall.table.terrain import DECORATIVE, blocks_sight, standing_height

TOP_DOWN = SightMethod(
    name="top-down",
    lines="flat",
    seen_over="lower than one",
    perimeter="strips",
    heights="value",
    ruler_in_space=True,
)

# Height values by kind of unit.
UNIT_VALUES: Mapping[str, float] = {
    "swarm": 1.0,
    "infantry": 2.0,
    "artillery": 2.0,
    "large infantry": 3.0,
    "cavalry": 3.0,
    "chariot": 3.0,
    "large cavalry": 4.0,
    "monster": 4.0,
    "vehicle": 4.0,
    "large monster": 5.0,
    "giant": 5.0,
    "titan": 6.0,
}
ADDED_TO_REAL_HEIGHT = 1.0


def _plain(kind: str) -> str:
    """A kind as the table spells it: lower case, blanks, singular."""
    word = kind.lower().replace("-", " ").replace("_", " ")
    return word if word in UNIT_VALUES or not word.endswith("s") else word[:-1]


def unit_value(profile: Profile, method: SightMethod = TOP_DOWN) -> float:
    """The value of a model on the ground: as agreed, else the preset of its kind, else its height plus 1."""
    agreed = agreed_height(method, profile.name)
    if agreed is not None:
        return agreed / MILLI
    preset = UNIT_VALUES.get(_plain(profile.kind))
    return profile.height / MILLI + ADDED_TO_REAL_HEIGHT if preset is None else preset


def piece_value(piece: Piece, method: SightMethod = TOP_DOWN) -> float | None:
    """The value of a piece: as agreed, else its height plus 1, decimals kept; None without a height."""
    agreed = agreed_height(method, piece.name, piece.kind)
    if agreed is not None:
        return agreed / MILLI
    return piece.height / MILLI + ADDED_TO_REAL_HEIGHT if piece.height > 0 else None


def value_on(piece: Piece, method: SightMethod = TOP_DOWN) -> float:
    """What a piece adds to the value of who stands on it; nothing where models go in at table level."""
    if standing_height(piece) == 0 or DECORATIVE in piece.conditions:
        return 0.0
    return piece_value(piece, method) or 0.0


def shared_values(pieces: Iterable[Piece]) -> tuple[tuple[str, int], ...]:
    """One value for each kind of piece, that of its tallest, ready to be agreed on."""
    tallest: dict[str, int] = {}
    for piece in pieces:
        tallest[piece.kind] = max(tallest.get(piece.kind, 0), piece.height)
    added = round(ADDED_TO_REAL_HEIGHT * MILLI)
    return tuple((kind, height + added) for kind, height in sorted(tallest.items()) if height > 0)


def missing_values(pieces: Iterable[Piece], method: SightMethod = TOP_DOWN) -> tuple[TableReason, ...]:
    """The pieces in the way of sight that have no height value yet: a game must not start with them."""
    return tuple(
        TableReason(
            f"{piece.name} (piece {piece.id}) blocks sight but has no height value", "sight.height-value"
        )
        for piece in pieces
        if blocks_sight(piece) and piece_value(piece, method) is None
    )
