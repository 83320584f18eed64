"""Falling after a failed leap or a push: the hit, what it does, and where the model comes to lie."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Placed, Walk
from shieldwall.core.frames import Activation, Attack, Danger, Fall, HitGroup, WoundCheck
from shieldwall.core.pending import Decision, Numbers, Pending, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.core.values import Mod
from shieldwall.rules.features.loose import hazards_on
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import remove_models
from shieldwall.table.loose_charge import check_push, fall_spots, solve_push

PER_AP = 3 * MILLI


class TakeFall(TrunkStep):
    """A fall of 2 inches or more: models of a larger group are lost, a lone or last one takes a hit."""

    name = "fall.hit"

    def go(self, game: Play) -> None:
        frame = game.top(Fall)
        unit = game.state.units[frame.unit]
        game.emit(ev.Fell(unit=unit.id, model=frame.model, height=frame.height, cite=game.rules.cite("fall.hit")))
        if frame.height < game.rules.constants.fall_hurts_from:
            return
        if frame.jumped and len(unit.models) == 1:
            game.note_on(Activation, over=True)
        if len(unit.models) > 1:
            remove_models(game, unit.id, (frame.model,), "fell", game.rules.cite("fall.group"))
            return
        ap = frame.height // PER_AP
        mods = (Mod(-ap, f"fell {frame.height / MILLI:g} inches", game.rules.cite("fall.ap")),) if ap else ()
        hit = HitGroup(count=1, unit=unit.id, ap=ap, note="fall", mods=mods)
        game.push(Attack(procedure="attack", kind="fall", unit=-1, hits=(hit,)))


class PutDown(TrunkStep):
    """Whoever is left is placed within 2 inches of the foot."""

    name = "fall.place"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Fall)
        unit = game.state.units[frame.unit]
        if all(model.id != frame.model for model in unit.models):
            return None
        question = FallPlacing(game.rules, game.state, frame)
        return question if question.spots else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame = game.top(Fall)
        unit = game.state.units[frame.unit]
        place = next(i for i, model in enumerate(unit.models) if model.id == frame.model)
        poses = (*unit.poses[:place], answer.poses[0], *unit.poses[place + 1 :])
        cite = game.rules.cite("fall.place")
        game.emit(ev.Moved(unit=unit.id, poses=poses, used=0, how="fall", cite=cite))


FALL: tuple[TrunkStep, ...] = (TakeFall(), PutDown())


class FallPlacing(Decision):
    """Where a fallen model is put."""

    __slots__ = ("frame", "rules", "spots", "state")

    def __init__(self, rules: Ruleset, state: State, frame: Fall) -> None:
        unit = state.units[frame.unit]
        prompt = f"Place {unit.name} within 2 inches of where it fell"
        super().__init__("fall_place", frame.placer, prompt, rules.cite("fall.place"))
        self.rules = rules
        self.state = state
        self.frame = frame
        assert frame.foot is not None
        place = next(i for i, model in enumerate(unit.models) if model.id == frame.model)
        within = rules.constants.fall_place_within / MILLI
        self.spots = fall_spots(state, unit.id, place, frame.foot, within)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return (Refusal("a fallen model is placed by one pose", self.cite),)
        if answer.poses[0] in self.spots:
            return ()
        unit = self.state.units[self.frame.unit]
        return self.rules.refusals(self._reasons(unit, answer.poses[0]))

    def _reasons(self, unit: Unit, pose: Pose) -> tuple[object, ...]:  # replaced below by the table's own check
        raise NotImplementedError

    def default(self) -> Placed:
        return Placed((self.spots[0],))

    def sample(self, numbers: Numbers) -> Placed:
        return Placed((self.spots[numbers.below(len(self.spots))],))


class PushPath(TrunkStep):
    """The attacker moves the stunned model up to 2 inches, through whatever lies there."""

    name = "push.path"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(WoundCheck)
        unit = game.state.units[frame.unit]
        return Pushing(game, unit, game.state.units[frame.attacker].seat)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        frame = game.top(WoundCheck)
        unit = game.state.units[frame.unit]
        limits = walk_limits(game.rules, game.state, unit, "push")
        result = check_push(game.state, unit.id, answer.paths, limits)
        if not answer.paths:
            return
        cite = game.rules.cite("push.path")
        game.emit(ev.Moved(unit=unit.id, poses=result.poses, used=result.longest, how="push", cite=cite))
        frames: list[Danger | Fall] = [
            Danger(procedure="danger", unit=unit.id, models=((hazard.model, hazard.piece),))
            for hazard in hazards_on(game.state, unit, result, limits)
            if hazard.kind == "danger"
        ]
        if result.falls:
            seat = game.state.units[frame.attacker].seat
            height = round(result.falls[0].height * MILLI)
            foot = result.falls[0].foot
            frames.append(
                Fall(procedure="fall", unit=unit.id, model=frame.model, height=height, placer=seat, foot=foot)
            )
        if frames:
            game.push(*frames)


class Pushing(Walking):
    """Where a pushed model goes; asked of the attacker."""

    __slots__ = ()

    def __init__(self, game: Play, unit: Unit, seat: int) -> None:
        limits = walk_limits(game.rules, game.state, unit, "push")
        prompt = f"Push {unit.name} up to 2 inches"
        super().__init__(game.rules, game.state, unit, limits, "push_path", prompt, game.rules.cite("push.path"))
        self.seat = seat

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk):
            return (Refusal("a push is one short path", self.cite),)
        return self.rules.refusals(check_push(self.state, self.unit.id, answer.paths, self.limits).reasons)

    def default(self) -> Walk:
        return Walk(solve_push(self.state, self.unit.id, self.limits).paths)

    def sample(self, numbers: Numbers) -> Walk:
        return self.default()
