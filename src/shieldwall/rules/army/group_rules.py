"""Army rules about the models of a unit together: lost ones that come back, and casters in a group."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import UnitContext


class BringsBack(BlockRule):
    """Lost models and wounds may come back when the unit is activated."""

    block: b.Restores

    def restores_on(self, ctx: UnitContext) -> int:
        return self.amount(self.block.on)


class CastsInGroup(BlockRule):
    """One model of its unit gains spell tokens for all that have the rule."""

    block: b.CasterGroup

    def casts_for_group(self, ctx: UnitContext) -> bool:
        return True

    def tokens_gained(self, ctx: UnitContext) -> int:
        profiles = ctx.state.profiles
        return sum(any(ref.name == self.name for ref in profiles[m.profile].rules) for m in ctx.unit.models)
