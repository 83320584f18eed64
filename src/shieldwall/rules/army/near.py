"""Auras by distance: units have what a model lends while they stand near enough to it."""

from __future__ import annotations

from collections.abc import Iterator

from shieldwall.core import events as ev
from shieldwall.core.state import MILLI, Effect, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.conditions import by_itself, has_rule
from shieldwall.rules.army.fighting import LendsNear
from shieldwall.rules.hooks import PrintedContext
from shieldwall.rules.ruleset import Play, Ruleset
from shieldwall.table.measure import model_to_unit

NEAR = "near"
_PRINTED = PrintedContext()


def spread_auras(game: Play) -> None:
    """Units that came near an aura have it from now on, those that left it no longer."""
    for event in _changes(game.rules, game.state):
        game.emit(event)


def with_auras(rules: Ruleset, state: State) -> State:
    """A state where units were put down without playing, with the auras that reach them."""
    for event in _changes(rules, state):
        state = event.apply(state)
    return state


def depends_on_bearers(rules: Ruleset, state: State) -> bool:
    """Whether such an aura hangs on something other than where its bearer stands."""
    printed = rules.hooks.by_hook("lends_near", state.profiles)
    return any(rule.block.when for found in printed.values() for rule in found if isinstance(rule, LendsNear))


def catch_starters(game: Play, unit: int) -> None:
    """A unit that is activated has, until that ends, what auras lend to those who start near them."""
    for effect in _reached(game.rules, game.state, starting=True).get(unit, {}).values():
        game.emit(ev.EffectBegan(unit=unit, effect=effect))


def _changes(rules: Ruleset, state: State) -> Iterator[ev.EffectBegan | ev.EffectEnded]:
    """What begins and what ends, unit by unit; nothing in most games, where nobody has such an aura."""
    if not rules.hooks.by_hook("lends_near", state.profiles):
        return
    reached = _reached(rules, state)
    for unit in state.units:
        due = reached.get(unit.id, {})
        had = {effect.name: effect for effect in unit.effects if effect.until == NEAR}
        for name, effect in had.items():
            if due.get(name) != effect:
                yield ev.EffectEnded(unit=unit.id, until=NEAR, name=name)
        for name, effect in due.items():
            if had.get(name) != effect:
                yield ev.EffectBegan(unit=unit.id, effect=effect)


def _reached(rules: Ruleset, state: State, *, starting: bool = False) -> dict[int, dict[str, Effect]]:
    """The auras that reach each unit, by name; the same aura counts once, however many models bear it.

    `starting` asks for those of units that start their activation.
    """
    found: dict[int, dict[str, Effect]] = {}
    heights = rules.policies.measures_heights()
    for bearer, place, rule in _bearers(rules, state):
        if rule.block.starting != starting or not by_itself(rule.block.when, state, bearer):
            continue
        for other in state.units:
            if not _is_meant(state, bearer, rule, other) or rule.name in found.get(other.id, {}):
                continue
            own = other.id == bearer.id
            apart = 0.0 if own else model_to_unit(state, bearer.id, place, other.id, heights)
            if within(apart, rule.amount(rule.block.reach) / MILLI):
                effect = Effect(rule.name, -1, "activation" if starting else NEAR, rule.lends_near(_PRINTED))
                found.setdefault(other.id, {})[rule.name] = effect
    return found


def _bearers(rules: Ruleset, state: State) -> Iterator[tuple[Unit, int, LendsNear]]:
    """Models on the table that have such an aura: their unit, their place in it and the rule."""
    printed = rules.hooks.by_hook("lends_near", state.profiles)
    for unit in state.units:
        if unit.place != "table":
            continue
        for place, model in enumerate(unit.models):
            for rule in printed.get(model.profile, ()):
                assert isinstance(rule, LendsNear)
                yield unit, place, rule


def _is_meant(state: State, bearer: Unit, rule: LendsNear, other: Unit) -> bool:
    block = rule.block
    if other.place != "table" or not other.models:
        return False
    if other.id == bearer.id and not rule.asks_own_unit:
        return False
    if (other.side == bearer.side) != (block.on == "friend"):
        return False
    named = block.with_rule
    return not named or any(has_rule(state, other, model, named) for model in other.models)
