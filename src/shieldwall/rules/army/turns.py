"""Blocks of army rules about whose turn it is and what a unit must do when it is activated."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.core.values import Mod
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import AttackContext, Scope, UnitContext


class PassesTurns(BlockRule):
    """May pass the turn instead of being activated, and act later."""

    block: b.MayPass
    scope: Scope = "any"

    def may_pass(self, ctx: UnitContext) -> bool:
        return True


class CallsFriend(BlockRule):
    """When its activation ends, a friend near it may act at once."""

    block: b.Coordinates
    scope: Scope = "any"

    def calls_friend(self, ctx: UnitContext) -> int:
        return self.amount(self.block.reach)


class AttacksClosest(BlockRule):
    """Must attack the closest enemy it can as soon as it is activated, and hits better then.

    Only a unit that is forced to can shoot on a Hold or charge: both say that this is the attack it was forced to.
    """

    block: b.Impulsive
    scope: Scope = "all"

    def must_attack(self, ctx: UnitContext) -> bool:
        return True

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        is_forced = ctx.charging if ctx.melee else ctx.shooting and ctx.held
        return self.mod(self.amount(self.block.amount)) if is_forced else None
