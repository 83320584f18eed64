"""Rules by which units come into the game or leave the table, as special rules: what tells a game that it has them."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import Scope, UnitContext


class BringsOnUnit(BlockRule):
    """Brings on a new unit when it is activated, or when its unit is destroyed."""

    block: b.NewUnit
    scope: Scope = "model"

    def brings_on(self, ctx: UnitContext) -> bool:
        return True


class CopiesItself(BlockRule):
    """A shaken or destroyed unit of these may be replaced by a new one that arrives in the next round."""

    block: b.NewCopy

    def copies_itself(self, ctx: UnitContext) -> bool:
        return True


class LeavesTheTable(BlockRule):
    """May leave the table when its activation ends, to come out of hiding in the next round."""

    block: b.Returns

    def leaves_table(self, ctx: UnitContext) -> bool:
        return True
