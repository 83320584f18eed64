"""Reading data in several threads at once."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.laws.sources import modules

# Threads that are the first to use a type of many fields at the same time, repeated with new types.
RACE = """
import sys, threading
from typing import Optional
import msgspec
from shieldwall.rulebook.conversion import convert, decode_json
sys.setswitchinterval(1e-6)
for round in range(60):
    inner = msgspec.defstruct(f"Inner{round}", [(f"f{n}", dict[str, tuple[int, ...]]) for n in range(40)])
    outer = msgspec.defstruct(f"Outer{round}", [(f"g{n}", tuple[inner, ...]) for n in range(40)])
    data = {f"g{n}": [{f"f{m}": {"a": [1]} for m in range(40)}] for n in range(40)}
    text = msgspec.json.encode(data)
    start = threading.Barrier(6)
    def read():
        start.wait()
        assert READ.g7[0].f3 == {"a": (1,)}
    threads = [threading.Thread(target=read) for _ in range(6)]
    [one.start() for one in threads]
    [one.join() for one in threads]
"""


@pytest.mark.parametrize("read", ["convert(data, outer)", "decode_json(text, outer)"])
def test_threads_that_read_a_new_type_at_once_do_not_crash(read: str) -> None:
    code = RACE.replace("READ", read)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _reads_a_type_directly(call: ast.Call) -> bool:
    """`msgspec.convert(...)` and `msgspec.json.decode(..., type=...)`; without a type there is nothing to work
    out."""
    match call.func:
        case ast.Attribute(ast.Name("msgspec"), "convert"):
            return True
        case ast.Attribute(
            ast.Attribute(ast.Name("msgspec"), "json" | "msgpack" | "yaml" | "toml"), "decode"
        ):
            return any(given.arg == "type" for given in call.keywords)
    return False


def _direct_reads(tree: ast.AST) -> list[int]:
    found = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and _reads_a_type_directly(node)
    ]
    for node in ast.walk(tree):  # the functions under a name of their own would be found nowhere
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "msgspec":
            found += [node.lineno for alias in node.names if alias.name in ("convert", "decode", "json")]
    return found


def test_the_law_finds_direct_reads() -> None:
    for bad in (
        "msgspec.convert(data, Kind)",
        "msgspec.json.decode(data, type=Kind)",
        "from msgspec import convert",
        "from msgspec.json import decode",
    ):
        assert _direct_reads(ast.parse(bad)), bad
    assert not _direct_reads(ast.parse("msgspec.json.decode(data); convert(data, Kind)"))


def test_types_are_read_where_threads_cannot_collide() -> None:
    found = {
        module: lines
        for module, tree in modules().items()
        if module != "shieldwall.rulebook.conversion" and (lines := _direct_reads(tree))
    }
    assert not found, f"read them by shieldwall.rulebook.conversion: {found}"
