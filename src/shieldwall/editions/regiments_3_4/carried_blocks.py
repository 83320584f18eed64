"""Passengers that are ranked blocks: where they get out, and charges straight out of a carrier."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Leg, Pick, Placed
from shieldwall.core.frames import Activation, Melee, Movement
from shieldwall.core.pending import Choice, Numbers, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.editions.regiments_3_4.disembarking import get_out, way_out_of
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.block import CarryOutBlock
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.carry import CarryRules
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.arcs import Arc
from shieldwall.table.block_charge import charged_sides
from shieldwall.table.exits import Exit, check_exit, exit_spots, standing
from shieldwall.table.formations import FULL_TURN, block_pose
from shieldwall.table.measure import units_apart
from shieldwall.table.melee_contact import FACING, align_units
from shieldwall.table.zones import table_region


class BlockExit(BlockPlacing):
    """Where a block gets out: any facing, wholly near its carrier, an inch away from all units."""

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


class CarryOutOrDisembark(CarryOutBlock):
    """As for any block; a passenger moves by getting out, and its charge starts inside."""

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if unit.place != "inside" or not unit.models:
            super().go(game)
        elif frame.action == "charge":
            game.push(Melee(procedure="melee", charger=frame.unit))
        elif frame.action in ("advance", "rush"):
            game.push(Movement(procedure="leave", unit=frame.unit, action=frame.action))


class ExitCharge(Struct, frozen=True):
    """A charge straight out of a carrier: the target, its side, and where the charger ends up."""

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
    """A charging passenger gets out into contact and chooses between evenly split sides. Others continue as usual."""

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
        frame: Melee = game.stack[-1]
        unit = game.state.units[frame.charger]
        if unit.place != "inside":
            return ()
        charges = exit_charges(game.rules, game.state, unit, self.carry)
        return tuple(way for way in charges if way.target == frame.target)

    def _out(self, game: Play, way: ExitCharge) -> None:
        frame: Melee = game.stack[-1]
        unit = game.state.units[frame.charger]
        # getting out is the whole move: nothing is left to carry on with if the target vanishes
        spent = (Leg("forward", game.rules.allowance(game.state, unit, "charge")),)
        game.note(arc=way.side, legs=spent)
        game.jump("charge.close")
        get_out(game, frame.charger, (way.pose,), "charge", again=True)
