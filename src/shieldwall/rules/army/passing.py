"""Rules by which a unit passes its side's turn instead of being activated."""

from __future__ import annotations

from shieldwall.core.pending import Refusal
from shieldwall.core.state import State, Unit
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset, fresh_units

PASS = "pass"


def pass_key(unit: int) -> str:
    """The key of the option that a unit passes the turn."""
    return f"{PASS}{unit}"


def passing_unit(option: str) -> int:
    """The unit that passes the turn, by the key of the option; -1 where the option means something else."""
    number = option.removeprefix(PASS)
    return int(number) if option.startswith(PASS) and number.isdecimal() else -1


def pass_rule(rules: Ruleset, state: State, unit: Unit) -> SpecialRule | None:
    """The rule by which a unit may pass turns."""
    found = rules.hooks.of_unit(unit, state.profiles).get("may_pass", ()) if unit.models else ()
    ctx = UnitContext(state, unit)
    return next((rule for rule in found if rule.may_pass(ctx)), None)


def passing_units(rules: Ruleset, state: State) -> tuple[tuple[Unit, SpecialRule], ...]:
    """The units that may pass the turn now, with their rules: none unless another side has more units left."""
    units = fresh_units(state, state.turn)
    if most_left_elsewhere(state) <= len(units):
        return ()
    return tuple(
        (unit, rule)
        for unit in units
        if (rule := pass_rule(rules, state, unit)) is not None and not has_passed(state, unit, rule)
    )


def most_left_elsewhere(state: State) -> int:
    """How many units the other side has left to activate; the one that has most of them, if there are several."""
    return max(
        (len(fresh_units(state, side)) for side in range(len(state.sides)) if side != state.turn), default=0
    )


def has_passed(state: State, unit: Unit, rule: SpecialRule) -> bool:
    """Whether a unit has passed a turn in this round."""
    return any(use.key == rule.name and use.round == state.round for use in unit.uses)


def why_no_pass(rules: Ruleset, state: State, option: str) -> tuple[Refusal, ...]:
    """Why a unit may not pass the turn; empty where the option is about something else."""
    number = passing_unit(option)
    if not 0 <= number < len(state.units):
        return ()
    unit = state.units[number]
    rule = pass_rule(rules, state, unit)
    if unit.side != state.turn:
        text = f"{unit.name} cannot pass the turn: it is not its side's turn"
    elif rule is None:
        text = f"{unit.name} has no rule by which it may pass the turn"
    elif unit not in fresh_units(state, state.turn):
        text = f"{unit.name} has nothing left to do in this round, so it cannot pass the turn"
    elif has_passed(state, unit, rule):
        text = f"{unit.name} has already passed a turn in this round ({rule.name})"
    else:
        mine, theirs = len(fresh_units(state, state.turn)), most_left_elsewhere(state)
        text = (
            f"{unit.name} may pass the turn only while the other side has more units left to activate "
            f"({rule.name}): it has {theirs}, your side has {mine}"
        )
    return (Refusal(text, rule.cite if rule is not None else rules.cite("round.activate")),)
