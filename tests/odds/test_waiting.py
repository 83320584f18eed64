"""Large questions: limits of memory and time, progress messages, and the error of the answer."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import sys
from fractions import Fraction

import pytest
from msgspec.structs import replace

from shieldwall.cli.main import main
from shieldwall.cli.waiting import Waiting
from shieldwall.editions import ruleset
from shieldwall.odds import Budget, Duel, Odds, duel, forget
from shieldwall.rules.features.loose_limits import coherency_of
from shieldwall.rules.features.loose_policies import is_crammed, stands_together

COUNTING = "shieldwall: counting every result of the dice; this may take a while"
OUT_OF_TIME = "shieldwall: counting every result takes longer than --seconds allows; sampling games instead"


def large() -> Duel:
    return duel(ruleset("aof-2"), "24x Q4 A1", "24x D4 A1")


def asked(budget: Budget, patience: float) -> Odds:
    forget()
    with Waiting(patience) as waiting:
        if not patience:
            begun(waiting)
        return large().odds(budget, waiting)


def begun(waiting: Waiting) -> None:
    """Its thread has had its first turn."""
    waiting._timer.join()


def everything_written(terminal: int) -> str:
    """Everything sent to a closed terminal, which arrives in pieces."""
    shown = b""
    with contextlib.suppress(OSError):  # the end of it, on Linux
        while piece := os.read(terminal, 100_000):
            shown += piece
    os.close(terminal)
    return shown.decode()


def test_exact_odds_stop_at_their_memory_limit() -> None:
    """One megabyte is not enough for all states of the fight; the odds say so, and are near the exact ones."""
    forget()
    exact, sampled = large().odds(), large().odds(Budget(memory=1, samples=2000))
    assert (exact.exact, exact.why) == (True, "")
    assert (sampled.samples, sampled.why) == (2000, "memory")
    off = abs(float(sampled.unit(1).broken - exact.unit(1).broken))
    assert off <= 5 * sampled.error(exact.unit(1).broken)


def test_exact_odds_stop_at_their_time_limit() -> None:
    """And so do the games played instead, which are never fewer than a hundred."""
    forget()
    found = large().odds(Budget(seconds=0.001, samples=10**9))
    assert found.why == "time"
    assert 100 <= found.samples < 10**9
    assert sum((branch.chance for branch in found.branches), Fraction(0)) == 1


def test_in_a_pipe_one_line_announces_a_long_wait(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is said of what is quick."""
    assert asked(Budget(), patience=0.0).exact
    assert capsys.readouterr().err.splitlines() == [COUNTING]
    assert asked(Budget(), patience=600.0).exact
    assert capsys.readouterr().err == ""


def test_in_a_pipe_a_line_says_when_games_are_played_instead(capsys: pytest.CaptureFixture[str]) -> None:
    assert not asked(Budget(seconds=0.001, samples=300), patience=0.0).exact
    assert capsys.readouterr().err.splitlines() == [COUNTING, OUT_OF_TIME]


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names what is done and is wiped away at the end."""
    ours, theirs = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with Waiting(0.0) as waiting:
            begun(waiting)
            waiting(0.5, 1234, "")
    shown = everything_written(ours)
    assert "Counting every result" in shown
    assert "50%" in shown
    assert "1,234 states" in shown


def test_an_answer_by_games_says_why_and_how_far_off_it_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["odds", "5x A1", "vs", "5x A1", "--memory", "0", "--samples", "400"]
    assert main(line) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "sampled: --memory 0 asks for it, so 400 games were played" in told
    assert "with 95% confidence the error is below 5.0%" in told
    assert main([*line, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["exact"], found["samples"], found["why"]) == (False, 400, "asked")


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6", "skirmish-3.2"])
def test_models_on_one_spot_may_be_lost_in_any_order(edition: str) -> None:
    """A2-SHOOT-18: if models stand this close, losing any of them keeps the others coherent."""
    rules = ruleset(edition)
    state = duel(rules, '12x Q4 24" A1', "12x D4").state
    unit = state.units[1]
    rule = coherency_of(rules, state)
    assert is_crammed(unit, rule)
    assert all(
        stands_together(state, unit, (one.id, two.id), rule) for one in unit.models for two in unit.models
    )
    apart = replace(
        unit, poses=(replace(unit.poses[0], x=unit.poses[0].x + round(1000 * rule.link) + 1), *unit.poses[1:])
    )
    assert not is_crammed(apart, rule)
