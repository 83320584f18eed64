"""Rules compiled once per profile, weapon and unit, so that a step visits only rules that implement its hook."""

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
    unit_makeup,
)
from shieldwall.rules.army.building import ignored_names, rules_of, with_granted
from shieldwall.rules.army.fighting import Build
from shieldwall.rules.army.in_play import MOMENTS, brought_in
from shieldwall.rules.hooks import PrintedContext, SpecialRule, hooks_of

__all__ = ["Binding", "Kit", "Kits", "Specials", "compile_kit", "hooks_of", "kinds_of"]

Kit = Mapping[str, tuple[SpecialRule, ...]]
KITS_KEPT = 8192


class Binding:
    """A printed name bound to the class that plays it in an edition, and the row it cites."""

    __slots__ = ("cite", "rule")

    def __init__(self, rule: type[SpecialRule], cite: str) -> None:
        self.rule = rule
        self.cite = cite


class Specials:
    """The special rules an edition knows, by printed name.

    `high_defense` says that a high Defense is a good one, because the attacker rolls against it.
    """

    def __init__(self, bindings: Mapping[str, Binding], *, high_defense: bool = False) -> None:
        self.bindings = dict(bindings)
        self.high_defense = high_defense

    def without(self, name: str) -> Specials:
        """The same rules less one; used to show that a rule matters."""
        kept = {key: value for key, value in self.bindings.items() if key != name}
        return Specials(kept, high_defense=self.high_defense)

    def best_defense(self, values: Iterable[int]) -> int:
        """The best of several Defenses."""
        return max(values) if self.high_defense else min(values)

    def knows(self, name: str) -> bool:
        """Whether the edition plays a rule of this name."""
        return name in self.bindings

    def of_kind(self, kind: str) -> tuple[RuleRef, ...]:
        """Rules that every model of a kind has, printed or not."""
        return tuple(
            RuleRef(name) for name, binding in sorted(self.bindings.items()) if kind in binding.rule.of_kinds
        )

    def build(self, refs: Iterable[RuleRef]) -> tuple[SpecialRule, ...]:
        """Rule objects for printed rules: equal names count once, values of (X) rules and those with a plus add up.

        Rules that come with others are added, rules that cancel each other left out. Those that bring along what the
        text of an army book says are played by that.
        """
        values: dict[str, list[int]] = {}  # what does not add up, of which the highest counts, and what does
        below: dict[str, int] = {}  # penalties of rules that are not set off against bonuses
        plain: set[str] = set()
        every = self._granted(refs)
        read = [ref for ref in every if ref.blocks is not None]
        for ref in every:
            if ref.blocks is not None or ref.name not in self.bindings:
                continue
            adds = ref.plus or (ref.value and self.bindings[ref.name].rule.stacks)
            plain |= set() if ref.plus else {ref.name}
            if ref.value < 0 and self.bindings[ref.name].rule.signs_apart:
                below[ref.name] = below.get(ref.name, 0) + ref.value
                continue
            found = values.setdefault(ref.name, [0, 0])
            found[0], found[1] = (
                (found[0], found[1] + ref.value) if adds else (max(found[0], ref.value), found[1])
            )
        for name in [name for name in values if self.bindings[name].rule.cancels in values]:
            values.pop(self.bindings[name].rule.cancels, None)
            values.pop(name, None)
        sums = sorted([*((name, sum(found)) for name, found in values.items()), *below.items()])
        rules = [self._bound(name, value, name not in plain) for name, value in sums]
        return tuple(rules + rules_of(read, self.build) if read else rules)

    def _bound(self, name: str, value: int, adds: bool) -> SpecialRule:
        """A rule object; `adds` where its value comes on top of the same rule from elsewhere."""
        rule = self.bindings[name].rule(name, value, self.bindings[name].cite)
        rule.adds = rule.adds or adds
        return rule

    def _granted(self, refs: Iterable[RuleRef]) -> list[RuleRef]:
        """The printed rules with those that come with them."""
        found = list(refs)
        for ref in found:
            if ref.blocks is not None:
                found += [rule for rule in with_granted(ref) if rule not in found]
            elif ref.name in self.bindings:
                found += [RuleRef(name, value) for name, value in self.bindings[ref.name].rule.grants]
        ignored = ignored_names(found)
        return [ref for ref in found if ref.name not in ignored] if ignored else found


def compile_kit(rules: Iterable[SpecialRule]) -> Kit:
    """Which rules answer which hook; hooks that no rule overrides are absent."""
    kit: dict[str, list[SpecialRule]] = {}
    for rule in rules:
        for hook in rule.hooks:
            kit.setdefault(hook, []).append(rule)
    return {hook: tuple(found) for hook, found in kit.items()}


def granted_by(effects: tuple[Effect, ...]) -> tuple[RuleRef, ...]:
    """Rules that timed effects lend a unit: the same effect counts once, different ones may add up."""
    named = {effect.name: effect for effect in effects}
    return tuple(ref for effect in named.values() for ref in effect.grants)


