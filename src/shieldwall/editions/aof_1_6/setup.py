"""What is settled before a game of Age of Fantasy 1.6: enough terrain, and when the markers are placed."""

from __future__ import annotations

from collections.abc import Sequence

from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Refusal
from shieldwall.core.state import Piece, setting
from shieldwall.rules.constants import Constants
from shieldwall.rules.ruleset import Play, TrunkStep


class PlaceMission(TrunkStep):
    """Mission and markers, if the players agreed on this moment and there are none yet."""

    def __init__(self, when: str) -> None:
        self.when = when
        self.name = f"setup.mission_{when}"

    def go(self, game: Play) -> None:
        is_now = setting(game.state, "markers-or-units-first", "markers") == self.when
        if is_now and not game.state.markers:  # markers already on the table were agreed on
            game.push(Preparation(procedure="markers"))


def table_problems(pieces: Sequence[Piece], constants: Constants) -> tuple[Refusal, ...]:
    """Why a table cannot be played on."""
    if len(pieces) >= constants.terrain_min:
        return ()
    text = f"there are {len(pieces)} pieces of terrain; at least {constants.terrain_min} are needed"
    return (Refusal(text, "A16-PREP-02"),)


def table_advice(pieces: Sequence[Piece], constants: Constants) -> tuple[Refusal, ...]:
    """What players should know about a table that is legal."""
    if len(pieces) >= constants.terrain_advised or table_problems(pieces, constants):
        return ()
    text = f"there are {len(pieces)} pieces of terrain; {constants.terrain_advised} are recommended"
    return (Refusal(text, "A16-PREP-02"),)
