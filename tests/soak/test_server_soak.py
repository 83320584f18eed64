"""The server's promises, tried for long: 50 kills, 500 made-up requests an operation, a game over many sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.conftest import Running
from tests.server.fuzzing import faults_of
from tests.server.killing import Campaign
from tests.server.player import Person

KILLS = 50
EXAMPLES = 500


def test_nothing_acknowledged_is_lost_in_fifty_kills(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, kills=KILLS, seed=50)
    assert campaign.run() == []
    assert campaign.acknowledged >= KILLS


def test_the_control_arm_is_caught_again_and_again(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, kills=10, seed=51, too_early=True)
    assert len(campaign.run()) >= 5


def test_made_up_requests_find_nothing(tmp_path: Path) -> None:
    server = Running(f"sqlite:///{tmp_path / 'games.db'}")
    try:
        assert faults_of(server.address, EXAMPLES) == []
    finally:
        server.stop()


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
