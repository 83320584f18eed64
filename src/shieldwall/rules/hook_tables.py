"""Which rules answer which hook: compiled once for each weapon, profile and unit, so that a step visits only those."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from shieldwall.core.state import (
    Effect,
    Model,
    Profile,
    RuleRef,
    Spell,
    State,
    Unit,
    Weapon,
    shared_facts,
)
from shieldwall.rules.army.fighting import Build
from shieldwall.rules.army.in_play import MOMENTS, brought_in
from shieldwall.rules.bindings import Specials
from shieldwall.rules.hooks import PrintedContext, SpecialRule

HookTable = Mapping[str, tuple[SpecialRule, ...]]
TABLES_KEPT = 8192


def compile_hooks(rules: Iterable[SpecialRule]) -> HookTable:
    """Rules by the hooks they answer; hooks that no rule overrides are absent."""
    hooks: dict[str, list[SpecialRule]] = {}
    for rule in rules:
        for hook in rule.hooks:
            hooks.setdefault(hook, []).append(rule)
    return {hook: tuple(found) for hook, found in hooks.items()}


def granted_by(effects: tuple[Effect, ...]) -> tuple[RuleRef, ...]:
    """Rules that timed effects grant a unit: the same effect counts once, different ones may add up."""
    named = {effect.name: effect for effect in effects}
    return tuple(ref for effect in named.values() for ref in effect.grants)


def set_against(effects: tuple[Effect, ...]) -> tuple[RuleRef, ...]:
    """Rules that enemies of a unit have while they attack it, each once."""
    return tuple(dict.fromkeys(ref for effect in effects for ref in effect.against))


def kinds_of(unit: Unit) -> tuple[tuple[int, int], ...]:
    """The profiles of a unit's living models, with how many have each."""
    makeup = unit.makeup
    known: tuple[tuple[int, int], ...] | None = makeup.get("kinds")
    if known is None:
        kinds = [model.profile for model in unit.models]
        known = makeup["kinds"] = tuple([(kind, kinds.count(kind)) for kind in sorted(set(kinds))])
    return known


class PrintedRules:
    """Facts about the profiles of one game under a ruleset: computed once, shared by all its states."""

    __slots__ = ("by_hook", "in_play", "kinds", "lenders", "lent")

    def __init__(self, lenders: Mapping[int, tuple[SpecialRule, ...]]) -> None:
        self.lenders = lenders  # rules that grant others to their unit, by the index of the profile
        self.in_play: tuple[tuple[Spell, ...], RulesInPlay] | None = None
        self.by_hook: dict[str, dict[int, tuple[SpecialRule, ...]]] = {}
        self.lent: dict[tuple[frozenset[int], tuple[Effect, ...]], tuple[RuleRef, ...]] = {}
        self.kinds: dict[tuple[tuple[tuple[int, int], ...], tuple[Effect, ...]], HookTable] = {}


class RulesInPlay:
    """Rules that may come up in a game, and what steps need to know about them: the hooks they answer and when they
    end.
    """

    __slots__ = ("build", "needs", "refs")

    def __init__(self, refs: frozenset[RuleRef], needs: frozenset[str], build: Build) -> None:
        self.refs, self.needs, self.build = refs, needs, build

    def has_all(self, unit: Unit) -> bool:
        """Whether rules in play can have caused every effect on a unit."""
        makeup = unit.makeup
        known: tuple[RulesInPlay, bool] | None = makeup.get("effects in play")
        if known is None or known[0] is not self:
            found = all(self._may_lay(effect) for effect in unit.effects)
            known = makeup["effects in play"] = (self, found)
        return known[1]

    def _may_lay(self, effect: Effect) -> bool:
        if effect.until in MOMENTS and effect.until not in self.needs:
            return False
        strange = [ref for ref in (*effect.grants, *effect.against) if ref not in self.refs]
        if any(ref.blocks is None for ref in strange):
            return False
        return self.needs.issuperset(brought_in(strange, self.build))


_NUMBERS = count()  # one for each ruleset


