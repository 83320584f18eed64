"""Terrain layouts compared with the books' advice: what is refused, and what only gets a hint."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import box
from terrain_makers import DEEP, WIDE, ground, rects, report, twin_of

from shieldwall.core.state import Piece
from shieldwall.geometry.zones import apart_table
from shieldwall.table.layout import (
    BLOCK_ADVICE,
    HEADINGS,
    LOOSE_ADVICE,
    LayoutAdvice,
    Minimums,
    check_layout,
    minimums,
    placing_order,
)
from shieldwall.table.layout_facts import covered_area, distances, half_shares, open_lines
from shieldwall.table.terrain import piece


def mixed(**counts: int) -> list[Piece]:
    """Pieces of several kinds in rows, for example mixed(forest=6, rubble=6)."""
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    return [
        piece(number + 1, kind, at=(3 + number % 11 * 6, 3 + number // 11 * 6), size=(2, 2))
        for number, kind in enumerate(kinds)
    ]


# --- count ---------------------------------------------------------------------------------------------


def test_nine_pieces_are_refused_and_ten_are_enough() -> None:
    """R35-SETUP-04, R34-SETUP-02, A2-PREP-03: the only thing that refuses a layout on the table."""
    assert [found.cite for found in report(rects(9)).problems] == ["terrain.count.least"]
    assert report(rects(10)).is_legal


@pytest.mark.parametrize(("count", "remarked"), [(12, True), (14, True), (15, False), (18, False)])
def test_fifteen_pieces_are_advised(count: int, remarked: bool) -> None:
    """R35-SETUP-05, A2-PREP-04: 12 pass with a hint, 15 without."""
    found = report(rects(count))
    assert found.is_legal
    assert ("terrain.count.advised" in found.cites()) is remarked


@pytest.mark.parametrize(("count", "warned"), [(14, True), (12, True), (10, True), (15, False), (19, False)])
def test_crowded_tables_are_warned_about_below_fifteen(count: int, warned: bool) -> None:
    """SK32-PREP-04, SK32-SETUP-19: 14 raise a warning and 15 none; 12 are accepted with it."""
    found = report(rects(count), LOOSE_ADVICE)
    assert found.is_legal
    levels = [hint.level for hint in found.under("count") if hint.cite == "terrain.count.standard"]
    assert levels == (["warning"] if warned else [])


def test_crowded_tables_mention_the_advised_twenty() -> None:
    """SK32-PREP-05: a note, not a warning."""
    notes = {hint.cite: hint.level for hint in report(rects(15), LOOSE_ADVICE).under("count")}
    assert notes["terrain.count.advised"] == "note"
    assert "terrain.count.advised" not in report(rects(20), LOOSE_ADVICE).cites()


def test_fewer_than_ten_need_consent_where_the_book_lets_players_agree() -> None:
    """SK32-PREP-04: fewer than 10 need both players to agree."""
    assert not report(rects(9), LOOSE_ADVICE).is_legal
    agreed = report(rects(9), LOOSE_ADVICE, agreed=True)
    assert agreed.is_legal
    assert "terrain.count.least" in agreed.cites()
    assert not report(rects(9), BLOCK_ADVICE, agreed=True).is_legal


def test_books_with_other_numbers_are_plain_values() -> None:
    """A16-PREP-02: 5 is the hard minimum, fewer than 10 gives an advisory."""
    old = LayoutAdvice(min_hard=5, min_standard=5, min_advised=10)
    assert not report(rects(4), old).is_legal
    assert "terrain.count.advised" in report(rects(5), old).cites()
    assert "terrain.count.advised" not in report(rects(10), old).cites()


@pytest.mark.parametrize("advice", [BLOCK_ADVICE, LOOSE_ADVICE])
def test_a_layout_that_ignores_every_guideline_is_legal(advice: LayoutAdvice) -> None:
    """R35-SETUP-07, SK32-PREP-07, A2-PREP-06: ten tiny rocks in one corner give hints and no problem."""
    heap = [piece(n, "rock", at=(1 + n % 4 * 0.6, 1 + n // 4 * 0.6), size=(0.5, 0.5)) for n in range(10)]
    found = check_layout(WIDE, DEEP, heap, advice)
    assert found.is_legal
    assert set(found.cites()) >= {
        "terrain.coverage",
        "terrain.lines",
        "terrain.balance",
        "terrain.types.cover",
    }


def test_decorative_pieces_are_not_counted() -> None:
    """R35-SETUP-25, SK32-SETUP-18: nine pieces and a puddle are nine pieces."""
    puddle = piece(99, "puddle", at=(60, 40), size=(12, 12), conditions=["decorative"])
    found = report([*rects(9), puddle])
    assert not found.is_legal
    assert found.pieces == 9
    assert found.covered == pytest.approx(9 * 4 / (72 * 48))


# --- size ----------------------------------------------------------------------------------------------


def size_cites(size: tuple[float, float], angle: float = 0.0) -> list[str]:
    big = piece(50, "forest", at=(50, 30), size=size, angle=angle)
    return [hint.cite for hint in report([*rects(10), big]).under("size")]


@pytest.mark.parametrize("angle", [0.0, 45.0, 80.0])
def test_any_size_is_accepted_and_over_twelve_inches_remarked(angle: float) -> None:
    """R35-SETUP-09, R35-SETUP-11, SK32-SETUP-02: 14 by 14 and 12.5 by 12 get a hint, 12 by 12 none."""
    assert size_cites((14, 14), angle) == ["terrain.size.large"]
    assert size_cites((12.5, 12), angle) == ["terrain.size.large"]
    assert size_cites((12, 12), angle) == []
    assert report([*rects(10), piece(50, "forest", at=(50, 30), size=(20, 14))]).is_legal


def test_pieces_thinner_than_an_inch_are_remarked() -> None:
    """R35-SETUP-10, SK32-SETUP-03: scatter should have at least 1 by 1."""
    assert size_cites((3, 0.5)) == ["terrain.size.scatter"]
    assert size_cites((3, 1)) == []
    assert size_cites((1, 1)) == []


# --- types ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (12, Minimums(6, 4, 4, 2)),
        (18, Minimums(9, 6, 6, 2)),
        (13, Minimums(7, 5, 5, 2)),
        (10, Minimums(5, 4, 4, 2)),
    ],
)
def test_the_advised_numbers_round_up(pieces: int, expected: Minimums) -> None:
    """R35-SETUP-33, SK32-SETUP-26, R35-SETUP-31, SK32-SETUP-23: a half, a third, a third and one each."""
    assert minimums(pieces, 2, BLOCK_ADVICE) == expected
    assert minimums(pieces, 2, LOOSE_ADVICE) == expected


def test_each_further_player_names_a_dangerous_piece() -> None:
    """R35-SETUP-32, SK32-SETUP-25."""
    assert minimums(12, 3, BLOCK_ADVICE).dangerous == 3


@pytest.mark.parametrize(
    ("enough", "short", "cite"),
    [
        ({"wall": 6, "mud": 6}, {"wall": 5, "mud": 7}, "terrain.types.blocking"),
        ({"fence": 4, "mud": 8}, {"fence": 3, "mud": 9}, "terrain.types.cover"),
        ({"mud": 4, "wall": 8}, {"mud": 3, "wall": 9}, "terrain.types.difficult"),
        ({"lava": 2, "wall": 10}, {"lava": 1, "wall": 11}, "terrain.types.dangerous"),
        ({"forest": 6, "lava": 6}, {"forest": 5, "lava": 7}, "terrain.types.blocking"),
        ({"wall": 9, "mud": 9}, {"wall": 8, "mud": 10}, "terrain.types.blocking"),
        ({"fence": 6, "mud": 12}, {"fence": 5, "mud": 13}, "terrain.types.cover"),
        ({"swamp": 6, "wall": 12}, {"swamp": 5, "wall": 13}, "terrain.types.difficult"),
    ],
)
def test_shares_of_types(enough: dict[str, int], short: dict[str, int], cite: str) -> None:
    """R35-SETUP-29, R35-SETUP-30, R35-SETUP-31, R35-SETUP-32 with 12 pieces; SK32-SETUP-22, SK32-SETUP-23,
    SK32-SETUP-24, SK32-SETUP-25 with 18: enough is silent, one fewer is hinted at."""
    assert cite not in report(mixed(**enough)).cites()
    assert cite in report(mixed(**short)).cites()


def test_a_piece_counts_for_each_of_its_types() -> None:
    """R35-SETUP-31: six forests among twelve block, cover and slow at once."""
    found = report(mixed(forest=6, lava=6)).cites()
    assert not any(
        cite in found for cite in ("terrain.types.blocking", "terrain.types.cover", "terrain.types.difficult")
    )


def test_a_single_kind_of_terrain_is_remarked() -> None:
    """R35-SETUP-28, SK32-SETUP-21: a mix gives every weapon its use."""
    assert "terrain.types.mix" in report(mixed(swamp=18)).cites()
    assert "terrain.types.mix" not in report(mixed(swamp=17, wall=1)).cites()


def test_combined_types_and_conditions_are_accepted() -> None:
    """R35-SETUP-12: [Cover] as well as [Cover, Difficult] with a condition of the players' own."""
    plain = piece(50, "x", at=(50, 30), size=(4, 4), types=["cover"])
    odd = piece(
        51, "y", at=(50, 40), size=(4, 4), types=["cover", "difficult"], conditions=["blocks sight through"]
    )
    assert report([*rects(10), plain, odd]).is_legal


