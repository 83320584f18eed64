"""Rules that change the roll to hit, or the effect of natural 6s to hit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import AttackContext, Scope, SpecialRule, UnitContext

LONG_RANGE = 9000  # thousandths of an inch: "over 9 inches away"


class Reliable(SpecialRule):
    """Attacks are made at Quality 2+."""

    scope: Scope = "weapon"

    def quality(self, ctx: AttackContext) -> int:
        return 2


class ExtraHitOnCharge(SpecialRule):
    """When charging, each natural 6 to hit in melee gives one extra hit."""

    def marks(self, ctx: AttackContext) -> int:
        return 1 if ctx.charging and ctx.melee else 0


class ExtraHitFarAway(SpecialRule):
    """When shooting at enemies over 9 inches away, each natural 6 gives one extra hit."""

    def marks(self, ctx: AttackContext) -> int:
        return 1 if ctx.shooting and ctx.near > LONG_RANGE else 0


class ExtraHitOnHold(SpecialRule):
    """When shooting on a Hold, each natural 6 gives one extra hit."""

    def marks(self, ctx: AttackContext) -> int:
        return 1 if ctx.shooting and ctx.held else 0


class ExtraHitAlways(SpecialRule):
    """Each natural 6 of this weapon gives one extra hit, in shooting and melee."""

    scope: Scope = "weapon"

    def marks(self, ctx: AttackContext) -> int:
        return 1 if ctx.shooting or ctx.melee else 0


class SergeantSixes(SpecialRule):
    """Each natural 6 of this one model's attacks gives one extra hit."""

    def marks(self, ctx: AttackContext) -> int:
        return 1 if ctx.shooting or ctx.melee else 0


class SergeantBonus(SpecialRule):
    """+1 to hit for the attacks of this one model."""

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(1) if ctx.shooting or ctx.melee else None


class Stealth(SpecialRule):
    """Enemies shooting from over 9 inches have -1 to hit, measured from unit to unit."""

    scope: Scope = "all"

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        near = ctx.near if ctx.picked >= 0 else ctx.unit_near
        return self.mod(-1) if ctx.shooting and near > LONG_RANGE else None


class Entrenched(SpecialRule):
    """Enemies shooting from over 9 inches have -2 to hit while the unit has not moved."""

    scope: Scope = "all"

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        near = ctx.near if ctx.picked >= 0 else ctx.unit_near
        return self.mod(-2) if ctx.shooting and near > LONG_RANGE and ctx.target.stayed else None


class Artillery(SpecialRule):
    """Hold only; +1 to hit when shooting over 9 inches, -2 to be hit by shots from over 9 inches.

    Each such model has the bonus and keeps its whole unit in place; only a unit of nothing else has the protection.
    """

    scopes: ClassVar[Mapping[str, Scope]] = {"actions": "any", "to_be_hit": "all"}

    def actions(self, ctx: UnitContext) -> frozenset[str]:
        return frozenset({"hold"})

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(1) if ctx.shooting and ctx.near > LONG_RANGE else None

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        near = ctx.near if ctx.picked >= 0 else ctx.unit_near
        return self.mod(-2) if ctx.shooting and near > LONG_RANGE else None


class Unstoppable(SpecialRule):
    """Penalties to hit are ignored, and so are reductions of its armour piercing and its range."""

    scope: Scope = "weapon"
    keeps_strength: bool = True

    def drops_penalties(self, ctx: AttackContext) -> bool:
        return True
