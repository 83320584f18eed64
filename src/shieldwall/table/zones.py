"""Zones of the table in which units are placed, and where objective markers may go.

Sizes and positions are whole thousandths of an inch, as in the state; the numbers of a book arrive in inches
as plain values. Who places what, and when, is decided elsewhere.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.state import MILLI, Marker, Piece, shared_facts
from shieldwall.geometry.arrays import Floats, Ints
from shieldwall.geometry.distance import overhang as how_far_out
from shieldwall.geometry.tolerance import EPS, closer_than, over, within
from shieldwall.geometry.zones import MarkerSearch, base_fits_near, farthest_first, marker_spots
from shieldwall.table.layout_facts import distances
from shieldwall.table.outlines import is_inside, thousandths
from shieldwall.table.pieces import ground_of
from shieldwall.table.reasons import TableReason
from shieldwall.table.shapes import Shapes
from shieldwall.table.terrain import (
    BLOCKING,
    ELEVATED,
    GAP,
    IMPASSABLE,
    LIMITS,
    ROOF,
    Table,
    is_impassable,
    standing_height,
)

Edge = Literal["south", "north", "west", "east"]
EDGES: tuple[Edge, ...] = ("south", "north", "west", "east")
EDGES_OF_AXIS: dict[str, tuple[Edge, Edge]] = {"y": ("south", "north"), "x": ("west", "east")}
OPPOSITE: dict[Edge, Edge] = {"south": "north", "north": "south", "west": "east", "east": "west"}
ZONES_KEPT = 256
BEYOND = 1_000_000  # thousandths of an inch: farther than anything lies off the table


class ZoneRule(Struct, frozen=True):
    """How deep deployment zones are, and the least distance between the armies at the start, in inches."""

    depth: float = 12.0
    apart: float = 24.0


class Zone(Struct, frozen=True):
    """A rectangle of the table, borders included. `edge` is the table edge it belongs to, if any."""

    left: int
    near: int
    right: int
    far: int
    edge: str = ""


class Region(Struct, frozen=True):
    """Where something must lie: wholly inside any one of the zones. `words` describe that to a player."""

    zones: tuple[Zone, ...]
    words: str
    cite: str


@lru_cache(maxsize=ZONES_KEPT)
def zone_array(zones: tuple[Zone, ...]) -> Floats:
    """float64[n, 4]: left, near, right and far of each zone in inches; shared and read-only."""
    corners = [(zone.left, zone.near, zone.right, zone.far) for zone in zones]
    return np.array(corners, dtype=np.float64) / MILLI


def edges_for(axis: str) -> tuple[Edge, Edge]:
    """The pair of opposite edges on which armies deploy when they face each other along an axis."""
    return EDGES_OF_AXIS[axis]


def long_axis(width: int, depth: int) -> str:
    """The axis whose edges are the long ones; "y" for a square table."""
    return "y" if width >= depth else "x"


def zone(width: int, depth: int, edge: str, zone_depth: int) -> Zone:
    """The strip along one table edge, over its whole length."""
    match edge:
        case "south":
            return Zone(0, 0, width, zone_depth, edge)
        case "north":
            return Zone(0, depth - zone_depth, width, depth, edge)
        case "west":
            return Zone(0, 0, zone_depth, depth, edge)
        case "east":
            return Zone(width - zone_depth, 0, width, depth, edge)
        case _:
            raise ValueError(f"{edge!r} is not a table edge; there are {', '.join(EDGES)}")


def zone_depth(width: int, depth: int, axis: str, rule: ZoneRule) -> int:
    """How deep the zones are on this table: as usual, or less on a small one so that the armies stay apart.

    0 or less means that the table is too small to be played on.
    """
    long = depth if axis == "y" else width
    return min(thousandths(rule.depth), (long - thousandths(rule.apart)) // 2)


def army_separation(width: int, depth: int, axis: str, zone_depth: int) -> float:
    """Inches between the two deployment zones."""
    return ((depth if axis == "y" else width) - 2 * zone_depth) / MILLI


def check_zones(
    width: int, depth: int, axis: str, zone_depth: int, rule: ZoneRule
) -> tuple[TableReason, ...]:
    """Why armies cannot deploy like this on a table of this size."""
    reasons = []
    apart = army_separation(width, depth, axis, zone_depth)
    if zone_depth <= 0:
        reasons.append(
            TableReason(
                f"the table has no room for deployment zones {rule.apart:g} inches apart", "setup.table"
            )
        )
    elif closer_than(apart, rule.apart):
        text = f"the armies would deploy {apart:g} inches apart; the minimum is {rule.apart:g}"
        reasons.append(TableReason(text, "setup.table"))
    return tuple(reasons)


def deployment_region(width: int, depth: int, edge: str, zone_depth: int) -> Region:
    """A side's own zone."""
    words = f"within {zone_depth / MILLI:g} inches of the {edge} edge"
    return Region((zone(width, depth, edge, zone_depth),), words, "deploy.zone")


