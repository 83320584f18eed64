"""Laws about questions: each describes what may be answered and what an answer would do.

Rooms above the rules read forms and previews; they do not ask which class of question it is. Bots, puzzles and the
menu of the environments answer thousands of questions a second and may look at classes instead of building forms.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shieldwall.core.pending import Decision
from shieldwall.editions import EDITIONS, ruleset

SOURCE = Path(__file__).parents[2] / "src" / "shieldwall"
BASES = {
    "Decision",
    "Choice",
    "MoveQuestion",
    "PlaceQuestion",
}  # what every question of its kind has in common


def question_classes() -> set[str]:
    """Names of every class of question in the rules and the editions."""
    for edition in EDITIONS:
        ruleset(edition)  # which loads its questions
    found, queue = set[str](), [Decision]
    while queue:
        for kind in queue.pop().__subclasses__():
            if kind.__module__.startswith("shieldwall."):
                found.add(kind.__name__)
                queue.append(kind)
    return found


def told_apart(path: Path, classes: set[str]) -> list[str]:
    """Places in a file that ask whether a question is of some class: `isinstance` and `case`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            asked = node.args[1:]
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        names = {name.id for part in asked for name in ast.walk(part) if isinstance(name, ast.Name)}
        found += [f"{path.relative_to(SOURCE)}:{node.lineno} {name}" for name in sorted(names & classes)]  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("room", ["server", "scenario", "cli", "lessons", "analysis", "lab", "environments"])
def test_rooms_above_the_rules_never_check_the_class_of_a_question(room: str) -> None:
    classes = question_classes() - BASES
    assert len(classes) > 15
    paths = sorted((SOURCE / room).rglob("*.py"))
    assert len(paths) > 3
    assert [told for path in paths for told in told_apart(path, classes)] == []
