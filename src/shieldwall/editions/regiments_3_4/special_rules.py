"""Special rules that only Regiments 3.4 prints in this way."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.rules.hooks import Aiming, AttackContext, Scope, SpecialRule, UnitContext
from shieldwall.rules.special.aiming import FIRST


class SniperFirst(SpecialRule):
    """Shoots at Quality 2+, each shooter at a model of its own choice, before other weapons are fired."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(picks_model=True, rank=FIRST, shots_only=True)

    def quality(self, ctx: AttackContext) -> int | None:
        return 2 if ctx.shooting else None


class Transport(SpecialRule):
    """Has X spaces for passengers."""

    stacks: ClassVar[bool] = True

    def carries(self, ctx: UnitContext) -> int:
        return self.value
