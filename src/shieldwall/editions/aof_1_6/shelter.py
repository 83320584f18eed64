"""Going into buildings and into units that carry others, and coming out again, for loose units.

A unit can enter a friendly transport with room, or a building without enemies. Every model must be able to reach it
with the move; coming out, the unit is placed where it could have entered from with the same move.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Activation, Movement
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, ChoiceAbout, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Base, Pose, State, Unit
from shieldwall.editions.aof_1_6.building_as_unit import gap_to, garrison, hull_shapes, piece_of
from shieldwall.editions.aof_1_6.mysterious import OUTSIDE, risk_once
from shieldwall.editions.aof_1_6.shelter_moves import Shelter, Ways, ways_in
from shieldwall.editions.aof_1_6.unit_types import is_infantry
from shieldwall.geometry.tolerance import over as is_over
from shieldwall.rules.army.impulse import forced_actions, must_act_otherwise
from shieldwall.rules.features.carry import capacity, passengers
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import ActionOptions, CarryOut, ChooseAction, action_question, over
from shieldwall.table.exits import Exit, check_wreck, exit_region
from shieldwall.table.footprints import unit_outline
from shieldwall.table.loose_room import find_room
from shieldwall.table.shapes import shapes_of
from shieldwall.table.walk_context import shapes_at
from shieldwall.table.zones import Region

WAYS_TRIED = 24  # formations for which ways out are looked for where it is crowded


def shelters(rules: Ruleset, state: State, side: int) -> list[Shelter]:
    """Everything on the table that units of a side may enter, with the room that is left."""
    found = []
    for piece in state.pieces:
        if not piece.capacity:
            continue
        inside = garrison(state, piece.id)
        if all(unit.side == side for unit in inside):
            room = piece.capacity - sum(len(unit.models) for unit in inside)
            found.append(Shelter(-2 - piece.id, piece.name, room, hull_shapes(piece)))
    for unit in state.units:
        if unit.side == side and unit.place == "table" and unit.models and capacity(rules, state, unit):
            taken = sum(len(one.models) for one in passengers(state, unit.id))
            hull = unit_outline(unit, state.profiles)
            found.append(Shelter(unit.id, unit.name, capacity(rules, state, unit) - taken, hull))
    return found


def why_not_inside(rules: Ruleset, state: State, unit: Unit, shelter: Shelter) -> tuple[Refusal, ...]:
    """Why a unit may not be inside: it is not Infantry, or there is not enough room for it."""
    cite = rules.cite("carry.space")
    if shelter.number == unit.id or capacity(rules, state, unit):
        return (Refusal(f"{unit.name} is itself a transport", cite),)
    problems = []
    if not all(is_infantry(state.profiles[model.profile]) for model in unit.models):
        problems.append(
            Refusal(f"{unit_does(unit, 'are')} not Infantry and cannot be inside {shelter.name}", cite)
        )
    if len(unit.models) > shelter.room:
        text = (
            f"{unit_does(unit, 'have')} {len(unit.models)} models; {shelter.name} has room for {shelter.room}"
        )
        problems.append(Refusal(text, cite))
    return tuple(problems)


def open_shelters(rules: Ruleset, state: State, unit: Unit, action: str) -> list[tuple[Shelter, Ways]]:
    """Shelters a unit can get into by a move."""
    found = []
    for shelter in shelters(rules, state, unit.side):
        if not why_not_inside(rules, state, unit, shelter):
            way = ways_in(rules, state, unit, action, shelter)
            if way is not None:
                found.append((shelter, way))
    return found


class EnterShelter(TrunkStep):
    """Before a unit moves: does it enter something? Not asked if nothing is in reach."""

    name = "move.enter"

    def ask(self, game: Play) -> Pending | None:
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        ways = open_shelters(game.rules, game.state, unit, frame.action)
        return self._question(game, unit, ways) if ways else None

    def would_ask(self, game: Play, unit: Unit, kind: str) -> Choice | None:
        return self._question(game, unit, ()) if kind == "enter" else None

    def _question(self, game: Play, unit: Unit, ways: Sequence[tuple[Shelter, Ways]]) -> Choice:
        options = [Option("none", "stay outside")]
        options += [Option(shelter_key(shelter.number), f"go into {shelter.name}") for shelter, _ in ways]

        def refusals(option: str) -> tuple[Refusal, ...]:
            return why_not_into(game.rules, game.state, unit, option)

        prompt = f"{unit.name}: enter a building or a transport?"
        cite = game.rules.cite("carry.board")
        question = EnterChoice(unit, "enter", prompt, cite, tuple(options), "none", refusals)
        question.ways = {shelter_key(shelter.number): (shelter, way) for shelter, way in ways}
        return question

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "none":
            return
        question = game.question(EnterChoice)
        unit, (shelter, way) = question.unit, question.ways[answer.option]
        game.note(into=shelter.number, used=way.used, entered=way.entered, neared=way.neared)
        game.note_on(Activation, moved=True)
        game.jump("move.secrets")
        risk_once(game, unit, dict(reversed(way.risks)), again=True)


class EnterChoice(ChoiceAbout):
    """What a unit enters, by which way."""

    __slots__ = ("ways",)

    ways: dict[str, tuple[Shelter, Ways]]


def why_not_into(rules: Ruleset, state: State, unit: Unit, option: str) -> tuple[Refusal, ...]:
    """What keeps a unit out of something it cannot get into by this move."""
    for shelter in shelters(rules, state, unit.side):
        if shelter_key(shelter.number) == option:
            reasons = why_not_inside(rules, state, unit, shelter)
            text = f"not every model of {unit.name} can reach {shelter.name}"
            return reasons or (Refusal(text, rules.cite("carry.board")),)
    text = f"{unit.name} can only enter a building without enemies, or a friendly transport"
    return (Refusal(text, rules.cite("carry.board")),)


class BoardShelter(TrunkStep):
    """Models that reached the shelter alive are inside, and off the table."""

    name = "move.board"

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        if frame.into == OUTSIDE or not game.state.units[frame.unit].models:
            return
        cite = game.rules.cite("carry.board")
        if frame.into >= 0:
            game.emit(ev.Boarded(unit=frame.unit, carrier=frame.into, cite=cite))
        else:
            game.emit(ev.Garrisoned(unit=frame.unit, piece=-2 - frame.into, cite=cite))


def shelter_key(number: int) -> str:
    """The option that names a shelter: units by u, buildings by b."""
    return f"u{number}" if number >= 0 else f"b{-2 - number}"


class ChooseActionInside(ChooseAction):
    """As in the trunk; a unit inside stays there, shooting from a building, or comes out with an Advance."""

    def ask(self, game: Play) -> Pending | None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if unit.place not in ("inside", "garrison") or frame.over or not unit.models:
            return super().ask(game)
        if frame.began_broken:
            return action_question(game.rules, game.state, unit, frame)
        stay = "hold" if unit.place == "garrison" else "stay"
        words = {"hold": "Hold: stay inside and shoot", "stay": "Stay inside", "advance": "Advance: come out"}
        names = [stay]
        if leaving(game.rules, game.state, unit).has_any():
            names.append("advance")
        forced = forced_actions(game.rules, game.state, unit, [name for name in names if name == "hold"])
        options = tuple(Option(name, words[name]) for name in forced or names)

        where = "a building" if unit.place == "garrison" else game.state.units[unit.inside].name

        def refusals(option: str) -> tuple[Refusal, ...]:
            if forced:
                return (must_act_otherwise(game.rules, game.state, unit, forced),)
            text = f"{unit_does(unit, 'are')} inside {where}: stay there or come out with an Advance, not with {option}"
            return (Refusal(text, game.rules.cite("carry.inside")),)

        prompt = f"{unit.name}: stay inside or come out?"
        return ActionOptions(unit, "action", prompt, game.rules.cite("carry.inside"), options, stay, refusals)


class CarryOutOrLeave(CarryOut):
    """A unit inside moves by coming out."""

    def go(self, game: Play) -> None:
        frame: Activation = game.stack[-1]
        unit = game.state.units[frame.unit]
        if unit.place in ("inside", "garrison"):
            if frame.action == "advance" and unit.models and not frame.over:
                game.push(Movement(procedure="leave", unit=unit.id, action="advance"))
            return
        if not over(game, frame):
            super().go(game)


def way_out(rules: Ruleset, state: State, unit: Unit) -> Exit:
    """The ground near what a unit is inside of that it reaches by an Advance."""
    reach = rules.allowance(state, unit, "advance")
    if unit.place == "garrison":
        return Exit(hull_shapes(piece_of(state, unit.inside)), reach, 0)
    carrier = state.units[unit.inside]
    return Exit(unit_outline(carrier, state.profiles), reach, carrier.poses[0].heading)


def leaving(rules: Ruleset, state: State, unit: Unit) -> LooseExit:
    """The question of where a unit comes out."""
    return LooseExit(
        rules, state, unit, way_out(rules, state, unit), "leave_place", f"{unit.name}: come out where?"
    )


class LooseExit(LoosePlacing):
    """Where loose models come out: each no farther from the hull than the exit says, an inch off other units."""

    __slots__ = ("exit",)

    def __init__(self, rules: Ruleset, state: State, unit: Unit, exit: Exit, kind: str, prompt: str) -> None:
        super().__init__(rules, state, unit, Ground(exit_region_of(state, unit, exit)), kind, prompt)
        self.exit = exit

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != len(self.unit.models):
            return refusals
        # The region is only the rectangle that is searched; how far is too far is said once, by inches.
        cite = self.rules.cite(self.exit.cite)
        refusals = tuple(one for one in refusals if one.cite != cite) + self._not_here(answer.poses)
        return refusals or self._no_way(answer.poses)

    def _not_here(self, poses: tuple[Pose, ...]) -> tuple[Refusal, ...]:
        """Too far away, or on top of a wreck that is still there."""
        name, cite = self.unit.name, self.rules.cite(self.exit.cite)
        shapes = shapes_at(self.unit, self.state.profiles, poses)
        wreck = tuple(Refusal(reason.text, cite) for reason in check_wreck(name, shapes, self.exit))
        limit = self.exit.within / MILLI
        farthest = max(gap_to(shapes, at, self.exit.around) for at in range(len(poses)))
        if not is_over(farthest, limit):
            return wreck
        left = "the building" if self.unit.place == "garrison" else "its carrier"
        text = f"a model of {name} would stand {farthest:.2f} inches from {left}; the maximum is {limit:g}"
        return (Refusal(text, cite), *wreck)

    def _no_way(self, poses: tuple[Pose, ...]) -> tuple[Refusal, ...]:
        """Something is between a spot and the exit; passengers of a wreck need no way out."""
        if self.exit.is_wreck or ways_out(self.rules, self.state, self.unit, poses):
            return ()
        text = f"not every model of {self.unit.name} can get there with this move"
        return (Refusal(text, self.rules.cite(self.exit.cite)),)

    def put(self, spot: Pose) -> Placed | None:
        placed = super().put(spot)
        if placed is None or self._not_here(placed.poses):
            return None
        return placed if self.exit.is_wreck or self._gets_straight_to(placed.poses) else None

    def _squeezed_in(self) -> Placed | None:
        """Any place near the hull that is left, where the unit gets straight from the way out."""
        found = find_room(
            self.state, self.unit, self.limits, self.ground.region, may_stand=self._may_come_out
        )
        for poses in islice(found, WAYS_TRIED):
            if not self._not_here(poses) and (self.exit.is_wreck or self._gets_straight_to(poses)):
                return Placed(poses)
        return None

    def _gets_straight_to(self, poses: tuple[Pose, ...]) -> bool:
        return ways_out(self.rules, self.state, self.unit, poses, straight=True) is not None

    def _may_come_out(self, base: Base, pose: Pose) -> bool:
        """Whether a base may be put down here as far as the way out is concerned: near the hull, not on the wreck."""
        shape = shapes_of((pose,), (base,), (0,))
        near = not is_over(gap_to(shape, 0, self.exit.around), self.exit.within / MILLI)
        return near and not check_wreck("", shape, self.exit)


def ways_out(
    rules: Ruleset, state: State, unit: Unit, poses: tuple[Pose, ...], straight: bool = False
) -> Ways | None:
    """The ways out to where a unit is put: those by which it would get in from there."""
    outside = replace(unit, place="table", inside=-1, poses=poses)
    there = replace(state, units=tuple(outside if one.id == unit.id else one for one in state.units))
    number = unit.inside if unit.place == "inside" else -2 - unit.inside
    shelter = Shelter(number, "", 0, way_out(rules, state, unit).around)
    return ways_in(rules, there, outside, "advance", shelter, straight)


def exit_region_of(state: State, unit: Unit, exit: Exit) -> Region:
    """The rectangle that holds every way out, bases included."""
    widest = max(
        max(base.width, base.depth) for base in (state.profiles[m.profile].base for m in unit.models)
    )
    reach = exit.within + round(widest / 25.4 * MILLI)
    region = exit_region(state, replace(exit, within=reach))
    left = "the building" if unit.place == "garrison" else "its carrier"
    return replace(region, words=f"within {exit.within / MILLI:g} inches of {left}")


class LeaveShelter(TrunkStep):
    """The unit comes out; models that cross dangerous ground on the way are tested, and the ground may have secrets."""

    name = "carry.leave"

    def ask(self, game: Play) -> Pending | None:
        return leaving(game.rules, game.state, game.state.units[game.top(Movement).unit])

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        cite = game.rules.cite("carry.leave")
        ways = ways_out(game.rules, game.state, unit, answer.poses)
        assert ways is not None, "the question has checked that there is a way"
        if unit.place == "garrison":
            game.emit(ev.LeftBuilding(unit=unit.id, piece=unit.inside, poses=answer.poses, cite=cite))
        else:
            game.emit(
                ev.LeftCarrier(
                    unit=unit.id, carrier=unit.inside, poses=answer.poses, how="advance", cite=cite
                )
            )
        game.note_on(Activation, moved=True)
        game.note(entered=ways.crossed, neared=ways.neared)
        unit = game.state.units[unit.id]
        met = dict(game.rules.policies.models_in_danger(game.rules, game.state, unit))
        met |= dict(reversed(ways.risks))
        walking = {m.id for m in unit.models if not game.rules.crossing(game.state, unit, m).terrain}
        risk_once(game, unit, {model: piece for model, piece in met.items() if model in walking})
