"""A whole game looked at afterwards: the chance to win through the battle, what cost most, and how the dice fell."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from shieldwall.analysis.chance import chance_to_win
from shieldwall.analysis.decisions import USUAL_EFFORT, BlamedDecision, Effort, acting_unit, blamed_decisions
from shieldwall.analysis.moments import Moment, RecordedGame, recorded_game
from shieldwall.core.errors import ShieldwallError
from shieldwall.odds.luck import luck
from shieldwall.replay.format import Log
from shieldwall.replay.player import rules_of
from shieldwall.rules.ruleset import Ruleset
from shieldwall.story.names import side_name

CURVE_SHARE = 0.1  # of the work


class AnalysisError(ShieldwallError):
    """The game cannot be analysed; the message says why."""


class CurvePoint(Struct, frozen=True):
    """The chance of side 0 before an activation; the last point is how the game ended."""

    step: int
    round: int
    side: int
    unit: int
    chance: float
    low: float
    high: float


class DiceLuck(Struct, frozen=True):
    """The dice of one side: how many did what was hoped for, how many would be expected, and how seldom fair dice
    do no better (0.5 is quite ordinary)."""

    side: int
    dice: int
    good: int
    expected: float
    no_better: float


class Analysis(Struct, frozen=True):
    """What can be said about a game afterwards."""

    edition: str
    sides: tuple[str, ...]
    winner: int
    rounds: int
    curve: tuple[CurvePoint, ...]
    decisions: tuple[BlamedDecision, ...]
    luck: tuple[DiceLuck, ...]


def analyse(
    log: Log,
    effort: Effort = USUAL_EFFORT,
    progress: Callable[[float], None] = lambda share: None,
) -> Analysis:
    """Look at a recorded game of two sides."""
    rules = rules_of(log)
    assert isinstance(rules, Ruleset)
    setup = log.header.setup
    if len(setup.sides) != 2:
        raise AnalysisError(f"only games of two sides can be analysed; this one has {len(setup.sides)}")
    game = recorded_game(rules, log)
    curve = []
    for moment in game.moments:
        curve.append(_point(rules, moment))
        progress(CURVE_SHARE * len(curve) / len(game.moments))
    decisions = blamed_decisions(
        rules, game.moments, effort, lambda share: progress(CURVE_SHARE + (1 - CURVE_SHARE) * share)
    )
    end = game.end
    return Analysis(
        edition=setup.ruleset,
        sides=tuple(side_name(setup, side) for side in range(len(setup.sides))),
        winner=-1 if end.winner is None else end.winner,
        rounds=end.round,
        curve=(*curve, *_last_point(game)),
        decisions=decisions,
        luck=_luck(game),
    )


def _point(rules: Ruleset, moment: Moment) -> CurvePoint:
    found = chance_to_win(rules, moment.state, moment.side)
    return CurvePoint(
        moment.step,
        moment.state.round,
        moment.side,
        acting_unit(moment),
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
