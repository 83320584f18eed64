"""Dice scripted by purpose. A missing die is an error, and so is a spare one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Roll
from shieldwall.core.values import FACES
from shieldwall.dice.words import asked, count


class ScriptError(ShieldwallError):
    """The script and the game do not fit together."""


class ScriptedDice:
    """Queues of faces by purpose: `ScriptedDice({"to_hit": [6, 4, 1], "block": [2]})`."""

    __slots__ = ("_given", "_queues")

    def __init__(self, script: Mapping[str, Iterable[int]]) -> None:
        self._queues = {purpose: list(faces) for purpose, faces in script.items()}
        self._given = dict.fromkeys(self._queues, 0)
        wrong = [
            f"{purpose}: {face!r} is not a face of a die"
            for purpose, faces in self._queues.items()
            for face in faces
            if type(face) is not int or face not in FACES
        ]
        if wrong:
            raise ScriptError("the script has impossible dice: " + "; ".join(wrong))

    def faces(self, roll: Roll, number: int) -> tuple[int, ...]:
        """The next scripted faces for this purpose."""
        queue = self._queues.get(roll.purpose)
        if queue is None:
            raise ScriptError(
                f"no dice are scripted for {roll.purpose!r} (roll {number}: {asked(roll)}); "
                f"there are dice for: {', '.join(sorted(self._queues)) or 'nothing'}"
            )
        needed = roll.dice
        if len(queue) < needed:
            raise ScriptError(
                f"{roll.purpose!r} needs {count(needed, 'die', 'dice')} but {len(queue)} "
                f"{'is' if len(queue) == 1 else 'are'} left of {self._given[roll.purpose] + len(queue)} "
                f"(roll {number}: {asked(roll)}; left: {queue})"
            )
        thrown = tuple(queue[:needed])
        del queue[:needed]
        self._given[roll.purpose] += needed
        return thrown

    def leftovers(self) -> dict[str, tuple[int, ...]]:
        """Scripted dice that were never rolled, by purpose."""
        return {purpose: tuple(faces) for purpose, faces in sorted(self._queues.items()) if faces}

    def require_used_up(self) -> None:
        """Raise an error if any die is left over."""
        left = self.leftovers()
        if left:
            spare = "; ".join(f"{purpose}: {list(faces)}" for purpose, faces in left.items())
            raise ScriptError(f"dice were scripted but never rolled: {spare}")
