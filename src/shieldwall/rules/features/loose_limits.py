"""What loose units may do in each kind of move, as plain data for the table."""

from __future__ import annotations

from shieldwall.core.state import MILLI, State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.coherency import Coherency
from shieldwall.table.ground import Climb
from shieldwall.table.loose_party import WalkLimits


def coherency_of(rules: Ruleset) -> Coherency:
    """The edition's coherency."""
    constants = rules.constants
    return Coherency(
        constants.coherency_link / MILLI,
        constants.coherency_spread / MILLI,
        "letter" if constants.coherency_shape == "letter" else "chain",
    )


def climb_of(rules: Ruleset) -> Climb:
    """The edition's heights, gaps and leaps."""
    constants = rules.constants
    return Climb(
        free_below=constants.climb_free / MILLI,
        climb_max=constants.climb_max / MILLI,
        drop_max=constants.climb_max / MILLI,
        gap_max=constants.gap_walk / MILLI,
        jump_max=constants.jump_max / MILLI,
    )


def walk_limits(rules: Ruleset, state: State, unit: Unit, action: str, target: int = -1) -> WalkLimits:
    """What an action allows every model of a loose unit."""
    constants = rules.constants
    crossings = [rules.crossing(state, unit, model) for model in unit.models]
    flies = tuple(crossing.terrain for crossing in crossings)
    scouting = action == "scout"
    return WalkLimits(
        allowance=tuple(length / MILLI for length in _allowances(rules, state, unit, action)),
        action=action,
        spacing=0.0 if action in ("charge", "react", "push") else constants.spacing / MILLI,
        close_to=target,
        end_spacing=constants.spacing / MILLI if action == "charge" else 0.0,
        ignores_units=tuple(crossing.units for crossing in crossings),
        ignores_terrain=tuple(True for _ in crossings) if scouting else flies,
        ignores_difficult=tuple(crossing.difficult or scouting or action == "push" for crossing in crossings),
        difficult_cap=constants.difficult_cap / MILLI,
        climb=climb_of(rules),
        coherency=coherency_of(rules),
        mates_obstruct=constants.mates_obstruct,
    )


def _allowances(rules: Ruleset, state: State, unit: Unit, action: str) -> list[int]:
    constants = rules.constants
    fixed = {
        "consolidate": constants.survivor_move,
        "react": constants.react,
        "scout": constants.scout_within,
        "push": constants.push_within,
    }
    if action in fixed:
        return [fixed[action] for _ in unit.models]
    return [rules.model_allowance(state, unit, model, action) for model in unit.models]
