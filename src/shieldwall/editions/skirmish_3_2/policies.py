"""What Skirmish 3.2 decides beyond numbers and steps."""

from __future__ import annotations

from shieldwall.core.frames import Activation, Attack, Melee, Morale
from shieldwall.core.pending import Option
from shieldwall.core.state import MILLI, Model, State, Unit, option
from shieldwall.core.values import Mod
from shieldwall.rules.features.loose import models_standing_in_danger
from shieldwall.rules.features.loose_limits import coherency_of
from shieldwall.rules.features.loose_melee import charge_choices, strike_reach
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.features.spread import models_around
from shieldwall.rules.features.tokens import SIGN_BY_SIDE, can_cast
from shieldwall.rules.hooks import AttackContext, SpecialRule
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import PlaceQuestion, Policies, Ruleset
from shieldwall.table.coherency import is_coherent
from shieldwall.table.loose_react import models_in_reach
from shieldwall.table.measure import model_to_unit
from shieldwall.table.zones import ZoneRule, zone_depth

SIGHT = {
    ("basic", "tenth"): "true",
    ("basic", "any"): "true-any-part",
    ("top-down", "tenth"): "top-down",
    ("top-down", "any"): "top-down",
    ("volumetric", "tenth"): "volumetric",
    ("volumetric", "any"): "volumetric",
}


class SkirmishPolicies(Policies):
    """Loose models; Defense blocks hits; the hurt are stunned or knocked out."""

    def sight_method(self, state: State) -> str:
        return SIGHT[option(state, "sight-method"), option(state, "visible-share")]

    def cover_policy(self) -> str:
        return "loose"

    def measures_heights(self) -> bool:
        return True

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        return Mod(0, "fatigued: natural 6s only", "SK32-FATIGUE-01") if ctx.melee and ctx.tired else None

    def block_mods(self, rules: Ruleset, state: State, frame: Attack, unit: Unit) -> tuple[Mod, ...]:
        if frame.kind == "shoot" and frame.volley is not None and frame.volley.cover != "none":
            return (Mod(1, "cover", "SK32-TERRAIN-12"),)
        return ()

    def defense(self, state: State, unit: Unit, picked: int) -> int:
        return state.profiles[unit.models[0].profile].defense

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        near = models_in_reach(state, unit.id, enemy.id, strike_reach(rules))
        return tuple(model for model in unit.models if model.id in near and not model.stunned)

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        return charge_choices(rules, state, unit)

    def idles(self, unit: Unit) -> bool:
        return bool(unit.models) and all(model.stunned for model in unit.models)

    def fails_morale(self, unit: Unit) -> bool:
        return self.idles(unit)

    def is_tired(self, unit: Unit, model: Model) -> bool:
        return model.tired

    def tire(self, unit: Unit, struck: tuple[int, ...]) -> tuple[int, ...]:
        return struck

    def early_models(
        self, rules: Ruleset, state: State, frame: Melee, carriers: tuple[int, ...]
    ) -> tuple[int, ...]:
        able = {model.id for model in state.units[frame.target].models if not model.stunned}
        return tuple(model for model in carriers if model in able)

    def may_hold_markers(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return not self.idles(unit) and super().may_hold_markers(rules, state, unit)

    def actions_now(
        self, rules: Ruleset, state: State, unit: Unit, allowed: tuple[str, ...]
    ) -> tuple[str, ...]:
        """A unit out of coherency has to move, unless it cannot."""
        if len(unit.models) == 1 or len(allowed) == 1 or is_coherent(unit, state.profiles, coherency_of(rules)):
            return allowed
        return tuple(action for action in allowed if action != "hold")

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        return models_standing_in_danger(state, unit)

    def deploy_depth(self, rules: Ruleset, state: State) -> int:
        rule = ZoneRule(rules.constants.deploy_depth / MILLI, rules.constants.army_separation / MILLI)
        return zone_depth(state.width, state.depth, state.axis, rule)

    def marker_axis(self, state: State) -> str:
        return "all" if option(state, "free-deployment-axis") == "on" else state.axis

    def keeps_markers_off_blocking(self) -> bool:
        return True

    def rolls_for_late_units(self) -> bool:
        return True

    def place_question(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> PlaceQuestion:
        return LoosePlacing(rules, state, unit, ground, kind, prompt)

    def reacts(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        immobile = bool(rules.unit_kit(state, unit).get("actions"))
        return not immobile and not self.idles(unit)

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return self.reacts(rules, state, unit)

    def near_models(self, state: State, target: Unit, centre: int) -> tuple[tuple[int, int], ...]:
        return models_around(state, target.id, centre)

    def move_bonus(self, rules: Ruleset, state: State, unit: Unit, action: str) -> tuple[Mod, ...]:
        players = friends_near(rules, state, unit, "move")
        return (Mod(players[0][1].move(action), players[0][1].title, players[0][1].cite),) if players else ()

    def leaders(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Model, ...]:
        found = friends_near(rules, state, unit, "tests_for_others")
        return tuple(model for model, _ in found if not model.stunned and model not in unit.models)

    def morale_mods(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> list[Mod]:
        mods = super().morale_mods(rules, state, unit, tester)
        known = {mod.why for mod in mods}
        bearers = friends_near(rules, state, unit, "to_morale")
        for _, rule in bearers[:1]:
            mod = rule.to_morale()
            if mod is not None and mod.why not in known:
                mods.append(mod)
        return mods

    def second_chances(
        self, rules: Ruleset, state: State, unit: Unit, frame: Morale
    ) -> tuple[SpecialRule, ...]:
        own = super().second_chances(rules, state, unit, frame)
        if own or frame.tester < 0:
            return own
        leader = next(m for u in state.units for m in u.models if m.id == frame.tester)
        return tuple(rules.kits.of_profile(state.profiles[leader.profile]).get("morale_failed", ()))

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return can_cast(rules, state, unit, frame, SIGN_BY_SIDE)


def friends_near(rules: Ruleset, state: State, unit: Unit, hook: str) -> list[tuple[Model, SpecialRule]]:
    """Models of the same side whose aura with this hook reaches the unit, each with its rule."""
    reach = rules.constants.aura_within / MILLI
    found: list[tuple[Model, SpecialRule]] = []
    for friend in state.units:
        if friend.side != unit.side or friend.place != "table":
            continue
        for place, model in enumerate(friend.models):
            kit = rules.kits.of_profile(state.profiles[model.profile])
            rule = next((rule for rule in kit.get(hook, ()) if rule.scope == "aura"), None)
            if rule is None:
                continue
            if friend.id == unit.id or model_to_unit(state, friend.id, place, unit.id, heights=True) <= reach + 0.0005:
                found.append((model, rule))
    return found
