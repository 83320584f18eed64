"""The server is killed in the middle of a game: nothing acknowledged is lost or duplicated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.killing import GAMES, Campaign, ForkServer


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(
    tmp_path: Path, fork_server: ForkServer
) -> None:
    campaign = Campaign(f"sqlite:///{tmp_path / 'games.db'}", seed=1, fork_server=fork_server)
    assert campaign.run(kills=2) == []
    assert campaign.acknowledged >= 2 * GAMES


@pytest.mark.slow
def test_a_server_that_acknowledges_before_it_stores_is_caught(
    tmp_path: Path, fork_server: ForkServer
) -> None:
    campaign = Campaign(f"sqlite:///{tmp_path / 'games.db'}", seed=2, too_early=True, fork_server=fork_server)
    assert campaign.run(kills=1) != []
