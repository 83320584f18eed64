"""Getting into a carrier: a march that ends in contact with a friend that has room for the whole unit."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Leg, March, Pick
from shieldwall.core.frames import Activation, Melee, Movement, Preparation
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import ChoiceAbout, Numbers, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Pose, Profile, State, Unit
from shieldwall.geometry.tolerance import within
from shieldwall.rules.features.block import MarchStep
from shieldwall.rules.features.block_limits import march_limits, marched, test_ground
from shieldwall.rules.features.block_questions import Marching
from shieldwall.rules.features.carry import CarryRules, capacity, passengers
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.deployment import by_side
from shieldwall.rules.steps.rounds import unit_key
from shieldwall.table.block_charge import charge_to
from shieldwall.table.block_moves import MarchLimits, MarchResult
from shieldwall.table.measure import units_apart

ON_BOARD = "board"
ENTER = "enter"  # a march that leads into a carrier answers this question, too


class Boarding(Struct, frozen=True):
    """A march that ends in contact with a carrier, and the reasons against boarding it."""

    carrier: int
    result: MarchResult
    refusals: tuple[Refusal, ...]


def boarding_by(
    rules: Ruleset, state: State, unit: Unit, legs: tuple[Leg, ...], limits: MarchLimits, carry: CarryRules
) -> Boarding | None:
    """The carrier that a march runs into, if any; carriers that can take the unit come first."""
    if limits.action not in carry.board_by:
        return None
    found: list[Boarding] = []
    for carrier in state.units:
        is_friend = carrier.side == unit.side and carrier.id != unit.id
        if is_friend and carrier.place == "table" and capacity(rules, state, carrier):
            boarding = _up_to(rules, state, unit, legs, limits, carrier, carry)
            found += [boarding] if boarding is not None else []
    return min(found, key=lambda one: (len(one.refusals), one.carrier), default=None)


def _up_to(
    rules: Ruleset,
    state: State,
    unit: Unit,
    legs: tuple[Leg, ...],
    limits: MarchLimits,
    carrier: Unit,
    carry: CarryRules,
) -> Boarding | None:
    """The march checked twice: as one that meets the carrier, and on a table without it.

    The first forbids going through the carrier, the second keeps the usual distance from all other units.
    """
    meeting = marched(rules, state, unit, legs, replace(limits, spacing=0, target=carrier.id))
    if any(reason.cite == "charge.contact" for reason in meeting.reasons):
        return None
    away = replace(carrier, place="waiting")
    without = replace(state, units=tuple(away if one.id == carrier.id else one for one in state.units))
    alone = marched(rules, without, unit, legs, limits)
    reasons = dict.fromkeys((*meeting.reasons, *alone.reasons))
    refusals = rules.refusals(reasons) + why_not_inside(rules, carry, state, unit, carrier)
    return Boarding(carrier.id, meeting, refusals)


def way_to_board(
    rules: Ruleset, state: State, unit: Unit, carrier: Unit, limits: MarchLimits, carry: CarryRules
) -> tuple[Leg, ...]:
    """Legs that take a unit into a carrier; none if no way was found."""
    legs = way_against(state, unit, carrier, limits)
    boarding = boarding_by(rules, state, unit, legs, limits, carry) if legs else None
    return legs if boarding is not None and not boarding.refusals else ()


def way_against(state: State, unit: Unit, carrier: Unit, limits: MarchLimits) -> tuple[Leg, ...]:
    """Legs that take a unit up to a carrier, with or without room; none if no way was found.

    Found by the search for charges, with the carrier treated as an enemy.
    """
    if not within(units_apart(state, unit.id, carrier.id), limits.allowance / MILLI):
        return ()
    foe = replace(carrier, side=-1 - carrier.side)
    there = replace(state, units=tuple(foe if one.id == carrier.id else one for one in state.units))
    option = charge_to(there, unit.id, carrier.id, replace(limits, spacing=0, target=carrier.id))
    return option.legs if option is not None else ()


class MarchOrBoard(Marching):
    """How a block marches; a march that ends at a carrier with room enters it."""

    __slots__ = ("carry", "only")

    def __init__(self, game: Play, unit: Unit, action: str, carry: CarryRules, only: int = -1) -> None:
        limits = march_limits(game.rules, game.state, unit, action)
        prompt = f"{unit.name}: move up to {limits.allowance / MILLI:g} inches, or into a carrier"
        cite = game.rules.cite(f"move.{action}")
        super().__init__(game.rules, game.state, unit, limits, "path", prompt, cite)
        self.carry = carry
        self.only = only

    def boarding(self, legs: tuple[Leg, ...]) -> Boarding | None:
        """The carrier these legs lead into or against."""
        return boarding_by(self.rules, self.state, self.unit, legs, self.limits, self.carry)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, March):
            return super().check(answer)
        if self.only < 0:
            refusals = super().check(answer)
            if not refusals or not answer.legs:
                return refusals
        boarding = self.boarding(answer.legs)
        if boarding is not None:
            return boarding.refusals
        if self.only < 0:
            return refusals
        why = f"{self.unit.name} must end its charge in contact with {self.state.units[self.only].name}"
        return (Refusal(why, self.rules.cite("carry.board")),)

    def legs_towards(self, wanted: Pose) -> tuple[Leg, ...]:
        legs = super().legs_towards(wanted)
        return self.default().legs if self.check(March(legs)) else legs

    def default(self) -> March:
        if self.only < 0:
            return March()
        return March(self._way(self.state.units[self.only]))

    def sample(self, numbers: Numbers) -> March:
        """Sometimes the way into a carrier, if there is one."""
        if self.only >= 0:
            return self.default()
        if not numbers.below(3):
            carriers = carriers_for(self.rules, self.carry, self.state, self.unit, "table")
            if carriers:
                legs = self._way(carriers[numbers.below(len(carriers))])
                if legs:
                    return March(legs)
        return super().sample(numbers)

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.kind, ENTER)

    def onto(self, unit: int) -> March:
        """The march into a carrier, allowed or not; straight ahead and too far if no way leads in."""
        carrier = self.state.units[unit]
        apart = round(units_apart(self.state, self.unit.id, carrier.id) * MILLI)
        too_far = (Leg("forward", max(apart, self.limits.allowance) + 1),)
        return March(way_against(self.state, self.unit, carrier, self.limits) or too_far)

    def _way(self, carrier: Unit) -> tuple[Leg, ...]:
        return way_to_board(self.rules, self.state, self.unit, carrier, self.limits, self.carry)


class MarchOrBoardStep(MarchStep):
    """The owner marches the block, possibly into a carrier; turning on the spot is as usual."""

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        frame: Movement = game.stack[-1]
        unit = game.state.units[frame.unit]
        if frame.action not in self.carry.board_by or not self._has_carriers(game, unit):
            return super().ask(game)
        return MarchOrBoard(game, unit, frame.action, self.carry, frame.into)

    def why_not(self, game: Play, unit: Unit, kind: str) -> tuple[Refusal, ...]:
        if kind != ENTER:
            return ()
        text = f"{unit.name} can only enter a friendly transport that its move can reach"
        return (Refusal(text, game.rules.cite("carry.board")),)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        frame, question = game.top(Movement), game.question(Marching)
        unit, limits = question.unit, question.limits
        plain = frame.into < 0 and marched(game.rules, game.state, unit, answer.legs, limits).is_legal
        boarding = (
            None if plain else boarding_by(game.rules, game.state, unit, answer.legs, limits, self.carry)
        )
        if boarding is None:
            super().chosen(game, answer)
            return
        game.note(into=boarding.carrier)
        result, cite = boarding.result, game.rules.cite("carry.board")
        game.emit(ev.Moved(unit=unit.id, poses=(result.pose,), used=result.used, how=ON_BOARD, cite=cite))
        game.note_on(Activation, moved=True)
        test_ground(game, unit.id, result.crossed, limits.ignores_terrain, again=False)

    def _has_carriers(self, game: Play, unit: Unit) -> bool:
        return any(
            carrier.side == unit.side
            and carrier.place == "table"
            and capacity(game.rules, game.state, carrier)
            for carrier in game.state.units
        )


class GetIn(TrunkStep):
    """A unit that reached its carrier alive is inside, and off the table."""

    name = "carry.board"

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        if frame.into >= 0 and game.state.units[frame.unit].models:
            cite = game.rules.cite("carry.board")
            game.emit(ev.Boarded(unit=frame.unit, carrier=frame.into, cite=cite))


class ChargeAboard(TrunkStep):
    """A charge at a friendly carrier enters it; no melee follows."""

    name = "charge.board"

    def go(self, game: Play) -> None:
        frame: Melee = game.stack[-1]
        unit, target = game.state.units[frame.charger], game.state.units[frame.target]
        if unit.side == target.side:
            game.jump("melee.over")
            board = Movement(procedure="move.charge", unit=unit.id, action="charge", into=target.id)
            game.push(board, again=True)


def boarding_options(rules: Ruleset, state: State, unit: Unit, carry: CarryRules) -> tuple[Option, ...]:
    """Friends that a charge could lead into."""
    if "charge" not in carry.board_by:
        return ()
    limits = march_limits(rules, state, unit, "charge")
    return tuple(
        Option(f"u{carrier.id}", f"{carrier.name} (get in)", carrier.id)
        for carrier in carriers_for(rules, carry, state, unit, "table")
        if way_to_board(rules, state, unit, carrier, limits, carry)
    )


def spaces_for(rules: Ruleset, carry: CarryRules, profile: Profile) -> int:
    """The spaces a model takes up; 0 if it may not ride at all."""
    joins = "joins" in rules.hooks.of_profile(profile)
    for seat in carry.seats:
        suits = profile.wounds <= seat.tough_max and (joins or not seat.joiners_only)
        if suits and (not seat.kinds or profile.kind in seat.kinds):
            return seat.spaces
    return 0


def why_not_inside(
    rules: Ruleset, carry: CarryRules, state: State, unit: Unit, carrier: Unit
) -> tuple[Refusal, ...]:
    """Why a unit may not ride in a carrier: a model is too big, or there are not enough spaces."""
    cite = rules.cite("carry.space")
    if passengers(state, unit.id):
        return (Refusal(f"{unit.name} is itself a transport", cite),)
    needed = 0
    for model in unit.models:
        profile = state.profiles[model.profile]
        spaces = spaces_for(rules, carry, profile)
        if not spaces:
            return (Refusal(f"{profile.name} of {unit.name} is too big to ride in {carrier.name}", cite),)
        needed += spaces
    taken = sum(
        spaces_for(rules, carry, state.profiles[model.profile])
        for other in passengers(state, carrier.id)
        for model in other.models
    )
    free = capacity(rules, state, carrier) - taken
    if needed > free:
        why = f"{unit_does(unit, 'need')} {needed} spaces, {unit_does(carrier, 'have')} {free} left"
        return (Refusal(why, cite),)
    return ()


def carriers_for(rules: Ruleset, carry: CarryRules, state: State, unit: Unit, place: str) -> tuple[Unit, ...]:
    """Friends at a place (waiting, or on the table) that have room for the whole unit."""
    return tuple(
        carrier
        for carrier in state.units
        if carrier.side == unit.side
        and carrier.id != unit.id
        and carrier.place == place
        and capacity(rules, state, carrier)
        and not why_not_inside(rules, carry, state, unit, carrier)
    )


class LoadCarriers(TrunkStep):
    """Before the first unit is placed, units may enter carriers that are not yet deployed either."""

    name = "deploy.load"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        unit = self._next(game)
        if unit is None:
            return None
        options = [Option("none", "deploys on its own")]
        options += [
            Option(unit_key(carrier.id), f"rides in {carrier.name}", carrier.id)
            for carrier in self._carriers(game, unit)
        ]
        cite = game.rules.cite("carry.load")
        return ChoiceAbout(unit, "load", f"Put {unit.name} into a transport?", cite, tuple(options))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit = game.question(ChoiceAbout).unit
        game.note(asked=(*game.top(Preparation).asked, unit.id))
        if answer.option != "none":
            carrier = int(answer.option[1:])
            game.emit(ev.Boarded(unit=unit.id, carrier=carrier, cite=game.rules.cite("carry.load")))
        game.stay()

    def go(self, game: Play) -> None:
        game.note(asked=())

    def _carriers(self, game: Play, unit: Unit) -> tuple[Unit, ...]:
        return carriers_for(game.rules, self.carry, game.state, unit, "waiting")

    def _next(self, game: Play) -> Unit | None:
        """The next unit that could ride."""
        asked = game.top(Preparation).asked
        for unit in by_side(game.state):
            waits = unit.place == "waiting" and unit.models and unit.id not in asked
            if waits and self._carriers(game, unit):
                return unit
        return None
