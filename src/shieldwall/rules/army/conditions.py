"""Whether the conditions of army rules hold: of an attack, of the unit that has the rule, and of its target."""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.core.blocks import When, Whens
from shieldwall.core.frames import Activation, AttackKind
from shieldwall.core.state import Model, RuleRef, State, Unit
from shieldwall.core.values import MILLI
from shieldwall.geometry.tolerance import within
from shieldwall.rules.hooks import AttackContext, BlockContext
from shieldwall.rules.missions import on_ground
from shieldwall.rules.policies import at_half
from shieldwall.table.ground import models_near_terrain
from shieldwall.table.measure import point_to_unit, units_apart

FightContext = AttackContext | BlockContext

_KINDS: dict[str, tuple[AttackKind, ...]] = {
    "attack": ("shoot", "strike", "momentum"),
    "shoot": ("shoot",),
    "melee": ("strike", "momentum"),
    "spell": ("spell",),
}

OF_BEARER = frozenset(
    {
        "fatigued", "shaken", "wounded", "half", "models", "rounds", "still",
        "by_terrain", "by_marker", "by_friend", "friend_rule", "by_enemy", "arrived", "own_rule", "alone",
        "near", "lost",
    }
)  # fmt: skip
"""What a condition may depend on that only its bearer must meet, in an attack or outside one."""
OF_TARGET = frozenset(
    {
        "target_wounds", "target_defense", "target_rule", "target_without", "target_fatigued", "target_shaken",
        "target_wounded", "target_half", "target_models", "target_activated", "target_count", "outnumbers",
    }
)  # fmt: skip
"""What a condition may depend on that only the other unit must meet, whoever attacks whom, and how."""
_PLAIN = When()


def parts_of(when: When) -> set[str]:
    """What a condition depends on, with those that must not hold."""
    own = {name for name in when.__struct_fields__ if getattr(when, name) != getattr(_PLAIN, name)}
    return own.union(*map(parts_of, when.unless)) - {"unless"}


def in_a_fight(whens: Whens, ctx: FightContext, bearer: Unit) -> bool:
    """Whether the conditions of a rule hold in an attack; `bearer` is the unit of those two that has the rule."""
    return not whens or any(
        _holds(when, ctx, bearer) and not any(_holds(other, ctx, bearer) for other in when.unless)
        for when in whens
    )


def by_itself(whens: Whens, state: State, unit: Unit) -> bool:
    """Whether the conditions of a rule that needs no attack hold for the unit that has it."""
    return not whens or any(
        _bearer_holds(when, state, unit)
        and not any(_bearer_holds(other, state, unit) for other in when.unless)
        for when in whens
    )


def aimed_at(whens: Whens, state: State, unit: Unit, target: Unit) -> bool:
    """Whether the conditions of a rule hold for a unit that may shoot at another one, after what it has done so
    far in its activation."""
    running = next((one for one in reversed(state.stack) if isinstance(one, Activation)), None)
    mine = running if running is not None and running.unit == unit.id else None
    held = mine is None or mine.action in ("", "hold")  # it has not chosen to do anything else
    moved = mine is not None and mine.moved
    ctx = BlockContext(state, "shoot", unit, target)

    def holds(when: When) -> bool:
        return not (when.held and not held) and not (when.moved and not moved) and _holds(when, ctx, unit)

    return not whens or any(holds(when) and not any(holds(other) for other in when.unless) for when in whens)


def charging_at(whens: Whens, state: State, unit: Unit, target: Unit) -> bool:
    """Whether the conditions of a rule hold for a unit that may charge another one."""
    return in_a_fight(whens, BlockContext(state, "strike", unit, target, charging=True), unit)


def is_attack(whens: Whens, kind: AttackKind) -> bool:
    """Whether conditions hold that depend only on the kind of attack."""
    return not whens or any(_is_kind(when.attack, kind) for when in whens)


