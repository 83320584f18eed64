"""The server's promises, tried for long: 50 kills, 500 made-up requests an operation, a game over many sockets."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.conftest import Running
from tests.server.fuzzing import faults_of
from tests.server.killing import Campaign
from tests.server.player import Person

KILLS = 50
GAMES = 5  # which share the kills, each from the first step on
EXAMPLES = 500


@pytest.mark.parametrize("game", range(GAMES))
def test_nothing_acknowledged_is_lost_in_fifty_kills(tmp_path: Path, game: int) -> None:
    kills = KILLS // GAMES
    campaign = Campaign(tmp_path, kills=kills, seed=50 + game)
    assert campaign.run() == []
    assert campaign.acknowledged >= kills


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
