"""Units of Age of Fantasy 2 that arrive and move as one."""

from __future__ import annotations

from shieldwall.core.frames import Danger, Movement
from shieldwall.rules.features.loose import WalkStep, move_models
from shieldwall.rules.features.loose_together import NerveAfterMove
from shieldwall.rules.ruleset import Play, TrunkStep


class ArriveTogether(TrunkStep):
    """All models move; each model that met danger on its path is tested once."""

    name = "move.walk"

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        move_models(game, frame, dict(frame.ends), frame.used)
        met: dict[int, int] = {}
        for hazard in frame.hazards:
            met.setdefault(hazard.model, hazard.piece)
        if met:
            game.push(Danger(procedure="danger", unit=frame.unit, models=tuple(met.items())))


MOVE_TOGETHER: tuple[TrunkStep, ...] = (WalkStep(), ArriveTogether(), NerveAfterMove())


GO_TOGETHER: tuple[TrunkStep, ...] = (ArriveTogether(), NerveAfterMove())
