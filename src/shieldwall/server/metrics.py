"""Metrics for operators: health, and numbers in Prometheus's text format.

Nothing here contains names, tokens, addresses or complete ids of games.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

from shieldwall.server.logs import SHORT, lines_lost

if TYPE_CHECKING:
    from shieldwall.server.lobby import Lobby

LOG = logging.getLogger("shieldwall.server")
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
SLOW_SECONDS = 0.5
BEAT_SECONDS = 0.02


class Durations:
    """A histogram of durations."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one duration."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str, labels: str = "") -> list[str]:
        """As a histogram."""
        found, so_far = [], 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            so_far += count
            inner = f'{labels},le="{bound}"' if labels else f'le="{bound}"'
            found.append(f"{name}_bucket{{{inner}}} {so_far}")
        outer = f"{{{labels}}}" if labels else ""
        return [*found, f"{name}_sum{outer} {self.total:.6f}", f"{name}_count{outer} {so_far}"]


class Heartbeat:
    """How long the event loop was blocked, in processor time of this process.

    Other load on the machine makes no difference: only the server's own work counts, in any thread.
    """

    def __init__(self) -> None:
        self.beats = Durations()
        self.longest = 0.0  # since it was last read

    async def keep(self) -> None:
        """Run until cancelled."""
        last = time.process_time()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            now = time.process_time()
            self.beats.add(now - last)
            self.longest = max(self.longest, now - last)
            last = now

    def lines(self) -> list[str]:
        """A histogram, and the longest time since the last reading."""
        longest, self.longest = self.longest, 0.0
        return [
            "# TYPE shieldwall_loop_longest_seconds gauge",
            f"shieldwall_loop_longest_seconds {longest:.6f}",
            "# TYPE shieldwall_loop_seconds histogram",
            *self.beats.lines("shieldwall_loop_seconds"),
        ]


class Metrics:
    """Counters of one server since it was started."""

    def __init__(self) -> None:
        self.started = time.time()
        self.commands = Durations()
        self.questions: dict[str, Durations] = {}
        self.refused: Counter[str] = Counter()
        self.heartbeat = Heartbeat()

    def command(self, game: str, kind: str, seconds: float) -> None:
        """A command went through the queue of its game."""
        self.commands.add(seconds)
        if seconds > SLOW_SECONDS:
            LOG.warning(
                "slow command", extra={"kind": kind, "game": game[:SHORT], "ms": round(seconds * 1000)}
            )

    def question(self, game: str, kind: str, seconds: float) -> None:
        """A question that changes nothing was answered, or a form was built."""
        self.questions.setdefault(kind, Durations()).add(seconds)
        if seconds > SLOW_SECONDS:
            LOG.warning(
                "slow question", extra={"kind": kind, "game": game[:SHORT], "ms": round(seconds * 1000)}
            )

    def text(self, lobby: Lobby) -> str:
        """Everything, in Prometheus's format."""
        memory, cpu = _process()
        numbers = {
            "shieldwall_up_seconds": time.time() - self.started,
            "shieldwall_games_open": len(lobby.rooms),
            "shieldwall_games_damaged": len(lobby.damaged),
            "shieldwall_sockets_open": len(lobby.places.open),
            "shieldwall_storage_failures_total": lobby.store.database.failures,
            "shieldwall_log_lines_lost_total": lines_lost(),
            "shieldwall_memory_bytes": memory,
            "shieldwall_processor_seconds_total": cpu,
        }
        lines = []
        for name, value in numbers.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# TYPE {name} {kind}", f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}"]
        lines.append("# TYPE shieldwall_jobs_waiting gauge")
        lines += [
            f'shieldwall_jobs_waiting{{pool="{name}"}} {n}' for name, n in lobby.workers.waiting().items()
        ]
        lines.append("# TYPE shieldwall_refused_total counter")
        lines += [
            f'shieldwall_refused_total{{code="{code}"}} {n}' for code, n in sorted(self.refused.items())
        ]
        lines.append("# TYPE shieldwall_command_seconds histogram")
        lines += self.commands.lines("shieldwall_command_seconds")
        lines.append("# TYPE shieldwall_question_seconds histogram")
        for kind, durations in sorted(self.questions.items()):
            lines += durations.lines("shieldwall_question_seconds", f'kind="{kind}"')
        return "\n".join([*lines, *self.heartbeat.lines()]) + "\n"


def _process() -> tuple[int, float]:
    """Memory in bytes and processor seconds of this process."""
    used = os.times()
    try:
        with open("/proc/self/statm", encoding="ascii") as sizes:
            memory = int(sizes.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        memory = 0
    return memory, used.user + used.system
