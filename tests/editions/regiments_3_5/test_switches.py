"""Every value of every house-rule switch of Regiments 3.5 is tested somewhere."""

from __future__ import annotations

from pathlib import Path

from shieldwall.rulebook.house_rules import house_rules
from shieldwall.scenario.load import load_file

SCENES = Path(__file__).parents[2] / "scenarios/regiments-3.5/more-switches.yaml"
# tested in this folder or in tests/armies: they concern lists, terrain and figures, which no scene tells apart
BY_TESTS = {
    "army-rules": {"book", "edition"},
    "decorative-parts": {"ignored", "counted"},
    "force-organisation": {"off", "on"},
    "joined-heroes-count": {"with-unit", "apart"},
    "terrain-mode": {"one", "together", "alternating"},
}


def test_every_value_of_every_switch_is_tried() -> None:
    """R35-PREP-01: agreements made before play are honoured."""
    tried: dict[str, set[str]] = {name: set(values) for name, values in BY_TESTS.items()}
    scenes, faults = load_file(SCENES)
    assert not faults
    for one in scenes:
        for name, value in one.scenario.house_rules.items():
            word = value if isinstance(value, str) else "on" if value else "off"
            tried.setdefault(name, set()).add(word)
    assert tried == {rule.name: set(rule.values) for rule in house_rules("regiments-3.5")}
