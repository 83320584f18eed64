"""Special rules that only this edition prints."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.state import RuleRef, Weapon
from shieldwall.rules.hooks import (
    AttackContext,
    BlockContext,
    HitKind,
    PrintedContext,
    Scope,
    SpecialRule,
    UnitContext,
)
from shieldwall.rules.special.piercing import pierce

BREATH_HITS, BREATH_REACH = 3, 12_000


class ArtilleryDefense(SpecialRule):
    """Counts as Defense 2+ against shots."""

    def defense(self, ctx: BlockContext) -> int | None:
        return 2 if ctx.kind == "shoot" else None


class BreathAttack(SpecialRule):
    """Three automatic hits with AP(1), once per round: in melee, or shooting at up to 12 inches.

    Its bearer is given two weapons, one for each way, which carry this rule and share one use.
    """

    def weapons(self, ctx: PrintedContext) -> tuple[Weapon, ...]:
        rules = (RuleRef("AP", 1), RuleRef(self.name))
        return (
            Weapon(self.name, BREATH_HITS, BREATH_REACH, rules),
            Weapon(self.name, BREATH_HITS, 0, rules),
        )

    def hits_surely(self, ctx: UnitContext) -> bool:
        return True

    def once_a_round(self, ctx: UnitContext) -> bool:
        return True


class ExtraAttackOnCharge(SpecialRule):
    """On a charge it has one more attack, with a weapon of its owner's choice."""

    def attacks_on_charge(self, ctx: UnitContext) -> int:
        return 1


class FearDice(SpecialRule):
    """The unit counts D3 more wounds in the melee result."""

    scope: Scope = "any"

    def rolls_for_score(self, ctx: UnitContext) -> bool:
        return True


class Phalanx(SpecialRule):
    """A unit that charges such models gets no charge bonuses, and is tested before any blow."""

    scope: Scope = "all"

    def denies_charge(self, ctx: UnitContext) -> bool:
        return True

    def tests_chargers(self, ctx: UnitContext) -> bool:
        return True


class TripleSixes(SpecialRule):
    """Each natural 6 to hit counts as three hits."""

    scope: Scope = "weapon"

    def six_counts_as(self, ctx: AttackContext) -> int:
        return 3


class RendingSixes(SpecialRule):
    """Natural 6s count as AP(4) at least, or by a switch as AP(+4); only their wounds cannot be regenerated."""

    scope: Scope = "weapon"

    def six(self, ctx: AttackContext, kind: HitKind) -> HitKind:
        added = ("rending-ap", "added") in ctx.switches
        sharper = pierce(self, kind, 4 if added else max(0, 4 - kind.ap))
        return replace(sharper, no_saves=True)
