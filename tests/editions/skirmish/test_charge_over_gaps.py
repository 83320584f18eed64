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


def holds(text: str) -> None:
    report = run_text(text)
    assert not report.faults, report.faults
    assert all(result.holds for result in report.results), [result.differences for result in report.results]


@pytest.mark.parametrize(
    "at", ["[24, 10]", "[27, 8]", "[[24, 10], [25.4, 10]]", "[[24, 10], [24, 8.6], [25.3, 8.6]]"]
)
def test_an_enemy_beyond_a_gap_can_be_charged(at: str) -> None:
    """SK32-MOVE-10, SK32-MELEE-02: legality is judged as if the rolls on the way succeed."""
    models = max(1, at.count("[") - 1)
    scene = SCENE.replace("at: [24, 10]", f"models: {models}, at: {at}")
    holds(scene + "measure: [{charges: Pike, is: [Wolf]}]")


def test_a_gap_wider_than_six_inches_is_out_of_reach() -> None:
    """SK32-MOVE-13."""
    wide = SCENE.replace("[48, 14], [0, 14]", "[48, 18.1], [0, 18.1]").replace("at: [24, 16]", "at: [24, 20]")
    holds(wide + "measure: [{charges: Pike, is: []}]")


def test_off_a_roof_into_melee() -> None:
    """SK32-MOVE-10, SK32-MOVE-13: a drop of four inches is a leap as well."""
    roof = SCENE.replace(
        "Crack: {kind: chasm, depth: 5, outline: [[0, 12], [48, 12], [48, 14], [0, 14]]}",
        "Roof: {kind: roof, types: [], height: 4, outline: [[20, 6], [28, 6], [28, 12], [20, 12]]}",
    ).replace("at: [24, 10]", "at: [24, 10, 0, 4]")
    holds(roof + "measure: [{charges: Pike, is: [Wolf]}]")


@pytest.mark.parametrize(
    ("face", "outcome"), [(3, "dice_used: {to_hit: 1}"), (2, "events: [fell, charge_failed]")]
)
def test_the_leap_decides_about_the_charge(face: int, outcome: str) -> None:
    """SK32-MOVE-10, SK32-MOVE-16: by default the charger goes straight at the enemy."""
    dice = f"dice: {{jump: [{face}], {'to_hit: [[1]]' if face > 2 else 'block: [6]'}}}\n"
    holds(SCENE + dice + f"play: [{{activate: Pike, charge: Wolf}}]\nexpect: {{{outcome}}}")


def test_a_rush_over_the_same_gap_is_open() -> None:
    """SK32-MOVE-13: the leap itself is legal."""
    holds(SCENE + "measure: [{legal: {activate: Pike, action: rush, walk: [20, 16]}, is: true}]")
