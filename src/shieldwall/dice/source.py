"""The interface of all dice sources."""

from __future__ import annotations

from typing import Protocol

from shieldwall.core.pending import Roll


class Dice(Protocol):
    """A source of faces. `number` counts the rolls of this game from 0 and is `state.rolls_made`."""

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """One face from 1 to 6 for each die of the roll, in the order of its pools."""
        ...
