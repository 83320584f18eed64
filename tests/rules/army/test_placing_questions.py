"""The question of where a rule places a unit again: its form, its previews, and answers sampled by bots."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from shieldwall.core.answers import Placed
from shieldwall.core.forms import PlacementForm, Wish
from shieldwall.core.state import Pose
from shieldwall.rules.army.placing import NearbyBlock, NearbyLoose
from shieldwall.scenario import build as building
from shieldwall.scenario.load import load_text
from shieldwall.scenario.play import ScenarioPlayer
from shieldwall.table.numbers import TableNumbers

DRIFT = 'Once each activation, before it attacks, you may put it down again up to 6" away.'


def question(edition: str, models: int = 3) -> NearbyBlock | NearbyLoose:
    """The question after Ghosts was activated and may be placed again."""
    scene: dict[str, Any] = {
        "scenario": "placing",
        "edition": edition,
        "defaults": {"base": '1x1"'},
        "army_rules": {"Drift": DRIFT},
        "units": {
            "Ghosts": {"side": "A", "models": models, "rules": "Drift", "at": [24, 10]},
            "Rats": {"side": "A", "at": [40, 10]},
            "Wolves": {"side": "B", "at": [24, 30]},
        },
        "play": [{"activate": "Ghosts"}],
    }
    loaded, faults = load_text(yaml.safe_dump(scene, sort_keys=False), "placing")
    assert not faults, faults
    scenario = loaded[0].scenario
    built = building.build(scenario)
    player = ScenarioPlayer(scenario, built, building.started(scenario, built))
    player.begin()
    player.do(scenario.play[0], ("play", 0))
    assert isinstance(player.pending, NearbyBlock | NearbyLoose), player.pending
    return player.pending


EDITIONS = ("regiments-3.5", "aof-2", "skirmish-3.2")


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_is_asked_with_a_form_and_staying_is_the_usual_answer(edition: str) -> None:
    asked = question(edition)
    assert isinstance(asked.form(), PlacementForm)
    assert asked.check(asked.default()) == ()
    assert "Drift" in asked.prompt
    assert "6 inches" in asked.prompt


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_drag_within_reach_is_taken_and_one_beyond_it_gets_the_nearest_legal_place(edition: str) -> None:
    asked = question(edition)
    start = asked.default().poses[0]
    near = asked.preview(Wish(drag=Pose(start.x, start.y + 5000, start.heading)))
    assert near.refusals == ()
    far = asked.preview(Wish(drag=Pose(start.x, start.y + 9000, start.heading)))
    assert any("the maximum is 6" in refusal.reason for refusal in far.refusals)
    assert isinstance(far.answer, Placed)
    assert asked.check(far.answer) == ()
    assert far.answer.poses[0].y > start.y


@pytest.mark.parametrize("edition", EDITIONS)
def test_drawn_answers_are_legal(edition: str) -> None:
    asked, numbers = question(edition), TableNumbers(1)
    drawn = [asked.sample(numbers) for _ in range(20)]
    assert all(asked.check(answer) == () for answer in drawn)
    assert len({answer.poses for answer in drawn}) > 3