# --- coverage and placement ------------------------------------------------------------------------------


@pytest.mark.parametrize(("square", "hinted"), [(864.0, False), (863.0, True)])
def test_a_quarter_of_the_table_should_be_covered(square: float, hinted: bool) -> None:
    """R35-SETUP-27: 864 square inches satisfy the hint on 72 by 48, 863 do not."""
    pieces = [piece(n, "forest", at=(10 + n * 20, 24), size=(square / 3 / 36, 36)) for n in range(3)]
    assert covered_area(pieces) == pytest.approx(square, abs=0.11)
    assert ("terrain.coverage" in report(pieces).cites()) is hinted


@pytest.mark.parametrize(("square", "hinted"), [(1152.0, False), (1100.0, True)])
def test_half_of_a_crowded_table_should_be_covered(square: float, hinted: bool) -> None:
    """SK32-SETUP-20: 1152 of 2304 square inches pass, 1100 are warned about."""
    pieces = [piece(n, "forest", at=(6 + n * 12, 24), size=(square / 4 / 48, 48)) for n in range(4)]
    found = check_layout(48_000, 48_000, pieces, LOOSE_ADVICE)
    assert ("terrain.coverage" in found.cites()) is hinted


def test_the_report_has_the_four_headings() -> None:
    """R35-SETUP-08, SK32-SETUP-01: size, types, count, placement, and findings in that order."""
    assert HEADINGS == ("size", "types", "count", "placement")
    found = report([piece(1, "lava", at=(10, 10), size=(15, 15))])
    order = [HEADINGS.index(hint.heading) for hint in found.hints]
    assert order == sorted(order)
    assert sum(len(found.under(heading)) for heading in HEADINGS) == len(found.problems + found.hints)


