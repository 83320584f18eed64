"""Rules that a model has in some attacks only."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from shieldwall.core import blocks as b
from shieldwall.rules.army.conditions import OF_BEARER, by_itself, in_a_fight, is_attack, parts_of
from shieldwall.rules.hooks import Aiming, AttackContext, Scope, SpecialRule, UnitContext, WoundContext

OF_ONE_KIND: dict[str, tuple[b.When, ...]] = {
    **dict.fromkeys(("aims", "longer_range", "shoots_after"), (b.When(attack="shoot"),)),
    **dict.fromkeys(
        ("strikes_with_dice", "hits_when_hurt", "melee_score", "rolls_for_score", "frightens"),
        (b.When(attack="melee"),),
    ),
    **dict.fromkeys(
        ("extra_hits_on_charge", "attacks_on_charge", "strikes_late"),
        (b.When(attack="melee"), b.When(attack="melee", charging=True)),
    ),
    "strikes_early": (
        b.When(attack="melee"),
        b.When(attack="melee", charging=True),
        b.When(attack="melee", charged=True),
    ),
}
BY_BEARER: dict[str, Any] = {
    "move": 0,
    "to_morale": None,
    "morale_failed": 0,
    "passes_morale": False,
    "morale_again": False,
    "ignores_wounds_on": 0,
}
"""Hooks that ask about the bearer alone, with what they answer where a condition about it does not hold."""


class UnderCondition(SpecialRule):
    """Another rule, which the bearer has in some attacks only."""

    def __init__(self, printed: str, rule: SpecialRule, scope: Scope, when: b.Whens) -> None:
        super().__init__(printed, rule.value, rule.cite)
        self.rule, self.when, self.scope = rule, when, scope
        self.face, self.takes_weight, self.regenerates = rule.face, rule.takes_weight, rule.regenerates
        self.rolls_weight, self.saves_whole_units = rule.rolls_weight, rule.saves_whole_units
        self.always_alike = rule.always_alike and "move" not in rule.hooks
        for hook in rule.hooks:  # what is asked outside an attack does not hang on the attack
            if hook in BY_BEARER:
                setattr(self, hook, self._while_it_holds(hook))
            elif hook == "wound_sum":
                setattr(self, hook, self._sum_for_attacks)
            elif hook not in IN_ATTACKS:
                setattr(self, hook, getattr(rule, hook))
        if "aims" in rule.hooks:
            self._limit_aims(rule)

    def _while_it_holds(self, hook: str) -> Any:
        """What the rule says where the condition about its bearer holds, and nothing where it does not."""
        told, nothing = getattr(self.rule, hook), BY_BEARER[hook]

        def ask(ctx: UnitContext | WoundContext, *more: Any) -> Any:
            kind = getattr(ctx, "kind", None)
            holds = by_itself(self.when, ctx.state, ctx.unit) and (kind is None or is_attack(self.when, kind))
            return told(ctx, *more) if holds else nothing

        return ask

    def _sum_for_attacks(self, ctx: UnitContext, melee: bool) -> int:
        """What the rule adds to checks after the attacks that the condition lets through."""
        return self.rule.wound_sum(ctx, melee) if is_attack(self.when, "strike" if melee else "shoot") else 0

    def _is_of_bearer(self, hook: str) -> bool:
        """Whether a hook about the bearer alone can judge the condition."""
        known = OF_BEARER | ({"attack"} if hook == "ignores_wounds_on" else set())
        return hook in BY_BEARER and all(parts_of(when) <= known for when in self.when)

    def _limit_aims(self, rule: SpecialRule) -> None:
        """Where the rule holds for shots alone, blows are aimed as ever; cover may depend on the target."""
        shots = all(when.attack == "shoot" for when in self.when)

        def aims(ctx: UnitContext) -> Aiming | None:
            given = rule.aims(ctx)
            if given is None or self.is_natural("aims"):
                return given and replace(given, shots_only=given.shots_only or shots)
            return replace(given, shots_only=shots, ignores_cover="none")

        setattr(self, "aims", aims)  # noqa: B010  (a method cannot be assigned to)

    def is_natural(self, hook: str) -> bool:
        """Whether the condition is one that a hook has by its nature."""
        return all(when in (*OF_ONE_KIND.get(hook, ()), ATTACKING) for when in self.when)

    @property
    def is_whole(self) -> bool:
        """Whether the condition is kept in all that the rule does."""
        return all(
            hook in IN_ATTACKS
            or (self.is_natural(hook) and hook not in BY_BEARER)
            or self._is_of_bearer(hook)
            or (hook == "aims" and self._aims_by_target())
            or (hook == "wound_sum" and all(parts_of(when) <= {"attack"} for when in self.when))
            for hook in self.rule.hooks
        )

    def _aims_by_target(self) -> bool:
        """Whether all that the rule changes in aiming can wait until the target is known."""
        given = self.rule.aims(None)  # type: ignore[arg-type]  # no rule asks who aims
        return given is None or (given.needs_sight and not given.picks_model)

    def _covers(self) -> bool:
        given = self.rule.aims(None) if "aims" in self.rule.hooks else None  # type: ignore[arg-type]
        return given is not None and given.ignores_cover == "all" and not self.is_natural("aims")

    @property
    def hooks(self) -> tuple[str, ...]:
        return (*self.rule.hooks, "drops_cover") if self._covers() else self.rule.hooks

    @property
    def same(self) -> tuple[str, int]:
        name, sign = self.rule.same
        return f"{name} by {self.name}", sign

    def in_attack(self, ctx: AttackContext) -> SpecialRule | None:
        bearer = ctx.target if any(hook in ON_ME for hook in self.rule.hooks) else ctx.unit
        return self.rule if in_a_fight(self.when, ctx, bearer) else None

    def scope_of(self, hook: str) -> Scope:
        return self.rule.scope_of(hook) if self.rule.scope_of(hook) != "weapon" else self.scope


ATTACKING = b.When(attack="attack")
ON_ME = frozenset({"counts_in_cover", "to_be_hit", "hit_on_me", "hits_on_me_again"})
IN_ATTACKS = ON_ME | {
    "attacks_for_blocks",
    "backfires",
    "charge_hit",
    "drops_cover",
    "drops_penalties",
    "extra_attacks",
    "hit",
    "ignores_rule",
    "marks",
    "misses_again",
    "more_attacks",
    "multiplies",
    "quality",
    "six",
    "six_counts_as",
    "to_hit",
}
