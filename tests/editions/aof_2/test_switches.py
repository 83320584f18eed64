"""Every value of every house-rule switch of Age of Fantasy 2 is tested somewhere."""

from __future__ import annotations

from pathlib import Path

from shieldwall.rulebook.house_rules import house_rules
from shieldwall.scenario.load import load_file

SCENES = Path(__file__).parents[2] / "scenarios/aof-2"
# tested in this folder or in tests/armies: they concern lists and turns, which no short scene tells apart
BY_TESTS = {"army-rules": {"edition"}, "merging": {"several-models"}, "who-starts-next": {"out-of-units"}}


def test_every_value_that_is_not_the_usual_one_is_tried() -> None:
    """A2-DICE-01: agreements made before play are honoured; all other scenes test the default values."""
    tried: dict[str, set[str]] = {name: set(values) for name, values in BY_TESTS.items()}
    for path in sorted(SCENES.glob("*.yaml")):
        scenes, faults = load_file(path)
        assert not faults
        for one in scenes:
            for name, value in one.scenario.house_rules.items():
                word = value if isinstance(value, str) else "on" if value else "off"
                tried.setdefault(name, set()).add(word)
    assert tried == {rule.name: set(rule.values) - {rule.default} for rule in house_rules("aof-2")}
