"""Blocks of army rules that change how often, when and how well somebody attacks."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.core.state import Profile, Weapon
from shieldwall.rules.army.conditions import by_itself
from shieldwall.rules.army.fighting import BlockRule
from shieldwall.rules.hooks import AttackContext, Scope, UnitContext


class HasMoreAttacks(BlockRule):
    """More attacks with a weapon."""

    block: b.MoreAttacks

    def extra_attacks(self, ctx: AttackContext) -> int:
        weapon = ctx.weapon
        if weapon is None or not self.mine(ctx):
            return 0
        if self.block.doubled:
            return weapon.attacks
        is_meant = self.block.each or self.scope == "weapon" or weapon is main_weapon(ctx.profile, weapon)
        return self.amount(self.block.attacks) if is_meant else 0


def main_weapon(profile: Profile, like: Weapon) -> Weapon:
    """The weapon with the most attacks among those that strike, or shoot, as this one does; the first of several."""
    return max(
        (weapon for weapon in profile.weapons if bool(weapon.reach) == bool(like.reach)),
        key=lambda weapon: weapon.attacks,
    )


class AttacksOnBlockedOnes(BlockRule):
    """Natural 1s to block its hits bring more attacks."""

    block: b.ExtraAttacks

    def attacks_for_blocks(self, ctx: AttackContext) -> int:
        return self.amount(self.block.attacks) if self.mine(ctx) else 0


class CountsInCover(BlockRule):
    """Counts as being in cover when it is shot at."""

    block: b.InCover

    def counts_in_cover(self, ctx: AttackContext) -> bool:
        return self.on_me(ctx)


class HitsOnCharge(BlockRule):
    """Deals hits on a charge without a roll to hit."""

    block: b.HitDice

    def hits_on_charge(self, ctx: UnitContext) -> bool:
        return True


class IgnoresRule(BlockRule):
    """A rule of the target does not count against its attacks."""

    block: b.Ignores

    def ignores_rule(self, ctx: AttackContext) -> str:
        return self.block.what if self.mine(ctx) else ""


class StrikesLast(BlockRule):
    """Strikes after those it charges."""

    block: b.StrikeOrder

    def strikes_late(self, ctx: UnitContext) -> bool:
        return True


class PassesMorale(BlockRule):
    """Passes every morale test."""

    block: b.PassesTests

    def passes_morale(self, ctx: UnitContext) -> bool:
        return by_itself(self.when, ctx.state, ctx.unit)


class RescuesTests(BlockRule):
    """Turns a failed morale test into a passed one on a die."""

    block: b.Rescued

    def morale_failed(self, ctx: UnitContext) -> int:
        return self.amount(self.block.on) if by_itself(self.when, ctx.state, ctx.unit) else 0


class NeverTires(BlockRule):
    """Is never fatigued by fighting."""

    block: b.Untiring
    scope: Scope = "all"

    def never_tires(self, ctx: UnitContext) -> bool:
        return True
