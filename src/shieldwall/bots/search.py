"""The search bot: more ideas and playouts than the greedy bot; in the last round also games by the full rules.

Every idea meets the same dice. Full games are played to their end by a quick policy. Before the last round these
would be long and depend much on luck, so there only the quick playouts decide, which are a thousand times faster.
Their result is the prior: a few full games overrule it only if they are clear. A budget of playouts gives the same
answer on every machine; a budget of seconds does not.
"""

from __future__ import annotations

import math
import time
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from shieldwall.bots.board_summary import card_of
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.match import GameStuckError
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.successive_halving import told
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import submit_checked
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import State, Unit
from shieldwall.dice.seeded import SeededDice
from shieldwall.rules.ruleset import Ruleset

BATTLES = 128  # quick playouts after each idea, before half of them drop out
ROUGH_SHARE = 0.6  # the share of a budget of seconds for quick playouts in the last round
IDEAS = 4  # plans that are played on by the full rules
PLAYOUTS = 48  # playouts for one decision, unless another budget is given
ANSWERS_AT_MOST = 5000
FIELD_CUT = (3, 6, 12, 24)  # playouts each, after which the field is halved
TRUST = 0.06  # the assumed standard deviation of the prior, as a share of an army
SPREAD = 0.1  # the assumed spread between playouts of two plans with common dice, as a share of an army
SEEN_BEFORE = 3  # how many playouts the assumed spread counts as


class SearchCandidate(NamedTuple):
    """A plan with its score from quick playouts and from games by the full rules, all in points.

    Playouts with the same number met the same dice.
    """

    plan: ActivationPlan
    prior: float
    results: list[float]

    @property
    def mean(self) -> float:
        """The mean result so far."""
        return sum(self.results) / len(self.results) if self.results else 0.0

    def lead(self, other: SearchCandidate, army: float) -> float:
        """The estimated lead over another candidate: the prior, updated by playouts with the same dice."""
        prior = self.prior - other.prior
        pairs = [a - b for a, b in zip(self.results, other.results, strict=False)]
        count = len(pairs)
        if not count:
            return prior
        mean = sum(pairs) / count
        spread = SEEN_BEFORE * (SPREAD * army) ** 2 + sum((pair - mean) ** 2 for pair in pairs)
        doubt, trust = spread / (SEEN_BEFORE + count - 1) / count, 2 * (TRUST * army) ** 2
        return (prior / trust + mean / doubt) / (1 / trust + 1 / doubt)


class SearchBot(GreedyBot):
    """Games by the full rules with a quick policy, common dice and sequential halving; quick playouts are the prior."""

    name: ClassVar[str] = "search"
    ideas_looked_at: ClassVar[int] = 16
    ideas_each: ClassVar[int] = 3

    def __init__(self, seed: int = 0, playouts: int = PLAYOUTS, seconds: float = 0.0) -> None:
        super().__init__(seed, BATTLES)
        self.playouts = playouts
        self.seconds = seconds
        self._rough_until = math.inf

    def is_over(self) -> bool:
        return time.thread_time() > self._rough_until

    def choose_unit(self, ask: BotTurn, units: list[Unit]) -> ActivationPlan:
        began, seconds = time.thread_time(), self.seconds or math.inf
        is_last = not ask.sketch.rounds_left
        self._rough_until = began + seconds * (ROUGH_SHARE if is_last else 1.0)
        if not is_last:
            return super().choose_unit(ask, units)
        ideas = self.foreseen(ask, units)[:IDEAS]
        if len(ideas) < 2:
            return super().choose_unit(ask, units)
        field = [SearchCandidate(plan, plan.score, []) for plan in told(ideas)]
        army = Evaluation(ask.sketch, self.weights).army
        best = self._search(ask, field, army, began + seconds)
        shown = [with_results(one) for one in field]
        self.explain(shown[field.index(best)], shown)
        return best.plan

    def _search(
        self, ask: BotTurn, everybody: list[SearchCandidate], army: float, until: float
    ) -> SearchCandidate:
        """Halve the field step by step; the leader by quick playouts stays in for comparison."""
        incumbent, field = everybody[0], list(everybody)
        table = SearchTable(ask.rules, ask.view, ask.decision, self.weights, army)
        luck = ask.numbers.below(1 << 40)
        left = self.playouts if not self.seconds else 1_000_000
        while left >= len(field) and time.thread_time() < until and len(field) > 1:
            number = len(incumbent.results)
            for candidate in field:
                candidate.results.append(table.playout(candidate.plan, f"{luck} {number}"))
            left -= len(field)
            if number + 1 in FIELD_CUT:
                others = sorted(field[1:], key=lambda one: (-one.lead(incumbent, army), one.plan.what))
                field = [incumbent, *others[: max(1, len(others) // 2)]]
        best = max(everybody[1:], key=lambda one: (one.lead(incumbent, army), -one.plan.unit))
        return best if best.lead(incumbent, army) > 0 else incumbent


def with_results(candidate: SearchCandidate) -> ActivationPlan:
    """A plan that also shows the result of its playouts."""
    parts = (*candidate.plan.parts, (f"{len(candidate.results)} playouts", round(candidate.mean, 1)))
    return replace(candidate.plan, parts=parts)


class SearchTable(NamedTuple):
    """A position from which plans are played on."""

    rules: Ruleset
    view: State
    decision: Decision
    weights: EvaluationWeights
    army: float

    def playout(self, plan: ActivationPlan, seed: str) -> float:
        """The result of a plan with these dice, in points for the side to act."""
        rules, view, decision = self.rules, self.view, self.decision
        side = view.seats[decision.seat].side
        seats = [PlayoutBot() for _ in view.seats]
        seats[decision.seat].begin_with(view, plan)
        numbers = [numbers_for(seed, seat) for seat in range(len(seats))]
        dice = SeededDice.from_seed(seed)
        progress = submit_checked(rules, view, decision, Pick(f"u{plan.unit}"))
        for _ in range(ANSWERS_AT_MOST):
            state, waits = progress.state, progress.pending
            if waits is None:
                return self.outcome(state, side)
            if isinstance(waits, Roll):
                answer: AnyAnswer = Faces(dice.faces(waits, state.rolls_made))
            else:
                answer = seats[waits.seat].decide(state, waits, numbers[waits.seat])
            progress = submit_checked(rules, state, waits, answer)
        raise GameStuckError(
            f"a playout from round {view.round} gave {ANSWERS_AT_MOST} answers and did not end"
        )

    def outcome(self, state: State, side: int) -> float:
        """How good a final state is: who won, by how many markers, and a little for what is left of the armies."""
        won = 0 if state.winner in (None, -1) else 1 if state.winner == side else -1
        mine = sum(marker.holder == side for marker in state.markers)
        theirs = sum(marker.holder >= 0 and marker.holder != side for marker in state.markers)
        points = self.army * (self.weights.win * won + self.weights.lead * (mine - theirs))
        return points + 0.1 * self.balance(state, side)

    def balance(self, state: State, side: int) -> float:
        """The points left of one army minus those left of the other."""
        total = 0.0
        for unit in state.units:
            if unit.models:
                value = card_of(self.rules, state, unit).value
                total += value if unit.side == side else -value
        return total
