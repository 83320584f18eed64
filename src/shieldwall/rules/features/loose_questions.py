"""Questions put to the owner of a loose unit: where its models are placed and where they walk."""

from __future__ import annotations

import math

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Placed, Walk
from shieldwall.core.pending import Decision, Numbers, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.rules.features.loose_limits import walk_limits
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import PlaceQuestion, Ruleset
from shieldwall.table.drag import solve_drag
from shieldwall.table.loose_moves import check_walk
from shieldwall.table.loose_party import WalkLimits
from shieldwall.table.loose_place import check_placement, spread_at
from shieldwall.table.loose_room import find_room
from shieldwall.table.placing import Room

MM_PER_INCH = 25.4
SPOTS = 24


class LoosePlacing(PlaceQuestion):
    """Where a loose unit is put down: one pose for each model."""

    __slots__ = ("ground", "limits", "rules", "state", "unit")

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> None:
        super().__init__(kind, unit.seat, prompt, rules.cites[ground.region.cite])
        self.rules = rules
        self.state = state
        self.unit = unit
        self.ground = ground
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
            self.ground.enemy_over / MILLI,
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
        enemy_over = self.ground.enemy_over / MILLI
        placement = spread_at(self.state, self.unit, spot, self.limits, self.ground.region, enemy_over)
        return Placed(placement.poses) if placement.is_legal else None

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
        """Where it is crowded: room wherever the region has any, on whatever ground."""
        enemy_over = self.ground.enemy_over / MILLI
        found = find_room(self.state, self.unit, self.limits, self.ground.region, enemy_over)
        return next((Placed(poses) for poses in found), None)

    def _spots(self) -> list[Pose]:
        """Spots with open ground enough for the whole unit."""
        side = packed_side(self.unit, self.state, len(self.unit.models))
        return self._roomy(side, 2.0, SPOTS) or self._roomy(side, 0.5, SPOTS)

    def _roomy(self, side: float, step: float, count: int) -> list[Pose]:
        return list(self._room(side, step).spread(count))

    def _room(self, side: float, step: float) -> Room:
        return Room(
            self.state,
            self.unit,
            self.ground.region,
            (side, side),
            spacing=self.rules.constants.spacing / MILLI,
            enemy_over=self.ground.enemy_over / MILLI,
            step=step,
        )


def packed_side(unit: Unit, state: State, models: int) -> float:
    """The side of a square, in inches, that so many models of a unit fit into, standing close together."""
    bases = [state.profiles[model.profile].base for model in unit.models]
    sides = sorted((max(base.width, base.depth) / MM_PER_INCH + 0.1 for base in bases), reverse=True)[:models]
    if sides[0] == sides[-1]:
        return math.ceil(math.sqrt(len(sides))) * sides[0]
    return max(sides[0], math.sqrt(sum(side * side for side in sides))) + sides[-1]


def leaping(limits: WalkLimits, unit: Unit, walk: Walk) -> WalkLimits:
    """The limits of a walk in which some models leap where they could climb."""
    if not walk.leaps:
        return limits
    return replace(limits, leaps=tuple(model.id in walk.leaps for model in unit.models))


class Walking(Decision):
    """How the models of a loose unit walk."""

    __slots__ = ("limits", "rules", "state", "unit")

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, limits: WalkLimits, kind: str, prompt: str, cite: str
    ) -> None:
        super().__init__(kind, unit.seat, prompt, cite)
        self.rules = rules
        self.state = state
        self.unit = unit
        self.limits = limits

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Walk):
            return (Refusal(f"{self.unit.name} moves by one path for each model", self.cite),)
        if answer.leaps and not self.limits.climb.jump_max:
            return (Refusal("nobody leaps in this edition: gaps are walked over or round", self.cite),)
        limits = leaping(self.limits, self.unit, answer)
        reasons = check_walk(self.state, self.unit.id, answer.paths, limits).reasons
        return self.rules.refusals(reasons, self.limits.action)

    def default(self) -> Walk:
        """Stay; a unit that must pull itself together does so."""
        if not check_walk(self.state, self.unit.id, (), self.limits).reasons:
            return Walk()
        return self.dragged(self.unit.poses[0])

    def dragged(self, wanted: Pose) -> Walk:
        """The whole unit dragged towards a spot, solved into legal moves of its models."""
        return Walk(solve_drag(self.state, self.unit.id, self.limits, wanted).paths)

    def sample(self, numbers: Numbers) -> Walk:
        reach = round(max(self.limits.allowance) * MILLI)
        centre = self.unit.poses[0]
        x = centre.x + numbers.below(2 * reach + 1) - reach
        y = centre.y + numbers.below(2 * reach + 1) - reach
        wanted = Pose(x, y, centre.heading, centre.z)
        return Walk(solve_drag(self.state, self.unit.id, self.limits, wanted, roughly=True).paths)
