"""Work that is done in processes of their own, so that neither bots nor previews ever hold up the server.

Everything goes in and comes out as bytes or plain structs. A worker keeps the states it saw last.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from shieldwall.bots import numbers_for, seen_by
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import decode_state
from shieldwall.core.engine import check, pending_of, submit
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.server.asking import PlannedAnswer, Question
from shieldwall.server.coaching import advice, reason
from shieldwall.server.forms import PLANNED_KINDS, question_for
from shieldwall.server.messages import Measure, Measured, Overlaid, Overlay, Preview, Previewed
from shieldwall.server.opponents import policy_of
from shieldwall.server.overlays import measured, overlaid
from shieldwall.server.previews import previewed

STATES_KEPT = 16
POLICIES_KEPT = 64
ANSWERS_AHEAD = 8  # more than any activation takes before dice fall

_states: OrderedDict[tuple[str, int], State] = OrderedDict()
_policies: OrderedDict[tuple[str, int, str], Policy] = OrderedDict()


class Position(NamedTuple):
    """A state of a game as it travels to a worker."""

    game: str
    seq: int
    edition: str
    state: bytes


class Thought(NamedTuple):
    """What a bot answers, and why."""

    answer: AnyAnswer
    why: str


def warm() -> bool:
    """Nothing to do: a worker that runs this has imported everything that jobs need."""
    return True


def warm_office() -> bool:
    """Import what requests need, and read the catalogue of rules."""
    from shieldwall.server import afterwards, importing, library, setup

    library.found("charge", "", 1)
    return all((afterwards, importing, setup))


def _state(position: Position) -> State:
    key = (position.game, position.seq)
    known = _states.get(key)
    if known is None:
        known = _states[key] = decode_state(position.state)
        while len(_states) > STATES_KEPT:
            _states.popitem(last=False)
    return known


def _decision(position: Position, state: State) -> Decision | None:
    pending = pending_of(ruleset(position.edition), state)
    return pending if isinstance(pending, Decision) else None


def think(position: Position, bot: str, seat: int) -> Thought | None:
    """The answer of a bot to the question at hand; one that is not allowed gives way to the default."""
    state = _state(position)
    decision = _decision(position, state)
    if decision is None or decision.seat != seat:
        return None
    key = (position.game, seat, bot)
    policy = _policies.get(key)
    if policy is None:
        policy = _policies[key] = policy_of(bot, position.game)
        while len(_policies) > POLICIES_KEPT:
            _policies.popitem(last=False)
    numbers = numbers_for(f"{position.game} {position.seq}", seat)
    answer = policy.decide(seen_by(state, seat), decision, numbers)
    if check(decision, answer):
        return Thought(decision.default(), "")
    return Thought(answer, reason(ruleset(position.edition), state, decision, answer))


class Suggested(NamedTuple):
    """What a bot would answer now and next, and why."""

    answers: tuple[PlannedAnswer, ...]
    why: str


def hint(position: Position, bot: str, seat: int) -> Suggested | None:
    """What a bot would answer, for a player who wants advice: the whole activation, where one is about to begin."""
    state = _state(position)
    decision = _decision(position, state)
    if decision is None or decision.seat != seat:
        return None
    rules, policy = ruleset(position.edition), policy_of(bot, position.game)
    asked, answers = decision, list[PlannedAnswer]()
    before = state
    while len(answers) < ANSWERS_AHEAD:
        answer = policy.decide(
            seen_by(state, seat), asked, numbers_for(f"{position.game} {position.seq}", seat)
        )
        if check(asked, answer):
            answer = asked.default()
        answers.append(PlannedAnswer(asked.kind, answer))
        if decision.kind not in PLANNED_KINDS:
            break
        state, _, pending = submit(rules, state, answer)
        if not isinstance(pending, Decision) or pending.seat != seat or pending.kind == "activate":
            break
        asked = pending
    return Suggested(tuple(answers), advice(rules, before, decision, tuple(answers)))


def question(position: Position, mine: bool, can_undo: bool) -> Question:
    """The question at hand as a form."""
    state = _state(position)
    decision = _decision(position, state)
    assert decision is not None, "nothing is asked"
    return question_for(ruleset(position.edition), state, decision, mine, can_undo)


def preview(position: Position, request: Preview) -> Previewed | None:
    """The judgement of a move that is only tried."""
    state = _state(position)
    decision = _decision(position, state)
    if decision is None:
        return None
    return previewed(ruleset(position.edition), state, decision, position.seq, request)


def overlay(position: Position, request: Overlay) -> Overlaid:
    """What to draw over the table."""
    return overlaid(ruleset(position.edition), _state(position), request)


def measure(position: Position, request: Measure) -> Measured:
    """A tape laid on the table."""
    return measured(ruleset(position.edition), _state(position), request)
