"""Weapon groups of a unit and the models that may use them; cached on the frozen unit."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.core.frames import Source
from shieldwall.core.state import Model, Profile, State, Unit, Weapon, setting
from shieldwall.rules.hook_tables import HookTables, kinds_of
from shieldwall.rules.hooks import Aiming, SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset

BARE_HANDS = Weapon("Bare Hands", 1)
UNIT_WIDE = ("any", "most", "all")


class Bearer(NamedTuple):
    """One weapon in one model's hands: places in the unit's models and the profile's weapons."""

    at: int
    model: Model
    weapon: int


class Group(NamedTuple):
    """All weapons of one type in a unit; `kinds` are the first bearers of each profile."""

    key: str
    weapon: Weapon
    bearers: tuple[Bearer, ...]
    kinds: tuple[Bearer, ...]


def groups_of(state: State, unit: Unit, ranged: bool) -> tuple[Group, ...]:
    """The unit's weapon groups, by name and profile; cached."""
    bare = not ranged and strikes_bare(state)
    makeup, key = unit.makeup, ("weapon groups", ranged, bare)
    known: tuple[Group, ...] | None = makeup.get(key)
    if known is None:
        known = makeup[key] = _build(state, unit, ranged, bare)
    return known


def longest_reach(state: State, unit: Unit) -> int:
    """The longest range of the unit's weapons; 0 if it has no ranged one. Cached like its groups."""
    makeup = unit.makeup
    known: int | None = makeup.get("longest reach")
    if known is None:
        reaches = [group.weapon.reach for group in groups_of(state, unit, ranged=True)]
        known = makeup["longest reach"] = max(reaches, default=0)
    return known


def strikes_bare(state: State) -> bool:
    """Whether models without a melee weapon still have one attack: a switch of some editions."""
    return setting(state, "unarmed-attacks", "none") == "one"


def weapon_at(profile: Profile, position: int) -> Weapon:
    """The weapon at a place of a profile; after the last one come bare hands."""
    return profile.weapons[position] if position < len(profile.weapons) else BARE_HANDS


def _build(state: State, unit: Unit, ranged: bool, bare: bool) -> tuple[Group, ...]:
    found: dict[Weapon, list[Bearer]] = {}
    for index, model in enumerate(unit.models):
        weapons = state.profiles[model.profile].weapons
        for position, weapon in enumerate(weapons):
            if (weapon.reach > 0) == ranged:
                found.setdefault(weapon, []).append(Bearer(index, model, position))
        if bare and all(weapon.reach for weapon in weapons):
            found.setdefault(BARE_HANDS, []).append(Bearer(index, model, len(weapons)))
    names: dict[str, int] = {}
    groups = []
    for weapon, bearers in found.items():
        names[weapon.name] = names.get(weapon.name, 0) + 1
        suffix = f" ({names[weapon.name]})" if names[weapon.name] > 1 else ""
        kinds = {bearer.model.profile: bearer for bearer in reversed(bearers)}
        firsts = sorted(kinds.values(), key=lambda bearer: bearer.at)
        groups.append(Group(weapon.name + suffix, weapon, tuple(bearers), tuple(firsts)))
    return tuple(groups)


def kinds_apart(hooks: HookTables, state: State, unit: Unit, group: Group, *asked: str) -> tuple[Bearer, ...]:
    """One bearer of each profile, if rules of their own may answer the hooks asked; else one that stands for all."""
    kinds = group.kinds
    if len(kinds) == 1 or any(hooks.may_have(hook, unit, state.profiles) for hook in asked):
        return kinds
    return kinds[:1]


def rules_for(
    hooks: HookTables, state: State, unit: Unit, weapon: Weapon, model: Model, hook: str
) -> tuple[SpecialRule, ...]:
    """Rules that answer a hook about a weapon in a model's hands: the weapon's, the model's, the unit's by scope."""
    printed = hooks.of_weapon(weapon).get(hook, ())
    own = hooks.of_model(unit, model, state.profiles).get(hook, ())
    if len(kinds_of(unit)) == 1:  # what one model has, all have
        return printed + own
    shared = hooks.of_unit(unit, state.profiles).get(hook, ())
    return (
        *printed,
        *(rule for rule in own if rule.scope_of(hook) not in UNIT_WIDE),
        *(rule for rule in shared if rule.scope_of(hook) in UNIT_WIDE),
    )


