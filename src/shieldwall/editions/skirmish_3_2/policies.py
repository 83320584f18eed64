"""Decisions of Skirmish 3.2 beyond numbers and steps."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shieldwall.core.events import Broke, Stunned
from shieldwall.core.frames import Activation, Attack, Melee, Morale
from shieldwall.core.pending import Option, Refusal
from shieldwall.core.state import MILLI, Model, Pose, Profile, State, Unit, model_ids, option, shared_facts
from shieldwall.core.values import Mod
from shieldwall.editions.skirmish_3_2 import terrain
from shieldwall.editions.skirmish_3_2.spread import models_around
from shieldwall.rules.features.loose import models_standing_in_danger
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_melee import charge_choices, strike_reach
from shieldwall.rules.features.loose_policies import LoosePolicies, keeping_together
from shieldwall.rules.features.tokens import TokenRules, can_cast
from shieldwall.rules.features.tokens_bids import place_of
from shieldwall.rules.hooks import AttackContext, SpecialRule, UnitContext
from shieldwall.rules.policies import plain_model
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.coherency import Coherency
from shieldwall.table.cover import cover_of
from shieldwall.table.layout import LayoutAdvice
from shieldwall.table.loose_charge import crowding
from shieldwall.table.loose_react import models_in_reach
from shieldwall.table.measure import model_to_unit
from shieldwall.table.sight_methods import TOP_DOWN, TRUE, TRUE_ANY_PART, VOLUMETRIC, SightMethod
from shieldwall.table.terrain import PresetPiece
from shieldwall.table.zones import EDGES, Edge, ZoneRule, edges_for, zone_depth

COHERENCY = Coherency()  # one inch to the next model, six inches over all, in one chain

SIGN_BY_SIDE = TokenRules(free_sign=False, from_model=True)  # friends help, enemies hinder

METHODS = {
    ("basic", "tenth"): TRUE,
    ("basic", "any"): TRUE_ANY_PART,
    ("top-down", "tenth"): TOP_DOWN,
    ("top-down", "any"): TOP_DOWN,
    ("volumetric", "tenth"): VOLUMETRIC,
    ("volumetric", "any"): VOLUMETRIC,
}
# the same methods, but lines pass between the models of a unit; one object each, as scenes are kept by it
PAST_MODELS = {
    key: replace(method, name=f"{method.name}-past-models", perimeter="bases")
    for key, method in METHODS.items()
}


class SkirmishPolicies(LoosePolicies):
    """Loose models; Defense blocks hits; the hurt are stunned or knocked out."""

    def sight_method(self, state: State) -> SightMethod:
        chosen = option(state, "sight-method"), option(state, "visible-share")
        return METHODS[chosen] if option(state, "units-block-sight") == "strips" else PAST_MODELS[chosen]

    def cover_policy(self) -> str:
        return "loose"

    def hit_limit(self, rules: Ruleset, ctx: AttackContext) -> Mod | None:
        return Mod(0, "fatigued: natural 6s only", "SK32-FATIGUE-01") if ctx.melee and ctx.tired else None

    def block_mods(self, rules: Ruleset, state: State, frame: Attack, unit: Unit) -> tuple[Mod, ...]:
        if frame.kind == "shoot" and frame.volley is not None and frame.volley.cover != "none":
            return (Mod(1, "cover", "SK32-TERRAIN-12"),)
        return ()

    def spell_cover(self, rules: Ruleset, state: State, caster: Unit, target: Unit) -> tuple[Mod, ...]:
        if option(state, "cover-against-spells") == "off":
            return ()
        everybody = tuple(range(len(caster.models)))
        found = cover_of(state, self.cover_policy(), caster.id, everybody, target.id)
        return () if found.kind == "none" else (Mod(1, "cover", "SK32-TERRAIN-13"),)

    def defense(self, state: State, unit: Unit, picked: int) -> int:
        return state.profiles[plain_model(unit).profile].defense

    def endures(self, state: State, unit: Unit, model: Model) -> int:
        """In a group X wounds remove a Tough(X) model; by a switch one does, as the group rule says."""
        if len(unit.models) > 1 and option(state, "tough-in-groups") == "literal":
            return 1
        return super().endures(state, unit, model)

    def casualty_order(self, state: State, unit: Unit) -> tuple[int, ...]:
        """Plain models first, and such that those left stand together."""
        return keeping_together(state, unit, super().casualty_order(state, unit), COHERENCY)

    def strikers(self, rules: Ruleset, state: State, unit: Unit, enemy: Unit) -> tuple[Model, ...]:
        near = models_in_reach(state, unit.id, enemy.id, strike_reach(rules))
        return tuple(model for model in unit.models if model.id in near and not model.stunned)

    def charge_options(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
        return charge_choices(rules, state, unit)

    def idles(self, unit: Unit) -> bool:
        return bool(unit.models) and all(model.stunned for model in unit.models)

    def fails_morale(self, unit: Unit) -> bool:
        return self.idles(unit)

    def shake(self, rules: Ruleset, unit: Unit) -> Broke | Stunned:
        return Stunned(unit=unit.id, models=model_ids(unit), cite=rules.cite("rout.failed"))

    def is_tired(self, unit: Unit, model: Model) -> bool:
        return model.tired

    def tire(self, unit: Unit, struck: tuple[int, ...]) -> tuple[int, ...] | None:
        return struck or None

    def early_models(
        self, rules: Ruleset, state: State, frame: Melee, carriers: tuple[int, ...]
    ) -> tuple[int, ...]:
        able = {model.id for model in state.units[frame.target].models if not model.stunned}
        return tuple(model for model in carriers if model in able)

    def may_hold_markers(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return not self.idles(unit) and super().may_hold_markers(rules, state, unit)

    def refused_contacts(
        self, rules: Ruleset, state: State, unit: Unit, target: int, ends: tuple[Pose, ...]
    ) -> tuple[Refusal, ...]:
        """A charge ends clear of all other units, if possible."""
        limits = walk_limits(rules, state, unit, "charge", target)
        return rules.refusals(crowding(state, unit.id, target, ends, limits))

    def terrain_presets(self) -> Mapping[str, PresetPiece]:
        return terrain.PRESETS

    def table_advice(self) -> LayoutAdvice:
        return terrain.ADVICE

    def models_in_danger(self, rules: Ruleset, state: State, unit: Unit) -> tuple[tuple[int, int], ...]:
        return models_standing_in_danger(state, unit)

    def deploy_depth(self, rules: Ruleset, state: State) -> int:
        """As usual, but less on small tables; while any edge may still be picked, the deeper one counts."""
        rule = ZoneRule(rules.constants.deploy_depth / MILLI, rules.constants.army_separation / MILLI)
        edge = state.sides[0].edge
        axes = [axis for axis in ("y", "x") if edge in edges_for(axis)]
        if not axes:
            axes = ["y", "x"] if self._any_edge(state) else [state.axis]
        return max(zone_depth(state.width, state.depth, axis, rule) for axis in axes)

    def deploy_edges(self, state: State) -> tuple[Edge, ...]:
        return EDGES if self._any_edge(state) else super().deploy_edges(state)

    def marker_axis(self, state: State) -> str:
        return "all" if self._any_edge(state) else state.axis

    def _any_edge(self, state: State) -> bool:
        return option(state, "free-deployment-axis") == "on"

    def keeps_markers_off_blocking(self) -> bool:
        return True

    def reacts(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        immobile = bool(rules.hooks.of_unit(unit, state.profiles).get("actions"))
        return not immobile and not self.idles(unit)

    def may_consolidate(self, rules: Ruleset, state: State, unit: Unit) -> bool:
        return self.reacts(rules, state, unit)

    def near_models(self, state: State, target: Unit, centre: int) -> tuple[tuple[int, int], ...]:
        return models_around(state, target.id, centre)

    def move_bonus(self, rules: Ruleset, state: State, unit: Unit, action: str) -> tuple[Mod, ...]:
        players = friends_near(rules, state, unit, "move")
        if not players:
            return ()
        rule = players[0][1]
        return (Mod(rule.move(UnitContext(state, unit), action), rule.title, rule.cite),)

    def leaders(self, rules: Ruleset, state: State, unit: Unit) -> tuple[Model, ...]:
        found = friends_near(rules, state, unit, "tests_for_others")
        lone = unit.models[0] if len(unit.models) == 1 else None
        return tuple(model for model, _ in found if not model.stunned and model is not lone)

    def morale_mods(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> list[Mod]:
        mods = super().morale_mods(rules, state, unit, tester)
        known = {mod.why for mod in mods}
        bearers = friends_near(rules, state, unit, "to_morale")
        for _, rule in bearers[:1]:
            mod = rule.to_morale(UnitContext(state, unit))
            if mod is not None and mod.why not in known:
                mods.append(mod)
        for rule in self._of_tester(rules, state, unit, tester, "to_morale"):
            mod = rule.to_morale(UnitContext(state, unit))
            if mod is not None and mod.why not in {one.why for one in mods}:
                mods.append(mod)
        return mods

    def retests(self, rules: Ruleset, state: State, unit: Unit, tester: int) -> tuple[SpecialRule, ...]:
        """Rules of the unit, or of the leader on whose Quality it tests."""
        own = super().retests(rules, state, unit, tester)
        return own + self._of_tester(rules, state, unit, tester, "morale_again")

    def _of_tester(
        self, rules: Ruleset, state: State, unit: Unit, tester: int, hook: str
    ) -> tuple[SpecialRule, ...]:
        """The rules of a leader from another unit on whose Quality the unit tests; auras reach by themselves."""
        if tester < 0 or any(model.id == tester for model in unit.models):
            return ()
        bearer, place = place_of(state, tester)
        hooks = rules.hooks.of_model(bearer, bearer.models[place], state.profiles)
        return tuple(rule for rule in hooks.get(hook, ()) if rule.scope != "aura")

    def second_chances(
        self, rules: Ruleset, state: State, unit: Unit, frame: Morale
    ) -> tuple[SpecialRule, ...]:
        """The rules of the unit or of a nearby leader, including granted ones, whichever Quality was used."""
        own = super().second_chances(rules, state, unit, frame)
        leaders = () if own else self.leaders(rules, state, unit)
        for leader in leaders:
            hooks = rules.hooks.of_model(place_of(state, leader.id)[0], leader, state.profiles)
            own += tuple(hooks.get("morale_failed", ()))
        return own

    def can_cast(self, rules: Ruleset, state: State, unit: Unit, frame: Activation) -> bool:
        return can_cast(rules, state, unit, frame, SIGN_BY_SIDE)


def aura_profiles(rules: Ruleset, profiles: tuple[Profile, ...], hook: str) -> dict[int, SpecialRule]:
    """Which profiles of a game carry an aura with this hook."""
    known: dict[tuple[Ruleset, str], dict[int, SpecialRule]] = shared_facts(profiles).setdefault("auras", {})
    key = (rules, hook)
    if key not in known:
        known[key] = {
            place: rule
            for place, profile in enumerate(profiles)
            for rule in rules.hooks.of_profile(profile).get(hook, ())
            if rule.scope == "aura"
        }
    return known[key]


def friends_near(rules: Ruleset, state: State, unit: Unit, hook: str) -> list[tuple[Model, SpecialRule]]:
    """Models of the same side whose aura with this hook reaches the unit, each with its rule."""
    bearers = aura_profiles(rules, state.profiles, hook)
    if not bearers:
        return []
    reach = rules.constants.aura_within / MILLI
    found: list[tuple[Model, SpecialRule]] = []
    for friend in state.units:
        if friend.side != unit.side or friend.place != "table":
            continue
        for place, model in enumerate(friend.models):
            rule = bearers.get(model.profile)
            if rule is None:
                continue
            if (
                friend.id == unit.id
                or model_to_unit(state, friend.id, place, unit.id, heights=True) <= reach + 0.0005
            ):
                found.append((model, rule))
    return found
