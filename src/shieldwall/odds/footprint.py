"""How much memory a walk takes, so that it can stop before the machine runs out."""

from __future__ import annotations

import os
from pathlib import Path

LOOK_EVERY = 512  # states between two looks
BYTES_PER_STATE = 12_000  # assumed where the system does not tell
MEGABYTE = 1024 * 1024
_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")


def memory_in_use() -> int | None:
    """Bytes this process holds right now; None where the system does not tell."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def memory_available() -> int | None:
    """Bytes that can still be taken without swapping; None where the system does not tell."""
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    found = next((line.split()[1] for line in lines if line.startswith("MemAvailable:")), None)
    return int(found) * 1024 if found else None


class MemoryGauge:
    """Watches that a walk takes no more than `megabytes` from now on."""

    def __init__(self, megabytes: int) -> None:
        self.limit = megabytes * MEGABYTE
        self.before = memory_in_use()

    def is_full(self, states: int) -> bool:
        """Whether the walk has used up its memory; looks only every so many states."""
        if states % LOOK_EVERY:
            return False
        now = memory_in_use()
        if now is None or self.before is None:
            return states * BYTES_PER_STATE > self.limit
        return now - self.before > self.limit
