"""Special rules that only Regiments 3.4 prints in this way."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.rules.hooks import Aiming, SpecialRule, UnitContext
from shieldwall.rules.special.aiming import FIRST, Sniper


class SniperFirst(Sniper):
    """Shoots at Quality 2+, each shooter at a model of its own choice, before other weapons are fired."""

    def aims(self, ctx: UnitContext) -> Aiming:
        return replace(super().aims(ctx), rank=FIRST)


class Transport(SpecialRule):
    """Has X spaces for passengers."""

    stacks: ClassVar[bool] = True

    def carries(self, ctx: UnitContext) -> int:
        return self.value
