"""Laws about the ground floor, which takes few arguments, and about caches: nothing is looked up by where it lies in
memory.
"""

from __future__ import annotations

import ast

from tests.laws.sources import modules, nodes

ROOMS = ("shieldwall.geometry", "shieldwall.table")
MOST_ARGUMENTS = 8
BUILDERS = {"piece", "placement_spots"}  # settings of which callers name a few


def ground_floor() -> list[str]:
    return [name for name in modules() if name.startswith(ROOMS)]


def test_functions_of_geometry_and_table_take_few_arguments() -> None:
    many = {}
    for module in ground_floor():
        for node in nodes(module, ast.FunctionDef):
            if node.name not in BUILDERS:
                given = [one.arg for one in (*node.args.args, *node.args.kwonlyargs) if one.arg != "self"]
                if len(given) > MOST_ARGUMENTS:
                    many[f"{module}.{node.name}"] = len(given)
    assert many == {}


def test_nothing_is_keyed_by_id() -> None:
    """A new tuple may get the id of one that is gone; facts are cached on the object itself."""
    found = [
        f"{module}:{node.lineno}"
        for module in modules()
        for node in nodes(module, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == "id"
    ]
    assert found == []
