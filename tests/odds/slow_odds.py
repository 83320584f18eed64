"""Odds the slow and obvious way, for comparison: play every face of every die through the engine, one roll at a time.

It uses nothing of the package under test: no labels, no folding, no merging of similar games. Dice of one
pool are taken as a handful, whose order no rule can see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.codec import encode
from shieldwall.core.engine import begin, submit_checked
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.odds.duel import Duel
from shieldwall.odds.result import Odds
from shieldwall.rules.ruleset import Ruleset

Chooser = Callable[[State, Decision], AnyAnswer | None]
Fate = tuple[
    tuple[tuple[tuple[int, int, bool], ...], bool], ...
]  # of every unit: its models, and whether it is broken


def fate(state: State) -> Fate:
    """What distinguishes outcomes."""
    return tuple(
        (
            tuple((model.id, model.wounds, model.stunned) for model in unit.models),
            unit.broken and bool(unit.models),
        )
        for unit in state.units
    )


def ready(duel: Duel) -> tuple[Ruleset, State]:
    """A duel as a game that ends with the activation."""
    rules, state = duel.question()
    return rules, replace(state, stack=state.stack[1:])


def every_face(rules: Ruleset, state: State, choose: Chooser | None = None) -> dict[Fate, Fraction]:
    """The chance of every outcome, by rolling every combination of faces; `choose` or the default makes choices."""
    known: dict[bytes, dict[Fate, Fraction]] = {}

    def ends(state: State, pending: Pending | None) -> dict[Fate, Fraction]:
        if pending is None:
            return {fate(state): Fraction(1)}
        key = encode(replace(state, rolls_made=0))
        if key not in known:
            found: dict[Fate, Fraction] = {}
            for answer, chance in _answers(state, pending, choose):
                after = submit_checked(rules, state, pending, answer)
                for end, share in ends(after.state, after.pending).items():
                    found[end] = found.get(end, Fraction(0)) + share * chance
            known[key] = found
        return known[key]

    start = begin(rules, state)
    return ends(start.state, start.pending)


def _answers(state: State, pending: Pending, choose: Chooser | None) -> Iterator[tuple[AnyAnswer, Fraction]]:
    if isinstance(pending, Decision):
        chosen = choose(state, pending) if choose is not None else None
        yield (pending.default() if chosen is None else chosen), Fraction(1)
        return
    for handfuls in product(*(_handfuls(pool.dice) for pool in pending.pools)):
        faces = tuple(face for handful, _ in handfuls for face in handful)
        yield Faces(faces), prod((chance for _, chance in handfuls), start=Fraction(1))


def _handfuls(dice: int) -> list[tuple[tuple[int, ...], Fraction]]:
    found = []
    for handful in combinations_with_replacement(range(1, 7), dice):
        orders = factorial(dice) // prod(factorial(count) for count in Counter(handful).values())
        found.append((handful, Fraction(orders, 6**dice)))
    return found


def by_fate(odds: Odds) -> dict[Fate, Fraction]:
    """The chance of every outcome, as the package computes it."""
    found: dict[Fate, Fraction] = {}
    for branch in odds.branches:
        end = fate(branch.state)
        found[end] = found.get(end, Fraction(0)) + branch.chance
    return found
