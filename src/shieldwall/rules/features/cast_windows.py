"""The moments at which a unit may cast a spell before it goes on, whatever magic its edition has."""

from __future__ import annotations

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Melee
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.activation import over


class CastWindow(TrunkStep):
    """A moment at which the acting unit may cast before it goes on. Not asked if nothing can be cast."""

    def is_open(self, game: Play, activation: Activation) -> bool:
        """Whether casting is possible at this moment, apart from tokens and targets."""
        return not over(game, activation)

    def ask(self, game: Play) -> Pending | None:
        activation = game.nearest(Activation)
        if activation is None:
            return None
        unit = game.state.units[activation.unit]
        if not game.rules.policies.can_cast(game.rules, game.state, unit, activation):
            return None
        if not self.is_open(game, activation):
            return None
        options = (Option("cast", "Cast a spell"), Option("go", "Go on"))
        cite = game.rules.cite("cast.when")
        return Choice("cast_or_go", unit.seat, f"Cast a spell with {unit.name} first?", cite, options, "go")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        activation = game.nearest(Activation)
        assert activation is not None
        if answer.option == "cast":
            game.push(game.rules.policies.casting_frame(activation.unit), again=True)


class CastAfterMove(CastWindow):
    """After the move and before shooting; the last chance for a unit that rushed."""

    name = "act.after_move"


class CastBeforeBlows(CastWindow):
    """In contact with the charged unit, before any blow."""

    name = "melee.cast"

    def is_open(self, game: Play, activation: Activation) -> bool:
        frame: Melee = game.stack[-1]
        return bool(game.state.units[frame.target].models) and super().is_open(game, activation)
