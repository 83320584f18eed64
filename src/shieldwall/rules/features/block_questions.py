"""Questions put to the owner of a ranked block: where it is placed, how it marches."""

from __future__ import annotations

import math
from typing import ClassVar

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Leg, March, Placed
from shieldwall.core.forms import AnswerPreview, CrossedGround, Point, RouteForm, Wish
from shieldwall.core.grammar import unit_does
from shieldwall.core.pending import Numbers, Refusal
from shieldwall.core.state import CENTI, MILLI, Pose, State, Unit, with_unit
from shieldwall.rules.features.block_limits import marched
from shieldwall.rules.move_question import CLOSE_ENOUGH, MoveQuestion, distance_between
from shieldwall.rules.place_question import PlaceQuestion
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.block_charge import ChargeOption
from shieldwall.table.block_drag import drag_block, solve_drag
from shieldwall.table.block_moves import MarchLimits, candidate, check_march
from shieldwall.table.formations import (
    FULL_TURN,
    block_pose,
    enclosing_rect,
    formation_of,
    heading_vector,
    shifted,
)
from shieldwall.table.measure import units_nearer_than
from shieldwall.table.melee_contact import align_units
from shieldwall.table.placing import FreeRoom, check_placement
from shieldwall.table.reach import block_reach

FINE = 0.25  # inches between spots that are tried in crowded regions
FEW = 8
QUARTER_TURNS = (0, 9000, 18000, 27000)
CORNERS = ((-1, 1), (1, 1), (1, -1), (-1, -1))
SIDE_WORDS = {"left": "left flank", "right": "right flank"}
FACING = {"south": 0, "north": 18000, "west": 9000, "east": 27000}


