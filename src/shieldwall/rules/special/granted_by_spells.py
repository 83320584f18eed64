"""Rules that spells grant to units: signed modifiers. Several spells add up, the same spell counts once.

They apply to every model of their unit. Spells may grant printed rules as well, which need nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from shieldwall.core.state import RuleRef
from shieldwall.core.values import MILLI, Mod
from shieldwall.rules.bindings import Binding
from shieldwall.rules.hooks import AttackContext, BlockContext, Scope, SpecialRule, UnitContext


class Lent(SpecialRule):
    """A modifier of the size and sign of its value, for the whole unit."""

    scope: Scope = "any"
    stacks: ClassVar[bool] = True
    signs_apart: ClassVar[bool] = True

    @property
    def title(self) -> str:
        return f"{self.name} {self.value:+d}"

    @property
    def words(self) -> str:
        """What it changes, in words."""
        return f"{self.value:+d} {self.name.lower()}"

    def lent(self) -> Mod | None:
        """The modifier, if there is one."""
        return self.mod(self.value) if self.value else None


class LentToHit(Lent):
    """Changes every roll of the unit to hit, shooting and in melee."""

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.lent() if ctx.shooting or ctx.melee else None


class LentToShoot(Lent):
    """Changes the unit's rolls to hit when shooting."""

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.lent() if ctx.shooting else None


class LentToStrike(Lent):
    """Changes the unit's rolls to hit in melee."""

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.lent() if ctx.melee else None


class LentToBeHit(Lent):
    """Changes every roll of enemies to hit the unit, shooting and in melee."""

    def to_be_hit(self, ctx: AttackContext) -> Mod | None:
        return self.lent() if ctx.shooting or ctx.melee else None


class LentToBlock(Lent):
    """Changes the unit's Defense rolls."""

    def to_block(self, ctx: BlockContext) -> Mod | None:
        return self.lent()


class LentToMorale(Lent):
    """Changes the unit's morale tests."""

    def to_morale(self, ctx: UnitContext) -> Mod | None:
        return self.lent()


class LentMove(Lent):
    """Adds its value in inches to every move action."""

    @property
    def words(self) -> str:
        return f'{self.value:+d}" on every move'

    def move(self, ctx: UnitContext, action: str) -> int:
        return self.value * MILLI


class LentPace(Lent):
    """Adds its value in inches to Advance, and twice its value to Rush and Charge."""

    @property
    def words(self) -> str:
        return f'{self.value:+d}" when advancing, {2 * self.value:+d}" when rushing or charging'

    def move(self, ctx: UnitContext, action: str) -> int:
        return self.value * MILLI if action == "advance" else 2 * self.value * MILLI


LENT: Mapping[str, type[Lent]] = {
    "To Hit": LentToHit,
    "To Shoot": LentToShoot,
    "To Strike": LentToStrike,
    "To Be Hit": LentToBeHit,
    "To Block": LentToBlock,
    "To Morale": LentToMorale,
    "Move": LentMove,
    "Pace": LentPace,
}


def lent_bindings(cite: str) -> dict[str, Binding]:
    """Bindings of these rules for an edition; `cite` is its row about several modifiers on one roll."""
    return {name: Binding(rule, cite) for name, rule in LENT.items()}


def lent_words(rule: RuleRef, otherwise: Callable[[RuleRef], str]) -> str:
    """What a spell grants, in words: modifiers spelled out, `otherwise` for printed rules."""
    kind = LENT.get(rule.name)
    return kind(rule.name, rule.value, "").words if kind is not None else otherwise(rule)
