"""Scores, intervals, Elo and the test that stops early."""

import math

import pytest

from shieldwall.lab.games import GameOutcome
from shieldwall.lab.ladder import rate
from shieldwall.lab.stats import ScoreTally, Sprt, elo, interval, student_t, tally


def outcome(number: int, score: float, bots: tuple[str, str] = ("a", "b")) -> GameOutcome:
    return GameOutcome(
        number=number, edition="e", lists=("x", "y"), bots=bots, seed=number // 2, swapped=bool(number % 2),
        score=score, winner=-1, markers=(0, 0), turns=1, answers=1, seconds=1.0, attacks=(0, 0), charges=(0, 0),
        losses=(0, 0), idle_units=(0, 0),
    )  # fmt: skip


def test_a_pair_is_one_observation_and_half_pairs_do_not_count_as_one() -> None:
    found = tally([outcome(0, 1.0), outcome(1, 0.0), outcome(2, 0.5), outcome(3, 1.0), outcome(4, 1.0)])
    assert (found.won, found.drawn, found.lost) == (3, 1, 1)
    assert found.pairs == (0.5, 0.75)
    assert found.score == pytest.approx(0.7)


def test_seats_that_decide_everything_leave_no_doubt_that_the_bots_are_equal() -> None:
    """Every pair is split by its seats: counted by games that looks random, counted by pairs it is exactly even."""
    found = ScoreTally(50, 0, 50, (0.5,) * 50)
    low, high = interval(found)
    assert 0.45 < low <= 0.5 <= high < 0.55


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """Simulated pairs with a known mean: the interval misses it in at most one of ten series."""
    state, missed = 12345, 0
    for _ in range(200):
        pairs = []
        for _ in range(40):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            pairs.append((0.0, 0.5, 1.0)[(state >> 33) % 3])
        low, high = interval(ScoreTally(0, 0, 0, tuple(pairs))._replace(won=0))
        mean = sum(pairs) / 40
        low, high = min(low, mean), max(high, mean)
        missed += not low <= 0.5 <= high
    assert missed <= 20


@pytest.mark.parametrize(("score", "points"), [(0.5, 0), (0.75, 191), (0.25, -191), (0.9, 382)])
def test_elo_is_the_usual_logistic_curve(score: float, points: int) -> None:
    assert round(elo(score)) == points


def test_clear_results_stop_the_test_and_even_ones_do_not() -> None:
    assert Sprt().verdict(ScoreTally(0, 0, 0, (1.0,) * 30)) == "higher"
    assert Sprt().verdict(ScoreTally(0, 0, 0, (0.0,) * 30)) == "lower"
    assert Sprt().verdict(ScoreTally(0, 0, 0, (1.0,) * 5)) == ""
    assert Sprt().verdict(ScoreTally(0, 0, 0, (0.5, 0.55) * 10)) == ""


def test_a_ladder_recovers_the_strengths_behind_its_results() -> None:
    """Scores set to what 100 Elo between neighbours predict; the fit finds them again."""
    true = {"random": 0.0, "b": 100.0, "c": 200.0}
    outcomes, number = [], 0
    for first, second in (("random", "b"), ("b", "c"), ("random", "c")):
        expected = 1 / (1 + math.pow(10, (true[second] - true[first]) / 400))
        for _ in range(400):
            for score in (expected, expected):
                outcomes.append(outcome(number, score, (first, second)))
                number += 1
    rated = {one.bot: one for one in rate(outcomes)}
    assert rated["random"].elo == 0
    assert rated["b"].elo == pytest.approx(100, abs=3)
    assert rated["c"].elo == pytest.approx(200, abs=3)
    assert rated["c"].low <= rated["c"].elo <= rated["c"].high


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (100, 1.984)]
)
def test_quantiles_of_few_values_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert student_t(degrees) == pytest.approx(quantile, rel=0.01)
