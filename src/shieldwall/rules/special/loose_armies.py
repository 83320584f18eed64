"""Rules of the books for loose armies that no later edition prints in this form."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import AttackContext, Scope, SpecialRule, UnitContext

SHOOTING, MELEE = "shooting", "melee"


class Ambush(SpecialRule):
    """May stay off the table and arrive later; holds markers like any other unit."""

    scope: Scope = "all"

    def keeps_back(self, ctx: UnitContext) -> str:
        return "ambush"


class FearlessBonus(SpecialRule):
    """+1 on morale tests of a unit in which most models have it."""

    scope: Scope = "most"

    def to_morale(self, ctx: UnitContext) -> Mod:
        return self.mod(1)


class MeleeBonus(SpecialRule):
    """The unit counts one extra wound in the melee result."""

    scope: Scope = "any"

    def melee_score(self, ctx: UnitContext) -> int:
        return 1


class SergeantPicked(SpecialRule):
    """+1 to hit for this one model, shooting or in melee, chosen by its owner before the game."""

    def picks_before_game(self, ctx: UnitContext) -> tuple[str, ...]:
        return (SHOOTING, MELEE)

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        way = SHOOTING if ctx.shooting else MELEE if ctx.melee else ""
        return self.mod(1) if (pick_name(self), way) in ctx.unit.picks else None


class StealthAnywhere(SpecialRule):
    """Enemies have -1 to hit it when shooting, at any distance."""

    scope: Scope = "all"

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(-1) if ctx.shooting else None


class Wizard(SpecialRule):
    """Casts spells, and stops those of enemies, with D6+X."""

    kept_as: ClassVar[str] = "magic"  # casting and stopping share one attempt
    stacks: ClassVar[bool] = True

    def casts_with(self, ctx: UnitContext) -> int:
        return self.value


def pick_name(rule: SpecialRule) -> str:
    """The name under which a unit stores the choice for one of its rules."""
    return rule.name.lower()
