"""The search bot: plays the greedy bot's best ideas to the end of the game, many times, and keeps what wins most.

Every idea meets the same dice. Sequential halving spends the playouts where it is close. A budget of playouts gives
the same answer on every machine; a budget of seconds does not, and says so in the bot's name.
"""

from __future__ import annotations

import math
import time
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from shieldwall.bots.commander import Ask
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.match import GameStuckError
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import Plan
from shieldwall.bots.sketch import card_of
from shieldwall.bots.solo import SoloBot
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import submit_checked
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import State, Unit
from shieldwall.dice.seeded import SeededDice
from shieldwall.rules.ruleset import Ruleset

IDEAS = 6  # plans that are played out
PLAYOUTS = 48  # games played for one decision, where no other budget is given
ANSWERS_AT_MOST = 5000
VALUE_SHARE = 0.15  # what the armies left over count beside markers
DOUBT = 0.5  # standard errors by which a plan must beat the greedy bot's own to be preferred
FEWEST = 3  # playouts of a plan below which nothing is believed
FIELD_CUT = (2, 4, 8, 16)  # playouts each, after which the field is halved


class Candidate(NamedTuple):
    """A plan with the results of its playouts; those with the same number met the same dice."""

    plan: Plan
    results: list[float]

    @property
    def mean(self) -> float:
        """What it is worth so far."""
        return sum(self.results) / len(self.results) if self.results else 0.0

    def beats(self, other: Candidate) -> float:
        """By how much it is better than another, less the doubt about it; dice for dice."""
        pairs = [a - b for a, b in zip(self.results, other.results, strict=False)]
        count = len(pairs)
        if count < FEWEST:
            return -1.0
        mean = sum(pairs) / count
        spread = sum((pair - mean) ** 2 for pair in pairs) / (count - 1)
        return mean - DOUBT * math.sqrt((spread + 0.02) / count)


class SearchBot(GreedyBot):
    """Playouts to the end with a quick policy, common dice, sequential halving.

    The greedy bot's plan is kept unless another one beats it beyond doubt, so a small budget does no harm.
    """

    name: ClassVar[str] = "search"

    def __init__(self, seed: int = 0, playouts: int = PLAYOUTS, seconds: float = 0.0) -> None:
        super().__init__(seed)
        self.playouts = playouts
        self.seconds = seconds

    def choose_unit(self, ask: Ask, units: list[Unit]) -> Plan:
        plans = [plan for _, plan in self.shortlist(ask, units)][:IDEAS]
        if len(plans) < 2:
            return super().choose_unit(ask, units)
        field = [Candidate(plan, []) for plan in plans]
        best = self._search(ask, field)
        shown = [with_results(one) for one in field]
        self.explain(shown[field.index(best)], shown)
        return best.plan

    def _search(self, ask: Ask, everybody: list[Candidate]) -> Candidate:
        """Halve the field step by step; the greedy bot's plan stays in it to be compared with."""
        incumbent, field = everybody[0], list(everybody)
        side = ask.view.seats[ask.decision.seat].side
        until = time.monotonic() + self.seconds if self.seconds else math.inf
        luck = ask.numbers.below(1 << 40)
        left = self.playouts if not self.seconds else 1_000_000
        while left >= len(field) and time.monotonic() < until and len(field) > 1:
            number = len(incumbent.results)
            for candidate in field:
                result = playout(ask.rules, ask.view, ask.decision, candidate.plan, f"{luck} {number}", side)
                candidate.results.append(result)
            left -= len(field)
            if number + 1 in FIELD_CUT:
                others = sorted(field[1:], key=lambda one: (-one.mean, one.plan.unit, one.plan.what))
                field = [incumbent, *others[: max(1, (len(others) + 1) // 2)]]
        best = max(everybody[1:], key=lambda one: (one.beats(incumbent), -one.plan.unit))
        return best if best.beats(incumbent) > 0 else incumbent


def with_results(candidate: Candidate) -> Plan:
    """A plan that shows what its playouts came to instead of the greedy bot's points."""
    many = len(candidate.results)
    parts = (*candidate.plan.parts, (f"{many} playouts", round(100 * candidate.mean, 1)))
    return replace(candidate.plan, score=100 * candidate.mean, parts=parts)


class Follower(SoloBot):
    """Plays out a game quickly, after its first activation has been set."""

    name: ClassVar[str] = "follower"

    def begin_with(self, view: State, plan: Plan) -> None:
        """Take over a plan for the activation that is about to begin."""
        self._keep(view, plan)


def playout(rules: Ruleset, view: State, decision: Decision, plan: Plan, seed: str, side: int) -> float:
    """The end of a game that goes on from here with this plan, between -1 and 1 for the side that asks."""
    seats = [Follower() for _ in view.seats]
    seats[decision.seat].begin_with(view, plan)
    numbers = [numbers_for(seed, seat) for seat in range(len(seats))]
    dice = SeededDice.from_seed(seed)
    progress = submit_checked(rules, view, decision, Pick(f"u{plan.unit}"))
    for _ in range(ANSWERS_AT_MOST):
        state, waits = progress.state, progress.pending
        if waits is None:
            return outcome(rules, state, side)
        if isinstance(waits, Roll):
            answer: AnyAnswer = Faces(dice.faces(waits, state.rolls_made))
        else:
            answer = seats[waits.seat].decide(state, waits, numbers[waits.seat])
        progress = submit_checked(rules, state, waits, answer)
    raise GameStuckError(f"a playout from round {view.round} gave {ANSWERS_AT_MOST} answers and did not end")


def outcome(rules: Ruleset, state: State, side: int) -> float:
    """How good an end is: who won, by how many markers, and a little for what is left of the armies."""
    won = 0.0 if state.winner in (None, -1) else 1.0 if state.winner == side else -1.0
    mine = sum(marker.holder == side for marker in state.markers)
    theirs = sum(marker.holder >= 0 and marker.holder != side for marker in state.markers)
    lead = (mine - theirs) / max(1, len(state.markers))
    left = [0.0, 0.0]
    for unit in state.units:
        if unit.models:
            left[unit.side != side] += card_of(rules, state, unit).value
    balance = (left[0] - left[1]) / max(1.0, left[0] + left[1])
    return 0.6 * won + (0.4 - VALUE_SHARE) * lead + VALUE_SHARE * balance
