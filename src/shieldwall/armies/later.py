"""Units that are not in a game from the start: mustered with the rest, and kept until a rule brings them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from shieldwall.armies.new_units import copies_unit, new_units_of
from shieldwall.armies.troops import Troop, bound_soldier
from shieldwall.core.blocks import ArmyRule
from shieldwall.core.state import Later, Model, Profile, Unit
from shieldwall.rules.army import meanings_of
from shieldwall.rules.army.coming_back import copy_name

if TYPE_CHECKING:
    from shieldwall.armies.muster import MusteredArmy, Mustering, UnitSpec


def hold_for_later(mustering: Mustering, armies: Sequence[MusteredArmy]) -> None:
    """Add the units that rules of those mustered so far may bring on; each list has a seat of its own."""
    for by in mustering.units:  # which grows: new units may bring on others
        army = armies[by.seat]
        for rule, title, model in brought_by(mustering, by):
            new = dict(army.new_units).get(title)
            if new is not None:
                keep(mustering, _again(mustering, new, army, by), Later((), rule, by.id, model))
        add_copy(mustering, by)


def brought_by(mustering: Mustering, unit: Unit) -> list[tuple[str, str, int]]:
    """The new units that rules of a unit name: the rule, the unit, and the model whose rule it is.

    Each model may have such a rule for itself; what comes for a whole unit comes once, with model -1.
    """
    found: dict[tuple[str, str, int], None] = {}
    models = _models_of(unit)
    for model in models:
        for rule, block in new_units_of(mustering.profiles[model.profile].rules):
            is_own = block.at == "activated" or len(models) == 1 or model.id == unit.attached
            found[rule.name, block.unit, model.id if is_own else -1] = None
    return list(found)


def keep(mustering: Mustering, unit: Unit, how: Later) -> None:
    """Keep a unit out of the game until a rule of another one brings it on."""
    later = replace(how, models=unit.models)
    mustering.units[unit.id] = replace(unit, models=(), place="later", cost=0, later=later)


def add_copy(mustering: Mustering, unit: Unit) -> None:
    """The copy of a unit that may replace it, without a hero who joined it and without the rule that copies it."""
    own = tuple(model for model in _models_of(unit) if model.id != unit.attached)
    profiles = mustering.profiles
    rules = [rule for model in own for rule in profiles[model.profile].rules if copies_unit(rule.blocks)]
    if not rules:
        return
    models = tuple(mustering.model_of(_without_copying(profiles[model.profile])) for model in own)
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
    keep(mustering, mustering.listed(copy), Later((), rules[0].name, unit.id))


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
