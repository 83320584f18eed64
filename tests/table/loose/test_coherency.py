"""Unit coherency against the rows' checks and against a plain graph."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loose_scene import INCH, PROFILES, group, pose

from shieldwall.table.coherency import (
    Coherency,
    check_coherency,
    honeycomb,
    how_far_apart,
    is_coherent,
    tightest_spread,
)
from shieldwall.table.footprints import unit_shapes
from shieldwall.table.shapes import shapes_of

CHAIN = Coherency()
LETTER = Coherency(link=2.0, shape="letter")


def row(*gaps: float) -> tuple:
    """Models in a line with these gaps between their one-inch bases."""
    x, spots = 5.0, [(5.0, 5.0)]
    for gap in gaps:
        x += 1.0 + gap
        spots.append((x, 5.0))
    return group(0, 0, *spots)


def keys(unit, rule=CHAIN) -> list[str]:
    return [reason.cite for reason in check_coherency(unit_shapes(unit, PROFILES), rule)]


@pytest.mark.parametrize(("gap", "expected"), [(1.0, []), (1.1, ["coherency.link", "coherency.link"])])
def test_a_mate_within_one_inch(gap: float, expected: list[str]) -> None:
    """SK32-FORM-01: 1.0 inch is coherent, 1.1 is not."""
    assert keys(row(gap)) == expected


def test_a_single_model_is_always_coherent() -> None:
    """SK32-FORM-01: a unit of one model is coherent."""
    assert keys(row()) == []
    assert is_coherent(row(), PROFILES, CHAIN)


def test_distances_are_measured_in_space() -> None:
    """SK32-FORM-01: a mate 0.5 inch aside and 1 inch higher is 1.12 inches away."""
    level = group(0, 0, (5, 5), (6.5, 5))
    higher = group(0, 0, (5, 5), (6.5, 5, 0, 1.0))
    assert keys(level) == []
    assert keys(higher) == ["coherency.link", "coherency.link"]


def test_no_two_models_farther_than_six_inches() -> None:
    """SK32-FORM-02: a chain of six whose ends are 6.5 inches apart is refused, at 6.0 it is fine."""
    assert keys(row(0.5, 0.5, 0.5, 0.5, 0.5)) == ["coherency.spread"]
    assert keys(row(0.4, 0.4, 0.4, 0.4, 0.4)) == []


def test_two_clusters_are_not_one_unit() -> None:
    """SK32-FORM-04: two pairs three inches from each other are not coherent by the chain."""
    pairs = group(0, 0, (5, 5), (6.5, 5), (5, 9), (6.5, 9))
    assert keys(pairs) == ["coherency.chain"]
    assert keys(pairs, LETTER) == []


@pytest.mark.parametrize(("last", "coherent"), [(2.0, True), (2.1, False)])
def test_the_letter_wants_a_mate_for_each(last: float, coherent: bool) -> None:
    """A2-FORM-02: gaps of 2.0 and 2.0 are coherent, 2.0 and 2.1 are not."""
    assert (keys(row(2.0, last), LETTER) == []) is coherent


def test_a_crowd_packed_as_tightly_as_it_goes_is_accepted() -> None:
    """SK32-FORM-03: a unit too large for six inches is accepted when it stands as tightly as possible."""
    count = 60
    spots = [(20 + x, 20 + y) for x, y in honeycomb(count, 1.0 + 1e-9)]
    assert tightest_spread(count, 0.5) > 6.0
    assert (
        check_coherency(shapes_of([pose(*spot) for spot in spots], [INCH] * count, [0] * count), CHAIN) == ()
    )
    loose = [(20 + 1.5 * (x - 20), 20 + 1.5 * (y - 20)) for x, y in spots]
    found = check_coherency(shapes_of([pose(*spot) for spot in loose], [INCH] * count, [0] * count), CHAIN)
    assert [reason.cite for reason in found] == ["coherency.spread"]


def test_a_unit_out_of_coherency_has_to_regroup() -> None:
    """SK32-FORM-05: a model left four inches from its unit makes the unit regroup."""
    strayed = group(0, 0, (5, 5), (6.5, 5), (11.5, 5))
    assert not is_coherent(strayed, PROFILES, CHAIN)
    assert is_coherent(row(1.0), PROFILES, CHAIN)
    assert how_far_apart(unit_shapes(strayed, PROFILES), CHAIN) == pytest.approx(3.0)


SPOT = st.tuples(st.integers(0, 12000), st.integers(0, 12000), st.sampled_from([0, 500, 2000]))


@given(
    st.lists(SPOT, min_size=1, max_size=7, unique_by=lambda spot: spot[:2]), st.sampled_from([CHAIN, LETTER])
)
def test_coherency_equals_a_plain_graph(spots: list[tuple[int, int, int]], rule: Coherency) -> None:
    """The verdict equals that of a graph built by hand from centre distances."""
    poses = [pose(x / 1000, y / 1000, 0, z / 1000) for x, y, z in spots]
    size = len(poses)

    def apart(a: int, b: int) -> float:
        flat = max(math.dist((poses[a].x, poses[a].y), (poses[b].x, poses[b].y)) / 1000 - 1.0, 0.0)
        return math.hypot(flat, (poses[a].z - poses[b].z) / 1000)

    pairs = list(itertools.combinations(range(size), 2))
    if any(abs(apart(a, b) - limit) < 0.001 for a, b in pairs for limit in (rule.link, rule.spread)):
        return  # on the line the tolerance decides, which is tested elsewhere
    links = {(a, b) for a, b in pairs if apart(a, b) <= rule.link}
    groups = list(range(size))
    for a, b in links:
        old, new = groups[a], groups[b]
        groups = [new if mark == old else mark for mark in groups]
    lonely = size > 1 and any(all(i not in pair for pair in links) for i in range(size))
    split = rule.shape == "chain" and len(set(groups)) > 1
    spread = any(apart(a, b) > rule.spread for a, b in pairs)
    shapes = shapes_of(poses, [INCH] * size, [1200] * size)
    assert (check_coherency(shapes, rule) == ()) is not (lonely or split or spread)
    assert (how_far_apart(shapes, rule) == 0.0) is not (lonely or split or spread)
