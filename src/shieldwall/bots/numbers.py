"""Whole numbers for bots: small, quick, the same on every machine, and never the game's dice."""

from __future__ import annotations

import hashlib

import numpy as np

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_BATCH = 128  # numbers generated at once, which is many times faster than one by one

_STEPS = np.arange(_BATCH, 0, -1, dtype=np.uint64) * np.uint64(
    _STEP
)  # backwards, because a list pops at its end
_SHIFTS = tuple(np.uint64(shift) for shift in (30, 27, 31))
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class SplitMix:
    """The SplitMix64 generator."""

    __slots__ = ("_ready", "_start")

    def __init__(self, state: int) -> None:
        self._start = state & _MASK
        self._ready: list[int] = []

    @property
    def state(self) -> int:
        """The generator's state; a new generator started from it continues the same sequence."""
        return (self._start - len(self._ready) * _STEP) & _MASK

    def next(self) -> int:
        """The next 64 bits."""
        if not self._ready:
            self._fill()
        return self._ready.pop()

    def below(self, limit: int) -> int:
        """A number from 0 up to but not including `limit`, with a bias below limit / 2**64."""
        if not self._ready:
            self._fill()
        return (self._ready.pop() * limit) >> 64

    def _fill(self) -> None:
        mixed = _STEPS + np.uint64(self._start)  # arithmetic of unsigned arrays wraps around, as it should
        mixed = (mixed ^ (mixed >> _SHIFTS[0])) * _FACTORS[0]
        mixed = (mixed ^ (mixed >> _SHIFTS[1])) * _FACTORS[1]
        self._ready = (mixed ^ (mixed >> _SHIFTS[2])).tolist()
        self._start = (self._start + _BATCH * _STEP) & _MASK


def numbers_for(seed: int | str, seat: int) -> SplitMix:
    """The numbers of one seat in the game with this seed, different for every seat and seed."""
    digest = hashlib.sha256(f"shieldwall seat {seat} of {seed}".encode()).digest()
    return SplitMix(int.from_bytes(digest[:8], "big"))
