"""The server's guarantees in long tests: kills, generated requests and messages, thousands of games.

Sizes are set by the environment: `SHIELDWALL_SOAK_KILLS` (for each database), `SHIELDWALL_SOAK_CLUSTER_KILLS` (of one
of two servers), `SHIELDWALL_SOAK_MESSAGES` and `SHIELDWALL_SOAK_GAMES`; `tests/soak/progress.py` says how to go on
after a break.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shieldwall.editions import EDITIONS
from shieldwall.server.jobs import GAMES_KEPT
from shieldwall.server.rescue import check_all
from tests.server.conftest import Running
from tests.server.databases import Postgres
from tests.server.fuzzing import MessageFuzzer, faults_of
from tests.server.killing import GAMES, Campaign, ForkServer
from tests.server.player import Person
from tests.soak.progress import SoakProgress

KILLS = int(os.environ.get("SHIELDWALL_SOAK_KILLS", "50"))
CLUSTER_KILLS = int(os.environ.get("SHIELDWALL_SOAK_CLUSTER_KILLS", "10"))
BACK_SECONDS = float(os.environ.get("SHIELDWALL_SOAK_BACK_SECONDS", "5"))
BATCH = 10  # kills with one database
MESSAGES_AT_ONCE = 10_000
FUZZED_AT_ONCE = 20  # games
EXAMPLES = 500
MESSAGES = int(os.environ.get("SHIELDWALL_SOAK_MESSAGES", "20000"))
OPENED = int(os.environ.get("SHIELDWALL_SOAK_GAMES", "100"))
FIRST_GAMES = 2 * GAMES_KEPT  # after which the caches of workers are full
SWEPT_EVERY = 50
GROWTH_MB = 40.0  # that the server may grow after all games have been opened, played and closed


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    running = Postgres()
    yield running
    running.stop()


def killed_again_and_again(name: str, whole: int, database: Callable[[int], str], servers: int = 1) -> float:
    """Games that are played from the first step on while their server, or one of two, is killed; the slowest
    return."""
    progress, fork_server = SoakProgress(name), ForkServer()
    try:
        for number, kills in progress.left("kills", whole, BATCH):
            address = database(number)
            campaign = Campaign(address, 50 + number, servers, fork_server=fork_server)
            assert campaign.run(kills) == []
            assert_sound(address)
            assert campaign.acknowledged >= kills * GAMES
            progress.add(kills=kills, acknowledged=campaign.acknowledged, slowest=campaign.slowest)
    finally:
        fork_server.close()
    print(
        f"{progress.total('kills'):.0f} kills, {progress.total('acknowledged'):.0f} acknowledged, none lost; "
        f"all games back within {progress.most('slowest'):.1f} s"
    )
    return progress.most("slowest")


def assert_sound(database: str) -> None:
    """Replay every stored game from its first command, and check every hash and every die."""
    report = asyncio.run(check_all(database, []))
    assert report.sound, report.lines


def test_nothing_acknowledged_is_lost_in_many_kills(tmp_path: Path) -> None:
    killed_again_and_again("sqlite-kills", KILLS, lambda n: f"sqlite:///{tmp_path / f'games{n}.db'}")


def test_nothing_acknowledged_is_lost_on_postgresql_either(postgres: Postgres) -> None:
    killed_again_and_again("postgresql-kills", KILLS, lambda n: postgres.address(f"kills{n}"))


def test_nothing_acknowledged_is_lost_when_owners_die(postgres: Postgres) -> None:
    """Two servers that share the games; one of them dies repeatedly, and the other takes over all of them."""
    slowest = killed_again_and_again(
        "cluster-kills", CLUSTER_KILLS, lambda n: postgres.address(f"owners{n}"), servers=2
    )
    assert slowest < BACK_SECONDS


@pytest.mark.parametrize("servers", [1, 2])
def test_the_control_arm_is_caught_again_and_again(postgres: Postgres, servers: int) -> None:
    fork_server = ForkServer()
    try:
        address = postgres.address(f"control{servers}")
        campaign = Campaign(address, 151, servers, too_early=True, fork_server=fork_server)
        assert len(campaign.run(kills=10)) >= 5
    finally:
        fork_server.close()


def test_messages_made_up_from_real_ones_find_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Sent to games of all editions at once; afterwards each game is intact from its first command on."""
    progress, database = SoakProgress("messages"), f"sqlite:///{tmp_path / 'games.db'}"
    server = Running(database)

    def send(number: int, messages: int) -> int:
        edition = list(EDITIONS)[number % len(EDITIONS)]
        return MessageFuzzer(server.address, seed=number, edition=edition).run(messages)

    try:
        with caplog.at_level(logging.ERROR), ThreadPoolExecutor(FUZZED_AT_ONCE) as hands:
            for batch, messages in progress.left("messages", MESSAGES, MESSAGES_AT_ONCE):
                numbers = range(batch * FUZZED_AT_ONCE, (batch + 1) * FUZZED_AT_ONCE)
                each = [-(-messages // FUZZED_AT_ONCE)] * FUZZED_AT_ONCE
                sent = sum(hands.map(send, numbers, each))
                assert [record.getMessage() for record in caplog.records] == []
                progress.add(messages=sent)
    finally:
        server.stop()
    assert_sound(database)
    print(f"{progress.total('messages'):.0f} messages")


def test_games_that_were_closed_again_take_no_memory(tmp_path: Path) -> None:
    """A server's memory is bounded: after the first games, many more add at most a fixed amount."""
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    try:
        person = Person(server.address)
        order = {"table": {"kind": "empty"}}
        sizes = []
        for number in range(1, FIRST_GAMES + OPENED + 1):
            edition = list(EDITIONS)[number % len(EDITIONS)]
            table = person.sit(person.make(edition, "me", "me", **order)["game"])
            table.play_default()
            table.close()
            if number % SWEPT_EVERY == 0 or number == FIRST_GAMES + OPENED:
                swept(server)
            if number in (FIRST_GAMES, FIRST_GAMES + OPENED):
                sizes.append(resident_mb())
        print(
            f"{OPENED} games after the first {FIRST_GAMES}: {sizes[0]:.0f} MB before, {sizes[1]:.0f} MB after"
        )
        assert sizes[1] - sizes[0] < GROWTH_MB
        assert len(server.app.state.lobby.rooms) <= 1
    finally:
        server.stop()


def swept(server: Running) -> None:
    """Pretend that no game has been used for a while."""
    lobby = server.app.state.lobby
    for room in lobby.rooms.values():
        room.used_at -= 10_000
    asyncio.run_coroutine_threadsafe(lobby.sweep(), server.loop).result(60)


def resident_mb() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


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
