"""Allocating wounds: which model may be removed next, how many wounds it takes, what is left of a unit.

Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.frames import Packet
from shieldwall.core.state import Model, Pose, State, Unit, ordinary_profile, shared_facts
from shieldwall.rules.hooks import WoundContext
from shieldwall.rules.ruleset import Ruleset, one_of_each

UNLIMITED = 1_000_000


class Loss(Struct, frozen=True):
    """What landing wounds does: wounds on models that live, models removed, wounds actually suffered."""

    wounded: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    inflicted: int


def victims(state: State, unit: Unit, picked: int, chosen: Sequence[int] = ()) -> list[Model]:
    """Models in the order wounds reach them: plain ones, then the most wounded tough one, joined models last.

    `chosen` puts the owner's choice first inside each of these groups.
    """
    if picked >= 0:
        return [model for model in unit.models if model.id == picked]
    ordinary = ordinary_profile(unit)
    rank = {model_id: i for i, model_id in enumerate(chosen)}
    place = {model.id: i for i, model in enumerate(unit.models)}

    def order(model: Model) -> tuple[int, int, int, int, int]:
        group = turn_to_fall(state, unit, model)
        most_hurt = -model.wounds if group == 1 else 0
        kept = 0 if model.profile == ordinary else 1
        return group, most_hurt, rank.get(model.id, UNLIMITED), kept, -place[model.id]

    return sorted(unit.models, key=order)


def turn_to_fall(state: State, unit: Unit, model: Model) -> int:
    """When wounds reach a model, whatever its owner chooses: plain ones first, then tough ones, joined ones last."""
    if model.id == unit.attached:
        return 2
    return 0 if state.profiles[model.profile].wounds == 1 else 1


def _known(rules: Ruleset, state: State, unit: Unit) -> dict[object, Any]:
    """A cache for the losses of this unit under these rules.

    Of the state, only profiles and options affect where wounds go.
    """
    found: tuple[object, object, object, object, dict[object, Any]] | None = unit.__dict__.get("losses")
    if (
        found is None
        or found[0] is not rules.policies
        or found[1] is not rules.hooks
        or found[2] is not state.profiles
        or found[3] is not state.options
    ):
        found = unit.__dict__["losses"] = (rules.policies, rules.hooks, state.profiles, state.options, {})
    return found[4]


def usual_order(rules: Ruleset, state: State, unit: Unit) -> tuple[int, ...]:
    """The order in which a sensible owner gives up models; cached, because it may take many measurements."""
    mine = _known(rules, state, unit)
    order: tuple[int, ...] | None = mine.get("order")
    if order is None:
        order = mine["order"] = _usual_order(rules, state, unit)
    return order


def _usual_order(rules: Ruleset, state: State, unit: Unit) -> tuple[int, ...]:
    kinds = tuple([(model.id, model.profile) for model in unit.models])
    orders: dict[object, tuple[int, ...]] = shared_facts(state.profiles).setdefault("casualty orders", {})
    key = (rules.policies, state.options, kinds, unit.poses, unit.attached, unit.ordinary)
    known = orders.get(key)
    if known is None:
        if len(orders) >= ORDERS_KEPT:
            orders.clear()
        known = orders[key] = rules.policies.casualty_order(state, unit)
    return known


ORDERS_KEPT = 4096


def capacities(rules: Ruleset, state: State, unit: Unit, queue: Sequence[Model], picked: int) -> list[int]:
    """How many wounds each model of the queue can take; the last model of a unit may take any number."""
    caps = [rules.policies.endures(state, unit, model) for model in queue]
    if caps and rules.last_model_stands and (picked < 0 or len(unit.models) == 1):
        caps[-1] = UNLIMITED
    return caps


def ignores_on(rules: Ruleset, ctx: WoundContext, model: Model, no_saves: bool = False) -> int:
    """The roll that ignores a wound on this model: by the whole unit or by the model itself; 0 for none.

    A model that was singled out is a unit of its own. Wounds with `no_saves` cannot be regenerated, but rules with
    other names may still ignore them. Of several rules the one with the best roll is used.
    """
    if rules.saves_by_unit and ctx.picked < 0:
        hooks = rules.hooks.of_unit(ctx.unit, ctx.state.profiles)
    else:
        hooks = rules.hooks.of_model(ctx.unit, model, ctx.state.profiles)
    found = hooks.get("ignores_wounds_on", ())
    if ctx.picked < 0 and any(rule.saves_whole_units for rule in found):
        shared = {
            rule.same
            for rule in rules.hooks.of_unit(ctx.unit, ctx.state.profiles).get("ignores_wounds_on", ())
        }
        found = tuple(rule for rule in found if not rule.saves_whole_units or rule.same in shared)
    needed = [
        roll
        for rule in found
        if not (no_saves and rule.regenerates) and (roll := rule.ignores_wounds_on(ctx))
    ]
    return max(2, min(needed)) if needed else 0


def is_regeneration(rules: Ruleset, ctx: WoundContext, needed: int) -> bool:
    """Whether the rulebook's rule lets wounds be ignored by such a roll; otherwise a rule of an army book does."""
    hooks, profiles = rules.hooks, ctx.state.profiles
    of_models = [hooks.of_model(ctx.unit, model, profiles) for model in one_of_each(ctx.unit)]
    return any(
        bool(rule.cite or rule.regenerates) and max(2, rule.ignores_wounds_on(ctx)) == needed
        for table in (hooks.of_unit(ctx.unit, profiles), *of_models)
        for rule in table.get("ignores_wounds_on", ())
    )


