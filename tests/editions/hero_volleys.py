"""Volleys at a unit with a hero in it, worked out from the books without the engine: dice, wounds, losses, morale."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random

FACES = (1, 1, 2, 3, 4, 5, 6, 6)  # extremes more often than the middle, because rules depend on them


@dataclass(frozen=True)
class Book:
    """How the books differ in a volley."""

    weapon_rules: tuple[str, ...]
    hides_by: str = "Stealth"
    attacker_wounds: bool = False
    by_majority: bool = False
    regenerates_as_unit: bool = False
    lasting: frozenset[str] = frozenset()
    """Weapon rules whose wounds cannot be regenerated."""
    thrown_again: str = ""
    """The weapon rule that makes blocks of 6 be thrown again."""
    rending_adds: bool = False
    fearless: str = "plus one"


BOOKS = {
    "regiments-3.5": Book(
        ("AP(1)", "Bane", "Rending", "Deadly(3)", "Surge"),
        regenerates_as_unit=True,
        lasting=frozenset(("Bane", "Rending")),
        thrown_again="Bane",
        rending_adds=True,
        fearless="all",
    ),
    "regiments-3.4": Book(
        ("AP(1)", "Poison", "Rending", "Deadly(3)"),
        lasting=frozenset(("Poison", "Rending")),
        thrown_again="Poison",
        fearless="most",
    ),
    "aof-2": Book(("AP(1)", "Poison", "Rending", "Deadly(3)")),
    "aof-1.6": Book(
        ("AP(1)", "Poison", "Deadly"), hides_by="Skirmisher", attacker_wounds=True, by_majority=True
    ),
}


@dataclass
class Figure:
    """One model of the target."""

    is_hero: bool
    quality: int
    defense: int
    tough: int
    rules: tuple[str, ...]
    wounds: int = 0


@dataclass
class Volley:
    """A volley and its outcome: the dice rolled, and hits, wounds and losses."""

    edition: str
    numbers: Random
    weapon: tuple[str, ...] = ()
    attacks: int = 1
    shooters: int = 1
    quality: int = 4
    figures: list[Figure] = field(default_factory=list)
    started: int = 0
    dice: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    hits: int = 0
    unblocked: int = 0
    ignored: int = 0
    suffered: int = 0
    broken: bool = False

    @property
    def book(self) -> Book:
        return BOOKS[self.edition]

    def throw(self, purpose: str, count: int = 1) -> list[int]:
        faces = [self.numbers.choice(FACES) for _ in range(count)]
        if faces:
            self.dice[purpose] += faces
        return faces

    def tests(self, purpose: str, needs: list[int]) -> list[tuple[bool, int]]:
        """Successes and faces; 1.6 throws a second die for 7 or more, elsewhere a 6 always does."""
        faces = self.throw(purpose, len(needs))
        if not self.book.attacker_wounds:
            return [(face == 6 or 1 < face >= need, face) for face, need in zip(faces, needs, strict=True)]
        hopes = [face == 6 and need > 6 for face, need in zip(faces, needs, strict=True)]
        seconds = iter(self.throw("second_die", sum(hopes)))
        return [
            (next(seconds) >= 4 if hope else need <= 6 and 1 < face >= need, face)
            for face, need, hope in zip(faces, needs, hopes, strict=True)
        ]

    def has_all(self, rule: str) -> bool:
        return all(rule in figure.rules for figure in self.figures)

    def has_most(self, rule: str) -> bool:
        return 2 * sum(rule in figure.rules for figure in self.figures) > len(self.figures)

    @property
    def plain(self) -> list[Figure]:
        return [figure for figure in self.figures if not figure.is_hero]

    def play(self) -> None:
        """Play from the first die to the target's morale."""
        for amount, lasts in self._wounds(*self._hits()):
            self._land(amount, lasts)
        if self.figures and self.suffered and 2 * len(self.figures) <= self.started:
            self._test_nerve()

    def _hits(self) -> tuple[int, int]:
        """Hits of natural sixes, and the others."""
        need = self.quality + self.has_all(self.book.hides_by)
        thrown = self.tests("to_hit", [need] * self.shooters * self.attacks)
        sixes = sum(hit and face == 6 for hit, face in thrown)
        others = sum(hit for hit, _ in thrown) - sixes
        if "Surge" in self.weapon:
            others += sixes
        if "Poison" in self.weapon and self.edition == "aof-2":
            sixes *= 3
        self.hits = sixes + others
        return sixes, others

    def _wounds(self, sixes: int, others: int) -> list[tuple[int, bool]]:
        """Each hit that was not blocked: how many wounds it is, and whether nothing regenerates them."""
        piercing = int("AP(1)" in self.weapon)
        sharp = piercing
        if "Rending" in self.weapon:
            sharp = piercing + 4 if self.book.rending_adds else 4
        through = self._pierced(sixes, others, piercing) if self.book.attacker_wounds else None
        if through is None:
            through = self._unblocked(sixes, others, sharp, piercing)
        self.unblocked = sum(through)
        amount = 3 if {"Deadly", "Deadly(3)"} & set(self.weapon) else 1
        lasts = bool(self.book.lasting & set(self.weapon))
        lasting_sixes = lasts or ("Rending" in self.weapon and self.edition == "aof-2")
        wounds = [(amount, lasting_sixes)] * through[0] + [(amount, lasts)] * through[1]
        wounds.sort(key=lambda wound: wound[1])
        if self.book.regenerates_as_unit and not self.has_all("Regeneration"):
            return [(amount, True) for amount, _ in wounds]
        return wounds

    def _pierced(self, sixes: int, others: int, piercing: int) -> tuple[int, int]:
        """If the attacker rolls to wound: against the Defense that most models have, or the better one in a tie."""
        heroes = len(self.figures) - len(self.plain)
        counted = self.plain if len(self.plain) > heroes else self.figures
        need = max(figure.defense for figure in counted) - piercing
        poison = 2 if "Poison" in self.weapon else need
        wounded = [success for success, _ in self.tests("to_wound", [poison] * sixes + [need] * others)]
        return sum(wounded[:sixes]), sum(wounded[sixes:])

    def _unblocked(self, sixes: int, others: int, sharp: int, piercing: int) -> tuple[int, int]:
        defense = (self.plain or self.figures)[0].defense
        needs = [defense + sharp] * sixes + [defense + piercing] * others
        faces = self.throw("block", len(needs))
        if self.book.thrown_again in self.weapon:
            again = iter(self.throw("block_again", faces.count(6)))
            faces = [next(again) if face == 6 else face for face in faces]
        fails = [not (face == 6 or 1 < face >= need) for face, need in zip(faces, needs, strict=True)]
        return sum(fails[:sixes]), sum(fails[sixes:])

    def _land(self, amount: int, lasts: bool) -> None:
        """Wounds of one hit: on the most wounded ordinary model, heroes last; excess wounds are lost."""
        if not self.figures and not (self.book.regenerates_as_unit and amount == 1 and not lasts):
            return
        victim = max(self.plain or self.figures, key=lambda figure: figure.wounds, default=None)
        regenerates = victim is None or "Regeneration" in victim.rules
        if regenerates and not lasts:
            saved = sum(face >= 5 for face in self.throw("regeneration", amount))
            self.ignored += saved
            amount -= saved
        if victim is None:
            return
        landed = min(amount, victim.tough - victim.wounds)
        victim.wounds += landed
        self.suffered += landed
        if victim.wounds == victim.tough:
            self.figures.remove(victim)

    def _test_nerve(self) -> None:
        heroes = [figure for figure in self.figures if figure.is_hero]
        tester = min(self.figures, key=lambda figure: figure.quality)
        if self.book.by_majority and len(self.plain) > len(heroes):
            tester = self.plain[0]
        steady = self.has_most("Fearless")
        if not self.book.by_majority:
            steady = steady or (tester.is_hero and "Fearless" in tester.rules)
        bonus = int(steady and self.book.fearless == "plus one")
        ((passed, _),) = self.tests("morale", [tester.quality - bonus])
        again = {"all": self.has_all("Fearless"), "most": self.has_most("Fearless")}
        if not passed and again.get(self.book.fearless, False):
            passed = self.throw("fearless")[0] >= 4
        self.broken = not passed


def picked(numbers: Random, rules: tuple[str, ...], most: int) -> tuple[str, ...]:
    return tuple(numbers.sample(rules, numbers.randint(0, min(most, len(rules)))))


def volley(edition: str, seed: int) -> Volley:
    """A random situation, not yet played."""
    numbers = Random(f"{edition} {seed}")
    made = Volley(edition, numbers, picked(numbers, BOOKS[edition].weapon_rules, 3))
    made.attacks, made.shooters, made.quality = (
        numbers.choice(some) for some in ((1, 2, 3), (1, 3, 5), (2, 3, 5))
    )
    abilities = (BOOKS[edition].hides_by, "Regeneration", "Fearless")
    own, theirs = picked(numbers, abilities, 3), picked(numbers, abilities, 3)
    quality, defense, tough = numbers.randint(2, 6), numbers.randint(2, 6), numbers.choice((1, 3))
    made.started = 4
    for _ in range(numbers.randint(1, 3)):
        made.figures.append(Figure(False, quality, defense, tough, theirs))
    made.figures.append(
        Figure(True, numbers.randint(2, 6), numbers.randint(2, 6), numbers.choice((1, 3, 6)), own)
    )
    return made
