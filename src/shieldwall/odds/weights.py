"""How often each result of a throw comes up, as whole numbers over a power of six."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import comb, prod

from shieldwall.core.values import Counts, Labels, Pool

FACES = 6


@lru_cache(maxsize=4096)
def shares(labels: Labels) -> tuple[tuple[str, int], ...]:
    """Each label with the number of faces that show it, in the order of the faces."""
    return tuple(Counter(labels).items())


@lru_cache(maxsize=4096)
def throws(labels: Labels, dice: int) -> tuple[tuple[Counts, int], ...]:
    """Every count of labels that so many dice can show, with its weight out of 6 ** dice."""
    return tuple(_split(shares(labels), dice))


def _split(left: tuple[tuple[str, int], ...], dice: int) -> Iterator[tuple[Counts, int]]:
    (label, faces), others = left[0], left[1:]
    if not others:
        yield ({label: dice} if dice else {}), faces**dice
        return
    for count in range(dice + 1):
        here = comb(dice, count) * faces**count
        for counts, weight in _split(others, dice - count):
            yield ({label: count, **counts} if count else counts), here * weight


def results_of(pools: tuple[Pool, ...]) -> int:
    """How many different results a throw of several pools has."""
    return prod(comb(pool.dice + len(shares(pool.labels)) - 1, pool.dice) for pool in pools)


def throws_of(pools: tuple[Pool, ...]) -> Iterator[tuple[tuple[Counts, ...], int]]:
    """Every result of several pools thrown together, with its weight out of 6 ** (all dice)."""
    if len(pools) == 1:
        for counts, weight in throws(pools[0].labels, pools[0].dice):
            yield (counts,), weight
        return
    for results in product(*(throws(pool.labels, pool.dice) for pool in pools)):
        yield tuple(counts for counts, _ in results), prod(weight for _, weight in results)
