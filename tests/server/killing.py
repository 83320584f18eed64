"""Kills a server at random moments of a game and looks whether anything it had promised is gone."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.server.player import Person, Table

ROOT = Path(__file__).parents[2]

# The control arm: the same server with acknowledging and storing the wrong way round.
TOO_EARLY = """
import asyncio
from shieldwall.server import live, room
from shieldwall.server.messages import Accepted
from shieldwall.server.storage import store

stored = store.Store.append
async def later(self, row, summary, snapshot=None):
    for running in tuple(ROOMS):
        for viewer in tuple(running.viewers):
            viewer.send(Accepted(row.client_command_id, row.seq, running.live.public_hash(row.state_hash)))
    await asyncio.sleep(0.5)
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
from shieldwall.server.budgets import Limits, lifted
from shieldwall.server.serving import Serving, serve
limits = lifted()._replace(bytes=Limits().bytes, jobs=Limits().jobs) if {strict} else lifted()
serve(Serving("127.0.0.1", 0, {database!r}, browser=False, limits=limits, watched=True, threads=not {strict}))
"""


# Imports everything once and then bears servers that are ready at once, so that many can be killed in little time.
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


class Nursery:
    """A process that bears servers; they die by the same signal as any others."""

    def __init__(self) -> None:
        self.process = started(NURSERY)

    def bear(self, program: str) -> int:
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
    """A server process of its own; unless told otherwise its workers are threads of it, so that one kill ends all."""

    def __init__(
        self, database: str, too_early: bool = False, processes: bool = False, nursery: Nursery | None = None
    ) -> None:
        program = (TOO_EARLY if too_early else "") + SERVE.format(database=database, strict=processes)
        self._nursery = nursery
        if nursery is None:
            self.process = started(program)
            self.pid = self.process.pid
        else:
            self.process = nursery.process
            self.pid = nursery.bear(program)
        self.address = self._address()

    def _address(self) -> str:
        assert self.process.stderr is not None
        said = []
        for line in self.process.stderr:
            said.append(line)
            if "http://" in line:
                if self._nursery is None:
                    threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return line.split("at ", 1)[1].split()[0].rstrip("/")
        raise AssertionError("the server did not start:\n" + "".join(said))

    def kill(self) -> None:
        """The way a power cut ends it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        if self._nursery is None:
            self.process.wait()
        while Path(f"/proc/{self.pid}").exists() and self._nursery is not None:
            time.sleep(0.002)


class Campaign:
    """One hot-seat game, played on and on while its server is killed again and again."""

    def __init__(
        self,
        folder: Path,
        kills: int,
        seed: int,
        too_early: bool = False,
        database: str = "",
        nursery: Nursery | None = None,
    ) -> None:
        self._database = database or f"sqlite:///{folder / 'games.db'}"
        self._kills, self._too_early, self._nursery = kills, too_early, nursery
        self._numbers = random.Random(seed)
        self._promised: tuple[int, str] = (0, "")
        self.acknowledged = 0
        self.problems: list[str] = []

    def run(self) -> list[str]:
        """Play, kill, start again; everything that was promised and is gone."""
        server = Server(self._database, self._too_early, nursery=self._nursery)
        person = Person(server.address)
        game = person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"]
        for _ in range(self._kills):
            self._play(person, game, server)
            server = Server(self._database, self._too_early, nursery=self._nursery)
            person.moved_to(server.address)
            self._compare(person, game)
        server.kill()
        return self.problems

    def _play(self, person: Person, game: str, server: Server) -> None:
        """Answer some questions, then let the server die: while it works on an answer, or right after its word."""
        table = person.sit(game)
        for _ in range(self._numbers.randint(1, 3)):
            self._answer(table)
        after_its_word = self._too_early or self._numbers.random() < 0.5
        fuse = threading.Timer(self._numbers.uniform(0.0, 0.04), server.kill)
        if not after_its_word:
            fuse.start()
        with contextlib.suppress(ConnectionClosed, TimeoutError, OSError):
            self._answer(table, waits=False)
        server.kill()

    def _answer(self, table: Table, waits: bool = True) -> None:
        question = table.until_asked()
        assert question is not None
        accepted = table.answer(question["default"])
        assert accepted["type"] == "accepted", accepted
        self._promised = (accepted["seq"], accepted["hash"])
        self.acknowledged += 1
        while waits and table.seq < accepted["seq"]:
            table.take()

    def _compare(self, person: Person, game: str) -> None:
        """What the server knows after it came back against what it had promised."""
        table = person.sit(game)
        seq, promised = self._promised
        if table.seq < seq:
            self.problems.append(f"step {seq} was acknowledged, the game is at {table.seq}")
        elif table.seq > seq + 1:
            self.problems.append(f"the game is at {table.seq}, though only {seq} was acknowledged")
        elif table.seq == seq and table.hash != promised:
            self.problems.append(f"step {seq} came back as another state")
        self._promised = (table.seq, table.hash)
        table.close()
