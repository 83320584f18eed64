"""Sight between volumes: a model fills the column over its base up to a height that its size gives.

One free line from somewhere in one volume to somewhere in the other is enough, the tops included.
"""

from __future__ import annotations

from shieldwall.core.state import MILLI, Base, Profile
from shieldwall.table.sight_methods import SightMethod, agreed_height

VOLUMETRIC = SightMethod(
    name="volumetric",
    lines="volume",
    seen_over="in space",
    perimeter="strips",
    heights="by base",
    ruler_in_space=True,
)

# Height in inches by the long axis of the base in millimetres, smallest first.
HEIGHT_BY_BASE: tuple[tuple[float, float], ...] = (
    (25.0, 1.0),
    (32.0, 1.25),
    (40.0, 1.5),
    (50.0, 2.0),
    (60.0, 3.0),
    (100.0, 4.0),
)


def height_of_base(base: Base) -> float:
    """The preset of the listed size nearest to the long axis; a tie takes the smaller size."""
    long_axis = max(base.width, base.depth)
    return min(HEIGHT_BY_BASE, key=lambda known: (abs(known[0] - long_axis), known[0]))[1]


def volume_height(profile: Profile, method: SightMethod = VOLUMETRIC) -> float:
    """How tall a volume is: as agreed (models without a base need that), else the preset of the base."""
    agreed = agreed_height(method, profile.name)
    return height_of_base(profile.base) if agreed is None else agreed / MILLI
