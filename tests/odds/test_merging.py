"""Merging on the walk: it must keep the number of states small and change no result."""

from __future__ import annotations

from fractions import Fraction

import pytest
from slow_odds import by_fate, every_face, ready

from shieldwall.core import events as ev
from shieldwall.editions import ruleset
from shieldwall.odds import Budget, duel
from shieldwall.odds.api import of_line
from shieldwall.odds.walk import WalkedGame, WalkedUnits


@pytest.mark.parametrize(
    ("edition", "first", "second", "most"),
    [
        # two sides of 20 have 231 combinations of losses, and the loser of each melee passes or fails one test
        ("aof-2", "20x Q4 A1", "20x D4 A1", 700),
        ("regiments-3.5", "20x Q4 A1", "20x D4 A1", 360),
        # Deadly wounds land one by one; models that are gone are not told apart by who was hurt before
        ("aof-2", "10x Q4 A1 Deadly(3)", "10x D4 A1 Tough(3) Regeneration", 1100),
    ],
)
def test_a_charge_takes_few_states(edition: str, first: str, second: str, most: int) -> None:
    """Choices are no states of their own, and equal states are one."""
    found = duel(ruleset(edition), first, second).odds()
    assert found.exact
    assert found.states <= most


@pytest.mark.parametrize("edition", ["aof-2", "aof-1.6", "regiments-3.5"])
@pytest.mark.parametrize("defender", ["2x Q4 D4 A1 Tough(2) Regeneration", "2x Q4 D4 A1 Tough(3)"])
def test_folded_saves_and_merged_wounds_equal_every_face(edition: str, defender: str) -> None:
    """A2-SR-DEADLY-01, A2-SR-REGEN-01: Deadly and plain wounds on models that may ignore them."""
    meeting = duel(ruleset(edition), "2x Q4 A1 Deadly(2)", defender)
    found = meeting.odds()
    assert found.exact
    assert by_fate(found) == every_face(*ready(meeting))


def test_an_event_on_equal_units_gives_one_unit() -> None:
    """A walked game changes its state like any other game."""
    rules = ruleset("aof-2")
    state = duel(rules, "3x Q4 A1", "3x D4 A1").state
    event = ev.Removed(unit=1, models=(state.units[1].models[0].id,), cause="wounds", cite="")
    units = WalkedUnits()
    games = [WalkedGame(rules, state, rules.plans_for(state), units) for _ in range(2)]
    for game in games:
        game.emit(event)
    assert games[0].state.units[1] is games[1].state.units[1]
    assert games[1].state == event.apply(state)


def test_memory_bounds_exact_odds_and_sampling_says_so() -> None:
    """A budget without memory samples; the samples agree with the exact odds within five standard errors."""
    meeting = duel(ruleset("aof-2"), "6x Q4 A1", "6x D4 A1")
    exact = meeting.odds()
    sampled = meeting.odds(Budget(memory=0, samples=4000))
    assert exact.exact
    assert sampled.samples == 4000
    off = abs(float(sampled.unit(1).destroyed - exact.unit(1).destroyed))
    assert off <= 5 * sampled.error(exact.unit(1).destroyed)


def test_progress_goes_from_none_to_all() -> None:
    """The share of the work done never falls and comes close to one."""
    rules, state = duel(ruleset("aof-2"), "12x Q4 A1 AP(1)", "12x D4 A1").question()
    told: list[tuple[float, int]] = []
    found = of_line(rules, state, progress=lambda share, states, _: told.append((share, states)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert shares[-1] > 0.5
    assert told[-1][1] <= found.states
    assert sum((branch.chance for branch in found.branches), Fraction(0)) == 1
