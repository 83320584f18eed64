"""Rules that bring a new unit on near a model: when that is activated, or before it falls as the last of its unit."""

from __future__ import annotations

import math
from itertools import islice

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick, Placed
from shieldwall.core.frames import Activation, BringOn
from shieldwall.core.pending import Numbers, Option, Pending, Refusal
from shieldwall.core.state import MILLI, Base, Model, Pose, State, Unit, called_up, with_unit
from shieldwall.geometry.tolerance import over as is_over
from shieldwall.rules.army.newcomers import BringsOnUnit
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import over
from shieldwall.table.exits import Exit, exit_region, exit_spots, farthest_from, standing
from shieldwall.table.footprints import unit_outline
from shieldwall.table.formations import centre_of, figure_poses
from shieldwall.table.loose_place import check_placement
from shieldwall.table.loose_room import find_room
from shieldwall.table.shapes import Shapes, shapes_of
from shieldwall.table.walk_context import shapes_at
from shieldwall.table.zones import Region, table_region

PROCEDURE = "rule.bring_on"
YES, NO = "yes", "no"
STEPS = (1.0, 0.25)  # inches between the spots that are tried for a block: coarse first, then fine
SPOTS = 24
ROOMS_TRIED = 40  # formations in a crowd of which one has to be near enough


class BringOnWhenActivated(TrunkStep):
    """Models of the activated unit may each bring on the unit that their rule names, once per game."""

    name = "act.bring_on"
    needs = ("brings_on",)

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if over(game, frame) or frame.began_broken or unit.place != "table":
            return
        alive = {model.id for model in unit.models}
        for new in game.state.units:
            if new.later is None or new.later.model not in alive:
                continue
            rule = rule_of(game.rules, game.state, unit, new.later.model, new.later.rule)
            key = (new.later.model, f"{new.later.rule} u{new.id}")
            if rule is None or rule.block.at != "activated" or key in frame.asked:
                continue
            game.note(asked=(*frame.asked, key))
            bring = BringOn(PROCEDURE, unit=new.id, by=unit.id, rule=new.later.rule, model=new.later.model)
            game.push(bring, again=True)
            return


def rule_of(rules: Ruleset, state: State, unit: Unit, model_id: int, name: str) -> BringsOnUnit | None:
    """The rule of a model of a unit by which it brings on others."""
    for model in unit.models:
        if model.id == model_id:
            for rule in rules.hooks.of_model(unit, model, state.profiles).get("brings_on", ()):
                if isinstance(rule, BringsOnUnit) and rule.name == name:
                    return rule
    return None


def units_for_destroyed(game: Play, unit: Unit, last: int) -> list[BringOn]:
    """What may come on for a unit that has just lost its last model; `unit` is the unit before its last losses."""
    found = []
    fallen = next(model for model in unit.models if model.id == last)
    for new in game.state.units:
        if new.later is None or unit.place != "table" or not _is_due(unit, new):
            continue
        rule = _printed(game, unit, new.later.rule)
        if rule is not None and rule.block.at == "destroyed":
            pose = _last_pose(game, unit, fallen)
            found.append(BringOn(PROCEDURE, "", new.id, unit.id, new.later.rule, last, fallen.profile, pose))
    return found


def _is_due(unit: Unit, new: Unit) -> bool:
    """Whether a new unit comes on for a whole unit, or for a model that is among its last ones."""
    assert new.later is not None
    if new.later.model >= 0:
        return any(model.id == new.later.model for model in unit.models)
    return new.later.unit == unit.id


def _printed(game: Play, unit: Unit, name: str) -> BringsOnUnit | None:
    """The rule of that name, on whichever models of the game it is printed."""
    for found in game.rules.hooks.by_hook("brings_on", game.state.profiles).values():
        for rule in found:
            if isinstance(rule, BringsOnUnit) and rule.name == name:
                return rule
    return None


