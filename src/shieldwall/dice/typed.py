"""Dice rolled on a real table and typed in."""

from __future__ import annotations

import re
from collections.abc import Callable

from shieldwall.core.pending import Roll
from shieldwall.dice.words import asked, count

_SEPARATORS = re.compile(r"[\s,;|/]+")


class TypedDice:
    """Asks for each roll until the line is valid.

    `read` takes a prompt and returns a line (`input` by default), `say` shows why a line was invalid.
    """

    __slots__ = ("_read", "_say")

    def __init__(self, read: Callable[[str], str] = input, say: Callable[[str], object] = print) -> None:
        self._read = read
        self._say = say

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """What the person typed; asks again after a line that cannot be this roll."""
        prompt = f"Throw {asked(roll)}\nFaces: "
        while True:
            line = self._read(prompt)
            found = read_faces(line, roll.dice)
            if isinstance(found, tuple):
                return found
            self._say(found)


def read_faces(line: str, dice: int) -> tuple[int, ...] | str:
    """The faces in a typed line ("6 5 1" or "651"), or a sentence that says what is wrong with it."""
    words = [word for word in _SEPARATORS.split(line.strip()) if word]
    if any(not word.isascii() or not word.isdigit() for word in words):
        odd = next(word for word in words if not word.isascii() or not word.isdigit())
        wanted = f"type {count(dice, 'face')} from 1 to 6, for example {_example(dice)}"
        return f"{odd!r} is not a number; {wanted}"
    faces = tuple(int(digit) for word in words for digit in word)
    impossible = next((face for face in faces if not 1 <= face <= 6), None)
    if impossible is not None:
        return f"a die cannot show {impossible}; every face is a number from 1 to 6"
    if len(faces) != dice:
        return f"{count(dice, 'die', 'dice')} are needed, not {len(faces)}"
    return faces


def _example(dice: int) -> str:
    return " ".join(str(1 + i * 4 % 6) for i in range(min(dice, 4))) + (" ..." if dice > 4 else "")
