"""The analysis of a whole game: the chance to win throughout, what cost most, and how the dice fell."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.analysis.account import AccountLine, account_of, summary_of, unblamed_words
from shieldwall.analysis.chance import chance_before
from shieldwall.analysis.decisions import (
    USUAL_EFFORT,
    BlamedDecision,
    CandidateMistake,
    Effort,
    blamed_among,
    candidate_mistake,
    examined,
    repeated_activations,
)
from shieldwall.analysis.moments import Moment, RecordedGame, recorded_game
from shieldwall.analysis.rolls import SurprisingRoll, surprising_rolls
from shieldwall.analysis.swings import LuckAndSkill, Swing, balance_of, swing_of
from shieldwall.core.errors import ShieldwallError
from shieldwall.odds.luck import luck
from shieldwall.replay.format import Log
from shieldwall.replay.player import rules_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.story.names import Names, side_name

CURVE_SHARE, DECISIONS_SHARE = 0.04, 0.4  # of the work done after each part


class AnalysisError(ShieldwallError):
    """The game cannot be analysed; the message says why."""


class CurvePoint(Struct, frozen=True):
    """The chance of side 0 before an activation; the last point is the result."""

    step: int
    round: int
    side: int
    unit: int
    chance: float
    low: float
    high: float


class DiceLuck(Struct, frozen=True):
    """The dice of one side: how many did what was hoped for, how many would be expected to, and how seldom fair dice
    do no better (0.5 is quite ordinary).
    """

    side: int
    dice: int
    good: int
    expected: float
    no_better: float


class Analysis(Struct, frozen=True):
    """The findings about a game so far; `done` is the share of the work completed.

    `balance` is None until every decision has been looked at, and if the game has no result. `account` says the same in
    whole points that add up (once all is done), `summary` in words; `unblamed` is the text for each side if nothing is
    blamed.
    """

    edition: str
    sides: tuple[str, ...]
    winner: int
    rounds: int
    curve: tuple[CurvePoint, ...]
    decisions: tuple[BlamedDecision, ...]
    luck: tuple[DiceLuck, ...]
    rolls: tuple[SurprisingRoll, ...] = ()
    balance: LuckAndSkill | None = None
    account: tuple[AccountLine, ...] = ()
    summary: str = ""
    unblamed: tuple[str, ...] = ()
    done: float = 1.0


def analyse(
    log: Log,
    effort: Effort = USUAL_EFFORT,
    progress: Callable[[float], None] = lambda share: None,
) -> Analysis:
    """Analyse a recorded game of two sides."""
    for found in growing_analysis(log, effort):
        progress(found.done)
    return found


def growing_analysis(log: Log, effort: Effort = USUAL_EFFORT) -> Iterator[Analysis]:
    """The same step by step: the curve first, then decisions as they are found. The last one is complete."""
    rules = rules_of(log)
    assert isinstance(rules, Ruleset)
    setup = log.header.setup
    if len(setup.sides) != 2:
        raise AnalysisError(f"only games of two sides can be analysed; this one has {len(setup.sides)}")
    game = recorded_game(rules, log)
    if not game.moments:
        raise AnalysisError("nothing was decided in this game: it ended before the first activation")
    found = _first_look(rules, log, game)
    yield found
    candidates: list[CandidateMistake] = []
    swings: list[Swing] = []
    for moment in game.moments:
        if moment.unit >= 0:
            ends, loss = repeated_activations(rules, moment), 0.0
            after = found.curve[moment.number + 1].chance if moment.number + 1 < len(found.curve) else None
            if after is not None:
                before = found.curve[moment.number].chance
                swings.append(swing_of(rules, moment, before, after, ends))
                loss = -swings[-1].choice if moment.side == 0 else swings[-1].choice
            candidate = candidate_mistake(rules, moment, ends)
            candidates += [candidate._replace(loss=loss)] if candidate is not None else []
        share = (moment.number + 1) / len(game.moments)
        found = replace(found, done=CURVE_SHARE + (DECISIONS_SHARE - CURVE_SHARE) * share)
        yield found
    if game.end.winner is not None:
        found = replace(found, balance=balance_of(found.curve[0].chance, swings))
    for share, blamed in blamed_among(rules, candidates, effort):
        worst = sorted((*found.decisions, *([blamed] if blamed is not None else [])), key=_worst_first)
        found = replace(
            found, decisions=tuple(worst), done=DECISIONS_SHARE + (0.999 - DECISIONS_SHARE) * share
        )
        yield found
    if game.end.winner is not None:
        blamed_steps = {one.step for one in found.decisions}
        cleared = {one.moment.step for one in examined(candidates, effort)} - blamed_steps
        found = _with_account(found, Names(setup), swings, cleared)
    yield replace(found, done=1.0)


def _with_account(
    found: Analysis, names: Names, swings: Sequence[Swing], cleared: Container[int]
) -> Analysis:
    """The same with the origin of the result, in numbers and in words."""
    account = account_of(names, found.curve[0].chance, swings, found.curve[-1].chance, cleared)
    return replace(
        found,
        account=account,
        summary=summary_of(found.sides, found.winner, account),
        unblamed=(unblamed_words(account[1].points), unblamed_words(-account[2].points)),
    )


def _worst_first(one: BlamedDecision) -> tuple[int, float, int]:
    return one.side, -one.cost, one.number


def _first_look(rules: Ruleset, log: Log, game: RecordedGame) -> Analysis:
    """Everything that is known without playing on."""
    setup, end = log.header.setup, game.end
    return Analysis(
        edition=setup.ruleset,
        sides=tuple(side_name(setup, side) for side in range(len(setup.sides))),
        winner=-1 if end.winner is None else end.winner,
        rounds=end.round,
        curve=(*(_point(rules, moment) for moment in game.moments), *_last_point(game)),
        decisions=(),
        luck=_luck(game),
        rolls=surprising_rolls(game.moments),
        done=CURVE_SHARE,
    )


def _point(rules: Ruleset, moment: Moment) -> CurvePoint:
    found = chance_before(rules, moment.state, moment.decision)
    return CurvePoint(
        moment.step,
        moment.state.round,
        moment.side,
        moment.unit,
        round(found.chance, 4),
        round(found.low, 4),
        round(found.high, 4),
    )


def _last_point(game: RecordedGame) -> tuple[CurvePoint, ...]:
    end = game.end
    if end.winner is None:
        return ()
    score = 0.5 if end.winner < 0 else float(end.winner == 0)
    return (CurvePoint(game.steps, end.round, -1, -1, score, score, score),)


def _luck(game: RecordedGame) -> tuple[DiceLuck, ...]:
    return tuple(
        DiceLuck(game.end.seats[row.seat].side, row.dice, row.good, float(row.expected), float(row.chance))
        for row in luck(game.events).seats
        if 0 <= row.seat < len(game.end.seats)
    )
