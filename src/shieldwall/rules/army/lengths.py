"""Blocks of army rules that change how far units move, charge and shoot."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.rules.army.conditions import OF_BEARER, aimed_at, by_itself, charging_at, parts_of
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import PrintedContext, UnitContext


class MovesFarther(BlockRule):
    """More inches, or fewer, on some actions."""

    block: b.Inches

    def __init__(self, name: str, value: int, cite: str, place: int, block: b.Inches) -> None:
        super().__init__(name, value, cite, place, block)
        self.always_alike = not block.when
        self.at_target = tuple(when for when in self.when if not parts_of(when) <= OF_BEARER)
        self.charges_by_target = bool(self.at_target)

    def move(self, ctx: UnitContext, action: str) -> int:
        if action not in self.block.actions or not self._holds(ctx, action):
            return 0
        return self.amount(self.block.amount)

    def _holds(self, ctx: UnitContext, action: str) -> bool:
        others = tuple(when for when in self.when if when not in self.at_target)
        if (others or not self.when) and by_itself(others, ctx.state, ctx.unit):
            return True
        if not self.at_target or action != "charge" or ctx.target is None:
            return False
        return charging_at(self.at_target, ctx.state, ctx.unit, ctx.target)


class ShootsFarther(BlockRule):
    """A longer range of shots, or a shorter one."""

    block: b.Range

    def longer_range(self, ctx: UnitContext) -> int:
        inches = self.amount(self.block.amount)
        if not self.when:
            return inches
        if ctx.target is None:  # the most that it may be
            return max(0, inches)
        return inches if aimed_at(self.when, ctx.state, ctx.unit, ctx.target) else 0


class CastsFarther(BlockRule):
    """A longer range of the bearer's spells, or a shorter one."""

    block: b.Range

    def spell_range(self, ctx: PrintedContext) -> int:
        return self.amount(self.block.amount)


class ShotAtCloser(BlockRule):
    """Enemies have a shorter range of shots at the bearer's unit, or a longer one."""

    block: b.Range

    def range_at_me(self, ctx: UnitContext) -> int:
        return self.amount(self.block.amount) if by_itself(self.when, ctx.state, ctx.unit) else 0


class ChargedFromCloser(BlockRule):
    """Enemies have fewer inches to charge the bearer's unit, or more."""

    block: b.Inches

    def charge_at_me(self, ctx: UnitContext) -> int:
        return self.amount(self.block.amount) if "charge" in self.block.actions else 0