def test_taking_turns_starts_with_the_winner() -> None:
    """R35-SETUP-35, SK32-SETUP-28: B won, so B, A, B, A, B."""
    assert placing_order(1, 5) == (1, 0, 1, 0, 1)
    assert placing_order(0, 3, players=3) == (0, 1, 2)


def test_terrain_in_one_half_is_legal_and_remarked() -> None:
    """R35-SETUP-36, SK32-SETUP-29: information only."""
    low = rects(15)  # two rows at the near edge
    found = report(low)
    assert found.is_legal
    assert "terrain.balance" in found.cites()
    mirrored = [
        piece(50 + n, "rubble", at=(3 + n % 11 * 6, 45 - n // 11 * 6), size=(2, 2)) for n in range(15)
    ]
    assert "terrain.balance" not in report([*low, *mirrored]).cites()


def test_an_open_line_from_edge_to_edge_is_remarked() -> None:
    """R35-SETUP-37, SK32-SETUP-30, A2-PREP-07: straight lines at each whole inch from edge to edge."""
    walls = [piece(n, "wall", at=(6 + n * 12, 10 + n * 5), size=(12.2, 1)) for n in range(6)]
    assert "terrain.lines" not in report(walls).cites()
    assert open_lines(WIDE, DEEP, walls) == ()
    assert open_lines(WIDE, DEEP, walls[:2] + walls[3:]) == tuple(range(25, 36))
    assert "terrain.lines" in report(walls[:2] + walls[3:]).cites()


def test_lines_run_between_the_edges_of_the_axis() -> None:
    walls = [piece(n, "wall", at=(10, 6 + n * 12), size=(1, 12.2)) for n in range(4)]
    assert open_lines(WIDE, DEEP, walls, "x") == ()
    assert len(open_lines(WIDE, DEEP, walls, "y")) == 70  # of 71 lines only the one at 10 meets the walls
    assert open_lines(WIDE, DEEP, [piece(1, "fence", at=(36, 24), size=(72, 1))]) == tuple(range(1, 72))


@pytest.mark.parametrize(("advice", "limit"), [(BLOCK_ADVICE, 12.0), (LOOSE_ADVICE, 6.0)])
def test_a_lonely_piece_is_remarked(advice: LayoutAdvice, limit: float) -> None:
    """R35-SETUP-38 (12.5 hinted, 12.0 not), SK32-SETUP-31 (6.5 and 6.0), A2-PREP-08."""
    crowd = rects(10)
    for gap, hinted in ((limit, False), (limit + 0.5, True)):
        lone = piece(50, "wall", at=(3, 4 + gap + 1), size=(2, 2))
        assert ("terrain.gaps" in report([*crowd, lone], advice).cites()) is hinted


@pytest.mark.parametrize(("gap", "hinted"), [(5.9, True), (6.0, False)])
def test_impassable_pieces_leave_room_for_large_units(gap: float, hinted: bool) -> None:
    """R35-SETUP-39: 5.9 inches between two impassable pieces are remarked for large units, 6.0 are not."""
    pair = [
        piece(50, "building", at=(30, 30), size=(4, 4)),
        piece(51, "mountain", at=(34 + gap, 30), size=(4, 4)),
    ]
    assert ("terrain.room" in report([*rects(10), *pair], large_units=True).cites()) is hinted
    assert "terrain.room" not in report([*rects(10), *pair]).cites()
    soft = [piece(50, "forest", at=(30, 30), size=(4, 4)), piece(51, "mountain", at=(35, 30), size=(4, 4))]
    assert "terrain.room" not in report([*rects(10), *soft], large_units=True).cites()


@pytest.mark.parametrize(("gap", "noted"), [(2.0, True), (3.0, False)])
def test_all_pieces_leave_room_where_the_book_says_so(gap: float, noted: bool) -> None:
    """SK32-SETUP-32: with large units, 2 inches between any two pieces are noted and 3.0 are not."""
    row = [piece(n, "forest", at=(3 + n * (2 + gap), 24), size=(2, 2)) for n in range(10)]
    found = report(row, LOOSE_ADVICE, large_units=True)
    assert ("terrain.room" in found.cites()) is noted
    assert {hint.level for hint in found.hints if hint.cite == "terrain.room"} <= {"note"}


def test_pieces_beyond_the_edge_are_refused_and_overlaps_remarked() -> None:
    """SK32-PREP-07: inside the table and without overlaps nothing is ever refused."""
    out = piece(50, "hill", at=(71, 24), size=(4, 4))
    assert [found.cite for found in report([*rects(10), out]).problems] == ["terrain.on-table"]
    hill, wood = piece(50, "hill", at=(60, 30), size=(8, 8)), piece(51, "forest", at=(60, 30), size=(4, 4))
    found = report([*rects(10), hill, wood])
    assert found.is_legal
    assert "terrain.overlap" in found.cites()


# --- the facts under the advice ------------------------------------------------------------------------

turned = st.builds(
    lambda n, x, y, w, d, angle: piece(n, "wall", at=(x, y), size=(w, d), angle=angle),
    st.just(1), st.floats(10, 30), st.floats(10, 30), st.floats(0.5, 9), st.floats(0.5, 9), st.floats(0, 360),
)  # fmt: skip


@settings(max_examples=150)
@given(st.lists(turned, min_size=2, max_size=5))
def test_distances_between_pieces_are_what_shapely_says(pieces: list[Piece]) -> None:
    found = distances(pieces)
    for i, first in enumerate(pieces):
        assert found[i, i] == np.inf
        for j in range(i + 1, len(pieces)):
            shared = ground(first).intersection(ground(pieces[j])).area
            expected = ground(first).distance(ground(pieces[j]))
            assert found[i, j] == found[j, i]
            if shared > 0.05:
                assert found[i, j] == -1
            elif expected > 0.01:
                assert found[i, j] == pytest.approx(expected, abs=1e-6)


def test_pieces_in_one_line_that_overlap_share_ground() -> None:
    first, second = piece(1, "wall", at=(20, 24), size=(5, 1)), piece(2, "wall", at=(24, 24), size=(4, 1))
    assert distances([first, second])[0, 1] == -1


def test_equal_pieces_share_ground_and_neighbours_touch() -> None:
    one, same = (piece(n, "wall", at=(20, 20), size=(4, 4)) for n in (1, 2))
    beside = piece(3, "wall", at=(24, 20), size=(4, 4))
    found = distances([one, same, beside])
    assert found[0, 1] == -1
    assert found[0, 2] == 0


def test_the_kernel_and_its_twin_agree() -> None:
    pieces = [piece(n, "wall", at=(10 + 5 * n, 20 + n), size=(4, 2), angle=17 * n) for n in range(6)]
    points = np.array([point for found in pieces for point in found.outline], dtype=np.float64) / 1000
    start = np.arange(0, 25, 4, dtype=np.int64)
    assert np.array_equal(
        apart_table(points, start), twin_of(apart_table.__module__).apart_table(points, start)
    )


@given(st.lists(turned, min_size=1, max_size=4))
def test_half_shares_are_what_shapely_says(pieces: list[Piece]) -> None:
    near = sum(ground(found).intersection(box(0, 0, 72, 24)).area for found in pieces)
    left = sum(ground(found).intersection(box(0, 0, 36, 48)).area for found in pieces)
    total = sum(ground(found).area for found in pieces)
    assert half_shares(WIDE, DEEP, pieces) == pytest.approx((near / total, 1 - near / total), abs=1e-6)
    assert half_shares(WIDE, DEEP, pieces, "x")[0] == pytest.approx(left / total, abs=1e-6)


def test_a_bare_table_has_nothing_to_measure() -> None:
    found = report([])
    assert [hint.cite for hint in found.problems] == ["terrain.count.least"]
    assert set(found.cites()) == {
        "terrain.count.least",
        "terrain.coverage",
        "terrain.lines",
        "terrain.types.dangerous",
    }
    assert found.covered == 0
