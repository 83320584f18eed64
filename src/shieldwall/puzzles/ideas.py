"""Ideas: what a side may do with its next activation, distinguished by what matters, not by every inch.

Two ways of playing are the same idea if the same unit charges or shoots at the same target, or ends at the same
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
from shieldwall.core.answers import AnyAnswer, Bid, Pick
from shieldwall.core.events import ActionChosen, AnyEvent, Declared
from shieldwall.core.frames import Casting
from shieldwall.core.grammar import counted, does
from shieldwall.core.pending import Choice, Decision, Numbers, Option
from shieldwall.core.state import State
from shieldwall.rules.features.tokens_bids import BidTokens
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.objectives import units_near
from shieldwall.story import Names
from shieldwall.story.names import joined

FIRST_TRY = "the idea"  # the dice used when looking at an idea
SPELL_QUESTIONS = (
    "bid",
    "oppose",
)  # questions about stopping a spell: tokens to spend, or whether to try at all


SpellAndTargets = tuple[str, tuple[int, ...]]


class IdeaKey(Struct, frozen=True):
    """What identifies an idea: the unit, what it does, to whom, and at which markers it ends.

    `does` is "charge", "shoot" or "move"; against a spell "bid" with the tokens spent, "stop" or "let".
    """

    unit: int
    does: str
    target: int = -1
    markers: tuple[int, ...] = ()
    tokens: int = 0


class PuzzleIdea(NamedTuple):
    """An idea with a policy that carries it out and then plays on like `then`.

    `worth` is its value by quick playouts, in armies.
    """

    key: IdeaKey
    starter: Callable[[Policy], Policy]
    worth: float = 0.0


class IdeaFinder(GreedyBot):
    """Considers more ideas per unit than a bot that has to move."""

    name: ClassVar[str] = "idea finder"
    glances: ClassVar[int] = 8
    ideas_looked_at: ClassVar[int] = 20
    ideas_each: ClassVar[int] = 4


class FirstAnswer:
    """Gives one answer, then plays like another policy."""

    name = "first answer"
    samples_only = False

    def __init__(self, answer: AnyAnswer, then: Policy) -> None:
        self._answer: AnyAnswer | None = answer
        self._then = then

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        """The answer, once."""
        answer, self._answer = self._answer, None
        return answer if answer is not None else self._then.decide(view, decision, numbers)


def ideas_of(rules: Ruleset, moment: Moment, most: int = 100, spread: float = 0.0) -> list[PuzzleIdea]:
    """Ideas worth considering, without duplicates, most promising first; at most `most` of them.

    There are none if quick playouts see less than `spread` between the best and the worst, in armies.
    """
    if is_about_a_spell(moment.decision):
        return _replies_to_a_spell(moment.decision)
    ask = BotTurn(rules, moment.state, moment.decision, numbers_for("puzzle", 0))
    units = [moment.state.units[unit] for unit in moment.units]
    army = Evaluation(ask.sketch, EvaluationWeights()).army
    foreseen = sorted(IdeaFinder(battles=24).foreseen(ask, units), key=lambda idea: -idea.worth)
    if not foreseen or foreseen[0].worth - foreseen[-1].worth < spread * army:
        return []
    found: dict[IdeaKey, PuzzleIdea] = {}
    for idea in foreseen:
        carried = _carrying(idea.plan)
        key = key_of(rules, moment, carried(PlayoutBot()), idea.plan.unit)
        found.setdefault(key, PuzzleIdea(key, carried, idea.worth / army))
        if len(found) == most:
            break
    return list(found.values())


def _carrying(plan: ActivationPlan) -> Callable[[Policy], Policy]:
    return lambda then: WithPlan(plan, then)


def is_about_a_spell(decision: Decision) -> bool:
    """Whether a side is asked to stop a spell of the other one."""
    return decision.kind in SPELL_QUESTIONS


def spell_cast(state: State) -> SpellAndTargets:
    """The spell that is being cast, and its targets."""
    frame = next(frame for frame in reversed(state.stack) if isinstance(frame, Casting))
    return frame.spell, frame.targets


def _replies_to_a_spell(decision: Decision) -> list[PuzzleIdea]:
    """Oppose it with everything, or let it happen; intermediate numbers of tokens are left out."""
    if isinstance(decision, BidTokens):
        answers: list[AnyAnswer] = [Bid(decision.lowest), Bid(0)]
    else:
        assert isinstance(decision, Choice)
        answers = [Pick(option.key) for option in decision.options]
    return [reply_to_a_spell(decision, answer) for answer in answers]


def reply_to_a_spell(decision: Decision, answer: AnyAnswer) -> PuzzleIdea:
    """The idea behind an answer to the question whether to stop a spell."""
    if isinstance(answer, Bid):
        key = IdeaKey(-1, "bid", tokens=answer.tokens)
    else:
        assert isinstance(decision, Choice)
        picked = _picked(decision, answer)
        key = IdeaKey(picked.unit, "let" if picked.key in ("none", "no") else "stop")
    return PuzzleIdea(key, lambda then: FirstAnswer(answer, then))


def _picked(decision: Choice, answer: AnyAnswer) -> Option:
    assert isinstance(answer, Pick)
    return next(option for option in decision.options if option.key == answer.option)


def key_of(rules: Ruleset, moment: Moment, first: Policy, unit: int) -> IdeaKey:
    """The idea carried out in the next activation."""
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
    if key.does in ("let", "stop"):
        return "let it happen" if key.does == "let" else "try to stop it"
    if key.does == "bid":
        return f"spend {counted(-key.tokens, 'token')} against it" if key.tokens else "spend no tokens"
    unit = state.units[key.unit]
    many = unit.start_models or len(unit.models)
    name = names.unit(key.unit)
    if key.does == "charge":
        return f"{does(name, 'charge', many)} {names.unit(key.target)}"
    where = joined([names.marker(marker) for marker in key.markers])
    if key.does == "shoot":
        shot = f"{does(name, 'shoot', many)} at {names.unit(key.target)}"
        return f"{shot} from {where}" if where else shot
    return f"{does(name, 'go', many)} to {where}" if where else f"{does(name, 'stay', many)} off the markers"
