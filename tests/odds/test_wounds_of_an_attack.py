"""The wounds of one attack: by dice alone, beside whole odds and beside what bots reckon with."""

from __future__ import annotations

import pytest

from shieldwall.bots.expected_damage import CHARGE, SHOT, melee_wounds, shooting_wounds
from shieldwall.core.engine import begin
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds import attack_wounds
from shieldwall.odds.duel import Duel, Terms, duel

SHOTS = [
    ("Q4 24\" A1", "D5 Tough(99)"),
    ("Q3 24\" A2 AP(1)", "D3 Tough(99) Regeneration"),
    ("Q5 24\" A1 Blast(2)", "D2 Tough(99)"),
    ("Q2 24\" A1 Deadly(3)", "D6 Tough(99)"),
]  # fmt: skip


def wounds_through(fight: Duel) -> float | None:
    """The mean of the attack a duel begins with."""
    rules, state = fight.question()
    found = attack_wounds(rules, begin(rules, state).state)
    return None if found is None else float(found.mean)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("first", "second"), SHOTS)
def test_bots_reckon_with_the_mean_of_the_odds(edition: str, first: str, second: str) -> None:
    """Shots at models that take any number of wounds; in every edition, whoever rolls for them."""
    fight = duel(ruleset(edition), f"3x {first}", f"3x {second}", Terms(False))
    shooter, target = fight.state.units
    guessed = shooting_wounds(fight.rules, fight.state, shooter, target, 1.0, SHOT._replace(held=True))
    assert guessed == pytest.approx(float(fight.odds().unit(1).wounds.mean))


@pytest.mark.parametrize("edition", EDITIONS)
def test_bots_reckon_with_the_blows_of_the_odds(edition: str) -> None:
    """A charge of a few models without an answer."""
    fight = duel(ruleset(edition), "3x Q4 A2 AP(1)", "3x D5 Tough(99)")
    charger, target = fight.state.units
    guessed = melee_wounds(fight.rules, fight.state, charger, target, CHARGE)
    assert guessed == pytest.approx(float(fight.odds().unit(1).wounds.mean))


@pytest.mark.parametrize("edition", EDITIONS)
def test_wounds_that_come_through_are_those_of_the_whole_odds(edition: str) -> None:
    """Where nobody can take too many wounds, none are lost."""
    for first, second in SHOTS:
        fight = duel(ruleset(edition), f"1x {first}", f"1x {second}", Terms(False))
        found = wounds_through(fight)
        assert found in (None, pytest.approx(float(fight.odds().unit(1).wounds.mean)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_dice_alone_do_not_tell_where_deadly_wounds_may_be_ignored(edition: str) -> None:
    """They are ignored model by model, so no number is given rather than a wrong one."""
    fight = duel(ruleset(edition), '1x Q3 24" A1 Deadly(3)', "2x D4 Tough(3) Regeneration", Terms(False))
    found = wounds_through(fight)
    assert found in (None, pytest.approx(float(fight.odds().unit(1).wounds.mean)))
