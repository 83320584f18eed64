"""Laws about citations: every key that a step or the table can use has a row in each edition that uses it."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

from shieldwall import rulebook
from shieldwall.editions import EDITIONS, ruleset

SOURCE = Path(__file__).parents[2] / "src" / "shieldwall"
PREFIX = {
    "aof-1.6": "A16-",
    "aof-2": "A2-",
    "regiments-3.4": "R34-",
    "regiments-3.5": "R35-",
    "skirmish-3.2": "SK32-",
}
FAMILY = {
    "aof-1.6": "loose",
    "aof-2": "loose",
    "regiments-3.4": "block",
    "regiments-3.5": "block",
    "skirmish-3.2": "loose",
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_cited_row_exists_and_belongs_to_the_edition(edition: str) -> None:
    rules = ruleset(edition)
    cited = {*rules.cites.values(), *(binding.cite for binding in rules.specials.bindings.values())}
    wrong = {row for row in cited if not row.startswith(PREFIX[edition]) or not rulebook.has_row(row)}
    assert wrong == set()


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_key_a_step_cites_has_a_row(edition: str) -> None:
    rules = ruleset(edition)
    modules = {type(step).__module__ for steps in rules.procedures.values() for step in steps}
    keys = set()
    for module in modules:
        keys |= set(re.findall(r'cite\("([a-z_.]+)"\)', inspect.getsource(sys.modules[module])))
    steps_only_elsewhere = other_families_keys(edition)
    assert keys - steps_only_elsewhere - set(rules.cites) == set()


def other_families_keys(edition: str) -> set[str]:
    """Keys of trunk steps that share a module with used ones but are not part of this edition's procedures."""
    rules = ruleset(edition)
    used = {type(step) for steps in rules.procedures.values() for step in steps}
    keys = set()
    for module in {kind.__module__ for kind in used}:
        for _, member in inspect.getmembers(sys.modules[module], inspect.isclass):
            if (
                member.__module__ == module
                and hasattr(member, "go")
                and not any(issubclass(k, member) for k in used)
            ):
                keys |= set(re.findall(r'cite\("([a-z_.]+)"\)', inspect.getsource(member)))
    return keys


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_reason_of_the_table_has_a_row(edition: str) -> None:
    shared = ["zones.py", "placing.py"]
    own = sorted((SOURCE / "table").glob(f"{FAMILY[edition]}_*.py"))
    if FAMILY[edition] == "loose":
        own += [SOURCE / "table" / name for name in ("coherency.py", "ground.py")]
    keys = set()
    for path in [*own, *(SOURCE / "table" / name for name in shared)]:
        keys |= set(
            re.findall(r'Reason\([^"]*(?:"[^"]*"[^"]*)*, "([a-z_-]+\.[a-z_.-]+)"\)', path.read_text("utf-8"))
        )
    assert keys, "the search found no reasons at all"
    assert keys - set(ruleset(edition).cites) - {"setup.table"} == set()


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("kind", ["strike", "momentum", "spell", "fall", "danger"])
def test_an_attack_that_is_no_shot_cites_no_row_about_shooting(edition: str, kind: str) -> None:
    rules = ruleset(edition)
    if kind == "fall" and "fall.hit" not in rules.cites:
        pytest.skip("nobody falls in this edition")
    kinds = {"hits": ("strike", "momentum"), "wounds": ("strike", "momentum", "spell", "fall")}
    steps = ["casualties", "remove", *(step for step, asked in kinds.items() if kind in asked)]
    if f"attack.block.{kind}" in rules.cites:
        steps.append("block")
    if "attack.keep_together" in rules.cites and kind in ("strike", "momentum"):
        steps.append("keep_together")
    cited = {step: rules.cite_for(f"attack.{step}", kind) for step in steps}
    assert {step: row for step, row in cited.items() if "-SHOOT-" in row} == {}
