"""The sources of the package, parsed once for all laws about them."""

from __future__ import annotations

import ast
import gc
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

SOURCE = Path(__file__).parents[2] / "src"
Node = TypeVar("Node", bound=ast.AST)


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package, parsed."""
    found = {}
    gc.disable()  # syntax trees hold no garbage, and looking for it takes longer than parsing
    for path in sorted((SOURCE / "shieldwall").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    gc.freeze()  # they stay until the end
    gc.enable()
    return found


@cache
def _by_kind(module: str) -> dict[type[ast.AST], list[ast.AST]]:
    """All nodes of a module by their class: one walk serves every law."""
    found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    queue: list[ast.AST] = [modules()[module]]
    while queue:
        node = queue.pop()
        found[type(node)].append(node)
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, list):
                queue += [one for one in part if isinstance(one, ast.AST)]
            elif isinstance(part, ast.AST):
                queue.append(part)
    return found


def nodes(module: str, *kinds: type[Node]) -> Iterator[Node]:
    """The nodes of a module that are of some classes, in no order."""
    for kind in kinds:
        yield from _by_kind(module).get(kind, ())  # type: ignore[misc]
