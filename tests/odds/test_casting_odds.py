"""The chance of a spell before it is cast, in every edition, against odds worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shieldwall import odds
from shieldwall.core.answers import AnyAnswer, Bid, Cast, Pick
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from tests.odds.scenes import scene

TOKENS = """
scenario: A bolt
edition: {edition}
spells: {{Bolt: {{cost: 1, range: 18, hits: 2}}}}
units:
  Mage: {{side: A, rules: Caster(3), tokens: 3, spells: [Bolt], {at}: [24, 10]}}
  Foe: {{side: B, rules: 'Caster(2), Tough(6)', tokens: 2, spells: [Bolt], {at}: [24, 20], facing: 180}}
"""
WIZARDS = """
scenario: Two wizards
edition: {edition}
spells: {{Bolt: {{cost: 5, range: 18, hits: 2}}}}
units:
  Mage: {{side: A, rules: Wizard(2), spells: [Bolt], at: [24, 10]}}
  Foe: {{side: B, rules: 'Wizard(1), Tough(6)', spells: [Bolt], at: [24, 20], facing: 180}}
"""


def at_question(rules: Ruleset, state: State, kind: str, *answers: AnyAnswer) -> State:
    """The state once a kind of question is asked."""
    for answer in answers:
        state = submit(rules, state, answer).state
    pending = pending_of(rules, state)
    assert isinstance(pending, Decision)
    assert pending.kind == kind
    return state


def naming_a_spell(edition: str) -> tuple[Ruleset, State, Cast]:
    at = "front" if edition.startswith("regiments") else "at"
    rules, state, _ = scene(TOKENS.format(edition=edition, at=at))
    there = at_question(rules, state, "cast", Pick("cast"))
    return rules, there, Cast(there.units[0].models[0].id, "Bolt", (1,))


@pytest.mark.parametrize("edition", ["regiments-3.5", "regiments-3.4", "skirmish-3.2"])
def test_tokens_a_spell_works_on_a_4_and_two_tokens_against_it_make_that_a_6(edition: str) -> None:
    """R35-SR-CASTER-06, R34-SR-CASTER-06, SK32-SR-CASTER-07: 4+ on one die; a token moves it by one."""
    rules, state, bolt = naming_a_spell(edition)
    assert odds.cast_chance(rules, state, bolt) == odds.CastChance(1 / 2, 1 / 6)
    brief = odds.cast_preview(rules, state, bolt).targets[0]
    assert brief.wounds == pytest.approx(Fraction(1, 2) * 2 * Fraction(1, 2)), (
        "half a cast, two hits, half blocked"
    )
    throw = odds.cast_throw(rules, state, bolt)
    assert throw is not None
    assert throw.target is not None
    assert throw.target.needed == 4


def test_wizards_the_die_and_the_power_against_the_number_of_the_spell() -> None:
    """A2-MAGIC-03, A2-MAGIC-04: 5 is reached with D6+2 by 3 or more; a rival with D6+1 stops it only by more."""
    rules, state, _ = scene(WIZARDS.format(edition="aof-2"))
    there = at_question(rules, state, "cast", Pick("cast"))
    bolt = Cast(there.units[0].models[0].id, "Bolt", (1,))
    stopped = sum(rival + 1 > own + 2 for own in range(3, 7) for rival in range(1, 7))
    assert odds.cast_chance(rules, there, bolt) == odds.CastChance(
        pytest.approx(4 / 6), pytest.approx((24 - stopped) / 36)
    )


def test_dice_first_the_highest_of_two_opens_the_spell() -> None:
    """A16-MAGIC-02, A16-MAGIC-05: one of two dice opens the spell; a rival must show more than the highest."""
    rules, state, _ = scene(WIZARDS.format(edition="aof-1.6"))
    best = [max(one, other) for one in range(1, 7) for other in range(1, 7)]
    opened = sum(face >= 5 for face in best)
    kept = sum(face >= 5 and rival <= face for face in best for rival in range(1, 7))
    assert odds.cast_chance(rules, state) == odds.CastChance(
        pytest.approx(opened / 36), pytest.approx(kept / 216)
    )


def test_sealed_tokens_of_others_do_not_show_in_the_odds() -> None:
    """R35-SR-CASTER-08: the second bidder must not learn from the odds what the first one spent."""
    rules, state, bolt = naming_a_spell("regiments-3.5")
    chances = []
    for tokens in (0, 2):
        there = at_question(rules, state, "bid", bolt, Bid(tokens))
        pending = pending_of(rules, there)
        assert isinstance(pending, Decision)
        assert pending.seat == 1
        chances.append(odds.cast_chance(rules, there, Bid(-1), seat=1))
        assert odds.cast_chance(rules, there, Bid(0), seat=0).works == (1 / 2 if not tokens else 5 / 6)
    assert chances[0] == chances[1]
    assert chances[0].works == pytest.approx(1 / 3)


def test_asking_changes_nothing() -> None:
    rules, state, bolt = naming_a_spell("regiments-3.5")
    stack = state.stack
    odds.cast_chance(rules, state, bolt)
    odds.cast_preview(rules, state, bolt)
    assert state.stack is stack
    pending = pending_of(rules, state)
    assert isinstance(pending, Decision)
    assert pending.kind == "cast"