class BlockPlacing(PlaceQuestion):
    """Where a block is put down: one pose, centre and heading."""

    __slots__ = ()

    how = "block"

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return (Refusal(f"{self.unit.name} is placed by one pose: x, y and heading", self.cite),)
        there = replace(self.unit, block=answer.poses[0], place="table")
        spacing = self.rules.constants.spacing / MILLI
        reasons = check_placement(self.state, there, self.ground.region, spacing, self.ground.distances)
        return self.rules.refusals(reasons)

    def has_any(self) -> bool:
        return any(self._free_spot(heading, 0) is not None for heading in (0, 9000)) or bool(self._anywhere())

    def default(self) -> Placed:
        """The middle of the region, facing the enemy's edge."""
        spots = self._facing_spots(24)
        middle = (self.state.width // 2, self.state.depth // 2)
        best = min(spots, key=lambda p: (abs(p.x - middle[0]) + abs(p.y - middle[1]), p.x, p.y))
        return Placed((best,))

    def sample(self, numbers: Numbers) -> Placed:
        number, ahead = numbers.below(1 << 40), self._ahead()
        spot = self._free_spot(ahead, number) or self._free_spot((ahead + 9000) % 36000, number)
        return Placed((spot or self._anywhere()[0],))

    def spots(self) -> tuple[Pose, ...]:
        return self._facing_spots(24)

    def put(self, spot: Pose) -> Placed | None:
        placed = Placed((spot,))
        return None if self.check(placed) else placed

    def standing(self, answer: Placed) -> Unit | None:
        return replace(self.unit, block=answer.poses[0], place="table") if len(answer.poses) == 1 else None

    def try_at(self, spot: Pose) -> tuple[Placed, tuple[Refusal, ...]]:
        placed = Placed((Pose(spot.x, spot.y, spot.heading % FULL_TURN, 0),))
        return placed, self.check(placed)

    def shadow(self, spot: Pose, near: Placed) -> Unit:
        return self._at(spot)

    def _at(self, spot: Pose) -> Unit:
        return replace(self.unit, block=Pose(spot.x, spot.y, spot.heading % FULL_TURN, 0), place="table")

    def half_size(self, spot: Pose) -> tuple[int, int]:
        there = self._at(spot)
        centre, half_width, half_depth = enclosing_rect(there, self.state.profiles)
        corners = [shifted(centre, right * half_width, ahead * half_depth) for right, ahead in CORNERS]
        xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
        return (max(xs) - min(xs)) // 2 + 1, (max(ys) - min(ys)) // 2 + 1

    def _facing_spots(self, count: int) -> tuple[Pose, ...]:
        ahead = self._ahead()
        spots = self._spots(ahead, count)
        if not spots:
            spots = self._spots((ahead + 9000) % 36000, count)
        return spots or self._anywhere()

    def _ahead(self) -> int:
        """The heading towards the enemy's edge."""
        return FACING.get(self.state.sides[self.unit.side].edge, 0)

    def _room(self, heading: int, step: float = 2.0, anywhere: bool = False) -> FreeRoom:
        formation = formation_of(self.unit, self.state.profiles)
        room = FreeRoom(
            self.state,
            self.unit,
            self.ground.region,
            (formation.half_width * 2, formation.half_depth * 2),
            heading,
            spacing=self.rules.constants.spacing / MILLI,
            enemy_over=self.ground.distances,
            step=step,
        )
        return room.on_any_ground() if anywhere else room

    def _spots(self, heading: int, count: int) -> tuple[Pose, ...]:
        return self._room(heading).spread(count)

    def _free_spot(self, heading: int, number: int) -> Pose | None:
        """A legal spot selected by a number; None if there is no room."""
        return self._room(heading).first_from(number)

    def _anywhere(self) -> tuple[Pose, ...]:
        """Spots for a crowded region: a fine search at every quarter turn, finally on any legal ground."""
        for anywhere in (False, True):
            for heading in QUARTER_TURNS:
                spots = self._room(heading, FINE, anywhere).spread(FEW)
                legal = tuple(spot for spot in spots if not anywhere or self.put(spot) is not None)
                if legal:
                    return legal
        return ()


class Marching(MoveQuestion):
    """How a block marches, or turns on the spot."""

    __slots__ = ("limits",)

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, limits: MarchLimits, kind: str, prompt: str, cite: str
    ) -> None:
        super().__init__(rules, state, unit, kind, prompt, cite)
        self.limits = limits

    @property
    def action(self) -> str:
        return self.limits.action

    @property
    def farthest(self) -> int:
        return self.limits.allowance

    def form(self) -> RouteForm:
        limits = self.limits
        return RouteForm(
            unit=self.unit.id,
            how="block",
            action=limits.action,
            allowance=limits.allowance,
            pivot=limits.pivot_limit,
            legs=tuple(limits.kinds),
            reach=block_reach(self.state, self.unit, limits),
            target=limits.target,
        )

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, March):
            return (Refusal(f"{self.unit.name} moves by legs: forward, side, back or pivot", self.cite),)
        if not answer.legs and self.limits.target < 0:
            return ()  # staying put breaks no rule, however the unit got there
        found = marched(self.rules, self.state, self.unit, answer.legs, self.limits)
        return self.rules.refusals(found.reasons, self.limits.action)

    def default(self) -> March:
        return March()

    def dragged(self, wanted: Pose) -> March:
        """The legal march that ends nearest to a centre and a heading."""
        return March(solve_drag(self.state, self.unit.id, self.limits, wanted).legs)

    def legs_towards(self, wanted: Pose) -> tuple[Leg, ...]:
        """The march that follows a drag to a pose, found fast enough to keep up with the pointer."""
        return drag_block(self.state, self.unit, self.limits, wanted).legs

    def preview(self, wish: Wish) -> AnswerPreview:
        if wish.answer is None and wish.drag is None:
            return super().preview(wish)
        unit, limits = self.unit, self.limits
        if wish.answer is not None:
            legs = wish.answer.legs if isinstance(wish.answer, March) else ()
            wanted = check_march(self.state, unit.id, legs, limits).pose
        else:
            assert wish.drag is not None
            wanted = Pose(wish.drag.x, wish.drag.y, wish.drag.heading % FULL_TURN, wish.drag.z)
            legs = self.legs_towards(wanted)
        found = marched(self.rules, self.state, unit, legs, limits)
        answer = wish.answer
        refusals = self.check(answer) if answer is not None else self._why_short(found.pose, wanted)
        end = replace(unit, block=found.pose)
        there = with_unit(self.state, end)
        return AnswerPreview(
            answer=March(legs),
            refusals=refusals,
            wanted=replace(unit, block=wanted),
            end=end,
            action=limits.action,
            used=found.used,
            allowance=limits.allowance,
            ways=((-1, centre_way(block_pose(unit), legs)),),
            ground=tuple(CrossedGround(c.piece, c.difficult, c.dangerous) for c in found.crossed),
            too_close=units_nearer_than(there, end, limits.spacing / MILLI) if limits.spacing else (),
            charges=self.charges,
        )

    def _why_short(self, end: Pose, wanted: Pose) -> tuple[Refusal, ...]:
        """Why the unit cannot go straight to where it was dragged; empty if it gets there."""
        miss = distance_between((end.x, end.y), (wanted.x, wanted.y))
        if miss <= CLOSE_ENOUGH:
            return ()
        direct = check_march(self.state, self.unit.id, direct_legs(self.unit, wanted), self.limits)
        return self.rules.refusals(direct.reasons, self.limits.action) or (self.falls_short(miss),)

    def sample(self, numbers: Numbers) -> March:
        if not self.limits.allowance:
            return self._turn(numbers)
        return March(candidate(self.state, self.unit.id, self.limits, numbers.below(1 << 40)).legs)

    def _turn(self, numbers: Numbers) -> March:
        """Half of the time a random turn, if it is legal."""
        limit = self.limits.pivot_limit
        if not limit or numbers.below(2):
            return March()
        turn = numbers.below(2 * limit + 1) - limit
        march = March((Leg("pivot", turn),)) if turn else March()
        return march if check_march(self.state, self.unit.id, march.legs, self.limits).is_legal else March()


