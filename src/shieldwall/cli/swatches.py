"""How terrain looks on drawings: a letter for text, a colour and a pattern for pictures. No rules in here."""

from __future__ import annotations

from msgspec import Struct


class Look(Struct, frozen=True):
    """One kind of terrain. `tile` is SVG that repeats every `step` pixels over the fill."""

    glyph: str
    fill: str
    ink: str
    tile: str = ""
    step: int = 16
    dash: str = ""
    line: float = 1.2


def _lines(path: str, ink: str, width: float = 1.0, opacity: float = 0.55) -> str:
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-opacity="{opacity}"/>'


def _dots(spots: tuple[tuple[float, float, float], ...], ink: str, opacity: float = 0.5) -> str:
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{ink}" fill-opacity="{opacity}"/>' for x, y, r in spots
    )


def _trees(ink: str) -> str:
    crowns = ((5, 5, 4.2), (16, 9, 5.0), (8, 17, 4.6), (20, 20, 3.6))
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{ink}" fill-opacity="0.34" '
        f'stroke="{ink}" stroke-opacity="0.55"/>'
        for x, y, r in crowns
    )


_WAVES = "M0 5 q4 -4 8 0 t8 0 M0 13 q4 -4 8 0 t8 0"
_PEAKS = "M2 15 L8 4 L14 15 M12 23 L18 12 L24 23"
_BRICKS = "M0 .5 H16 M0 8.5 H16 M4 0 V8 M12 8 V16"
_TUFTS = "M3 7 v-4 M5 7 v-5 M7 7 v-3 M12 15 v-4 M14 15 v-5 M16 15 v-3 M2 8 h6 M11 16 h6"
_FLAMES = "M0 6 l4 -4 l4 4 l4 -4 l4 4 M0 14 l4 -4 l4 4 l4 -4 l4 4"
_HATCH = "M-2 10 L10 -2 M-2 18 L18 -2 M6 18 L18 6"
_CROSS = _HATCH + " M-2 6 L10 18 M-2 -2 L18 18 M6 -2 L18 10"
_FURROWS = "M0 3.5 H16 M0 11.5 H16"
_SWIRLS = "M4 8 a3 3 0 1 1 3 3 M12 15 a2 2 0 1 1 2 2"
_STONES = ((3, 4, 1.7), (11, 2, 1.1), (8, 9, 2.2), (14, 13, 1.5), (3, 13, 1.2))
_GRAINS = ((2, 3, 0.8), (8, 6, 0.8), (14, 2, 0.8), (5, 12, 0.8), (12, 11, 0.8))

LOOKS = {
    "barricade": Look("+", "#b08a5a", "#5b4020", _lines(_HATCH, "#5b4020", 2.0), 16, "", 1.6),
    "bridge": Look("_", "#c8a878", "#6b4f2a", _lines("M4 0 V16 M12 0 V16", "#6b4f2a", 1.2), 16, "", 1.6),
    "building": Look("#", "#b9b6b2", "#3d3b38", _lines(_CROSS, "#3d3b38", 0.9, 0.5), 16, "", 2.4),
    "chasm": Look("x", "#3a3630", "#141210", _lines(_HATCH, "#8a8378", 1.4, 0.7), 16, "", 1.8),
    "cliff": Look("C", "#9b8f80", "#4a4036", _lines("M4 0 V16 M12 0 V16", "#4a4036", 1.4), 16, "", 2.4),
    "crates": Look("%", "#c9a672", "#5b4020", _lines(_CROSS, "#5b4020", 1.0, 0.6), 16, "", 1.6),
    "decoration": Look(".", "#f1eee2", "#c9c3ac", _dots(_GRAINS, "#b5ad90"), 16, "2 3", 0.8),
    "fence": Look("-", "#d8c3a0", "#6b4f2a", _lines("M4 0 V16 M12 0 V16", "#6b4f2a", 2.0), 16, "4 2", 1.4),
    "field": Look('"', "#eee0a8", "#a08a3c", _lines(_FURROWS, "#a08a3c", 2.0, 0.55), 16, "6 3", 1.2),
    "forest": Look("f", "#cfe3c4", "#3f7336", _trees("#3f7336"), 24, "", 1.4),
    "hill": Look("h", "#e2d3b8", "#86683c"),
    "lake": Look("~", "#d3eaf0", "#4d8fa3", _lines(_WAVES, "#4d8fa3", 1.2), 16, "", 1.2),
    "lava": Look("!", "#f0c0b4", "#9c2f1c", _lines(_FLAMES, "#9c2f1c", 1.8, 0.65), 16, "", 1.6),
    "mountain": Look("M", "#cfcac6", "#4d4843", _lines(_PEAKS, "#4d4843", 1.6, 0.7), 26, "", 2.4),
    "mud": Look(",", "#d9c7ae", "#7d6441", _dots(_GRAINS, "#7d6441"), 16, "", 1.0),
    "quicksand": Look("q", "#efdfbf", "#8f6a2a", _lines(_SWIRLS, "#8f6a2a", 1.3, 0.75), 18, "3 2", 1.4),
    "river": Look("=", "#c9e4ee", "#3c7f99", _lines("M0 4 h7 M9 9 h7 M2 14 h7", "#3c7f99", 1.4), 16, "", 1.2),
    "road": Look("'", "#eadfc4", "#cdbb92"),
    "rock": Look("o", "#a9a39c", "#3d3933", _dots(_STONES, "#3d3933", 0.6), 16, "", 2.0),
    "rubble": Look(":", "#e3ded6", "#7a7268", _dots(_STONES, "#7a7268", 0.6), 16, "3 3", 1.2),
    "ruin": Look("r", "#e0dad4", "#6a5f58", _lines(_BRICKS, "#6a5f58", 1.1, 0.55), 16, "9 4", 2.2),
    "square": Look("`", "#ddd6c6", "#b3a98f", _lines(_BRICKS, "#b3a98f", 0.8, 0.5), 16),
    "swamp": Look(";", "#d5dcc0", "#66743a", _lines(_TUFTS, "#66743a", 1.2, 0.8), 20, "", 1.0),
    "wall": Look("|", "#8c8780", "#35312c", _lines(_BRICKS, "#35312c", 1.2), 16, "", 2.0),
    "well": Look("O", "#b8cfd6", "#3d3b38", "", 16, "", 2.0),
}
UNKNOWN = Look("?", "#e8e4da", "#777166", _lines(_HATCH, "#777166", 0.8, 0.4), 16, "5 3", 1.2)


def look_of(kind: str) -> Look:
    return LOOKS.get(kind, UNKNOWN)
