"""Which pieces a random table gets, and how large: the list from which they are placed."""

from __future__ import annotations

import math

from msgspec import Struct

from shieldwall.core.state import MILLI
from shieldwall.table.layout import LayoutAdvice, Minimums, minimums
from shieldwall.table.numbers import TableNumbers

BUILT = (
    "building",
    "rooftop",
    "field",
    "ruin",
    "barricade",
    "wall",
    "fence",
    "crates",
)  # rectangles; all other kinds have organic outlines
SOLID_KINDS = ("building", "mountain")
SCREEN_KINDS = (*SOLID_KINDS, "forest")
MIDDLE_KINDS = ("forest", "building", "mountain", "hill", "ruin", "lake", "field")
DEADLY_KINDS = ("lava", "quicksand")
OTHER_KINDS = ("hill", "field", "swamp", "lake", "ruin", "rubble", "river")
SCATTER_KINDS = ("barricade", "fence", "rubble", "rock", "barricade", "wall")
COVERING = ("forest", "field", "hill", "ruin", "barricade", "fence", "crates", "well")
SLOWING = ("forest", "field", "swamp", "lake", "rubble", "mud", "hill")
BLOCKING_KINDS = (*SCREEN_KINDS, "rooftop", "rock", "wall")

# Smallest and largest height in inches that a random piece of the kind gets.
HEIGHTS = {
    "building": (4.0, 6.0),
    "rooftop": (1.5, 3.0),
    "forest": (4.0, 6.0),
    "mountain": (5.0, 8.0),
    "hill": (2.0, 3.0),
    "ruin": (2.0, 4.0),
    "rock": (2.0, 3.0),
    "wall": (1.5, 2.0),
}
SLENDER = {"river": 0.55, "barricade": 0.4, "fence": 0.4, "wall": 0.4}  # depth as a share of the width
SMALL_KINDS = ("lava", "quicksand")

DRAWS = 200
FILLS = (0.80, 0.84, 0.88, 0.91, 0.93)
COVERAGE_SLACK = 1.012
USUAL_SHARE = 0.2  # of the table, where a book gives no share
SLOT = 7.6  # columns that one large piece is sure to close
PLAIN_MEAN = 54.0  # the mean area of a large piece, in square inches, if there is still room for scatter


class Sketch(Struct, frozen=True):
    """One pair of equal pieces, or the one in the middle."""

    kind: str
    height: float | None
    is_middle: bool = False
    is_scatter: bool = False

    @property
    def blocks(self) -> bool:
        return self.kind in BLOCKING_KINDS

    @property
    def is_solid(self) -> bool:
        return self.kind in SOLID_KINDS


class Order(Struct, frozen=True):
    """The table that was asked for; sizes in thousandths of an inch."""

    width: int
    depth: int
    advice: LayoutAdvice
    count: int
    players: int = 2
    large_units: bool = False

    @property
    def wide(self) -> float:
        return self.width / MILLI

    @property
    def deep(self) -> float:
        return self.depth / MILLI


class Recipe(Struct, frozen=True):
    """All sketches with their natural sizes in inches, and what they must add up to."""

    sketches: tuple[Sketch, ...]
    natural: tuple[tuple[float, float], ...]
    largest: float
    wanted_area: float
    table_area: float


def make_recipe(order: Order, numbers: TableNumbers) -> Recipe:
    """Draw kinds that meet every advised number and can cover enough of the table, if any can."""
    for _ in range(DRAWS):
        recipe = _drawn(order, numbers)
        if not can_cover(order) or _area(recipe, 1.0, FILLS[-1]) >= recipe.wanted_area:
            break
    return recipe


def can_cover(order: Order) -> bool:
    """Whether so many pieces can cover enough without all of them being rectangles of the largest size."""
    return order.count * order.advice.large_to**2 * FILLS[-1] >= _wanted_area(order)


def _wanted_area(order: Order) -> float:
    share = order.advice.coverage[0] / order.advice.coverage[1] or USUAL_SHARE
    return order.wide * order.deep * share * COVERAGE_SLACK


def _drawn(order: Order, numbers: TableNumbers) -> Recipe:
    """One list of pieces: the middle piece first, then solid pieces, scatter last."""
    wanted = _wanted_area(order)
    scatter = _scatter_pairs(order.count, wanted)
    kinds = _kinds(order, numbers, scatter)
    middle = kinds.pop() if order.count % 2 else ""
    sketches = [_sketch(kind, numbers, index >= len(kinds) - scatter) for index, kind in enumerate(kinds)]
    if middle:
        sketches.insert(0, Sketch(middle, _height(middle, numbers), is_middle=True))
    sketches.sort(key=lambda sketch: (not sketch.is_middle, not sketch.is_solid, sketch.is_scatter))
    sizes = tuple(_natural_size(sketch, order.advice, numbers) for sketch in sketches)
    return Recipe(tuple(sketches), sizes, order.advice.large_to, wanted, order.wide * order.deep)


