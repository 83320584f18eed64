"""Two servers on one PostgreSQL, tried for long: one of them dies again and again while it owns games.

`SHIELDWALL_SOAK_CLUSTER_KILLS` says how often; `tests/soak/progress.py` how to go on after a break.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.databases import Postgres
from tests.server.killing import Nursery, Server
from tests.server.player import Person, Table
from tests.soak.progress import SoakProgress

KILLS = int(os.environ.get("SHIELDWALL_SOAK_CLUSTER_KILLS", "10"))
BATCH = 10
GAMES = 4
BACK_SECONDS = float(os.environ.get("SHIELDWALL_SOAK_BACK_SECONDS", "5"))


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.stop()


class Field:
    """Two servers and a few games. Answers are given in all of them while one server dies."""

    def __init__(
        self, database: str, seed: int, too_early: bool = False, nursery: Nursery | None = None
    ) -> None:
        self._database, self._too_early, self._nursery = database, too_early, nursery
        self._numbers = random.Random(seed)
        self._servers = [self._born(), self._born()]
        self._person = Person(self._servers[0].address)
        order = {"table": {"kind": "empty"}}
        self._games = [self._person.make("skirmish-3.2", "me", "me", **order)["game"] for _ in range(GAMES)]
        self._promised = dict.fromkeys(self._games, (0, ""))
        self.slowest = 0.0
        self.acknowledged = 0
        self.problems: list[str] = []

    def _born(self) -> Server:
        return Server(self._database, self._too_early, nursery=self._nursery)

    def run(self, kills: int) -> list[str]:
        """Play and kill; everything that was promised and is gone."""
        try:
            for _ in range(kills):
                self._round()
        finally:
            for server in self._servers:
                server.kill()
        return self.problems

    def _round(self) -> None:
        victim = self._numbers.randrange(2)
        tables = {game: self._back(game, self._servers[1 - victim]) for game in self._games}
        for game, table in tables.items():
            self._answer(game, table)
        fuse = threading.Timer(self._numbers.uniform(0.0, 0.2), self._servers[victim].kill)
        fuse.start()
        for game, table in tables.items():
            with contextlib.suppress(ConnectionClosed, TimeoutError, OSError):
                self._answer(game, table)
        fuse.join()
        began = time.monotonic()
        for game in self._games:
            table = self._back(game, self._servers[1 - victim])
            self._compare(game, table)
            table.close()
        self.slowest = max(self.slowest, time.monotonic() - began)
        self._servers[victim] = self._born()

    def _back(self, game: str, server: Server) -> Table:
        if self._person.address != server.address:
            self._person.moved_to(server.address)
        end = time.monotonic() + 60
        while True:
            try:
                return self._person.sit(game)
            except (OSError, ConnectionClosed, InvalidHandshake, KeyError):
                assert time.monotonic() < end, "the game did not come back"
                time.sleep(0.1)

    def _answer(self, game: str, table: Table) -> None:
        question = table.until_asked()
        assert question is not None
        accepted = table.answer(question["default"])
        if accepted["type"] == "accepted":
            self._promised[game] = (accepted["seq"], accepted["hash"])
            self.acknowledged += 1
            while table.seq < accepted["seq"]:
                table.take()

    def _compare(self, game: str, table: Table) -> None:
        seq, promised = self._promised[game]
        if table.seq < seq:
            self.problems.append(f"step {seq} was acknowledged, the game is at {table.seq}")
        elif table.seq == seq and table.hash != promised:
            self.problems.append(f"step {seq} came back as another state")
        self._promised[game] = (table.seq, table.hash)


def test_nothing_acknowledged_is_lost_when_owners_die(postgres: Postgres) -> None:
    progress, nursery = SoakProgress("cluster-kills"), Nursery()
    try:
        for number, kills in progress.left("kills", KILLS, BATCH):
            field = Field(postgres.address(f"owners{number}"), seed=7 + number, nursery=nursery)
            assert field.run(kills) == []
            assert field.acknowledged >= kills * GAMES
            progress.add(kills=kills, acknowledged=field.acknowledged, slowest=field.slowest)
    finally:
        nursery.close()
    print(
        f"{progress.total('kills'):.0f} kills, {progress.total('acknowledged'):.0f} acknowledged, "
        f"all games back within {progress.most('slowest'):.1f} s"
    )
    assert progress.most("slowest") < BACK_SECONDS


def test_servers_that_acknowledge_before_they_store_are_caught(postgres: Postgres) -> None:
    assert Field(postgres.address("control"), seed=8, too_early=True).run(3) != []
