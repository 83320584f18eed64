"""How much memory and time exact odds take, so that they can stop before the machine or the patience runs out."""

from __future__ import annotations

import os
import time
from pathlib import Path

LOOK_EVERY = 512  # states between two looks at the memory
CLOCK_EVERY = 8  # states between two looks at the clock
BYTES_PER_STATE = 12_000  # assumed where the system does not tell
LEAST_PER_STATE = 2_500  # counted even where a state was put into memory that the process held already
MEGABYTE = 1024 * 1024
_STATM = Path("/proc/self/statm")


def memory_in_use() -> int | None:
    """Bytes this process holds right now; None where the system does not tell."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


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
        """Whether so many states have used up the memory or the time; looks at either now and then only."""
        if not states or states % CLOCK_EVERY:
            return bool(self.full)
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
