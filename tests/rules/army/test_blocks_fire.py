"""The law that every rule fires, for army rules: each scene ends differently when its texts mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct, structs

from shieldwall.core.blocks import ArmyRule, BlockBase
from shieldwall.core.state import Spell
from shieldwall.rules.army.binding import Meanings
from shieldwall.rules.army.coverage import PLAYED_KINDS
from shieldwall.rules.reading import read, read_spell
from shieldwall.scenario import build as building
from shieldwall.scenario.load import Loaded, load_file
from shieldwall.scenario.runner import Result, run

SCENES = sorted((Path(__file__).parents[2] / "scenarios").glob("*/army-rules*.yaml"))
UNCHANGED = (
    "a boost without its rule does nothing",
    "a rule in melee only does nothing for shots",
    "but not for those it flies past",
    "a joined hero uses the Defense of its unit, whatever its Armor",
    ": nothing changes",  # a condition that is not met
)


TRIED_ELSEWHERE = {
    "Known",  # the rulebook's own rules have scenes of their own
    "ListRule",  # concerns lists, not play
}


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
    return isinstance(result, Result) and result.holds


@pytest.mark.parametrize("one", scenes(), ids=lambda one: one.scenario.scenario)
def test_a_scene_comes_out_differently_without_its_army_rules(
    one: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert holds(one)
    if one.scenario.scenario.endswith(UNCHANGED):
        return

    def mute(self: building._Builder) -> tuple[ArmyRule, ...]:
        return tuple(ArmyRule(name, text, ()) for name, text in self.scenario.army_rules.items())

    usual = building._Builder._spells

    def mute_spells(self: building._Builder, meanings: Meanings) -> tuple[Spell, ...]:
        plain = usual(self, meanings)
        told = {name for name, spec in self.scenario.spells.items() if spec.text}
        return tuple(
            Spell(one.name, one.cost, one.reach, one.on) if one.name in told else one for one in plain
        )

    monkeypatch.setattr(building._Builder, "_army_rules", mute)
    monkeypatch.setattr(building._Builder, "_spells", mute_spells)
    assert not holds(one)


def test_every_building_block_that_is_played_has_a_scene() -> None:
    seen: set[str] = set()
    for one in scenes():
        texts = one.scenario.army_rules
        readings = [read(name, text, texts) for name, text in texts.items()]
        readings += [read_spell(name, spec.text, texts) for name, spec in one.scenario.spells.items()]
        for reading in readings:
            seen |= kinds_in(reading.blocks)
    assert PLAYED_KINDS - seen == TRIED_ELSEWHERE


def kinds_in(value: object) -> set[str]:
    """The names of all blocks in a value."""
    if isinstance(value, tuple):
        return {kind for item in value for kind in kinds_in(item)}
    if not isinstance(value, Struct):
        return set()
    inside = {kind for field in structs.fields(value) for kind in kinds_in(getattr(value, field.name))}
    return inside | ({type(value).__name__} if isinstance(value, BlockBase) else set())
