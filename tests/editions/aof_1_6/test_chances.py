"""Rolls to hit and to wound, with a second die beyond 6, come out as icepool has them."""

from __future__ import annotations

from fractions import Fraction

import icepool
from hypothesis import given, settings
from hypothesis import strategies as st

from shieldwall.editions import ruleset
from shieldwall.odds.duel import duel

RULES = ruleset("aof-1.6")


def chance(need: int) -> Fraction:
    """One roll: 1 always fails; beyond 6 it takes a 6 and then a 4 (A16-DICE-03, A16-DICE-05)."""
    if need > 6:
        return Fraction(1, 6) * Fraction(3, 6)
    return Fraction(7 - max(2, need), 6)


def wounds_by_icepool(attacks: int, hit: int, wound: int, poison: bool) -> dict[int, Fraction]:
    """So many attacks; with poison a natural 6 that hits wounds on 2 (A16-SR-POISON-01)."""
    plain = chance(wound)
    six = chance(2) if poison else plain
    sixes = Fraction(1, 12) if hit > 6 else Fraction(1, 6)
    others = chance(hit) - sixes
    through = others * plain + sixes * six
    found = attacks @ icepool.coin(through.numerator, through.denominator)
    total = found.denominator()
    return {int(outcome): Fraction(quantity, total) for outcome, quantity in found.items() if quantity}


@settings(max_examples=40)
@given(
    attacks=st.integers(1, 16),
    quality=st.integers(2, 6),
    defense=st.integers(2, 6),
    ap=st.integers(0, 4),
    skirmisher=st.booleans(),
    poison=st.booleans(),
)
def test_shots_are_the_same_pool(
    attacks: int, quality: int, defense: int, ap: int, skirmisher: bool, poison: bool
) -> None:
    """A16-DICE-03, A16-DICE-05, A16-SHOOT-03, A16-SR-AP-01, A16-SR-POISON-01, A16-SR-SKIRMISHER-01"""
    first = f'1x Q{quality} 24" A{attacks} AP({ap}) {"Poison" if poison else ""}'
    second = f"1x D{defense} Q2 Tough(90) {'Skirmisher' if skirmisher else ''}"
    found = duel(RULES, first, second).odds()
    wanted = wounds_by_icepool(attacks, quality + skirmisher, defense - ap, poison)
    assert dict(found.unit(1).wounds) == wanted