def near_zone_region(width: int, depth: int, edge: str, zone_depth: int, reach: float) -> Region:
    """A side's own zone and everything within some inches of it."""
    words = f"within {reach:g} inches of the zone at the {edge} edge"
    strip = zone_depth + thousandths(reach)
    deep = depth if edge in EDGES_OF_AXIS["y"] else width
    return Region((zone(width, depth, edge, min(strip, deep)),), words, "deploy.near-zone")


def edge_region(width: int, depth: int, strip: float) -> Region:
    """Strips along all four edges; the unit must lie wholly in one of them."""
    zones = tuple(zone(width, depth, edge, thousandths(strip)) for edge in EDGES)
    return Region(zones, f"within {strip:g} inches of one table edge", "deploy.strip")


def table_region(width: int, depth: int) -> Region:
    """The whole table."""
    return Region((Zone(0, 0, width, depth),), "on the table", "deploy.table")


def overhang(shapes: Shapes, zone: Zone) -> float:
    """How many inches a set of footprints sticks out of a zone; 0 or less when it lies wholly inside."""
    left, near, right, far = zone.left / MILLI, zone.near / MILLI, zone.right / MILLI, zone.far / MILLI
    return how_far_out(shapes.points, shapes.rows, 0, len(shapes), left, near, right, far)


def check_region(name: str, shapes: Shapes, region: Region) -> tuple[TableReason, ...]:
    """Why footprints do not lie in a region: by how much they miss the zone they fit best."""
    out = min(overhang(shapes, zone) for zone in region.zones)
    if within(out, 0.0):
        return ()
    return (
        TableReason(f"{name} must be fully {region.words}; it sticks out by {out:.2f} inches", region.cite),
    )


def check_place(name: str, shapes: Shapes, region: Region, width: int, depth: int) -> tuple[TableReason, ...]:
    """Why footprints are not on the table, or else why they are not in a region."""
    zones = open_zones(region.zones, width, depth)
    reasons = check_region(name, shapes, table_region(width, depth))
    return reasons + check_region(name, shapes, replace(region, zones=zones))


@lru_cache(maxsize=ZONES_KEPT)
def open_zones(zones: tuple[Zone, ...], width: int, depth: int) -> tuple[Zone, ...]:
    """Zones extended beyond the table edges they reach, because being off the table is checked separately."""
    return tuple(_open_to_edges(zone, width, depth) for zone in zones)


def _open_to_edges(zone: Zone, width: int, depth: int) -> Zone:
    """A zone extended beyond the table edges it reaches."""
    return Zone(
        zone.left if zone.left > 0 else -BEYOND,
        zone.near if zone.near > 0 else -BEYOND,
        zone.right if zone.right < width else width + BEYOND,
        zone.far if zone.far < depth else depth + BEYOND,
    )


# --- objective markers ------------------------------------------------------------------------------------


