"""Tables to play on: generated, empty or put together by hand, with what the book says about them."""

from __future__ import annotations

import secrets

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Piece
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.pages import PieceOrder, TableOrder, TableProposal, TerrainKind
from shieldwall.server.views import PieceView, Reason
from shieldwall.server.words import piece_facts
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import check_layout
from shieldwall.table.numbers import Numbers
from shieldwall.table.terrain import PRESETS, as_printed, piece

USUAL_SIZE = {"river": (24.0, 3.0), "wall": (6.0, 0.6), "fence": (6.0, 0.5), "barricade": (5.0, 0.8)}
HAND_SIZE = (6.0, 5.0)
NOT_OFFERED = frozenset({"decoration", "cliff"})


def pieces_for(rules: Ruleset, order: TableOrder) -> tuple[Piece, ...]:
    """The terrain of a table; raises with every fault of pieces put down by hand."""
    width, depth = rules.constants.table
    if order.kind == "empty":
        return ()
    if order.kind == "generate":
        seed = order.seed or secrets.randbelow(2**31)
        made = generate_table(width, depth, rules.policies.table_advice(), Numbers(seed))
    else:
        made = by_hand(order.pieces)
    return as_printed(made, rules.policies.terrain_presets())


def by_hand(orders: tuple[PieceOrder, ...]) -> tuple[Piece, ...]:
    """Pieces put down one by one."""
    made: list[Piece] = []
    problems: list[str] = []
    for number, order in enumerate(orders):
        if order.kind not in PRESETS:
            problems.append(f"piece {number + 1}: there is no terrain called {order.kind!r}")
            continue
        at, size = (order.x / MILLI, order.y / MILLI), (order.width / MILLI, order.depth / MILLI)
        try:
            made.append(piece(number, order.kind, at=at, size=size, angle=order.heading / 100))
        except MalformedError as error:
            problems += [f"piece {number + 1}: {problem}" for problem in error.problems]
    if problems:
        raise MalformedError("table", problems)
    return tuple(made)


def proposal(rules: Ruleset, order: TableOrder) -> TableProposal:
    """A table to look at, with everything that can be said about it."""
    width, depth = rules.constants.table
    pieces = pieces_for(rules, order)
    report = check_layout(width, depth, pieces, rules.policies.table_said())
    return TableProposal(
        width=width,
        depth=depth,
        pieces=tuple(piece_view(one) for one in pieces),
        problems=tuple(Reason(found.text, rules.cites.get(found.cite, "")) for found in report.problems),
        hints=tuple(Reason(found.text, rules.cites.get(found.cite, "")) for found in report.hints),
        ok=report.is_legal or order.kind == "empty",
    )


def piece_view(one: Piece) -> PieceView:
    """A piece as it is shown."""
    types = (*one.types, *one.conditions)
    return PieceView(one.id, one.name, one.kind, one.outline, one.height, types, piece_facts(one))


def terrain_kinds() -> tuple[TerrainKind, ...]:
    """Everything that can be put down by hand."""
    kinds = []
    for name, preset in PRESETS.items():
        if name in NOT_OFFERED:
            continue
        width, depth = USUAL_SIZE.get(name, HAND_SIZE)
        example = piece(0, name, at=(10.0, 10.0), size=(width, depth))
        words = "; ".join(fact.text for fact in piece_facts(example))
        kinds.append(
            TerrainKind(
                kind=name,
                name=example.name,
                width=round(width * MILLI),
                depth=round(depth * MILLI),
                height=round(preset.height * MILLI),
                types=(*preset.types, *preset.conditions),
                words=words,
            )
        )
    return tuple(kinds)
