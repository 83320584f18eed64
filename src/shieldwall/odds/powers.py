"""Sums of many independent dice: products of small polynomials with whole coefficients.

A die adds counts of some kinds (hits of two sorts, wounds); its polynomial has one term for each way it may come
out. Sums of many dice are powers, which are taken by packing a whole polynomial into one large integer: the
machine's own multiplication then adds up all ways at once.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

Exponents = tuple[int, ...]
Terms = tuple[tuple[Exponents, int], ...]  # each way to come out, with its weight; all of equal length


def multiplied(a: dict[Exponents, int], b: dict[Exponents, int]) -> dict[Exponents, int]:
    """The product of two small polynomials."""
    found: dict[Exponents, int] = {}
    for left, weight in a.items():
        for right, other in b.items():
            both = tuple(x + y for x, y in zip(left, right, strict=True))
            found[both] = found.get(both, 0) + weight * other
    return found


@lru_cache(maxsize=8192)
def product_of_powers(factors: tuple[tuple[Terms, int], ...]) -> Terms:
    """The product of powers of polynomials, without terms of weight 0, in order of their exponents."""
    kinds = len(factors[0][0][0][0])
    sizes = [
        1 + sum(n * max(exponents[k] for exponents, _ in terms) for terms, n in factors) for k in range(kinds)
    ]
    total = prod(sum(weight for _, weight in terms) ** n for terms, n in factors)
    width = (total.bit_length() + 8) // 8  # bytes for one coefficient; none can be larger than the total
    packed = 1
    for terms, n in factors:
        base = sum(weight << (8 * width * _place(exponents, sizes)) for exponents, weight in terms)
        packed *= base**n
    return _unpacked(packed, sizes, width)


def _place(exponents: Exponents, sizes: list[int]) -> int:
    place = 0
    for exponent, size in zip(reversed(exponents), reversed(sizes), strict=True):
        place = place * size + exponent
    return place


def _unpacked(packed: int, sizes: list[int], width: int) -> Terms:
    count = prod(sizes)
    data = packed.to_bytes(count * width, "little")
    found = []
    for place in range(count):
        weight = int.from_bytes(data[place * width : (place + 1) * width], "little")
        if weight:
            found.append((_exponents(place, sizes), weight))
    return tuple(found)


def _exponents(place: int, sizes: list[int]) -> Exponents:
    exponents = []
    for size in sizes:
        place, exponent = divmod(place, size)
        exponents.append(exponent)
    return tuple(exponents)
