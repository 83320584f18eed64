"""In a real browser: whole battles of the editions that the everyday tests leave out, and a server that dies."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage, Served, browser, built_page, server, start_server, visit

__all__ = ["browser", "built_page", "server", "visit"]  # fixtures, found by name


@pytest.mark.parametrize("edition", ["aof-1.6", "regiments-3.4"])
def test_a_battle_is_played_from_the_first_page_to_the_result(visit: OpenPage, edition: str) -> None:
    table = visit()
    table.start(edition, bot="random")
    table.answer_until("activate")
    for _ in range(3):  # by hand, as suggested; then the computer does the rest
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


def kill(server: Served) -> None:
    """The way a power cut ends it."""
    process: subprocess.Popen[str] = server.process
    process.kill()
    process.wait()
