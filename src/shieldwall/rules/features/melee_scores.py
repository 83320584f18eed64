"""Who won a melee, in editions where bonuses may be rolled for, and who tests if one of the two is gone."""

from __future__ import annotations

from shieldwall.core.frames import Activation, Melee
from shieldwall.core.state import Unit, setting
from shieldwall.rules.ruleset import Play
from shieldwall.rules.steps.melee import MeleeResult


class DecideMelee(MeleeResult):
    """Compare wounds and all bonuses. A destroyed unit has lost, unless only wounds are compared.

    Wounds taken in the melee call for no other test; those taken afterwards do.
    """

    def excuse(self, game: Play, frame: Melee) -> None:
        activation = game.nearest(Activation)
        if activation is not None:
            fought = (frame.charger, frame.target)
            left = tuple([unit for unit in activation.wounded if unit not in fought])
            game.note_on(Activation, wounded=left, attacked=True)

    def is_decided(self, game: Play, charger: Unit, target: Unit) -> bool:
        return super().is_decided(game, charger, target) and not compares_the_fallen(game)

    def scores(self, game: Play, charger: Unit, target: Unit) -> tuple[int, int]:
        mine, theirs = super().scores(game, charger, target)
        dread = game.top(Melee).dread
        return mine + dread[0], theirs + dread[1]


def compares_the_fallen(game: Play) -> bool:
    """Whether a house rule lets a unit that was wiped out still win."""
    return setting(game.state, "survivor-test", "never") == "literal"
