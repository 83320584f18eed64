"""Compiled kernels and plain Python give the same answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import block_twin
import pytest


@pytest.mark.slow
def test_plain_python_gives_the_answers_of_the_compiled_kernels() -> None:
    """Every block function, on tables with many faults: the same poses, reasons and charges."""
    plain = subprocess.run(
        [sys.executable, str(Path(block_twin.__file__))],
        env={**os.environ, "SHIELDWALL_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.splitlines() == block_twin.answers(11, 12)
