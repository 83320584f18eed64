"""Which form of a compiled package is imported: the products of the set-up, or the Python they were made from.

Products count only if they were made from exactly the sources that lie beside them; otherwise the sources run as
Python, with a warning, slow and right. SHIELDWALL_PLAIN=1 asks for Python without a warning.
"""

from __future__ import annotations

import hashlib
import os
import sysconfig
import warnings
from pathlib import Path

BUILT = "built"
STAMP = "built-from"
HERE = Path(__file__).resolve().parent


def fingerprint(package: Path) -> str:
    """What the products of a package are made from; ahead_of_time.py works it out in the same way."""
    digest = hashlib.sha256(str(sysconfig.get_config_var("EXT_SUFFIX")).encode())
    for folder in dict.fromkeys((HERE, package)):
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def is_current(package: Path) -> bool:
    """Whether the products of a package belong to its sources."""
    try:
        stamp = (package / BUILT / STAMP).read_text(encoding="utf-8").split()
    except OSError:
        return False
    return stamp[:1] == [fingerprint(package)]


def search_path(package: Path) -> list[str]:
    """Where the modules of a package are looked for: among the products first, if they belong to the sources."""
    if os.environ.get("SHIELDWALL_PLAIN", "") not in ("", "0"):
        return [str(package)]
    if is_current(package):
        return [str(package / BUILT), str(package)]
    warnings.warn(
        f"{package.name} runs as plain Python, many times slower: it was never compiled or has changed since; "
        "python3 dev.py builds it (any job will do)",
        RuntimeWarning,
        stacklevel=3,
    )
    return [str(package)]
