"""Every value of every house-rule switch of Age of Fantasy 2 is tried somewhere, so that none is an idle promise."""

from __future__ import annotations

from pathlib import Path

from shieldwall.rulebook.house_rules import house_rules
from shieldwall.scenario.load import load_file

SCENES = Path(__file__).parents[2] / "scenarios/aof-2"
# tried by tests of this folder or of armies: they are about lists and about turns that no short scene can tell apart
BY_TESTS = {"army-rules": {"edition"}, "merging": {"several-models"}, "who-starts-next": {"out-of-units"}}


def test_every_value_that_is_not_the_usual_one_is_tried() -> None:
    """A2-DICE-01: what players settle ahead of play is honoured; the usual values are tried by all other scenes."""
    tried: dict[str, set[str]] = {name: set(values) for name, values in BY_TESTS.items()}
    for path in sorted(SCENES.glob("*.yaml")):
        scenes, faults = load_file(path)
        assert not faults
        for one in scenes:
            for name, value in one.scenario.house_rules.items():
                word = value if isinstance(value, str) else "on" if value else "off"
                tried.setdefault(name, set()).add(word)
    assert tried == {rule.name: set(rule.values) - {rule.default} for rule in house_rules("aof-2")}
