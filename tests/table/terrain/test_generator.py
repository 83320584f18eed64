"""Random tables: exactly fair, on the table, without overlaps, and in line with everything a book advises."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import box
from shapely.ops import unary_union
from terrain_makers import ground, twin_of

from shieldwall.core.state import Piece
from shieldwall.geometry.zones import BOX_COLUMNS, push_apart
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import BLOCK_ADVICE, LOOSE_ADVICE, LayoutAdvice, check_layout
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.organic_outlines import grown_shape, shape_area
from shieldwall.table.outlines import doubled_area, half_turn, outline_problems, sides
from shieldwall.table.terrain import is_impassable

BLOCKS = (72_000, 48_000, BLOCK_ADVICE)
LOOSE = (48_000, 48_000, LOOSE_ADVICE)
BOTH = pytest.mark.parametrize("order", [BLOCKS, LOOSE], ids=["block", "loose"])
SCATTER = ("barricade", "fence", "wall", "rock")

seeds = st.integers(0, 2**64 - 1)
Order = tuple[int, int, LayoutAdvice]


def table_of(order: Order, seed: int, **given: int) -> tuple[Piece, ...]:
    return generate_table(*order, TableNumbers(seed), **given)  # type: ignore[arg-type]


def fits(found: Piece, low: float, high: float) -> bool:
    """Whether some rectangle with both sides in these limits lies snugly around the piece."""
    corners = np.array(found.outline) / 1000
    for angle in np.radians(np.arange(0, 90, 0.5)):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        spans = np.ptp(corners @ turn, axis=0)
        if low - 0.05 <= spans.min() and spans.max() <= high + 0.05:
            return True
    return False


@BOTH
@settings(max_examples=60)
@given(seed=seeds)
def test_all_advice_is_followed(order: Order, seed: int) -> None:
    """R35-SETUP-27, R35-SETUP-29, R35-SETUP-30, R35-SETUP-31, R35-SETUP-32, R35-SETUP-37, R35-SETUP-38,
    R35-SETUP-39 and SK32-SETUP-20, SK32-SETUP-22, SK32-SETUP-23, SK32-SETUP-24, SK32-SETUP-25, SK32-SETUP-30,
    SK32-SETUP-31: not one hint on a random table."""
    width, depth, advice = order
    found = check_layout(width, depth, table_of(order, seed), advice, large_units=advice is BLOCK_ADVICE)
    assert found.cites() == ()


@BOTH
@settings(max_examples=40)
@given(seed=seeds)
def test_shapely_agrees_that_the_table_is_sound(order: Order, seed: int) -> None:
    """SK32-PREP-07: simple outlines, inside the table, no two sharing ground; coverage as asked."""
    width, depth, advice = order
    pieces = table_of(order, seed)
    grounds = [ground(found) for found in pieces]
    assert all(shape.is_valid for shape in grounds)
    table = box(0, 0, width / 1000, depth / 1000)
    assert all(table.covers(shape) for shape in grounds)
    total = sum(shape.area for shape in grounds)
    assert unary_union(grounds).area == pytest.approx(total)
    assert total >= table.area * advice.coverage[0] / advice.coverage[1]


@BOTH
@settings(max_examples=40)
@given(seed=seeds)
def test_the_table_looks_the_same_from_both_sides(order: Order, seed: int) -> None:
    """R35-SETUP-36, SK32-SETUP-29: after a half turn every piece lies exactly on its equal."""
    width, depth, _ = order
    pieces = table_of(order, seed)

    def fingerprint(found: Piece, outline: tuple[tuple[int, int], ...]) -> tuple[object, ...]:
        return found.kind, found.height, found.types, found.conditions, tuple(sorted(outline))

    here = Counter(fingerprint(found, found.outline) for found in pieces)
    there = Counter(fingerprint(found, half_turn(found.outline, width, depth)) for found in pieces)
    assert here == there


@BOTH
@settings(max_examples=40)
@given(seed=seeds)
def test_sizes_follow_the_guidelines(order: Order, seed: int) -> None:
    """R35-SETUP-10, R35-SETUP-11, SK32-SETUP-03, SK32-SETUP-04: scatter 1 to 3 inches, the rest 4 to 8."""
    kinds = set()
    for found in table_of(order, seed, count=31):
        low, high = (1, 3) if found.kind in SCATTER else (4, 8)
        is_small_rubble = found.kind == "rubble" and fits(found, 1, 3)
        assert is_small_rubble or fits(found, low, high), found
        kinds.add(found.kind in SCATTER or is_small_rubble)
    assert kinds == {True, False}  # there are both


@BOTH
@settings(max_examples=25)
@given(seed=seeds)
def test_rectangles_are_as_large_as_planned(order: Order, seed: int) -> None:
    """R35-SETUP-11: built pieces have both sides between 4 and 8 inches exactly."""
    for found in table_of(order, seed):
        if found.kind in ("building", "field", "ruin"):
            short, long = sides(found.outline)
            assert 3.998 <= short <= long <= 8.002


def test_the_usual_number_of_pieces() -> None:
    """R35-SETUP-26: 10 to 15 unless told to make more. SK32-PREP-05: 20 or more."""
    for seed in range(20):
        assert 10 <= len(table_of(BLOCKS, seed)) <= 15
        assert len(table_of(LOOSE, seed)) >= 20
        assert len(table_of(BLOCKS, seed, count=22)) == 22


@pytest.mark.parametrize("count", [10, 12, 14, 15, 17, 20, 24, 25])
def test_other_numbers_of_pieces_are_numbered_in_order(count: int) -> None:
    pieces = table_of(BLOCKS, count, count=count)
    assert [found.id for found in pieces] == list(range(1, count + 1))


def test_few_pieces_follow_the_advice_that_few_pieces_can() -> None:
    """R35-SETUP-27: twelve pieces of eight inches cannot cover a quarter; all else is still advised."""
    for seed in range(5):
        found = check_layout(*BLOCKS[:2], table_of(BLOCKS, seed, count=12), BLOCK_ADVICE, large_units=True)
        assert set(found.cites()) == {"terrain.count.advised", "terrain.coverage"}


@settings(max_examples=40)
@given(seed=seeds)
def test_large_units_pass_between_solid_pieces(seed: int) -> None:
    """R35-SETUP-39: six inches between any two impassable pieces."""
    solid = [ground(found) for found in table_of(BLOCKS, seed) if is_impassable(found)]
    assert len(solid) >= 2
    for index, first in enumerate(solid):
        assert all(first.distance(other) >= 6 for other in solid[index + 1 :])


@BOTH
@settings(max_examples=40)
@given(seed=seeds)
def test_most_of_each_deployment_strip_can_be_stood_on(order: Order, seed: int) -> None:
    width, depth, _ = order
    solid = unary_union([ground(found) for found in table_of(order, seed) if is_impassable(found)])
    for near in (0, depth / 1000 - 12):
        strip = box(0, near, width / 1000, near + 12)
        assert strip.intersection(solid).area <= 0.25 * strip.area
    assert solid.intersection(box(0, 0, width / 1000, 5.9)).area == 0


@settings(max_examples=10)
@given(seed=seeds)
def test_tables_for_armies_that_face_along_the_other_axis(seed: int) -> None:
    """SK32-SETUP-30: the lines between west and east are closed then."""
    pieces = generate_table(48_000, 48_000, LOOSE_ADVICE, TableNumbers(seed), axis="x")
    assert check_layout(48_000, 48_000, pieces, LOOSE_ADVICE, axis="x").cites() == ()
    assert all(doubled_area(found.outline) > 0 for found in pieces)


def test_books_that_say_little_get_a_modest_table() -> None:
    """A2-PREP-07, A2-PREP-08: closed lines and gaps up to 12 inches, no word about coverage."""
    short = LayoutAdvice(coverage=(0, 1), blocking=(0, 1), cover=(0, 1), difficult=(0, 1), dangerous_each=0)
    for seed in range(10):
        pieces = generate_table(72_000, 48_000, short, TableNumbers(seed))
        assert check_layout(72_000, 48_000, pieces, short).cites() == ()


def test_wide_gaps_between_all_pieces_where_there_is_room() -> None:
    """SK32-SETUP-32: on a table with less terrain, large units fit between any two pieces."""
    airy = LayoutAdvice(coverage=(1, 5), gap_large=3.0, gap_large_between="all")
    for seed in range(10):
        pieces = generate_table(72_000, 48_000, airy, TableNumbers(seed), large_units=True)
        assert "terrain.room" not in check_layout(72_000, 48_000, pieces, airy, large_units=True).cites()


def test_the_same_seed_gives_the_same_table() -> None:
    one, again, other = (table_of(BLOCKS, seed) for seed in (5, 5, 6))
    assert one == again
    assert one != other


def test_a_lack_of_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no room for the recommended terrain on 12 by 12 inches"):
        generate_table(12_000, 12_000, BLOCK_ADVICE, TableNumbers(1))


@given(seeds, st.floats(4, 8), st.floats(4, 8), st.floats(0.6, 0.93), st.booleans())
def test_grown_outlines_touch_their_rectangle_and_fill_it(
    seed: int, width: float, depth: float, fill: float, middle: bool
) -> None:
    shape = grown_shape(TableNumbers(seed), width, depth, fill, middle)
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    assert (min(xs), max(xs)) == pytest.approx((-width / 2, width / 2))
    assert (min(ys), max(ys)) == pytest.approx((-depth / 2, depth / 2))
    assert shape_area(shape) >= fill * width * depth - 1e-9
    assert not outline_problems(tuple((round(x * 1000), round(y * 1000)) for x, y in shape))
    if middle:
        half = len(shape) // 2
        assert np.allclose(shape[:half], -np.array(shape[half:]))


def test_pushing_apart_gives_the_same_compiled_and_not() -> None:
    numbers = TableNumbers(3)
    boxes = np.zeros((5, BOX_COLUMNS))
    for row in boxes:
        row[:4] = [numbers.between(10, 60), numbers.between(10, 40), 4, 3]
        row[4:10] = [0.8, 0.6, 6, 66, 6, 42]
        row[10] = numbers.below(2)
    boxes[0, :2] = 36, 24
    boxes[0, 11] = 1
    twin = boxes.copy()
    lacks = push_apart(boxes, 72.0, 48.0, 0.5, 6.0, 200, 0.01)
    assert lacks == twin_of(push_apart.__module__).push_apart(twin, 72.0, 48.0, 0.5, 6.0, 200, 0.01)
    assert np.array_equal(boxes, twin)
    assert lacks <= 0.01


def test_numbers_are_splitmix64() -> None:
    """The published first outputs of the generator for seed 1234567."""
    numbers = TableNumbers(1234567)
    assert [numbers.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_random_numbers_are_uniform() -> None:
    numbers = TableNumbers(9)
    drawn = Counter(numbers.below(6) for _ in range(6000))
    assert sorted(drawn) == list(range(6))
    assert all(880 <= count <= 1120 for count in drawn.values())
    assert all(2 <= numbers.between(2, 3) < 3 for _ in range(200))
    cards = list(range(20))
    numbers.shuffle(cards)
    assert sorted(cards) == list(range(20))
    assert cards != list(range(20))
