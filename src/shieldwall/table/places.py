"""Random tables that look like places: a river with its bridge, roads, homesteads with field and wall, ruins, groves;
or towns and villages, with houses and gardens along streets and a well on the square.

Such a table is fair because everything on one side has a counterpart about a half turn away: of the same kind, height
and size, but with an outline and angle of its own. Roads and the river run through the middle and look the same from
both sides. The table follows all of a book's advice if one of a few attempts does; otherwise it is the best of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import Piece
from shieldwall.geometry.zones import outlines_apart
from shieldwall.table.courses import ROAD, LaidWays, lay_streets, lay_ways
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import LayoutAdvice, check_layout, minimums
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.organic_outlines import Local, block_shape, extent, grown_shape, shape_area, turned
from shieldwall.table.outlines import Outline, sides, thousandths
from shieldwall.table.place_ground import OpenGround
from shieldwall.table.place_themes import COUNTRY, TOWNS, GroupPart, group, single, tall
from shieldwall.table.terrain import BLOCKING, DECORATIVE, PRESETS, ROOF, PresetPiece, preset
from shieldwall.table.terrain_plan import BLOCKING_KINDS, BUILT, COVERING, SLOWING, SOLID_KINDS
from shieldwall.table.town_plan import TownGround, gangway, town_plots

ATTEMPTS = 16
PATIENCE = 5  # attempts to find a table with fewer pieces
TRIES = 60  # spots tried for one group
GAP = 0.5  # inches between neighbours
VERGE = 0.7  # inches between a road and what stands beside it
OPEN_EDGE = 6.0  # inches from the armies' edges in which nothing solid stands
FILL = 0.86  # the least share of its rectangle that an organic outline covers
SHIFT = 2.4  # inches that a counterpart may be off the exact half turn
PLOT_SHIFT = 0.4  # the same in a town, whose plots lie side by side
USUAL_SHARE = 0.2  # of the table, where a book gives no share
SMALLEST_FILLING, LARGEST_FILLING = 4.0, 10.8  # inches across
MOST_FILLING = 40
MORE = 14  # pieces beyond the book's usual number: rivers, homesteads and plots are made of several
GROWTH = (1.2, 1.1, 1.1, 1.05, 1.05)
STRETCHES = 8
NUDGES = (0.0, 0.8, -0.8, 1.6, -1.6)  # inches to the side that are tried if something on a plot does not fit
PULL = 1.1
MOST_UNLIKE = 1.12  # how many times as large as its counterpart a piece may be
THREATENING = ("river", "ruin", "quicksand")
GROWING = ("forest", "hill", "field", "swamp", "lake")
LOOKS = ("road", "bridge", "square")  # without rules
KINDS = {**PRESETS, "rooftop": PresetPiece("rooftop", (BLOCKING,), (ROOF,), 3.0)}
WELL = [
    (1.4 * math.cos(math.tau * corner / 12), 1.4 * math.sin(math.tau * corner / 12)) for corner in range(12)
]
SMALLEST = 30.0  # inches each side of a themed table needs; smaller tables get pieces in pairs


class Laid(Struct, frozen=True):
    """A piece that has found its spot; counterparts share the number of their `pair`."""

    kind: str
    shape: Local
    height: float | None = None
    pair: int = -1
    name: str = ""  # where it is called something else than its kind


def generate_place(
    width: int, depth: int, advice: LayoutAdvice, numbers: TableNumbers, *, players: int = 2
) -> tuple[Piece, ...]:
    """Terrain for a table of this size in thousandths of an inch; the same numbers give the same table."""
    wide, deep = width / 1000, depth / 1000
    if min(wide, deep) < SMALLEST:
        return generate_table(width, depth, advice, numbers, players=players)
    best: tuple[int, int, tuple[Piece, ...]] | None = None
    for attempt in range(ATTEMPTS):
        maker = _PlaceMaker(wide, deep, advice, numbers, players)
        pieces = maker.pieces()
        faults = len(check_layout(width, depth, pieces, advice, players, large_units=True).cites())
        if (
            advice.gap_large_between == "all"
        ):  # with half of the table under terrain there is no room for such gaps
            faults = len(check_layout(width, depth, pieces, advice, players).cites())
        crowd = max(0, len(pieces) - maker.most) if attempt < PATIENCE else 0
        if best is None or (faults, crowd) < best[:2]:
            best = faults, crowd, pieces
        if faults + crowd == 0:
            break
    assert best is not None
    return best[2]


# --- finding spots ---------------------------------------------------------------------------------------


class _PlaceMaker:
    """One attempt at a themed table."""

    def __init__(
        self, wide: float, deep: float, advice: LayoutAdvice, numbers: TableNumbers, players: int
    ) -> None:
        self.wide, self.deep, self.advice = wide, deep, advice
        self.numbers, self.players = numbers, players
        self.theme = theme = numbers.pick(TOWNS if advice.is_settled else COUNTRY)
        self.most = advice.generate + MORE
        self.ways: LaidWays = (
            lay_streets(wide, deep, numbers)
            if theme.square
            else lay_ways(wide, deep, numbers, river=theme.river, crossing=theme.crossing, sway=theme.sway)
        )
        self.ground = OpenGround(wide, deep)
        self.laid: list[Laid] = []

    def pieces(self) -> tuple[Piece, ...]:
        """Everything on the table, pieces with rules first."""
        for road in self.ways.roads:
            self.ground.put_road(road)
        for stretch in self.ways.river:
            self._lay(Laid("river", stretch))
        if self.ways.bridge is not None:
            self.ground.put_road(self.ways.bridge)
        if self.ways.square is not None:
            self.ground.put_road(self.ways.square)
            middle = (self.wide / 2, self.deep / 2)
            self._lay(Laid("well", [(middle[0] + x, middle[1] + y) for x, y in WELL]))
        if self.theme.is_town:
            self._lay_plots()
        for name in self.theme.groups:
            self._add(name)
        self._cover()
        self._close_lines()
        self._balance_kinds()
        looks = [Laid("road", road) for road in self.ways.roads]
        if self.ways.bridge is not None:
            looks.append(Laid("bridge", self.ways.bridge))
        if self.ways.square is not None:
            looks.append(Laid("square", self.ways.square))
        return tuple(_piece(id, one) for id, one in enumerate([*self.laid, *looks], start=1))

    # groups

    def _add(self, name: str, *, columns: tuple[int, ...] = (), tries: int = TRIES) -> bool:
        """Place a group and its counterpart; False if no room is left. `columns` are whole inches to stand at."""
        parts = group(name, self.numbers)
        best: tuple[float, list[Laid]] | None = None
        for _ in range(tries):
            spot = self._spot(parts, columns)
            here = self._placed(parts, *spot, ())
            if here is None:
                continue
            there = self._counterpart(parts, spot, here)
            if there is None:
                continue
            worth = self._worth(parts, [*here, *there])
            if best is None or worth > best[0]:
                best = worth, [*here, *there]
        if best is None:
            return False
        self._lay_pairs(best[1])
        return True

    def _lay_pairs(self, laid: list[Laid]) -> None:
        """Place a group followed by its counterpart."""
        half = len(laid) // 2
        first = len(self.laid)
        for at, one in enumerate(laid):
            self._lay(replace(one, pair=first + at % half))

    def _lay(self, one: Laid) -> None:
        self.laid.append(one)
        self.ground.put(one.shape, one.kind in SOLID_KINDS)

    def _spot(self, parts: list[GroupPart], columns: tuple[int, ...]) -> tuple[float, float, float]:
        """A spot and an angle to try for a group: homes stand by the road, the rest anywhere in the near half."""
        numbers = self.numbers
        if columns:
            return (
                float(numbers.pick(columns)) + numbers.between(-1, 1),
                numbers.between(1, self.deep - 1),
                numbers.between(-0.5, 0.5),
            )
        if parts[0].kind not in ("building", "ruin"):
            lean = 0.06 if self.theme.is_town else 0.35
            angle = numbers.between(-lean, lean) if parts[0].kind in BUILT else 0.0
            return numbers.between(3, self.wide - 3), numbers.between(2.5, self.deep / 2), angle
        course = self.ways.courses[0]
        at = 1 + numbers.below(len(course) - 2)
        (x0, y0), (x, y), (x1, y1) = course[at - 1], course[at], course[at + 1]
        angle = math.atan2(y1 - y0, x1 - x0) + (math.pi if numbers.below(2) else 0.0)
        away = ROAD / 2 + VERGE + 0.4 + parts[0].size[1] / 2 + numbers.between(0.0, 1.6)
        return x - away * math.sin(angle), y + away * math.cos(angle), angle + numbers.between(-0.06, 0.06)

    def _placed(
        self, parts: list[GroupPart], x: float, y: float, angle: float, others: tuple[Laid, ...] | list[Laid]
    ) -> list[Laid] | None:
        """The group at a spot, or None where one of its pieces does not fit."""
        found: list[Laid] = []
        cos, sin = math.cos(angle), math.sin(angle)
        for part in parts:
            dx, dy = part.at
            middle = (x + dx * cos - dy * sin, y + dx * sin + dy * cos)
            if self.ground.room_at(*middle) < 0.4 * min(part.size):
                return None  # for most spots this saves growing a shape
            shape = turned(self._grown(part), *_direction(angle + math.radians(part.turn)))
            shape = [(middle[0] + px, middle[1] + py) for px, py in shape]
            if not self._fits(part, shape) or not _apart(shape, [*found, *others]):
                return None
            found.append(Laid(part.kind, shape, part.height))
        return found

    def _counterpart(
        self, parts: list[GroupPart], spot: tuple[float, float, float], here: list[Laid]
    ) -> list[Laid] | None:
        """The same group about half a turn away, grown again and shifted a little if there is room."""
        x, y, angle = spot
        most = PLOT_SHIFT if self.theme.is_town else SHIFT
        for shift in (most, most / 2, 0.0):
            dx, dy = self.numbers.between(-shift, shift), self.numbers.between(-shift, shift) / 2
            lean = self.numbers.between(-0.08, 0.08) * most / SHIFT if shift else 0.0
            there = self._placed(parts, self.wide - x + dx, self.deep - y + dy, angle + math.pi + lean, here)
            if there is not None:
                return there
        return None

    def _grown(self, part: GroupPart) -> Local:
        if part.kind in BUILT:
            return block_shape(*part.size)
        return grown_shape(self.numbers, *part.size, FILL)

    def _fits(self, part: GroupPart, shape: Local) -> bool:
        solid = part.kind in SOLID_KINDS
        if solid:
            reach = extent(shape)
            if -reach.near < OPEN_EDGE or reach.far > self.deep - OPEN_EDGE:
                return False
        apart = self.advice.gap_large + 0.4 if solid else 0.0
        return self.ground.fits(shape, GAP, from_roads=VERGE, from_solid=apart)

    def _worth(self, parts: list[GroupPart], laid: list[Laid]) -> float:
        """Prefer spots that close lines of sight from edge to edge, and a little disorder."""
        worth = self.numbers.between(0.0, 2.0)
        if self.advice.closed_lines:
            free = set(self._open_columns())
            for one in laid:
                if one.kind in BLOCKING_KINDS:
                    worth += len(free & set(_columns(one.shape)))
        return worth - (len(parts) == 1) * 0.5

    def _lay_plots(self) -> None:
        """Place what stands on the plots of a town, as far as there is room for it and its counterpart."""
        lane = self.ways.courses[-1][-1][0] if self.theme.square else self.wide / 2
        ground = TownGround(self.wide, self.deep, self.ways.courses[0], lane)
        for part, x, y in town_plots(ground, self.theme, self.numbers):
            for nudge in NUDGES:
                spot = (x + nudge, y, 0.0)
                here = self._placed([part], *spot, ())
                there = self._counterpart([part], spot, here) if here is not None else None
                if here is not None and there is not None:
                    self._lay_pairs([*here, *there])
                    break
        self._lay_gangways()

    def _lay_gangways(self) -> None:
        """Join flat roofs that stand side by side, where their counterparts can be joined as well."""
        roofs: dict[int, list[Laid]] = {}
        for one in self.laid:
            if one.kind == "rooftop":
                roofs.setdefault(one.pair, []).append(one)
        for first, second in combinations(roofs.values(), 2):
            decks = [gangway(a.shape, b.shape, self.deep / 2) for a, b in zip(first, second, strict=True)]
            clear = [deck for deck in decks if deck and all(_is_clear(deck, one.shape) for one in self.laid)]
            if len(clear) == len(decks):
                height = min(one.height or 0.0 for one in (*first, *second))
                self._lay_pairs([Laid("rooftop", deck, height, name="Gangway") for deck in clear])

    # filling up

    def _cover(self) -> None:
        """Add fillings where most room is left, then enlarge pieces, until enough of the table is covered."""
        for turn in range(MOST_FILLING):
            if self._lacking() <= 0 or len(self.laid) >= self.most:
                break
            open_columns = self._open_columns() if self.advice.closed_lines else ()
            if open_columns and turn % 4 < 3:
                self._fill("orchard" if self.theme.is_town else "wood", open_columns)
            else:
                self._fill(self.theme.filling[turn % len(self.theme.filling)])
        for factor in GROWTH:
            for pair in self._growing():
                if self._lacking() <= 0:
                    return
                self._grow(pair, factor)
        for _ in range(STRETCHES):
            for pair in self._growing():
                if self._lacking() > 0:
                    self._stretch_both(pair)
        for one in self.laid:
            self.ground.put(one.shape, one.kind in SOLID_KINDS)

    def _lacking(self) -> float:
        """Square inches that terrain still has to cover."""
        share = self.advice.coverage[0] / self.advice.coverage[1] or USUAL_SHARE
        return self.wide * self.deep * share * 1.005 - sum(shape_area(one.shape) for one in self.laid)

    def _growing(self) -> list[tuple[int, int]]:
        """Pieces that could be larger, each with its counterpart, in a random order."""
        seen: dict[str, list[int]] = {}
        for at, one in enumerate(self.laid):
            if one.pair >= 0 and one.kind in GROWING:
                seen.setdefault(f"{one.pair}", []).append(at)
        pairs = [(ends[0], ends[1]) for ends in seen.values() if len(ends) == 2]
        self.numbers.shuffle(pairs)
        return pairs

    def _grow(self, pair: tuple[int, int], factor: float) -> None:
        """Make a piece and its counterpart larger where both keep their distance."""
        grown = [_scaled(self.laid[at], factor) for at in pair]
        if all(self._may_be(at, one.shape) for at, one in zip(pair, grown, strict=True)):
            for at, one in zip(pair, grown, strict=True):
                self.laid[at] = one
                self.ground.put(one.shape)

    def _stretch_both(self, pair: tuple[int, int]) -> None:
        """Stretch a piece and its counterpart, unless one of them has much more room than the other."""
        before = [self.laid[at] for at in pair]
        for at in pair:
            self._stretch(at)
        small, large = sorted(shape_area(self.laid[at].shape) for at in pair)
        if large > small * MOST_UNLIKE:
            for at, one in zip(pair, before, strict=True):
                self.laid[at] = one

    def _stretch(self, at: int) -> None:
        """Pull the corners of an organic outline outwards, each as far as its neighbours allow."""
        one = self.laid[at]
        if one.kind in BUILT:
            return
        x, y = _middle(one.shape)
        for corner, (px, py) in enumerate(one.shape):
            shape = list(one.shape)
            shape[corner] = (x + (px - x) * PULL, y + (py - y) * PULL)
            if self._may_be(at, shape):
                one = replace(one, shape=shape)
        self.laid[at] = one

    def _may_be(self, at: int, shape: Local) -> bool:
        """Whether a piece on the table may have this outline instead of its own."""
        reach = extent(shape)
        if -reach.left < 0 or -reach.near < 0 or reach.right > self.wide or reach.far > self.deep:
            return False
        if sides(_outline(shape))[1] > self.advice.size_max - 0.05:
            return False
        others = (other.shape for index, other in enumerate(self.laid) if index != at)
        return all(_is_clear(shape, other) for other in (*others, *self.ways.roads))

    def _fill(self, name: str, columns: tuple[int, ...] = ()) -> None:
        """Add a piece as large as the room allows; it or its counterpart stands at one of the `columns`, if given."""
        spots = self.ground.spots(SMALLEST_FILLING / 2 + GAP, VERGE)
        if columns:
            wanted = np.array([*columns, *(self.wide - inch for inch in columns)])
            near = np.abs(spots[:, :1] - wanted[None, :]).min(axis=1) < 2.0
            spots = spots[near]
        if not len(spots):
            return
        kind, _ = single(name, self.numbers)
        for _ in range(TRIES // 4):
            # the roomiest of a few, so that large gaps are filled before small ones
            x, y, room = max(
                (spots[self.numbers.below(len(spots))] for _ in range(4)), key=lambda spot: float(spot[2])
            )
            size = max(
                SMALLEST_FILLING, min(LARGEST_FILLING, self.numbers.between(1.9, 2.8) * (float(room) - GAP))
            )
            part = GroupPart(
                kind,
                (size * self.numbers.between(0.95, 1.1), size * self.numbers.between(0.85, 1.0)),
                turn=self.numbers.between(*self._turns(kind)),
                height=tall(kind, self.numbers),
            )
            spot = (float(x), float(y), 0.0)
            here = self._placed([part], *spot, ())
            there = self._counterpart([part], spot, here) if here is not None else None
            if here is not None and there is not None:
                self._lay_pairs([*here, *there])
                return

    def _turns(self, kind: str) -> tuple[float, float]:
        """How a filling may be turned, in degrees: in a town gardens lie along the streets."""
        return (-4, 4) if self.theme.is_town and kind in BUILT else (0, 180)

    def _close_lines(self) -> None:
        """Close the remaining lines of sight from edge to edge with copses, walls and rocks."""
        if not self.advice.closed_lines:
            return
        for name in ("copse", "walls", "copse", "walls", "rock") * 5:
            columns = self._open_columns()
            if not columns:
                return
            self._add(name, columns=columns, tries=30)

    def _balance_kinds(self) -> None:
        """Add copses and walls until enough pieces block sight, give cover and slow movement."""
        for _ in range(12):
            count = len(self.laid)
            needed = minimums(count, self.players, self.advice)
            kinds = [one.kind for one in self.laid]
            lacks_cover = sum(kind in COVERING for kind in kinds) < needed.cover
            lacks_slow = sum(kind in SLOWING for kind in kinds) < needed.difficult
            lacks_block = sum(kind in BLOCKING_KINDS for kind in kinds) < needed.blocking
            if sum(kind in THREATENING for kind in kinds) < needed.dangerous and self._add("quicksand"):
                continue
            if not (lacks_cover or lacks_slow or lacks_block):
                return
            if not self._add("copse", tries=30) and not (lacks_block and self._add("walls", tries=30)):
                return

    def _open_columns(self) -> tuple[int, ...]:
        closed = {inch for one in self.laid if one.kind in BLOCKING_KINDS for inch in _columns(one.shape)}
        return tuple(inch for inch in range(1, math.ceil(self.wide)) if inch not in closed)


def _middle(shape: Local) -> tuple[float, float]:
    reach = extent(shape)
    return (reach.right - reach.left) / 2, (reach.far - reach.near) / 2


def _outline(shape: Local) -> Outline:
    return tuple((thousandths(x), thousandths(y)) for x, y in shape)


def _scaled(one: Laid, factor: float) -> Laid:
    """The same piece, larger about its middle."""
    x, y = _middle(one.shape)
    return replace(one, shape=[(x + (px - x) * factor, y + (py - y) * factor) for px, py in one.shape])


def _is_clear(one: Local, other: Local) -> bool:
    """Whether there is a gap between two outlines."""
    a, b = extent(one), extent(other)
    if -a.left > b.right + GAP or -b.left > a.right + GAP or -a.near > b.far + GAP or -b.near > a.far + GAP:
        return True
    points = np.array([*one, *other], dtype=np.float64)
    return outlines_apart(points, 0, len(one), len(one), len(points)) >= GAP


def _direction(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def _columns(shape: Local) -> Iterator[int]:
    """The whole inches across the table that a piece covers."""
    reach = extent(shape)
    return iter(range(math.floor(-reach.left) + 1, math.ceil(reach.right)))


def _apart(shape: Local, others: list[Laid]) -> bool:
    """Whether a piece is clear of others that are not on the table yet: whether their boxes, turned as the piece is,
    do not meet.
    """
    return all(_separated(shape, one.shape) or _separated(one.shape, shape) for one in others)


def _separated(one: Local, other: Local) -> bool:
    """Whether a line along some edge of the first outline's box separates them."""
    edges = zip(one, [*one[1:], one[0]], strict=True)
    for (x0, y0), (x1, y1) in edges:
        dx, dy = x1 - x0, y1 - y0
        far = math.hypot(dx, dy) or 1.0
        if all(((x - x0) * dy - (y - y0) * dx) / far > GAP / 2 for x, y in other):
            most = max(((x - x0) * dy - (y - y0) * dx) / far for x, y in one)
            if all(((x - x0) * dy - (y - y0) * dx) / far > most + GAP / 2 for x, y in other):
                return True
    return False


def _piece(id: int, one: Laid) -> Piece:
    outline = _outline(one.shape)
    if one.kind in LOOKS:
        return Piece(
            id=id, name=one.kind.capitalize(), kind=one.kind, outline=outline, conditions=(DECORATIVE,)
        )
    usual = preset(one.kind, height=one.height, presets=KINDS)
    return Piece(
        id=id,
        name=one.name or one.kind.capitalize(),
        kind=one.kind,
        outline=outline,
        height=thousandths(usual.height),
        types=usual.types,
        conditions=usual.conditions,
    )
