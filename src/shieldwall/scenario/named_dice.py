"""Dice whose faces a scenario wrote down, by purpose."""

from __future__ import annotations

from shieldwall.core.pending import Roll
from shieldwall.dice.scripted import ScriptedDice, ScriptError
from shieldwall.scenario.schema import Faces as WrittenFaces


class NamedDice:
    """Faces by purpose. A list inside a queue is one throw, whose number of dice must then be right."""

    def __init__(self, written: dict[str, WrittenFaces]) -> None:
        flat: dict[str, list[int]] = {}
        self._throws: dict[str, list[int]] = {}
        for purpose, faces in written.items():
            flat[purpose] = []
            for entry in faces:
                thrown = entry if isinstance(entry, list) else [entry]
                flat[purpose] += thrown
                # 0 stands for a die that may be part of any throw
                self._throws.setdefault(purpose, []).append(len(thrown) if isinstance(entry, list) else 0)
        self._dice = ScriptedDice(flat)
        self.used: dict[str, int] = {}

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The next faces for a roll."""
        throws = self._throws.get(roll.purpose, [])
        if throws and throws[0]:
            if throws[0] != roll.dice:
                raise ScriptError(f"{roll.purpose!r} is a throw of {roll.dice} dice, not of {throws[0]}")
            throws.pop(0)
        else:
            del throws[: roll.dice]
        faces = self._dice.faces(roll, number)
        self.used[roll.purpose] = self.used.get(roll.purpose, 0) + len(faces)
        return faces

    def leftovers(self) -> dict[str, tuple[int, ...]]:
        """Faces that were never thrown."""
        return self._dice.leftovers()
