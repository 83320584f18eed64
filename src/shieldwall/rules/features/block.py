"""Ranked blocks: marching, turning, charging, aligning and separating."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, March, Pick
from shieldwall.core.frames import Activation, Melee, Movement
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import State, Unit, while_nobody_moves
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.impulse import closest_charges
from shieldwall.rules.features.block_limits import (
    AHEAD,
    carry_out_march,
    forced_move_tests,
    march_limits,
    test_ground,
)
from shieldwall.rules.features.block_questions import Charging, Marching
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import CarryOut, over
from shieldwall.table.arcs import ARCS
from shieldwall.table.block_charge import ChargeOption, charge_reach, charge_to, charged_sides
from shieldwall.table.block_moves import MarchLimits
from shieldwall.table.formations import shifted
from shieldwall.table.measure import outlines_apart
from shieldwall.table.melee_contact import align_units, step_back


class MarchStep(TrunkStep):
    """The owner marches the block as far as its action allows, or turns it on a Hold or when idle."""

    name = "move.path"

    def ask(self, game: Play) -> Pending | None:
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        limits = march_limits(game.rules, game.state, unit, frame.action)
        turning = not limits.allowance
        kind = "pivot" if turning else "path"
        prompt = (
            f"{unit.name}: turn or stay"
            if turning
            else f"{unit.name}: move up to {limits.allowance / 1000:g} inches"
        )
        cite = game.rules.cite(f"move.{frame.action}")
        return Marching(game.rules, game.state, unit, limits, kind, prompt, cite)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        question = game.question(Marching)
        unit, limits = question.unit, question.limits
        result = carry_out_march(game, unit, answer.legs, limits, question.cite)
        if result.used:
            game.note_on(Activation, moved=True)
        if result.crossed:
            test_ground(game, unit.id, result.crossed, limits.ignores_terrain, again=False)


BLOCK_MOVE: tuple[TrunkStep, ...] = (MarchStep(),)


class CarryOutBlock(CarryOut):
    """As in the trunk, but a unit on Hold may turn after shooting if the players agreed on that."""

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if frame.action != "hold" or not game.rules.policies.turns_after_shooting(game.state):
            super().go(game)


class TurnAfterShooting(TrunkStep):
    """The late pivot of a Hold."""

    name = "act.turn"

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        if frame.action != "hold" or not game.rules.policies.turns_after_shooting(game.state):
            return
        if not over(game, frame):
            game.push(Movement(procedure="move.hold", unit=frame.unit, action="hold"))


def charges(rules: Ruleset, state: State, unit: Unit) -> tuple[ChargeOption, ...]:
    """Every charge the block could make now; cached on the state."""
    known: dict[int, tuple[ChargeOption, ...]] = state.memory.setdefault("block_charges", {})
    if unit.id not in known:
        limits = march_limits(rules, state, unit, "charge")
        most = rules.most_charge_bonus(state, unit)
        if most:
            limits = replace(limits, allowance=limits.allowance + most)
        reached = while_nobody_moves(
            state, unit, "charges", limits, lambda: charge_reach(state, unit.id, limits)
        )
        known[unit.id] = tuple(
            option
            for option in reached
            if not (most or rules.charge_lengths(state, unit, state.units[option.target]))
            or charge_to(
                state, unit.id, option.target, charge_limits(rules, state, unit, option.target), option.side
            )
            is not None
        )
    return known[unit.id]


def is_beyond_cap(state: State, unit: Unit, target: int, limits: MarchLimits) -> bool:
    """Whether a target is too far away to be charged through difficult ground."""
    if limits.ignores_difficult or limits.ignores_terrain or not state.pieces:
        return False
    return not within(outlines_apart(state, unit.id, target), limits.difficult_cap / 1000)


class ChargeSide(TrunkStep):
    """The side of the target in whose arc most of the front row stands; if evenly split, the charger picks."""

    name = "charge.side"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        unit = game.state.units[frame.charger]
        limits = charge_limits(game.rules, game.state, unit, frame.target)
        open_to = [
            arc
            for arc in charged_sides(game.state, unit.id, frame.target)
            if charge_to(game.state, unit.id, frame.target, limits, arc) is not None
        ]
        if len(open_to) < 2:
            return None
        options = tuple(Option(arc, f"its {arc}") for arc in open_to)
        cite = game.rules.cite("charge.side")
        return Choice("charge_side", unit.seat, "Which side do you charge?", cite, options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(arc=answer.option)

    def go(self, game: Play) -> None:
        game.note(arc="")


def charge_way(game: Play, frame: Melee, limits: MarchLimits) -> ChargeOption:
    """The path of a declared charge, to the side that was chosen."""
    arc = next((arc for arc in ARCS if arc == frame.arc), None)
    option = charge_to(game.state, frame.charger, frame.target, limits, arc)
    assert option is not None, "a declared charge has a way"
    return option


class ChargePath(TrunkStep):
    """The owner picks the path to the target; by default the shortest one."""

    name = "charge.path"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        unit = game.state.units[frame.charger]
        limits = charge_limits(game.rules, game.state, unit, frame.target)
        too_far = is_beyond_cap(game.state, unit, frame.target, limits)
        return Charging(game.rules, game.state, unit, limits, charge_way(game, frame, limits), too_far)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        question = game.question(Charging)
        unit, limits = question.unit, question.limits
        game.note(arc=question.way.side, legs=answer.legs)
        result = carry_out_march(game, unit, answer.legs, limits, game.rules.cite("move.charge"))
        game.note_on(Activation, moved=True)
        test_ground(game, unit.id, result.crossed, limits.ignores_terrain, again=False)


def charge_limits(rules: Ruleset, state: State, unit: Unit, target: int) -> MarchLimits:
    """The limits of a charge at one target."""
    limits = march_limits(rules, state, unit, "charge")
    known: dict[int, MarchLimits] = limits.__dict__.setdefault("_at", {})
    lengths = rules.charge_lengths(state, unit, state.units[target])
    if lengths is not None:
        return replace(limits, target=target, allowance=min(lengths))
    if target not in known:
        known[target] = replace(limits, target=target)
    return known[target]


class CloseUp(TrunkStep):
    """Both blocks align along the charged side. A charger destroyed on the way has failed; one that lost models there
    and no longer finds room has lost contact (`CarryOn`).
    """

    name = "charge.close"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models:
            cite = game.rules.cite("charge.failed")
            why = "the charger fell on its way"
            game.emit(ev.ChargeFailed(unit=charger.id, target=target.id, why=why, cite=cite))
            game.finish()
            return
        assert charger.block is not None
        arc = next(arc for arc in ARCS if arc == frame.arc)
        aligned = align_units(
            game.state, charger.id, target.id, arc, charger.block, game.rules.constants.climb_max
        )
        if aligned is None:
            return  # the rest of the charger has no room along the target: contact is lost
        met = shifted(aligned.charger_pose, -aligned.charger_slid / 1000, 0.0)
        stood = target.block
        assert stood is not None
        game.note(contact=True)
        game.emit(
            ev.Aligned(
                unit=charger.id,
                pose=aligned.charger_pose,
                target=target.id,
                target_pose=aligned.target_pose,
                arc=frame.arc,
                cite=game.rules.cite("charge.close"),
            )
        )
        tests = forced_move_tests(game, charger.id, met, aligned.charger_pose, "charge")
        tests += forced_move_tests(game, target.id, stood, aligned.target_pose, "slide")
        if tests:
            game.push(*tests)


class CarryOn(TrunkStep):
    """A charge that loses its target, or contact with it, before any blow fails; the unit may continue its move."""

    name = "charge.carry_on"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        charger = game.state.units[frame.charger]
        if (game.state.units[frame.target].models and frame.contact) or not charger.models:
            return None
        prompt = f"{charger.name}: continue along the path, or stay"
        cite = game.rules.cite("charge.failed")
        limits = self._limits(game, frame)
        return Marching(game.rules, game.state, charger, limits, "carry_on", prompt, cite)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        frame: Melee = game.stack[-1]
        charger = game.state.units[frame.charger]
        cite = game.rules.cite("charge.failed")
        why = "contact was lost" if game.state.units[frame.target].models else "the target is gone"
        game.emit(ev.ChargeFailed(unit=charger.id, target=frame.target, why=why, cite=cite))
        limits = game.question(Marching).limits
        result = carry_out_march(game, charger, answer.legs, limits, cite)
        game.note_on(Activation, over=True)
        game.jump("melee.over")
        test_ground(game, charger.id, result.crossed, limits.ignores_terrain, again=True)

    def _limits(self, game: Play, frame: Melee) -> MarchLimits:
        charger = game.state.units[frame.charger]
        limits = march_limits(game.rules, game.state, charger, "charge")
        used = sum(leg.amount for leg in frame.legs if leg.kind == "forward")
        left = max(0, limits.allowance - used)
        return replace(limits, allowance=left, spacing=game.rules.constants.spacing, kinds=AHEAD[:1])


class MeleeOver(TrunkStep):
    """Where a melee ends."""

    name = "melee.over"


class PartBlocks(TrunkStep):
    """If one unit is gone, the other may move a little or turn; otherwise the charger steps back."""

    name = "melee.part"
    to_gap = False  # whether it steps back only until there is a gap, or the whole way in any case

    def ask(self, game: Play) -> Pending | None:
        survivor = self._survivor(game)
        if survivor is None:
            return None
        limits = march_limits(game.rules, game.state, survivor, "consolidate")
        prompt = f"{survivor.name}: move up to 3 inches, or turn"
        cite = game.rules.cite("melee.consolidate")
        return Marching(game.rules, game.state, survivor, limits, "consolidate", prompt, cite)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        question = game.question(Marching)
        survivor, limits = question.unit, question.limits
        result = carry_out_march(game, survivor, answer.legs, limits, question.cite)
        test_ground(game, survivor.id, result.crossed, limits.ignores_terrain, again=False)

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if not charger.models or not target.models or game.rules.policies.stays_in_contact(game.state):
            return
        constants = game.rules.constants
        back = step_back(
            game.state, charger.id, target.id, constants.separate, constants.spacing, self.to_gap
        )
        if back.moved:
            cite = game.rules.cite("melee.separate")
            start = charger.block
            assert start is not None
            game.emit(
                ev.Moved(unit=charger.id, poses=(back.pose,), used=back.moved, how="step back", cite=cite)
            )
            tests = forced_move_tests(game, charger.id, start, back.pose, "step back")
            if tests:
                game.push(*tests)

    def _survivor(self, game: Play) -> Unit | None:
        frame: Melee = game.stack[-1]
        charger, target = game.state.units[frame.charger], game.state.units[frame.target]
        if bool(charger.models) == bool(target.models):
            return None
        return charger if charger.models else target


def charge_choices(rules: Ruleset, state: State, unit: Unit) -> tuple[Option, ...]:
    """The enemies a block can charge, with the side it would hit."""
    options = tuple(
        Option(
            f"u{option.target}",
            f"{state.units[option.target].name} ({option.side}, {option.used / 1000:.1f} inches)",
            option.target,
        )
        for option in charges(rules, state, unit)
    )
    return closest_charges(rules, state, unit, options)
