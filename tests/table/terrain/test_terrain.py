"""What terrain is: types, conditions, the books' common pieces and what follows from height and gaps."""

from __future__ import annotations

import pytest

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Piece
from shieldwall.table.terrain import (
    BLOCKING,
    CONDITIONS,
    COVER,
    DANGEROUS,
    DECORATIVE,
    DIFFICULT,
    ELEVATED,
    IMPASSABLE,
    OPEN,
    PRESETS,
    SEE_INTO,
    TYPES,
    BareTable,
    TerrainLimits,
    blocks_sight,
    gives_cover,
    is_dangerous,
    is_decorative,
    is_difficult,
    is_elevated,
    is_impassable,
    piece,
    pieces_at,
    preset,
    settle,
    standing_height,
    terrain_at,
    types_of,
    untyped_pieces,
)

HERE = {"at": (20.0, 20.0), "size": (6.0, 6.0)}


def made(kind: str, **given: object) -> Piece:
    return piece(1, kind, **(HERE | given))  # type: ignore[arg-type]


def effects(given: Piece) -> set[str]:
    """Every effect of a piece, in words."""
    found = {
        "stops sight": blocks_sight(given),
        "covers": gives_cover(given),
        "slows": is_difficult(given),
        "slows uphill": is_difficult(given, uphill=True) and not is_difficult(given),
        "hurts": is_dangerous(given, "advance"),
        "hurts the hasty": is_dangerous(given, "rush") and not is_dangerous(given, "advance"),
        "stops models": is_impassable(given),
    }
    return {words for words, holds in found.items() if holds}


@pytest.mark.parametrize(
    ("kind", "types", "does"),
    [
        ("barricade", {COVER}, {"covers"}),
        ("building", {IMPASSABLE, BLOCKING}, {"stops sight", "stops models"}),
        ("field", {DIFFICULT, COVER}, {"covers", "slows"}),
        ("forest", {DIFFICULT, COVER}, {"covers", "slows", "stops sight"}),
        ("hill", {COVER}, {"covers", "slows uphill"}),
        ("lake", {DIFFICULT}, {"slows"}),
        ("lava", {DANGEROUS}, {"hurts"}),
        ("mountain", {IMPASSABLE, BLOCKING}, {"stops sight", "stops models"}),
        ("river", set(), {"hurts the hasty"}),
        ("rubble", {DIFFICULT}, {"slows"}),
        ("ruin", {COVER}, {"covers", "hurts the hasty"}),
        ("swamp", {DIFFICULT}, {"slows"}),
    ],
)
def test_common_pieces_have_the_rules_of_the_books_table(kind: str, types: set[str], does: set[str]) -> None:
    """R35-SETUP-13, R35-SETUP-14, R35-SETUP-15, R35-SETUP-16, R35-SETUP-17, R35-SETUP-18, R35-SETUP-19,
    R35-SETUP-20, R35-SETUP-21, R35-SETUP-22, R35-SETUP-23, R35-SETUP-24 and SK32-SETUP-06, SK32-SETUP-07,
    SK32-SETUP-08, SK32-SETUP-09, SK32-SETUP-10, SK32-SETUP-11, SK32-SETUP-12, SK32-SETUP-13, SK32-SETUP-14,
    SK32-SETUP-15, SK32-SETUP-16, SK32-SETUP-17: the usual types, and nothing else."""
    assert set(preset(kind).types) == types
    assert effects(made(kind)) == does


def test_a_lake_is_difficult_when_shallow_and_impassable_when_deep() -> None:
    """R35-SETUP-18, SK32-SETUP-10."""
    assert preset("lake", water="shallow").types == (DIFFICULT,)
    assert preset("lake", water="deep").types == (IMPASSABLE,)
    assert effects(made("lake", water="deep")) == {"stops models"}
    with pytest.raises(MalformedError, match="shallow, deep"):
        preset("lake", water="frozen")


@pytest.mark.parametrize("kind", ["river", "ruin"])
@pytest.mark.parametrize(
    ("action", "tests"), [("advance", False), ("rush", True), ("charge", True), ("", False)]
)
def test_rivers_and_ruins_endanger_only_those_in_a_hurry(kind: str, action: str, tests: bool) -> None:
    """R35-SETUP-21, R35-SETUP-23, SK32-SETUP-13, SK32-SETUP-15, SK32-TERRAIN-03: only Rush and Charge."""
    assert is_dangerous(made(kind), action) is tests


def test_lava_endangers_whoever_is_in_it() -> None:
    """SK32-SETUP-11, R35-TERRAIN-20, SK32-TERRAIN-16: every action, and standing still too."""
    assert all(is_dangerous(made("lava"), action) for action in ("advance", "rush", "charge", "hold", ""))