def set_against(effects: tuple[Effect, ...]) -> tuple[RuleRef, ...]:
    """Rules that enemies of a unit have while they attack it, each once."""
    return tuple(dict.fromkeys(ref for effect in effects for ref in effect.against))


def kinds_of(unit: Unit) -> tuple[tuple[int, int], ...]:
    """The profiles of a unit's living models, with how many have each."""
    makeup = unit_makeup(unit)
    known: tuple[tuple[int, int], ...] | None = makeup.get("kinds")
    if known is None:
        kinds = [model.profile for model in unit.models]
        known = makeup["kinds"] = tuple([(kind, kinds.count(kind)) for kind in sorted(set(kinds))])
    return known


class PrintedRules:
    """What the profiles of one game amount to by one ruleset: worked out once, shared by all its states."""

    __slots__ = ("by_hook", "in_play", "kinds", "lent")

    def __init__(self) -> None:
        self.in_play: tuple[tuple[Spell, ...], RulesInPlay] | None = None
        self.by_hook: dict[str, dict[int, tuple[SpecialRule, ...]]] = {}
        self.lent: dict[tuple[frozenset[int], tuple[Effect, ...]], tuple[RuleRef, ...]] = {}
        self.kinds: dict[tuple[tuple[tuple[int, int], ...], tuple[Effect, ...]], Kit] = {}


class RulesInPlay:
    """Rules that may come up in a game, and what steps may need to know of them: the hooks they answer and the moments
    at which they end.
    """

    __slots__ = ("build", "needs", "refs")

    def __init__(self, refs: frozenset[RuleRef], needs: frozenset[str], build: Build) -> None:
        self.refs, self.needs, self.build = refs, needs, build

    def has_all(self, unit: Unit) -> bool:
        """Whether all effects on a unit are such as the game itself may lay on one."""
        makeup = unit_makeup(unit)
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


_NUMBERS = count()  # one for each ruleset's kits


