"""Where objective markers may lie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, affinity, box
from shapely.geometry import Point
from terrain_makers import ground, state, twin_of

from shieldwall.core.state import MILLI, Marker, Piece, State
from shieldwall.geometry.zones import MarkerSearch, base_fits_near, farthest_first, marker_spots
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import BLOCK_ADVICE
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.pieces import ground_of
from shieldwall.table.terrain import piece
from shieldwall.table.zones import MarkerRules, check_marker, marker_candidates

RULES = MarkerRules()
SQUARE = MarkerRules(axis="all")
CAREFUL = MarkerRules(keeps_off_blocking=True)


def cites(table: State, x: float, y: float, rules: MarkerRules = RULES) -> list[str]:
    return [reason.cite for reason in check_marker(table, round(x * MILLI), round(y * MILLI), rules)]


@pytest.mark.parametrize(
    ("y", "legal"),
    [(12.5, True), (11.0, False), (36.5, False), (11.9, False), (12.0, False), (12.1, True), (24.0, True)],
)
def test_markers_lie_outside_both_zones(y: float, legal: bool) -> None:
    """R35-OBJ-04, SK32-OBJ-05, A2-OBJ-04: strictly between the zones; on the line is still inside one."""
    assert cites(state(), 36, y) == ([] if legal else ["marker.zone"])
    assert cites(state(width=48_000), 20, y) == ([] if legal else ["marker.zone"])


def test_the_axis_says_which_strips_are_zones() -> None:
    """SK32-OBJ-05 rules: the axis is fixed before markers; with a free axis all strips stay clear."""
    table = state(width=48_000)
    assert cites(table, 3, 24) == []
    assert cites(table, 3, 24, MarkerRules(axis="x")) == ["marker.zone"]
    assert cites(table, 24, 3, MarkerRules(axis="x")) == []
    assert cites(table, 3, 24, SQUARE) == ["marker.zone"]
    assert cites(table, 24, 3, SQUARE) == ["marker.zone"]
    assert cites(table, 24, 24, SQUARE) == []


@pytest.mark.parametrize(
    ("first", "second", "legal"), [(20, 29, False), (20, 29.1, True), (24, 33, False), (24, 33.1, True)]
)
def test_markers_lie_over_nine_inches_apart(first: float, second: float, legal: bool) -> None:
    """R35-OBJ-05, SK32-OBJ-06, A2-OBJ-05: from centre to centre, and exactly 9 is not enough."""
    assert cites(state(markers=[(first, 24)]), second, 24) == ([] if legal else ["marker.apart"])


def test_a_marker_that_left_the_game_keeps_nobody_away() -> None:
    from msgspec.structs import replace

    table = state(markers=[(20, 24)])
    gone = replace(table, markers=(Marker(1, 20_000, 24_000, gone=True),))
    assert cites(table, 22, 24) == ["marker.apart"]
    assert cites(gone, 22, 24) == []


def test_markers_do_not_lie_in_impassable_terrain() -> None:
    """R35-OBJ-06: a building over 30 to 36 and 20 to 26 refuses a marker at (33, 23)."""
    table = state([piece(1, "building", at=(33, 23), size=(6, 6))])
    assert cites(table, 33, 23) == ["marker.impassable"]
    assert cites(table, 29.5, 23) == []


def test_markers_do_not_lie_in_deep_water_or_on_cliffs() -> None:
    """SK32-OBJ-07: a deep lake refuses, a shallow one does not; a hill of 4 inches cannot be climbed."""
    for kind, agreed, legal in (
        ("lake", {"water": "deep"}, False),
        ("lake", {"water": "shallow"}, True),
        ("hill", {"height": 4.0}, False),
        ("hill", {"height": 3.0}, True),
        ("forest", {}, True),
    ):
        table = state([piece(1, kind, at=(24, 24), size=(4, 4), **agreed)])
        assert (cites(table, 24, 24, CAREFUL) == []) is legal, kind


def test_solid_blocks_refuse_markers_where_the_book_is_careful() -> None:
    """SK32-OBJ-07 rules: refused inside solid Blocking pieces; R35-OBJ-06 speaks of impassable ones alone."""
    table = state([piece(1, "wall", at=(24, 24), size=(4, 1))])
    assert cites(table, 24, 24, CAREFUL) == ["marker.impassable"]
    assert cites(table, 24, 24, RULES) == []


def test_a_marker_must_be_within_reach_of_some_base() -> None:
    """R35-OBJ-06 rules: some legal position of a 1 by 1 base within 3 inches must exist."""
    ring = [
        piece(1, "mountain", at=(36, 30.3), size=(20, 12)),
        piece(2, "mountain", at=(36, 17.3), size=(20, 12)),
    ]
    table = state(ring)  # a gap of one inch between two ranges, 20 inches long
    assert cites(table, 36, 23.8) == []
    narrow = state([ring[0], piece(2, "mountain", at=(36, 17.4), size=(20, 12))])  # 0.9 inches
    assert cites(narrow, 36, 23.85) == ["marker.reach"]
    assert cites(narrow, 45, 23.85) == []  # near the mouth a base stands outside


def test_every_reason_is_given_at_once() -> None:
    table = state([piece(1, "building", at=(20, 6), size=(9, 9))], markers=[(22, 8)])
    assert cites(table, 20, 6) == ["marker.zone", "marker.apart", "marker.impassable", "marker.reach"]
    assert cites(table, 80, 6) == ["marker.table"]
    text = check_marker(table, 20_000, 11_000, RULES)[0].text
    assert text == "the marker is 11.00 inches from the south edge; the deployment zone is 12 inches deep"


# --- candidates ------------------------------------------------------------------------------------------


def test_the_first_candidate_is_the_middle_and_then_the_farthest() -> None:
    first = marker_candidates(state(), RULES)[0]
    assert first == (36_000, 24_000)
    after = marker_candidates(state(markers=[(36, 24)]), RULES)
    assert after[0] in {(6_000, 15_000), (66_000, 15_000), (6_000, 33_000), (66_000, 33_000)}
    assert all(6_000 <= x <= 66_000 for x, _ in after)


def test_no_room_gives_no_candidates() -> None:
    assert marker_candidates(state(depth=24_000), RULES) == ()


# --- kernels ---------------------------------------------------------------------------------------------


def shapely_fits(x: float, y: float, solids: list[Polygon]) -> bool:
    """Brute force over the same places: a square of one inch, straight or on its tip, touching the reach."""
    square = box(-0.5, -0.5, 0.5, 0.5)
    for shape in (square, affinity.rotate(square, 45)):
        for i in range(-15, 16):
            for j in range(-15, 16):
                there = affinity.translate(shape, x + i / 4, y + j / 4)
                if there.distance(Point(x, y)) > 3.0005 or not box(0, 0, 20, 20).buffer(0.0005).covers(there):
                    continue
                if not any(there.intersection(solid).area > 1e-6 for solid in solids):
                    return True
    return False


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(4, 16), st.floats(4, 16), st.floats(0, 180)), min_size=3, max_size=9))
def test_reach_is_what_shapely_says(places: list[tuple[float, float, float]]) -> None:
    pieces = tuple(
        piece(n, "mountain", at=(x, y), size=(7, 4), angle=a) for n, (x, y, a) in enumerate(places)
    )
    made = ground_of(pieces)
    search = MarkerSearch(0.0, 0.0, 20.0, 20.0, 20.0, 20.0, 3.0, 1.0, made.impassable, made.shut)
    assert base_fits_near(10.0, 10.0, search, made.flat()) == shapely_fits(
        10, 10, [ground(found) for found in pieces]
    )


def test_marker_kernels_and_their_twins_agree() -> None:
    pieces: tuple[Piece, ...] = generate_table(72_000, 48_000, BLOCK_ADVICE, TableNumbers(8))
    made = ground_of(pieces)
    xs, ys = np.arange(6.0, 67.0, 6), np.arange(0.0, 48.0, 6)
    search = MarkerSearch(6.0, 12.0, 66.0, 36.0, 72.0, 48.0, 3.0, 1.0, made.impassable, made.shut)
    taken = np.array([(36.0, 24.0)])
    answers = []
    for kernel in (marker_spots, twin_of(marker_spots.__module__).marker_spots):
        spots = np.zeros((200, 2))
        found = kernel(xs, ys, search, made.flat(), spots)
        answers.append((found, spots.tolist()))
    assert answers[0] == answers[1]
    assert answers[0][0] > 5
    spots = np.array(answers[0][1][: answers[0][0]])
    chosen, twin = np.empty(6, dtype=np.int64), np.empty(6, dtype=np.int64)
    assert farthest_first(spots, taken, chosen) == twin_of(farthest_first.__module__).farthest_first(
        spots, taken, twin
    )
    assert chosen.tolist() == twin.tolist()
