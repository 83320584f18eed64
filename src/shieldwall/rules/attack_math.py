"""Needed rolls and kinds of hits for a source of attacks. Pure; used by play, odds and explanations alike."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from shieldwall.core.frames import Activation, Attack, HitGroup, Source, Volley
from shieldwall.core.state import RuleRef, State, Unit
from shieldwall.core.values import (
    AGAIN,
    FAIL,
    FIVE,
    LOW,
    MISSED,
    ONE,
    PASS,
    SIX,
    Counts,
    Labels,
    Mod,
    Pool,
    Target,
    labels_from,
)
from shieldwall.rules.hook_tables import HookTable
from shieldwall.rules.hooks import AttackContext, HitKind, SpecialRule
from shieldwall.rules.policies import block_context
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import weapon_at

_NONE: tuple[SpecialRule, ...] = ()


class Attackers:
    """One source of attacks with everything its hooks need, computed once."""

    __slots__ = (
        "_own",
        "ctx",
        "marked",
        "model",
        "rules",
        "source",
        "target",
        "unit",
        "victim",
        "volley",
        "weapon",
    )

    def __init__(self, rules: Ruleset, state: State, frame: Attack, source: Source) -> None:
        ctx = self.ctx = attack_context(rules, state, frame, source)
        self.rules = rules
        self.source = source
        self.volley = frame.volley
        self.victim: Unit | None = None
        self._own: dict[str, tuple[SpecialRule, ...]] = {}
        unit, target = ctx.unit, ctx.target
        hooks = rules.hooks
        self.weapon = {} if ctx.weapon is None else hooks.of_weapon(ctx.weapon)
        model = next((m for m in unit.models if m.id in source.models), None)
        self.model = (
            hooks.of_profile(ctx.profile) if model is None else hooks.of_model(unit, model, state.profiles)
        )
        self.unit = hooks.of_unit(unit, state.profiles)
        self.marked = hooks.against(unit, target) if target.effects else {}
        if ctx.picked >= 0:
            picked = next(m for m in target.models if m.id == ctx.picked)
            self.target = hooks.of_model(target, picked, state.profiles)
        elif frame.volley is not None and frame.volley.target_kinds:
            self.target = hooks.of_kinds(target, state.profiles, frame.volley.target_kinds)
        else:
            self.target = hooks.of_unit(target, state.profiles)
        if "defense" in self.target:
            guard = rules.policies.defense_against(rules, state, frame, target, ctx.picked)
            self.ctx = replace(ctx, guard=guard)

    def own(self, hook: str) -> tuple[SpecialRule, ...]:
        """Rules of the weapon, of the model and, by scope, of its unit that answer a hook.

        Weapon rules granted to the model need a weapon: they do not affect hits without one, such as Impact.
        """
        if not (hook in self.weapon or hook in self.model or hook in self.unit or hook in self.marked):
            return _NONE
        known = self._own.get(hook)
        if known is None:
            known = self._own[hook] = self._found(hook)
        return known

    def _found(self, hook: str) -> tuple[SpecialRule, ...]:
        scopes = ("model",) if self.ctx.weapon is None else ("model", "weapon")
        found = [
            *self.weapon.get(hook, _NONE),
            *(rule for rule in self.model.get(hook, _NONE) if rule.scope_of(hook) in scopes),
            *(rule for rule in self.unit.get(hook, _NONE) if rule.scope_of(hook) in ("any", "most", "all")),
            *self.marked.get(hook, _NONE),
        ]
        return _once(self._applying(found))

    def theirs(self, hook: str) -> tuple[SpecialRule, ...]:
        """Rules of the target that answer a hook."""
        found = self.target.get(hook, _NONE)
        if not found:
            return _NONE
        ignored = {rule.ignores_rule(self.ctx).casefold() for rule in self.own("ignores_rule")}
        return _once(self._applying(rule for rule in found if rule.name.casefold() not in ignored))

    def _applying(self, rules: Iterable[SpecialRule]) -> tuple[SpecialRule, ...]:
        """The rules that apply in this attack."""
        return tuple(found for rule in rules if (found := rule.in_attack(self.ctx)) is not None)

    def hit_target(self) -> Target:
        """The needed roll to hit with its reasons."""
        ctx = self.ctx
        qualities = [q for rule in self.own("quality") if (q := rule.quality(ctx)) is not None]
        mods = [mod for rule in self.own("to_hit") if (mod := rule.to_hit(ctx)) is not None]
        mods += [mod for rule in self.theirs("to_be_hit") if (mod := rule.to_be_hit(ctx)) is not None]
        mods += self.rules.policies.hit_mods(self.rules, ctx)
        target = Target(min([ctx.profile.quality, *qualities]), tuple(mods))
        if any(rule.drops_penalties(ctx) for rule in self.own("drops_penalties")):
            target = target.without_penalties()
        limit = self.rules.policies.hit_limit(self.rules, ctx)
        return target if limit is None else Target(target.base, target.mods, limit)

    def hit_pool(self, dice: int, again: bool = True) -> Pool:
        """Dice to hit; sixes have a label of their own only where a rule needs it.

        `again` labels dice that must be rerolled; it is False for the reroll itself.
        """
        target = self.hit_target()
        name = self.ctx.weapon.name if self.ctx.weapon is not None else ""
        labels = self._labels(target.needed)
        return Pool(dice, self._thrown_again(labels) if again else labels, target, name)

    def _thrown_again(self, labels: Labels) -> Labels:
        """Labels in which failures up to a face, and successes from a face on, are rerolled."""
        low = max([rule.misses_again(self.ctx) for rule in self.own("misses_again")], default=0)
        faces = [rule.hits_on_me_again(self.ctx) for rule in self.theirs("hits_on_me_again")]
        high = min([face for face in faces if face], default=7)
        return thrown_again(labels, low, high)

    def _labels(self, needed: int) -> Labels:
        """How faces to hit are read: 6s, and 5s that hit, are kept apart where a rule refers to them."""
        lowest = self._lowest_face()
        labels = labels_from(needed, PASS, SIX if lowest <= 6 else PASS, FAIL)
        if lowest <= 5 and labels[4] == PASS:
            labels = (*labels[:4], FIVE, labels[5])
        return (ONE, *labels[1:]) if self.own("backfires") else labels

    def _lowest_face(self) -> int:
        """The lowest natural roll to hit that any rule of the attacker refers to; 7 if none does."""
        hooks = ("marks", "six", "six_counts_as", "more_attacks")
        return min([rule.face for hook in hooks for rule in self.own(hook)], default=7)

    def recoil(self) -> int:
        """Wounds that each natural 1 to hit deals the attacker's own unit."""
        return sum(rule.backfires(self.ctx) for rule in self.own("backfires"))

    def reads_sixes(self) -> bool:
        """Whether any rule of the attacker refers to natural 6s."""
        return self._lowest_face() <= 6

    def _own_kind(self) -> HitKind:
        kind = HitKind()
        for rule in self.own("hit"):
            kind = self._unless_weaker(kind, rule.hit(self.ctx, kind))
        return kind

    def _unless_weaker(self, before: HitKind, kind: HitKind) -> HitKind:
        """A changed hit, without a loss of armour piercing if the attack ignores what makes it worse."""
        if kind.ap >= before.ap or not any(rule.keeps_strength for rule in self.own("drops_penalties")):
            return kind
        return replace(kind, ap=before.ap, mods=before.mods)

    def _as_taken(self, kind: HitKind) -> HitKind:
        """A hit as changed by the target's own rules, which are applied last."""
        if self.victim is not None:
            return self._as_taken_by(self.victim, kind)
        for rule in self.theirs("hit_on_me"):
            kind = self._unless_weaker(kind, rule.hit_on_me(self.ctx, kind))
        return kind

    def _as_taken_by(self, victim: Unit, kind: HitKind) -> HitKind:
        ctx = replace(self.ctx, target=victim, picked=-1)
        ignored = {rule.ignores_rule(ctx).casefold() for rule in self.own("ignores_rule")}
        for rule in self.rules.hooks.of_unit(victim, ctx.state.profiles).get("hit_on_me", _NONE):
            found = rule.in_attack(ctx) if rule.name.casefold() not in ignored else None
            if found is not None:
                kind = self._unless_weaker(kind, found.hit_on_me(ctx, kind))
        return kind

    def hits_on(self, victim: Unit, note: str) -> dict[HitGroup, HitGroup]:
        """Each kind of hit on the target, and what it is on another unit that it falls on instead."""
        found: dict[HitGroup, HitGroup] = {}
        for label in (SIX, FIVE, PASS):
            here = self.hit_groups({label: 1}, note)
            self.victim = victim
            there = self.hit_groups({label: 1}, note)
            self.victim = None
            for one, other in zip(here, there, strict=True):
                found[replace(one, count=1)] = replace(other, count=1)
        return found

    def hit_groups(self, counts: Counts, note: str) -> list[HitGroup]:
        """Hits by kind: those that count as rolled 6s, then 5s that a rule refers to, then plain ones."""
        own = self._own_kind()
        groups: list[HitGroup] = []
        plain = counts.get(PASS, 0)
        for label, face in ((SIX, 6), (FIVE, 5)):
            rolled = counts.get(label, 0)
            if not rolled:
                continue
            kind, times = own, 1
            for rule in self.own("six"):
                kind = rule.six(self.ctx, kind) if rule.face <= face else kind
            if face == 6:
                times = max((rule.six_counts_as(self.ctx) for rule in self.own("six_counts_as")), default=1)
            plain += rolled * self.extra_hits(face)
            groups.append(self._group(rolled * times, self._as_taken(kind), note, six=face == 6))
        groups.append(self._group(plain, self._as_taken(own), note, six=False))
        found = [group for group in groups if group.count]
        blows = self.blows() if self.own("attacks_for_blocks") else 0
        return [self._with_blows(group, blows) for group in found] if blows else found

    def extra_hits(self, face: int) -> int:
        """Extra hits for each natural roll of this face."""
        return sum(rule.marks(self.ctx) for rule in self.own("marks") if rule.face <= face)

    def more_attacks(self, counts: Counts) -> int:
        """Extra attacks from a roll, to be rolled after it."""
        rules = self.own("more_attacks")
        if not rules:
            return 0
        return sum(
            counts.get(label, 0) * sum(rule.more_attacks(self.ctx) for rule in rules if rule.face <= face)
            for label, face in ((SIX, 6), (FIVE, 5))
        )

    def blows(self) -> int:
        """Extra attacks for each natural 1 to block hits of this weapon; extra attacks themselves earn none."""
        if self.ctx.weapon is None or self.volley is None or self.volley.extra:
            return 0
        return sum(rule.attacks_for_blocks(self.ctx) for rule in self.own("attacks_for_blocks"))

    def _with_blows(self, group: HitGroup, blows: int) -> HitGroup:
        """A group whose low blocks bring extra attacks, with the number of the source that makes them."""
        assert self.volley is not None
        first, weapon = self.source.models[0], self.source.weapon
        sources = enumerate(self.volley.sources)
        at = next(at for at, one in sources if first in one.models and one.weapon == weapon)
        return replace(group, blows=blows, source=at)

    def charge_kind(self) -> HitKind:
        """The properties of Impact hits."""
        kind = HitKind()
        for rule in self.own("charge_hit"):
            kind = rule.charge_hit(self.ctx, kind)
        return self._as_taken(kind)

    def rule_hits(self, count: int, rules: tuple[RuleRef, ...], note: str) -> HitGroup:
        """Hits of a special rule with the rules that it names."""
        kind = HitKind()
        for rule in self.rules.specials.build(rules):
            kind = rule.hit(self.ctx, kind)
        return self._group(count, self._as_taken(kind), note, six=False)

    def charge_hits(self, count: int, note: str) -> HitGroup:
        """Impact hits."""
        return self._group(count, self.charge_kind(), note, six=False)

    def _group(self, count: int, kind: HitKind, note: str, six: bool) -> HitGroup:
        return HitGroup(
            count=count,
            unit=self.ctx.target.id,
            piercing=kind.ap,
            again_from=kind.again_from,
            no_saves=kind.no_saves,
            multiply=kind.multiply,
            note=note,
            mods=kind.mods,
            six=six,
            wounds_on=kind.wounds_on,
            ones=kind.ones,
            ones_up_to=kind.ones_up_to,
            unblocked=kind.unblocked,
        )

    def multiplier(self) -> int:
        """How many hits each hit becomes."""
        product = 1
        for rule in self.own("multiplies"):
            product *= max(1, rule.multiplies(self.ctx))
        return product

    def caps_each_hit(self) -> bool:
        """Whether each hit becomes several up to the number of models in the target, in any edition."""
        return any(rule.caps_each_hit for rule in self.own("multiplies"))