def fall_alike(rules: Ruleset, ctx: WoundContext, packets: tuple[Packet, ...]) -> bool:
    """Whether the order of the wounds makes no difference: single ones, ignored by the same roll on any model."""
    if any(packet.sticky for packet in packets):
        return False
    if rules.saves_by_unit or ctx.picked >= 0:
        return True
    return len({ignores_on(rules, ctx, model) for model in one_of_each(ctx.unit)}) <= 1


def may_ignore(rules: Ruleset, ctx: WoundContext, no_saves: bool = False) -> bool:
    """Whether any wound on the unit may be ignored by a roll."""
    if not has_ignore_rules(rules, ctx):
        return False
    return any(ignores_on(rules, ctx, model, no_saves) for model in one_of_each(ctx.unit))


def has_ignore_rules(rules: Ruleset, ctx: WoundContext) -> bool:
    """Whether any model of the unit has a rule that may ignore wounds, whether or not it applies now."""
    return rules.hooks.may_have("ignores_wounds_on", ctx.unit, ctx.state.profiles)


def merge_packets(packets: list[Packet]) -> list[Packet]:
    """Merge identical wounds, in order of appearance."""
    if len(packets) < 2:
        return packets
    merged: dict[Packet, int] = {}
    for packet in packets:
        kind = replace(packet, count=1)
        merged[kind] = merged.get(kind, 0) + packet.count
    return [replace(kind, count=count) for kind, count in merged.items()]


def first_to_land(packet: Packet) -> tuple[bool, int, bool]:
    """The order of packets: those that stay on one model, largest first; then the rest; last those nothing ignores."""
    return not packet.sticky, -packet.amount, packet.no_saves


def room_for_wounds(rules: Ruleset, state: State, unit: Unit, picked: int) -> int:
    """How many wounds can land on the unit at all; any more are lost."""
    return sum(in_order(rules, state, unit, picked)[1])


def in_order(
    rules: Ruleset, state: State, unit: Unit, picked: int
) -> tuple[tuple[Model, ...], tuple[int, ...]]:
    """The models of a unit in the order wounds reach them by default, and how many wounds each can take."""
    known = _known(rules, state, unit)
    key = ("in order", picked, rules.last_model_stands)
    found: tuple[tuple[Model, ...], tuple[int, ...]] | None = known.get(key)
    if found is None:
        queue = victims(state, unit, picked)
        found = known[key] = (tuple(queue), tuple(capacities(rules, state, unit, queue, picked)))
    return found


def next_run(
    rules: Ruleset, ctx: WoundContext, packets: tuple[Packet, ...], may_ignore: bool = True
) -> tuple[Packet, int, tuple[Packet, ...]]:
    """The next wounds that are ignored by the same roll, or not at all: the run, that roll, and the rest.

    `may_ignore` is False if no rule of the game ignores wounds.
    """
    first = packets[0]
    state, unit, picked = ctx.state, ctx.unit, ctx.picked
    if not first.sticky and not (may_ignore and has_ignore_rules(rules, ctx)):
        room = UNLIMITED if rules.saves_by_unit else room_for_wounds(rules, state, unit, picked)
        if first.count <= room:
            return first, 0, packets[1:]
    as_one = rules.saves_by_unit and picked < 0  # then it makes no difference who is lost first
    queue = unit.models if as_one else in_order(rules, state, unit, picked)[0]
    needed = ignores_on(rules, ctx, queue[0], first.no_saves)
    if first.sticky:
        rest = (Packet(first.count - 1, first.amount, True, first.no_saves),) if first.count > 1 else ()
        return Packet(1, first.amount, True, first.no_saves), needed, rest + packets[1:]
    if rules.saves_by_unit:
        return first, needed, packets[1:]
    count = min(first.count, _room_for_alike(rules, ctx, first, needed))
    if count == first.count:
        return first, needed, packets[1:]
    return (
        Packet(count, 1, False, first.no_saves),
        needed,
        (Packet(first.count - count, 1, False, first.no_saves), *packets[1:]),
    )