class Charging(Marching):
    """The path of a charge to one side of a unit; by default the shortest.

    `too_far` rules out every path through difficult ground.
    """

    __slots__ = ("too_far", "way")

    follows_drag: ClassVar[bool] = False

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        unit: Unit,
        limits: MarchLimits,
        way: ChargeOption,
        too_far: bool,
    ) -> None:
        prompt = f"{unit.name}: the path to {state.units[way.target].name}"
        super().__init__(rules, state, unit, limits, "charge_path", prompt, rules.cite("move.charge"))
        self.way = way
        self.too_far = too_far

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        refusals = super().check(answer)
        if refusals or not isinstance(answer, March):
            return refusals
        found = marched(self.rules, self.state, self.unit, answer.legs, self.limits)
        if self.too_far and found.slowed:
            cap = self.limits.difficult_cap / MILLI
            text = (
                f"the target is more than {cap:g} inches away, too far for a charge through difficult ground"
            )
            return (Refusal(text, self.rules.cite("move.difficult")),)
        way, climb_max = self.way, self.limits.climb_max
        if align_units(self.state, self.unit.id, way.target, way.side, found.pose, climb_max) is None:
            text = f"{self.unit.name} could not align there with the {way.side} of its target"
            return (Refusal(text, self.rules.cite("charge.close")),)
        return ()

    @property
    def charges(self) -> int:
        return self.way.target

    def sentence(self) -> str:
        target, side = self.state.units[self.way.target].name, SIDE_WORDS.get(self.way.side, self.way.side)
        return f"{unit_does(self.unit, 'charge')} the {side} of {target}: confirm the path"

    def legs_towards(self, wanted: Pose) -> tuple[Leg, ...]:
        return self.way.legs

    def default(self) -> March:
        return March(self.way.legs)

    def sample(self, numbers: Numbers) -> March:
        return self.default()


def direct_legs(unit: Unit, wanted: Pose) -> tuple[Leg, ...]:
    """The direct march: turn towards the spot and go straight there. Players want to see the reasons against it."""
    pose = block_pose(unit)
    dx, dy = wanted.x - pose.x, wanted.y - pose.y
    far = round(math.hypot(dx, dy))
    bearing = round(math.degrees(math.atan2(dx, dy)) * CENTI)
    turn = (bearing - pose.heading + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2
    legs = (Leg("pivot", turn), Leg("forward", far))
    return tuple(leg for leg in legs if leg.amount)


def centre_way(pose: Pose, legs: tuple[Leg, ...]) -> tuple[Point, ...]:
    """The path of a block's centre, point by point from where it stands."""
    points: list[Point] = [(pose.x, pose.y)]
    x, y, heading = float(pose.x), float(pose.y), pose.heading
    for leg in legs:
        sine, cosine = heading_vector(heading)
        match leg.kind:
            case "pivot":
                heading += leg.amount
                continue
            case "side":
                x, y = x + leg.amount * cosine, y - leg.amount * sine
            case "back":
                x, y = x - leg.amount * sine, y - leg.amount * cosine
            case _:
                x, y = x + leg.amount * sine, y + leg.amount * cosine
        points.append((round(x), round(y)))
    return tuple(points)
