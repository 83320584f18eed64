"""Questions put to the owner of a loose unit: where its models are placed and where they walk."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, ModelPath, Placed, Walk
from shieldwall.core.forms import AnswerPreview, CrossedGround, Point, RouteForm, Wish
from shieldwall.core.pending import Numbers, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit, with_unit
from shieldwall.rules.features.leaps import leap_risks, leaping, leapt_straight, may_leap, with_leaps
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.move_question import CLOSE_ENOUGH, MoveQuestion, distance_between
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.drag import solve_drag
from shieldwall.table.formations import FULL_TURN, centre_of, moved_to
from shieldwall.table.loose_moves import WalkResult, check_walk
from shieldwall.table.loose_place import check_placement, spread_at
from shieldwall.table.loose_room import find_room
from shieldwall.table.measure import units_nearer_than
from shieldwall.table.placing import FreeRoom
from shieldwall.table.reach import loose_reach
from shieldwall.table.shapes import MM_PER_INCH
from shieldwall.table.terrain import is_dangerous, is_difficult
from shieldwall.table.walk_context import WalkLimits

SPOTS = 24
EDGE = 1000  # thousandths between the middle of a unit and the border of its zone


class LoosePlacing(PlaceQuestion):
    """Where a loose unit is put down: one pose for each model."""

    __slots__ = ("limits",)

    how = "loose"

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> None:
        super().__init__(rules, state, unit, ground, kind, prompt)
        self.limits = walk_limits(rules, state, unit, "consolidate")

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed):
            return (Refusal(f"{self.unit.name} is placed by one pose for each model", self.cite),)
        reasons = check_placement(
            self.state,
            self.unit,
            answer.poses,
            self.limits,
            self.ground.region,
            self.ground.distances,
        )
        return self.rules.refusals(reasons, self.kind)

    def has_any(self) -> bool:
        spot = self._room(packed_side(self.unit, self.state, len(self.unit.models)), 2.0).first_from(0)
        if spot is not None and self.put(spot) is not None:
            return True
        return self._first_fitting(self._spots()) is not None

    def default(self) -> Placed:
        """The middle of the region."""
        middle = (self.state.width // 2, self.state.depth // 2)
        spots = sorted(self._spots(), key=lambda p: (abs(p.x - middle[0]) + abs(p.y - middle[1]), p.x, p.y))
        return self._found(spots)

    def sample(self, numbers: Numbers) -> Placed:
        number = numbers.below(1 << 40)
        side = packed_side(self.unit, self.state, len(self.unit.models))
        spot = self._room(side, 2.0).first_from(number)
        placed = self.put(spot) if spot is not None else None
        if placed is not None:
            return placed
        spots = self._spots()
        at = number % max(1, len(spots))
        return self._found([*spots[at:], *spots[:at]])

    def spots(self) -> tuple[Pose, ...]:
        return tuple(self._spots())

    def put(self, spot: Pose) -> Placed | None:
        enemy_over = self.ground.distances
        placement = spread_at(self.state, self.unit, spot, self.limits, self.ground.region, enemy_over)
        return Placed(placement.poses) if placement.is_legal else None

    def standing(self, answer: Placed) -> Unit | None:
        if len(answer.poses) != len(self.unit.models):
            return None
        return replace(self.unit, poses=answer.poses, place="table")

    def try_at(self, spot: Pose) -> tuple[Placed, tuple[Refusal, ...]]:
        enemy_over = self.ground.distances
        found = spread_at(self.state, self.unit, spot, self.limits, self.ground.region, enemy_over)
        refusals = () if found.is_legal else self.rules.refusals(found.reasons, self.kind)
        return Placed(found.poses), refusals

    def shadow(self, spot: Pose, near: Placed) -> Unit:
        there = replace(self.unit, poses=near.poses, place="table")
        return replace(there, poses=moved_to(there, spot))

    def half_size(self, spot: Pose) -> tuple[int, int]:
        return EDGE, EDGE

    def _found(self, spots: list[Pose]) -> Placed:
        placed = self._first_fitting(spots)
        assert placed is not None, f"{self.unit.name} was to be placed where has_any finds no room"
        return placed

    def _first_fitting(self, spots: list[Pose]) -> Placed | None:
        for spot in spots:
            placed = self.put(spot)
            if placed is not None:
                return placed
        return self._squeezed_in()

    def _squeezed_in(self) -> Placed | None:
        """A place in a crowded region: any free room, on any ground."""
        enemy_over = self.ground.distances
        found = find_room(self.state, self.unit, self.limits, self.ground.region, enemy_over)
        return next((Placed(poses) for poses in found), None)

    def _spots(self) -> list[Pose]:
        """Spots with enough open ground for the whole unit."""
        side = packed_side(self.unit, self.state, len(self.unit.models))
        return self._roomy(side, 2.0, SPOTS) or self._roomy(side, 0.5, SPOTS)

    def _roomy(self, side: float, step: float, count: int) -> list[Pose]:
        return list(self._room(side, step).spread(count))

    def _room(self, side: float, step: float) -> FreeRoom:
        return FreeRoom(
            self.state,
            self.unit,
            self.ground.region,
            (side, side),
            spacing=self.rules.constants.spacing / MILLI,
            enemy_over=self.ground.distances,
            step=step,
        )


def packed_side(unit: Unit, state: State, models: int) -> float:
    """The side, in inches, of a square that this many models of a unit fit into, standing close together."""
    bases = [state.profiles[model.profile].base for model in unit.models]
    sides = sorted((max(base.width, base.depth) / MM_PER_INCH + 0.1 for base in bases), reverse=True)[:models]
    if sides[0] == sides[-1]:
        return math.ceil(math.sqrt(len(sides))) * sides[0]
    return max(sides[0], math.sqrt(sum(side * side for side in sides))) + sides[-1]


class Walking(MoveQuestion):
    """How the models of a loose unit walk."""

    __slots__ = ("limits",)

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, limits: WalkLimits, kind: str, prompt: str, cite: str
    ) -> None:
        super().__init__(rules, state, unit, kind, prompt, cite)
        self.limits = limits

    @property
    def action(self) -> str:
        return self.limits.action

    @property
    def farthest(self) -> int:
        return round(max(self.limits.allowance) * MILLI)

    def form(self) -> RouteForm:
        limits = self.limits
        return RouteForm(
            unit=self.unit.id,
            how="loose",
            action=limits.action,
            allowance=self.farthest,
            pivot=FULL_TURN,
            legs=(),
            reach=loose_reach(self.state, self.unit, limits),
            target=limits.close_to,
            models=tuple(model.id for model in self.unit.models),
            leaps=limits.close_to < 0 and may_leap(self.state, self.unit, limits),
        )

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk):
            return (Refusal(f"{self.unit.name} moves by one path for each model", self.cite),)
        against = self.against_leaps(answer)
        if against:
            return against
        limits = leaping(self.limits, self.unit, answer)
        reasons = check_walk(self.state, self.unit.id, answer.paths, limits).reasons
        return self.rules.refusals(reasons, self.limits.action)

    def against_leaps(self, walk: Walk) -> tuple[Refusal, ...]:
        """Why models may not leap on a walk."""
        if not walk.leaps or self.limits.climb.jump_max:
            return ()
        return (Refusal("there is no leaping in this edition: models walk over or around gaps", self.cite),)

    def default(self) -> Walk:
        """Stay; a unit that must restore coherency does so."""
        if not check_walk(self.state, self.unit.id, (), self.limits).reasons:
            return Walk()
        return self.dragged(self.unit.poses[0])

    def dragged(self, wanted: Pose) -> Walk:
        """The whole unit dragged towards a spot, solved into legal moves of its models."""
        return Walk(solve_drag(self.state, self.unit.id, self.limits, wanted).paths)

    def walk_towards(self, wanted: Pose, leap: bool) -> Walk:
        """The walk that follows a drag to a spot; charges and reactions to charges choose the spot themselves."""
        if not self.follows_drag:
            return self.default()
        limits = with_leaps(self.limits, self.unit, None, leap)
        straight = leapt_straight(self.state, self.unit, limits, wanted) if limits.leaps else ()
        return Walk(straight or solve_drag(self.state, self.unit.id, limits, wanted).paths)

    def preview(self, wish: Wish) -> AnswerPreview:
        answer, unit = wish.answer, self.unit
        if answer is None:
            if wish.drag is None:
                return super().preview(wish)
            answer = self.walk_towards(wish.drag, wish.leap)
        walk = answer if isinstance(answer, Walk) else Walk()
        limits = with_leaps(self.limits, unit, walk, wish.leap)
        found = check_walk(self.state, unit.id, walk.paths, limits)
        end = wanted = replace(unit, poses=found.poses)
        if limits.leaps:
            answer = Walk(walk.paths, tuple(path.model for path in walk.paths))
        if wish.answer is not None or wish.drag is None:
            refusals = self.check(answer)
        else:
            wanted = replace(unit, poses=moved_to(unit, wish.drag))
            refusals = self._why_short(limits, wanted, end) if self.follows_drag else ()
        there = with_unit(self.state, end)
        return AnswerPreview(
            answer=answer,
            refusals=refusals,
            wanted=wanted,
            end=end,
            action=self.limits.action,
            used=round(max(found.used, default=0.0) * MILLI),
            allowance=self.farthest,
            ways=_ways(unit, walk.paths),
            ground=_ground(self.state, found, self.limits.action),
            too_close=units_nearer_than(there, end, self.limits.spacing) if self.limits.spacing else (),
            leaps=leap_risks(self.rules, self.state, unit, found),
            charges=self.charges,
        )

    def _why_short(self, limits: WalkLimits, wanted: Unit, end: Unit) -> tuple[Refusal, ...]:
        """Why the unit cannot go straight to where it was dragged; empty if it gets there."""
        miss = distance_between(centre_of(end), centre_of(wanted))
        if miss <= CLOSE_ENOUGH:
            return ()
        straight = tuple(
            ModelPath(model.id, (pose,)) for model, pose in zip(wanted.models, wanted.poses, strict=True)
        )
        against = check_walk(self.state, end.id, straight, limits).reasons
        return self.rules.refusals(against) if against else (self.falls_short(miss),)

    def sample(self, numbers: Numbers) -> Walk:
        reach = round(max(self.limits.allowance) * MILLI)
        centre = self.unit.poses[0]
        x = centre.x + numbers.below(2 * reach + 1) - reach
        y = centre.y + numbers.below(2 * reach + 1) - reach
        wanted = Pose(x, y, centre.heading, centre.z)
        return Walk(solve_drag(self.state, self.unit.id, self.limits, wanted, roughly=True).paths)


def _ways(unit: Unit, paths: tuple[ModelPath, ...]) -> tuple[tuple[int, tuple[Point, ...]], ...]:
    """The path of each model that moves, point by point from where it stands."""
    start = {model.id: (pose.x, pose.y) for model, pose in zip(unit.models, unit.poses, strict=True)}
    return tuple(
        (path.model, (start[path.model], *((p.x, p.y) for p in path.points)))
        for path in paths
        if path.model in start
    )


def _ground(state: State, found: WalkResult, action: str) -> tuple[CrossedGround, ...]:
    """Every piece that a model enters on a walk."""
    pieces = {piece.id: piece for piece in state.pieces}
    entered = dict.fromkeys(entry.piece for entries in found.entered for entry in entries)
    return tuple(
        CrossedGround(piece, is_difficult(pieces[piece]), is_dangerous(pieces[piece], action))
        for piece in entered
    )