class MarkerRules(Struct, frozen=True):
    """Where markers may go, in inches. `axis` "all" keeps them out of the strips along all four edges.

    A marker must be reachable: some square base of side `base` must have room within `reach` of it, unless a book
    sets `must_be_reached` to False. `step` is the height that models climb at once, 0 for none: taller ground is
    reached over lower pieces next to it.
    """

    zone_depth: float = 12.0
    axis: str = "y"
    apart: float = 9.0
    reach: float = 3.0
    base: float = 1.0
    keeps_off_blocking: bool = False
    must_be_reached: bool = True
    step: float = 0.0


class MarkedTable(Table, Protocol):
    """A table with markers: a `State`, or anything like it."""

    @property
    def markers(self) -> tuple[Marker, ...]: ...


def marker_candidates(
    table: MarkedTable, rules: MarkerRules, count: int = 16, step: float = 3.0, inset: float = 6.0
) -> tuple[tuple[int, int], ...]:
    """Legal spots for the next marker, the one farthest from all markers first, then evenly spread.

    On an empty table the first is the one nearest to the middle. Spots keep `inset` inches from every edge:
    a marker at the edge is legal but can be held from half a circle only. There are fewer than `count`, or none, if
    the table has no more room at this step.
    """
    taken = np.array([(m.x / MILLI, m.y / MILLI) for m in table.markers if not m.gone]).reshape(-1, 2)
    spots = _marker_spots(table, rules, step, inset)
    if len(taken):
        apart = np.hypot(spots[:, :1] - taken[:, 0], spots[:, 1:] - taken[:, 1])
        spots = spots[apart.min(axis=1) > rules.apart + EPS]
    elif len(spots):
        off = (spots[:, 0] - table.width / MILLI / 2) ** 2 + (spots[:, 1] - table.depth / MILLI / 2) ** 2
        middle = int(np.argmin(off))
        spots = np.concatenate([spots[middle : middle + 1], spots[:middle], spots[middle + 1 :]])
    chosen = np.empty(count, dtype=np.int64)
    picks = chosen[: farthest_first(spots, taken, chosen)]
    return tuple([(round(x * MILLI), round(y * MILLI)) for x, y in spots[picks].tolist()])


def _marker_spots(table: MarkedTable, rules: MarkerRules, step: float, inset: float) -> Floats:
    """Spots at even steps where a first marker might lie; cached on the pieces, because most tables get several."""
    known: dict[object, Floats] = shared_facts(table.pieces).setdefault("marker spots", {})
    key = (table.width, table.depth, rules, step, inset)
    if key not in known:
        xs, ys = _evenly(table.width / MILLI, step), _evenly(table.depth / MILLI, step)
        answer = np.empty((len(xs) * len(ys), 2))
        search = _marker_search(table, rules, inset)
        found = marker_spots(xs, ys, search, ground_of(table.pieces).flat(), answer)
        known[key] = answer[:found].copy()
    return known[key]


def check_marker(table: MarkedTable, x: int, y: int, rules: MarkerRules) -> tuple[TableReason, ...]:
    """Every reason against a marker whose centre would lie here. Measured from centre to centre."""
    if not (0 <= x <= table.width and 0 <= y <= table.depth):
        return (TableReason("a marker must lie on the table", "marker.table"),)
    reasons = _zone_reasons(table, x, y, rules)
    for marker in table.markers:
        apart = math.hypot(marker.x - x, marker.y - y) / MILLI
        if not marker.gone and not over(apart, rules.apart):
            text = f"marker {marker.id + 1} is {apart:.2f} inches away; it must be over {rules.apart:g} inches away"
            reasons.append(TableReason(text, "marker.apart"))
    search = _marker_search(table, rules, 0.0)
    for piece, is_shut in zip(table.pieces, search.shut.tolist(), strict=True):
        if is_shut and is_inside(piece.outline, x, y):
            reasons.append(
                TableReason(f"units could not reach a marker inside {piece.name}", "marker.impassable")
            )
    if not base_fits_near(x / MILLI, y / MILLI, search, ground_of(table.pieces).flat()):
        text = f"there is no room for a base of {rules.base:g} inch within {rules.reach:g} inches of it"
        reasons.append(TableReason(text, "marker.reach"))
    return tuple(reasons)


