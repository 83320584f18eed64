"""Exact odds agree with games played by fair dice, for every special rule of every edition (soak: many more games)."""

from __future__ import annotations

import pytest
from played_rules import fewer_fights, fought, too_far_off

from shieldwall.editions import EDITIONS

GAMES = 25


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_rule_comes_out_as_played(edition: str) -> None:
    """Six models against six, shooting and charging."""
    wrong = {}
    for number, fight in enumerate(fewer_fights(edition)):
        found = too_far_off(fought(edition, fight), GAMES, number)
        if found:
            wrong[fight] = found
    assert not wrong
