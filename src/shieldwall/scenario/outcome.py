"""The outcome of a scenario as plain data, for reports."""

from __future__ import annotations

from typing import Any

from shieldwall.core.events import AnyEvent, Rolled
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import Pose, State, Unit
from shieldwall.core.values import CENTI, MILLI
from shieldwall.scenario.event_checks import event_facts, pools_of
from shieldwall.scenario.expect import PlayedOutcome, option_names, pending_kind, roll_facts
from shieldwall.scenario.measure import OneOf
from shieldwall.scenario.roster import Roster, side_name
from shieldwall.table.footprints import figure_poses

Plain = dict[str, Any]


def outcome_data(outcome: PlayedOutcome, rest: State | None) -> Plain:
    """The game as it is now and as it was at the end of the activation, with all events and dice."""
    state, roster = outcome.state, outcome.roster
    events = outcome.happened.events
    return {
        "round": state.round,
        "turn": side_name(state.turn),
        "finished": state.finished,
        "winner": _winner(state),
        "pending": _pending(state, outcome.pending, roster),
        "units": _units(state, roster),
        "units_when_over": _units(rest, roster) if rest is not None else None,
        "objectives": {name: side_name(state.markers[at].holder) for name, at in roster.markers.items()},
        "asked": list(outcome.happened.asked),
        "rolls": [plain(facts) for event in events if isinstance(event, Rolled) for facts in pools_of(event)],
        "events": [_event(event, roster) for event in events],
    }


def plain(value: Any) -> Any:
    """A value as JSON: sets are sorted, and of several words for one thing the usual one is kept."""
    match value:
        case OneOf():
            return value[0]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case set() | frozenset():
            return [plain(item) for item in sorted(value)]
        case list() | tuple():
            return [plain(item) for item in value]
        case float():
            return round(float(value), 4)
        case None | bool() | int() | str():
            return value
        case _:
            return str(value)


def _event(event: AnyEvent, roster: Roster) -> Plain:
    facts = event_facts(event, roster)
    if isinstance(event, Rolled):
        facts["rolls"] = list(pools_of(event))
    return {key: plain(value) for key, value in facts.items()}


def _winner(state: State) -> str:
    if not state.finished:
        return "none"
    return "draw" if state.winner == -1 else str(side_name(state.winner))


def _units(state: State, roster: Roster) -> Plain:
    return {unit.name: _unit(state, unit, roster) for unit in state.units}


def _unit(state: State, unit: Unit, roster: Roster) -> Plain:
    stands = unit.block is not None or bool(unit.poses)
    poses = figure_poses(unit, state.profiles) if stands and unit.place == "table" else ()
    return {
        "side": side_name(unit.side),
        "models": [roster.model_name(model.id) for model in unit.models],
        "wounds": [model.wounds for model in unit.models],
        "stunned": [model.stunned for model in unit.models],
        "fatigued": unit.tired or [model.tired for model in unit.models],
        "tokens": [model.tokens for model in unit.models],
        "shaken": unit.broken,
        "activated": unit.activated,
        "place": unit.place,
        "at": _spot(unit.block) if unit.block is not None and poses else None,
        "positions": [_spot(pose) for pose in poses],
        "effects": [effect.name for effect in unit.effects],
    }


def _spot(pose: Pose) -> list[float]:
    return [pose.x / MILLI, pose.y / MILLI, pose.heading / CENTI, pose.z / MILLI]


def _pending(state: State, pending: Pending | None, roster: Roster) -> Plain | None:
    if pending is None:
        return None
    about: Plain = {"kind": pending_kind(pending), "side": side_name(state.seats[pending.seat].side)}
    if isinstance(pending, Decision):
        return {**about, "options": option_names(pending, roster)}
    facts = roll_facts(pending)
    return {**about, "dice": facts["dice"], "need": list(facts["need"]), "why": list(facts["why"])}
