"""Which decisions of a game cost most: the move played against the best idea, with the same dice for both.

Quick playouts judge every decision first. The few that look worst are then played on by the full rules, once as played
and once with the better idea. A decision is blamed only if it stays clearly worse, whichever bot plays on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from msgspec import Struct

from shieldwall.analysis.account import action_phrase
from shieldwall.analysis.moments import Moment
from shieldwall.analysis.reasons import reason_for
from shieldwall.analysis.what_if import AsRecorded, BattleEnd, WithPlan, activations_as_recorded, play_on
from shieldwall.bots.board_summary import BoardSummary, spot_of
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.outcome_estimates import is_down
from shieldwall.bots.plan import ActivationPlan, ExpectedHarm
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.playouts import Playouts
from shieldwall.bots.policy import Policy
from shieldwall.bots.successive_halving import end_of
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset
from shieldwall.story import Names

ROUGH_BATTLES = 128  # after each decision, to find those worth a closer look
GLANCE = 40  # quick playouts after each idea, before half of the ideas are dropped
TRIES = 6  # how often a recorded activation is repeated to find its average effect
LOOKS = (
    (1 / 3, 2.7),
    (2 / 3, 2.2),
    (1.0, 1.8),
)  # standard errors required after each share of the battles
CONFIRMING = 12  # battles each way by stronger players, before a decision is blamed
HOPELESS = 0.0  # a gain below this after the first look will not become a clear one


class Effort(NamedTuple):
    """How closely to look: how many decisions per side are played on by the full rules, and battles of each."""

    candidates: int = 4
    first_battles: int = 8
    blamed: int = 3
    battles: int = 48


USUAL_EFFORT = Effort()


class BlamedDecision(Struct, frozen=True):
    """A decision that cost its side something. Chances are those of its side, a draw counted as half a win.

    `cost` is what the better idea would have gained, with its 95 % interval; `why` is what changes most in the battles
    played on.
    """

    number: int
    step: int
    round: int
    side: int
    unit: int
    did: str
    better_unit: int
    better: str
    chance: float
    better_chance: float
    cost: float
    low: float
    high: float
    battles: int
    why: str = ""
    deed: str = ""  # what was done, as the subject of a sentence


class CandidateMistake(NamedTuple):
    """A decision that may have been worse than an idea, by this share of an army in quick playouts.

    `loss` is what it took from its side's chance to win, on average over the dice.
    """

    moment: Moment
    plan: ActivationPlan
    gap: float
    loss: float = 0.0


class Compared(NamedTuple):
    """A candidate with battles played on from it, with the same dice both ways."""

    candidate: CandidateMistake
    recorded: tuple[BattleEnd, ...]
    planned: tuple[BattleEnd, ...]

    @property
    def cost(self) -> float:
        """What the idea would have gained."""
        return sum(self._gains()) / len(self.recorded)

    @property
    def error(self) -> float:
        """The standard error of the cost, from pairs of battles with the same dice."""
        gains = self._gains()
        if len(gains) < 2:
            return 1.0
        mean = sum(gains) / len(gains)
        variance = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
        return math.sqrt((variance + 1 / len(gains)) / len(gains))  # never quite zero

    def _gains(self) -> list[float]:
        return [plan.score - did.score for plan, did in zip(self.planned, self.recorded, strict=True)]

    def with_more(self, more: Compared) -> Compared:
        """The same with more battles."""
        return Compared(self.candidate, self.recorded + more.recorded, self.planned + more.planned)


def candidate_mistake(
    rules: Ruleset, moment: Moment, ends: Sequence[State], among: Sequence[int] = ()
) -> CandidateMistake | None:
    """How much better the best idea looks in quick playouts than the move played; None if there was no choice.

    `ends` are states after the recorded activation, each with other dice. Ideas are those of the units `among` all that
    could be chosen, or of every one.
    """
    unit = moment.unit
    units = [moment.state.units[one] for one in among or moment.units]
    ask = BotTurn(rules, moment.state, moment.decision, numbers_for("analysis", 0))
    ideas = GreedyBot(battles=GLANCE).foreseen(ask, units)
    if not ideas or unit < 0:
        return None
    sketch = BoardSummary(rules, moment.state, moment.side)
    rough = Playouts(sketch, numbers_for("analysis", 1))
    plan = ideas[0].plan
    best = rough.value(plan.unit, *end_of(sketch, plan), plan.harms, 0, ROUGH_BATTLES)
    after = [end.units[unit] for end in ends if is_on_table(end.units[unit])]
    at = spot_of(after[0] if after else moment.state.units[unit])
    did = rough.value(unit, *at, _harms(rules, moment.state, ends), 0, ROUGH_BATTLES)
    return CandidateMistake(moment, plan, (best - did) / rough.army)


def is_on_table(unit: Unit) -> bool:
    """Whether any model of a unit is on the table: the unit is not destroyed, routed, or in a transport."""
    return bool(unit.models) and unit.place == "table"


def repeated_activations(rules: Ruleset, moment: Moment) -> list[State]:
    """States after a recorded activation, repeated with other dice."""
    return activations_as_recorded(rules, moment, [f"analysis {number}" for number in range(TRIES)])


def _harms(rules: Ruleset, before: State, ends: Sequence[State]) -> tuple[ExpectedHarm, ...]:
    found = []
    for unit in before.units:
        if not is_on_table(unit):
            continue
        after = [end.units[unit.id] for end in ends]
        wounds = sum(_life(before, unit) - _life(before, one) for one in after) / len(after)
        gone = sum(not one.models for one in after) / len(after)
        down = sum(bool(one.models) and is_down(rules, one) for one in after) / len(after)
        if wounds > 0 or gone > 0 or (down > 0 and not is_down(rules, unit)):
            found.append(ExpectedHarm(unit.id, gone, down, wounds))
    return tuple(found)


def _life(state: State, unit: Unit) -> float:
    return float(sum(state.profiles[model.profile].wounds - model.wounds for model in unit.models))


def blamed_among(
    rules: Ruleset, candidates: Sequence[CandidateMistake], effort: Effort = USUAL_EFFORT
) -> Iterator[tuple[float, BlamedDecision | None]]:
    """Look closely at the worst candidates of each side; yields the share of the work done, and what was found."""
    for share, found in judged_candidates(rules, candidates, effort):
        yield share, _blamed(found) if found is not None else None


def judged_candidates(
    rules: Ruleset, candidates: Sequence[CandidateMistake], effort: Effort
) -> Iterator[tuple[float, Compared | None]]:
    """The same with the battles behind it. The sides alternate, so neither waits for the other."""
    sides = sorted({candidate.moment.side for candidate in candidates})
    looked: dict[int, list[Compared]] = {}
    total = max(1, len(sides) * (effort.candidates + 4 * effort.blamed))
    done = 0
    for side in sides:
        looked[side] = []
        for candidate in worst_candidates(candidates, side, effort.candidates):
            looked[side].append(compare(rules, candidate, range(effort.first_battles)))
            done += 1
            yield min(1.0, done / total), None
        looked[side].sort(key=lambda one: -one.cost)
    for at in range(effort.blamed):
        for side in sides:
            found = None
            if at < len(looked[side]) and looked[side][at].cost > HOPELESS:
                found = _judged(rules, looked[side][at].candidate, effort)
            done += 4
            yield min(1.0, done / total), found


def examined(candidates: Sequence[CandidateMistake], effort: Effort) -> list[CandidateMistake]:
    """The candidates of both sides that are looked at closely."""
    sides = sorted({candidate.moment.side for candidate in candidates})
    return [
        candidate for side in sides for candidate in worst_candidates(candidates, side, effort.candidates)
    ]


def worst_candidates(candidates: Sequence[CandidateMistake], side: int, most: int) -> list[CandidateMistake]:
    """The candidates of a side worth a closer look: alternately the one that lost most of the chance to win, and the
    one farthest behind its idea. The former find lost markers, the latter missed opportunities.
    """
    own = [one for one in candidates if one.moment.side == side]
    by_loss = sorted((one for one in own if one.loss > 0), key=lambda one: -one.loss)
    by_gap = sorted(own, key=lambda one: -one.gap)
    turns = [one for pair in zip_longest(by_loss, by_gap) for one in pair if one is not None]
    return list({one.moment.number: one for one in turns}.values())[:most]


def _judged(rules: Ruleset, candidate: CandidateMistake, effort: Effort) -> Compared | None:
    """Whether fresh dice confirm the candidate; the dice that selected it would favour the idea.

    Earlier looks require more than the last one, so that looking several times blames nobody by chance.
    """
    found: Compared | None = None
    begun = effort.first_battles
    for share, enough in LOOKS:
        until = effort.first_battles + round(share * effort.battles)
        more = compare(rules, candidate, range(begun, until))
        found, begun = (found.with_more(more) if found is not None else more), until
        if found.cost > enough * found.error:
            return found if _is_confirmed(rules, candidate) else None
        if found.cost <= HOPELESS:
            return None
    return None


def _is_confirmed(rules: Ruleset, candidate: CandidateMistake) -> bool:
    """Whether the idea is also better if stronger players play on: weak players may spoil a good move."""
    found = compare(rules, candidate, range(CONFIRMING), TacticianBot)
    return found.cost > found.error


def compare(
    rules: Ruleset, candidate: CandidateMistake, numbers: range, others: Callable[[], Policy] = PlayoutBot
) -> Compared:
    """Play on from a decision, as played and with the idea; equal numbers give equal dice."""
    moment, plan = candidate.moment, candidate.plan
    seeds = [f"what if {moment.number} {number}" for number in numbers]
    did = [play_on(rules, moment, AsRecorded(moment, others()), seed, others) for seed in seeds]
    better = [play_on(rules, moment, WithPlan(plan, others()), seed, others) for seed in seeds]
    return Compared(candidate, tuple(did), tuple(better))


def _blamed(compared: Compared) -> BlamedDecision:
    moment, plan = compared.candidate.moment, compared.candidate.plan
    games = len(compared.recorded)
    margin = 1.96 * compared.error
    return BlamedDecision(
        number=moment.number,
        step=moment.step,
        round=moment.state.round,
        side=moment.side,
        unit=moment.unit,
        did=_words(moment),
        better_unit=plan.unit,
        better=plan.what,
        chance=sum(end.score for end in compared.recorded) / games,
        better_chance=sum(end.score for end in compared.planned) / games,
        cost=compared.cost,
        low=compared.cost - margin,
        high=compared.cost + margin,
        battles=games,
        why=reason_for(moment.state, moment.side, compared.recorded, compared.planned),
        deed=action_phrase(Names(moment.state), moment),
    )


def _words(moment: Moment) -> str:
    """What was done, as the log says it."""
    from shieldwall.story import Story

    story = Story(moment.state, dice=False)
    lines = [*story.add(moment.state, moment.events), *story.end()]
    told = next((line.text for line in lines if line.kind in ("turn", "attack", "move")), "")
    return told.removesuffix(".")
