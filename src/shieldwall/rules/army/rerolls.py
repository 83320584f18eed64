"""Blocks of army rules that have dice rolled again."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.rules.army.conditions import by_itself
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import AttackContext, BlockContext, UnitContext


class MissesAgain(BlockRule):
    """The bearer's failed rolls to hit are rolled again."""

    block: b.RollsAgain

    def misses_again(self, ctx: AttackContext) -> int:
        return self.block.face if self.mine(ctx) else 0


class HitsOnMeAgain(BlockRule):
    """Successful rolls of enemies to hit the bearer are rolled again."""

    block: b.RollsAgain

    def hits_on_me_again(self, ctx: AttackContext) -> int:
        return self.block.face if self.on_me(ctx) else 0


class FailedBlocksAgain(BlockRule):
    """The bearer's failed rolls to block are rolled again."""

    block: b.RollsAgain

    def blocks_again(self, ctx: BlockContext) -> int:
        return self.block.face if self.on_me(ctx) else 0


class MoraleAgain(BlockRule):
    """The bearer's failed morale tests are rolled again."""

    block: b.RollsAgain

    def morale_again(self, ctx: UnitContext) -> bool:
        return by_itself(self.when, ctx.state, ctx.unit)
