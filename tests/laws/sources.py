"""The sources of the package, parsed once for all laws about them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package, parsed."""
    found = {}
    gc.disable()  # syntax trees hold no garbage, and looking for it takes longer than parsing
    for path in sorted((SOURCE / "shieldwall").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    gc.enable()
    return found
