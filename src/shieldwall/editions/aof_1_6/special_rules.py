"""Special rules that only Age of Fantasy 1.6 prints in this way.

Nothing stacks: of the same rule from two sources the higher value counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core.values import Mod
from shieldwall.editions.aof_1_6.melee import FIRE_REACH
from shieldwall.rules.hooks import (
    Aiming,
    AttackContext,
    Crossing,
    HitKind,
    PrintedContext,
    Scope,
    SpecialRule,
    UnitContext,
)
from shieldwall.rules.special.aiming import Sniper
from shieldwall.rules.special.piercing import pierce

DEADLY_TIMES = 3
ARTILLERY_PIERCING = 2
_FAST = {"advance": 3000, "rush": 6000, "charge": 6000}
_SLOW = {"advance": -2000, "rush": -4000, "charge": -4000}


class Piercing(SpecialRule):
    """The target's Defense counts as X lower."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, self.value)


class SlowArtillery(SpecialRule):
    """Slow, fires only on a Hold, and every melee hit on it has AP(+2)."""

    scopes: ClassVar[Mapping[str, Scope]] = {"hit_on_me": "most", "fires_on_hold_only": "model"}
    grants: ClassVar[tuple[tuple[str, int], ...]] = (("Slow", 0),)
    of_kinds: ClassVar[tuple[str, ...]] = ("artillery",)

    def fires_on_hold_only(self, ctx: UnitContext) -> bool:
        return True

    def hit_on_me(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return pierce(self, kind, ARTILLERY_PIERCING) if ctx.kind in ("strike", "momentum") else kind


class Monster(SpecialRule):
    """Always has Fear and Impact(3)."""

    grants: ClassVar[tuple[tuple[str, int], ...]] = (("Fear", 0), ("Impact", 3))
    of_kinds: ClassVar[tuple[str, ...]] = ("monster", "large monster", "giant")


class Chariot(SpecialRule):
    """Always has Fast and Impact(3)."""

    grants: ClassVar[tuple[tuple[str, int], ...]] = (("Fast", 0), ("Impact", 3))
    of_kinds: ClassVar[tuple[str, ...]] = ("chariot",)


class BlastUncapped(SpecialRule):
    """Each hit becomes X hits, however few models the target has."""

    scope: Scope = "weapon"

    def multiplies(self, ctx: AttackContext) -> int:
        return self.value


class DeadlyThrice(SpecialRule):
    """Each wound counts three times on the model it hits."""

    scope: Scope = "weapon"

    def hit(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, multiply=kind.multiply * DEADLY_TIMES)


class FastFar(SpecialRule):
    """9 inches on Advance, 18 on Rush and Charge; it and Slow cancel each other."""

    cancels: ClassVar[str] = "Slow"

    def move(self, ctx: UnitContext, action: str) -> int:
        return _FAST.get(action, 0)


class SlowPaced(SpecialRule):
    """4 inches on Advance, 8 on Rush and Charge."""

    def move(self, ctx: UnitContext, action: str) -> int:
        return _SLOW.get(action, 0)


class FearTest(SpecialRule):
    """Enemies without Fear are tested before they fight it, and strike at -1 when they fail."""

    scope: Scope = "any"

    def frightens(self, ctx: UnitContext) -> bool:
        return True


class Frightened(SpecialRule):
    """-1 to hit in the melee after the unit failed its test."""

    scope: Scope = "any"

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(-1) if ctx.melee else None


class FireBreath(SpecialRule):
    """Once per game, 2D6 automatic hits, in melee or on an enemy up to 12 inches away."""

    scope: Scope = "any"

    def breathes_fire(self, ctx: UnitContext) -> int:
        return FIRE_REACH


class Flight(SpecialRule):
    """Passes over units and obstacles and ignores terrain while moving."""

    def crossing(self, ctx: UnitContext) -> Crossing:
        return Crossing(units=True, terrain=True, difficult=True)


class FuriousTest(SpecialRule):
    """Charging, it takes a Quality test; a success is a hit."""

    def tests_for_hits(self, ctx: UnitContext) -> bool:
        return True


class ImpactSure(SpecialRule):
    """X hits without a roll on a charge."""

    def extra_hits_on_charge(self, ctx: UnitContext) -> int:
        return self.value


class IndirectUnseen(SpecialRule):
    """No sight needed, but targets that are not seen count as in cover."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(needs_sight=False, unseen_in_cover=True)


class PhalanxTests(SpecialRule):
    """A unit that charges such models is tested before any blow, at most once for each of them."""

    scope: Scope = "any"

    def tests_chargers(self, ctx: UnitContext) -> bool:
        return True


class PoisonTwo(SpecialRule):
    """Hits from natural 6s wound on 2 or more, whatever the Defense."""

    scope: Scope = "weapon"

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        return replace(kind, wounds_on=2)


class ScoutLast(SpecialRule):
    """Is deployed after all other units, anywhere over 12 inches from enemies."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "scout"


class Vanguard(SpecialRule):
    """Is deployed after all other units and moves up to 12 inches at once."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "vanguard"


class SniperPast(Sniper):
    """Shoots at Quality 2+ past any cover, each shooter at a model of its own choice."""

    def aims(self, ctx: UnitContext) -> Aiming:
        return replace(super().aims(ctx), ignores_cover="all")


class ToughMost(SpecialRule):
    """Takes X wounds before it is removed; of two values the higher one counts."""

    def wounds(self, ctx: PrintedContext) -> int:
        return self.value


class HeroInfantry(SpecialRule):
    """May join a unit of Infantry, which does not use its Quality."""

    def joins(self, ctx: UnitContext) -> bool:
        return True


class TransportHold(SpecialRule):
    """Has room for X models of Infantry."""

    def carries(self, ctx: UnitContext) -> int:
        return self.value


class WizardDice(SpecialRule):
    """Rolls X dice to cast a spell, or to stop one, and takes the highest."""

    kept_as: ClassVar[str] = "cast"

    def casts_with(self, ctx: UnitContext) -> int:
        return self.value
