"""A picture of the table as SVG: terrain, zones, markers and units with their names and losses.

Colours are safe for colour-blind readers and never carry meaning alone: terrain has patterns, sides have letters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from shieldwall.cli.captions import CaptionBox, side_letter, terrain_words, unit_code, unit_notes
from shieldwall.cli.swatches import look_of
from shieldwall.core.state import MILLI, Marker, Piece, State, Unit
from shieldwall.table.footprints import figure_poses, unit_shapes
from shieldwall.table.formations import EnclosingRect, enclosing_rect, heading_vector

SIDE_INKS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
SIDE_FILLS = ("#a9d2ec", "#f8c6a0", "#a8dfcd", "#ecc3d8")
SIDE_PALES = ("#eef6fb", "#fef4ec", "#eef9f5", "#fbf1f6")  # for units that have acted
SIDE_WORDS = ("#00446a", "#7f3800", "#005e45", "#7a4864")  # darker, to be read
INK = "#3a352b"
MARKER_INK = "#E69F00"
INCH = 16  # pixels
EDGE = 34
LEGEND_ROW = 20
FONT = "font-family='DejaVu Sans, Verdana, Arial, sans-serif'"


class Canvas:
    """Pixels for a table: y grows upwards on the table and downwards on the picture."""

    def __init__(self, state: State) -> None:
        self.depth = state.depth
        self.wide = state.width / MILLI * INCH
        self.deep = state.depth / MILLI * INCH
        self.parts: list[str] = []
        self.taken: list[CaptionBox] = []

    def x(self, thousandths: float) -> float:
        return EDGE + thousandths / MILLI * INCH

    def y(self, thousandths: float) -> float:
        return EDGE + (self.depth - thousandths) / MILLI * INCH

    def add(self, part: str) -> None:
        self.parts.append(part)


def draw_svg(state: State, title: str = "", zone_depth: float = 0.0) -> str:
    """The table as a complete SVG document; `zone_depth` in inches adds the zones of sides with an edge."""
    canvas = Canvas(state)
    _board(canvas, state)
    if zone_depth:
        _zones(canvas, state, zone_depth)
    for piece in sorted(state.pieces, key=lambda piece: (piece.height, piece.id)):
        _piece(canvas, piece)
    for marker in state.markers:
        if not marker.gone:
            _marker_ring(canvas, marker)
    units = [unit for unit in state.units if unit.place == "table" and unit.models]
    for unit in units:
        _unit(canvas, state, unit)
    for marker in state.markers:
        if not marker.gone:
            _marker(canvas, marker)
    for unit in units:
        _unit_label(canvas, state, unit)
    for piece in state.pieces:
        _piece_label(canvas, piece)
    return _document(canvas, state, title)


# --- the ground -------------------------------------------------------------------------------------------


def _board(canvas: Canvas, state: State) -> None:
    canvas.add(
        f'<rect x="{EDGE}" y="{EDGE}" width="{canvas.wide:g}" height="{canvas.deep:g}" fill="#faf8f1" '
        'stroke="#55503f" stroke-width="2"/>'
    )
    for inch in range(0, state.width // MILLI + 1, 6):
        x = canvas.x(inch * MILLI)
        if 0 < inch * MILLI < state.width:
            canvas.add(f'<path d="M{x:g} {EDGE} v{canvas.deep:g}" stroke="#e2ddcb" stroke-width="0.8"/>')
        canvas.add(_text(x, EDGE + canvas.deep + 15, str(inch), 10, "#777166"))
    for inch in range(0, state.depth // MILLI + 1, 6):
        y = canvas.y(inch * MILLI)
        if 0 < inch * MILLI < state.depth:
            canvas.add(f'<path d="M{EDGE} {y:g} h{canvas.wide:g}" stroke="#e2ddcb" stroke-width="0.8"/>')
        canvas.add(_text(EDGE - 6, y + 3.5, str(inch), 10, "#777166", anchor="end"))


def _zones(canvas: Canvas, state: State, zone_depth: float) -> None:
    long = zone_depth * MILLI
    for number, side in enumerate(state.sides):
        corners = {
            "south": (0, 0, state.width, long),
            "north": (0, state.depth - long, state.width, state.depth),
            "west": (0, 0, long, state.depth),
            "east": (state.width - long, 0, state.width, state.depth),
        }.get(side.edge)
        if corners is not None:
            left, near, right, far = corners
            ink = SIDE_INKS[number % len(SIDE_INKS)]
            wide, deep = (right - left) / MILLI * INCH, (far - near) / MILLI * INCH
            canvas.add(
                f'<rect x="{canvas.x(left):g}" y="{canvas.y(far):g}" width="{wide:g}" height="{deep:g}" '
                f'fill="{ink}" fill-opacity="0.05" stroke="{ink}" '
                'stroke-opacity="0.6" stroke-dasharray="10 6" stroke-width="1.2"/>'
            )


def _piece(canvas: Canvas, piece: Piece) -> None:
    look = look_of(piece.kind)
    path = "M" + " L".join(f"{canvas.x(x):.1f} {canvas.y(y):.1f}" for x, y in piece.outline) + "Z"
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    canvas.add(f'<path d="{path}" fill="{look.fill}"/>')
    if look.tile:
        canvas.add(f'<path d="{path}" fill="url(#{piece.kind})"/>')
    if piece.kind == "hill":
        canvas.add(_contours(canvas, piece))
    canvas.add(
        f'<path d="{path}" fill="none" stroke="{look.ink}" stroke-width="{look.line}" '
        f'stroke-linejoin="round"{dash}/>'
    )


def _contours(canvas: Canvas, piece: Piece) -> str:
    """Height lines inside a hill: the outline drawn in towards its middle."""
    ink = look_of(piece.kind).ink
    x, y = _middle(piece)
    rings = []
    for keep in (0.74, 0.46):
        spots = (
            f"{canvas.x(x + (px - x) * keep):.1f} {canvas.y(y + (py - y) * keep):.1f}"
            for px, py in piece.outline
        )
        rings.append("M" + " L".join(spots) + "Z")
    return (
        f'<path d="{" ".join(rings)}" fill="{ink}" fill-opacity="0.12" stroke="{ink}" stroke-opacity="0.7"/>'
    )


def _middle(piece: Piece) -> tuple[float, float]:
    count = len(piece.outline)
    return sum(x for x, _ in piece.outline) / count, sum(y for _, y in piece.outline) / count


def _piece_label(canvas: Canvas, piece: Piece) -> None:
    x, y = _middle(piece)
    words = piece.name if not piece.height else f"{piece.name} {piece.height / MILLI:g}″"
    middle, spot = canvas.y(y), canvas.x(x)
    _label(canvas, ((spot, middle), (spot, middle + 22), (spot, middle - 22)), (words,), INK, optional=True)


# --- markers and units ----------------------------------------------------------------------------------


def _marker_ring(canvas: Canvas, marker: Marker) -> None:
    ink = SIDE_INKS[marker.holder % len(SIDE_INKS)] if marker.holder >= 0 else "#8a8371"
    canvas.add(
        f'<circle cx="{canvas.x(marker.x):g}" cy="{canvas.y(marker.y):g}" r="{3 * INCH}" fill="{ink}" '
        f'fill-opacity="0.07" stroke="{ink}" stroke-dasharray="3 4" stroke-width="1.2" '
        'clip-path="url(#board)"/>'
    )


def _marker(canvas: Canvas, marker: Marker) -> None:
    x, y = canvas.x(marker.x), canvas.y(marker.y)
    ink = SIDE_INKS[marker.holder % len(SIDE_INKS)] if marker.holder >= 0 else "#55503f"
    canvas.add(f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="{MARKER_INK}" stroke="{ink}" stroke-width="3"/>')
    canvas.add(_text(x, y + 4, str(marker.id), 11, "#1c1a14", weight="bold"))
    canvas.taken.append(CaptionBox(x - 12, y - 12, x + 12, y + 12))
    if marker.holder >= 0:
        holder = side_letter(marker.holder)
        canvas.add(_text(x + 14, y + 4, holder, 11, ink, anchor="start", weight="bold", halo=True))
        canvas.taken.append(CaptionBox(x + 12, y - 8, x + 26, y + 8))


def _unit(canvas: Canvas, state: State, unit: Unit) -> None:
    """Every base, then the edge the unit faces."""
    side = unit.side % len(SIDE_INKS)
    ink, fill = SIDE_INKS[side], SIDE_PALES[side] if unit.activated else SIDE_FILLS[side]
    shapes = unit_shapes(unit, state.profiles)
    for row in range(len(shapes)):
        points = [
            (EDGE + x * INCH, canvas.y(y * MILLI))
            for x, y in shapes.points[shapes.start[row] : shapes.start[row + 1]]
        ]
        radius = float(shapes.radius[row]) * INCH
        canvas.add(_base(points, radius, fill, ink))
        canvas.taken += [
            CaptionBox(x - radius, y - radius, x + radius, y + radius) for x, y in points[:1] if radius
        ]
    if unit.block is not None:
        _front_edge(canvas, enclosing_rect(unit, state.profiles), ink)
    else:
        for pose in figure_poses(unit, state.profiles):
            _facing_line(canvas, pose.x, pose.y, pose.heading, ink)


def _base(points: list[tuple[float, float]], radius: float, fill: str, ink: str) -> str:
    style = f'fill="{fill}" stroke="{ink}" stroke-width="1.3"'
    if len(points) == 1:
        return f'<circle cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="{radius:.1f}" {style}/>'
    path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    if radius:  # an oval: the rounded rim is a wide stroke, drawn a second time a little narrower
        return "".join(
            f'<path d="{path}" fill="{paint}" stroke="{paint}" stroke-width="{wide:.1f}" '
            'stroke-linejoin="round"/>'
            for paint, wide in ((ink, 2 * radius + 1.3), (fill, 2 * radius - 1.3))
        )
    return f'<path d="{path}" {style}/>'


def _front_edge(canvas: Canvas, rect: EnclosingRect, ink: str) -> None:
    """A thick front edge with a small arrow on it."""
    x, y, half_w, half_d = rect.centre.x, rect.centre.y, rect.half_width, rect.half_depth
    sin, cos = heading_vector(rect.centre.heading)

    def spot(right: float, ahead: float) -> str:
        tx = x + (right * cos + ahead * sin) * MILLI
        ty = y + (ahead * cos - right * sin) * MILLI
        return f"{canvas.x(tx):.1f} {canvas.y(ty):.1f}"

    canvas.add(
        f'<path d="M{spot(-half_w, half_d)} L{spot(half_w, half_d)}" stroke="{ink}" stroke-width="5"/>'
        f'<path d="M{spot(-0.5, half_d)} L{spot(0, half_d + 0.7)} L{spot(0.5, half_d)}Z" fill="{ink}"/>'
    )


def _facing_line(canvas: Canvas, x: int, y: int, heading: int, ink: str) -> None:
    sin, cos = heading_vector(heading)
    to_x, to_y = x + sin * 420, y + cos * 420
    canvas.add(
        f'<path d="M{canvas.x(x):.1f} {canvas.y(y):.1f} L{canvas.x(to_x):.1f} {canvas.y(to_y):.1f}" '
        f'stroke="{ink}" stroke-width="2.5" stroke-linecap="round"/>'
    )


def _unit_label(canvas: Canvas, state: State, unit: Unit) -> None:
    poses = figure_poses(unit, state.profiles)
    x = canvas.x(sum(pose.x for pose in poses) / len(poses))
    y = canvas.y(sum(pose.y for pose in poses) / len(poses))
    reach = max(math.hypot(canvas.x(pose.x) - x, canvas.y(pose.y) - y) for pose in poses)
    lines = (f"{unit_code(state, unit)} {unit.name}", " ".join(unit_notes(unit)))
    shown = tuple(line for line in lines if line)
    if unit.block is not None:
        spots: tuple[tuple[float, float], ...] = ((x, y), (x, y + 36), (x, y - 36))
    else:
        away = reach + 17
        spots = ((x, y + away), (x, y - away), (x + away + 22, y), (x - away - 22, y))
    _label(canvas, spots, shown, SIDE_WORDS[unit.side % len(SIDE_WORDS)])


# --- words ----------------------------------------------------------------------------------------------


def _label(
    canvas: Canvas,
    spots: tuple[tuple[float, float], ...],
    lines: tuple[str, ...],
    ink: str,
    *,
    optional: bool = False,
) -> None:
    """Write lines at the first spot where they cover no other label; optional ones need a free spot."""
    size = 9.0 if optional else 9.5
    wide = max(len(line) for line in lines) * size * 0.58
    tall = len(lines) * (size + 1.5)
    rim = EDGE + wide / 2
    spots = tuple((min(max(x, rim), canvas.wide + 2 * EDGE - rim), y) for x, y in spots)
    boxes = [CaptionBox(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2) for x, y in spots]
    free = [index for index, box in enumerate(boxes) if not any(box.meets(other) for other in canvas.taken)]
    if not free and optional:
        return
    chosen = free[0] if free else 0
    canvas.taken.append(boxes[chosen])
    x, top = spots[chosen][0], boxes[chosen].top
    for number, line in enumerate(lines):
        weight = "bold" if number == 0 and not optional else "normal"
        canvas.add(_text(x, top + size + number * (size + 1.5), line, size, ink, weight=weight, halo=True))


def _text(
    x: float,
    y: float,
    words: str,
    size: float,
    ink: str,
    *,
    anchor: str = "middle",
    weight: str = "normal",
    halo: bool = False,
) -> str:
    around = ' stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{ink}"{around}>{escape(words)}</text>'
    )


# --- the frame ------------------------------------------------------------------------------------------


def _document(canvas: Canvas, state: State, title: str) -> str:
    wide = canvas.wide + 2 * EDGE
    top = EDGE + canvas.deep + 30
    cells, rows = _wrapped_legend(list(_legend(state)), wide, top)
    deep = top + rows * LEGEND_ROW + 12
    kinds = sorted({piece.kind for piece in state.pieces})
    heading = _text(EDGE, 22, title or _title(state), 14, "#2c2920", anchor="start", weight="bold")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {deep:g}" width="{wide:g}" '
            f'height="{deep:g}" {FONT}>',
            "<defs>" + _clip(canvas) + "".join(_pattern(kind) for kind in kinds) + "</defs>",
            f'<rect width="{wide:g}" height="{deep:g}" fill="#ffffff"/>',
            heading,
            *canvas.parts,
            *cells,
            "</svg>\n",
        ]
    )


def _wrapped_legend(legend: list[tuple[str, str]], wide: float, top: float) -> tuple[list[str], int]:
    """Swatches and words one after the other, broken into rows like a text; and the number of rows."""
    cells = []
    x, row = float(EDGE), 0
    for swatch, words in legend:
        long = 28 + len(words) * 5.9 + 22
        if x > EDGE and x + long > wide:
            x, row = float(EDGE), row + 1
        y = top + row * LEGEND_ROW
        cells.append(f'<g transform="translate({x:g} {y:g})">{swatch}</g>')
        cells.append(_text(x + 28, y + 11, words, 10, "#2c2920", anchor="start"))
        x += long
    return cells, row + 1


def _title(state: State) -> str:
    size = f"{state.width / MILLI:g} by {state.depth / MILLI:g} inches"
    return f"Round {state.round}, {size}" if state.round else size


def _clip(canvas: Canvas) -> str:
    board = f'<rect x="{EDGE}" y="{EDGE}" width="{canvas.wide:g}" height="{canvas.deep:g}"/>'
    return f'<clipPath id="board">{board}</clipPath>'


def _pattern(kind: str) -> str:
    look = look_of(kind)
    return (
        f'<pattern id="{kind}" width="{look.step}" height="{look.step}" patternUnits="userSpaceOnUse">'
        f"{look.tile}</pattern>"
    )


def _legend(state: State) -> Iterator[tuple[str, str]]:
    for number, side in enumerate(state.sides):
        names = ", ".join(seat.name for seat in state.seats if seat.side == number)
        ink, fill = SIDE_INKS[number % len(SIDE_INKS)], SIDE_FILLS[number % len(SIDE_FILLS)]
        edge = f" ({side.edge})" if side.edge else ""
        yield (
            f'<rect width="20" height="13" fill="{fill}" stroke="{ink}" stroke-width="1.5"/>'
            f'<path d="M0 0 H20" stroke="{ink}" stroke-width="4"/>',
            f"{side_letter(number)} {names}{edge}; thick: front, pale: has acted",
        )
    if state.markers:
        yield (
            f'<circle cx="10" cy="7" r="7" fill="{MARKER_INK}" stroke="#55503f" stroke-width="2"/>',
            "marker, ring: 3 inches and holder",
        )
    for kind, words in terrain_words(state):
        look = look_of(kind)
        dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
        yield (
            f'<rect width="20" height="13" fill="{look.fill}"/>'
            f'<rect width="20" height="13" fill="url(#{kind})" '
            f'stroke="{look.ink}" stroke-width="{look.line}"{dash}/>',
            words,
        )
