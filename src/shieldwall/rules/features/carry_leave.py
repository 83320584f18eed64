"""Passengers act: they stay inside, get out beside their carrier, or charge straight out of it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Leg, Pick, Placed
from shieldwall.core.frames import Activation, Danger, Melee, Movement
from shieldwall.core.pending import Choice, Numbers, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.rules.features.block import CarryOutBlock
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.carry import CarryRules
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import ChooseAction, action_question, allowed_actions
from shieldwall.table.align import FACING, align_units
from shieldwall.table.arcs import Arc
from shieldwall.table.block_charge import charged_sides
from shieldwall.table.exits import Exit, check_exit, exit_spots, standing
from shieldwall.table.field import unit_outline
from shieldwall.table.formations import block_pose
from shieldwall.table.measure import units_apart
from shieldwall.table.tolerance import within
from shieldwall.table.zones import table_region

STAY = "stay"
FULL_TURN = 36000
_LABELS = {
    STAY: "Stay inside and do nothing",
    "advance": "Advance: get out, then shoot",
    "rush": "Rush: get out, no shooting",
    "charge": "Charge: get out into melee",
}


class BlockExit(BlockPlacing):
    """Where a block gets out: any facing, wholly near its carrier, an inch off everybody."""

    __slots__ = ("way_out",)

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, way_out: Exit, kind: str, prompt: str
    ) -> None:
        ground = Ground(table_region(state.width, state.depth))
        super().__init__(rules, state, unit, ground, kind, prompt)
        self.cite = rules.cite(way_out.cite)
        self.way_out = way_out

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return refusals
        there = standing(self.unit, answer.poses[0], self.state.profiles)
        return refusals + self.rules.refusals(check_exit(self.unit.name, there, self.way_out))

    def has_any(self) -> bool:
        return bool(self._ways(1))

    def default(self) -> Placed:
        return Placed((self._ways(1)[0],))

    def sample(self, numbers: Numbers) -> Placed:
        ways = self._ways(24)
        return Placed((ways[numbers.below(len(ways))],))

    def _ways(self, count: int) -> tuple[Pose, ...]:
        """Ways out; where a coarse search finds none, a fine one."""
        spacing = self.rules.constants.spacing / MILLI
        for step in (1.0, 0.25):
            found = exit_spots(self.state, self.unit, self.way_out, spacing, step, count)
            if found:
                return found
        return ()


def way_out_of(state: State, carrier: Unit, carry: CarryRules) -> Exit:
    """The ground near a carrier that stands on the table."""
    heading = carrier.block.heading if carrier.block is not None else carrier.poses[0].heading
    return Exit(unit_outline(carrier, state.profiles), carry.leave_within, heading)


def leaving(rules: Ruleset, state: State, unit: Unit, carry: CarryRules) -> BlockExit:
    """The question where a passenger gets out."""
    carrier = state.units[unit.inside]
    prompt = f"{unit.name}: where does it get out of {carrier.name}?"
    return BlockExit(rules, state, unit, way_out_of(state, carrier, carry), "leave_place", prompt)


class ChooseActionOrStay(ChooseAction):
    """As in the trunk; a unit that rides inside another stays there or gets out by a move action."""

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if unit.place != "inside" or frame.over or not unit.models:
            return super().ask(game)
        if frame.began_broken:
            return action_question(game.rules, game.state, unit, frame)
        return self._inside_question(game, unit)

    def _inside_question(self, game: Play, unit: Unit) -> Choice:
        rules = game.rules
        open_to = [STAY, *(action for action in self.carry.leave_by if self._leads_out(game, unit, action))]
        options = tuple(Option(action, _LABELS[action]) for action in open_to)

        def refusals(option: str) -> tuple[Refusal, ...]:
            if option in self.carry.leave_by:
                return (Refusal(f"{unit.name} cannot get out by {option} now", rules.cite("carry.exit")),)
            return (Refusal(f"{unit.name} may only get out or stay inside", rules.cite("carry.inside")),)

        prompt = f"{unit.name}: stay inside or get out?"
        return Choice("action", unit.seat, prompt, rules.cite("carry.inside"), options, STAY, refusals)

    def _leads_out(self, game: Play, unit: Unit, action: str) -> bool:
        rules, state = game.rules, game.state
        if action not in allowed_actions(rules, state, unit):
            return False
        if action == "charge":
            return bool(exit_charges(rules, state, unit, self.carry))
        return leaving(rules, state, unit, self.carry).has_any()


class CarryOutOrLeave(CarryOutBlock):
    """As for any block; the move of a passenger is getting out, and its charge begins inside."""

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if unit.place != "inside" or not unit.models:
            super().go(game)
        elif frame.action == "charge":
            game.push(Melee(procedure="melee", charger=frame.unit))
        elif frame.action in ("advance", "rush"):
            game.push(Movement(procedure="leave", unit=frame.unit, action=frame.action))


class GetOut(TrunkStep):
    """Put the passenger down near its carrier; who lands on dangerous ground is tested."""

    name = "carry.leave"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Movement).unit]
        return leaving(game.rules, game.state, unit, self.carry)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame = game.top(Movement)
        get_out(game, frame.unit, answer.poses, frame.action)


def get_out(game: Play, unit_id: int, poses: tuple[Pose, ...], how: str, again: bool = False) -> None:
    """Write that a passenger stands on the table again, and test the ground it came to.

    `again` comes back to the step the running procedure stands at, instead of the next one.
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


