"""The themes of themed tables, and the groups of pieces that belong together on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec import Struct

from shieldwall.table.numbers import TableNumbers
from shieldwall.table.terrain_plan import HEIGHTS

WALL = (3.0, 1.0)  # inches; so is a stretch of fence
LOW = 1.5  # the height of a garden wall in inches


class Theme(Struct, frozen=True):
    """What kind of country a table shows: groups that are placed first, and what fills the rest.

    `sway` is how far its roads wind, from 0 (straight streets) to 1. In towns `fallen` is the share of houses that are
    ruins, `climbed` the share with flat roofs that models can stand on, and a `square` is paved ground around a well
    in the middle of the table.
    """

    name: str
    river: str  # "", "along" or "across"
    crossing: bool
    groups: tuple[str, ...]
    filling: tuple[str, ...]
    sway: float = 1.0
    fallen: float = 0.0
    climbed: float = 0.0
    square: bool = False

    @property
    def is_town(self) -> bool:
        return self.sway < 1.0


COUNTRY = (
    Theme(
        "river valley", "along", False, ("farm", "ruin", "wood", "hill", "marsh"), ("wood", "field", "hill")
    ),
    Theme("river crossing", "across", False, ("farm", "wood", "ruin", "hill"), ("wood", "wood", "field")),
    Theme("crossroads", "", True, ("farm", "house", "ruin", "wood", "pond"), ("wood", "field", "hill")),
    Theme("woodland", "", False, ("wood", "wood", "ruin", "pond", "farm"), ("wood", "wood", "marsh")),
    Theme("old village", "", True, ("ruin", "house", "ruin", "wood", "field"), ("wood", "field", "hill")),
    Theme(
        "high country", "along", False, ("crag", "hill", "wood", "house", "ruin"), ("hill", "wood", "wood")
    ),
)
TOWNS = (
    Theme(
        "market town",
        "",
        False,
        (),
        ("orchard", "garden", "orchard"),
        0.2,
        fallen=0.1,
        climbed=0.5,
        square=True,
    ),
    Theme(
        "fallen quarter",
        "",
        False,
        (),
        ("orchard", "ruin", "orchard"),
        0.2,
        fallen=0.4,
        climbed=0.3,
        square=True,
    ),
    Theme(
        "riverside village", "along", False, (), ("orchard", "orchard", "hill"), 0.4, fallen=0.1, climbed=0.4
    ),
)


class GroupPart(Struct, frozen=True):
    """One piece of a group: its size in inches, and where it lies relative to the group's first piece."""

    kind: str
    size: tuple[float, float]
    at: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0  # degrees
    height: float | None = None


def group(name: str, numbers: TableNumbers) -> list[GroupPart]:
    """The pieces of a group; the first stands at the group's spot, facing the road."""
    if name in GROUPS:
        return GROUPS[name](numbers)
    kind, size = single(name, numbers)
    return [GroupPart(kind, size, turn=numbers.between(0, 180), height=tall(kind, numbers))]


def single(name: str, numbers: TableNumbers) -> tuple[str, tuple[float, float]]:
    """The kind and size of a piece that stands alone."""
    if name not in SINGLES:
        return name, (3.0, numbers.between(1.0, 1.4))
    kind, wide, deep = SINGLES[name]
    return kind, (numbers.between(*wide), numbers.between(*deep))


Range = tuple[float, float]
SINGLES: Mapping[str, tuple[str, Range, Range]] = {
    "wood": ("forest", (7.5, 11.0), (7.0, 9.5)),
    "hill": ("hill", (8.5, 11.5), (7.5, 10.0)),
    "field": ("field", (7.0, 10.0), (6.0, 8.0)),
    "marsh": ("swamp", (7.0, 10.0), (5.0, 7.0)),
    "pond": ("lake", (6.0, 9.0), (5.0, 7.5)),
    "crag": ("mountain", (6.0, 8.0), (5.5, 7.5)),
    "quicksand": ("quicksand", (4.0, 5.0), (4.0, 5.0)),
    "copse": ("forest", (4.0, 6.0), (4.0, 5.5)),
    "orchard": ("forest", (5.0, 8.0), (5.0, 7.0)),
    "garden": ("field", (5.0, 7.0), (4.5, 6.0)),
    "rubble": ("rubble", (4.0, 5.5), (4.0, 5.0)),
    "crates": ("crates", (2.2, 2.8), (1.6, 2.2)),
}


def tall(kind: str, numbers: TableNumbers) -> float | None:
    """A height in half inches, or None where the kind has a fixed one."""
    if kind not in HEIGHTS:
        return None
    low, high = HEIGHTS[kind]
    return low + numbers.below(round((high - low) * 2) + 1) / 2


# --- what belongs together --------------------------------------------------------------------------------


def _farm(numbers: TableNumbers) -> list[GroupPart]:
    between = numbers.between
    house = (between(5.5, 7.0), between(4.2, 5.0))
    field = (between(7.5, 9.5), between(6.0, 8.0))
    aside = between(-1.5, 1.5)
    back = house[1] / 2 + 1.0 + field[1] / 2
    wall = back + field[1] / 2 + 1.3
    return [
        GroupPart("building", house, height=tall("building", numbers)),
        GroupPart("field", field, (aside, back)),
        GroupPart("wall", WALL, (aside - 1.65, wall), between(-3, 3), LOW),
        GroupPart("wall", WALL, (aside + 1.65, wall), between(-3, 3), LOW),
    ]


def _house(numbers: TableNumbers) -> list[GroupPart]:
    between = numbers.between
    house = (between(6.0, 7.5), between(4.5, 5.5))
    side = numbers.pick((-1, 1)) * (house[0] / 2 + 2.6)
    return [
        GroupPart("building", house, height=tall("building", numbers)),
        GroupPart("wall", WALL, (side, -house[1] / 2 + 0.6), between(-6, 6), LOW),
    ]


def _ruin(numbers: TableNumbers) -> list[GroupPart]:
    between = numbers.between
    size = (between(6.0, 8.0), between(5.0, 7.0))
    stones = (between(3.6, 5.0), between(3.6, 4.6))
    side = numbers.pick((-1, 1)) * (size[0] / 2 + 0.9 + stones[0] / 2)
    return [
        GroupPart("ruin", size, height=tall("ruin", numbers)),
        GroupPart("rubble", stones, (side, between(-1.5, 1.5))),
    ]


def _wood(numbers: TableNumbers) -> list[GroupPart]:
    between = numbers.between
    size = (between(7.5, 11.0), between(7.0, 9.5))
    copse = between(4.0, 5.6)
    angle = between(0.0, math.tau)
    far = (max(size) + copse) / 2 + between(0.8, 2.0)
    return [
        GroupPart("forest", size, turn=between(0, 180), height=tall("forest", numbers)),
        GroupPart(
            "forest",
            (copse, copse * between(0.8, 1.0)),
            (far * math.cos(angle), far * math.sin(angle)),
            between(0, 180),
            tall("forest", numbers),
        ),
    ]


def _walls(numbers: TableNumbers) -> list[GroupPart]:
    bend = numbers.between(-50.0, 50.0)
    lean = math.radians(bend)
    beside = (2.1 + 1.5 * math.cos(lean), 1.5 * math.sin(lean) + math.copysign(0.35, bend))
    return [GroupPart("wall", WALL, height=LOW), GroupPart("wall", WALL, beside, bend, LOW)]


GROUPS: Mapping[str, Callable[[TableNumbers], list[GroupPart]]] = {
    "farm": _farm,
    "house": _house,
    "ruin": _ruin,
    "wood": _wood,
    "walls": _walls,
}