class HookTables:
    """The hook tables of one ruleset, cached.

    Weapons, profiles and units cache their own; facts about all profiles of a game are stored with the profiles.
    """

    def __init__(self, specials: Specials) -> None:
        self.specials = specials
        number = next(_NUMBERS)
        self._key, self._lent_key = f"_hooks{number}", f"_lent{number}"
        self._refs: dict[tuple[RuleRef, ...], HookTable] = {}
        self._latest: tuple[tuple[Profile, ...], PrintedRules] = ((), PrintedRules({}))

    def printed(self, profiles: tuple[Profile, ...]) -> PrintedRules:
        """The facts about the profiles of a game."""
        latest = self._latest
        if latest[0] is profiles:  # mostly one game is played at a time
            return latest[1]
        facts = shared_facts(profiles)
        known: PrintedRules | None = facts.get(self._key)
        if known is None:
            known = facts[self._key] = PrintedRules(self._with_hook("lends", profiles))
        self._latest = (profiles, known)
        return known

    def of_weapon(self, weapon: Weapon) -> HookTable:
        """Rules printed on a weapon."""
        hooks: HookTable | None = weapon.__dict__.get(self._key)
        if hooks is None:
            hooks = weapon.__dict__[self._key] = compile_hooks(self.specials.build(weapon.rules))
        return hooks

    def of_profile(self, profile: Profile) -> HookTable:
        """Rules printed on a model."""
        hooks: HookTable | None = profile.__dict__.get(self._key)
        if hooks is None:
            hooks = profile.__dict__[self._key] = compile_hooks(self.specials.build(profile.rules))
        return hooks

    def by_hook(self, hook: str, profiles: tuple[Profile, ...]) -> Mapping[int, tuple[SpecialRule, ...]]:
        """The rules printed on models that answer a hook, by the index of the profile; few profiles have any."""
        latest = self._latest
        by_hook = (latest[1] if latest[0] is profiles else self.printed(profiles)).by_hook
        known = by_hook.get(hook)
        if known is None:
            known = by_hook[hook] = self._with_hook(hook, profiles)
        return known

    def _with_hook(self, hook: str, profiles: tuple[Profile, ...]) -> dict[int, tuple[SpecialRule, ...]]:
        tables = [self.of_profile(profile) for profile in profiles]
        return {at: table[hook] for at, table in enumerate(tables) if hook in table}

    def may_have(self, hook: str, unit: Unit, profiles: tuple[Profile, ...]) -> bool:
        """Whether a rule of some model of the unit might answer a hook: False is certain, True is not."""
        if unit.effects or self.printed(profiles).lenders:
            return True
        holders = self.by_hook(hook, profiles)
        return bool(holders) and not holders.keys().isdisjoint([model.profile for model in unit.models])

    def in_play(self, state: State) -> frozenset[str] | None:
        """Every hook that a rule may answer during this game, and every moment at which effects of spells end; None
        if unknown.
        """
        found = self._of_lists(state)
        for unit in state.units:
            if unit.effects and not found.has_all(unit):
                return None
        return found.needs

    def may_come_up(self, hook: str, state: State) -> bool:
        """Whether a rule that is printed in the lists of this game, or that those bring in, answers a hook."""
        return hook in self._of_lists(state).needs

    def _of_lists(self, state: State) -> RulesInPlay:
        printed = self.printed(state.profiles)
        known = printed.in_play
        if known is None or (known[0] is not state.spells and known[0] != state.spells):
            known = printed.in_play = (state.spells, self._rules_in_play(state))
        return known[1]

    def _rules_in_play(self, state: State) -> RulesInPlay:
        """Everything printed on models, weapons and spells, and all rules that this may add."""
        weapons = [weapon for profile in state.profiles for weapon in profile.weapons]
        refs = frozenset(
            [ref for profile in state.profiles for ref in profile.rules]
            + [ref for weapon in weapons for ref in weapon.rules]
            + [ref for spell in state.spells for ref in (*spell.rules, *spell.grants)]
        )
        moments = [spell.until for spell in state.spells]
        needs = frozenset([*brought_in(refs, self.specials.build), *moments])
        return RulesInPlay(refs, needs, self.specials.build)

    def of_model(self, unit: Unit, model: Model, profiles: tuple[Profile, ...]) -> HookTable:
        """Rules of one model, including those that timed effects grant its unit."""
        profile = profiles[model.profile]
        latest = self._latest
        if not unit.effects and not (latest[1] if latest[0] is profiles else self.printed(profiles)).lenders:
            hooks: HookTable | None = profile.__dict__.get(self._key)
            return self.of_profile(profile) if hooks is None else hooks
        lent = self.lent_to(unit, profiles, frozenset([model.profile for model in unit.models]))
        if not lent:
            return self.of_profile(profile)
        tables: dict[tuple[RuleRef, ...], HookTable] = profile.__dict__.setdefault(self._lent_key, {})
        known = tables.get(lent)
        if known is None:
            if len(tables) >= TABLES_KEPT:
                tables.clear()
            known = tables[lent] = compile_hooks(self.specials.build((*profile.rules, *lent)))
        return known

    def lent_to(
        self, unit: Unit, profiles: tuple[Profile, ...], kinds: frozenset[int]
    ) -> tuple[RuleRef, ...]:
        """Rules that all models of a unit have besides their own: from timed effects and models of these kinds."""
        lenders = self.printed(profiles).lenders
        if not lenders or lenders.keys().isdisjoint(kinds):
            return granted_by(unit.effects) if unit.effects else ()
        all_lent = self.printed(profiles).lent
        key = (kinds, unit.effects)
        known = all_lent.get(key)
        if known is None:
            if len(all_lent) >= TABLES_KEPT:
                all_lent.clear()
            ctx = PrintedContext()
            given = [
                ref for kind in sorted(kinds) for rule in lenders.get(kind, ()) for ref in rule.lends(ctx)
            ]
            known = all_lent[key] = tuple(dict.fromkeys((*granted_by(unit.effects), *given)))
        return known

    def against(self, unit: Unit, target: Unit) -> HookTable:
        """Rules that a unit has while it attacks this target, because of an effect on the target."""
        refs = set_against(target.effects)
        if not refs or unit.side == target.side:
            return {}
        hooks = self._refs.get(refs)
        if hooks is None:
            if len(self._refs) >= TABLES_KEPT:
                self._refs.clear()
            hooks = self._refs[refs] = compile_hooks(self.specials.build(refs))
        return hooks

    def of_unit(self, unit: Unit, profiles: tuple[Profile, ...]) -> HookTable:
        """Rules that apply to the whole unit by their scope: any, most or all of its living models have them."""
        known: tuple[object, object, HookTable] | None = unit.makeup.get("hooks")
        if known is None or known[0] is not self or known[1] is not profiles:
            hooks = self.of_kinds(unit, profiles, kinds_of(unit))
            known = unit.makeup["hooks"] = (self, profiles, hooks)
        return known[2]

    def of_kinds(
        self, unit: Unit, profiles: tuple[Profile, ...], kinds: tuple[tuple[int, int], ...]
    ) -> HookTable:
        """The hooks of a unit with these numbers of models of each profile.

        Units with the same models and effects share one table, which can therefore serve as a cache key.
        """
        tables = self.printed(profiles).kinds
        key = (kinds, unit.effects)
        known = tables.get(key)
        if known is None:
            if len(tables) >= TABLES_KEPT:
                tables.clear()
            known = tables[key] = self._unit_hooks(unit, profiles, kinds)
        return known

    def _unit_hooks(
        self, unit: Unit, profiles: tuple[Profile, ...], kinds: tuple[tuple[int, int], ...]
    ) -> HookTable:
        found: dict[tuple[str, int], list[SpecialRule]] = {}
        granted = self.lent_to(unit, profiles, frozenset([kind for kind, _ in kinds]))
        models = sum(many for _, many in kinds)
        for profile, many in kinds:
            for rule in self.specials.build((*profiles[profile].rules, *granted)):
                found.setdefault(rule.same, []).extend([rule] * many)
        needed = {"any": 1, "most": models // 2 + 1, "all": models, "model": 1, "aura": 1}
        hooks: dict[str, list[SpecialRule]] = {}
        for _, holders in sorted(found.items()):
            rule = min(holders, key=lambda rule: (rule.value, rule.boosted))
            for hook in rule.hooks:
                if len(holders) >= needed.get(rule.scope_of(hook), 1):
                    hooks.setdefault(hook, []).append(rule)
        return {hook: tuple(rules) for hook, rules in hooks.items()}
