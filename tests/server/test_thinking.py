"""A bot that takes its time delays nobody."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

from shieldwall.server import jobs, room
from shieldwall.server.live import LiveGame
from shieldwall.server.storage import StorageError
from shieldwall.server.workers import Workers
from tests.server.player import Person

People = Callable[[], Person]
SLOW = 1.5


@pytest.fixture
def slow_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = jobs.think

    def slow(*given: Any) -> Any:
        time.sleep(SLOW)
        return quick(*given)

    monkeypatch.setattr(jobs, "think", slow)


@pytest.mark.usefixtures("slow_bots")
def test_the_page_is_answered_while_a_bot_thinks(person: People) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "random", "random")["game"])
    table.send(type="pace", delay=0)
    table.until("thinking")
    slowest = 0.0
    seq = table.seq
    for number in range(5):
        began = time.monotonic()
        table.ask(type="measure", id=number, from_point=[0, 0], to_point=[1000, 0])
        assert player.get("/api/games")
        slowest = max(slowest, time.monotonic() - began)
    assert slowest < SLOW / 2
    while table.seq == seq:
        table.take()


def test_steps_are_sent_before_a_question_that_takes_long(
    person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = jobs.question

    def slow(*given: Any) -> Any:
        time.sleep(0.3)
        return quick(*given)

    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    assert table.until_asked()
    monkeypatch.setattr(jobs, "question", slow)
    monkeypatch.setattr(room, "LONG_SECONDS", 0.05)
    assert table.question is not None
    table.answer(table.question["default"])
    told = [table.first]
    while not (told[-1]["type"] == "steps" and told[-1]["question"]):
        told.append(table.take())
    steps = [message for message in told if message["type"] == "steps"]
    assert [(len(message["steps"]), message["question"] is None) for message in steps] == [
        (1, True),
        (0, False),
    ]


def test_a_question_whose_form_fails_can_still_be_answered_the_plain_way(
    person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    monkeypatch.setattr(jobs, "question", broken)
    assert table.play_default()
    question = table.until_asked()
    assert question is not None
    assert question["form"] is None
    before = table.seq
    assert table.play_default()
    assert table.seq > before


def test_a_bot_that_fails_gives_way_to_the_plain_answer(
    person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(jobs, "think", broken)
    player = person()
    table = player.sit(player.make("skirmish-3.2", "random", "random")["game"])
    table.send(type="pace", delay=0)
    while table.seq < 8:
        table.take()
    assert all(step["actor"] in ("bot", "server") for step in table.steps)


def test_of_many_jobs_lost_with_a_worker_all_are_done_again_by_one_new_worker() -> None:
    async def work() -> tuple[set[int], int]:
        workers = Workers()
        before = await workers.ask(os.getpid)
        assert await workers.ask(signal.getsignal, signal.SIGINT) == signal.SIG_IGN, (
            "Ctrl+C is the server's to hear"
        )
        lost = asyncio.create_task(workers.ask(time.sleep, 1))
        waiting = [asyncio.create_task(workers.ask(os.getpid)) for _ in range(4)]
        await asyncio.sleep(0.2)
        os.kill(before, signal.SIGKILL)
        after = set(await asyncio.gather(*waiting))
        lost.cancel()
        workers.close()
        return after, before

    after, before = asyncio.run(work())
    assert len(after) == 1
    assert before not in after


@pytest.mark.parametrize("opponents", [("me", "random"), ("random", "random")])
def test_a_game_goes_on_where_the_answer_of_a_bot_was_lost(
    person: People, monkeypatch: pytest.MonkeyPatch, opponents: tuple[str, str]
) -> None:
    stores, lost = LiveGame.answer, list[str]()

    async def forgetful(self: LiveGame, seat: int, command_id: str, *given: Any) -> Any:
        if command_id.startswith("bot-") and len(lost) < 2:
            lost.append(command_id)
            raise StorageError("the disk is full")
        return await stores(self, seat, command_id, *given)

    monkeypatch.setattr(LiveGame, "answer", forgetful)
    monkeypatch.setattr(room, "WAKE_SECONDS", 0.2)
    player = person()
    table = player.sit(player.make("skirmish-3.2", *opponents)["game"])
    table.send(type="pace", delay=0)
    while len(lost) < 2:
        asked = table.until_asked() if opponents[0] == "me" else None
        if asked is not None:
            table.answer(asked["default"])
        table.take()
    seq = table.seq
    while table.seq == seq:
        table.take()
