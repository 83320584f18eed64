"""A real browser on the real page, served by a real server with a database of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import dev
from tests.browser.table import TURN, Table

ROOT = Path(__file__).parents[2]
CAMPAIGN = ROOT / "tests" / "browser" / "quick-campaign.yaml"
SAME_DICE = ROOT / "tests" / "browser" / "same_dice.py"
STATIC = ROOT / "src" / "shieldwall" / "server" / "static"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = TURN  # the machine may be busy with other things; who waits longer fails later, and nothing else
DESKTOP = {"width": 1440, "height": 900}
SEED = 5  # of every table the page generates here
# Hints are for a first battle and would only be in the way; tables and dice are the same in every run.
AT_HOME = f"""
localStorage.setItem('shieldwall.hints', 'place activate action move aims');
localStorage.setItem('shieldwall.speed', 'instant');
const drawn = crypto.getRandomValues.bind(crypto);
const isInGame = () => location.pathname.startsWith('/game');  // where commands need ids of their own
crypto.getRandomValues = (into) => (isInGame() ? drawn(into) : into.fill({SEED}));
"""
PHONE = {"width": 390, "height": 844}


def chromium() -> str:
    """The browser of this machine; a missing one fails the tests and never skips them."""
    named = os.environ.get("CHROMIUM", "")
    found = named or next((path for name in dev.BROWSERS if (path := shutil.which(name))), None)
    if not found:
        pytest.fail(
            f"no Chromium found: install it (Debian: apt-get install {dev.BROWSERS[0]}) or name it in $CHROMIUM"
        )
    return found


@pytest.fixture(scope="session")
def built_page() -> None:
    """The page as a visitor gets it."""
    if not (STATIC / "index.html").exists():
        pytest.fail("the page is not built: run `python3 dev.py test`, or `npm ci && npm run build` in web/")


class Served(NamedTuple):
    """A server of our own."""

    address: str
    process: subprocess.Popen[str]


def start_server(
    folder: Path | None = None, port: int = 0, database: str = "", processes: int = 1, *more: str
) -> Served:
    """A server with its database in a folder or at an address; whoever starts it ends it."""
    command = [sys.executable, str(SAME_DICE), *(("serve",) if database else ("play", "--no-browser"))]
    command += ["--port", str(port), "--db", database or f"sqlite:///{folder}/games.db"]
    command += ["--workers", str(processes)] if processes > 1 else []
    command += more
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    spoken, process.stdout = process.stdout, None
    assert spoken is not None
    said: list[str] = []
    for line in spoken:
        said.append(line)
        if "http://" in line:
            # whatever it says from now on is read as well: a full pipe would hold it up
            Thread(target=spoken.read, daemon=True).start()
            return Served("http://" + line.split("http://", 1)[1].split()[0].rstrip("/"), process)
    pytest.fail("the server did not start:\n" + "".join(said))


@pytest.fixture(scope="session")
def server(built_page: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a fresh server, which has a campaign of its own besides ours."""
    served = start_server(tmp_path_factory.mktemp("server"), 0, "", 1, "--campaign", str(CAMPAIGN))
    yield served.address
    served.process.terminate()
    served.process.wait(timeout=30)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this process."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


expect.set_options(timeout=PATIENCE)
OpenPage = Callable[..., Table]


@pytest.fixture
def visit(browser: Browser, server: str) -> Iterator[OpenPage]:
    """Open the first page as a new visitor, on a desktop or a phone; complaints of the page fail the test.

    A `troubled` page may meet refused requests and lost sockets, but no errors of its own.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/", *, phone: bool = False, troubled: bool = False) -> Table:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP, has_touch=phone, reduced_motion="reduce", base_url=server
        )
        context.add_init_script(AT_HOME)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: _note(complaints, page, message.type, message.text, troubled))
        page.goto(path)
        return Table(page)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def _note(complaints: list[str], page: Page, kind: str, text: str, troubled: bool) -> None:
    # the browser itself reports refused requests and lost sockets, which a troubled page is meant to meet
    expected = troubled and text.startswith(("Failed to load resource", "WebSocket connection to"))
    if kind == "error" and not expected:
        complaints.append(f"{page.url}: {text}")
