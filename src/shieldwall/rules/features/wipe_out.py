"""A switch of some editions: the loss of a whole army ends the game at the end of that activation."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.state import State, setting
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.arrival import is_awaited
from shieldwall.rules.steps.objectives import markers_held


class EndIfWipedOut(TrunkStep):
    """A side that alone has units left has won; if neither has any, it is a draw.

    Units off the table count as left.
    """

    name = "game.wiped_out"

    def go(self, game: Play) -> None:
        state = game.state
        if setting(state, "wipe-out", "play-on") != "wins":
            return
        alive = sides_left(state)
        if len(alive) == len(state.sides):
            return
        winner = alive[0] if alive else -1
        cite = game.rules.cite("end.wiped_out")
        game.emit(ev.GameEnded(winner=winner, markers=markers_held(state), cite=cite))
        game.end()


def sides_left(state: State) -> list[int]:
    """Sides that have any model left, on the table or off it; copies that have not come yet do not count."""
    return sorted(
        {unit.side for unit in state.units if unit.models and unit.place != "gone" and not is_awaited(unit)}
    )
