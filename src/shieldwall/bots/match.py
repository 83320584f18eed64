"""The driver: hands every question to its seat and every roll to the dice until the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.policy import Policy
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.collecting import seldom_collecting
from shieldwall.core.engine import Progress, Rules, begin, submit, submit_checked
from shieldwall.core.errors import RefusedError, ShieldwallError
from shieldwall.core.frames import Casting
from shieldwall.core.pending import Decision, Numbers, Pending, Roll
from shieldwall.core.state import State
from shieldwall.core.view import view
from shieldwall.dice.source import Dice

ANSWERS_AT_MOST = 50_000  # many times the longest game; more means that a rule runs in a circle


class Watcher(Protocol):
    """Sees a game go by: a recorder, a storyteller, a judge."""

    def began(self, progress: Progress) -> None:
        """The game was set going."""
        ...

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """An answer was given to what `before` waited for."""
        ...


class GameResult(NamedTuple):
    """How a game went: the last state, its winner (-1: a draw) and how much happened.

    `forfeit` says why a seat lost before the end, where one did.
    """

    state: State
    winner: int
    turns: int
    answers: int
    rolls: int
    forfeit: str = ""


class ForfeitError(ShieldwallError):
    """A policy cannot go on: its seat loses the game, for this reason."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


class GameStuckError(ShieldwallError):
    """The game asked far more questions than any game can have."""


class IllegalAnswerError(ShieldwallError):
    """A policy gave an answer that the rules forbid."""


def play_game(
    rules: Rules,
    state: State,
    policies: Sequence[Policy],
    dice: Dice,
    log: Watcher | None = None,
    *,
    seed: int | str = 0,
    watchers: Sequence[Watcher] = (),
    trusting: bool = True,
) -> GameResult:
    """Play a game to its end: one policy per seat, each with its own numbers from `seed`.

    `log` and `watchers` see every step. Answers that a decision made itself are not checked again, unless
    `trusting` is switched off to test exactly that.
    """
    watching = (*watchers, log) if log is not None else tuple(watchers)
    with seldom_collecting():
        return _play(rules, state, _Seats(rules, policies, seed, trusting), dice, watching)


def _play(rules: Rules, state: State, seats: _Seats, dice: Dice, watching: tuple[Watcher, ...]) -> GameResult:
    progress = begin(rules, state)
    for watcher in watching:
        watcher.began(progress)
    turns = answers = taken = 0
    state, _, pending = progress
    while pending is not None:
        if isinstance(pending, Roll):
            answer: AnyAnswer = Faces(dice.faces(pending, state.rolls_made))
            progress = submit_checked(rules, state, pending, answer)
        else:
            try:
                answer, progress = seats.answer(rules, state, pending)
            except ForfeitError as error:
                return _forfeited(state, error, turns, answers)
        for watcher in watching:
            watcher.went(state, pending, answer, progress)
        state, _, pending = progress
        answers += 1
        turns, taken = turns + _turns_since(taken, state.turns_taken), state.turns_taken
        if answers > ANSWERS_AT_MOST:
            raise _stuck(state, pending)
    return GameResult(state, -1 if state.winner is None else state.winner, turns, answers, state.rolls_made)


def _turns_since(before: int, now: int) -> int:
    """Activations between two counts, which go up with every activation and start again each round."""
    return now - before if now >= before else now


def _forfeited(state: State, error: ForfeitError, turns: int, answers: int) -> GameResult:
    """The game as it stands, won by the other side."""
    loser = state.seats[error.seat].side
    winner = next(side for side in range(len(state.sides)) if side != loser)
    return GameResult(state, winner, turns, answers, state.rolls_made, str(error))


class _Seats:
    """The policies of a game with their numbers."""

    __slots__ = ("_numbers", "_plain", "_policies")

    def __init__(self, rules: Rules, policies: Sequence[Policy], seed: int | str, trusting: bool) -> None:
        self._policies = policies
        for policy in policies:
            introduce(policy, rules)
        self._numbers: list[Numbers] = [numbers_for(seed, seat) for seat in range(len(policies))]
        self._plain = [trusting and policy.samples_only for policy in policies]

    def answer(self, rules: Rules, state: State, pending: Decision) -> tuple[AnyAnswer, Progress]:
        """What the asked seat says, and what comes of it."""
        seat = pending.seat
        policy = self._policies[seat]
        answer = policy.decide(seen_by(state, seat), pending, self._numbers[seat])
        if self._plain[seat]:
            return answer, submit_checked(rules, state, pending, answer)
        try:
            return answer, submit(rules, state, answer)
        except RefusedError as error:
            raise IllegalAnswerError(
                f"{policy.name} answered {pending.kind!r} for seat {seat} in round {state.round} "
                f"with {answer}, which is not allowed: {error}"
            ) from error


def introduce(policy: Policy, rules: Rules) -> None:
    """Tell a bot that cares by which rules the game is played, so that it judges by those and no others."""
    play_by = getattr(policy, "play_by", None)
    if play_by is not None:
        play_by(rules)


def seen_by(state: State, seat: int) -> State:
    """What a seat may know of a state; the state itself, uncopied, while nothing in it is secret."""
    for frame in state.stack:
        if type(frame) is Casting and frame.bids:  # sealed bids are the only secret of a state
            return view(state, seat)
    return state


def _stuck(state: State, pending: Pending | None) -> GameStuckError:
    wanted = (
        pending.purpose if isinstance(pending, Roll) else pending.kind if pending is not None else "nothing"
    )
    where = " > ".join(frame.procedure for frame in state.stack)
    return GameStuckError(
        f"more than {ANSWERS_AT_MOST} answers and still in round {state.round}; "
        f"the game keeps asking for {wanted!r} in {where}"
    )
