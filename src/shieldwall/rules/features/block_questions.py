"""Questions put to the owner of a ranked block: where it is placed, how it marches."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Leg, March, Placed
from shieldwall.core.pending import Decision, Numbers, Refusal
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.rules.features.block_limits import marched
from shieldwall.rules.placing import Ground
from shieldwall.rules.ruleset import PlaceQuestion, Ruleset
from shieldwall.table.align import align_units
from shieldwall.table.block_charge import ChargeOption
from shieldwall.table.block_drag import solve_drag
from shieldwall.table.block_moves import MarchLimits, candidate, check_march
from shieldwall.table.formations import formation_of
from shieldwall.table.placing import Room, check_placement

FINE = 0.25  # inches between spots that are tried where it is crowded
FEW = 8
QUARTER_TURNS = (0, 9000, 18000, 27000)
FACING = {"south": 0, "north": 18000, "west": 9000, "east": 27000}


class BlockPlacing(PlaceQuestion):
    """Where a block is put down: one pose, centre and heading."""

    __slots__ = ("ground", "rules", "state", "unit")

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> None:
        super().__init__(kind, unit.seat, prompt, rules.cites[ground.region.cite])
        self.rules = rules
        self.state = state
        self.unit = unit
        self.ground = ground

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, Placed) or len(answer.poses) != 1:
            return (Refusal(f"{self.unit.name} is placed by one pose: x, y and heading", self.cite),)
        there = replace(self.unit, block=answer.poses[0], place="table")
        spacing = self.rules.constants.spacing / MILLI
        reasons = check_placement(
            self.state, there, self.ground.region, spacing, self.ground.enemy_over / MILLI
        )
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

    def _facing_spots(self, count: int) -> tuple[Pose, ...]:
        ahead = self._ahead()
        spots = self._spots(ahead, count)
        if not spots:
            spots = self._spots((ahead + 9000) % 36000, count)
        return spots or self._anywhere()

    def _ahead(self) -> int:
        """The heading towards the enemy's edge."""
        return FACING.get(self.state.sides[self.unit.side].edge, 0)

    def _room(self, heading: int, step: float = 2.0, anywhere: bool = False) -> Room:
        formation = formation_of(self.unit, self.state.profiles)
        return Room(
            self.state,
            self.unit,
            self.ground.region,
            (formation.half_width * 2, formation.half_depth * 2),
            heading,
            spacing=self.rules.constants.spacing / MILLI,
            enemy_over=self.ground.enemy_over / MILLI,
            step=step,
            anywhere=anywhere,
        )

    def _spots(self, heading: int, count: int) -> tuple[Pose, ...]:
        return self._room(heading).spread(count)

    def _free_spot(self, heading: int, number: int) -> Pose | None:
        """One legal spot, another for another number; None where there is no room."""
        return self._room(heading).first_from(number)

    def _anywhere(self) -> tuple[Pose, ...]:
        """A crowded region is searched finely, at every quarter turn, and in the end on any legal ground."""
        for anywhere in (False, True):
            for heading in QUARTER_TURNS:
                spots = self._room(heading, FINE, anywhere).spread(FEW)
                legal = tuple(spot for spot in spots if not anywhere or self.put(spot) is not None)
                if legal:
                    return legal
        return ()


class Marching(Decision):
    """How a block marches, or turns on the spot."""

    __slots__ = ("limits", "rules", "state", "unit")

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, limits: MarchLimits, kind: str, prompt: str, cite: str
    ) -> None:
        super().__init__(kind, unit.seat, prompt, cite)
        self.rules = rules
        self.state = state
        self.unit = unit
        self.limits = limits

    def check(self, answer: AnyAnswer) -> tuple[Refusal, ...]:
        if not isinstance(answer, March):
            return (Refusal(f"{self.unit.name} moves by legs: forward, side, back or pivot", self.cite),)
        if not answer.legs and self.limits.target < 0:
            return ()  # who stays where it stands breaks no rule, however it got there
        found = marched(self.rules, self.state, self.unit, answer.legs, self.limits)
        return self.rules.refusals(found.reasons, self.limits.action)

    def default(self) -> March:
        return March()

    def dragged(self, wanted: Pose) -> March:
        """The legal march that ends nearest to a centre and a heading."""
        return March(solve_drag(self.state, self.unit.id, self.limits, wanted).legs)

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
    """The way of a charge to one side of a unit; by default the shortest.

    `too_far` bars every way through difficult ground.
    """

    __slots__ = ("too_far", "way")

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        unit: Unit,
        limits: MarchLimits,
        prompt: str,
        cite: str,
        way: ChargeOption,
        too_far: bool,
    ) -> None:
        super().__init__(rules, state, unit, limits, "charge_path", prompt, cite)
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
            text = f"{self.unit.name} could not close up there along the {way.side} of its target"
            return (Refusal(text, self.rules.cite("charge.close")),)
        return ()

    def default(self) -> March:
        return March(self.way.legs)

    def sample(self, numbers: Numbers) -> March:
        return self.default()
