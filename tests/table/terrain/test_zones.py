"""Deployment zones, strips for reserves and scouts, and whether a unit lies in them; shapely is the judge."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box
from shapely.geometry import Point
from terrain_makers import DEEP, PROFILES, WIDE, block, loner, pose, twin_of

from shieldwall.core.state import MILLI, Base, State
from shieldwall.geometry.zones import extent_of
from shieldwall.table.footprints import unit_outline
from shieldwall.table.shapes import Shapes, shapes_of
from shieldwall.table.zones import (
    EDGES,
    OPPOSITE,
    Region,
    Zone,
    ZoneRule,
    army_separation,
    check_region,
    check_zones,
    deployment_region,
    edge_region,
    edges_for,
    long_axis,
    near_zone_region,
    overhang,
    table_region,
    zone,
    zone_depth,
)

RULE = ZoneRule()


def test_zones_of_the_standard_table() -> None:
    """R35-DEPLOY-06: y 0 to 12 and y 36 to 48 over the full width of 72, 24 inches apart."""
    deep = zone_depth(WIDE, DEEP, "y", RULE)
    assert deep == 12_000
    assert zone(WIDE, DEEP, "south", deep) == Zone(0, 0, 72_000, 12_000, "south")
    assert zone(WIDE, DEEP, "north", deep) == Zone(0, 36_000, 72_000, 48_000, "north")
    assert army_separation(WIDE, DEEP, "y", deep) == 24.0
    assert check_zones(WIDE, DEEP, "y", deep, RULE) == ()


def test_the_opponent_gets_the_opposite_edge() -> None:
    """R35-DEPLOY-02, SK32-DEPLOY-03: who picks the south edge leaves the strip at the north edge."""
    assert edges_for(long_axis(WIDE, DEEP)) == ("south", "north")
    assert edges_for(long_axis(DEEP, WIDE)) == ("west", "east")
    assert {edge: OPPOSITE[edge] for edge in EDGES} == {
        "south": "north", "north": "south", "west": "east", "east": "west",
    }  # fmt: skip
    assert zone(48_000, 48_000, OPPOSITE["south"], 12_000) == Zone(0, 36_000, 48_000, 48_000, "north")
    assert zone(48_000, 48_000, "west", 12_000) == Zone(0, 0, 12_000, 48_000, "west")
    assert zone(48_000, 48_000, "east", 12_000) == Zone(36_000, 0, 48_000, 48_000, "east")
    with pytest.raises(ValueError, match="'up' is not a table edge"):
        zone(48_000, 48_000, "up", 12_000)


@pytest.mark.parametrize(
    ("width", "depth", "zones", "apart", "legal"),
    [(48, 48, 12, 24, True), (48, 44, 12, 20, False), (36, 36, 6, 24, True), (36, 36, 12, 12, False)],
)
def test_smaller_tables_need_24_inches_between_the_armies(
    width: int, depth: int, zones: int, apart: float, legal: bool
) -> None:
    """R35-SETUP-02, R34-SETUP-03, SK32-PREP-02."""
    given = (width * MILLI, depth * MILLI, "y", zones * MILLI)
    assert army_separation(*given) == apart
    assert (check_zones(*given, RULE) == ()) is legal


@pytest.mark.parametrize(("depth", "deep"), [(48, 12.0), (60, 12.0), (44, 10.0), (36, 6.0), (24, 0.0)])
def test_zones_shrink_on_smaller_tables(depth: int, deep: float) -> None:
    """SK32-PREP-02 rules: each zone is min(12, (table depth - 24) / 2), which must be positive."""
    found = zone_depth(48 * MILLI, depth * MILLI, "y", RULE)
    assert found == deep * MILLI
    assert (check_zones(48 * MILLI, depth * MILLI, "y", found, RULE) == ()) is (deep > 0)
    assert zone_depth(depth * MILLI, 48 * MILLI, "x", RULE) == found


def test_no_rule_knows_what_the_table_is_made_of() -> None:
    """R35-SETUP-03, SK32-PREP-03, A2-PREP-02: a game has a size and nothing that says floor or bed."""
    assert {"width", "depth"} <= set(State.__struct_fields__)
    assert not {"surface", "material", "floor"} & set(State.__struct_fields__)


# --- wholly within ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("far", "legal"), [(12.0, True), (12.1, False), (11.0, True)])
def test_a_block_lies_wholly_within_its_zone(far: float, legal: bool) -> None:
    """R35-DEPLOY-03, A2-DEPLOY-03: the farthest base edge at 12.0 is legal, at 12.1 it is refused."""
    unit = unit_outline(block(1, 36, far - 1), PROFILES)  # two ranks: one inch on each side of the middle
    reasons = check_region("Spears", unit, deployment_region(WIDE, DEEP, "south", 12_000))
    assert (reasons == ()) is legal
    if not legal:
        text = "Spears must be fully within 12 inches of the south edge; it sticks out by 0.10 inches"
        assert [(reason.text, reason.cite) for reason in reasons] == [(text, "deploy.zone")]


@pytest.mark.parametrize(("middle", "legal"), [(11.5, True), (11.6, False)])
def test_a_round_base_lies_wholly_within_its_zone(middle: float, legal: bool) -> None:
    """SK32-DEPLOY-04, SK32-DEPLOY-05: the far rim of a one-inch base at 12.0 is legal on either side."""
    south = unit_outline(loner(1, 24, middle), PROFILES)
    north = unit_outline(loner(2, 24, 48 - middle), PROFILES)
    assert (check_region("A", south, deployment_region(48_000, 48_000, "south", 12_000)) == ()) is legal
    assert (check_region("B", north, deployment_region(48_000, 48_000, "north", 12_000)) == ()) is legal


@pytest.mark.parametrize(("far", "legal"), [(24.0, True), (24.1, False)])
def test_scouts_reach_twelve_inches_beyond_their_zone(far: float, legal: bool) -> None:
    """R35-SR-SCOUT-02: the farthest point at y 24.0 is legal, at 24.1 it is refused."""
    unit = unit_outline(block(1, 36, far - 1), PROFILES)
    assert (check_region("Scouts", unit, near_zone_region(WIDE, DEEP, "south", 12_000, 12.0)) == ()) is legal


@pytest.mark.parametrize(("far", "legal"), [(6.0, True), (6.1, False)])
@pytest.mark.parametrize("edge", EDGES)
def test_ambushers_lie_wholly_within_six_inches_of_one_edge(edge: str, far: float, legal: bool) -> None:
    """R35-SR-AMBUSH-03: 6.0 from any of the four edges is legal, 6.1 from every edge is refused."""
    x, y, heading = {
        "south": (36.0, far - 1, 0), "north": (36.0, 49 - far, 180),
        "west": (far - 1, 24.0, 90), "east": (73 - far, 24.0, 270),
    }[edge]  # fmt: skip
    unit = unit_outline(block(1, x, y, heading), PROFILES)
    assert (check_region("Ambushers", unit, edge_region(WIDE, DEEP, 6.0)) == ()) is legal


def test_ambushers_may_not_bend_round_a_corner() -> None:
    """R35-SR-AMBUSH-03: every point near some edge is not enough; one edge must serve for the whole unit."""
    bent = shapes_of([pose(3, 10), pose(10, 3)], [Base("round", 25.4, 25.4)] * 2, [1000] * 2)
    assert check_region("Ambushers", bent, edge_region(WIDE, DEEP, 6.0)) != ()


def test_the_table_itself_is_a_region() -> None:
    """SK32-SR-AMBUSH-03: anywhere on the table, but wholly on it."""
    assert check_region("A", unit_outline(loner(1, 0.5, 0.5), PROFILES), table_region(WIDE, DEEP)) == ()
    assert check_region("A", unit_outline(loner(1, 0.4, 0.5), PROFILES), table_region(WIDE, DEEP)) != ()


bases = st.sampled_from(
    [
        Base("round", 25, 25),
        Base("square", 25, 25),
        Base("rect", 25, 50),
        Base("oval", 35, 60),
        Base("round", 50, 50),
    ]
)
places = st.tuples(st.floats(-2, 20), st.floats(-2, 20), st.floats(0, 359.9))


def as_seen_by_shapely(shapes: Shapes) -> list[Polygon]:
    return [
        (Polygon(points) if len(points) > 2 else Point(points[0])).buffer(radius, quad_segs=256)
        for points, radius in (
            (shapes.points[shapes.start[i] : shapes.start[i + 1]], float(shapes.radius[i]))
            for i in range(len(shapes))
        )
    ]


@settings(max_examples=200)
@given(st.lists(st.tuples(places, bases), min_size=1, max_size=4), st.sampled_from(EDGES), st.floats(1, 12))
def test_overhang_is_what_shapely_says(
    models: list[tuple[tuple[float, float, float], Base]], edge: str, deep: float
) -> None:
    strip = zone(18_000, 18_000, edge, round(deep * MILLI))
    shapes = shapes_of(
        [pose(*place) for place, _ in models], [base for _, base in models], [1000] * len(models)
    )
    rectangle = box(strip.left / 1000, strip.near / 1000, strip.right / 1000, strip.far / 1000)
    seen = as_seen_by_shapely(shapes)
    found, region = overhang(shapes, strip), Region((strip,), "here", "place.zone")
    if found > 0.002:
        assert not all(rectangle.covers(shape) for shape in seen)
        assert check_region("unit", shapes, region)
        assert all(rectangle.buffer(found + 0.001, join_style="mitre").covers(shape) for shape in seen)
    elif found < -0.002:
        assert all(rectangle.covers(shape) for shape in seen)
        assert not check_region("unit", shapes, region)


def test_the_extent_kernel_and_its_twin_agree() -> None:
    shapes = shapes_of([pose(3, 4, 20), pose(9, 2)], [Base("oval", 35, 60), Base("rect", 25, 50)], [1, 1])
    assert extent_of(shapes.points, shapes.rows) == twin_of(extent_of.__module__).extent_of(
        shapes.points, shapes.rows
    )
    alone = shapes_of([pose(9, 2)], [Base("rect", 25.4, 50.8)], [1])
    assert extent_of(alone.points, alone.rows) == pytest.approx((8.5, 1.0, 9.5, 3.0))
