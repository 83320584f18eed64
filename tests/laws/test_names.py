"""Laws about names: the core knows no edition and no special rule; only editions/ knows which edition is played."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from shieldwall.editions import EDITIONS, ruleset
from tests.laws.sources import modules, nodes

SOURCE = Path(__file__).parents[2] / "src" / "shieldwall"
EDITION_NAMES = re.compile(
    r"aof[_-]?1[._]6|aof[_-]2\b|skirmish[_-]3|regiments[_-]3|\b(?:R35|R34|SK32|A16|A2)-[A-Z]", re.IGNORECASE
)
# words of the game that are also printed names of special rules; they mean something else in the core
PLAIN_WORDS = {"Fast", "Slow", "Move", "Pace"}


def sources(room: str) -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py"))


def special_names() -> set[str]:
    return {name for edition in EDITIONS for name in ruleset(edition).specials.bindings} - PLAIN_WORDS


@pytest.mark.parametrize("path", sources("core"), ids=lambda path: path.name)
def test_core_names_no_edition_and_no_special_rule(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not EDITION_NAMES.search(text)
    words = set(re.findall(r"[A-Za-z]+", text))
    lowered = {word.lower() for word in words}
    assert {name for name in special_names() if name in words or name.lower() in lowered} == set()


@pytest.mark.parametrize("room", ["table", "rules", "dice", "replay", "bots", "story"])
def test_no_edition_is_named_in_engine_code_outside_editions(room: str) -> None:
    named = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in sources(room)
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"aof[_-]?1[._]6|aof[_-]2\b|skirmish[_-]3|regiments[_-]3", line, re.IGNORECASE)
    ]
    assert named == []


def test_editions_never_build_on_each_other() -> None:
    for path in sources("editions"):
        folder = path.parent.name
        for other in re.findall(r"shieldwall\.editions\.([a-z0-9_]+)", path.read_text("utf-8")):
            assert path.parent == SOURCE / "editions" or other == folder, f"{path} builds on {other}"


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for module in modules():
        for node in nodes(module, ast.ClassDef):
            places.setdefault(node.name, []).append(f"{module}:{node.lineno}")
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert twice == {}
