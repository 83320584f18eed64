"""Disputes: the switches of the edition, and the die that decides when players disagree."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Pick
from shieldwall.core.engine import begin, submit
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.rulebook.house_rules import house_rules
from shieldwall.rules.features.rulings import open_dispute, ruling_on

RULES = ruleset("aof-1.6")
QUESTION = "Is the statue an obstacle?"


def game() -> State:
    """A game that waits for its first question."""
    return begin(RULES, demo_setup("aof-1.6", 1)).state


def test_every_switch_has_a_default_other_values_and_a_row() -> None:
    """A16-DICE-01"""
    switches = house_rules("aof-1.6")
    assert len(switches) >= 12
    for switch in switches:
        assert switch.default in switch.values
        assert len(switch.values) > 1
        assert any(row.startswith("A16-") for row in switch.edition_rows)


def test_a_ruling_both_players_give_is_applied() -> None:
    """A16-DICE-01"""
    opened = open_dispute(RULES, game(), QUESTION, ("yes", "no"))
    done = submit(RULES, submit(RULES, opened.state, Pick("no")).state, Pick("no"))
    assert ruling_on(done.state, QUESTION) == "no"
    assert [event.cite for event in done.events if isinstance(event, ev.Ruled)] == ["A16-DICE-01"]


@pytest.mark.parametrize(("face", "ruling"), [(3, "yes"), (4, "no")])
def test_a_die_settles_what_the_players_cannot(face: int, ruling: str) -> None:
    """A16-DICE-01: 1 to 3 for the one, 4 to 6 for the other, binding for the match."""
    opened = open_dispute(RULES, game(), QUESTION, ("yes", "no"))
    asked = submit(RULES, submit(RULES, opened.state, Pick("yes")).state, Pick("no"))
    assert isinstance(asked.pending, Roll)
    done = submit(RULES, asked.state, Faces((face,)))
    assert ruling_on(done.state, QUESTION) == ruling
    assert open_dispute(RULES, done.state, QUESTION, ("yes", "no")).events == ()
