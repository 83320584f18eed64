"""Moves of loose units whose models walk at the same time: one roll for all models that met danger, then morale."""

from __future__ import annotations

from shieldwall.core.frames import Activation, Melee, Morale, Movement
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Play, TrunkStep, at_half, is_in_play


class NerveAfterMove(TrunkStep):
    """A unit that was wounded on its own move and is down to half takes a morale test after it."""

    name = "move.morale"

    def go(self, game: Play) -> None:
        check_nerve(game, (game.top(Movement).unit,))


class NerveBeforeBlows(TrunkStep):
    """Units wounded outside the melee so far test before the first blow."""

    name = "melee.morale"

    def go(self, game: Play) -> None:
        activation = game.nearest(Activation)
        if activation is not None and game.state.units[game.top(Melee).charger].models:
            check_nerve(game, activation.wounded)


def check_nerve(game: Play, units: tuple[int, ...]) -> None:
    """Test the morale of units that took wounds and are down to half; their wounds then call for no other test."""
    activation = game.nearest(Activation)
    if activation is None:
        hurt = [unit for unit in units if was_hurt_before_the_battle(game.state, game.state.units[unit])]
    else:
        hurt = [unit for unit in activation.wounded if unit in units]
        game.note_on(Activation, wounded=tuple(unit for unit in activation.wounded if unit not in hurt))
    due = [unit for unit in (game.state.units[one] for one in hurt) if unit.models]
    tests = [
        Morale(procedure="morale", unit=unit.id, cause="wounds")
        for unit in due
        if is_in_play(game.state, unit) and at_half(game.state, unit)
    ]
    if tests:
        game.push(*tests)


def was_hurt_before_the_battle(state: State, unit: Unit) -> bool:
    """Whether a unit was hurt by a move during deployment: nothing else can hurt it then."""
    lost = len(unit.models) < unit.start_models
    return not state.round and (lost or any(model.wounds for model in unit.models))
