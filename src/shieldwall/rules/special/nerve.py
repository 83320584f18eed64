"""Rules about toughness, morale, melee results, heroes and magic."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.core.values import Mod
from shieldwall.rules.hooks import PrintedContext, Scope, SpecialRule, UnitContext, WoundContext


class Tough(SpecialRule):
    """Takes X wounds before it is removed. The number itself is part of the profile."""

    stacks: ClassVar[bool] = True

    def wounds(self, ctx: PrintedContext) -> int:
        return self.value


class RegenerationUnit(SpecialRule):
    """A unit in which all models have it ignores each wound on 5 or more."""

    scope: Scope = "all"
    regenerates: bool = True
    saves_whole_units: bool = True

    def ignores_wounds_on(self, ctx: WoundContext) -> int:
        return 5


class RegenerationModel(SpecialRule):
    """The model ignores each wound on 5 or more."""

    regenerates: bool = True

    def ignores_wounds_on(self, ctx: WoundContext) -> int:
        return 5


class FearScore(SpecialRule):
    """Counts as X extra wounds in the melee result."""

    stacks: ClassVar[bool] = True

    def melee_score(self, ctx: UnitContext) -> int:
        return self.value


class FearSum(SpecialRule):
    """Adds X to wound checks the unit causes."""

    scope: Scope = "any"
    stacks: ClassVar[bool] = True

    def wound_sum(self, ctx: UnitContext, melee: bool) -> int:
        return self.value


class FearSumOfBlows(FearSum):
    """Adds X to wound checks that the unit causes in melee."""

    def wound_sum(self, ctx: UnitContext, melee: bool) -> int:
        return self.value if melee else 0


class FearlessAll(SpecialRule):
    """A unit in which all models have it turns a failed morale test into a pass on 4 or more."""

    scope: Scope = "all"

    def morale_failed(self, ctx: UnitContext) -> int:
        return 4


class FearlessMost(SpecialRule):
    """A unit with a majority of such models turns a failed morale test into a pass on 4 or more."""

    scope: Scope = "most"

    def morale_failed(self, ctx: UnitContext) -> int:
        return 4


class Banner(SpecialRule):
    """+1 on morale tests of the whole unit."""

    scope: Scope = "any"

    def to_morale(self, ctx: UnitContext) -> Mod:
        return self.mod(1)


class HeroJoins(SpecialRule):
    """May join a unit, and test morale for it."""

    def joins(self, ctx: UnitContext) -> bool:
        return True

    def tests_for_others(self, ctx: UnitContext) -> bool:
        return True


class HeroAura(SpecialRule):
    """Friends within 12 inches may use its Quality and its morale rules for their tests."""

    scope: Scope = "aura"

    def tests_for_others(self, ctx: UnitContext) -> bool:
        return True


class Caster(SpecialRule):
    """Gains X spell tokens each round."""

    stacks: ClassVar[bool] = True

    def tokens_gained(self, ctx: UnitContext) -> int:
        return self.value
