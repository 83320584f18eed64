"""Policies that all editions of ranked regiments share."""

from __future__ import annotations

from typing import ClassVar

from shieldwall.core.frames import Activation, Attack, Melee, Morale
from shieldwall.core.pending import Option
from shieldwall.core.state import Model, Pose, Profile, State, Unit, setting
from shieldwall.core.values import Mod
from shieldwall.rules.features.block import charge_choices
from shieldwall.rules.features.block_joining import block_slots
from shieldwall.rules.features.block_limits import standing_in_danger
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.tokens import FREE_SIGN, TokenRules, can_cast
from shieldwall.rules.hooks import AttackContext, SpecialRule, UnitContext
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Policies, Ruleset
from shieldwall.table.cover import cover_of
from shieldwall.table.formations import full_rows, pose_after_loss, striking_models

JOINER_TOUGH_MAX = 6


class RankedPolicies(Policies):
    """Ranked blocks; Defense blocks hits; nerve breaks into Shaken."""

    tokens: ClassVar[TokenRules] = FREE_SIGN

    def uses_blocks(self) -> bool:
        return True

    def sight_method(self, state: State) -> str:
        return "outline"

    def cover_policy(self) -> str:
        return "ranks"

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        if not ctx.melee:
            return None
        if ctx.unit.broken:
            return Mod(0, "Shaken: natural 6s only", rules.cite("hit.broken"))
        return Mod(0, "fatigued: natural 6s only", rules.cite("hit.tired")) if ctx.unit.tired else None

    def block_mods(self, rules: Ruleset, state: State, frame: Attack, unit: Unit) -> tuple[Mod, ...]:
        if frame.kind == "shoot" and frame.volley is not None and frame.volley.cover != "none":
            return (Mod(1, "cover", rules.cite("block.cover")),)
        return ()

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        return tuple(unit.models[index] for index in striking_models(unit, state.profiles))

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        return charge_choices(rules, state, unit)

    def may_strike(self, frame: Melee, unit: Unit, phase: str) -> bool:
        return phase == "charger" or frame.arc == "front"

    def orders_blows(self) -> bool:
        return True

    def early_models(
        self, rules: Ruleset, state: State, frame: Melee, carriers: tuple[int, ...]
    ) -> tuple[int, ...]:
        if frame.arc != "front":
            return ()
        target = state.units[frame.target]
        front = {model.id for model in self.strikers(rules, state, target, target)}
        return tuple(model for model in carriers if model in front)

    def melee_score(self, rules: Ruleset, state: State, unit: Unit) -> int:
        if not rules.hooks.may_have("melee_score", unit, state.profiles):
            return full_rows(unit, state.profiles)
        ctx = UnitContext(state, unit)
        dread = [
            sum(rule.melee_score(ctx) for rule in hooks.get("melee_score", ()))
            for hooks in (rules.hooks.of_model(unit, model, state.profiles) for model in unit.models)
        ]
        highest = setting(state, "fear-stacking", "each-model") == "highest"
        return full_rows(unit, state.profiles) + (max(dread) if highest else sum(dread))

    def defeat_mods(self, rules: Ruleset, frame: Melee, loser: Unit) -> tuple[Mod, ...]:
        if loser.id != frame.target or frame.arc == "front":
            return ()
        if frame.arc == "rear":
            return (Mod(-2, "charged in the rear", rules.cite("morale.rear")),)
        return (Mod(-1, "charged in the flank", rules.cite("morale.flank")),)

    def second_chances(
        self, rules: Ruleset, state: State, unit: Unit, frame: Morale
    ) -> tuple[SpecialRule, ...]:
        if unit.broken and setting(state, "fearless-when-shaken", "on") == "off":
            return ()
        return super().second_chances(rules, state, unit, frame)

    def spell_cover(self, rules: Ruleset, state: State, caster: Unit, target: Unit) -> tuple[Mod, ...]:
        if setting(state, "cover-against-spells", "off") == "off":
            return ()
        everybody = tuple(range(len(caster.models)))
        if cover_of(state, self.cover_policy(), caster.id, everybody, target.id).kind == "none":
            return ()
        return (Mod(1, "cover", rules.cite("block.cover")),)

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        return standing_in_danger(rules, state, unit)

    def place_question(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> PlaceQuestion:
        return BlockPlacing(rules, state, unit, ground, kind, prompt)

    def block_after_loss(self, state: State, unit: Unit, survivors: tuple[Model, ...]) -> Pose | None:
        return pose_after_loss(unit, survivors, state.profiles) if unit.block is not None else None

    def may_join(self, profile: Profile) -> bool:
        return profile.wounds <= JOINER_TOUGH_MAX

    def joining_slots(self, state: State, host: Unit, joiner: Unit) -> tuple[int, ...]:
        return block_slots(state, host, joiner)

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return can_cast(rules, state, unit, frame, self.tokens)
