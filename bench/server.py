"""`python3 dev.py bench server`: games that one server holds, acknowledgements a second, and memory for each game.

A server of its own on a free port of this machine, and people who answer one question a second in each game, with two
sockets a game. Processor time is what the server's processes used, so that other work on the machine disturbs it
little; latencies are by the clock and mean something only on an idle machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
from websockets.asyncio.client import ClientConnection, connect

SERVE = """
import sys
from shieldwall.server.budgets import lifted
from shieldwall.server.serving import Serving, serve
serve(Serving("127.0.0.1", 0, sys.argv[1], browser=False, limits=lifted(), processes=int(sys.argv[2])))
"""
TICKS = os.sysconf("SC_CLK_TCK")
HELD_MS = 150.0


class Load(NamedTuple):
    """What was measured with so many games."""

    games: int
    acknowledged: float  # a second
    p50: float
    p99: float
    server_ms: float  # processor time of the server itself for each acknowledgement
    workers_ms: float  # and of its workers
    megabytes: float  # of the server, for each game

    def row(self) -> str:
        """One line of the table."""
        held = "yes" if self.p99 <= HELD_MS else "no"
        return (
            f"| {self.games} | {held} | {self.acknowledged:.1f} | {self.p50:.0f} ms | {self.p99:.0f} ms "
            f"| {self.server_ms:.2f} ms | {self.workers_ms:.2f} ms | {self.megabytes:.2f} MB |"
        )


class Server:
    """A server process with its workers."""

    def __init__(self, database: str, processes: int = 1) -> None:
        self.processes = processes
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, database, str(processes)], stderr=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        line = next(line for line in self.process.stderr if "http://" in line)
        self.address = line.split("at ", 1)[1].split()[0].rstrip("/")

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

    def stop(self) -> None:
        """End it."""
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.communicate(timeout=20)
        self.process.kill()


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in found for child in each.read_text().split()]


def _seconds_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


class Pair:
    """One game with two sockets of one player: the seat that is asked answers."""

    def __init__(self, address: str, http: httpx2.AsyncClient, edition: str) -> None:
        self.address, self.http, self.edition = address, http, edition
        self.sockets: list[ClientConnection] = []
        self.question: dict[str, Any] | None = None
        self.seq = 0
        self.over = False

    async def open(self) -> None:
        """Make the game and sit down twice."""
        order = {
            "edition": self.edition,
            "seats": [{"who": "me"}, {"who": "me"}],
            "nonce": "ab" * 16,
            "table": {"kind": "empty"},
        }
        answer = await self.http.post("/api/games", json=order)
        assert answer.status_code == 200, answer.text
        game = answer.json()["game"]
        cookie = f"shieldwall={self.http.cookies['shieldwall']}"
        for _ in range(2):
            socket = await connect(
                f"{self.address.replace('http', 'ws')}/api/games/{game}/socket",
                additional_headers={"Cookie": cookie},
                max_size=None,
                compression=None,
            )
            self.sockets.append(socket)
            await socket.send('{"type":"hello"}')

    async def ready(self) -> None:
        """Wait until the armies stand and somebody is asked."""
        while not (self.question and self.question["mine"]):
            await self._take()

    async def _take(self) -> dict[str, Any]:
        data = await self.sockets[0].recv()
        message: dict[str, Any] = msgspec.json.decode(data)
        if message["type"] == "welcome":
            self.seq = message["seq"]
        for step in message.get("steps", ()):
            self.seq = step["seq"]
        if message["type"] in ("welcome", "steps"):
            self.question, self.over = message["question"], message["status"] == "over"
        return message

    async def drain(self) -> None:
        """The second player only reads."""
        with contextlib.suppress(Exception):
            while True:
                await self.sockets[1].recv()

    async def answer(self) -> float:
        """Answer the question at hand; milliseconds until it is acknowledged."""
        assert self.question is not None
        id = secrets.token_hex(8)
        message = {
            "type": "answer", "command_id": id, "expected_seq": self.seq, "answer": self.question["default"],
        }  # fmt: skip
        began = time.perf_counter()
        await self.sockets[0].send(msgspec.json.encode(message).decode())
        while True:
            told = await self._take()
            if told["type"] == "accepted" and told["command_id"] == id:
                break
            assert told["type"] != "refused", told
        taken = (time.perf_counter() - began) * 1000
        while self.seq < told["seq"] or not (self.over or (self.question and self.question["mine"])):
            await self._take()
        return taken

    async def close(self) -> None:
        """Leave."""
        for socket in self.sockets:
            await socket.close()


async def _play(pair: Pair, every: float, until: float, taken: list[float]) -> None:
    await asyncio.sleep(secrets.randbelow(1000) / 1000 * every)
    while time.monotonic() < until and not pair.over:
        began = time.monotonic()
        taken.append(await pair.answer())
        await asyncio.sleep(max(0.0, every - (time.monotonic() - began)))


async def _measured(server: Server, games: int, seconds: float, every: float, edition: str) -> Load:
    async with httpx2.AsyncClient(base_url=server.address, timeout=120) as http:
        await http.get("/api/home")
        before_mb = server.megabytes()
        pairs = [Pair(server.address, http, edition) for _ in range(games)]
        for pair in pairs:
            await pair.open()
        await asyncio.gather(*(pair.ready() for pair in pairs))
        readers = [asyncio.create_task(pair.drain()) for pair in pairs]
        taken: list[float] = []
        before, began = server.seconds(), time.monotonic()
        await asyncio.gather(*(_play(pair, every, began + seconds, taken) for pair in pairs))
        after, ended = server.seconds(), time.monotonic()
        memory = (server.megabytes() - before_mb) / games
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*(pair.close() for pair in pairs))
    taken.sort()
    count = max(1, len(taken))
    return Load(
        games,
        len(taken) / (ended - began),
        taken[count // 2],
        taken[min(count - 1, int(count * 0.99))],
        (after[0] - before[0]) * 1000 / count,
        (after[1] - before[1]) * 1000 / count,
        memory,
    )


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
    sizes: list[int], seconds: float = 15.0, every: float = 1.0, sets: Sequence[Set] = SETS
) -> list[Load]:
    """One server for each kind and number of games."""
    found = []
    for kind in sets:
        print(f"\n{kind.name}\n\n{HEAD}", flush=True)
        with _databases(kind) as fresh:
            for games in sizes:
                server = Server(fresh(), kind.processes)
                try:
                    found.append(asyncio.run(_measured(server, games, seconds, every, "skirmish-3.2")))
                finally:
                    server.stop()
                print(found[-1].row(), flush=True)
    return found


@contextlib.contextmanager
def _databases(kind: Set) -> Iterator[Callable[[], str]]:
    """Makes fresh databases: SQLite files, or those of a PostgreSQL that waits for the disk as a real one does."""
    numbers = itertools.count()
    if kind.postgresql:
        from tests.server.databases import Postgres

        postgres = Postgres(durable=True)
        try:
            yield lambda: postgres.address(f"bench{next(numbers)}")
        finally:
            postgres.stop()
        return
    with tempfile.TemporaryDirectory(prefix="shieldwall-bench-") as folder:
        yield lambda: f"sqlite:///{folder}/games{next(numbers)}.db"


HEAD = (
    "| games | held at 150 ms | acknowledged a second | p50 | p99 | server, each | workers, each | memory a game |\n"
    "|---|---|---|---|---|---|---|---|"
)
