"""The question of which models are lost or wounded when wounds land on a unit."""

from __future__ import annotations

from shieldwall.core.answers import AnyAnswer, Chosen
from shieldwall.core.forms import ModelsForm
from shieldwall.core.frames import Packet
from shieldwall.core.grammar import models_named
from shieldwall.core.pending import Decision, Numbers, Refusal
from shieldwall.core.state import Unit
from shieldwall.rules import losses
from shieldwall.rules.ruleset import Play


class Casualties(Decision):
    """Which models are removed, or which tough ones are wounded, in that order.

    The default spares command models and special weapons and takes the rear first.
    """

    __slots__ = ("attack", "falling", "landing", "open_to", "rules", "state", "unit")

    def __init__(
        self, game: Play, unit: Unit, choice: losses.LossChoice, landing: Packet, attack: str
    ) -> None:
        cite = game.rules.cite_for("attack.casualties", attack)
        kind, what = ("tough_pick", "wound") if choice.tough else ("casualties", "remove")
        models = "1 model" if choice.how_many == 1 else f"{choice.how_many} models"
        super().__init__(kind, unit.seat, f"Choose {models} of {unit.name} to {what}", cite)
        self.open_to = choice.open_to
        self.falling = choice.how_many
        self.unit = unit.id
        self.rules = game.rules
        self.state = game.state
        self.landing = landing
        self.attack = attack  # the kind of attack that caused the wounds

    @property
    def about(self) -> int:
        return self.unit

    def form(self) -> ModelsForm:
        return ModelsForm(self.unit, self.open_to, self.falling)

    @property
    def preferred(self) -> tuple[int, ...]:
        """Models that may be chosen, in the order a sensible owner gives them up."""
        order = losses.usual_order(self.rules, self.state, self.state.units[self.unit])
        open_to = set(self.open_to)
        return tuple([model for model in order if model in open_to])

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Chosen):
            return (Refusal("casualties are chosen by naming models", self.cite),)
        problems = []
        if len(set(answer.ids)) != len(answer.ids) or len(answer.ids) != self.falling:
            problems.append(
                Refusal(f"{self.falling} different models must be named, not {len(answer.ids)}", self.cite)
            )
        strangers = [model for model in answer.ids if model not in self.open_to]
        if strangers:
            problems.append(
                Refusal(f"{models_named(self.state, strangers)} cannot be chosen here", self.cite)
            )
        return tuple(problems) or self._torn_apart(answer.ids)

    def _torn_apart(self, ids: tuple[int, ...]) -> tuple[Refusal, ...]:
        """Why the edition forbids losing exactly these; tough models that are only wounded are not lost."""
        unit = self.state.units[self.unit]
        lost, usual = self._lost(unit, ids), self._lost(unit, self.preferred[: self.falling])
        return self.rules.policies.refused_losses(self.rules, self.state, unit, lost, usual, self.attack)

    def _lost(self, unit: Unit, ids: tuple[int, ...]) -> tuple[int, ...]:
        return losses.land(self.rules, self.state, unit, -1, self.landing, ids).removed

    def default(self) -> Chosen:
        return Chosen(self.preferred[: self.falling])

    def sample(self, numbers: Numbers) -> Chosen:
        left = list(self.open_to)
        drawn = Chosen(tuple(left.pop(numbers.below(len(left))) for _ in range(self.falling)))
        return self.default() if self.check(drawn) else drawn
