"""Tables that look like places: valid, as a book advises, fair, made of things that belong together."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache

import pytest
from msgspec.structs import replace
from shapely.geometry import LineString
from shapely.ops import unary_union
from terrain_makers import ground

from shieldwall.core.state import MILLI, Piece
from shieldwall.editions import ruleset
from shieldwall.table.layout import BLOCK_ADVICE, LOOSE_ADVICE, LayoutAdvice, check_layout
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.outlines import doubled_area, outline_problems, sides
from shieldwall.table.places import generate_place
from shieldwall.table.terrain import as_printed, is_decorative

BLOCKS = (72_000, 48_000, BLOCK_ADVICE)
LOOSE = (48_000, 48_000, LOOSE_ADVICE)
TOWN = (48_000, 48_000, replace(LOOSE_ADVICE, generate=20, is_settled=True))
Order = tuple[int, int, LayoutAdvice]
TABLES = [
    *((BLOCKS, seed) for seed in range(1, 6)),
    *((LOOSE, seed) for seed in (5, 6, 9)),
    *((TOWN, seed) for seed in range(1, 7)),
]
EACH = pytest.mark.parametrize(("order", "seed"), TABLES)
UNLIKE = 1.15  # times as large as its counterpart, at most
ASIDE = 3.5  # inches off the exact half turn, at most


@lru_cache
def place(order: Order, seed: int) -> tuple[Piece, ...]:
    return generate_place(*order, TableNumbers(seed))


def acting(order: Order, seed: int) -> list[Piece]:
    return [one for one in place(order, seed) if not is_decorative(one)]


@EACH
def test_all_advice_is_followed(order: Order, seed: int) -> None:
    """R35-SETUP-26 to R35-SETUP-32, R35-SETUP-37, R35-SETUP-38, R35-SETUP-39 and SK32-SETUP-20, SK32-SETUP-22 to
    SK32-SETUP-25, SK32-SETUP-30, SK32-SETUP-31: not one hint."""
    width, depth, advice = order
    found = check_layout(width, depth, place(order, seed), advice, large_units=advice is BLOCK_ADVICE)
    assert found.cites() == ()
    assert found.pieces >= advice.generate


@EACH
def test_every_piece_is_sound_and_of_an_advised_size(order: Order, seed: int) -> None:
    """R35-SETUP-10, R35-SETUP-11, R35-SETUP-25: scatter 1 to 3 inches, the rest 12 at most, roads for their looks."""
    pieces = place(order, seed)
    assert [one.id for one in pieces] == list(range(1, len(pieces) + 1))
    for one in pieces:
        assert not outline_problems(one.outline)
        assert doubled_area(one.outline) > 0
    for one in acting(order, seed):
        short, long = sides(one.outline)
        low, high = (1, 3) if one.kind in ("wall", "rock", "crates", "well") else (3.5, 12)
        if one.name == "Gangway":
            low, high = 1, 5
        assert low - 0.05 <= short <= long <= high + 0.05, one.kind
    assert {one.kind for one in pieces if is_decorative(one)} <= {"road", "bridge", "square"}


@EACH
def test_everything_has_its_counterpart_about_a_half_turn_away(order: Order, seed: int) -> None:
    """R35-SETUP-36, SK32-SETUP-29: the same kind, equally tall and about equally large. What lies in the very middle
    is its own counterpart."""
    width, depth, _ = order
    left = [(one, ground(one)) for one in acting(order, seed)]
    while left:
        one, shape = left.pop()
        x, y = width / 1000 - shape.centroid.x, depth / 1000 - shape.centroid.y
        if math.hypot(x - shape.centroid.x, y - shape.centroid.y) < 0.01:
            continue
        alike = [
            (math.hypot(x - other.centroid.x, y - other.centroid.y), index)
            for index, (piece, other) in enumerate(left)
            if (piece.kind, piece.height) == (one.kind, one.height)
            and max(shape.area, other.area) <= UNLIKE * min(shape.area, other.area)
        ]
        apart, index = min(alike)
        assert apart <= ASIDE, one
        left.pop(index)


@EACH
def test_roads_keep_clear_of_terrain_and_cross_rivers_on_bridges(order: Order, seed: int) -> None:
    pieces = place(order, seed)
    roads = unary_union([ground(one) for one in pieces if one.kind == "road"])
    rivers = [ground(one) for one in pieces if one.kind == "river"]
    assert roads.area > order[0] / 1000  # from edge to edge, two inches wide
    assert not any(roads.intersects(ground(one)) for one in acting(order, seed) if one.kind != "river")
    bridges = [ground(one) for one in pieces if one.kind == "bridge"]
    assert len(bridges) == (1 if rivers else 0)
    for bridge in bridges:
        # nobody gets wet on it: at most slivers of the deck hang over a bend of the banks
        assert unary_union(rivers).intersection(bridge).area < 0.4
        assert unary_union(rivers).intersection(roads).area < 0.4
        assert roads.intersects(bridge)


def test_stretches_of_a_river_touch_and_run_from_edge_to_edge() -> None:
    rivers = [one for one in place(BLOCKS, 1) if one.kind == "river"]
    assert len(rivers) >= 4
    water = unary_union([ground(one) for one in rivers])
    assert len(water.geoms) == 2  # one on each side of the bridge
    for edge in (LineString([(0, 0), (72, 0)]), LineString([(0, 48), (72, 48)])):
        assert water.intersection(edge).length > 3.5


def test_what_belongs_together_lies_together() -> None:
    """Fields lie behind houses, rubble beside ruins, copses near woods; groves have different sizes."""
    kinds = set()
    for seed in range(1, 6):
        pieces = [(one.kind, ground(one)) for one in acting(BLOCKS, seed)]
        kinds |= {kind for kind, _ in pieces}
        for kind, shape in pieces:
            if kind == "rubble":
                assert min(shape.distance(other) for name, other in pieces if name == "ruin") < 2
        groves = [shape.area for kind, shape in pieces if kind == "forest"]
        assert max(groves) > 2 * min(groves)
    assert {"river", "building", "field", "wall", "ruin", "rubble", "forest", "hill"} <= kinds


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_town_has_houses_along_its_streets_with_gardens_behind_them(seed: int) -> None:
    pieces = place(TOWN, seed)
    named = [(one.kind, ground(one)) for one in pieces]
    streets = unary_union([shape for kind, shape in named if kind in ("road", "square")])
    homes = [shape for kind, shape in named if kind in ("building", "rooftop", "ruin")]
    assert len(homes) >= 6
    at_street = [shape for shape in homes if shape.distance(streets) < 3]
    assert len(at_street) >= 6
    gardens = [shape for kind, shape in named if kind in ("field", "rubble")]
    assert all(min(shape.distance(garden) for garden in gardens) < 3 for shape in at_street)
    assert "wall" in {kind for kind, _ in named}


def test_towns_have_flat_roofs_that_models_climb() -> None:
    """Three inches are the most that a model climbs; the book's own roofs keep the height they were built with."""
    roofs = [one for seed in range(1, 7) for one in place(TOWN, seed) if one.kind == "rooftop"]
    assert len(roofs) >= 6
    printed = as_printed(roofs, ruleset("skirmish-3.2").policies.terrain_presets())
    for one in printed:
        assert 1.5 * MILLI <= one.height <= 3 * MILLI
        assert one.types == ("blocking",)
        assert one.conditions == ("roof",)
    assert {len(one.outline) for one in roofs} == {4}, "walls are straight"


