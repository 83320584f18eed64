"""Ideas: what a side may do with its next activation, told apart by what matters and not by every inch.

Two ways of playing are the same idea where the same unit charges or shoots at the same target, or ends at the same
markers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NamedTuple

from msgspec import Struct

from shieldwall.analysis.moments import Moment
from shieldwall.analysis.what_if import WithPlan, activation
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.playout_policy import PlayoutBot
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer, Bid
from shieldwall.core.events import ActionChosen, AnyEvent, Declared
from shieldwall.core.grammar import does
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import units_near
from shieldwall.story import Names
from shieldwall.story.names import joined

FIRST_TRY = "the idea"  # the dice with which an idea is looked at


class IdeaKey(Struct, frozen=True):
    """What makes an idea: the unit, what it does, to whom, and at which markers it ends up.

    `does` is "charge", "shoot", "move" or "bid"; a bid has its tokens in `tokens`.
    """

    unit: int
    does: str
    target: int = -1
    markers: tuple[int, ...] = ()
    tokens: int = 0


class PuzzleIdea(NamedTuple):
    """An idea with somebody who carries it out and then plays on as `then` would.

    `worth` is its value by quick playouts, in armies.
    """

    key: IdeaKey
    starter: Callable[[Policy], Policy]
    worth: float = 0.0


class IdeaFinder(GreedyBot):
    """Looks at more ideas of each unit than a bot that has to move."""

    name: ClassVar[str] = "idea finder"
    glances: ClassVar[int] = 8
    ideas_looked_at: ClassVar[int] = 20
    ideas_each: ClassVar[int] = 4


class FirstAnswer:
    """Gives one answer, then plays as somebody else would."""

    name = "first answer"
    samples_only = False

    def __init__(self, answer: AnyAnswer, then: Policy) -> None:
        self._answer: AnyAnswer | None = answer
        self._then = then

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The answer, once."""
        answer, self._answer = self._answer, None
        return answer if answer is not None else self._then.decide(view, decision, numbers)


def ideas_of(rules: Ruleset, moment: Moment) -> list[PuzzleIdea]:
    """All ideas that are worth a thought, each once."""
    if isinstance(moment.decision, BidTokens):
        return _bids(moment.decision)
    ask = BotTurn(rules, moment.state, moment.decision, numbers_for("puzzle", 0))
    units = [moment.state.units[unit] for unit in moment.units]
    found: dict[IdeaKey, PuzzleIdea] = {}
    army = Evaluation(ask.sketch, EvaluationWeights()).army
    for idea in IdeaFinder(battles=24).foreseen(ask, units):
        carried = _carrying(idea.plan)
        key = key_of(rules, moment, carried(PlayoutBot()), idea.plan.unit)
        found.setdefault(key, PuzzleIdea(key, carried, idea.worth / army))
    return sorted(found.values(), key=lambda idea: -idea.worth)


def _carrying(plan: ActivationPlan) -> Callable[[Policy], Policy]:
    return lambda then: WithPlan(plan, then)


def _bids(decision: BidTokens) -> list[PuzzleIdea]:
    def giving(tokens: int) -> PuzzleIdea:
        return PuzzleIdea(IdeaKey(-1, "bid", tokens=tokens), lambda then: FirstAnswer(Bid(tokens), then))

    return [giving(tokens) for tokens in range(decision.lowest, decision.highest + 1)]


def key_of(rules: Ruleset, moment: Moment, first: Policy, unit: int) -> IdeaKey:
    """Which idea it is that somebody carries out in the next activation."""
    after, events = activation(rules, moment, first, unit, FIRST_TRY)
    return idea_in(rules, unit, events, after)


def idea_in(rules: Ruleset, unit: int, events: tuple[AnyEvent, ...], after: State) -> IdeaKey:
    """The idea behind what happened in an activation."""
    actions = [event.action for event in events if isinstance(event, ActionChosen) and event.unit == unit]
    aimed = [event for event in events if isinstance(event, Declared) and event.unit == unit]
    if actions and actions[-1] == "charge":
        return IdeaKey(unit, "charge", next((one.target for one in aimed if one.group == "charge"), -1))
    at = tuple(
        marker.id
        for marker in after.markers
        if not marker.gone and any(near.id == unit for near in units_near(rules, after, marker))
    )
    if aimed:
        return IdeaKey(unit, "shoot", aimed[0].target, at)
    return IdeaKey(unit, "move", markers=at)


def idea_words(state: State, key: IdeaKey) -> str:
    """An idea in words."""
    names = Names(state)
    if key.does == "bid":
        return "put in no token" if not key.tokens else f"put in {abs(key.tokens)} against it"
    unit = state.units[key.unit]
    many = len(unit.models)
    name = names.unit(key.unit)
    if key.does == "charge":
        return f"{does(name, 'charge', many)} {names.unit(key.target)}"
    where = joined([names.marker(marker) for marker in key.markers])
    if key.does == "shoot":
        shot = f"{does(name, 'shoot', many)} at {names.unit(key.target)}"
        return f"{shot} from {where}" if where else shot
    return f"{does(name, 'go', many)} to {where}" if where else f"{does(name, 'stay', many)} off the markers"
