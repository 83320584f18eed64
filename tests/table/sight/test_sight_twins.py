"""Compiled kernels and their uncompiled twins give the same answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sight_twin import everything


def test_compiled_and_plain_sight_agree() -> None:
    """An uncompiled process gives the same sight and cover, to the last digit."""
    environment = {**os.environ, "SHIELDWALL_PLAIN": "1"}
    script = Path(__file__).with_name("sight_twin.py")
    plain = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=True
    )
    assert plain.stdout.split("\n")[:-1] == everything()
