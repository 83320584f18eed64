"""Successive halving: each idea gets some playouts, the worse half drops out, the rest get more."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from shieldwall.bots.board_summary import BoardSummary
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.playouts import Playouts

TRUST = 0.5  # the weight of a point of the prior against a point from playouts


class Idea:
    """A plan with its initial score (`prior`) and the results of its playouts."""

    __slots__ = ("battles", "plan", "prior", "total", "x", "y")

    def __init__(self, sketch: BoardSummary, prior: float, plan: ActivationPlan) -> None:
        self.plan = plan
        self.prior = prior
        self.x, self.y = end_of(sketch, plan)
        self.battles = 0
        self.total = 0.0

    def play(self, foresight: Playouts, first: int, count: int) -> None:
        """Add the playouts with these numbers."""
        plan = self.plan
        self.total += count * foresight.value(plan.unit, self.x, self.y, plan.harms, first, count)
        self.battles += count

    @property
    def mean(self) -> float:
        """The mean result of the playouts, in points."""
        return self.total / self.battles if self.battles else 0.0

    @property
    def worth(self) -> float:
        """The prior and the playouts combined, in points."""
        return TRUST * self.prior + self.mean

    def told(self) -> ActivationPlan:
        """The plan as shown to players: its reasons, including the playouts."""
        parts = tuple((name, round(amount * TRUST, 1)) for name, amount in self.plan.parts)
        rest = self.worth - sum(amount for _, amount in parts)
        return replace(
            self.plan, score=self.worth, parts=(*parts, (f"{self.battles} battles", round(rest, 1)))
        )


def end_of(sketch: BoardSummary, plan: ActivationPlan) -> tuple[float, float]:
    """Where a unit is after a plan: at the end of its route, at the estimated end, or where it was."""
    if plan.route is not None:
        return plan.route.x, plan.route.y
    seen = sketch.seen[plan.unit]
    return plan.end or (seen.x, seen.y)


def rank(idea: Idea) -> tuple[float, int, str]:
    """The sort key of ideas, the best first."""
    return -idea.worth, idea.plan.unit, idea.plan.what


def play_off(
    ideas: list[Idea], foresight: Playouts, battles: int, is_over: Callable[[], bool] = lambda: False
) -> list[Idea]:
    """The ideas in order, the best first: half of the field drops out repeatedly, until one is left.

    It ends early if time is up.
    """
    field, dropped, first = sorted(ideas, key=rank), list[Idea](), 0
    while len(field) > 1 and not is_over():
        for idea in field:
            idea.play(foresight, first, battles)
        field.sort(key=rank)
        stay = max(1, len(field) // 2)
        dropped = field[stay:] + dropped
        field = field[:stay]
        first, battles = first + battles, 2 * battles
    return field + dropped


def told(order: list[Idea]) -> list[ActivationPlan]:
    """Plans as shown to players, the chosen one first; plans that dropped out early never show a higher score."""
    plans = [idea.told() for idea in order]
    return [replace(plan, score=min(plan.score, plans[0].score)) for plan in plans]