def sized(recipe: Recipe) -> tuple[list[tuple[float, float]], float]:
    """Sizes that reach the wanted area with outlines as round as possible, and the share of its box each must fill."""
    for fill in FILLS:
        if _area(recipe, 1.0, fill) >= recipe.wanted_area:
            break
    low, high = 0.0, 1.0
    if _area(recipe, 0.0, fill) >= recipe.wanted_area:
        high = 0.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if _area(recipe, middle, fill) < recipe.wanted_area else (low, middle)
    return _sizes(recipe, high), fill


def _sizes(recipe: Recipe, growth: float) -> list[tuple[float, float]]:
    """The natural sizes, with large pieces enlarged towards the maximum by a share."""
    sizes = []
    for sketch, (w, d) in zip(recipe.sketches, recipe.natural, strict=True):
        if sketch.is_scatter or sketch.kind in SLENDER:
            sizes.append((w, d))
        else:
            sizes.append((w + growth * (recipe.largest - w), d + growth * (recipe.largest - d)))
    return sizes


def _area(recipe: Recipe, growth: float, fill: float) -> float:
    total = 0.0
    for sketch, (w, d) in zip(recipe.sketches, _sizes(recipe, growth), strict=True):
        total += w * d * (1.0 if sketch.kind in BUILT else fill) * (1 if sketch.is_middle else 2)
    return total


def _scatter_pairs(count: int, wanted: float) -> int:
    """How many pairs may be small while the large ones still cover enough."""
    pairs = 0
    while pairs < count // 6 and (count - 2 * pairs - 2) * PLAIN_MEAN >= wanted:
        pairs += 1
    return pairs


def _kinds(order: Order, numbers: TableNumbers, scatter: int) -> list[str]:
    """The kind of each pair, scatter last, then that of the middle piece if the count is odd."""
    needed = minimums(order.count, order.players, order.advice)
    kinds: list[str] = []
    for _ in range(DRAWS):
        middle = [numbers.pick(MIDDLE_KINDS)] if order.count % 2 else []
        small = [numbers.pick(SCATTER_KINDS) for _ in range(scatter)]
        kinds = _large_kinds(order, needed, numbers, small, middle) + small + middle
        if _meets(kinds, needed, order.count % 2):
            break
    return kinds


def _large_kinds(
    order: Order, needed: Minimums, numbers: TableNumbers, small: list[str], middle: list[str]
) -> list[str]:
    """Pieces that block sight first, then dangerous ground, then whatever is left; every kind at most twice."""
    pairs = order.count // 2 - len(small)
    closed = bool(middle) and middle[0] in SCREEN_KINDS
    missing = needed.blocking - closed - 2 * sum(kind in BLOCKING_KINDS for kind in small)
    columns = order.wide / 2 - (4 if closed else 0) if order.advice.closed_lines else 0
    screens = min(pairs, max(math.ceil(missing / 2), math.ceil(columns / SLOT)))
    solid = min(screens, max(1, screens // 2 - 1) + numbers.below(2))
    kinds = [numbers.pick(SOLID_KINDS) for _ in range(solid)] + ["forest"] * (screens - solid)
    deadly = min(pairs - screens, math.ceil(needed.dangerous / 2))
    kinds += [numbers.pick(DEADLY_KINDS) for _ in range(deadly)]
    choice = list(OTHER_KINDS) * 2
    numbers.shuffle(choice)
    return kinds + choice[: pairs - len(kinds)]


def _meets(kinds: list[str], needed: Minimums, odd: int) -> bool:
    def pieces(of: tuple[str, ...]) -> int:
        twice = sum(kind in of for kind in kinds) * 2
        return twice - (1 if odd and kinds[-1] in of else 0)

    return (
        pieces(BLOCKING_KINDS) >= needed.blocking
        and pieces(COVERING) >= needed.cover
        and pieces(SLOWING) >= needed.difficult
        and pieces(DEADLY_KINDS) >= needed.dangerous
    )


def _sketch(kind: str, numbers: TableNumbers, is_scatter: bool) -> Sketch:
    return Sketch(kind, _height(kind, numbers), is_scatter=is_scatter)


def _height(kind: str, numbers: TableNumbers) -> float | None:
    """A height in half inches, or None where the kind has a fixed one."""
    if kind not in HEIGHTS:
        return None
    low, high = HEIGHTS[kind]
    return low + numbers.below(round((high - low) * 2) + 1) / 2


def _natural_size(sketch: Sketch, advice: LayoutAdvice, numbers: TableNumbers) -> tuple[float, float]:
    """Width and depth in quarter inches, before any enlargement."""
    if sketch.is_scatter:
        low, high = advice.scatter_from, advice.scatter_to
        low = max(low, high * 0.8) if sketch.kind in SLENDER else low + 0.25 * (high - low)
    else:
        low, high = advice.large_from, advice.large_to
        low, high = (low, (low + high) / 2) if sketch.kind in SMALL_KINDS else ((low + high) / 2, high)
    width = _quarters(numbers.between(low, high))
    if sketch.kind in SLENDER:
        floor = advice.scatter_from if sketch.is_scatter else advice.large_from
        return width, max(floor, _quarters(width * SLENDER[sketch.kind]))
    return width, _quarters(numbers.between(low, high))


def _quarters(inches: float) -> float:
    return round(inches * 4) / 4
