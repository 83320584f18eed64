"""The question where to place a unit: the zones, and the legal spot nearest to the one it was dragged to."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal

from shieldwall.core.answers import AnyAnswer, Placed
from shieldwall.core.forms import AnswerPreview, PlacementForm, Rectangle, Wish
from shieldwall.core.pending import Decision, Refusal
from shieldwall.core.state import Pose, State, Unit
from shieldwall.rules.placing import Ground
from shieldwall.table.formations import FULL_TURN
from shieldwall.table.zones import Zone

if TYPE_CHECKING:
    from shieldwall.rules.ruleset import Ruleset

# thousandths along a zone that are tried beside the nearest spot
ASIDE = (0, 1500, -1500, 3000, -3000, 5000, -5000, 8000, -8000)


class PlaceQuestion(Decision):
    """Where to place a unit."""

    __slots__ = ("ground", "rules", "state", "unit")

    how: ClassVar[Literal["block", "loose"]]

    def __init__(
        self, rules: Ruleset, state: State, unit: Unit, ground: Ground, kind: str, prompt: str
    ) -> None:
        super().__init__(kind, unit.seat, prompt, rules.cites[ground.region.cite])
        self.rules = rules
        self.state = state
        self.unit = unit
        self.ground = ground

    @property
    def about(self) -> int:
        return self.unit.id

    def has_any(self) -> bool:
        """Whether any legal spot was found."""
        return True

    @abstractmethod
    def default(self) -> Placed:
        """A sensible legal place."""

    @abstractmethod
    def spots(self) -> tuple[Pose, ...]:
        """Places worth trying, spread over the region: the middle of the unit and its heading."""

    @abstractmethod
    def put(self, spot: Pose) -> Placed | None:
        """The unit placed at a spot; None if it does not fit."""

    @abstractmethod
    def standing(self, answer: Placed) -> Unit | None:
        """The unit as an answer places it; None if the answer has too few poses or too many."""

    @abstractmethod
    def try_at(self, spot: Pose) -> tuple[Placed, tuple[Refusal, ...]]:
        """The unit at the spot it was dragged to, with every reason against it."""

    @abstractmethod
    def shadow(self, spot: Pose, near: Placed) -> Unit:
        """The unit as drawn at a spot where it may not stand; `near` is where it may."""

    @abstractmethod
    def half_size(self, spot: Pose) -> tuple[int, int]:
        """The least distance of the unit's middle from the borders of a zone, in thousandths across and along."""

    def form(self) -> PlacementForm:
        region = self.ground.region
        zones = tuple(Rectangle(zone.left, zone.near, zone.right, zone.far) for zone in region.zones)
        models = tuple(model.id for model in self.unit.models)
        return PlacementForm(self.unit.id, self.how, zones, self.ground.enemy_over, region.words, models)

    def preview(self, wish: Wish) -> AnswerPreview:
        if wish.answer is not None or wish.drag is None:
            return self._as_answered(wish.answer)
        placed, refusals = self.try_at(wish.drag)
        if not refusals:
            return self._as_answered(placed)
        near = self._nearest(wish.drag)
        return AnswerPreview(
            answer=near,
            refusals=refusals,
            wanted=self.shadow(wish.drag, near),
            end=self.standing(near),
            words=self.ground.region.words,
        )

    def _as_answered(self, answer: AnyAnswer | None) -> AnswerPreview:
        if answer is None:
            return AnswerPreview(refusals=(Refusal(f"{self.kind} needs a place"),))
        there = self.standing(answer) if isinstance(answer, Placed) else None
        words = self.ground.region.words
        return AnswerPreview(answer, self.check(answer), wanted=there, end=there, words=words)

    def _nearest(self, wanted: Pose) -> Placed:
        """The unit as near to a spot as there is room: inside the nearest zone, beside that spot, or anywhere."""

        def far(spot: Pose) -> int:
            return abs(spot.x - wanted.x) + abs(spot.y - wanted.y)

        halves = self.half_size(wanted)
        inside = sorted((_into(zone, wanted, halves) for zone in self.ground.region.zones), key=far)
        beside = [Pose(spot.x + by, spot.y, spot.heading, 0) for spot in inside[:1] for by in ASIDE]
        for spot in (*inside[:1], *beside):
            placed = self.put(spot)
            if placed is not None:
                return placed
        fitting = (self.put(spot) for spot in sorted(self.spots(), key=far))
        return next((placed for placed in fitting if placed is not None), None) or self.default()


def _into(zone: Zone, spot: Pose, halves: tuple[int, int]) -> Pose:
    x = _clamped(spot.x, zone.left + halves[0], zone.right - halves[0])
    y = _clamped(spot.y, zone.near + halves[1], zone.far - halves[1])
    return Pose(x, y, spot.heading % FULL_TURN, 0)


def _clamped(number: int, low: int, high: int) -> int:
    return min(max(number, low), high) if low <= high else (low + high) // 2