class Kits:
    """Kits of one ruleset, remembered.

    Weapons, profiles and units remember theirs themselves; what all profiles of a game have in common hangs on them.
    """

    def __init__(self, specials: Specials) -> None:
        self.specials = specials
        number = next(_NUMBERS)
        self._key, self._lent_key = f"_kit{number}", f"_lent{number}"
        self._refs: dict[tuple[RuleRef, ...], Kit] = {}
        self._latest: tuple[tuple[Profile, ...], PrintedRules] = ((), PrintedRules())

    def printed(self, profiles: tuple[Profile, ...]) -> PrintedRules:
        """What was worked out about the profiles of a game."""
        latest = self._latest
        if latest[0] is profiles:  # mostly one game is played at a time
            return latest[1]
        facts = shared_facts(profiles)
        known: PrintedRules | None = facts.get(self._key)
        if known is None:
            known = facts[self._key] = PrintedRules()
        self._latest = (profiles, known)
        return known

    def of_weapon(self, weapon: Weapon) -> Kit:
        """Rules printed on a weapon."""
        kit: Kit | None = weapon.__dict__.get(self._key)
        if kit is None:
            kit = weapon.__dict__[self._key] = compile_kit(self.specials.build(weapon.rules))
        return kit

    def of_profile(self, profile: Profile) -> Kit:
        """Rules printed on a model."""
        kit: Kit | None = profile.__dict__.get(self._key)
        if kit is None:
            kit = profile.__dict__[self._key] = compile_kit(self.specials.build(profile.rules))
        return kit

    def by_hook(self, hook: str, profiles: tuple[Profile, ...]) -> Mapping[int, tuple[SpecialRule, ...]]:
        """The rules printed on models that answer a hook, by the number of the profile; few profiles have any."""
        hooks = self.printed(profiles).by_hook
        known = hooks.get(hook)
        if known is None:
            kits = ((number, self.of_profile(profile)) for number, profile in enumerate(profiles))
            known = hooks[hook] = {number: kit[hook] for number, kit in kits if hook in kit}
        return known

    def may_have(self, hook: str, unit: Unit, profiles: tuple[Profile, ...]) -> bool:
        """Whether a rule of some model of the unit might answer a hook: False is certain, True is not."""
        if unit.effects or self.by_hook("lends", profiles):
            return True
        holders = self.by_hook(hook, profiles)
        return bool(holders) and not holders.keys().isdisjoint([model.profile for model in unit.models])

    def in_play(self, state: State) -> frozenset[str] | None:
        """Every hook that a rule may answer in the course of this game, and every moment at which effects of spells
        end; None where that cannot be told.
        """
        printed = self.printed(state.profiles)
        known = printed.in_play
        if known is None or known[0] is not state.spells:
            known = printed.in_play = (state.spells, self._rules_in_play(state))
        found = known[1]
        for unit in state.units:
            if unit.effects and not found.has_all(unit):
                return None
        return found.needs

    def _rules_in_play(self, state: State) -> RulesInPlay:
        """What is printed on models, weapons and spells, and all that this may bring in."""
        weapons = [weapon for profile in state.profiles for weapon in profile.weapons]
        refs = frozenset(
            [ref for profile in state.profiles for ref in profile.rules]
            + [ref for weapon in weapons for ref in weapon.rules]
            + [ref for spell in state.spells for ref in (*spell.rules, *spell.grants)]
        )
        moments = [spell.until for spell in state.spells]
        needs = frozenset([*brought_in(refs, self.specials.build), *moments])
        return RulesInPlay(refs, needs, self.specials.build)

    def of_model(self, unit: Unit, model: Model, profiles: tuple[Profile, ...]) -> Kit:
        """Rules of one model, with those that timed effects lend its unit."""
        profile = profiles[model.profile]
        if not unit.effects and not self.by_hook("lends", profiles):
            kit: Kit | None = profile.__dict__.get(self._key)
            return self.of_profile(profile) if kit is None else kit
        lent = self.lent_to(unit, profiles, frozenset([model.profile for model in unit.models]))
        if not lent:
            return self.of_profile(profile)
        kits: dict[tuple[RuleRef, ...], Kit] = profile.__dict__.setdefault(self._lent_key, {})
        known = kits.get(lent)
        if known is None:
            if len(kits) >= KITS_KEPT:
                kits.clear()
            known = kits[lent] = compile_kit(self.specials.build((*profile.rules, *lent)))
        return known

    def lent_to(
        self, unit: Unit, profiles: tuple[Profile, ...], kinds: frozenset[int]
    ) -> tuple[RuleRef, ...]:
        """Rules that all models of a unit have beside their own: by timed effects, and by models of these kinds."""
        lenders = self.by_hook("lends", profiles)
        if not lenders or lenders.keys().isdisjoint(kinds):
            return granted_by(unit.effects) if unit.effects else ()
        all_lent = self.printed(profiles).lent
        key = (kinds, unit.effects)
        known = all_lent.get(key)
        if known is None:
            if len(all_lent) >= KITS_KEPT:
                all_lent.clear()
            ctx = PrintedContext()
            given = [
                ref for kind in sorted(kinds) for rule in lenders.get(kind, ()) for ref in rule.lends(ctx)
            ]
            known = all_lent[key] = tuple(dict.fromkeys((*granted_by(unit.effects), *given)))
        return known

    def against(self, unit: Unit, target: Unit) -> Kit:
        """Rules that a unit has while it attacks this target, because of an effect on the target."""
        refs = set_against(target.effects)
        if not refs or unit.side == target.side:
            return {}
        kit = self._refs.get(refs)
        if kit is None:
            if len(self._refs) >= KITS_KEPT:
                self._refs.clear()
            kit = self._refs[refs] = compile_kit(self.specials.build(refs))
        return kit

    def of_unit(self, unit: Unit, profiles: tuple[Profile, ...]) -> Kit:
        """Rules that speak for the whole unit, by their scope: any, most or all of its living models have them."""
        makeup = unit_makeup(unit)
        known: tuple[object, object, Kit] | None = makeup.get("kit")
        if known is None or known[0] is not self or known[1] is not profiles:
            kit = self.of_kinds(unit, profiles, kinds_of(unit))
            known = makeup["kit"] = (self, profiles, kit)
        return known[2]

    def of_kinds(self, unit: Unit, profiles: tuple[Profile, ...], kinds: tuple[tuple[int, int], ...]) -> Kit:
        """The kit of a unit with so many models of each profile.

        It is one and the same for all units made up alike, so that others may remember things by it.
        """
        kits = self.printed(profiles).kinds
        key = (kinds, unit.effects)
        known = kits.get(key)
        if known is None:
            if len(kits) >= KITS_KEPT:
                kits.clear()
            known = kits[key] = self._unit_kit(unit, profiles, kinds)
        return known

    def _unit_kit(self, unit: Unit, profiles: tuple[Profile, ...], kinds: tuple[tuple[int, int], ...]) -> Kit:
        found: dict[tuple[str, int], list[SpecialRule]] = {}
        granted = self.lent_to(unit, profiles, frozenset([kind for kind, _ in kinds]))
        models = sum(many for _, many in kinds)
        for profile, many in kinds:
            for rule in self.specials.build((*profiles[profile].rules, *granted)):
                found.setdefault(rule.same, []).extend([rule] * many)
        needed = {"any": 1, "most": models // 2 + 1, "all": models, "model": 1, "aura": 1}
        kit: dict[str, list[SpecialRule]] = {}
        for _, holders in sorted(found.items()):
            rule = min(holders, key=lambda rule: (rule.value, rule.boosted))
            for hook in rule.hooks:
                if len(holders) >= needed.get(rule.scope_of(hook), 1):
                    kit.setdefault(hook, []).append(rule)
        return {hook: tuple(rules) for hook, rules in kit.items()}
