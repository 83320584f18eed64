"""What an operator sees of a server: health, metrics, logs. None of it names a player or lets anyone in."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from shieldwall.server import metrics
from shieldwall.server.budgets import Rate, unlimited
from shieldwall.server.identity import hashed, new_id
from shieldwall.server.logs import JsonLines, LogWriter, PlainLines
from shieldwall.server.metrics import Durations, Metrics
from tests.server.conftest import Running
from tests.server.player import PATIENCE, Person

LINE = re.compile(r"^(# TYPE [a-z_]+ (gauge|counter|histogram)|[a-z_]+(\{[^}]+\})? [0-9.e+-]+)$")
ROOT = Path(__file__).parents[2]
PIPE_BYTES = 4096  # the smallest pipe there is
HELLOS = 200  # each of them a line of more than 100 bytes
ALL_SLOW = """
import sys
from shieldwall.server import logs, metrics
from shieldwall.server.budgets import unlimited
from shieldwall.server.serving import Serving, serve
metrics.SLOW_SECONDS = -1
logs.WAITING_BYTES = 10_000
order = Serving("127.0.0.1", 0, sys.argv[1], False, unlimited(), watched=True, json_log=True, threads=True)
serve(order)
"""


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Running]:
    running = Running(f"sqlite:///{tmp_path / 'games.db'}", watched=True)
    yield running
    running.stop()


def text_of(address: str) -> str:
    return httpx2.get(address, timeout=PATIENCE).text


def numbers(address: str) -> dict[str, float]:
    text = text_of(f"{address}/metrics")
    for line in text.splitlines():
        assert LINE.match(line), line
    pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_health_and_numbers_are_there_when_asked_for(watched: Running) -> None:
    assert text_of(f"{watched.address}/health") == "ok\n"
    person = Person(watched.address)
    person.post("/api/me", {"name": "Somebody Special"})
    table = person.sit(person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
    assert table.play_default()
    table.command(type="answer", answer={"answer": "pick", "option": "nonsense"})
    found = numbers(watched.address)
    assert found["shieldwall_games_open"] == 1
    assert found["shieldwall_sockets_open"] == 1
    assert found["shieldwall_command_seconds_count"] >= 2
    assert sum(n for name, n in found.items() if name.startswith("shieldwall_refused_total")) == 1
    text = text_of(f"{watched.address}/metrics")
    for secret in ("Somebody", table.first["game"], person.http.cookies["shieldwall"]):
        assert secret not in text


def test_both_are_off_unless_asked_for(server: Running) -> None:
    for path in ("/health", "/metrics"):
        assert "shieldwall_" not in text_of(f"{server.address}{path}")
        assert text_of(f"{server.address}{path}") != "ok\n"


def test_a_slow_question_is_logged_without_the_player(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "shieldwall.server"):
        Metrics().question("0123456789abcdef01234567", "preview", metrics.SLOW_SECONDS + 0.1)
        Metrics().question("0123456789abcdef01234567", "preview", 0.001)
    (record,) = caplog.records
    told = json.loads(JsonLines().format(record))
    assert told["event"] == "slow question"
    assert (told["kind"], told["game"], told["ms"]) == ("preview", "01234567", 600)


@pytest.mark.parametrize("form", [PlainLines(), JsonLines()], ids=["plain", "json"])
def test_no_log_or_error_message_has_whole_ids(
    caplog: pytest.LogCaptureFixture, form: logging.Formatter
) -> None:
    game, token = new_id(), hashed("token")
    with caplog.at_level(logging.WARNING):
        try:
            raise LookupError(f"command 3 of game {game}, token {token}")
        except LookupError as error:
            logging.getLogger("shieldwall.server").exception("a game cannot be opened: %s", error)
            logging.getLogger("asyncio").error("Task room %s failed", game, exc_info=error)
    for record in caplog.records:
        told = form.format(record)
        assert told.count(game[:8]) >= 2, "in the sentence and in the traceback"
        assert "LookupError" in told
        assert game not in told
        assert token not in told


def test_errors_in_the_json_log_stay_on_one_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("shieldwall.server", logging.ERROR, "", 0, "it failed", (), info)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "ValueError" in json.loads(line)["error"]


# --- nobody reads the log ---


def small_pipe() -> tuple[int, int]:
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return reading, writing


def test_unread_lines_are_dropped_counted_and_reported_later() -> None:
    """The pipe is full from the start, so that the timing of the writer does not matter."""
    reading, writing = small_pipe()
    os.write(writing, b"x" * (PIPE_BYTES - 1) + b"\n")
    writer = LogWriter(writing, waiting_bytes=1000)
    writer.setFormatter(PlainLines())
    for number in range(200):
        writer.handle(
            logging.makeLogRecord({"msg": f"line {number:03} " + "x" * 91, "levelno": logging.INFO})
        )
    lost = writer.lost
    with open(reading) as pipe:
        assert pipe.readline().startswith("x")
        lines = [pipe.readline() for _ in range(200 - lost + 1)]
    assert lost == 191, "9 lines fit into the queue"
    assert [int(line.split()[1]) for line in lines if line.startswith("line")] == list(range(200 - lost))
    (told,) = [line for line in lines if not line.startswith("line")]
    assert told.endswith(f" warning: {lost} lines of the log were lost because nobody read them\n")


def test_an_unread_log_delays_no_game(tmp_path: Path) -> None:
    """With more log lines than pipe and queue hold, and no reader, answers arrive and the server exits cleanly."""
    reading, writing = small_pipe()
    server = subprocess.Popen(
        [sys.executable, "-c", ALL_SLOW, f"sqlite:///{tmp_path / 'games.db'}"], stderr=writing, cwd=ROOT
    )
    os.close(writing)
    try:
        with open(reading) as log:
            address = (
                next(line for line in log if "http://" in line).split("at ", 1)[1].split()[0].rstrip("/")
            )
            person = Person(address)
            table = person.sit(person.make("skirmish-3.2", "me", "me", table={"kind": "empty"})["game"])
            for _ in range(HELLOS):
                table.send(type="hello", last_seq=table.seq, last_hash=table.hash)
                table.until("steps")
            assert table.play_default()
            assert numbers(address)["shieldwall_log_lines_lost_total"] > 0
            server.terminate()
            assert server.wait(PATIENCE) == 0
    finally:
        server.kill()


def test_durations_add_up() -> None:
    durations = Durations()
    for seconds in (0.001, 0.2, 60.0):
        durations.add(seconds)
    lines = durations.lines("x", 'kind="k"')
    assert 'x_bucket{kind="k",le="0.005"} 1' in lines
    assert 'x_bucket{kind="k",le="+Inf"} 3' in lines
    assert lines[-1] == 'x_count{kind="k"} 3'


def test_the_forwarded_address_counts_where_it_comes_from_the_proxy(tmp_path: Path) -> None:
    limits = unlimited()._replace(requests=Rate(10, 1e-6), shared=1.0)
    server = Running(f"sqlite:///{tmp_path / 'games.db'}", limits, proxies=["127.0.0.1"])
    try:
        codes = [code_for(server, f"192.0.2.{n}") for n in range(20)]
        assert set(codes) == {200}, "twenty addresses, one request each"
        one = [code_for(server, f"198.51.100.{n}, 203.0.113.5") for n in range(20)]
        assert one[-1] == 429, "what the client itself wrote into the header is not believed"
    finally:
        server.stop()


def code_for(server: Running, forwarded: str) -> int:
    """The status code for a request from a forwarded address."""
    headers = {"X-Forwarded-For": forwarded}
    return httpx2.get(f"{server.address}/api/games", headers=headers, timeout=PATIENCE).status_code