def with_extra_attacks(rules: Ruleset, state: State, attack: Attack) -> Volley:
    """The volley of an attack with the dice that rules add to its weapons."""
    volley = attack.volley
    assert volley is not None
    sources = []
    for source in volley.sources:
        attackers = Attackers(rules, state, attack, source)
        each = sum(rule.extra_attacks(attackers.ctx) for rule in attackers.own("extra_attacks"))
        sources.append(replace(source, dice=source.dice + each * len(source.models)) if each else source)
    return replace(volley, sources=tuple(sources))


def attack_context(rules: Ruleset, state: State, frame: Attack, source: Source) -> AttackContext:
    """What hooks may ask about one source of attacks."""
    volley = frame.volley
    assert volley is not None
    unit, target = state.units[frame.unit], state.units[volley.target]
    profile, policies = state.profiles[source.profile], rules.policies
    apart = volley.unit_near
    if frame.kind == "shoot":
        apart = policies.shot_distance(source.near, volley.unit_near, volley.picked)
    return AttackContext(
        state=state,
        kind=frame.kind,
        unit=unit,
        target=target,
        profile=profile,
        weapon=weapon_at(profile, source.weapon) if source.weapon >= 0 else None,
        charging=frame.charging,
        held=frame.held,
        moved=frame.moved and not source.still,
        near=source.near,
        unit_near=volley.unit_near,
        cover=volley.cover,
        tired=source.tired,
        picked=volley.picked,
        apart=apart,
        round=state.round,
        switches=state.options,
        around=policies.around(rules, state, frame, unit, target),
    )


