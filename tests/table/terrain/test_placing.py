"""Placing units: regions, spacing, enemies, impassable ground, and spots for bots."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from shapely import affinity, box
from terrain_makers import DEEP, WIDE, block, ground, loner, state, twin_of

from shieldwall.core.state import MILLI, State, Unit
from shieldwall.geometry.scene import Bodies, FlatScene
from shieldwall.geometry.zones import free_spots
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import BLOCK_ADVICE
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.pieces import ground_of
from shieldwall.table.placing import check_placement, placement_spots
from shieldwall.table.terrain import is_dangerous, is_impassable, piece, standing_height
from shieldwall.table.zones import deployment_region, edge_region, table_region

SOUTH = deployment_region(WIDE, DEEP, "south", 12_000)
EDGES = edge_region(WIDE, DEEP, 6.0)
TABLE = table_region(WIDE, DEEP)


def cites(table: State, unit: Unit, region: object = TABLE, **given: float) -> list[str]:
    return [reason.cite for reason in check_placement(table, unit, region, **given)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("far", "legal"), [(12.0, True), (12.1, False)])
def test_deployment_is_wholly_within_the_zone(far: float, legal: bool) -> None:
    """R35-DEPLOY-03: a 5 by 2 unit with its farthest base edge at 12.0 is legal, at 12.1 it is refused."""
    assert cites(state(), block(1, 36, far - 1), SOUTH) == ([] if legal else ["deploy.zone"])


@pytest.mark.parametrize(("gap", "legal"), [(9.0, False), (9.1, True)])
def test_ambushers_keep_over_nine_inches_from_enemies(gap: float, legal: bool) -> None:
    """R35-SR-AMBUSH-04, SK32-SR-AMBUSH-03: exactly 9 is refused, 9.1 is legal."""
    table = state(units=[block(9, 36, 1, side=1)])  # covers x 33.5 to 38.5
    unit = block(1, 38.5 + gap + 2.5, 1)
    assert cites(table, unit, EDGES, enemy_over=9.0) == ([] if legal else ["deploy.enemies"])
    single = state(units=[loner(9, 24, 24, side=1)])
    assert cites(single, loner(1, 25 + gap, 24), TABLE, enemy_over=9.0) == (
        [] if legal else ["deploy.enemies"]
    )


def test_friends_may_be_nearer_than_enemies() -> None:
    """R35-SR-AMBUSH-04 names enemy units alone; friends keep the usual inch."""
    table = state(units=[block(9, 36, 1, side=0)])
    assert cites(table, block(1, 42, 1), EDGES, enemy_over=9.0) == []
    assert cites(table, block(1, 41.9, 1), EDGES, enemy_over=9.0) == ["deploy.spacing"]


def test_the_limit_of_spacing_is_legal_and_said_in_words() -> None:
    """R35-SR-SCOUT-02 rules: only the general 1 inch spacing applies, to enemies as well."""
    table = state(units=[block(9, 36, 6, side=1)])
    assert cites(table, block(1, 42, 6), SOUTH) == []
    reasons = check_placement(table, block(1, 41.4, 6), SOUTH)
    assert [reason.text for reason in reasons] == [
        "Block 1 would stand 0.40 inches from Block 9; 1 inch must stay free"
    ]


def test_nobody_is_placed_on_impassable_ground() -> None:
    """SK32-DEPLOY-06, SK32-SR-AMBUSH-03: not on impassable terrain; touching it is no harm."""
    table = state(
        [piece(1, "building", at=(30, 6), size=(4, 4)), piece(2, "forest", at=(50, 6), size=(4, 4))]
    )
    assert cites(table, block(1, 33, 6), SOUTH) == ["deploy.impassable"]
    assert cites(table, block(1, 34.5, 6), SOUTH) == []
    assert cites(table, block(1, 50, 6), SOUTH) == []


def test_a_unit_does_not_stand_in_its_own_way_and_reserves_stand_nowhere() -> None:
    waiting = replace(block(8, 37, 6), place="reserve")
    table = state(units=[block(1, 36, 6), waiting])
    assert cites(table, block(1, 37, 6), SOUTH) == []


def test_every_reason_is_given_at_once() -> None:
    table = state([piece(1, "building", at=(30, 14), size=(4, 4))], [block(9, 35, 12, side=1)])
    assert cites(table, block(1, 30, 13), SOUTH) == ["deploy.zone", "deploy.spacing", "deploy.impassable"]
    assert cites(table, block(1, -1, 13), TABLE) == ["deploy.table"]


# --- spots -----------------------------------------------------------------------------------------------


def test_spots_are_all_the_free_places_of_their_grid() -> None:
    """Every grid place that is missing is one that shapely finds blocked."""
    pieces = generate_table(WIDE, DEEP, BLOCK_ADVICE, TableNumbers(11))
    table = state(pieces, [block(8, 20, 6), block(9, 50, 5, side=1)])
    found = {(spot.x, spot.y) for spot in placement_spots(table, block(1, 0, 0), SOUTH, (5, 2), count=5000)}
    avoided = [
        ground(solid)
        for solid in pieces
        if is_impassable(solid) or standing_height(solid) > 0 or is_dangerous(solid)
    ]
    units = [box(17.5, 5, 22.5, 7), box(47.5, 4, 52.5, 6)]
    columns = int(np.ceil(67 / 2))
    for line in range(6):
        for column in range(columns + 1):
            x, y = round((2.5 + 67 * column / columns) * 1000), round((1 + 10 * line / 5) * 1000)
            here = affinity.translate(box(-2.5, -1, 2.5, 1), x / MILLI, y / MILLI)
            blocked = any(here.intersection(shape).area > 1e-4 for shape in avoided)
            blocked |= any(here.distance(unit) < 0.9995 for unit in units)
            assert ((x, y) in found) is not blocked, (x, y)


def test_spots_are_spread_over_the_whole_region() -> None:
    spots = placement_spots(state(), block(1, 0, 0), SOUTH, (5, 2), count=12)
    assert len(spots) == 12
    assert max(spot.x for spot in spots) - min(spot.x for spot in spots) > 40_000
    assert len({spot.y for spot in spots}) > 3


def test_a_region_that_is_too_small_has_no_spots() -> None:
    narrow = deployment_region(WIDE, DEEP, "south", 1_900)
    assert placement_spots(state(), block(1, 0, 0), narrow, (5, 2)) == ()
    exact = deployment_region(WIDE, DEEP, "south", 2_000)
    assert {spot.y for spot in placement_spots(state(), block(1, 0, 0), exact, (5, 2))} == {1_000}


def test_the_kernel_and_its_twin_agree() -> None:
    made = ground_of(generate_table(WIDE, DEEP, BLOCK_ADVICE, TableNumbers(2)))
    local = np.array([(-2.5, -1.0), (2.5, -1.0), (2.5, 1.0), (-2.5, 1.0)])
    others = np.array([(20.0, 5.0)])
    rows = np.array([[20.0, 5.0, 0.5, 0.5, 0.0, 1.0, 0.0, 1.0]])
    bodies = Bodies(others, rows, np.array([[0, 1]]), np.array([[20.0, 5.0, 0.5]]))
    scene = FlatScene(bodies, made.flat(), 72.0, 48.0)
    answers = []
    for kernel in (free_spots, twin_of(free_spots.__module__).free_spots):
        answer = np.zeros((300, 2))
        found = kernel(
            scene, np.array([[0.0, 0.0, 72.0, 12.0]]), local, 4.0, np.array([1.0]), made.unpleasant, 7, answer
        )
        answers.append((found, answer.tolist()))
    assert answers[0] == answers[1]
    assert answers[0][0] > 10
