"""Units that wait off the table come in at the start of a round."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Arrival
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import State, Unit
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep, seat_to_ask
from shieldwall.rules.steps.rolloff import RollOff
from shieldwall.rules.steps.rounds import unit_key

COPY = "copy"


class ArrivalOrder(RollOff):
    """Who brings in the first unit: by roll-off if the edition says so, otherwise the side that starts the round."""

    def needed(self, game: Play) -> bool:
        both = all(waiting(game.state, side) for side in range(len(game.state.sides)))
        return both and game.rules.policies.rolls_for_late_units()

    def go(self, game: Play) -> None:
        game.note(placing=game.state.starter)

    def won(self, game: Play, side: int) -> None:
        game.note(placing=side)


class PickArrival(TrunkStep):
    """Bring in a unit or wait; a side that waits is done for this round."""

    name = "arrive.pick"

    def ask(self, game: Play) -> Pending | None:
        frame: Arrival = game.stack[-1]
        if frame.placing in frame.done:
            return None
        mine = waiting(game.state, frame.placing)
        if not mine:
            return None
        options = tuple(Option(unit_key(unit.id), unit.name, unit.id) for unit in mine)
        options += (Option("none", "wait"),)
        seat = seat_to_ask(game.state, frame.placing, mine)
        return Choice(
            "arrive", seat, "Bring in a unit from ambush?", game.rules.cite("reserve.arrive"), options
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        if answer.option == "none":
            self._pass_on(game, done=True)
        else:
            game.note(unit=int(answer.option[1:]))

    def go(self, game: Play) -> None:
        self._pass_on(game, done=True)

    def _pass_on(self, game: Play, done: bool) -> None:
        frame: Arrival = game.stack[-1]
        sides = len(game.state.sides)
        finished = (*frame.done, frame.placing) if done and frame.placing not in frame.done else frame.done
        game.note(done=finished, placing=(frame.placing + 1) % sides)
        if len(finished) == sides:
            game.finish()
        else:
            game.stay()


class PlaceArrival(TrunkStep):
    """Place the arriving unit."""

    name = "arrive.place"

    def ask(self, game: Play) -> Pending | None:
        unit = game.state.units[game.top(Arrival).unit]
        ground = arrival_ground(game.rules, game.state, unit)
        prompt = f"Where does {unit.name} appear?"
        question = game.rules.policies.place_question(
            game.rules, game.state, unit, ground, "arrive_place", prompt
        )
        return question if question.has_any() else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Arrival = game.stack[-1]
        cite = game.rules.cite("reserve.arrive_place")
        spent = not game.rules.policies.acts_on_arrival(game.state)
        game.emit(ev.UnitPlaced(unit=frame.unit, poses=answer.poses, how="arrival", spent=spent, cite=cite))
        self._next(game, frame.done)
        game.rules.after_placed(game, frame.unit, arrived=True)

    def go(self, game: Play) -> None:
        # no legal spot on the whole table: the side waits
        frame: Arrival = game.stack[-1]
        self._next(game, (*frame.done, frame.placing))

    def _next(self, game: Play, done: tuple[int, ...]) -> None:
        frame: Arrival = game.stack[-1]
        game.note(unit=-1, done=done, placing=(frame.placing + 1) % len(game.state.sides))
        game.jump("arrive.pick")


def arrival_ground(rules: Ruleset, state: State, unit: Unit) -> Ground:
    """Where a unit that waits off the table may arrive, by the edition, its own rules and those of its enemies."""
    ground = rules.policies.ambush_ground(rules, state, unit.side)
    ctx = UnitContext(state, unit)
    closer = [
        rule.hides_up_to(ctx) for rule in rules.hooks.of_unit(unit, state.profiles).get("hides_up_to", ())
    ]
    if closer:
        beyond = min(closer) - 1 if min(closer) > rules.constants.spacing else 0
        ground = replace(ground, enemy_over=min(ground.enemy_over, beyond))
    farther = []
    for other in state.units:
        if other.side != unit.side and other.place == "table" and other.models:
            found = rules.hooks.of_unit(other, state.profiles).get("keeps_off", ())
            away = max([rule.keeps_off(UnitContext(state, other)) for rule in found], default=0)
            farther += [(other.id, away)] if away > ground.enemy_over else []
    return replace(ground, farther=tuple(farther)) if farther else ground


def is_awaited(unit: Unit) -> bool:
    """Whether a unit is a copy that has not come yet: until then it is nowhere, and no unit that is left."""
    return unit.place == "reserve" and ("reserve", COPY) in unit.picks


def waiting(state: State, side: int) -> list[Unit]:
    """Units of a side that wait in ambush; copies of lost units come by other rules."""
    return [
        unit
        for unit in state.units
        if unit.side == side and unit.place == "reserve" and unit.models and not is_awaited(unit)
    ]
