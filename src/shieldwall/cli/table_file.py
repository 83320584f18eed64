"""Tables of terrain as files: JSON or YAML in inches, written by people and by `shieldwall table generate`.

width: 72
depth: 48
pieces:
  - {kind: forest, at: [20, 24], size: [6, 5], angle: 15}
  - {kind: hill, outline: [[40, 10], [46, 11], [44, 17]], height: 2}
  - {kind: book, at: [10, 10], size: [4, 6], types: [blocking, impassable], height: 3}
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import yaml
from msgspec import UNSET, Struct, UnsetType

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Piece
from shieldwall.scenario.check import Problem, odd_numbers, shape_problems
from shieldwall.table.outlines import thousandths
from shieldwall.table.terrain import PRESETS, BareTable, PresetPiece, piece

Spot = tuple[float, float]


class PieceEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One piece of a file; what is left out comes from the usual piece of its kind."""

    kind: str
    name: str = ""
    outline: list[Spot] | None = None
    at: Spot | None = None
    size: Spot | None = None
    angle: float = 0.0
    height: float | None = None
    types: list[str] | UnsetType = UNSET
    conditions: list[str] | UnsetType = UNSET
    water: str = "shallow"
    depth: float = 0.0


class TableEntry(Struct, forbid_unknown_fields=True):
    """A whole file; a size of 0 means that it says none."""

    pieces: list[PieceEntry]
    width: float = 0.0
    depth: float = 0.0


def read_table(text: str, source: str, presets: Mapping[str, PresetPiece] = PRESETS) -> BareTable:
    """The table of a file, of the kinds of terrain that a book knows; everything wrong is named at once."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise MalformedError(source, [f"not YAML: {' '.join(str(error).split())}"]) from error
    odd = list(odd_numbers(data))
    if odd:
        raise MalformedError(source, [_told(problem) for problem in odd])
    try:
        entry = msgspec.convert(data, TableEntry, strict=False)
    except msgspec.ValidationError as error:
        found = [_told(problem) for problem in shape_problems(data, TableEntry)]
        raise MalformedError(source, found or [str(error)]) from error
    problems: list[str] = []
    pieces: list[Piece] = []
    for number, given in enumerate(entry.pieces, start=1):
        try:
            pieces.append(_piece(number, given, presets))
        except MalformedError as error:
            problems += [f"{error.what}: {problem}" for problem in error.problems]
    if problems:
        raise MalformedError(source, problems)
    return BareTable(thousandths(entry.width), thousandths(entry.depth), tuple(pieces))


def write_table(table: BareTable) -> str:
    """The same table as JSON that `read_table` understands; outlines are kept to the thousandth."""
    entry = TableEntry(
        [
            PieceEntry(
                kind=piece.kind,
                name=piece.name,
                outline=[(x / MILLI, y / MILLI) for x, y in piece.outline],
                height=piece.height / MILLI,
                types=list(piece.types),
                conditions=list(piece.conditions),
                depth=piece.depth / MILLI,
            )
            for piece in table.pieces
        ],
        table.width / MILLI,
        table.depth / MILLI,
    )
    return msgspec.json.format(msgspec.json.encode(entry), indent=1).decode() + "\n"


def _told(problem: Problem) -> str:
    way = "/".join(str(step + 1 if isinstance(step, int) else step) for step in problem.path)
    return f"{way}: {problem.text}" if way else problem.text


def _piece(number: int, given: PieceEntry, presets: Mapping[str, PresetPiece]) -> Piece:
    if given.outline is None and (given.at is None or given.size is None):
        what = f"piece {number} ({given.kind})"
        raise MalformedError(what, ["give either an outline, or at and size"])
    return piece(
        number,
        given.kind,
        given.outline,
        at=given.at or (0.0, 0.0),
        size=given.size,
        angle=given.angle,
        name=given.name,
        water=given.water,
        types=None if given.types is UNSET else given.types,
        conditions=None if given.conditions is UNSET else given.conditions,
        height=given.height,
        depth=given.depth,
        presets=presets,
    )
