"""Reading data in several threads at once."""

from __future__ import annotations

import subprocess
import sys

# Threads that are first at the same time with a type of many fields, again and again with new types.
RACE = """
import sys, threading
from typing import Optional
import msgspec
from shieldwall.rulebook.conversion import convert
sys.setswitchinterval(1e-6)
for round in range(60):
    inner = msgspec.defstruct(f"Inner{round}", [(f"f{n}", dict[str, tuple[int, ...]]) for n in range(40)])
    outer = msgspec.defstruct(f"Outer{round}", [(f"g{n}", tuple[inner, ...]) for n in range(40)])
    data = {f"g{n}": [{f"f{m}": {"a": [1]} for m in range(40)}] for n in range(40)}
    start = threading.Barrier(6)
    def read():
        start.wait()
        assert convert(data, outer).g7[0].f3 == {"a": (1,)}
    threads = [threading.Thread(target=read) for _ in range(6)]
    [one.start() for one in threads]
    [one.join() for one in threads]
"""


def test_threads_that_read_a_new_type_at_once_do_not_crash() -> None:
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
