"""Sentences about the sequence of play: set-up, rounds, turns, moves, markers, the end."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.state import Pose, State, Unit
from shieldwall.dice.words import count
from shieldwall.rules.army.coming_back import copy_name
from shieldwall.story.dice import thrown
from shieldwall.story.names import Names, inches, joined, place

_ACTIONS = {
    "hold": "held their ground",
    "advance": "advanced",
    "rush": "rushed",
    "charge": "charged",
    "idle": "spent the turn idle",
    "cast": "cast a spell",
    "stay": "stayed inside",
}
_MOVES = {
    "advance": "advanced",
    "rush": "rushed",
    "charge": "charged",
    "pivot": "turned",
    "hold": "turned",
    "idle": "turned",
    "react": "moved{far} into contact with the charger",
    "consolidate": "moved on",
    "step back": "stepped back",
    "scout": "scouted ahead",
    "board": "moved up",
    "push": "got pushed",
    "spell": "was moved{far} by the spell",
    "rule": "moved again,",
    "led": "was moved",
}
_ARRIVALS = {
    "deploy": "deployed",
    "arrival": "came out of ambush",
    "scout": "set up as scouts",
    "rule": "took the field",
    "copy": "arrived at the edge of the table",
}
_ARCS = {
    "front": "from the front",
    "left": "in the left flank",
    "right": "in the right flank",
    "rear": "in the rear",
}


def rolled(event: ev.Rolled, names: Names, state: State) -> str:
    """Dice were rolled."""
    return f"{thrown(event)}."


def rolled_off(event: ev.RolledOff, names: Names, state: State) -> str:
    """A roll-off was won."""
    return f"{names.side(event.winner)} won the roll-off for {event.purpose.replace('_', ' ')}."


def marker_placed(event: ev.MarkerPlaced, names: Names, state: State) -> str:
    """A marker was put down."""
    by = names.side(event.side) if event.side >= 0 else "The mission"
    return f"{by} put {names.marker(event.marker)} down, {place(event.x, event.y)}."


def marker_flipped(event: ev.MarkerFlipped, names: Names, state: State) -> str:
    """A marker changed hands."""
    if event.holder < 0:
        return f"{names.marker(event.marker).capitalize()} is contested."
    lost = f" from {names.side(event.before)}" if event.before >= 0 else ""
    return f"{names.side(event.holder)} took {names.marker(event.marker)}{lost}."


def mission_chosen(event: ev.MissionChosen, names: Names, state: State) -> str:
    """What the game is about."""
    return f"The mission is {event.mission.replace('-', ' ').title()}."


def marker_taken(event: ev.MarkerTaken, names: Names, state: State) -> str:
    """A unit picked a marker up."""
    return f"{names.unit(event.unit)} picked up {names.marker(event.marker)}."


def marker_dropped(event: ev.MarkerDropped, names: Names, state: State) -> str:
    """A marker fell to the ground."""
    return f"{names.marker(event.marker).capitalize()} was dropped, {place(event.x, event.y)}."


def marker_gone(event: ev.MarkerGone, names: Names, state: State) -> str:
    """A marker was destroyed."""
    return f"{names.side(event.side)} destroyed {names.marker(event.marker)}."


_GROUND_SECRETS = {
    3: "units that enter take wounds",
    4: "units that enter are hit",
    5: "units inside shoot better",
    6: "units that charge into it fight worse",
}
_MARKER_SECRETS = {
    3: "the ground around it is dangerous",
    4: "the ground around it is difficult",
    5: "units near it are harder to hit",
    6: "units near it fight better",
}


def secret_found(event: ev.SecretFound, names: Names, state: State) -> str:
    """A secret came to light."""
    if event.piece >= 0:
        where, what = names.piece(event.piece), _GROUND_SECRETS.get(event.result)
    else:
        where, what = names.marker(event.marker), _MARKER_SECRETS.get(event.result)
    return f"{names.unit(event.unit)} explored {where}: {what or 'nothing special'}."


def garrisoned(event: ev.Garrisoned, names: Names, state: State) -> str:
    """A unit went into a building."""
    return f"{names.unit(event.unit)} went into {names.piece(event.piece)}."


def left_building(event: ev.LeftBuilding, names: Names, state: State) -> str:
    """A unit came out of a building."""
    return f"{names.unit(event.unit)} came out of {names.piece(event.piece)}."


def edge_chosen(event: ev.EdgeChosen, names: Names, state: State) -> str:
    """A side took its edge."""
    return f"{names.side(event.side)} took the {event.edge} edge."


def first_side_set(event: ev.FirstSideSet, names: Names, state: State) -> str:
    """It was decided who goes first."""
    return f"{names.side_does(event.side, 'deploy')} first and will have the first turn."


def attached(event: ev.Attached, names: Names, state: State) -> str:
    """A lone model joined a unit."""
    return f"{names.unit(event.joined)} joined {names.unit(event.unit)}."


def held_back(event: ev.HeldBack, names: Names, state: State) -> str:
    """A unit was kept off the table."""
    if event.how == "copy":
        return f"{names.unit(event.unit)} will arrive in the next round."
    return f"{names.unit(event.unit)} stayed off the table ({event.how})."


def left_table(event: ev.LeftTable, names: Names, state: State) -> str:
    """A unit left the table for some time."""
    return f"{names.unit(event.unit)} left the table, to come out of {event.how} in the next round."


def called_up(event: ev.CalledUp, names: Names, state: State) -> str:
    """A unit was brought into the game, by one of the models of another one or as a copy of it."""
    later = state.units[event.unit].later
    if state.units[event.unit].name == copy_name(state.units[event.by].name):
        return f"A copy takes the place of {names.unit(event.by)} ({event.rule})."
    if later is not None and any(model.id == later.model for model in state.units[event.by].models):
        by = names.member(event.by, later.model)
        return f"{by} brought {names.unit(event.unit)} into the battle ({event.rule})."
    return f"{names.unit(event.by)} brought {names.unit(event.unit)} into the battle ({event.rule})."


def pick_made(event: ev.PickMade, names: Names, state: State) -> str:
    """A lasting choice was made for a unit."""
    return f"{names.unit(event.unit)} chose {event.value} for their {event.what}."


def placed(event: ev.UnitPlaced, names: Names, state: State) -> str:
    """A unit was put on the table."""
    x = sum(pose.x for pose in event.poses) // max(1, len(event.poses))
    y = sum(pose.y for pose in event.poses) // max(1, len(event.poses))
    return f"{names.unit(event.unit)} {_ARRIVALS.get(event.how, 'set up')}, {place(x, y)}."


def boarded(event: ev.Boarded, names: Names, state: State) -> str:
    """A unit got into its carrier."""
    return f"{names.unit(event.unit)} got into {names.unit(event.carrier)}."


def left_carrier(event: ev.LeftCarrier, names: Names, state: State) -> str:
    """A unit got out of its carrier."""
    return f"{names.unit(event.unit)} got out of {names.unit(event.carrier)}."


def wrecked(event: ev.Wrecked, names: Names, state: State) -> str:
    """A carrier was destroyed with passengers inside."""
    return f"{names.unit(event.unit)} was wrecked with passengers inside."


def sizes_recorded(event: ev.SizesRecorded, names: Names, state: State) -> str:
    """Starting strengths were written down."""
    sides = [f"{names.side(side)} {count(units, 'unit')}" for side, units in enumerate(event.units)]
    return f"Starting armies: {joined(sides)}."


def rosters_recorded(event: ev.RostersRecorded, names: Names, state: State) -> str:
    """The models of all units were written down."""
    return "The models of every unit were recorded, as lost ones may come back."


def round_began(event: ev.RoundBegan, names: Names, state: State) -> str:
    """A round began."""
    return f"Round {event.round}: {names.side_does(event.starter, 'have')} the first turn."


def round_ended(event: ev.RoundEnded, names: Names, state: State) -> str:
    """A round ended, and it is known who begins the next one, if there is one."""
    return f"Round {event.round} is over."


def turn_passed(event: ev.TurnPassed, names: Names, state: State) -> str:
    """The turn went to a side."""
    return f"It is {names.side(event.side)}'s turn."


def turn_given(event: ev.TurnGiven, names: Names, state: State) -> str:
    """A unit gave the turn away by a rule: to a friend, or to the other side."""
    unit = names.whose(event.unit, state.units[event.unit].side)
    if event.to >= 0:
        return f"{unit} let {names.unit(event.to)} act at once ({event.rule})."
    return f"{unit} passed the turn and may act later ({event.rule})."


def ran_dry(event: ev.RanDry, names: Names, state: State) -> str:
    """A side has no unit left to activate."""
    return f"{names.side_does(event.side, 'have')} no unit left to activate this round."


def activated(event: ev.Activated, names: Names, state: State) -> str:
    """A unit was picked."""
    return f"{names.whose(event.unit, state.units[event.unit].side)} took their turn."


def action_chosen(event: ev.ActionChosen, names: Names, state: State) -> str:
    """The unit committed to an action."""
    unit = names.whose(event.unit, state.units[event.unit].side)
    return f"{unit} {_ACTIONS.get(event.action, f'chose to {event.action}')}."


def activation_ended(event: ev.ActivationEnded, names: Names, state: State) -> str:
    """An activation is over."""
    return f"{names.unit(event.unit)} finished."


def moved(event: ev.Moved, names: Names, state: State) -> str:
    """A unit moved."""
    how = _MOVES.get(event.how, f"moved ({event.how})" if event.how else "moved")
    unit = names.unit(event.unit)
    if event.how == "fall":
        return f"{unit} landed at the bottom."
    if event.used:
        far = f" {inches(event.used)}"
        return f"{unit} {how.format(far=far) if '{far}' in how else how + far}."
    before = _poses(state.units[event.unit])
    if before == event.poses:
        return f"{unit} stayed where they were."
    return f"{unit} turned." if is_on_the_spot(event, state) else f"{unit} set out."


def is_on_the_spot(event: ev.Moved, state: State) -> bool:
    """Whether no model of a unit moved, though it may have turned."""
    before = _poses(state.units[event.unit])
    return [(pose.x, pose.y) for pose in before] == [(pose.x, pose.y) for pose in event.poses]


def _poses(unit: Unit) -> tuple[Pose, ...]:
    return (unit.block,) if unit.block is not None else unit.poses


def aligned(event: ev.Aligned, names: Names, state: State) -> str:
    """Charger and target closed up."""
    where = _ARCS.get(event.arc, event.arc)
    return f"{names.unit(event.unit)} closed with {names.unit(event.target)} {where}."


def ruled(event: ev.Ruled, names: Names, state: State) -> str:
    """A question was settled."""
    return f"The players settled {event.question!r}: {event.ruling}."


def game_ended(event: ev.GameEnded, names: Names, state: State) -> str:
    """The game is over."""
    winner = max(0, event.winner)
    ours, theirs = event.markers[winner : winner + 1], event.markers[:winner] + event.markers[winner + 1 :]
    score = " to ".join(str(markers) for markers in ours + theirs)
    held = f"{score} {'marker' if sum(event.markers) == 1 else 'markers'}" if event.markers else "no markers"
    if event.winner < 0:
        return f"The battle ended in a draw, {held}."
    return f"{names.side(event.winner)} won the battle, {held}."
