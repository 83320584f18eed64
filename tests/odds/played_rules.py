"""Every special rule of an edition in a fight of its own, exact and played, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from slow_odds import Fate, by_fate, played, ready

from shieldwall.editions import ruleset
from shieldwall.odds.duel import Duel, Terms, duel

VALUES = {"Tough": 3, "Blast": 3, "Deadly": 3, "Fear": 2, "Impact": 2}
FAR = 5.0  # standard errors that chance alone does not reach


class Fight(NamedTuple):
    """A rule and the short lines of the fight in which it is tried."""

    name: str
    rule: str
    first: str
    second: str
    charging: bool


def fights(edition: str) -> Iterator[Fight]:
    """Each rule on the attacker and on the target, in shooting and in melee."""
    for name, binding in sorted(ruleset(edition).specials.bindings.items()):
        rule = f"{name}({VALUES.get(name, 1)})" if binding.rule.stacks or name in VALUES else name
        for charging, attacks in ((True, "A2"), (False, '18" A2')):
            yield Fight(name, rule, f"6x Q4 {attacks} {rule}", "6x D4 Q4 A1 Tough(2)", charging)
            if binding.rule.scope != "weapon":
                yield Fight(name, rule, f"6x Q4 {attacks} AP(1)", f"6x D4 Q4 A1 {rule}", charging)


def fewer_fights(edition: str) -> Iterator[Fight]:
    """Each rule at least once: rules of weapons both ways, others on a charger and on a target that is shot at."""
    for fight in fights(edition):
        attacks_with_it = fight.rule in fight.first
        if (
            fight.charging == attacks_with_it
            or ruleset(edition).specials.bindings[fight.name].rule.scope == "weapon"
        ):
            yield fight


def fought(edition: str, fight: Fight) -> Duel:
    """The duel of a fight."""
    return duel(ruleset(edition), fight.first, fight.second, Terms(fight.charging))


def too_far_off(fighting: Duel, times: int, seed: int) -> list[str]:
    """What games played with fair dice say otherwise than the exact odds, by more than chance allows."""
    exact = by_fate(fighting.odds())
    ends = played(*ready(fighting), times, seed)
    strange = [f"played, but impossible: {end}" for end in set(ends) - set(exact)]
    return strange + [
        f"{name}: {float(mean):.4f} exact, {found:.4f} played"
        for name, value in NUMBERS.items()
        for mean, spread in [moments(exact, value)]
        for found in [sum(value(end) for end in ends) / times]
        if abs(found - float(mean)) > FAR * spread / sqrt(times) + 1e-9
    ]


def moments(chances: dict[Fate, Fraction], value) -> tuple[Fraction, float]:  # type: ignore[no-untyped-def]
    """Mean and standard deviation of a number that ends have."""
    mean = sum((value(end) * chance for end, chance in chances.items()), Fraction(0))
    square = sum((value(end) ** 2 * chance for end, chance in chances.items()), Fraction(0))
    return mean, sqrt(square - mean * mean)


NUMBERS = {
    "models of the target": lambda end: len(end[1][0]),
    "models of the attacker": lambda end: len(end[0][0]),
    "wounds on the target": lambda end: sum(wounds for _, wounds, _ in end[1][0]),
    "wounds on the attacker": lambda end: sum(wounds for _, wounds, _ in end[0][0]),
    "stunned": lambda end: sum(stunned for unit in end for _, _, stunned in unit[0]),
    "target broken": lambda end: int(end[1][1]),
    "attacker broken": lambda end: int(end[0][1]),
}
