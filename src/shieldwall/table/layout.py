"""Whether a table of terrain is allowed, and how it compares with the guidelines; all findings at once.

Every number comes from `LayoutAdvice`, so a book is a value. A layout is refused only for its number of pieces, or
for terrain beyond the table's edge: all the rest is advice. Sizes and positions are whole thousandths of an inch, as
in the state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from shieldwall.core.state import MILLI, Piece
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.tolerance import closer_than, over
from shieldwall.table.layout_facts import covered_area, distances, half_shares, open_lines
from shieldwall.table.outlines import area, sides
from shieldwall.table.terrain import (
    DANGER_ON_RUSH_OR_CHARGE,
    DIFFICULT_UPHILL,
    blocks_sight,
    bounding_box,
    gives_cover,
    is_dangerous,
    is_decorative,
    is_difficult,
    is_impassable,
)

Heading = Literal["size", "types", "count", "placement"]
HEADINGS: tuple[Heading, ...] = ("size", "types", "count", "placement")
Level = Literal["problem", "warning", "note"]
Share = tuple[int, int]  # a fraction: numerator, denominator


class LayoutAdvice(Struct, frozen=True):
    """What a book says about terrain. Lengths are inches; a share or gap of 0 means that the book says nothing.

    Fewer than `min_hard` pieces are refused (unless everybody agrees, if `min_hard_by_consent`), fewer than
    `min_standard` are warned about, fewer than `min_advised` are mentioned. `generate` is how many pieces a
    random table gets. `gap_large_between` says between which neighbours large units need room. If it `is_settled`,
    random tables show towns and villages instead of open country.
    """

    min_hard: int = 10
    min_hard_by_consent: bool = False
    min_standard: int = 10
    min_advised: int = 15
    generate: int = 15
    coverage: Share = (1, 4)
    blocking: Share = (1, 2)
    cover: Share = (1, 3)
    difficult: Share = (1, 3)
    dangerous_each: int = 1
    scatter_from: float = 1.0
    scatter_to: float = 3.0
    large_from: float = 4.0
    large_to: float = 8.0
    size_max: float = 12.0
    gap_max: float = 12.0
    gap_large: float = 6.0
    gap_large_between: Literal["impassable", "all"] = "impassable"
    closed_lines: bool = True
    fair_share: Share = (2, 5)
    is_settled: bool = False


# Two ways books think about terrain: a table for ranked blocks, and a crowded one for loose groups.
BLOCK_ADVICE = LayoutAdvice()
LOOSE_ADVICE = LayoutAdvice(
    min_hard_by_consent=True,
    min_standard=15,
    min_advised=20,
    generate=25,
    coverage=(1, 2),
    gap_max=6.0,
    gap_large=3.0,
    gap_large_between="all",
)
# This book says hardly anything about what the pieces are.
SILENT = LayoutAdvice(coverage=(0, 1), blocking=(0, 1), cover=(0, 1), difficult=(0, 1), dangerous_each=0)


class LayoutFinding(Struct, frozen=True):
    """One remark about a layout, under its heading; `cite` is a neutral key such as "terrain.coverage"."""

    heading: Heading
    level: Level
    text: str
    cite: str


class LayoutReport(Struct, frozen=True):
    """Everything found: `problems` forbid the layout, `hints` are warnings and notes that do not."""

    problems: tuple[LayoutFinding, ...]
    hints: tuple[LayoutFinding, ...]
    pieces: int
    covered: float  # share of the table under terrain

    @property
    def is_legal(self) -> bool:
        return not self.problems

    def under(self, heading: Heading) -> tuple[LayoutFinding, ...]:
        return tuple(found for found in self.problems + self.hints if found.heading == heading)

    def cites(self) -> tuple[str, ...]:
        return tuple(found.cite for found in self.problems + self.hints)


class Minimums(Struct, frozen=True):
    """How many pieces should block sight, give cover, be difficult and be dangerous."""

    blocking: int
    cover: int
    difficult: int
    dangerous: int


class _Layout(Struct, frozen=True):
    """What the checks read: the acting pieces and how far apart they lie."""

    width: int
    depth: int
    pieces: tuple[Piece, ...]
    apart: Floats
    advice: LayoutAdvice
    players: int
    large_units: bool
    axis: str


def check_layout(
    width: int,
    depth: int,
    pieces: Sequence[Piece],
    advice: LayoutAdvice,
    players: int = 2,
    *,
    large_units: bool = False,
    agreed: bool = False,
    axis: str = "y",
) -> LayoutReport:
    """Compare a table with a book's advice. Decorative pieces are not counted anywhere.

    `large_units`: some unit needs wide gaps. `agreed`: everybody accepted a table with few pieces.
    `axis` is the axis along which the armies face each other: "y" when their edges lie at y 0 and at y `depth`.
    """
    acting = tuple(piece for piece in pieces if not is_decorative(piece))
    layout = _Layout(width, depth, acting, distances(acting), advice, players, large_units, axis)
    found = [finding for check in _CHECKS for finding in check(layout)]
    found += _count(layout, agreed)
    found.sort(key=lambda finding: HEADINGS.index(finding.heading))
    return LayoutReport(
        problems=tuple(finding for finding in found if finding.level == "problem"),
        hints=tuple(finding for finding in found if finding.level != "problem"),
        pieces=len(acting),
        covered=covered_area(acting) / _table_area(layout),
    )


def minimums(pieces: int, players: int, advice: LayoutAdvice) -> Minimums:
    """The advised numbers for so many pieces, rounded up; a piece counts once for each of its types."""
    return Minimums(
        _rounded_up(pieces, advice.blocking),
        _rounded_up(pieces, advice.cover),
        _rounded_up(pieces, advice.difficult),
        advice.dangerous_each * players,
    )


def placing_order(first: int, pieces: int, players: int = 2) -> tuple[int, ...]:
    """Who places each piece when the players take turns; `first` won the roll-off."""
    return tuple((first + turn) % players for turn in range(pieces))


def counts_as_difficult(piece: Piece) -> bool:
    """Whether some move is slowed here: a hill counts although only the way up is slow."""
    return is_difficult(piece) or DIFFICULT_UPHILL in piece.conditions


def counts_as_dangerous(piece: Piece) -> bool:
    """Whether some action is dangerous here: a river counts although only Rush and Charge are risky."""
    return is_dangerous(piece) or DANGER_ON_RUSH_OR_CHARGE in piece.conditions


# --- the checks, by heading ----------------------------------------------------------------------------


def _sizes(layout: _Layout) -> Iterator[LayoutFinding]:
    advice = layout.advice
    for piece in layout.pieces:
        if _is_clearly_of_size(piece, advice):
            continue
        short, long = sides(piece.outline)
        measured = f"{piece.name} measures {short:.1f} by {long:.1f} inches"
        if over(long, advice.size_max):
            text = f"{measured}; large pieces should be at most {advice.size_max:g}"
            yield _hint("size", text, "terrain.size.large", "note")
        if closer_than(short, advice.scatter_from):
            text = f"{measured}; small pieces should be at least {advice.scatter_from:g}"
            yield _hint("size", text, "terrain.size.scatter", "note")


def _is_clearly_of_size(piece: Piece, advice: LayoutAdvice) -> bool:
    """Whether a piece is clearly of a usual size: a quick test that saves the search for its smallest rectangle."""
    box = bounding_box(piece)
    diagonal = math.hypot(box.right - box.left, box.far - box.near) / MILLI
    return diagonal <= advice.size_max and area(piece.outline) / diagonal >= advice.scatter_from


def _types(layout: _Layout) -> Iterator[LayoutFinding]:
    pieces = layout.pieces
    wanted = minimums(len(pieces), layout.players, layout.advice)
    for needed, test, does, cite in (
        (wanted.blocking, blocks_sight, "block sight", "terrain.types.blocking"),
        (wanted.cover, gives_cover, "give cover", "terrain.types.cover"),
        (wanted.difficult, counts_as_difficult, "be difficult", "terrain.types.difficult"),
        (wanted.dangerous, counts_as_dangerous, "be dangerous", "terrain.types.dangerous"),
    ):
        there = sum(map(test, pieces))
        if there < needed:
            yield _hint("types", f"{needed} of {len(pieces)} pieces should {does}, not {there}", cite)
    if len(pieces) > 1 and len({(frozenset(p.types), frozenset(p.conditions)) for p in pieces}) == 1:
        yield _hint(
            "types", "all pieces have the same rules; a mix makes every weapon useful", "terrain.types.mix"
        )


def _count(layout: _Layout, agreed: bool) -> Iterator[LayoutFinding]:
    advice, there = layout.advice, len(layout.pieces)
    if there < advice.min_hard:
        text = f"{there} pieces of terrain; at least {advice.min_hard} are needed"
        if not advice.min_hard_by_consent:
            yield _hint("count", text, "terrain.count.least", "problem")
        elif agreed:
            yield _hint("count", f"{text}, but the players agreed", "terrain.count.least")
        else:
            yield _hint("count", f"{text} unless all players agree", "terrain.count.least", "problem")
    elif there < advice.min_standard:
        yield _hint(
            "count", f"{there} pieces of terrain; {advice.min_standard} are usual", "terrain.count.standard"
        )
    elif there < advice.min_advised:
        text = f"{there} pieces of terrain; {advice.min_advised} or more are recommended"
        yield _hint("count", text, "terrain.count.advised", "note")


def _coverage(layout: _Layout) -> Iterator[LayoutFinding]:
    up, down = layout.advice.coverage
    needed = _table_area(layout) * up / down
    there = covered_area(layout.pieces)
    if closer_than(there, needed):
        text = f"terrain covers {there:.0f} square inches; {needed:.0f} are recommended ({up}/{down} of the table)"
        yield _hint("count", text, "terrain.coverage")


def _ground(layout: _Layout) -> Iterator[LayoutFinding]:
    for piece in layout.pieces:
        box = bounding_box(piece)
        if box.left < 0 or box.near < 0 or box.right > layout.width or box.far > layout.depth:
            yield _hint(
                "placement", f"{piece.name} sticks out over the table's edge", "terrain.on-table", "problem"
            )
    for first, a in enumerate(layout.pieces):
        for second in range(first + 1, len(layout.pieces)):
            if layout.apart[first, second] < 0:
                other = layout.pieces[second].name
                text = f"{a.name} and {other} overlap; the rules of both apply there"
                yield _hint("placement", text, "terrain.overlap", "note")


def _lines(layout: _Layout) -> Iterator[LayoutFinding]:
    free = (
        open_lines(layout.width, layout.depth, layout.pieces, layout.axis)
        if layout.advice.closed_lines
        else ()
    )
    if free:
        listed = ", ".join(map(str, free[:8])) + (" and more" if len(free) > 8 else "")
        text = f"nothing blocks sight from edge to edge at {len(free)} whole inches: {listed}"
        yield _hint("placement", text, "terrain.lines")


def _gaps(layout: _Layout) -> Iterator[LayoutFinding]:
    limit = layout.advice.gap_max
    if not limit or len(layout.pieces) < 2:
        return
    for piece, row in zip(layout.pieces, layout.apart, strict=True):
        nearest = float(row.min())
        if over(nearest, limit):
            text = (
                f"{piece.name} is {nearest:.1f} inches from the next piece; at most {limit:g} is recommended"
            )
            yield _hint("placement", text, "terrain.gaps")


def _room(layout: _Layout) -> Iterator[LayoutFinding]:
    limit = layout.advice.gap_large
    if not limit or not layout.large_units:
        return
    everything = layout.advice.gap_large_between == "all"
    solid = [i for i, piece in enumerate(layout.pieces) if everything or is_impassable(piece)]
    for order, first in enumerate(solid):
        for second in solid[order + 1 :]:
            gap = float(layout.apart[first, second])
            if gap > 0 and closer_than(gap, limit):
                names = f"{layout.pieces[first].name} and {layout.pieces[second].name}"
                text = f"{names} are {gap:.1f} inches apart; large units need {limit:g}"
                yield _hint("placement", text, "terrain.room", "note")


def _balance(layout: _Layout) -> Iterator[LayoutFinding]:
    up, down = layout.advice.fair_share
    near, far = half_shares(layout.width, layout.depth, layout.pieces, layout.axis)
    if closer_than(min(near, far), up / down):
        text = f"the halves of the table hold {near:.0%} and {far:.0%} of the terrain"
        yield _hint("placement", text, "terrain.balance", "note")


_CHECKS: tuple[Callable[[_Layout], Iterator[LayoutFinding]], ...] = (
    _sizes,
    _types,
    _coverage,
    _ground,
    _lines,
    _gaps,
    _room,
    _balance,
)


def _hint(heading: Heading, text: str, cite: str, level: Level = "warning") -> LayoutFinding:
    return LayoutFinding(heading, level, text, cite)


def _rounded_up(pieces: int, share: Share) -> int:
    return -(-pieces * share[0] // share[1])


def _table_area(layout: _Layout) -> float:
    return layout.width * layout.depth / (MILLI * MILLI)
