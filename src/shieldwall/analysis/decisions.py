"""Which decisions of a game cost most: what was done against the best idea, with the same dice for both.

Every decision is first looked at in the rough; the few that look worst are then played on by the rules, once with what
was done and once with the better idea. Only what stays clearly worse is blamed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from shieldwall.analysis.moments import Moment
from shieldwall.analysis.what_if import activations_as_recorded, plan_ends, recorded_ends
from shieldwall.bots.board_summary import board_summary_of, spot_of
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.outcome_estimates import is_down
from shieldwall.bots.plan import ActivationPlan, ExpectedHarm
from shieldwall.bots.playouts import Playouts
from shieldwall.bots.successive_halving import end_of
from shieldwall.core.pending import Choice
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Ruleset

ROUGH_BATTLES = 256  # after each decision, to find those worth a closer look
TRIES = 6  # times a recorded activation is played to see what it does on average
CERTAIN = 1.645  # standard errors: the better idea is better with 95 % certainty


class Effort(NamedTuple):
    """How closely to look: decisions of each side that are played on by the rules, and battles of each."""

    candidates: int = 4
    first_battles: int = 10
    blamed: int = 3
    battles: int = 48


USUAL_EFFORT = Effort()


class BlamedDecision(Struct, frozen=True):
    """A decision that cost its side something. Chances are those of its side, a draw counted as half a win.

    `cost` is what the better idea would have brought, with the interval that holds it in 19 of 20 cases.
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


class _Doubt(NamedTuple):
    moment: Moment
    plan: ActivationPlan
    gap: float


class _Compared(NamedTuple):
    doubt: _Doubt
    recorded: tuple[float, ...]
    planned: tuple[float, ...]

    @property
    def cost(self) -> float:
        return (sum(self.planned) - sum(self.recorded)) / len(self.recorded)

    @property
    def error(self) -> float:
        """The standard error of the cost, from what the same dice brought to the one and the other."""
        gains = [plan - did for plan, did in zip(self.planned, self.recorded, strict=True)]
        if len(gains) < 2:
            return 1.0
        mean = sum(gains) / len(gains)
        variance = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
        return math.sqrt((variance + 1 / len(gains)) / len(gains))  # never quite nothing


def blamed_decisions(
    rules: Ruleset,
    moments: Sequence[Moment],
    effort: Effort = USUAL_EFFORT,
    progress: Callable[[float], None] = lambda share: None,
) -> tuple[BlamedDecision, ...]:
    """The decisions that cost most, of each side the worst first. `progress` hears which share of the work is done."""
    sides = sorted({moment.side for moment in moments})
    total = len(moments) + len(sides) * (effort.candidates + 2 * effort.blamed)
    done = 0

    def step(weight: int = 1) -> None:
        nonlocal done
        done += weight
        progress(min(1.0, done / total))

    doubts = []
    for moment in moments:
        doubts += _doubts(rules, moment)
        step()
    found: list[BlamedDecision] = []
    for side in sides:
        worst = sorted((one for one in doubts if one.moment.side == side), key=lambda one: -one.gap)
        compared = []
        for doubt in worst[: effort.candidates]:
            compared.append(_compare(rules, doubt, range(effort.first_battles)))
            step()
        compared.sort(key=lambda one: -one.cost)
        for one in compared[: effort.blamed]:
            more = _compare(
                rules, one.doubt, range(effort.first_battles, effort.first_battles + effort.battles)
            )
            step(2)
            if more.cost > CERTAIN * more.error:  # judged by fresh dice: those that picked it out favour it
                found.append(_blamed(more))
    return tuple(sorted(found, key=lambda one: (one.side, -one.cost)))


def _doubts(rules: Ruleset, moment: Moment) -> list[_Doubt]:
    """How much better the best idea looks in the rough than what was done; nothing where there was no choice."""
    decision = moment.decision
    assert isinstance(decision, Choice)
    units = [moment.state.units[option.unit] for option in decision.options if option.unit >= 0]
    ask = BotTurn(rules, moment.state, decision, numbers_for("analysis", 0))
    ideas = GreedyBot().foreseen(ask, units)
    did = _did(rules, moment)
    if not ideas or did is None:
        return []
    sketch = board_summary_of(rules, moment.state, moment.side)
    rough = Playouts(sketch, numbers_for("analysis", 1))
    plan = ideas[0].plan
    best = rough.value(plan.unit, *end_of(sketch, plan), plan.harms, 0, ROUGH_BATTLES)
    unit, x, y, harms = did
    return [_Doubt(moment, plan, (best - rough.value(unit, x, y, harms, 0, ROUGH_BATTLES)) / rough.army)]


def _did(rules: Ruleset, moment: Moment) -> tuple[int, float, float, tuple[ExpectedHarm, ...]] | None:
    """What a recorded activation does on average: the unit, where it ends, and the harm it does and takes."""
    unit = acting_unit(moment)
    if unit < 0:
        return None
    ends = activations_as_recorded(rules, moment, [f"analysis {number}" for number in range(TRIES)])
    spots = [spot_of(end.units[unit]) for end in ends if end.units[unit].models]
    at = spots[0] if spots else spot_of(moment.state.units[unit])
    return unit, at[0], at[1], _harms(rules, moment.state, ends)


def _harms(rules: Ruleset, before: State, ends: Sequence[State]) -> tuple[ExpectedHarm, ...]:
    found = []
    for unit in before.units:
        if not unit.models or unit.place != "table":
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


def acting_unit(moment: Moment) -> int:
    """The unit that was chosen; -1 where the log ends before."""
    if not moment.answers:
        return -1
    answer = moment.answers[0][1]
    decision = moment.decision
    assert isinstance(decision, Choice)
    picked = getattr(answer, "option", "")
    return next((option.unit for option in decision.options if option.key == picked), -1)


def _compare(rules: Ruleset, doubt: _Doubt, numbers: range) -> _Compared:
    seeds = [f"what if {doubt.moment.number} {number}" for number in numbers]
    return _Compared(
        doubt,
        tuple(recorded_ends(rules, doubt.moment, seeds)),
        tuple(plan_ends(rules, doubt.moment, doubt.plan, seeds)),
    )


def _blamed(compared: _Compared) -> BlamedDecision:
    moment, plan = compared.doubt.moment, compared.doubt.plan
    games = len(compared.recorded)
    margin = 1.96 * compared.error
    return BlamedDecision(
        number=moment.number,
        step=moment.step,
        round=moment.state.round,
        side=moment.side,
        unit=acting_unit(moment),
        did=_words(moment),
        better_unit=plan.unit,
        better=plan.what,
        chance=sum(compared.recorded) / games,
        better_chance=sum(compared.planned) / games,
        cost=compared.cost,
        low=compared.cost - margin,
        high=compared.cost + margin,
        battles=games,
    )


def _words(moment: Moment) -> str:
    """What was done, as the log tells it."""
    from shieldwall.story import Story

    story = Story(moment.state, dice=False)
    lines = [*story.add(moment.state, moment.events), *story.end()]
    told = next((line.text for line in lines if line.kind in ("turn", "attack", "move")), "")
    return told.removesuffix(".")
