"""A slow bot delays nobody."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shieldwall.server import jobs, room
from shieldwall.server.live import LiveGame
from shieldwall.server.storage import StorageError
from shieldwall.server.workers import Workers
from tests.server.player import PATIENCE, Person

People = Callable[[], Person]


class Held:
    """A server job that does not end before the test says so."""

    def __init__(self, job: Callable[..., Any]) -> None:
        self._job = job
        self.began, self.may_end = threading.Event(), threading.Event()

    def __call__(self, *given: Any) -> Any:
        self.began.set()
        assert self.may_end.wait(PATIENCE), "nobody let it end"
        return self._job(*given)


Holding = Callable[[str], Held]


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Holding]:
    """Holds jobs by name from now on."""
    made: list[Held] = []

    def one(name: str) -> Held:
        made.append(Held(getattr(jobs, name)))
        monkeypatch.setattr(jobs, name, made[-1])
        return made[-1]

    yield one
    for each in made:
        each.may_end.set()


def test_the_page_is_answered_while_a_bot_thinks(person: People, hold: Holding) -> None:
    thinking = hold("think")
    player = person()
    table = player.sit(player.make("skirmish-3.2", "random", "random")["game"])
    table.send(type="pace", delay=0)
    table.until("thinking")
    assert thinking.began.wait(PATIENCE)
    seq = table.seq
    for number in range(5):
        table.ask(type="measure", id=number, from_point=[0, 0], to_point=[1000, 0])
        assert player.get("/api/games")
    assert table.seq == seq, "the bot is still thinking"
    thinking.may_end.set()
    while table.seq == seq:
        table.take()


def test_steps_are_sent_before_a_question_that_takes_long(
    person: People, hold: Holding, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = person()
    table = player.sit(player.make("skirmish-3.2", "me", "me")["game"])
    assert table.until_asked()
    asking = hold("question")
    monkeypatch.setattr(room, "LONG_SECONDS", 0.05)
    assert table.question is not None
    table.answer(table.question["default"])
    steps = table.until("steps")
    assert (len(steps["steps"]), steps["question"]) == (1, None)
    asking.may_end.set()
    later = table.until("steps")
    assert later["steps"] == []
    assert later["question"]


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


def stay(note: str) -> None:
    """A job that leaves a marker file and then hangs; a retry that finds the file returns at once."""
    path = Path(note)
    if not path.exists():
        path.touch()
        time.sleep(10 * PATIENCE)


def test_of_many_jobs_lost_with_a_worker_all_are_done_again_by_one_new_worker(tmp_path: Path) -> None:
    note = tmp_path / "note"

    async def work() -> tuple[set[int], int]:
        workers = Workers()
        before = await workers.ask(os.getpid)
        assert await workers.ask(signal.getsignal, signal.SIGINT) == signal.SIG_IGN, (
            "Ctrl+C is the server's to hear"
        )
        lost = asyncio.create_task(workers.ask(stay, str(note)))
        waiting = [asyncio.create_task(workers.ask(os.getpid)) for _ in range(4)]
        async with asyncio.timeout(PATIENCE):
            while not note.exists():
                await asyncio.sleep(0.01)
            os.kill(before, signal.SIGKILL)
            await lost
            after = set(await asyncio.gather(*waiting))
        workers.close()
        return after, before

    after, before = asyncio.run(work())
    assert len(after) == 1
    assert before not in after


@pytest.mark.parametrize("opponents", [("me", "random"), ("random", "random")])
def test_a_game_goes_on_where_the_answer_of_a_bot_was_lost(
    person: People, monkeypatch: pytest.MonkeyPatch, opponents: tuple[str, str]
) -> None:
    """The first two answers of a bot are lost, in every game; then one arrives."""
    stores, lost = LiveGame.answer, Counter[str]()

    async def forgetful(self: LiveGame, seat: int, command_id: str, *given: Any) -> Any:
        if command_id.startswith("bot-") and lost[self.row.id] < 2:
            lost[self.row.id] += 1
            raise StorageError("the disk is full")
        return await stores(self, seat, command_id, *given)

    monkeypatch.setattr(LiveGame, "answer", forgetful)
    monkeypatch.setattr(room, "WAKE_SECONDS", 0.2)
    player = person()
    game = player.make("skirmish-3.2", *opponents)["game"]
    table = player.sit(game)
    table.send(type="pace", delay=0)
    while not any(step["actor"] == "bot" for step in table.steps):
        if table.question is not None and table.question["mine"]:
            assert table.play_default()
        else:
            table.take()
    assert lost[game] == 2
