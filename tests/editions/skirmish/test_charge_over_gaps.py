"""A charge that needs a leap may be declared: whether it succeeds is seen when the dice are thrown."""

from __future__ import annotations

import pytest

from shieldwall.scenario.runner import run_text

SCENE = """
scenario: A charge over a gap
edition: skirmish-3.2
rows: [SK32-MOVE-10, SK32-MELEE-02]
defaults: {base: '1x1"'}
terrain: {Crack: {kind: chasm, depth: 5, outline: [[0, 12], [48, 12], [48, 14], [0, 14]]}}
units:
  Pike: {side: A, equipment: Pike (A1), at: [24, 10]}
  Wolf: {side: B, at: [24, 16]}
"""


@pytest.mark.xfail(reason="the solver of charges finds no way that takes a leap", strict=True)
def test_an_enemy_beyond_a_gap_can_be_charged() -> None:
    """SK32-MOVE-10, SK32-MELEE-02: legality is judged as if the rolls on the way succeed."""
    report = run_text(SCENE + "measure: [{charges: Pike, is: [Wolf]}]")
    assert all(result.holds for result in report.results)


def test_a_rush_over_the_same_gap_is_open() -> None:
    """SK32-MOVE-13: the leap itself is legal."""
    report = run_text(SCENE + "measure: [{legal: {activate: Pike, action: rush, walk: [20, 16]}, is: true}]")
    assert all(result.holds for result in report.results)
