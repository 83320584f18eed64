"""Blows of one side of a melee as volleys: who strikes, with what, in which order. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shieldwall.core.frames import Source, Volley
from shieldwall.core.state import Model, State, Unit
from shieldwall.rules.army.fighting import StrikesWithDice
from shieldwall.rules.hooks import Aiming, SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import (
    Bearer,
    Group,
    aimings_of,
    groups_of,
    kinds_apart,
    rules_for,
    sources_of,
    usable,
)


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
        swift = early_profiles(rules, state, unit, group) if early else ()
        if early and not swift:
            continue
        bearers = [
            (bearer, 0)
            for bearer in group.bearers
            if bearer.model.id in able
            and (not early or bearer.model.profile in swift)
            and (bearer.model.id, bearer.weapon) not in used
            and usable(rules, state, unit, bearer, group.weapon)
        ]
        aimings = aimings_of(rules.hooks, state, unit, group)
        volleys += [
            Volley(
                group=group.key,
                target=enemy.id,
                sources=sources_of(rules, state, together, group.weapon),
                target_models=len(enemy.models),
                rank=aiming.rank,
            )
            for aiming, together in _apart(bearers, aimings)
            if together and group.weapon.attacks
        ]
    return tuple(sorted(volleys, key=lambda volley: volley.rank))


def _apart(
    bearers: list[tuple[Bearer, int]], aimings: dict[int, Aiming]
) -> Iterator[tuple[Aiming, list[tuple[Bearer, int]]]]:
    """Bearers that strike together: those that aim alike, and each that singles out an enemy by itself."""
    usual = next(iter(aimings.values()))
    alike: dict[Aiming, list[tuple[Bearer, int]]] = {usual: bearers}
    if len(aimings) > 1:
        alike = {}
        for one in bearers:
            alike.setdefault(aimings.get(one[0].model.profile, usual), []).append(one)
    for aiming, found in alike.items():
        yield from [(aiming, [one]) for one in found] if aiming.picks_model else [(aiming, found)]


def early_profiles(
    rules: Ruleset, state: State, unit: Unit, group: Group, takes_weight: bool = False
) -> frozenset[int]:
    """Profiles that strike with a weapon before the charger does, by its own rules or those of its bearers.

    With `takes_weight`, only rules that also take away Impact dice count.
    """
    kinds = kinds_apart(rules.hooks, state, unit, group, "strikes_early")
    ctx, early = UnitContext(state, unit), []
    for kind in kinds:
        found = rules_for(rules.hooks, state, unit, group.weapon, kind.model, "strikes_early")
        meant = (rule for rule in found if rule.takes_weight or not takes_weight)
        early.append(any(rule.strikes_early(ctx) for rule in meant))
    if len(kinds) == 1:
        return frozenset(kind.model.profile for kind in group.kinds if early[0])
    return frozenset(kind.model.profile for kind, is_early in zip(kinds, early, strict=True) if is_early)


def early_models(rules: Ruleset, state: State, unit: Unit, takes_weight: bool = False) -> tuple[int, ...]:
    """Models with a weapon that strikes first when charged, and with `takes_weight` also takes away Impact dice."""
    found: list[int] = []
    for group in groups_of(state, unit, ranged=False):
        early = early_profiles(rules, state, unit, group, takes_weight)
        found += [bearer.model.id for bearer in group.bearers if bearer.model.profile in early]
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
