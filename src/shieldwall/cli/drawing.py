"""The table as text, for terminals and logs; `draw_svg` makes a picture.

North is up. Terrain is shown by letters, units by filled boxes with a short code such as A3 and an arrow for
their facing, objectives by their number and the letter of the side that holds them.
"""

from __future__ import annotations

import math

from shieldwall.cli.captions import side_letter, terrain_words, unit_code, unit_notes
from shieldwall.cli.svg import draw_svg
from shieldwall.cli.swatches import look_of
from shieldwall.core.state import CENTI, MILLI, Marker, State, Unit
from shieldwall.table.footprints import figure_poses, unit_outline
from shieldwall.table.outlines import is_inside
from shieldwall.table.terrain import bounding_box, is_impassable

__all__ = ["draw_svg", "draw_text"]

COLUMNS_PER_INCH = 2
WIDEST = 100
TALLER = 2.1  # a terminal character is about twice as tall as wide
SIDE_BOXES = "█▒▓░"
ARROWS = "↑↗→↘↓↙←↖"
SUBSAMPLES = (0.25, 0.75)
SMALL = 8  # a piece of up to this many cells is filled completely


class Sheet:
    """Letters over a table; column 0 is west, row 0 is north."""

    def __init__(self, state: State, widest: int) -> None:
        self.columns = max(8, min(widest - 6, state.width * COLUMNS_PER_INCH // MILLI))
        self.cell = state.width / self.columns
        self.rows = max(4, round(state.depth / (self.cell * TALLER)))
        self.line = state.depth / self.rows
        self.depth = state.depth
        self.letters = [[" "] * self.columns for _ in range(self.rows)]
        self.taken: set[tuple[int, int]] = set()

    def at(self, x: float, y: float) -> tuple[int, int]:
        """The row and column of a point; points outside are clamped to the edge."""
        row = int((self.depth - y) / self.line)
        return min(self.rows - 1, max(0, row)), min(self.columns - 1, max(0, int(x / self.cell)))

    def samples(self, row: int, column: int) -> list[tuple[int, int]]:
        """Sample points of a cell."""
        return [
            (round((column + across) * self.cell), round(self.depth - (row + down) * self.line))
            for across in SUBSAMPLES
            for down in SUBSAMPLES
        ]

    def write(self, row: int, column: int, words: str) -> None:
        """Write words starting at a cell, moved left if they would not fit."""
        first = max(0, min(column, self.columns - len(words)))
        for offset, letter in enumerate(words[: self.columns]):
            self.letters[row][first + offset] = letter
            self.taken.add((row, first + offset))

    def is_free(self, row: int, column: int, length: int) -> bool:
        """Whether these cells are free of words."""
        first = max(0, min(column, self.columns - length))
        return 0 <= row < self.rows and not any((row, first + i) in self.taken for i in range(length))


def draw_text(state: State, widest: int = WIDEST) -> str:
    """The table and a legend in at most `widest` columns, lines ended by newlines, without colour."""
    sheet = Sheet(state, widest)
    _terrain(sheet, state)
    units = [unit for unit in state.units if unit.place == "table" and unit.models]
    for unit in units:
        _boxes(sheet, state, unit)
    for unit in units:
        _code(sheet, state, unit)
    for marker in state.markers:
        if not marker.gone:
            _marker(sheet, marker)
    return "\n".join([*_framed(sheet, state), *_legend(state, units, widest)]) + "\n"


def _terrain(sheet: Sheet, state: State) -> None:
    """A cell shows the highest piece that covers at least half of its samples. Ground that can be entered is drawn in
    every other cell, so that units stand out."""
    for piece in sorted(state.pieces, key=lambda piece: (piece.height, piece.id)):
        box = bounding_box(piece)
        top, left = sheet.at(box.left, box.far)
        bottom, right = sheet.at(box.right, box.near)
        glyph = look_of(piece.kind).glyph
        sparse = not is_impassable(piece) and (bottom - top) * (right - left) > SMALL
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                spots = sheet.samples(row, column)
                if 2 * sum(is_inside(piece.outline, x, y) for x, y in spots) >= len(spots):
                    sheet.letters[row][column] = " " if sparse and (row + column) % 2 else glyph


def _boxes(sheet: Sheet, state: State, unit: Unit) -> None:
    """Fill every cell that a unit's outline covers at least half, and always the cell of each model."""
    box = SIDE_BOXES[unit.side % len(SIDE_BOXES)]
    if unit.block is not None:
        outline = unit_outline(unit, state.profiles)
        for first, stop in zip(outline.start[:-1], outline.start[1:], strict=True):
            _fill(
                sheet,
                [(round(x * MILLI), round(y * MILLI)) for x, y in outline.points[first:stop].tolist()],
                box,
            )
    for pose in figure_poses(unit, state.profiles):
        row, column = sheet.at(pose.x, pose.y)
        sheet.letters[row][column] = box


def _fill(sheet: Sheet, corners: list[tuple[int, int]], box: str) -> None:
    top, left = sheet.at(min(x for x, _ in corners), max(y for _, y in corners))
    bottom, right = sheet.at(max(x for x, _ in corners), min(y for _, y in corners))
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            spots = sheet.samples(row, column)
            if 2 * sum(is_inside(tuple(corners), x, y) for x, y in spots) >= len(spots):
                sheet.letters[row][column] = box


def _marker(sheet: Sheet, marker: Marker) -> None:
    row, column = sheet.at(marker.x, marker.y)
    holder = side_letter(marker.holder) if marker.holder >= 0 else "-"
    words = f"({marker.id + 1}{holder})"
    spot = next((row + step for step in (0, 1, -1) if sheet.is_free(row + step, column - 1, len(words))), row)
    sheet.write(spot, column - 1, words)


def _code(sheet: Sheet, state: State, unit: Unit) -> None:
    poses = figure_poses(unit, state.profiles)
    x = sum(pose.x for pose in poses) / len(poses)
    y = sum(pose.y for pose in poses) / len(poses)
    row, column = sheet.at(x, y)
    words = unit_code(state, unit) + arrow(poses[0].heading)
    sheet.write(row, column - len(words) // 2, words)


def arrow(heading: int) -> str:
    """The nearest of eight arrows to a heading in hundredths of a degree."""
    return ARROWS[math.floor(heading / (45 * CENTI) + 0.5) % 8]


def _framed(sheet: Sheet, state: State) -> list[str]:
    """The sheet with a border, inches along the left and along the bottom."""
    rim = "    +" + "-" * sheet.columns + "+"
    lines = [rim]
    marks = {sheet.at(0, inch * MILLI)[0]: inch for inch in range(0, state.depth // MILLI + 1, 12)}
    for number, row in enumerate(sheet.letters):
        mark = f"{marks[number]:>3} " if number in marks else "    "
        lines.append(f"{mark}|{''.join(row)}|")
    scale = [" "] * (sheet.columns + 8)
    for inch in range(0, state.width // MILLI + 1, 12):
        first = 5 + sheet.at(inch * MILLI, 0)[1] - (1 if inch == state.width // MILLI else 0)
        scale[first : first + len(str(inch))] = str(inch)
    return [*lines, rim, "".join(scale).rstrip()]


def _legend(state: State, units: list[Unit], widest: int) -> list[str]:
    lines = [""]
    looks = dict.fromkeys((look_of(kind).glyph, words) for kind, words in terrain_words(state))
    lines += _columns([f"{glyph} {words}" for glyph, words in looks], widest)
    if state.markers:
        lines.append("(1A) marker 1, held by side A; (1-) not held")
    for number in range(len(state.sides)):
        own = [unit for unit in units if unit.side == number]
        if own:
            names = ", ".join(seat.name for seat in state.seats if seat.side == number)
            lines += ["", f"{SIDE_BOXES[number % len(SIDE_BOXES)]} side {side_letter(number)}: {names}"]
            lines += _columns([_unit_words(state, unit) for unit in own], widest)
    return lines


def _unit_words(state: State, unit: Unit) -> str:
    notes = ", ".join((*unit_notes(unit), *(("done",) if unit.activated else ())))
    return f"{unit_code(state, unit)} {unit.name}" + (f" ({notes})" if notes else "")


def _columns(entries: list[str], widest: int) -> list[str]:
    """Entries side by side in as many equal columns as fit."""
    if not entries:
        return []
    wide = min(widest, max(len(entry) for entry in entries) + 3)
    across = max(1, widest // wide)
    return [
        "".join(entry.ljust(wide) for entry in entries[first : first + across]).rstrip()
        for first in range(0, len(entries), across)
    ]
