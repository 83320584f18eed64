"""A charge that needs a leap may be declared; the dice then decide whether it succeeds."""

from __future__ import annotations

import math
from random import Random

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
def test_the_leap_roll_decides_the_charge(face: int, outcome: str) -> None:
    """SK32-MOVE-10, SK32-MOVE-16: by default the charger goes straight at the enemy."""
    dice = f"dice: {{jump: [{face}], {'to_hit: [[1]]' if face > 2 else 'block: [6]'}}}\n"
    holds(SCENE + dice + f"play: [{{activate: Pike, charge: Wolf}}]\nexpect: {{{outcome}}}")


def test_a_rush_over_the_same_gap_is_open() -> None:
    """SK32-MOVE-13: the leap itself is legal."""
    holds(SCENE + "measure: [{legal: {activate: Pike, action: rush, walk: [20, 16]}, is: true}]")


ROOFS = """
scenario: From roof to roof
edition: skirmish-3.2
rows: [SK32-MOVE-13, SK32-MOVE-15, SK32-MELEE-02]
defaults: {base: '1x1" round'}
terrain:
  Near: {kind: roof, types: [], height: HIGH, outline: [[18, 10], [30, 10], [30, 20], [18, 20]]}
  Far: {kind: roof, types: [], height: LOW, outline: [[18, FROM], [30, FROM], [30, 40], [18, 40]]}
units:
  Pike: {side: A, equipment: Pike (A1), at: PIKE}
  Wolf: {side: B, at: WOLF}
"""


def random_roofs(rng: Random) -> str:
    """Two roofs, the second no higher, and a straight path that is short enough except for the gap."""
    while True:
        high = rng.choice([2, 3, 4, 5])
        low, gap = rng.choice([high, high - 1]), rng.uniform(1.2, 5.8)
        across, near, far = rng.uniform(-3, 3), rng.uniform(0.6, 4), rng.uniform(0.6, 4)
        length = math.hypot(across, near + gap + far)
        leap = gap * length / (near + gap + far)
        if leap < 5.9 and length - 1 - leap < 11.9:
            break
    spots = {"PIKE": (24.0, 20 - near, 0, high), "WOLF": (24 + across, 20 + gap + far, 0, low)}
    text = ROOFS.replace("HIGH", str(high)).replace("LOW", str(low)).replace("FROM", f"{20 + gap:.3f}")
    for name, spot in spots.items():
        text = text.replace(name, f"[{', '.join(f'{number:.3f}' for number in spot)}]")
    return text


@pytest.mark.parametrize("seed", range(40))
def test_a_charge_from_roof_to_roof_is_offered_however_high_they_are(seed: int) -> None:
    """SK32-MOVE-13: between low ledges, too, where the way down and up is too long."""
    holds(random_roofs(Random(seed)) + "measure: [{charges: Pike, is: [Wolf]}]")


LOW_ROOFS = (
    ROOFS.replace("HIGH", "3").replace("LOW", "3").replace("FROM", "23.5")
    .replace("PIKE", "[24, 17, 0, 3]").replace("WOLF", "[24, 25.5, 0, 3]")
)  # fmt: skip


@pytest.mark.parametrize(
    ("faces", "rest", "outcome"),
    [
        ("[3, 3]", "to_hit: [[1]]", "dice_used: {jump: 2, to_hit: 1}"),
        ("[3, 2]", "block: [6]", "events: [fell, charge_failed]"),
    ],
)
def test_a_leap_roll_between_low_roofs_decides_the_charge(faces: str, rest: str, outcome: str) -> None:
    """SK32-MOVE-14: on foot it is 7.5 inches across and 6 down and up, so it takes a leap of 3.5 inches."""
    dice = f"dice: {{jump: [{faces}], {rest}}}\n"
    holds(LOW_ROOFS + dice + f"play: [{{activate: Pike, charge: Wolf}}]\nexpect: {{{outcome}}}")


def test_a_charger_that_can_climb_down_and_up_in_time_does_not_leap() -> None:
    """SK32-MOVE-13: the way on foot risks nothing."""
    near = LOW_ROOFS.replace("[24, 17, 0, 3]", "[24, 19, 0, 3]").replace(
        "[24, 25.5, 0, 3]", "[24, 24.5, 0, 3]"
    )
    play = "dice: {to_hit: [[1]]}\nplay: [{activate: Pike, charge: Wolf}]\nexpect: {no_rolls: [jump]}"
    holds(near + play)
