"""How much memory and time exact odds take, so that they can stop before the machine or the patience runs out."""

from __future__ import annotations

import os
import time
from pathlib import Path

LOOK_EVERY = 512  # states between two looks
BYTES_PER_STATE = 12_000  # assumed where the system does not tell
LEAST_PER_STATE = 2_500  # counted even where a state was put into memory that the process held already
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


class Gauge:
    """Watches that exact odds take no more than so many megabytes and seconds from now on (0 seconds: any time).

    `full` says which of them has run out: "memory", "time", or nothing yet.
    """

    def __init__(self, megabytes: int, seconds: float = 0.0) -> None:
        self.limit = megabytes * MEGABYTE
        self.before = memory_in_use()
        self.deadline = time.monotonic() + seconds if seconds else 0.0
        self.full = ""

    def is_full(self, states: int) -> bool:
        """Whether so many states have used up the memory or the time; looks at the memory now and then only."""
        if not states:
            return False
        if self.deadline and time.monotonic() > self.deadline:
            self.full = "time"
        elif states % LOOK_EVERY == 0 and self._taken(states) > self.limit:
            self.full = "memory"
        return bool(self.full)

    def _taken(self, states: int) -> int:
        now = memory_in_use()
        if now is None or self.before is None:
            return states * BYTES_PER_STATE
        return max(now - self.before, states * LEAST_PER_STATE)
