"""Kills a server at random moments of a game and checks that nothing it acknowledged is lost."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.player import PATIENCE, Person, Table

ROOT = Path(__file__).parents[2]
GAMES = 4  # played at the same time
FUSE_SECONDS = 0.2
AT_LAST = 5.0  # seconds after which a server that has not finished is killed

# The control arm: the same server, but it acknowledges before it stores.
TOO_EARLY = """
import asyncio
from shieldwall.server import live, room
from shieldwall.server.messages import Accepted
from shieldwall.server.storage import store

# What is stored at once: the beginning of a game, and its first answer on this server.
stored, first = store.Store.append, set()
async def later(self, row, summary, snapshot=None):
    for running in tuple(ROOMS):
        for viewer in tuple(running.viewers):
            viewer.send(Accepted(row.client_command_id, row.seq, running.live.public_hash(row.state_hash)))
    if row.client_command_id != "begin" and row.game in first:
        await asyncio.sleep(600)
    elif row.client_command_id != "begin":
        first.add(row.game)
    return await stored(self, row, summary, snapshot)

ROOMS = []
made = room.Room.__init__
def remember(self, *given, **named):
    made(self, *given, **named)
    ROOMS.append(self)
room.Room.__init__ = remember
store.Store.append = later
"""
SERVE = """
from shieldwall.server.budgets import Limits, unlimited
from shieldwall.server.serving import Serving, serve
limits = unlimited()._replace(bytes=Limits().bytes, jobs=Limits().jobs) if {strict} else unlimited()
serve(Serving("127.0.0.1", 0, {database!r}, browser=False, limits=limits, watched=True, threads=not {strict}))
"""


# Imports everything once and then forks servers that start instantly, so that many can be killed in a short time.
NURSERY = """
import os, signal, sys
import shieldwall.server.serving, shieldwall.server.jobs, alembic.command, sqlalchemy.ext.asyncio, aiosqlite, asyncpg
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.server.armoury import ready_cards
from shieldwall.server.jobs import warm_office
from shieldwall.server.web import create_app
for edition in EDITIONS:
    ruleset(edition), ready_cards(edition)
warm_office()
create_app("sqlite:///never-opened.db")
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    child = os.fork()
    if not child:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(0)
        exec(bytes.fromhex(line.strip()).decode(), {"__name__": "server"})
        os._exit(0)
    print(child, flush=True)
"""


def started(program: str) -> subprocess.Popen[str]:
    """A Python process that runs a program with the sources of this checkout."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    environment = os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )


class ForkServer:
    """A process that forks servers; they die by the same signal as any others."""

    def __init__(self) -> None:
        self.process = started(NURSERY)

    def start_server(self, program: str) -> int:
        """Start a server; its process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(program.encode().hex() + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Server:
    """A separate server process; by default its workers are threads, so that one kill ends everything."""

    def __init__(
        self, database: str, before: str = "", processes: bool = False, fork_server: ForkServer | None = None
    ) -> None:
        program = before + SERVE.format(database=database, strict=processes)
        self._forks = fork_server
        if fork_server is None:
            self.process = started(program)
            self.pid = self.process.pid
        else:
            self.process = fork_server.process
            self.pid = fork_server.start_server(program)
        self.killed = threading.Event()
        self.address = self._address()

    def _address(self) -> str:
        assert self.process.stderr is not None
        said = []
        for line in self.process.stderr:
            said.append(line)
            if "http://" in line:
                if self._forks is None:
                    threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return line.split("at ", 1)[1].split()[0].rstrip("/")
        raise AssertionError("the server did not start:\n" + "".join(said))

    def kill(self) -> None:
        """Kill it with SIGKILL, like a power cut."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        if self._forks is None:
            self.process.wait()
        while Path(f"/proc/{self.pid}").exists() and self._forks is not None:
            time.sleep(0.002)
        self.killed.set()


