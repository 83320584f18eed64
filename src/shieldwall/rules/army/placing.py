"""Rules by which a unit is put down again near where it stands: when activated, before it attacks, once deployed."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.frames import Activation, RuleUse
from shieldwall.core.pending import Numbers, Pending, Refusal, Roll
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.geometry.distance import point_to_segment
from shieldwall.geometry.tolerance import over as is_over
from shieldwall.rules.army.fighting import PlacesItself
from shieldwall.rules.features.block_questions import BlockPlacing
from shieldwall.rules.features.loose_questions import LoosePlacing
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import over
from shieldwall.table.formations import figure_poses
from shieldwall.table.shapes import Shapes
from shieldwall.table.walk_context import shapes_at
from shieldwall.table.zones import Region, table_region

PROCEDURE = "rule.place"
BEFORE_ATTACKS = "before attacking"
COMPASS = 12  # directions in which spots are tried
STRIDES = (1.0, 0.5)  # parts of the reach at which they are tried


class OfferPlacing(TrunkStep):
    """The activated unit may be placed again: before its action or, if not, after an Advance or a Rush."""

    needs = ("places_itself",)

    def __init__(self, moved: bool) -> None:
        self.moved = moved
        self.name = "act.placing_after_move" if moved else "act.placing"

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if over(game, frame) or frame.began_broken or unit.place != "table":
            return
        if self.moved and frame.action not in ("advance", "rush"):
            return
        moments = (BEFORE_ATTACKS,) if self.moved else (BEFORE_ATTACKS, "activated", "activation")
        for rule in placing_rules(game.rules, game.state, unit):
            keys = ((unit.id, rule.name), (unit.id, f"{rule.name} {self.name}"))
            if rule.block.at in moments and not any(key in frame.asked for key in keys):
                game.note(asked=(*frame.asked, keys[1]))
                game.push(rule_frame(unit, rule), again=True)
                return


def placing_rules(rules: Ruleset, state: State, unit: Unit) -> tuple[PlacesItself, ...]:
    """Rules by which a unit, or some of its models, may be put down again; a block goes as a whole or not at all."""
    found = rules.hooks.of_unit(unit, state.profiles).get("places_itself", ())
    mine = [rule for rule in found if isinstance(rule, PlacesItself)]
    if unit.width:
        mine = [rule for rule in mine if len(bearers(rules, state, unit, rule.name)) == len(unit.models)]
    return tuple(mine)


def bearers(rules: Ruleset, state: State, unit: Unit, name: str) -> frozenset[int]:
    """The models of a unit that have a rule which places them."""
    return frozenset(
        model.id
        for model in unit.models
        if any(
            rule.name == name
            for rule in rules.hooks.of_model(unit, model, state.profiles).get("places_itself", ())
        )
    )


def rule_frame(unit: Unit, rule: PlacesItself) -> RuleUse:
    """The frame in which a unit is put down by a rule."""
    return RuleUse(procedure=PROCEDURE, unit=unit.id, rule=rule.name, place=rule.place, worked=0)


def after_deployment(rules: Ruleset, state: State, unit: Unit) -> list[RuleUse]:
    """Frames for a unit's rules that apply right after it is deployed."""
    return [
        rule_frame(unit, rule) for rule in placing_rules(rules, state, unit) if "deployed" in rule.block.at
    ]


def running(game: Play) -> tuple[RuleUse, Unit, PlacesItself] | None:
    """The rule that is being used; None where its bearers are gone."""
    frame = game.top(RuleUse)
    unit = game.state.units[frame.unit]
    for rule in placing_rules(game.rules, game.state, unit) if unit.models else ():
        if (rule.name, rule.place) == (frame.rule, frame.place):
            return frame, unit, rule
    return None


