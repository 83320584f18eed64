"""Late blocks that are put down a second time, up to some inches from where they were placed."""

from __future__ import annotations

import math

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Numbers, Pending, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.geometry.tolerance import over
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.formations import block_pose, formation_of
from shieldwall.table.placing import placement_spots
from shieldwall.table.zones import Region, Zone, table_region


class PlacingAgain(BlockPlacing):
    """Where a block goes from its first spot; it keeps its facing, and staying is always legal."""

    __slots__ = ("reach", "start")

    def __init__(self, rules: Ruleset, state: State, unit: Unit) -> None:
        ground = Ground(table_region(state.width, state.depth))
        prompt = f"{unit.name}: place it again up to {rules.constants.scout_within / MILLI:g} inches away"
        super().__init__(rules, state, unit, ground, "scout_move", prompt)
        self.cite = rules.cite("reserve.scout_again")
        self.start = block_pose(unit)
        self.reach = rules.constants.scout_within / MILLI

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return refusals
        pose = answer.poses[0]
        if pose.heading != self.start.heading:
            why = f"{self.unit.name} keeps the facing it was placed with"
            refusals += (Refusal(why, self.rules.cite("move.pivot")),)
        if over(self._away(pose), self.reach):
            why = (
                f"{self.unit.name} would be {self._away(pose):.2f} inches away; the maximum is {self.reach:g}"
            )
            refusals += (Refusal(why, self.cite),)
        return refusals

    def default(self) -> Placed:
        return Placed((self.start,))

    def sample(self, numbers: Numbers) -> Placed:
        """Somewhere in reach, or where it stands."""
        spots = [pose for pose in self._near_spots() if not over(self._away(pose), self.reach)]
        return Placed((spots[numbers.below(len(spots))],)) if spots else self.default()

    def _away(self, pose: Pose) -> float:
        """How far every model would go: all of them go as far as the centre."""
        return math.hypot(pose.x - self.start.x, pose.y - self.start.y) / MILLI

    def _near_spots(self) -> tuple[Pose, ...]:
        formation = formation_of(self.unit, self.state.profiles)
        size = (formation.half_width * 2, formation.half_depth * 2)
        margin = round((self.reach + math.hypot(*size) / 2) * MILLI)
        zone = Zone(
            max(0, self.start.x - margin),
            max(0, self.start.y - margin),
            min(self.state.width, self.start.x + margin),
            min(self.state.depth, self.start.y + margin),
        )
        region = Region((zone,), "near its first spot", "deploy.table")
        spacing = self.rules.constants.spacing / MILLI
        return placement_spots(self.state, self.unit, region, size, self.start.heading, spacing=spacing)


class PlaceAgain(TrunkStep):
    """A late unit placed in its zone may at once be placed again a limited distance away."""

    name = "deploy.late_move"

    def ask(self, game: Play) -> Pending | None:
        return PlacingAgain(game.rules, game.state, game.state.units[game.top(Preparation).unit])

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        unit = game.state.units[game.top(Preparation).unit]
        if answer.poses[0] != unit.block:
            cite = game.rules.cite("reserve.scout_again")
            game.emit(ev.UnitPlaced(unit=unit.id, poses=answer.poses, how="scout", cite=cite))