@pytest.mark.parametrize("seed", range(1, 7))
def test_every_town_has_something_to_climb_and_its_heights_differ(seed: int) -> None:
    """Each roof has its counterpart as tall as itself, and no other."""
    pieces = place(TOWN, seed)
    roofs = Counter(one.height for one in pieces if one.name == "Rooftop")
    assert roofs, "a flat roof at least"
    assert set(roofs.values()) == {2}
    assert len({one.height for one in pieces if one.kind in ("rooftop", "building", "hill")}) >= 2


def test_gangways_join_flat_roofs() -> None:
    """SK32-MOVE-11: a model steps over an inch without a leap, here from the lower of two roofs."""
    towns = [place(TOWN, seed) for seed in range(1, 7)]
    joined = 0
    for pieces in towns:
        roofs = [(one.height, ground(one)) for one in pieces if one.name == "Rooftop"]
        for deck in (one for one in pieces if one.name == "Gangway"):
            beside = [height for height, roof in roofs if 0.5 <= roof.distance(ground(deck)) < 1]
            assert len(beside) == 2
            assert deck.height == min(beside)
            joined += 1
    assert joined >= 4


def test_towns_have_squares_with_wells_and_villages_lie_at_rivers() -> None:
    kinds = [{one.kind for one in place(TOWN, seed)} for seed in range(1, 7)]
    assert any({"square", "well", "crates"} <= found for found in kinds)
    assert any({"river", "bridge", "building"} <= found for found in kinds)
    assert all(("square" in found) == ("well" in found) for found in kinds)


def test_the_same_seed_gives_the_same_place_and_another_one_another() -> None:
    assert generate_place(*BLOCKS, TableNumbers(2)) == place(BLOCKS, 2)
    assert place(BLOCKS, 3) != place(BLOCKS, 2)


def test_a_small_table_gets_pieces_in_pairs() -> None:
    pieces = generate_place(
        24_000, 24_000, LayoutAdvice(min_hard=4, generate=4, coverage=(0, 1)), TableNumbers(1)
    )
    assert len(pieces) == 4
    assert not any(one.kind == "road" for one in pieces)
