"""Who won a melee where bonuses may be rolled for, and who tests when one of the two is gone."""

from __future__ import annotations

from shieldwall.core.frames import Activation, Melee
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import Unit, setting
from shieldwall.core.values import Counts, Labels, Pool, highest
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.melee import MeleeResult

D3: Labels = ("1", "1", "2", "2", "3", "3")


class RollForScore(TrunkStep):
    """Units whose rules say so add a D3 to their result, the charger's first."""

    name = "result.dice"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Melee)
        if len(frame.dread) > 1:
            return None
        unit = game.state.units[(frame.charger, frame.target)[len(frame.dread)]]
        if not self._rolls(game, frame, unit):
            return None
        return Roll("fear_wounds", unit.seat, (Pool(1, D3),), game.rules.cite("result.dice"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(dread=(*game.top(Melee).dread, highest(counts[0])))
        game.stay()

    def go(self, game: Play) -> None:
        frame = game.top(Melee)
        if len(frame.dread) < 2:
            game.note(dread=(*frame.dread, 0))
            game.stay()

    def _rolls(self, game: Play, frame: Melee, unit: Unit) -> bool:
        both = [game.state.units[one] for one in (frame.charger, frame.target)]
        if not unit.models or not (all(one.models for one in both) or compares_the_fallen(game)):
            return False
        return bool(game.rules.unit_kit(game.state, unit).get("rolls_for_score"))


class DecideMelee(MeleeResult):
    """Wounds and every bonus are compared. Who is wiped out has lost, unless only the wounds are to be compared.

    Wounds taken in the melee call for no other test; those taken afterwards do.
    """

    def excuse(self, game: Play, frame: Melee) -> None:
        activation = game.nearest(Activation)
        if activation is not None:
            fought = (frame.charger, frame.target)
            left = tuple(unit for unit in activation.wounded if unit not in fought)
            game.note_on(Activation, wounded=left, attacked=True)

    def is_decided(self, game: Play, charger: Unit, target: Unit) -> bool:
        return super().is_decided(game, charger, target) and not compares_the_fallen(game)

    def scores(self, game: Play, charger: Unit, target: Unit) -> tuple[int, int]:
        mine, theirs = super().scores(game, charger, target)
        dread = game.top(Melee).dread
        return mine + dread[0], theirs + dread[1]


def compares_the_fallen(game: Play) -> bool:
    """Whether a unit that was wiped out may still have won, by a switch."""
    return setting(game.state, "survivor-test", "never") == "literal"
