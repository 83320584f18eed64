"""Rules about what a weapon may be aimed at, how often, and in which order volleys are resolved."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import Aiming, AttackContext, Scope, SpecialRule, UnitContext
from shieldwall.rules.special.piercing import Deadly

FIRST, EARLY = 1, 2


class Indirect(SpecialRule):
    """No sight needed, ignores cover from terrain in between, -1 to hit after moving."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(needs_sight=False, ignores_cover="behind")

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(-1) if ctx.shooting and ctx.moved else None


class Takedown(SpecialRule):
    """Singles out one model, which counts as a unit of one; resolved before other weapons."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(picks_model=True, rank=FIRST)


class Sniper(SpecialRule):
    """Shoots at Quality 2+, each shooter at a model of its own choice."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(picks_model=True, shots_only=True)

    def quality(self, ctx: AttackContext) -> int | None:
        return 2 if ctx.shooting else None


class DeadlyFirst(Deadly):
    """Each wound is multiplied by X on one model; these hits are resolved before others."""

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(rank=EARLY)


class BlastByModels(SpecialRule):
    """Ignores cover; each hit becomes X hits, but not more than the target has models."""

    scope: Scope = "weapon"
    stacks: ClassVar[bool] = True

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(ignores_cover="all")

    def multiplies(self, ctx: AttackContext) -> int:
        return self.value


class BlastEachHit(BlastByModels):
    """Ignores cover; each single hit becomes X hits, but not more than the target has models."""

    caps_each_hit: bool = True


class BlastSpread(SpecialRule):
    """Ignores cover; each hit becomes X hits, spread over enemy models around a chosen one."""

    scope: Scope = "weapon"
    stacks: ClassVar[bool] = True

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(ignores_cover="all", picks_centre=True)

    def multiplies(self, ctx: AttackContext) -> int:
        return self.value


class Limited(SpecialRule):
    """May be used once per game."""

    scope: Scope = "weapon"

    def may_use(self, ctx: UnitContext, uses: int) -> bool:
        return uses == 0


class Counter(SpecialRule):
    """Strikes first when its bearer is charged, and cancels the charger's Impact."""

    scope: Scope = "weapon"
    takes_weight = True

    def strikes_early(self, ctx: UnitContext) -> bool:
        return True


class Impact(SpecialRule):
    """X dice on a charge, a hit on each 2 or more."""

    stacks: ClassVar[bool] = True

    def extra_hits_on_charge(self, ctx: UnitContext) -> int:
        return self.value


class ImpactDice(Impact):
    """X dice on a charge, a hit on each 2 or more, also where the rulebook's Impact cannot miss."""

    rolls_weight: bool = True
