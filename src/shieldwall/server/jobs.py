"""Jobs that run in separate processes, so that neither bots nor previews delay the server.

Arguments and results are bytes or plain structs. A worker keeps the games it was asked about last, so it needs only
what happened since then, and it computes a question once, however often it is shown.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.bots import numbers_for, seen_by
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import check, pending_of, submit
from shieldwall.core.pending import Decision
from shieldwall.core.state import State, acting
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.server.coaching import advice, reason
from shieldwall.server.forms import PLANNED_KINDS, question_for
from shieldwall.server.match import COMMANDS, THROWS, Answered, Began, carried_again
from shieldwall.server.messages import Measure, Measured, Overlaid, Overlay, Preview, Previewed
from shieldwall.server.opponents import policy_of
from shieldwall.server.overlays import measured, overlaid
from shieldwall.server.previews import previewed
from shieldwall.server.question_views import PlannedAnswer, Question

GAMES_KEPT = 400
POLICIES_KEPT = 64
ANSWERS_AHEAD = 8  # more than any activation takes before dice are rolled


class PlayedStep(NamedTuple):
    """A stored command with its dice: it leads from one position to the next."""

    seq: int
    command: bytes
    dice: bytes


class Position(NamedTuple):
    """A game as sent to a worker: the whole state, or what was played since the worker last saw it."""

    game: str
    seq: int
    edition: str
    state: bytes = b""
    steps: tuple[PlayedStep, ...] = ()


class StateNeededError(Exception):
    """The worker does not have the game's earlier state and needs the whole state."""


class KnownGame(NamedTuple):
    """A game in a worker's memory."""

    seq: int
    state: State
    decision: Decision | None


_games: OrderedDict[str, KnownGame] = OrderedDict()
_policies: OrderedDict[tuple[str, int, str], Policy] = OrderedDict()


class Thought(NamedTuple):
    """A bot's answer, and the reason for it."""

    answer: AnyAnswer
    why: str


def warm() -> bool:
    """Do nothing: a worker that runs this has imported everything that jobs need."""
    return True


def warm_office() -> bool:
    """Import what requests need, and load the rule catalogue and the ready-made armies."""
    from shieldwall.server import armoury, importing, library, results, setup

    library.found("charge", "", 1)
    return all((results, importing, setup, *map(armoury.ready_cards, EDITIONS)))


def known_game(position: Position) -> KnownGame:
    """The game at a position; raises `StateNeededError` if the worker cannot reach it."""
    known = _games.get(position.game)
    if known is None or known.seq != position.seq:
        known = _games[position.game] = _reached(position, known)
        while len(_games) > GAMES_KEPT:
            _games.popitem(last=False)
    _games.move_to_end(position.game)
    return known


def _reached(position: Position, known: KnownGame | None) -> KnownGame:
    rules = ruleset(position.edition)
    if position.state:
        state = decode_state(position.state)
        pending = pending_of(rules, state)
        return KnownGame(position.seq, state, pending if isinstance(pending, Decision) else None)
    for step in position.steps:
        if known is not None and step.seq == known.seq + 1:
            command = COMMANDS.decode(step.command)
            if not isinstance(command, Answered | Began):
                break
            carried = carried_again(rules, known.state, command, THROWS.decode(step.dice))
            known = KnownGame(step.seq, carried.state, carried.pending)
    if known is None or known.seq != position.seq:
        raise StateNeededError
    return known


def think(position: Position, bot: str, seat: int) -> Thought | None:
    """A bot's answer to the current question; if it is illegal, the default."""
    _, state, decision = known_game(position)
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
    """A bot's next answers, and the reason for them."""

    answers: tuple[PlannedAnswer, ...]
    why: str


def hint(position: Position, bot: str, seat: int) -> Suggested | None:
    """A bot's answer for a player who wants advice: the whole activation, if one is about to start."""
    _, state, decision = known_game(position)
    if decision is None or decision.seat != seat:
        return None
    rules, policy = ruleset(position.edition), policy_of(bot, position.game)
    asked, answers = decision, list[PlannedAnswer]()
    before, unit = state, acting(state)
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
        unit = acting(state) if asked.kind == "activate" else unit
        if not isinstance(pending, Decision) or pending.seat != seat or acting(state) != unit:
            break
        asked = pending
    return Suggested(tuple(answers), advice(rules, before, decision, tuple(answers)))


def move_warning(position: Position, answers: tuple[PlannedAnswer, ...]) -> str:
    """A warning if an activation would throw much away; otherwise ""."""
    from shieldwall.server.move_warnings import warning_before

    _, state, decision = known_game(position)
    return warning_before(ruleset(position.edition), state, decision, answers) if decision is not None else ""


def question(position: Position, mine: bool, can_undo: bool) -> Question:
    """The current question as a form."""
    _, state, decision = known_game(position)
    assert decision is not None, "nothing is asked"
    return question_for(ruleset(position.edition), state, decision, mine, can_undo)


def encoded_question(position: Position, can_undo: bool, can_do_for_me: bool) -> bytes:
    """The same for the seat that is asked, already encoded: the server forwards it without reading it."""
    return encode(replace(question(position, True, can_undo), can_do_for_me=can_do_for_me))


def preview(position: Position, request: Preview) -> Previewed | None:
    """The verdict on a move that is only being tried."""
    _, state, decision = known_game(position)
    if decision is None:
        return None
    return previewed(ruleset(position.edition), state, decision, position.seq, request)


def overlay(position: Position, request: Overlay) -> Overlaid:
    """What to draw over the table."""
    return overlaid(ruleset(position.edition), known_game(position).state, request)


def measure(position: Position, request: Measure) -> Measured:
    """A distance on the table."""
    return measured(ruleset(position.edition), known_game(position).state, request)
