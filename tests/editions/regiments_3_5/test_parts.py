"""Decorative parts of miniatures, treated as the players agreed."""

from __future__ import annotations

import pytest

from shieldwall.core.state import Base, State
from shieldwall.core.values import MILLI
from shieldwall.editions.regiments_3_5.parts import FancyPart, with_parts
from shieldwall.scenario.build import build
from shieldwall.scenario.load import load_text
from shieldwall.table.measure import units_apart
from shieldwall.table.sight import sees

SCENE = """
scenario: a banner over a wall, and a banner in front of a hull
edition: regiments-3.5
house_rules: {{decorative-parts: {value}}}
terrain: {{Wall: {{kind: wall, height: 3, outline: [[30, 14.9], [42, 14.9], [42, 15.1], [30, 15.1]]}}}}
units:
  Giant: {{side: A, kind: monster, height: 4, at: [36, 10]}}
  Standard: {{side: B, at: [36, 20, 180]}}
  Wagon: {{side: B, kind: vehicle, base: '2x2"', at: [60, 20, 180]}}
  Guard: {{side: A, base: '1x1"', at: [60, 15.5]}}
"""
PARTS = {
    "Standard": FancyPart(top=4 * MILLI),
    "Wagon": FancyPart(footprint=Base("rect", 2 * 25.4, 6 * 25.4)),
}


def scene(value: str) -> State:
    (loaded,), faults = load_text(SCENE.format(value=value), "banner")
    assert not faults
    return with_parts(build(loaded.scenario).state, PARTS)


@pytest.mark.parametrize(("value", "is_seen"), [("ignored", False), ("counted", True)])
def test_a_banner_over_a_wall_is_seen_only_where_such_parts_count(value: str, is_seen: bool) -> None:
    """R35-LOS-08, the switch decorative-parts."""
    assert sees(scene(value), "outline", 0, 0, 1, 0).visible is is_seen


@pytest.mark.parametrize(("value", "apart"), [("ignored", 3.0), ("counted", 1.0)])
def test_distances_run_to_the_hull_unless_such_parts_count(value: str, apart: float) -> None:
    """R35-MEAS-05, R35-PREP-01: 3 inches from the hull, 1 inch from the banner in front of it."""
    assert units_apart(scene(value), 3, 2) == pytest.approx(apart)