def thrown_again(labels: Labels, low: int, high: int) -> Labels:
    """Labels in which failures of natural faces up to `low`, and successes from `high` on, are rerolled."""
    if not low and high > len(labels):
        return labels
    found = [
        (MISSED if face <= low else label)
        if label in (FAIL, LOW, ONE)
        else (AGAIN if face >= high else label)
        for face, label in enumerate(labels, 1)
    ]
    one, two, three, four, five, six = found
    return (one, two, three, four, five, six)


def _once(rules: tuple[SpecialRule, ...]) -> tuple[SpecialRule, ...]:
    """Equal rules merged into one; its value is the sum if values add up, otherwise the highest."""
    if len(rules) < 2:
        return rules
    found: dict[tuple[str, int], SpecialRule] = {}
    for rule in rules:
        other = found.get(rule.same)
        if other is not None and (rule.adds or other.adds):
            found[rule.same] = rule.with_value(other.value + rule.value)
        elif other is None or rule.value > other.value:
            found[rule.same] = rule
    return tuple(found.values())


def merge_groups(groups: list[HitGroup]) -> tuple[HitGroup, ...]:
    """Merge groups that block and wound alike, in order of appearance."""
    merged: list[HitGroup] = []
    for group in groups:
        for i, other in enumerate(merged):
            if replace(other, count=group.count) == group:
                merged[i] = replace(other, count=other.count + group.count)
                break
        else:
            merged.append(group)
    return tuple(merged)


