"""Latencies by the clock while any one expensive request runs; meaningful only on an idle machine.

`SHIELDWALL_SOAK_ATTACK_SECONDS` says how long each is tried.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.server.hostile_inputs import ATTACKS, Attack
from tests.server.killing import Server
from tests.server.player import Person, Table

MOST_MS = 250
SECONDS = float(os.environ.get("SHIELDWALL_SOAK_ATTACK_SECONDS", "10"))


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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


def attack_until(stop: threading.Event, address: str, attack: Attack, sent: list[int]) -> None:
    with httpx2.Client(base_url=address, timeout=120) as client:
        client.get("/api/home")
        while not stop.is_set():
            answer = client.request(attack.method, attack.path, content=attack.body)
            sent.append(answer.status_code)


def answer_times(table: Table, until: float) -> list[float]:
    """How long answers of the game took to be acknowledged, in milliseconds."""
    found = []
    while time.monotonic() < until:
        assert table.until_asked() is not None
        assert table.question is not None
        began = time.monotonic()
        answer = table.answer(table.question["default"])
        found.append((time.monotonic() - began) * 1000)
        assert answer["type"] == "accepted", answer
        while table.seq < answer["seq"]:
            table.take()
        if table.can_undo:  # the game lasts as long as it is needed
            table.command(type="undo")
            table.until("steps")
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("name", ATTACKS)
def test_a_player_is_answered_during_an_attack(busy: Server, victim: Table, name: str) -> None:
    stop, sent = threading.Event(), list[int]()
    alone = p99(answer_times(victim, time.monotonic() + SECONDS / 2))
    attacker = threading.Thread(target=attack_until, args=(stop, busy.address, ATTACKS[name], sent))
    attacker.start()
    try:
        taken = p99(answer_times(victim, time.monotonic() + SECONDS))
    finally:
        stop.set()
        attacker.join(150)
    assert sent, "the attack was made"
    assert all(code < 500 for code in sent), sent
    print(f"{name}: p99 {taken:.0f} ms, {alone:.0f} ms without; load average {os.getloadavg()[0]:.1f}")
    assert taken < MOST_MS


def p99(values: list[float]) -> float:
    return statistics.quantiles(values, n=100)[98] if len(values) > 1 else values[0]
