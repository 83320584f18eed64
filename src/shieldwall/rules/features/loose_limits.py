"""What loose units may do in each kind of move, as plain data for the table."""

from __future__ import annotations

from shieldwall.core.state import MILLI, Model, State, Unit, setting
from shieldwall.rules.ruleset import Ruleset, one_of_each
from shieldwall.table.coherency import Coherency
from shieldwall.table.ground import Climb
from shieldwall.table.walk_context import WalkLimits

TOUCHING = ("charge", "push")  # moves that keep no distance from other units


def coherency_of(rules: Ruleset, state: State) -> Coherency:
    """The edition's coherency; a house rule may ask for one chain."""
    constants = rules.constants
    shape = setting(state, "coherency-shape", constants.coherency_shape)
    return Coherency(
        constants.coherency_link / MILLI,
        constants.coherency_spread / MILLI,
        "letter" if shape == "letter" else "chain",
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


def mates_obstruct(rules: Ruleset, state: State) -> bool:
    """Whether models of one unit block each other's way; a house rule may say so."""
    usual = "on" if rules.constants.mates_obstruct else "off"
    return setting(state, "unit-mates-block", usual) == "on"


def walk_limits(rules: Ruleset, state: State, unit: Unit, action: str, target: int = -1) -> WalkLimits:
    """What an action allows every model of a loose unit; `target` is the unit that may be touched.

    Cached by what it depends on: the unit's models and effects, the game's switches, and how far each model may go.
    """
    at = (
        rules.charge_lengths(state, unit, state.units[target]) if action == "charge" and target >= 0 else None
    )
    lengths = tuple(_allowances(rules, state, unit, action) if at is None else at)
    makeup, key = unit.makeup, ("walk limits", action, target, lengths)
    known: tuple[Ruleset, object, WalkLimits] | None = makeup.get(key)
    if known is None or known[0] is not rules or known[1] is not state.options:
        limits = _limits(rules, state, unit, action, target, lengths)
        known = makeup[key] = (rules, state.options, limits)
    return known[2]


def _limits(
    rules: Ruleset, state: State, unit: Unit, action: str, target: int, lengths: tuple[int, ...]
) -> WalkLimits:
    constants = rules.constants
    each = {model.profile: rules.crossing(state, unit, model) for model in one_of_each(unit)}
    crossings = [each[model.profile] for model in unit.models]
    scouting = action == "scout"
    return WalkLimits(
        allowance=tuple([length / MILLI for length in lengths]),
        action=action,
        spacing=0.0 if action in TOUCHING else constants.spacing / MILLI,
        close_to=target,
        end_spacing=constants.spacing / MILLI if action == "charge" else 0.0,
        ignores_units=tuple([crossing.units for crossing in crossings]),
        ignores_terrain=tuple([crossing.terrain or scouting for crossing in crossings]),
        ignores_difficult=tuple([one.difficult or scouting or action == "push" for one in crossings]),
        difficult_cap=constants.difficult_cap / MILLI,
        climb=climb_of(rules),
        coherency=coherency_of(rules, state),
        mates_obstruct=mates_obstruct(rules, state),
        free_jumps=not scouting and any(crossing.sure_jumps for crossing in each.values()),
    )


def _allowances(rules: Ruleset, state: State, unit: Unit, action: str) -> list[int]:
    constants = rules.constants
    fixed = {
        "consolidate": rules.survivor_move(state, unit),
        "react": constants.react,
        "scout": constants.scout_within,
        "vanguard": constants.scout_within,
        "push": constants.push_within,
    }
    if action in fixed:
        return [_short_move(model, action, fixed[action]) for model in unit.models]
    return rules.allowances(state, unit, action)


def _short_move(model: Model, action: str, usual: int) -> int:
    """How far a model goes in a short move: stunned models do not close up or follow, but can be pushed."""
    return 0 if model.stunned and action in ("react", "consolidate") else usual
