"""Why a unit cannot charge, in words and numbers a player can act on."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Refusal
from shieldwall.core.state import MILLI, State, Unit
from shieldwall.geometry.tolerance import over, told
from shieldwall.rules.army.impulse import impulse_of, not_the_closest
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.measure import units_apart
from shieldwall.table.terrain import DIFFICULT, DIFFICULT_UPHILL, OPEN


def why_nobody(rules: Ruleset, state: State, unit: Unit) -> tuple[Refusal, ...]:
    """Why a unit can charge no enemy at all: what keeps it from the nearest one."""
    enemies = [other for other in state.units if other.side != unit.side and _stands(other)]
    if not enemies:
        return (
            Refusal(f"there is no enemy on the table for {unit.name} to charge", rules.cite("charge.target")),
        )
    nearest = min(enemies, key=lambda other: (_apart(rules, state, unit, other), other.id))
    return (why_not(rules, state, unit, nearest),)


def why_not_option(rules: Ruleset, state: State, unit: Unit, option: str) -> tuple[Refusal, ...]:
    """Why the unit named by an option such as `u7` cannot be charged; empty if the option names no unit."""
    number = option[1:]
    if not option.startswith("u") or not number.isdecimal() or int(number) >= len(state.units):
        return ()
    return (why_not(rules, state, unit, state.units[int(number)]),)


def why_not(rules: Ruleset, state: State, unit: Unit, target: Unit) -> Refusal:
    """Why a unit cannot charge another one."""
    cite = rules.cite("charge.target")
    if target.side == unit.side:
        return Refusal(f"{unit_does(target, 'fight')} on the side of {unit.name}", cite)
    if not _stands(target):
        return Refusal(f"{unit_does(target, 'are')} not on the table", cite)
    apart = _apart(rules, state, unit, target)
    lengths = rules.charge_lengths(state, unit, target) or rules.allowances(state, unit, "charge")
    reach = max(lengths) / MILLI
    if not over(apart, reach) and _is_slowed(rules, state, unit, target):
        cap = rules.constants.difficult_cap / MILLI
        text = f"{unit_does(unit, 'need')} more than {cap:g} inches to {target.name}, on a way over difficult ground"
        return Refusal(text, rules.cites.get("terrain.difficult") or rules.cite("move.difficult"))
    if over(apart, reach):
        away = f"{told(apart, reach, 1)} inches away from {unit.name}"
        text = f"{unit_does(target, 'are')} {away}, whose charge reaches {reach:g}"
    elif impulse_of(rules, state, unit) is not None and _charges_nearer(rules, state, unit, target):
        return not_the_closest(
            rules, state, unit, target, _charges_nearer(rules, state, unit, target), "charge"
        )
    else:
        together = ", ending in coherency" if _keeps_together(rules, unit) else ""
        text = (
            f"{unit_does(unit, 'find')} no path into contact with {target.name}, {apart:.1f} inches away: "
            f"its charge reaches {reach:g} inches, less through difficult ground, "
            f"around obstacles{together}"
        )
    return Refusal(text, rules.cite("charge.reach"))


def _charges_nearer(rules: Ruleset, state: State, unit: Unit, target: Unit) -> list[int]:
    """The enemies that a unit must charge rather than another one."""
    options = rules.policies.charge_options(rules, state, unit)
    nearer = [
        option.unit for option in options if option.unit >= 0 and state.units[option.unit].side != unit.side
    ]
    return [] if target.id in nearer else nearer


def _is_slowed(rules: Ruleset, state: State, unit: Unit, target: Unit) -> bool:
    """Whether a target would be in reach if no ground were difficult."""
    slow = (DIFFICULT, DIFFICULT_UPHILL)
    if not any(kind in slow for piece in state.pieces for kind in (*piece.types, *piece.conditions)):
        return False
    pieces = tuple(
        replace(
            piece,
            types=tuple(kind for kind in piece.types if kind not in slow) or (OPEN,),
            conditions=tuple(kind for kind in piece.conditions if kind not in slow),
        )
        for piece in state.pieces
    )
    eased = replace(state, pieces=pieces)
    options = rules.policies.charge_options(rules, eased, eased.units[unit.id])
    return any(option.unit == target.id for option in options)


def _keeps_together(rules: Ruleset, unit: Unit) -> bool:
    """Whether a charge may fail because models of the unit would be left behind."""
    return len(unit.models) > 1 and "coherency.link" in rules.cites


def _stands(unit: Unit) -> bool:
    return unit.place == "table" and bool(unit.models)


def _apart(rules: Ruleset, state: State, unit: Unit, other: Unit) -> float:
    return units_apart(state, unit.id, other.id, rules.policies.measures_heights())
