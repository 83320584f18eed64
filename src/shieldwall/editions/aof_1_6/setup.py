"""When the markers of a game of Age of Fantasy 1.6 are placed: before the units, or after them."""

from __future__ import annotations

from shieldwall.core.frames import Preparation
from shieldwall.core.state import setting
from shieldwall.rules.ruleset import Play, TrunkStep


class PlaceMission(TrunkStep):
    """Mission and markers, if this is the moment the players agreed on."""

    def __init__(self, when: str) -> None:
        self.when = when
        self.name = f"setup.mission_{when}"

    def go(self, game: Play) -> None:
        if setting(game.state, "markers-or-units-first", "markers") == self.when:
            game.push(Preparation(procedure="markers"))
