"""Dice notation: "D3", "2D6", "D6+1", "3D3+2", read from ordinary six-sided dice.

The number in front says how many dice are summed, the one after D which die it is, and +N or -N is applied to
the sum; a D3 is a D6 halved, fractions rounded up (R35-DICE-07..10, SK32-DICE-07..10, A2-DICE-07..10,
A16-DICE-07).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.values import half_up

_NOTATION = re.compile(r"(\d*)\s*[dD]\s*([36])\s*(?:([+-])\s*(\d+))?")


class ExpressionError(ShieldwallError):
    """The text is not dice notation, or the faces do not fit it."""


class Expression(Struct, frozen=True):
    """`count` dice with `sides` sides, summed, and `plus` added."""

    count: int
    sides: int
    plus: int = 0

    @property
    def lowest(self) -> int:
        """The smallest possible result."""
        return self.count + self.plus

    @property
    def highest(self) -> int:
        """The largest possible result."""
        return self.count * self.sides + self.plus

    def read(self, face: int) -> int:
        """What one six-sided die counts for."""
        return half_up(face) if self.sides == 3 else face

    def value(self, faces: Sequence[int]) -> int:
        """The result for the natural faces of as many six-sided dice."""
        if len(faces) != self.count:
            raise ExpressionError(f"{self} takes {self.count} dice, not {len(faces)}")
        if any(not 1 <= face <= 6 for face in faces):
            raise ExpressionError(f"{self} is read from faces 1 to 6, not {list(faces)}")
        return sum(self.read(face) for face in faces) + self.plus

    def __str__(self) -> str:
        number = "" if self.count == 1 else str(self.count)
        return f"{number}D{self.sides}" + (f"{self.plus:+d}" if self.plus else "")


def parse(text: str) -> Expression:
    """The expression in a text such as "D6+1"."""
    match = _NOTATION.fullmatch(text.strip())
    if match is None or match[1] == "0":
        raise ExpressionError(f"{text!r} is not dice notation; expected something like D3, 2D6 or D6+1")
    amount = int(match[4] or 0)
    return Expression(int(match[1] or 1), int(match[2]), -amount if match[3] == "-" else amount)
