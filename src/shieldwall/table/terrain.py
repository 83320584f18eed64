"""Terrain: types, conditions, the books' common pieces, and what can be read off a piece.

A type always applies ("difficult"); a condition is anything that applies only sometimes or changes how a type works
("difficult-uphill"). "Elevated" need not be stated: it follows from height and gaps. The `height` of a piece is what
line of sight uses; the condition "ground-level" says that models stand on the table inside it instead of on top.
What the types do in play (caps, tests, Defense) is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Piece
from shieldwall.geometry.tolerance import over
from shieldwall.table.outlines import (
    Box,
    Outline,
    box_of,
    doubled_area,
    is_inside,
    narrowest,
    outline_problems,
    rectangle,
    thousandths,
)

OPEN = "open"
IMPASSABLE = "impassable"
BLOCKING = "blocking"
COVER = "cover"
DIFFICULT = "difficult"
DANGEROUS = "dangerous"
ELEVATED = "elevated"
TYPES = (OPEN, IMPASSABLE, BLOCKING, COVER, DIFFICULT, DANGEROUS, ELEVATED)

SEE_INTO = "see-into"  # sight goes in and out of the piece but not right through it
HILLTOP = "hilltop"  # a unit on top may ignore one unit or piece for each target it looks at
DIFFICULT_UPHILL = "difficult-uphill"
DANGER_ON_RUSH_OR_CHARGE = "danger-on-rush-or-charge"
GAP = "gap"  # a drop; up to a limit it is stepped over, beyond that it cannot be crossed
GROUND_LEVEL = "ground-level"  # models go in at table level: trees, corn, broken walls
ROOF = "roof"  # sight stops at its walls, and models and markers may stand on top
DECORATIVE = "decorative"
CONDITIONS = (
    SEE_INTO,
    HILLTOP,
    DIFFICULT_UPHILL,
    DANGER_ON_RUSH_OR_CHARGE,
    GAP,
    GROUND_LEVEL,
    ROOF,
    DECORATIVE,
)

FAST_ACTIONS = ("rush", "charge")


class TerrainLimits(Struct, frozen=True):
    """The heights and widths, in thousandths of an inch, at which terrain becomes elevated or impassable."""

    elevated_over: int = 3 * MILLI
    elevated_at_limit: bool = False
    elevated_stops: bool = True
    gap_over: int = 1 * MILLI


LIMITS = TerrainLimits()


class PresetPiece(Struct, frozen=True):
    """What a common kind of terrain does unless the players agree otherwise; height in inches.

    `capacity` is how many models find room in a solid building; below `blocks_from` inches it does not stop sight.
    """

    kind: str
    types: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    height: float = 0.0
    capacity: int = 0
    blocks_from: float = 0.0


def _by_kind(*presets: PresetPiece) -> Mapping[str, PresetPiece]:
    return {preset.kind: preset for preset in presets}


# Types and conditions follow the books' table of common pieces; their other examples come after it. The books print no
# heights: these are ours, chosen so that what should stop sight is taller than a rider.
PRESETS = _by_kind(
    PresetPiece("barricade", (COVER,), (), 1.0),
    PresetPiece("building", (IMPASSABLE, BLOCKING), (), 5.0),
    PresetPiece("field", (DIFFICULT, COVER), (GROUND_LEVEL,), 1.0),
    PresetPiece("forest", (DIFFICULT, COVER), (SEE_INTO, GROUND_LEVEL), 5.0),
    PresetPiece("hill", (COVER,), (DIFFICULT_UPHILL, HILLTOP), 2.0),
    PresetPiece("lake", (DIFFICULT,)),
    PresetPiece("lava", (DANGEROUS,)),
    PresetPiece("mountain", (IMPASSABLE, BLOCKING), (), 7.0),
    PresetPiece("river", (), (DANGER_ON_RUSH_OR_CHARGE,)),
    PresetPiece("rubble", (DIFFICULT,), (), 0.5),
    PresetPiece("ruin", (COVER,), (DANGER_ON_RUSH_OR_CHARGE, GROUND_LEVEL), 3.0),
    PresetPiece("swamp", (DIFFICULT,)),
    PresetPiece("wall", (BLOCKING,), (), 2.0),
    PresetPiece("fence", (COVER,), (), 1.0),
    PresetPiece("rock", (BLOCKING,), (), 3.0),
    PresetPiece("mud", (DIFFICULT,)),
    PresetPiece("quicksand", (DANGEROUS,)),
    PresetPiece("cliff", (BLOCKING,), (), 4.0),
    PresetPiece("chasm", (), (GAP,)),
    PresetPiece("crates", (COVER,), (), 1.0),
    PresetPiece("well", (COVER,), (), 1.0),
    PresetPiece("decoration", (), (DECORATIVE,)),
    PresetPiece("road", (), (DECORATIVE,)),
    PresetPiece("bridge", (), (DECORATIVE,)),
    PresetPiece("square", (), (DECORATIVE,)),
)
WATER_DEPTHS: Mapping[str, tuple[str, ...]] = {"shallow": (DIFFICULT,), "deep": (IMPASSABLE,)}


class Table(Protocol):
    """The ground of a game: a `State`, or anything else with a size and pieces, in thousandths of an inch."""

    @property
    def width(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def pieces(self) -> tuple[Piece, ...]: ...


class BareTable(Struct, frozen=True):
    """A table before the game: nothing but its size and its terrain."""

    width: int
    depth: int
    pieces: tuple[Piece, ...] = ()


def preset(
    kind: str,
    *,
    water: str = "shallow",
    types: Iterable[str] | None = None,
    conditions: Iterable[str] | None = None,
    height: float | None = None,
    presets: Mapping[str, PresetPiece] = PRESETS,
) -> PresetPiece:
    """A common kind of terrain; what the players agreed on replaces the usual types, conditions or height.

    `water` is "shallow" or "deep" and matters only for lakes. Unknown kinds are open ground until types are given, so
    that any object can serve as terrain.
    """
    usual = presets.get(kind, PresetPiece(kind))
    if kind == "lake":
        if water not in WATER_DEPTHS:
            raise MalformedError("lake", [f"water is {water!r}; it must be one of {', '.join(WATER_DEPTHS)}"])
        usual = replace(usual, types=WATER_DEPTHS[water])
    tall = usual.height if height is None else height
    if tall < usual.blocks_from:
        usual = replace(usual, types=tuple(one for one in usual.types if one != BLOCKING))
    if types is not None and IMPASSABLE in (types := tuple(types)) and _has_no_tops(presets):
        usual = replace(usual, conditions=tuple(dict.fromkeys((*usual.conditions, GROUND_LEVEL))))
    return PresetPiece(
        kind,
        usual.types if types is None else tuple(types),
        usual.conditions if conditions is None else _added(usual.conditions, tuple(conditions)),
        tall,
        usual.capacity,
    )


def _added(usual: tuple[str, ...], agreed: tuple[str, ...]) -> tuple[str, ...]:
    """The agreed conditions, with "ground-level" if the usual ones have it."""
    return (*agreed, GROUND_LEVEL) if GROUND_LEVEL in usual and GROUND_LEVEL not in agreed else agreed


def _has_no_tops(presets: Mapping[str, PresetPiece]) -> bool:
    """Whether models can never stand on impassable pieces in a book."""
    high = [one for one in presets.values() if IMPASSABLE in one.types and one.height]
    return bool(high) and all(GROUND_LEVEL in one.conditions for one in high)


def piece(
    id: int,
    kind: str,
    outline: Iterable[tuple[float, float]] | None = None,
    *,
    at: tuple[float, float] = (0.0, 0.0),
    size: tuple[float, float] | None = None,
    angle: float = 0.0,
    name: str = "",
    water: str = "shallow",
    types: Iterable[str] | None = None,
    conditions: Iterable[str] | None = None,
    height: float | None = None,
    depth: float = 0.0,
    capacity: int | None = None,
    ports: Mapping[str, Iterable[float]] | None = None,
    presets: Mapping[str, PresetPiece] = PRESETS,
) -> Piece:
    """One piece from a preset, in inches: an outline, or a rectangle by centre, size and clockwise angle.

    Vertices are rounded to the grid, counter-clockwise. `depth` is how far water or a gap goes down.
    Unknown types and outlines that cross themselves are refused, all problems at once. `ports` are the heights of
    firing ports by side (south, east, north, west, or the number of a side); a building has one on each side if
    nobody says otherwise.
    """
    if outline is None and size is None:
        raise MalformedError(f"piece {id}", ["give either an outline or a size"])
    corners = _on_grid(outline) if outline is not None else rectangle(at, size or (0.0, 0.0), angle)
    usual = preset(kind, water=water, types=types, conditions=conditions, height=height, presets=presets)
    room = usual.capacity if capacity is None else capacity
    if outline is None and min(size or (0.0, 0.0)) <= 0.0:
        problems = [f"width and depth must be above 0, not {size[0]:g} x {size[1]:g}" if size else ""]
    else:
        problems = outline_problems(corners)
    problems += [f"type {t!r} is not one of {', '.join(TYPES)}" for t in usual.types if t not in TYPES]
    if not problems and doubled_area(corners) < 0:
        corners = corners[::-1]
    openings = ports_of(corners, usual.height, room, ports, problems) if not problems else ()
    if problems:
        raise MalformedError(f"piece {id} ({kind})", problems)
    return Piece(
        id=id,
        name=name or kind.capitalize(),
        kind=kind,
        outline=corners,
        height=thousandths(usual.height),
        types=usual.types,
        conditions=usual.conditions,
        depth=thousandths(depth),
        capacity=room,
        ports=openings,
    )


def as_printed(pieces: Iterable[Piece], presets: Mapping[str, PresetPiece]) -> tuple[Piece, ...]:
    """The same pieces with the types and conditions of a book's own table; a height stays if the usual table has the
    same height, or does not list the kind.
    """
    found = []
    for one in pieces:
        own, usual = presets.get(one.kind), PRESETS.get(one.kind)
        if own is None or own == usual:
            found.append(one)
            continue
        stays = usual.height == own.height if usual is not None else one.height > 0
        tall = one.height if stays else thousandths(own.height)
        ports = ports_of(one.outline, own.height, own.capacity, None, [])
        changed = replace(one, types=own.types, conditions=own.conditions, height=tall)
        found.append(replace(changed, capacity=own.capacity, ports=ports))
    return tuple(found)


def is_decorative(piece: Piece) -> bool:
    """Whether the piece is only decoration, either explicitly or because nothing was agreed about it."""
    return DECORATIVE in piece.conditions or is_untyped(piece)


def is_untyped(piece: Piece) -> bool:
    """Whether nothing was agreed about what the piece does; such a piece plays as open ground."""
    return not piece.types and not piece.conditions and piece.height == 0


def blocks_sight(piece: Piece) -> bool:
    """Whether no line of sight crosses the piece: it blocks sight, or can be seen into but not through."""
    return _acts(piece) and (BLOCKING in piece.types or SEE_INTO in piece.conditions)


def gives_cover(piece: Piece) -> bool:
    return _acts(piece) and COVER in piece.types


def is_difficult(piece: Piece, uphill: bool = False) -> bool:
    """Whether moving here is slowed; `uphill` says whether the move in question goes up onto the piece."""
    return _acts(piece) and (DIFFICULT in piece.types or (uphill and DIFFICULT_UPHILL in piece.conditions))


def is_dangerous(piece: Piece, action: str = "") -> bool:
    """Whether the piece is dangerous to models that take this action in it; no action means standing still."""
    if not _acts(piece):
        return False
    if DANGEROUS in piece.types:
        return True
    return action in FAST_ACTIONS and DANGER_ON_RUSH_OR_CHARGE in piece.conditions


def standing_height(piece: Piece) -> int:
    """How far above the table, in thousandths, models on it stand: 0 if they enter it at table level."""
    return 0 if GROUND_LEVEL in piece.conditions or GAP in piece.conditions else piece.height


def carries_models(piece: Piece) -> bool:
    """Whether models may stand in or on the piece: not if its own type is impassable, whatever its height.

    Terrain that is impassable only because of its height supports models that get up there; so does a piece that is
    declared both impassable and elevated, such as a tower with a roof.
    """
    return _acts(piece) and (IMPASSABLE not in piece.types or ELEVATED in piece.types)


def gap_width(piece: Piece) -> float:
    """How wide the piece is, in inches, at its narrowest, for a model that steps across; cached on it."""
    found = piece.__dict__.get("gap_width")
    if found is None:
        found = piece.__dict__["gap_width"] = narrowest(piece.outline)
    return float(found)


def is_elevated(piece: Piece, limits: TerrainLimits = LIMITS) -> bool:
    """Whether the piece is too tall to walk onto, or a gap too wide to step over."""
    if not _acts(piece):
        return False
    if GAP in piece.conditions:
        return over(gap_width(piece), limits.gap_over / MILLI)
    tall = standing_height(piece)
    return (
        ELEVATED in piece.types
        or tall > limits.elevated_over
        or (limits.elevated_at_limit and tall == limits.elevated_over)
    )


def is_impassable(piece: Piece, limits: TerrainLimits = LIMITS) -> bool:
    """Whether models without a special rule can neither cross nor enter the piece."""
    if not _acts(piece):
        return False
    return IMPASSABLE in piece.types or (limits.elevated_stops and is_elevated(piece, limits))


def types_of(piece: Piece, limits: TerrainLimits = LIMITS) -> tuple[str, ...]:
    """The agreed types and those implied by height and gaps, in the order of `TYPES`; never empty."""
    if not _acts(piece):
        return (OPEN,)
    held = set(piece.types)
    if is_elevated(piece, limits):
        held.add(ELEVATED)
    if is_impassable(piece, limits):
        held.add(IMPASSABLE)
    return tuple(kind for kind in TYPES if kind in held) or (OPEN,)


def pieces_at(table: Table, x: int, y: int) -> tuple[Piece, ...]:
    """The pieces that contain a point given in thousandths; a point on the border is outside."""
    return tuple(
        piece
        for piece in table.pieces
        if (box := bounding_box(piece)).left < x < box.right
        and box.near < y < box.far
        and is_inside(piece.outline, x, y)
    )


def terrain_at(table: Table, x: int, y: int, limits: TerrainLimits = LIMITS) -> tuple[str, ...]:
    """The terrain types in force at a point given in thousandths; ("open",) where there are none."""
    held = {kind for piece in pieces_at(table, x, y) for kind in types_of(piece, limits)}
    return tuple(kind for kind in TYPES if kind in held and kind != OPEN) or (OPEN,)


def bounding_box(piece: Piece) -> Box:
    """The axis-aligned box around the piece, cached on it."""
    found = piece.__dict__.get("box")
    if found is None:
        found = piece.__dict__["box"] = box_of(piece.outline)
    assert isinstance(found, Box)
    return found


def untyped_pieces(table: Table) -> tuple[Piece, ...]:
    """The pieces about which nothing was agreed: ask the players, or make them decorative with `settle`."""
    return tuple(piece for piece in table.pieces if is_untyped(piece))


def settle(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The same pieces, those without any type marked as decorative."""
    return tuple(replace(piece, conditions=(DECORATIVE,)) if is_untyped(piece) else piece for piece in pieces)


def _acts(piece: Piece) -> bool:
    return DECORATIVE not in piece.conditions


def _on_grid(outline: Iterable[tuple[float, float]]) -> Outline:
    return tuple((thousandths(x), thousandths(y)) for x, y in outline)


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
    """The side of an outline that faces most towards a point of the compass; -1 for an unknown word."""
    if direction not in COMPASS:
        return -1
    x, y = COMPASS[direction]

    def outward(side: int) -> float:
        (ax, ay), (bx, by) = corners[side], corners[(side + 1) % len(corners)]
        length = math.hypot(bx - ax, by - ay) or 1.0
        return round(((by - ay) * x - (bx - ax) * y) / length, 6)

    return max(range(len(corners)), key=lambda side: (outward(side), -side))
