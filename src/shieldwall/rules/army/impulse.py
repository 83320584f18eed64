"""Rules by which a unit must attack the closest enemy it can as soon as it is activated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from shieldwall.core.pending import Option, Refusal
from shieldwall.core.state import State, Unit
from shieldwall.geometry.tolerance import EPS
from shieldwall.rules.hooks import SpecialRule, UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.measure import units_apart

HOLD, CHARGE = "hold", "charge"
ATTACKS = {HOLD: "shoot at", CHARGE: "charge"}


def impulse_of(rules: Ruleset, state: State, unit: Unit) -> SpecialRule | None:
    """The rule by which a unit must attack the closest enemy it can."""
    found = rules.hooks.of_unit(unit, state.profiles).get("must_attack")
    if not found:
        return None
    ctx = UnitContext(state, unit)
    return next((rule for rule in found if rule.must_attack(ctx)), None)


def forced_actions(rules: Ruleset, state: State, unit: Unit, allowed: Sequence[str]) -> tuple[str, ...]:
    """The actions among which a unit must choose because it can attack; none if it is free to do as it likes."""
    if impulse_of(rules, state, unit) is None:
        return ()
    shoots = HOLD in allowed and rules.policies.can_shoot_on_hold(rules, state, unit)
    charges = CHARGE in allowed and any(
        option.unit < 0 or state.units[option.unit].side != unit.side
        for option in rules.policies.charge_options(rules, state, unit)
    )
    return tuple(action for action, able in ((HOLD, shoots), (CHARGE, charges)) if able)


def must_act_otherwise(rules: Ruleset, state: State, unit: Unit, forced: Sequence[str]) -> Refusal:
    """Why a unit may not take another action than those by which it attacks at once."""
    rule = impulse_of(rules, state, unit)
    assert rule is not None
    ways = " or ".join("Hold and shoot" if action == HOLD else "Charge" for action in forced)
    text = f"{unit.name} must attack the closest possible target at once ({rule.name}): {ways}"
    return Refusal(text, rule.cite)


def closest(targets: Iterable[int], apart: Callable[[int], float]) -> frozenset[int]:
    """Those of several targets that are closest; several if they are equally far."""
    away = {target: apart(target) for target in targets}
    least = min(away.values(), default=0.0)
    return frozenset(target for target, distance in away.items() if distance <= least + EPS)


def closest_charges(
    rules: Ruleset, state: State, unit: Unit, options: tuple[Option, ...]
) -> tuple[Option, ...]:
    """The charges that a unit may make: at the closest enemy in reach if a rule says so, otherwise all of them."""
    if len(options) < 2 or impulse_of(rules, state, unit) is None:
        return options
    measured = unit.inside if unit.place == "inside" else unit.id
    heights = rules.policies.measures_heights()
    left = closest(
        {option.unit for option in options}, lambda other: units_apart(state, measured, other, heights)
    )
    return tuple(option for option in options if option.unit in left)


def not_the_closest(
    rules: Ruleset, state: State, unit: Unit, target: Unit, nearer: Iterable[int], action: str
) -> Refusal:
    """Why a unit may not attack a target: there are closer ones that it can attack."""
    rule = impulse_of(rules, state, unit)
    assert rule is not None
    names = " or ".join(state.units[one].name for one in sorted(nearer))
    text = f"{unit.name} must {ATTACKS[action]} the closest possible target ({rule.name}): {names}, not {target.name}"
    return Refusal(text, rule.cite)
