"""How each event changes the state. Events without an entry are only for the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.apply_markers import MARKER_WRITERS, carry_along, put_away
from shieldwall.core.state import (
    Model,
    Side,
    Stand,
    State,
    Unit,
    Use,
    hand_on,
    ordinary_profile,
    stands_alike,
)


def apply(state: State, event: ev.AnyEvent) -> State:
    """The state after the event."""
    writer = WRITERS.get(type(event))
    if writer is None:
        return state
    after = writer(state, event)
    if after.units is state.units and after.pieces is state.pieces:
        stand = state.__dict__.get("stand")
        if stand is not None:
            after.__dict__["stand"] = stand
    return after


def with_unit(state: State, unit: Unit, **others: object) -> State:
    """The state with one unit replaced, and other fields with it.

    The stand is passed on, so that the table need not find out what changed.
    """
    units = list(state.units)
    before = units[unit.id]
    units[unit.id] = unit
    after = replace(state, units=tuple(units), **others)
    is_same = stands_alike(before, unit)
    stand: Stand | None = state.__dict__.get("stand")
    if stand is not None:
        after.__dict__["stand"] = stand if is_same else stand.after(unit.id)
    hand_on(before, unit, is_same)
    return after


def _with_side(state: State, index: int, side: Side) -> State:
    sides = list(state.sides)
    sides[index] = side
    return replace(state, sides=tuple(sides))


def _with_model(unit: Unit, model_id: int, change: Callable[[Model], Model]) -> Unit:
    models = tuple(change(model) if model.id == model_id else model for model in unit.models)
    return replace(unit, models=models)


def _rolled(state: State, event: ev.Rolled) -> State:
    return replace(state, rolls_made=state.rolls_made + 1)


def _garrisoned(state: State, event: ev.Garrisoned) -> State:
    state = put_away(state, event.unit)
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, place="garrison", inside=event.piece, block=None, poses=()))


def _left_building(state: State, event: ev.LeftBuilding) -> State:
    unit = state.units[event.unit]
    state = carry_along(state, unit.id, event.poses[0])
    there = replace(unit, place="table", inside=-1, stayed=False)
    if unit.width:
        return with_unit(state, replace(there, block=event.poses[0]))
    return with_unit(state, replace(there, poses=event.poses))


def _edge_chosen(state: State, event: ev.EdgeChosen) -> State:
    return _with_side(state, event.side, replace(state.sides[event.side], edge=event.edge))


def _first_side_set(state: State, event: ev.FirstSideSet) -> State:
    return replace(state, first_side=event.side, starter=event.side)


def _attached(state: State, event: ev.Attached) -> State:
    host, joiner = state.units[event.unit], state.units[event.joined]
    model = joiner.models[0]
    joined = replace(host, models=(*host.models, model), attached=model.id, slot=event.slot)
    state = with_unit(state, joined)
    return with_unit(state, replace(joiner, models=(), place="inside", inside=event.unit))


def _held_back(state: State, event: ev.HeldBack) -> State:
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, place="reserve", picks=(*unit.picks, ("reserve", event.how))))


def _pick_made(state: State, event: ev.PickMade) -> State:
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, picks=(*unit.picks, (event.what, event.value))))


def _placed(state: State, event: ev.UnitPlaced) -> State:
    unit = state.units[event.unit]
    arrived = state.round if event.how == "arrival" else unit.arrived
    there = replace(unit, place="table", arrived=arrived, activated=unit.activated or event.spent)
    if unit.width:
        return with_unit(state, replace(there, block=event.poses[0]))
    return with_unit(state, replace(there, poses=event.poses))


def _boarded(state: State, event: ev.Boarded) -> State:
    state = put_away(state, event.unit)
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, place="inside", inside=event.carrier, block=None, poses=()))


def _left_carrier(state: State, event: ev.LeftCarrier) -> State:
    state = carry_along(state, event.unit, event.poses[0])
    unit = state.units[event.unit]
    arrived = max(unit.arrived, state.units[event.carrier].arrived)
    there = replace(unit, place="table", inside=-1, arrived=arrived, stayed=False)
    if unit.width:
        return with_unit(state, replace(there, block=event.poses[0]))
    return with_unit(state, replace(there, poses=event.poses))


def _wrecked(state: State, event: ev.Wrecked) -> State:
    return with_unit(state, replace(state.units[event.unit], place="wreck"))


def _sizes_recorded(state: State, event: ev.SizesRecorded) -> State:
    units = tuple(replace(unit, start_models=len(unit.models)) for unit in state.units)
    sides = tuple(replace(side, start_units=event.units[i]) for i, side in enumerate(state.sides))
    return replace(state, units=units, sides=sides)


def _fresh(unit: Unit) -> Unit:
    fresh = replace(unit, activated=False)
    hand_on(unit, fresh, True)
    return fresh


def _round_began(state: State, event: ev.RoundBegan) -> State:
    units = tuple(_fresh(unit) if unit.activated else unit for unit in state.units)
    sides = tuple(replace(side, dry_at=0, last_turn_at=0) for side in state.sides)
    return replace(
        state,
        round=event.round,
        starter=event.starter,
        turn=event.starter,
        turns_taken=0,
        units=units,
        sides=sides,
    )


def _round_ended(state: State, event: ev.RoundEnded) -> State:
    return replace(state, starter=event.starter)


def _turn_passed(state: State, event: ev.TurnPassed) -> State:
    return replace(state, turn=event.side)


def _ran_dry(state: State, event: ev.RanDry) -> State:
    return _with_side(state, event.side, replace(state.sides[event.side], dry_at=max(1, state.turns_taken)))


def _activated(state: State, event: ev.Activated) -> State:
    unit = state.units[event.unit]
    turns = state.turns_taken + 1
    sides = list(state.sides)
    sides[unit.side] = replace(sides[unit.side], last_turn_at=turns)
    active = replace(unit, activated=True, stayed=True)
    return with_unit(state, active, sides=tuple(sides), turns_taken=turns)


def _moved(state: State, event: ev.Moved) -> State:
    unit = state.units[event.unit]
    stayed = unit.stayed and event.used == 0
    state = carry_along(state, unit.id, event.poses[0])
    if unit.width:
        return with_unit(state, replace(unit, block=event.poses[0], stayed=stayed))
    return with_unit(state, replace(unit, poses=event.poses, stayed=stayed))


def _aligned(state: State, event: ev.Aligned) -> State:
    unit, target = state.units[event.unit], state.units[event.target]
    moved = target.block != event.target_pose
    state = with_unit(state, replace(unit, block=event.pose))
    return with_unit(state, replace(target, block=event.target_pose, stayed=target.stayed and not moved))


def _wounded(state: State, event: ev.Wounded) -> State:
    def hurt(model: Model) -> Model:
        return replace(model, wounds=model.wounds + event.wounds)

    return with_unit(state, _with_model(state.units[event.unit], event.model, hurt))


def _healed(state: State, event: ev.Healed) -> State:
    def heal(model: Model) -> Model:
        return replace(model, wounds=max(0, model.wounds - event.wounds))

    return with_unit(state, _with_model(state.units[event.unit], event.model, heal))


def _removed(state: State, event: ev.Removed) -> State:
    unit = state.units[event.unit]
    lost = event.models
    keep = [i for i, model in enumerate(unit.models) if model.id not in lost]
    models = tuple(unit.models[i] for i in keep)
    poses = tuple(unit.poses[i] for i in keep) if unit.poses else ()
    attached = -1 if unit.attached in lost else unit.attached
    block = event.block if event.block is not None else unit.block
    state = _without_auras(state, lost)
    unit = state.units[event.unit]
    is_mixed = (
        len({model.profile for model in unit.models}) > 1
    )  # nothing to record if all models are the same
    ordinary = ordinary_profile(unit) if is_mixed else unit.ordinary
    return with_unit(
        state,
        replace(unit, models=models, poses=poses, attached=attached, block=block, ordinary=ordinary),
    )


def _without_auras(state: State, lost: tuple[int, ...]) -> State:
    """The state without effects that end with one of these models."""
    for unit in state.units:
        if unit.effects and any(
            effect.until == "bearer" and effect.source in lost for effect in unit.effects
        ):
            left = tuple(
                effect for effect in unit.effects if effect.until != "bearer" or effect.source not in lost
            )
            state = with_unit(state, replace(unit, effects=left))
    return state


def _destroyed(state: State, event: ev.Destroyed) -> State:
    return with_unit(state, replace(state.units[event.unit], place="gone", models=(), poses=(), effects=()))


def _stunned(state: State, event: ev.Stunned) -> State:
    unit = state.units[event.unit]
    models = tuple(replace(m, stunned=True) if m.id in event.models else m for m in unit.models)
    return with_unit(state, replace(unit, models=models))


def _recovered(state: State, event: ev.Recovered) -> State:
    unit = state.units[event.unit]
    models = tuple(replace(m, stunned=False) if m.stunned else m for m in unit.models)
    return with_unit(state, replace(unit, models=models, broken=False))


def _broke(state: State, event: ev.Broke) -> State:
    return with_unit(state, replace(state.units[event.unit], broken=True))


def _tired(state: State, event: ev.Tired) -> State:
    unit = state.units[event.unit]
    if not event.models:
        return with_unit(state, replace(unit, tired=True))
    models = tuple(replace(m, tired=True) if m.id in event.models else m for m in unit.models)
    return with_unit(state, replace(unit, models=models))


def _rested(state: State, event: ev.Rested) -> State:
    units = list(state.units)
    for i, unit in enumerate(units):
        if unit.tired or any(model.tired for model in unit.models):
            models = tuple(replace(m, tired=False) if m.tired else m for m in unit.models)
            units[i] = replace(unit, tired=False, models=models)
    return replace(state, units=tuple(units))


def _tokens_gained(state: State, event: ev.TokensGained) -> State:
    def gain(model: Model) -> Model:
        return replace(model, tokens=event.now)

    return with_unit(state, _with_model(state.units[event.unit], event.model, gain))


def _tokens_spent(state: State, event: ev.TokensSpent) -> State:
    def spend(model: Model) -> Model:
        return replace(model, tokens=model.tokens - event.tokens)

    return with_unit(state, _with_model(state.units[event.unit], event.model, spend))


def _effect_began(state: State, event: ev.EffectBegan) -> State:
    unit = state.units[event.unit]
    return with_unit(state, replace(unit, effects=(*unit.effects, event.effect)))


def _effect_ended(state: State, event: ev.EffectEnded) -> State:
    unit = state.units[event.unit]
    left = tuple(
        effect
        for effect in unit.effects
        if effect.until != event.until or (event.name and effect.name != event.name)
    )
    return with_unit(state, replace(unit, effects=left))


def _weapon_used(state: State, event: ev.WeaponUsed) -> State:
    def use(model: Model) -> Model:
        before = next((u for u in model.uses if u.key == event.key), None)
        others = tuple(u for u in model.uses if u.key != event.key)
        times = 1 if before is None else before.times + 1
        return replace(model, uses=(*others, Use(event.key, times, state.round)))

    unit = state.units[event.unit]
    if event.model < 0:  # a power of the whole unit
        return with_unit(state, replace(unit, uses=(*unit.uses, Use(event.key, 1, state.round))))
    return with_unit(state, _with_model(unit, event.model, use))


def _ruled(state: State, event: ev.Ruled) -> State:
    # a question about a switch of the game settles that switch
    options = tuple(
        (name, event.ruling if name == event.question else value) for name, value in state.options
    )
    return replace(state, rulings=(*state.rulings, (event.question, event.ruling)), options=options)


def _game_ended(state: State, event: ev.GameEnded) -> State:
    return replace(state, winner=event.winner, finished=True)


# The value type differs from entry to entry, which a dictionary cannot say; `apply` looks up by exact type.
WRITERS: dict[type[Any], Callable[[State, Any], State]] = {
    **MARKER_WRITERS,
    ev.Rolled: _rolled,
    ev.Garrisoned: _garrisoned,
    ev.LeftBuilding: _left_building,
    ev.EdgeChosen: _edge_chosen,
    ev.FirstSideSet: _first_side_set,
    ev.Attached: _attached,
    ev.HeldBack: _held_back,
    ev.PickMade: _pick_made,
    ev.UnitPlaced: _placed,
    ev.Boarded: _boarded,
    ev.LeftCarrier: _left_carrier,
    ev.Wrecked: _wrecked,
    ev.SizesRecorded: _sizes_recorded,
    ev.RoundBegan: _round_began,
    ev.RoundEnded: _round_ended,
    ev.TurnPassed: _turn_passed,
    ev.RanDry: _ran_dry,
    ev.Activated: _activated,
    ev.Moved: _moved,
    ev.Aligned: _aligned,
    ev.Wounded: _wounded,
    ev.Healed: _healed,
    ev.Removed: _removed,
    ev.Destroyed: _destroyed,
    ev.Stunned: _stunned,
    ev.Recovered: _recovered,
    ev.Broke: _broke,
    ev.Tired: _tired,
    ev.Rested: _rested,
    ev.TokensGained: _tokens_gained,
    ev.TokensSpent: _tokens_spent,
    ev.EffectBegan: _effect_began,
    ev.EffectEnded: _effect_ended,
    ev.WeaponUsed: _weapon_used,
    ev.Ruled: _ruled,
    ev.GameEnded: _game_ended,
}
