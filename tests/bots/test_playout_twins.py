"""Playouts end the same, to the last digit, with compiled functions and without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from playout_scene import fingerprint


def test_playouts_are_the_same_compiled_and_plain() -> None:
    here = str(Path(__file__).parent)
    script = (
        f"import json, sys; sys.path.insert(0, {here!r}); import playout_scene; "
        "print(json.dumps(playout_scene.fingerprint()))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SHIELDWALL_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(plain.stdout) == fingerprint()
