"""Attacks that icepool can express come out the same there."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shieldwall.editions import ruleset
from shieldwall.odds.duel import duel

REGIMENTS = "regiments-3.5"
MANY = 400  # models that no attack here can use up


def wounds_by_icepool(
    attacks: int, quality: int, defense: int, ap: int, extra: int, save: int
) -> dict[int, Fraction]:
    """Hits with extra hits on 6s, blocks less AP, and a roll that ignores wounds; 1 always fails, 6 always succeeds."""
    needed = min(6, max(2, defense + ap))
    passes = Fraction(7 - needed, 6)
    ignored = Fraction(7 - save, 6) if save else Fraction(0)
    wounds = (1 - passes) * (1 - ignored)
    hit = icepool.coin(wounds.numerator, wounds.denominator)
    none = icepool.Die([0])
    die = icepool.d6.map(
        lambda face: (
            none if face == 1 or (face < quality and face != 6) else hit if face < 6 else (1 + extra) @ hit
        )
    )
    found = attacks @ die
    total = found.denominator()
    return {int(outcome): Fraction(quantity, total) for outcome, quantity in found.items() if quantity}


@settings(max_examples=40)
@given(
    attacks=st.integers(1, 24),
    quality=st.integers(2, 6),
    defense=st.integers(2, 6),
    ap=st.integers(0, 3),
    furious=st.booleans(),
    save=st.booleans(),
)
def test_a_volley_of_blows_is_the_same_pool(
    attacks: int, quality: int, defense: int, ap: int, furious: bool, save: bool
) -> None:
    """Blows of one model with extra hits on 6s, AP and Regeneration."""
    first = f"1x Q{quality} A{attacks} AP({ap}) {'Furious' if furious else ''}"
    second = f"1x D{defense} Q2 Tough(90) {'Regeneration' if save else ''}"
    found = duel(ruleset(REGIMENTS), first, second).odds()
    wanted = wounds_by_icepool(attacks, quality, defense, ap, int(furious), 5 if save else 0)
    assert dict(found.unit(1).wounds) == wanted


@pytest.mark.parametrize("edition", ["regiments-3.5", "regiments-3.4", "aof-2"])
def test_shots_of_many_models_are_the_same_pool(edition: str) -> None:
    """Twenty shots at a unit that cannot be used up."""
    found = duel(ruleset(edition), '20x Q4 24" A1 AP(1)', "1x D4 Tough(60)").odds()
    assert dict(found.unit(1).wounds) == wounds_by_icepool(20, 4, 4, 1, 0, 0)
