"""Units that carry others: who fits, and loading before the battle.

How big a passenger may be, by which actions one gets in and out and how far from the carrier are data, so
that editions differ by values. Getting in is in `carry_board`, getting out in `carry_leave` and, for ranked
blocks, in `carry_block`, wrecks in `carry_wreck`.
"""

from __future__ import annotations

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Preparation
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Choice, Option, Pending, Refusal
from shieldwall.core.state import Profile, State, Unit
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.deployment import by_side
from shieldwall.rules.steps.rounds import unit_key

MOVE_ACTIONS = ("advance", "rush", "charge")


class SeatRule(Struct, frozen=True):
    """Models that take up so many spaces: up to a toughness, of some kinds, or only those who join units."""

    spaces: int
    tough_max: int
    joiners_only: bool = False
    kinds: tuple[str, ...] = ()


class CarryRules(Struct, frozen=True):
    """Where editions with carriers differ. The first seat that suits a model counts; without one it walks."""

    seats: tuple[SeatRule, ...]
    leave_within: int
    board_by: tuple[str, ...] = MOVE_ACTIONS
    leave_by: tuple[str, ...] = MOVE_ACTIONS


def spaces_for(rules: Ruleset, carry: CarryRules, profile: Profile) -> int:
    """The spaces a model takes up; 0 when it may not ride at all."""
    joins = "joins" in rules.kits.of_profile(profile)
    for seat in carry.seats:
        suits = profile.wounds <= seat.tough_max and (joins or not seat.joiners_only)
        if suits and (not seat.kinds or profile.kind in seat.kinds):
            return seat.spaces
    return 0


def capacity(rules: Ruleset, state: State, carrier: Unit) -> int:
    """The spaces of all living models of a carrier."""
    carrying = rules.kits.by_hook("carries", state.profiles)
    if not carrying:
        return 0
    kinds = [model.profile for model in carrier.models if model.profile in carrying]
    return sum(rule.carries() for kind in kinds for rule in carrying[kind])


def passengers(state: State, carrier: int) -> tuple[Unit, ...]:
    """Units that ride in a carrier."""
    return tuple(
        unit for unit in state.units if unit.inside == carrier and unit.place == "inside" and unit.models
    )


def why_not_inside(
    rules: Ruleset, carry: CarryRules, state: State, unit: Unit, carrier: Unit
) -> tuple[Refusal, ...]:
    """What speaks against a unit riding in a carrier: some model is too big, or the spaces do not suffice."""
    cite = rules.cite("carry.space")
    if passengers(state, unit.id):
        return (Refusal(f"{unit.name} carries others itself", cite),)
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
    """Before the first unit is placed, units may get into carriers that wait as they do."""

    name = "deploy.load"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        unit = self._next(game)
        if unit is None:
            return None
        options = [Option("none", "deploys by itself")]
        options += [
            Option(unit_key(carrier.id), f"rides in {carrier.name}", carrier.id)
            for carrier in self._carriers(game, unit)
        ]
        cite = game.rules.cite("carry.load")
        return Choice("load", unit.seat, f"{unit.name}: get into a carrier?", cite, tuple(options))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit = self._next(game)
        assert unit is not None
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
