"""Tables of terrain as files: JSON or YAML in inches, written by people and by `shieldwall table generate`.

width: 72
depth: 48
pieces:
  - {kind: forest, at: [20, 24], size: [6, 5], angle: 15}
  - {kind: hill, outline: [[40, 10], [46, 11], [44, 17]], height: 2}
  - {kind: book, at: [10, 10], size: [4, 6], types: [blocking, impassable], height: 3}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
import yaml
from msgspec import UNSET, Struct, UnsetType

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import MILLI, Piece
from shieldwall.rulebook.conversion import convert
from shieldwall.scenario.check import ENDLESS, FileProblem, is_endless, number_problems, shape_problems
from shieldwall.table.outlines import thousandths
from shieldwall.table.terrain import PRESETS, BareTable, PresetPiece, piece

Spot = tuple[float, float]
NOWHERE = "give either an outline, or at and size"


class PieceEntry(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One piece of a file; missing values come from the usual piece of its kind."""

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
    """A whole file; a size of 0 means that none is given."""

    pieces: list[PieceEntry]
    width: float = 0.0
    depth: float = 0.0


def read_table(text: str, source: str, presets: Mapping[str, PresetPiece] = PRESETS) -> BareTable:
    """The table in a file, with the kinds of terrain a book knows; reports every problem at once."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise MalformedError(source, [f"not YAML: {' '.join(str(error).split())}"]) from error
    if is_endless(data):
        raise MalformedError(source, [ENDLESS])
    shape = [*number_problems(data), *shape_problems(data, TableEntry)]
    found = [(_number_of(problem), _problem_text(problem)) for problem in shape]
    pieces: list[Piece] = []
    for number, sound, is_somewhere in _sound_pieces(data, shape):
        try:
            given = convert(sound, PieceEntry, strict=False)
            pieces.append(_piece(number, given, is_somewhere, presets))
        except MalformedError as error:
            found += [(number, f"{error.what}: {problem}") for problem in error.problems]
        except msgspec.ValidationError:
            continue  # incomplete, and already reported
    if found:
        raise MalformedError(source, [text for _, text in sorted(found, key=lambda one: one[0])])
    entry = convert(data, TableEntry, strict=False)
    return BareTable(thousandths(entry.width), thousandths(entry.depth), tuple(pieces))


def _number_of(problem: FileProblem) -> int:
    """The number of the piece with a problem, or 0 for the rest of the file."""
    if len(problem.path) > 1 and problem.path[0] == "pieces" and isinstance(problem.path[1], int):
        return problem.path[1] + 1
    return 0


def _sound_pieces(
    data: object, problems: Sequence[FileProblem]
) -> Iterator[tuple[int, dict[object, object], bool]]:
    """The pieces of a file: number, the valid keys, and whether it has a position."""
    wrong = {problem.path[1:3] for problem in problems if _number_of(problem)}
    given = data.get("pieces") if isinstance(data, dict) else None
    for place, entry in enumerate(given if isinstance(given, list) else ()):
        if isinstance(entry, dict):
            sound = {key: value for key, value in entry.items() if (place, key) not in wrong}
            yield place + 1, sound, "outline" in entry or {"at", "size"} <= entry.keys()


def write_table(table: BareTable) -> str:
    """The table as JSON for `read_table`, with outlines to a thousandth of an inch."""
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


def _problem_text(problem: FileProblem) -> str:
    way = "/".join(str(step + 1 if isinstance(step, int) else step) for step in problem.path)
    return f"{way}: {problem.text}" if way else problem.text


def _piece(number: int, given: PieceEntry, is_somewhere: bool, presets: Mapping[str, PresetPiece]) -> Piece:
    """A piece; without a valid position it gets an arbitrary one, so that its other problems are found."""
    try:
        made = piece(
            number,
            given.kind,
            given.outline,
            at=given.at or (0.0, 0.0),
            size=given.size or (1.0, 1.0),
            angle=given.angle,
            name=given.name,
            water=given.water,
            types=None if given.types is UNSET else given.types,
            conditions=None if given.conditions is UNSET else given.conditions,
            height=given.height,
            depth=given.depth,
            presets=presets,
        )
    except MalformedError as error:
        raise error if is_somewhere else MalformedError(error.what, [NOWHERE, *error.problems]) from error
    if not is_somewhere:
        raise MalformedError(f"piece {number} ({given.kind})", [NOWHERE])
    return made
