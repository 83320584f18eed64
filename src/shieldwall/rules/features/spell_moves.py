"""Moves that a spell or a rule gives a unit: short, in any direction, and directed by the side that cast it.

A unit moves as if to consolidate, up to the spell's distance, except that blocks do not turn. Models that could not
consolidate do not move.
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, March, Walk
from shieldwall.core.frames import Casting, Melee, Movement
from shieldwall.core.pending import Decision, Numbers, Pending, Refusal
from shieldwall.core.state import MILLI, Unit
from shieldwall.rules.features.block_limits import carry_out_march, march_limits, test_ground
from shieldwall.rules.features.block_questions import Marching
from shieldwall.rules.features.loose import start_walk
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_melee import CONTACT
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.table.block_moves import MarchLimits
from shieldwall.table.measure import outlines_apart
from shieldwall.table.walk_context import WalkLimits

USUAL = "consolidate"


class SpellWalk(TrunkStep):
    """Models of a loose unit walk as far as a spell lets them."""

    name = "move.path"

    def ask(self, game: Play) -> Pending | None:
        frame, unit = moving(game)
        limits = self._limits(game, frame, unit)
        prompt = f"{unit.name}: move up to {frame.allowance / MILLI:g} inches"
        walking = StraightWalking if frame.is_straight else Walking
        question = walking(
            game.rules, game.state, unit, limits, "path", prompt, game.rules.cite(f"move.{frame.action}")
        )
        return led_by_caster(game, question)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        question = game.question(Walking)
        start_walk(game, question.unit, answer, question.limits)

    def _limits(self, game: Play, frame: Movement, unit: Unit) -> WalkLimits:
        limits = walk_limits(game.rules, game.state, unit, USUAL)
        reach = frame.allowance / MILLI
        allowance = tuple(reach if usual else 0.0 for usual in limits.allowance)
        return replace(limits, allowance=allowance, action=frame.action)


class StraightWalking(Walking):
    """How the models of a loose unit are moved in straight lines."""

    __slots__ = ()

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if isinstance(answer, Walk) and any(len(path.points) > 1 for path in answer.paths):
            return (Refusal(f"{self.unit.name} is moved in a straight line", self.cite),)
        return super().check(answer)

    def sample(self, numbers: Numbers) -> Walk:
        drawn = super().sample(numbers)
        return self.default() if self.check(drawn) else drawn


class SpellMarch(TrunkStep):
    """A block marches as far as a spell lets it."""

    name = "move.path"

    def ask(self, game: Play) -> Pending | None:
        frame, unit = moving(game)
        limits = self._limits(game, frame, unit)
        prompt = f"{unit.name}: move up to {frame.allowance / MILLI:g} inches"
        question = Marching(
            game.rules, game.state, unit, limits, "path", prompt, game.rules.cite(f"move.{frame.action}")
        )
        return led_by_caster(game, question)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, March)
        question = game.question(Marching)
        unit, limits = question.unit, question.limits
        result = carry_out_march(game, unit, answer.legs, limits, question.cite)
        melee = game.nearest(Melee)
        if melee is not None and unit.id in (melee.charger, melee.target) and are_parted(game, melee):
            game.note_on(Melee, contact=False)
        if result.crossed:
            test_ground(game, unit.id, result.crossed, limits.ignores_terrain, again=False)

    def _limits(self, game: Play, frame: Movement, unit: Unit) -> MarchLimits:
        limits = march_limits(game.rules, game.state, unit, USUAL)
        straight = tuple(
            kind for kind in limits.kinds if kind != "pivot"
        )  # the spell does not mention turning
        return replace(
            limits,
            allowance=frame.allowance,
            half_allowance=frame.allowance,
            action=frame.action,
            kinds=straight,
            pivot_limit=0,
        )


def are_parted(game: Play, melee: Melee) -> bool:
    """Whether two blocks that were in contact no longer touch."""
    return outlines_apart(game.state, melee.charger, melee.target) > CONTACT


SPELL_MARCH: tuple[TrunkStep, ...] = (SpellMarch(),)


def moving(game: Play) -> tuple[Movement, Unit]:
    """The running move and the unit that makes it."""
    frame: Movement = game.stack[-1]
    return frame, game.state.units[frame.unit]


def led_by_caster(game: Play, question: Decision) -> Decision:
    """The question, put to the player whose spell or rule moves the unit."""
    casting, leader = game.nearest(Casting), game.top(Movement).leader
    if leader >= 0:
        question.seat = game.state.units[leader].seat
    elif casting is not None:
        question.seat = game.state.units[casting.unit].seat
    return question
