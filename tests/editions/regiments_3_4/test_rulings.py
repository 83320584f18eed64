"""Disputes in the one-page book: agreed on, or settled by a die as in the longer edition."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Pick
from shieldwall.core.engine import begin, submit
from shieldwall.core.pending import Choice, Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rules.features.rulings import open_dispute, open_order, ruling_on

RULES = ruleset("regiments-3.4")
QUESTION = "May a Scout be put down on a roof?"


def game() -> State:
    """A game that waits for its first roll."""
    return begin(RULES, demo_setup("regiments-3.4", 1)).state


def test_a_ruling_both_players_give_is_applied() -> None:
    """R34-DICE-01."""
    opened = open_dispute(RULES, game(), QUESTION, ("yes", "no"))
    done = submit(RULES, submit(RULES, opened.state, Pick("no")).state, Pick("no"))
    assert ruling_on(done.state, QUESTION) == "no"
    assert [event.cite for event in done.events if isinstance(event, ev.Ruled)] == ["R34-DICE-01"]


@pytest.mark.parametrize(("face", "ruling"), [(3, "yes"), (4, "no")])
def test_a_die_settles_what_the_players_cannot(face: int, ruling: str) -> None:
    """R34-DICE-01: 1 to 3 for player A, 4 to 6 for player B, binding for the match."""
    opened = open_dispute(RULES, game(), QUESTION, ("yes", "no"))
    asked = submit(RULES, submit(RULES, opened.state, Pick("yes")).state, Pick("no"))
    assert isinstance(asked.pending, Roll)
    done = submit(RULES, asked.state, Faces((face,)))
    assert ruling_on(done.state, QUESTION) == ruling
    again = open_dispute(RULES, done.state, QUESTION, ("yes", "no"))
    assert again.events == ()


def test_rules_of_one_moment_are_ordered_by_whom_they_concern() -> None:
    """R34-SR-PRIORITY-01: the player concerned; a roll-off where both are."""
    mine = open_order(RULES, game(), [(1, "Bell"), (1, "Drum")])
    assert isinstance(mine.pending, Choice)
    assert (mine.pending.seat, mine.pending.cite) == (1, "R34-SR-PRIORITY-01")
    both = open_order(RULES, game(), [(0, "Bell"), (1, "Drum")])
    assert isinstance(both.pending, Roll)
    asked = submit(RULES, both.state, Faces((2, 5)))
    assert isinstance(asked.pending, Choice)
    assert asked.pending.seat == 1