class ExitCharge(Struct, frozen=True):
    """A charge straight out of a carrier: whom, on which side, and where the front meets it."""

    target: int
    side: Arc
    pose: Pose


def exit_charges(rules: Ruleset, state: State, unit: Unit, carry: CarryRules) -> tuple[ExitCharge, ...]:
    """Every enemy that a passenger can charge: in reach of its carrier, and closed up wholly near it.

    The side is the one in whose arc the carrier stands; where that is a tie there is one entry for each side.
    """
    carrier = state.units[unit.inside]
    reach = min(carry.leave_within, rules.allowance(state, unit, "charge")) / MILLI
    if carrier.place != "table":
        return ()
    return tuple(
        ExitCharge(enemy.id, side, pose)
        for enemy in state.units
        if enemy.side != unit.side and enemy.place == "table" and enemy.models
        if within(units_apart(state, carrier.id, enemy.id), reach)
        for side in charged_sides(state, carrier.id, enemy.id)
        if (pose := _closed_up(rules, state, unit, enemy, side, carry)) is not None
    )


def _closed_up(
    rules: Ruleset, state: State, unit: Unit, enemy: Unit, side: Arc, carry: CarryRules
) -> Pose | None:
    """Where a passenger ends up against one side of an enemy; None where it has no room near its carrier."""
    carrier = state.units[unit.inside]
    start = replace(block_pose(carrier), heading=(block_pose(enemy).heading + FACING[side]) % FULL_TURN)
    out = replace(unit, block=start, place="table")
    there = replace(state, units=tuple(out if one.id == unit.id else one for one in state.units))
    aligned = align_units(there, unit.id, enemy.id, side, start, rules.constants.climb_max)
    if aligned is None:
        return None
    end = standing(unit, aligned.charger_pose, state.profiles)
    if check_exit(unit.name, end, way_out_of(state, carrier, carry)):
        return None
    return aligned.charger_pose


def exit_charge_options(rules: Ruleset, state: State, unit: Unit, carry: CarryRules) -> tuple[Option, ...]:
    """The enemies a passenger can charge, as options."""
    found = {charge.target: charge for charge in reversed(exit_charges(rules, state, unit, carry))}
    return tuple(
        Option(f"u{target}", f"{state.units[target].name} ({found[target].side}, out of its carrier)", target)
        for target in sorted(found)
    )


class LeaveToCharge(TrunkStep):
    """A charging passenger gets out into contact; evenly split sides are its choice. Others go on as ever."""

    name = "charge.leave"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        ways = self._ways(game)
        if len(ways) < 2:
            return None
        unit = game.state.units[game.top(Melee).charger]
        options = tuple(Option(way.side, f"its {way.side}") for way in ways)
        cite = game.rules.cite("charge.side")
        return Choice("charge_side", unit.seat, "Which side do you charge?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        self._out(game, next(way for way in self._ways(game) if way.side == answer.option))

    def go(self, game: Play) -> None:
        ways = self._ways(game)
        if ways:
            self._out(game, ways[0])

    def _ways(self, game: Play) -> tuple[ExitCharge, ...]:
        frame = game.top(Melee)
        unit = game.state.units[frame.charger]
        if unit.place != "inside":
            return ()
        charges = exit_charges(game.rules, game.state, unit, self.carry)
        return tuple(way for way in charges if way.target == frame.target)

    def _out(self, game: Play, way: ExitCharge) -> None:
        frame = game.top(Melee)
        unit = game.state.units[frame.charger]
        # getting out is the whole move: nothing is left to carry on with if the target vanishes
        spent = (Leg("forward", game.rules.allowance(game.state, unit, "charge")),)
        game.note(arc=way.side, legs=spent)
        game.jump("charge.close")
        get_out(game, frame.charger, (way.pose,), "charge", again=True)
