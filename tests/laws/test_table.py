"""Laws about the ground floor, which takes few arguments, and about caches: nothing is looked up by where it lies in
memory.
"""

from __future__ import annotations

import ast

from tests.laws.sources import modules

ROOMS = ("shieldwall.geometry", "shieldwall.table")
MOST_ARGUMENTS = 8
BUILDERS = {"piece", "placement_spots"}  # settings of which callers name a few


def ground_floor() -> dict[str, ast.Module]:
    return {name: tree for name, tree in modules().items() if name.startswith(ROOMS)}


def test_functions_of_geometry_and_table_take_few_arguments() -> None:
    many = {}
    for module, tree in ground_floor().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name not in BUILDERS:
                given = [one.arg for one in (*node.args.args, *node.args.kwonlyargs) if one.arg != "self"]
                if len(given) > MOST_ARGUMENTS:
                    many[f"{module}.{node.name}"] = len(given)
    assert many == {}


def test_nothing_is_keyed_by_id() -> None:
    """A new tuple may get the id of one that is gone; facts are cached on the object itself."""
    found = [
        f"{module}:{node.lineno}"
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
    ]
    assert found == []
