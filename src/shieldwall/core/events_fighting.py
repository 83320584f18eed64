"""Events of fights: shots and blows, wounds, morale, spells and their effects, leaps and falls."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.event import Event
from shieldwall.core.state import (
    Effect,
    Model,
    State,
    Use,
    ordinary_profile,
    with_model,
    with_models_back,
    with_unit,
    with_units_in_place,
)
from shieldwall.core.values import Pose


class Declared(Event, frozen=True, tag="declared"):
    """A target was named for a weapon group, or for a charge."""

    unit: int
    target: int
    group: str
    attacks: int


class VolleyLost(Event, frozen=True, tag="volley_lost"):
    """A volley was lost because its target was gone."""

    unit: int
    target: int
    group: str


class Hit(Event, frozen=True, tag="hit"):
    """Hits landed on a unit."""

    unit: int
    target: int
    hits: int
    note: str = ""


class Blocked(Event, frozen=True, tag="blocked"):
    """A unit blocked some hits and let others through."""

    unit: int
    blocked: int
    wounds: int


class Ignored(Event, frozen=True, tag="ignored"):
    """Wounds were ignored."""

    unit: int
    wounds: int


class Wounded(Event, frozen=True, tag="wounded"):
    """A model took wounds."""

    unit: int
    model: int
    wounds: int

    def apply(self, state: State) -> State:
        def hurt(model: Model) -> Model:
            return replace(model, wounds=model.wounds + self.wounds)

        return with_model(state, self.unit, self.model, hurt)


class Healed(Event, frozen=True, tag="healed"):
    """Wounds were taken off a model."""

    unit: int
    model: int
    wounds: int

    def apply(self, state: State) -> State:
        def heal(model: Model) -> Model:
            return replace(model, wounds=max(0, model.wounds - self.wounds))

        return with_model(state, self.unit, self.model, heal)


class Restored(Event, frozen=True, tag="restored"):
    """Lost models came back to their unit: each model's pose in a loose unit, or where a block's centre now is."""

    unit: int
    models: tuple[Model, ...]
    poses: tuple[Pose, ...] = ()
    block: Pose | None = None

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        return with_unit(state, with_models_back(unit, self.models, self.poses, self.block))


class Removed(Event, frozen=True, tag="removed"):
    """Models were taken off the table. `block` is where a ranked unit's centre now is."""

    unit: int
    models: tuple[int, ...]
    cause: str
    block: Pose | None = None

    def apply(self, state: State) -> State:
        lost = self.models
        state = _without_auras(state, lost)
        unit = state.units[self.unit]
        keep = [i for i, model in enumerate(unit.models) if model.id not in lost]
        models = tuple([unit.models[i] for i in keep])
        poses = tuple([unit.poses[i] for i in keep]) if unit.poses else ()
        attached = -1 if unit.attached in lost else unit.attached
        block = self.block if self.block is not None else unit.block
        is_mixed = len({model.profile for model in unit.models}) > 1  # otherwise there is nothing to record
        ordinary = ordinary_profile(unit) if is_mixed else unit.ordinary
        left = replace(unit, models=models, poses=poses, attached=attached, block=block, ordinary=ordinary)
        return with_unit(state, left)


def _without_auras(state: State, lost: tuple[int, ...]) -> State:
    """The state without effects that end with one of these models."""
    for unit in state.units:
        if unit.effects:
            left = tuple(one for one in unit.effects if one.until != "bearer" or one.source not in lost)
            if len(left) < len(unit.effects):
                state = with_unit(state, replace(unit, effects=left))
    return state


class Destroyed(Event, frozen=True, tag="destroyed"):
    """A unit has no model left."""

    unit: int
    cause: str

    def apply(self, state: State) -> State:
        return with_unit(
            state, replace(state.units[self.unit], place="gone", models=(), poses=(), effects=())
        )


class Stunned(Event, frozen=True, tag="stunned"):
    """Models were stunned."""

    unit: int
    models: tuple[int, ...]

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        models = tuple(replace(m, stunned=True) if m.id in self.models else m for m in unit.models)
        return with_unit(state, replace(unit, models=models))


class Recovered(Event, frozen=True, tag="recovered"):
    """A unit is no longer broken, or its models are no longer stunned."""

    unit: int

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        models = tuple(replace(m, stunned=False) if m.stunned else m for m in unit.models)
        return with_unit(state, replace(unit, models=models, broken=False))