def _holds(when: When, ctx: FightContext, bearer: Unit) -> bool:
    if not _is_kind(when.attack, ctx.kind):
        return False
    if when.charging and not ctx.charging:
        return False
    if when.charged and (ctx.charging or ctx.kind not in _KINDS["melee"]):
        return False
    if when.in_cover and ctx.cover == "none":
        return False
    if when.over and ctx.apart <= when.over:
        return False
    if when.within and ctx.apart > when.within:
        return False
    if isinstance(ctx, AttackContext) and bearer is ctx.unit and not _acts_so(when, ctx):
        return False
    other = ctx.target if bearer is ctx.unit else ctx.unit
    return _bearer_holds(when, ctx.state, bearer) and _other_holds(when, ctx, other)


def _acts_so(when: When, ctx: AttackContext) -> bool:
    return not (when.held and not ctx.held) and not (when.moved and not ctx.moved)


def _is_kind(wanted: str, kind: AttackKind) -> bool:
    if not wanted:
        return True
    if wanted == "not spell":
        return kind != "spell"
    return kind in _KINDS[wanted]


def is_shaken(unit: Unit) -> bool:
    """Whether a unit counts as Shaken: broken, or with every model stunned."""
    return unit.broken or (bool(unit.models) and all(model.stunned for model in unit.models))


def _came_out_of_hiding(state: State, unit: Unit) -> bool:
    """Whether a unit came out of hiding in this round; copies of lost units come in the open."""
    return unit.arrived == state.round > 0 and ("reserve", "copy") not in unit.picks


def _bearer_holds(when: When, state: State, unit: Unit) -> bool:
    if when.still and not unit.stayed:
        return False
    if when.fatigued is not None and is_fatigued(unit) != when.fatigued:
        return False
    if when.shaken is not None and is_shaken(unit) != when.shaken:
        return False
    if not _is_of_strength(state, unit, when.wounded, when.half, when.models):
        return False
    if when.lost and wounds_lost(state, unit) < when.lost:
        return False
    if when.own_rule and not any(has_rule(state, unit, model, when.own_rule) for model in unit.models):
        return False
    if when.arrived and not _came_out_of_hiding(state, unit):
        return False
    if when.rounds != (0, 0) and not _between(when.rounds[0], state.round, when.rounds[1]):
        return False
    return _stands_so(when, state, unit)


def _stands_so(when: When, state: State, unit: Unit) -> bool:
    """Whether the surroundings of a unit are as a condition says."""
    if when.by_marker and not is_by_marker(state, unit, when.by_marker):
        return False
    if when.by_friend and friends_near(state, unit, when.by_friend, when.friend_rule) < when.near:
        return False
    if when.by_enemy and enemies_near(state, unit, when.by_enemy) < when.near:
        return False
    if when.alone and friends_near(state, unit, when.alone, ""):
        return False
    return not when.by_terrain or is_by_terrain(state, unit, when.by_terrain)


def _is_of_strength(
    state: State, unit: Unit, wounded: bool | None, half: bool | None, models: tuple[int, int]
) -> bool:
    """Whether a unit has lost as much, and has as many models, as a condition says."""
    if wounded is not None and has_losses(unit) != wounded:
        return False
    if half is not None and at_half(state, unit) != half:
        return False
    return models == (0, 0) or _between(models[0], len(unit.models), models[1])


def has_losses(unit: Unit) -> bool:
    """Whether a unit has lost models, or any of its models has taken wounds."""
    return len(unit.models) < unit.start_models or any(model.wounds for model in unit.models)


def wounds_lost(state: State, unit: Unit) -> int:
    """How many wounds a unit has taken: those on its models, and all that its fallen models could take."""
    taken = sum(model.wounds for model in unit.models)
    if len(unit.models) >= unit.start_models or not unit.models:
        return taken
    plain = min(state.profiles[model.profile].wounds for model in unit.models)
    return taken + plain * (unit.start_models - len(unit.models))