def test_a_hill_slows_on_the_way_up_alone() -> None:
    """R35-SETUP-17, SK32-SETUP-17."""
    hill = made("hill")
    assert is_difficult(hill, uphill=True)
    assert not is_difficult(hill)


@pytest.mark.parametrize(
    ("kind", "type_"),
    [
        ("mountain", IMPASSABLE),
        ("wall", BLOCKING),
        ("building", BLOCKING),
        ("rock", BLOCKING),
        ("fence", COVER),
        ("forest", COVER),
        ("ruin", COVER),
        ("swamp", DIFFICULT),
        ("mud", DIFFICULT),
        ("lava", DANGEROUS),
        ("quicksand", DANGEROUS),
    ],
)
def test_examples_of_the_definitions(kind: str, type_: str) -> None:
    """R35-TERRAIN-10, R35-TERRAIN-12, R35-TERRAIN-18, R35-TERRAIN-20 and SK32-TERRAIN-07, SK32-TERRAIN-09,
    SK32-TERRAIN-11, SK32-TERRAIN-14, SK32-TERRAIN-16."""
    assert type_ in types_of(made(kind))


def test_a_type_brings_its_own_effect_and_no_other() -> None:
    """R35-TERRAIN-12: a fence covers and hinders nobody. R35-TERRAIN-18: mud slows and does not cover.
    R35-TERRAIN-20: lava only tests. R35-TERRAIN-10: a blocking piece stops sight."""
    assert effects(made("fence")) == {"covers"}
    assert effects(made("mud")) == {"slows"}
    assert effects(made("lava")) == {"hurts"}
    assert effects(made("wall")) == {"stops sight"}


def test_several_types_and_conditions_all_apply() -> None:
    """R35-TERRAIN-02, SK32-TERRAIN-02, R35-SETUP-12, SK32-SETUP-05: Cover and Difficult and a condition."""
    both = made("thicket", types=[COVER, DIFFICULT], conditions=["danger-on-rush-or-charge"])
    assert effects(both) == {"covers", "slows", "hurts the hasty"}
    assert both.types == (COVER, DIFFICULT)
    assert both.conditions == ("danger-on-rush-or-charge",)


def test_a_forest_is_seen_into_but_not_through() -> None:
    """R35-TERRAIN-03, SK32-TERRAIN-04: the condition is there and counts as blocking sight across."""
    assert SEE_INTO in made("forest").conditions
    assert BLOCKING not in made("forest").types
    assert blocks_sight(made("forest"))
    assert not blocks_sight(made("forest", conditions=()))


def test_effects_come_from_the_agreed_types_alone() -> None:
    """R35-TERRAIN-29: a forest agreed to be only Cover neither slows nor stops sight."""
    assert effects(made("forest", types=[COVER], conditions=["ground-level"])) == {"covers"}
    assert effects(made("forest", types=[], conditions=["ground-level"])) == set()


def test_anything_may_stand_in_for_terrain() -> None:
    """R35-SETUP-06, SK32-PREP-06: a book with types works like a building."""
    book = made("book", types=[BLOCKING, IMPASSABLE], height=2.0)
    assert effects(book) == {"stops sight", "stops models"}
    assert book.name == "Book"


def test_ground_outside_all_pieces_is_open_and_does_nothing() -> None:
    """R35-TERRAIN-04, R35-TERRAIN-05, SK32-TERRAIN-05, SK32-TERRAIN-06."""
    table = BareTable(72_000, 48_000, (made("lava"), made("decoration", at=(40.0, 20.0))))
    assert terrain_at(table, 5_000, 5_000) == (OPEN,)
    assert pieces_at(table, 5_000, 5_000) == ()
    assert terrain_at(table, 20_000, 20_000) == (DANGEROUS,)
    assert terrain_at(table, 40_000, 20_000) == (OPEN,)


def test_the_border_of_a_piece_is_not_inside_it() -> None:
    """R35-TERRAIN-19 rules that a border alone is not inside; the same holds for a point."""
    table = BareTable(72_000, 48_000, (made("swamp"),))
    assert terrain_at(table, 17_000, 20_000) == (OPEN,)
    assert terrain_at(table, 17_001, 20_000) == (DIFFICULT,)
    assert terrain_at(table, 17_000, 17_000) == (OPEN,)


def test_pieces_that_lie_on_each_other_both_apply() -> None:
    """R35-TERRAIN-02: the types of all pieces at a point, in one fixed order."""
    table = BareTable(72_000, 48_000, (made("hill"), made("forest", size=(2.0, 2.0))))
    assert terrain_at(table, 20_000, 20_000) == (COVER, DIFFICULT)
    assert [found.kind for found in pieces_at(table, 20_000, 20_000)] == ["hill", "forest"]


