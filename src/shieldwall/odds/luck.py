"""Luck: what was rolled against what was to be expected, for each seat and purpose of a game.

Every roll in a log says how each face is read, so what a fair die would have done is known without playing anything
again: each label has so many faces out of six.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt

from msgspec import Struct

from shieldwall.core import events as ev
from shieldwall.core.values import FACES
from shieldwall.odds.powers import product_of_powers

# What the thrower of a purpose hopes for, where it is not passing: safe ground, a stunned model instead of a lost one.
HOPES = {"dangerous": ("safe",), "wound_effect": ("stunned",)}
USUAL_HOPES = ("pass", "six", "again", "push", "wound", "hit", "come", "six_open")


class LuckRow(Struct, frozen=True):
    """The dice of one seat for one purpose: how many, how many did what was hoped for, and how many would be expected.

    `spread` is the standard deviation of a fair count, `chance` that of fair dice to do no better than these did,
    `no_worse` that to do no worse, and `faces` the mean face shown (3.5 is fair).
    """

    seat: int
    purpose: str
    dice: int
    good: int
    expected: Fraction
    spread: float
    chance: Fraction
    faces: float
    no_worse: Fraction = Fraction(1)

    @property
    def luck(self) -> float:
        """How many good dice more than expected."""
        return float(self.good - self.expected)


class Luck(Struct, frozen=True):
    """The luck of a whole game: a row for each seat and purpose, and one for each seat with everything together."""

    rows: tuple[LuckRow, ...]
    seats: tuple[LuckRow, ...]


class _Count:
    """Dice being counted."""

    def __init__(self) -> None:
        self.good = 0
        self.by_faces: Counter[int] = Counter()  # dice by the number of their faces that are good
        self.pips = 0
        self.shown = 0

    def add(self, faces: tuple[int, ...], labels: tuple[str, ...], hopes: tuple[str, ...]) -> None:
        """Count the dice of one pool."""
        self.pips += sum(faces)
        self.shown += len(faces)
        good = [label in hopes for label in labels]
        if any(good) and not all(good):  # others are summed or compared: neither good nor bad
            self.by_faces[sum(good)] += len(faces)
            self.good += sum(good[face - 1] for face in faces)

    def row(self, seat: int, purpose: str) -> LuckRow:
        """What was counted."""
        shares = {Fraction(faces, len(FACES)): dice for faces, dice in self.by_faces.items()}
        no_better, no_worse = self._tails()
        return LuckRow(
            seat=seat,
            purpose=purpose,
            dice=self.by_faces.total(),
            good=self.good,
            expected=sum((share * dice for share, dice in shares.items()), Fraction(0)),
            spread=sqrt(sum(share * (1 - share) * dice for share, dice in shares.items())),
            chance=no_better,
            faces=self.pips / self.shown if self.shown else 0.0,
            no_worse=no_worse,
        )

    def _tails(self) -> tuple[Fraction, Fraction]:
        """How likely fair dice do no better than these, and no worse."""
        factors = tuple(
            ((((0,), len(FACES) - good), ((1,), good)), dice) for good, dice in sorted(self.by_faces.items())
        )
        if not factors:
            return Fraction(1), Fraction(1)
        sums = product_of_powers(factors)
        in_all = sum(weight for _, weight in sums)
        below = sum(weight for (count,), weight in sums if count <= self.good)
        above = sum(weight for (count,), weight in sums if count >= self.good)
        return Fraction(below, in_all), Fraction(above, in_all)


def luck(events: Iterable[ev.AnyEvent]) -> Luck:
    """The luck in the events of a game, for each seat that threw dice."""
    by_purpose: dict[tuple[int, str], _Count] = {}
    by_seat: dict[int, _Count] = {}
    for event in events:
        if not isinstance(event, ev.Rolled):
            continue
        hopes = HOPES.get(event.purpose, USUAL_HOPES)
        for count in (
            by_purpose.setdefault((event.seat, event.purpose), _Count()),
            by_seat.setdefault(event.seat, _Count()),
        ):
            for roll in event.rolls:
                count.add(roll.faces, roll.labels, hopes)
    return Luck(
        tuple(
            count.row(seat, purpose)
            for (seat, purpose), count in sorted(by_purpose.items())
            if count.by_faces
        ),
        tuple(count.row(seat, "all") for seat, count in sorted(by_seat.items())),
    )
