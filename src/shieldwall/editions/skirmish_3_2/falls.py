"""Falling after a failed leap or a push: the hit, its effect, and where the model ends up."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, ModelPath, Placed, Walk
from shieldwall.core.forms import SHOWN_SPOTS, PlacementForm, RouteForm
from shieldwall.core.frames import Activation, Attack, Danger, Fall, HitGroup, WoundCheck
from shieldwall.core.grammar import models_named
from shieldwall.core.pending import Decision, Numbers, Pending, Refusal
from shieldwall.core.state import MILLI, Piece, Pose, State, Unit
from shieldwall.core.values import Mod
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import remove_models
from shieldwall.table.formations import FULL_TURN
from shieldwall.table.ground import gap_under
from shieldwall.table.loose_push import PushResult, check_fall_spot, check_push, fall_spots, solve_push
from shieldwall.table.pieces import ground_of
from shieldwall.table.reach import loose_reach

PER_AP = 3 * MILLI
WAYS_TRIED = 8


class TakeFall(TrunkStep):
    """A fall of 2 inches or more: models of a larger group are lost, a lone or last one takes a hit."""

    name = "fall.hit"

    def go(self, game: Play) -> None:
        frame: Fall = game.stack[-1]
        unit = game.state.units[frame.unit]
        if all(model.id != frame.model for model in unit.models):
            game.finish()  # lost on the way, before it came to the edge
            return
        game.emit(
            ev.Fell(unit=unit.id, model=frame.model, height=frame.height, cite=game.rules.cite("fall.hit"))
        )
        if frame.height < game.rules.constants.fall_hurts_from:
            if not frame.jumped and gap_under_model(game.state, unit, frame.model) is None:
                game.finish()  # a short way down: it already lies at the bottom
            return
        activation = game.nearest(Activation)
        own = activation is not None and activation.unit == unit.id  # a spell may move others off a ledge
        if own and frame.jumped and len(unit.models) == 1:
            game.note_on(Activation, over=True)
        if len(unit.models) > 1:
            remove_models(game, unit.id, (frame.model,), "fell", game.rules.cite("fall.group"))
            return
        if frame.jumped:
            self._come_down(game, frame)
        ap = frame.height // PER_AP
        mods = (Mod(-ap, f"fell {frame.height / MILLI:g} inches", game.rules.cite("fall.ap")),) if ap else ()
        hit = HitGroup(count=1, unit=unit.id, piercing=ap, note="fall", mods=mods)
        game.push(Attack(procedure="attack", kind="fall", unit=-1, hits=(hit,)))

    def _come_down(self, game: Play, frame: Fall) -> None:
        """The hit happens at the foot, so that what the model carries does not stay up there if it is lost."""
        spots = FallPlacing(game.rules, game.state, frame).spots
        if spots and spots[:1] != game.state.units[frame.unit].poses:
            cite = game.rules.cite("fall.place")
            game.emit(ev.Moved(unit=frame.unit, poses=spots[:1], used=0, how="fall", cite=cite))


class PlaceFallen(TrunkStep):
    """A surviving model is placed within 2 inches of the foot."""

    name = "fall.place"

    def ask(self, game: Play) -> Pending | None:
        frame: Fall = game.stack[-1]
        unit = game.state.units[frame.unit]
        if all(model.id != frame.model for model in unit.models):
            return None
        question = FallPlacing(game.rules, game.state, frame)
        return question if question.spots else None

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame: Fall = game.stack[-1]
        unit = game.state.units[frame.unit]
        place = next(i for i, model in enumerate(unit.models) if model.id == frame.model)
        poses = (*unit.poses[:place], answer.poses[0], *unit.poses[place + 1 :])
        if poses != unit.poses:
            cite = game.rules.cite("fall.place")
            game.emit(ev.Moved(unit=unit.id, poses=poses, used=0, how="fall", cite=cite))


FALL: tuple[TrunkStep, ...] = (TakeFall(), PlaceFallen())


def gap_under_model(state: State, unit: Unit, model_id: int) -> Piece | None:
    """The gap a model hangs over where it was pushed to."""
    for model, pose in zip(unit.models, unit.poses, strict=True):
        if model.id == model_id:
            return gap_under(state, pose, state.profiles[model.profile].base)
    return None


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
        within = rules.constants.fall_place_within / MILLI
        self.spots = fall_spots(state, unit.id, frame.model, frame.piece, frame.foot, within)

    @property
    def about(self) -> int:
        return self.frame.unit

    def form(self) -> PlacementForm:
        frame, spots = self.frame, tuple(self.spots[:SHOWN_SPOTS])
        return PlacementForm(frame.unit, "loose", (), 0, self.prompt, (frame.model,), spots)

    def dropped(self, spot: Pose) -> Placed:
        return Placed((spot,))

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return (Refusal("a fallen model is placed by one pose", self.cite),)
        frame = self.frame
        within = self.rules.constants.fall_place_within / MILLI
        return self.rules.refusals(
            check_fall_spot(self.state, frame.unit, frame.model, answer.poses[0], frame.piece, within)
        )

    def default(self) -> Placed:
        return Placed((self.spots[0],))

    def sample(self, numbers: Numbers) -> Placed:
        return Placed((self.spots[numbers.below(len(self.spots))],))


class PushPath(TrunkStep):
    """The attacker moves the stunned model up to 2 inches, through anything in the way."""

    name = "push.path"

    def ask(self, game: Play) -> Pending | None:
        frame: WoundCheck = game.stack[-1]
        return Pushing(game, game.state.units[frame.unit], frame.model, game.state.units[frame.attacker].seat)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Walk)
        frame: WoundCheck = game.stack[-1]
        unit = game.state.units[frame.unit]
        if not answer.paths:
            return
        limits = game.question(Pushing).limits
        result = check_push(game.state, unit.id, frame.model, answer.paths[0].points[-1], limits)
        poses = tuple(
            result.pose if model.id == frame.model else pose
            for model, pose in zip(unit.models, unit.poses, strict=True)
        )
        cite = game.rules.cite("push.path")
        used = result.walk.longest
        game.emit(ev.Moved(unit=unit.id, poses=poses, used=used, how="push", cite=cite))
        after = self._consequences(game, frame, result)
        if after:
            game.push(*after)

    def _consequences(self, game: Play, frame: WoundCheck, result: PushResult) -> list[Danger | Fall]:
        """Dangerous ground the model was pushed into, and the fall at the end of it."""
        pieces = ground_of(game.state.pieces).dangerous()
        place = [model.id for model in game.state.units[frame.unit].models].index(frame.model)
        frames: list[Danger | Fall] = [
            Danger(procedure="danger", unit=frame.unit, models=((frame.model, entry.piece),))
            for entry in result.walk.entered[place]
            if entry.piece in pieces
        ]
        if result.fall > 0:
            frames.append(
                Fall(
                    procedure="fall",
                    unit=frame.unit,
                    model=frame.model,
                    height=round(result.fall * MILLI),
                    placer=game.state.units[frame.attacker].seat,
                    foot=result.pose,
                    piece=result.piece,
                )
            )
        return frames


class Pushing(Decision):
    """Where a pushed model goes; asked of the attacker."""

    __slots__ = ("limits", "model", "rules", "state", "unit")

    def __init__(self, game: Play, unit: Unit, model: int, seat: int) -> None:
        super().__init__("push_path", seat, f"Push {unit.name} up to 2 inches", game.rules.cite("push.path"))
        self.rules = game.rules
        self.state = game.state
        self.unit = unit
        self.model = model
        self.limits = walk_limits(game.rules, game.state, unit, "push")

    @property
    def about(self) -> int:
        return self.unit.id

    def form(self) -> RouteForm:
        far = round(max(self.limits.allowance) * MILLI)
        reach = loose_reach(self.state, self.unit, self.limits)
        return RouteForm(self.unit.id, "loose", "push", far, FULL_TURN, (), reach, models=(self.model,))

    def dropped(self, spot: Pose) -> Walk:
        return Walk((ModelPath(self.model, (spot,)),))

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk) or len(answer.paths) > 1:
            return (Refusal("a push is one short path for the pushed model", self.cite),)
        if not answer.paths:
            return ()
        path = answer.paths[0]
        if path.model != self.model or len(path.points) != 1:
            named = models_named(self.state, (self.model,))
            return (Refusal(f"only {named} is pushed, in one straight line", self.cite),)
        pushed = check_push(self.state, self.unit.id, self.model, path.points[0], self.limits)
        return self.rules.refusals(pushed.reasons, self.limits.action)

    def default(self) -> Walk:
        """Over the deepest ledge in reach; if the fall would not hurt, the model stays."""
        tried = [
            solve_push(self.state, self.unit.id, self.model, heading, self.limits)
            for heading in range(0, FULL_TURN, FULL_TURN // WAYS_TRIED)
        ]
        deepest = max(tried, key=lambda result: result.fall if result.is_legal else 0.0)
        if not deepest.is_legal or deepest.fall * MILLI < self.rules.constants.fall_hurts_from:
            return Walk()
        return Walk((ModelPath(self.model, (deepest.pose,)),))

    def sample(self, numbers: Numbers) -> Walk:
        result = solve_push(self.state, self.unit.id, self.model, numbers.below(FULL_TURN), self.limits)
        if not result.is_legal:
            return Walk()
        return Walk((ModelPath(self.model, (result.pose,)),))
