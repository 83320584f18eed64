"""The server's promises, tried for long: 50 kills, 500 made-up requests an operation, a game over many sockets."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.conftest import Running
from tests.server.databases import Postgres
from tests.server.fuzzing import MessageFuzzer, faults_of
from tests.server.killing import Campaign
from tests.server.player import Person

KILLS = int(os.environ.get("SHIELDWALL_SOAK_KILLS", "50"))
GAMES = 5  # which share the kills, each from the first step on
EXAMPLES = 500
MESSAGES = int(os.environ.get("SHIELDWALL_SOAK_MESSAGES", "20000"))
OPENED = int(os.environ.get("SHIELDWALL_SOAK_GAMES", "100"))
GROWTH_MB = 1.5  # that a game which was opened, played a little and closed again may leave behind


@pytest.mark.parametrize("game", range(GAMES))
def test_nothing_acknowledged_is_lost_in_fifty_kills(tmp_path: Path, game: int) -> None:
    kills = KILLS // GAMES
    campaign = Campaign(tmp_path, kills=kills, seed=50 + game)
    assert campaign.run() == []
    assert campaign.acknowledged >= kills


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.stop()


@pytest.mark.parametrize("game", range(GAMES))
def test_nothing_acknowledged_is_lost_on_postgresql_either(
    tmp_path: Path, postgres: Postgres, game: int
) -> None:
    kills = KILLS // GAMES
    database = postgres.address(f"kills{game}")
    campaign = Campaign(tmp_path, kills=kills, seed=70 + game, database=database)
    assert campaign.run() == []
    assert campaign.acknowledged >= kills


def test_messages_made_up_from_real_ones_find_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    try:
        with caplog.at_level(logging.ERROR):
            sent = MessageFuzzer(server.address, seed=1).run(MESSAGES)
        assert sent >= MESSAGES
        assert [record.getMessage() for record in caplog.records] == []
    finally:
        server.stop()


def test_games_that_were_closed_again_take_no_memory(tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    lobby = server.app.state.lobby
    try:
        person = Person(server.address)
        sizes = []
        for number in range(OPENED):
            order = {"table": {"kind": "empty"}}
            table = person.sit(person.make("skirmish-3.2", "me", "me", **order)["game"])
            table.play_default()
            table.close()
            if number in (OPENED // 2, OPENED - 1):
                for room in lobby.rooms.values():
                    room.used_at -= 10_000
                asyncio.run_coroutine_threadsafe(lobby.sweep(), server.loop).result(60)
                sizes.append(resident_mb())
        assert sizes[1] - sizes[0] < GROWTH_MB * OPENED / 2
        assert len(lobby.rooms) <= 1
    finally:
        server.stop()


def resident_mb() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_the_control_arm_is_caught_again_and_again(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, kills=10, seed=151, too_early=True)
    assert len(campaign.run()) >= 5


def test_made_up_requests_find_nothing(tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    try:
        assert faults_of(server.address, EXAMPLES) == []
    finally:
        server.stop()


def test_workers_do_not_outlive_a_killed_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "shieldwall.cli.main", "play", "--port", "0", "--no-browser"]
    command += ["--db", f"sqlite:///{tmp_path / 'games.db'}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = next(line for line in server.stderr if "http://" in line).split("at ", 1)[1].split()[0]
        person = Person(address.rstrip("/"))
        person.sit(person.make("skirmish-3.2", "solo", "solo")["game"])
        tasks = Path(f"/proc/{server.pid}/task").glob("*/children")
        children = [int(child) for task in tasks for child in task.read_text().split()]
        assert len(children) >= 2
        server.kill()
        server.wait()
    end = time.monotonic() + 10
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < end, "workers outlived their server"
        time.sleep(0.1)


@pytest.mark.parametrize("edition", ["aof-1.6", "aof-2", "regiments-3.4", "regiments-3.5", "skirmish-3.2"])
def test_bots_play_whole_games_of_every_edition(tmp_path: Path, edition: str) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    try:
        person = Person(server.address)
        seats = [{"who": "bot", "bot": "solo"}, {"who": "bot", "bot": "solo"}]
        order = {"edition": edition, "seats": seats, "nonce": "ab" * 16}
        table = person.sit(person.post("/api/games", order)["game"])
        table.send(type="pace", delay=0)
        while table.status != "over":
            table.take(timeout=120)
        proof = person.get(f"/api/games/{table.first['game']}/dice")
        assert proof["verified"]
    finally:
        server.stop()
