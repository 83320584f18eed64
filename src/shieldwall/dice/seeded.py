"""Dice from a key: every face follows from (key, roll number, purpose), so nothing needs cloning.

Block `c` of a roll is HMAC-SHA256(key, "number|purpose|c"). Its bytes are read in order; bytes of 252 and above are
discarded, because 252 is the largest multiple of 6 that fits, and each of the others gives `byte % 6 + 1`. The key
can be committed to before a game with `commitment` and revealed after it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from shieldwall.core.pending import Roll

KEY_BYTES = 32
_HMAC_BLOCK = 64
_FACE_OF_BYTE = bytes(byte % 6 + 1 for byte in range(256))
_REJECTED = bytes(range(252, 256))


def key_from_seed(seed: int | str) -> bytes:
    """The key that belongs to a seed; 7 and "7" are the same seed."""
    return hashlib.sha256(f"shieldwall game {seed}".encode()).digest()


def random_key() -> bytes:
    """A new random key."""
    return secrets.token_bytes(KEY_BYTES)


def mixed_key(secret: bytes, nonces: Sequence[str]) -> bytes:
    """The key of dice from several parties: one committed to a secret, then each of the others added a nonce.

    Without nonces the secret itself is the key.
    """
    if not nonces:
        return secret
    mixed = hashlib.sha256(secret)
    for nonce in nonces:
        mixed.update(b"|" + nonce.encode())
    return mixed.digest()


def commitment(key: bytes) -> str:
    """The commitment to publish before a game: it fixes the key without revealing it."""
    return hashlib.sha256(key).hexdigest()


class SeededDice:
    """Dice that are a pure function of the key, the roll number and the purpose."""

    __slots__ = ("_inner", "_outer", "key")

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes, not {len(key)}; use key_from_seed or random_key")
        self.key = key
        # Both halves of the HMAC start with the same block in every roll. Hashing those once and copying the
        # half-done hashes is more than twice as fast as hmac.digest.
        padded = key.ljust(_HMAC_BLOCK, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))

    @classmethod
    def from_seed(cls, seed: int | str) -> SeededDice:
        """The dice that belong to a seed."""
        return cls(key_from_seed(seed))

    @property
    def commitment(self) -> str:
        """The commitment to this key."""
        return commitment(self.key)

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The faces of roll `number`; asking again gives the same ones."""
        pools = roll.pools
        dice = pools[0].dice if len(pools) == 1 else roll.dice
        inner = self._inner.copy()
        inner.update(f"{number}|{roll.purpose}|0".encode())
        outer = self._outer.copy()
        outer.update(inner.digest())
        found = outer.digest().translate(_FACE_OF_BYTE, _REJECTED)
        if len(found) < dice:
            found = self._more(found, dice, f"{number}|{roll.purpose}|")
        return tuple(found[:dice])

    def _more(self, found: bytes, dice: int, message: str) -> bytes:
        counter = 0
        while len(found) < dice:
            counter += 1
            inner = self._inner.copy()
            inner.update(f"{message}{counter}".encode())
            outer = self._outer.copy()
            outer.update(inner.digest())
            found += outer.digest().translate(_FACE_OF_BYTE, _REJECTED)
        return found

    def __reduce__(self) -> tuple[type[SeededDice], tuple[bytes]]:
        # Partial hashes cannot be pickled, but follow from the key.
        return (SeededDice, (self.key,))

    def __repr__(self) -> str:
        return f"SeededDice(commitment={self.commitment[:16]!r})"  # the key stays secret in logs of errors
