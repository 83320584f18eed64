"""The driver: hands every question to its seat and every roll to the dice until the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from shieldwall.bots.numbers import numbers_for
from shieldwall.bots.policy import Policy
from shieldwall.bots.random_bot import RandomBot
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import GameRun, Progress, Rules, advance, check, rested, run
from shieldwall.core.errors import RefusedError, ShieldwallError
from shieldwall.core.frames import Casting
from shieldwall.core.gc_tuning import seldom_collecting
from shieldwall.core.pending import Decision, Numbers, Pending, Roll
from shieldwall.core.state import State
from shieldwall.core.view import view
from shieldwall.dice.source import Dice

ANSWERS_AT_MOST = 50_000  # many times the longest game; more means that a rule loops forever


class Watcher(Protocol):
    """Sees a game go by: a recorder, a storyteller, a judge."""

    def began(self, progress: Progress) -> None:
        """The game began."""
        ...

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """An answer was given to what `before` waited for."""
        ...


class MatchResult(NamedTuple):
    """The result of a game: the last state, its winner (-1: a draw) and counts.

    `forfeit` says why a seat lost before the end, if one did.
    """

    state: State
    winner: int
    turns: int
    answers: int
    rolls: int
    forfeit: str = ""


class ForfeitError(ShieldwallError):
    """A policy cannot continue: its seat loses the game, for this reason."""

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
) -> MatchResult:
    """Play a game to its end: one policy per seat, each with its own numbers from `seed`.

    `log` and `watchers` see every step. Answers that a decision made itself are not checked again, unless
    `trusting` is switched off to test exactly that.
    """
    watching = (*watchers, log) if log is not None else tuple(watchers)
    with seldom_collecting():
        return _play(rules, state, _Seats(rules, policies, seed, trusting), dice, watching)


def _play(
    rules: Rules, state: State, seats: _Seats, dice: Dice, watching: tuple[Watcher, ...]
) -> MatchResult:
    """Drive one game from question to question.

    The game settles into a state that others may keep only if somebody needs it: a watcher, or a policy that thinks.
    Rolls and random answers continue at once.
    """
    game = GameRun(rules, state)
    pending = run(game)
    if watching:
        progress = rested(game, pending)
        game = GameRun(rules, progress.state)
        for watcher in watching:
            watcher.began(progress)
    turns = answers = taken = 0
    while pending is not None:
        before = game.state
        if isinstance(pending, Roll):
            answer: AnyAnswer = Faces(dice.faces(pending, before.rolls_made))
        elif seats.draws[pending.seat]:
            answer = pending.sample(seats.numbers[pending.seat])
        else:
            before = before if watching else rested(game, pending).state
            try:
                answer = seats.answer(before, pending)
            except ForfeitError as error:
                return _forfeited(before, error, turns, answers)
            game = GameRun(rules, before)  # the policy may keep the state it was asked about
            # many questions hold their state, which would outlive the game
            before.__dict__.pop("_pending", None)
        pending_before = pending
        pending = advance(game, pending, answer)
        if watching:
            progress = rested(game, pending)
            game = GameRun(rules, progress.state)
            for watcher in watching:
                watcher.went(before, pending_before, answer, progress)
        answers += 1
        now = game.state.turns_taken
        if now != taken:
            turns, taken = turns + _turns_since(taken, now), now
        if answers > ANSWERS_AT_MOST:
            raise _stuck(game.rest(), pending)
    state = game.rest()
    return MatchResult(state, -1 if state.winner is None else state.winner, turns, answers, state.rolls_made)


def _turns_since(before: int, now: int) -> int:
    """Activations between two counts, which rise with every activation and restart each round."""
    return now - before if now >= before else now


def _forfeited(state: State, error: ForfeitError, turns: int, answers: int) -> MatchResult:
    """The game as it stands, won by the other side."""
    loser = state.seats[error.seat].side
    winner = next(side for side in range(len(state.sides)) if side != loser)
    return MatchResult(state, winner, turns, answers, state.rolls_made, str(error))


class _Seats:
    """The policies of a game with their numbers; `draws` are seats that take whatever their questions sample."""

    __slots__ = ("_is_checked", "_policies", "draws", "numbers")

    def __init__(self, rules: Rules, policies: Sequence[Policy], seed: int | str, trusting: bool) -> None:
        self._policies = policies
        for policy in policies:
            introduce(policy, rules)
        self.numbers: list[Numbers] = [numbers_for(seed, seat) for seat in range(len(policies))]
        self._is_checked = [trusting and policy.samples_only for policy in policies]
        self.draws = [trusting and type(policy) is RandomBot for policy in policies]

    def answer(self, state: State, pending: Decision) -> AnyAnswer:
        """The legal answer of the seat that is asked."""
        seat = pending.seat
        policy = self._policies[seat]
        answer = policy.decide(seen_by(state, seat), pending, self.numbers[seat])
        refusals = () if self._is_checked[seat] else check(pending, answer)
        if refusals:
            error = RefusedError(tuple((refusal.reason, refusal.cite) for refusal in refusals))
            raise IllegalAnswerError(
                f"{policy.name} answered {pending.kind!r} for seat {seat} in round {state.round} "
                f"with {answer}, which is illegal: {error}"
            ) from error
        return answer


def introduce(policy: Policy, rules: Rules) -> None:
    """Tell a bot that wants to know by which rules the game is played."""
    play_by = getattr(policy, "play_by", None)
    if play_by is not None:
        play_by(rules)


def seen_by(state: State, seat: int) -> State:
    """What a seat may know of a state; the state itself if nothing in it is secret."""
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
