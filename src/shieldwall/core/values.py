"""Numbers that carry their reasons, and dice pools that turn faces into labels."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

MILLI = 1000  # length units per inch
CENTI = 100  # angle units per degree

FACES = (1, 2, 3, 4, 5, 6)
FAIL, PASS, FIVE, SIX, AGAIN, ONE = "fail", "pass", "five", "six", "again", "one"
LOW = "low"  # a failure of a low face, where a 1 has a meaning of its own
MISSED = "missed"  # a failure that is thrown again, as `AGAIN` is a success

Labels = tuple[str, str, str, str, str, str]
Counts = Mapping[str, int]

FACE_LABELS: Labels = ("1", "2", "3", "4", "5", "6")


class Pose(Struct, frozen=True, array_like=True, gc=False):
    """Position, heading and ground height."""

    x: int
    y: int
    heading: int = 0
    z: int = 0


class Mod(Struct, frozen=True, array_like=True, gc=False):
    """One modifier of a roll, with the reason a player reads and the row it comes from."""

    amount: int
    why: str
    cite: str


class Target(Struct, frozen=True, gc=False):
    """A needed roll: the printed number, what changes the die, and why.

    `only_six` gives the reason why nothing but a natural 6 succeeds; modifiers then make no difference.
    """

    base: int
    mods: tuple[Mod, ...] = ()
    only_six: Mod | None = None

    def plus(self, amount: int, why: str, cite: str) -> Target:
        """The same target with one more modifier on the die; a change of 0 adds nothing."""
        return Target(self.base, (*self.mods, Mod(amount, why, cite)), self.only_six) if amount else self

    def without_penalties(self) -> Target:
        """The same target with every negative modifier struck out."""
        return Target(self.base, tuple(mod for mod in self.mods if mod.amount > 0), self.only_six)

    @property
    def modifier(self) -> int:
        """What is added to the die in all."""
        return sum([mod.amount for mod in self.mods]) if self.mods else 0

    @property
    def needed(self) -> int:
        """The lowest natural face that succeeds when 1 always fails and 6 always succeeds."""
        if self.only_six is not None:
            return 6
        needed = self.base - self.modifier if self.mods else self.base
        return 6 if needed > 6 else 2 if needed < 2 else needed


class Pool(Struct, frozen=True, gc=False):
    """Dice that are read alike: `labels` gives the label of each face from 1 to 6."""

    dice: int
    labels: Labels
    target: Target | None = None
    note: str = ""


def labels_from(needed: int, on_pass: str = PASS, on_six: str = PASS, on_fail: str = FAIL) -> Labels:
    """Labels of a test that succeeds from `needed` on, natural 1 failing and natural 6 passing."""
    key = (needed, on_pass, on_six, on_fail)
    found = _LABELS.get(key)
    if found is None:
        middle = [on_pass if face >= needed else on_fail for face in (2, 3, 4, 5)]
        found = _LABELS[key] = (on_fail, middle[0], middle[1], middle[2], middle[3], on_six)
    return found


_LABELS: dict[tuple[int, str, str, str], Labels] = {}


def pool_of_tests(dice: int, target: Target, note: str = "") -> Pool:
    """Plain tests against a target: labels `fail` and `pass`."""
    return Pool(dice, labels_from(target.needed), target, note)


def count_labels(pool: Pool, faces: tuple[int, ...]) -> dict[str, int]:
    """How often each label came up."""
    labels = pool.labels
    counts: dict[str, int] = {}
    for face in faces:
        label = labels[face - 1]
        counts[label] = counts.get(label, 0) + 1
    return counts


def highest(counts: Counts) -> int:
    """The highest face among dice that were labelled by their face."""
    return max(int(label) for label, count in counts.items() if count)


def total(counts: Counts) -> int:
    """The sum of dice that were labelled by their face."""
    return sum(int(label) * count for label, count in counts.items())


def half_up(face: int) -> int:
    """A D3 read from a D6: halved, fractions rounded up."""
    return (face + 1) // 2