def aimings_of(hooks: HookTables, state: State, unit: Unit, group: Group) -> dict[int, Aiming]:
    """How the bearers of a group pick their targets, by profile; profiles left out do as the first one does."""
    kinds = kinds_apart(hooks, state, unit, group, "aims")
    return {kind.model.profile: aiming_of(hooks, state, unit, group, kind) for kind in kinds}


def aiming_of(hooks: HookTables, state: State, unit: Unit, group: Group, bearer: Bearer) -> Aiming:
    """How a bearer picks its targets, by all rules of the weapon and of the bearer, including granted ones."""
    rules = rules_for(hooks, state, unit, group.weapon, bearer.model, "aims")
    aiming = Aiming()
    ctx = UnitContext(state, unit)
    for rule in rules:
        given = rule.aims(ctx)
        if given is None or (given.shots_only and not group.weapon.reach):
            continue
        cover = max(aiming.ignores_cover, given.ignores_cover, key=("none", "behind", "all").index)
        aiming = Aiming(
            needs_sight=aiming.needs_sight and given.needs_sight,
            ignores_cover=cover,
            picks_model=aiming.picks_model or given.picks_model,
            picks_centre=aiming.picks_centre or given.picks_centre,
            unseen_in_cover=aiming.unseen_in_cover or given.unseen_in_cover,
            rank=min(aiming.rank, given.rank),
        )
    return aiming


def shoots_after_at(rules: Ruleset, state: State, unit: Unit, action: str, target: Unit) -> bool:
    """Whether a rule lets a unit shoot at a target after an action that usually forbids it.

    The rule is its own, for any target, or comes from a mark on this one.
    """
    ctx, hook = UnitContext(state, unit), "shoots_after"
    marked = rules.hooks.against(unit, target).get(hook, ()) if target.effects else ()
    return any(
        rule.shoots_after(ctx, action)
        for rule in (*rules.hooks.of_unit(unit, state.profiles).get(hook, ()), *marked)
    )


def reaches_at(rules: Ruleset, state: State, unit: Unit, group: Group, target: Unit) -> dict[int, int]:
    """The range of a group of weapons against a target, by the rules of both units and the profile of the bearer.

    Profiles left out shoot as far as the first one.
    """
    kinds = kinds_apart(rules.hooks, state, unit, group, "longer_range", "drops_penalties")
    return {
        kind.model.profile: max(
            0,
            group.weapon.reach
            + _added_reach(rules, state, unit, group.weapon, kind.model, target)
            + _reach_at(
                rules, state, unit, target, _keeps_strength(rules, state, unit, group.weapon, kind.model)
            ),
        )
        for kind in kinds
    }


def most_own_reach(rules: Ruleset, state: State, unit: Unit, group: Group) -> int:
    """The most that rules of their own may add to the range of any bearers of a group, against any target."""
    kinds = kinds_apart(rules.hooks, state, unit, group, "longer_range", "drops_penalties")
    return max([_added_reach(rules, state, unit, group.weapon, kind.model) for kind in kinds])


def _added_reach(
    rules: Ruleset, state: State, unit: Unit, weapon: Weapon, model: Model, target: Unit | None = None
) -> int:
    """What a shooter's own rules add to the range of a weapon; without a target, the most it may be."""
    found = rules_for(rules.hooks, state, unit, weapon, model, "longer_range")
    if not found:
        return 0
    ctx = UnitContext(state, unit, target)
    added = [rule.longer_range(ctx) for rule in found]
    return _sum(added, _keeps_strength(rules, state, unit, weapon, model))


def _keeps_strength(rules: Ruleset, state: State, unit: Unit, weapon: Weapon, model: Model) -> bool:
    """Whether nothing shortens the range of a weapon in a model's hands."""
    found = rules_for(rules.hooks, state, unit, weapon, model, "drops_penalties")
    return any(rule.keeps_strength for rule in found)


