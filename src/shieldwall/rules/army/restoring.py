"""Units whose lost models and wounds may come back when they are activated."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import MILLI, Model, State, Unit, ordinary_profile, with_roster
from shieldwall.core.values import PASS, Counts, Pool, Target, labels_from
from shieldwall.rules.army.in_play import brought_in
from shieldwall.rules.army.once import note_spent, spent_by_hook
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.returning import room_beside, room_in_block


class RestoreModels(TrunkStep):
    """A unit with the rule rolls a die for each model or wound it lacks; each success brings one back."""

    name = "act.restore"
    needs = ("restores_on",)

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Activation).unit]
        rule = restoring_rule(game.rules, game.state, unit)
        dice = 0 if rule is None else missing(game.state, unit)
        if rule is None or not dice:
            return None
        need = rule.restores_on(UnitContext(game.state, unit))
        return Roll("rule", unit.seat, (Pool(dice, labels_from(need), Target(need), rule.name),), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        unit = game.state.units[game.top(Activation).unit]
        note_spent(game, spent_by_hook(game.rules, unit, "restores_on"))
        restore(game, unit.id, counts[0].get(PASS, 0))


def restoring_rule(rules: Ruleset, state: State, unit: Unit) -> SpecialRule | None:
    """The rule by which a unit gets models and wounds back: the one with the best roll; None if it has none."""
    found = rules.hooks.of_unit(unit, state.profiles).get("restores_on", ()) if unit.models else ()
    return min(found, key=lambda rule: rule.restores_on(UnitContext(state, unit)), default=None)


def missing(state: State, unit: Unit) -> int:
    """The models and wounds that a unit could get back: the wounds of its models, and those that lost ones had."""
    wounds = sum(model.wounds for model in unit.models)
    return wounds + sum(state.profiles[model.profile].wounds for model in lost_models(unit))


def lost_models(unit: Unit) -> tuple[Model, ...]:
    """The models that a unit began with and has lost, in their old order; off the table nobody comes back."""
    here = {model.id for model in unit.models}
    return tuple(model for model in unit.roster if model.id not in here) if unit.place == "table" else ()


def restore(game: Play, unit_id: int, successes: int) -> None:
    """Give wounds and models back: wounded models first, the one that joined before all others."""
    unit = game.state.units[unit_id]
    left = successes
    for model in sorted(unit.models, key=lambda one: one.id != unit.attached):
        healed = min(model.wounds, left)
        if healed:
            game.emit(ev.Healed(unit=unit_id, model=model.id, wounds=healed))
            left -= healed
    models = tuple(_coming_back(game.state, unit, left))
    if models:
        bring_back(game, game.state.units[unit_id], models)


def _coming_back(state: State, unit: Unit, wounds: int) -> Iterator[Model]:
    """The lost models that so many successes restore; the last one may lack some of its wounds."""
    for model in lost_models(unit):
        if wounds <= 0:
            return
        toughness = state.profiles[model.profile].wounds
        yield replace(model, wounds=max(0, toughness - wounds))
        wounds -= toughness


def bring_back(game: Play, unit: Unit, models: tuple[Model, ...]) -> None:
    """Put as many of these models back into their unit as there is room for."""
    rules, state = game.rules, game.state
    if unit.block is not None:
        count, pose = room_in_block(state, unit, models, rules.constants.spacing / MILLI)
        if count:
            game.emit(ev.Restored(unit=unit.id, models=models[:count], block=pose))
        return
    poses = room_beside(state, unit, models, walk_limits(rules, state, unit, "consolidate"))
    if poses:
        game.emit(ev.Restored(unit=unit.id, models=models[: len(poses)], poses=poses))


def with_rosters(rules: Ruleset, state: State) -> State:
    """A state that begins in the middle of a game, with the models that its units began with where a rule asks for
    them. Lost ones count as ordinary models.
    """
    build = rules.specials.build
    lent = (effect.grants for unit in state.units for effect in unit.effects)
    if not rules.hooks.may_come_up("restores_on", state) and not any(
        "restores_on" in brought_in(grants, build) for grants in lent
    ):
        return state
    units, new = [], 1 + max((model.id for unit in state.units for model in unit.models), default=0)
    for unit in state.units:
        recorded, lost = with_roster(unit), unit.start_models - len(unit.models)
        if lost > 0 and unit.models:
            gone = [Model(new + at, ordinary_profile(unit)) for at in range(lost)]
            recorded, new = replace(recorded, roster=(*recorded.roster, *gone)), new + lost
        units.append(recorded)
    return replace(state, units=tuple(units))