class Campaign:
    """A few hot-seat games, played at the same time while their server, or one of two, is killed repeatedly.

    Half of the kills come at a random moment, with an answer of every game in flight; the others exactly when an
    answer is acknowledged.
    """

    def __init__(
        self,
        database: str,
        seed: int,
        servers: int = 1,
        too_early: bool = False,
        fork_server: ForkServer | None = None,
    ) -> None:
        self._database, self._too_early, self._forks = database, too_early, fork_server
        self._numbers = random.Random(seed)
        self._servers = [self._start_server() for _ in range(servers)]
        self._person = Person(self._servers[0].address)
        self._promised: dict[str, tuple[int, str]] = {}
        self._counting = threading.Lock()
        self._last_word = 0  # the number of the acknowledgement at which the server dies
        self.acknowledged = 0
        self.slowest = 0.0  # seconds from a kill until all games were back
        self.problems: list[str] = []

    def run(self, kills: int) -> list[str]:
        """Play, kill and restart; returns everything that was acknowledged and then lost."""
        try:
            for _ in range(kills):
                self._round()
        finally:
            for server in self._servers:
                server.kill()
        return self.problems

    def _start_server(self) -> Server:
        return Server(self._database, TOO_EARLY if self._too_early else "", fork_server=self._forks)

    def _round(self) -> None:
        victim = self._numbers.randrange(len(self._servers))
        while len(self._promised) < GAMES:
            made = self._person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})
            self._promised[made["game"]] = (0, "")
        tables = {game: self._back(game, victim - 1) for game in self._promised}
        for game, table in tables.items():
            self._answer(game, table)
        self._kill_while_playing(self._servers[victim], tables)
        killed = time.monotonic()
        if len(self._servers) == 1:
            self._servers[victim] = self._start_server()
        for game in tuple(self._promised):
            self._compare(game, self._back(game, victim - 1))
        self.slowest = max(self.slowest, time.monotonic() - killed)
        if len(self._servers) > 1:
            self._servers[victim] = self._start_server()

    def _kill_while_playing(self, victim: Server, tables: dict[str, Table]) -> None:
        if self._too_early or self._numbers.random() < 0.5:
            most = (
                GAMES if self._too_early else 2 * GAMES
            )  # nothing to kill yet: each game acknowledges one more answer
            self._last_word = self.acknowledged + self._numbers.randint(1, most)
            fuse = threading.Timer(AT_LAST, victim.kill)
        else:
            self._last_word = 0
            fuse = threading.Timer(self._numbers.uniform(0.0, FUSE_SECONDS), victim.kill)

        def play_on(game: str, table: Table) -> None:
            with contextlib.suppress(ConnectionClosed, OSError):
                while not victim.killed.is_set() and self._answer(game, table, victim):
                    pass

        with ThreadPoolExecutor(GAMES) as hands:
            playing = [hands.submit(play_on, game, table) for game, table in tables.items()]
            fuse.start()
            victim.killed.wait()
        fuse.cancel()
        for hand in playing:
            hand.result()
        for table in tables.values():
            table.close()

    def _answer(self, game: str, table: Table, victim: Server | None = None) -> bool:
        """Give the default answer; False if the game is over."""
        question = table.until_asked()
        if question is None:
            return False
        answer = table.answer(question["default"])
        if answer["type"] != "accepted":
            self.problems.append(f"an answer was refused: {answer}")
            return False
        with self._counting:
            self._promised[game] = (answer["seq"], answer["hash"])
            self.acknowledged += 1
            its_last_word = self.acknowledged == self._last_word
        if its_last_word and victim is not None:
            victim.kill()
        while table.seq < answer["seq"]:
            table.take()
        return True

    def _back(self, game: str, server: int) -> Table:
        """The game on a server, as soon as it is available."""
        address = self._servers[server].address
        if self._person.address != address:
            self._person.moved_to(address)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self._person.sit(game)
            except (OSError, ConnectionClosed, InvalidHandshake):
                assert time.monotonic() < end, "the game did not come back"
                time.sleep(0.05)

    def _compare(self, game: str, table: Table) -> None:
        """Compare what the server knows now with what it acknowledged."""
        seq, promised = self._promised[game]
        if table.seq < seq:
            self.problems.append(f"step {seq} was acknowledged, the game is at {table.seq}")
        elif table.seq > seq + 1:
            self.problems.append(f"the game is at {table.seq}, though only {seq} was acknowledged")
        elif table.seq == seq and table.hash != promised:
            self.problems.append(f"step {seq} came back as another state")
        self._promised[game] = (table.seq, table.hash)
        if table.status == "over":
            del self._promised[game]
        table.close()