class Broke(Event, frozen=True, tag="broke"):
    """A unit broke."""

    unit: int

    def apply(self, state: State) -> State:
        return with_unit(state, replace(state.units[self.unit], broken=True))


class MoraleTested(Event, frozen=True, tag="morale_tested"):
    """A unit took a morale test."""

    unit: int
    passed: bool
    why: str


class Tired(Event, frozen=True, tag="tired"):
    """A unit, or single models of it, attacked in melee this round. No models named means the whole unit."""

    unit: int
    models: tuple[int, ...] = ()

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        if not self.models:
            return with_unit(state, replace(unit, tired=True))
        models = tuple(replace(m, tired=True) if m.id in self.models else m for m in unit.models)
        return with_unit(state, replace(unit, models=models))


class Rested(Event, frozen=True, tag="rested"):
    """Fatigue ended for all units."""

    def apply(self, state: State) -> State:
        units = list(state.units)
        for i, unit in enumerate(units):
            if True in [model.tired for model in unit.models]:
                models = tuple(replace(m, tired=False) if m.tired else m for m in unit.models)
                units[i] = replace(unit, tired=False, models=models)
            elif unit.tired:
                units[i] = replace(unit, tired=False)
        return with_units_in_place(state, units)


class MeleeScored(Event, frozen=True, tag="melee_scored"):
    """A melee was scored."""

    unit: int
    score: int
    target: int
    target_score: int


class TokensGained(Event, frozen=True, tag="tokens_gained"):
    """A model gained spell tokens; `now` is what it holds."""

    unit: int
    model: int
    now: int

    def apply(self, state: State) -> State:
        def gain(model: Model) -> Model:
            return replace(model, tokens=self.now)

        return with_model(state, self.unit, self.model, gain)


class TokensSpent(Event, frozen=True, tag="tokens_spent"):
    """A model paid spell tokens; `push` is what they add to a casting roll."""

    unit: int
    model: int
    tokens: int
    push: int = 0

    def apply(self, state: State) -> State:
        def spend(model: Model) -> Model:
            return replace(model, tokens=model.tokens - self.tokens)

        return with_model(state, self.unit, self.model, spend)


class SpellCast(Event, frozen=True, tag="spell_cast"):
    """A spell was attempted."""

    unit: int
    model: int
    spell: str
    targets: tuple[int, ...]
    worked: bool


class SpellOpposed(Event, frozen=True, tag="spell_opposed"):
    """A model tried to stop a spell that another one was casting."""

    unit: int
    model: int
    spell: str
    stopped: bool


class EffectBegan(Event, frozen=True, tag="effect_began"):
    """A timed effect began on a unit."""

    unit: int
    effect: Effect

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        return with_unit(state, replace(unit, effects=(*unit.effects, self.effect)))


class EffectEnded(Event, frozen=True, tag="effect_ended"):
    """Timed effects of a unit ended: one by name, or all with this duration."""

    unit: int
    until: str
    name: str = ""

    def apply(self, state: State) -> State:
        unit = state.units[self.unit]
        left = tuple(
            effect
            for effect in unit.effects
            if effect.until != self.until or (self.name and effect.name != self.name)
        )
        return with_unit(state, replace(unit, effects=left))


class WeaponUsed(Event, frozen=True, tag="weapon_used"):
    """A weapon or power whose uses are counted was used."""

    unit: int
    model: int
    key: str

    def apply(self, state: State) -> State:
        def use(model: Model) -> Model:
            before = next((u for u in model.uses if u.key == self.key), None)
            others = tuple(u for u in model.uses if u.key != self.key)
            times = 1 if before is None else before.times + 1
            return replace(model, uses=(*others, Use(self.key, times, state.round)))

        unit = state.units[self.unit]
        if self.model < 0:  # a power of the whole unit
            return with_unit(state, replace(unit, uses=(*unit.uses, Use(self.key, 1, state.round))))
        return with_model(state, self.unit, self.model, use)


class Jumped(Event, frozen=True, tag="jumped"):
    """A model leapt a gap or a drop, or failed to."""

    unit: int
    model: int
    landed: bool


class Fell(Event, frozen=True, tag="fell"):
    """A model fell."""

    unit: int
    model: int
    height: int
