"""The law that every rule fires, for army rules: each scene comes out differently when its texts mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from shieldwall.core.blocks import ArmyRule
from shieldwall.scenario import build as building
from shieldwall.scenario.load import Loaded, load_file
from shieldwall.scenario.runner import Result, run

SCENES = sorted((Path(__file__).parents[2] / "scenarios").glob("*/army-rules*.yaml"))
UNCHANGED = (
    "a boost without its rule does nothing",
    "a rule in melee only does nothing for shots",
    "but not for those it flies past",
)


def scenes() -> list[Loaded]:
    found: list[Loaded] = []
    for path in SCENES:
        loaded, faults = load_file(path)
        assert not faults, faults
        found += loaded
    return found


def holds(one: Loaded) -> bool:
    """Whether a scene comes out as written."""
    result = run(one)
    assert isinstance(result, Result), result
    return result.holds


@pytest.mark.parametrize("one", scenes(), ids=lambda one: one.scenario.scenario)
def test_a_scene_comes_out_differently_without_its_army_rules(
    one: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert holds(one)
    if one.scenario.scenario.endswith(UNCHANGED):
        return

    def mute(self: building._Builder) -> tuple[ArmyRule, ...]:
        return tuple(ArmyRule(name, text, ()) for name, text in self.scenario.army_rules.items())

    monkeypatch.setattr(building._Builder, "_army_rules", mute)
    assert not holds(one)
