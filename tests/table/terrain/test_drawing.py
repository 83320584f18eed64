"""Tables as text and as pictures."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from terrain_makers import block, loner, state

from shieldwall.cli.captions import unit_code, unit_notes
from shieldwall.cli.drawing import arrow, draw_svg, draw_text
from shieldwall.cli.swatches import LOOKS
from shieldwall.core.state import Marker, Model, State
from shieldwall.table.terrain import PRESETS, piece

SVG = "{http://www.w3.org/2000/svg}"


def busy_table() -> State:
    """A hill, a lake, two blocks, a lone model and two objectives."""
    pieces = [
        piece(1, "hill", at=(20, 20), size=(8, 6)),
        piece(2, "lake", at=(50, 30), size=(6, 6), water="deep"),
    ]
    hurt = replace(block(3, 60, 40, 180, side=1, models=7), start_models=10, broken=True, name="Wolves & Co")
    table = state(pieces, [block(1, 30, 10), loner(2, 10, 40, side=1), hurt])
    return replace(table, markers=(Marker(1, 36_000, 24_000, holder=0), Marker(2, 12_000, 30_000)), round=3)


def rows(text: str) -> list[str]:
    """The lines of the map itself, from north to south."""
    return [line[5:-1] for line in text.splitlines() if re.match(r"^.{4}\|", line)]


def where(text: str, words: str) -> tuple[float, float]:
    """The position in inches of words on the map of a 72 by 48 table."""
    lines = rows(text)
    row = next(number for number, line in enumerate(lines) if words in line)
    column = lines[row].index(words) + len(words) / 2
    return column / len(lines[0]) * 72, 48 - (row + 0.5) / len(lines) * 48


def test_the_text_fits_its_width_and_names_everything() -> None:
    text = draw_text(busy_table())
    assert max(map(len, text.splitlines())) <= 100
    for words in (
        "h hill: cover, difficult uphill, hilltop",
        "~ lake: impassable",
        "A1 Block 1 (10/10)",
        "B1 Loner 2",
        "B2 Wolves & Co (7/10, shaken)",
        "side A: Ann",
        "side B: Bob",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("words", "x", "y"),
    [("A1↑", 30, 10), ("B1↑", 10, 40), ("B2↓", 60, 40), ("(2A)", 36, 24), ("(3-)", 12, 30)],
)
def test_things_are_drawn_where_they_are(words: str, x: float, y: float) -> None:
    assert where(draw_text(busy_table()), words) == pytest.approx((x, y), abs=1.6)


def test_boxes_tell_the_sides_apart_and_cover_the_block() -> None:
    text = draw_text(busy_table())
    line = next(line for line in rows(text) if "A1↑" in line)
    assert re.search(r"█+A1↑█+", line)
    assert any(re.search(r"▒+B2↓▒+", line) for line in rows(text))
    assert len(re.findall("[█A1↑]", line)) == pytest.approx(5 / 72 * len(line), abs=1)


def test_terrain_is_drawn_where_it_lies() -> None:
    lines = rows(draw_text(busy_table()))
    marks = [
        (row, column) for row, line in enumerate(lines) for column, letter in enumerate(line) if letter == "~"
    ]
    xs = [(column + 0.5) / len(lines[0]) * 72 for _, column in marks]
    assert min(xs) == pytest.approx(47, abs=1)
    assert max(xs) == pytest.approx(53, abs=1)
    assert sum("h" in line for line in lines) >= 3


def test_small_tables_take_two_columns_an_inch() -> None:
    lines = rows(draw_text(state(width=24_000, depth=24_000)))
    assert {len(line) for line in lines} == {48}
    assert max(len(line) for line in rows(draw_text(state(), widest=60))) <= 54


def test_a_marker_gives_way_to_the_code_of_a_unit() -> None:
    table = replace(state(units=[loner(1, 36, 24)]), markers=(Marker(1, 36_000, 24_000),))
    text = draw_text(table)
    assert "A1↑" in text
    assert any("(2-)" in line for line in rows(text))


@pytest.mark.parametrize(
    ("heading", "expected"),
    [(0, "↑"), (9_000, "→"), (18_000, "↓"), (27_000, "←"), (35_900, "↑"), (4_400, "↗")],
)
def test_arrows_point_the_nearest_way(heading: int, expected: str) -> None:
    assert arrow(heading) == expected


def test_the_picture_is_sound_and_names_everything() -> None:
    root = ElementTree.fromstring(draw_svg(busy_table(), zone_depth=12.0))
    words = [node.text for node in root.iter(f"{SVG}text")]
    for expected in (
        "Round 3, 72 by 48 inches",
        "A1 Block 1",
        "B2 Wolves & Co",
        "7/10 shaken",
        "Hill 2″",
        "1",
        "2",
        "A",
    ):
        assert expected in words
    patterns = {node.get("id") for node in root.iter(f"{SVG}pattern")}
    assert patterns == {"hill", "lake"}
    used = set(re.findall(r"url\(#([^)]+)\)", draw_svg(busy_table())))
    assert used <= patterns | {"board"}


def test_the_picture_puts_north_up() -> None:
    table = state(units=[loner(1, 10, 40)])
    root = ElementTree.fromstring(draw_svg(table))
    circle = next(node for node in root.iter(f"{SVG}circle"))
    x, y = float(circle.get("cx", 0)), float(circle.get("cy", 0))
    assert (x, y) == pytest.approx((34 + 10 * 16, 34 + 8 * 16), abs=0.1)
    assert float(circle.get("r", 0)) == pytest.approx(8, abs=0.1)


def test_zones_are_drawn_on_demand_in_the_sides_colours() -> None:
    plain, zoned = draw_svg(busy_table()), draw_svg(busy_table(), zone_depth=12.0)
    assert plain.count('stroke-dasharray="10 6"') == 0
    assert zoned.count('stroke-dasharray="10 6"') == 2
    assert "#0072B2" in zoned
    assert "#D55E00" in zoned
    assert "#E69F00" in zoned


def test_units_that_acted_and_those_that_are_off_the_table() -> None:
    table = busy_table()
    acted = replace(table, units=(replace(table.units[0], activated=True), *table.units[1:]))
    assert "(10/10, done)" in draw_text(acted)
    assert draw_svg(acted) != draw_svg(table)
    away = replace(table, units=(replace(table.units[0], place="reserve"), *table.units[1:]))
    assert "Block 1" not in draw_text(away)
    assert "Block 1" not in draw_svg(away)


def test_every_kind_of_terrain_has_its_own_look() -> None:
    assert set(PRESETS) <= set(LOOKS)
    glyphs = [look.glyph for look in LOOKS.values()]
    assert len(set(glyphs)) == len(glyphs)
    looks = [(look.fill, look.tile) for look in LOOKS.values()]
    assert len(set(looks)) == len(looks)


def test_codes_count_within_a_side_and_notes_say_what_matters() -> None:
    table = busy_table()
    assert [unit_code(table, unit) for unit in table.units] == ["A1", "B1", "B2"]
    stunned = replace(table.units[1], models=(Model(200, 1, wounds=2, stunned=True),), tired=True)
    assert unit_notes(stunned) == ("2 wounds", "stunned", "tired")
    assert unit_notes(table.units[1]) == ()
