"""Roll-offs: one die per side; ties are rerolled until one side wins."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.frames import Arrival, Preparation
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.values import FACE_LABELS, Counts, Pool, highest
from shieldwall.rules.ruleset import Play, TrunkStep, seat_of


class RollOff(TrunkStep):
    """One roll-off; the running frame keeps the sides still tied and the winner."""

    def __init__(self, name: str, purpose: str, cite: str) -> None:
        self.name = name
        self.purpose = purpose
        self.cite = cite

    def needed(self, game: Play) -> bool:
        """Whether there is anything to roll for."""
        return True

    def ask(self, game: Play) -> Pending | None:
        if not self.needed(game):
            return None
        sides = self._rolling(game)
        pools = tuple(Pool(1, FACE_LABELS, None, f"side {side + 1}") for side in sides)
        return Roll("roll_off", seat_of(game.state, sides[0]), pools, game.rules.cite(self.cite))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        sides = self._rolling(game)
        faces = [highest(count) for count in counts]
        best = [side for side, face in zip(sides, faces, strict=True) if face == max(faces)]
        if len(best) > 1:
            game.note(tied=tuple(best))
            game.stay()
            return
        game.note(tied=(), winner=best[0])
        game.emit(ev.RolledOff(winner=best[0], purpose=self.purpose, cite=game.rules.cite(self.cite)))
        self.won(game, best[0])

    def won(self, game: Play, side: int) -> None:
        """What else the winner gets."""

    def _rolling(self, game: Play) -> tuple[int, ...]:
        frame = game.stack[-1]
        assert isinstance(frame, Preparation | Arrival)
        return frame.tied or tuple(range(len(game.state.sides)))
