"""Special rules that only this edition prints."""

from __future__ import annotations

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import AttackContext, HitKind, Scope, SpecialRule, UnitContext
from shieldwall.rules.special.hitting import LONG_RANGE
from shieldwall.rules.special.moving import MOVE_ACTIONS
from shieldwall.rules.special.piercing import pierce


class StealthByShooter(SpecialRule):
    """Each enemy model that shoots from over 9 inches away has -1 to hit."""

    scope: Scope = "all"

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(-1) if ctx.shooting and ctx.near > LONG_RANGE else None


class MusicianAura(SpecialRule):
    """+1 inch on move actions for the bearer's unit and friends within 12 inches."""

    scope: Scope = "aura"

    def move(self, ctx: UnitContext, action: str) -> int:
        return 1000 if action in MOVE_ACTIONS else 0


class AmbushLastRound(SpecialRule):
    """May stay off the table and arrive later; holds no markers if it arrives in the last round."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "ambush"

    def may_seize(self, ctx: UnitContext, last_round: int) -> bool:
        return ctx.unit.arrived != last_round


class BannerAura(SpecialRule):
    """+1 on morale tests of the bearer's unit and of friends within 12 inches."""

    scope: Scope = "aura"

    def to_morale(self, ctx: UnitContext) -> Mod:
        return self.mod(1)


class LanceTwo(SpecialRule):
    """Charging: AP(+2)."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, 2) if ctx.charging and ctx.melee else kind