def _last_pose(game: Play, unit: Unit, last: Model) -> Pose:
    """Where the last model of a unit stood, once all others were gone."""
    if unit.block is None:
        return next(pose for model, pose in zip(unit.models, unit.poses, strict=True) if model.id == last.id)
    if len(unit.models) == 1:
        return unit.block
    others = tuple(model.id for model in unit.models if model.id != last.id)
    block = game.rules.policies.block_after_loss(game.state, unit, (last,)) if others else unit.block
    return block if block is not None else unit.block


class AskToBringOn(TrunkStep):
    """Whether the new unit comes, if there is room for it."""

    name = "bring_on.ask"

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(BringOn)
        new = game.state.units[frame.unit]
        if new.later is None:
            return None
        there = with_unit(game.state, called_up(new))
        if not question_where(game.rules, there, frame).has_any():
            return None
        both = (Option(YES, "bring it on"), Option(NO, "not now"))
        prompt = f"{game.state.units[frame.by].name}: bring {new.name} on?"
        return RuleChoice("rule_use", game.state.units[frame.by], frame.rule, prompt, both, YES)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(BringOn)
        if answer.option == YES:
            game.emit(ev.CalledUp(unit=frame.unit, by=frame.by, rule=frame.rule))
        else:
            game.finish()

    def go(self, game: Play) -> None:
        game.finish()


class PlaceNewUnit(TrunkStep):
    """Where the new unit stands."""

    name = "bring_on.place"

    def ask(self, game: Play) -> Pending | None:
        return question_where(game.rules, game.state, game.top(BringOn))

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        game.emit(ev.UnitPlaced(unit=game.top(BringOn).unit, poses=answer.poses, how="rule"))


BRING_ON: tuple[TrunkStep, ...] = (AskToBringOn(), PlaceNewUnit())


# ---------------------------------------------------------------- the question where


def question_where(rules: Ruleset, state: State, frame: BringOn) -> NewBlock | NewLooseUnit:
    """Where a new unit may be placed fully within reach of a model, which still stands if it is about to fall."""
    unit, by = state.units[frame.unit], state.units[frame.by]
    if frame.pose is not None:
        near = lone_model(by, Model(frame.model, frame.profile), frame.pose)
        state = with_unit(state, near)
    else:
        poses = by.poses if by.block is None else figure_poses(by, state.profiles)
        pairs = zip(by.models, poses, strict=True)
        near = next(lone_model(by, model, pose) for model, pose in pairs if model.id == frame.model)
    reach = _reach(rules, state, frame.rule)
    around = Exit(unit_outline(near, state.profiles), reach, near.poses[0].heading)
    return (NewBlock if unit.width else NewLooseUnit)(rules, state, unit, around, frame.rule)


def _reach(rules: Ruleset, state: State, name: str) -> int:
    for found in rules.hooks.by_hook("brings_on", state.profiles).values():
        for rule in found:
            if isinstance(rule, BringsOnUnit) and rule.name == name:
                return rule.amount(rule.block.reach)
    raise LookupError(f"nobody has {name}")


def lone_model(unit: Unit, model: Model, pose: Pose) -> Unit:
    """A model of a unit as if it were a loose unit of its own."""
    return replace(
        unit, models=(model,), poses=(pose,), block=None, width=0, ranks=-1, attached=-1, place="table"
    )


def goals_of(state: State, unit: Unit) -> list[tuple[float, float]]:
    """What a new unit would make for: the markers, or enemies where there are none."""
    markers = [(float(one.x), float(one.y)) for one in state.markers if not one.gone]
    if markers:
        return markers
    foes = [one for one in state.units if one.side != unit.side and one.place == "table" and one.models]
    return [centre_of(foe) for foe in foes] or [(state.width / 2, state.depth / 2)]


def away_from_goals(state: State, unit: Unit, spot: Pose) -> tuple[float, int, int]:
    """How far a spot is from the nearest of a unit's goals; a sort key."""
    goals = goals_of(state, unit)
    return min(math.dist((spot.x, spot.y), goal) for goal in goals), spot.x, spot.y


