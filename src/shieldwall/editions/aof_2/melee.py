"""The melee of Age of Fantasy 2."""

from __future__ import annotations

from shieldwall.core.frames import Melee
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import Unit
from shieldwall.core.values import Counts, Labels, Pool, highest
from shieldwall.editions.aof_2.sure_hits import RollByWeapon, RollMoreByWeapon
from shieldwall.rules.features.blows_together import AllStruck, HoldWounds
from shieldwall.rules.features.melee_scores import compares_the_fallen
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.attack import RollBlocksAgain, RollToBlock, StrikeForLowBlocks, TakeVictim

BLOWS_HELD: tuple[TrunkStep, ...] = (
    RollByWeapon(),
    RollMoreByWeapon(),
    TakeVictim(),
    RollToBlock(),
    RollBlocksAgain(),
    StrikeForLowBlocks(),
    HoldWounds(),
    AllStruck(),
)


D3: Labels = ("1", "1", "2", "2", "3", "3")


class RollForScore(TrunkStep):
    """Units whose rules say so add a D3 to their result, the charger first."""

    name = "result.dice"

    def ask(self, game: Play) -> Pending | None:
        frame: Melee = game.stack[-1]
        if len(frame.dread) > 1 or "rolls_for_score" not in game.plans.in_play:
            return None
        unit = self._next(game, frame, frame.dread)
        if not self._rolls(game, frame, unit):
            return None
        return Roll("fear_wounds", unit.seat, (Pool(1, D3),), game.rules.cite("result.dice"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(dread=(*game.top(Melee).dread, highest(counts[0])))
        game.stay()

    def go(self, game: Play) -> None:
        """A unit without dice gets nothing; then the other one rolls."""
        frame: Melee = game.stack[-1]
        dread = frame.dread
        if len(dread) > 1:
            return
        if "rolls_for_score" not in game.plans.in_play:
            game.note(dread=(0, 0))
            return
        while len(dread) < 2 and not self._rolls(game, frame, self._next(game, frame, dread)):
            dread = (*dread, 0)
        game.note(dread=dread)
        if len(dread) < 2:
            game.stay()

    def _next(self, game: Play, frame: Melee, dread: tuple[int, ...]) -> Unit:
        """The unit that rolls next, given the results so far."""
        return game.state.units[frame.target if dread else frame.charger]

    def _rolls(self, game: Play, frame: Melee, unit: Unit) -> bool:
        both = [game.state.units[one] for one in (frame.charger, frame.target)]
        if not unit.models or not (all(one.models for one in both) or compares_the_fallen(game)):
            return False
        return bool(game.rules.hooks.of_unit(unit, game.state.profiles).get("rolls_for_score"))
