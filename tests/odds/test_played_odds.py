"""Exact odds agree with games played by fair dice, for every special rule of every edition (soak: many more
games)."""

from __future__ import annotations

import pytest
from fair_dice import directly, played
from played_rules import fights, strange, too_far_off
from played_scenes import SCENES, Scene, wrong_in
from slow_odds import by_fate, ready

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.duel import duel

MODELS, GAMES, WATCHED = 6, 60, 1
QUICK = ("charging", "shot at")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_odds_of_every_rule_match_played_games(edition: str) -> None:
    """Six models against six, each rule on a charger and on a target that is shot at, or on a weapon."""
    wrong = {}
    for number, fight in enumerate(fights(edition, MODELS)):
        if fight.situation in QUICK:
            found = too_far_off(fight.fought(edition), GAMES, number, WATCHED)
            if found:
                wrong[fight] = found
    assert not wrong


@pytest.mark.parametrize("told", SCENES, ids=lambda told: told.name)
def test_scenes_come_out_as_played(told: Scene) -> None:
    """Routs of whole armies, spells with tokens or wizards against them, dangerous ground on the way."""
    assert wrong_in(told, GAMES, 1, WATCHED) == []


def test_wrong_odds_would_be_found() -> None:
    """Games of a fight with one rule do not fit the odds of the same fight without it."""
    rules = ruleset("regiments-3.5")
    sharp = duel(rules, '10x Q4 24" A2 AP(1)', "10x D4 Tough(2)")
    games = played(*ready(sharp), 2000, 1)
    plain = duel(rules, '10x Q4 24" A2', "10x D4 Tough(2)").odds()
    assert not strange(by_fate(sharp.odds()), games)
    assert strange(by_fate(plain), games)


def test_games_played_together_end_as_each_does_alone() -> None:
    """Rolls that rules cannot tell apart lead to the same outcome, whatever their faces."""
    question = ready(duel(ruleset("aof-2"), "6x Q4 A2 Rending Furious", "6x D4 A1 Regeneration Tough(2)"))
    games = played(*question, 400, 7, watching=100)
    assert games.ends.total() == 400
    assert len(games.watched) == 100
    assert all(directly(*question, game) == game.end for game in games.watched)