class RollReach(TrunkStep):
    """Where a die adds to the distance it is thrown first."""

    name = "place.roll"

    def ask(self, game: Play) -> Pending | None:
        found = running(game)
        if found is None or not found[2].block.die:
            return None
        labels = die_labels(found[2].block.die)
        return Roll("rule", found[1].seat, (Pool(1, labels, None, found[2].name),), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(worked=next(int(label) for label, count in counts[0].items() if count))


def die_labels(faces: int) -> Labels:
    """What the faces of a die stand for that has so many results: 1 to 6, or the halves of a D3."""
    one, two, three, four, five, six = [str((face * faces + 5) // 6) for face in range(1, 7)]
    return (one, two, three, four, five, six)


class PutDown(TrunkStep):
    """Where the unit goes; it may stay."""

    name = "place.put"

    def ask(self, game: Play) -> Pending | None:
        found = running(game)
        if found is None:
            return None
        frame, unit, rule = found
        reach = rule.amount(rule.block.reach) + frame.worked * MILLI
        return nearby_question(game.rules, game.state, unit, rule, reach)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Placed)
        frame = game.top(RuleUse)
        unit = game.state.units[frame.unit]
        if answer.poses == poses_of(unit):
            return
        game.emit(ev.Moved(unit=unit.id, poses=answer.poses, used=0, how="placed"))
        activation = game.nearest(Activation)
        if activation is not None:
            game.note_on(Activation, asked=(*activation.asked, (unit.id, frame.rule)))


PLACE_BY_RULE: tuple[TrunkStep, ...] = (RollReach(), PutDown())


# ---------------------------------------------------------------- the question


def nearby_question(
    rules: Ruleset, state: State, unit: Unit, rule: PlacesItself, reach: int
) -> PlaceQuestion:
    """Where a unit may be put down fully within a distance of where it stands."""
    return (NearbyBlock if unit.width else NearbyLoose)(rules, state, unit, rule.name, reach)


class NearbyBlock(BlockPlacing):
    """A block put down again: every model fully within reach of where it stands. Staying is always legal."""

    __slots__ = ("reach", "rule")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, rule: str, reach: int) -> None:
        super().__init__(rules, state, unit, anywhere(state), "rule_place", prompt_of(unit, rule, reach))
        self.rule, self.reach = rule, reach

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if isinstance(answer, Placed) and answer.poses == poses_of(self.unit):
            return ()
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return refusals
        there = replace(self.unit, block=answer.poses[0])
        profiles = self.state.profiles
        poses = (figure_poses(self.unit, profiles), figure_poses(there, profiles))
        away = farthest_away(self.state, self.unit, *poses)
        return refusals + too_far(self.unit, away, self.reach, self.cite)

    def default(self) -> Placed:
        return Placed(poses_of(self.unit))

    def sample(self, numbers: Numbers) -> Placed:
        return drawn(self, numbers)

    def spots(self) -> tuple[Pose, ...]:
        return spots_round(poses_of(self.unit)[0], self.reach)

    def dragged(self, wanted: Pose) -> Placed:
        """The block at a spot, with the heading it has."""
        return Placed((replace(wanted, heading=poses_of(self.unit)[0].heading),))


class NearbyLoose(LoosePlacing):
    """Models of a loose unit put down again, each fully within reach of where it stands. Staying is always legal."""

    __slots__ = ("may_go", "reach", "rule")

    def __init__(self, rules: Ruleset, state: State, unit: Unit, rule: str, reach: int) -> None:
        super().__init__(rules, state, unit, anywhere(state), "rule_place", prompt_of(unit, rule, reach))
        self.rule, self.reach = rule, reach
        self.may_go = bearers(rules, state, unit, rule)

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if isinstance(answer, Placed) and answer.poses == self.unit.poses:
            return ()
        refusals = super().check(answer)
        if not isinstance(answer, Placed) or len(answer.poses) != len(self.unit.models):
            return refusals
        moved = zip(self.unit.models, self.unit.poses, answer.poses, strict=True)
        if any(old != new and model.id not in self.may_go for model, old, new in moved):
            text = f"only models of {self.unit.name} with {self.rule} may be placed elsewhere"
            refusals += (Refusal(text, self.cite),)
        away = farthest_away(self.state, self.unit, self.unit.poses, answer.poses)
        return refusals + too_far(self.unit, away, self.reach, self.cite)

    def default(self) -> Placed:
        return Placed(self.unit.poses)

    def has_any(self) -> bool:
        return True

    def sample(self, numbers: Numbers) -> Placed:
        return drawn(self, numbers)

    def spots(self) -> tuple[Pose, ...]:
        return spots_round(self.unit.poses[0], self.reach)

    def put(self, spot: Pose) -> Placed | None:
        placed = self.dragged(spot)
        return None if self.check(placed) else placed

    def try_at(self, spot: Pose) -> tuple[Placed, tuple[Refusal, ...]]:
        placed = self.dragged(spot)
        return placed, self.check(placed)

    def dragged(self, wanted: Pose) -> Placed:
        """All models that may go, as far in the same direction as the first of the unit would have to."""
        first = self.unit.poses[0]
        x, y = wanted.x - first.x, wanted.y - first.y
        return Placed(
            tuple(
                Pose(pose.x + x, pose.y + y, pose.heading, pose.z) if model.id in self.may_go else pose
                for model, pose in zip(self.unit.models, self.unit.poses, strict=True)
            )
        )


def poses_of(unit: Unit) -> tuple[Pose, ...]:
    """Where a unit stands, as a placement names it."""
    return (unit.block,) if unit.block is not None else unit.poses


def anywhere(state: State) -> Ground:
    """The whole table; the unit put down must still keep its distance from others."""
    region: Region = table_region(state.width, state.depth)
    return Ground(region)


def prompt_of(unit: Unit, rule: str, reach: int) -> str:
    """The question in words."""
    return f"{rule}: place {unit.name} fully within {reach / MILLI:g} inches of where it stands, or stay"


def too_far(unit: Unit, away: float, reach: int, cite: str) -> tuple[Refusal, ...]:
    """The reason against being put farther away than allowed."""
    if not is_over(away, reach / MILLI):
        return ()
    text = f"part of {unit.name} would stand {away:.2f} inches from where it was; the maximum is {reach / MILLI:g}"
    return (Refusal(text, cite),)


def spots_round(start: Pose, reach: int) -> tuple[Pose, ...]:
    """Where the middle of a unit could go: where it is, and some way off in every direction."""
    found = [start]
    for part in STRIDES:
        for turn in range(COMPASS):
            angle = 2 * math.pi * turn / COMPASS
            x = math.trunc(start.x + part * reach * math.sin(angle))
            y = math.trunc(start.y + part * reach * math.cos(angle))
            found.append(Pose(x, y, start.heading, start.z))
    return tuple(found)


def drawn(question: NearbyBlock | NearbyLoose, numbers: Numbers) -> Placed:
    """A spot drawn at random; where it is not legal the unit stays."""
    spots = question.spots()
    placed = question.put(spots[numbers.below(len(spots))])
    return placed if placed is not None else question.default()


def farthest_away(state: State, unit: Unit, old: tuple[Pose, ...], new: tuple[Pose, ...]) -> float:
    """The farthest that any part of a model at its new pose lies from where that model stood, in inches."""
    before, after = shapes_at(unit, state.profiles, old), shapes_at(unit, state.profiles, new)
    return max(_part_outside(before, after, at) for at in range(len(unit.models)))


def _part_outside(before: Shapes, after: Shapes, at: int) -> float:
    """How far one footprint reaches out of another one of the same rounding."""
    own = before.points[before.start[at] : before.start[at + 1]].tolist()
    corners = after.points[after.start[at] : after.start[at + 1]].tolist()
    return max(_point_outside(own, x, y) for x, y in corners)


def _point_outside(polygon: list[list[float]], x: float, y: float) -> float:
    """How far a point lies outside a convex polygon; 0 inside."""
    sides = list(zip(polygon, polygon[1:] + polygon[:1], strict=True))
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides]
    if len(polygon) > 2 and all(turn >= 0 for turn in turns):
        return 0.0
    return math.sqrt(min(point_to_segment(x, y, ax, ay, bx, by) for (ax, ay), (bx, by) in sides))
