"""Fights for every special rule of an edition, exact and played, for comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import sqrt
from typing import NamedTuple, TypeVar

from fair_dice import Played, directly, played
from slow_odds import Fate, by_fate, ready

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds.api import Budget
from shieldwall.odds.duel import Duel, Terms, duel
from shieldwall.odds.shorthand import takes_value

VALUES = {"AP": 1, "Tough": 3, "Blast": 3, "Deadly": 3, "Fear": 2, "Impact": 2}
UNLIMITED = Budget(states=10**9)
FAR = 5.0  # standard errors, more than chance explains
FEW = 10  # games by which counts of rare outcomes may differ in addition

N = TypeVar("N", int, Fraction)


class Situation(NamedTuple):
    """Two short lines with a place for a rule in one of them, and how they meet; rules of weapons may not fit."""

    first: str
    second: str
    terms: Terms
    weapons: bool = True


SITUATIONS = {
    "charging": Situation("Q4 A2 {}", "D4 Q4 A1 Tough(2)", Terms(True)),
    "charged": Situation("Q4 A2 AP(1)", "D4 Q4 A1 {}", Terms(True)),
    "shooting": Situation('Q4 18" A2 {}', "D4 Q4 A1 Tough(2)", Terms(False)),
    "shot at": Situation('Q4 18" A2 AP(1)', "D4 Q4 A1 {}", Terms(False), weapons=False),
    "charging a flank": Situation("Q4 A2 {}", "D4 Q4 A1 Regeneration", Terms(True, arc="flank")),
    "moved, into cover": Situation(
        'Q4 18" A2 {}', "D4 Q4 A1 Regeneration", Terms(False, cover=True, moved=True)
    ),
}


MOVING = ("charging", "charging a flank", "moved, into cover")
STILL = {"Immobile": EDITIONS, "Artillery": ("regiments-3.5",)}  # rules of models that never move, and where


class Fight(NamedTuple):
    """A rule in a situation."""

    name: str
    rule: str
    situation: str
    models: int

    def fought(self, edition: str) -> Duel:
        """The duel with the rule."""
        return self._duel(edition, self.rule)

    def plain(self, edition: str) -> Duel:
        """The same duel without it."""
        return self._duel(edition, "")

    def _duel(self, edition: str, rule: str) -> Duel:
        first, second, terms, _ = SITUATIONS[self.situation]
        lines = [f"{self.models}x {line.format(rule)}" for line in (first, second)]
        return duel(ruleset(edition), lines[0], lines[1], terms)

    def changes_numbers(self, edition: str) -> bool:
        """Whether it comes out differently without the rule."""
        return exactly(self.fought(edition)) != exactly(self.plain(edition))


def fights(edition: str, models: int) -> Iterator[Fight]:
    """Each rule in every situation it fits."""
    for name, binding in sorted(ruleset(edition).specials.bindings.items()):
        rule = f"{name}({VALUES.get(name, 1)})" if takes_value(binding.rule) else name
        for situation, about in SITUATIONS.items():
            if situation in MOVING and edition in STILL.get(name, ()):
                continue
            if about.weapons or binding.rule.scope != "weapon":
                yield Fight(name, rule, situation, models)


def too_far_off(fighting: Duel, times: int, seed: int, watching: int = 0) -> list[str]:
    """Where games played with fair dice differ from the exact odds by more than chance allows."""
    question = ready(fighting)
    games = played(*question, times, seed, watching)
    astray = [game for game in games.watched if directly(*question, game) != game.end]
    return [f"ends otherwise when played alone: {game}" for game in astray] + strange(
        exactly(fighting), games
    )


def exactly(fighting: Duel) -> dict[Fate, Fraction]:
    """The exact chance of every outcome, however many states that takes."""
    found = fighting.odds(UNLIMITED)
    assert found.exact
    return by_fate(found)


def strange(exact: dict[Fate, Fraction], games: Played) -> list[str]:
    """Impossible outcomes, and means and chances that are off by more than chance allows."""
    ends = games.ends
    return [f"played, but impossible: {end}" for end in set(ends) - set(exact)] + [
        f"{name}: {problem}"
        for name, value in NUMBERS.items()
        for problem in _off(_spread(exact, value), _spread(ends, value), ends.total())
    ]


def _off(exact: dict[int, Fraction], counts: dict[int, int], times: int) -> Iterator[str]:
    """How what so many games show of a number differs from its exact distribution: its mean, and every chance."""
    mean = sum(number * chance for number, chance in exact.items())
    square = sum(number * number * chance for number, chance in exact.items())
    found = sum(number * count for number, count in counts.items()) / times
    if abs(found - mean) > FAR * sqrt((square - mean * mean) / times) + 1e-9:
        yield f"{float(mean):.4f} exact, {found:.4f} played"
    for number, chance in exact.items():
        share = counts.get(number, 0) / times
        if abs(share - chance) > FAR * sqrt(chance * (1 - chance) / times) + FEW / times:
            yield f"{number} with {float(chance):.5f} exact, {share:.5f} played"


def _spread(ends: Mapping[Fate, N], value: Callable[[Fate], int]) -> dict[int, N]:
    found: dict[int, N] = {}
    for end, weight in ends.items():
        number = value(end)
        found[number] = found[number] + weight if number in found else weight
    return found


NUMBERS: dict[str, Callable[[Fate], int]] = {
    "models of the target": lambda end: len(end[1][0]),
    "models of the attacker": lambda end: len(end[0][0]),
    "wounds on the target": lambda end: sum(wounds for _, wounds, _ in end[1][0]),
    "wounds on the attacker": lambda end: sum(wounds for _, wounds, _ in end[0][0]),
    "stunned": lambda end: sum(stunned for unit in end for _, _, stunned in unit[0]),
    "target broken": lambda end: int(end[1][1]),
    "attacker broken": lambda end: int(end[0][1]),
}
