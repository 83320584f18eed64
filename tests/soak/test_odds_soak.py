"""Exact odds against 100,000 games played with fair dice, for every special rule that changes numbers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "odds"))

from played_rules import Fight, fights, fought, too_far_off
from slow_odds import by_fate

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.duel import Terms, duel

GAMES = 100_000


def changes_numbers(edition: str, fight: Fight) -> bool:
    """Whether the fight comes out differently without the rule."""
    without = fight._replace(
        first=fight.first.replace(fight.rule, ""), second=fight.second.replace(fight.rule, "")
    )
    plain = duel(ruleset(edition), without.first, without.second, Terms(fight.charging))
    return by_fate(fought(edition, fight).odds()) != by_fate(plain.odds())


@pytest.mark.parametrize("edition", EDITIONS)
def test_rules_that_change_numbers_come_out_as_played(edition: str) -> None:
    """Six models against six, shooting and charging, wherever the rule matters."""
    changing = [fight for fight in fights(edition) if changes_numbers(edition, fight)]
    assert len({fight.rule for fight in changing}) > 10
    for number, fight in enumerate(changing):
        assert too_far_off(fought(edition, fight), GAMES, number) == [], fight
