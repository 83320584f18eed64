"""In a real browser: whole battles of the editions that the everyday tests leave out, and a server that dies."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, Served, start_server
from tests.browser.test_friends import asked_of
from tests.server.databases import Postgres


@pytest.mark.parametrize("edition", ["aof-1.6", "regiments-3.4"])
def test_a_battle_is_played_from_the_first_page_to_the_result(visit: OpenPage, edition: str) -> None:
    table = visit()
    table.start(edition, bot="random")
    table.answer_until("activate")
    for _ in range(3):  # by hand, as suggested; then the server plays the rest
        if table.wait_for_my_turn():
            table.go()
    table.play_out()
    table.see_result()


def test_a_server_that_dies_and_comes_back_is_waited_for(
    visit: OpenPage, built_page: None, tmp_path: Path
) -> None:
    first = start_server(tmp_path)
    table = visit(first.address, troubled=True)
    table.start("skirmish-3.2")
    table.answer_until("activate")
    kill(first)
    expect(table.page.get_by_text("Connection lost")).to_be_visible()
    second = start_server(tmp_path, port=int(first.address.rsplit(":", 1)[1]))
    try:
        expect(table.page.get_by_text("Connection lost")).to_be_hidden()
        table.go()
        expect(table.find("question")).not_to_have_attribute("data-kind", "activate")
    finally:
        kill(second)


WITHIN_SECONDS = 5.0


def beside(work: Callable[[], str]) -> str:
    """Run something with its own event loop, because the browser's already runs in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_both_friends_go_on_within_seconds_when_the_process_that_plays_their_game_is_killed(
    visit: OpenPage, built_page: None
) -> None:
    """Two processes on PostgreSQL; the one that owns the game dies in the middle of it."""
    postgres = Postgres()
    database = beside(lambda: postgres.address("pages"))
    served = start_server(database=database, processes=2)
    try:
        host = visit(served.address, troubled=True)
        host.start("skirmish-3.2", opponent="friend")
        friend = visit(host.find("invite-link").input_value(), troubled=True)
        friend.find("join").click()
        tables = (host, friend)
        asked_of(tables).find("do-activation").click()
        asked = asked_of(tables)
        expect(asked.battle).to_have_attribute("data-advised", "true")
        said = [table.find("log").inner_text() for table in tables]
        owner = owner_of(database, host.page.url.rsplit("/", 1)[1])
        os.kill(owner, signal.SIGKILL)
        killed = time.monotonic()
        asked.go()
        for table, before in zip(tables, said, strict=True):
            left = max(1.0, WITHIN_SECONDS - (time.monotonic() - killed))
            expect(table.find("log")).not_to_have_text(before, timeout=left * 1000)
        print(f"both pages went on {time.monotonic() - killed:.1f} s after the kill")
    finally:
        served.process.terminate()
        served.process.wait(timeout=30)
        postgres.stop()


def owner_of(database: str, game: str) -> int:
    """The process that plays a game: the one listening at the inner port of the game's owner."""

    async def ask() -> str:
        connection = await asyncpg.connect(database)
        found = await connection.fetchval(
            "SELECT address FROM server JOIN game ON game.server = server.id WHERE game.id = $1", game
        )
        await connection.close()
        return str(found)

    port = f"{int(beside(lambda: asyncio.run(ask())).rsplit(':', 1)[1]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    inodes = {row[9] for row in rows if row[1].endswith(f":{port}") and row[3] == "0A"}  # listening
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            links = [os.readlink(link) for link in folder.iterdir()]
        except OSError:
            continue  # gone meanwhile, or not ours
        if any(f"socket:[{inode}]" in links for inode in inodes):
            return int(folder.parent.name)
    raise AssertionError("nobody listens there")


def kill(server: Served) -> None:
    """Kill it with SIGKILL, like a power cut."""
    process: subprocess.Popen[str] = server.process
    process.kill()
    process.wait()
