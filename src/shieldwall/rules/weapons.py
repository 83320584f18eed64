"""Weapon groups of a unit and the models that may use them; cached on the frozen unit."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.core.frames import Source
from shieldwall.core.state import Model, Profile, State, Unit, Weapon, setting
from shieldwall.rules.hook_tables import HookTables
from shieldwall.rules.hooks import Aiming, UnitContext
from shieldwall.rules.ruleset import Ruleset

BARE_HANDS = Weapon("Bare Hands", 1)


class Bearer(NamedTuple):
    """One weapon in one model's hands: places in the unit's models and the profile's weapons."""

    at: int
    model: Model
    weapon: int


class Group(NamedTuple):
    """All weapons of one type in a unit."""

    key: str
    weapon: Weapon
    bearers: tuple[Bearer, ...]


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
        groups.append(Group(weapon.name + suffix, weapon, tuple(bearers)))
    return tuple(groups)


def aiming_of(hooks: HookTables, state: State, unit: Unit, group: Group) -> Aiming:
    """How a group picks its targets, by all rules of the weapon and its bearers, including granted ones."""
    rules = hooks.of_weapon(group.weapon).get("aims", ())
    rules += hooks.of_model(unit, group.bearers[0].model, state.profiles).get("aims", ())
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


def reach_at(rules: Ruleset, state: State, unit: Unit, group: Group, target: Unit) -> int:
    """The range of a group of weapons against a target, by the rules of both units."""
    return max(
        0,
        group.weapon.reach
        + added_reach(rules, state, unit, group, target)
        + _reach_at(rules, state, unit, target, _keeps_strength(rules, state, unit, group)),
    )


def added_reach(rules: Ruleset, state: State, unit: Unit, group: Group, target: Unit | None = None) -> int:
    """What the shooters' own rules add to the range of a group of weapons; without a target, the most it may be."""
    hooks = rules.hooks
    found = hooks.of_weapon(group.weapon).get("longer_range", ())
    found += hooks.of_model(unit, group.bearers[0].model, state.profiles).get("longer_range", ())
    if not found:
        return 0
    ctx = UnitContext(state, unit, target)
    return _sum([rule.longer_range(ctx) for rule in found], _keeps_strength(rules, state, unit, group))


def _keeps_strength(rules: Ruleset, state: State, unit: Unit, group: Group) -> bool:
    """Whether nothing shortens the range of a group of weapons."""
    found = rules.hooks.of_weapon(group.weapon).get("drops_penalties", ())
    found += rules.hooks.of_model(unit, group.bearers[0].model, state.profiles).get("drops_penalties", ())
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
    own = max([added_reach(rules, state, unit, group) for group in groups], default=0)
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
