"""How a battle ends if a decision is made one way or another: the rest of it played many times with the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shieldwall.analysis.moments import ACTIVATE, Moment
from shieldwall.bots.match import ANSWERS_AT_MOST, GameStuckError
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import check, submit_checked
from shieldwall.core.pending import Decision, Numbers, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.rules.ruleset import Ruleset


class AsRecorded:
    """Answers as a player did in one activation, where the dice let it; afterwards as somebody else would."""

    samples_only = False

    def __init__(self, answers: Sequence[tuple[str, AnyAnswer]], then: Policy) -> None:
        self._answers = list(answers)
        self._then = then
        self._begun = False

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The recorded answer if it is the next of its kind and still allowed."""
        if decision.kind == ACTIVATE:
            if self._begun:
                self._answers.clear()
            self._begun = True
        if self._answers and self._answers[0][0] == decision.kind:
            answer = self._answers.pop(0)[1]
            if not check(decision, answer):
                return answer
        return self._then.decide(view, decision, numbers)


class WithPlan:
    """Carries a bot's plan out in the first activation; afterwards answers as somebody else would."""

    samples_only = False

    def __init__(self, plan: ActivationPlan, then: Policy) -> None:
        self._plan: ActivationPlan | None = plan
        self._follower = PlayoutBot()
        self._then = then
        self._follows = True

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """What the plan asks for, until the next choice of a unit."""
        if decision.kind == ACTIVATE:
            plan, self._plan = self._plan, None
            if plan is not None:
                self._follower.begin_with(view, plan)
                return Pick(f"u{plan.unit}")
            self._follows = False
        return (self._follower if self._follows else self._then).decide(view, decision, numbers)


def recorded_ends(rules: Ruleset, moment: Moment, seeds: Sequence[str]) -> list[float]:
    """Scores of the side that decides (1 won, a half drawn, 0 lost) if it does what it did."""
    return [play_on(rules, moment, AsRecorded(moment.answers, PlayoutBot()), seed) for seed in seeds]


def plan_ends(rules: Ruleset, moment: Moment, plan: ActivationPlan, seeds: Sequence[str]) -> list[float]:
    """Scores of the side that decides if it carries a plan out instead; the same seeds bring the same dice."""
    return [play_on(rules, moment, WithPlan(plan, PlayoutBot()), seed) for seed in seeds]


def activations_as_recorded(rules: Ruleset, moment: Moment, seeds: Sequence[str]) -> list[State]:
    """States after the recorded activation was played with other dice."""
    return [
        _play(rules, moment, AsRecorded(moment.answers, PlayoutBot()), seed, is_next_choice) for seed in seeds
    ]


def is_next_choice(waits: Pending) -> bool:
    """Whether the next activation is about to be chosen."""
    return isinstance(waits, Decision) and waits.kind == ACTIVATE


def play_on(rules: Ruleset, moment: Moment, first: AsRecorded | WithPlan, seed: str) -> float:
    """The score of one battle from a moment to its end, `first` in the seat that decides."""
    end = _play(rules, moment, first, seed, lambda waits: False)
    return 0.5 if end.winner in (None, -1) else float(end.winner == moment.side)


def _play(
    rules: Ruleset,
    moment: Moment,
    first: AsRecorded | WithPlan,
    seed: str,
    is_enough: Callable[[Pending], bool],
) -> State:
    """Play on from a moment until the game is over or it is enough; the first question is always answered."""
    seats: list[AsRecorded | WithPlan | PlayoutBot] = [PlayoutBot() for _ in moment.state.seats]
    seats[moment.decision.seat] = first
    numbers = [numbers_for(seed, seat) for seat in range(len(seats))]
    dice = SeededDice.from_seed(seed)
    state: State = moment.state
    waits: Pending | None = moment.decision
    for answered in range(ANSWERS_AT_MOST):
        if waits is None or (answered and is_enough(waits)):
            return state
        if isinstance(waits, Roll):
            answer: AnyAnswer = Faces(dice.faces(waits, state.rolls_made))
        else:
            answer = seats[waits.seat].decide(state, waits, numbers[waits.seat])
        state, _, waits = submit_checked(rules, state, waits, answer)
    raise GameStuckError(f"a battle played on from round {moment.state.round} did not end")
