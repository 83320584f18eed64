"""Units that are not in a game from the start: mustered with the rest, and kept until a rule brings them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from shieldwall.armies.new_units import NamedUnit, brings_on, copies_unit, named_unit, title_of
from shieldwall.armies.troops import Troop, bound_soldier
from shieldwall.core.blocks import ArmyRule, NewUnit, RuleRef
from shieldwall.core.state import Later, Model, Profile, Unit, ordinary_profile
from shieldwall.rules.army import meanings_of
from shieldwall.rules.army.coming_back import copy_name

if TYPE_CHECKING:
    from shieldwall.armies.muster import MusteredArmy, Mustering, UnitSpec


def hold_for_later(mustering: Mustering, armies: Sequence[MusteredArmy]) -> None:
    """Add the units that rules of those mustered so far may bring on; each list has a seat of its own."""
    if not any(map(_may_bring, mustering.profiles)):
        return
    for by in mustering.units:  # which grows: new units may bring on others
        army = armies[by.seat]
        for rule, named, model in brought_by(mustering, by):
            new = dict(army.new_units).get(title_of(named)) if brings_on(rule.blocks) else None
            if new is not None:
                unit = _again(mustering, new, army, by)
                mustering.units[unit.id] = as_later(unit, Later((), rule.name, by.id, model))
        add_copy(mustering, by)


def _may_bring(profile: Profile) -> bool:
    """Whether a model has a rule that names a unit, or copies its own; known once for each kind of model."""
    known: bool | None = profile.__dict__.get("_brings")
    if known is None:
        rules = profile.rules
        known = any(named_unit(rule.name) is not None or copies_unit(rule.blocks) for rule in rules)
        profile.__dict__["_brings"] = known
    return known


def brought_by(mustering: Mustering, unit: Unit) -> list[tuple[RuleRef, NamedUnit, int]]:
    """The new units that rules of a unit name: the rule, the unit, and the model whose rule it is.

    Each model may have such a rule for itself; what comes for a whole unit comes once, with model -1.
    """
    found: dict[tuple[RuleRef, NamedUnit, int], None] = {}
    models = _models_of(unit)
    for model in models:
        for rule in mustering.profiles[model.profile].rules:
            named = named_unit(rule.name)
            if named is not None:
                once = any(
                    isinstance(block, NewUnit) and block.at == "destroyed" for block in rule.blocks or ()
                )
                is_own = not once or len(models) == 1 or model.id == unit.attached
                found[rule, named, model.id if is_own else -1] = None
    return list(found)


def as_later(unit: Unit, how: Later) -> Unit:
    """A unit kept out of the game until a rule of another one brings it on; it costs nothing."""
    return replace(unit, models=(), place="later", cost=0, later=replace(how, models=unit.models))


def add_copy(mustering: Mustering, unit: Unit, size: int = 0) -> Unit | None:
    """The copy of a unit that may replace it, without a hero who joined it and without the rule that copies it; None
    if it has no such rule. Where a unit has lost models, `size` is how many it had, those of the hero not counted.
    """
    own = tuple(model for model in _models_of(unit) if model.id != unit.attached)
    profiles = mustering.profiles
    rules = [rule for model in own for rule in profiles[model.profile].rules if copies_unit(rule.blocks)]
    if not rules:
        return None
    lost = (ordinary_profile(unit),) * (size - len(own))
    kinds = (*(model.profile for model in own), *lost)
    models = tuple(mustering.model_of(_without_copying(profiles[kind])) for kind in kinds)
    copy = replace(
        unit,
        id=len(mustering.units),
        name=copy_name(unit.name),
        models=models,
        start_models=len(models),
        attached=-1,
        slot=0,
        later=None,
    )
    held = as_later(mustering.listed(copy), Later((), rules[0].name, unit.id))
    mustering.units[held.id] = held
    return held


def add_another(mustering: Mustering, unit: Unit, name: str, how: Later) -> Unit:
    """One more unit like one that is kept for later, for somebody else who may bring it on."""
    profiles = mustering.profiles
    models = tuple(mustering.model_of(profiles[model.profile]) for model in _models_of(unit))
    other = replace(unit, id=len(mustering.units), name=name, models=models, later=None)
    held = as_later(mustering.listed(other), how)
    mustering.units[held.id] = held
    return held


def bound_troop(troop: Troop, rules: tuple[ArmyRule, ...]) -> Troop:
    """A unit model by model with rules that mean what the texts of its army say."""
    meanings = meanings_of(rules)
    soldiers = tuple(bound_soldier(soldier, meanings) for soldier in troop.soldiers)
    return replace(troop, soldiers=soldiers, hero=troop.hero and bound_soldier(troop.hero, meanings))


def _models_of(unit: Unit) -> tuple[Model, ...]:
    return unit.later.models if unit.later is not None else unit.models


def _again(mustering: Mustering, new: UnitSpec | Troop, army: MusteredArmy, by: Unit) -> Unit:
    """A unit that is named in a list's rules, on the side of the unit that brings it on."""
    if isinstance(new, Troop):
        mustering.meanings = {}
        return mustering.enlist(bound_troop(new, army.rules), by.side, by.seat)
    mustering.meanings = meanings_of(army.rules)
    unit = mustering.add(new, by.side, by.seat)
    assert unit is not None, f"{new.name} was checked with its list"
    return unit


def _without_copying(profile: Profile) -> Profile:
    return replace(profile, rules=tuple(rule for rule in profile.rules if not copies_unit(rule.blocks)))
