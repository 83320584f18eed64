"""`python3 dev.py bench server`: games a server can hold, acknowledgements per second, and memory per game.

Starts a server on a free port of this machine. Games of all editions played by bots are stored in its database, each at
a different moment; two players continue each of them with one answer per second, while new games are made as fast as
others would end. Processor time is that of the processes, so other work on the machine disturbs it
little; latencies are wall-clock time, printed with the load average.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from bench.server_dice import NONCES
from bench.server_games import Recording, StoredGame, fill, recordings

TICKS = os.sysconf("SC_CLK_TCK")
HELD_MS = 150.0
SETTLE_SECONDS = 3.0
LOOKS_ASLEEP = 8  # consecutive checks in which no worker wanted the processor
GAME_SECONDS = 300.0  # a game lasts about this long at one answer per second: as many are made as end


class Load(NamedTuple):
    """The measurements with a number of games."""

    games: int
    acknowledged: float  # a second
    p50: float
    p99: float
    seen_p99: float  # until the other player saw the step
    new_game: float  # median ms from the order to the board
    server_ms: float  # processor time of the server itself per acknowledgement
    workers_ms: float  # and of its workers
    database_ms: float  # and of PostgreSQL
    players_ms: float  # and of the simulated players
    megabytes: float  # of the server, per game
    busy: float  # load average of the machine

    def row(self) -> str:
        """One line of the table."""
        held = "yes" if self.p99 <= HELD_MS else "no"
        return (
            f"| {self.games} | {held} | {self.acknowledged:.0f} | {self.p50:.0f} ms | {self.p99:.0f} ms "
            f"| {self.seen_p99:.0f} ms | {self.new_game:.0f} ms | {self.server_ms:.2f} ms | {self.workers_ms:.2f} ms "
            f"| {self.database_ms:.2f} ms | {self.players_ms:.2f} ms | {self.megabytes:.2f} MB | {self.busy:.1f} |"
        )


HEAD = (
    "| games | held at 150 ms | acknowledged a second | p50 | p99 | p99, seen by the other | new game, p50 "
    "| server, each | workers, each | PostgreSQL, each | players, each | memory a game | load average |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


class Server:
    """A server process with its workers."""

    def __init__(self, database: str, processes: int = 1, threads: bool = False) -> None:
        self.processes = processes
        more = ["threads"] if threads else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.server_process", database, str(processes), *more],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        line = next(line for line in self.process.stderr if "http://" in line)
        self.address = line.split("at ", 1)[1].split()[0].rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])
        Thread(
            target=self.process.stderr.read, daemon=True
        ).start()  # a full pipe would block the process that logs

    def seconds(self) -> tuple[float, float]:
        """Processor time so far: of the servers themselves, and of their workers."""
        servers = self._servers()
        workers = [child for pid in servers for child in _children(pid) if child not in servers]
        return sum(map(_seconds_of, servers)), sum(map(_seconds_of, workers))

    def _servers(self) -> list[int]:
        if self.processes == 1:
            return [self.process.pid]
        children = _children(self.process.pid)
        return [pid for pid in children if _children(pid)]  # not the tracker of resources, which has none

    def megabytes(self) -> float:
        """Memory of the servers without their workers."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._servers()]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def settle(self) -> None:
        """Wait until its workers have imported everything and sleep, because that cost belongs to no answer."""
        asleep = 0
        while asleep < LOOKS_ASLEEP:
            time.sleep(0.25)
            workers = [child for pid in self._servers() for child in _children(pid)]
            asleep = asleep + 1 if len(workers) > 1 and all(map(_sleeps, workers)) else 0

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=20)
        self.process.kill()


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in found for child in each.read_text().split()]