@pytest.mark.parametrize(("width", "stops"), [(1.0, False), (1.1, True), (2.0, True), (0.8, False)])
@pytest.mark.parametrize("angle", [0.0, 33.0, 90.0])
def test_a_gap_stops_models_from_over_one_inch_on(width: float, stops: bool, angle: float) -> None:
    """R35-TERRAIN-06, SK32-TERRAIN-24, SK32-TERRAIN-26: 1.1 inches are impassable, 1.0 are stepped over."""
    chasm = made("chasm", size=(width, 12.0), angle=angle)
    assert is_impassable(chasm) is stops
    assert is_elevated(chasm) is stops
    assert types_of(chasm) == ((IMPASSABLE, ELEVATED) if stops else (OPEN,))


@pytest.mark.parametrize(("height", "stops"), [(3.1, True), (3.0, False), (2.0, False), (4.0, True)])
def test_height_over_three_inches_is_elevated_and_impassable(height: float, stops: bool) -> None:
    """R35-TERRAIN-24, SK32-TERRAIN-22, SK32-TERRAIN-23: 3.1 inches stop models, 3.0 and 2 do not."""
    hill = made("hill", height=height)
    assert is_elevated(hill) is stops
    assert is_impassable(hill) is stops
    assert (ELEVATED in types_of(hill)) is stops


def test_books_that_put_the_limit_elsewhere_are_plain_values() -> None:
    """A2-TERRAIN-07 counts exactly 3 inches as elevation, which there stops nobody."""
    limits = TerrainLimits(elevated_at_limit=True, elevated_stops=False)
    assert is_elevated(made("hill", height=3.0), limits)
    assert not is_elevated(made("hill", height=2.9), limits)
    assert not is_impassable(made("hill", height=3.0), limits)


def test_models_enter_trees_and_ruins_at_table_level() -> None:
    """R35-SETUP-16: a forest five inches tall is entered, not climbed; a hill is stood upon."""
    assert standing_height(made("forest")) == 0
    assert standing_height(made("ruin")) == 0
    assert standing_height(made("hill", height=2.0)) == 2_000
    assert not is_elevated(made("forest", height=6.0))


def test_decorative_pieces_do_nothing_at_all() -> None:
    """R35-SETUP-25, SK32-SETUP-18: even with a height and types left over."""
    tuft = made("grass", types=[COVER, DIFFICULT, DANGEROUS, BLOCKING], conditions=[DECORATIVE], height=9.0)
    assert effects(tuft) == set()
    assert is_decorative(tuft)
    assert types_of(tuft) == (OPEN,)


def test_a_piece_without_types_is_asked_about_or_becomes_decorative() -> None:
    """R35-TERRAIN-01, SK32-TERRAIN-01."""
    bare, hill = made("tower"), made("hill")
    table = BareTable(72_000, 48_000, (bare, hill))
    assert untyped_pieces(table) == (bare,)
    settled = settle(table.pieces)
    assert [is_decorative(found) for found in settled] == [True, False]
    assert settled[0].conditions == (DECORATIVE,)
    assert untyped_pieces(BareTable(72_000, 48_000, settled)) == ()


def test_presets_use_known_words_only() -> None:
    for kind, usual in PRESETS.items():
        assert usual.kind == kind
        assert set(usual.types) <= set(TYPES)
        assert set(usual.conditions) <= set(CONDITIONS)


def test_a_bad_piece_names_all_its_faults() -> None:
    bowtie = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]
    with pytest.raises(MalformedError) as caught:
        piece(7, "forest", bowtie, types=["spooky", "damp"])
    assert caught.value.what == "piece 7 (forest)"
    assert len(caught.value.problems) == 4  # no area, crossing edges and two unknown types
    with pytest.raises(MalformedError, match="either an outline or a size"):
        piece(7, "forest")


def test_a_rectangle_turns_clockwise_about_its_middle() -> None:
    turned = piece(1, "wall", at=(10.0, 10.0), size=(4.0, 2.0), angle=90.0)
    assert sorted(turned.outline) == [(9_000, 8_000), (9_000, 12_000), (11_000, 8_000), (11_000, 12_000)]
    slanted = piece(1, "wall", at=(0.0, 0.0), size=(2.0, 0.2), angle=45.0)
    rightmost = max(slanted.outline)
    assert rightmost[1] < 0  # the right end went down


def test_outlines_are_kept_counter_clockwise() -> None:
    corners = [(0.0, 0.0), (0.0, 4.0), (4.0, 4.0), (4.0, 0.0)]
    assert piece(1, "wall", corners).outline == ((4000, 0), (4000, 4000), (0, 4000), (0, 0))
