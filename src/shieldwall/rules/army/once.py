"""Effects that last once: which of them an attack, a test or a move uses up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shieldwall.core import events as ev
from shieldwall.core.frames import Activation, Attack
from shieldwall.core.state import Effect, RuleRef, State, Unit
from shieldwall.rules.army.building import ignored_names, with_granted
from shieldwall.rules.army.used_up import ONCE, unboosted
from shieldwall.rules.attack_math import attack_context
from shieldwall.rules.hooks import AttackContext, HitKind, SpecialRule, UnitContext
from shieldwall.rules.policies import block_context
from shieldwall.rules.ruleset import Play, Ruleset

PIERCING = HitKind(ap=1)
Spent = tuple[int, str]  # a unit, and the name of an effect on it


def has_once(unit: Unit) -> bool:
    """Whether any effect on a unit lasts once."""
    return bool(unit.effects) and any(effect.until == ONCE for effect in unit.effects)


def note_attack(game: Play, frame: Attack) -> None:
    """Write down which effects on the two units of an attack are used up by it; they end with the activation."""
    if frame.volley is None:
        return
    unit, target = game.state.units[frame.unit], game.state.units[frame.volley.target]
    if not has_once(unit) and not has_once(target):
        return
    contexts = [attack_context(game.rules, game.state, frame, one) for one in frame.volley.sources]
    spent: list[Spent] = []
    for effect in unit.effects:
        if effect.until == ONCE and _helps(game.rules, effect.grants, contexts, attacking=True):
            spent.append((unit.id, effect.name))
    for effect in target.effects:
        if effect.until != ONCE:
            continue
        used = _helps(game.rules, effect.against, contexts, attacking=True)
        used = used or _helps(game.rules, effect.grants, contexts, attacking=False)
        if used or _blocks_with(game.rules, game.state, effect, frame, target):
            spent.append((target.id, effect.name))
    note_spent(game, spent)


def note_range(game: Play, unit: Unit, target: Unit, can_fire: Callable[[State], bool]) -> None:
    """Write down which effects shots needed to reach; `can_fire` says whether all of them are possible in a state."""
    if not has_once(unit) and not has_once(target):
        return
    granted = [(unit.id, effect, effect.grants) for effect in unit.effects]
    granted += [(target.id, effect, effect.against) for effect in target.effects]
    note_spent(
        game,
        [
            (bearer, effect.name)
            for bearer, effect, refs in granted
            if effect.until == ONCE
            and any("longer_range" in rule.hooks for rule in built(game.rules, refs))
            and not can_fire(ev.EffectEnded(unit=bearer, until=ONCE, name=effect.name).apply(game.state))
        ],
    )


def note_hits(game: Play, frame: Attack, unit: Unit) -> None:
    """Write down which effects on a unit are used up by hits that were not rolled for against it: of spells, rules."""
    if not has_once(unit):
        return
    bearer = game.state.units[frame.unit] if frame.unit >= 0 else unit
    profile = game.state.profiles[unit.models[0].profile]
    ctx = AttackContext(game.state, frame.kind, bearer, unit, profile, None)
    spent = [
        (unit.id, effect.name)
        for effect in unit.effects
        if effect.until == ONCE
        and (
            _blocks_with(game.rules, game.state, effect, frame, unit)
            or any(changes_hits_on_me(rule, ctx) for rule in built(game.rules, effect.grants))
        )
    ]
    note_spent(game, spent)


def note_charge(game: Play, unit_id: int, target_id: int) -> None:
    """Write down which effects are used up by a charge: those that make it longer or shorter at this target."""
    unit, target = game.state.units[unit_id], game.state.units[target_id]
    if not has_once(unit) and not has_once(target):
        return
    ctx = UnitContext(game.state, unit, target)
    spent = [
        (unit.id, effect.name)
        for effect in unit.effects
        if effect.until == ONCE
        and any(
            rule.charges_by_target and rule.move(ctx, "charge") for rule in built(game.rules, effect.grants)
        )
    ]
    note_spent(game, (*spent, *spent_by_hook(game.rules, target, "charge_at_me")))


def note_speaking(game: Play, unit: Unit, rule: SpecialRule) -> None:
    """Write down which effects on a unit are used up because a rule that they brought was asked or used."""
    if has_once(unit):
        found = (
            (unit.id, effect.name)
            for effect in unit.effects
            if effect.until == ONCE
            and any(
                one.name == rule.name and one.hooks == rule.hooks for one in built(game.rules, effect.grants)
            )
        )
        note_spent(game, found)


def note_spent(game: Play, spent: Iterable[Spent]) -> None:
    """Write down effects that were used; outside an activation they end at once."""
    activation = game.nearest(Activation)
    if activation is None:
        end_effects(game, spent)
        return
    new = tuple(one for one in dict.fromkeys(spent) if one not in activation.spent)
    if new:
        game.note_on(Activation, spent=(*activation.spent, *new))


def end_effects(game: Play, spent: Iterable[Spent]) -> None:
    """End effects that lasted once."""
    for unit, name in spent:
        if any(effect.name == name and effect.until == ONCE for effect in game.state.units[unit].effects):
            game.emit(ev.EffectEnded(unit=unit, until=ONCE, name=name))


ASKED = ("chooses_effect", "places_itself", "uses_feat")


def spent_by_action(rules: Ruleset, state: State, frame: Activation) -> list[Spent]:
    """Effects on the activated unit that its action used up: by a move, a question of theirs, or shots after it."""
    unit = state.units[frame.unit]
    if not has_once(unit):
        return []
    once = (effect for effect in unit.effects if effect.until == ONCE)
    return [(unit.id, effect.name) for effect in once if _is_used_by_action(rules, state, effect, frame)]


def _is_used_by_action(rules: Ruleset, state: State, effect: Effect, frame: Activation) -> bool:
    unit = state.units[frame.unit]
    ctx, asked = UnitContext(state, unit), {name for _, name in frame.asked}
    moved = frame.moved and frame.action in ("advance", "rush", "charge")
    if moved and ignored_names(_with_named(effect.grants)):
        return True
    for rule in built(rules, effect.grants):
        if moved and "move" in rule.hooks and (rule.move(ctx, frame.action) or rule.is_bogged(ctx)):
            return True
        if moved and "crossing" in rule.hooks:
            return True
        if rule.name in asked and any(hook in rule.hooks for hook in ASKED):
            return True
        if "shoots_after" in rule.hooks and frame.attacked and rule.shoots_after(ctx, frame.action):
            return True
        used = any(use.key == rule.name and use.round == state.round for use in unit.uses)
        if used and "moves_after" in rule.hooks:
            return True
    return False


def _with_named(refs: Iterable[RuleRef]) -> list[RuleRef]:
    """Rules with those that they bring along."""
    found = list(refs)
    return found + [given for ref in found for given in with_granted(ref)]


def spent_by_hook(rules: Ruleset, unit: Unit, *hooks: str) -> list[Spent]:
    """Effects on a unit that are used up whenever a hook is asked: tests, casting, wounds that may be ignored."""
    return [
        (unit.id, effect.name)
        for effect in unit.effects
        if effect.until == ONCE
        and any(hook in rule.hooks for rule in built(rules, effect.grants) for hook in hooks)
    ]


def spent_marks(rules: Ruleset, unit: Unit, hook: str) -> list[Spent]:
    """Marks on a unit that last once and bring its enemies rules with a hook."""
    return [
        (unit.id, effect.name)
        for effect in unit.effects
        if effect.until == ONCE and any(hook in rule.hooks for rule in built(rules, effect.against))
    ]


def built(rules: Ruleset, refs: Iterable[RuleRef]) -> tuple[SpecialRule, ...]:
    """The rules of an effect; a boost counts as what it puts in place of another rule."""
    return rules.specials.build(unboosted(refs))


def _helps(rules: Ruleset, refs: tuple[RuleRef, ...], contexts: list[AttackContext], attacking: bool) -> bool:
    if not refs:
        return False
    test = makes_attack_differ if attacking else makes_attacked_differ
    return any(test(rule, ctx) for rule in built(rules, refs) for ctx in contexts)


def makes_attack_differ(rule: SpecialRule, ctx: AttackContext) -> bool:
    """Whether a rule of the attacker makes any difference in an attack."""
    found = rule.in_attack(ctx)
    if found is None:
        return False
    plain = HitKind()
    tests = {
        "to_hit": lambda: found.to_hit(ctx) is not None,
        "quality": lambda: found.quality(ctx) is not None,
        "ignores_rule": lambda: bool(found.ignores_rule(ctx)),
        "misses_again": lambda: found.misses_again(ctx) > 0,
        "extra_attacks": lambda: found.extra_attacks(ctx) > 0,
        "strikes_late": lambda: ctx.charging and not ctx.shooting,
        "marks": lambda: found.marks(ctx) > 0,
        "more_attacks": lambda: found.more_attacks(ctx) > 0,
        "attacks_for_blocks": lambda: found.attacks_for_blocks(ctx) > 0,
        "hits_on_charge": lambda: ctx.charging,
        "attacks_on_charge": lambda: ctx.charging,
        "charge_hit": lambda: ctx.charging,
        "six_counts_as": lambda: found.six_counts_as(ctx) > 1,
        "backfires": lambda: found.backfires(ctx) > 0,
        "hit": lambda: found.hit(ctx, plain) != plain,
        "six": lambda: found.six(ctx, plain) != plain,
        "multiplies": lambda: found.multiplies(ctx) > 1,
        "drops_penalties": lambda: found.drops_penalties(ctx),
        "drops_cover": lambda: found.drops_cover(ctx) or "aims" in found.hooks,
        "aims": lambda: ctx.shooting,
        "longer_range": lambda: ctx.shooting and _shortens(found, ctx),  # where it helps, `note_range` knows
        "extra_hits_on_charge": lambda: ctx.charging,
        "strikes_with_dice": lambda: not ctx.shooting,
        "shoots_after": lambda: (
            ctx.shooting and found.shoots_after(UnitContext(ctx.state, ctx.unit), _action(ctx))
        ),
    }
    return any(tests[hook]() for hook in found.hooks if hook in tests)


def _shortens(rule: SpecialRule, ctx: AttackContext) -> bool:
    return rule.longer_range(UnitContext(ctx.state, ctx.unit, ctx.target)) < 0


def _action(ctx: AttackContext) -> str:
    """The action in which an attack is made."""
    frames = (frame for frame in reversed(ctx.state.stack) if isinstance(frame, Activation))
    return next((frame.action for frame in frames), "")


def makes_attacked_differ(rule: SpecialRule, ctx: AttackContext) -> bool:
    """Whether a rule of the target makes any difference in an attack on it."""
    found = rule.in_attack(ctx)
    if found is None:
        return False
    return (
        ("to_be_hit" in found.hooks and found.to_be_hit(ctx) is not None)
        or ("hits_on_me_again" in found.hooks and found.hits_on_me_again(ctx) > 0)
        or changes_hits_on_me(found, ctx)
        or ("counts_in_cover" in found.hooks and ctx.shooting and found.counts_in_cover(ctx))
        or ("strikes_early" in found.hooks and ctx.charging)
        or ("range_at_me" in found.hooks and ctx.shooting)
    )


def changes_hits_on_me(rule: SpecialRule, ctx: AttackContext) -> bool:
    """Whether a rule of the target makes any difference to hits on it."""
    found = rule.in_attack(ctx)
    return found is not None and "hit_on_me" in found.hooks and found.hit_on_me(ctx, PIERCING) != PIERCING


def _blocks_with(rules: Ruleset, state: State, effect: Effect, frame: Attack, target: Unit) -> bool:
    ctx = block_context(state, frame, target)
    return any(
        ("to_block" in rule.hooks and rule.to_block(ctx) is not None)
        or ("defense" in rule.hooks and rule.defense(ctx) is not None)
        or ("blocks_again" in rule.hooks and rule.blocks_again(ctx) > 0)
        for rule in built(rules, effect.grants)
    )
