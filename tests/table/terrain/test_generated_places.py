"""Where markers may lie and units may stand on many generated tables."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from terrain_makers import DEEP, WIDE, block, state

from shieldwall.core.state import Marker
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import BLOCK_ADVICE, LOOSE_ADVICE
from shieldwall.table.numbers import TableNumbers
from shieldwall.table.placing import check_placement, placement_spots
from shieldwall.table.zones import MarkerRules, check_marker, deployment_region, marker_candidates

SOUTH = deployment_region(WIDE, DEEP, "south", 12_000)


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.booleans())
def test_candidates_for_markers_are_legal_and_far_apart(seed: int, crowded: bool) -> None:
    advice, width = (LOOSE_ADVICE, 48_000) if crowded else (BLOCK_ADVICE, WIDE)
    rules = MarkerRules(keeps_off_blocking=crowded)
    table = state(generate_table(width, DEEP, advice, TableNumbers(seed)), width=width)
    for number in range(1, 6):
        spots = marker_candidates(table, rules)
        assert spots, "five markers always find room on a full table"
        assert len(set(spots)) == len(spots)
        assert all(check_marker(table, *spot, rules) == () for spot in spots)
        table = replace(table, markers=(*table.markers, Marker(number, *spots[0])))


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from([0, 9_000, 18_000, 3_000]))
def test_spots_for_units_are_legal_placements(seed: int, heading: int) -> None:
    pieces = generate_table(WIDE, DEEP, BLOCK_ADVICE, TableNumbers(seed))
    table = state(pieces, [block(8, 20, 6, side=0), block(9, 36, 20, side=1)])
    spots = placement_spots(table, block(1, 0, 0), SOUTH, (5.0, 2.0), heading, enemy_over=9.0)
    assert spots
    for spot in spots:
        unit = replace(block(1, 0, 0), block=spot)
        assert check_placement(table, unit, SOUTH, enemy_over=9.0) == ()
