"""Rules that change the properties of hits: armour piercing, rerolled blocks, multiplied wounds."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import AttackContext, HitKind, Scope, SpecialRule
from shieldwall.rules.special.hitting import Unstoppable


class ArmourPiercing(SpecialRule):
    """Hits give the target -X on its Defense rolls."""

    scope: Scope = "weapon"
    stacks: ClassVar[bool] = True

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, self.value)


class Thrust(SpecialRule):
    """Charging: +1 to hit and AP(+1)."""

    scope: Scope = "weapon"

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(1) if ctx.charging and ctx.melee else None

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, 1) if ctx.charging and ctx.melee else kind


class RendingPlusFour(SpecialRule):
    """Natural 6s have AP(+4); no wound of the weapon can be regenerated."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, no_saves=True)

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, 4)


class RendingFour(SpecialRule):
    """Natural 6s count as at least AP(4), or by a house rule as AP(+4); no wound of the weapon can be regenerated."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, no_saves=True)

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        if ("rending-ap", "added") in ctx.switches:
            return pierce(self, kind, 4)
        return pierce(self, kind, 4 - kind.ap) if kind.ap < 4 else kind


class Bane(SpecialRule):
    """Natural 6s to block are rerolled; wounds cannot be regenerated."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, again_from=6, no_saves=True)


class UnstoppableWounds(Unstoppable):
    """Whatever makes its attacks worse is ignored, and wounds cannot be regenerated."""

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, no_saves=True)


class Deadly(SpecialRule):
    """Each wound is multiplied by X on one model; these hits are resolved before others."""

    scope: Scope = "weapon"
    stacks: ClassVar[bool] = True

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, multiply=kind.multiply * self.value)


def pierce(rule: SpecialRule, kind: HitKind, amount: int) -> HitKind:
    """A hit with more armour piercing, and the reason why."""
    if amount == 0:
        return kind
    why = Mod(-amount, f"AP(+{amount}) by {rule.name}" if rule.name != "AP" else f"AP({amount})", rule.cite)
    return replace(kind, ap=kind.ap + amount, mods=(*kind.mods, why))
