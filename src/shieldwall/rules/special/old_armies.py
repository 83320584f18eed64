"""Rules of the books for loose armies that no later edition prints in this way."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core.state import RuleRef, Weapon
from shieldwall.core.values import Mod
from shieldwall.rules.hooks import (
    Aiming,
    AttackContext,
    BlockContext,
    HitKind,
    PrintedContext,
    Scope,
    SpecialRule,
    UnitContext,
)
from shieldwall.rules.special.piercing import pierce

SHOOTING, MELEE = "shooting", "melee"
BREATH_HITS, BREATH_REACH = 3, 12_000


class Ambush(SpecialRule):
    """May stay off the table and come in later; it holds markers like anybody else."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "ambush"


class ArtilleryDefense(SpecialRule):
    """Counts as Defense 2+ against shots."""

    def defense(self, ctx: BlockContext) -> int | None:
        return 2 if ctx.kind == "shoot" else None


class BreathAttack(SpecialRule):
    """Three sure hits with AP(1), once a round: in melee, or shooting at up to 12 inches.

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
    """Charging, it has one more attack with a weapon of its owner's choice."""

    def attacks_on_charge(self, ctx: UnitContext) -> int:
        return 1


class FearDice(SpecialRule):
    """The unit counts D3 more wounds when a melee is decided."""

    scope: Scope = "any"

    def rolls_for_score(self, ctx: UnitContext) -> bool:
        return True


class FearlessBonus(SpecialRule):
    """+1 on morale tests of a unit in which most models have it."""

    scope: Scope = "most"

    def to_morale(self, ctx: UnitContext) -> Mod:
        return self.mod(1)


class MeleeBonus(SpecialRule):
    """The unit counts one more wound when a melee is decided."""

    scope: Scope = "any"

    def melee_score(self, ctx: UnitContext) -> int:
        return 1


class Phalanx(SpecialRule):
    """Who charges a unit of such models has no use of charging, and is tested before any blow."""

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


class SergeantPicked(SpecialRule):
    """+1 to hit for this one model, shooting or in melee: its owner says which before the game."""

    def picks_before_game(self, ctx: UnitContext) -> tuple[str, ...]:
        return (SHOOTING, MELEE)

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        way = SHOOTING if ctx.shooting else MELEE if ctx.melee else ""
        return self.mod(1) if (pick_name(self), way) in ctx.unit.picks else None


class Sniper(SpecialRule):
    """Shoots at Quality 2+, each shooter at a model of its own choice."""

    scope: Scope = "weapon"

    def aims(self, ctx: UnitContext) -> Aiming:
        return Aiming(picks_model=True, shots_only=True)

    def quality(self, ctx: AttackContext) -> int | None:
        return 2 if ctx.shooting else None


class StealthAnywhere(SpecialRule):
    """Enemies that shoot have -1 to hit, from however near."""

    scope: Scope = "all"

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(-1) if ctx.shooting else None


class Wizard(SpecialRule):
    """Casts spells and stops those of others with D6+X."""

    kept_as: ClassVar[str] = "magic"  # casting and stopping are one try
    stacks: ClassVar[bool] = True

    def casts_with(self, ctx: UnitContext) -> int:
        return self.value


def pick_name(rule: SpecialRule) -> str:
    """The name under which a unit keeps what was picked for one of its rules."""
    return rule.name.lower()