def block_target(rules: Ruleset, state: State, frame: Attack, group: HitGroup) -> Target:
    """The needed roll to block a hit of this group, with its reasons."""
    unit = state.units[group.unit]
    base = rules.policies.defense_against(rules, state, frame, unit, frame.picked)
    lent = _blockers(rules, state, frame, unit).get("to_block", _NONE)
    own: tuple[Mod, ...] = ()
    if lent:
        ctx = block_context(state, frame, unit)
        own = tuple(mod for rule in lent if (mod := rule.to_block(ctx)) is not None)
    return Target(base, group.mods + own + rules.policies.block_mods(rules, state, frame, unit))


def _blockers(rules: Ruleset, state: State, frame: Attack, unit: Unit) -> HookTable:
    """The rules of those who block: of the unit, or of the model that was singled out, which is a unit of one."""
    picked = next((model for model in unit.models if model.id == frame.picked), None)
    if picked is None:
        return rules.hooks.of_unit(unit, state.profiles)
    return rules.hooks.of_model(unit, picked, state.profiles)


def blocks_again_up_to(rules: Ruleset, state: State, frame: Attack, group: HitGroup) -> int:
    """The highest natural face of failed blocks against these hits that is rerolled; 0 for none."""
    unit = state.units[group.unit]
    lent = _blockers(rules, state, frame, unit).get("blocks_again", _NONE)
    if not lent:
        return 0
    ctx = block_context(state, frame, unit)
    return max(rule.blocks_again(ctx) for rule in lent)


def activation_facts(activation: Activation | None, unit: int) -> tuple[bool, bool]:
    """Whether the unit holds, and whether it moved, in the running activation."""
    if activation is None or activation.unit != unit:
        return False, False
    return activation.action == "hold", activation.moved


def volley_dice(volley: Volley) -> int:
    """Dice of all sources together."""
    return sum([source.dice for source in volley.sources])