def _other_holds(when: When, ctx: FightContext, target: Unit) -> bool:
    """Whether the rule applies to the opponent in the attack: its target, or the attacker of its bearer."""
    state = ctx.state
    models = tuple(model for model in target.models if model.id == ctx.picked) or target.models

    def enough(test: Callable[[Model], bool]) -> bool:
        able = sum(test(model) for model in models)
        if when.target_count == "any":
            return able > 0
        return able == len(models) if when.target_count == "all" else able * 2 > len(models)

    if when.target_fatigued is not None and is_fatigued(target) != when.target_fatigued:
        return False
    if when.target_shaken is not None and is_shaken(target) != when.target_shaken:
        return False
    if not _is_of_strength(state, target, when.target_wounded, when.target_half, (0, 0)):
        return False
    low, high = when.target_models
    if (low or high) and not _between(low, len(models), high):
        return False
    if when.target_activated is not None and target.activated != when.target_activated:
        return False
    if when.outnumbers is not None and not _outnumbers(when.outnumbers, ctx, target):
        return False
    profiles = state.profiles
    low, high = when.target_wounds
    if (low or high) and not enough(lambda m: _between(low, profiles[m.profile].wounds, high)):
        return False
    best, worst = when.target_defense
    guard = ctx.guard if isinstance(ctx, AttackContext) and target is ctx.target else 0
    if (best or worst) and not enough(lambda m: _between(best, guard or profiles[m.profile].defense, worst)):
        return False
    if when.target_rule and not enough(lambda m: has_rule(state, target, m, when.target_rule)):
        return False
    return not (when.target_without and any(has_rule(state, target, m, when.target_without) for m in models))


def _outnumbers(more: bool, ctx: FightContext, other: Unit) -> bool:
    """Whether the unit with the rule has more models than the other one, or fewer; a model that was singled out is a
    unit of one."""
    attackers, defenders = len(ctx.unit.models), 1 if ctx.picked >= 0 else len(ctx.target.models)
    mine, theirs = (attackers, defenders) if other is ctx.target else (defenders, attackers)
    return mine > theirs if more else mine < theirs


def _between(low: int, number: int, high: int) -> bool:
    return low <= number and (not high or number <= high)


def is_fatigued(unit: Unit) -> bool:
    """Whether a unit, or most of its models where each counts for itself, is past its first melee of the round."""
    return unit.tired or sum(model.tired for model in unit.models) * 2 > len(unit.models)


def is_by_terrain(state: State, unit: Unit, reach: int) -> bool:
    """Whether most models of a unit are within a distance of terrain."""
    if unit.place != "table":
        return False
    return models_near_terrain(state, unit, reach / MILLI) * 2 > len(unit.models)


def is_by_marker(state: State, unit: Unit, reach: int) -> bool:
    """Whether a unit is within a distance of an objective that lies on the table, or carries one."""
    if unit.place != "table":
        return False
    return any(
        marker.carrier == unit.id
        or (
            on_ground(marker)
            and within(point_to_unit(state, unit.id, marker.x / MILLI, marker.y / MILLI), reach / MILLI)
        )
        for marker in state.markers
        if not marker.gone
    )


def friends_near(state: State, unit: Unit, reach: int, rule: str) -> int:
    """How many other friendly units, with a rule of this name where one is given, are within a distance."""
    if unit.place != "table":
        return 0
    return sum(
        within(units_apart(state, unit.id, other.id), reach / MILLI)
        for other in state.units
        if other.id != unit.id
        and other.place == "table"
        and other.side == unit.side
        and (not rule or any(has_rule(state, other, model, rule) for model in other.models))
    )


def enemies_near(state: State, unit: Unit, reach: int) -> int:
    """How many enemy units are within a distance."""
    if unit.place != "table":
        return 0
    return sum(
        within(units_apart(state, unit.id, other.id), reach / MILLI)
        for other in state.units
        if other.side != unit.side and other.place == "table" and other.models
    )


def has_rule(state: State, unit: Unit, model: Model, name: str) -> bool:
    """Whether a model has a rule of this name: printed, or lent to its unit."""
    lent = [ref for effect in unit.effects for ref in effect.grants]
    return any(_is_named(ref, name) for ref in (*state.profiles[model.profile].rules, *lent))


def _is_named(ref: RuleRef, name: str) -> bool:
    printed, wanted = ref.name.casefold(), name.casefold()
    return printed == wanted or {printed, wanted} <= CASTERS


CASTERS = frozenset({"caster", "wizard"})  # what the editions call a model that casts spells
