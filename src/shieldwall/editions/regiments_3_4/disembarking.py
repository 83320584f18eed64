"""Passengers act: they stay inside, or get out next to their carrier with a move action.

Where exactly a unit may be put down is a question of how it is formed, which the edition's policies answer.
"""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.frames import Activation, Danger, Movement
from shieldwall.core.pending import Choice, Option, Pending, Refusal
from shieldwall.core.state import Pose, State, Unit
from shieldwall.rules.army.impulse import forced_actions, must_act_otherwise
from shieldwall.rules.features.carry import CarryRules
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import ActionOptions, ChooseAction, action_question, allowed_actions
from shieldwall.table.exits import Exit
from shieldwall.table.footprints import unit_outline

STAY = "stay"
_LABELS = {
    STAY: "Stay inside and do nothing",
    "advance": "Advance: get out, then shoot",
    "rush": "Rush: get out, no shooting",
    "charge": "Charge: get out into melee",
}


def way_out_of(state: State, carrier: Unit, carry: CarryRules) -> Exit:
    """The ground near a carrier that stands on the table."""
    heading = carrier.block.heading if carrier.block is not None else carrier.poses[0].heading
    return Exit(unit_outline(carrier, state.profiles), carry.leave_within, heading)


def leaving(rules: Ruleset, state: State, unit: Unit, carry: CarryRules) -> PlaceQuestion:
    """The question where a passenger gets out."""
    carrier = state.units[unit.inside]
    way_out = way_out_of(state, carrier, carry)
    prompt = f"{unit.name}: where does it get out of {carrier.name}?"
    return rules.policies.exit_question(rules, state, unit, way_out, "leave_place", prompt)


class ChooseActionOrStay(ChooseAction):
    """As in the trunk; a passenger stays inside or gets out with a move action."""

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if unit.place != "inside" or frame.over or not unit.models:
            return super().ask(game)
        if frame.began_broken:
            return action_question(game.rules, game.state, unit, frame)
        return self._inside_question(game, unit)

    def _inside_question(self, game: Play, unit: Unit) -> Choice:
        rules = game.rules
        ways = self._ways_out(game, unit)
        forced = forced_actions(rules, game.state, unit, [way for way in ways if way == "charge"])
        options = tuple(Option(action, _LABELS[action]) for action in forced or (STAY, *ways))

        def refusals(option: str) -> tuple[Refusal, ...]:
            if forced:
                return (must_act_otherwise(rules, game.state, unit, forced),)
            if option in self.carry.leave_by:
                return (Refusal(f"{unit.name} cannot get out with {option} now", rules.cite("carry.exit")),)
            return (Refusal(f"{unit.name} may only get out or stay inside", rules.cite("carry.inside")),)

        prompt = f"{unit.name}: stay inside or get out?"
        usual = "" if forced else STAY
        return ActionOptions(unit, "action", prompt, rules.cite("carry.inside"), options, usual, refusals)

    def _ways_out(self, game: Play, unit: Unit) -> list[str]:
        """Actions with which the unit can get out now; all but a charge need the same free ground."""
        rules, state = game.rules, game.state
        allowed = allowed_actions(rules, state, unit)
        actions = [action for action in self.carry.leave_by if action in allowed]
        has_room = bool(actions) and leaving(rules, state, unit, self.carry).has_any()
        charges = "charge" in actions and bool(rules.policies.charge_options(rules, state, unit))
        return [action for action in actions if (charges if action == "charge" else has_room)]


class GetOut(TrunkStep):
    """Put the passenger down near its carrier; models that land on dangerous ground are tested."""

    name = "carry.leave"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Movement).unit]
        return leaving(game.rules, game.state, unit, self.carry)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Movement = game.stack[-1]
        get_out(game, frame.unit, answer.poses, frame.action)


def get_out(game: Play, unit_id: int, poses: tuple[Pose, ...], how: str, again: bool = False) -> None:
    """Put a passenger back on the table, and test the ground it lands on.

    With `again` the running step is repeated afterwards, instead of going on to the next one.
    """
    carrier = game.state.units[unit_id].inside
    cite = game.rules.cite("carry.leave")
    game.emit(ev.LeftCarrier(unit=unit_id, carrier=carrier, poses=poses, how=how, cite=cite))
    game.note_on(Activation, moved=True)
    unit = game.state.units[unit_id]
    if all(game.rules.crossing(game.state, unit, model).terrain for model in unit.models):
        return
    at_risk = game.rules.policies.models_in_danger(game.rules, game.state, unit)
    activation = game.nearest(Activation)
    if at_risk and activation is not None:
        game.note_on(Activation, tested=activation.tested + at_risk)
        game.push(Danger(procedure="danger", unit=unit_id, models=at_risk), again=again)
