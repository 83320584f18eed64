"""A destroyed carrier: its passengers are tested, shaken and placed next to it before it is removed."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.frames import Danger, Wreck
from shieldwall.core.pending import Pending
from shieldwall.core.state import Model, State, Unit
from shieldwall.rules.features.carry import CarryRules, passengers
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Play, TrunkStep, one_of_each
from shieldwall.rules.steps.attack import remove_models
from shieldwall.table.exits import Exit
from shieldwall.table.footprints import unit_outline


def wreck_of(state: State, unit: Unit, cause: str) -> Wreck | None:
    """The wreck of a carrier about to lose its last model; None if it is empty."""
    inside = passengers(state, unit.id)
    if not inside or unit.place != "table":
        return None
    return Wreck(
        procedure="wreck",
        unit=unit.id,
        cause=cause,
        hull=tuple(model.profile for model in unit.models),
        poses=(unit.block,) if unit.block is not None else unit.poses,
        queue=tuple(one.id for one in inside),
    )


def way_out_of_wreck(state: State, frame: Wreck, carry: CarryRules) -> Exit:
    """The ground near a wreck, which still takes up its own space."""
    models = tuple(Model(id=-1 - at, profile=profile) for at, profile in enumerate(frame.hull))
    carrier = state.units[frame.unit]
    block = frame.poses[0] if carrier.width else None
    poses = () if carrier.width else frame.poses
    hull = replace(carrier, models=models, block=block, poses=poses, attached=-1)
    return Exit(unit_outline(hull, state.profiles), carry.leave_within, frame.poses[0].heading, is_wreck=True)


class NextPassenger(TrunkStep):
    """Turn to the next unit inside; each of its models is tested as on dangerous ground."""

    name = "wreck.next"

    def go(self, game: Play) -> None:
        frame: Wreck = game.stack[-1]
        if not frame.queue:
            game.jump("wreck.over")
            return
        unit = game.state.units[frame.queue[0]]
        game.note(passenger=unit.id, queue=frame.queue[1:])
        models = tuple((model.id, -1) for model in unit.models)
        game.push(Danger(procedure="danger", unit=unit.id, models=models))


class BreakPassenger(TrunkStep):
    """The surviving passengers are broken."""

    name = "wreck.broken"

    def go(self, game: Play) -> None:
        unit = game.state.units[game.top(Wreck).passenger]
        if unit.models and not unit.broken:
            game.emit(ev.Broke(unit=unit.id, cite=game.rules.cite("wreck.broken")))
            game.rules.after_shaken(game, unit.id)


class PlacePassenger(TrunkStep):
    """The owner puts the unit down near the wreck; models without room are lost."""

    name = "wreck.place"

    def __init__(self, carry: CarryRules) -> None:
        self.carry = carry

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Wreck).passenger]
        if not unit.models:
            return None
        question = self._question(game, unit)
        return question if question.has_any() else None

    def _question(self, game: Play, unit: Unit) -> PlaceQuestion:
        way_out = way_out_of_wreck(game.state, game.top(Wreck), self.carry)
        prompt = f"{unit.name}: where does it get out of the wreck?"
        policies = game.rules.policies
        return policies.exit_question(game.rules, game.state, unit, way_out, "wreck_place", prompt)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Wreck = game.stack[-1]
        cite = game.rules.cite("wreck.place")
        game.emit(
            ev.LeftCarrier(
                unit=frame.passenger, carrier=frame.unit, poses=answer.poses, how="wreck", cite=cite
            )
        )
        game.jump("wreck.next")

    def go(self, game: Play) -> None:
        unit = game.state.units[game.top(Wreck).passenger]
        if not unit.models:
            game.jump("wreck.next")
            return
        lost = self._too_large(game, unit)
        if lost < 0:
            lost = game.rules.policies.casualty_order(game.state, unit)[0]
        remove_models(game, unit.id, (lost,), "no room", game.rules.cite("wreck.place"))
        game.stay()

    def _too_large(self, game: Play, unit: Unit) -> int:
        """A loose model that finds no room even by itself, though others of its unit might; -1 for none."""
        if unit.width or len({model.profile for model in unit.models}) < 2:
            return -1
        alone = (replace(unit, models=(model,), attached=-1) for model in one_of_each(unit))
        stuck = [one.models[0].id for one in alone if not self._question(game, one).has_any()]
        return stuck[0] if stuck else -1


class TakeAway(TrunkStep):
    """Take the carrier off the table, now that all passengers are out."""

    name = "wreck.over"

    def go(self, game: Play) -> None:
        frame: Wreck = game.stack[-1]
        cite = game.rules.cite("wreck.place")
        game.emit(ev.Destroyed(unit=frame.unit, cause=frame.cause, cite=cite))


def wreck_steps(carry: CarryRules) -> tuple[TrunkStep, ...]:
    """The procedure of a wreck."""
    return (NextPassenger(), BreakPassenger(), PlacePassenger(carry), TakeAway())
