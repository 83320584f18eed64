"""Luck: the rolled dice against fair ones."""

from __future__ import annotations

from fractions import Fraction

from shieldwall.core import events as ev
from shieldwall.core.values import FACE_LABELS, labels_from
from shieldwall.odds.luck import luck


def thrown(purpose: str, seat: int, faces: tuple[int, ...], labels: tuple[str, ...]) -> ev.Rolled:
    return ev.Rolled(purpose=purpose, seat=seat, rolls=(ev.ThrownPool(faces, labels),))


def test_good_dice_are_counted_against_their_expectation() -> None:
    """Four dice on 4+, three of them good; then two on 5+, none good."""
    events = [
        thrown("to_hit", 0, (4, 5, 6, 1), labels_from(4)),
        thrown("to_hit", 0, (1, 4), labels_from(5)),
        thrown("block", 1, (6,), labels_from(6)),
    ]
    found = luck(events)
    mine, theirs = found.rows
    assert (mine.seat, mine.purpose, mine.dice, mine.good) == (0, "to_hit", 6, 3)
    assert mine.expected == 4 * Fraction(1, 2) + 2 * Fraction(1, 3)
    assert mine.luck == float(3 - mine.expected)
    assert (theirs.good, theirs.expected, theirs.chance) == (1, Fraction(1, 6), 1)


def test_the_chance_of_doing_no_better_is_exact() -> None:
    """Two coins, one good: three of four throws are no better."""
    found = luck([thrown("to_hit", 0, (1, 6), labels_from(4))])
    assert found.rows[0].chance == Fraction(3, 4)


def test_on_dangerous_ground_ones_are_bad() -> None:
    """Everything but a 1 is good."""
    labels = ("one", "safe", "safe", "safe", "safe", "safe")
    found = luck([thrown("dangerous", 0, (1, 2, 3), labels)])
    assert (found.rows[0].good, found.rows[0].expected) == (2, Fraction(5, 2))


def test_dice_that_are_only_compared_count_for_the_mean_face_alone() -> None:
    """A roll-off is neither good nor bad."""
    found = luck([thrown("roll_off", 0, (6,), FACE_LABELS)])
    assert found.rows == ()
    assert found.seats[0].dice == 0
    assert found.seats[0].faces == 6
