"""Laws about questions: each describes what may be answered and what an answer would do.

Rooms above the rules read forms and previews; they do not ask which class of question it is. Bots, puzzles and the
menu of the environments answer thousands of questions a second and may look at classes instead of building forms.
"""

from __future__ import annotations

import ast

import pytest

from shieldwall.core.pending import Decision
from shieldwall.editions import EDITIONS, ruleset
from tests.laws.sources import modules, nodes

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


def told_apart(module: str, classes: set[str]) -> list[str]:
    """Places in a module that ask whether a question is of some class: `isinstance` and `case`."""
    found = []
    for node in nodes(module, ast.Call, ast.MatchClass):
        if isinstance(node, ast.MatchClass):
            asked = [node.cls]
        else:
            tells = isinstance(node.func, ast.Name) and node.func.id == "isinstance"
            asked = node.args[1:] if tells else []
        names = {name.id for part in asked for name in ast.walk(part) if isinstance(name, ast.Name)}
        found += [f"{module}:{node.lineno} {name}" for name in sorted(names & classes)]
    return found


@pytest.mark.parametrize("room", ["server", "scenario", "cli", "lessons", "analysis", "lab", "environments"])
def test_rooms_above_the_rules_never_check_the_class_of_a_question(room: str) -> None:
    classes = question_classes() - BASES
    assert len(classes) > 15
    own = [module for module in modules() if f"{module}.".startswith(f"shieldwall.{room}.")]
    assert len(own) > 3
    assert [told for module in own for told in told_apart(module, classes)] == []
