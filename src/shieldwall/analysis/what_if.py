"""How a battle ends if a decision is made one way or the other: the rest is played many times with the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shieldwall.analysis.moments import ACTIVATE, Moment, begins_activation
from shieldwall.bots.match import ANSWERS_AT_MOST, GameStuckError
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import check, submit_checked
from shieldwall.core.events import AnyEvent
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Decision, Numbers, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.rules.ruleset import Ruleset


class AsRecorded:
    """Repeats a player's answers in one activation as far as the dice allow, then plays like another policy."""

    name = "as recorded"
    samples_only = False

    def __init__(self, moment: Moment, then: Policy) -> None:
        self._answers = list(moment.answers)
        self._unit = moment.unit
        self._then = then
        self._begun = False

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The recorded answer, if it is the next of its kind and still allowed."""
        if self._begun and (decision.kind == ACTIVATE or not _is_acting(view, self._unit)):
            self._answers.clear()
        self._begun = True
        if self._answers and self._answers[0][0] == decision.kind:
            answer = self._answers.pop(0)[1]
            if not check(decision, answer):
                return answer
        return self._then.decide(view, decision, numbers)


class WithPlan:
    """Carries out a bot's plan in the first activation, then plays like another policy."""

    name = "with a plan"
    samples_only = False

    def __init__(self, plan: ActivationPlan, then: Policy) -> None:
        self._plan: ActivationPlan | None = plan
        self._unit = plan.unit
        self._follower = PlayoutBot()
        self._then = then
        self._follows = True

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The plan's answer, until the next choice of a unit."""
        plan, self._plan = self._plan, None
        if plan is not None:
            self._follower.begin_with(view, plan)
            if decision.kind == ACTIVATE:
                return Pick(f"u{plan.unit}")
        elif decision.kind == ACTIVATE or not _is_acting(view, self._unit):
            self._follows = False
        return (self._follower if self._follows else self._then).decide(view, decision, numbers)


def _is_acting(view: State, unit: int) -> bool:
    """Whether this unit is being activated."""
    return any(isinstance(frame, Activation) and frame.unit == unit for frame in view.stack)


class BattleEnd(NamedTuple):
    """How a battle ended: the score of the side that decided (1 won, a half drawn, 0 lost), who holds each marker, and
    which units were left.
    """

    score: float
    holders: tuple[int, ...]
    alive: frozenset[int]


def end_of_battle(state: State, side: int) -> BattleEnd:
    """The result of the last state of a battle, for one side."""
    score = 0.5 if state.winner in (None, -1) else float(state.winner == side)
    alive = frozenset(unit.id for unit in state.units if unit.models)
    return BattleEnd(score, tuple(marker.holder for marker in state.markers), alive)


def activations_as_recorded(rules: Ruleset, moment: Moment, seeds: Sequence[str]) -> list[State]:
    """States after the recorded activation was repeated with other dice, with the next one about to be chosen."""
    return [
        activation(rules, moment, AsRecorded(moment, PlayoutBot()), moment.unit, seed)[0] for seed in seeds
    ]


def activation(
    rules: Ruleset, moment: Moment, first: Policy, unit: int, seed: str
) -> tuple[State, tuple[AnyEvent, ...]]:
    """The activation of a unit alone: the state in which the next one is about to be chosen, and all events."""
    return _play(rules, moment, first, seed, lambda waits: begins_activation(waits, unit))


def play_on(
    rules: Ruleset,
    moment: Moment,
    first: Policy,
    seed: str,
    others: Callable[[], Policy] = PlayoutBot,
) -> BattleEnd:
    """Play one battle from a moment to its end, with `first` in the seat that decides."""
    return end_of_battle(_play(rules, moment, first, seed, lambda waits: False, others)[0], moment.side)


def _play(
    rules: Ruleset,
    moment: Moment,
    first: Policy,
    seed: str,
    is_enough: Callable[[Pending], bool],
    others: Callable[[], Policy] = PlayoutBot,
) -> tuple[State, tuple[AnyEvent, ...]]:
    """Play on from a moment until the game is over or it is enough; the first question is always answered."""
    seats: list[Policy] = [others() for _ in moment.state.seats]
    seats[moment.decision.seat] = first
    numbers = [numbers_for(seed, seat) for seat in range(len(seats))]
    dice = SeededDice.from_seed(seed)
    state: State = moment.state
    waits: Pending | None = moment.decision
    happened: list[AnyEvent] = []
    for answered in range(ANSWERS_AT_MOST):
        if waits is None or (answered and is_enough(waits)):
            return state, tuple(happened)
        if isinstance(waits, Roll):
            answer: AnyAnswer = Faces(dice.faces(waits, state.rolls_made))
        else:
            answer = seats[waits.seat].decide(state, waits, numbers[waits.seat])
        state, events, waits = submit_checked(rules, state, waits, answer)
        happened += events
    raise GameStuckError(f"a playout from round {moment.state.round} did not end")
