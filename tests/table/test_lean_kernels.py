"""Kernels that count no references must neither make arrays nor get any from those who do: memory would be lost."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from shieldwall.table import compiled

NUMBERS = {"None", "int", "float", "bool", "Stretch", "Target", "Pair"}  # the last three hold numbers only
HERE = Path(compiled.__file__).parent
FILES = sorted((*HERE.glob("kernels*.py"), *(HERE.parent / "bots").glob("kernels*.py")))


class Module:
    """The functions that a file of kernels knows by name, its own and imported ones."""

    def __init__(self, path: Path) -> None:
        body = ast.parse(path.read_text()).body
        self.own = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        self.imported = {
            name.name: node.module.rpartition(".")[2]
            for node in body
            if isinstance(node, ast.ImportFrom) and node.module is not None
            for name in node.names
        }


MODULES = {path.stem: Module(path) for path in FILES}


def known_as(module: Module, name: str) -> tuple[Module, ast.FunctionDef] | None:
    """The kernel that a name means in a file, and the file that has it."""
    if name in module.own:
        return module, module.own[name]
    home = MODULES.get(module.imported.get(name, ""))
    return (home, home.own[name]) if home is not None and name in home.own else None


def is_marked(node: ast.FunctionDef, *names: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id in names for one in node.decorator_list)


def gives_numbers(node: ast.FunctionDef) -> bool:
    """Whether what a function returns holds no array."""
    text = ast.unparse(node.returns) if node.returns is not None else "None"
    inner = text.removeprefix("tuple[").removesuffix("]") if text.startswith("tuple[") else text
    return {part.strip() for part in inner.split(",")} <= NUMBERS


def faults_of(module: Module, node: ast.FunctionDef) -> list[str]:
    """What a lean function must not do; what is written into it counts as its own."""
    found = [] if gives_numbers(node) else [f"{node.name} returns arrays"]
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            found += faulty_call(module, part)
        for target in part.targets if isinstance(part, ast.Assign) else []:
            places = ast.walk(target.slice) if isinstance(target, ast.Subscript) else ()
            if any(isinstance(one, ast.Slice) for one in places):
                found.append(f"{node.name} copies a slice: {ast.unparse(part)}")
    return found


def faulty_call(module: Module, call: ast.Call) -> list[str]:
    called = ast.unparse(call.func)
    if called.startswith("np.") or called.endswith((".copy", ".sort")):
        return [f"calls {called}"]
    meant = known_as(module, called)
    if meant is None:
        return []
    if is_marked(meant[1], "glue", "part"):
        return faults_of(*meant)
    return [] if gives_numbers(meant[1]) else [f"calls {called}"]


@pytest.mark.parametrize("name", MODULES)
def test_lean_kernels_make_no_arrays_and_get_none(name: str) -> None:
    module = MODULES[name]
    lean = [node for node in module.own.values() if is_marked(node, "lean")]
    assert [fault for node in lean for fault in faults_of(module, node)] == []


def test_the_look_at_lean_kernels_sees_what_it_should() -> None:
    text = "def bad(a: Floats) -> Floats:\n    b = np.empty(3)\n    b[:2] = a[:2]\n    trail_for(a)\n    return b"
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    assert sorted(faults_of(MODULES["kernels_unit"], node)) == [
        "bad copies a slice: b[:2] = a[:2]",
        "bad returns arrays",
        "calls np.empty",
        "calls trail_for",
    ]
