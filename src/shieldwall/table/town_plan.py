"""The plots of a town: strips of land that reach from the main street to an army's edge.

At the street stands a house or a ruin, behind it lies a garden, behind that an orchard, a field or a hill. Only the
near half is planned; the other half is its counterpart.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.table.courses import ROAD, SQUARE, Point
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.organic_outlines import Local, extent
from shieldwall.table.place_themes import LOW, WALL, GroupPart, Theme, tall

EDGE = 0.6  # inches between a plot and the edge of the table
FRONT = 1.3  # inches between the street and the houses
ALLEY = 4.6  # inches between two houses
USUAL_BREADTH, BROADEST = 7.2, 9.4  # inches of a house along the street
FENCE = 1.0  # inches between the parts of a plot
LEAN = 2.0  # degrees by which a piece may stand askew
STACKED = 0.5  # the share of houses with crates beside them
STACK = (2.2, 2.8), (1.6, 2.0)  # inches of a stack of crates
LEAST_ROOFS = 2  # flat roofs on each half, if there are houses enough, so that fights go up and down
ROOF_HEIGHTS = (3.0, 2.0, 2.5, 1.5)  # inches; a model climbs three at most
STEP_ACROSS = 0.6  # inches between a gangway and the roofs that it joins; models step over an inch
GANGWAY = 1.4  # inches a gangway is wide
SHORTEST, LONGEST = 2.8, 4.6  # inches of a gangway


class Strip(Struct, frozen=True):
    """One strip of land: where it begins and ends across the table, and how far from the street it starts."""

    left: float
    right: float
    front: float
    house: str  # "building", "rooftop" or "ruin"

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


class TownGround(Struct, frozen=True):
    """The ground of a town in inches: its main street, and where a lane leads from it to the near edge."""

    wide: float
    deep: float
    street: tuple[Point, ...]
    lane: float


def town_plots(
    ground: TownGround, theme: Theme, numbers: TableNumbers
) -> Iterator[tuple[GroupPart, float, float]]:
    """Everything on the plots of the near half, large pieces first: the piece and where it should stand."""
    verge = ROAD / 2 + FRONT
    strips = [
        *_strips(EDGE, ground.lane - verge, ground, theme, numbers),
        *_strips(ground.lane + verge, ground.wide - EDGE, ground, theme, numbers),
    ]
    numbers.shuffle(strips)
    if not any(strip.house == "ruin" for strip in strips):
        strips[-1] = replace(strips[-1], house="ruin")  # every table has some danger
    _flatten_roofs(strips)
    small: list[tuple[GroupPart, float, float]] = []
    roofs: list[float] = []
    for number, strip in enumerate(strips):
        filling = theme.filling[number % len(theme.filling)]
        for part, x, y in _plot(strip, filling, numbers, small):
            if part.kind == "rooftop":
                roofs.append(_roof_height(part, roofs))
                yield replace(part, height=roofs[-1]), x, y
            else:
                yield part, x, y
    yield from small


def gangway(one: Local, other: Local, middle: float) -> Local | None:
    """A deck across the alley between two flat roofs, on the side away from the `middle` of the table; None where they
    do not stand side by side."""
    left, right = sorted((extent(one), extent(other)), key=lambda reach: reach.right)
    start, end = left.right + STEP_ACROSS, -right.left - STEP_ACROSS
    low, high = max(-left.near, -right.near), min(left.far, right.far)
    if not SHORTEST <= end - start <= LONGEST or high - low < 2 * GANGWAY:
        return None
    inwards = (high - low) / 4
    y = low + inwards if (low + high) / 2 < middle else high - inwards
    near, far = y - GANGWAY / 2, y + GANGWAY / 2
    return [(start, near), (end, near), (end, far), (start, far)]


def _flatten_roofs(strips: list[Strip]) -> None:
    """Give houses flat roofs until there are enough of them, side by side where they can; one house keeps its gable."""
    houses = [at for at, strip in enumerate(strips) if strip.house == "building"]
    roofs = [strip for strip in strips if strip.house == "rooftop"]
    while len(roofs) < LEAST_ROOFS and len(houses) > 1:
        at = next(
            (at for at in houses if any(_are_neighbours(strips[at], roof) for roof in roofs)), houses[0]
        )
        houses.remove(at)
        strips[at] = replace(strips[at], house="rooftop")
        roofs.append(strips[at])


def _are_neighbours(one: Strip, other: Strip) -> bool:
    return max(one.left - other.right, other.left - one.right) < ALLEY + 0.1


def _roof_height(part: GroupPart, taken: list[float]) -> float:
    """The height that was drawn for it, or the first one that no other roof has."""
    if part.height is not None and part.height not in taken:
        return part.height
    return next((height for height in ROOF_HEIGHTS if height not in taken), ROOF_HEIGHTS[0])


def _strips(
    left: float, right: float, ground: TownGround, theme: Theme, numbers: TableNumbers
) -> Iterator[Strip]:
    """Strips of about the same width, side by side, with alleys between them."""
    count = max(1, round((right - left + ALLEY) / (USUAL_BREADTH + ALLEY)))
    breadth = min(BROADEST, (right - left - ALLEY * (count - 1)) / count)
    for number in range(count):
        start = left + number * (breadth + ALLEY)
        drawn = numbers.share()
        house = (
            "ruin"
            if drawn < theme.fallen
            else "rooftop"
            if drawn < theme.fallen + theme.climbed
            else "building"
        )
        yield Strip(start, start + breadth, _front(start, start + breadth, ground, theme), house)


def _front(left: float, right: float, ground: TownGround, theme: Theme) -> float:
    """How far from the near edge a house may reach: up to the street, or to the square."""
    half = SQUARE / 2 + FRONT
    at_square = theme.square and left < ground.wide / 2 + half and right > ground.wide / 2 - half
    if at_square:
        return ground.deep / 2 - half
    return min(y for x, y in ground.street if left - 1 <= x <= right + 1) - ROAD / 2 - FRONT


def _plot(
    strip: Strip, back: str, numbers: TableNumbers, small: list[tuple[GroupPart, float, float]]
) -> Iterator[tuple[GroupPart, float, float]]:
    """House, garden and what lies behind; walls and crates beside them are collected in `small` for later."""
    between = numbers.between
    breadth = strip.right - strip.left
    deep = between(4.8, 5.8)
    y = strip.front - deep / 2
    yield _part(strip.house, (breadth, deep), numbers), strip.middle, y
    if numbers.share() < STACKED:
        stack = _part("crates", (between(*STACK[0]), between(*STACK[1])), numbers)
        small.append((stack, strip.right + ALLEY / 2, y + deep / 4))
    garden = between(4.6, 6.0)
    y = strip.front - deep - FENCE - garden / 2
    kind = "rubble" if strip.house == "ruin" else "field"
    yield _part(kind, (breadth * between(0.85, 1.0), garden), numbers), strip.middle, y
    small.append((GroupPart("wall", WALL, turn=between(-LEAN, LEAN), height=LOW), strip.right + ALLEY / 2, y))
    rest = y - garden / 2 - FENCE - EDGE
    if rest > 4.0:
        name = {"garden": "field", "orchard": "forest"}.get(back, back)
        size = (min(11.5, breadth + between(1.5, 3.0)), min(11.0, rest))
        yield _part(name, size, numbers), strip.middle, EDGE + rest / 2


def _part(kind: str, size: tuple[float, float], numbers: TableNumbers) -> GroupPart:
    return GroupPart(kind, size, turn=numbers.between(-LEAN, LEAN), height=tall(kind, numbers))
