"""Dice that nobody can manipulate and everybody can check.

The server draws a secret of 32 bytes and publishes its SHA-256 before anybody adds anything. Each seat then adds a
nonce. The key of the game's dice is SHA-256 over the secret and all nonces; every face follows from it
(`dice/seeded.py`). When the game is over the secret is revealed, and `check_throws` recomputes every roll.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

from msgspec import Struct

from shieldwall.core.pending import Roll
from shieldwall.core.values import FACE_LABELS, Pool
from shieldwall.dice.seeded import SeededDice, commitment, mixed_key

SECRET_BYTES = 32


class Throw(Struct, frozen=True, array_like=True):
    """One roll as it is stored: its number in the game, its purpose, and the natural faces."""

    number: int
    purpose: str
    faces: tuple[int, ...]


def new_secret() -> bytes:
    """A random secret."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment_of(secret: bytes) -> str:
    """What is published at the start: it fixes the secret without revealing it."""
    return commitment(secret)


def new_nonce() -> str:
    """A nonce for a seat that supplies none, such as a bot's."""
    return secrets.token_hex(16)


def dice_for(secret: bytes, nonces: Sequence[str]) -> SeededDice:
    """The dice of a game; neither side alone determines them."""
    return SeededDice(mixed_key(secret, nonces))


def check_throws(
    secret: bytes, committed: str, nonces: Sequence[str], throws: Iterable[Throw]
) -> tuple[str, ...]:
    """Every roll that does not follow from the key; empty if all dice are honest."""
    if commitment_of(secret) != committed:
        return ("the secret does not match the commitment made before the game",)
    dice = dice_for(secret, nonces)
    problems = []
    for throw in throws:
        roll = Roll(throw.purpose, 0, (Pool(len(throw.faces), FACE_LABELS),), "")
        expected = dice.faces(roll, throw.number)
        if expected != throw.faces:
            problems.append(
                f"roll {throw.number} ({throw.purpose}): {list(throw.faces)} was rolled, "
                f"the key gives {list(expected)}"
            )
    return tuple(problems)
