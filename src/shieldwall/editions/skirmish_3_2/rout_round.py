"""Armies at half strength: every unit takes a rout test at the end of the round."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Closing, Morale
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import State, Unit, setting
from shieldwall.rules.ruleset import Play, TrunkStep, on_table
from shieldwall.rules.steps.arrival import is_awaited
from shieldwall.rules.steps.morale import rout, stands_firm, test_taken
from shieldwall.rules.steps.objectives import SeizeMarkers
from shieldwall.rules.steps.rounds import unit_key


class CountArmies(TrunkStep):
    """Armies that are down to half their units test; the side that starts the next round tests first."""

    name = "close.rout_count"

    def go(self, game: Play) -> None:
        state = game.state
        first = state.starter
        sides = sorted(range(len(state.sides)), key=lambda side: (side != first, side))
        queue = tuple(
            unit.id for side in sides if at_half_army(state, side) for unit in on_table(state, side)
        )
        game.note(queue=queue)


class NextRoutTest(TrunkStep):
    """The owner picks the order of the tests; units already stunned rout without one."""

    name = "close.rout"

    def ask(self, game: Play) -> Pending | None:
        mine = self._open(game)
        if len(mine) < 2:
            return None
        options = tuple(Option(unit_key(unit.id), unit.name, unit.id) for unit in mine)
        cite = game.rules.cite("rout.order")
        first = unit_key(min(mine, key=lambda unit: (self._helps_others(game, unit), unit.id)).id)
        return Choice(
            "rout_order", mine[0].seat, "Which unit takes its rout test next?", cite, options, first
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        self._test(game, int(answer.option[1:]))

    def go(self, game: Play) -> None:
        mine = self._open(game)
        if mine:
            self._test(game, mine[0].id)

    def _helps_others(self, game: Play, unit: Unit) -> bool:
        """Whether friends draw on this unit for their tests; it had better test after them."""
        hooks = game.rules.hooks
        return any(
            rule.scope == "aura"
            for model in unit.models
            for hook in ("tests_for_others", "to_morale")
            for rule in hooks.of_profile(game.state.profiles[model.profile]).get(hook, ())
        )

    def _open(self, game: Play) -> list[Unit]:
        """Units of the side that tests now."""
        units = [game.state.units[unit] for unit in game.top(Closing).queue]
        units = [unit for unit in units if unit.models]
        return [unit for unit in units if unit.side == units[0].side]

    def _test(self, game: Play, unit_id: int) -> None:
        frame: Closing = game.stack[-1]
        game.note(queue=tuple(unit for unit in frame.queue if unit != unit_id))
        unit = game.state.units[unit_id]
        if all(model.stunned for model in unit.models):
            rout(game, unit)
            game.stay()
        else:
            game.push(Morale(procedure="morale", unit=unit_id, cause="rout"), again=True)


class StunOnFailure(TrunkStep):
    """A failed rout test stuns every model of the unit, unless a rule lets it bleed instead."""

    name = "morale.effect"

    def go(self, game: Play) -> None:
        frame: Morale = game.stack[-1]
        unit = game.state.units[frame.unit]
        test_taken(game, frame, game.rules.cite("morale.roll"))
        if not frame.passed and frame.cause == "rout" and not stands_firm(game, unit):
            models = tuple(model.id for model in unit.models)
            game.emit(ev.Stunned(unit=unit.id, models=models, cite=game.rules.cite("rout.failed")))
            game.rules.after_shaken(game, unit.id)


class SeizeInTurn(SeizeMarkers):
    """Markers are seized after the rout tests or before them, by a switch; only one of the two steps acts."""

    def __init__(self, order: str, name: str) -> None:
        self.order = order
        self.name = name

    def go(self, game: Play) -> None:
        if setting(game.state, "round-end-order", ROUT_FIRST) == self.order:
            super().go(game)


ROUT_FIRST, MARKERS_FIRST = "rout-then-markers", "markers-then-rout"
CLOSING: tuple[TrunkStep, ...] = (
    SeizeInTurn(MARKERS_FIRST, "close.markers_before_rout"),
    CountArmies(),
    NextRoutTest(),
    SeizeInTurn(ROUT_FIRST, "close.markers"),
)


def at_half_army(state: State, side: int) -> bool:
    """Whether a side has half or fewer of its starting units left; units in reserve count as left, copies of lost
    units that have not come yet do not.
    """
    left = sum(
        unit.side == side
        and unit.place in ("table", "reserve")
        and bool(unit.models)
        and not is_awaited(unit)
        for unit in state.units
    )
    return left * 2 <= state.sides[side].start_units