def _out_of_reach(pieces: tuple[Piece, ...], rules: MarkerRules) -> tuple[Ints, Ints]:
    """The pieces on which no base can stand, and those inside which no marker may lie; cached on the pieces."""
    known: dict[MarkerRules, tuple[Ints, Ints]] = shared_facts(pieces).setdefault("out of reach", {})
    if rules not in known:
        known[rules] = _find_out_of_reach(pieces, rules)
    return known[rules]


def _find_out_of_reach(pieces: tuple[Piece, ...], rules: MarkerRules) -> tuple[Ints, Ints]:
    ground = ground_of(pieces)
    if not rules.must_be_reached:
        barred = np.zeros_like(ground.impassable)
        return barred, ground.shut if rules.keeps_off_blocking else barred
    climbed = np.isin(np.arange(len(pieces)), climbed_by_steps(pieces, rules.step))
    barred = np.where(climbed, 0, ground.impassable)
    if not rules.keeps_off_blocking:
        return barred, barred
    solid = np.array([BLOCKING in one.types and ROOF not in one.conditions for one in pieces], dtype=bool)
    return barred, np.where(climbed & ~solid, 0, ground.shut)


def climbed_by_steps(pieces: tuple[Piece, ...], step: float) -> list[int]:
    """The pieces, impassable only for their height, that can be reached from lower ones across a small gap."""
    agreed = {IMPASSABLE, ELEVATED}
    tall = [
        index
        for index, piece in enumerate(pieces)
        if is_impassable(piece) and GAP not in piece.conditions and agreed.isdisjoint(piece.types)
    ]
    if not step or not tall:
        return []
    height = [standing_height(piece) / MILLI for piece in pieces]
    apart = distances(pieces)
    footing = {index for index, piece in enumerate(pieces) if not is_impassable(piece)}
    found: list[int] = []
    for index in sorted(tall, key=height.__getitem__):  # a piece is reached only from lower ones
        if any(
            within(apart[index, other], LIMITS.gap_over / MILLI)
            and within(height[index] - height[other], step)
            for other in footing
        ):
            footing.add(index)
            found.append(index)
    return found


def _zone_reasons(table: MarkedTable, x: int, y: int, rules: MarkerRules) -> list[TableReason]:
    """Why a marker may not lie in a deployment zone, whose border still belongs to it."""
    reasons = []
    away = {"south": y, "north": table.depth - y, "west": x, "east": table.width - x}
    for edge in EDGES if rules.axis == "all" else edges_for(rules.axis):
        if not over(away[edge] / MILLI, rules.zone_depth):
            text = f"the marker is {away[edge] / MILLI:.2f} inches from the {edge} edge"
            text += f"; the deployment zone is {rules.zone_depth:g} inches deep"
            reasons.append(TableReason(text, "marker.zone"))
    return reasons


def _marker_search(table: Table, rules: MarkerRules, inset: float) -> MarkerSearch:
    """The rules for markers in the form the compiled search takes; markers keep `inset` inches from every edge."""
    wide, deep = table.width / MILLI, table.depth / MILLI
    rim, keep = inset - EPS, max(rules.zone_depth + EPS, inset - EPS)
    x = keep if rules.axis in ("x", "all") else rim
    y = keep if rules.axis in ("y", "all") else rim
    barred, shut = _out_of_reach(table.pieces, rules)
    return MarkerSearch(x, y, wide - x, deep - y, wide, deep, rules.reach, rules.base, barred, shut)


def _evenly(length: float, step: float) -> Floats:
    """Whole steps arranged evenly about the middle of an edge, on the stored grid."""
    steps = int(length / 2 / step)
    return np.round(length / 2 + step * np.arange(-steps, steps + 1), 3)
