"""Battles in the rough end alike, to the last digit, with compiled kernels and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from rough_scene import fingerprint


def test_battles_in_the_rough_end_alike_compiled_and_plain() -> None:
    here = str(Path(__file__).parent)
    script = (
        f"import json, sys; sys.path.insert(0, {here!r}); import rough_scene; "
        "print(json.dumps(rough_scene.fingerprint()))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SHIELDWALL_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(plain.stdout) == fingerprint()
