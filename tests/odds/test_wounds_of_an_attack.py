"""The wounds of one attack: by dice alone, compared with full odds and with the bots' estimates."""

from __future__ import annotations

import pytest

from shieldwall.bots.expected_damage import CHARGE, SHOT, melee_wounds, shooting_wounds
from shieldwall.core.engine import begin
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds import attack_wounds
from shieldwall.odds.duel import Duel, Terms, duel
from shieldwall.scenario.build import build
from shieldwall.scenario.load import load_text

SHOTS = [
    ("Q4 24\" A1", "D5 Tough(99)"),
    ("Q3 24\" A2 AP(1)", "D3 Tough(99) Regeneration"),
    ("Q5 24\" A1 Blast(2)", "D2 Tough(99)"),
    ("Q2 24\" A1 Deadly(3)", "D6 Tough(99)"),
]  # fmt: skip


def wounds_through(fight: Duel) -> float | None:
    """The mean of the first attack of a duel."""
    rules, state = fight.question()
    found = attack_wounds(rules, begin(rules, state).state)
    return None if found is None else float(found.mean)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("first", "second"), SHOTS)
def test_bots_use_the_mean_of_the_odds(edition: str, first: str, second: str) -> None:
    """Shots at models that take any number of wounds; in every edition, whichever side rolls for them."""
    fight = duel(ruleset(edition), f"3x {first}", f"3x {second}", Terms(False))
    shooter, target = fight.state.units
    guessed = shooting_wounds(fight.rules, fight.state, shooter, target, 1.0, SHOT._replace(held=True))
    assert guessed == pytest.approx(float(fight.odds().unit(1).wounds.mean))


@pytest.mark.parametrize("edition", EDITIONS)
def test_bots_use_the_melee_mean_of_the_odds(edition: str) -> None:
    """A charge of a few models that are not struck back at."""
    fight = duel(ruleset(edition), "3x Q4 A2 AP(1)", "3x D5 Tough(99)")
    charger, target = fight.state.units
    guessed = melee_wounds(fight.rules, fight.state, charger, target, CHARGE)
    assert guessed == pytest.approx(float(fight.odds().unit(1).wounds.mean))


@pytest.mark.parametrize("edition", EDITIONS)
def test_wounds_that_come_through_are_those_of_the_whole_odds(edition: str) -> None:
    """If no model can take too many wounds, none are lost."""
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


SCENE = """
scenario: Wounds on natural 1s to block, against a target that ignores some wounds and one that does not
edition: regiments-3.5
defaults: {base: '1x1"'}
army_rules:
  Cruel: On natural 1s to block, this weapon deals 1 extra wound.
  Grit: This unit ignores wounds on a 5+.
units:
  Bows: {side: A, models: 1, stats: Q4+ D4+, equipment: 'Bow (24", A6, Cruel)', front: [36, 10]}
  Ogres: {side: B, models: 1, stats: Q4+ D5+, rules: Tough(99), front: [33, 22], facing: 180}
  Trolls: {side: B, models: 1, stats: Q4+ D5+, rules: 'Tough(99), Grit', front: [39, 22], facing: 180}
"""


@pytest.mark.parametrize(("order", "defense"), [((1, 2), 4), ((2, 1), 5)])
def test_ignored_wounds_count_once_whichever_target_was_weighed_first(
    order: tuple[int, int], defense: int
) -> None:
    (loaded, *_), faults = load_text(SCENE.replace("D5+", f"D{defense}+"), "ignored")
    assert not faults
    built = build(loaded.scenario)
    guessed = {
        unit: shooting_wounds(built.ruleset, built.state, built.state.units[0], built.state.units[unit], 11.0)
        for unit in order
    }
    plain = (
        6 * (1 / 2) * ((defense - 1) / 6 + 1 / 6)
    )  # half of the shots hit; those not blocked wound, 1s once more
    assert guessed == {1: pytest.approx(plain), 2: pytest.approx(plain * 2 / 3)}
