"""What a unit is going to do in its activation, and why."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from shieldwall.bots.explanation import Considered, Explanation
from shieldwall.bots.movement import MoveWish, Route


class ExpectedHarm(NamedTuple):
    """The effect of a plan on a unit: the chances that it is gone or down afterwards, and mean wounds."""

    unit: int
    gone: float
    down: float
    wounds: float


class ActivationPlan(Struct, frozen=True):
    """One unit's activation as planned by a bot: an action, a destination, a target to charge or to shoot at first.

    `end` is the estimated destination in inches while there is no route; None if it goes nowhere.
    """

    unit: int
    action: str
    what: str
    score: float = 0.0
    wish: MoveWish | None = None
    route: Route | None = None
    target: int = -1
    parts: tuple[tuple[str, float], ...] = ()
    harms: tuple[ExpectedHarm, ...] = ()
    end: tuple[float, float] | None = None

    @property
    def considered(self) -> Considered:
        """The plan as one of the alternatives considered."""
        return Considered(self.what, round(self.score, 2), self.parts)


def thought_about(best: ActivationPlan, others: list[ActivationPlan]) -> Explanation:
    """Why the best plan was chosen, and the alternatives."""
    ranked = sorted(others, key=lambda plan: (plan is not best, -plan.score, plan.unit, plan.what))
    return Explanation(sentence(best, ranked), tuple([plan.considered for plan in ranked]))


def sentence(best: ActivationPlan, ranked: list[ActivationPlan]) -> str:
    """The plan in words, its main reason, and the runner-up."""
    words = best.what
    reasons = sorted((part for part in best.parts if part[1] > 0), key=lambda part: -part[1])
    if reasons:
        words += ": " + " and ".join(name for name, _ in reasons[:2])
    second = next((plan for plan in ranked if plan is not best and plan.what != best.what), None)
    if second is not None:
        words += f"; the next best: {second.what}"
    return words + "."