def _room_for_alike(rules: Ruleset, ctx: WoundContext, packet: Packet, needed: int) -> int:
    """How many wounds can be taken by the leading models that ignore wounds on the same roll."""
    models, caps = in_order(rules, ctx.state, ctx.unit, ctx.picked)
    if not has_ignore_rules(rules, ctx):
        return sum(caps)
    ignored = {  # the same for all models of one profile
        model.profile: ignores_on(rules, ctx, model, packet.no_saves) for model in one_of_each(ctx.unit)
    }
    room = 0
    for model, cap in zip(models, caps, strict=True):
        if ignored[model.profile] != needed:
            break
        room += cap
    return room


def land(
    rules: Ruleset, state: State, unit: Unit, picked: int, packet: Packet, chosen: Sequence[int]
) -> Loss:
    """Put the wounds of a run on models. A sticky packet ends with the model it hits."""
    known = _known(rules, state, unit)
    key = ("land", picked, packet, tuple(chosen), rules.last_model_stands)
    found: Loss | None = known.get(key)
    if found is None:
        found = known[key] = _land(rules, state, unit, picked, packet, chosen)
    return found


def _land(
    rules: Ruleset, state: State, unit: Unit, picked: int, packet: Packet, chosen: Sequence[int]
) -> Loss:
    queue = victims(state, unit, picked, chosen)
    wounds = packet.count * packet.amount
    wounded: list[tuple[int, int]] = []
    removed: list[int] = []
    inflicted = 0
    for model, cap in zip(queue, capacities(rules, state, unit, queue, picked), strict=True):
        if wounds <= 0:
            break
        taken = min(wounds, cap)
        inflicted += taken
        wounds = 0 if packet.sticky else wounds - taken
        if taken >= cap:
            removed.append(model.id)
        else:
            wounded.append((model.id, taken))
    return Loss(tuple(wounded), tuple(removed), inflicted)


def left_after(
    rules: Ruleset, state: State, unit: Unit, removed: tuple[int, ...]
) -> tuple[tuple[Model, ...], Pose | None]:
    """The models of a unit that survive a loss, and where their block then stands."""
    known = _known(rules, state, unit)
    key = ("left", removed)
    found: tuple[tuple[Model, ...], Pose | None] | None = known.get(key)
    if found is None:
        lost = frozenset(removed)
        survivors = tuple([model for model in unit.models if model.id not in lost])
        block = rules.policies.block_after_loss(state, unit, survivors) if survivors else None
        found = known[key] = (survivors, block)
    return found


class LossChoice(NamedTuple):
    """A choice for the owner: this many of these models. Tough ones are named in the order they are wounded."""

    open_to: tuple[int, ...]
    how_many: int
    tough: bool


def choice_of_losses(
    rules: Ruleset, state: State, unit: Unit, picked: int, packet: Packet
) -> LossChoice | None:
    """The models among which the owner chooses those that are lost or wounded; None if there is no choice.

    Tough models with wounds go first and joined ones last, so only unwounded ones can be chosen.
    """
    if picked >= 0:
        return None
    known = _known(rules, state, unit)
    key = ("choice", packet)
    if key not in known:
        known[key] = _choice_of_losses(rules, state, unit, packet)
    found: LossChoice | None = known[key]
    return found


def _choice_of_losses(rules: Ruleset, state: State, unit: Unit, packet: Packet) -> LossChoice | None:
    others = [model for model in unit.models if model.id != unit.attached]
    plain = [model for model in others if state.profiles[model.profile].wounds == 1]
    fresh = [model for model in others if state.profiles[model.profile].wounds > 1 and not model.wounds]
    blocks = rules.policies.uses_blocks()
    open_to = [
        (group, tough)
        for group, tough in ((plain, False), (fresh, True))
        if len(group) > 1 and not (blocks and len({model.profile for model in group}) == 1)
    ]
    if not open_to:
        return None
    loss = land(rules, state, unit, -1, packet, ())
    touched = {*loss.removed, *(model for model, _ in loss.wounded)}
    for group, tough in open_to:
        count = sum(model.id in touched for model in group)
        if count == len(group):
            count = sum(model.id in loss.removed for model in group)
        if 0 < count < len(group):
            return LossChoice(tuple(model.id for model in group), count, tough)
    return None
