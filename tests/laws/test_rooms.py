"""Laws about rooms: the trunk holds what editions share, private names stay at home, functions take few parameters.

Everything is read from the sources; nothing of the game is loaded.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache

from tests.laws.sources import modules, nodes

EDITIONS = ("aof_1_6", "aof_2", "regiments_3_4", "regiments_3_5", "skirmish_3_2")
BOOKS = ("shieldwall.rules", "shieldwall.editions")  # lower rooms know neither
SHARED_ROOMS = ("shieldwall.rules.features", "shieldwall.rules.special")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PUBLIC_UNDERSCORES = {"_replace", "_asdict", "_fields", "_make", "_exit"}  # of named tuples and of `os`
MOST_PARAMETERS = 8
FRONT_DOORS = (
    "shieldwall.api",
    "shieldwall.cli",
    "shieldwall.environments",
    "shieldwall.lab",
)  # options by name
# a ratchet: lower it, never raise it. Nearly all are in geometry/, where calls compile to plain C
FUNCTIONS_WITH_MORE = 75

Symbol = tuple[str, str]  # module, name; an empty name is the module itself


@cache
def imported(module: str) -> dict[str, Symbol]:
    """What names of other modules a module uses, and where they come from."""
    names: dict[str, Symbol] = {}
    for node in nodes(module, ast.ImportFrom):
        if node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names[alias.asname or alias.name] = (
                    (whole, "") if whole in modules() else (node.module, alias.name)
                )
    return names


@cache
def defined(module: str) -> dict[str, ast.stmt]:
    """Functions, classes and constants of a module."""
    found: dict[str, ast.stmt] = {}
    for node in modules()[module].body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = (part for target in targets for part in ast.walk(target))
            found |= {part.id: node for part in names if isinstance(part, ast.Name)}
    return found


def resolved(module: str, name: str, depth: int = 8) -> Symbol | None:
    """Where a name that a module uses is defined."""
    if module not in modules():
        return None
    if name in defined(module):
        return module, name
    source = imported(module).get(name)
    if source is None or not depth:
        return None
    return source if not source[1] else resolved(*source, depth - 1)


@cache
def used_by(symbol: Symbol) -> set[Symbol]:
    """What the definition of a symbol makes use of."""
    module, found = symbol[0], set[Symbol | None]()
    for node in ast.walk(defined(module)[symbol[1]]):
        if isinstance(node, ast.Name):
            found.add(resolved(module, node.id))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            source = resolved(module, node.value.id)
            if source is not None and not source[1]:
                found.add(resolved(source[0], node.attr))
    return {one for one in found if one and one[1] and one != symbol and one[0].startswith(BOOKS)}


def users() -> dict[Symbol, set[str]]:
    """The editions that make use of each symbol, directly or through others."""
    by: dict[Symbol, set[str]] = defaultdict(set)
    for edition in EDITIONS:
        own = f"shieldwall.editions.{edition}"
        queue = [(module, name) for module in modules() if module.startswith(own) for name in defined(module)]
        while queue:
            symbol = queue.pop()
            if edition not in by[symbol]:
                by[symbol].add(edition)
                queue += used_by(symbol)
    return by


def test_what_one_edition_alone_uses_lives_in_that_edition() -> None:
    alone = [
        f"{module}.{name}: only {edition}"
        for (module, name), (edition, *others) in sorted((at, sorted(by)) for at, by in users().items())
        if not others and module.startswith(SHARED_ROOMS) and not name.startswith("__")
    ]
    assert alone == []


def test_private_names_stay_in_their_module() -> None:
    strangers = []
    for module in modules():
        own = {node.name for node in nodes(module, *FUNCTIONS, ast.ClassDef)}
        for node in nodes(module, ast.ImportFrom, ast.Call):
            if isinstance(node, ast.ImportFrom):
                is_ours = (node.module or "").startswith("shieldwall")
                names = [alias.name for alias in node.names] if is_ours else []
            elif isinstance(node.func, ast.Attribute):
                value = node.func.value
                at_home = isinstance(value, ast.Name) and value.id in ("self", "cls", "super")
                is_super = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "super"
                names = [] if at_home or is_super or node.func.attr in own else [node.func.attr]
            else:
                continue
            strangers += [
                f"{module}:{node.lineno} {name}"
                for name in names
                if name.startswith("_") and not name.startswith("__") and name not in PUBLIC_UNDERSCORES
            ]
    assert strangers == []


def test_few_functions_take_more_than_eight_parameters() -> None:
    many = []
    for module in modules():
        for node in () if module.startswith(FRONT_DOORS) else nodes(module, *FUNCTIONS):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            count = len(given) - (bool(given) and given[0].arg in ("self", "cls"))
            if count > MOST_PARAMETERS:
                many.append(f"{module}.{node.name}: {count}")
    assert len(many) <= FUNCTIONS_WITH_MORE, many
