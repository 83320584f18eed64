"""Tables to play on: generated, empty or made by hand, with what the book says about them."""

from __future__ import annotations

import math
import secrets
from collections.abc import Container
from functools import lru_cache

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Piece
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.pages import PieceOrder, TableOrder, TableProposal, TerrainKind
from shieldwall.server.views import PieceView, Reason
from shieldwall.server.words import piece_facts
from shieldwall.table.layout import check_layout
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.places import generate_place
from shieldwall.table.terrain import PRESETS, as_printed, piece

USUAL_SIZE = {"river": (24.0, 3.0), "wall": (6.0, 0.6), "fence": (6.0, 0.5), "barricade": (5.0, 0.8)} | {
    "crates": (2.4, 2.0),
    "well": (2.6, 2.6),
}
HAND_SIZE = (6.0, 5.0)
NOT_OFFERED = frozenset({"decoration", "cliff", "road", "bridge", "square"})


def pieces_for(rules: Ruleset, order: TableOrder) -> tuple[Piece, ...]:
    """The terrain of a table; raises with every problem of pieces placed by hand."""
    if order.kind == "empty":
        return ()
    printed = rules.policies.terrain_presets()
    if order.kind == "generate":
        made = _generated(rules, order.seed or secrets.randbelow(2**31))
    else:
        made = by_hand(order.pieces, printed)
    return as_printed(made, printed)


@lru_cache(maxsize=64)
def _generated(rules: Ruleset, seed: int) -> tuple[Piece, ...]:
    """A table from its seed, cached: it is needed again for each seat that is taken, and takes a while to generate."""
    width, depth = rules.constants.table
    return generate_place(width, depth, rules.policies.table_advice(), TableNumbers(seed))


def by_hand(orders: tuple[PieceOrder, ...], printed: Container[str] = ()) -> tuple[Piece, ...]:
    """Pieces placed by hand: of the usual kinds, and of those the book describes (`printed`)."""
    made: list[Piece] = []
    problems: list[str] = []
    for number, order in enumerate(orders):
        if order.kind not in PRESETS and order.kind not in printed:
            problems.append(f"piece {number + 1}: there is no terrain called {order.kind!r}")
            continue
        at, size = (order.x / MILLI, order.y / MILLI), (order.width / MILLI, order.depth / MILLI)
        outline = _shaped(order) if order.shape else None
        height = None if order.height is None else order.height / MILLI
        try:
            angle = order.heading / 100
            made.append(piece(number, order.kind, outline, at=at, size=size, angle=angle, height=height))
        except MalformedError as error:
            problems += [f"piece {number + 1}: {problem}" for problem in error.problems]
    if problems:
        raise MalformedError("table", problems)
    return tuple(made)


def _shaped(order: PieceOrder) -> list[tuple[float, float]]:
    """The outline of a piece with a custom shape, in inches."""
    turn = math.radians(order.heading / 100)
    cos, sin = math.cos(turn), math.sin(turn)
    parts = [(right * order.width / 1000, ahead * order.depth / 1000) for right, ahead in order.shape]
    return [
        ((order.x + cos * right + sin * ahead) / MILLI, (order.y - sin * right + cos * ahead) / MILLI)
        for right, ahead in parts
    ]


def as_order(one: Piece) -> PieceOrder:
    """A piece as if placed by hand, unrotated, with its own shape."""
    xs, ys = [x for x, _ in one.outline], [y for _, y in one.outline]
    width, depth = max(500, max(xs) - min(xs)), max(500, max(ys) - min(ys))
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    shape = tuple((_part(px - x, width), _part(py - y, depth)) for px, py in one.outline)
    return PieceOrder(one.kind, max(0, x), max(0, y), width, depth, 0, shape, one.height)


def _part(away: int, whole: int) -> int:
    """The distance of a corner from the centre, in thousandths of the whole."""
    return max(-500, min(500, round(away * 1000 / whole)))


def proposal(rules: Ruleset, order: TableOrder) -> TableProposal:
    """A table to preview, with all findings about it."""
    width, depth = rules.constants.table
    pieces = pieces_for(rules, order)
    report = check_layout(width, depth, pieces, rules.policies.terrain_in_book())
    return TableProposal(
        width=width,
        depth=depth,
        pieces=tuple(piece_view(one) for one in pieces),
        problems=tuple(Reason(found.text, rules.cites.get(found.cite, "")) for found in report.problems),
        hints=tuple(Reason(found.text, rules.cites.get(found.cite, "")) for found in report.hints),
        ok=report.is_legal or order.kind == "empty",
        orders=tuple(as_order(one) for one in pieces),
    )


def piece_view(one: Piece) -> PieceView:
    """A piece as the page shows it."""
    types = (*one.types, *one.conditions)
    return PieceView(one.id, one.name, one.kind, one.outline, one.height, types, piece_facts(one))


def terrain_kinds(rules: Ruleset) -> tuple[TerrainKind, ...]:
    """Everything that can be placed by hand, as the edition's book has it."""
    kinds = []
    for name in PRESETS:
        if name in NOT_OFFERED:
            continue
        width, depth = USUAL_SIZE.get(name, HAND_SIZE)
        rectangle = piece(0, name, at=(10.0, 10.0), size=(width, depth))
        [example] = as_printed([rectangle], rules.policies.terrain_presets())
        words = "; ".join(fact.text for fact in piece_facts(example))
        kinds.append(
            TerrainKind(
                kind=name,
                name=example.name,
                width=round(width * MILLI),
                depth=round(depth * MILLI),
                height=example.height,
                types=(*example.types, *example.conditions),
                words=words,
            )
        )
    return tuple(kinds)
