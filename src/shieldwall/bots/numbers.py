"""Whole numbers for bots: small, quick, the same on every machine, and never the game's dice."""

from __future__ import annotations

import hashlib

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class SplitMix:
    """The SplitMix64 generator. Copying `state` copies the whole generator."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state & _MASK

    def next(self) -> int:
        """The next 64 bits."""
        self.state = mixed = (self.state + _STEP) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, `limit`; off from fair by less than limit / 2**64."""
        self.state = mixed = (self.state + _STEP) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * limit) >> 64


def numbers_for(seed: int | str, seat: int) -> SplitMix:
    """The numbers of one seat in the game with this seed; no two seats and no two seeds share them."""
    digest = hashlib.sha256(f"shieldwall seat {seat} of {seed}".encode()).digest()
    return SplitMix(int.from_bytes(digest[:8], "big"))
