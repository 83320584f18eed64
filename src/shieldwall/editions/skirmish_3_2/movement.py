"""Moves of Skirmish 3.2: hazards are met piece by piece."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.frames import Danger, Fall, Hazard, Movement
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.values import FAIL, Counts, Pool, Target, pool_of_tests
from shieldwall.rules.features.loose import WalkStep, move_models, was_tested
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.danger import ONE, RollDanger


class MeetHazards(TrunkStep):
    """Hazards are resolved model by model; a model that falls or is stunned stops."""

    name = "move.walk"

    def ask(self, game: Play) -> Pending | None:
        frame: Movement = game.stack[-1]
        hazard = self._next(game, frame)
        if hazard is None or hazard.kind != "leap":
            return None
        unit = game.state.units[frame.unit]
        model = next(m for m in unit.models if m.id == hazard.model)
        needed = game.rules.crossing(game.state, unit, model).jump_target or game.rules.constants.jump_target
        pool = pool_of_tests(hazard.dice, Target(needed))
        return Roll("jump", unit.seat, (pool,), game.rules.cite("jump.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Movement = game.stack[-1]
        hazard = frame.hazards[frame.next]
        self._walk_to(game, frame, hazard)
        landed = counts[0].get(FAIL, 0) == 0
        game.note(next=frame.next + 1)
        cite = game.rules.cite("jump.roll")
        game.emit(ev.Jumped(unit=frame.unit, model=hazard.model, landed=landed, cite=cite))
        if landed:
            game.stay()
            return
        game.note(stopped=(*frame.stopped, hazard.model))
        seat = game.state.units[frame.unit].seat
        game.push(
            Fall(
                procedure="fall",
                unit=frame.unit,
                model=hazard.model,
                height=hazard.fall,
                placer=seat,
                foot=hazard.pose,
                piece=hazard.piece,
                jumped=True,
            ),
            again=True,
        )

    def go(self, game: Play) -> None:
        frame: Movement = game.stack[-1]
        hazard = self._next(game, frame)
        if hazard is None:
            self._arrive(game, frame)
            return
        if hazard is not frame.hazards[frame.next]:
            game.note(next=frame.hazards.index(hazard))
            frame = game.stack[-1]
        if hazard.kind == "leap":
            game.stay()
            return
        self._walk_to(game, frame, hazard)
        game.note(next=frame.next + 1)
        if was_tested(game, hazard):
            game.stay()
        else:
            risk = (hazard.model, hazard.piece)
            game.push(Danger(procedure="danger", unit=frame.unit, models=(risk,)), again=True)

    def _next(self, game: Play, frame: Movement) -> Hazard | None:
        """The next hazard of a model that is still on its way."""
        if frame.next >= len(frame.hazards):
            return None
        able = {m.id for m in game.state.units[frame.unit].models if not m.stunned}
        for hazard in frame.hazards[frame.next :]:
            if hazard.model in able and hazard.model not in frame.stopped:
                return hazard
        return None

    def _walk_to(self, game: Play, frame: Movement, hazard: Hazard) -> None:
        """Bring earlier models to their ends and this one to the hazard."""
        order = [model for model, _ in frame.ends]
        done = order[: order.index(hazard.model)]
        ends = {model: pose for model, pose in frame.ends if model in done and model not in frame.stopped}
        ends[hazard.model] = hazard.pose
        move_models(game, frame, ends, 0)

    def _arrive(self, game: Play, frame: Movement) -> None:
        unit = game.state.units[frame.unit]
        stopped = set(frame.stopped) | self._caught(game, frame)
        ends = {model: pose for model, pose in frame.ends if model not in stopped}
        if unit.models:
            move_models(game, frame, ends, frame.used)

    def _caught(self, game: Play, frame: Movement) -> set[int]:
        """Models that were stunned on the way stay where that happened."""
        if not frame.hazards:
            return set()
        met = {hazard.model for hazard in frame.hazards[: frame.next]}
        return {m.id for m in game.state.units[frame.unit].models if m.stunned and m.id in met}


LOOSE_MOVE: tuple[TrunkStep, ...] = (WalkStep(), MeetHazards())


class RollForEachPiece(RollDanger):
    """A model is tested once by every dangerous piece it is in; tough ones roll several dice each time."""

    def ask(self, game: Play) -> Pending | None:
        frame: Danger = game.stack[-1]
        unit = game.state.units[frame.unit]
        toughness = {model.id: game.state.profiles[model.profile].wounds for model in unit.models}
        dice = sum(toughness.get(model, 0) for model, _ in frame.models)
        return Roll("dangerous", unit.seat, (Pool(dice, ONE),), game.rules.cite("danger.roll"))


DANGER_BY_PIECE: tuple[TrunkStep, ...] = (RollForEachPiece(),)
