"""Whether kernels are to run compiled, found out without loading any of them: by a stamp, or by the environment."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WARM_UP = (sys.executable, "-m", "shieldwall", "warm-up")  # compiles everything, in a process of its own
ON, OFF = "SHIELDWALL_NUMBA", "SHIELDWALL_NO_NUMBA"


def is_set(name: str) -> bool:
    """Whether a switch of the environment is on."""
    return os.environ.get(name, "") not in ("", "0")


def warm_stamp() -> Path:
    """The file that says: this very text of the table was compiled by this Python before."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(HERE.glob("*.py")):
        digest.update(path.read_bytes())
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or HERE / "__pycache__")
    return folder / f"compiled-{digest.hexdigest()[:16]}"


def is_warm() -> bool:
    """Whether a process that starts now runs its kernels compiled, if the compiler is there."""
    return not is_set(OFF) and (is_set(ON) or warm_stamp().exists())


def could_compile() -> bool:
    """Whether kernels would run as plain Python, and compiling them would change that."""
    return not is_set(OFF) and not is_warm() and importlib.util.find_spec("numba") is not None
