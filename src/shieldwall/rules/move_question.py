"""What questions about moves have in common, for blocks and loose units alike."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

from shieldwall.core.grammar import inch_words, unit_does
from shieldwall.core.pending import Decision, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset

CLOSE_ENOUGH = (
    350  # thousandths by which a move may miss the spot it was dragged to and still be what was meant
)
_ANY_MOVE = "Drag {name} up to {far} ({action}), or leave it where it is"
_MOVES = {
    "react": "{name} may move up to {far} into contact with the charger",
    "consolidate": "{name} may move up to {far} after the fight, or stay",
    "scout": "{name} may scout up to {far} ahead, or stay",
    "spell": "Drag {name} up to {far} by the spell, or leave it where it is",
    "rule": "{name} may move up to {far} again, or stay",
    "led": "Drag {name} up to {far}, or leave it where it is",
}


class MoveQuestion(Decision):
    """How a unit moves. If `follows_drag` is False the question itself chooses the destination, as in a charge."""

    __slots__ = ("rules", "state", "unit")

    follows_drag: ClassVar[bool] = True

    def __init__(self, rules: Ruleset, state: State, unit: Unit, kind: str, prompt: str, cite: str) -> None:
        super().__init__(kind, unit.seat, prompt, cite)
        self.rules = rules
        self.state = state
        self.unit = unit

    @property
    def about(self) -> int:
        return self.unit.id

    @property
    @abstractmethod
    def action(self) -> str:
        """The action that the move belongs to."""

    @property
    @abstractmethod
    def farthest(self) -> int:
        """How far the unit may go, in thousandths of an inch; for several models the largest distance."""

    @property
    def charges(self) -> int:
        """The unit that this move charges; -1 for none."""
        return -1

    def sentence(self) -> str:
        name, far = self.unit.name, self.farthest
        if not far:
            return f"Turn {name}, or leave it as it stands"
        words = _MOVES.get(self.action, _ANY_MOVE)
        return words.format(name=name, far=inch_words(far), action=self.action)

    def falls_short(self, miss: float) -> Refusal:
        """The message for a move that gets no nearer to a spot although no rule forbids it."""
        return Refusal(f"{unit_does(self.unit, 'get')} no nearer than {inch_words(miss)} to that spot")


def distance_between(one: tuple[int, int], other: tuple[int, int]) -> float:
    """The distance between two spots, in thousandths."""
    return math.hypot(one[0] - other[0], one[1] - other[1])