def too_far(unit: Unit, shapes: Shapes, around: Exit, cite: str) -> tuple[Refusal, ...]:
    """The reason against standing farther away than the rule allows."""
    away, limit = farthest_from(shapes, around.around), around.within / MILLI
    if not is_over(away, limit):
        return ()
    text = (
        f"{unit.name} must stand fully within {limit:g} inches of the model; its far end is {away:.2f} away"
    )
    return (Refusal(text, cite),)


def prompt_for(unit: Unit, around: Exit, rule: str) -> str:
    """The question in words."""
    return f"{rule}: place {unit.name} fully within {around.within / MILLI:g} inches of the model"


class NewBlock(BlockPlacing):
    """Where a new block is placed."""

    __slots__ = ("around", "rule")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, around: Exit, rule: str) -> None:
        ground = Ground(table_region(state.width, state.depth))
        super().__init__(rules, state, unit, ground, "rule_place", prompt_for(unit, around, rule))
        self.around, self.rule = replace(around, heading=self._ahead()), rule

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return refusals
        there = standing(self.unit, answer.poses[0], self.state.profiles)
        return refusals + too_far(self.unit, there, self.around, self.cite)

    def has_any(self) -> bool:
        return bool(self._ways(1))

    def default(self) -> Placed:
        return Placed(
            (min(self._ways(SPOTS), key=lambda spot: away_from_goals(self.state, self.unit, spot)),)
        )

    def sample(self, numbers: Numbers) -> Placed:
        ways = self._ways(SPOTS)
        return Placed((ways[numbers.below(len(ways))],))

    def spots(self) -> tuple[Pose, ...]:
        return self._ways(SPOTS)

    def _ways(self, count: int) -> tuple[Pose, ...]:
        spacing = self.rules.constants.spacing / MILLI
        for step in STEPS:
            found = exit_spots(self.state, self.unit, self.around, spacing, step, count)
            if found:
                return found
        return ()


class NewLooseUnit(LoosePlacing):
    """Where the models of a new loose unit are placed."""

    __slots__ = ("around", "rule")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, around: Exit, rule: str) -> None:
        super().__init__(
            rules, state, unit, Ground(_near(state, around)), "rule_place", prompt_for(unit, around, rule)
        )
        self.around, self.rule = around, rule

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed):
            return super().check(answer)
        table = table_region(self.state.width, self.state.depth)
        reasons = check_placement(self.state, self.unit, answer.poses, self.limits, table, 0.0)
        refusals = self.rules.refusals(reasons, self.kind)
        if len(answer.poses) != len(self.unit.models):
            return refusals
        return refusals + self._too_far(answer.poses)

    def default(self) -> Placed:
        return self._found(
            sorted(self._spots(), key=lambda spot: away_from_goals(self.state, self.unit, spot))
        )

    def put(self, spot: Pose) -> Placed | None:
        placed = super().put(spot)
        return None if placed is None or self._too_far(placed.poses) else placed

    def try_at(self, spot: Pose) -> tuple[Placed, tuple[Refusal, ...]]:
        placed, refusals = super().try_at(spot)
        return placed, self.check(placed) or refusals

    def _too_far(self, poses: tuple[Pose, ...]) -> tuple[Refusal, ...]:
        shapes = shapes_at(self.unit, self.state.profiles, poses)
        return too_far(self.unit, shapes, self.around, self.cite)

    def _squeezed_in(self) -> Placed | None:
        """Any room that is near enough."""
        found = find_room(
            self.state, self.unit, self.limits, self.ground.region, may_stand=self._is_near_enough
        )
        for poses in islice(found, ROOMS_TRIED):
            if not self._too_far(poses):
                return Placed(poses)
        return None

    def _is_near_enough(self, base: Base, pose: Pose) -> bool:
        shape = shapes_of((pose,), (base,), (0,))
        return not is_over(farthest_from(shape, self.around.around), self.around.within / MILLI)


def _near(state: State, around: Exit) -> Region:
    """The rectangle of the table that contains every place near enough."""
    region = exit_region(state, around)
    table = table_region(state.width, state.depth)
    return replace(region, words=f"within {around.within / MILLI:g} inches of the model", cite=table.cite)
