"""Exact odds equal an enumeration of every face of every die, in every edition."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_odds import by_fate, every_face, ready

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.duel import Terms, duel
from shieldwall.odds.shorthand import takes_value
from shieldwall.rules.bindings import Specials

# Values that make small fights interesting; other rules with a value get 1.
VALUES = {"Tough": (2, 3), "AP": (1, 2), "Deadly": (2, 3), "Blast": (2, 3), "Impact": (1, 2)}
# Rules that bring other models, spells or whole procedures do not fit two small units on an empty table.
ELSEWHERE = ("Caster", "Wizard", "Transport", "Hero", "Ambush", "Scout", "Vanguard")


def names(specials: Specials, weapon: bool) -> list[str]:
    """Rules of weapons, or of models, of an edition."""
    found = []
    for name, binding in sorted(specials.bindings.items()):
        if (binding.rule.scope == "weapon") == weapon and not name.startswith(ELSEWHERE):
            valued = takes_value(binding.rule)
            found += [f"{name}({value})" for value in VALUES.get(name, (1,))] if valued else [name]
    return found


@st.composite
def meetings(draw: st.DrawFn) -> tuple[str, str, str, Terms]:
    """An edition, two short lines of a few dice, and how they meet."""
    edition = draw(st.sampled_from(EDITIONS))
    specials = ruleset(edition).specials
    few = {"min_size": 0, "max_size": 2, "unique": True}
    weapon = draw(st.lists(st.sampled_from(names(specials, True)), **few))  # type: ignore[arg-type]
    own = draw(st.lists(st.sampled_from(names(specials, False)), **few))  # type: ignore[arg-type]
    theirs = draw(st.lists(st.sampled_from(names(specials, False)), **few))  # type: ignore[arg-type]
    models, attacks = draw(st.sampled_from([(1, 1), (1, 2), (2, 1), (1, 3), (3, 1)]))
    shoots = draw(st.booleans())
    reach = '18" ' if shoots else ""
    quality, defense = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    first = f"{models}x Q{quality} {reach}A{attacks} {' '.join(weapon + own)}"
    second = f"{draw(st.integers(1, 3))}x D{defense} Q{draw(st.integers(2, 6))} A1 {' '.join(theirs)}"
    cover, moved = draw(st.booleans()), draw(st.booleans())
    terms = Terms(not shoots, arc=draw(st.sampled_from(["front", "flank"])), cover=cover, moved=moved)
    return edition, first, second, terms


@settings(max_examples=60)
@given(meetings())
def test_small_fights_equal_every_face_thrown(meeting: tuple[str, str, str, Terms]) -> None:
    """Two small units with any rules, shooting or fighting."""
    edition, first, second, terms = meeting
    fight = duel(ruleset(edition), first, second, terms)
    found = fight.odds()
    assert found.exact
    assert sum(branch.chance for branch in found.branches) == 1
    assert by_fate(found) == every_face(*ready(fight))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charge_with_strike_back_and_morale_equals_every_face(edition: str) -> None:
    """Blows, the strike back, the result, morale and rout of a small fight."""
    fight = duel(ruleset(edition), "3x Q4 A1 AP(1)", "3x D4 Q5 A1")
    assert by_fate(fight.odds()) == every_face(*ready(fight))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("reach", ["", '18"'])
def test_hits_that_multiply_equal_every_face_thrown(edition: str, reach: str) -> None:
    """Hits that become several, capped or spread by the models of the target, and wounds that stay on one model."""
    fight = duel(ruleset(edition), f"1x Q4 {reach} A2 Blast(2) Deadly(2)", "2x D4 Tough(3)")
    assert by_fate(fight.odds()) == every_face(*ready(fight))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("line", ["10x Q4 A2 {}", '10x Q4 24" A1 {}'])
def test_a_rule_that_changes_nothing_changes_nothing(edition: str, line: str) -> None:
    """AP(0) is no rule at all."""
    rules = ruleset(edition)
    plain = duel(rules, line.format(""), "10x D4 A1").odds()
    idle = duel(rules, line.format("AP(0)"), "10x D4 A1").odds()
    assert by_fate(plain) == by_fate(idle)


def test_chances_of_a_single_die_are_the_obvious_ones() -> None:
    """One shot that hits on 4 and is blocked on 5: a third of the models falls."""
    found = duel(ruleset("regiments-3.5"), '1x Q4 24" A1', "1x D5").odds()
    assert found.unit(1).destroyed == Fraction(1, 2) * Fraction(4, 6)
    assert found.unit(1).lost.mean == Fraction(1, 3)
    assert found.unit(1).lost.at_least(1) == Fraction(1, 3)
    assert found.unit(1).lost.quantile(0.5) == 0
    assert found.unit(0).lost.mean == 0
