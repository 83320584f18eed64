"""Weapons that strike first when charged, in editions where only army books have them.

They strike in a frame of their own before the charger's blows are planned, so that other melees are not affected.
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.frames import Melee
from shieldwall.core.pending import Pending
from shieldwall.rules.features.blows_together import LandBlows
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.melee import AskToCounter, PlanBlows, Strike, charger_waits
from shieldwall.rules.strikes import early_models

PROCEDURE = "melee.first"


class PlanAfterFirstStrikes(PlanBlows):
    """Plan the charger's blows after those that strike first."""

    def __init__(self) -> None:
        super().__init__("charger")

    def ask(self, game: Play) -> Pending | None:
        return None if self._early(game) else super().ask(game)

    def go(self, game: Play) -> None:
        if not self._early(game):
            super().go(game)
            return
        target = game.state.units[game.top(Melee).target]
        game.note(early_models=len(early_models(game.rules, game.state, target, takes_weight=True)))
        game.push(replace(game.top(Melee), procedure=PROCEDURE, step="", phase="early"), again=True)

    def _early(self, game: Play) -> bool:
        """Whether models that strike first have not done so yet."""
        if "strikes_early" not in game.plans.in_play and "strikes_late" not in game.plans.in_play:
            return False
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if frame.phase == "early" or not charger.models or not target.models:
            return False
        return charger_waits(game) or bool(early_models(game.rules, game.state, target))


class RejoinMelee(TrunkStep):
    """Record the result of the first strikes in the melee they belong to."""

    name = "melee.plan_charger"  # the step at which units that decline to strike continue

    def go(self, game: Play) -> None:
        done: Melee = game.stack[-1]
        game.finish()
        kept = ("procedure", "step", "batches", "next", "ordered", "offered")
        names = (name for name in done.__struct_fields__ if name not in kept)
        game.note(**{name: getattr(done, name) for name in names})


FIRST_STRIKES: tuple[TrunkStep, ...] = (
    AskToCounter(),
    PlanBlows("early"),
    Strike("early", "blows"),
    LandBlows("early"),
    RejoinMelee(),
)
