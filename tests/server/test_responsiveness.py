"""The server stays responsive while any one expensive request runs.

The tests measure the processor time that the server spends, in any of its threads, until its event loop runs again,
so other work on the machine makes no difference. `tests/soak/test_responsiveness_soak.py` has latencies by the clock.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from shieldwall.server.metrics import BEAT_SECONDS, Heartbeat
from tests.server.hostile_inputs import ATTACKS, Attack
from tests.server.killing import Server
from tests.server.player import Person, Table
from tests.server.test_parts import burn

LONGEST_MS = 120.0  # half of the 250 ms that players may wait
TIMES = 2
ANSWERS = 6


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with worker processes, as it is really run, with its budgets of bytes and work."""
    folder: Path = tmp_path_factory.mktemp("busy")
    running = Server(f"sqlite:///{folder / 'games.db'}", processes=True)
    yield running
    running.kill()


@pytest.fixture(scope="module")
def victim(busy: Server) -> Table:
    player = Person(busy.address)
    table = player.sit(player.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
    for _ in range(3):
        table.play_default()
    return table


def longest_ms(address: str) -> float:
    """The longest time the loop was blocked since the last call."""
    told = httpx2.get(f"{address}/metrics", timeout=60).text
    found = re.search(r"^shieldwall_loop_longest_seconds (\S+)$", told, re.MULTILINE)
    assert found is not None, told
    return float(found[1]) * 1000


def attacked(address: str, attack: Attack, sent: list[int]) -> None:
    with httpx2.Client(base_url=address, timeout=120) as client:
        client.get("/api/home")
        for _ in range(TIMES):
            sent.append(client.request(attack.method, attack.path, content=attack.body).status_code)


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_expensive_request_does_not_block_the_server(busy: Server, victim: Table, name: str) -> None:
    sent: list[int] = []
    longest_ms(busy.address)
    attacker = threading.Thread(target=attacked, args=(busy.address, ATTACKS[name], sent))
    attacker.start()
    for _ in range(ANSWERS):  # the game goes on meanwhile
        assert victim.play_default()
        if victim.can_undo:
            victim.command(type="undo")
            victim.until("steps")
    attacker.join(150)
    assert len(sent) == TIMES
    assert all(code < 500 for code in sent), sent
    assert longest_ms(busy.address) < LONGEST_MS


@pytest.mark.slow
def test_a_blocked_server_is_noticed() -> None:
    """The measurement itself: a blocked loop is detected."""

    async def work() -> float:
        heart = Heartbeat()
        beating = asyncio.create_task(heart.keep())
        while not sum(heart.beats.counts):
            await asyncio.sleep(BEAT_SECONDS)
        beats = sum(heart.beats.counts)
        burn(LONGEST_MS / 1000)
        while sum(heart.beats.counts) == beats:
            await asyncio.sleep(BEAT_SECONDS)
        beating.cancel()
        return heart.longest

    assert asyncio.run(work()) * 1000 > LONGEST_MS
