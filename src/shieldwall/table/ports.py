"""Firing ports of solid buildings: which side of an outline they look out of, and how high they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from shieldwall.table.outlines import Outline, thousandths

COMPASS = {"south": (0.0, -1.0), "east": (1.0, 0.0), "north": (0.0, 1.0), "west": (-1.0, 0.0)}


def ports_of(
    corners: Outline,
    height: float,
    capacity: int,
    given: Mapping[str, Iterable[float]] | None,
    problems: list[str],
) -> tuple[tuple[int, int], ...]:
    """The firing ports of a piece: (side, height), as given or one on each side below the roof of a building."""
    if given is None:
        top = thousandths(max(0.0, height - 1.0))
        return tuple((side, top) for side in range(len(corners))) if capacity else ()
    found: list[tuple[int, int]] = []
    for name, heights in given.items():
        side = int(name) if str(name).isdigit() else side_facing(corners, str(name))
        if not 0 <= side < len(corners):
            problems.append(f"side {name!r} is not one of {', '.join(COMPASS)} or 0 to {len(corners) - 1}")
            continue
        found += [(side, thousandths(height)) for height in heights]
    return tuple(sorted(found))


def side_facing(corners: Outline, direction: str) -> int:
    """The side of an outline that looks most towards a point of the compass; -1 for a word that is none."""
    if direction not in COMPASS:
        return -1
    x, y = COMPASS[direction]

    def outward(side: int) -> float:
        (ax, ay), (bx, by) = corners[side], corners[(side + 1) % len(corners)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        return round(((by - ay) * x - (bx - ax) * y) / length, 6)

    return max(range(len(corners)), key=lambda side: (outward(side), -side))