def _sleeps(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"
    except OSError:
        return True


def _seconds_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


class Crowd:
    """All players, in a separate process."""

    def __init__(self, folder: Path, server: Server, games: list[StoredGame], known: list[Recording]) -> None:
        self._result = folder / "result.json"
        self._folder, self._server, self._games, self._known = folder, server, games, known

    def play(self, seconds: float, every: float) -> subprocess.Popen[str]:
        """Start; the process says when the measured time starts and ends."""
        order = {
            "port": self._server.port,
            "every": every,
            "seconds": seconds,
            "settle": SETTLE_SECONDS,
            "games": self._games,
            "answers": [one.answers for one in self._known],
            "seats": [one.seats for one in self._known],
            "orders": [one.order.decode() for one in self._known],
            "nonce": NONCES[1],
            "new_each_second": len(self._games) / GAME_SECONDS,
        }
        asked = self._folder / "order.json"
        asked.write_text(json.dumps(order))
        command = [sys.executable, "-m", "bench.server_client", str(asked), str(self._result)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def found(self) -> dict[str, Any]:
        """Their measurements."""
        found: dict[str, Any] = json.loads(self._result.read_text())
        return found


class Sizes(NamedTuple):
    """How long and how often it is measured."""

    games: int
    seconds: float
    every: float


def _measured(server: Server, postgres: int, sizes: Sizes, crowd: Crowd) -> Load:
    before_mb = server.megabytes()
    players = crowd.play(sizes.seconds, sizes.every)
    assert players.stdout is not None
    before, after = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for line in players.stdout:
        spent = (*server.seconds(), _family_seconds(postgres) if postgres else 0.0)
        before, after = (spent, after) if "begin" in line else (before, spent)
    memory = (server.megabytes() - before_mb) / sizes.games
    assert players.wait(60) == 0
    found = crowd.found()
    assert not found["problems"], found["problems"]
    count = max(1, len(found["times"]))
    each = [(late - early) * 1000 / count for early, late in zip(before, after, strict=True)]
    return Load(
        sizes.games,
        count / found["seconds"],
        _quantile(found["times"], 0.5),
        _quantile(found["times"], 0.99),
        _quantile(found["seen"], 0.99),
        _quantile(found["made"], 0.5),
        *each,
        found["spent"] * 1000 / count,
        memory,
        os.getloadavg()[0],
    )


def _quantile(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def _family_seconds(pid: int) -> float:
    """Processor time of a process and its children, including those that have ended."""
    return _seconds_of(pid) + sum(map(_seconds_of, _children(pid)))


class Set(NamedTuple):
    """One kind of server: its database and how many processes share it."""

    name: str
    postgresql: bool
    processes: int


SETS = (
    Set("SQLite, one process", False, 1),
    Set("PostgreSQL, one process", True, 1),
    Set("PostgreSQL, two processes", True, 2),
)


def run(
    sizes: Sequence[int], seconds: float = 15.0, every: float = 1.0, sets: Sequence[Set] = SETS
) -> list[Load]:
    """One server for each kind and number of games."""
    found, known = [], recordings()
    for kind in sets:
        print(f"\n{kind.name}\n\n{HEAD}", flush=True)
        with _databases(kind) as (fresh, postgres):
            for games in sizes:
                found.append(_one(fresh(), postgres, kind, Sizes(games, seconds, every), known))
                print(found[-1].row(), flush=True)
    return found


def _one(database: str, postgres: int, kind: Set, sizes: Sizes, known: list[Recording]) -> Load:
    stored = asyncio.run(fill(database, known, sizes.games))
    server = Server(database, kind.processes)
    server.settle()
    try:
        with tempfile.TemporaryDirectory(prefix="shieldwall-bench-") as folder:
            return _measured(server, postgres, sizes, Crowd(Path(folder), server, stored, known))
    finally:
        server.stop()


@contextlib.contextmanager
def _databases(kind: Set) -> Iterator[tuple[Callable[[], str], int]]:
    """Creates fresh databases: SQLite files, or those of a PostgreSQL that waits for the disk as a real one does."""
    numbers = itertools.count()
    if kind.postgresql:
        from tests.server.databases import Postgres

        postgres = Postgres(durable=True)
        try:
            yield lambda: postgres.address(f"bench{next(numbers)}"), postgres.pid
        finally:
            postgres.stop()
        return
    with tempfile.TemporaryDirectory(prefix="shieldwall-bench-") as folder:
        yield lambda: f"sqlite:///{folder}/games{next(numbers)}.db", 0
