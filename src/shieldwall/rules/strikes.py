"""Blows of one side of a melee as volleys: who strikes, with what, in which order. Pure."""

from __future__ import annotations

from collections.abc import Collection

from shieldwall.core.frames import Source, Volley
from shieldwall.core.state import Model, State, Unit
from shieldwall.rules.army.fighting import StrikesWithDice
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import Bearer, Group, aiming_of, groups_of, sources_of, usable


def strike_volleys(
    rules: Ruleset,
    state: State,
    unit: Unit,
    enemy: Unit,
    early: bool,
    used: Collection[tuple[int, int]] = (),
) -> tuple[Volley, ...]:
    """Melee weapon groups of the models that may strike, those that must go first in front.

    `early` takes only weapons that strike first when their bearer is charged; `used` names weapons (model, place in
    its profile) that have struck already. Models that single out an enemy each choose their own. Cached on the state,
    because whether a unit can strike back is checked before it does.
    """
    memory: dict[object, tuple[Unit, Unit, tuple[Volley, ...]]] = state.memory.setdefault("strikes", {})
    key = (rules, unit.id, enemy.id, early, tuple(used))
    known = memory.get(key)
    if known is None or known[0] is not unit or known[1] is not enemy:
        known = memory[key] = (unit, enemy, _strike_volleys(rules, state, unit, enemy, early, used))
    return known[2]


def _strike_volleys(
    rules: Ruleset,
    state: State,
    unit: Unit,
    enemy: Unit,
    early: bool,
    used: Collection[tuple[int, int]],
) -> tuple[Volley, ...]:
    able = {model.id for model in rules.policies.strikers(rules, state, unit, enemy)}
    volleys = []
    for group in groups_of(state, unit, ranged=False):
        if early and not strikes_early(rules, state, unit, group):
            continue
        bearers = [
            (bearer, 0)
            for bearer in group.bearers
            if bearer.model.id in able
            and (bearer.model.id, bearer.weapon) not in used
            and usable(rules, state, unit, bearer, group.weapon)
        ]
        aiming = aiming_of(rules.hooks, state, unit, group)
        apart = [[one] for one in bearers] if aiming.picks_model else [bearers]
        volleys += [
            Volley(
                group=group.key,
                target=enemy.id,
                sources=sources_of(rules, state, together, group.weapon),
                target_models=len(enemy.models),
                rank=aiming.rank,
            )
            for together in apart
            if together and group.weapon.attacks
        ]
    return tuple(sorted(volleys, key=lambda volley: volley.rank))


def strikes_early(rules: Ruleset, state: State, unit: Unit, group: Group, takes_weight: bool = False) -> bool:
    """Whether a weapon strikes before the charger does, by its own rules or by those granted to its bearers.

    With `takes_weight`, only rules that also take away Impact dice count.
    """
    lent = rules.hooks.of_model(unit, group.bearers[0].model, state.profiles).get("strikes_early", ())
    own = rules.hooks.of_weapon(group.weapon).get("strikes_early", ())
    meant = (rule for rule in own + lent if rule.takes_weight or not takes_weight)
    return any(rule.strikes_early(UnitContext(state, unit)) for rule in meant)


def early_models(rules: Ruleset, state: State, unit: Unit, takes_weight: bool = False) -> tuple[int, ...]:
    """Models with a weapon that strikes first when charged, and with `takes_weight` also takes away Impact dice."""
    found: list[int] = []
    for group in groups_of(state, unit, ranged=False):
        if strikes_early(rules, state, unit, group, takes_weight):
            found += [bearer.model.id for bearer in group.bearers]
    return tuple(dict.fromkeys(found))


def impact_volleys(
    rules: Ruleset, state: State, unit: Unit, enemy: Unit, lost_dice: int
) -> tuple[Volley, ...]:
    """Impact dice of a charge, after those the enemy's weapons take away: those of the edition, and rolled ones."""
    found: dict[bool, dict[Model, int]] = {False: {}, True: {}}
    ctx = UnitContext(state, unit)
    hook = "extra_hits_on_charge"
    marked = rules.hooks.against(unit, enemy).get(hook, ()) if enemy.effects else ()
    for model in rules.policies.strikers(rules, state, unit, enemy):
        own = rules.hooks.of_model(unit, model, state.profiles).get(hook, ())
        if not own + marked or (
            rules.policies.is_tired(unit, model) and not rules.policies.tired_models_crash()
        ):
            continue
        for rule in own + marked:
            dice = rule.extra_hits_on_charge(ctx)
            if dice:
                models = found[rule.rolls_weight]
                models[model] = models.get(model, 0) + dice
    volleys = []
    for rolled, sources in found.items():
        total = sum(sources.values())
        left = max(0, total - lost_dice)
        lost_dice -= total - left
        if left:
            source = Source(next(iter(sources)).profile, -1, tuple(model.id for model in sources), left)
            volleys.append(
                Volley("Impact", enemy.id, (source,), target_models=len(enemy.models), rolled=rolled)
            )
    return tuple(volleys)


def rule_volleys(rules: Ruleset, state: State, unit: Unit, enemy: Unit, charging: bool) -> tuple[Volley, ...]:
    """Dice that models roll in melee by a special rule, in addition to their weapons: one volley for each rule."""
    found: dict[tuple[str, int], tuple[SpecialRule, list[Model], int]] = {}
    ctx = UnitContext(state, unit)
    for model in rules.policies.strikers(rules, state, unit, enemy):
        for rule in rules.hooks.of_model(unit, model, state.profiles).get("strikes_with_dice", ()):
            _, models, dice = found.get(rule.same, (rule, [], 0))
            found[rule.same] = (rule, [*models, model], dice + rule.strikes_with_dice(ctx))
    return tuple(
        Volley(
            rule.name,
            enemy.id,
            (Source(models[0].profile, -1, tuple(model.id for model in models), dice),),
            target_models=len(enemy.models),
            need=rule.block.need,
            rules=rule.block.rules,
            wounds=rule.block.wounds > 0,
        )
        for rule, models, dice in found.values()
        if isinstance(rule, StrikesWithDice) and dice > 0 and (charging or rule.block.at != "charges")
    )


def weapons_used(state: State, unit: Unit, volley: Volley) -> tuple[tuple[int, int], ...]:
    """The weapons a volley used, as (model, place in its profile)."""
    return tuple((model, source.weapon) for source in volley.sources for model in source.models)


def bearers_in(state: State, unit: Unit, volley: Volley) -> tuple[Bearer, ...]:
    """The bearers behind a volley of blows."""
    used = set(weapons_used(state, unit, volley))
    return tuple(
        bearer
        for group in groups_of(state, unit, ranged=False)
        for bearer in group.bearers
        if (bearer.model.id, bearer.weapon) in used
    )