def _sum(inches: list[int], keeps_strength: bool) -> int:
    return sum(max(0, one) if keeps_strength else one for one in inches)


def _reach_at(rules: Ruleset, state: State, unit: Unit, target: Unit, keeps_strength: bool = False) -> int:
    hooks = rules.hooks
    theirs = hooks.of_unit(target, state.profiles).get("range_at_me", ())
    marked = hooks.against(unit, target).get("longer_range", ()) if target.effects else ()
    if not theirs and not marked:
        return 0
    added = [rule.range_at_me(UnitContext(state, target)) for rule in theirs]
    added += [rule.longer_range(UnitContext(state, unit, target)) for rule in marked]
    return _sum(added, keeps_strength)


def most_added_reach(rules: Ruleset, state: State, unit: Unit) -> int:
    """The most that rules may add to the range of any shots of a unit."""
    groups = groups_of(state, unit, ranged=True)
    own = max([most_own_reach(rules, state, unit, group) for group in groups], default=0)
    shortened = rules.hooks.by_hook("range_at_me", state.profiles)
    added = [
        _reach_at(rules, state, unit, other)
        for other in state.units
        if other.side != unit.side and other.models and (shortened or other.effects)
    ]
    return own + max([0, *added])


def usable(rules: Ruleset, state: State, unit: Unit, bearer: Bearer, weapon: Weapon) -> bool:
    """Whether a bearer may still use this weapon: some have limited uses."""
    if not is_counted(rules, weapon):
        return True
    hooks = rules.hooks.of_weapon(weapon)
    key = use_key(rules, bearer, weapon)
    used = next((use for use in bearer.model.uses if use.key == key), None)
    if "once_a_round" in hooks and used is not None and used.round == state.round:
        return False
    ctx = UnitContext(state, unit)
    return all(rule.may_use(ctx, used.times if used else 0) for rule in hooks.get("may_use", ()))


def is_counted(rules: Ruleset, weapon: Weapon) -> bool:
    """Whether uses of this weapon are counted."""
    hooks = rules.hooks.of_weapon(weapon)
    return "may_use" in hooks or "once_a_round" in hooks


def used_up_by(rules: Ruleset, weapon: Weapon) -> str:
    """The row of the rule that limits the uses of a weapon."""
    hooks = rules.hooks.of_weapon(weapon)
    limits = hooks.get("may_use", ()) + hooks.get("once_a_round", ())
    return limits[0].cite if limits else ""


def use_key(rules: Ruleset, bearer: Bearer, weapon: Weapon) -> str:
    """The name under which uses of one weapon of one model are recorded: the same for all ways of using a power."""
    powers = rules.hooks.of_weapon(weapon).get("once_a_round", ())
    return powers[0].name if powers else f"weapon {bearer.weapon}"


def sources_of(
    rules: Ruleset,
    state: State,
    bearers: list[tuple[Bearer, int]],
    weapon: Weapon,
    walked: tuple[int, ...] = (),
) -> tuple[Source, ...]:
    """Bearers grouped into sources with equal conditions; the `int` is each bearer's distance to the target.

    Only the distance bands of an edition's rules matter, so models in the same band roll together. `walked` names the
    models that moved, if their unit moves model by model.
    """
    bands = rules.constants.long_range_over
    found: dict[tuple[int, int, bool, bool, bool], list[tuple[Bearer, int]]] = {}
    for bearer, near in bearers:
        model = bearer.model
        still = bool(walked) and model.id not in walked
        key = (model.profile, bearer.weapon, near > bands, model.tired, still)
        found.setdefault(key, []).append((bearer, near))
    return tuple(
        Source(
            profile=profile,
            weapon=position,
            models=tuple([bearer.model.id for bearer, _ in group]),
            dice=weapon.attacks * len(group),
            near=group[0][1],
            tired=tired,
            still=still,
        )
        for (profile, position, _, tired, still), group in found.items()
    )
